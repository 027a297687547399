//! The kinds of cells that have table files: what is written of them, and how they are read back.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use damier_core::{Color, DrawRuleSet, Rules, Value, Variant, Word, WordOf};
use damier_tables::{
    BLOCK, Class, DONT_CARE_SCORE, MAX_PIECES, Metric, Scores, Storage, Table, TableError,
    WriteError, WriteOptions, Written, file_name_under, write_distances, write_table,
};
use rayon::prelude::*;

use crate::cell::{Cell, Wdl};
use crate::counting::{Counting, ToConversion, ToTheEnd, UnderRules};
use crate::distance::{Distance, Distances, Scale};
use crate::parallel;
use crate::solved::Solved;
use crate::values::SolvedValues;

/// What a set of tables tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Content {
    /// The metric.
    pub metric: Metric,
    /// The draw rules of [`Metric::Dtr`]; none for the others.
    pub rules: DrawRuleSet,
}

impl Content {
    /// Win, draw or loss.
    pub const WDL: Content = Content::of(Metric::Wdl);

    /// A metric that draw rules have no part in.
    pub const fn of(metric: Metric) -> Content {
        Content { metric, rules: DrawRuleSet::None }
    }

    /// What its distances count.
    pub fn counting(self) -> Box<dyn Counting> {
        match self.metric {
            Metric::Dtc => Box::new(ToConversion),
            Metric::Dtr => Box::new(UnderRules(self.rules)),
            _ => Box::new(ToTheEnd),
        }
    }

    /// The file of a class in a folder of tables.
    pub fn path<R: Rules>(self, tables: &Path, class: Class) -> PathBuf {
        tables.join(self.file_name(R::VARIANT, class))
    }

    fn file_name(self, variant: Variant, class: Class) -> String {
        file_name_under(variant, class, self.metric, self.rules)
    }

    /// Whether this is what a table of this class says it is.
    pub fn is_that_of<R: Rules, S: Storage>(self, table: &Table<S>, class: Class) -> bool {
        (table.variant(), table.class()) == (R::VARIANT, class)
            && (table.metric(), table.rules()) == (self.metric, self.rules)
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.metric {
            Metric::Dtr => write!(f, "{} under {}", self.metric.name(), self.rules),
            metric => f.write_str(metric.name()),
        }
    }
}

/// The tables of a variant in a folder, by what they tell, as the names of their files have it; classes in order.
///
/// # Errors
/// If the folder cannot be read. One that is not there has no tables.
pub fn found(tables: &Path, variant: Variant) -> io::Result<Vec<(Content, Vec<Class>)>> {
    let folder = match fs::read_dir(tables.join(variant.name())) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        folder => folder?,
    };
    let mut names = HashSet::new();
    for entry in folder {
        names.insert(entry?.file_name());
    }
    let under_rules = DrawRuleSet::ALL.iter().map(|&rules| Content { metric: Metric::Dtr, rules });
    let plain = [Metric::Wdl, Metric::Dtw, Metric::Dtc].map(Content::of);
    let mut found = Vec::new();
    for content in plain.into_iter().chain(under_rules) {
        let is_there = |class: &Class| {
            let path = content.file_name(variant, *class);
            Path::new(&path).file_name().is_some_and(|name| names.contains(name))
        };
        let mut classes = Class::all_up_to(MAX_PIECES);
        classes.retain(is_there);
        if !classes.is_empty() {
            found.push((content, classes));
        }
    }
    Ok(found)
}

/// A cell that has table files.
pub trait Stored<R: Rules>: Cell<R> {
    /// What a file says of each number of its index.
    type Codes: Sync;

    /// Reads a whole file.
    ///
    /// # Errors
    /// What the table reports.
    fn read<S: Storage>(table: &Table<S>) -> Result<Self::Codes, TableError>;

    /// Takes the value of the position on `square` from a number of the file.
    fn put(&mut self, square: WordOf<R>, codes: &Self::Codes, turn: Color, number: usize);

    /// The value on a square in words.
    fn describe(&self, square: WordOf<R>) -> String;

    /// Writes the file of a solved class.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(
        path: &Path,
        solved: &Solved<R, Self>,
        content: Content,
        options: &WriteOptions,
    ) -> Result<Written, WriteError>;

    /// Whether a distance of the class comes near to what the cells can tell: they may have gone wrong.
    fn is_out_of_range(solved: &Solved<R, Self>) -> bool;
}

/// The values of a file, unpacked: two bits a number.
pub struct Codes {
    /// By side to move.
    turns: [Vec<u8>; 2],
}

const PACKED: usize = BLOCK / 4;

impl<R: Rules> Stored<R> for Wdl<WordOf<R>> {
    type Codes = Codes;

    fn read<S: Storage>(table: &Table<S>) -> Result<Codes, TableError> {
        let mut turns = [Vec::new(), Vec::new()];
        for &turn in table.stored_turns() {
            let codes = &mut turns[turn.index()];
            codes.resize(table.blocks() as usize * PACKED, 0u8);
            codes.par_chunks_mut(PACKED).enumerate().try_for_each(|(block, packed)| {
                let mut codes = [0u8; BLOCK];
                let len = table.decode(turn, block as u64, &mut codes)?;
                for (place, code) in codes[..len].iter().enumerate() {
                    packed[place / 4] |= code << (place % 4 * 2);
                }
                Ok::<(), TableError>(())
            })?;
        }
        Ok(Codes { turns })
    }

    #[inline]
    fn put(&mut self, square: WordOf<R>, codes: &Codes, turn: Color, number: usize) {
        let code = codes.turns[turn.index()][number / 4] >> (number % 4 * 2) & 3;
        if code < 2 {
            self.not_won |= square;
        }
        if code == 0 {
            self.lost |= square;
        }
    }

    fn describe(&self, square: WordOf<R>) -> String {
        self.value(square).to_string()
    }

    fn write(
        path: &Path,
        solved: &Solved<R, Self>,
        _: Content,
        options: &WriteOptions,
    ) -> Result<Written, WriteError> {
        let values = SolvedValues::new(solved);
        write_table::<R>(path, solved.layout.class, solved.counts(), &values, options)
    }

    fn is_out_of_range(_: &Solved<R, Self>) -> bool {
        false
    }
}

/// The scores of a file, by side to move.
pub struct AllScores([Vec<u16>; 2]);

impl<R: Rules, S: Scale> Stored<R> for Distances<S, R::Board> {
    type Codes = AllScores;

    fn read<T: Storage>(table: &Table<T>) -> Result<AllScores, TableError> {
        let mut turns = [Vec::new(), Vec::new()];
        for &turn in table.stored_turns() {
            let scores = &mut turns[turn.index()];
            scores.resize(table.blocks() as usize * BLOCK, DONT_CARE_SCORE);
            scores.par_chunks_mut(BLOCK).enumerate().try_for_each(|(block, scores)| {
                table.decode_distances(turn, block as u64, scores).map(|_| ())
            })?;
        }
        Ok(AllScores(turns))
    }

    #[inline]
    fn put(&mut self, square: WordOf<R>, codes: &AllScores, turn: Color, number: usize) {
        // What is worth nothing in the file is not lower than anything.
        if let Some((value, plies)) = Scores::read(codes.0[turn.index()][number]) {
            self.set(square.first(), S::score(Distance { value, plies }));
        }
    }

    fn describe(&self, square: WordOf<R>) -> String {
        match S::distance(self.score(square.first())) {
            None => "no value".to_owned(),
            Some(Distance { value: Value::Draw, .. }) => "draw".to_owned(),
            Some(Distance { value, plies }) => format!("{value} in {plies}"),
        }
    }

    fn write(
        path: &Path,
        solved: &Solved<R, Self>,
        content: Content,
        options: &WriteOptions,
    ) -> Result<Written, WriteError> {
        let longest = longest(solved).map(|turn| turn.map(|found| found.map(|found| found.plies)));
        write_distances::<R>(
            path,
            solved.layout.class,
            content.metric,
            content.rules,
            solved.counts(),
            longest,
            &SolvedValues::new(solved),
            options,
        )
    }

    fn is_out_of_range(solved: &Solved<R, Self>) -> bool {
        let longest = longest(solved);
        longest.iter().flatten().flatten().any(|found| found.plies >= S::MAX_PLIES)
    }
}

/// The longest win and the longest loss of a class, by side to move.
fn longest<R: Rules, S: Scale>(
    solved: &Solved<R, Distances<S, R::Board>>,
) -> [[Option<Distance>; 2]; 2] {
    // The longest win has the lowest score above a draw, the longest loss the highest below.
    let of_block = |rank| {
        let block = solved.block(rank);
        [0, 1].map(|turn: usize| {
            let mut extremes = [S::NONE, S::LOST];
            let mut lost = false;
            for cell in &block.cells[turn] {
                for score in cell.scores() {
                    if score > S::DRAW {
                        extremes[0] = extremes[0].min(score);
                    } else if score < S::DRAW {
                        lost = true;
                        extremes[1] = extremes[1].max(score);
                    }
                }
            }
            [S::distance(extremes[0]), S::distance(extremes[1]).filter(|_| lost)]
        })
    };
    let mut longest = [[None::<Distance>; 2]; 2];
    for block in parallel::map(solved.layout.blocks(), &of_block) {
        for (longest, found) in longest.iter_mut().flatten().zip(block.into_iter().flatten()) {
            if found.is_some_and(|found| longest.is_none_or(|longest| longest.plies < found.plies))
            {
                *longest = found;
            }
        }
    }
    longest
}
