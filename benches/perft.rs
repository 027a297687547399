//! Counting positions from the start: `cargo bench --bench perft`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use damier::rules::{English, International};
use damier::{Counting, Position, Rules, perft};

fn count<R: Rules>(criterion: &mut Criterion, depth: u32) {
    let start = Position::<R>::start();
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    group.throughput(Throughput::Elements(perft(&start, depth, Counting::Once)));
    group.bench_function(format!("{} {depth}", R::VARIANT), |bencher| {
        bencher.iter(|| perft(&start, depth, Counting::Once));
    });
}

fn all(criterion: &mut Criterion) {
    count::<International>(criterion, 8);
    count::<English>(criterion, 9);
}

criterion_group!(benches, all);
criterion_main!(benches);
