//! The report on classes, as JSON has it.

use std::collections::{BTreeMap, HashMap};

use damier::{Class, Counts, DrawRule, RuleValue, Rules, counts_without};
use serde::Serialize;

use super::{Asked, Row, binding};
use crate::commands::survey::{Found, Surveys};

/// The report, as JSON has it.
#[derive(Serialize)]
pub struct SetReport {
    pub variant: &'static str,
    pub rules: &'static str,
    pub classes: Vec<ClassReport>,
}

/// One class.
#[derive(Serialize)]
pub struct ClassReport {
    pub class: String,
    /// The rule that binds for the class.
    pub rule: Option<RuleJson>,
    pub turns: Vec<TurnReport>,
}

/// A rule, how many plies it allows, and which plies it counts.
#[derive(Serialize)]
pub struct RuleJson {
    pub name: &'static str,
    pub article: &'static str,
    pub limit: u16,
    pub counts: String,
}

impl From<&DrawRule> for RuleJson {
    fn from(rule: &DrawRule) -> RuleJson {
        let DrawRule { name, article, limit, counts, .. } = *rule;
        RuleJson { name, article, limit, counts: counts.to_string() }
    }
}

/// One side to move.
#[derive(Serialize)]
pub struct TurnReport {
    pub turn: char,
    pub positions: u64,
    pub values: Vec<ValueReport>,
    /// The plies that the longest win or loss leaves of the counter.
    pub margin: Option<u16>,
    /// What the rule takes of the wins and losses with so many plies on the counter already, from one to the limit.
    pub by_counter: Vec<Gone>,
    /// What each rule takes away by itself.
    pub by_rule: Vec<Taken>,
}

/// How many more would be won and lost if one rule were lifted; nothing where that was not to be found out.
#[derive(Serialize)]
pub struct Taken {
    pub name: &'static str,
    pub article: &'static str,
    pub wins: Option<u64>,
    pub losses: Option<u64>,
}

impl Taken {
    fn new(rule: &DrawRule, wins: Option<u64>, losses: Option<u64>) -> Taken {
        Taken { name: rule.name, article: rule.article, wins, losses }
    }
}

/// The positions of one of the five values.
#[derive(Serialize)]
pub struct ValueReport {
    pub value: &'static str,
    pub positions: u64,
    pub share: f64,
    /// One of the positions, of those that take the most plies.
    pub fen: Option<String>,
    /// The most plies on the counter, and how many positions take them.
    pub longest: Option<u16>,
    pub longest_positions: Option<u64>,
    /// Positions by plies on the counter.
    pub histogram: BTreeMap<u16, u64>,
}

/// How many of the wins and losses from a fresh counter are none any more with so many plies on it.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Gone {
    pub counter: u16,
    pub wins: u64,
    pub losses: u64,
}

impl TurnReport {
    fn new<R: Rules>(
        row: &Row,
        rule: Option<&DrawRule>,
        found: &Found<(RuleValue, u16), R>,
        by_rule: Vec<Taken>,
    ) -> TurnReport {
        let values = RuleValue::ALL.into_iter().zip(row.counts).map(|(value, positions)| {
            let kinds = found.iter().filter(|((of, _), _)| *of == value);
            let longest = kinds.clone().max_by_key(|((_, plies), _)| *plies);
            let is_counted = matches!(value, RuleValue::Win | RuleValue::Loss);
            let counted = longest.filter(|_| is_counted);
            ValueReport {
                value: value.name(),
                positions,
                share: row.share(positions),
                fen: longest.map(|(_, kindred)| kindred.first.to_fen()),
                longest: counted.map(|((_, plies), _)| *plies),
                longest_positions: counted.map(|(_, kindred)| kindred.positions),
                histogram: kinds
                    .filter(|_| is_counted)
                    .map(|((_, plies), kindred)| (*plies, kindred.positions))
                    .collect(),
            }
        });
        let values: Vec<_> = values.collect();
        let limit = rule.map(|rule| rule.limit);
        let left = limit.zip(row.longest.into_iter().flatten().max());
        let gone = |counter: u16| {
            let gone = |value: RuleValue| {
                let in_time = |plies: u16| {
                    plies == 0 || counter.saturating_add(plies) <= limit.unwrap_or(u16::MAX)
                };
                let late = found.iter().filter(|((of, plies), _)| *of == value && !in_time(*plies));
                late.map(|(_, kindred)| kindred.positions).sum()
            };
            Gone { counter, wins: gone(RuleValue::Win), losses: gone(RuleValue::Loss) }
        };
        TurnReport {
            turn: row.turn.letter(),
            positions: row.positions(),
            values,
            margin: left.map(|(limit, plies)| limit.saturating_sub(plies)),
            by_counter: (1..=limit.unwrap_or(0)).map(gone).collect(),
            by_rule,
        }
    }
}

/// How the positions of canonical classes fall with each rule of the set lifted in turn.
type Without = HashMap<Class, Vec<Option<[Counts; 2]>>>;

impl<R: Rules> Asked<R> {
    /// The reports of classes of which there are rows for both turns.
    pub fn details(&self, rows: &[Row]) -> anyhow::Result<Vec<ClassReport>> {
        let kind = |position: &_| self.kind(position);
        let mut surveys = Surveys::new(&kind);
        let mut without = Without::new();
        let mut reports: Vec<ClassReport> = Vec::new();
        for row in rows {
            let order = self.files.order(row.class, Some(self.measure()))?;
            let found = surveys.of(row.class, order, row.turn)?;
            let rule = binding(self.set, row.class);
            let turn = TurnReport::new(row, rule, &found, self.by_rule(row, &mut without));
            match reports.last_mut().filter(|report| report.class == row.class.to_string()) {
                Some(report) => report.turns.push(turn),
                None => reports.push(ClassReport {
                    class: row.class.to_string(),
                    rule: rule.map(RuleJson::from),
                    turns: vec![turn],
                }),
            }
        }
        Ok(reports)
    }

    /// What each rule takes away by itself: what would be won or lost if it alone were lifted.
    fn by_rule(&self, row: &Row, without: &mut Without) -> Vec<Taken> {
        let rules = self.set.rules();
        let nothing = |rule: &DrawRule| Taken::new(rule, Some(0), Some(0));
        if row.taken() == 0 {
            return rules.iter().map(nothing).collect();
        }
        let class = row.class.canonical();
        let turn = if class == row.class { row.turn } else { !row.turn };
        let lifted = without.entry(class).or_insert_with(|| {
            rules.iter().map(|rule| counts_without::<R>(class, self.set, rule)).collect()
        });
        let [wins, .., losses] = row.counts;
        let taken = |(rule, counts): (&DrawRule, &Option<[Counts; 2]>)| {
            let counts = counts.map(|counts| counts[turn.index()]);
            let wins = counts.map(|counts| counts.wins.saturating_sub(wins));
            let losses = counts.map(|counts| counts.losses.saturating_sub(losses));
            Taken::new(rule, wins, losses)
        };
        rules.iter().zip(&*lifted).map(taken).collect()
    }
}
