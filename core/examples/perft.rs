//! Perft from the start position, timed: `perft VARIANT DEPTH`.

use std::time::Instant;

use damier_core::{Counting, Position, Variant, perft, with_rules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let variant: Variant = arguments.next().ok_or("usage: perft VARIANT DEPTH")?.parse()?;
    let depth: u32 = arguments.next().ok_or("usage: perft VARIANT DEPTH")?.parse()?;
    for depth in 1..=depth {
        let begin = Instant::now();
        let nodes = with_rules!(variant, R => {
            perft(&Position::<R>::start(), depth, Counting::Once)
        });
        let rate = nodes as f64 / begin.elapsed().as_secs_f64() / 1e6;
        println!("{variant} {depth:2} {nodes:14} {rate:6.1} million/s");
    }
    Ok(())
}
