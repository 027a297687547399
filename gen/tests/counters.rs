//! Distances under draw rules against a brute force over positions and counters: what is won with how many plies on the counter, for every
//! position of every class of up to three pieces.

use std::collections::{BTreeMap, HashMap};

use damier_core::rules::{Brazilian, International};
use damier_core::{
    Board, Color, DrawRuleSet, Material, Move, Play, Position, Rules, Step, Value, Word, WordOf,
};
use damier_gen::{BuildOptions, Content, build};
use damier_probe::{Measure, Tablebase};
use damier_tables::{Class, Codec, GroupOrder, Index, Metric};

/// With which counters a position is won and lost: bit `c` for `c` plies on the counter.
#[derive(Clone, Copy, Default)]
struct ByCounter {
    won: u128,
    lost: u128,
}

/// Where a move leads, as a number of a position, and whether the count starts again.
type Child = (usize, Step);

/// The positions of some classes, numbered through.
struct Programme<R: Rules> {
    set: DrawRuleSet,
    /// Each class with the number of its first position.
    classes: HashMap<Class, (Index<R>, usize)>,
    values: Vec<ByCounter>,
}

impl<R: Rules> Programme<R> {
    /// Number 0 is any position in which the side to move has no pieces: it has lost whatever has been counted.
    fn new(set: DrawRuleSet) -> Programme<R> {
        let lost = ByCounter { won: 0, lost: u128::MAX };
        Programme { set, classes: HashMap::new(), values: vec![lost] }
    }

    fn number(&self, position: &Position<R>) -> usize {
        if position.pieces(position.turn()).is_empty() {
            return 0;
        }
        let class = Class::of(position);
        let position = if class.is_canonical() { *position } else { position.flipped() };
        let (index, first) = &self.classes[&class.canonical()];
        first + 2 * index.index(&position) as usize + position.turn().index()
    }

    /// The rule's limit in a class.
    fn limit(&self, position: &Position<R>) -> u16 {
        self.set.applying(Material::of(position)).expect("a rule for every material").limit
    }

    /// Adds a class all of whose captures and promotions lead to classes that are there.
    fn solve(&mut self, class: Class) {
        let index = Index::<R>::new(class, GroupOrder::default_for(class));
        // Moves of men lead to positions in which they have fewer steps left: those come first.
        let mut groups = BTreeMap::<usize, Vec<Position<R>>>::new();
        for position in positions(&index) {
            groups.entry(steps_left(&position)).or_default().push(position);
        }
        let first = self.values.len();
        self.values.resize(first + 2 * index.len() as usize, ByCounter::default());
        self.classes.insert(class, (index, first));
        for group in groups.into_values() {
            let children: Vec<(usize, Vec<Child>)> = group
                .iter()
                .map(|position| (self.number(position), self.children(position)))
                .collect();
            // From the full counter down: a count that goes on leads to one that is known.
            for counter in (0..=self.limit(&group[0])).rev() {
                let is_full = counter == self.limit(&group[0]);
                for (number, children) in &children {
                    let (won, lost) = self.step(counter, is_full, children);
                    self.values[*number].won |= u128::from(won) << counter;
                    self.values[*number].lost |= u128::from(lost) << counter;
                }
            }
        }
    }

    fn children(&self, position: &Position<R>) -> Vec<Child> {
        let moves = position.legal_moves();
        let child = |&played: &Move<WordOf<R>>| {
            let after = position.play(played);
            let materials = [position, &after].map(Material::of);
            let play = Play::of(position, played);
            (self.number(&after), self.set.step(materials[0], play, materials[1]))
        };
        moves.iter().map(child).collect()
    }

    /// Whether a position with these moves is won and whether it is lost.
    fn step(&self, counter: u16, is_full: bool, children: &[Child]) -> (bool, bool) {
        if is_full {
            return (false, children.is_empty());
        }
        let then = |step: &Step| match step {
            Step::Starts => 0,
            Step::Advances => counter + 1,
            Step::Joins => unreachable!("no such moves here"),
        };
        let won = children.iter().any(|(to, step)| self.values[*to].lost >> then(step) & 1 != 0);
        let lost = children.iter().all(|(to, step)| self.values[*to].won >> then(step) & 1 != 0);
        (won, lost)
    }
}

fn positions<R: Rules>(index: &Index<R>) -> impl Iterator<Item = Position<R>> {
    let numbers = (0..index.len()).flat_map(|number| Color::BOTH.map(|turn| (number, turn)));
    numbers.filter_map(|(number, turn)| index.position(number, turn))
}

/// The steps that the men have left to the other side.
fn steps_left<R: Rules>(position: &Position<R>) -> usize {
    let rows = |color| position.men(color).bits().map(|bit| R::Board::geometry().row(bit));
    let black = rows(Color::Black).map(|row| R::Board::ROWS - 1 - row);
    rows(Color::White).chain(black).sum()
}

/// Compares every position and counter of tables that are built for it; how many positions there were.
fn compare<R: Rules>(rules: DrawRuleSet) -> usize {
    let mut classes = Class::all_up_to(3);
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions {
        classes: classes.clone(),
        tables: folder.path().to_owned(),
        threads: None,
        memory: None,
        codec: Codec::default(),
        contents: vec![Content { metric: Metric::Dtr, rules }],
    };
    build(R::VARIANT, &options, &()).unwrap();
    let tables = Tablebase::<R>::open(&[folder.path()]).unwrap();

    let mut programme = Programme::<R>::new(rules);
    classes.sort_by_key(|class| (class.pieces(), class.white.men + class.black.men));
    for &class in &classes {
        programme.solve(class);
    }
    let mut compared = 0;
    for class in classes {
        for position in positions(&programme.classes[&class].0) {
            let expected = programme.values[programme.number(&position)];
            let found = tables.distance(&position, Measure::Dtr(rules)).unwrap();
            let limit = programme.limit(&position);
            // All counters with which the table says that the value stands: none is too many for what is lost now.
            let counters = match found.decided() {
                None => 0,
                Some(0) => (1u128 << (limit + 1)) - 1,
                Some(plies) => (1u128 << (limit + 1 - plies)) - 1,
            };
            let with = |value| if found.value == value { counters } else { 0 };
            let table = [with(Value::Win), with(Value::Loss)];
            assert_eq!(table, [expected.won, expected.lost], "{position}: {found:?}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn international_to_3_pieces() {
    assert_eq!(compare::<International>(DrawRuleSet::Fmjd), 819_580);
}

#[test]
fn brazilian_to_3_pieces() {
    assert_eq!(compare::<Brazilian>(DrawRuleSet::Cbd), 201_272);
}
