//! Encoding and decoding a block with a model.

use crate::context::{Buffer, ByContext, Context, Visit};
use crate::layout::Layout;
use crate::model::{Entry, Model};
use crate::range::{Decoder, Encoder};
use crate::values::DONT_CARE;

/// Encodes the codes of a block. What does not matter becomes what the model expects, and costs next to nothing.
pub(crate) fn encode(model: &Model, layout: &Layout, start: u64, codes: &[u8], out: &mut Vec<u8>) {
    let mut buffer = Buffer::new();
    buffer.values()[..codes.len()].copy_from_slice(codes);
    let encoding = Encoding { entries: model.entries(), coder: Encoder::new(out) };
    let encoding = model.contexts().walk(layout, start, codes.len(), &mut buffer, encoding);
    encoding.coder.finish();
}

/// Decodes a block.
pub(crate) fn decode(model: &Model, layout: &Layout, start: u64, bytes: &[u8], out: &mut [u8]) {
    let mut buffer = Buffer::new();
    if bytes.is_empty() {
        let expecting = Expecting { entries: model.entries() };
        model.contexts().walk(layout, start, out.len(), &mut buffer, expecting);
    } else {
        let decoding = Decoding { entries: model.entries(), coder: Decoder::new(bytes) };
        model.contexts().walk(layout, start, out.len(), &mut buffer, decoding);
    }
    out.copy_from_slice(&buffer.values()[..out.len()]);
}

struct Encoding<'a> {
    entries: &'a ByContext<Entry>,
    coder: Encoder<'a>,
}

impl Visit for Encoding<'_> {
    #[inline(always)]
    fn visit(&mut self, code: u8, context: Context) -> u8 {
        let entry = context.of(self.entries);
        let value = if code == DONT_CARE { entry.likely() } else { code };
        let expected = value == entry.likely();
        self.coder.encode(expected, entry.probability());
        if !expected {
            self.coder.encode(value == entry.second(), entry.second_probability());
        }
        value
    }
}

struct Decoding<'a> {
    entries: &'a ByContext<Entry>,
    coder: Decoder<'a>,
}

impl Visit for Decoding<'_> {
    #[inline(always)]
    fn visit(&mut self, _: u8, context: Context) -> u8 {
        let entry = context.of(self.entries);
        if self.coder.decode(entry.probability()) {
            entry.likely()
        } else if self.coder.decode(entry.second_probability()) {
            entry.second()
        } else {
            entry.third()
        }
    }
}

/// Everything as expected: what a block without bytes holds.
struct Expecting<'a> {
    entries: &'a ByContext<Entry>,
}

impl Visit for Expecting<'_> {
    #[inline(always)]
    fn visit(&mut self, _: u8, context: Context) -> u8 {
        context.of(self.entries).likely()
    }
}
