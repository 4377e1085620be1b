//! What commands share: options of a report, its printing, the exit code.

use super::EXIT_ERROR;
use crate::report::{Format, Limit, Report, Style, render, safe};
use clap::{Args, ValueEnum};
use oguard_engine::verdict::Verdict;
use std::io::Write;

/// How a report is printed and when it fails the run.
#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    /// How the report looks
    #[arg(long, value_enum, default_value_t = FormatName::Text)]
    pub(super) format: FormatName,
    /// Exit 1 from this level on: `warn` turns warnings into a failure; `unknown` always exits 3, `error` 2
    #[arg(long, value_enum, default_value_t = FailOn::Block, value_name = "LEVEL")]
    pub(super) fail_on: FailOn,
    /// Show at most N findings in text and markdown (0: all; default 10 a file and 40 in all); other formats show all
    #[arg(long, value_name = "N")]
    pub(super) max: Option<usize>,
}

/// Names of formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FormatName {
    /// For people: code frames, the base's text, colours on a terminal
    Text,
    /// For programs: schema oguard.report/1
    Json,
    /// path:line:col: rule: message
    Line,
    /// Annotations of GitHub Actions
    Github,
    /// SARIF 2.1.0, for code hosts
    Sarif,
    /// Reviewdog's format, for review bots
    Rdjson,
    /// For a comment on a pull request or the summary of a job
    Markdown,
}

/// From which verdict on a run fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// Warnings and above
    Warn,
    /// Omitted verification and above
    Unknown,
    /// Blocking findings and errors
    Block,
}

/// What `facts` and `capabilities` can print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Plain {
    /// For people
    Text,
    /// For programs
    Json,
}

impl ReportArgs {
    /// Prints a report and returns the exit code.
    pub(super) fn finish(&self, report: &Report) -> u8 {
        let (format, style) = match self.format {
            FormatName::Text => (Format::Text, Style::of_stdout()),
            FormatName::Json => (Format::Json, Style::plain()),
            FormatName::Line => (Format::Line, Style::plain()),
            FormatName::Github => (Format::Github, Style::plain()),
            FormatName::Sarif => (Format::Sarif, Style::plain()),
            FormatName::Rdjson => (Format::Rdjson, Style::plain()),
            FormatName::Markdown => (Format::Markdown, Style::plain()),
        };
        print(&render(report, format, Limit::of(self.max), style));
        for failure in &report.claim.failures {
            // Names come from a repository: a line of their own would be a command to GitHub Actions.
            eprintln!("oguard: error: {}: {}", safe(&failure.what), safe(&failure.why));
        }
        exit_code(report.verdict, self.fail_on)
    }
}

fn exit_code(verdict: Verdict, fail_on: FailOn) -> u8 {
    match verdict {
        Verdict::Warn if fail_on == FailOn::Warn => Verdict::Block.exit_code(),
        verdict => verdict.exit_code(),
    }
}

/// Writes to standard output; a reader that went away is no failure (`oguard scan | head`).
pub(super) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(error) = written
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        eprintln!("oguard: error: the report could not be written: {error}");
        std::process::exit(i32::from(EXIT_ERROR));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fail_on_moves_the_threshold_and_nothing_else() {
        assert_eq!(exit_code(Verdict::Warn, FailOn::Block), 0);
        assert_eq!(exit_code(Verdict::Warn, FailOn::Warn), 1);
        assert_eq!(exit_code(Verdict::Unknown, FailOn::Warn), 3);
        assert_eq!(exit_code(Verdict::Error, FailOn::Warn), 2);
        assert_eq!(exit_code(Verdict::Pass, FailOn::Warn), 0);
    }
}
