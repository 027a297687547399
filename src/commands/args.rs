//! Arguments that several sub-commands take.

use std::env;
use std::path::PathBuf;

use anyhow::Context as _;
use damier::{Class, Content, DrawRuleSet, Metric, Rules, TableFiles, Variant, with_rules};

/// Bytes of decoded blocks that a run of the command keeps: it asks for few.
const CACHE: usize = 1 << 20;

/// What the argument of the variant is for.
pub const WHOSE_RULES: &str =
    "Whose rules: international, english, russian, brazilian, ...; `damier --help` has all";

/// The folder of the tables.
#[derive(clap::Args)]
pub struct TablesArg {
    /// Folder of the tables [default: what DAMIER_TABLES says, else damier/tables in the user's data folder]
    #[arg(long = "tables", value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl TablesArg {
    /// The folder, whether or not it exists.
    pub fn folder(&self) -> anyhow::Result<PathBuf> {
        let named = self.folder.clone().or_else(|| env::var_os("DAMIER_TABLES").map(PathBuf::from));
        if let Some(folder) = named {
            return Ok(folder);
        }
        let data = dirs::data_dir().context(
            "the user's data folder is unknown: name a folder with --tables or DAMIER_TABLES",
        )?;
        Ok(data.join("damier").join("tables"))
    }

    /// The tables of the folder. Unless it was named on the command line it need not exist yet: it is as good as empty.
    pub fn open<R: Rules>(&self) -> anyhow::Result<TableFiles<R>> {
        let folder = self.folder()?;
        if self.folder.is_none() && !folder.exists() {
            return Ok(TableFiles::default().with_cache(CACHE));
        }
        let tables = TableFiles::open(&[&folder]).with_context(|| folder.display().to_string())?;
        Ok(tables.with_cache(CACHE))
    }
}

/// Reads an amount of memory: bytes, or with K, M, G or T for powers of 1024, as in `8G`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let expected =
        || format!("expected a number of bytes, or of K, M, G or T, as 8G, found {text:?}");
    let upper = text.trim().to_ascii_uppercase();
    let amount = upper.strip_suffix("IB").or(upper.strip_suffix('B')).unwrap_or(&upper);
    let power = amount.chars().last().and_then(|unit| "KMGT".find(unit));
    let (number, unit) = match power {
        Some(power) => (amount[..amount.len() - 1].trim_end(), 1024f64.powi(power as i32 + 1)),
        None => (amount, 1.0),
    };
    let bytes = number.parse::<f64>().map_err(|_| expected())? * unit;
    if bytes >= 1.0 && bytes < u64::MAX as f64 { Ok(bytes as u64) } else { Err(expected()) }
}

/// Reads the name of a metric that draw rules have no part in.
pub fn metric(text: &str) -> Result<Metric, String> {
    let metrics = [Metric::Wdl, Metric::Dtw, Metric::Dtc];
    metrics
        .into_iter()
        .find(|metric| metric.name() == text)
        .ok_or_else(|| format!("expected wdl, dtw or dtc, found {text:?}"))
}

/// What these metrics and draw rules ask for.
pub fn contents(metrics: &[Metric], rules: &[DrawRuleSet]) -> Vec<Content> {
    let under_rules = rules.iter().map(|&rules| Content { metric: Metric::Dtr, rules });
    metrics.iter().map(|&metric| Content::of(metric)).chain(under_rules).collect()
}

/// The classes of a number of pieces or fewer that are played, in order, each with both sides having some.
pub fn classes_up_to(variant: Variant, pieces: u32) -> Vec<Class> {
    let mut classes: Vec<_> = (2..=pieces).flat_map(Class::all).collect();
    with_rules!(variant, R => classes.retain(Class::is_played::<R>));
    classes
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn amounts_of_memory() {
        assert_eq!(bytes("8G"), Ok(8 << 30));
        assert_eq!(bytes("1.5 gib"), Ok(3 << 29));
        assert_eq!(bytes("512M"), Ok(512 << 20));
        assert_eq!(bytes("4096"), Ok(4096));
        for bad in ["", "G", "-1G", "8X", "8GG", "nanG", "1e300T", "0", "inf"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }
}
