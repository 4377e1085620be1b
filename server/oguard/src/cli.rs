//! The command line: one file a subcommand. A command returns a verdict's exit code or an error of one line.
//!
//! Standard output belongs to the report; what is wrong with a call goes to standard error, with the remedy, and exits 2.

mod bench;
mod capabilities;
mod check;
mod client;
mod completions;
mod demo;
mod explain;
mod facts;
mod hook;
mod lsp;
mod output;
mod scan;
mod tests;

use crate::report::safe;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Exit code of a run that could not evaluate (SPEC.md 2).
const EXIT_ERROR: u8 = 2;

/// Says at once whether a change is honest and in scope.
///
/// Compares what changed in a repository with its base and reports what is new: tests switched off or focused, broken syntax,
/// stubs, elided code, suppressed checks. Structure decides, not lines, so that moved and reformatted code stays silent.
#[derive(Parser)]
#[command(name = "oguard", version, max_term_width = 100, after_long_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  oguard check                        what you changed since HEAD, untracked files included
  oguard check --base origin/main     what this branch changed
  oguard check --staged               what would be committed (for a pre-commit hook)
  oguard hook install claude          tell a coding agent, in the turn of its edit
  oguard tests --base origin/main     what happened to the tests
  oguard explain test-disabled        what a rule means and what to do
  oguard scan src                     everything in whole files, without a base

Exit codes: 0 pass or warn, 1 block, 2 error (could not evaluate, wrong usage), 3 unknown.";

#[derive(Subcommand)]
enum Command {
    Check(check::Args),
    Scan(scan::Args),
    Tests(tests::Args),
    Facts(facts::Args),
    Explain(explain::Args),
    Capabilities(capabilities::Args),
    Completions(completions::Args),
    Hook(hook::Args),
    Lsp(lsp::Args),
    Demo(demo::Args),
    Bench(bench::Args),
}

/// Reads the arguments of the process and runs the command.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let result = match &cli.command {
        Command::Check(args) => check::run(args).map(ExitCode::from),
        Command::Scan(args) => scan::run(args).map(ExitCode::from),
        Command::Tests(args) => tests::run(args).map(ExitCode::from),
        Command::Facts(args) => facts::run(args).map(ExitCode::from),
        Command::Explain(args) => explain::run(args).map(ExitCode::from),
        Command::Capabilities(args) => capabilities::run(args).map(ExitCode::from),
        Command::Completions(args) => completions::run(args).map(ExitCode::from),
        Command::Hook(args) => hook::run(args).map(ExitCode::from),
        Command::Lsp(args) => lsp::run(args),
        Command::Demo(args) => demo::run(args),
        Command::Bench(args) => bench::run(args).map(ExitCode::from),
    };
    result.unwrap_or_else(|error| {
        // One line, whatever the parts were.
        let line = format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ");
        eprintln!("oguard: error: {}", safe(&line));
        ExitCode::from(EXIT_ERROR)
    })
}
