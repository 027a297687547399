//! Taking a class back from its file, and checking every value of it.
//!
//! A file does not say what positions with a capture due are worth: these words are derived again from the children, and the file's
//! values fill the quiet squares. With the whole class at hand, each quiet position can be held against its successors.

use damier_core::{Board, Color, Position, Rules, Word, WordOf};
use damier_tables::{BLOCK, GROUPS, Group, Index, Kind, Storage, Table, TableError};

use crate::counting::Counting;
use crate::layout::Frame;
use crate::parallel;
use crate::solved::{Block, Known, Solved};
use crate::solver::{Difference, Scratch, Skeleton, Task};
use crate::stored::Stored;

/// A position whose value in a file is not what its successors make of it.
#[derive(Clone, Debug)]
pub struct Mismatch<R: Rules> {
    /// The position, as the file's class has it.
    pub position: Position<R>,
    /// The block of the file that holds it.
    pub block: u64,
    /// What the file says.
    pub found: String,
    /// What the successors say.
    pub expected: String,
}

/// Where the positions of an ordered class are found in a file of its pair.
struct Places<R: Rules> {
    /// What each rank contributes to the file's number: by [`GROUPS`] of the ordered class, the free piece's group whole.
    contributions: [Vec<usize>; 4],
    /// The whole group of the free piece.
    free: Group<R::Board>,
}

impl<R: Rules> Places<R> {
    fn new(layout: &crate::layout::Layout<R>, index: &Index<R>) -> Self {
        let flipped = layout.class != index.class();
        let whole = |number: usize| {
            let (color, kind) = GROUPS[number];
            let count =
                layout.groups()[number].0.count() + usize::from(number == layout.free_group());
            Group::<R::Board>::new(color, kind, count)
        };
        let contributions = std::array::from_fn(|number| {
            let group = whole(number);
            let (color, kind) = GROUPS[number];
            let color = if flipped { !color } else { color };
            let place = (0..4)
                .find(|&place| GROUPS[index.order().to_bytes()[place] as usize] == (color, kind))
                .expect("an index has all four groups");
            let (target, stride) = (&index.groups()[place], index.strides()[place]);
            let turned = |set: WordOf<R>| {
                if flipped { set.reversed(R::Board::BITS) } else { set }
            };
            group.sets().iter().map(|&set| (target.rank(turned(set)) * stride) as usize).collect()
        });
        Places { contributions, free: whole(layout.free_group()) }
    }
}

/// What is read from a file for one ordered class.
struct File<'a, R: Rules, C: Stored<R>> {
    codes: &'a C::Codes,
    places: Places<R>,
    /// The file holds the class with the colours swapped.
    flipped: bool,
    symmetric: bool,
}

impl<R: Rules, C: Stored<R>> File<'_, R, C> {
    /// The words of a frame's quiet squares.
    fn cell(
        &self,
        task: &Task<'_, R, C>,
        frame: &Frame<WordOf<R>>,
        turn: Color,
        quiet: WordOf<R>,
    ) -> C {
        let layout = &task.solved.layout;
        let mut cell = C::none();
        if quiet.is_empty() {
            return cell;
        }
        if self.symmetric && turn == Color::Black {
            // Stored as White's: turned round.
            for square in quiet.singles() {
                let position = whole_position::<R>(layout.free, frame, square, turn).flipped();
                let all = Frame {
                    white_men: position.men(Color::White),
                    white_kings: position.kings(Color::White),
                    black_men: position.men(Color::Black),
                    black_kings: position.kings(Color::Black),
                };
                cell.put(square, self.codes, Color::White, self.index(task, &all));
            }
            return cell;
        }
        let stored = if self.flipped { !turn } else { turn };
        let others = match layout.free {
            Kind::Man => frame.black_men,
            Kind::King => frame.black_kings,
        };
        let contributions = &self.places.contributions;
        let fixed = contributions[0][layout.white_men.rank(frame.white_men) as usize]
            + contributions[1][layout.white_kings.rank(frame.white_kings) as usize]
            + match layout.free {
                Kind::Man => contributions[3][layout.black_kings.rank(frame.black_kings) as usize],
                Kind::King => contributions[2][layout.black_men.rank(frame.black_men) as usize],
            };
        let free = &contributions[layout.free_group()];
        for square in quiet.singles() {
            let index = fixed + free[self.places.free.rank(others | square) as usize];
            cell.put(square, self.codes, stored, index);
        }
        cell
    }

    /// The file's number of a position of the ordered class, given by all its pieces.
    fn index(&self, task: &Task<'_, R, C>, all: &Frame<WordOf<R>>) -> usize {
        let layout = &task.solved.layout;
        let (men, kings) = match layout.free {
            Kind::Man => {
                (self.places.free.rank(all.black_men), layout.black_kings.rank(all.black_kings))
            }
            Kind::King => {
                (layout.black_men.rank(all.black_men), self.places.free.rank(all.black_kings))
            }
        };
        let contributions = &self.places.contributions;
        contributions[0][layout.white_men.rank(all.white_men) as usize]
            + contributions[1][layout.white_kings.rank(all.white_kings) as usize]
            + contributions[2][men as usize]
            + contributions[3][kings as usize]
    }
}

/// The position of a frame with the free piece on `square`.
fn whole_position<R: Rules>(
    free: Kind,
    frame: &Frame<WordOf<R>>,
    square: WordOf<R>,
    turn: Color,
) -> Position<R> {
    let (mut black_men, mut black_kings) = (frame.black_men, frame.black_kings);
    match free {
        Kind::Man => black_men |= square,
        Kind::King => black_kings |= square,
    }
    Position::new_unchecked([frame.white_men, black_men], [frame.white_kings, black_kings], turn)
}

/// Reads a class from its table, in the orientations asked for; the first is checked against its successors, which must be known, where
/// `check` is set.
///
/// # Errors
/// What the table reports. A mismatch is not an error: it is returned beside the classes, the first in the order of frames.
#[allow(clippy::type_complexity)]
pub fn load<R: Rules, C: Stored<R>, S: Storage>(
    table: &Table<S>,
    orientations: &[damier_tables::Class],
    check: bool,
    known: &Known<R, C>,
    counting: &dyn Counting,
) -> Result<(Vec<Solved<R, C>>, Option<Mismatch<R>>), TableError> {
    let codes = C::read(table)?;
    let index = Index::<R>::new(table.class(), table.order());
    let mut classes = Vec::new();
    let mut mismatch = None;
    for (number, &class) in orientations.iter().enumerate() {
        let solved = Solved::new(class);
        let task = Task::new(&solved, known, counting);
        let file = File::<R, C> {
            codes: &codes,
            places: Places::new(&solved.layout, &index),
            flipped: class != table.class(),
            symmetric: class.is_symmetric(),
        };
        parallel::for_each(solved.layout.blocks(), &|rank| {
            solved.finish(rank, load_block(&task, &file, rank, &mut Scratch::new()));
        });
        if check && number == 0 {
            mismatch = solved.first_difference(known, counting).map(|wrong| {
                let Difference { frame, turn, square, .. } = wrong;
                let position = whole_position(solved.layout.free, &frame, square, turn);
                let position = if file.flipped { position.flipped() } else { position };
                let stored = if class.is_symmetric() && position.turn() == Color::Black {
                    position.flipped()
                } else {
                    position
                };
                Mismatch {
                    position,
                    block: index.index(&stored) / BLOCK as u64,
                    found: wrong.found.describe(square),
                    expected: wrong.expected.describe(square),
                }
            });
        }
        classes.push(solved);
    }
    Ok((classes, mismatch))
}

fn load_block<R: Rules, C: Stored<R>>(
    task: &Task<'_, R, C>,
    file: &File<'_, R, C>,
    rank: usize,
    scratch: &mut Scratch<R, C>,
) -> Block<WordOf<R>, C> {
    let layout = &task.solved.layout;
    let white_men = layout.white_men.unrank(rank as u64);
    let frames = layout.skeleton_len();
    let row_len = layout.row_len();
    let mut block = task.empty_block();
    for (rank, &black_men) in task.black_men.iter().enumerate() {
        let skeleton = Skeleton { white_men, black_men, rank };
        if white_men.meets(black_men) {
            continue;
        }
        let range = rank * frames..(rank + 1) * frames;
        let [white_due, black_due] = &mut block.due;
        let due = [&mut white_due[range.clone()], &mut black_due[range.clone()]];
        let [white, black] = &mut block.cells;
        let (white, black) = (&mut white[range.clone()], &mut black[range]);
        task.capture_phase(skeleton, [&mut *white, &mut *black], due, scratch);
        for (row, &white_kings) in task.white_kings.iter().enumerate() {
            for (j, &black_kings) in task.black_kings.iter().enumerate() {
                let place = row * row_len + j;
                let frame = skeleton.frame(white_kings, black_kings);
                for (turn, cells) in Color::BOTH.into_iter().zip([&mut *white, &mut *black]) {
                    let quiet = scratch.open[place].quiet[turn.index()];
                    let read = file.cell(task, &frame, turn, quiet);
                    cells[place] = cells[place].joined(&read);
                }
            }
        }
    }
    block
}
