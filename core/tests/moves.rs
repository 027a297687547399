//! What is true of the moves of any position of any variant.

use std::collections::BTreeSet;

use damier_core::rules::{Brazilian, Breakthrough, English, International, Losing};
use damier_core::{
    Board, Color, Counting, Position, Rules, Value, Variant, Word, WordOf, divide, perft,
    promotion_row, with_rules,
};
use proptest::prelude::*;

/// A legal position from arbitrary pieces: places on the board and kinds, those that do not fit left out.
fn position<R: Rules>(pieces: &[(usize, u8)], turn: Color) -> Option<Position<R>> {
    let geometry = R::Board::geometry();
    let (mut men, mut kings) = ([WordOf::<R>::EMPTY; 2], [WordOf::<R>::EMPTY; 2]);
    let mut free = geometry.all;
    for &(place, kind) in pieces {
        let square = WordOf::<R>::bit(geometry.bit_of_order[place % R::Board::SQUARES] as u32);
        let color = Color::BOTH[kind as usize % 2];
        let is_man = kind < 4;
        if free.meets(square) && !(is_man && promotion_row::<R>(color).meets(square)) {
            free ^= square;
            let set = if is_man { &mut men } else { &mut kings };
            set[color.index()] |= square;
        }
    }
    Position::new(men, kings, turn).ok()
}

fn check<R: Rules>(position: Position<R>) -> Result<(), TestCaseError> {
    let moves = position.legal_moves();
    let captures = position.captures();
    prop_assert_eq!(position.capture_due(), !captures.is_empty());
    prop_assert_eq!(position.has_move(), !moves.is_empty());
    if position.capture_due() {
        prop_assert_eq!(&moves, &captures);
    }
    prop_assert_eq!(moves.iter().collect::<BTreeSet<_>>().len(), moves.len());

    // Seen from the other side the moves are the same.
    let turned = |bit| R::Board::BITS - 1 - bit;
    let flipped: BTreeSet<_> = position
        .flipped()
        .legal_moves()
        .iter()
        .map(|m| {
            (turned(m.from()), turned(m.to()), m.captured().reversed(R::Board::BITS), m.promotes())
        })
        .collect();
    let own = moves.iter().map(|m| (m.from(), m.to(), m.captured(), m.promotes())).collect();
    prop_assert_eq!(flipped, own);

    let (us, them) = (position.turn(), !position.turn());
    let (mut landings, mut replies) = (0, 0);
    for &played in &moves {
        let next = position.play(played);
        let again = Position::<R>::new(
            [next.men(Color::White), next.men(Color::Black)],
            [next.kings(Color::White), next.kings(Color::Black)],
            next.turn(),
        );
        prop_assert_eq!(again, Ok(next));
        prop_assert_eq!(next.turn(), them);
        prop_assert_eq!(next.pieces(us).count(), position.pieces(us).count());
        prop_assert_eq!(next.pieces(them), position.pieces(them) & !played.captured());
        prop_assert!(next.pieces(us).has(played.to()));
        let crowned = next.kings(us).count() - position.kings(us).count();
        prop_assert_eq!(crowned, u32::from(played.promotes()));

        let routes = position.routes(played);
        prop_assert!(!routes.is_empty());
        prop_assert_eq!(routes.iter().collect::<BTreeSet<_>>().len(), routes.len());
        for route in &routes {
            prop_assert_eq!(route.last(), Some(&played.to()));
            if played.is_capture() {
                prop_assert_eq!(route.len() as u32, played.captured().count());
            }
        }
        landings += routes.len() as u64;
        replies += next.legal_moves().len() as u64;
    }
    prop_assert_eq!(perft(&position, 1, Counting::Once), moves.len() as u64);
    prop_assert_eq!(perft(&position, 1, Counting::Landings), landings);
    prop_assert_eq!(perft(&position, 2, Counting::Once), replies);
    let divided = divide(&position, 2, Counting::Once);
    prop_assert_eq!(divided.iter().map(|(_, nodes)| nodes).sum::<u64>(), replies);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn moves_are_sound(
        pieces in proptest::collection::vec((0..1000usize, 0..6u8), 1..14),
        black in any::<bool>(),
    ) {
        for &variant in Variant::ALL {
            let turn = Color::BOTH[usize::from(black)];
            with_rules!(variant, R => if let Some(position) = position::<R>(&pieces, turn) {
                check(position)?;
            });
        }
    }
}

fn over<R: Rules>(fen: &str) -> Option<Value> {
    fen.parse::<Position<R>>().unwrap().over()
}

#[test]
fn a_side_that_cannot_move_has_lost() {
    assert_eq!(over::<International>("W:W46:B41,37"), Some(Value::Loss));
    assert_eq!(over::<International>("W:WK46:B41,37"), Some(Value::Loss));
    assert_eq!(over::<International>("W:W:B20"), Some(Value::Loss));
    assert_eq!(over::<International>("W:W46:B41"), None);
    assert_eq!(over::<English>("W:W5:B1"), Some(Value::Loss));
}

#[test]
fn in_the_losing_game_it_has_won() {
    assert_eq!(over::<Losing<International>>("W:W46:B41,37"), Some(Value::Win));
    assert_eq!(over::<Losing<International>>("B:W50:B"), Some(Value::Win));
    assert_eq!(over::<Losing<International>>("W:W50:B"), None);
}

#[test]
fn breakthrough_is_won_by_the_first_king() {
    assert_eq!(over::<Breakthrough<International>>("W:W7:BK26"), Some(Value::Loss));
    assert_eq!(over::<Breakthrough<Brazilian>>("W:WK7:B26"), Some(Value::Win));
    assert_eq!(over::<Breakthrough<Brazilian>>("W:W7:B22"), None);
    let decided: Position<Breakthrough<International>> = "W:W7:BK26".parse().unwrap();
    assert!(decided.legal_moves().is_empty() && !decided.capture_due());
    assert_eq!(perft(&decided, 1, Counting::Once), 0);
}

#[test]
fn rules_as_the_articles_have_them() {
    /// Squares, men of a side at the start, who begins.
    fn facts<R: Rules>() -> (usize, u32, Color) {
        let start = Position::<R>::start();
        (R::Board::SQUARES, start.men(Color::White).count(), start.turn())
    }
    for (variant, squares, men, first) in [
        ("international", 50, 20, Color::White),
        ("english", 32, 12, Color::Black),
        ("russian", 32, 12, Color::White),
        ("pool", 32, 12, Color::Black),
        ("italian", 32, 12, Color::White),
        ("turkish", 64, 16, Color::White),
        ("canadian", 72, 30, Color::White),
        ("thai", 32, 8, Color::Black),
    ] {
        let found = with_rules!(variant.parse().unwrap(), R => facts::<R>());
        assert_eq!(found, (squares, men, first), "{variant}");
    }
}
