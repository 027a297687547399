//! The variants by name, and the way from a name to its rules.

use std::fmt;
use std::str::FromStr;

/// A variant of draughts. The numbers stand in table files and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
#[non_exhaustive]
pub enum Variant {
    /// International draughts, 10x10.
    International = 1,
    /// English draughts, or American checkers, 8x8.
    English = 2,
    /// Russian draughts, 8x8.
    Russian = 3,
    /// Brazilian draughts, 8x8.
    Brazilian = 4,
    /// Pool checkers, 8x8.
    Pool = 5,
    /// Italian draughts, 8x8.
    Italian = 6,
    /// Czech draughts, 8x8.
    Czech = 7,
    /// Spanish draughts, 8x8.
    Spanish = 8,
    /// Portuguese draughts, 8x8.
    Portuguese = 9,
    /// Turkish draughts, 8x8, all 64 squares.
    Turkish = 10,
    /// Frisian draughts, 10x10.
    Frisian = 11,
    /// Canadian draughts, 12x12.
    Canadian = 12,
    /// Thai checkers, 8x8.
    Thai = 13,
    /// Killer draughts, 10x10.
    Killer = 14,
    /// Breakthrough with the moves of International draughts, 10x10.
    Breakthrough = 15,
    /// Breakthrough with the moves of Brazilian draughts, 8x8.
    BreakthroughBrazilian = 16,
    /// Losing draughts with the moves of International draughts, 10x10.
    Losing = 17,
}

impl Variant {
    /// All variants.
    pub const ALL: &'static [Variant] = &[
        Variant::International,
        Variant::English,
        Variant::Russian,
        Variant::Brazilian,
        Variant::Pool,
        Variant::Italian,
        Variant::Czech,
        Variant::Spanish,
        Variant::Portuguese,
        Variant::Turkish,
        Variant::Frisian,
        Variant::Canadian,
        Variant::Thai,
        Variant::Killer,
        Variant::Breakthrough,
        Variant::BreakthroughBrazilian,
        Variant::Losing,
    ];

    /// The name used in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::International => "international",
            Variant::English => "english",
            Variant::Russian => "russian",
            Variant::Brazilian => "brazilian",
            Variant::Pool => "pool",
            Variant::Italian => "italian",
            Variant::Czech => "czech",
            Variant::Spanish => "spanish",
            Variant::Portuguese => "portuguese",
            Variant::Turkish => "turkish",
            Variant::Frisian => "frisian",
            Variant::Canadian => "canadian",
            Variant::Thai => "thai",
            Variant::Killer => "killer",
            Variant::Breakthrough => "breakthrough",
            Variant::BreakthroughBrazilian => "breakthrough-brazilian",
            Variant::Losing => "losing",
        }
    }

    /// Other names that are understood.
    pub const fn aliases(self) -> &'static [&'static str] {
        match self {
            Variant::International => &["draughts100", "polish"],
            Variant::English => &["checkers", "american"],
            Variant::Russian => &["shashki", "draughts64"],
            Variant::Brazilian => &["draughts64-brazilian"],
            Variant::Pool => &["american-pool"],
            Variant::Italian => &["dama-italiana"],
            Variant::Turkish => &["dama"],
            Variant::Canadian => &["draughts144"],
            Variant::Thai => &["makhos"],
            Variant::Breakthrough => &["bt"],
            Variant::BreakthroughBrazilian => &["breakthrough64", "bt64"],
            Variant::Losing => &["giveaway", "antidraughts"],
            Variant::Czech
            | Variant::Spanish
            | Variant::Portuguese
            | Variant::Frisian
            | Variant::Killer => &[],
        }
    }

    /// The number of the tag `GameType` in PDN, which here says no more than the game: how squares are written can be seen from
    /// the moves. 96 and 98 are lidraughts's own.
    pub const fn game_type(self) -> Option<u8> {
        Some(match self {
            Variant::International => 20,
            Variant::English => 21,
            Variant::Italian => 22,
            Variant::Pool => 23,
            Variant::Spanish => 24,
            Variant::Russian => 25,
            Variant::Brazilian => 26,
            Variant::Canadian => 27,
            Variant::Portuguese => 28,
            Variant::Czech => 29,
            Variant::Turkish => 30,
            Variant::Thai => 31,
            Variant::Frisian => 40,
            Variant::Breakthrough => 96,
            Variant::Losing => 98,
            Variant::Killer | Variant::BreakthroughBrazilian => return None,
        })
    }

    /// The number that table files carry.
    pub const fn id(self) -> u16 {
        self as u16
    }

    /// The variant of this number.
    pub fn from_id(id: u16) -> Option<Variant> {
        Variant::ALL.iter().copied().find(|variant| variant.id() == id)
    }

    /// The [`Breakthrough`](crate::rules::Breakthrough) form of a parent; only those named here can be compiled.
    pub(crate) const fn breakthrough(self) -> Variant {
        match self {
            Variant::International => Variant::Breakthrough,
            Variant::Brazilian => Variant::BreakthroughBrazilian,
            _ => panic!(
                "the breakthrough form of this parent has no name yet: give it one in Variant"
            ),
        }
    }

    /// The [`Losing`](crate::rules::Losing) form of a parent; only those named here can be compiled.
    pub(crate) const fn losing(self) -> Variant {
        match self {
            Variant::International => Variant::Losing,
            _ => panic!("the losing form of this parent has no name yet: give it one in Variant"),
        }
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
        $crate::with_rules!(@
            $variant, $rules => $body;
            International: International,
            English: English,
            Russian: Russian,
            Brazilian: Brazilian,
            Pool: Pool,
            Italian: Italian,
            Czech: Czech,
            Spanish: Spanish,
            Portuguese: Portuguese,
            Turkish: Turkish,
            Frisian: Frisian,
            Canadian: Canadian,
            Thai: Thai,
            Killer: Killer,
            Breakthrough: Breakthrough<International>,
            BreakthroughBrazilian: Breakthrough<Brazilian>,
            Losing: Losing<International>,
        )
    };
    (@ $variant:expr, $rules:ident => $body:expr; $($name:ident: $base:ident $(<$parent:ident>)?,)*) => {
        match $variant {
            $($crate::Variant::$name => {
                type $rules = $crate::rules::$base $(<$crate::rules::$parent>)?;
                $body
            })*
            _ => unreachable!("every variant has its rules"),
        }
    };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rules::Rules;

    #[test]
    fn names_ids_and_rules_agree() {
        for &variant in Variant::ALL {
            assert_eq!(Variant::from_id(variant.id()), Some(variant));
            assert_eq!(variant.name().parse(), Ok(variant));
            for alias in variant.aliases() {
                assert_eq!(alias.to_uppercase().parse(), Ok(variant));
            }
            #[allow(unreachable_patterns)]
            let of_rules = with_rules!(variant, R => R::VARIANT);
            assert_eq!(of_rules, variant);
        }
        assert!("chess".parse::<Variant>().is_err());
        let types: BTreeSet<_> =
            Variant::ALL.iter().filter_map(|variant| variant.game_type()).collect();
        assert_eq!(types.len(), 15);
    }
}
