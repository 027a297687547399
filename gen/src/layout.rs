//! How the positions of a class are cut into words: free piece, frames, rows, skeletons.
//!
//! One piece of Black's is *free*: a king if Black has one, else a man. A *frame* is a placement of all other pieces; its word holds
//! a bit for each square of the free piece. Frames are numbered by the ranks of four groups,
//!
//! ```text
//! frame = ((white men · #black men + black men) · #white kings + white kings) · #black kings + black kings
//! ```
//!
//! so that a *row* (one placement of White's kings) is contiguous, a *skeleton* (one placement of all
//! men) is contiguous, and a *block* (one placement of White's men) is contiguous. Since a man's step lowers its rank,
//! increasing skeletons are solved in the right order. Groups that overlap leave *dead* frames, whose words are empty.

use damier_core::{Board, Color, Rules, Word, WordOf, promotion_row};
use damier_tables::{Class, Group, Kind};

/// The layout of one ordered class, the free piece being Black's.
#[derive(Debug)]
pub struct Layout<R: Rules> {
    /// The class.
    pub class: Class,
    /// Kind of the free piece.
    pub free: Kind,
    /// White's men.
    pub white_men: Group<R::Board>,
    /// Black's men other than the free piece.
    pub black_men: Group<R::Board>,
    /// White's kings.
    pub white_kings: Group<R::Board>,
    /// Black's kings other than the free piece.
    pub black_kings: Group<R::Board>,
    /// Where the free piece can stand.
    pub domain: WordOf<R>,
}

impl<R: Rules> Layout<R> {
    /// The layout of a class in which both sides have a piece.
    pub fn new(class: Class) -> Layout<R> {
        let free = if class.black.kings > 0 { Kind::King } else { Kind::Man };
        let other_men = class.black.men as usize - usize::from(free == Kind::Man);
        let other_kings = class.black.kings as usize - usize::from(free == Kind::King);
        let all = R::Board::geometry().all;
        Layout {
            class,
            free,
            white_men: Group::new(Color::White, Kind::Man, class.white.men as usize),
            black_men: Group::new(Color::Black, Kind::Man, other_men),
            white_kings: Group::new(Color::White, Kind::King, class.white.kings as usize),
            black_kings: Group::new(Color::Black, Kind::King, other_kings),
            domain: match free {
                Kind::King => all,
                Kind::Man => all & !promotion_row::<R>(Color::Black),
            },
        }
    }

    /// Placements of White's men: blocks.
    pub fn blocks(&self) -> usize {
        self.white_men.size() as usize
    }

    /// Frames of a row.
    #[inline(always)]
    pub fn row_len(&self) -> usize {
        self.black_kings.size() as usize
    }

    /// Rows of a skeleton.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.white_kings.size() as usize
    }

    /// Frames of a skeleton.
    #[inline(always)]
    pub fn skeleton_len(&self) -> usize {
        self.rows() * self.row_len()
    }

    /// Frames of a block.
    #[inline(always)]
    pub fn block_len(&self) -> usize {
        self.black_men.size() as usize * self.skeleton_len()
    }

    /// All frames.
    pub fn frames(&self) -> u64 {
        self.blocks() as u64 * self.block_len() as u64
    }

    /// The place in its block of a frame.
    #[inline(always)]
    pub fn offset(&self, frame: &Frame<WordOf<R>>) -> usize {
        let skeleton = self.black_men.rank(frame.black_men) as usize;
        self.row_start(skeleton, frame.white_kings)
            + self.black_kings.rank(frame.black_kings) as usize
    }

    /// The place in its block of the first frame of a row.
    #[inline(always)]
    pub fn row_start(&self, skeleton: usize, white_kings: WordOf<R>) -> usize {
        (skeleton * self.rows() + self.white_kings.rank(white_kings) as usize) * self.row_len()
    }
}

/// A placement of all pieces but the free one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame<W> {
    /// White's men.
    pub white_men: W,
    /// White's kings.
    pub white_kings: W,
    /// Black's men other than the free piece.
    pub black_men: W,
    /// Black's kings other than the free piece.
    pub black_kings: W,
}

impl<W: Word> Frame<W> {
    /// White's pieces.
    #[inline(always)]
    pub fn white(&self) -> W {
        self.white_men | self.white_kings
    }

    /// Black's pieces other than the free one.
    #[inline(always)]
    pub fn black(&self) -> W {
        self.black_men | self.black_kings
    }

    /// All pieces but the free one.
    #[inline(always)]
    pub fn occupied(&self) -> W {
        self.white() | self.black()
    }

    /// The frame without some of White's pieces.
    #[inline(always)]
    pub fn without_white(&self, taken: W) -> Frame<W> {
        Frame {
            white_men: self.white_men & !taken,
            white_kings: self.white_kings & !taken,
            ..*self
        }
    }

    /// The frame without some of Black's pieces.
    #[inline(always)]
    pub fn without_black(&self, taken: W) -> Frame<W> {
        Frame {
            black_men: self.black_men & !taken,
            black_kings: self.black_kings & !taken,
            ..*self
        }
    }

    /// Colours swapped and the board turned.
    #[inline(always)]
    pub fn turned(&self, width: u32) -> Frame<W> {
        Frame {
            white_men: self.black_men.reversed(width),
            white_kings: self.black_kings.reversed(width),
            black_men: self.white_men.reversed(width),
            black_kings: self.white_kings.reversed(width),
        }
    }
}

/// Ranks of the sets "these squares and one more", for many choices of the one: the sums over the fixed squares are
/// taken once.
#[derive(Clone, Copy)]
pub struct Insertion<'a, B: Board> {
    group: &'a Group<B>,
    rest: B::Word,
    /// Rank of the fixed squares if the new one has `i` of them below it.
    sums: [u64; 11],
}

impl<'a, B: Board> Insertion<'a, B> {
    /// Into a group of kings, whose places grow with the bits.
    #[inline(always)]
    pub fn new(group: &'a Group<B>, rest: B::Word) -> Self {
        debug_assert!(!group.is_descending());
        let mut sums = [0; 11];
        let mut sum = 0;
        for (lower, bit) in rest.bits().enumerate() {
            sum += group.weight(bit, lower + 1);
        }
        sums[0] = sum;
        for (lower, bit) in rest.bits().enumerate() {
            sum = sum + group.weight(bit, lower) - group.weight(bit, lower + 1);
            sums[lower + 1] = sum;
        }
        Insertion { group, rest, sums }
    }

    /// The rank with `bit` added.
    #[inline(always)]
    pub fn rank(&self, bit: u32) -> usize {
        let lower = (self.rest & B::Word::below(bit)).count() as usize;
        (self.sums[lower] + self.group.weight(bit, lower)) as usize
    }
}
