//! Solving in memory, and building files: `cargo bench --bench build`.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use damier::rules::{English, International};
use damier::{BuildOptions, Class, Codec, Content, Rules, Variant, build, positions, solve};

fn solving<R: Rules>(criterion: &mut Criterion, pieces: u32) {
    let total = Class::all_up_to(pieces).into_iter().map(positions::<R>).sum();
    let mut group = criterion.benchmark_group("solve in memory");
    group.sample_size(10).throughput(Throughput::Elements(total));
    group.bench_function(format!("{} {pieces}", R::VARIANT), |bencher| {
        bencher.iter(|| solve::<R>(pieces));
    });
}

fn building(criterion: &mut Criterion, variant: Variant, pieces: u32) {
    let mut group = criterion.benchmark_group("build files");
    group.sample_size(10);
    for (name, threads) in [("one thread", 1), ("two threads", 2)] {
        group.bench_function(format!("{variant} {pieces}, {name}"), |bencher| {
            bencher.iter_batched(
                || tempfile::tempdir().expect("a folder for temporary files"),
                |folder| {
                    let options = BuildOptions {
                        classes: Class::all_up_to(pieces),
                        tables: folder.path().to_owned(),
                        threads: Some(threads),
                        memory: None,
                        codec: Codec::default(),
                        contents: vec![Content::WDL],
                    };
                    build(variant, &options, &()).expect("an empty folder can be built into");
                    folder
                },
                BatchSize::PerIteration,
            );
        });
    }
}

fn all(criterion: &mut Criterion) {
    solving::<International>(criterion, 4);
    solving::<English>(criterion, 4);
    solving::<English>(criterion, 5);
    building(criterion, Variant::International, 4);
    building(criterion, Variant::English, 4);
}

criterion_group!(benches, all);
criterion_main!(benches);
