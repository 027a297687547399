//! Values without prediction: five to a byte, as the digits of a number to base 3, the first the least significant.

/// Values to a byte.
const PER_BYTE: usize = 5;

/// Bytes that so many values take.
pub(crate) const fn packed_len(values: usize) -> usize {
    values.div_ceil(PER_BYTE)
}

/// Appends values 0 to 2, packed.
pub(crate) fn pack(values: &[u8], out: &mut Vec<u8>) {
    out.extend(
        values
            .chunks(PER_BYTE)
            .map(|five| five.iter().rev().fold(0, |byte, value| byte * 3 + value)),
    );
}

/// Fills `out` from packed bytes; `None` if there are too few or too many, or they were never packed.
pub(crate) fn unpack(bytes: &[u8], out: &mut [u8]) -> Option<()> {
    if bytes.len() != packed_len(out.len()) {
        return None;
    }
    for (five, &byte) in out.chunks_mut(PER_BYTE).zip(bytes) {
        let mut rest = byte;
        for value in five {
            *value = rest % 3;
            rest /= 3;
        }
        if rest > 0 {
            return None;
        }
    }
    Some(())
}
