//! Counting the positions of classes by kind, those that mirror each other once.

use std::collections::{BTreeMap, HashMap};

use damier::{Class, Color, GroupOrder, Kindred, Position, ProbeError, Progress, Rules, positions};

use super::progress::Bar;

/// The kinds of positions that a class has.
pub type Found<K, R> = BTreeMap<K, Kindred<R>>;

/// What a position is counted as.
pub type Kind<'a, K, R> = &'a (dyn Fn(&Position<R>) -> Result<K, ProbeError> + Sync);

/// Counts, and keeps what is counted.
pub struct Surveys<'a, K, R: Rules> {
    kind: Kind<'a, K, R>,
    done: HashMap<(Class, Color), Found<K, R>>,
}

impl<'a, K: Copy + Ord + Send, R: Rules> Surveys<'a, K, R> {
    /// Nothing counted yet.
    pub fn new(kind: Kind<'a, K, R>) -> Self {
        Surveys { kind, done: HashMap::new() }
    }

    /// The kinds of a class with one side to move; `order` is that of the table which is asked.
    pub fn of(
        &mut self,
        class: Class,
        order: GroupOrder,
        turn: Color,
    ) -> Result<Found<K, R>, ProbeError> {
        let mirrored = !class.is_canonical() || class.is_symmetric() && turn == Color::Black;
        let (class, turn) = if mirrored { (class.flipped(), !turn) } else { (class, turn) };
        if !self.done.contains_key(&(class, turn)) {
            let bar = Bar::new();
            bar.planned(1, positions::<R>(class) / 2);
            bar.class_started(class, positions::<R>(class) / 2);
            let found = damier::survey(class, order, turn, self.kind, &bar)?;
            self.done.insert((class, turn), found);
        }
        let mut found = self.done[&(class, turn)].clone();
        if mirrored {
            found.values_mut().for_each(|kindred| kindred.first = kindred.first.flipped());
        }
        Ok(found)
    }
}
