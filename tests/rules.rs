//! Distances and draw rules, asked of the command and of the library: what is known of one king against three, and every position against the
//! moves that it has.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use common::damier;
use damier::rules::{Brazilian, International};
use damier::{
    Class, Color, Counters, DrawRuleSet, Index, Measure, Position, RuleValue, Rules, TableFiles,
    Tablebase, Value, Variant,
};
use tempfile::TempDir;

/// A folder with what is not part of the program: values and distances under their rules of the other variants that have counts to compare, of
/// up to three pieces and some of a king alone against three; conversions of International draughts.
fn tables() -> &'static str {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let tables = ["--tables", folder.path().to_str().unwrap()];
        for build in [
            &["build", "brazilian", "--pieces", "3", "--rules", "cbd"][..],
            &["build", "brazilian", "--class", "KMMvK", "--class", "KKMvK", "--rules", "cbd"],
            &["build", "russian", "--pieces", "3", "--rules", "fmjd64"],
            &["build", "russian", "--class", "KKKvK", "--metric", "wdl,dtw", "--rules", "fmjd64"],
            &[
                "build",
                "international",
                "--pieces",
                "3",
                "--metric",
                "dtc",
                "--rules",
                "fmjd-older",
            ],
        ] {
            damier(&[build, &tables].concat()).done();
        }
        folder
    });
    folder.path().to_str().unwrap()
}

fn run(arguments: &[&str]) -> common::Run {
    damier(&[arguments, &["--tables", tables()]].concat())
}

fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&run(&[arguments, &["--json"]].concat()).done()).unwrap()
}

/// The rows of an independent dynamic programme over positions and counters, by class and turn.
fn truth(variant: Variant) -> BTreeMap<(String, String), Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join(format!("tests/data/truth/{variant}-rules.csv")));
    let fields = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let keyed = |row: Vec<String>| {
        let [wm, wk, bm, bk] = [1, 2, 3, 4].map(|field| row[field].parse().unwrap());
        ((Class::new(wm, wk, bm, bk).to_string(), row[5].clone()), row)
    };
    text.unwrap().lines().skip(1).map(|line| keyed(fields(line))).collect()
}

fn check_rule_columns(variant: Variant, set: &str, wanted: &[&str]) -> usize {
    let truth = truth(variant);
    let rules = [&["rules", variant.name(), "--rules", set], wanted].concat();
    let csv = run(&[&rules[..], &["--format", "csv"]].concat()).done();
    let report = json(&rules);
    let turns: Vec<_> = report["classes"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|class| class["turns"].as_array().unwrap())
        .collect();
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some("class,turn,positions,wins,cursed_wins,draws,blessed_losses,losses")
    );
    let mut compared = 0;
    for (line, turn) in lines.zip(&turns) {
        let fields: Vec<_> = line.split(',').collect();
        let row = &truth[&(fields[0].to_owned(), fields[1].to_owned())];
        let numbers: Vec<u64> = fields[2..].iter().map(|field| field.parse().unwrap()).collect();
        let [positions, wins, cursed, draws, blessed, losses] = numbers[..] else {
            panic!("{line}")
        };
        let expected: Vec<u64> = row[8..14].iter().map(|field| field.parse().unwrap()).collect();
        assert_eq!(
            [positions, wins, cursed + draws + blessed, losses, cursed, blessed],
            expected[..]
        );
        // The Russian figures leave the five-move rules out, which change no value but the plies.
        let limit: u64 = row[7].parse().unwrap();
        if turn["by_counter"].as_array().unwrap().len() as u64 == limit {
            assert_eq!(longest_counters(turn, limit), [row[14].clone(), row[15].clone()], "{line}");
        }
        compared += 1;
    }
    compared
}

/// Of the wins and of the losses, with how many plies on the counter how many of them are so for the last time.
fn longest_counters(turn: &serde_json::Value, limit: u64) -> [String; 2] {
    let values = turn["values"].as_array().unwrap();
    ["win", "loss"].map(|name| {
        let value = values.iter().find(|value| value["value"] == name).unwrap();
        let bars = value["histogram"].as_object().unwrap().iter();
        let bars = bars.map(|(plies, count)| (limit - plies.parse::<u64>().unwrap(), count));
        let bars: BTreeMap<_, _> = bars.collect();
        let bars = bars.iter().map(|(counter, positions)| format!("{counter}:{positions}"));
        bars.collect::<Vec<_>>().join(" ")
    })
}

#[test]
fn verify_proves_distances_under_rules() {
    for (variant, contents) in [("brazilian", 2), ("russian", 3), ("international", 2)] {
        let verified = run(&["verify", variant]).done();
        assert_eq!(verified.matches("all right").count(), contents, "{verified}");
    }
}

#[test]
fn rule_columns_are_those_of_the_brute_force() {
    let pieces = ["--pieces", "3"];
    assert_eq!(check_rule_columns(Variant::International, "fmjd", &pieces), 32);
    assert_eq!(check_rule_columns(Variant::International, "fmjd", &["--class", "KKKvK"]), 2);
    assert_eq!(check_rule_columns(Variant::International, "fmjd", &["--class", "KvKKK"]), 2);
    assert_eq!(check_rule_columns(Variant::Brazilian, "cbd", &pieces), 32);
    assert_eq!(check_rule_columns(Variant::Russian, "fmjd64", &pieces), 32);
}

/// On 10x10 the 16-move rule takes no win from one king against three, on 8x8 it does.
#[test]
fn one_king_against_three() {
    let rules = ["rules", "international", "--rules", "fmjd", "--class"];
    let claims = |class, claim| run(&[&rules[..], &[class, "--claim", claim]].concat());
    for class in ["KKKvK", "KKMvK", "KMMvK", "MMMvK", "KMvK"] {
        let answer = claims(class, "harmless").done();
        assert_eq!(answer, format!("yes, harmless holds for {class} under fmjd\n"));
    }
    for (class, claim, holds) in [
        ("KKKvK", "longest=13", true),
        ("KKKvK", "longest=12", false),
        ("KKMvK", "margin=3", true),
        ("KKMvK", "margin=4", false),
        ("KMvK", "longest=9", true),
        ("KMvK", "longest=8", false),
    ] {
        let answer = claims(class, claim);
        assert_eq!(answer.code, Some(if holds { 0 } else { 1 }), "{class} {claim}: {answer:?}");
        assert!(answer.out.starts_with(if holds { "yes, " } else { "no, " }), "{answer:?}");
        assert_eq!(answer.err, "");
    }
    let text = run(&[&rules[..], &["KKMvK", "--class", "KKKvK"]].concat()).done();
    for line in [
        "KKMvK under fmjd: 16-move rule, FMJD 6.3: drawn after 32 plies since the material arose",
        "win                1034406  41.589 %  longest 28 plies, one of 5: W:WK12,K40,50:BK11",
        // With up to three plies on the counter nothing is lost, with four the first loss.
        "1-3              0              0               0              0",
        "4              0              0               0              1",
        "5              5              0               0              1",
        "Harmless from a fresh counter: no win on the board is drawn by the rules. Each leaves 3 plies or more.",
        "\nKKKvK under fmjd: 16-move rule",
        "win                 486444  52.805 %  longest 12 plies, one of 88: W:WK13,K18,K45:BK2",
        "32         486444              0           16812          40488",
    ] {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&text).contains(&words(line)), "{line}: {text}");
    }
    let report = json(&[&rules[..], &["KKMvK"]].concat());
    let class = &report["classes"][0];
    assert_eq!(class["rule"]["article"], "FMJD 6.3");
    let [white, black] = [&class["turns"][0], &class["turns"][1]];
    assert_eq!(
        (&white["values"][0]["longest"], &black["values"][4]["longest"]),
        (&28.into(), &29.into())
    );
    assert_eq!((&white["margin"], &black["margin"]), (&4.into(), &3.into()));
    // With four plies on the counter all wins with White to move still stand; with five, five do not.
    assert_eq!(
        (&white["by_counter"][3]["wins"], &white["by_counter"][4]["wins"]),
        (&0.into(), &5.into())
    );

    let answer = run(&["rules", "brazilian", "--class", "KMMvK", "--claim", "harmless", "--json"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    let answer: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(answer["holds"], false);
    let cursed =
        json(&["probe", "brazilian", answer["against"]["fen"].as_str().unwrap(), "--rules", "cbd"]);
    assert_eq!(cursed["result"], answer["against"]["value"]);
    let report = json(&["rules", "brazilian", "--class", "KMMvK"]);
    let white = &report["classes"][0]["turns"][0];
    assert_eq!(
        (&white["values"][1]["value"], &white["values"][1]["positions"]),
        (&"cursed-win".into(), &95_892.into())
    );
    let other = json(&["rules", "brazilian", "--class", "KKMvK"]);
    let (cursed, white) = (&other["classes"][0]["turns"][0]["values"][1], white);
    assert_eq!((&cursed["value"], &cursed["positions"]), (&"cursed-win".into(), &40_257.into()));
    // All of them by the 16-move rule alone.
    let taken: Vec<_> =
        white["by_rule"].as_array().unwrap().iter().map(|rule| rule["wins"].clone()).collect();
    assert_eq!(taken, [95_892, 0, 0, 0]);
}

/// A sacrifice leaves the class sooner, and what comes after has a count of its own.
#[test]
fn a_win_in_31_plies_with_28_on_the_counter() {
    let fen = "W:WK40,K45,50:BK11";
    let with = |counter: &str| {
        json(&["probe", "international", fen, "--rules", "fmjd", "--counter", counter])
    };
    for (counter, result, margin) in
        [("0", "win", Some(4)), ("4", "win", Some(0)), ("5", "cursed-win", None)]
    {
        let answer = with(counter);
        assert_eq!((&answer["result"], &answer["dtw"]), (&result.into(), &31.into()));
        assert_eq!(answer["margin"].as_u64(), margin);
        assert_eq!(answer["dtr"].as_u64(), margin.map(|_| 28));
        assert_eq!(
            (&answer["moves"][0]["move"], &answer["moves"][0]["result"]),
            (&"40-44".into(), &result.into())
        );
    }
    // The counter follows from the moves: five more plies.
    let moves = "1. 40-44 11-16 2. 44-49 16-2 3. 49-35";
    let answer = json(&[
        "probe",
        "international",
        fen,
        "--rules",
        "fmjd",
        "--counter",
        "4",
        "--moves",
        moves,
    ]);
    assert_eq!((&answer["counter"], &answer["result"]), (&9.into(), &"loss".into()));
    assert_eq!((&answer["dtr"], &answer["margin"]), (&23.into(), &0.into()));
    let full = with("32");
    assert_eq!(
        (&full["result"], &full["drawn"]),
        (&"cursed-win".into(), &"the 16-move rule (FMJD 6.3)".into())
    );
    // A side without a move has lost, however full the counter is.
    let blocked = "W:WK46:BK41,37";
    assert!(
        run(&["probe", "international", blocked, "--rules", "fmjd", "--counter", "99"])
            .done()
            .contains("no legal move")
    );
    let line = run(&["probe", "international", fen, "--counter", "3"]).fails(2);
    assert!(line.contains("--rules"), "{line}");
    let line = run(&["probe", "international", fen, "--rules", "wcdf"]).fails(2);
    assert!(line.contains("damier build international --class KKMvK --rules wcdf"), "{line}");
    let line = run(&["line", "international", "W:WK40,K45,50:BK11", "--metric", "dtc"]).fails(2);
    assert!(line.contains("damier build international --class KKMvK --metric dtc"), "{line}");
}

/// Three kings win against one off the main road, by Petrov's triangle in 15 moves at most.
#[test]
fn petrovs_triangle() {
    let csv = run(&["stats", "russian", "--format", "csv"]).done();
    assert!(csv.contains("\nKKKvK,W,143840,132240,11600,0,25\n"), "{csv}");
    // The same by letters, and not as they would be counted from below.
    for fen in ["W:WK29,K30,K31:BK3", "W:WKa1,Kc1,Ke1:BKf8"] {
        for (counter, result) in
            [("0", "win"), ("12", "win"), ("13", "cursed-win"), ("30", "cursed-win")]
        {
            let answer =
                json(&["probe", "russian", fen, "--rules", "fmjd64", "--counter", counter]);
            assert_eq!(
                (&answer["result"], &answer["dtw"]),
                (&result.into(), &21.into()),
                "{fen} {counter}"
            );
        }
    }
    // On the main road a draw stays a draw, whatever the counter.
    for counter in ["0", "10", "29"] {
        let fen = "W:WK30,K31,K32:BK29";
        let answer = json(&["probe", "russian", fen, "--rules", "fmjd64", "--counter", counter]);
        assert_eq!(answer["result"], "draw", "{counter}");
    }
}

/// Whether movetext, wherever its lines are broken, ends so.
fn ends_with(text: &str, end: &str) -> bool {
    text.split_whitespace().collect::<Vec<_>>().join(" ").ends_with(end)
}

#[test]
fn lines_are_played_to_the_end() {
    let fen = "W:WK40,K45,50:BK11";
    let line = run(&["line", "international", fen]).done();
    assert!(
        line.starts_with(&format!(
            "[GameType \"20\"]\n[FEN \"{fen}\"]\n\n{{White wins in 31 plies}} 1. 40-44 {{30}}"
        )),
        "{line}"
    );
    assert!(ends_with(&line, "{0} 2-0"), "{line}");
    assert_eq!(line.matches('{').count(), 32);
    let line = run(&["line", "international", fen, "--rules", "fmjd", "--counter", "4"]).done();
    assert!(line.contains("28 plies on the counter of the 16-move rule, FMJD 6.3"), "{line}");
    assert!(
        line.contains("{31+1/32}") && line.contains("{0+2/10}") && ends_with(&line, "{0+0/50} 2-0"),
        "{line}"
    );
    let line = run(&["line", "international", fen, "--rules", "fmjd", "--counter", "5"]).done();
    assert!(ends_with(&line, "{White would win, but the rules draw first} 1-1"), "{line}");
    let line = run(&["line", "english", "W:WK4:BK10"]).done();
    assert!(line.contains("{Black wins in 6 plies} 1... 4-8 {5} 2. 10-7 {4}"), "{line}");
    assert!(ends_with(&line, "4. 11x2 {0} 0-1"), "{line}");
    let line = run(&["line", "international", "W:WK10,31:BK5", "--metric", "dtc"]).done();
    assert!(line.contains("next conversion in"), "{line}");
}

/// Every position of a class with one side to move.
fn positions<R: Rules>(class: &str, turn: Color) -> impl Iterator<Item = Position<R>> {
    let class: Class = class.parse().unwrap();
    let index = Index::<R>::new(class, damier::GroupOrder::default_for(class));
    (0..index.len()).filter_map(move |number| index.position(number, turn))
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % bound as u64) as usize
    }
}

/// The best move for the side to move, or any.
fn reply<R: Rules>(
    tables: &Tablebase<R>,
    counters: &Counters<R>,
    dice: Option<&mut Dice>,
) -> Counters<R> {
    let moves = tables.moves_with_rules(counters).unwrap();
    let chosen = dice.map_or(0, |dice| dice.below(moves.len()));
    moves[chosen].after.clone()
}

/// Plays out a game in which `winner` plays the best moves and the other side the best or any; how it ends.
fn play<R: Rules>(
    tables: &Tablebase<R>,
    start: Counters<R>,
    winner: Color,
    mut dice: Option<&mut Dice>,
) -> Value {
    let mut counters = start;
    loop {
        let turn = counters.position().turn();
        if let Some(over) = counters.position().over() {
            return if turn == winner { over } else { over.negated() };
        }
        if counters.drawn().is_some() {
            return Value::Draw;
        }
        let by_dice = if turn == winner { None } else { dice.as_deref_mut() };
        counters = reply(tables, &counters, by_dice);
    }
}

/// A thousand games of three kings against one, with the most and with too many plies on the counter.
#[test]
fn wins_are_brought_home_in_time() {
    let tables = Tablebase::<International>::embedded();
    let mut dice = Dice(1);
    let mut games = 0;
    let all =
        positions::<International>("KKKvK", Color::White).chain(positions("KKMvK", Color::White));
    for position in all.step_by(1_499) {
        let found = tables.distance(&position, Measure::Dtr(DrawRuleSet::Fmjd)).unwrap();
        if found.value != Value::Win {
            continue;
        }
        let with = |plies| Counters::with_counter(DrawRuleSet::Fmjd, position, plies);
        let most = 32 - found.plies;
        assert_eq!(tables.probe_with_rules(&with(most)).unwrap().margin, Some(0));
        assert_eq!(play(&tables, with(most), Color::White, None), Value::Win, "{position}");
        assert_eq!(
            play(&tables, with(most), Color::White, Some(&mut dice)),
            Value::Win,
            "{position}"
        );
        // With a ply more the win is gone, and never claimed.
        let gone = with(most + 1);
        assert_eq!(
            tables.probe_with_rules(&gone).unwrap().value,
            RuleValue::CursedWin,
            "{position}"
        );
        assert_eq!(play(&tables, gone, Color::White, None), Value::Draw, "{position}");
        games += 1;
    }
    assert!(games >= 1_000, "{games} games");
}

/// What a game is worth is what its best move makes of it, for every counter.
fn check_moves<R: Rules>(tables: &Tablebase<R>, set: DrawRuleSet, classes: &[&str], step: usize) {
    for (class, turn) in classes.iter().flat_map(|class| Color::BOTH.map(|turn| (class, turn))) {
        for position in positions::<R>(class, turn).step_by(step) {
            let limit = Counters::new(set, position).applying().map_or(0, |rule| rule.limit);
            for plies in 0..=limit + 1 {
                let counters = Counters::with_counter(set, position, plies);
                let outcome = tables.probe_with_rules(&counters).unwrap();
                let moves = tables.moves_with_rules(&counters).unwrap();
                match moves.first() {
                    Some(best) => assert_eq!(best.outcome, outcome, "{position} with {plies}"),
                    None => assert_eq!(outcome.value, RuleValue::Loss, "{position} with {plies}"),
                }
                let over = counters.drawn().is_some();
                assert!(!over || outcome.value.result() == Value::Draw, "{position} with {plies}");
            }
        }
    }
}

#[test]
fn every_counter_agrees_with_the_moves() {
    let files = TableFiles::open(&[tables()]).unwrap().with_embedded();
    let international = Tablebase::with_source(files);
    check_moves::<International>(&international, DrawRuleSet::Fmjd, &["KvK"], 1);
    check_moves(&international, DrawRuleSet::Fmjd, &["KKvK", "KMvK", "KMvM"], 97);
    check_moves(&international, DrawRuleSet::Fmjd, &["KKKvK", "KKMvK", "MMMvK"], 9_973);
    check_moves(&international, DrawRuleSet::FmjdOlder, &["KKvK", "KMvK"], 97);
    let brazilian = Tablebase::open(&[tables()]).unwrap();
    check_moves::<Brazilian>(&brazilian, DrawRuleSet::Cbd, &["KvK", "KMvK", "MvKM"], 61);
    check_moves(&brazilian, DrawRuleSet::Cbd, &["KMMvK"], 1_009);
}

/// What a position is worth is what its best move makes of it, by every measure.
#[test]
fn every_distance_agrees_with_the_moves() {
    let files = TableFiles::<International>::open(&[tables()]).unwrap().with_embedded();
    let tables = Tablebase::with_source(files);
    for measure in [Measure::Dtw, Measure::Dtc, Measure::Dtr(DrawRuleSet::Fmjd)] {
        for (class, turn) in ["KvK", "KvM", "KMvK", "MMvK"]
            .iter()
            .flat_map(|class| Color::BOTH.map(|turn| (class, turn)))
        {
            for position in positions::<International>(class, turn).step_by(7) {
                let found = tables.distance(&position, measure).unwrap();
                let moves = tables.moves_measured(&position, measure).unwrap();
                match moves.first() {
                    Some(best) => assert_eq!(best.distance, found, "{position} {measure}"),
                    None => assert_eq!((found.value, found.plies), (Value::Loss, 0), "{position}"),
                }
                if !matches!(measure, Measure::Dtr(_)) {
                    assert_eq!(
                        found.value,
                        tables.probe(&position).unwrap(),
                        "{position} {measure}"
                    );
                }
            }
        }
    }
}
