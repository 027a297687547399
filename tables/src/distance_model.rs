//! Models of distances: which [shape](crate::shape) to expect in each context.
//!
//! There is a tree for losses and one for wins. The root knows nothing; each level below it knows one [clue](crate::clue) more. A node has a
//! shape of its own, or that of the node above.

use crate::clue::{Clue, Clues, DIGIT, DIGITS, MAX_CLUES, NO_PLIES, Riddle, digit_shift};
use crate::layout::Layout;
use crate::lengths::LengthCode;
use crate::model::{Bits, Model, Reader, Writer, lead_bytes, learn, number, parse_lead};
use crate::range::{Decoder, Encoder};
use crate::shape::{LEVEL_BITS, Questions, SYMBOLS, Shape};

/// The most shapes of a table.
pub(crate) const MAX_SHAPES: usize = 1 << SHAPE_BITS;
const SHAPE_BITS: u32 = 6;

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Node {
    /// The number of its shape, if it is another one than that of the node above.
    pub shape: Option<u8>,
    /// Those that know a clue more.
    pub children: Option<Box<[Node; DIGITS]>>,
}

/// What stands in a table for some digits: the number of a shape, or that of a table for the next digits and [`MORE`].
type Entry = u16;
const MORE: Entry = 1 << 15;

/// A tree, laid out for following a context down: tables for three, two and one digit.
#[derive(Clone, Debug)]
struct Tables {
    roots: [[Entry; DIGITS * DIGITS * DIGITS]; 2],
    twos: Vec<[Entry; DIGITS * DIGITS]>,
    ones: Vec<[u8; DIGITS]>,
}

/// A model.
#[derive(Clone, Debug)]
pub(crate) struct DistanceModel {
    values: Model,
    clues: Clues,
    shapes: Vec<Shape>,
    trees: [Node; 2],
    questions: Box<[Questions; MAX_SHAPES]>,
    tables: Box<Tables>,
}

impl DistanceModel {
    /// A model of its parts. There must be a shape.
    pub fn new(values: Model, clues: Clues, shapes: Vec<Shape>, trees: [Node; 2]) -> DistanceModel {
        let questions = std::array::from_fn(|number| {
            Questions::new(*shapes.get(number).unwrap_or(&shapes[0]), clues.shift)
        });
        let mut tables = Tables {
            roots: [[0; DIGITS * DIGITS * DIGITS]; 2],
            twos: Vec::new(),
            ones: Vec::new(),
        };
        for (root, tree) in trees.iter().enumerate() {
            tables.add_root(root, tree);
        }
        let (questions, tables) = (Box::new(questions), Box::new(tables));
        DistanceModel { values, clues, shapes, trees, questions, tables }
    }

    /// What values to expect.
    pub fn values(&self) -> &Model {
        &self.values
    }

    /// The clues.
    pub fn clues(&self) -> &Clues {
        &self.clues
    }

    /// How to ask for a distance.
    #[inline(always)]
    pub fn questions(&self, riddle: Riddle) -> &Questions {
        let shape = self.tables.shape(riddle.won, riddle.context);
        &self.questions[usize::from(shape) % MAX_SHAPES]
    }
}

/// A node and the shape that it has.
#[derive(Clone, Copy)]
struct Shaped<'a>(&'a Node, u8);

impl<'a> Shaped<'a> {
    /// The node that knows one digit more: itself if it has no children.
    fn child(self, digit: usize) -> Shaped<'a> {
        let Shaped(node, shape) = self;
        match &node.children {
            Some(children) => {
                let child = &children[digit];
                Shaped(child, child.shape.unwrap_or(shape))
            }
            None => self,
        }
    }

    fn is_leaf(self) -> bool {
        self.0.children.is_none()
    }
}

impl Tables {
    fn add_root(&mut self, root: usize, tree: &Node) {
        let tree = Shaped(tree, tree.shape.unwrap_or(0));
        for digits in 0..DIGITS * DIGITS * DIGITS {
            let [a, b, c] = [2, 1, 0].map(|place| digits >> (DIGIT * place) & (DIGITS - 1));
            self.roots[root][digits] = self.add_two(tree.child(a).child(b).child(c));
        }
    }

    /// The entry for a node after which two digits follow, and the table if there is one.
    fn add_two(&mut self, node: Shaped) -> Entry {
        if node.is_leaf() {
            return node.1.into();
        }
        let entries = std::array::from_fn(|digits| {
            self.add_one(node.child(digits >> DIGIT).child(digits & (DIGITS - 1)))
        });
        self.twos.push(entries);
        (self.twos.len() - 1) as Entry | MORE
    }

    /// The entry for a node after which one digit follows.
    fn add_one(&mut self, node: Shaped) -> Entry {
        if node.is_leaf() {
            return node.1.into();
        }
        self.ones.push(std::array::from_fn(|digit| node.child(digit).1));
        (self.ones.len() - 1) as Entry | MORE
    }

    /// The shape of a context.
    #[inline(always)]
    fn shape(&self, won: bool, context: u32) -> u8 {
        let digits = |first: usize, count: usize| {
            (context >> digit_shift(first + count - 1)) as usize % (1 << (DIGIT as usize * count))
        };
        let entry = self.roots[usize::from(won)][digits(0, 3)];
        if entry & MORE == 0 {
            return entry as u8;
        }
        let entry = self.twos[usize::from(entry & !MORE)][digits(3, 2)];
        if entry & MORE == 0 {
            return entry as u8;
        }
        self.ones[usize::from(entry & !MORE)][digits(5, 1)]
    }
}

const _: () = assert!(MAX_CLUES == 6);

/// The model, if there is one, and the code of the lengths of blocks, as bytes: what there is of values with its length before it, the
/// reference and the clues by number, how distances are compared, the shapes, the trees.
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
    bytes.push(clues.shift as u8);
    bytes.extend(clues.firsts.iter().flat_map(|first| first.to_le_bytes()));
    bytes.push(model.shapes.len() as u8);
    let mut coder = PartsCoder::new(Writer(Encoder::new(&mut bytes)), clues.clues().len());
    for shape in &model.shapes {
        coder.shape(*shape);
    }
    for tree in &model.trees {
        coder.node(Some(tree), 0);
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
    let (code, values) = parse_lead(values, layout, None, has_model)?;
    let Some(values) = values else { return Some((code, None)) };
    let all = Clue::all(layout);
    let (&[reference, count], rest) = rest.split_first_chunk()?;
    let &Clue::Neighbour(reference) = all.get(usize::from(reference))? else { return None };
    let (numbers, rest) = rest.split_at_checked(count.into())?;
    let clues = numbers
        .iter()
        .map(|&number| all.get(usize::from(number)).copied())
        .collect::<Option<Vec<_>>>()?;
    let repeated = clues.iter().enumerate().any(|(place, clue)| clues[..place].contains(clue));
    let (&[shift, a, b, c, d, shapes], rest) = rest.split_first_chunk()?;
    if repeated
        || clues.len() > MAX_CLUES
        || shift > 1
        || !(1..=MAX_SHAPES).contains(&shapes.into())
    {
        return None;
    }
    let firsts = [[a, b], [c, d]].map(|first| u16::from_le_bytes(first).min(NO_PLIES - 1));
    let mut coder = PartsCoder::new(Reader(Decoder::new(rest)), clues.len());
    let shapes = (0..shapes).map(|_| coder.shape(Shape([0; SYMBOLS]))).collect();
    let trees = [0; 2].map(|_| coder.node(None, 0));
    let clues = Clues::new(layout, reference, &clues, shift.into(), firsts);
    Some((code, Some(DistanceModel::new(values, clues, shapes, trees))))
}

/// Writes or reads shapes and trees.
struct PartsCoder<B> {
    bits: B,
    levels: usize,
    chances: Chances,
}

/// The chances of bits, learnt while they are coded.
struct Chances {
    level: [[u16; 1 << LEVEL_BITS]; SYMBOLS],
    split: [u16; MAX_CLUES + 1],
    own: [u16; MAX_CLUES + 1],
    shape: [u16; MAX_SHAPES],
}

impl<B: Bits> PartsCoder<B> {
    fn new(bits: B, levels: usize) -> Self {
        const EVEN: u16 = 1 << 15;
        let chances = Chances {
            level: [[EVEN; 1 << LEVEL_BITS]; SYMBOLS],
            split: [EVEN; MAX_CLUES + 1],
            own: [EVEN; MAX_CLUES + 1],
            shape: [EVEN; MAX_SHAPES],
        };
        PartsCoder { bits, levels, chances }
    }

    /// Writes a shape, or reads it.
    fn shape(&mut self, shape: Shape) -> Shape {
        let mut levels = shape.0.iter().zip(&mut self.chances.level);
        Shape([0; SYMBOLS].map(|_| {
            let (level, chances) = levels.next().expect("as many");
            number(&mut self.bits, chances, LEVEL_BITS, *level)
        }))
    }

    /// Writes a node, or reads it.
    fn node(&mut self, node: Option<&Node>, level: usize) -> Node {
        let PartsCoder { bits, chances, .. } = self;
        let given = node.and_then(|node| node.shape);
        let own = learn(bits, &mut chances.own[level], given.is_some());
        let shape = own.then(|| number(bits, &mut chances.shape, SHAPE_BITS, given.unwrap_or(0)));
        let given = node.and_then(|node| node.children.as_ref());
        let split = level < self.levels && learn(bits, &mut chances.split[level], given.is_some());
        let children = split.then(|| {
            Box::new(std::array::from_fn(|digit| {
                self.node(given.map(|children| &children[digit]), level + 1)
            }))
        });
        Node { shape, children }
    }
}

#[cfg(test)]
mod tests {
    use damier_core::Variant;
    use proptest::prelude::*;

    use super::*;
    use crate::distance_coder::{decode, encode};
    use crate::distance_fit::{DistanceSample, fit_distances};
    use crate::distances::{DONT_CARE_SCORE, DRAW, Scores};
    use crate::header::BLOCK;
    use crate::index::GroupOrder;

    fn layout(name: &str) -> Layout {
        let class = name.parse().unwrap();
        Layout::new(Variant::English, class, GroupOrder::default_for(class))
    }

    /// Scores from numbers: draws, don't-cares, wins and losses of about this length.
    fn scores(numbers: &[u16], around: u16) -> Vec<u16> {
        let score = |&number: &u16| match number % 8 {
            0 => DRAW,
            1 => DONT_CARE_SCORE,
            kind => {
                let plies = (around + number / 8 % 40).min(Scores::MAX_PLIES);
                if kind < 6 { DONT_CARE_SCORE - 1 - plies } else { plies }
            }
        };
        numbers.iter().map(score).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        #[test]
        fn blocks_come_back(
            numbers in prop::collection::vec(any::<u16>(), 1..BLOCK + 1),
            learnt in prop::collection::vec(any::<u16>(), 200..BLOCK),
            around in prop_oneof![0u16..40, 0u16..Scores::MAX_PLIES],
            block in 0u64..10,
        ) {
            let layout = layout("KMvK");
            // What the model has learnt may have nothing to do with what is coded.
            let sample = DistanceSample { blocks: vec![(0, scores(&learnt, 3))], scale: 5.0 };
            let fitted = fit_distances(&layout, &sample);
            let code = LengthCode::for_counts(&[1; 256]);
            let bytes = distance_lead_bytes(Some(&fitted), &layout, &code);
            let (_, model) = parse_distance_lead(&bytes, &layout, true).unwrap();
            let model = model.unwrap();
            let start = block * BLOCK as u64;
            let expected = scores(&numbers, around);
            let mut coded = Vec::new();
            encode(&fitted, &layout, start, &expected, &mut coded);
            let mut found = vec![7; expected.len()];
            decode(&model, &layout, start, &coded, &mut found);
            for (expected, found) in expected.into_iter().zip(found) {
                prop_assert!(expected == found || expected == DONT_CARE_SCORE && found != expected);
            }
        }

        #[test]
        fn any_bytes_are_survived(
            lead in prop::collection::vec(any::<u8>(), 0..400),
            clues in prop::collection::vec(0u8..12, 0..7),
            coded in prop::collection::vec(any::<u8>(), 0..400),
        ) {
            let layout = layout("KKvM");
            // Something that is likely to pass for a model.
            let values = lead_bytes(None, &layout, &LengthCode::for_counts(&[1; 256]));
            let mut bytes = (values.len() as u32).to_le_bytes().to_vec();
            bytes.extend(values);
            bytes.extend([5, clues.len() as u8]);
            bytes.extend(clues);
            bytes.extend([1, 200, 200, 9, 0, 5]);
            bytes.extend(&lead);
            for bytes in [&lead, &bytes] {
                if let Some((_, Some(model))) = parse_distance_lead(bytes, &layout, true) {
                    let mut found = [DONT_CARE_SCORE; BLOCK];
                    decode(&model, &layout, 0, &coded, &mut found);
                    prop_assert!(found.iter().all(|&score| score != DONT_CARE_SCORE));
                }
            }
        }
    }
}
