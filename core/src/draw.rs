//! Draw rules: when a game ends without a winner although it could go on.
//!
//! A set of rules is data: lines that say which material a rule is for, what its counter counts and how many plies it
//! allows. Whatever the line, the counter works the same way. After each move it either goes on by one or starts again
//! at 0, and when it is full the game is drawn, unless the side to move has no move: a game that ends on the last ply
//! allowed has been won. So, where `d` plies on the counter are needed to win by force, the win stands with `c` plies
//! already counted exactly when `c + d` is not more than the limit.
//!
//! One number a position says all this as long as one counter binds at a time, and the lines of a set are
//! ordered so that the first one which the material fits is the one that binds: in FMJD, a king alone against three pieces
//! has 16 moves, and the count of 25 moves with kings only, which restarts with the same capture or promotion, cannot be full
//! earlier. What a table cannot know is said with each [`DrawRuleSet`]; [`Counters`] follows a game.

use std::fmt;
use std::str::FromStr;

use crate::color::Color;
use crate::material::Material;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::{Rules, WordOf};
use crate::variant::Variant;
use crate::word::Word;

mod counters;
mod sets;

pub use counters::{Counters, Drawn};

/// A set of draw rules. The numbers stand in table files and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
#[non_exhaustive]
pub enum DrawRuleSet {
    /// No rule: the game goes on for ever.
    None = 0,
    /// International draughts: FMJD annex 1, article 6, and the project's two rule texts. Fully modelled.
    Fmjd = 1,
    /// The same in an older reading of 6.3: when a piece is taken while 16 moves are counted, "the maximum of 16 moves
    /// remains valid" beside the five moves for two against one or one against one. It is forgotten with a second capture,
    /// from two against one into one against one: what one number cannot carry.
    FmjdOlder = 2,
    /// Draughts on 64 squares: FMJD-64, article 7.2.
    ///
    /// Not in tables: 7.2.6, the balance unchanged for 30 or 60 moves, which counts beside 7.2.5 and goes on over moves of men
    /// ([`Counters`] knows it); 7.2.7, five moves for three pieces against a king on the long diagonal, which counts only
    /// while it is there; the exception of 7.2.9 for wins that are obvious.
    Fmjd64 = 3,
    /// Brazilian draughts by its federation: 20 moves with kings only, the others as FMJD. Fully modelled.
    Cbd = 4,
    /// English draughts: WCDF, article 1.32. Fully modelled.
    Wcdf = 5,
    /// Italian draughts: FID, articles 9.3 and 10.4. Fully modelled.
    Fid = 6,
    /// Pool checkers: the tournament rules of the APCA, which as known to us name no repetition. Fully modelled.
    Apca = 7,
    /// Frisian draughts: KNDB, rules of 2011, articles 17, 18 and 21, which as known to us name no repetition.
    ///
    /// One king each is drawn unless it is won at once: the side to move takes the other king, or cannot help losing its own to the
    /// next move. That is one move each. (Lidraughts, which does not look ahead, gives two.)
    ///
    /// Not in tables: a side that still has men may not move the same king more than three times in a row without
    /// taking. That is no draw but forbids moves, and which ones depends on the moves before.
    Frisian = 8,
}

/// One line of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// What players call it.
    pub name: &'static str,
    /// Where it is written.
    pub article: &'static str,
    /// The material that it is for.
    pub material: Pattern,
    /// The material over which its count goes on, even if another line is for that; usually the same.
    pub lasts: Pattern,
    /// What is counted.
    pub counts: Counts,
    /// With so many plies on the counter the game is drawn.
    pub limit: u16,
}

/// Which material a rule is for, whichever side has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Any.
    Any,
    /// A king alone against other pieces, a king among them.
    LoneKing {
        /// The fewest pieces against it.
        least: u8,
        /// The most pieces against it.
        most: u8,
        /// Whether men may be among them.
        men: bool,
    },
    /// Both sides have a king, and so many pieces are on the board.
    BothHaveKings {
        /// The fewest pieces of both sides.
        least: u8,
        /// The most pieces of both sides.
        most: u8,
    },
}

/// Which plies a counter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// All since the material arose; neither moves of men nor promotions within it start the count again.
    SinceArisen,
    /// Moves of kings in a row, without a capture, a man's move or a promotion.
    KingMoves,
    /// Plies in a row without a capture or a promotion. No table knows this count; see [`DrawRuleSet::Fmjd64`].
    SameBalance,
}

/// Drawn when the same position has stood so often with the same side to move. This never changes the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// How often, the first time included.
    pub times: u8,
    /// Where it is written.
    pub article: &'static str,
}

/// What is played, as far as counters see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Play {
    /// A king moves.
    KingMove,
    /// A man moves and stays one.
    ManMove,
    /// A man moves and becomes a king.
    Promotion,
    /// Something is taken, whoever takes it and whatever becomes of it.
    Capture,
}

/// What becomes of the counter that applies, with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The position after the move starts at 0.
    Starts,
    /// One ply more.
    Advances,
    /// A new count starts while the old one goes on: of the plies that either leaves, the fewer are left. Only
    /// [`DrawRuleSet::FmjdOlder`] has such moves.
    Joins,
}

impl fmt::Display for Counts {
    /// What follows "so many plies".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Counts::SinceArisen => "since the material arose",
            Counts::KingMoves => "with kings only and no capture",
            Counts::SameBalance => "without a capture or promotion",
        })
    }
}

impl Pattern {
    /// Whether a material fits.
    pub fn fits(self, material: Material) -> bool {
        use Color::{Black, White};
        match self {
            Pattern::Any => true,
            Pattern::LoneKing { least, most, men } => {
                let [white, black] = [(White, Black), (Black, White)].map(|(alone, other)| {
                    material.is_lone_king(alone)
                        && material.kings[other.index()] > 0
                        && (men || material.men[other.index()] == 0)
                        && (least..=most).contains(&material.pieces(other))
                });
                white || black
            }
            Pattern::BothHaveKings { least, most } => {
                let pieces = material.pieces(White) + material.pieces(Black);
                !material.kings.contains(&0) && (least..=most).contains(&pieces)
            }
        }
    }
}

impl DrawRule {
    /// Whether the count of this rule goes on with a move that leads to `after`.
    fn goes_on(&self, play: Play, after: Material) -> bool {
        match self.counts {
            Counts::SinceArisen => self.lasts.fits(after),
            Counts::KingMoves => play == Play::KingMove,
            Counts::SameBalance => matches!(play, Play::KingMove | Play::ManMove),
        }
    }
}

impl Play {
    /// What a legal move of a position is.
    #[inline]
    pub fn of<R: Rules>(before: &Position<R>, played: Move<WordOf<R>>) -> Play {
        if played.is_capture() {
            Play::Capture
        } else if played.promotes() {
            Play::Promotion
        } else if before.men(before.turn()).has(played.from()) {
            Play::ManMove
        } else {
            Play::KingMove
        }
    }
}

impl DrawRuleSet {
    /// All sets.
    pub const ALL: &'static [DrawRuleSet] = &[
        DrawRuleSet::None,
        DrawRuleSet::Fmjd,
        DrawRuleSet::FmjdOlder,
        DrawRuleSet::Fmjd64,
        DrawRuleSet::Cbd,
        DrawRuleSet::Wcdf,
        DrawRuleSet::Fid,
        DrawRuleSet::Apca,
        DrawRuleSet::Frisian,
    ];

    /// The name used in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            DrawRuleSet::None => "none",
            DrawRuleSet::Fmjd => "fmjd",
            DrawRuleSet::FmjdOlder => "fmjd-older",
            DrawRuleSet::Fmjd64 => "fmjd64",
            DrawRuleSet::Cbd => "cbd",
            DrawRuleSet::Wcdf => "wcdf",
            DrawRuleSet::Fid => "fid",
            DrawRuleSet::Apca => "apca",
            DrawRuleSet::Frisian => "frisian",
        }
    }

    /// The number that table files carry.
    pub const fn id(self) -> u16 {
        self as u16
    }

    /// The set of this number.
    pub fn from_id(id: u16) -> Option<DrawRuleSet> {
        DrawRuleSet::ALL.iter().copied().find(|set| set.id() == id)
    }

    /// The lines, the first that fits being the one that binds.
    pub const fn rules(self) -> &'static [DrawRule] {
        match self {
            DrawRuleSet::None => &[],
            DrawRuleSet::Fmjd => sets::FMJD,
            DrawRuleSet::FmjdOlder => sets::FMJD_OLDER,
            DrawRuleSet::Fmjd64 => sets::FMJD64,
            DrawRuleSet::Cbd => sets::CBD,
            DrawRuleSet::Wcdf => sets::WCDF,
            DrawRuleSet::Fid => sets::FID,
            DrawRuleSet::Apca => sets::APCA,
            DrawRuleSet::Frisian => sets::FRISIAN,
        }
    }

    /// The repetition that draws, if the set names one.
    pub const fn repetition(self) -> Option<Repetition> {
        let (times, article) = match self {
            DrawRuleSet::None | DrawRuleSet::Apca | DrawRuleSet::Frisian => return None,
            DrawRuleSet::Fmjd | DrawRuleSet::FmjdOlder => (3, "FMJD 6.1"),
            DrawRuleSet::Fmjd64 => (3, "FMJD-64 7.2.3"),
            DrawRuleSet::Cbd => (3, "CBD, as FMJD 6.1"),
            DrawRuleSet::Wcdf => (3, "WCDF 1.32"),
            DrawRuleSet::Fid => (4, "FID 9.3"),
        };
        Some(Repetition { times, article })
    }

    /// The rule whose counter binds for a material, if there is one.
    ///
    /// ```
    /// use damier_core::{DrawRuleSet, Material};
    ///
    /// let king_against_three = Material::new((2, 1), (0, 1));
    /// let rule = DrawRuleSet::Fmjd.applying(king_against_three).unwrap();
    /// assert_eq!((rule.article, rule.limit), ("FMJD 6.3", 32));
    /// ```
    pub fn applying(self, material: Material) -> Option<&'static DrawRule> {
        self.rules().iter().find(|rule| rule.material.fits(material))
    }

    /// What a move does to the counter that applies. Where no rule is for the material `after`, there is nothing to count and the
    /// answer is [`Step::Starts`].
    pub fn step(self, before: Material, play: Play, after: Material) -> Step {
        match (self.applying(before), self.applying(after)) {
            (Some(from), Some(to)) if from.goes_on(play, after) => {
                if from == to {
                    Step::Advances
                } else {
                    Step::Joins
                }
            }
            _ => Step::Starts,
        }
    }

    /// The plies on the counter after a move made with `plies` on it.
    pub fn plies_after(self, before: Material, plies: u16, play: Play, after: Material) -> u16 {
        match self.step(before, play, after) {
            Step::Starts => 0,
            Step::Advances => plies.saturating_add(1),
            Step::Joins => {
                let limit = |material| self.applying(material).map_or(0, |rule| rule.limit);
                let left = limit(before).saturating_sub(plies.saturating_add(1));
                limit(after).saturating_sub(left)
            }
        }
    }
}

impl fmt::Display for DrawRuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No set of draw rules has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown draw rules {found:?}, expected one of {}", names())]
pub struct UnknownDrawRules {
    /// What was asked for.
    pub found: String,
}

fn names() -> String {
    let names: Vec<_> = DrawRuleSet::ALL.iter().map(|set| set.name()).collect();
    names.join(", ")
}

impl FromStr for DrawRuleSet {
    type Err = UnknownDrawRules;

    fn from_str(text: &str) -> Result<DrawRuleSet, UnknownDrawRules> {
        let lower = text.to_ascii_lowercase();
        DrawRuleSet::ALL
            .iter()
            .copied()
            .find(|set| set.name() == lower)
            .ok_or_else(|| UnknownDrawRules { found: text.to_owned() })
    }
}

impl Variant {
    /// The draw rules that the variant is played under, the usual ones first; all can be played without any.
    pub const fn draw_rule_sets(self) -> &'static [DrawRuleSet] {
        use DrawRuleSet::{Apca, Cbd, Fid, Fmjd, Fmjd64, FmjdOlder, Frisian, None, Wcdf};
        match self {
            Variant::International => &[Fmjd, FmjdOlder, None],
            Variant::English => &[Wcdf, None],
            Variant::Russian => &[Fmjd64, None],
            Variant::Brazilian => &[Cbd, Fmjd64, None],
            Variant::Pool => &[Apca, None],
            Variant::Italian => &[Fid, None],
            Variant::Frisian => &[Frisian, None],
            Variant::Czech
            | Variant::Spanish
            | Variant::Portuguese
            | Variant::Turkish
            | Variant::Canadian
            | Variant::Thai
            | Variant::Killer
            | Variant::Breakthrough
            | Variant::BreakthroughBrazilian
            | Variant::Losing => &[None],
        }
    }

    /// The draw rules that the variant is usually played under.
    pub const fn default_draw_rules(self) -> DrawRuleSet {
        self.draw_rule_sets()[0]
    }
}
