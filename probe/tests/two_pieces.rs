//! The prober on the classes of two pieces, against a plain backward induction over all their positions.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use damier_core::rules::{English, International};
use damier_core::{Color, Position, Rules, Value};
use damier_probe::{Access, ProbeError, Source, TableFiles, Tablebase};
use damier_tables::{
    Class, Counts, DONT_CARE, GroupOrder, Index, Metric, Values, WriteOptions, file_name,
    write_table,
};

/// The value of every position of two pieces, one a side.
#[derive(Clone)]
struct Known<R: Rules>(HashMap<Position<R>, Value>);

impl<R: Rules> Known<R> {
    fn new() -> Known<R> {
        let mut open: Vec<Position<R>> = Vec::new();
        for class in Class::all(2) {
            let index = Index::<R>::new(class, GroupOrder::default_for(class));
            let turns = |number| Color::BOTH.map(|turn| index.position(number, turn));
            open.extend((0..index.len()).flat_map(turns).flatten());
        }
        let mut known = HashMap::new();
        loop {
            let before = open.len();
            open.retain(|position| {
                let moves = position.legal_moves();
                let values = moves.iter().map(|&played| {
                    let after = position.play(played);
                    after.over().or_else(|| known.get(&after).copied()).map(Value::negated)
                });
                let values: Vec<_> = values.collect();
                // Without a move, or with losing moves only, the position is lost.
                let value = match &values {
                    values if values.contains(&Some(Value::Win)) => Some(Value::Win),
                    values if values.iter().all(|value| *value == Some(Value::Loss)) => {
                        Some(Value::Loss)
                    }
                    _ => None,
                };
                value.map(|value| known.insert(*position, value)).is_none()
            });
            if open.len() == before {
                break;
            }
        }
        known.extend(open.into_iter().map(|position| (position, Value::Draw)));
        Known(known)
    }

    fn counts(&self, class: Class) -> [Counts; 2] {
        let mut counts = [Counts::default(); 2];
        for (position, &value) in self.0.iter().filter(|(position, _)| Class::of(position) == class)
        {
            counts[position.turn().index()].add(value);
        }
        counts
    }

    fn write(&self, folder: &Path) {
        for class in Class::all_canonical(2) {
            let path = folder.join(file_name(R::VARIANT, class, Metric::Wdl));
            write_table(&path, class, self.counts(class), self, &WriteOptions::default()).unwrap();
        }
    }
}

impl<R: Rules> Values<R> for Known<R> {
    fn fill(&self, index: &Index<R>, turn: Color, start: u64, out: &mut [u8]) {
        for (number, code) in (start..).zip(out) {
            let quiet = index.position(number, turn).filter(|position| !position.capture_due());
            *code = quiet.map_or(DONT_CARE, |position| self.0[&position] as u8);
        }
    }
}

/// A source in memory that has, as tables do, no use for captures.
impl<R: Rules> Source<R> for Known<R> {
    fn value(&self, position: &Position<R>) -> Result<Value, ProbeError> {
        assert!(!position.capture_due(), "{position}");
        Ok(self.0[position])
    }

    fn value_in_memory(&self, position: &Position<R>) -> Option<Value> {
        self.value(position).ok()
    }
}

fn international() -> &'static Known<International> {
    static KNOWN: OnceLock<Known<International>> = OnceLock::new();
    KNOWN.get_or_init(Known::new)
}

fn english() -> &'static Known<English> {
    static KNOWN: OnceLock<Known<English>> = OnceLock::new();
    KNOWN.get_or_init(Known::new)
}

#[track_caller]
fn assert_agrees<R: Rules>(tables: &Tablebase<R>, known: &Known<R>) {
    for (position, &value) in &known.0 {
        assert_eq!(tables.probe(position).unwrap(), value, "{position}");
    }
}

#[test]
fn published_counts() {
    // E. Trice's figures for king against king, English.
    let counts = english().counts(Class::new(0, 1, 0, 1))[0];
    assert_eq!((counts.wins, counts.draws, counts.losses), (230, 654, 108));
}

#[test]
fn captures_are_played_out() {
    assert_agrees(&Tablebase::with_source(international().clone()), international());
    assert_agrees(&Tablebase::with_source(english().clone()), english());
}

#[test]
fn files_answer_alike_however_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    international().write(folder.path());
    english().write(folder.path());
    for access in [Access::Mapped, Access::Read] {
        for cache in [0, 20_000, 1 << 20] {
            let files = TableFiles::open(&[folder.path()]).unwrap();
            let files = files.with_access(access).with_cache(cache);
            assert_agrees(&Tablebase::with_source(files), international());
        }
    }
    assert_agrees(&Tablebase::open(&[folder.path()]).unwrap(), english());
}

#[test]
fn threads_share_a_cache_too_small_for_them() {
    fn assert_shared<T: Send + Sync>(_: &T) {}
    let folder = tempfile::tempdir().unwrap();
    international().write(folder.path());
    let files = TableFiles::open(&[folder.path()]).unwrap().with_cache(5_000);
    let tables = Tablebase::with_source(files);
    assert_shared(&tables);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_agrees(&tables, international()));
        }
    });
}

#[test]
fn soft_probes_answer_from_memory_only() {
    let folder = tempfile::tempdir().unwrap();
    international().write(folder.path());
    let tables = Tablebase::open(&[folder.path()]).unwrap();
    let known = &international().0;
    let quiet: Vec<_> = known.keys().filter(|position| !position.capture_due()).collect();
    assert!(quiet.iter().all(|position| tables.probe_soft(position).is_none()));
    assert_agrees(&tables, international());
    for (position, &value) in known {
        assert_eq!(tables.probe_soft(position), Some(value), "{position}");
    }
}

#[test]
fn moves_come_best_first() {
    let tables = Tablebase::with_source(international().clone());
    for (position, &value) in international().0.iter().take(2_000) {
        let moves = tables.moves(position).unwrap();
        assert_eq!(moves.len(), position.legal_moves().len());
        assert!(moves.is_sorted_by(|a, b| a.value >= b.value));
        assert_eq!(moves.first().map_or(Value::Loss, |best| best.value), value, "{position}");
        for rated in moves {
            assert_eq!(position.play(rated.mv), rated.after);
        }
    }
}

#[test]
fn what_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tablebase::<International>::open(&[folder.path()]).unwrap();
    let message = |fen: &str| tables.probe(&fen.parse().unwrap()).unwrap_err().to_string();
    // Named as the file is, whichever way round the position is.
    assert_eq!(
        message("W:W40:BK3"),
        "no table for KvM: `damier build international --class KvM` makes it",
    );
    assert_eq!(message("W:W31-36:B11-15"), "11 pieces on the board, tables have at most 10",);
    // Where the rules alone decide, no table is needed.
    let blocked = "W:W46:B37,41".parse().unwrap();
    assert_eq!(tables.probe(&blocked).unwrap(), Value::Loss);
    assert_eq!(tables.probe(&"B:W50:B".parse().unwrap()).unwrap(), Value::Loss);
    assert_eq!(tables.probe(&"W:W50:B".parse().unwrap()).unwrap(), Value::Win);
    assert_eq!(tables.probe(&"W:W28:B22".parse().unwrap()).unwrap(), Value::Win);
    // A table that is added later is found.
    international().write(folder.path());
    assert_eq!(tables.probe(&"W:WK10:BK5".parse().unwrap()).unwrap(), Value::Win);
    assert!(Tablebase::<English>::open(&[folder.path().join("none")]).is_err());
}

#[test]
fn another_table_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    international().write(folder.path());
    english().write(folder.path());
    let path = |variant: &str, class: &str| folder.path().join(variant).join(class);
    let probe = || {
        let tables = Tablebase::<International>::open(&[folder.path()]).unwrap();
        tables.probe(&"W:WK1:BK50".parse().unwrap()).unwrap_err().to_string()
    };
    fs::copy(path("english", "KvK.wdl"), path("international", "KvK.wdl")).unwrap();
    assert!(
        probe().ends_with("KvK.wdl: expected international KvK, found english KvK"),
        "{}",
        probe()
    );
    fs::copy(path("international", "KvM.wdl"), path("international", "KvK.wdl")).unwrap();
    assert!(
        probe().ends_with("KvK.wdl: expected international KvK, found international KvM"),
        "{}",
        probe()
    );
    fs::remove_file(path("international", "KvK.wdl")).unwrap();
    fs::create_dir(path("international", "KvK.wdl")).unwrap();
    assert!(probe().contains("KvK.wdl: cannot read"), "{}", probe());
}

/// Whatever happens to a file, probes give the right value or an error.
#[test]
fn a_damaged_file_never_gives_a_wrong_value() {
    let folder = tempfile::tempdir().unwrap();
    english().write(folder.path());
    let path = folder.path().join("english/KvM.wdl");
    let whole = fs::read(&path).unwrap();
    let positions: Vec<_> = english().0.iter().step_by(37).collect();
    let check = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let files = TableFiles::open(&[folder.path()]).unwrap().with_cache(1 << 16);
        let tables = Tablebase::with_source(files);
        let mut errors = 0;
        for (position, value) in &positions {
            match tables.probe(position) {
                Ok(found) => assert_eq!(found, **value, "{position}"),
                Err(ProbeError::Damaged { path: named, .. }) => {
                    assert_eq!(named, path);
                    errors += 1;
                }
                Err(error) => panic!("{error}"),
            }
        }
        errors
    };
    assert_eq!(check(&whole), 0);
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        check(&bytes);
    }
    for len in (0..whole.len()).step_by(29) {
        assert!(check(&whole[..len]) > 0, "{len} bytes");
    }
}
