//! Random probes over all classes of some number of pieces, timed: `probes FOLDER VARIANT PIECES [THREADS]`.

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;

use damier_core::{Color, Position, Rules, Variant, with_rules};
use damier_probe::{ProbeError, TableFiles, Tablebase};
use damier_tables::{Class, GroupOrder, Index};

/// Positions that are probed in turn.
const SAMPLE: usize = 1 << 20;
/// Bytes of the cache: room for every block that is asked for.
const CACHE: usize = 1 << 30;
const USAGE: &str = "usage: probes FOLDER VARIANT PIECES [THREADS]";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, variant, pieces, rest @ ..] = &arguments[..] else { return Err(USAGE.into()) };
    let threads = rest.first().map_or(Ok(1), |threads| threads.parse())?;
    let variant: Variant = variant.parse()?;
    with_rules!(variant, R => time::<R>(folder, pieces.parse()?, threads))
}

/// Positions drawn evenly from all of `pieces` pieces, whichever class and side to move.
fn sample<R: Rules>(pieces: u32) -> Vec<Position<R>> {
    let classes = Class::all(pieces).into_iter();
    let indexes: Vec<_> =
        classes.map(|class| Index::<R>::new(class, GroupOrder::default_for(class))).collect();
    let total: u64 = indexes.iter().map(Index::len).sum();
    let mut state = 1u64;
    let mut positions = Vec::with_capacity(SAMPLE);
    while positions.len() < SAMPLE {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let turn = Color::BOTH[(state >> 63) as usize];
        let mut number = ((u128::from(state << 1) * u128::from(total)) >> 64) as u64;
        for index in &indexes {
            if number < index.len() {
                positions.extend(index.position(number, turn));
                break;
            }
            number -= index.len();
        }
    }
    positions
}

fn time<R: Rules>(
    folder: &str,
    pieces: u32,
    threads: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let begin = Instant::now();
    let files = TableFiles::<R>::open(&[folder])?;
    println!("opened in {:?}", begin.elapsed());
    let files = files.with_cache(CACHE);
    let tables = Tablebase::with_source(files);
    let positions = sample::<R>(pieces);
    let due = positions.iter().filter(|position| position.capture_due()).count();
    println!("{SAMPLE} positions of {pieces} pieces, a capture due in {due}");
    // One round of all positions, and the seconds that it took.
    let round = || -> Result<f64, ProbeError> {
        let begin = seconds();
        for position in &positions {
            black_box(tables.probe(position)?);
        }
        Ok(seconds() - begin)
    };
    let report = |what: &str, seconds: f64| {
        println!(
            "{what}: {:.2} million/s, {:.0} ns",
            SAMPLE as f64 / seconds / 1e6,
            seconds * 1e9 / SAMPLE as f64
        );
    };
    report("first round, decoding", round()?);
    for _ in 0..4 {
        let seconds = std::thread::scope(|scope| {
            let rounds: Vec<_> = (0..threads).map(|_| scope.spawn(round)).collect();
            let seconds = rounds.into_iter().map(|round| round.join().expect("no panic"));
            seconds.sum::<Result<f64, _>>()
        })?;
        report("warm, for each thread", seconds / threads as f64);
    }
    let quiet = positions.iter().filter(|position| !position.capture_due());
    cold::<R>(folder, quiet.take(SAMPLE / 8))
}

/// Probes without a cache, the files in that of the system: one block is decoded for each probe.
fn cold<'a, R: Rules>(
    folder: &str,
    positions: impl Iterator<Item = &'a Position<R>>,
) -> Result<(), Box<dyn std::error::Error>> {
    let tables = Tablebase::with_source(TableFiles::<R>::open(&[folder])?.with_cache(0));
    let mut times = Vec::new();
    for position in positions {
        let begin = Instant::now();
        black_box(tables.probe(position)?);
        times.push(begin.elapsed());
    }
    // What was opened for the first time is not counted.
    let counted = &mut times[SAMPLE / 80..];
    counted.sort_unstable();
    let mean = counted.iter().sum::<std::time::Duration>() / counted.len() as u32;
    let part = |percent: usize| counted[counted.len() * percent / 100];
    println!("cold: mean {mean:?}, median {:?}, 99 % within {:?}", part(50), part(99));
    Ok(())
}

/// Seconds of CPU time of this thread where the system tells, else by the clock.
fn seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|spent| spent.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}
