//! Claims about what draw rules do, to be answered with yes or no.

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use anyhow::bail;
use damier::{Class, RuleValue, Rules};
use serde::Serialize;

use super::{Asked, Row, binding};
use crate::commands::print_json;
use crate::commands::survey::Surveys;

/// What may be so or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// No position that is won on the board is drawn by the rules.
    Harmless,
    /// Every win that stands leaves so many plies of the counter or more.
    Margin(u16),
    /// No win that stands takes more plies on the counter.
    Longest(u16),
}

impl FromStr for Claim {
    type Err = String;

    fn from_str(text: &str) -> Result<Claim, String> {
        let plies = |text: &str| text.parse::<u16>().ok();
        let claim = match text.split_once('=') {
            None if text == "harmless" => Some(Claim::Harmless),
            Some(("margin", value)) => plies(value).map(Claim::Margin),
            Some(("longest", value)) => plies(value).map(Claim::Longest),
            _ => None,
        };
        claim.ok_or_else(|| {
            format!("expected harmless, margin=PLIES or longest=PLIES, found {text:?}")
        })
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Harmless => f.write_str("harmless"),
            Claim::Margin(plies) => write!(f, "margin={plies}"),
            Claim::Longest(plies) => write!(f, "longest={plies}"),
        }
    }
}

/// The answer to a claim was no; it has been said.
#[derive(Debug)]
pub struct Refuted;

impl fmt::Display for Refuted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the claim is wrong")
    }
}

impl Error for Refuted {}

/// The answer to a claim, as JSON has it.
#[derive(Serialize)]
struct Answer {
    claim: String,
    rules: &'static str,
    holds: bool,
    against: Option<Against>,
}

/// A position that is against a claim.
#[derive(Serialize)]
struct Against {
    class: String,
    fen: String,
    value: &'static str,
    plies: Option<u16>,
}

impl<R: Rules> Asked<R> {
    /// Says whether a claim holds.
    pub fn answer(&self, claim: Claim, rows: &[Row], json: bool) -> anyhow::Result<()> {
        let breaks = |row: &&Row| self.breaks(claim, row);
        let against = match rows.iter().find(breaks) {
            Some(row) => Some(self.example(claim, row)?),
            None => None,
        };
        let holds = against.is_none();
        if json {
            print_json(&Answer {
                claim: claim.to_string(),
                rules: self.set.name(),
                holds,
                against,
            })?;
        } else {
            let mut out = io::stdout().lock();
            match &against {
                None => {
                    writeln!(out, "yes, {claim} holds for {} under {}", named(rows), self.set)?;
                }
                Some(Against { class, fen, value, plies }) => {
                    let plies = plies
                        .map(|plies| format!(", {plies} plies on the counter"))
                        .unwrap_or_default();
                    writeln!(
                        out,
                        "no, {claim} does not hold under {}: {class}, {fen}: {value}{plies}",
                        self.set
                    )?;
                }
            }
        }
        if holds { Ok(()) } else { Err(Refuted.into()) }
    }

    /// Whether some position of a row is against a claim.
    fn breaks(&self, claim: Claim, row: &Row) -> bool {
        match claim {
            Claim::Harmless => row.taken() > 0,
            Claim::Margin(_) | Claim::Longest(_) => row
                .longest
                .into_iter()
                .flatten()
                .any(|plies| self.is_too_long(claim, row.class, plies)),
        }
    }

    /// Whether a win or loss that takes so many plies is against a claim.
    fn is_too_long(&self, claim: Claim, class: Class, plies: u16) -> bool {
        match claim {
            Claim::Harmless => false,
            Claim::Margin(margin) => binding(self.set, class)
                .is_some_and(|rule| rule.limit.saturating_sub(plies) < margin),
            Claim::Longest(longest) => plies > longest,
        }
    }

    /// A position of a row that is against a claim.
    fn example(&self, claim: Claim, row: &Row) -> anyhow::Result<Against> {
        let kind = |position: &_| self.kind(position);
        let order = self.files.order(row.class, Some(self.measure()))?;
        let found = Surveys::new(&kind).of(row.class, order, row.turn)?;
        let is_against = |&(value, plies): &(RuleValue, u16)| match claim {
            Claim::Harmless => matches!(value, RuleValue::CursedWin | RuleValue::BlessedLoss),
            _ => self.is_too_long(claim, row.class, plies),
        };
        let against =
            found.iter().filter(|(kind, _)| is_against(kind)).max_by_key(|(kind, _)| kind.1);
        let Some((&(value, plies), kindred)) = against else {
            bail!("{}: the header of a table and its values contradict each other", row.class)
        };
        Ok(Against {
            class: row.class.to_string(),
            fen: kindred.first.to_fen(),
            value: value.name(),
            plies: matches!(value, RuleValue::Win | RuleValue::Loss).then_some(plies),
        })
    }
}

/// The classes of some rows, or how many there are.
fn named(rows: &[Row]) -> String {
    let mut names: Vec<_> = rows.iter().map(|row| row.class.to_string()).collect();
    names.dedup();
    if names.len() > 4 { format!("all {} classes", names.len()) } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::Claim;

    #[test]
    fn claims_are_read() {
        assert_eq!("harmless".parse(), Ok(Claim::Harmless));
        assert_eq!("margin=3".parse(), Ok(Claim::Margin(3)));
        assert_eq!("longest=28".parse(), Ok(Claim::Longest(28)));
        for bad in ["", "harmful", "margin", "margin=", "margin=x", "longest=-1", "harmless=1"] {
            assert!(bad.parse::<Claim>().is_err(), "{bad}");
        }
    }
}
