//! Draw rules: the lines of every set, and counters along games.

mod common;

use damier_core::rules::{
    Brazilian, English, Frisian, International, Italian, Pool, Russian, Turkish,
};
use damier_core::{
    Color, Counters, Counts, DrawRuleSet, Drawn, Material, Play, Position, Rules, Step, Variant,
};
use proptest::prelude::*;

/// Men and kings of one side against those of the other.
type Sides = ((u8, u8), (u8, u8));

const KINGS_3_1: Sides = ((0, 3), (0, 1));
const KINGS_2_1: Sides = ((0, 2), (0, 1));
const KINGS_1_1: Sides = ((0, 1), (0, 1));
const KING_2_MEN: Sides = ((2, 1), (0, 1));
const KING_MAN: Sides = ((1, 1), (0, 1));
const MEN_3: Sides = ((3, 0), (0, 1));
const MAN: Sides = ((1, 0), (0, 1));
const KINGS_4_1: Sides = ((0, 4), (0, 1));
const KINGS_2_2: Sides = ((0, 2), (0, 2));
const START: Sides = ((12, 0), (12, 0));

/// Article, plies and what is counted, for a material whichever side has it.
fn line(set: DrawRuleSet, (one, other): Sides) -> Option<(&'static str, u16, Counts)> {
    let rule = set.applying(Material::new(one, other));
    assert_eq!(rule, set.applying(Material::new(other, one)));
    rule.map(|rule| (rule.article, rule.limit, rule.counts))
}

/// Materials and the line that binds for them.
type Lines<'a> = (&'a [Sides], Option<(&'static str, u16, Counts)>);

fn check_lines(set: DrawRuleSet, lines: &[Lines], repetition: Option<u8>) {
    for (materials, expected) in lines {
        for &sides in *materials {
            assert_eq!(line(set, sides), *expected, "{set} {sides:?}");
        }
    }
    assert_eq!(set.repetition().map(|repetition| repetition.times), repetition, "{set}");
}

#[test]
fn lines_of_the_sets() {
    use Counts::{KingMoves, SinceArisen};
    use DrawRuleSet::{Apca, Cbd, Fid, Fmjd, Fmjd64, FmjdOlder, Wcdf};
    const THREE: &[Sides] = &[KINGS_3_1, KING_2_MEN, ((1, 2), (0, 1))];
    const TWO: &[Sides] = &[KINGS_2_1, KING_MAN];
    const OTHERS: &[Sides] =
        &[MEN_3, MAN, KINGS_4_1, KINGS_2_2, START, ((0, 3), (1, 0)), ((0, 2), (1, 1))];
    for set in [Fmjd, FmjdOlder] {
        let lines: &[Lines] = &[
            (THREE, Some(("FMJD 6.3", 32, SinceArisen))),
            (TWO, Some(("FMJD 6.4", 10, SinceArisen))),
            (&[KINGS_1_1], Some(("FMJD 6.4", 10, SinceArisen))),
            (OTHERS, Some(("FMJD 6.2", 50, KingMoves))),
        ];
        check_lines(set, lines, Some(3));
    }
    let lines: &[Lines] = &[
        (THREE, Some(("CBD, as FMJD 6.3", 32, SinceArisen))),
        (TWO, Some(("CBD, as FMJD 6.4", 10, SinceArisen))),
        (&[KINGS_1_1], Some(("CBD, as FMJD 6.4", 10, SinceArisen))),
        (OTHERS, Some(("CBD", 40, KingMoves))),
    ];
    check_lines(Cbd, lines, Some(3));
    let lines: &[Lines] = &[
        (&[KINGS_3_1, KINGS_4_1], Some(("FMJD-64 7.2.4", 30, SinceArisen))),
        (&[KINGS_2_1, KING_MAN, KINGS_1_1], Some(("FMJD-64 7.2.8", 10, SinceArisen))),
        (&[KING_2_MEN, MEN_3, MAN, KINGS_2_2, START], Some(("FMJD-64 7.2.5", 30, KingMoves))),
    ];
    check_lines(Fmjd64, lines, Some(3));
    let all: &[Sides] = &[KINGS_3_1, KINGS_2_1, KINGS_1_1, KING_2_MEN, MAN, KINGS_2_2, START];
    check_lines(Wcdf, &[(all, Some(("WCDF 1.32", 80, KingMoves)))], Some(3));
    check_lines(Fid, &[(all, Some(("FID 10.4", 80, KingMoves)))], Some(4));
    let lines: &[Lines] = &[
        (&[KINGS_3_1], Some(("APCA tournament rules", 26, SinceArisen))),
        (&[KINGS_4_1, KING_2_MEN, KINGS_2_1, KINGS_1_1, START], None),
    ];
    check_lines(Apca, lines, None);
    let lines: &[Lines] = &[
        (&[KINGS_2_1], Some(("KNDB Frisian 2011", 14, SinceArisen))),
        (&[KINGS_1_1], Some(("KNDB Frisian 2011", 2, SinceArisen))),
        (&[KINGS_3_1, KING_MAN, MAN, START], None),
    ];
    check_lines(DrawRuleSet::Frisian, lines, None);
    check_lines(DrawRuleSet::None, &[(all, None)], None);
}

#[test]
fn names_and_numbers() {
    for (id, &set) in (0..).zip(DrawRuleSet::ALL) {
        assert_eq!(set.id(), id);
        assert_eq!(DrawRuleSet::from_id(id), Some(set));
        assert_eq!(set.name().to_uppercase().parse(), Ok(set));
    }
    assert_eq!(DrawRuleSet::from_id(999), None);
    assert_eq!(
        "fide".parse::<DrawRuleSet>().unwrap_err().to_string(),
        "unknown draw rules \"fide\", expected one of none, fmjd, fmjd-older, fmjd64, cbd, wcdf, \
         fid, apca, frisian",
    );
}

#[test]
fn sets_of_the_variants() {
    let defaults = [
        (Variant::International, "fmjd"),
        (Variant::English, "wcdf"),
        (Variant::Russian, "fmjd64"),
        (Variant::Brazilian, "cbd"),
        (Variant::Pool, "apca"),
        (Variant::Italian, "fid"),
        (Variant::Frisian, "frisian"),
        (Variant::Thai, "none"),
    ];
    for (variant, set) in defaults {
        assert_eq!(variant.default_draw_rules().name(), set);
    }
    for variant in Variant::ALL {
        assert!(variant.draw_rule_sets().contains(&DrawRuleSet::None));
    }
}

/// The steps of one move in a set.
fn step(set: DrawRuleSet, before: Sides, play: Play, after: Sides) -> Step {
    set.step(Material::new(before.0, before.1), play, Material::new(after.0, after.1))
}

#[test]
fn steps_by_class() {
    use DrawRuleSet::{Apca, Fmjd, FmjdOlder, Wcdf};
    use Play::{Capture, KingMove, ManMove, Promotion};
    // A class that has arisen counts whatever is played in it, promotions too; what makes the class does not.
    assert_eq!(step(Fmjd, KING_2_MEN, ManMove, KING_2_MEN), Step::Advances);
    assert_eq!(step(Fmjd, KING_2_MEN, Promotion, ((1, 2), (0, 1))), Step::Advances);
    assert_eq!(step(Fmjd, MEN_3, Promotion, KING_2_MEN), Step::Starts);
    assert_eq!(step(Fmjd, KINGS_4_1, Capture, KINGS_3_1), Step::Starts);
    assert_eq!(step(Fmjd, KINGS_3_1, Capture, KINGS_2_1), Step::Starts);
    assert_eq!(step(Fmjd, KINGS_3_1, Capture, KINGS_1_1), Step::Starts);
    assert_eq!(step(Fmjd, KINGS_2_1, Capture, KINGS_1_1), Step::Starts);
    assert_eq!(step(Fmjd, KING_2_MEN, Capture, ((2, 0), (0, 1))), Step::Starts);
    // The older reading.
    assert_eq!(step(FmjdOlder, KINGS_3_1, Capture, KINGS_2_1), Step::Joins);
    assert_eq!(step(FmjdOlder, KINGS_3_1, Capture, KINGS_1_1), Step::Joins);
    assert_eq!(step(FmjdOlder, KINGS_4_1, Capture, KINGS_3_1), Step::Starts);
    assert_eq!(step(FmjdOlder, KING_2_MEN, Promotion, ((1, 2), (0, 1))), Step::Advances);
    // Kings' moves count, all else starts again.
    for (play, expected) in
        [(KingMove, Step::Advances), (ManMove, Step::Starts), (Promotion, Step::Starts)]
    {
        let after = if play == Promotion { KINGS_2_2 } else { ((1, 1), (0, 2)) };
        assert_eq!(step(Fmjd, ((1, 1), (0, 2)), play, after), expected);
        assert_eq!(step(Wcdf, ((1, 1), (0, 2)), play, after), expected);
    }
    assert_eq!(step(Wcdf, KINGS_3_1, Capture, KINGS_2_1), Step::Starts);
    assert_eq!(step(Apca, KINGS_4_1, KingMove, KINGS_4_1), Step::Starts);
}

#[test]
fn the_older_reading_leaves_the_fewer_plies() {
    let [three, two] = [KINGS_3_1, KINGS_2_1].map(|(one, other)| Material::new(one, other));
    let after = |set: DrawRuleSet, plies| set.plies_after(three, plies, Play::Capture, two);
    for plies in 0..32 {
        assert_eq!(after(DrawRuleSet::Fmjd, plies), 0);
        let left = (31 - plies).min(10);
        assert_eq!(10 - after(DrawRuleSet::FmjdOlder, plies), left);
    }
}

fn read<R: Rules>(fen: &str) -> Position<R> {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Plays moves; the plies on the counter after each.
fn play<R: Rules>(counters: &mut Counters<R>, moves: &str) -> Vec<u16> {
    let each = |text: &str| {
        let played = counters.position().parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        counters.play(played);
        counters.plies()
    };
    moves.split(' ').map(each).collect()
}

#[test]
fn a_class_counts_from_where_it_arose() {
    let start = read::<International>("W:WK40,K45,50:BK11");
    let mut counters = Counters::with_counter(DrawRuleSet::Fmjd, start, 4);
    assert_eq!((counters.plies(), counters.left()), (4, Some(28)));
    assert_eq!(play(&mut counters, "40-35 11-2 50-44"), [5, 6, 7]);
    // A man is given up: two against one have five moves anew, but in the older reading no more than the sixteen leave.
    let given_up = |set, plies| {
        let start = read::<International>("W:WK5,K46,33:BK11");
        let mut counters = Counters::with_counter(set, start, plies);
        let counted = play(&mut counters, "33-28 11x33");
        assert_eq!(counters.applying().map(|rule| rule.article), Some("FMJD 6.4"));
        (counted, counters.left())
    };
    assert_eq!(given_up(DrawRuleSet::Fmjd, 30), (vec![31, 0], Some(10)));
    assert_eq!(given_up(DrawRuleSet::FmjdOlder, 20), (vec![21, 0], Some(10)));
    assert_eq!(given_up(DrawRuleSet::FmjdOlder, 28), (vec![29, 8], Some(2)));
    assert_eq!(given_up(DrawRuleSet::FmjdOlder, 30), (vec![31, 10], Some(0)));
}

#[test]
fn kings_moves_count_until_a_man_moves_or_is_taken() {
    let start = read::<International>("W:WK1,31,32:BK50,20");
    let mut counters = Counters::new(DrawRuleSet::Fmjd, start);
    assert_eq!(play(&mut counters, "1-6 50-45 6-1 45-50 31-27 50-45 1-6"), [1, 2, 3, 4, 0, 1, 2]);
    assert_eq!(play(&mut counters, "20-24 6-1 45-50 32-28"), [0, 1, 2, 0]);
}

#[test]
fn an_unchanged_balance_counts_beside() {
    // FMJD-64 7.2.6: 30 moves each with four pieces, moves of men included.
    let start = read::<Russian>("W:WKa7,a1:BKg1,h8");
    let mut counters = Counters::new(DrawRuleSet::Fmjd64, start);
    let shuffle = |counters: &mut _, times| {
        (0..times).for_each(|_| drop(play(counters, "a7-b8 g1-h2 b8-a7 h2-g1")));
    };
    shuffle(&mut counters, 5);
    assert_eq!(play(&mut counters, "a1-b2 h8-g7"), [0, 0]);
    shuffle(&mut counters, 5);
    assert_eq!(play(&mut counters, "b2-a3 g7-h6"), [0, 0]);
    shuffle(&mut counters, 3);
    assert_eq!(play(&mut counters, "a7-b8 g1-h2 b8-a7"), [13, 14, 15]);
    assert!(matches!(counters.drawn(), Some(Drawn::Repetition(_))));
    play(&mut counters, "h2-g1");
    let drawn = counters.drawn();
    assert!(matches!(drawn, Some(Drawn::Rule(rule)) if rule.article == "FMJD-64 7.2.6"));
    assert_eq!(counters.applying().map(|rule| rule.article), Some("FMJD-64 7.2.5"));
}

/// Two kings going to and fro between corners that do not meet.
const SHUFFLE: &str = "1-6 50-45 6-1 45-50";

#[test]
fn repetition_counts_the_side_to_move() {
    let start = read::<International>("W:WK1,32:BK50,20");
    let mut counters = Counters::new(DrawRuleSet::Fmjd, start);
    assert_eq!(counters.repetitions(), 1);
    play(&mut counters, SHUFFLE);
    assert_eq!((counters.repetitions(), counters.drawn()), (2, None));
    play(&mut counters, "1-6 50-45 6-1");
    assert_eq!((counters.repetitions(), counters.drawn()), (2, None));
    play(&mut counters, "45-50");
    assert_eq!(counters.repetitions(), 3);
    assert!(
        matches!(counters.drawn(), Some(Drawn::Repetition(rule)) if rule.article == "FMJD 6.1")
    );
    // Italian asks for a fourth time.
    let start = read::<Italian>("W:WK1,22:BK32,12");
    let mut counters = Counters::new(DrawRuleSet::Fid, start);
    for times in 2..=4 {
        play(&mut counters, "1-5 32-28 5-1 28-32");
        assert_eq!((counters.repetitions(), counters.drawn().is_some()), (times, times == 4));
    }
}

#[test]
fn a_full_counter_draws_unless_the_game_is_over() {
    // K against K, White takes with the last ply allowed.
    let start = read::<International>("W:WK1:BK12");
    let mut counters = Counters::with_counter(DrawRuleSet::Fmjd, start, 9);
    let played = start.legal_moves()[0];
    assert_eq!(counters.drawn(), None);
    counters.play(played);
    assert!(!counters.position().has_move());
    assert_eq!(counters.drawn(), None);
    // A blocked side has lost with a full counter, any other has drawn.
    let full = |fen| {
        let position = read::<International>(fen);
        Counters::with_counter(DrawRuleSet::Fmjd, position, 10).drawn().is_some()
    };
    assert!(full("W:WK1:BK50"));
    let full = |fen| {
        let position = read::<English>(fen);
        Counters::with_counter(DrawRuleSet::Wcdf, position, 80).drawn().is_some()
    };
    assert!(full("B:W32:B27") && !full("B:W32:B28"));
}

/// A position of a few pieces.
fn few_pieces() -> impl Strategy<Value = (Vec<common::Square>, Color)> {
    let piece = (0..32usize, common::color(), prop::bool::weighted(0.7));
    let squares = prop::collection::vec(piece, 2..8).prop_map(|pieces| {
        let mut squares = vec![None; damier_core::MAX_SQUARES];
        for (square, color, king) in pieces {
            squares[square] = Some((color, king));
        }
        squares
    });
    (squares, common::color())
}

/// The count that the wording of the rule gives for the last position of a game.
fn by_the_book<R: Rules>(set: DrawRuleSet, game: &[Position<R>]) -> usize {
    let materials: Vec<Material> = game.iter().map(Material::of).collect();
    let Some(rule) = set.applying(*materials.last().expect("a position")) else { return 0 };
    let moves = game.windows(2).zip(materials.windows(2)).rev();
    match rule.counts {
        Counts::SinceArisen => {
            moves.take_while(|(_, materials)| set.applying(materials[0]) == Some(rule)).count()
        }
        Counts::KingMoves => {
            let same_men = |game: &[Position<R>]| {
                Color::BOTH.iter().all(|&color| game[0].men(color) == game[1].men(color))
            };
            moves
                .take_while(|(game, materials)| materials[0] == materials[1] && same_men(game))
                .count()
        }
        Counts::SameBalance => unreachable!("it binds for no material"),
    }
}

/// Plays a game until it is over or drawn.
fn check_game<R: Rules>(start: Position<R>, choices: &[usize]) {
    for &set in R::VARIANT.draw_rule_sets().iter().filter(|set| **set != DrawRuleSet::FmjdOlder) {
        let mut counters = Counters::new(set, start);
        let mut game = vec![start];
        let mut played = Vec::new();
        for &choice in choices {
            let position = *counters.position();
            let moves = position.legal_moves();
            let limit = counters.applying().map_or(usize::MAX, |rule| rule.limit.into());
            let repeated = game.iter().filter(|earlier| **earlier == position).count();
            assert_eq!(usize::from(counters.plies()), by_the_book(set, &game));
            assert_eq!(counters.repetitions(), repeated);
            match counters.drawn() {
                _ if moves.is_empty() => assert_eq!(counters.drawn(), None),
                None => assert!(usize::from(counters.plies()) < limit),
                Some(Drawn::Rule(rule)) if rule.counts == Counts::SameBalance => {}
                Some(Drawn::Rule(_)) => assert_eq!(usize::from(counters.plies()), limit),
                Some(Drawn::Repetition(rule)) => assert_eq!(repeated, rule.times.into()),
            }
            if moves.is_empty() || counters.drawn().is_some() {
                break;
            }
            // Most games go on for longer if nothing is left to be taken.
            let safe = moves.iter().filter(|&&played| !position.play(played).capture_due());
            let safe: Vec<_> = safe.copied().collect();
            let among = if safe.is_empty() || choice % 8 == 0 { &moves[..] } else { &safe };
            let chosen = among[choice / 8 % among.len()];
            played.push(chosen);
            counters.play(chosen);
            game.push(*counters.position());
        }
        assert_eq!(Counters::from_game(set, start, played), counters);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn counters_of_random_games(
        (squares, turn) in few_pieces(),
        choices in prop::collection::vec(0..1000usize, 200),
    ) {
        macro_rules! check {
            ($($rules:ty),*) => {$(
                if let Some(start) = common::placed::<$rules>(&squares, turn) {
                    check_game(start, &choices);
                }
            )*};
        }
        check!(International, English, Russian, Brazilian, Pool, Italian, Frisian, Turkish);
    }
}
