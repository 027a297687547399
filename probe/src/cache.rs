//! A bounded cache of decoded blocks that any number of threads read without a lock.
//!
//! It is set-associative, like a processor's: the key of a block names one set of [`WAYS`] places, and the block is in
//! one of them or nowhere. A place is a tag and the block's codes, packed: two bits each for values, sixteen for
//! distances. A tag is the key and a counter of the times that the place was filled, and works as a sequence lock: a
//! writer first marks the place as busy, by one compare-and-swap that lets a single writer in, then stores the codes, then
//! the new tag. A reader takes the tag, the word that it wants, and the tag again; only if both tags are the same is the
//! word that block's. Where two threads want the same place, the second goes without: it has its code already, having
//! decoded the block itself.
//!
//! Each set is thus a shard of its own, a hit touches two lines of memory and writes to none, and the memory,
//! asked for as zeroes, is only taken from the system as places are filled.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

use damier_core::Color;
use damier_tables::BLOCK;
use zerocopy::FromZeros;

/// Places of a set.
const WAYS: usize = 8;
/// Bytes in a line of memory.
const LINE: usize = WAYS * size_of::<AtomicU64>();
/// The low bits of a tag count fillings; odd while one is under way.
const COUNTER_BITS: u32 = 11;
const COUNTER: u64 = (1 << COUNTER_BITS) - 1;

/// Bits of a key for the number of the table; what is left is for the block.
const TABLE_BITS: u32 = 13;
const TABLE_SHIFT: u32 = u64::BITS - COUNTER_BITS - TABLE_BITS;

/// Which block of which table, in as many bits as a tag has beside its counter. Never 0, which marks an empty place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(u64);

impl Key {
    /// The key of a block. Tables are numbered from 1, and all classes there are have fewer than 2^13 of them, whatever they
    /// hold; no class is so large that its blocks would need more than 39 bits.
    #[inline(always)]
    pub fn new(table: u16, turn: Color, block: u64) -> Key {
        debug_assert!((1..1 << TABLE_BITS).contains(&table) && block >> (TABLE_SHIFT - 1) == 0);
        Key(u64::from(table) << TABLE_SHIFT | block << 1 | turn as u64)
    }
}

/// A cache of win, draw or loss.
pub(crate) type ValueCache = BlockCache<{ BLOCK / 32 }>;
/// A cache of distances.
pub(crate) type DistanceCache = BlockCache<{ BLOCK / 4 }>;

/// A cache of blocks that take so many words each.
pub(crate) struct BlockCache<const WORDS: usize> {
    /// [`WAYS`] for each set, from [`first_tag`](BlockCache::first_tag) on.
    tags: Box<[AtomicU64]>,
    /// [`WORDS`] for each place.
    words: Box<[AtomicU64]>,
    sets: usize,
    /// Where the tags begin, so that those of a set are in one line of memory.
    first_tag: usize,
    /// Counts evictions, to spread them over the places of a set.
    hand: AtomicU32,
}

impl<const WORDS: usize> BlockCache<WORDS> {
    /// Codes in a word.
    const PER_WORD: usize = BLOCK / WORDS;
    /// Bits of a code.
    const BITS: usize = u64::BITS as usize / Self::PER_WORD;

    /// A cache of at most `bytes`, but at least one set. If the system does not give the memory, a smaller one.
    pub fn new(bytes: usize) -> Self {
        let mut sets = (bytes / ((1 + WORDS) * WAYS * size_of::<u64>())).max(1);
        loop {
            // Not aligned by its type: memory that is needs to be cleared, all other comes as zeroes from the system.
            let tags = <[AtomicU64]>::new_box_zeroed_with_elems((sets + 1) * WAYS);
            let words = <[AtomicU64]>::new_box_zeroed_with_elems(sets * WAYS * WORDS);
            if let (Ok(tags), Ok(words)) = (tags, words) {
                let first_tag = tags.as_ptr().align_offset(LINE).min(WAYS);
                return BlockCache { tags, words, sets, first_tag, hand: AtomicU32::new(0) };
            }
            assert!(sets > 1, "a few KiB can be had");
            sets /= 2;
        }
    }

    /// The tags of a set.
    #[inline(always)]
    fn tags(&self, set: usize) -> &[AtomicU64; WAYS] {
        let tags = &self.tags[self.first_tag + set * WAYS..];
        tags.first_chunk().expect("every set has its tags")
    }

    /// The values at one of a set's places.
    #[inline(always)]
    fn words(&self, set: usize, way: usize) -> &[AtomicU64; WORDS] {
        let words = &self.words[(set * WAYS + way) * WORDS..];
        words.first_chunk().expect("every place has its values")
    }

    /// The code at a place of a block, if the block is here.
    #[inline(always)]
    pub fn get(&self, key: Key, offset: usize) -> Option<u16> {
        let set = self.set(key);
        for (way, tag) in self.tags(set).iter().enumerate() {
            let before = tag.load(Ordering::Acquire);
            if before >> COUNTER_BITS == key.0 {
                let words = self.words(set, way);
                let word = words[offset / Self::PER_WORD].load(Ordering::Relaxed);
                fence(Ordering::Acquire);
                let unchanged = tag.load(Ordering::Relaxed) == before;
                let mask = u16::MAX >> (u16::BITS as usize - Self::BITS);
                let code = (word >> (Self::BITS * (offset % Self::PER_WORD))) as u16 & mask;
                return unchanged.then_some(code);
            }
        }
        None
    }

    /// Keeps a decoded block: a code a position, at most [`BLOCK`] of them.
    pub fn insert(&self, key: Key, codes: &[impl Copy + Into<u64>]) {
        let set = self.set(key);
        let tags = self.tags(set);
        let is_here = |tag: &AtomicU64| tag.load(Ordering::Relaxed) >> COUNTER_BITS == key.0;
        if tags.iter().any(is_here) {
            return;
        }
        let empty = tags.iter().position(|tag| tag.load(Ordering::Relaxed) == 0);
        let way =
            empty.unwrap_or_else(|| self.hand.fetch_add(1, Ordering::Relaxed) as usize % WAYS);
        let tag = &tags[way];
        let old = tag.load(Ordering::Relaxed);
        let busy = (old & COUNTER) | 1;
        if old & 1 == 1
            || tag.compare_exchange(old, busy, Ordering::Relaxed, Ordering::Relaxed).is_err()
        {
            return;
        }
        fence(Ordering::Release);
        for (word, codes) in self.words(set, way).iter().zip(codes.chunks(Self::PER_WORD)) {
            // The first code lowest.
            let pack = |word, &code: &_| word << Self::BITS | Into::<u64>::into(code);
            word.store(codes.iter().rev().fold(0, pack), Ordering::Relaxed);
        }
        let counter = (busy + 1) & COUNTER;
        tag.store(key.0 << COUNTER_BITS | counter, Ordering::Release);
    }

    /// The set of a key.
    #[inline(always)]
    fn set(&self, key: Key) -> usize {
        // Fibonacci hashing; the high half of the product with the number of sets is then even over them.
        let hash = key.0.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((u128::from(hash) * self.sets as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(table: u16, block: u64) -> Key {
        Key::new(table, Color::Black, block)
    }

    /// Codes that depend on the key and the offset.
    fn codes(key: Key) -> Vec<u8> {
        (0..BLOCK as u64).map(|at| (key.0.wrapping_mul(31) + at * at / 7) as u8 % 3).collect()
    }

    #[test]
    fn returns_what_was_kept_or_nothing() {
        let cache = ValueCache::new(64 << 10);
        let keys: Vec<_> =
            (1..4).flat_map(|table| (0..200).map(move |block| key(table, block))).collect();
        let mut hits = 0;
        for &key in &keys {
            assert_eq!(cache.get(key, 5), None);
            let codes = codes(key);
            cache.insert(key, &codes);
            for (offset, &code) in codes.iter().enumerate() {
                assert_eq!(cache.get(key, offset), Some(code.into()));
            }
        }
        for &key in &keys {
            if let Some(code) = cache.get(key, 77) {
                assert_eq!(code, codes(key)[77].into());
                hits += 1;
            }
        }
        assert!(
            (100..=248).contains(&hits),
            "{hits} blocks kept of the 248 that there is room for"
        );
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
                        let key = key(1, state >> 58);
                        let offset = (state >> 20) as usize % BLOCK;
                        let codes = codes(key);
                        match cache.get(key, offset) {
                            Some(code) => assert_eq!(code, codes[offset].into()),
                            None => cache.insert(key, &codes),
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn distances_are_kept_whole() {
        let cache = DistanceCache::new(20 << 10);
        let key = key(3, 4);
        let codes: Vec<u16> = (0..BLOCK as u16).map(|at| at.wrapping_mul(64_999)).collect();
        cache.insert(key, &codes);
        let kept = (0..BLOCK).map(|offset| cache.get(key, offset));
        assert!(kept.eq(codes.iter().map(|&code| Some(code))));
    }

    #[test]
    fn no_memory_is_too_little() {
        let cache = ValueCache::new(0);
        let key = key(7, 9);
        cache.insert(key, &[2u8, 1]);
        assert_eq!((cache.get(key, 0), cache.get(key, 1)), (Some(2), Some(1)));
    }
}
