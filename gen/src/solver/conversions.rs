//! Men's moves and promotions: their words are finished in other skeletons or classes, so one look at each suffices.

use damier_core::{Board, Color, Goal, Rules, Word, WordOf, promotion_row};
use damier_tables::Kind;

use super::{Open, Scratch, Skeleton, Task, forward};
use crate::cell::Cell;
use crate::layout::Frame;
use crate::solved::Child;

impl<R: Rules, C: Cell<R>> Task<'_, R, C> {
    /// Takes the minimum over the men's moves; `done` are the cells with White to move of the finished skeletons of this block.
    pub(crate) fn conversion_phase(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        done: &[C],
        scratch: &mut Scratch<R, C>,
    ) {
        let geometry = R::Board::geometry();
        let layout = self.layout();
        let frames = layout.skeleton_len();
        let open = &mut scratch.open;
        for man in skeleton.white_men.singles() {
            for direction in forward::<R>().iter() {
                let to = geometry.step(man, direction);
                if to.is_empty() || to.meets(skeleton.men()) {
                    continue;
                }
                let others = skeleton.white_men ^ man;
                if to.meets(promotion_row::<R>(Color::White)) {
                    self.white_promotes(skeleton, others, to, open);
                    continue;
                }
                let block = self.solved.block(layout.white_men.rank(others | to) as usize);
                let source = &block.cells[Color::Black.index()][skeleton.rank * frames..][..frames];
                for (open, child) in open.iter_mut().zip(source) {
                    open.least[0].absorb(&child.after(self.man_move), open.quiet[0]);
                }
            }
        }
        let black_moves = forward::<R>().opposite();
        for man in skeleton.black_men.singles() {
            for direction in black_moves.iter() {
                let to = geometry.step(man, direction);
                if to.is_empty() || to.meets(skeleton.men()) {
                    continue;
                }
                let others = skeleton.black_men ^ man;
                if to.meets(promotion_row::<R>(Color::Black)) {
                    self.black_promotes(skeleton, others, to, open);
                    continue;
                }
                let rank = layout.black_men.rank(others | to) as usize;
                for (open, child) in open.iter_mut().zip(&done[rank * frames..][..frames]) {
                    open.least[1].absorb(&child.after(self.man_move), open.quiet[1]);
                }
            }
        }
        if layout.free == Kind::Man {
            self.free_promotes(skeleton, open);
        }
    }

    /// The free man is crowned: the same frame of the class with a free king.
    fn free_promotes(&self, skeleton: Skeleton<WordOf<R>>, open: &mut [Open<WordOf<R>, C>]) {
        let geometry = R::Board::geometry();
        let layout = self.layout();
        let crown = promotion_row::<R>(Color::Black);
        let moves = forward::<R>().opposite();
        let class = layout.class;
        let child = self.children.find(
            class.white.men as u32,
            class.white.kings as u32,
            class.black.men as u32 - 1,
            1,
        );
        debug_assert_eq!(layout.row_len(), 1);
        for (open, &white_kings) in open.iter_mut().zip(&self.white_kings) {
            let quiet = open.quiet[1];
            if quiet.is_empty() {
                continue;
            }
            let frame = skeleton.frame(white_kings, WordOf::<R>::EMPTY);
            if let Some(child) = child {
                let crowned = child.solved.cell(Color::White, &frame).after(child.promoted);
                let crowned = crowned.restricted(crown);
                open.least[1].absorb(&crowned.moved(layout.domain, moves, false), quiet);
                continue;
            }
            for direction in moves.iter() {
                let goals = geometry.step(quiet, direction) & crown & !frame.occupied();
                if matches!(R::GOAL, Goal::FirstKing) {
                    open.least[1].absorb_lost(geometry.step(goals, direction.opposite()));
                    continue;
                }
                // Known in the other orientation only.
                for to in goals.singles() {
                    let all = Frame { black_kings: to, ..frame };
                    let (cell, of) = self.children.promoted(Color::White, &all);
                    let from = geometry.step(to, direction.opposite());
                    open.least[1].absorb_least(&cell, of, from);
                }
            }
        }
    }

    /// A white man is crowned on `to`; `others` are White's other men.
    fn white_promotes(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        others: WordOf<R>,
        to: WordOf<R>,
        open: &mut [Open<WordOf<R>, C>],
    ) {
        if matches!(R::GOAL, Goal::FirstKing) {
            open[0].least[0].absorb_lost(open[0].quiet[0] & !to);
            return;
        }
        let layout = self.layout();
        let row_len = layout.row_len();
        let class = layout.class;
        let child = self.children.find(
            class.white.men as u32 - 1,
            class.white.kings as u32 + 1,
            class.black.men as u32,
            class.black.kings as u32,
        );
        for (row, &white_kings) in self.white_kings.iter().enumerate() {
            if white_kings.meets(to | skeleton.men()) {
                continue;
            }
            let open = &mut open[row * row_len..][..row_len];
            let Some(child) = child else {
                // Known in the other orientation only.
                for (open, &black_kings) in open.iter_mut().zip(&self.black_kings) {
                    if black_kings.meets(to) {
                        continue;
                    }
                    let mut after = skeleton.frame(white_kings | to, black_kings);
                    after.white_men = others;
                    self.absorb_one_by_one(Color::White, &after, to, open);
                }
                continue;
            };
            let Child { solved: child, promoted, .. } = child;
            let block = child.block(child.layout.white_men.rank(others) as usize);
            let start = child.layout.row_start(skeleton.rank, white_kings | to);
            let source = &block.cells[Color::Black.index()][start..][..row_len];
            for (open, child) in open.iter_mut().zip(source) {
                open.least[0].absorb(&child.after(promoted), open.quiet[0]);
            }
        }
    }

    /// One of Black's men in the frame is crowned on `to`; `others` are the others.
    fn black_promotes(
        &self,
        skeleton: Skeleton<WordOf<R>>,
        others: WordOf<R>,
        to: WordOf<R>,
        open: &mut [Open<WordOf<R>, C>],
    ) {
        if matches!(R::GOAL, Goal::FirstKing) {
            open[0].least[1].absorb_lost(open[0].quiet[1] & !to);
            return;
        }
        let layout = self.layout();
        let row_len = layout.row_len();
        let class = layout.class;
        let child = self.children.find(
            class.white.men as u32,
            class.white.kings as u32,
            class.black.men as u32 - 1,
            class.black.kings as u32 + 1,
        );
        for (row, &white_kings) in self.white_kings.iter().enumerate() {
            if white_kings.meets(to | skeleton.men()) {
                continue;
            }
            let open = &mut open[row * row_len..][..row_len];
            match (child, layout.free) {
                (Some(Child { solved: child, promoted, .. }), Kind::King) => {
                    let block = child.block(layout.white_men.rank(skeleton.white_men) as usize);
                    let skeleton = child.layout.black_men.rank(others) as usize;
                    let start = child.layout.row_start(skeleton, white_kings);
                    for (open, &black_kings) in open.iter_mut().zip(&self.black_kings) {
                        if black_kings.meets(to) {
                            continue;
                        }
                        let rank = child.layout.black_kings.rank(black_kings | to) as usize;
                        let child = &block.cells[Color::White.index()][start + rank];
                        open.least[1].absorb(&child.after(promoted), open.quiet[1]);
                    }
                }
                (Some(Child { solved: child, promoted, .. }), Kind::Man) => {
                    // The man just crowned becomes the free piece.
                    let mut after = skeleton.frame(white_kings, WordOf::<R>::EMPTY);
                    for square in open[0].quiet[1].singles() {
                        after.black_men = others | square;
                        let cell = child.cell(Color::White, &after).after(promoted);
                        open[0].least[1].absorb_least(&cell, to, square);
                    }
                }
                (None, _) => {
                    for (open, &black_kings) in open.iter_mut().zip(&self.black_kings) {
                        if black_kings.meets(to) {
                            continue;
                        }
                        let mut after = skeleton.frame(white_kings, black_kings | to);
                        after.black_men = others;
                        self.absorb_one_by_one(Color::Black, &after, to, open);
                    }
                }
            }
        }
    }

    /// Absorbs children that are known in the other orientation only, position by position: `after` is the frame after the
    /// promotion on `to`.
    fn absorb_one_by_one(
        &self,
        mover: Color,
        after: &Frame<WordOf<R>>,
        to: WordOf<R>,
        open: &mut Open<WordOf<R>, C>,
    ) {
        for square in (open.quiet[mover.index()] & !to).singles() {
            let mut all = *after;
            match self.layout().free {
                Kind::Man => all.black_men |= square,
                Kind::King => all.black_kings |= square,
            }
            let (cell, of) = self.children.promoted(!mover, &all);
            open.least[mover.index()].absorb_least(&cell, of, square);
        }
    }
}
