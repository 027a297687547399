//! Fitting a model of distances to a sample of blocks.

use damier_core::{Color, Rules};

use crate::clue::{Clue, Clues, DIGITS, Guess, MAX_CLUES, NO_PLIES, Riddle, digit_shift, far_step};
use crate::coder;
use crate::context::{Buffer, Slot};
use crate::distance_block::{fill_with_previous, is_decided};
use crate::distance_model::{DistanceModel, MAX_SHAPES, Node};
use crate::distances::{Distances, code_of_score, plies_of};
use crate::fit::{fit, quick_estimate};
use crate::header::block_count;
use crate::index::Index;
use crate::layout::{Layout, Piece, Step};
use crate::range::Encoder;
use crate::sample::{Sample, SampleBlock, scattered_blocks};
use crate::shape::{Counts, SYMBOLS, Shape, symbol};

/// Blocks with wins or losses to learn from.
#[derive(Clone, Debug, Default)]
pub(crate) struct DistanceSample {
    /// The number of the first position of each block, and its scores.
    pub blocks: Vec<(u64, Vec<u16>)>,
    /// How many times larger the whole is.
    pub scale: f64,
}

/// The most blocks that a model is fitted on.
const FITTING_BLOCKS: u64 = 1024;

impl DistanceSample {
    /// The sample on which a model is fitted.
    pub fn for_fitting<R: Rules>(
        index: &Index<R>,
        turn: Color,
        distances: &impl Distances<R>,
    ) -> DistanceSample {
        DistanceSample::new(index, turn, distances, FITTING_BLOCKS, block_count(index.len()))
    }

    /// Takes as many blocks as are wanted from all parts of a table, looking at no more than `tries`.
    pub fn new<R: Rules>(
        index: &Index<R>,
        turn: Color,
        distances: &impl Distances<R>,
        wanted: u64,
        tries: u64,
    ) -> DistanceSample {
        let (blocks, scale) = scattered_blocks(index.len(), wanted, tries, |start, len| {
            let mut scores = vec![0; len];
            distances.fill(index, turn, start, &mut scores);
            is_decided(&scores).then_some((start, scores))
        });
        DistanceSample { blocks, scale }
    }

    /// The values of the sample.
    fn values(&self) -> Sample {
        let codes = |scores: &[u16]| scores.iter().copied().map(code_of_score).collect();
        let blocks = self.blocks.iter().map(|(start, scores)| SampleBlock {
            start: *start,
            codes: codes(scores),
            opposite: None,
        });
        Sample { blocks: blocks.collect(), scale: self.scale }
    }
}

/// Bits that the sample would take, roughly, with clues that are good for most tables.
pub(crate) fn estimate_distances(layout: &Layout, sample: &DistanceSample) -> f64 {
    let blocks = sample.blocks.iter().map(|(start, scores)| {
        let mut filled = scores.clone();
        fill_with_previous(&mut filled);
        Block { start: *start, values: filled.into_iter().map(code_of_score).collect(), scores }
    });
    let blocks: Vec<Block> = blocks.collect();
    let (shift, firsts) = scales(&blocks);
    let [up_left, up_right] = [Step::UpLeft, Step::UpRight];
    let second = layout.pieces().nth(1).unwrap_or(Piece::INNERMOST);
    let near = [up_left, up_right].map(|step| Clue::Neighbour(Slot::Step(Piece::INNERMOST, step)));
    let clues = [near[1], Clue::Neighbour(Slot::Step(second, up_right)), near[0]];
    let clues = Clues::new(layout, Slot::Step(second, up_left), &clues, shift, firsts);
    let groups = Group::of(collect(layout, &blocks, &clues, None));
    let distances: f64 = groups.iter().map(|group| penalised(&group.counts, sample.scale)).sum();
    let [values, _] = quick_estimate(layout, &sample.values(), None);
    distances + values
}

/// Won and lost positions that clues are chosen on, at most.
const CHOOSING: usize = 20_000;
/// How often what does not matter is filled with what the model expects, and the model fitted again.
const ROUNDS: usize = 1;
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
    let value_sample = sample.values();
    let values = fit(layout, &value_sample, None);
    let blocks = value_sample.blocks.iter().zip(&sample.blocks).map(
        |(SampleBlock { start, codes, .. }, (_, scores))| {
            let mut buffer = Buffer::new();
            let mut scratch = Vec::new();
            let coder = Encoder::new(&mut scratch);
            coder::encode_values(&values, layout, *start, codes, &mut buffer, None, coder);
            Block { start: *start, values: buffer.values()[..codes.len()].to_vec(), scores }
        },
    );
    let blocks: Vec<Block> = blocks.collect();
    let (shift, firsts) = scales(&blocks);

    // Choosing looks at the first blocks only; the sample has them from all parts.
    let mut some = 0;
    let few = blocks.iter().take_while(|block| {
        let enough = some >= CHOOSING;
        some += block.values.iter().filter(|&&value| value != 1).count();
        !enough
    });
    let few = few.count();
    let choice = Choice { layout, blocks: &blocks[..few], shift, firsts };
    let scale = sample.scale * blocks.len() as f64 / few.max(1) as f64;
    let reference = choice.reference();
    let clues = choice.clues(reference, scale);
    let clues = Clues::new(layout, reference, &clues, shift, firsts);

    let mut model: Option<DistanceModel> = None;
    for _ in 0..=ROUNDS {
        let visits = collect(layout, &blocks, &clues, model.as_ref());
        let groups = Group::of(visits);
        let few = clues.clues().len().min(SHAPING_CLUES);
        let shapes = shapes(&groups, few, sample.scale);
        let growing = Growing {
            levels: clues.clues().len(),
            scale: sample.scale,
            bits: shapes.iter().map(|shape| shape.bits()).collect(),
        };
        let trees = [false, true].map(|won| {
            let lost = groups.partition_point(|group| !group.won);
            let groups = if won { &groups[lost..] } else { &groups[..lost] };
            growing.grow(groups, 0, None).1
        });
        model = Some(DistanceModel::new(values.clone(), clues.clone(), shapes, trees));
    }
    model.expect("at least one round")
}

/// By how much distances are shifted, and the commonest of losses and of wins.
fn scales(blocks: &[Block]) -> (u32, [u16; 2]) {
    let mut shift = 1;
    let mut firsts = [0; 2];
    for won in [false, true] {
        let scores = blocks.iter().flat_map(|block| block.scores);
        let mut all: Vec<u16> =
            scores.map(|&score| plies_of(score, won)).filter(|&plies| plies < NO_PLIES).collect();
        all.sort_unstable();
        let odd = all.iter().filter(|&&plies| plies % 2 == 1).count();
        shift &= u32::from(odd == 0 || odd == all.len());
        let commonest = all.chunk_by(|a, b| a == b).max_by_key(|chunk| chunk.len());
        firsts[usize::from(won)] = commonest.map_or(0, |chunk| chunk[0]);
    }
    (shift, firsts)
}

/// A won or lost position of the sample.
struct Visit {
    won: bool,
    context: u32,
    symbol: u8,
}

/// All won and lost positions of some blocks that matter, and where there is a model the others as well, as it expects them.
fn collect(
    layout: &Layout,
    blocks: &[Block],
    clues: &Clues,
    model: Option<&DistanceModel>,
) -> Vec<Visit> {
    let mut collecting = Collecting { model, shift: clues.shift, scores: &[], visits: Vec::new() };
    for block in blocks {
        collecting.scores = block.scores;
        clues.walk(layout, block.start, &block.values, &mut collecting, ());
    }
    collecting.visits
}

struct Collecting<'a> {
    model: Option<&'a DistanceModel>,
    shift: u32,
    scores: &'a [u16],
    visits: Vec<Visit>,
}

impl Guess for Collecting<'_> {
    type State = ();

    #[inline(always)]
    fn guess(&mut self, (): &mut (), riddle: Riddle) -> u16 {
        let Riddle { at, won, reference, context } = riddle;
        let mut plies = plies_of(self.scores[at], won);
        if plies >= NO_PLIES {
            let Some(model) = self.model else { return reference };
            plies = model.questions(riddle).likely(reference);
        }
        self.visits.push(Visit { won, context, symbol: symbol(plies, reference, self.shift) });
        plies
    }
}

/// Choosing the reference and the clues.
struct Choice<'a> {
    layout: &'a Layout,
    blocks: &'a [Block<'a>],
    shift: u32,
    firsts: [u16; 2],
}

impl Choice<'_> {
    fn collect(&self, reference: Slot, clues: &[Clue]) -> Vec<Visit> {
        let clues = Clues::new(self.layout, reference, clues, self.shift, self.firsts);
        collect(self.layout, self.blocks, &clues, None)
    }

    /// The slot whose distance alone says most.
    fn reference(&self) -> Slot {
        let possible = |slot: &Slot| *slot == Slot::Previous || far_step(*slot).is_some();
        let slots = Slot::all(self.layout, None).into_iter().filter(possible);
        let bits = |slot: &Slot| {
            let mut counts = [[0; SYMBOLS]; 2];
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
                let digit =
                    |visit: &Visit| (visit.context >> digit_shift(place)) as u8 % DIGITS as u8;
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
    let mut counts = vec![[0u32; SYMBOLS]; DIGITS * count];
    for ((&context, &digit), &symbol) in contexts.iter().zip(digits).zip(symbols) {
        counts[DIGITS * context as usize + usize::from(digit)][usize::from(symbol)] += 1;
    }
    counts.iter().map(|counts| penalised(counts, scale)).sum()
}

/// Bits that symbols take in a context in which they occur so often, with something for the context.
fn penalised(counts: &Counts, scale: f64) -> f64 {
    match counts.iter().filter(|&&count| count > 0).count() {
        0 => 0.0,
        different => entropy(counts) + SHAPE_BITS / scale + OVERFIT_BITS * (different as f64 - 1.0),
    }
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
    /// The groups of all positions, by value and context.
    fn of(mut visits: Vec<Visit>) -> Vec<Group> {
        visits.sort_unstable_by_key(|visit| (visit.won, visit.context));
        let same = |a: &Visit, b: &Visit| (a.won, a.context) == (b.won, b.context);
        let groups = visits.chunk_by(same).map(|visits| {
            let mut counts = [0; SYMBOLS];
            visits.iter().for_each(|visit| counts[usize::from(visit.symbol)] += 1);
            Group { won: visits[0].won, context: visits[0].context, counts }
        });
        groups.collect()
    }
}

fn sum(groups: &[Group]) -> Counts {
    let mut counts = [0; SYMBOLS];
    for group in groups {
        counts.iter_mut().zip(group.counts).for_each(|(sum, count)| *sum += count);
    }
    counts
}

/// Clues of the contexts that shapes are made for.
const SHAPING_CLUES: usize = 4;
/// How often shapes are fitted to the contexts that use them, and contexts choose among them again.
const SHAPING_ROUNDS: usize = 6;
/// A shape more for so many positions.
const SHAPE_SHARE: f64 = 4000.0;

/// Shapes for contexts of `clues` clues.
fn shapes(groups: &[Group], clues: usize, scale: f64) -> Vec<Shape> {
    let shift = if clues == 0 { u32::BITS } else { digit_shift(clues - 1) };
    let known = |group: &Group| (group.won, group.context.checked_shr(shift));
    let mut contexts: Vec<Counts> = groups.chunk_by(|a, b| known(a) == known(b)).map(sum).collect();
    // Alike are those of the same likeliest symbol, and of these those in which it is about as likely.
    let total = |counts: &Counts| counts.iter().sum::<u32>();
    let alike = |counts: &Counts| {
        let likely =
            (0..SYMBOLS).max_by_key(|&symbol| (counts[symbol], SYMBOLS - symbol)).unwrap_or(0);
        (likely, u64::from(counts[likely]) * 65536 / u64::from(total(counts)))
    };
    contexts.sort_by_cached_key(alike);
    let positions: f64 = contexts.iter().map(|counts| f64::from(total(counts))).sum();
    let wanted = ((positions * scale / SHAPE_SHARE) as usize).clamp(1, MAX_SHAPES);
    // At first they are made of contexts that are alike and take about the same number of bits.
    let weight = |counts: &Counts| entropy(counts) + 1.0;
    let all: f64 = contexts.iter().map(weight).sum();
    let mut sums = vec![[0.0; SYMBOLS]; wanted];
    let mut before = 0.0;
    for counts in &contexts {
        let place = (before / all * wanted as f64) as usize;
        add(&mut sums[place.min(wanted - 1)], counts);
        before += weight(counts);
    }
    let mut shapes: Vec<Shape> = sums.iter().map(Shape::fitted).collect();
    for _ in 0..SHAPING_ROUNDS {
        let bits: Vec<_> = shapes.iter().map(|shape| shape.bits()).collect();
        let mut sums = vec![[0.0; SYMBOLS]; wanted];
        for counts in &contexts {
            add(&mut sums[best(&bits, counts).0], counts);
        }
        sums.retain(|sum| sum.iter().any(|&count| count > 0.0));
        shapes = sums.iter().map(Shape::fitted).collect();
        if shapes.is_empty() {
            shapes.push(Shape::fitted(&[0.0; SYMBOLS]));
        }
    }
    shapes
}

fn add(sum: &mut [f64; SYMBOLS], counts: &Counts) {
    sum.iter_mut().zip(counts).for_each(|(sum, &count)| *sum += f64::from(count));
}

/// The shape in which symbols that occur so often take the fewest bits, and the bits.
fn best(shapes: &[[f64; SYMBOLS]], counts: &Counts) -> (usize, f64) {
    let all = shapes.iter().map(|bits| cost(bits, counts)).enumerate();
    all.min_by(|a, b| a.1.total_cmp(&b.1)).expect("there are shapes")
}

fn cost(bits: &[f64; SYMBOLS], counts: &Counts) -> f64 {
    bits.iter().zip(counts).map(|(bits, &count)| bits * f64::from(count)).sum()
}

/// What a shape costs in the file, roughly, in bits.
const SHAPE_BITS: f64 = 8.0;
/// What it costs to have children, roughly, in bits.
const SPLIT_BITS: f64 = 8.0;
/// What a fitted number promises too much, in bits of the sample it was fitted on (Akaike).
const OVERFIT_BITS: f64 = 1.5;

/// Growing the tree that takes the fewest bits, itself included.
struct Growing {
    levels: usize,
    scale: f64,
    /// Bits of the symbols in each shape.
    bits: Vec<[f64; SYMBOLS]>,
}

impl Growing {
    /// The best node for these groups under one with this shape, and its bits.
    fn grow(&self, groups: &[Group], level: usize, above: Option<usize>) -> (f64, Node) {
        if groups.is_empty() {
            return (0.0, Node::default());
        }
        let counts = sum(groups);
        let (own, bits) = best(&self.bits, &counts);
        let choosing = SHAPE_BITS + OVERFIT_BITS * (self.scale - 1.0);
        let mut shape = own;
        let mut leaf = self.scale * bits + choosing;
        if let Some(above) = above {
            let as_above = self.scale * cost(&self.bits[above], &counts);
            if as_above <= leaf {
                (shape, leaf) = (above, as_above);
            }
        }
        let differs = |shape| (Some(shape) != above).then_some(shape as u8);
        let node = Node { shape: differs(shape), children: None };
        if level == self.levels || leaf <= SPLIT_BITS + choosing {
            return (leaf, node);
        }
        let shift = digit_shift(level);
        let mut rest = groups;
        let mut split = SPLIT_BITS + if Some(own) == above { 0.0 } else { choosing };
        let children = std::array::from_fn(|digit| {
            let end =
                rest.partition_point(|group| (group.context >> shift) as usize % DIGITS <= digit);
            let (child, others) = rest.split_at(end);
            rest = others;
            let (bits, node) = self.grow(child, level + 1, Some(own));
            split += bits;
            node
        });
        if split < leaf {
            (split, Node { shape: differs(own), children: Some(Box::new(children)) })
        } else {
            (leaf, node)
        }
    }
}
