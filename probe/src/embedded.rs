//! The tables that are part of the program: files in `probe/data`, which `damier embed` makes anew.

use damier_core::{DrawRuleSet, Variant};
use damier_tables::Class;

use crate::distance::Measure;

/// The variants of which tables are part of the program.
pub const EMBEDDED_VARIANTS: &[Variant] = &[Variant::International, Variant::English];

macro_rules! embedded {
    ($($class:literal)*) => {
        const CLASSES: &[&str] = &[$($class),*];

        /// The table of a canonical class with the values or these distances, if it is part of the program.
        pub(crate) fn table(
            variant: Variant,
            class: Class,
            measure: Option<Measure>,
        ) -> Option<&'static [u8]> {
            let tables: &[&'static [u8]] = match (variant, measure) {
                (Variant::International, None) => {
                    &[$(include_bytes!(concat!("../data/international/", $class, ".wdl"))),*]
                }
                (Variant::International, Some(Measure::Dtw)) => {
                    &[$(include_bytes!(concat!("../data/international/", $class, ".dtw"))),*]
                }
                (Variant::International, Some(Measure::Dtr(DrawRuleSet::Fmjd))) => {
                    &[$(include_bytes!(concat!("../data/international/", $class, ".fmjd.dtr"))),*]
                }
                (Variant::English, None) => {
                    &[$(include_bytes!(concat!("../data/english/", $class, ".wdl"))),*]
                }
                (Variant::English, Some(Measure::Dtw)) => {
                    &[$(include_bytes!(concat!("../data/english/", $class, ".dtw"))),*]
                }
                _ => return None,
            };
            let name = class.to_string();
            CLASSES.iter().position(|&embedded| embedded == name).map(|at| tables[at])
        }
    };
}

embedded!(
    "KvK" "KvM" "MvM"
    "KKvK" "KKvM" "KMvK" "KMvM" "MMvK" "MMvM"
    "KKKvK" "KKMvK" "KMMvK" "MMMvK"
);

/// The distances that are part of the program beside the values, for each of the [`EMBEDDED_VARIANTS`].
pub const fn embedded_measures(variant: Variant) -> &'static [Measure] {
    match variant {
        Variant::International => &[Measure::Dtw, Measure::Dtr(DrawRuleSet::Fmjd)],
        Variant::English => &[Measure::Dtw],
        _ => &[],
    }
}

/// The canonical classes whose tables are part of the program, for each of the [`EMBEDDED_VARIANTS`]: those of up to three
/// pieces, and those of three pieces against one king.
pub fn embedded_classes() -> Vec<Class> {
    CLASSES.iter().map(|name| name.parse().expect("a list of classes")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_what_it_says() {
        let king = Class::new(0, 0, 0, 1).black;
        let mut classes: Vec<_> = (2..=4).flat_map(Class::all_canonical).collect();
        classes.retain(|class| {
            class.pieces() <= 3 || class.white.pieces() == 3 && class.black == king
        });
        assert_eq!(embedded_classes(), classes);
        for &variant in EMBEDDED_VARIANTS {
            assert!(
                classes.iter().all(|&class| table(variant, class, None).is_some()),
                "{variant}"
            );
        }
    }
}
