//! Fitting a model of distances to a sample of blocks.

use damier_core::{Color, Rules};

use crate::clue::{
    Clue, Clues, DIGIT, DIGITS, Guess, MAX_CLUES, NO_PLIES, Riddle, Scores, plies_of,
};
use crate::coder;
use crate::context::{Buffer, Slot};
use crate::distance_block::is_decided;
use crate::distance_coder::{FARTHEST, rest_of, stepped};
use crate::distance_model::{Belief, Counts, DistanceModel, Node, REST};
use crate::distances::{Distances, code_of_score};
use crate::fit::fit;
use crate::header::{BLOCK, block_count};
use crate::index::Index;
use crate::layout::Layout;
use crate::range::Encoder;
use crate::sample::{Sample, scattered};

/// Blocks with wins or losses to learn from.
#[derive(Clone, Debug, Default)]
pub(crate) struct DistanceSample {
    /// The number of the first position of each block, and its scores.
    pub blocks: Vec<(u64, Vec<u16>)>,
    /// How many times larger the whole is.
    pub scale: f64,
}

/// The most blocks that a model is fitted on.
const FITTING_BLOCKS: usize = 1024;

impl DistanceSample {
    /// Takes blocks from all parts of a table.
    pub fn new<R: Rules>(
        index: &Index<R>,
        turn: Color,
        distances: &impl Distances<R>,
    ) -> DistanceSample {
        let mut blocks = Vec::new();
        let mut tried = 0;
        for block in scattered(block_count(index.len())) {
            if blocks.len() == FITTING_BLOCKS {
                break;
            }
            tried += 1;
            let start = block * BLOCK as u64;
            let mut scores = vec![0; (index.len() - start).min(BLOCK as u64) as usize];
            distances.fill(index, turn, start, &mut scores);
            if is_decided(&scores) {
                blocks.push((start, scores));
            }
        }
        DistanceSample { blocks, scale: block_count(index.len()) as f64 / f64::from(tried.max(1)) }
    }
}

/// Won and lost positions that clues are chosen on, at most.
const CHOOSING: usize = 40_000;
/// How often what does not matter is filled with what the model expects, and the trees fitted again.
const ROUNDS: usize = 2;
/// A clue must save this share of a bit a won or lost position.
const LEAST_GAIN: f64 = 0.002;

/// A block of the sample, its values as they are coded.
struct Block<'a> {
    start: u64,
    values: Vec<u8>,
    scores: &'a [u16],
}

/// Fits a model.
pub(crate) fn fit_distances(layout: &Layout, sample: &DistanceSample) -> DistanceModel {
    let coded = sample.blocks.iter().map(|(start, scores)| {
        (*start, scores.iter().copied().map(code_of_score).collect::<Vec<_>>())
    });
    let mixed = coded.clone().filter(|(_, codes)| crate::block::constant(codes).is_err());
    let values = fit(layout, &Sample { blocks: mixed.collect(), scale: sample.scale });
    let blocks: Vec<Block> = coded
        .zip(&sample.blocks)
        .map(|((start, codes), (_, scores))| {
            let mut buffer = Buffer::new();
            buffer.values()[..codes.len()].copy_from_slice(&codes);
            let mut scratch = Vec::new();
            let coder = Encoder::new(&mut scratch);
            coder::encode_values(&values, layout, start, codes.len(), &mut buffer, coder);
            Block { start, values: buffer.values()[..codes.len()].to_vec(), scores }
        })
        .collect();
    let (shifts, firsts) = scales(&blocks);

    // Choosing looks at the first blocks only; the sample has them from all parts.
    let mut some = 0;
    let decided = |block: &Block| block.values.iter().filter(|&&value| value != 1).count();
    let few = blocks.iter().take_while(|block| {
        let enough = some >= CHOOSING;
        some += decided(block);
        !enough
    });
    let few = few.count();
    let choice = Choice { layout, blocks: &blocks[..few], shifts, firsts };
    let scale = sample.scale * blocks.len() as f64 / few.max(1) as f64;
    let reference = choice.reference();
    let clues = choice.clues(reference, scale);

    let clues = Clues::new(layout, reference, &clues, shifts, firsts);
    let mut model: Option<DistanceModel> = None;
    for _ in 0..=ROUNDS {
        let mut visits = Vec::new();
        for block in &blocks {
            let collecting = Collecting { model: model.as_ref(), shifts, visits };
            visits = block.walk(layout, &clues, collecting).visits;
        }
        let rest = rest(&visits);
        let groups = Group::of(visits);
        let mut cost = BELIEF_BITS;
        model = loop {
            let trees = [false, true].map(|won| {
                let groups: Vec<_> = groups.iter().filter(|group| group.won == won).collect();
                let growing = Growing { levels: clues.clues().len(), scale: sample.scale, cost };
                growing.grow(&groups, 0, Belief::fitted(&[0; REST], Belief::NONE)).1
            });
            let fitted = DistanceModel::new(values.clone(), clues.clone(), trees, rest);
            if fitted.is_some() {
                break fitted;
            }
            cost *= 2.0;
        };
    }
    model.expect("at least one round")
}

impl Block<'_> {
    fn walk<G: Guess>(&self, layout: &Layout, clues: &Clues, guesser: G) -> G {
        let mut buffer = Scores::new();
        buffer.block()[..self.scores.len()].copy_from_slice(self.scores);
        clues.walk(layout, self.start, &self.values, &mut buffer, guesser)
    }
}

/// By how much distances of losses and wins are shifted, and the commonest of each.
fn scales(blocks: &[Block]) -> ([u32; 2], [u16; 2]) {
    let mut shifts = [0; 2];
    let mut firsts = [0; 2];
    for won in [false, true] {
        let scores = blocks.iter().flat_map(|block| block.scores);
        let mut all: Vec<u16> =
            scores.map(|&score| plies_of(score, won)).filter(|&plies| plies < NO_PLIES).collect();
        all.sort_unstable();
        let odd = all.iter().filter(|&&plies| plies % 2 == 1).count();
        shifts[usize::from(won)] = u32::from(odd == 0 || odd == all.len());
        let commonest = all.chunk_by(|a, b| a == b).max_by_key(|chunk| chunk.len());
        firsts[usize::from(won)] = commonest.map_or(0, |chunk| chunk[0]);
    }
    (shifts, firsts)
}

/// A won or lost position of the sample.
struct Visit {
    won: bool,
    context: u32,
    symbol: u8,
}

/// Writes down every position that matters, and where there is a model the others as well, as it expects them.
struct Collecting<'a> {
    model: Option<&'a DistanceModel>,
    shifts: [u32; 2],
    visits: Vec<Visit>,
}

impl Guess for Collecting<'_> {
    #[inline(always)]
    fn guess(&mut self, plies: u16, riddle: Riddle) -> u16 {
        let Riddle { won, reference, context } = riddle;
        let shift = self.shifts[usize::from(won)];
        let matters = plies < NO_PLIES;
        let plies = match self.model {
            _ if matters => plies,
            Some(model) => stepped(reference, model.expectation(riddle).likely, shift),
            None => return reference,
        };
        let symbol = rest_of(plies, reference, shift) as u8;
        self.visits.push(Visit { won, context: context as u32, symbol });
        plies
    }
}

/// The chances of the bits of symbols, from how often they occur where they are not expected: roughly, where they are not the commonest of their
/// context.
fn rest(visits: &[Visit]) -> [[u8; REST]; 2] {
    let mut counts = [[[1u32; 2]; REST]; 2];
    for visit in visits.iter().filter(|visit| visit.symbol != FARTHEST as u8) {
        let mut node = 1;
        for place in (0..REST.ilog2()).rev() {
            let bit = usize::from(visit.symbol >> place & 1);
            counts[usize::from(visit.won)][node][bit] += 1;
            node = node << 1 | bit;
        }
    }
    counts.map(|counts| {
        counts.map(|[clear, set]| (256 * u64::from(set) / u64::from(clear + set)) as u8)
    })
}

/// Choosing the reference and the clues.
struct Choice<'a> {
    layout: &'a Layout,
    blocks: &'a [Block<'a>],
    shifts: [u32; 2],
    firsts: [u16; 2],
}

impl Choice<'_> {
    fn collect(&self, reference: Slot, clues: &[Clue]) -> Vec<Visit> {
        let clues = Clues::new(self.layout, reference, clues, self.shifts, self.firsts);
        let mut visits = Vec::new();
        for block in self.blocks {
            let collecting = Collecting { model: None, shifts: self.shifts, visits };
            visits = block.walk(self.layout, &clues, collecting).visits;
        }
        visits
    }

    /// The slot whose distance alone says most.
    fn reference(&self) -> Slot {
        let far = |slot: &Slot| *slot == Slot::Previous || crate::clue::far_step(*slot).is_some();
        let slots = Slot::all(self.layout).into_iter().filter(far);
        let bits = |slot: &Slot| {
            let mut counts = [[0; REST]; 2];
            for visit in self.collect(*slot, &[]) {
                counts[usize::from(visit.won)][usize::from(visit.symbol)] += 1;
            }
            counts.iter().map(entropy).sum::<f64>()
        };
        let best = slots.map(|slot| (bits(&slot), slot)).min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or(Slot::Previous, |(_, slot)| slot)
    }

    /// Chooses clues one by one, each time the one that leaves the fewest bits.
    fn clues(&self, reference: Slot, scale: f64) -> Vec<Clue> {
        let all = Clue::all(self.layout);
        let mut digits: Vec<Vec<u8>> = Vec::new();
        let mut symbols = Vec::new();
        let mut contexts = Vec::new();
        for some in all.chunks(MAX_CLUES) {
            let visits = self.collect(reference, some);
            for place in 0..some.len() {
                let shift = DIGIT * (some.len() - 1 - place);
                let digit = |visit: &Visit| (visit.context >> shift) as u8 % DIGITS as u8;
                digits.push(visits.iter().map(digit).collect());
            }
            symbols = visits.iter().map(|visit| visit.symbol).collect();
            contexts = visits.iter().map(|visit| u32::from(visit.won)).collect();
        }
        let mut count = 2;
        let mut chosen = Vec::new();
        let mut current = f64::INFINITY;
        while chosen.len() < MAX_CLUES {
            let bits = digits.iter().map(|digits| bits(&contexts, count, digits, &symbols, scale));
            let best = bits.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
            let Some((best, bits)) = best else { break };
            if bits > current - LEAST_GAIN * symbols.len() as f64 {
                break;
            }
            current = bits;
            chosen.push(all[best]);
            // Contexts are numbered anew as far as they occur.
            let mut numbers = vec![u32::MAX; DIGITS * count];
            count = 0;
            for (context, &digit) in contexts.iter_mut().zip(&digits[best]) {
                let number = &mut numbers[DIGITS * *context as usize + usize::from(digit)];
                if *number == u32::MAX {
                    *number = count as u32;
                    count += 1;
                }
                *context = *number;
            }
        }
        chosen
    }
}

/// Bits that symbols take in `count` contexts, each split by a digit.
fn bits(contexts: &[u32], count: usize, digits: &[u8], symbols: &[u8], scale: f64) -> f64 {
    let mut counts = vec![[0u32; REST]; DIGITS * count];
    for ((&context, &digit), &symbol) in contexts.iter().zip(digits).zip(symbols) {
        counts[DIGITS * context as usize + usize::from(digit)][usize::from(symbol)] += 1;
    }
    let cost = |counts: &Counts| {
        let different = counts.iter().filter(|&&count| count > 0).count() as f64;
        entropy(counts)
            + if different > 0.0 {
                BELIEF_BITS / scale + OVERFIT_BITS * (different - 1.0)
            } else {
                0.0
            }
    };
    counts.iter().map(cost).sum()
}

/// Bits that symbols take that occur so often.
fn entropy(counts: &Counts) -> f64 {
    let log = |n: u32| if n == 0 { 0.0 } else { f64::from(n) * f64::from(n).log2() };
    log(counts.iter().sum()) - counts.iter().copied().map(log).sum::<f64>()
}

/// The positions of the sample that have the same context.
struct Group {
    won: bool,
    context: u32,
    counts: Counts,
}

impl Group {
    /// The groups of all positions, by context.
    fn of(mut visits: Vec<Visit>) -> Vec<Group> {
        visits.sort_unstable_by_key(|visit| (visit.won, visit.context));
        let same = |a: &Visit, b: &Visit| (a.won, a.context) == (b.won, b.context);
        let groups = visits.chunk_by(same).map(|visits| {
            let mut counts = [0; REST];
            visits.iter().for_each(|visit| counts[usize::from(visit.symbol)] += 1);
            Group { won: visits[0].won, context: visits[0].context, counts }
        });
        groups.collect()
    }
}

/// What a belief costs in the file, roughly, in bits.
const BELIEF_BITS: f64 = 14.0;
/// What it costs to have children, roughly, in bits.
const SPLIT_BITS: f64 = 6.0;
/// What a fitted number promises too much, in bits of the sample it was fitted on (Akaike).
const OVERFIT_BITS: f64 = 1.5;

/// Growing the tree that takes the fewest bits, itself included.
struct Growing {
    levels: usize,
    scale: f64,
    cost: f64,
}

impl Growing {
    /// The best node for these groups where that is believed above, and its bits.
    fn grow(&self, groups: &[&Group], level: usize, before: Belief) -> (f64, Node) {
        if groups.is_empty() {
            return (0.0, Node::default());
        }
        let mut counts = [0; REST];
        for group in groups {
            counts.iter_mut().zip(group.counts).for_each(|(sum, count)| *sum += count);
        }
        let own = Belief::fitted(&counts, before);
        let believing = self.cost + 2.0 * OVERFIT_BITS * (self.scale - 1.0);
        let as_above = self.scale * before.bits(&counts);
        let alone = self.scale * own.bits(&counts) + believing;
        let mut best = if as_above <= alone {
            (as_above, Node::default())
        } else {
            (alone, Node { belief: Some(own), children: None })
        };
        if level < self.levels && best.0 > believing {
            let shift = DIGIT * (self.levels - 1 - level);
            let mut rest = groups;
            let mut bits = believing + SPLIT_BITS;
            let children = std::array::from_fn(|digit| {
                let end = rest
                    .partition_point(|group| (group.context >> shift) as usize % DIGITS <= digit);
                let (child, others) = rest.split_at(end);
                rest = others;
                let (cost, node) = self.grow(child, level + 1, own);
                bits += cost;
                node
            });
            if bits < best.0 {
                best = (bits, Node { belief: Some(own), children: Some(Box::new(children)) });
            }
        }
        best
    }
}
