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

/// All about some classes, for reading.
pub fn print_classes(set: DrawRuleSet, reports: &[ClassReport]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for (number, report) in reports.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        print_class(&mut out, set, report)?;
    }
    Ok(())
}

fn print_class(out: &mut impl Write, set: DrawRuleSet, report: &ClassReport) -> io::Result<()> {
    match &report.rule {
        Some(RuleJson { name, article, limit, counts }) => writeln!(
            out,
            "{} under {set}: {name}, {article}: drawn after {limit} plies {counts}",
            report.class
        )?,
        None => writeln!(out, "{} under {set}: no rule applies", report.class)?,
    }
    for turn in &report.turns {
        print_values(out, turn)?;
    }
    print_plies(out, report)?;
    print_counters(out, report)?;
    let taken = report.turns.iter().map(taken_here).sum();
    let margin = report.turns.iter().filter_map(|turn| turn.margin).min();
    match margin {
        Some(margin) if taken == 0 => {
            writeln!(out, "\n{} Each leaves {margin} plies or more.", verdict(taken))
        }
        _ => writeln!(out, "\n{}", verdict(taken)),
    }
}

fn side(turn: &TurnReport) -> &'static str {
    if turn.turn == 'W' { "White" } else { "Black" }
}

/// The five values with one side to move.
fn print_values(out: &mut impl Write, turn: &TurnReport) -> io::Result<()> {
    writeln!(out, "\n{} to move: {} positions", side(turn), turn.positions)?;
    for ValueReport { value, positions, share, fen, longest, longest_positions, .. } in &turn.values
    {
        let fen = fen.as_deref().unwrap_or_default();
        let longest = match (longest, longest_positions) {
            (Some(plies), Some(positions)) => {
                format!("  longest {plies} plies, one of {positions}:")
            }
            _ if fen.is_empty() => String::new(),
            _ => "  as".to_owned(),
        };
        let line = format!("  {value:12} {positions:>13} {:>7.3} %{longest} {fen}", 100.0 * share);
        writeln!(out, "{}", line.trim_end())?;
    }
    if taken_here(turn) > 0 { print_taken(out, turn) } else { Ok(()) }
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

/// Both sides to move beside each other, two columns each.
fn print_heading(out: &mut impl Write, report: &ClassReport, columns: [&str; 3]) -> io::Result<()> {
    let [first, wins, losses] = columns;
    write!(out, "  {:8}", "")?;
    for turn in &report.turns {
        write!(out, "  {:>29}", format!("{} to move", side(turn)))?;
    }
    write!(out, "\n  {first:>8}")?;
    for _ in &report.turns {
        write!(out, "  {wins:>14} {losses:>14}")?;
    }
    writeln!(out)
}

fn print_line(out: &mut impl Write, first: String, numbers: &[[u64; 2]]) -> io::Result<()> {
    write!(out, "  {first:>8}")?;
    for [wins, losses] in numbers {
        write!(out, "  {wins:>14} {losses:>14}")?;
    }
    writeln!(out)
}

/// How many wins and losses take how many plies on the counter.
fn print_plies(out: &mut impl Write, report: &ClassReport) -> io::Result<()> {
    let of = |turn: &TurnReport, plies: u16| {
        [RuleValue::Win, RuleValue::Loss].map(|value| {
            let report = turn.values.iter().find(|report| report.value == value.name());
            report.and_then(|report| report.histogram.get(&plies)).copied().unwrap_or(0)
        })
    };
    let values = report.turns.iter().flat_map(|turn| &turn.values);
    let Some(longest) = values.filter_map(|value| value.longest).max() else { return Ok(()) };
    writeln!(out, "\nPositions by the plies on the counter that the win takes")?;
    print_heading(out, report, ["plies", "won", "lost"])?;
    for plies in 0..=longest {
        let numbers: Vec<_> = report.turns.iter().map(|turn| of(turn, plies)).collect();
        if numbers.iter().any(|numbers| *numbers != [0; 2]) {
            print_line(out, plies.to_string(), &numbers)?;
        }
    }
    Ok(())
}

/// What the rule takes with some plies on the counter already; counters with which it is the same share a line.
fn print_counters(out: &mut impl Write, report: &ClassReport) -> io::Result<()> {
    let counters = report.turns.iter().map(|turn| turn.by_counter.len()).max().unwrap_or(0);
    let at = |counter: usize| -> Vec<[u64; 2]> {
        let gone = report.turns.iter().filter_map(|turn| turn.by_counter.get(counter));
        gone.map(|gone| [gone.wins, gone.losses]).collect()
    };
    if counters == 0 {
        return Ok(());
    }
    writeln!(out, "\nOf these, drawn by the rule with plies on the counter already")?;
    print_heading(out, report, ["counter", "won", "lost"])?;
    let mut first = 0;
    for counter in 1..=counters {
        let numbers = at(first);
        if counter < counters && at(counter) == numbers {
            continue;
        }
        let name = match counter - first {
            1 => counter.to_string(),
            _ => format!("{}-{counter}", first + 1),
        };
        print_line(out, name, &numbers)?;
        first = counter;
    }
    Ok(())
}
