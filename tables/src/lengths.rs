//! The lengths of blocks, as a prefix code.
//!
//! A block's *length byte* tells how it is stored: the number of bytes that it takes if it is coded with the model, or one of a few
//! special numbers. In a record the length bytes of all blocks come first, in a canonical Huffman code of the table's own: codes of the same
//! width are consecutive numbers in the order of the length bytes, those of a greater width come after all shorter ones.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The most bits of a code.
pub(crate) const MAX_WIDTH: u32 = 12;
/// Bits that are looked at at once.
const WINDOW: u32 = 16;

/// A prefix code for length bytes.
#[derive(Clone, Debug)]
pub(crate) struct LengthCode {
    /// The width of each length byte's code, 0 for those that do not occur.
    widths: [u8; 256],
    /// For each width the end of its codes, as the highest bits of a window.
    limits: [u32; MAX_WIDTH as usize + 1],
    /// For each width what to add to a code to get its place among all codes.
    offsets: [u32; MAX_WIDTH as usize + 1],
    /// The length bytes in the order of their codes.
    symbols: Vec<u8>,
}

impl LengthCode {
    /// The code that is best where each length byte occurs so often.
    pub fn for_counts(counts: &[u64; 256]) -> LengthCode {
        let mut counts = *counts;
        loop {
            let widths = huffman(&counts);
            if widths.iter().all(|&width| u32::from(width) <= MAX_WIDTH) {
                return LengthCode::from_widths(widths);
            }
            // Flatter counts give a flatter tree.
            counts.iter_mut().filter(|count| **count > 0).for_each(|count| *count = *count / 2 + 1);
        }
    }

    /// The canonical code with these widths. Widths that no code can have give one that decodes nothing sensible, but in order.
    pub fn from_widths(widths: [u8; 256]) -> LengthCode {
        let of_width = |width: u32| {
            (0..=u8::MAX).filter(move |&symbol| u32::from(widths[usize::from(symbol)]) == width)
        };
        let mut limits = [0; MAX_WIDTH as usize + 1];
        let mut offsets = [0; MAX_WIDTH as usize + 1];
        let mut symbols = Vec::new();
        let mut code = 0u32;
        for width in 1..=MAX_WIDTH {
            code <<= 1;
            offsets[width as usize] = (symbols.len() as u32).wrapping_sub(code);
            symbols.extend(of_width(width));
            code = code.wrapping_add(of_width(width).count() as u32);
            limits[width as usize] = code << (WINDOW - width);
        }
        LengthCode { widths, limits, offsets, symbols }
    }

    /// The width of each length byte's code.
    pub fn widths(&self) -> &[u8; 256] {
        &self.widths
    }

    /// Appends length bytes as a run of bits that begins with the highest bit of the *last* byte and ends, padded with zeros,
    /// in the first one.
    pub fn encode_backwards(&self, lengths: &[u8], out: &mut Vec<u8>) {
        let begin = out.len();
        let mut bits = 0u64;
        let mut count = 0;
        for &length in lengths {
            let width = u32::from(self.widths[usize::from(length)]);
            let place = self
                .symbols
                .iter()
                .position(|&symbol| symbol == length)
                .expect("a length that was counted");
            let code = (place as u32).wrapping_sub(self.offsets[width as usize]);
            bits = bits << width | u64::from(code);
            count += width;
            while count >= 8 {
                count -= 8;
                out.push((bits >> count) as u8);
            }
        }
        if count > 0 {
            out.push((bits << (8 - count)) as u8);
        }
        out[begin..].reverse();
    }

    /// Reads the first length bytes of such a run at the end of `bytes`, as many as there is room for; `None` if there is no such code.
    pub fn decode_backwards(&self, bytes: &[u8], lengths: &mut [u8]) -> Option<()> {
        let mut rest = bytes.iter().rev();
        let mut window = 0u32;
        let mut count = 0;
        for length in lengths {
            while count < WINDOW {
                window = window << 8 | u32::from(rest.next().copied().unwrap_or(0));
                count += 8;
            }
            let next = window >> (count - WINDOW) & ((1 << WINDOW) - 1);
            let width = (1..=MAX_WIDTH).find(|&width| next < self.limits[width as usize])?;
            let place = self.offsets[width as usize].wrapping_add(next >> (WINDOW - width));
            *length = *self.symbols.get(place as usize)?;
            count -= width;
        }
        Some(())
    }
}

/// The widths of a Huffman code.
fn huffman(counts: &[u64; 256]) -> [u8; 256] {
    // Trees by weight, then by age; a tree is the list of its leaves.
    let leaves = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let mut trees: BinaryHeap<_> =
        leaves.map(|(symbol, &count)| Reverse((count, symbol, vec![symbol as u8]))).collect();
    let mut widths = [0; 256];
    if let (1, Some(Reverse((_, symbol, _)))) = (trees.len(), trees.peek()) {
        widths[*symbol] = 1;
    }
    let mut age = 256;
    while let (Some(Reverse(first)), Some(Reverse(second))) = (trees.pop(), trees.pop()) {
        let leaves = [first.2, second.2].concat();
        leaves.iter().for_each(|&symbol| widths[usize::from(symbol)] += 1);
        trees.push(Reverse((first.0 + second.0, age, leaves)));
        age += 1;
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lengths_come_back(lengths in prop::collection::vec(prop_oneof![Just(255u8), Just(0), 0u8..9, any::<u8>()], 1..200)) {
            let mut counts = [0; 256];
            lengths.iter().for_each(|&length| counts[usize::from(length)] += 1);
            let code = LengthCode::from_widths(*LengthCode::for_counts(&counts).widths());
            let mut bytes = Vec::new();
            code.encode_backwards(&lengths, &mut bytes);
            let mut decoded = vec![0; lengths.len()];
            prop_assert_eq!(code.decode_backwards(&bytes, &mut decoded), Some(()));
            prop_assert_eq!(decoded, lengths);
        }

        #[test]
        fn any_widths_are_survived(widths in prop::collection::vec(0u8..13, 256), bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let code = LengthCode::from_widths(widths.try_into().unwrap());
            code.decode_backwards(&bytes, &mut [0; 32]);
        }
    }

    #[test]
    fn wide_codes_are_cut() {
        let mut counts = [0; 256];
        for (symbol, count) in counts.iter_mut().enumerate().take(50) {
            *count = 1 << symbol;
        }
        let code = LengthCode::for_counts(&counts);
        assert!(code.widths()[..50].iter().all(|&width| (1..=12).contains(&width)));
    }
}
