//! Building, verifying and damaging real files.

use std::fs;
use std::path::{Path, PathBuf};

use damier_core::Variant;
use damier_core::rules::English;
use damier_gen::{BuildOptions, Content, VerifyError, build, verify};
use damier_tables::{Class, Codec, Metric, file_name};

fn options(tables: &Path, classes: Vec<Class>, threads: usize) -> BuildOptions {
    BuildOptions {
        classes,
        tables: tables.to_owned(),
        threads: Some(threads),
        memory: None,
        codec: Codec::default(),
        contents: vec![Content::WDL],
    }
}

fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else {
                files.push((path.clone(), fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

fn the_same_for_any_number_of_threads(variant: Variant, pieces: u32) {
    let folders = [1, 2, 5].map(|threads| {
        let folder = tempfile::tempdir().unwrap();
        build(variant, &options(folder.path(), Class::all_up_to(pieces), threads), &()).unwrap();
        folder
    });
    let contents = folders.each_ref().map(|folder| {
        files(folder.path())
            .into_iter()
            .map(|(path, bytes)| (path.strip_prefix(folder.path()).unwrap().to_owned(), bytes))
            .collect::<Vec<_>>()
    });
    assert!(contents[0].len() > 8);
    assert!(contents[0] == contents[1] && contents[0] == contents[2]);
    verify(variant, folders[0].path(), Content::WDL, &Class::all_up_to(pieces), Some(2), &())
        .unwrap();
}

#[test]
fn bytes_do_not_depend_on_threads() {
    the_same_for_any_number_of_threads(Variant::International, 3);
    the_same_for_any_number_of_threads(Variant::English, 4);
}

#[test]
fn only_what_is_missing_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let first =
        build(Variant::English, &options(folder.path(), Class::all_up_to(3), 2), &()).unwrap();
    assert_eq!((first.classes.len(), first.present), (9, 0));
    let whole = files(folder.path());
    let again =
        build(Variant::English, &options(folder.path(), Class::all_up_to(3), 2), &()).unwrap();
    assert_eq!((again.classes.len(), again.present), (0, 9));
    // One that others lead to, one that leads to others, one with a damaged header.
    for name in ["KKvK", "KMvM", "MvM"] {
        let path =
            folder.path().join(file_name(Variant::English, name.parse().unwrap(), Metric::Wdl));
        match name {
            "MvM" => fs::write(&path, b"not a table").unwrap(),
            _ => fs::remove_file(&path).unwrap(),
        }
    }
    let mended =
        build(Variant::English, &options(folder.path(), Class::all_up_to(3), 2), &()).unwrap();
    assert_eq!((mended.classes.len(), mended.present), (3, 6));
    assert!(files(folder.path()) == whole);
}

#[test]
fn one_class_brings_what_it_leads_to() {
    let folder = tempfile::tempdir().unwrap();
    let class: Class = "KMvK".parse().unwrap();
    let report =
        build(Variant::International, &options(folder.path(), vec![class], 1), &()).unwrap();
    let names: Vec<_> = report.classes.iter().map(|class| class.class.to_string()).collect();
    assert_eq!(names, ["KvK", "KvM", "KKvK", "KMvK"]);
    verify(Variant::International, folder.path(), Content::WDL, &[class], Some(1), &()).unwrap();
}

#[test]
fn too_little_memory_is_said_beforehand() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(folder.path(), Class::all_up_to(4), 1);
    options.memory = Some(50 << 20);
    let error = build(Variant::International, &options, &()).unwrap_err().to_string();
    assert!(error.contains("50M allowed") && error.contains("--memory"), "{error}");
    assert!(files(folder.path()).is_empty());
}

#[test]
fn a_wrong_value_is_found_and_named() {
    // A table with right checksums and one wrong value: KvK of a build in which one position's value was changed.
    use damier_core::{Color, Rules};
    use damier_tables::{Counts, Index, MappedFile, Table, Values, WriteOptions, write_table};

    struct OneWrong(Vec<u8>, u64);
    impl<R: Rules> Values<R> for OneWrong {
        fn fill(&self, _: &Index<R>, _: Color, start: u64, out: &mut [u8]) {
            out.copy_from_slice(&self.0[start as usize..][..out.len()]);
            if let Some(code) = self.1.checked_sub(start).and_then(|at| out.get_mut(at as usize)) {
                *code = (*code + 1) % 3;
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let class: Class = "KvK".parse().unwrap();
    build(Variant::English, &options(folder.path(), vec![class], 1), &()).unwrap();
    let path = folder.path().join(file_name(Variant::English, class, Metric::Wdl));
    let table = Table::open(MappedFile::open(&path).unwrap()).unwrap();
    let mut codes = Vec::new();
    table.scan(Color::White, |_, block| codes.extend_from_slice(block)).unwrap();
    let index = Index::<English>::new(class, table.order());
    let quiet = (0..index.len())
        .find(|&number| {
            number > 500
                && index
                    .position(number, Color::White)
                    .is_some_and(|position| !position.capture_due())
        })
        .unwrap();
    let counts: [Counts; 2] = Color::BOTH.map(|turn| table.counts(turn));
    let options = WriteOptions { order: Some(table.order()), ..WriteOptions::default() };
    write_table::<English>(&path, class, counts, &OneWrong(codes, quiet), &options).unwrap();
    let error =
        verify(Variant::English, folder.path(), Content::WDL, &[class], Some(1), &()).unwrap_err();
    assert!(matches!(error, VerifyError::Value { .. }), "{error}");
    assert!(error.to_string().contains("KvK"), "{error}");
}
