//! The first bytes of a table file, and what they promise about the rest.
//!
//! Everything is little-endian at fixed offsets (`FORMAT.md` lists them). The header says how long each of the sections that
//! follow is; they tile the file without gaps, so every byte of it is under one of the checksums.

use damier_core::{Color, DrawRuleSet, Value, Variant};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::class::{Class, MAX_PIECES};
use crate::distances::Longest;
use crate::error::TableError;
use crate::index::GroupOrder;
use crate::layout::Layout;
use crate::values::Counts;

/// The first eight bytes of every table.
pub(crate) const MAGIC: [u8; 8] = *b"DAMIER\r\n";
/// The version of the format that this crate writes and reads.
pub(crate) const VERSION: u16 = 1;
/// Positions to a block, the unit of decoding. The last block of a table may be shorter.
pub const BLOCK: usize = 1024;
/// Blocks to a group, the unit of the directory and of checksums.
pub(crate) const GROUP: usize = 32;
/// Bytes of the header.
pub(crate) const HEADER: usize = size_of::<RawHeader>();

/// What the numbers of a table mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Metric {
    /// Win, draw or loss.
    #[default]
    Wdl = 0,
    /// Plies to the end of the game.
    Dtw = 1,
    /// Plies to the next conversion: a capture or a man's move that keeps the value.
    Dtc = 2,
    /// Plies on the counter of a set of draw rules. Values are those under the rules, at counter 0.
    Dtr = 3,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Metric; 4] = [Metric::Wdl, Metric::Dtw, Metric::Dtc, Metric::Dtr];

    /// The name used in commands and as the extension of files.
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Wdl => "wdl",
            Metric::Dtw => "dtw",
            Metric::Dtc => "dtc",
            Metric::Dtr => "dtr",
        }
    }

    /// Whether tables hold distances beside the values.
    pub const fn has_distances(self) -> bool {
        !matches!(self, Metric::Wdl)
    }

    /// Bits of the numbers that tables hold.
    const fn value_bits(self) -> u8 {
        if self.has_distances() { 16 } else { 2 }
    }

    /// Bytes of an entry of the directory.
    pub(crate) const fn entry_len(self) -> usize {
        if self.has_distances() { 4 } else { 2 }
    }
}

/// How blocks are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Codec {
    /// Each value predicted from the values of neighbouring positions, the surprises arithmetically coded.
    #[default]
    Context = 0,
    /// Five values to a byte; blocks of one value take nothing. Quick to write, an order of magnitude larger.
    Plain = 1,
}

/// One side to move, as the header describes it.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct RawTurn {
    /// How the values are stored: [`ABSENT`], [`BLOCKS`], or [`CONSTANT`] plus the value that all of them have.
    pub kind: u8,
    reserved: [u8; 3],
    /// Bytes of the model section.
    pub model_len: U32,
    /// Bytes of all block groups.
    pub payload_len: U64,
    /// xxh3 of the model and directory sections.
    pub lead_checksum: U64,
}

/// The values of this side to move are not in the file: those of the other side, colours swapped, are the same.
pub(crate) const ABSENT: u8 = 0;
/// The values are in blocks.
pub(crate) const BLOCKS: u8 = 1;
/// All values are the same; there are no sections.
pub(crate) const CONSTANT: u8 = 2;
/// All values are draws: the only constant that a table of distances can be.
pub(crate) const DRAWN: u8 = CONSTANT + Value::Draw as u8;

impl RawTurn {
    pub fn new(kind: u8, model_len: u32, payload_len: u64, lead_checksum: u64) -> RawTurn {
        RawTurn {
            kind,
            reserved: [0; 3],
            model_len: model_len.into(),
            payload_len: payload_len.into(),
            lead_checksum: lead_checksum.into(),
        }
    }
}

/// The header as it lies in the file.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct RawHeader {
    magic: [u8; 8],
    version: U16,
    header_len: U16,
    variant: U16,
    metric: u8,
    unused: u8,
    codec: u8,
    value_bits: u8,
    block_log2: u8,
    group_log2: u8,
    class: [u8; 4],
    order: [u8; 4],
    rules: U16,
    reserved: [u8; 2],
    positions: U64,
    counts: [[U64; 3]; 2],
    turns: [RawTurn; 2],
    file_len: U64,
    /// By side to move, wins and losses; one more than the plies, 0 where there are none.
    longest: [[U16; 2]; 2],
    reserved_too: [u8; 96],
    checksum: U64,
}

/// The header of a table, checked.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub variant: Variant,
    pub class: Class,
    pub metric: Metric,
    pub rules: DrawRuleSet,
    pub codec: Codec,
    pub order: GroupOrder,
    pub counts: [Counts; 2],
    pub longest: [Longest; 2],
    pub turns: [RawTurn; 2],
}

/// Where the sections of one side to move lie in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sections {
    /// Offset of the first group of blocks.
    pub payload: u64,
    /// Offset of the model, which the directory follows.
    pub lead: u64,
    /// Bytes of the model.
    pub model_len: usize,
    /// Bytes of the directory.
    pub directory_len: u64,
    /// First byte behind.
    pub end: u64,
}

impl Header {
    /// The bytes of the header of a file.
    pub fn to_bytes(&self, positions: u64, file_len: u64) -> [u8; HEADER] {
        let Class { white, black } = self.class;
        let mut raw = RawHeader {
            magic: MAGIC,
            version: VERSION.into(),
            header_len: (HEADER as u16).into(),
            variant: self.variant.id().into(),
            metric: self.metric as u8,
            unused: 0,
            codec: self.codec as u8,
            value_bits: self.metric.value_bits(),
            block_log2: BLOCK.ilog2() as u8,
            group_log2: GROUP.ilog2() as u8,
            class: [white.men, white.kings, black.men, black.kings],
            order: self.order.to_bytes(),
            rules: self.rules.id().into(),
            reserved: [0; 2],
            positions: positions.into(),
            counts: self.counts.map(|c| [c.wins.into(), c.draws.into(), c.losses.into()]),
            turns: self.turns,
            file_len: file_len.into(),
            longest: self.longest.map(|longest| {
                longest.map(|plies| plies.map_or(0, |plies| plies.saturating_add(1)).into())
            }),
            reserved_too: [0; 96],
            checksum: 0.into(),
        };
        raw.checksum = raw.own_checksum().into();
        zerocopy::transmute!(raw)
    }

    /// Reads and checks the header of a file of `file_len` bytes.
    pub fn parse(bytes: &[u8], file_len: u64) -> Result<Header, TableError> {
        let Ok((raw, _)) = RawHeader::ref_from_prefix(bytes) else {
            return Err(TableError::Length { expected: HEADER as u64, found: file_len });
        };
        if raw.magic != MAGIC {
            return Err(TableError::Magic { found: raw.magic });
        }
        if raw.version != VERSION {
            return Err(TableError::Version { expected: VERSION, found: raw.version.get() });
        }
        let (expected, found) = (raw.checksum.get(), raw.own_checksum());
        if expected != found {
            return Err(TableError::HeaderChecksum { expected, found });
        }
        if raw.file_len != file_len {
            return Err(TableError::Length { expected: raw.file_len.get(), found: file_len });
        }
        raw.checked()
    }
}

impl RawHeader {
    fn own_checksum(&self) -> u64 {
        xxh3_64(&self.as_bytes()[..HEADER - size_of::<U64>()])
    }

    /// The fields one by one, for a header that is as it was written, by whomever.
    fn checked(&self) -> Result<Header, TableError> {
        let variant = Variant::from_id(self.variant.get())
            .ok_or_else(|| unknown("variant", self.variant.get()))?;
        let metric = match self.metric {
            0 => Metric::Wdl,
            1 => Metric::Dtw,
            2 => Metric::Dtc,
            3 => Metric::Dtr,
            other => return Err(unknown("metric", other)),
        };
        let rules = DrawRuleSet::from_id(self.rules.get())
            .filter(|&rules| metric == Metric::Dtr || rules == DrawRuleSet::None)
            .ok_or_else(|| unknown("draw rules", self.rules.get()))?;
        let codec = match self.codec {
            0 => Codec::Context,
            1 => Codec::Plain,
            other => return Err(unknown("codec", other)),
        };
        for (name, found, expected) in [
            ("header length", self.header_len.get(), HEADER as u16),
            ("value bits", self.value_bits.into(), metric.value_bits().into()),
            ("block size", self.block_log2.into(), BLOCK.ilog2() as u16),
            ("group size", self.group_log2.into(), GROUP.ilog2() as u16),
        ] {
            if found != expected {
                return Err(unknown(name, found));
            }
        }
        let [wm, wk, bm, bk] = self.class;
        let too_many = self.class.iter().map(|&n| u32::from(n)).sum::<u32>() > MAX_PIECES;
        let class = Class::new(wm, wk, bm, bk);
        if too_many || class.pieces() == 0 || !class.is_canonical() {
            return Err(unknown("class", u64::from(u32::from_be_bytes(self.class))));
        }
        let order = GroupOrder::from_bytes(self.order)
            .ok_or_else(|| unknown("group order", u64::from(u32::from_be_bytes(self.order))))?;
        let counts = self.counts.map(|[wins, draws, losses]| Counts {
            wins: wins.get(),
            draws: draws.get(),
            losses: losses.get(),
        });
        for turn in Color::BOTH {
            let RawTurn { kind, .. } = self.turns[turn.index()];
            let stored = turn == Color::White || !class.is_symmetric();
            let undecided = metric.has_distances() && kind >= CONSTANT && kind != DRAWN;
            if (kind == ABSENT) == stored || kind > CONSTANT + 2 || undecided {
                return Err(unknown("kind of storage", kind));
            }
        }
        let longest = self.longest.map(|longest| longest.map(|plies| plies.get().checked_sub(1)));
        let turns = self.turns;
        let header = Header { variant, class, metric, rules, codec, order, counts, longest, turns };
        let positions = Layout::new(variant, class, order).len();
        if self.positions != positions {
            return Err(unknown("number of positions", self.positions.get()));
        }
        let end = header.sections(positions).map(|sections| sections[1].end);
        match end {
            Some(end) if self.file_len == end => Ok(header),
            _ => Err(TableError::Length {
                expected: end.unwrap_or(u64::MAX),
                found: self.file_len.get(),
            }),
        }
    }
}

impl Header {
    /// Where the sections lie; `None` if they would end beyond all bounds.
    pub fn sections(&self, positions: u64) -> Option<[Sections; 2]> {
        let mut at = HEADER as u64;
        let mut sections = [None; 2];
        for (turn, section) in self.turns.iter().zip(&mut sections) {
            let (payload_len, model_len, directory_len) = match turn.kind {
                BLOCKS => (
                    turn.payload_len.get(),
                    turn.model_len.get(),
                    self.metric.entry_len() as u64 * group_count(positions),
                ),
                _ => (0, 0, 0),
            };
            let lead = at.checked_add(payload_len)?;
            let end = lead.checked_add(model_len.into())?.checked_add(directory_len)?;
            *section = Some(Sections {
                payload: at,
                lead,
                model_len: model_len as usize,
                directory_len,
                end,
            });
            at = end;
        }
        Some([sections[0]?, sections[1]?])
    }
}

/// Blocks that hold this many positions.
pub(crate) fn block_count(positions: u64) -> u64 {
    positions.div_ceil(BLOCK as u64)
}

/// Groups of blocks that hold this many positions.
pub(crate) fn group_count(positions: u64) -> u64 {
    block_count(positions).div_ceil(GROUP as u64)
}

fn unknown(field: &'static str, found: impl Into<u64>) -> TableError {
    TableError::Field { field, found: found.into() }
}
