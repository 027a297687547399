//! Reading tables.

use std::sync::OnceLock;

use damier_core::{Color, Value, Variant};
use xxhash_rust::xxh3::xxh3_64;

use crate::block::{CHECKSUM, MAX_RECORD, Record, Stored};
use crate::class::Class;
use crate::coder;
use crate::error::TableError;
use crate::header::{
    ABSENT, BLOCK, BLOCKS, CONSTANT, Codec, GROUP, HEADER, Header, Metric, Sections, block_count,
    group_count,
};
use crate::index::GroupOrder;
use crate::layout::Layout;
use crate::lengths::LengthCode;
use crate::model::{Model, parse_lead};
use crate::plain;
use crate::storage::Storage;
use crate::values::{Counts, value_of_code};

/// A table, read from any [`Storage`]: a [`MappedFile`](crate::MappedFile), a `Vec<u8>`, a `&'static [u8]`, a
/// [`ReadFile`](crate::ReadFile).
///
/// Opening reads and checks the header only: its checksum, its fields, and that the lengths it gives add up to those of the file.
/// The directory of a side to move is checked and taken into memory when it is first needed, and the checksum of a block whenever
/// it is decoded, so that what is damaged is not taken for values, whatever part of it is read.
#[derive(Debug)]
pub struct Table<S> {
    storage: S,
    header: Header,
    layout: Layout,
    sections: [Sections; 2],
    leads: [OnceLock<Result<Lead, TableError>>; 2],
}

/// Model and directory of one side to move.
#[derive(Debug)]
struct Lead {
    /// The code of the lengths of blocks.
    code: LengthCode,
    /// The model, where blocks are predicted.
    model: Option<Model>,
    /// Where the record of each group begins, from the start of the payload, and where the last one ends; in the lowest two bits
    /// the value of a group that is constant, 3 for others.
    starts: Vec<u64>,
}

impl<S: Storage> Table<S> {
    /// Opens a table.
    ///
    /// # Errors
    /// If the header is not that of a table this program understands, or does not fit the length of the file.
    pub fn open(storage: S) -> Result<Self, TableError> {
        let size = storage.size();
        let mut scratch = Vec::new();
        let bytes = storage.read(0, size.min(HEADER as u64) as usize, &mut scratch)?;
        let header = Header::parse(bytes, size)?;
        let layout = Layout::new(header.variant, header.class, header.order);
        let sections = header
            .sections(layout.len())
            .ok_or(TableError::Length { expected: u64::MAX, found: size })?;
        Ok(Table { storage, header, layout, sections, leads: Default::default() })
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        self.header.variant
    }

    /// The class, which is canonical.
    pub fn class(&self) -> Class {
        self.header.class
    }

    /// What the values are.
    pub fn metric(&self) -> Metric {
        self.header.metric
    }

    /// How the blocks are compressed.
    pub fn codec(&self) -> Codec {
        self.header.codec
    }

    /// The order of the groups in the index.
    pub fn order(&self) -> GroupOrder {
        self.header.order
    }

    /// How many positions are won, drawn and lost with this side to move.
    pub fn counts(&self, turn: Color) -> Counts {
        self.header.counts[turn.index()]
    }

    /// The sides to move whose values are in the file: only White in a symmetric class.
    pub fn stored_turns(&self) -> &'static [Color] {
        if self.header.turns[Color::Black.index()].kind == ABSENT {
            &[Color::White]
        } else {
            &Color::BOTH
        }
    }

    /// Numbers in the index.
    pub fn positions(&self) -> u64 {
        self.layout.len()
    }

    /// Blocks of each stored side to move. Each holds [`BLOCK`] positions, the last one the rest.
    pub fn blocks(&self) -> u64 {
        block_count(self.positions())
    }

    /// Bytes of the file.
    pub fn size(&self) -> u64 {
        self.storage.size()
    }

    /// The bytes or file behind the table.
    pub fn storage(&self) -> &S {
        &self.storage
    }

    /// The value that all positions of a block have, where the directory tells without looking at the block. `None` says
    /// nothing: [`decode`](Table::decode) then finds the values, or what is wrong.
    #[inline]
    pub fn constant(&self, turn: Color, block: u64) -> Option<Value> {
        let kind = self.header.turns[turn.index()].kind;
        if kind >= CONSTANT {
            return value_of_code(kind - CONSTANT);
        }
        let lead = self.lead(turn).ok()?;
        let start = lead.starts.get(usize::try_from(block).ok()? / GROUP)?;
        value_of_code((start & 3) as u8)
    }

    /// Decodes a block into `out`, a value a byte: 0 loss, 1 draw, 2 win. Returns how many positions the block has. Where a
    /// capture is due or the number is a hole of the index, any value is written.
    ///
    /// # Errors
    /// If the side to move or the block does not exist, or the file is damaged.
    ///
    /// # Panics
    /// If `out` is shorter than the block; [`BLOCK`] is always enough.
    pub fn decode(&self, turn: Color, block: u64, out: &mut [u8]) -> Result<usize, TableError> {
        let blocks = self.blocks();
        if block >= blocks {
            return Err(TableError::NoBlock { block, blocks });
        }
        let len = (self.positions() - block * BLOCK as u64).min(BLOCK as u64) as usize;
        let out = &mut out[..len];
        match self.header.turns[turn.index()].kind {
            ABSENT => return Err(TableError::NotStored { turn }),
            BLOCKS => {}
            constant => {
                out.fill(constant - CONSTANT);
                return Ok(len);
            }
        }
        let lead = self.lead(turn)?;
        let group = block / GROUP as u64;
        let mut scratch = Vec::new();
        match self.record(lead, turn, group, block, &mut scratch)? {
            Group::Constant(value) => out.fill(value),
            Group::Record(record) => self.decode_from(lead, &record, turn, block, out)?,
        }
        Ok(len)
    }

    /// Calls `visit` with the number of the first position of every block of a side to move, in order, and its values.
    ///
    /// # Errors
    /// As [`decode`](Table::decode).
    pub fn scan(&self, turn: Color, mut visit: impl FnMut(u64, &[u8])) -> Result<(), TableError> {
        let mut values = [0; BLOCK];
        for block in 0..self.blocks() {
            let len = self.decode(turn, block, &mut values)?;
            visit(block * BLOCK as u64, &values[..len]);
        }
        Ok(())
    }

    /// Reads the whole table and compares every checksum.
    ///
    /// # Errors
    /// The first that is wrong, with its block.
    pub fn verify_checksums(&self) -> Result<(), TableError> {
        let mut scratch = Vec::new();
        for &turn in self.stored_turns() {
            if self.header.turns[turn.index()].kind == BLOCKS {
                let lead = self.lead(turn)?;
                for group in 0..group_count(self.positions()) {
                    self.record(lead, turn, group, group * GROUP as u64, &mut scratch)?;
                }
            }
        }
        Ok(())
    }

    fn lead(&self, turn: Color) -> Result<&Lead, TableError> {
        self.leads[turn.index()].get_or_init(|| self.read_lead(turn)).as_ref().map_err(Clone::clone)
    }

    fn read_lead(&self, turn: Color) -> Result<Lead, TableError> {
        let raw = &self.header.turns[turn.index()];
        if raw.kind != BLOCKS {
            return Err(TableError::NotStored { turn });
        }
        let Sections { payload, lead, model_len, directory_len, .. } = self.sections[turn.index()];
        let senseless = |what| TableError::Senseless { turn, what };
        let len = usize::try_from(directory_len).map_err(|_| senseless("directory"))? + model_len;
        let mut scratch = Vec::new();
        let bytes = self.storage.read(lead, len, &mut scratch)?;
        let (expected, found) = (raw.lead_checksum.get(), xxh3_64(bytes));
        if expected != found {
            return Err(TableError::DirectoryChecksum { turn, expected, found });
        }
        let (model, directory) = bytes.split_at(model_len);
        let has_model = self.header.codec == Codec::Context;
        let (code, model) = parse_lead(model, &self.layout, has_model).ok_or(senseless("model"))?;
        let mut starts = Vec::with_capacity(directory.len() / 2 + 1);
        let mut start = 0;
        for entry in directory.as_chunks().0 {
            let entry = u16::from_le_bytes(*entry);
            let (len, value) = match entry {
                0..=2 => (0, u64::from(entry)),
                _ => (u64::from(entry), 3),
            };
            if len > 0 && !(CHECKSUM as u64..=MAX_RECORD as u64).contains(&len) {
                return Err(senseless("directory"));
            }
            starts.push(start << 2 | value);
            start += len;
        }
        starts.push(start << 2);
        if start != lead - payload {
            return Err(senseless("directory"));
        }
        Ok(Lead { code, model, starts })
    }

    /// The record of a group, its checksum compared; `block` is named where it is wrong.
    fn record<'a>(
        &'a self,
        lead: &Lead,
        turn: Color,
        group: u64,
        block: u64,
        scratch: &'a mut Vec<u8>,
    ) -> Result<Group<'a>, TableError> {
        let (start, end) = (lead.starts[group as usize], lead.starts[group as usize + 1]);
        if start & 3 < 3 {
            return Ok(Group::Constant((start & 3) as u8));
        }
        let len = (end >> 2) - (start >> 2);
        let offset = self.sections[turn.index()].payload + (start >> 2);
        let bytes = self.storage.read(offset, len as usize, scratch)?;
        let record = Record::new(bytes, turn, group).map_err(|(expected, found)| {
            TableError::BlockChecksum { turn, block, expected, found }
        })?;
        Ok(Group::Record(record))
    }

    fn decode_from(
        &self,
        lead: &Lead,
        record: &Record,
        turn: Color,
        block: u64,
        out: &mut [u8],
    ) -> Result<(), TableError> {
        let decoded = match record.block(&lead.code, (block % GROUP as u64) as usize, out.len()) {
            Some(Stored::Constant(value)) => {
                out.fill(value as u8);
                Some(())
            }
            Some(Stored::Plain(bytes)) => plain::unpack(bytes, out),
            Some(Stored::Coded(bytes)) => lead.model.as_ref().map(|model| {
                coder::decode(model, &self.layout, block * BLOCK as u64, bytes, out);
            }),
            None => None,
        };
        decoded.ok_or(TableError::SenselessBlock { turn, block })
    }
}

/// A group of blocks as the directory describes it.
enum Group<'a> {
    /// All positions have this value.
    Constant(u8),
    /// See the record.
    Record(Record<'a>),
}
