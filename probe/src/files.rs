//! Tables as files: found by class, opened when first needed, read through the cache of blocks.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use damier_core::{Color, Position, Rules, Value, Word, WordOf};
use damier_tables::{
    BLOCK, Class, Counts, Index, MAX_PIECES, MappedFile, Metric, ReadFile, Side, Storage, Table,
    TableError, file_name, value_of_code,
};

use crate::cache::BlockCache;
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
    /// By [`place`] of the canonical class.
    tables: Box<[OnceLock<Box<OpenTable<R>>>]>,
    /// The number of the next block that is opened; held while a table is, so that none is opened twice.
    next_block: Mutex<u64>,
    cache: BlockCache,
}

/// A table and what it takes to look something up in it.
struct OpenTable<R: Rules> {
    /// Number of the first block among those of all tables: the blocks with White to move, then those with Black.
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
            tables: (0..COUNTS.pow(4)).map(|_| OnceLock::new()).collect(),
            next_block: Mutex::new(0),
            cache: BlockCache::new(DEFAULT_CACHE),
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

    /// Sets how many bytes of decoded blocks are kept.
    pub fn with_cache(self, bytes: usize) -> Self {
        TableFiles { cache: BlockCache::new(bytes), ..self }
    }

    /// Sets how files are read.
    pub fn with_access(self, access: Access) -> Self {
        TableFiles { access, ..self }
    }

    /// The classes that there are tables for, both orientations of each, in order. The tables are not opened.
    pub fn classes(&self) -> Vec<Class> {
        let is_there = |class: &Class| {
            let name = file_name(R::VARIANT, class.canonical(), Metric::Wdl);
            self.folders.iter().any(|folder| folder.join(&name).exists())
                || self.embedded && embedded::table(R::VARIANT, class.canonical()).is_some()
        };
        (2..=MAX_PIECES).flat_map(Class::all).filter(is_there).collect()
    }

    /// How many positions of a class are won, drawn and lost for `turn`, which is to move.
    ///
    /// # Errors
    ///
    /// Where there is no table for the class, or it is damaged.
    pub fn counts(&self, class: Class, turn: Color) -> Result<Counts, ProbeError> {
        let turn = if class.is_canonical() { turn } else { !turn };
        Ok(self.table(class.canonical())?.table.counts(turn))
    }

    /// The table of a canonical class, opened if need be.
    #[cold]
    fn table(&self, class: Class) -> Result<&OpenTable<R>, ProbeError> {
        let mut next = self.next_block.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let slot = &self.tables[place(class)];
        if let Some(table) = slot.get() {
            return Ok(table);
        }
        let (path, bytes) = self.find(class)?;
        let table = match Table::open(bytes) {
            Ok(table) => table,
            Err(error) => return Err(ProbeError::Damaged { path, error: Box::new(error) }),
        };
        let (expected, found) = ((R::VARIANT, class), (table.variant(), table.class()));
        if found != expected {
            return Err(ProbeError::Foreign { path, expected, found });
        }
        // Whether a block is constant can from now on be told without reading.
        for &turn in table.stored_turns() {
            table.constant(turn, 0);
        }
        let index = Index::new(class, table.order());
        let first_block = *next;
        *next += 2 * table.blocks();
        Ok(slot.get_or_init(|| Box::new(OpenTable { first_block, index, table, path })))
    }

    /// The bytes of a table, from the first folder that has it.
    fn find(&self, class: Class) -> Result<(PathBuf, Bytes), ProbeError> {
        let name = file_name(R::VARIANT, class, Metric::Wdl);
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
        match embedded::table(R::VARIANT, class) {
            Some(bytes) if self.embedded => Ok((PathBuf::from(name), Bytes::Embedded(bytes))),
            _ => Err(ProbeError::NoTable { variant: R::VARIANT, class }),
        }
    }

    /// The value of an entry if its block is constant or in the cache.
    #[inline(always)]
    fn known(&self, table: &OpenTable<R>, entry: Entry) -> Option<Value> {
        let Entry { turn, block, offset } = entry;
        let constant = table.table.constant(turn, block);
        constant.or_else(|| self.cache.get(table.number(entry), offset))
    }

    /// Decodes the block of a position and keeps it.
    #[cold]
    fn decode(&self, table: &OpenTable<R>, entry: Entry) -> Result<Value, ProbeError> {
        let damaged =
            |error| ProbeError::Damaged { path: table.path.clone(), error: Box::new(error) };
        let Entry { turn, block, offset } = entry;
        let mut codes = [0; BLOCK];
        let len = table.table.decode(turn, block, &mut codes).map_err(damaged)?;
        self.cache.insert(table.number(entry), &codes[..len]);
        value_of_code(codes[offset])
            .ok_or_else(|| damaged(TableError::SenselessBlock { turn, block }))
    }
}

impl<R: Rules> Source<R> for TableFiles<R> {
    #[inline]
    fn value(&self, position: &Position<R>) -> Result<Value, ProbeError> {
        let (place, position) = stored(position)?;
        let table = match self.tables[place].get() {
            Some(table) => table,
            None => self.table(Class::of(&position))?,
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
        let table = self.tables[place].get()?;
        self.known(table, table.entry(&position))
    }
}

/// Where in a table the value of a position is.
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

    /// The number of an entry's block among those of all tables.
    #[inline(always)]
    fn number(&self, Entry { turn, block, .. }: Entry) -> u64 {
        self.first_block + turn as u64 * self.table.blocks() + block
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
