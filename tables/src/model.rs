//! Models: what value to expect in each context, and how surely.
//!
//! A model is a tree. The root knows nothing; each level below it knows one slot more, in the order in which they were chosen, so
//! that the leaves know the whole context. A node may have an [`Expectation`] of its own, or that of the nearest node above that has one;
//! and it may leave its children away, which then expect what it does. Contexts that did not occur when the model was
//! fitted are expected to be like those that differ from them in what matters least.

use std::sync::LazyLock;

use damier_core::Color;

use crate::context::{ByContext, Context, Contexts, MAX_CONTEXTS, MAX_SLOTS, Slot};
use crate::layout::Layout;
use crate::lengths::{LengthCode, MAX_WIDTH};
use crate::range::{Decoder, Encoder, Probability};

/// How many levels of probability there are for what is not expected: four to an octave, from a half to 1/65536.
const LEVELS: usize = 58;

/// The probability of what is not expected, in 65536ths, by level.
const fn surprise(level: u8) -> Probability {
    let quarters = (8 - level as u32 % 4) << 12;
    let shifted = quarters >> (level / 4);
    if shifted == 0 { 1 } else { shifted }
}

/// What value comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expectation {
    /// The likeliest value.
    likely: u8,
    /// Whether of the other two the lower one is likelier than the higher.
    lower_second: bool,
    /// Level of the probability that it is not the likeliest.
    surprise: u8,
    /// Level, halved, of the probability that it is then the least likely.
    third: u8,
}

impl Expectation {
    /// What the root inherits.
    const NONE: Expectation = Expectation { likely: 1, lower_second: true, surprise: 0, third: 0 };

    /// The values, likeliest first.
    fn ranking(self) -> [u8; 3] {
        let [low, high] = [[1, 2], [0, 2], [0, 1]][usize::from(self.likely)];
        if self.lower_second { [self.likely, low, high] } else { [self.likely, high, low] }
    }

    /// The expectation from how often each value was seen; where that is not often, what was expected before has some weight.
    fn fitted(counts: &[u32; 3], before: Expectation) -> Expectation {
        let pick = |a: u8, b: u8| counts[usize::from(a)] >= counts[usize::from(b)];
        let likely =
            (0..3).fold(before.likely, |best, value| if pick(best, value) { best } else { value });
        let mut expectation = Expectation { likely, ..before };
        expectation.lower_second = true;
        let [_, low, high] = expectation.ranking();
        expectation.lower_second = pick(low, high);
        let [_, second, third] =
            expectation.ranking().map(|value| f64::from(counts[usize::from(value)]));
        let total = f64::from(counts.iter().sum::<u32>());
        let prior = f64::from(surprise(before.surprise)) / 65536.0;
        expectation.surprise = nearest_level((second + third + prior) / (total + 1.0));
        expectation.third =
            nearest_level((third + 0.1) / (second + third + 0.2)).div_ceil(2).min(15);
        expectation
    }

    /// Bits that it takes to code values that occur so often.
    fn bits(self, counts: &[u32; 3]) -> f64 {
        let [likely, second, third] =
            self.ranking().map(|value| f64::from(counts[usize::from(value)]));
        let first = &COSTS[usize::from(self.surprise)];
        let other = &COSTS[2 * usize::from(self.third)];
        likely * first[0] + (second + third) * first[1] + second * other[0] + third * other[1]
    }

    /// Packed for coding.
    fn entry(self) -> Entry {
        let [likely, second, _] = self.ranking().map(u16::from);
        Entry(u16::from(self.surprise) << 8 | second << 6 | likely << 4 | u16::from(self.third))
    }
}

/// Bits of what is expected, and of what is not, by level.
static COSTS: LazyLock<[[f64; 2]; LEVELS]> = LazyLock::new(|| {
    std::array::from_fn(|level| {
        let surprise = f64::from(surprise(level as u8)) / 65536.0;
        [-(1.0 - surprise).log2(), -surprise.log2()]
    })
});

/// The level that codes an event of this probability best: one of the two between which it lies.
fn nearest_level(probability: f64) -> u8 {
    let cost = |level: usize| {
        let [expected, surprise] = COSTS[level];
        (1.0 - probability) * expected + probability * surprise
    };
    let (mut above, mut below) = (0, LEVELS - 1);
    while below - above > 1 {
        let middle = (above + below) / 2;
        if f64::from(surprise(middle as u8)) > probability * 65536.0 {
            above = middle
        } else {
            below = middle
        }
    }
    if cost(above) <= cost(below) { above as u8 } else { below as u8 }
}

/// An [`Expectation`], packed, since there is one for each context and those in use should stay in the processor's nearest cache: from the
/// lowest bit on 4 bits for the second level, halved, two values of 2 bits, and 6 bits for the first level.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry(u16);

/// The probabilities of what is expected, in 65536ths, by level; for every byte, so that no level need be compared with the last one.
static EXPECTED: [Probability; 256] = {
    let mut expected = [0; 256];
    let mut level = 0;
    while level < LEVELS {
        expected[level] = 65536 - surprise(level as u8);
        level += 1;
    }
    expected
};

impl Entry {
    /// The entry of a context. Those of the four contexts that differ in the lowest digit are read together, so that reading does not wait for
    /// the value of the position before.
    #[inline(always)]
    pub fn of(entries: &ByContext<Entry>, context: Context) -> Entry {
        let (four, lowest_16) = context.among(entries);
        let word = four.iter().rev().fold(0, |word, entry| word << 16 | u64::from(entry.0));
        Entry((word >> lowest_16) as u16)
    }

    /// The likeliest value, 16 times: as the lowest digit of the next context is wanted.
    #[inline(always)]
    pub fn likely_16(self) -> u32 {
        u32::from(self.0) & 0x30
    }

    /// The likeliest value.
    #[inline(always)]
    pub fn likely(self) -> u8 {
        self.0 as u8 >> 4 & 3
    }

    /// The next likely value.
    #[inline(always)]
    pub fn second(self) -> u8 {
        self.0 as u8 >> 6 & 3
    }

    /// The least likely value.
    #[inline(always)]
    pub fn third(self) -> u8 {
        3 - self.likely() - self.second()
    }

    /// The probability of the likeliest value.
    #[inline(always)]
    pub fn probability(self) -> Probability {
        EXPECTED[usize::from(self.0 >> 8)]
    }

    /// The probability of the second value where it is not the likeliest.
    #[inline(always)]
    pub fn second_probability(self) -> Probability {
        EXPECTED[usize::from(self.0 << 1 & 30)]
    }
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Default)]
struct Node {
    own: Option<Expectation>,
    children: Option<Box<[Node; 4]>>,
}

/// A model: the slots of the contexts, and what to expect in each context.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    contexts: Contexts,
    root: Node,
    entries: Box<ByContext<Entry>>,
}

/// What an expectation costs in the file, roughly, in bits.
const EXPECTATION_BITS: f64 = 9.0;
/// What it costs to have children rather than none, roughly, in bits.
const SPLIT_BITS: f64 = 3.0;
/// What a fitted expectation promises too much, in bits of the sample it was fitted on (Akaike).
pub(crate) const OVERFIT_BITS: f64 = 1.5;

impl Model {
    /// The model that fits what was counted in a sample that is one `scale`-th of the whole.
    pub fn fitted(contexts: Contexts, counts: &ByContext<[u32; 3]>, scale: f64) -> Model {
        let shifts = contexts.shifts();
        // Counts by level of the tree.
        let mut levels = vec![vec![[0; 3]; 1 << (2 * shifts.len())]];
        for (context, counts) in
            counts.as_flattened().iter().enumerate().take(1 << (2 * shifts.len()))
        {
            let node = shifts.iter().fold(0, |node, shift| node << 2 | context >> shift & 3);
            levels[0][node] = *counts;
        }
        for _ in &shifts {
            let last = levels.last().expect("at least one");
            let sums = last.chunks(4).map(|four| {
                std::array::from_fn(|value| four.iter().map(|counts| counts[value]).sum())
            });
            levels.push(sums.collect());
        }
        levels.reverse();
        let root = Fit::grow(&levels, scale);
        Model::new(contexts, root)
    }

    fn new(contexts: Contexts, root: Node) -> Model {
        let mut entries = Box::new([[Expectation::NONE.entry(); 4]; MAX_CONTEXTS / 4]);
        let shifts = contexts.shifts();
        root.spread(&shifts, 0, Expectation::NONE, &mut |context, entry| {
            entries.as_flattened_mut()[context] = entry
        });
        Model { contexts, root, entries }
    }

    /// The contexts.
    pub fn contexts(&self) -> &Contexts {
        &self.contexts
    }

    /// What to expect in each context.
    #[inline(always)]
    pub fn entries(&self) -> &ByContext<Entry> {
        &self.entries
    }
}

/// What comes before the directory: the length code and the model, if there is one. The number of slots, the slots by number, then,
/// range coded, the widths of the length code and the tree.
pub(crate) fn lead_bytes(model: Option<&Model>, layout: &Layout, code: &LengthCode) -> Vec<u8> {
    let all = Slot::all(layout, None);
    let slots = model.map_or(&[][..], |model| model.contexts().slots());
    let number = |slot: &Slot| match slot {
        Slot::Best(_) => all.len() as u8,
        _ => all.iter().position(|other| other == slot).expect("a slot of this class") as u8,
    };
    let mut bytes: Vec<u8> =
        std::iter::once(slots.len() as u8).chain(slots.iter().map(number)).collect();
    let mut coder = LeadCoder { bits: Writer(Encoder::new(&mut bytes)), chances: Chances::new() };
    coder.widths(code.widths());
    if let Some(model) = model {
        coder.node(Some(&model.root), slots.len(), 0, Expectation::NONE);
    }
    coder.bits.0.finish();
    bytes
}

/// Reads what [`lead_bytes`] wrote, the model only if there is one; `None` if the slots make no sense. `mover` is the side to move where it
/// may look up the values of the other one.
pub(crate) fn parse_lead(
    bytes: &[u8],
    layout: &Layout,
    mover: Option<Color>,
    has_model: bool,
) -> Option<(LengthCode, Option<Model>)> {
    let (&count, rest) = bytes.split_first()?;
    let (numbers, coded) = rest.split_at_checked(count.into())?;
    let all = Slot::all(layout, mover);
    let slots = numbers
        .iter()
        .map(|&number| all.get(usize::from(number)).copied())
        .collect::<Option<Vec<_>>>()?;
    let repeated = slots.iter().enumerate().any(|(place, slot)| slots[..place].contains(slot));
    if repeated || slots.len() > MAX_SLOTS {
        return None;
    }
    let mut coder = LeadCoder { bits: Reader(Decoder::new(coded)), chances: Chances::new() };
    let code = LengthCode::from_widths(coder.widths(&[0; 256]));
    let model = has_model.then(|| {
        let root = coder.node(None, slots.len(), 0, Expectation::NONE);
        Model::new(Contexts::new(layout, &slots), root)
    });
    Some((code, model))
}

impl Node {
    /// Gives every context its entry.
    fn spread(
        &self,
        shifts: &[u32],
        context: usize,
        before: Expectation,
        set: &mut impl FnMut(usize, Entry),
    ) {
        let expectation = self.own.unwrap_or(before);
        let Some((&shift, rest)) = shifts.split_first() else {
            return set(context, expectation.entry());
        };
        static LEAF: Node = Node { own: None, children: None };
        for value in 0..4 {
            let child = self.children.as_ref().map_or(&LEAF, |children| &children[value]);
            child.spread(rest, context | value << shift, expectation, set);
        }
    }
}

/// Growing the tree that takes the fewest bits, itself included.
///
/// What a node costs depends on what is expected where it has no expectation of its own: that of one of the nodes above it. All of
/// these are tried at once, from the leaves up.
struct Fit<'a> {
    levels: &'a [Vec<[u32; 3]>],
    scale: f64,
    /// What was found best for each node.
    choices: Vec<Vec<Choice>>,
}

/// What is best for a node. In the sets of bits, bit 0 stands for nothing being expected, bit `n` for what the node on level `n - 1`
/// expects.
#[derive(Clone, Copy)]
struct Choice {
    own: Expectation,
    /// Where that is expected otherwise, an expectation of its own is better.
    take_own: u16,
    /// Where that is expected in the end, having children is better.
    split: u16,
}

/// Bits that a node costs, by what is expected.
type Costs = [f64; MAX_SLOTS + 2];

impl<'a> Fit<'a> {
    fn grow(levels: &'a [Vec<[u32; 3]>], scale: f64) -> Node {
        let nothing = Choice { own: Expectation::NONE, take_own: 0, split: 0 };
        let choices = levels.iter().map(|level| vec![nothing; level.len()]).collect();
        let mut fit = Fit { levels, scale, choices };
        fit.costs(0, 0, &mut [Expectation::NONE; MAX_SLOTS + 2]);
        fit.node(0, 0, 0)
    }

    /// Decides for a node and those below it; `expected` holds what is expected above, and gets what the node expects.
    fn costs(
        &mut self,
        level: usize,
        number: usize,
        expected: &mut [Expectation; MAX_SLOTS + 2],
    ) -> Costs {
        let counts = &self.levels[level][number];
        if *counts == [0; 3] {
            return [0.0; MAX_SLOTS + 2];
        }
        let own = level + 1;
        expected[own] = Expectation::fitted(counts, expected[level]);
        let mut costs = [0.0; MAX_SLOTS + 2];
        for (cost, expected) in costs.iter_mut().zip(&*expected).take(own + 1) {
            *cost = self.scale * expected.bits(counts);
        }
        let mut choice = Choice { own: expected[own], take_own: 0, split: 0 };
        // Not worth looking if all that could be gained is less than what an expectation costs.
        if own < self.levels.len() && costs[own] > EXPECTATION_BITS {
            let mut split = [SPLIT_BITS; MAX_SLOTS + 2];
            for child in 0..4 {
                let child = self.costs(level + 1, number << 2 | child, expected);
                split.iter_mut().zip(child).for_each(|(sum, cost)| *sum += cost);
            }
            for (set, (cost, split)) in costs.iter_mut().zip(split).enumerate().take(own + 1) {
                if split < *cost {
                    *cost = split;
                    choice.split |= 1 << set;
                }
            }
        }
        let with_own = costs[own] + EXPECTATION_BITS + OVERFIT_BITS * (self.scale - 1.0);
        for (set, cost) in costs.iter_mut().enumerate().take(own) {
            if with_own < *cost {
                *cost = with_own;
                choice.take_own |= 1 << set;
            }
        }
        self.choices[level][number] = choice;
        costs
    }

    /// The best node where that is expected.
    fn node(&self, level: usize, number: usize, expected: usize) -> Node {
        let choice = self.choices[level][number];
        let take_own = choice.take_own >> expected & 1 == 1;
        let expected = if take_own { level + 1 } else { expected };
        let split = choice.split >> expected & 1 == 1;
        Node {
            own: take_own.then_some(choice.own),
            children: split.then(|| {
                Box::new(std::array::from_fn(|child| {
                    self.node(level + 1, number << 2 | child, expected)
                }))
            }),
        }
    }
}

/// Writes or reads single bits: reading and writing are the same walk.
pub(crate) trait Bits {
    /// Writes `bit`, or reads one; `chance` is the probability that it is set.
    fn bit(&mut self, bit: bool, chance: Probability) -> bool;
}

pub(crate) struct Writer<'a>(pub Encoder<'a>);

impl Bits for Writer<'_> {
    fn bit(&mut self, bit: bool, chance: Probability) -> bool {
        self.0.encode(bit, chance);
        bit
    }
}

pub(crate) struct Reader<'a>(pub Decoder<'a>);

impl Bits for Reader<'_> {
    fn bit(&mut self, _: bool, chance: Probability) -> bool {
        self.0.decode(chance)
    }
}

/// The chances of the bits, learnt while they are coded.
struct Chances {
    own: [u16; MAX_SLOTS + 1],
    split: [[u16; 2]; MAX_SLOTS + 1],
    likely: [u16; 2],
    lower_second: [u16; 3],
    surprise: [u16; 64],
    third: [u16; 16],
    width: [[u16; 16]; 2],
}

impl Chances {
    fn new() -> Chances {
        const EVEN: u16 = 1 << 15;
        Chances {
            own: [EVEN; MAX_SLOTS + 1],
            split: [[EVEN; 2]; MAX_SLOTS + 1],
            likely: [EVEN; 2],
            lower_second: [EVEN; 3],
            surprise: [EVEN; 64],
            third: [EVEN; 16],
            width: [[EVEN; 16]; 2],
        }
    }
}

struct LeadCoder<B> {
    bits: B,
    chances: Chances,
}

impl<B: Bits> LeadCoder<B> {
    /// Writes the widths of a length code, or reads them.
    fn widths(&mut self, widths: &[u8; 256]) -> [u8; 256] {
        let mut before = 0;
        widths.map(|width| {
            let chances = &mut self.chances.width[usize::from(before > 0)];
            before = number(&mut self.bits, chances, 4, width).min(MAX_WIDTH as u8);
            before
        })
    }

    /// Writes a node, or reads it.
    fn node(
        &mut self,
        node: Option<&Node>,
        slots: usize,
        level: usize,
        before: Expectation,
    ) -> Node {
        let has_own = learn(
            &mut self.bits,
            &mut self.chances.own[level],
            node.is_some_and(|node| node.own.is_some()),
        );
        let own = has_own.then(|| self.expectation(node.and_then(|node| node.own), before));
        let has_children = level < slots && {
            let chance = &mut self.chances.split[level][usize::from(has_own)];
            learn(&mut self.bits, chance, node.is_some_and(|node| node.children.is_some()))
        };
        let children = has_children.then(|| {
            let children = node.and_then(|node| node.children.as_ref());
            let expectation = own.unwrap_or(before);
            Box::new(std::array::from_fn(|value| {
                self.node(children.map(|children| &children[value]), slots, level + 1, expectation)
            }))
        });
        Node { own, children }
    }

    /// Writes an expectation, or reads it.
    fn expectation(
        &mut self,
        expectation: Option<Expectation>,
        before: Expectation,
    ) -> Expectation {
        let given = expectation.unwrap_or(before);
        let Chances { likely, lower_second, surprise, third, .. } = &mut self.chances;
        let bits = &mut self.bits;
        let [_, second, other] = before.ranking();
        let likely = if learn(bits, &mut likely[0], given.likely == before.likely) {
            before.likely
        } else if learn(bits, &mut likely[1], given.likely == second) {
            second
        } else {
            other
        };
        Expectation {
            likely,
            lower_second: learn(bits, &mut lower_second[usize::from(likely)], given.lower_second),
            surprise: number(bits, surprise, 6, given.surprise).min(LEVELS as u8 - 1),
            third: number(bits, third, 4, given.third),
        }
    }
}

/// Codes a bit and learns its chance.
pub(crate) fn learn(bits: &mut impl Bits, chance: &mut u16, bit: bool) -> bool {
    let bit = bits.bit(bit, u32::from(*chance).max(1));
    if bit {
        *chance += (u16::MAX - *chance) >> 4;
    } else {
        *chance -= *chance >> 4;
    }
    bit
}

/// Codes a number of `width` bits, highest bit first, each with a chance for what came before.
pub(crate) fn number(bits: &mut impl Bits, chances: &mut [u16], width: u32, number: u8) -> u8 {
    let mut node = 1;
    for place in (0..width).rev() {
        node = node << 1 | usize::from(learn(bits, &mut chances[node], number >> place & 1 == 1));
    }
    (node - (1 << width)) as u8
}
