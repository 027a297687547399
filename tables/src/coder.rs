//! Encoding and decoding a block with a model.

use crate::context::{Buffer, MAX_CONTEXTS, Visit};
use crate::header::BLOCK;
use crate::layout::Layout;
use crate::model::{Entry, Model};
use crate::range::{Decoder, Encoder};
use crate::values::DONT_CARE;

/// Encodes the codes of a block. What does not matter becomes what the model expects, and costs next to nothing.
pub(crate) fn encode(model: &Model, layout: &Layout, start: u64, codes: &[u8], out: &mut Vec<u8>) {
    let mut buffer = Buffer::new();
    let mut encoding = Encoding { entries: model.entries(), codes, coder: Encoder::new(out) };
    model.contexts().walk(layout, start, codes.len(), &mut buffer, &mut encoding);
    encoding.coder.finish();
}

/// Decodes a block.
pub(crate) fn decode(model: &Model, layout: &Layout, start: u64, bytes: &[u8], out: &mut [u8]) {
    let mut buffer = Buffer::new();
    if bytes.is_empty() {
        let mut expecting = Expecting { entries: model.entries() };
        model.contexts().walk(layout, start, out.len(), &mut buffer, &mut expecting);
    } else {
        let mut decoding = Decoding { entries: model.entries(), coder: Decoder::new(bytes) };
        model.contexts().walk(layout, start, out.len(), &mut buffer, &mut decoding);
    }
    out.copy_from_slice(&buffer.values()[..out.len()]);
}

struct Encoding<'a> {
    entries: &'a [Entry; MAX_CONTEXTS],
    codes: &'a [u8],
    coder: Encoder<'a>,
}

impl Visit for Encoding<'_> {
    #[inline(always)]
    fn visit(&mut self, at: usize, context: usize) -> u8 {
        let entry = self.entries[context % MAX_CONTEXTS];
        let code = self.codes[at];
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
    entries: &'a [Entry; MAX_CONTEXTS],
    coder: Decoder<'a>,
}

impl Visit for Decoding<'_> {
    #[inline(always)]
    fn visit(&mut self, _: usize, context: usize) -> u8 {
        let entry = self.entries[context % MAX_CONTEXTS];
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
    entries: &'a [Entry; MAX_CONTEXTS],
}

impl Visit for Expecting<'_> {
    #[inline(always)]
    fn visit(&mut self, _: usize, context: usize) -> u8 {
        self.entries[context % MAX_CONTEXTS].likely()
    }
}

const _: () = assert!(BLOCK.is_power_of_two());
