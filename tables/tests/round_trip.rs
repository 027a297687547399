//! What is written is what is read.

mod common;

use common::{ByPosition, encoded, scrambled};
use damier_core::rules::{English, International};
use damier_core::{Color, Position, Rules, Value, Variant};
use damier_tables::{
    BLOCK, Class, Codec, DONT_CARE, GroupOrder, Index, MappedFile, ReadFile, Storage, Table,
    Values, WriteOptions, file_name, write_table,
};

/// Compares every value that matters, by blocks and by scanning.
fn same_values<R: Rules, S: Storage>(table: &Table<S>, values: &impl Values<R>) {
    let index = Index::<R>::new(table.class(), table.order());
    assert_eq!(index.len(), table.positions());
    for &turn in table.stored_turns() {
        let mut expected = [0; BLOCK];
        let mut found = [7; BLOCK];
        for block in 0..table.blocks() {
            let len = table.decode(turn, block, &mut found).unwrap();
            values.fill(&index, turn, block * BLOCK as u64, &mut expected[..len]);
            for (place, (&expected, &found)) in expected[..len].iter().zip(&found).enumerate() {
                assert!(found <= 2);
                if expected != DONT_CARE {
                    assert_eq!(
                        expected,
                        found,
                        "{} {turn} block {block} place {place}",
                        table.class()
                    );
                }
                if let Some(value) = table.constant(turn, block) {
                    assert_eq!(found, value as u8);
                }
            }
        }
        let mut scanned = 0;
        table
            .scan(turn, |start, values| {
                assert_eq!(start, scanned);
                scanned += values.len() as u64;
            })
            .unwrap();
        assert_eq!(scanned, table.positions());
    }
    table.verify_checksums().unwrap();
}

fn round_trip<R: Rules>(class: Class, values: &impl Values<R>) -> usize {
    let mut sizes = Vec::new();
    for codec in [Codec::Plain, Codec::Context] {
        for order in [None, GroupOrder::all_for(class).pop()] {
            let bytes = encoded(class, values, &WriteOptions { codec, order });
            let table = Table::open(bytes.as_slice()).unwrap();
            assert_eq!(table.variant(), R::VARIANT);
            assert_eq!(table.codec(), codec);
            assert_eq!(table.counts(Color::Black).losses, 6);
            assert_eq!(table.stored_turns().len(), if class.is_symmetric() { 1 } else { 2 });
            same_values(&table, values);
            sizes.push(bytes.len());
        }
    }
    sizes[2]
}

/// Values of every kind: noise, structure, don't-cares.
fn all_kinds<R: Rules>(class: Class) {
    round_trip::<R>(class, &ByPosition(|position: &Position<R>| (scrambled(position) % 3) as u8));
    round_trip::<R>(class, &ByPosition(|position: &Position<R>| (scrambled(position) % 4) as u8));
    round_trip::<R>(
        class,
        &ByPosition(|position: &Position<R>| {
            position.turn() as u8
                + u8::from(position.kings(Color::White) < position.pieces(Color::Black))
        }),
    );
    round_trip::<R>(
        class,
        &ByPosition(|position: &Position<R>| {
            if scrambled(position).is_multiple_of(3) {
                DONT_CARE
            } else {
                u8::from(scrambled(position).is_multiple_of(50))
            }
        }),
    );
    for constant in 0..4 {
        let bytes = round_trip::<R>(class, &ByPosition(|_: &Position<R>| constant));
        assert_eq!(bytes, 256, "a constant table is a header");
    }
}

#[test]
fn small_classes_of_both_boards() {
    for name in ["KvK", "MvM", "KvM", "KMvK", "MMvM"] {
        all_kinds::<English>(name.parse().unwrap());
    }
    for name in ["KvK", "KvM", "KKvM", "MMvK"] {
        all_kinds::<International>(name.parse().unwrap());
    }
}

#[test]
fn files_mapped_and_read() {
    let folder = std::env::temp_dir().join(format!("damier-round-trip-{}", std::process::id()));
    let class: Class = "KMvK".parse().unwrap();
    let path = folder.join(file_name(Variant::English, class, Default::default()));
    let values = ByPosition(|position: &Position<English>| (scrambled(position) % 4) as u8);
    let counts = Default::default();
    let written = write_table(&path, class, counts, &values, &WriteOptions::default()).unwrap();
    let again = write_table(&path, class, counts, &values, &WriteOptions::default()).unwrap();
    assert_eq!(written.bytes, again.bytes);
    let mapped = Table::open(MappedFile::open(&path).unwrap()).unwrap();
    same_values(&mapped, &values);
    let read = Table::open(ReadFile::open(&path).unwrap()).unwrap();
    same_values(&read, &values);
    assert_eq!(mapped.size(), written.bytes);
    assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "only the table");
    // A folder stands where the table should go: an error, and nothing is left behind.
    let taken = folder.join("taken.wdl");
    std::fs::create_dir_all(taken.join("something")).unwrap();
    assert!(write_table(&taken, class, counts, &values, &WriteOptions::default()).is_err());
    assert!(
        write_table(&path, class.flipped(), counts, &values, &WriteOptions::default()).is_err()
    );
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    assert!(MappedFile::open(&taken).is_err() && ReadFile::open(&taken).is_err());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let class: Class = "KMvKM".parse().unwrap();
    let values = ByPosition(|position: &Position<English>| {
        u8::from(position.occupied().count_ones() > 3)
            + u8::from(scrambled(position).is_multiple_of(20))
    });
    let [one, three] = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| encoded(class, &values, &WriteOptions::default()))
    });
    assert!(one == three);
}

#[test]
fn constants_without_decoding() {
    let class: Class = "KKvM".parse().unwrap();
    let values = ByPosition(|_: &Position<English>| 2);
    let bytes = encoded(class, &values, &WriteOptions::default());
    let table = Table::open(bytes).unwrap();
    assert_eq!(table.constant(Color::White, 0), Some(Value::Win));
    assert!(table.decode(Color::White, table.blocks(), &mut [0; BLOCK]).is_err());
}
