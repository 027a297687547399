//! The tables that are part of the program: the files in `probe/data`, which `damier embed` makes from the list here.

use damier_core::{DrawRuleSet, Variant, with_rules};
use damier_tables::{Class, Side};

use crate::distance::Measure;

/// Which tables of a variant are part of the program: values of every class of up to three pieces, and more where it says so.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedSet {
    /// The variant.
    pub variant: Variant,
    /// Whether also one king against three pieces.
    pub lone_king: bool,
    /// The distances beside the values.
    pub measures: &'static [Measure],
}

/// All tables that are part of the program, by variant.
pub const EMBEDDED: &[EmbeddedSet] = &[
    EmbeddedSet {
        variant: Variant::International,
        lone_king: true,
        measures: &[Measure::Dtw, Measure::Dtr(DrawRuleSet::Fmjd)],
    },
    EmbeddedSet { variant: Variant::English, lone_king: true, measures: &[Measure::Dtw] },
];

impl EmbeddedSet {
    /// The classes of the tables, in the orientation in which files are named.
    pub fn classes(&self) -> Vec<Class> {
        let mut classes: Vec<_> = (2..=4).flat_map(Class::all_canonical).collect();
        let lone_king = Side { men: 0, kings: 1 };
        classes.retain(|class| {
            class.pieces() <= 3
                || self.lone_king && class.white.pieces() == 3 && class.black == lone_king
        });
        with_rules!(self.variant, R => classes.retain(Class::is_played::<R>));
        classes
    }
}

/// Names and bytes of the files, in the order of the names.
static TABLES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// The table whose file has this name, variant and all, if it is part of the program.
pub(crate) fn table(name: &str) -> Option<&'static [u8]> {
    let found = TABLES.binary_search_by_key(&name, |&(name, _)| name);
    found.ok().map(|place| TABLES[place].1)
}
