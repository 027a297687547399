//! Random probes over all classes of some number of pieces, timed: `probes FOLDER VARIANT PIECES [THREADS]`.

use std::time::Instant;

use damier_core::{Color, Position, Rules, Variant, with_rules};
use damier_probe::{TableFiles, Tablebase};
use damier_tables::{Class, GroupOrder, Index};

/// Positions that are probed in turn.
const SAMPLE: usize = 1 << 20;
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
    let files = TableFiles::<R>::open(&[folder])?.with_cache(256 << 20);
    println!("opened in {:?}", begin.elapsed());
    let tables = Tablebase::with_source(files);
    let positions = sample::<R>(pieces);
    let due = positions.iter().filter(|position| position.capture_due()).count();
    println!("{SAMPLE} positions of {pieces} pieces, a capture due in {due}");
    let round = || {
        positions
            .iter()
            .try_fold(0, |sum, position| tables.probe(position).map(|value| sum + value as u64))
    };
    let begin = Instant::now();
    round()?;
    println!(
        "first round, decoding: {:.2} million/s",
        SAMPLE as f64 / begin.elapsed().as_secs_f64() / 1e6
    );
    for _ in 0..4 {
        let begin = Instant::now();
        std::thread::scope(|scope| {
            let rounds: Vec<_> = (0..threads).map(|_| scope.spawn(round)).collect();
            rounds.into_iter().try_for_each(|round| round.join().expect("no panic").map(drop))
        })?;
        let probes = (SAMPLE * threads) as f64;
        println!(
            "warm, {threads} threads: {:.2} million/s",
            probes / begin.elapsed().as_secs_f64() / 1e6
        );
    }
    Ok(())
}
