//! Takes the tables below `data` into the library, as a list in the order of their names.

use std::env;
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    let variable = |name| env::var_os(name).map(PathBuf::from).ok_or(ErrorKind::NotFound);
    let data = variable("CARGO_MANIFEST_DIR")?.join("data");
    println!("cargo::rerun-if-changed={}", data.display());
    let mut tables = Vec::new();
    for (folder, path) in entries(&data)?.into_iter().filter(|(_, path)| path.is_dir()) {
        tables.extend(
            entries(&path)?.into_iter().map(|(name, path)| (format!("{folder}/{name}"), path)),
        );
    }
    tables.sort();
    let mut list = fs::File::create(variable("OUT_DIR")?.join("tables.rs"))?;
    writeln!(list, "&[")?;
    for (name, path) in &tables {
        writeln!(list, "    ({name:?}, include_bytes!({path:?})),")?;
    }
    writeln!(list, "]")
}

/// What is in a folder, with its names, but for what is hidden, as files are while they are written; nothing if the folder is not there.
fn entries(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let found = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        found => found?,
    };
    let named =
        |entry: fs::DirEntry| (entry.file_name().to_string_lossy().into_owned(), entry.path());
    let mut entries = found.map(|entry| entry.map(named)).collect::<io::Result<Vec<_>>>()?;
    entries.retain(|(name, _)| !name.starts_with('.'));
    Ok(entries)
}
