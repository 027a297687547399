//! Scores without prediction: the list of those that occur in a block, and for each position its place in the list, in as few bits as
//! all places need.
//!
//! Bytes: the length of the list (2), the scores, increasing (2 each), the places from the lowest bit on.

use crate::distances::DONT_CARE_SCORE;

/// Bits of a place in a list of so many scores.
fn width(scores: usize) -> usize {
    scores.saturating_sub(1).checked_ilog2().map_or(0, |log| log as usize + 1)
}

/// Bytes that so many different scores take at so many positions.
fn packed_len(scores: usize, positions: usize) -> usize {
    2 + 2 * scores + (positions * width(scores)).div_ceil(8)
}

/// The most bytes that a block takes.
pub(crate) const fn max_len(positions: usize) -> usize {
    // Twice as many positions as there are have places of no more than 11 bits.
    2 + 2 * positions + 2 * positions
}

/// Appends scores, packed.
pub(crate) fn pack(scores: &[u16], out: &mut Vec<u8>) {
    let mut list = scores.to_vec();
    list.sort_unstable();
    list.dedup();
    out.extend((list.len() as u16).to_le_bytes());
    out.extend(list.iter().flat_map(|score| score.to_le_bytes()));
    let width = width(list.len());
    let (mut bits, mut filled) = (0u32, 0);
    for score in scores {
        let place = list.partition_point(|other| other < score);
        bits |= (place as u32) << filled;
        filled += width;
        while filled >= 8 {
            out.push(bits as u8);
            bits >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        out.push(bits as u8);
    }
}

/// Fills `out` from packed bytes; `None` if they were never packed.
pub(crate) fn unpack(bytes: &[u8], out: &mut [u16]) -> Option<()> {
    let (&count, rest) = bytes.split_first_chunk()?;
    let count = usize::from(u16::from_le_bytes(count));
    if bytes.len() != packed_len(count, out.len()) {
        return None;
    }
    let (list, places) = rest.split_at(2 * count);
    let (list, _) = list.as_chunks();
    let width = width(count);
    let mut places = places.iter();
    let (mut bits, mut filled) = (0u32, 0);
    for score in out {
        while filled < width {
            bits |= u32::from(*places.next()?) << filled;
            filled += 8;
        }
        *score = u16::from_le_bytes(*list.get((bits & ((1 << width) - 1)) as usize)?);
        if *score == DONT_CARE_SCORE {
            return None;
        }
        bits >>= width;
        filled -= width;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn scores_come_back(
            distinct in 1u16..2000,
            scores in prop::collection::vec(any::<u16>(), 1..1025),
        ) {
            let scores: Vec<u16> = scores.iter().map(|score| score % distinct * 7).collect();
            let mut bytes = Vec::new();
            pack(&scores, &mut bytes);
            prop_assert!(bytes.len() <= max_len(scores.len()));
            let mut found = vec![0; scores.len()];
            prop_assert_eq!(unpack(&bytes, &mut found), Some(()));
            prop_assert_eq!(&found, &scores);
            bytes.push(0);
            prop_assert_eq!(unpack(&bytes, &mut found), None);
        }

        #[test]
        fn any_bytes_are_taken(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = unpack(&bytes, &mut [0; 50]);
        }
    }
}
