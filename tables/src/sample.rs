//! Samples: a few blocks of a table, from which the encoder learns about the rest.

use damier_core::{Color, Rules};
use rayon::prelude::*;

use crate::block::constant;
use crate::header::{BLOCK, block_count};
use crate::index::Index;
use crate::layout::Layout;
use crate::successors::Opposite;
use crate::values::{Values, filled_with_previous};

/// The most blocks that a model is fitted on.
const FITTING_BLOCKS: u64 = 16384;

/// Blocks that are not constant, from all parts of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    /// The blocks.
    pub blocks: Vec<SampleBlock>,
    /// How many times larger the whole is.
    pub scale: f64,
}

/// A block of a sample.
#[derive(Clone, Debug)]
pub(crate) struct SampleBlock {
    /// The number of its first position.
    pub start: u64,
    /// Its codes.
    pub codes: Vec<u8>,
    /// What is known of the other side to move.
    pub opposite: Option<Opposite>,
}

impl Sample {
    /// The sample on which a model is fitted. `opposite` gives what is known of the other side to move in the block with a number.
    pub fn for_fitting<R: Rules>(
        index: &Index<R>,
        turn: Color,
        values: &impl Values<R>,
        opposite: impl Fn(u64) -> Option<Opposite> + Sync,
    ) -> Sample {
        let mut sample = Sample::new(index, turn, values, FITTING_BLOCKS, block_count(index.len()));
        sample.blocks.par_iter_mut().for_each(|block| {
            block.opposite = opposite(block.start / BLOCK as u64);
        });
        sample
    }

    /// A sample on which orders of the groups are tried. What is known of the other side to move is its values, and what is not stored is like
    /// what comes before it.
    pub fn for_trying<R: Rules>(
        index: &Index<R>,
        layout: &Layout,
        turn: Color,
        values: &impl Values<R>,
        wanted: u64,
        tries: u64,
    ) -> Sample {
        let mut sample = Sample::new(index, turn, values, wanted, tries);
        if !index.class().is_symmetric() {
            for SampleBlock { start, codes, opposite } in &mut sample.blocks {
                let mut other = vec![0; codes.len()];
                values.fill(index, !turn, *start, &mut other);
                *opposite = Some(Opposite::new(layout, *start, &filled_with_previous(&other)));
            }
        }
        sample
    }

    /// The first blocks of the sample, which are from all parts of the table as well.
    pub fn part(&self, blocks: usize) -> Sample {
        let blocks = blocks.min(self.blocks.len());
        let scale = self.scale * self.blocks.len() as f64 / blocks.max(1) as f64;
        Sample { blocks: self.blocks[..blocks].to_vec(), scale }
    }

    /// Takes as many blocks as are wanted, looking at no more than `tries`.
    fn new<R: Rules>(
        index: &Index<R>,
        turn: Color,
        values: &impl Values<R>,
        wanted: u64,
        tries: u64,
    ) -> Sample {
        let (blocks, scale) = scattered_blocks(index.len(), wanted, tries, |start, len| {
            let mut codes = vec![0; len];
            values.fill(index, turn, start, &mut codes);
            constant(&codes).is_err().then_some(SampleBlock { start, codes, opposite: None })
        });
        Sample { blocks, scale }
    }
}

/// As many blocks as are wanted from all parts of a table of `len` positions, looking at no more than `tries`: what `take` gives for the first
/// number and the positions of a block, if it is to be one of them. Returns them, and how many times larger the whole is than what was looked at.
pub(crate) fn scattered_blocks<B>(
    len: u64,
    wanted: u64,
    tries: u64,
    take: impl Fn(u64, usize) -> Option<B>,
) -> (Vec<B>, f64) {
    let count = block_count(len);
    let mut blocks = Vec::new();
    let mut tried = 0;
    for block in scattered(count) {
        if tried == tries || blocks.len() as u64 == wanted {
            break;
        }
        let start = block * BLOCK as u64;
        blocks.extend(take(start, (len - start).min(BLOCK as u64) as usize));
        tried += 1;
    }
    (blocks, count as f64 / tried.max(1) as f64)
}

/// All numbers below `count`, in an order in which the first ones, however many, are spread evenly: in steps of about the golden section.
fn scattered(count: u64) -> impl Iterator<Item = u64> {
    let step = coprime_step(count);
    std::iter::successors(Some(0), move |block| Some((block + step) % count)).take(count as usize)
}

/// A number without common divisors with `n`, about 0.618 of it.
fn coprime_step(n: u64) -> u64 {
    let gcd = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let about = (n as f64 * 0.618_034) as u64;
    (about.max(1)..).find(|&step| gcd(step, n) == 1).expect("n + 1 is one")
}
