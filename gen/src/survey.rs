//! Surveys of a class: how many of its positions there are of each kind, and one of them.

use std::collections::BTreeMap;

use damier_core::{Color, Position, Rules};
use damier_tables::{Class, GroupOrder, Index};

use crate::build::Progress;
use crate::parallel;

/// Numbers of the index that are looked at in one go.
const PORTION: u64 = 1 << 14;

/// Positions of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kindred<R: Rules> {
    /// How many there are.
    pub positions: u64,
    /// The first of them in the order of the index.
    pub first: Position<R>,
}

/// Sorts all positions of a class with one side to move by what `kind` says of them. Works on all threads of the current
/// [`rayon`] pool; `order` is best that of the table which is asked.
///
/// # Errors
/// The first error of `kind`.
pub fn survey<R: Rules, K: Ord + Send, E: Send>(
    class: Class,
    order: GroupOrder,
    turn: Color,
    kind: &(dyn Fn(&Position<R>) -> Result<K, E> + Sync),
    progress: &dyn Progress,
) -> Result<BTreeMap<K, Kindred<R>>, E> {
    let index = Index::<R>::new(class, order);
    let portion = |number: usize| {
        let start = number as u64 * PORTION;
        let end = (start + PORTION).min(index.len());
        let mut found = BTreeMap::new();
        let mut positions = 0;
        for first in (start..end).filter_map(|number| index.position(number, turn)) {
            let of_kind = found.entry(kind(&first)?).or_insert(Kindred { positions: 0, first });
            of_kind.positions += 1;
            positions += 1;
        }
        progress.advanced(positions);
        Ok(found)
    };
    let portions = index.len().div_ceil(PORTION) as usize;
    let mut all = BTreeMap::<K, Kindred<R>>::new();
    for found in parallel::map(portions, &portion) {
        for (kind, kindred) in found? {
            let Kindred { positions, first } = kindred;
            all.entry(kind).or_insert(Kindred { positions: 0, first }).positions += positions;
        }
    }
    Ok(all)
}
