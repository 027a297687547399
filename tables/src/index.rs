//! The index: placements of a class as numbers, and back.
//!
//! A placement is four groups: White's men and kings, Black's men and kings. Its number is the mixed-radix number
//! whose digits are the [ranks](Group::rank) of the four groups. Which group is the most significant
//! digit is the [`GroupOrder`]: it decides which placements are neighbours, and so how well the values compress.
//!
//! Groups are ranked without regard to each other, so that a rank changes only with its own group. Numbers in which two
//! groups claim the same square are *holes*: they have no position, and tables may hold anything there.

use std::fmt;

use damier_core::{Color, Position, Rules, Word, WordOf};

use crate::class::Class;
use crate::group::{Group, Kind};

/// The four groups in their fixed numbering: White's men, White's kings, Black's men, Black's kings.
pub const GROUPS: [(Color, Kind); 4] = [
    (Color::White, Kind::Man),
    (Color::White, Kind::King),
    (Color::Black, Kind::Man),
    (Color::Black, Kind::King),
];

/// How many pieces of a class are in each of the [`GROUPS`].
fn group_counts(class: Class) -> [u8; 4] {
    [class.white.men, class.white.kings, class.black.men, class.black.kings]
}

/// The order of the four groups in an index, outermost (most significant) first.
///
/// It prints as four letters, men `M` and kings `K` of White, `m` and `k` of Black:
///
/// ```
/// # use damier_tables::{Class, GroupOrder};
/// let class: Class = "KKMvK".parse()?;
/// assert_eq!(GroupOrder::default_for(class).to_string(), "mkMK");
/// assert_eq!(GroupOrder::all_for(class).len(), 6);
/// # Ok::<(), damier_tables::BadClass>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GroupOrder([u8; 4]);

impl GroupOrder {
    /// The order with these group numbers, if they are the four numbers 0 to 3.
    pub fn from_bytes(bytes: [u8; 4]) -> Option<GroupOrder> {
        let seen = bytes
            .iter()
            .fold(0u32, |seen, &group| seen | 1u32.checked_shl(group.into()).unwrap_or(0));
        (seen == 0b1111).then_some(GroupOrder(bytes))
    }

    /// The group numbers, outermost first.
    pub fn to_bytes(self) -> [u8; 4] {
        self.0
    }

    /// All orders that index a class differently. Where the empty groups stand makes no difference; they come first.
    pub fn all_for(class: Class) -> Vec<GroupOrder> {
        let counts = group_counts(class);
        let (present, empty): (Vec<u8>, Vec<u8>) =
            (0..4).partition(|&group| counts[group as usize] > 0);
        let mut orders = vec![empty];
        for _ in 0..present.len() {
            orders = orders
                .iter()
                .flat_map(|order| {
                    let missing = present.iter().filter(|group| !order.contains(group));
                    missing.map(|&group| [order.as_slice(), &[group]].concat())
                })
                .collect();
        }
        orders
            .iter()
            .map(|order| GroupOrder(order.as_slice().try_into().expect("four groups")))
            .collect()
    }

    /// A good order without trying: the weaker side outermost, then the stronger side's men, its kings innermost; where one
    /// side has only men and the other only kings, the kings are innermost.
    pub fn default_for(class: Class) -> GroupOrder {
        let counts = group_counts(class);
        let weaker =
            if class.white.pieces() >= class.black.pieces() { Color::Black } else { Color::White };
        let kings_against_men = class.side(weaker).men == 0 && class.side(!weaker).kings == 0;
        let mut order = [0, 1, 2, 3];
        order.sort_by_key(|&group| {
            let (color, kind) = GROUPS[group as usize];
            (counts[group as usize] > 0).then_some(((color == weaker) == kings_against_men, kind))
        });
        GroupOrder(order)
    }
}

impl fmt::Display for GroupOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: String =
            self.0.iter().map(|&group| ['M', 'K', 'm', 'k'][group as usize]).collect();
        f.pad(&letters)
    }
}

/// The numbering of the placements of one class.
#[derive(Clone, Debug)]
pub struct Index<R: Rules> {
    class: Class,
    order: GroupOrder,
    groups: [Group<R::Board>; 4],
    strides: [u64; 4],
    len: u64,
}

impl<R: Rules> Index<R> {
    /// The numbering of a class in this order of the groups.
    pub fn new(class: Class, order: GroupOrder) -> Self {
        let counts = group_counts(class);
        let groups = order.0.map(|group| {
            let (color, kind) = GROUPS[group as usize];
            Group::new(color, kind, counts[group as usize] as usize)
        });
        let mut len = 1;
        let mut strides = [0; 4];
        for (stride, group) in strides.iter_mut().zip(&groups).rev() {
            *stride = len;
            len *= group.size();
        }
        Index { class, order, groups, strides, len }
    }

    /// How many numbers there are, holes included.
    #[expect(clippy::len_without_is_empty, reason = "no class is without placements")]
    #[inline]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The class.
    pub fn class(&self) -> Class {
        self.class
    }

    /// The order of the groups.
    pub fn order(&self) -> GroupOrder {
        self.order
    }

    /// The groups, outermost first.
    #[inline]
    pub fn groups(&self) -> &[Group<R::Board>; 4] {
        &self.groups
    }

    /// What a step in the rank of each group adds to the number, outermost first.
    #[inline]
    pub fn strides(&self) -> [u64; 4] {
        self.strides
    }

    /// The number of a placement of this class; the side to move does not matter.
    #[inline]
    pub fn index(&self, position: &Position<R>) -> u64 {
        debug_assert_eq!(Class::of(position), self.class);
        let digit = |place: usize| {
            let group = &self.groups[place];
            let set = match group.kind() {
                Kind::Man => position.men(group.color()),
                Kind::King => position.kings(group.color()),
            };
            group.rank(set) * self.strides[place]
        };
        digit(0) + digit(1) + digit(2) + digit(3)
    }

    /// The placement with this number, `turn` to move; `None` for a hole and beyond the last number.
    pub fn position(&self, index: u64, turn: Color) -> Option<Position<R>> {
        if index >= self.len {
            return None;
        }
        let mut men = [WordOf::<R>::EMPTY; 2];
        let mut kings = [WordOf::<R>::EMPTY; 2];
        let mut seen = WordOf::<R>::EMPTY;
        for (group, stride) in self.groups.iter().zip(self.strides) {
            let set = group.unrank(index / stride % group.size());
            if set.meets(seen) {
                return None;
            }
            seen |= set;
            match group.kind() {
                Kind::Man => men[group.color().index()] = set,
                Kind::King => kings[group.color().index()] = set,
            }
        }
        Some(Position::new_unchecked(men, kings, turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damier_core::rules::{English, International};
    use proptest::prelude::*;

    #[test]
    fn orders() {
        let class: Class = "KMvKM".parse().unwrap();
        assert_eq!(GroupOrder::all_for(class).len(), 24);
        for (class, order) in [
            ("KKKvK", "MmkK"),
            ("KKMvM", "kmMK"),
            ("MMMvK", "KmMk"),
            ("KKvMM", "MkmK"),
            ("KvMM", "MkmK"),
        ] {
            let class: Class = class.parse().unwrap();
            let orders = GroupOrder::all_for(class);
            let default = GroupOrder::default_for(class);
            assert_eq!(default.to_string(), order, "{class}");
            assert!(orders.contains(&default), "{class}");
            for order in orders {
                assert_eq!(GroupOrder::from_bytes(order.to_bytes()), Some(order));
            }
        }
        for bad in [[0, 1, 2, 2], [1, 2, 3, 4], [0, 1, 2, 35]] {
            assert_eq!(GroupOrder::from_bytes(bad), None);
        }
    }

    fn every_number<R: Rules>(class: Class) {
        for order in GroupOrder::all_for(class) {
            let index = Index::<R>::new(class, order);
            let mut holes = 0;
            for number in 0..index.len() {
                match index.position(number, Color::White) {
                    Some(position) => {
                        assert_eq!(Class::of(&position), class);
                        assert_eq!(index.index(&position), number);
                    }
                    None => holes += 1,
                }
            }
            assert!(holes < index.len());
            assert_eq!(index.position(index.len(), Color::White), None);
        }
    }

    #[test]
    fn every_number_of_small_classes() {
        for class in Class::all(2).into_iter().chain(Class::all(3)) {
            every_number::<English>(class);
        }
        every_number::<International>("KMvK".parse().unwrap());
        every_number::<International>("MvM".parse().unwrap());
    }

    proptest! {
        #[test]
        fn numbers_of_large_classes(class in 0usize..78, order: u8, number: u64) {
            let classes = Class::all(6);
            let class = classes[class % classes.len()];
            let orders = GroupOrder::all_for(class);
            let index = Index::<International>::new(class, orders[order as usize % orders.len()]);
            let number = number % index.len();
            if let Some(position) = index.position(number, Color::Black) {
                prop_assert_eq!(index.index(&position), number);
            }
        }
    }
}
