//! Models of distances: what distance to expect in each context, and how surely.
//!
//! There is a tree for losses and one for wins. The root knows nothing; each level below it knows one [clue](crate::clue) more. A leaf says
//! which two distances are likely, in steps off the reference, and how likely they are. It may leave that to the node above.

use crate::clue::{Clue, Clues, DIGIT, DIGITS, MAX_CLUES, NO_PLIES, Riddle};
use crate::distance_coder::{FARTHEST, WRITTEN_OUT};
use crate::layout::Layout;
use crate::lengths::LengthCode;
use crate::model::{Bits, Model, Reader, Writer, lead_bytes, learn, number, parse_lead};
use crate::range::{Decoder, Encoder, Probability};

/// Bits of a symbol for a distance that is not one of the two likely ones: a number of steps off the reference or
/// [`WRITTEN_OUT`].
pub(crate) const REST_BITS: u32 = 4;
/// How many symbols there are.
pub(crate) const REST: usize = 1 << REST_BITS;
/// How often each symbol occurs.
pub(crate) type Counts = [u32; REST];

/// How many levels of probability there are: a quarter of an octave each, for what is not expected, from 7/8 down.
const LEVELS: usize = 1 << LEVEL_BITS;
const LEVEL_BITS: u32 = 6;

/// The probability of what is not expected, in 65536ths, by level.
const fn surprise(level: u8) -> Probability {
    const HALF: u8 = 8;
    const fn below_half(quarters: u8) -> Probability {
        ((8 - quarters as u32 % 4) << 12) >> (quarters / 4)
    }
    if level < HALF { 65536 - below_half(HALF - level) } else { below_half(level - HALF) }
}

/// The level that is nearest to a probability, from above or below.
fn nearest_level(probability: f64) -> u8 {
    let cost = |level: u8| {
        let surprise = f64::from(surprise(level)) / 65536.0;
        -probability * surprise.log2() - (1.0 - probability) * (1.0 - surprise).log2()
    };
    let (mut above, mut below) = (0, LEVELS as u8 - 1);
    while below - above > 1 {
        let middle = (above + below) / 2;
        if f64::from(surprise(middle)) > probability * 65536.0 {
            above = middle
        } else {
            below = middle
        }
    }
    if cost(above) <= cost(below) { above } else { below }
}

/// What is believed about a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Belief {
    /// The symbol of the likeliest distance.
    likely: u8,
    /// The symbol of the next likely one.
    second: u8,
    /// Level of the probability that it is not the likeliest.
    surprise: u8,
    /// Level of the probability that it is then not the second either.
    other: u8,
}

/// Bits that a distance takes that is not one of the two likely ones, roughly.
const OTHER_BITS: f64 = 3.5;

impl Belief {
    /// What the roots inherit.
    pub const NONE: Belief =
        Belief { likely: FARTHEST as u8, second: FARTHEST as u8 + 1, surprise: 12, other: 8 };

    /// The belief from how often each symbol was seen; where that is not often, what was believed before has some weight.
    pub fn fitted(counts: &Counts, before: Belief) -> Belief {
        let most = |except: u8, first: u8| {
            (0..WRITTEN_OUT as u8).filter(|&symbol| symbol != except).fold(first, |best, symbol| {
                if counts[usize::from(symbol)] > counts[usize::from(best)] { symbol } else { best }
            })
        };
        let likely = most(u8::MAX, before.likely);
        let second = if before.second != likely { before.second } else { before.likely };
        let second = most(likely, second);
        let total = f64::from(counts.iter().sum::<u32>());
        let [hits, seconds] = [likely, second].map(|symbol| f64::from(counts[usize::from(symbol)]));
        let prior = f64::from(surprise(before.surprise)) / 65536.0;
        Belief {
            likely,
            second,
            surprise: nearest_level((total - hits + prior) / (total + 1.0)),
            other: nearest_level((total - hits - seconds + 0.2) / (total - hits + 0.4)),
        }
    }

    /// Bits that it takes to code symbols that occur so often.
    pub fn bits(self, counts: &Counts) -> f64 {
        let total = f64::from(counts.iter().sum::<u32>());
        let [hits, seconds] =
            [self.likely, self.second].map(|symbol| f64::from(counts[usize::from(symbol)]));
        let [surprise, other] =
            [self.surprise, self.other].map(|level| f64::from(surprise(level)) / 65536.0);
        let missed = total - hits;
        let others = missed - seconds;
        -hits * (1.0 - surprise).log2()
            - missed * surprise.log2()
            - seconds * (1.0 - other).log2()
            - others * (other.log2() - OTHER_BITS)
    }

    fn expectation(self) -> Expectation {
        let steps = |symbol: u8| symbol as i8 - FARTHEST;
        let probability = |level: u8| (65536 - surprise(level)) as u16;
        Expectation {
            likely: steps(self.likely),
            second: steps(self.second),
            probability: probability(self.surprise),
            second_probability: probability(self.other),
        }
    }
}

/// A [`Belief`], ready for coding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expectation {
    /// The likeliest distance, in steps off the reference.
    pub likely: i8,
    /// The next likely one.
    pub second: i8,
    /// The probability of the likeliest, in 65536ths.
    pub probability: u16,
    /// The probability of the second where it is not the likeliest.
    pub second_probability: u16,
}

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Node {
    /// What is believed, or nothing else than above. A node with children has a belief.
    pub belief: Option<Belief>,
    pub children: Option<Box<[Node; DIGITS]>>,
}

/// Chances of the rest: for each node of the binary tree of symbols the probability that the next bit is set.
pub(crate) type Chances = [Probability; REST];

/// Digits that one table knows.
const TABLE_DIGITS: usize = 2;
/// What is in a table for each pair of digits: the number of an expectation, or of a table for the next digits and [`MORE`].
type Digits = [u16; 1 << (DIGIT * TABLE_DIGITS)];
const MORE: u16 = 1 << 15;

/// A model.
#[derive(Clone, Debug)]
pub(crate) struct DistanceModel {
    values: Model,
    clues: Clues,
    trees: [Node; 2],
    rest: [[u8; REST]; 2],
    chances: [Chances; 2],
    roots: [u16; 2],
    tables: Vec<Digits>,
    expectations: Vec<Expectation>,
}

impl DistanceModel {
    /// A model of its parts; `None` if it is too large.
    pub fn new(
        values: Model,
        clues: Clues,
        trees: [Node; 2],
        rest: [[u8; REST]; 2],
    ) -> Option<DistanceModel> {
        let mut model = DistanceModel {
            values,
            clues,
            trees: Default::default(),
            rest,
            chances: rest.map(|rest| rest.map(|chance| (2 * u32::from(chance) + 1) << 7)),
            roots: [0; 2],
            tables: Vec::new(),
            expectations: Vec::new(),
        };
        for (root, tree) in trees.iter().enumerate() {
            let belief = tree.belief.unwrap_or(Belief::NONE);
            let entry = model.add_expectation(belief);
            model.roots[root] = model.add(tree, entry);
        }
        model.trees = trees;
        let most = usize::from(MORE);
        (model.tables.len() <= most && model.expectations.len() <= most).then_some(model)
    }

    fn add_expectation(&mut self, belief: Belief) -> u16 {
        self.expectations.push(belief.expectation());
        (self.expectations.len() - 1) as u16
    }

    /// Adds the tables of a node, whose expectation has number `own`, and gives what stands for them.
    fn add(&mut self, node: &Node, own: u16) -> u16 {
        let Some(children) = &node.children else { return own };
        let number = self.tables.len();
        self.tables.push([own; 1 << (DIGIT * TABLE_DIGITS)]);
        for (high, child) in children.iter().enumerate() {
            let own = child.belief.map_or(own, |belief| self.add_expectation(belief));
            for low in 0..DIGITS {
                let entry = child.children.as_ref().map_or(own, |children| {
                    let grandchild = &children[low];
                    let own = grandchild.belief.map_or(own, |belief| self.add_expectation(belief));
                    self.add(grandchild, own)
                });
                self.tables[number][high << DIGIT | low] = entry;
            }
        }
        number as u16 | MORE
    }

    /// What values to expect.
    pub fn values(&self) -> &Model {
        &self.values
    }

    /// The clues.
    pub fn clues(&self) -> &Clues {
        &self.clues
    }

    /// What distance to expect.
    #[inline(always)]
    pub fn expectation(&self, riddle: Riddle) -> Expectation {
        let mut entry = self.roots[usize::from(riddle.won)];
        let mut shift = DIGIT * (MAX_CLUES - TABLE_DIGITS);
        let context = riddle.context << (DIGIT * (MAX_CLUES - self.clues.clues().len()));
        while entry & MORE != 0 {
            let digits = context >> shift & (size_of::<Digits>() / 2 - 1);
            entry = self.tables[usize::from(entry & !MORE)][digits];
            shift = shift.saturating_sub(DIGIT * TABLE_DIGITS);
        }
        self.expectations[usize::from(entry)]
    }

    /// By how much distances are shifted.
    #[inline(always)]
    pub fn shift(&self, riddle: Riddle) -> u32 {
        self.clues.shifts[usize::from(riddle.won)]
    }

    /// The chances of distances that are not likely.
    #[inline(always)]
    pub fn rest(&self, riddle: Riddle) -> &Chances {
        &self.chances[usize::from(riddle.won)]
    }
}

/// The model, if there is one, and the code of the lengths of blocks, as bytes: what there is of values with its length before it, the
/// reference and the clues by number, how distances are compared, the chances of the rest, the trees.
pub(crate) fn distance_lead_bytes(
    model: Option<&DistanceModel>,
    layout: &Layout,
    code: &LengthCode,
) -> Vec<u8> {
    let values = lead_bytes(model.map(DistanceModel::values), layout, code);
    let mut bytes = (values.len() as u32).to_le_bytes().to_vec();
    bytes.extend(values);
    let Some(model) = model else { return bytes };
    let all = Clue::all(layout);
    let number = |clue: &Clue| {
        all.iter().position(|other| other == clue).expect("a clue of this class") as u8
    };
    let clues = &model.clues;
    bytes.push(number(&Clue::Neighbour(clues.reference())));
    bytes.push(clues.clues().len() as u8);
    bytes.extend(clues.clues().iter().map(number));
    bytes.push((clues.shifts[0] | clues.shifts[1] << 1) as u8);
    bytes.extend(clues.firsts.iter().flat_map(|first| first.to_le_bytes()));
    bytes.extend(model.rest.iter().flat_map(|rest| &rest[1..]));
    let mut coder = TreeCoder::new(Writer(Encoder::new(&mut bytes)), clues.clues().len());
    for tree in &model.trees {
        coder.node(Some(tree), 0, Belief::NONE, &mut 0);
    }
    coder.bits.0.finish();
    bytes
}

/// Reads what [`distance_lead_bytes`] wrote, the model only if there is one; `None` if it makes no sense.
pub(crate) fn parse_distance_lead(
    bytes: &[u8],
    layout: &Layout,
    has_model: bool,
) -> Option<(LengthCode, Option<DistanceModel>)> {
    let (len, rest) = bytes.split_first_chunk()?;
    let (values, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    let (code, values) = parse_lead(values, layout, has_model)?;
    let Some(values) = values else { return Some((code, None)) };
    let all = Clue::all(layout);
    let (&[reference, count], rest) = rest.split_first_chunk()?;
    let &Clue::Neighbour(reference) = all.get(usize::from(reference))? else { return None };
    if usize::from(count) > MAX_CLUES {
        return None;
    }
    let (numbers, rest) = rest.split_at_checked(count.into())?;
    let clues = numbers
        .iter()
        .map(|&number| all.get(usize::from(number)).copied())
        .collect::<Option<Vec<_>>>()?;
    let (&[shifts, a, b, c, d], rest) = rest.split_first_chunk()?;
    let shifts = [shifts & 1, shifts >> 1 & 1].map(u32::from);
    let firsts = [[a, b], [c, d]].map(|first| u16::from_le_bytes(first).min(NO_PLIES - 1));
    let (chances, tree) = rest.split_first_chunk::<{ 2 * (REST - 1) }>()?;
    let mut rest = [[0; REST]; 2];
    for (rest, chances) in rest.iter_mut().zip(chances.chunks(REST - 1)) {
        rest[1..].copy_from_slice(chances);
    }
    let mut coder = TreeCoder::new(Reader(Decoder::new(tree)), clues.len());
    let mut nodes = 0;
    let trees = [0; 2].map(|_| coder.node(None, 0, Belief::NONE, &mut nodes));
    let clues = Clues::new(layout, reference, &clues, shifts, firsts);
    Some((code, Some(DistanceModel::new(values, clues, trees, rest)?)))
}

/// More nodes than this and a tree is no tree that was written.
const MAX_NODES: usize = 1 << 19;

/// Writes or reads trees.
struct TreeCoder<B> {
    bits: B,
    levels: usize,
    chances: TreeChances,
}

/// The chances of the bits of a tree, learnt while they are coded.
struct TreeChances {
    own: [[u16; 2]; MAX_CLUES + 1],
    split: [u16; MAX_CLUES + 1],
    same: [u16; 2],
    likely: [u16; REST],
    second: [u16; REST],
    surprise: [u16; LEVELS],
    other: [u16; LEVELS],
}

impl<B: Bits> TreeCoder<B> {
    fn new(bits: B, levels: usize) -> Self {
        const EVEN: u16 = 1 << 15;
        let chances = TreeChances {
            own: [[EVEN; 2]; MAX_CLUES + 1],
            split: [EVEN; MAX_CLUES + 1],
            same: [EVEN; 2],
            likely: [EVEN; REST],
            second: [EVEN; REST],
            surprise: [EVEN; LEVELS],
            other: [EVEN; LEVELS],
        };
        TreeCoder { bits, levels, chances }
    }

    /// Writes a node, or reads it.
    fn node(
        &mut self,
        node: Option<&Node>,
        level: usize,
        before: Belief,
        nodes: &mut usize,
    ) -> Node {
        *nodes += 1;
        let split = level < self.levels
            && *nodes < MAX_NODES
            && learn(
                &mut self.bits,
                &mut self.chances.split[level],
                node.is_some_and(|node| node.children.is_some()),
            );
        let has_own = learn(
            &mut self.bits,
            &mut self.chances.own[level][usize::from(split)],
            node.is_some_and(|node| node.belief.is_some()),
        );
        let own = has_own.then(|| self.belief(node.and_then(|node| node.belief), before));
        let children = split.then(|| {
            let children = node.and_then(|node| node.children.as_ref());
            let belief = own.unwrap_or(before);
            Box::new(std::array::from_fn(|digit| {
                self.node(children.map(|children| &children[digit]), level + 1, belief, nodes)
            }))
        });
        Node { belief: own, children }
    }

    /// Writes a belief, or reads it.
    fn belief(&mut self, belief: Option<Belief>, before: Belief) -> Belief {
        let given = belief.unwrap_or(before);
        let TreeChances { same, likely, second, surprise, other, .. } = &mut self.chances;
        let bits = &mut self.bits;
        let mut symbol = |same: &mut u16, chances: &mut [u16; REST], given: u8, before: u8| {
            if learn(bits, same, given == before) {
                before
            } else {
                number(bits, chances, REST_BITS, given).min(WRITTEN_OUT as u8 - 1)
            }
        };
        let [same_likely, same_second] = same;
        let likely = symbol(same_likely, likely, given.likely, before.likely);
        let second = symbol(same_second, second, given.second, before.second);
        Belief {
            likely,
            second,
            surprise: number(bits, surprise, LEVEL_BITS, given.surprise),
            other: number(bits, other, LEVEL_BITS, given.other),
        }
    }
}
