//! The tables that are part of the program: the files in `probe/data`, which `damier embed` makes from the list here.
//!
//! Of every variant there are the values and the distances to the end of all classes of up to three pieces. The two main
//! games have one king against any three pieces too, and those in which three kings win against one only off the main road have
//! that. Distances under draw rules are there for the rules that players ask about most.

use damier_core::{DrawRuleSet, Variant, with_rules};
use damier_tables::Class;

use crate::distance::Measure;

/// The tables of one variant that are part of the program.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedSet {
    /// The variant.
    pub variant: Variant,
    /// The classes of more than three pieces.
    pub larger: &'static [Class],
    /// The distances beside the values, for each class.
    pub measures: &'static [Measure],
}

/// All tables that are part of the program: one set a variant.
pub const EMBEDDED: &[EmbeddedSet] = &[
    EmbeddedSet {
        larger: KING_AGAINST_THREE,
        measures: &[Measure::Dtw, Measure::Dtr(DrawRuleSet::Fmjd)],
        ..small(Variant::International)
    },
    EmbeddedSet { larger: KING_AGAINST_THREE, ..small(Variant::English) },
    EmbeddedSet {
        larger: KING_AGAINST_KINGS,
        measures: &[Measure::Dtw, Measure::Dtr(DrawRuleSet::Fmjd64)],
        ..small(Variant::Russian)
    },
    EmbeddedSet { larger: KING_AGAINST_KINGS, ..small(Variant::Brazilian) },
    EmbeddedSet { larger: KING_AGAINST_KINGS, ..small(Variant::Pool) },
    small(Variant::Italian),
    small(Variant::Czech),
    small(Variant::Spanish),
    small(Variant::Portuguese),
    small(Variant::Turkish),
    small(Variant::Frisian),
    small(Variant::Canadian),
    small(Variant::Thai),
    small(Variant::Killer),
    small(Variant::Breakthrough),
    small(Variant::BreakthroughBrazilian),
    small(Variant::Losing),
];

const KING_AGAINST_KINGS: &[Class] = &[Class::new(0, 3, 0, 1)];

const KING_AGAINST_THREE: &[Class] = &[
    Class::new(0, 3, 0, 1),
    Class::new(1, 2, 0, 1),
    Class::new(2, 1, 0, 1),
    Class::new(3, 0, 0, 1),
];

/// What every variant has at least.
const fn small(variant: Variant) -> EmbeddedSet {
    EmbeddedSet { variant, larger: &[], measures: &[Measure::Dtw] }
}

impl EmbeddedSet {
    /// The classes of the tables, in the orientation in which files are named.
    pub fn classes(&self) -> Vec<Class> {
        let mut classes = Class::all_up_to(3);
        with_rules!(self.variant, R => classes.retain(Class::is_played::<R>));
        classes.extend(self.larger);
        classes
    }
}

/// The files by their names, in order.
static TABLES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// The table whose file has this name, variant and all, if it is part of the program.
pub(crate) fn table(name: &str) -> Option<&'static [u8]> {
    let found = TABLES.binary_search_by_key(&name, |&(name, _)| name);
    found.ok().map(|place| TABLES[place].1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use damier_tables::{Metric, file_name_under};

    use super::*;

    #[test]
    fn the_folder_has_what_the_list_says() {
        let variants: Vec<_> = EMBEDDED.iter().map(|set| set.variant).collect();
        assert_eq!(variants, Variant::ALL);
        let mut listed = BTreeSet::new();
        for set in EMBEDDED {
            for class in set.classes() {
                let name = |metric, rules| file_name_under(set.variant, class, metric, rules);
                listed.insert(name(Metric::Wdl, DrawRuleSet::None));
                listed.extend(set.measures.iter().map(|of| name(of.metric(), of.rules())));
            }
        }
        let found: BTreeSet<_> = TABLES.iter().map(|&(name, _)| name.to_owned()).collect();
        assert_eq!(found, listed, "`damier embed probe/data` has to be run");
        assert!(found.iter().all(|name| table(name).is_some()));
    }
}
