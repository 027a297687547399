//! The variants by name, and the way from a name to its rules.

use std::fmt;
use std::str::FromStr;

/// A variant of draughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
#[non_exhaustive]
pub enum Variant {
    /// International draughts, 10x10.
    International = 1,
    /// English draughts, or American checkers, 8x8.
    English = 2,
}

impl Variant {
    /// All variants.
    pub const ALL: &'static [Variant] = &[Variant::International, Variant::English];

    /// The name used in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::International => "international",
            Variant::English => "english",
        }
    }

    /// Other names that are understood.
    pub const fn aliases(self) -> &'static [&'static str] {
        match self {
            Variant::International => &["draughts100", "polish"],
            Variant::English => &["checkers", "american"],
        }
    }

    /// The number that table files carry.
    pub const fn id(self) -> u16 {
        self as u16
    }

    /// The variant of this number.
    pub fn from_id(id: u16) -> Option<Variant> {
        Variant::ALL.iter().copied().find(|variant| variant.id() == id)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No variant has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown variant {found:?}, expected one of {}", names())]
pub struct UnknownVariant {
    /// What was asked for.
    pub found: String,
}

fn names() -> String {
    let names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
    names.join(", ")
}

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(text: &str) -> Result<Variant, UnknownVariant> {
        let lower = text.to_ascii_lowercase();
        Variant::ALL
            .iter()
            .copied()
            .find(|variant| variant.name() == lower || variant.aliases().contains(&lower.as_str()))
            .ok_or_else(|| UnknownVariant { found: text.to_owned() })
    }
}

/// Runs an expression with the rules type of a [`Variant`] known only at run time.
///
/// ```
/// use damier_core::{Board, Rules, Variant, with_rules};
///
/// let variant: Variant = "checkers".parse()?;
/// let squares = with_rules!(variant, R => <R as Rules>::Board::SQUARES);
/// assert_eq!(squares, 32);
/// # Ok::<(), damier_core::UnknownVariant>(())
/// ```
#[macro_export]
macro_rules! with_rules {
    ($variant:expr, $rules:ident => $body:expr) => {
        match $variant {
            $crate::Variant::International => {
                type $rules = $crate::rules::International;
                $body
            }
            $crate::Variant::English => {
                type $rules = $crate::rules::English;
                $body
            }
            _ => unreachable!("every variant has its rules"),
        }
    };
}
