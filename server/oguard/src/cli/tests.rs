//! `oguard tests`: what happened to the tests of a change. For a reviewer, or a comment on a pull request.

use super::check::{ChangeArgs, judge_change};
use super::output::print;
use crate::report::{Style, tests_of_change};
use anyhow::Result;
use clap::ValueEnum;
use oguard_engine::verdict::Verdict;

/// Say what happened to the tests of a change
///
/// Each test of the base is matched with what became of it over all files of the change: kept, moved, renamed, edited, weakened,
/// disabled, made a row or a part of another, split, removed; and which are new. It judges nothing: the exit code is 0, or 2 where
/// something could not be read.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    change: ChangeArgs,
    /// How it looks
    #[arg(long, value_enum, default_value_t = FormatName::Text)]
    format: FormatName,
    /// List the tests to which nothing happened too (JSON always does)
    #[arg(long)]
    all: bool,
}

const EXAMPLES: &str = "\
Examples:
  oguard tests                                what happened to the tests since HEAD
  oguard tests --base origin/main             what this branch did to them
  oguard tests --head 1a2b3c4 --format markdown   a table for a comment";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatName {
    /// For people
    Text,
    /// For programs: schema oguard.tests/1
    Json,
    /// A table for a comment on a pull request
    Markdown,
}

pub(super) fn run(args: &Args) -> Result<u8> {
    let report = judge_change(&args.change, true)?;
    print(&match args.format {
        FormatName::Text => tests_of_change::text(&report, args.all, Style::of_stdout()),
        FormatName::Json => tests_of_change::json(&report),
        FormatName::Markdown => tests_of_change::markdown(&report, args.all),
    });
    for failure in &report.claim.failures {
        eprintln!("oguard: error: {}: {}", failure.what, failure.why);
    }
    Ok(if report.verdict == Verdict::Error { Verdict::Error.exit_code() } else { Verdict::Pass.exit_code() })
}
