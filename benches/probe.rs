//! Probing random positions: `cargo bench --bench probe`.
//!
//! Every legal position is as likely as any other, a capture due or not. *Hot*: the blocks are in the cache. *Cold*: the file is mapped, the block
//! is not decoded; the cache holds next to nothing. `PIECES=5` asks for classes of five pieces instead of four.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use damier::rules::{English, International};
use damier::{
    BuildOptions, Class, Codec, Color, Content, GroupOrder, Index, Position, Rules, TableFiles,
    Tablebase, build, solve,
};
use rand::prelude::*;

/// Uniformly random legal positions of all classes of so many pieces.
fn positions<R: Rules>(pieces: u32, count: usize) -> Vec<Position<R>> {
    let mut random = StdRng::seed_from_u64(1);
    let indexes: Vec<Index<R>> = Class::all(pieces)
        .into_iter()
        .map(|class| Index::new(class, GroupOrder::default_for(class)))
        .collect();
    let total: u64 = indexes.iter().map(Index::len).sum();
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let mut number = random.random_range(0..total);
        let turn = if random.random() { Color::White } else { Color::Black };
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

fn probing<R: Rules>(criterion: &mut Criterion, pieces: u32) {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let options = BuildOptions {
        classes: Class::all_up_to(pieces),
        tables: folder.path().to_owned(),
        threads: None,
        memory: None,
        codec: Codec::default(),
        contents: vec![Content::WDL],
    };
    build(R::VARIANT, &options, &()).expect("an empty folder can be built into");
    let positions = positions::<R>(pieces, 1 << 18);
    let mut group = criterion.benchmark_group(format!("probe {} {pieces}", R::VARIANT));
    group.sample_size(10).throughput(Throughput::Elements(positions.len() as u64));
    let files = |cache| {
        let files = TableFiles::<R>::open(&[folder.path()]).expect("the folder just built");
        Tablebase::with_source(files.with_cache(cache))
    };
    let run = |tables: &Tablebase<R>, positions: &[Position<R>]| {
        for position in positions {
            black_box(tables.probe(position).expect("all classes were built"));
        }
    };
    let hot = files(1 << 30);
    run(&hot, &positions);
    group.bench_function("hot", |bencher| bencher.iter(|| run(&hot, &positions)));
    group.bench_function("hot, two threads", |bencher| {
        bencher.iter(|| {
            let (a, b) = positions.split_at(positions.len() / 2);
            std::thread::scope(|scope| {
                scope.spawn(|| run(&hot, a));
                run(&hot, b);
            });
        });
    });
    let memory = solve::<R>(pieces);
    group.bench_function("solver's memory", |bencher| bencher.iter(|| run(&memory, &positions)));
    let cold = files(0);
    let few = &positions[..1 << 14];
    group.throughput(Throughput::Elements(few.len() as u64));
    group.bench_function("cold", |bencher| bencher.iter(|| run(&cold, few)));
    group.finish();
}

fn all(criterion: &mut Criterion) {
    let pieces = std::env::var("PIECES").ok().map_or(4, |pieces| pieces.parse().expect("a number"));
    probing::<International>(criterion, pieces);
    probing::<English>(criterion, pieces);
}

criterion_group!(benches, all);
criterion_main!(benches);
