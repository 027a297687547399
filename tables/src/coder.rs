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
    encode_values(model, layout, start, codes.len(), &mut buffer, Encoder::new(out)).finish();
}

/// Encodes the codes in a buffer, in which it leaves the values that were encoded.
pub(crate) fn encode_values<'a>(
    model: &'a Model,
    layout: &Layout,
    start: u64,
    len: usize,
    buffer: &mut Buffer,
    coder: Encoder<'a>,
) -> Encoder<'a> {
    let encoding = Encoding { entries: model.entries(), coder };
    model.contexts().walk(layout, start, len, buffer, encoding).coder
}

/// Decodes a block.
pub(crate) fn decode(model: &Model, layout: &Layout, start: u64, bytes: &[u8], out: &mut [u8]) {
    let mut buffer = Buffer::new();
    if bytes.is_empty() {
        let expecting = Expecting { entries: model.entries() };
        model.contexts().walk(layout, start, out.len(), &mut buffer, expecting);
    } else {
        decode_values(model, layout, start, out.len(), &mut buffer, Decoder::new(bytes));
    }
    out.copy_from_slice(&buffer.values()[..out.len()]);
}

/// Decodes values into a buffer.
pub(crate) fn decode_values<'a>(
    model: &'a Model,
    layout: &Layout,
    start: u64,
    len: usize,
    buffer: &mut Buffer,
    coder: Decoder<'a>,
) -> Decoder<'a> {
    let decoding = Decoding { entries: model.entries(), coder };
    model.contexts().walk(layout, start, len, buffer, decoding).coder
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
