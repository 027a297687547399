//! `damier embed`: builds the tables that are part of the program.

use std::fs;
use std::io;
use std::path::PathBuf;

use damier::{BuildOptions, Codec, Content, EMBEDDED, EmbeddedSet};

use super::progress::Bar;

/// Build anew the tables that are part of the program, each variant in a folder of its own.
///
/// For those who work on the program itself, where DIR is probe/data. The next compilation takes them in.
#[derive(clap::Args)]
#[command(hide = true)]
pub struct Embed {
    /// Folder to write to
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Embed {
    pub fn run(&self) -> anyhow::Result<()> {
        let mut total = 0;
        for set in EMBEDDED {
            let bytes = self.embed(set)?;
            println!("{:22} {bytes:>8} bytes", set.variant);
            total += bytes;
        }
        println!("{:22} {total:>8} bytes", "all");
        Ok(())
    }

    fn embed(&self, set: &EmbeddedSet) -> anyhow::Result<u64> {
        // What is there already would be kept.
        match fs::remove_dir_all(self.folder.join(set.variant.name())) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        let measures = set.measures.iter();
        let measured = measures.map(|of| Content { metric: of.metric(), rules: of.rules() });
        let contents = [Content::WDL].into_iter().chain(measured);
        let options = BuildOptions {
            classes: set.classes(),
            tables: self.folder.clone(),
            threads: None,
            memory: None,
            codec: Codec::default(),
            contents: contents.collect(),
        };
        let report = damier::build(set.variant, &options, &Bar::new())?;
        Ok(report.classes.iter().map(|class| class.bytes).sum())
    }
}
