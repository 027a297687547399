//! A bounded cache of decoded blocks that any number of threads read without a lock.
//!
//! Blocks have numbers, those of one table one after the other. As in a processor's cache, the low bits of the number
//! name a *set* of places, and the block is in one of them or nowhere. First places of all sets lie side by side, then
//! all second places, and so on: as long as the tables in use have no more blocks than there are sets, each block has
//! the first place of a set for itself, and what is used is one dense piece of memory.
//!
//! A place is a tag and the codes of a block, two bits for a value, sixteen for a distance. The tag is the number of the
//! block; the value of all its positions, if it is the same, so that the codes need not be looked at; and a counter of
//! the times that the place was filled, which makes it a sequence lock. A writer first marks the place as busy, by one
//! compare-and-swap that lets a single writer in, then stores the codes, then the new tag. A reader takes the tag, the
//! word that it wants, and the tag again; only if both tags are the same is the word that block's. Where two threads want
//! the same place, the second goes without: having decoded the block itself, it has its code already.
//!
//! Each place is thus a lock of its own, a hit writes nothing, and the memory, asked for as zeroes, is only taken from
//! the system as places are filled.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

use damier_core::Value;
use damier_tables::{BLOCK, Scores, SharedWords};

/// The fewest places of a set.
const MIN_WAYS: usize = 4;

/// The low bits of a tag count fillings; odd while one is under way.
const COUNTER_BITS: u32 = 14;
const COUNTER: u64 = (1 << COUNTER_BITS) - 1;
/// Above them the value that all positions of the block have, as a number, or this; of distances only draws can be so.
const MIXED: u64 = 3;
/// Above that the number of the block plus one, 0 where there is none.
const NUMBER_SHIFT: u32 = COUNTER_BITS + 2;

/// A cache of win, draw or loss.
pub(crate) type ValueCache = BlockCache<{ BLOCK / 32 }>;
/// A cache of distances, as [`Scores`].
pub(crate) type DistanceCache = BlockCache<{ BLOCK / 4 }>;

/// The score of a draw.
const DRAW: u16 = Scores::of(Value::Draw, 0);

/// A cache of blocks of so many words.
pub(crate) struct BlockCache<const WORDS: usize> {
    /// By way, then set.
    tags: SharedWords,
    /// For each place `WORDS` words of codes, the first code lowest.
    words: SharedWords,
    /// A power of two.
    sets: usize,
    ways: usize,
    /// Counts evictions, to spread them over the places of a set.
    hand: AtomicU32,
}

/// A code of a position: a value in a byte, or a distance.
pub(crate) trait Code: Copy + PartialEq + Into<u16> {
    /// As many codes as a word has room for, or fewer, the first one lowest.
    fn pack(codes: &[Self]) -> u64;
}

impl Code for u8 {
    #[inline]
    fn pack(codes: &[u8]) -> u64 {
        let (eights, rest) = codes.as_chunks::<8>();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        let eights = std::iter::once(&last).chain(eights.iter().rev());
        // Neighbours move together: two codes to four bits, four to eight, eight to sixteen.
        let pack = |codes: &[u8; 8]| {
            let pairs = u64::from_le_bytes(*codes);
            let fours = (pairs | pairs >> 6) & 0x000f_000f_000f_000f;
            let eights = (fours | fours >> 12) & 0x0000_00ff_0000_00ff;
            (eights | eights >> 24) & 0xffff
        };
        eights.fold(0, |word, codes| word << 16 | pack(codes))
    }
}

impl Code for u16 {
    #[inline]
    fn pack(codes: &[u16]) -> u64 {
        codes.iter().rev().fold(0, |word, &code| word << 16 | u64::from(code))
    }
}

impl<const WORDS: usize> BlockCache<WORDS> {
    /// Codes in a word.
    const PER_WORD: usize = BLOCK / WORDS;
    /// Bits of a code.
    const BITS: usize = u64::BITS as usize / Self::PER_WORD;
    /// Bytes of a place.
    const PLACE: usize = (1 + WORDS) * size_of::<AtomicU64>();

    /// A cache of at most `bytes`, but at least one set. If the system does not give the memory, a smaller one.
    pub fn new(bytes: usize) -> Self {
        let mut places = (bytes / Self::PLACE).max(MIN_WAYS);
        loop {
            let sets = 1 << (places / MIN_WAYS).ilog2();
            let ways = places / sets;
            let tags = SharedWords::zeroed(sets * ways);
            let words = SharedWords::zeroed(sets * ways * WORDS);
            if let (Ok(tags), Ok(words)) = (tags, words) {
                return BlockCache { tags, words, sets, ways, hand: AtomicU32::new(0) };
            }
            assert!(places > MIN_WAYS, "a few KiB can be had");
            places = (places / 2).max(MIN_WAYS);
        }
    }

    /// The code at a place of a block, if the block is here.
    #[inline(always)]
    pub fn get(&self, block: u64, offset: usize) -> Option<u16> {
        for place in self.places(block) {
            let tag = self.tags[place].load(Ordering::Acquire);
            if tag >> NUMBER_SHIFT != block + 1 {
                continue;
            }
            let constant = tag >> COUNTER_BITS & 3;
            if constant != MIXED {
                return Some(if Self::BITS == 2 { constant as u16 } else { DRAW });
            }
            let word = self.words[place * WORDS + offset / Self::PER_WORD].load(Ordering::Relaxed);
            fence(Ordering::Acquire);
            if self.tags[place].load(Ordering::Relaxed) != tag {
                return None;
            }
            let mask = u16::MAX >> (u16::BITS as usize - Self::BITS);
            return Some((word >> (Self::BITS * (offset % Self::PER_WORD))) as u16 & mask);
        }
        None
    }

    /// Keeps a decoded block: the code of each position, at most [`BLOCK`] of them and at least one.
    pub fn insert<C: Code>(&self, block: u64, codes: &[C]) {
        let number = |place: usize| self.tags[place].load(Ordering::Relaxed) >> NUMBER_SHIFT;
        if self.places(block).any(|place| number(place) == block + 1) {
            return;
        }
        let place = self.places(block).find(|&place| number(place) == 0).unwrap_or_else(|| {
            let way = self.hand.fetch_add(1, Ordering::Relaxed) as usize % self.ways;
            self.places(block).nth(way).expect("a set has as many places")
        });
        let tag = &self.tags[place];
        let old = tag.load(Ordering::Relaxed);
        let busy = old & COUNTER | 1;
        let claim = |old| tag.compare_exchange(old, busy, Ordering::Relaxed, Ordering::Relaxed);
        if old & 1 == 1 || claim(old).is_err() {
            return;
        }
        fence(Ordering::Release);
        let constant = codes.iter().all(|&code| code == codes[0]);
        let value = match codes[0].into() {
            code if constant && Self::BITS == 2 => code.into(),
            DRAW if constant => Value::Draw as u64,
            _ => MIXED,
        };
        if value == MIXED {
            let words = &self.words[place * WORDS..][..WORDS];
            for (word, codes) in words.iter().zip(codes.chunks(Self::PER_WORD)) {
                word.store(C::pack(codes), Ordering::Relaxed);
            }
        }
        let counter = (busy + 1) & COUNTER;
        let tagged = (block + 1) << NUMBER_SHIFT | value << COUNTER_BITS | counter;
        tag.store(tagged, Ordering::Release);
    }

    /// The places at which a block can be.
    #[inline(always)]
    fn places(&self, block: u64) -> impl Iterator<Item = usize> + use<WORDS> {
        let (set, sets) = (block as usize & (self.sets - 1), self.sets);
        (0..self.ways).map(move |way| way * sets + set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes that depend on the block; every fifth block has one value only.
    fn codes(block: u64) -> Vec<u8> {
        let code = |at| (block.wrapping_mul(31) + at * at / 7) as u8 % 3;
        (0..BLOCK as u64)
            .map(|at| if block.is_multiple_of(5) { (block % 3) as u8 } else { code(at) })
            .collect()
    }

    #[test]
    fn returns_what_was_kept_or_nothing() {
        let cache = ValueCache::new(64 << 10);
        let blocks: Vec<u64> = (0..300).chain(1 << 40..(1 << 40) + 300).collect();
        for &block in &blocks {
            assert_eq!(cache.get(block, 5), None);
            let codes = codes(block);
            cache.insert(block, &codes);
            for (offset, &code) in codes.iter().enumerate() {
                assert_eq!(cache.get(block, offset), Some(code.into()));
            }
        }
        let mut kept = 0;
        for &block in &blocks {
            if let Some(code) = cache.get(block, 77) {
                assert_eq!(code, codes(block)[77].into());
                kept += 1;
            }
        }
        assert!(
            (150..=248).contains(&kept),
            "{kept} blocks kept of the 248 that there is room for"
        );
    }

    #[test]
    fn keeps_all_blocks_that_there_is_room_for() {
        let cache = ValueCache::new(64 << 10);
        let first = 12345;
        for block in first..first + cache.sets as u64 {
            cache.insert(block, &codes(block));
        }
        for block in first..first + cache.sets as u64 {
            assert_eq!(cache.get(block, 9), Some(codes(block)[9].into()));
        }
    }

    #[test]
    fn threads_never_see_a_foreign_value() {
        let cache = ValueCache::new(4 << 10);
        std::thread::scope(|scope| {
            for seed in 1..=4u64 {
                let cache = &cache;
                scope.spawn(move || {
                    let mut state = seed;
                    for _ in 0..100_000 {
                        state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                        let block = state >> 58;
                        let offset = (state >> 20) as usize % BLOCK;
                        let codes = codes(block);
                        match cache.get(block, offset) {
                            Some(code) => assert_eq!(code, codes[offset].into()),
                            None => cache.insert(block, &codes),
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn distances_are_kept_whole() {
        let cache = DistanceCache::new(20 << 10);
        let mixed: Vec<u16> = (0..BLOCK as u16).map(|at| at.wrapping_mul(64_999)).collect();
        for (block, codes) in [mixed, vec![DRAW; 70], vec![3; BLOCK]].iter().enumerate() {
            cache.insert(block as u64, codes);
            let kept = (0..codes.len()).map(|offset| cache.get(block as u64, offset));
            assert!(kept.eq(codes.iter().map(|&code| Some(code))));
        }
    }

    #[test]
    fn no_memory_is_too_little() {
        let cache = ValueCache::new(0);
        cache.insert(9, &[2u8, 1]);
        assert_eq!((cache.get(9, 0), cache.get(9, 1)), (Some(2), Some(1)));
    }
}
