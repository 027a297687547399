//! The index as the codec sees it: digits and neighbours, without the type of the board.

use damier_core::{Board, Rules, Variant, with_rules};

use crate::class::Class;
use crate::index::{GroupOrder, Index};

/// The numbering of a class.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    len: u64,
}

impl Layout {
    pub fn new(variant: Variant, class: Class, order: GroupOrder) -> Layout {
        with_rules!(variant, R => Layout::of(&Index::<R>::new(class, order)))
    }

    pub fn of<R: Rules>(index: &Index<R>) -> Layout {
        let _ = R::Board::SQUARES;
        Layout { len: index.len() }
    }

    /// How many numbers there are.
    pub fn len(&self) -> u64 {
        self.len
    }
}
