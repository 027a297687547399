//! Sweeps over the kings' moves of one skeleton, in place, until nothing changes.
//!
//! Only rows below which something has changed are visited. A changed word with White to move makes the words of its row with Black to move worth
//! another look; a changed word with Black to move those of the rows that one of White's kings can reach, since kings' moves can be
//! taken back.

use damier_core::{Board, Color, Rules, Word, WordOf, directions_for};
use damier_tables::Kind;

use super::{Open, Scratch, Skeleton, Target, Task, sideways};
use crate::cell::Cell;
use crate::layout::Insertion;

impl<R: Rules, C: Cell<R>> Task<'_, R, C> {
    /// Sweeps over the kings' moves, in place, until nothing changes.
    pub(super) fn sweep_phase(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        white: &mut [C],
        black: &mut [C],
        scratch: &mut Scratch<R, C>,
    ) {
        let row_len = self.layout().row_len();
        let Scratch { open, dirty, targets, row: least, .. } = scratch;
        for dirty in dirty.iter_mut() {
            dirty.clear();
            dirty.resize(self.white_kings.len(), true);
        }
        let [dirty_white, dirty_black] = dirty;
        while dirty_white.contains(&true) {
            for (row, &white_kings) in self.white_kings.iter().enumerate() {
                let (look_white, look_black) = (dirty_white[row], dirty_black[row]);
                dirty_white[row] = false;
                if white_kings.meets(skeleton.men()) || !(look_white || look_black) {
                    continue;
                }
                let range = row * row_len..(row + 1) * row_len;
                let open = &open[range.clone()];
                let mut look_black = look_black;
                targets.clear();
                let mut have_targets = false;
                if look_white && !settled::<R, C>(open, &white[range.clone()], Color::White) {
                    self.find_targets(skeleton, white_kings, targets);
                    have_targets = true;
                    self.white_children(open, black, targets, least);
                    if self.update(open, &mut white[range.clone()], least, Color::White) {
                        look_black = true;
                    }
                }
                if look_black {
                    dirty_black[row] = false;
                    let white = &white[range.clone()];
                    let black = &mut black[range];
                    if self.black_row(skeleton, white_kings, open, white, black) {
                        if !have_targets {
                            self.find_targets(skeleton, white_kings, targets);
                        }
                        // A king's moves can be taken back: the rows to look at are those it leads to.
                        for target in targets.iter() {
                            dirty_white[target.row] = true;
                        }
                    }
                }
            }
        }
    }

    /// The minimum over all moves from each frame of a skeleton but those that [conversions](Task::conversion_phase) have
    /// looked at; `other` gives the cells of the other side to move of a block and skeleton.
    pub(crate) fn children_of<'c>(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        turn: Color,
        open: &[Open<WordOf<R>, C>],
        other: &impl Fn(usize, usize) -> &'c [C],
        scratch: &mut Scratch<R, C>,
        least: &mut Vec<C>,
    ) where
        C: 'c,
    {
        let row_len = self.layout().row_len();
        let Scratch { targets, row: of_row, .. } = scratch;
        let cells = other(self.layout().white_men.rank(skeleton.white_men) as usize, skeleton.rank);
        least.clear();
        for (row, &white_kings) in self.white_kings.iter().enumerate() {
            let range = row * row_len..(row + 1) * row_len;
            let open = &open[range.clone()];
            if white_kings.meets(skeleton.men()) {
                least.extend(open.iter().map(|_| C::none()));
                continue;
            }
            match turn {
                Color::White => {
                    self.find_targets(skeleton, white_kings, targets);
                    self.white_children(open, cells, targets, of_row);
                }
                Color::Black => {
                    of_row.clear();
                    of_row.extend(self.black_kings.iter().enumerate().map(|(j, &kings)| {
                        let white = &cells[range.clone()];
                        self.black_children(skeleton, white_kings, kings, j, open, white)
                    }));
                }
            }
            if !sideways::<R>().is_empty() {
                self.absorb_sideways(skeleton, turn, row, other, of_row);
            }
            least.extend_from_slice(of_row);
        }
    }

    /// The rows that White's kings' moves lead to.
    pub(crate) fn find_targets(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        white_kings: WordOf<R>,
        targets: &mut Vec<Target<WordOf<R>>>,
    ) {
        targets.clear();
        let occupied = skeleton.men() | white_kings;
        for king in white_kings.singles() {
            let insertion = Insertion::new(&self.layout().white_kings, white_kings ^ king);
            king_moves::<R>(king.first(), occupied, |to, path| {
                targets.push(Target { row: insertion.rank(to), path });
            });
        }
    }

    /// The minimum over White's king moves, for a row.
    fn white_children(
        &self,
        open: &[Open<WordOf<R>, C>],
        black: &[C],
        targets: &[Target<WordOf<R>>],
        least: &mut Vec<C>,
    ) {
        let row_len = self.layout().row_len();
        least.clear();
        least.extend(open.iter().map(|open| open.least[0]));
        for &Target { row, path } in targets {
            let children = &black[row * row_len..][..row_len];
            for ((least, child), &kings) in least.iter_mut().zip(children).zip(&self.black_kings) {
                // Another black king on the path stops the move for the whole frame.
                let at = if kings.meets(path) { WordOf::<R>::EMPTY } else { !path };
                least.absorb(child, at);
            }
        }
    }

    /// Gives the words of a row the values that go with these least children; tells whether any changed.
    fn update(
        &self,
        open: &[Open<WordOf<R>, C>],
        cells: &mut [C],
        least: &[C],
        turn: Color,
    ) -> bool {
        let mut changed = false;
        for ((open, cell), least) in open.iter().zip(cells).zip(least) {
            let updated = self.renewed(cell, least, open.quiet[turn.index()]);
            changed |= updated != *cell;
            *cell = updated;
        }
        changed
    }

    /// Brings the words with Black to move of one row up to date; tells whether any changed.
    fn black_row(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        white_kings: WordOf<R>,
        open: &[Open<WordOf<R>, C>],
        white: &[C],
        black: &mut [C],
    ) -> bool {
        let mut changed = false;
        for (j, &black_kings) in self.black_kings.iter().enumerate() {
            let quiet = open[j].quiet[1];
            if black[j].is_settled(quiet) {
                continue;
            }
            let least = self.black_children(skeleton, white_kings, black_kings, j, open, white);
            let updated = self.renewed(&black[j], &least, quiet);
            if updated != black[j] {
                black[j] = updated;
                changed = true;
            }
        }
        changed
    }

    /// The minimum over Black's moves from one frame; `white` is the frame's row with White to move.
    pub(crate) fn black_children(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        white_kings: WordOf<R>,
        black_kings: WordOf<R>,
        j: usize,
        open: &[Open<WordOf<R>, C>],
        white: &[C],
    ) -> C {
        let occupied = skeleton.men() | white_kings | black_kings;
        let quiet = open[j].quiet[1];
        let mut least = open[j].least[1];
        let empty = self.layout().domain & !occupied;
        let moved = match self.layout().free {
            Kind::King => white[j].moved(empty, R::KING_MOVES, R::FLYING_KINGS),
            Kind::Man => {
                let directions = directions_for(R::MAN_MOVES, Color::Black);
                white[j].after(self.man_move).moved(empty, directions, false)
            }
        };
        least.absorb(&moved, quiet);
        for king in black_kings.singles() {
            let insertion = Insertion::new(&self.layout().black_kings, black_kings ^ king);
            king_moves::<R>(king.first(), occupied, |to, path| {
                least.absorb(&white[insertion.rank(to)], !path);
            });
        }
        least
    }
}

/// The moves of one king: destination, and the squares crossed with the destination.
#[inline(always)]
fn king_moves<R: Rules>(from: u32, occupied: WordOf<R>, mut each: impl FnMut(u32, WordOf<R>)) {
    let geometry = R::Board::geometry();
    for direction in R::KING_MOVES.iter() {
        let mut run = if R::FLYING_KINGS {
            geometry.slide(from, direction, occupied)
        } else {
            geometry.step(WordOf::<R>::bit(from), direction) & !occupied
        };
        let mut path = WordOf::<R>::EMPTY;
        while !run.is_empty() {
            let to = damier_core::nearest(run, direction);
            let square = WordOf::<R>::bit(to);
            run ^= square;
            path |= square;
            each(to, path);
        }
    }
}

#[inline(always)]
fn settled<R: Rules, C: Cell<R>>(open: &[Open<WordOf<R>, C>], cells: &[C], turn: Color) -> bool {
    open.iter().zip(cells).all(|(open, cell)| cell.is_settled(open.quiet[turn.index()]))
}
