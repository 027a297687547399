//! Reading tables.

use std::sync::OnceLock;

use damier_core::{Color, DrawRuleSet, Value, Variant};
use xxhash_rust::xxh3::xxh3_64;

use crate::block::{self, CHECKSUM, Record, Stored};
use crate::class::Class;
use crate::coder;
use crate::distance_block::{self, Stored as DistanceBlock};
use crate::distance_coder;
use crate::distance_model::{DistanceModel, parse_distance_lead};
use crate::distances::{DRAW, Longest, code_of_score};
use crate::error::TableError;
use crate::header::{
    ABSENT, BLOCK, BLOCKS, CONSTANT, Codec, GROUP, HEADER, Header, Metric, Sections, block_count,
    group_count,
};
use crate::index::GroupOrder;
use crate::layout::Layout;
use crate::lengths::LengthCode;
use crate::model::{Model, parse_lead};
use crate::palette;
use crate::storage::Storage;
use crate::successors::Opposite;
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
    model: Option<Predictor>,
    /// Where the record of each group begins, from the start of the payload, and where the last one ends; in the lowest two bits
    /// the value of a group that is constant, 3 for others.
    starts: Vec<u64>,
}

/// A model of values or of distances.
#[derive(Debug)]
enum Predictor {
    Values(Model),
    Distances(DistanceModel),
}

impl Predictor {
    /// The model of the values; distances have one as well.
    fn values(&self) -> &Model {
        match self {
            Predictor::Values(model) => model,
            Predictor::Distances(model) => model.values(),
        }
    }

    fn distances(&self) -> Option<&DistanceModel> {
        match self {
            Predictor::Values(_) => None,
            Predictor::Distances(model) => Some(model),
        }
    }
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

    /// The draw rules of [`Metric::Dtr`]; other metrics have none.
    pub fn rules(&self) -> DrawRuleSet {
        self.header.rules
    }

    /// The most plies of a win and of a loss with this side to move, where the table holds distances: of all legal positions,
    /// those with a capture due as well.
    pub fn longest(&self, turn: Color) -> Longest {
        self.header.longest[turn.index()]
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

    /// Decodes the values of a block into `out`, a value a byte: 0 loss, 1 draw, 2 win. Returns how many positions the block has.
    /// Where a capture is due or the number is a hole of the index, any value is written.
    ///
    /// # Errors
    /// If the side to move or the block does not exist, or the file is damaged.
    ///
    /// # Panics
    /// If `out` is shorter than the block; [`BLOCK`] is always enough.
    pub fn decode(&self, turn: Color, block: u64, out: &mut [u8]) -> Result<usize, TableError> {
        let out = &mut out[..self.block_len(block)?];
        let mut scratch = Vec::new();
        match self.group(turn, block, &mut scratch)? {
            Group::Constant(value) => out.fill(value),
            Group::Record(lead, bytes) => {
                let record = record(bytes, turn, block)?;
                let senseless = TableError::SenselessBlock { turn, block };
                if self.metric().has_distances() {
                    self.decode_values_only(lead, &record, block, out).ok_or(senseless)?;
                } else {
                    let stored = record.block(&lead.code, place(block), out.len());
                    self.decode_values(lead, stored.ok_or(senseless)?, turn, block, out)?;
                }
            }
        }
        Ok(out.len())
    }

    /// Decodes the scores of a block into `out`; see [`Scores`](crate::Scores). Returns how many positions the block has. Where a capture
    /// is due or the number is a hole of the index, any score is written.
    ///
    /// # Errors
    /// If the table has no distances, the side to move or the block does not exist, or the file is damaged.
    ///
    /// # Panics
    /// If `out` is shorter than the block; [`BLOCK`] is always enough.
    pub fn decode_distances(
        &self,
        turn: Color,
        block: u64,
        out: &mut [u16],
    ) -> Result<usize, TableError> {
        let metric = self.metric();
        if !metric.has_distances() {
            return Err(TableError::NoDistances { metric });
        }
        let out = &mut out[..self.block_len(block)?];
        let mut scratch = Vec::new();
        match self.group(turn, block, &mut scratch)? {
            Group::Constant(_) => out.fill(DRAW),
            Group::Record(lead, bytes) => {
                let record = record(bytes, turn, block)?;
                let decoded = self.decode_scores(lead, &record, block, out);
                decoded.ok_or(TableError::SenselessBlock { turn, block })?;
            }
        }
        Ok(out.len())
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

    /// Calls `visit` with the number of the first position of every block of a side to move, in order, and its scores.
    ///
    /// # Errors
    /// As [`decode_distances`](Table::decode_distances).
    pub fn scan_distances(
        &self,
        turn: Color,
        mut visit: impl FnMut(u64, &[u16]),
    ) -> Result<(), TableError> {
        let mut scores = [0; BLOCK];
        for block in 0..self.blocks() {
            let len = self.decode_distances(turn, block, &mut scores)?;
            visit(block * BLOCK as u64, &scores[..len]);
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
            for group in 0..group_count(self.positions()) {
                let block = group * GROUP as u64;
                if let Group::Record(_, bytes) = self.group(turn, block, &mut scratch)? {
                    record(bytes, turn, block)?;
                }
            }
        }
        Ok(())
    }

    /// How many positions a block has.
    fn block_len(&self, block: u64) -> Result<usize, TableError> {
        let blocks = self.blocks();
        if block >= blocks {
            return Err(TableError::NoBlock { block, blocks });
        }
        Ok((self.positions() - block * BLOCK as u64).min(BLOCK as u64) as usize)
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
        let metric = self.metric();
        let has_model = self.header.codec == Codec::Context;
        let parsed = if metric.has_distances() {
            parse_distance_lead(model, &self.layout, has_model)
                .map(|(code, model)| (code, model.map(Predictor::Distances)))
        } else {
            parse_lead(model, &self.layout, Some(turn), has_model)
                .map(|(code, model)| (code, model.map(Predictor::Values)))
        };
        let (code, model) = parsed.ok_or(senseless("model"))?;
        let (constants, max_record) = if metric.has_distances() {
            (1..=1, distance_block::MAX_RECORD)
        } else {
            (0..=2, block::MAX_RECORD)
        };
        let mut starts = Vec::with_capacity(directory.len() / metric.entry_len() + 1);
        let mut start = 0;
        for bytes in directory.chunks_exact(metric.entry_len()) {
            let entry = bytes.iter().rev().fold(0, |entry, &byte| entry << 8 | u64::from(byte));
            let (len, value) = if entry <= 2 { (0, entry) } else { (entry, 3) };
            let lengths = CHECKSUM as u64..=max_record as u64;
            if !(constants.contains(&entry) || lengths.contains(&entry)) {
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

    /// The group that a block belongs to.
    fn group<'a>(
        &'a self,
        turn: Color,
        block: u64,
        scratch: &'a mut Vec<u8>,
    ) -> Result<Group<'a>, TableError> {
        match self.header.turns[turn.index()].kind {
            ABSENT => return Err(TableError::NotStored { turn }),
            BLOCKS => {}
            constant => return Ok(Group::Constant(constant - CONSTANT)),
        }
        let lead = self.lead(turn)?;
        let group = (block / GROUP as u64) as usize;
        let (start, end) = (lead.starts[group], lead.starts[group + 1]);
        if start & 3 < 3 {
            return Ok(Group::Constant((start & 3) as u8));
        }
        let len = (end >> 2) - (start >> 2);
        let offset = self.sections[turn.index()].payload + (start >> 2);
        Ok(Group::Record(lead, self.storage.read(offset, len as usize, scratch)?))
    }

    /// Decodes a block of values.
    fn decode_values(
        &self,
        lead: &Lead,
        stored: Stored,
        turn: Color,
        block: u64,
        out: &mut [u8],
    ) -> Result<(), TableError> {
        let model = lead.model.as_ref().map(Predictor::values);
        let start = block * BLOCK as u64;
        let opposite = if stored.sees_opposite(model) {
            // The other side looks up nothing, or reading would never end.
            if self.header.turns[(!turn).index()].kind == BLOCKS {
                let model = self.lead(!turn)?.model.as_ref();
                if model.is_some_and(|model| model.values().contexts().sees_opposite()) {
                    return Err(TableError::Senseless { turn, what: "model" });
                }
            }
            let mut values = [0; BLOCK];
            let len = self.decode(!turn, block, &mut values)?;
            Some(Opposite::new(&self.layout, start, &values[..len]))
        } else {
            None
        };
        stored
            .decode(model, &self.layout, start, opposite.as_ref(), out)
            .ok_or(TableError::SenselessBlock { turn, block })
    }

    /// Decodes the values of a block of distances; `None` if it makes no sense.
    fn decode_values_only(
        &self,
        lead: &Lead,
        record: &Record,
        block: u64,
        out: &mut [u8],
    ) -> Option<()> {
        match DistanceBlock::new(record, &lead.code, place(block))? {
            DistanceBlock::Draws => out.fill(Value::Draw as u8),
            DistanceBlock::Packed(bytes) => {
                let mut scores = [0; BLOCK];
                let scores = &mut scores[..out.len()];
                palette::unpack(bytes, scores)?;
                out.iter_mut().zip(scores).for_each(|(code, score)| *code = code_of_score(*score));
            }
            DistanceBlock::Coded(bytes) => {
                // The values of a coded block come first.
                let model = lead.model.as_ref()?.values();
                coder::decode(model, &self.layout, block * BLOCK as u64, bytes, None, out);
            }
        }
        Some(())
    }

    /// Decodes a block of distances; `None` if it makes no sense.
    fn decode_scores(
        &self,
        lead: &Lead,
        record: &Record,
        block: u64,
        out: &mut [u16],
    ) -> Option<()> {
        match DistanceBlock::new(record, &lead.code, place(block))? {
            DistanceBlock::Draws => out.fill(DRAW),
            DistanceBlock::Packed(bytes) => palette::unpack(bytes, out)?,
            DistanceBlock::Coded(bytes) => {
                let model = lead.model.as_ref()?.distances()?;
                distance_coder::decode(model, &self.layout, block * BLOCK as u64, bytes, out);
            }
        }
        Some(())
    }
}

/// The place of a block in its group.
fn place(block: u64) -> usize {
    (block % GROUP as u64) as usize
}

/// The record of the group of a block, its checksum compared.
fn record(bytes: &[u8], turn: Color, block: u64) -> Result<Record<'_>, TableError> {
    Record::new(bytes, turn, block / GROUP as u64)
        .map_err(|(expected, found)| TableError::BlockChecksum { turn, block, expected, found })
}

/// A group of blocks as the directory describes it.
enum Group<'a> {
    /// All positions have this value.
    Constant(u8),
    /// See the record, whose bytes are not checked yet.
    Record(&'a Lead, &'a [u8]),
}
