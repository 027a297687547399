//! Tables of distances: what is written is what is read, or an error.

mod common;

use std::io::Cursor;

use common::scrambled;
use damier_core::rules::{English, International};
use damier_core::{Color, DrawRuleSet, Position, Rules, Value, Variant, Word};
use damier_tables::{
    BLOCK, Class, Codec, Counts, DONT_CARE_SCORE, Distances, GroupOrder, Index, MappedFile, Metric,
    Scores, Storage, Table, TableError, WriteOptions, encode_distances, file_name_under,
    write_distances,
};

/// Scores given by a function of the position; holes are left open.
struct ByPosition<F>(F);

impl<R: Rules, F: Fn(&Position<R>) -> u16 + Sync> Distances<R> for ByPosition<F> {
    fn fill(&self, index: &Index<R>, turn: Color, start: u64, out: &mut [u16]) {
        for (number, score) in (start..).zip(out) {
            let position = index.position(number, turn);
            *score = position.map_or(DONT_CARE_SCORE, |position| (self.0)(&position));
        }
    }
}

const COUNTS: [Counts; 2] =
    [Counts { wins: 1, draws: 2, losses: 3 }, Counts { wins: 4, draws: 5, losses: 6 }];
const LONGEST: [[Option<u16>; 2]; 2] =
    [[Some(0), None], [Some(Scores::MAX_PLIES), Some(Scores::MAX_PLIES - 1)]];

fn encoded<R: Rules>(
    class: Class,
    metric: Metric,
    rules: DrawRuleSet,
    distances: &impl Distances<R>,
    options: &WriteOptions,
) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    encode_distances(&mut bytes, class, metric, rules, COUNTS, LONGEST, distances, options)
        .unwrap();
    bytes.into_inner()
}

/// Compares every score that matters, by blocks and by scanning, and the values.
fn same_scores<R: Rules, S: Storage>(table: &Table<S>, distances: &impl Distances<R>) {
    let index = Index::<R>::new(table.class(), table.order());
    for &turn in table.stored_turns() {
        let (mut expected, mut found) = ([0; BLOCK], [0; BLOCK]);
        let mut values = [7; BLOCK];
        let mut scanned = Vec::new();
        table.scan_distances(turn, |_, scores| scanned.extend_from_slice(scores)).unwrap();
        assert_eq!(scanned.len() as u64, table.positions());
        for block in 0..table.blocks() {
            let start = block * BLOCK as u64;
            let len = table.decode_distances(turn, block, &mut found).unwrap();
            assert_eq!(table.decode(turn, block, &mut values).unwrap(), len);
            distances.fill(&index, turn, start, &mut expected[..len]);
            assert_eq!(scanned[start as usize..][..len], found[..len]);
            for place in 0..len {
                let (expected, found) = (expected[place], found[place]);
                if expected != DONT_CARE_SCORE {
                    assert_eq!(expected, found, "{} {turn} {block} {place}", table.class());
                }
                let (value, _) = Scores::read(found).expect("a value");
                assert_eq!(value as u8, values[place]);
                if let Some(constant) = table.constant(turn, block) {
                    assert_eq!(constant, value);
                }
            }
        }
    }
    table.verify_checksums().unwrap();
}

fn round_trip<R: Rules>(class: Class, distances: &impl Distances<R>) -> usize {
    let mut sizes = Vec::new();
    for (codec, metric) in
        [(Codec::Plain, Metric::Dtw), (Codec::Context, Metric::Dtc), (Codec::Context, Metric::Dtr)]
    {
        let rules = if metric == Metric::Dtr { DrawRuleSet::Wcdf } else { DrawRuleSet::None };
        for order in [None, GroupOrder::all_for(class).pop()] {
            let options = WriteOptions { codec, order };
            let bytes = encoded(class, metric, rules, distances, &options);
            let table = Table::open(bytes.as_slice()).unwrap();
            assert_eq!((table.variant(), table.metric()), (R::VARIANT, metric));
            assert_eq!((table.codec(), table.rules()), (codec, rules));
            for turn in Color::BOTH {
                assert_eq!(table.counts(turn), COUNTS[turn.index()]);
                assert_eq!(table.longest(turn), LONGEST[turn.index()]);
            }
            same_scores(&table, distances);
            sizes.push(bytes.len());
        }
    }
    sizes[2]
}

/// Something like distances: pieces have to come together, the side with more of them wins.
fn smooth<R: Rules>(position: &Position<R>) -> u16 {
    let [white, black] = Color::BOTH.map(|color| position.pieces(color).bits().sum::<u32>());
    let away = (white.abs_diff(black) / 3) as u16;
    match (scrambled(position) % 40, position.turn()) {
        (0, _) => DONT_CARE_SCORE,
        (1..4, _) => Scores::of(Value::Draw, 0),
        (4, Color::White) => Scores::of(Value::Win, 2 * away + 31),
        (_, Color::White) => Scores::of(Value::Win, 2 * away + 1),
        (_, Color::Black) => Scores::of(Value::Loss, 2 * away),
    }
}

/// Scores of every kind: noise, structure, extremes.
fn all_kinds<R: Rules>(class: Class) {
    round_trip::<R>(class, &ByPosition(|position: &Position<R>| scrambled(position) as u16));
    round_trip::<R>(class, &ByPosition(smooth::<R>));
    round_trip::<R>(
        class,
        &ByPosition(|position: &Position<R>| {
            let value = Value::ALL[(scrambled(position) % 3) as usize];
            Scores::of(value, Scores::MAX_PLIES - (scrambled(position) % 5) as u16)
        }),
    );
    let won_at_once = Scores::of(Value::Win, 0);
    round_trip::<R>(class, &ByPosition(|_: &Position<R>| won_at_once));
    for drawn in [Scores::of(Value::Draw, 0), DONT_CARE_SCORE] {
        let bytes = round_trip::<R>(class, &ByPosition(|_: &Position<R>| drawn));
        assert_eq!(bytes, 256, "a table of draws is a header");
    }
}

#[test]
fn small_classes_of_both_boards() {
    for name in ["KvK", "MvM", "KMvK"] {
        all_kinds::<English>(name.parse().unwrap());
    }
    for name in ["KvM", "KKvM"] {
        all_kinds::<International>(name.parse().unwrap());
    }
}

#[test]
fn files_by_metric_and_rules() {
    let folder = std::env::temp_dir().join(format!("damier-distances-{}", std::process::id()));
    let class: Class = "KMvK".parse().unwrap();
    let distances = ByPosition(smooth::<English>);
    for (metric, rules) in [
        (Metric::Dtw, DrawRuleSet::None),
        (Metric::Dtc, DrawRuleSet::None),
        (Metric::Dtr, DrawRuleSet::None),
        (Metric::Dtr, DrawRuleSet::Wcdf),
    ] {
        let path = folder.join(file_name_under(Variant::English, class, metric, rules));
        let options = WriteOptions::default();
        write_distances(&path, class, metric, rules, COUNTS, LONGEST, &distances, &options)
            .unwrap();
        let table = Table::open(MappedFile::open(&path).unwrap()).unwrap();
        assert_eq!((table.metric(), table.rules()), (metric, rules));
        same_scores(&table, &distances);
    }
    let files = std::fs::read_dir(folder.join("english")).unwrap();
    assert_eq!(files.count(), 4, "one each, and nothing else");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let class: Class = "KMvKM".parse().unwrap();
    let distances = ByPosition(smooth::<English>);
    let [one, three] = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (rules, options) = (DrawRuleSet::None, WriteOptions::default());
        pool.install(|| encoded(class, Metric::Dtw, rules, &distances, &options))
    });
    assert!(one == three);
}

#[test]
fn values_have_no_distances() {
    let class: Class = "KKvM".parse().unwrap();
    let values = common::ByPosition(|_: &Position<English>| 2);
    let table = Table::open(common::encoded(class, &values, &WriteOptions::default())).unwrap();
    let refused = table.decode_distances(Color::White, 0, &mut [0; BLOCK]);
    assert!(matches!(refused, Err(TableError::NoDistances { metric: Metric::Wdl })));
    assert_eq!(table.longest(Color::White), [None, None]);
}

/// Everything that can be read from a table, or the first error.
fn read_all(bytes: &[u8]) -> Result<Vec<u16>, TableError> {
    let table = Table::open(bytes)?;
    table.verify_checksums()?;
    let mut all = Vec::new();
    for &turn in table.stored_turns() {
        table.scan_distances(turn, |_, scores| all.extend_from_slice(scores))?;
    }
    Ok(all)
}

#[test]
fn damage_is_an_error() {
    let class: Class = "KvM".parse().unwrap();
    let distances = ByPosition(smooth::<English>);
    for codec in [Codec::Context, Codec::Plain] {
        let options = WriteOptions { codec, order: None };
        let mut bytes = encoded(class, Metric::Dtw, DrawRuleSet::None, &distances, &options);
        read_all(&bytes).unwrap();
        for at in 0..bytes.len() {
            bytes[at] ^= 1 << (at % 8);
            assert!(read_all(&bytes).is_err(), "byte {at}");
            bytes[at] ^= 1 << (at % 8);
        }
        for len in (0..bytes.len()).step_by(7) {
            assert!(read_all(&bytes[..len]).is_err(), "{len} bytes");
        }
        bytes.push(0);
        assert!(read_all(&bytes).is_err());
    }
}
