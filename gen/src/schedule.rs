//! Which classes have to be solved, in which orientation and order.
//!
//! A class leads to classes with fewer pieces (captures) and, with equally many, to ones with fewer men (promotions): sorted by
//! pieces and then men, every class comes after its children, and those with the same two numbers are independent of each
//! other.
//!
//! The free piece is always Black's. Which side is called Black is settled by the number of pieces, which a promotion leaves
//! alone: in the canonical orientation Black has fewer. Captures change it, and a king that takes the free piece
//! is looked up as the free piece of the swapped class; so classes that lie below others are solved in *both*
//! orientations, which costs little: a level has several times fewer positions than the next.

use std::collections::BTreeSet;

use damier_core::Rules;
use damier_tables::{Class, Side};

/// The ordered classes to solve, in order, so that all of `wanted` are solved: levels of independent classes.
pub fn schedule<R: Rules>(wanted: &[Class]) -> Vec<Vec<Class>> {
    let mut needed = BTreeSet::new();
    let mut pending: Vec<Class> = wanted.iter().map(|class| class.canonical()).collect();
    pending.retain(Class::is_played::<R>);
    while let Some(class) = pending.pop() {
        if needed.insert(class) {
            pending.extend(children::<R>(class).into_iter().map(Class::canonical));
        }
    }
    let top = needed.iter().map(Class::pieces).max().unwrap_or(0);
    let mut levels: Vec<Vec<Class>> = Vec::new();
    let level = |class: &Class| (class.pieces(), class.men());
    let mut classes: Vec<Class> = needed.into_iter().collect();
    classes.sort_by_key(|class| (level(class), *class));
    for class in classes {
        let both = class.pieces() < top && !class.is_symmetric();
        let orientations = [Some(class), both.then(|| class.flipped())];
        match levels.last_mut() {
            Some(last) if level(&last[0]) == level(&class) => {
                last.extend(orientations.into_iter().flatten());
            }
            _ => levels.push(orientations.into_iter().flatten().collect()),
        }
    }
    levels
}

/// The classes that one move can lead to, other than the class itself. Both sides have pieces in them.
pub fn children<R: Rules>(class: Class) -> Vec<Class> {
    let mut children = Vec::new();
    for white_moves in [true, false] {
        let (mover, other) =
            if white_moves { (class.white, class.black) } else { (class.black, class.white) };
        let mut movers = vec![mover];
        if mover.men > 0 {
            movers.push(Side { men: mover.men - 1, kings: mover.kings + 1 });
        }
        for after in movers {
            for men in 0..=other.men {
                for kings in 0..=other.kings {
                    let left = Side { men, kings };
                    if left.pieces() == 0 || (left == other && after == mover) {
                        continue;
                    }
                    let child = if white_moves {
                        Class { white: after, black: left }
                    } else {
                        Class { white: left, black: after }
                    };
                    children.extend(child.is_played::<R>().then_some(child));
                }
            }
        }
    }
    children
}
