//! Draw rules with one rule lifted: what that rule takes away is what would be won without it.

use std::sync::Arc;

use damier_core::{Counts as Counted, DrawRule, DrawRuleSet, Rules};
use damier_tables::{Class, Counts};

use crate::counting::{Counting, Transition, UnderRules};
use crate::distance::{Distances, LongPlies};
use crate::memory::{self, is_needed, peak};
use crate::schedule::schedule;
use crate::solved::Known;
use crate::solver::solve_classes;

/// A set of draw rules of which one sets no limit.
struct Lifted {
    rules: UnderRules,
    lifted: &'static DrawRule,
}

impl Lifted {
    /// A transition into a class as it is without the rule.
    fn relaxed(&self, transition: Transition, to: Class) -> Transition {
        match (transition, self.limit(to)) {
            (Transition::Starts { .. }, limit) => Transition::Starts { limit },
            (Transition::Joins { .. }, None) => Transition::Continues,
            (transition, _) => transition,
        }
    }
}

impl Counting for Lifted {
    fn man_move(&self, class: Class) -> Transition {
        self.relaxed(self.rules.man_move(class), class)
    }

    fn promotion(&self, from: Class, to: Class) -> Transition {
        self.relaxed(self.rules.promotion(from, to), to)
    }

    fn capture(&self, from: Class, to: Class) -> Transition {
        self.relaxed(self.rules.capture(from, to), to)
    }

    fn limit(&self, class: Class) -> Option<u16> {
        let binding = self.rules.rule(class)?;
        (binding != self.lifted).then_some(binding.limit)
    }
}

/// How the positions of a canonical class fall, by side to move, under draw rules of which one has been lifted; solved in memory, with
/// all classes that it leads to. Nothing where the machine has too little of it, and for rules that tables do not know.
pub fn counts_without<R: Rules>(
    class: Class,
    set: DrawRuleSet,
    rule: &'static DrawRule,
) -> Option<[Counts; 2]> {
    type Cell<R> = Distances<LongPlies, <R as Rules>::Board>;
    let levels = schedule::<R>(&[class]);
    if rule.counts == Counted::SameBalance || peak::<R, Cell<R>>(&levels).0 > memory::of_machine() {
        return None;
    }
    let counting = Lifted { rules: UnderRules(set), lifted: rule };
    let mut known = Known::<R, Cell<R>>::new();
    let mut live = Vec::new();
    for (number, level) in levels.iter().enumerate() {
        for mut solved in solve_classes(level, &known, &counting) {
            solved.drop_due();
            live.push(solved.layout.class);
            known.insert(Arc::new(solved));
        }
        let rest = &levels[number + 1..];
        live.retain(|&other| {
            let needed = other == class || is_needed::<R>(other, rest);
            if !needed {
                known.remove(other);
            }
            needed
        });
    }
    known.get(class).map(|solved| solved.counts())
}
