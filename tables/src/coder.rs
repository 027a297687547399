//! Encoding and decoding a block with a model.
//!
//! For every position it is decided whether its value is what the model expects, and if not, which of the other two it is. Nearly all
//! values are as expected. The likelier outcome always takes the lower part of the interval, so a decoder can work out what a whole row of
//! positions would be if all of them were as expected, and how little of the interval that would leave: one comparison tells
//! that it is so.

use crate::context::{Buffer, ByContext, Row, Visit};
use crate::layout::Layout;
use crate::model::{Entry, Model};
use crate::range::{Decoder, Encoder, narrowed};
use crate::successors::Opposite;
use crate::values::DONT_CARE;

/// Encodes the codes of a block. What does not matter becomes what the model expects, and costs next to nothing.
pub(crate) fn encode(
    model: &Model,
    layout: &Layout,
    start: u64,
    codes: &[u8],
    opposite: Option<&Opposite>,
    out: &mut Vec<u8>,
) {
    let mut buffer = Buffer::new();
    encode_values(model, layout, start, codes, &mut buffer, opposite, Encoder::new(out)).finish();
}

/// Encodes the codes of a block, and leaves the values that were encoded in a buffer.
pub(crate) fn encode_values<'a>(
    model: &'a Model,
    layout: &Layout,
    start: u64,
    codes: &'a [u8],
    buffer: &mut Buffer,
    opposite: Option<&Opposite>,
    coder: Encoder<'a>,
) -> Encoder<'a> {
    let encoding = Encoding { entries: model.entries(), codes, coder };
    model.contexts().walk(layout, start, codes.len(), buffer, opposite, encoding).coder
}

/// Decodes a block.
pub(crate) fn decode(
    model: &Model,
    layout: &Layout,
    start: u64,
    bytes: &[u8],
    opposite: Option<&Opposite>,
    out: &mut [u8],
) {
    let mut buffer = Buffer::new();
    if bytes.is_empty() {
        let expecting = Expecting { entries: model.entries() };
        model.contexts().walk(layout, start, out.len(), &mut buffer, opposite, expecting);
    } else {
        decode_values(model, layout, start, out.len(), &mut buffer, opposite, Decoder::new(bytes));
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
    opposite: Option<&Opposite>,
    coder: Decoder<'a>,
) -> Decoder<'a> {
    let decoding = Decoding { entries: model.entries(), coder };
    model.contexts().walk(layout, start, len, buffer, opposite, decoding).coder
}

struct Encoding<'a> {
    entries: &'a ByContext<Entry>,
    codes: &'a [u8],
    coder: Encoder<'a>,
}

impl Visit for Encoding<'_> {
    #[inline(always)]
    fn row<const PREVIOUS: bool>(&mut self, row: Row<PREVIOUS>) -> u64 {
        let codes = &self.codes[row.at..row.at + row.len()];
        let values = row.each(|lane, context| {
            let entry = Entry::of(self.entries, context);
            let value = if codes[lane] == DONT_CARE { entry.likely() } else { codes[lane] };
            let expected = value == entry.likely();
            self.coder.encode_unsettled(expected, entry.probability());
            if !expected {
                self.coder.settle();
                self.coder.encode(value == entry.second(), entry.second_probability());
            }
            value
        });
        self.coder.settle();
        values
    }
}

struct Decoding<'a> {
    entries: &'a ByContext<Entry>,
    coder: Decoder<'a>,
}

impl Visit for Decoding<'_> {
    #[inline(always)]
    fn row<const PREVIOUS: bool>(&mut self, row: Row<PREVIOUS>) -> u64 {
        // Rows are mostly whole rows of a board: a loop of a known length becomes a straight line.
        let (values, range) = match row.len() {
            4 => self.expected(&row, 4),
            5 => self.expected(&row, 5),
            len => self.expected(&row, len),
        };
        let values = if self.coder.decode_all(range) {
            values
        } else {
            let (values, coder) = one_by_one(self.entries, self.coder, row);
            self.coder = coder;
            values
        };
        self.coder.settle();
        values
    }
}

impl Decoding<'_> {
    /// The values of a row if all of them are as expected, and the range that this would leave.
    #[inline(always)]
    fn expected<const PREVIOUS: bool>(&self, row: &Row<PREVIOUS>, len: usize) -> (u64, u64) {
        let mut values_16 = 0;
        let mut range = self.coder.range();
        let mut previous_16 = 16 * u32::from(row.previous);
        for lane in 0..len {
            let entry = Entry::of(self.entries, row.context(lane, previous_16));
            range = narrowed(range, entry.probability());
            previous_16 = entry.likely_16();
            values_16 |= u64::from(previous_16) << (8 * lane);
        }
        (values_16 / 16, range)
    }
}

/// The values of a row in which not all is as expected, and how it goes on.
#[cold]
#[inline(never)]
fn one_by_one<'a, const PREVIOUS: bool>(
    entries: &ByContext<Entry>,
    mut coder: Decoder<'a>,
    row: Row<PREVIOUS>,
) -> (u64, Decoder<'a>) {
    let values = row.each(|_, context| {
        let entry = Entry::of(entries, context);
        if coder.decode_unsettled(entry.probability()) {
            return entry.likely();
        }
        coder.settle();
        let second = coder.decode(entry.second_probability());
        if second { entry.second() } else { entry.third() }
    });
    (values, coder)
}

/// Everything as expected: what a block without bytes holds.
struct Expecting<'a> {
    entries: &'a ByContext<Entry>,
}

impl Visit for Expecting<'_> {
    #[inline(always)]
    fn row<const PREVIOUS: bool>(&mut self, row: Row<PREVIOUS>) -> u64 {
        row.each(|_, context| Entry::of(self.entries, context).likely())
    }
}
