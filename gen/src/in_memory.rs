//! Tables without any file: straight from the solver's memory.

use std::sync::Arc;

use damier_core::{Color, Position, Rules, Value, WordOf};
use damier_probe::{ProbeError, Source, Tablebase};
use damier_tables::{Class, MAX_PIECES, Side};

use crate::cell::Wdl;
use crate::counting::ToTheEnd;
use crate::layout::Frame;
use crate::schedule::schedule;
use crate::solved::{Known, Solved};
use crate::solver::solve_classes;

/// Solves every class of up to so many pieces and answers from the result, captures included. Works on all
/// threads of the current [`rayon`] pool.
///
/// ```
/// use damier_core::{Position, Value, rules::English};
///
/// let tables = damier_gen::solve::<English>(3);
/// let position: Position<English> = "B:WK32:BK1,K2".parse()?;
/// assert_eq!(tables.probe(&position)?, Value::Win);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If more than [`MAX_PIECES`] are asked for.
pub fn solve<R: Rules>(pieces: u32) -> Tablebase<R> {
    assert!(pieces <= MAX_PIECES, "tables have at most {MAX_PIECES} pieces, not {pieces}");
    let wanted = Class::all_up_to(pieces);
    let mut known = Known::<R, Wdl<WordOf<R>>>::new();
    let levels = schedule::<R>(&wanted);
    for level in &levels {
        let solved = solve_classes(level, &known, &ToTheEnd);
        for mut solved in solved {
            solved.drop_due();
            known.insert(Arc::new(solved));
        }
    }
    let mut memory = Memory { classes: Vec::new(), size: pieces as usize + 1 };
    memory.classes.resize_with(memory.size.pow(4), || None);
    for class in levels.concat() {
        if class.is_canonical() {
            let place = memory.place(class.white, class.black).expect("a class of these pieces");
            memory.classes[place] = known.remove(class);
        }
    }
    Tablebase::with_source(memory)
}

/// A class that may be there.
type Slot<R> = Option<Arc<Solved<R, Wdl<WordOf<R>>>>>;

/// The canonical classes by their numbers of pieces.
struct Memory<R: Rules> {
    classes: Vec<Slot<R>>,
    /// One more than the pieces of the largest class.
    size: usize,
}

impl<R: Rules> Memory<R> {
    #[inline(always)]
    fn place(&self, white: Side, black: Side) -> Option<usize> {
        let numbers = [white.men, white.kings, black.men, black.kings].map(usize::from);
        let fits = numbers.iter().sum::<usize>() < self.size;
        fits.then(|| numbers.iter().fold(0, |place, number| place * self.size + number))
    }
}

impl<R: Rules> Source<R> for Memory<R> {
    #[inline]
    fn value(&self, position: &Position<R>) -> Result<Value, ProbeError> {
        self.value_in_memory(position).ok_or_else(|| ProbeError::NoTable {
            variant: R::VARIANT,
            class: Class::of(position).canonical(),
        })
    }

    #[inline]
    fn value_in_memory(&self, position: &Position<R>) -> Option<Value> {
        let class = Class::of(position);
        let flipped;
        let (class, position) = if class.is_canonical() {
            (class, position)
        } else {
            flipped = position.flipped();
            (class.flipped(), &flipped)
        };
        let solved = self.classes[self.place(class.white, class.black)?].as_ref()?;
        let all = Frame {
            white_men: position.men(Color::White),
            white_kings: position.kings(Color::White),
            black_men: position.men(Color::Black),
            black_kings: position.kings(Color::Black),
        };
        let (cell, square) = solved.position(position.turn(), &all);
        Some(cell.value(square))
    }

    fn answers_captures(&self) -> bool {
        true
    }
}
