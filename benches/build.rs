//! Solving in memory, encoding, and building files: `cargo bench --bench build`.

use std::io::Cursor;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use damier::rules::{English, International};
use damier::{
    BuildOptions, Class, Codec, Color, Content, GroupOrder, Index, Rules, Variant, build,
    positions, solve,
};
use damier_tables::{DONT_CARE, Values, WriteOptions, encode_table};

fn solving<R: Rules>(criterion: &mut Criterion, pieces: u32) {
    let total = Class::all_up_to(pieces).into_iter().map(positions::<R>).sum();
    let mut group = criterion.benchmark_group("solve in memory");
    group.sample_size(10).throughput(Throughput::Elements(total));
    group.bench_function(format!("{} {pieces}", R::VARIANT), |bencher| {
        bencher.iter(|| solve::<R>(pieces));
    });
}

/// The values of a class in one order of the groups, by side to move.
struct Codes([Vec<u8>; 2]);

impl<R: Rules> Values<R> for Codes {
    fn fill(&self, _: &Index<R>, turn: Color, start: u64, out: &mut [u8]) {
        out.copy_from_slice(&self.0[turn.index()][start as usize..][..out.len()]);
    }
}

/// Fitting the models of one class in a given order of the groups, and encoding it.
fn encoding<R: Rules>(criterion: &mut Criterion, name: &str) {
    let class: Class = name.parse().expect("a class");
    let order = GroupOrder::default_for(class);
    let index = Index::<R>::new(class, order);
    let tables = solve::<R>(class.pieces());
    let code = |number, turn| match index.position(number, turn) {
        Some(position) if !position.capture_due() => {
            tables.probe(&position).expect("all classes were solved") as u8
        }
        _ => DONT_CARE,
    };
    let codes =
        Codes(Color::BOTH.map(|turn| (0..index.len()).map(|number| code(number, turn)).collect()));
    let mut group = criterion.benchmark_group("encode");
    group.sample_size(10).throughput(Throughput::Elements(positions::<R>(class)));
    for (name, codec) in [("compact", Codec::Context), ("fast", Codec::Plain)] {
        let options = WriteOptions { codec, order: Some(order) };
        group.bench_function(format!("{} {class}, {name}", R::VARIANT), |bencher| {
            bencher.iter(|| {
                let mut file = Cursor::new(Vec::new());
                encode_table::<R>(&mut file, class, Default::default(), &codes, &options)
                    .expect("memory takes everything")
            });
        });
    }
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
    encoding::<International>(criterion, "KMMvK");
    encoding::<English>(criterion, "KMvKM");
    building(criterion, Variant::International, 4);
    building(criterion, Variant::English, 4);
}

criterion_group!(benches, all);
criterion_main!(benches);
