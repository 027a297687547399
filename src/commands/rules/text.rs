//! The report as text.

use std::io::{self, Write};

use damier::{DrawRuleSet, RuleValue};

use super::report::{ClassReport, RuleJson, Taken, TurnReport, ValueReport};
use super::{Row, binding};

/// The rows in the layout that other programs compare.
pub fn print_csv(rows: &[Row]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "class,turn,positions,wins,cursed_wins,draws,blessed_losses,losses")?;
    for row in rows {
        let counts = row.counts.map(|count| count.to_string()).join(",");
        writeln!(out, "{},{},{},{counts}", row.class, row.turn.letter(), row.positions())?;
    }
    Ok(())
}

/// The rows for reading, each with the rule that binds.
pub fn print_table(set: DrawRuleSet, rows: &[Row]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let width = rows.iter().map(|row| row.class.to_string().len()).max().unwrap_or(0).max(5);
    writeln!(
        out,
        "{:width$} turn {:>13} {:>13} {:>12} {:>13} {:>14} {:>13} {:>7} {:>5}  rule",
        "class",
        "positions",
        "wins",
        "cursed_wins",
        "draws",
        "blessed_losses",
        "losses",
        "longest",
        "limit"
    )?;
    for row in rows {
        let [wins, cursed, draws, blessed, losses] = row.counts;
        let rule = binding(set, row.class);
        let or_none = |plies: Option<u16>| plies.map(|plies| plies.to_string()).unwrap_or_default();
        writeln!(
            out,
            "{:width$} {:4} {:>13} {wins:>13} {cursed:>12} {draws:>13} {blessed:>14} {losses:>13} {:>7} {:>5}  {}",
            row.class,
            row.turn.letter(),
            row.positions(),
            or_none(row.longest.into_iter().flatten().max()),
            or_none(rule.map(|rule| rule.limit)),
            rule.map_or("none", |rule| rule.article),
        )?;
    }
    let taken: u64 = rows.iter().map(Row::taken).sum();
    writeln!(out, "{}", verdict(taken))
}

fn verdict(taken: u64) -> String {
    match taken {
        0 => "Harmless from a fresh counter: no win on the board is drawn by the rules.".to_owned(),
        1 => "One win on the board is drawn by the rules, the counter being fresh.".to_owned(),
        _ => format!("{taken} wins on the board are drawn by the rules, the counter being fresh."),
    }
}

/// All about one class, for reading.
pub fn print_class(set: DrawRuleSet, report: &ClassReport) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match &report.rule {
        Some(RuleJson { name, article, limit }) => {
            writeln!(out, "{} under {set}: {name}, {article}, {limit} plies", report.class)?;
        }
        None => writeln!(out, "{} under {set}: no rule applies", report.class)?,
    }
    let mut taken = 0;
    for turn in &report.turns {
        let side = if turn.turn == 'W' { "White" } else { "Black" };
        writeln!(out, "\n{side} to move: {} positions", turn.positions)?;
        for ValueReport { value, positions, share, fen, longest, longest_positions, .. } in
            &turn.values
        {
            let fen = fen.as_deref().unwrap_or_default();
            let longest = match (longest, longest_positions) {
                (Some(plies), Some(positions)) => {
                    format!("  longest {plies}, {positions} of them:")
                }
                _ => String::new(),
            };
            let line =
                format!("  {value:12} {positions:>13} {:>7.3} %{longest}  {fen}", 100.0 * share);
            writeln!(out, "{}", line.trim_end())?;
        }
        taken += taken_here(turn);
        if taken_here(turn) > 0 {
            print_taken(&mut out, turn)?;
        }
        print_plies(&mut out, turn)?;
    }
    let margin = report.turns.iter().filter_map(|turn| turn.margin).min();
    match margin {
        Some(margin) if taken == 0 => {
            writeln!(out, "\n{} Each leaves {margin} plies or more.", verdict(taken))
        }
        _ => writeln!(out, "\n{}", verdict(taken)),
    }
}

/// The wins, of whichever side, that the rules take away.
fn taken_here(turn: &TurnReport) -> u64 {
    let is_taken = |value: &&ValueReport| matches!(value.value, "cursed-win" | "blessed-loss");
    turn.values.iter().filter(is_taken).map(|value| value.positions).sum()
}

/// What each rule takes away.
fn print_taken(out: &mut impl Write, turn: &TurnReport) -> io::Result<()> {
    for Taken { name, article, wins, losses } in &turn.by_rule {
        match wins.zip(*losses) {
            Some((0, 0)) => {}
            Some((wins, losses)) => {
                writeln!(
                    out,
                    "  without the {name}, {article}: {wins} more won, {losses} more lost"
                )?;
            }
            None => writeln!(out, "  without the {name}, {article}: not known")?,
        }
    }
    Ok(())
}

/// How many are won and lost in so many plies, and how many of the wins and losses are gone with so many on the counter.
fn print_plies(out: &mut impl Write, turn: &TurnReport) -> io::Result<()> {
    let of = |value: RuleValue, plies: u16| {
        let report = turn.values.iter().find(|report| report.value == value.name());
        report.and_then(|report| report.histogram.get(&plies)).copied().unwrap_or(0)
    };
    let longest = turn.values.iter().filter_map(|report| report.longest).max().unwrap_or(0);
    writeln!(
        out,
        "\n  {:>5} {:>13} {:>13} {:>15} {:>15}",
        "plies", "won in them", "lost in them", "wins then gone", "losses then gone"
    )?;
    let mut before = (0, 0);
    for plies in 0..=longest.max(turn.by_counter.len() as u16) {
        let (won, lost) = (of(RuleValue::Win, plies), of(RuleValue::Loss, plies));
        let gone = turn.by_counter.iter().find(|gone| gone.counter == plies);
        let gone = gone.map_or((0, 0), |gone| (gone.wins, gone.losses));
        if won > 0 || lost > 0 || gone != before {
            writeln!(out, "  {plies:>5} {won:>13} {lost:>13} {:>15} {:>15}", gone.0, gone.1)?;
        }
        before = gone;
    }
    Ok(())
}
