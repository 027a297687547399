//! The tables that are part of the program: files in `probe/data`, which `damier embed` makes anew.

use damier_core::Variant;
use damier_tables::Class;

macro_rules! embedded {
    ($($class:literal)*) => {
        /// The canonical classes whose tables are part of the program, for every variant: those of up to three pieces, and one king
        /// against three pieces.
        pub const EMBEDDED: &[&str] = &[$($class),*];

        /// The table of a canonical class, if it is part of the program.
        pub(crate) fn table(variant: Variant, class: Class) -> Option<&'static [u8]> {
            let tables: &[&'static [u8]] = match variant {
                Variant::International => &[$(include_bytes!(concat!("../data/international/", $class, ".wdl"))),*],
                Variant::English => &[$(include_bytes!(concat!("../data/english/", $class, ".wdl"))),*],
                _ => return None,
            };
            let name = class.to_string();
            EMBEDDED.iter().position(|&embedded| embedded == name).map(|at| tables[at])
        }
    };
}

embedded!(
    "KvK" "KvM" "MvM"
    "KKvK" "KKvM" "KMvK" "KMvM" "MMvK" "MMvM"
    "KKKvK" "KKMvK" "KMMvK" "MMMvK"
);

/// The classes of [`EMBEDDED`].
pub fn embedded_classes() -> Vec<Class> {
    EMBEDDED.iter().map(|name| name.parse().expect("a list of classes")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_what_it_says() {
        let three_against_a_king =
            |class: &Class| class.pieces() == 4 && class.black == Class::new(0, 0, 0, 1).black;
        let mut classes: Vec<_> = (2..=4).flat_map(Class::all_canonical).collect();
        classes.retain(|class| class.pieces() <= 3 || three_against_a_king(class));
        assert_eq!(embedded_classes(), classes);
        for &variant in Variant::ALL {
            assert!(classes.iter().all(|&class| table(variant, class).is_some()), "{variant}");
        }
    }
}
