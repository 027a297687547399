//! Tables as files: found by class, opened when first needed, read through the cache of blocks.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use damier_core::{Color, DrawRuleSet, Position, Rules, Value, Variant, Word, WordOf};
use damier_tables::{
    BLOCK, Class, Counts, GroupOrder, Index, Longest, MAX_PIECES, MappedFile, Metric, ReadFile,
    Scores, Side, Storage, Table, TableError, file_name_under, value_of_code,
};

use crate::cache::{DistanceCache, ValueCache};
use crate::distance::{Distance, Measure};
use crate::embedded;
use crate::error::ProbeError;
use crate::source::Source;

/// Bytes of decoded blocks that are kept unless [`TableFiles::with_cache`] says otherwise: enough for all positions
/// of up to four pieces.
pub const DEFAULT_CACHE: usize = 64 << 20;

/// The tables of one variant in some folders, or in the program itself.
///
/// Nothing is read before it is needed: opening the folders of any number of tables takes microseconds, and a table that is
/// added later is found.
pub struct TableFiles<R: Rules> {
    folders: Vec<PathBuf>,
    embedded: bool,
    access: Access,
    values: Shelf<R>,
    /// By [`number_of`] the measure, each made when it is first asked for.
    distances: [OnceLock<Shelf<R>>; MEASURES],
    /// The numbers of the next blocks of values and of distances that are opened; held while a table is, so that none is
    /// opened twice.
    next_blocks: Mutex<[u64; 2]>,
    value_cache: ValueCache,
    distance_cache: DistanceCache,
}

/// The tables of one kind, by [`place`] of the canonical class.
type Shelf<R> = Box<[OnceLock<Box<OpenTable<R>>>]>;

fn empty_shelf<R: Rules>() -> Shelf<R> {
    (0..COUNTS.pow(4)).map(|_| OnceLock::new()).collect()
}

/// Distances to the end, to conversion, and under each set of draw rules.
const MEASURES: usize = 2 + DrawRuleSet::ALL.len();

/// The number of a measure, from 0.
fn number_of(measure: Measure) -> usize {
    match measure {
        Measure::Dtw => 0,
        Measure::Dtc => 1,
        Measure::Dtr(rules) => 2 + usize::from(rules.id()),
    }
}

/// What a table holds: values, or the distances of some measure.
type Contents = Option<Measure>;

/// Metric and draw rules of the tables with these contents.
fn metric_of(contents: Contents) -> (Metric, DrawRuleSet) {
    contents.map_or((Metric::Wdl, DrawRuleSet::None), |measure| (measure.metric(), measure.rules()))
}

/// A table as errors name it.
fn name_of(variant: Variant, class: Class, (metric, rules): (Metric, DrawRuleSet)) -> String {
    match metric {
        Metric::Wdl => format!("{variant} {class}"),
        Metric::Dtr => format!("{variant} {class} {rules} {}", metric.name()),
        _ => format!("{variant} {class} {}", metric.name()),
    }
}

/// A table and what it takes to look something up in it.
struct OpenTable<R: Rules> {
    /// Number of the first block among those of all tables of values, or of all with distances: the blocks with White to move,
    /// then those with Black.
    first_block: u64,
    index: Index<R>,
    table: Table<Bytes>,
    path: PathBuf,
}

/// How files are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Mapped into memory: fastest.
    #[default]
    Mapped,
    /// With one system call for each block that is not in the cache: a file that is cut short meanwhile, or a disk that fails,
    /// is then an error and not the end of the process.
    Read,
}

/// The bytes of a table, wherever they are.
enum Bytes {
    Mapped(MappedFile),
    Read(ReadFile),
    Embedded(&'static [u8]),
}

impl Storage for Bytes {
    fn size(&self) -> u64 {
        match self {
            Bytes::Mapped(file) => file.size(),
            Bytes::Read(file) => file.size(),
            Bytes::Embedded(bytes) => bytes.size(),
        }
    }

    fn read<'a>(
        &'a self,
        offset: u64,
        len: usize,
        scratch: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        match self {
            Bytes::Mapped(file) => file.read(offset, len, scratch),
            Bytes::Read(file) => file.read(offset, len, scratch),
            Bytes::Embedded(bytes) => bytes.read(offset, len, scratch),
        }
    }
}

/// Numbers of men or kings that a side can have.
const COUNTS: usize = MAX_PIECES as usize + 1;

/// The place of a class in an array with one for every class.
#[inline(always)]
fn place(class: Class) -> usize {
    let side = |side: Side| place_of_side(side.men.into(), side.kings.into());
    side(class.white) * COUNTS.pow(2) + side(class.black)
}

#[inline(always)]
fn place_of_side(men: usize, kings: usize) -> usize {
    men * COUNTS + kings
}

impl<R: Rules> Default for TableFiles<R> {
    /// No tables at all.
    fn default() -> Self {
        TableFiles {
            folders: Vec::new(),
            embedded: false,
            access: Access::default(),
            values: empty_shelf(),
            distances: [const { OnceLock::new() }; MEASURES],
            next_blocks: Mutex::new([0; 2]),
            value_cache: ValueCache::new(DEFAULT_CACHE),
            distance_cache: DistanceCache::new(DEFAULT_CACHE),
        }
    }
}

impl<R: Rules> TableFiles<R> {
    /// The tables in these folders; where several have a class, the first one's.
    ///
    /// # Errors
    ///
    /// Where one of them is not a folder that can be read.
    pub fn open<P: AsRef<Path>>(folders: &[P]) -> io::Result<Self> {
        for folder in folders {
            fs::read_dir(folder)?;
        }
        let folders = folders.iter().map(|folder| folder.as_ref().to_owned()).collect();
        Ok(TableFiles { folders, ..Self::default() })
    }

    /// The tables that are part of the program.
    pub fn embedded() -> Self {
        Self::default().with_embedded()
    }

    /// Adds the tables that are part of the program, for the classes of which the folders have none.
    pub fn with_embedded(self) -> Self {
        TableFiles { embedded: true, ..self }
    }

    /// Sets how many bytes of decoded blocks are kept: so many of values, and as many of distances.
    pub fn with_cache(self, bytes: usize) -> Self {
        let (value_cache, distance_cache) = (ValueCache::new(bytes), DistanceCache::new(bytes));
        TableFiles { value_cache, distance_cache, ..self }
    }

    /// Sets how files are read.
    pub fn with_access(self, access: Access) -> Self {
        TableFiles { access, ..self }
    }

    /// The classes that there are tables of values for, both orientations of each, in order. The tables are not opened.
    pub fn classes(&self) -> Vec<Class> {
        self.classes_with(None)
    }

    /// The classes that there are tables of these distances for, as [`classes`](TableFiles::classes).
    pub fn classes_measured(&self, measure: Measure) -> Vec<Class> {
        self.classes_with(Some(measure))
    }

    fn classes_with(&self, contents: Contents) -> Vec<Class> {
        let is_there = |class: &Class| {
            let name = file_name::<R>(class.canonical(), contents);
            self.folders.iter().any(|folder| folder.join(&name).exists())
                || self.embedded && embedded::table(&name).is_some()
        };
        (2..=MAX_PIECES).flat_map(Class::all).filter(is_there).collect()
    }

    /// How many positions of a class are won, drawn and lost for `turn`, which is to move.
    ///
    /// # Errors
    ///
    /// Where there is no table for the class, or it is damaged.
    pub fn counts(&self, class: Class, turn: Color) -> Result<Counts, ProbeError> {
        let (table, turn) = self.table_and_turn(class, turn, None)?;
        Ok(table.counts(turn))
    }

    /// How many positions of a class are won, drawn and lost by a table of distances: for [`Measure::Dtr`] under the rules, with nothing on
    /// the counter.
    ///
    /// # Errors
    ///
    /// Where there is no such table for the class, or it is damaged.
    pub fn counts_measured(
        &self,
        class: Class,
        turn: Color,
        measure: Measure,
    ) -> Result<Counts, ProbeError> {
        let (table, turn) = self.table_and_turn(class, turn, Some(measure))?;
        Ok(table.counts(turn))
    }

    /// The most plies of a win and of a loss of a class for `turn`, which is to move; `None` where there is no win or no loss.
    ///
    /// # Errors
    ///
    /// Where there is no such table for the class, or it is damaged.
    pub fn longest(
        &self,
        class: Class,
        turn: Color,
        measure: Measure,
    ) -> Result<Longest, ProbeError> {
        let (table, turn) = self.table_and_turn(class, turn, Some(measure))?;
        Ok(table.longest(turn))
    }

    /// The order in which the table of these distances, or of values, has the positions of a class; see [`Index`].
    ///
    /// # Errors
    ///
    /// Where there is no such table for the class, or it is damaged.
    pub fn order(&self, class: Class, measure: Option<Measure>) -> Result<GroupOrder, ProbeError> {
        Ok(self.table(class.canonical(), measure)?.table.order())
    }

    /// The table that a class is in, and the side that is to move in it.
    fn table_and_turn(
        &self,
        class: Class,
        turn: Color,
        contents: Contents,
    ) -> Result<(&Table<Bytes>, Color), ProbeError> {
        let turn = if class.is_canonical() { turn } else { !turn };
        Ok((&self.table(class.canonical(), contents)?.table, turn))
    }

    /// The tables with these contents.
    #[inline(always)]
    fn shelf(&self, contents: Contents) -> &Shelf<R> {
        match contents {
            None => &self.values,
            Some(measure) => self.distances[number_of(measure)].get_or_init(empty_shelf),
        }
    }

    /// The table of a canonical class, opened if need be.
    fn table(&self, class: Class, contents: Contents) -> Result<&OpenTable<R>, ProbeError> {
        match self.shelf(contents)[place(class)].get() {
            Some(table) => Ok(table),
            None => self.open_table(class, contents),
        }
    }

    #[cold]
    fn open_table(&self, class: Class, contents: Contents) -> Result<&OpenTable<R>, ProbeError> {
        let mut next = self.next_blocks.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let slot = &self.shelf(contents)[place(class)];
        if let Some(table) = slot.get() {
            return Ok(table);
        }
        let (path, bytes) = self.find(class, contents)?;
        let table = match Table::open(bytes) {
            Ok(table) => table,
            Err(error) => return Err(ProbeError::Damaged { path, error: Box::new(error) }),
        };
        let expected = name_of(R::VARIANT, class, metric_of(contents));
        let found = name_of(table.variant(), table.class(), (table.metric(), table.rules()));
        if found != expected {
            return Err(ProbeError::Foreign { path, expected, found });
        }
        // Whether a block is constant can from now on be told without reading.
        for &turn in table.stored_turns() {
            table.constant(turn, 0);
        }
        let index = Index::new(class, table.order());
        let next = &mut next[usize::from(contents.is_some())];
        let first_block = *next;
        *next += 2 * table.blocks();
        Ok(slot.get_or_init(|| Box::new(OpenTable { first_block, index, table, path })))
    }

    /// The bytes of a table, from the first folder that has it.
    fn find(&self, class: Class, contents: Contents) -> Result<(PathBuf, Bytes), ProbeError> {
        let name = file_name::<R>(class, contents);
        for folder in &self.folders {
            let path = folder.join(&name);
            let bytes = match self.access {
                Access::Mapped => MappedFile::open(&path).map(Bytes::Mapped),
                Access::Read => ReadFile::open(&path).map(Bytes::Read),
            };
            match bytes {
                Ok(bytes) => return Ok((path, bytes)),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => {
                    return Err(ProbeError::Damaged { path, error: Box::new(error.into()) });
                }
            }
        }
        let variant = R::VARIANT;
        match embedded::table(&name) {
            Some(bytes) if self.embedded => Ok((PathBuf::from(name), Bytes::Embedded(bytes))),
            _ => Err(match contents {
                None => ProbeError::NoTable { variant, class },
                Some(measure) => ProbeError::NoDistances { variant, class, measure },
            }),
        }
    }

    /// The value of an entry if its block is constant or in the cache.
    #[inline(always)]
    fn known(&self, table: &OpenTable<R>, entry: Entry) -> Option<Value> {
        let Entry { turn, block, offset } = entry;
        let constant = table.table.constant(turn, block);
        let cached = || self.value_cache.get(table.number(entry), offset);
        constant.or_else(|| value_of_code(cached()? as u8))
    }

    /// Decodes the block of a position and keeps it.
    #[cold]
    fn decode(&self, table: &OpenTable<R>, entry: Entry) -> Result<Value, ProbeError> {
        let Entry { turn, block, offset } = entry;
        let mut codes = [0; BLOCK];
        let decoded = table.table.decode(turn, block, &mut codes);
        let len = decoded.map_err(|error| table.damaged(error))?;
        self.value_cache.insert(table.number(entry), &codes[..len]);
        value_of_code(codes[offset]).ok_or_else(|| table.senseless(entry))
    }

    /// The distance of an entry if its block is constant or in the cache.
    fn known_distance(&self, table: &OpenTable<R>, entry: Entry) -> Option<Distance> {
        let Entry { turn, block, offset } = entry;
        if table.table.constant(turn, block) == Some(Value::Draw) {
            return Some(Distance::DRAW);
        }
        distance_of_score(self.distance_cache.get(table.number(entry), offset)?)
    }

    /// Decodes the block of a position with its distances and keeps it.
    #[cold]
    fn decode_distance(&self, table: &OpenTable<R>, entry: Entry) -> Result<Distance, ProbeError> {
        let Entry { turn, block, offset } = entry;
        let mut scores = [0; BLOCK];
        let decoded = table.table.decode_distances(turn, block, &mut scores);
        let len = decoded.map_err(|error| table.damaged(error))?;
        self.distance_cache.insert(table.number(entry), &scores[..len]);
        distance_of_score(scores[offset]).ok_or_else(|| table.senseless(entry))
    }
}

impl<R: Rules> Source<R> for TableFiles<R> {
    #[inline]
    fn value(&self, position: &Position<R>) -> Result<Value, ProbeError> {
        let (place, position) = stored(position)?;
        let table = match self.values[place].get() {
            Some(table) => table,
            None => self.open_table(Class::of(&position), None)?,
        };
        let entry = table.entry(&position);
        match self.known(table, entry) {
            Some(value) => Ok(value),
            None => self.decode(table, entry),
        }
    }

    #[inline]
    fn value_in_memory(&self, position: &Position<R>) -> Option<Value> {
        let (place, position) = stored(position).ok()?;
        let table = self.values[place].get()?;
        self.known(table, table.entry(&position))
    }

    fn distance(&self, position: &Position<R>, measure: Measure) -> Result<Distance, ProbeError> {
        let (place, position) = stored(position)?;
        let table = match self.shelf(Some(measure))[place].get() {
            Some(table) => table,
            None => self.open_table(Class::of(&position), Some(measure))?,
        };
        let entry = table.entry(&position);
        match self.known_distance(table, entry) {
            Some(distance) => Ok(distance),
            None => self.decode_distance(table, entry),
        }
    }
}

/// Where the table of a class is in its folder.
fn file_name<R: Rules>(class: Class, contents: Contents) -> String {
    let (metric, rules) = metric_of(contents);
    file_name_under(R::VARIANT, class, metric, rules)
}

/// The distance that a table's score stands for.
fn distance_of_score(score: u16) -> Option<Distance> {
    Scores::read(score).map(|(value, plies)| Distance { value, plies })
}

/// Where in a table a position is.
#[derive(Clone, Copy)]
struct Entry {
    turn: Color,
    block: u64,
    offset: usize,
}

impl<R: Rules> OpenTable<R> {
    #[inline(always)]
    fn entry(&self, position: &Position<R>) -> Entry {
        let number = self.index.index(position);
        Entry {
            turn: position.turn(),
            block: number / BLOCK as u64,
            offset: (number % BLOCK as u64) as usize,
        }
    }

    /// The number of an entry's block among those of all tables with such contents.
    #[inline(always)]
    fn number(&self, Entry { turn, block, .. }: Entry) -> u64 {
        self.first_block + turn as u64 * self.table.blocks() + block
    }

    fn damaged(&self, error: TableError) -> ProbeError {
        ProbeError::Damaged { path: self.path.clone(), error: Box::new(error) }
    }

    /// The error of a block with something else than values where a value is due.
    fn senseless(&self, Entry { turn, block, .. }: Entry) -> ProbeError {
        self.damaged(TableError::SenselessBlock { turn, block })
    }
}

/// A position as the tables hold it, colours swapped if need be, with the [`place`] of its class.
///
/// This is [`Class::canonical`] and more, without making a class: that costs a tenth of a probe.
#[inline(always)]
fn stored<R: Rules>(position: &Position<R>) -> Result<(usize, Position<R>), ProbeError> {
    let pieces = position.occupied().count();
    if pieces > MAX_PIECES {
        return Err(ProbeError::TooManyPieces { pieces });
    }
    let count = |set: WordOf<R>| set.count() as usize;
    let side = |color| (count(position.men(color)), count(position.kings(color)));
    let ((white_men, white_kings), (black_men, black_kings)) =
        (side(Color::White), side(Color::Black));
    let rank = |men, kings| (men + kings) * COUNTS + kings;
    let (white_rank, black_rank) = (rank(white_men, white_kings), rank(black_men, black_kings));
    let white = place_of_side(white_men, white_kings);
    let black = place_of_side(black_men, black_kings);
    let flipped =
        white_rank < black_rank || white_rank == black_rank && position.turn() == Color::Black;
    Ok(if flipped {
        (black * COUNTS.pow(2) + white, position.flipped())
    } else {
        (white * COUNTS.pow(2) + black, *position)
    })
}
