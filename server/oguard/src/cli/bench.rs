//! `oguard bench`: what the server and the command cost, each beside what nothing of their kind can do without, in one run.
//!
//! Machines differ and are shared, so a time alone says little: every row is a ratio of medians that were measured in turn.
//! `floor` is the server that it is compared with; `edits`, `memory` and `cold` measure; this file asks, orders and prints.

mod cold;
mod edits;
mod floor;
mod matching;
mod memory;
mod texts;

use super::output::{Plain, print};
use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;
use std::path::PathBuf;
use texts::Kind;

/// Measure what edits, starts, memory and cold runs cost, as ratios to a bare parser
///
/// The floor of the server's rows is a bare server of this program: incremental parse, a look at what changed, an empty answer.
/// The floor of a cold check is `true`, one git blob read and, where named, two parses. Needs git; makes scratch repositories
/// in the folder for temporary files. A build without optimisation measures nothing.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// What to measure; everything where none is given
    #[arg(value_enum, value_name = "PART")]
    parts: Vec<Part>,
    /// Sizes of files, in lines
    #[arg(long, value_delimiter = ',', default_values_t = [200, 2_000, 10_000, 50_000], value_name = "N,…")]
    lines: Vec<usize>,
    /// Languages of the files
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Kind::Python, Kind::Typescript], value_name = "LANGUAGE,…")]
    languages: Vec<Kind>,
    /// Rounds of each measurement
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// How the rows look
    #[arg(long, value_enum, default_value_t = Plain::Text)]
    format: Plain,
    /// Serve as the floor.
    #[arg(long, hide = true)]
    floor: bool,
    /// Parse the files in full and print the milliseconds of each.
    #[arg(long, hide = true, value_name = "FILE", num_args = 1..)]
    parse: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  oguard bench                                        everything; some minutes
  oguard bench edits --lines 2000 --languages python  one row
  oguard bench cold scan --format json";

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Letters typed one by one until their diagnostics, by file size
    Edits,
    /// 200 edits at once until the diagnostics of the last
    Burst,
    /// From the start of the process to its first diagnostics
    Start,
    /// Memory with 1, 100 and 1,000 open documents, and an edit right after
    Memory,
    /// `oguard check` as a cold process, by file size and by size of the work tree
    Cold,
    /// `oguard scan` of a folder against a parse of the same files
    Scan,
    /// Which test is which over a change of 200 files, against a parse of the same texts
    Match,
}

/// One line of the result.
#[derive(Debug, Serialize)]
struct Row {
    what: String,
    /// In `unit`.
    oguard: f64,
    /// In `unit`; none where only the growth of oguard's own figures counts.
    floor: Option<f64>,
    unit: &'static str,
    /// Highest ratio to the floor that is aimed at (DESIGN.md 6).
    goal: Option<f64>,
    /// More of what was seen.
    remark: String,
}

impl Row {
    fn ratio(&self) -> Option<f64> {
        self.floor.filter(|floor| *floor > 0.0).map(|floor| self.oguard / floor)
    }
}

pub(super) fn run(args: &Args) -> Result<u8> {
    if args.floor {
        floor::serve()?;
        return Ok(0);
    }
    if !args.parse.is_empty() {
        return cold::parse(&args.parse).map(|()| 0);
    }
    let wanted = |part| args.parts.is_empty() || args.parts.contains(&part);
    let mut rows = Vec::new();
    for kind in &args.languages {
        for lines in &args.lines {
            if wanted(Part::Edits) {
                tell(&format!("edits, {} {lines} lines", kind.name()));
                rows.push(edits::typing(*kind, *lines, args.rounds)?);
            }
            if wanted(Part::Burst) {
                tell(&format!("burst, {} {lines} lines", kind.name()));
                rows.push(edits::burst(*kind, *lines, args.rounds)?);
            }
            if wanted(Part::Start) {
                tell(&format!("start, {} {lines} lines", kind.name()));
                rows.extend(edits::start(*kind, *lines, args.rounds)?);
            }
        }
        if wanted(Part::Memory) {
            tell(&format!("memory, {}", kind.name()));
            rows.extend(memory::open_documents(*kind)?);
        }
        if wanted(Part::Cold) {
            tell(&format!("cold check, {}", kind.name()));
            rows.extend(cold::check(*kind, &args.lines, args.rounds)?);
        }
        if wanted(Part::Match) {
            tell(&format!("match, {}", kind.name()));
            rows.extend(matching::matching(*kind, args.rounds)?);
        }
        if wanted(Part::Scan) {
            tell(&format!("scan, {}", kind.name()));
            rows.push(cold::scan(*kind, args.rounds)?);
        }
    }
    tell("");
    match args.format {
        Plain::Json => print(&format!("{:#}\n", serde_json::json!({"schema": "oguard.bench/1", "rows": rows}))),
        Plain::Text => print(&table(&rows)),
    }
    Ok(0)
}

/// Says on a terminal what is being measured; an empty text takes it away.
fn tell(what: &str) {
    use std::io::{IsTerminal, Write};
    if std::io::stderr().is_terminal() {
        let line = if what.is_empty() { String::new() } else { format!("oguard: measuring {what}") };
        // A progress line that cannot be written is no reason to stop.
        let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
    }
}

fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.what.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for row in rows {
        let floor = row.floor.map_or_else(|| " ".repeat(16), |floor| format!("floor {floor:>8.2} {:<2}", row.unit));
        let ratio = row.ratio().map_or_else(String::new, |ratio| format!("{ratio:>7.2}x"));
        let goal = row.goal.map_or_else(String::new, |goal| format!(" (goal {goal}x)"));
        out.push_str(
            format!("{:<width$}  {:>9.2} {:<2}  {floor}  {ratio}{goal}  {}", row.what, row.oguard, row.unit, row.remark).trim_end(),
        );
        out.push('\n');
    }
    out
}

/// Returns the value below which a share of the values lies.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = ((values.len() as f64 - 1.0) * share).round() as usize;
    values.get(at).copied().unwrap_or(f64::NAN)
}

fn median(values: &mut [f64]) -> f64 {
    quantile(values, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_were_seen() {
        let mut values = [5.0, 1.0, 9.0, 3.0, 7.0];
        assert_eq!(median(&mut values), 5.0);
        assert_eq!((quantile(&mut values, 0.0), quantile(&mut values, 1.0)), (1.0, 9.0));
        assert!(median(&mut []).is_nan());
    }
}
