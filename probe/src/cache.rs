//! A bounded cache of decoded blocks that any number of threads read without a lock.
//!
//! It is set-associative, like a processor's: the key of a block names one set of [`WAYS`] places, and the block is in
//! one of them or nowhere. A place is a tag and the block's values at two bits each. A tag is the key and a counter
//! of the times that the place was filled, and works as a sequence lock: a writer first marks the place as busy,
//! by one compare-and-swap that lets a single writer in, then stores the values, then the new tag. A reader takes the tag,
//! the word that it wants, and the tag again; only if both tags are the same is the word that block's. Where two
//! threads want the same place, the second goes without: it has its value already, having decoded the block itself.
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
/// Positions in a word, at two bits each.
const PER_WORD: usize = 32;
/// Words of a block.
const WORDS: usize = BLOCK / PER_WORD;
/// The low bits of a tag count fillings; odd while one is under way.
const COUNTER_BITS: u32 = 12;
const COUNTER: u64 = (1 << COUNTER_BITS) - 1;

/// Bits of a key for the number of the table; what is left is for the block.
const TABLE_BITS: u32 = 11;
const TABLE_SHIFT: u32 = u64::BITS - COUNTER_BITS - TABLE_BITS;

/// Which block of which table, in as many bits as a tag has beside its counter. Never 0, which marks an empty place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(u64);

impl Key {
    /// The key of a block. Tables are numbered from 1, and all classes there are have fewer than 2^11 of them; no class is
    /// so large that its blocks would need more than 40 bits.
    #[inline(always)]
    pub fn new(table: u16, turn: Color, block: u64) -> Key {
        debug_assert!((1..1 << TABLE_BITS).contains(&table) && block >> (TABLE_SHIFT - 1) == 0);
        Key(u64::from(table) << TABLE_SHIFT | block << 1 | turn as u64)
    }
}

/// The cache.
pub(crate) struct BlockCache {
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

impl BlockCache {
    /// A cache of at most `bytes`, but at least one set. If the system does not give the memory, a smaller one.
    pub fn new(bytes: usize) -> BlockCache {
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

    /// The value code at a place of a block, if the block is here.
    #[inline(always)]
    pub fn get(&self, key: Key, offset: usize) -> Option<u8> {
        let set = self.set(key);
        for (way, tag) in self.tags(set).iter().enumerate() {
            let before = tag.load(Ordering::Acquire);
            if before >> COUNTER_BITS == key.0 {
                let word = self.words(set, way)[offset / PER_WORD].load(Ordering::Relaxed);
                fence(Ordering::Acquire);
                let unchanged = tag.load(Ordering::Relaxed) == before;
                return unchanged.then(|| (word >> (2 * (offset % PER_WORD))) as u8 & 3);
            }
        }
        None
    }

    /// Keeps a decoded block: one code below 4 a position, at most [`BLOCK`] of them.
    pub fn insert(&self, key: Key, codes: &[u8]) {
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
        for (word, codes) in self.words(set, way).iter().zip(codes.chunks(PER_WORD)) {
            word.store(packed(codes), Ordering::Relaxed);
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

/// Two bits a code, the first lowest.
fn packed(codes: &[u8]) -> u64 {
    codes.iter().rev().fold(0, |word, &code| word << 2 | u64::from(code))
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
        let cache = BlockCache::new(64 << 10);
        let keys: Vec<_> =
            (1..4).flat_map(|table| (0..200).map(move |block| key(table, block))).collect();
        let mut hits = 0;
        for &key in &keys {
            assert_eq!(cache.get(key, 5), None);
            let codes = codes(key);
            cache.insert(key, &codes);
            for (offset, &code) in codes.iter().enumerate() {
                assert_eq!(cache.get(key, offset), Some(code));
            }
        }
        for &key in &keys {
            if let Some(code) = cache.get(key, 77) {
                assert_eq!(code, codes(key)[77]);
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
        let cache = BlockCache::new(4 << 10);
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
                            Some(code) => assert_eq!(code, codes[offset]),
                            None => cache.insert(key, &codes),
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn no_memory_is_too_little() {
        let cache = BlockCache::new(0);
        let key = key(7, 9);
        cache.insert(key, &[2, 1]);
        assert_eq!((cache.get(key, 0), cache.get(key, 1)), (Some(2), Some(1)));
    }
}
