//! What a capture is worth under the variant's [`Choice`].

use crate::rules::{Choice, Rules};

/// The rank of a capture: those of the highest rank are allowed, all others are not. It grows with every piece
/// taken, so that no capture that could go on has the highest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u32);

impl Rank {
    /// The rank of a capture by a king or a man in which nothing is taken yet.
    #[inline(always)]
    pub const fn start<R: Rules>(king: bool) -> Rank {
        let rank = match R::CHOICE {
            Choice::Any | Choice::MostPieces | Choice::MostPiecesThenKings => 0,
            Choice::Italian => (king as u32) << 20,
            Choice::Frisian => king as u32,
        };
        Rank(rank | ((king && R::KINGS_TAKE_FIRST) as u32) << 30)
    }

    /// The rank with one more piece taken, a king or a man.
    #[inline(always)]
    pub const fn taking<R: Rules>(self, king: bool) -> Rank {
        let is_king = king as u32;
        Rank(match R::CHOICE {
            Choice::Any => self.0,
            Choice::MostPieces => self.0 + 1,
            Choice::MostPiecesThenKings => self.0 + (1 << 8) + is_king,
            // From the top: pieces taken, taken by a king, kings taken, and a one for every king and a zero for every man
            // in the order in which they were met. A short king can take nine at most.
            Choice::Italian => {
                let order = self.0 & 0xffff;
                self.0 + order + (1 << 24) + (is_king << 16) + is_king
            }
            // A man is worth 100 and a king 199, and half a point more than the same taken by a man.
            Choice::Frisian => self.0 + 2 * (100 + 99 * is_king),
        })
    }
}
