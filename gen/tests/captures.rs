//! Captures of whole words against captures found one by one.

use std::sync::Arc;

use damier_core::{Color, Rules, Word, WordOf, rules};
use damier_gen::captures::{Tally, captures, one_by_one};
use damier_gen::cell::Wdl;
use damier_gen::counting::ToTheEnd;
use damier_gen::layout::Frame;
use damier_gen::schedule::schedule;
use damier_gen::solved::Known;
use damier_gen::solver::solve_class;
use damier_tables::Class;

/// The symbolic captures of every `stride`-th frame of all classes are those found one by one.
fn compare<R: Rules>(pieces: u32, stride: usize) {
    let wanted = Class::all_up_to(pieces);
    let mut known = Known::<R, Wdl<WordOf<R>>>::new();
    let mut tally = Tally::new();
    let mut number = 0;
    for class in schedule::<R>(&wanted).concat() {
        let (solved, _) = solve_class(class, &known, &ToTheEnd, &|_| {});
        let layout = &solved.layout;
        let children = known.children(class, &ToTheEnd);
        let (white_kings, black_kings) = (layout.white_kings.sets(), layout.black_kings.sets());
        let (white_men, black_men) = (layout.white_men.sets(), layout.black_men.sets());
        for &white_men in &white_men {
            for &black_men in &black_men {
                for &white_kings in &white_kings {
                    for &black_kings in &black_kings {
                        let frame = Frame { white_men, white_kings, black_men, black_kings };
                        number += 1;
                        let pieces = class.pieces() - 1;
                        if number % stride != 0 || frame.occupied().count() != pieces {
                            continue;
                        }
                        let squares = layout.domain & !frame.occupied();
                        for turn in Color::BOTH {
                            let fast =
                                captures(layout, &children, turn, &frame, squares, &mut tally);
                            let slow =
                                one_by_one::captures(layout, &children, turn, &frame, squares);
                            assert_eq!(fast.squares, slow.squares, "{class} {turn} {frame:?}");
                            assert_eq!(fast.least, slow.least, "{class} {turn} {frame:?}");
                        }
                    }
                }
            }
        }
        known.insert(Arc::new(solved));
    }
}

macro_rules! symbolic {
    ($($name:ident: $variant:ty, $pieces:expr, $stride:expr;)*) => {
        $(
            #[test]
            fn $name() {
                compare::<$variant>($pieces, $stride);
            }
        )*
    };
}

symbolic! {
    international: rules::International, 4, 97;
    english: rules::English, 4, 31;
    russian: rules::Russian, 4, 97;
    italian: rules::Italian, 4, 31;
    czech: rules::Czech, 4, 31;
    spanish: rules::Spanish, 4, 31;
    frisian: rules::Frisian, 4, 197;
    killer: rules::Killer, 4, 197;
}
