//! Published node counts of every variant.

use damier_core::{Counting, Position, Rules, Variant, perft, with_rules};

struct Row<'a> {
    variant: Variant,
    fen: &'a str,
    depth: u32,
    /// The deepest rows are beyond 64 bits.
    nodes: u128,
    counting: Counting,
}

/// A row of the corpus: variant, FEN (in quotes where it has commas), depth, nodes, how captures count, source.
fn read(line: &str) -> Row<'_> {
    let (variant, rest) = line.split_once(',').expect("a variant");
    let (fen, rest) = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once("\",").expect("a closing quote"),
        None => rest.split_once(',').expect("a FEN"),
    };
    let [depth, nodes, duplicates, source] =
        rest.splitn(4, ',').collect::<Vec<_>>().try_into().expect("six fields");
    // Some sources count every landing square apart.
    let landings =
        ["kish", "pydraughts", "lidraughts counts"].iter().any(|name| source.contains(name));
    Row {
        variant: variant.parse().expect("a known variant"),
        fen,
        depth: depth.parse().expect("a depth"),
        nodes: nodes.parse().expect("a number of nodes"),
        counting: match duplicates {
            "once" => Counting::Once,
            "apart" if landings => Counting::Landings,
            "apart" => Counting::Paths,
            _ => panic!("{line}"),
        },
    }
}

fn count<R: Rules>(row: &Row) -> u64 {
    let position: Position<R> =
        row.fen.parse().unwrap_or_else(|error| panic!("{}: {error}", row.fen));
    perft(&position, row.depth, row.counting)
}

/// Checks the rows with a number of nodes in this range; how many there were.
fn check(nodes: std::ops::RangeInclusive<u128>) -> usize {
    let rows = include_str!("data/perft.csv").lines().skip(1).map(read);
    let rows: Vec<Row> = rows.filter(|row| nodes.contains(&row.nodes)).collect();
    let mut wrong = 0;
    for row in &rows {
        let found = with_rules!(row.variant, R => count::<R>(row));
        if u128::from(found) != row.nodes {
            wrong += 1;
            let Row { variant, fen, depth, nodes, counting } = row;
            eprintln!("{variant} {fen} depth {depth} {counting:?}: {found}, expected {nodes}");
        }
    }
    assert_eq!(wrong, 0);
    rows.len()
}

#[test]
fn to_ten_million_nodes() {
    assert_eq!(check(0..=10_000_000), 342);
}

#[test]
#[ignore = "two minutes in a release build"]
fn to_a_billion_nodes() {
    assert_eq!(check(10_000_001..=1_000_000_000), 94);
}

#[test]
#[ignore = "ten minutes in a release build"]
fn to_three_billion_nodes() {
    assert_eq!(check(1_000_000_001..=3_000_000_000), 31);
}
