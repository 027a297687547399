//! The lines of every set. Limits are written in moves of each side, as the articles have them.

use super::{Counts, DrawRule, Pattern};

const fn since_arisen(
    name: &'static str,
    article: &'static str,
    material: Pattern,
    moves: u16,
) -> DrawRule {
    let counts = Counts::SinceArisen;
    DrawRule { name, article, material, lasts: material, counts, limit: 2 * moves }
}

const fn king_moves(name: &'static str, article: &'static str, moves: u16) -> DrawRule {
    let (any, counts) = (Pattern::Any, Counts::KingMoves);
    DrawRule { name, article, material: any, lasts: any, counts, limit: 2 * moves }
}

const fn same_balance(
    name: &'static str,
    article: &'static str,
    pieces: [u8; 2],
    moves: u16,
) -> DrawRule {
    let material = Pattern::BothHaveKings { least: pieces[0], most: pieces[1] };
    let counts = Counts::SameBalance;
    DrawRule { name, article, material, lasts: material, counts, limit: 2 * moves }
}

/// A king alone against so many pieces, a king among them.
const fn lone_king(pieces: u8) -> Pattern {
    Pattern::LoneKing { least: pieces, most: pieces, men: true }
}

/// A king alone against so many kings.
const fn lone_king_against_kings(least: u8, most: u8) -> Pattern {
    Pattern::LoneKing { least, most, men: false }
}

/// Two against one and one against one are lines of their own: the five moves start anew with the capture between them.
pub(super) const FMJD: &[DrawRule] = &[
    since_arisen("16-move rule", "FMJD 6.3", lone_king(3), 16),
    since_arisen("5-move rule, two against one", "FMJD 6.4", lone_king(2), 5),
    since_arisen("5-move rule, one against one", "FMJD 6.4", lone_king(1), 5),
    king_moves("25-move rule", "FMJD 6.2", 25),
];

/// [`FMJD`] with sixteen moves that outlast a capture.
pub(super) const FMJD_OLDER: &[DrawRule] = &[
    DrawRule { lasts: Pattern::LoneKing { least: 1, most: 3, men: true }, ..FMJD[0] },
    FMJD[1],
    FMJD[2],
    FMJD[3],
];

pub(super) const FMJD64: &[DrawRule] = &[
    since_arisen("5-move rule, two against one", "FMJD-64 7.2.8", lone_king(2), 5),
    since_arisen("5-move rule, one against one", "FMJD-64 7.2.8", lone_king(1), 5),
    since_arisen("15-move rule", "FMJD-64 7.2.4", lone_king_against_kings(3, u8::MAX), 15),
    king_moves("15 moves with kings only", "FMJD-64 7.2.5", 15),
    same_balance("30-move rule", "FMJD-64 7.2.6", [4, 5], 30),
    same_balance("60-move rule", "FMJD-64 7.2.6", [6, 7], 60),
];

pub(super) const CBD: &[DrawRule] = &[
    DrawRule { article: "CBD, as FMJD 6.3", ..FMJD[0] },
    DrawRule { article: "CBD, as FMJD 6.4", ..FMJD[1] },
    DrawRule { article: "CBD, as FMJD 6.4", ..FMJD[2] },
    king_moves("20-move rule", "CBD", 20),
];

pub(super) const WCDF: &[DrawRule] = &[king_moves("40-move rule", "WCDF 1.32", 40)];

pub(super) const FID: &[DrawRule] = &[king_moves("40-move rule", "FID 10.4", 40)];

pub(super) const APCA: &[DrawRule] =
    &[since_arisen("13-move rule", "APCA tournament rules", lone_king_against_kings(3, 3), 13)];

pub(super) const FRISIAN: &[DrawRule] = &[
    since_arisen("7-move rule", "KNDB Frisian 2011", lone_king_against_kings(2, 2), 7),
    since_arisen("king against king", "KNDB Frisian 2011", lone_king_against_kings(1, 1), 1),
];
