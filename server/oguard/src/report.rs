//! What a run says: verdict, claim and findings, plain; `report/` knows how each format looks.
//!
//! A report always says what it covers and what it does not: nothing that was skipped is left out.

pub(crate) mod assistant;
mod frame;
mod github;
mod json;
mod line;
mod markdown;
mod rdjson;
mod sarif;
mod style;
pub(crate) mod tests_of_change;
mod text;

pub(crate) use frame::safe;
pub use json::SCHEMA;
pub use style::Style;

use oguard_engine::finding::{Finding, Level};
use oguard_engine::verdict::Verdict;

/// What a run says.
#[derive(Debug)]
pub struct Report {
    /// What it amounts to.
    pub verdict: Verdict,
    /// What it covers.
    pub claim: Claim,
    /// Files that were judged, by path.
    pub files: Vec<FileReport>,
    /// Base findings that are gone.
    pub resolved: usize,
    /// Base findings that are still there.
    pub remaining: usize,
    /// What happened to the tests, where it was asked for.
    pub tests: Vec<TestReport>,
}

/// What happened to a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestReport {
    /// In one word.
    pub what: TestState,
    /// Where it was; none for a new one.
    pub was: Option<TestPlace>,
    /// Where it is: in several places where it was split, in none where it is gone.
    pub is: Vec<TestPlace>,
    /// What the rules say of it: rule, level, message.
    pub said: Vec<(&'static str, Level, String)>,
}

/// Where a test stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestPlace {
    /// Relative to the root, with `/`.
    pub path: String,
    /// Its qualified name.
    pub name: String,
    /// Line of its name.
    pub line: u32,
}

/// What happened to a test, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TestState {
    /// It is gone.
    Removed,
    /// It checks less.
    Weakened,
    /// It no longer runs.
    Disabled,
    /// A text that may hold it cannot be read.
    Unknown,
    /// It checks something else, or the same in another way.
    Edited,
    /// It has another name.
    Renamed,
    /// It is in another file or container.
    Moved,
    /// It is a row of a parametrised test.
    Parametrised,
    /// It is part of another test.
    Merged,
    /// It is several tests.
    Split,
    /// It is new.
    Added,
    /// Nothing.
    Kept,
}

/// A file that was judged.
#[derive(Debug)]
pub struct FileReport {
    /// Relative to the root, with `/`.
    pub path: String,
    /// Where the base has it.
    pub base_path: Option<String>,
    /// Its language; empty for a file that is not judged itself, and stands here for what the whole change says of it.
    pub language: &'static str,
    /// What is new in it.
    pub findings: Vec<Finding>,
    /// What is worth a look and moves no verdict.
    pub notes: Vec<Finding>,
}

/// What a verdict covers.
#[derive(Debug)]
pub struct Claim {
    /// What was compared.
    pub compared: Compared,
    /// Files that were judged.
    pub files: Vec<String>,
    /// Their languages.
    pub languages: Vec<&'static str>,
    /// Rules that ran.
    pub rules_run: Vec<&'static str>,
    /// What was not judged; moves no verdict.
    pub not_evaluated: Vec<NotEvaluated>,
    /// What could not be judged; makes the verdict `error`.
    pub failures: Vec<NotEvaluated>,
}

/// What is compared with what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Commit id of the base; `empty` where there is none, `diff` where a diff gives it.
    pub baseline: String,
    /// In words: 'work tree against HEAD 0123456789ab'.
    pub words: String,
    /// The command that judges the same again; a path can follow it.
    pub command: String,
    /// Kind of the task, where given.
    pub task: Option<&'static str>,
    /// Everything in the files counts, not only what changed.
    pub absolute: bool,
}

/// Something that was not judged, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotEvaluated {
    /// A path, or a rule.
    pub what: String,
    /// Why.
    pub why: String,
}

impl NotEvaluated {
    /// Returns what was not judged and why.
    pub fn new(what: impl Into<String>, why: impl Into<String>) -> Self {
        NotEvaluated { what: what.into(), why: why.into() }
    }
}

/// How a report looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people: code frames, colours on a terminal.
    Text,
    /// For programs: `oguard.report/1`.
    Json,
    /// One line a finding, as compilers print.
    Line,
    /// Annotations of GitHub Actions.
    Github,
    /// SARIF 2.1.0, for code hosts.
    Sarif,
    /// Reviewdog's format, for review bots.
    Rdjson,
    /// A comment on a pull request, or the summary of a job.
    Markdown,
}

/// Most findings of a file that text and Markdown show (SPEC.md 3).
const FILE_FINDINGS_MAX: usize = 10;

/// Most findings that text and Markdown show (SPEC.md 3).
const REPORT_FINDINGS_MAX: usize = 40;

/// How many findings are shown; what is not shown is counted, with the command that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    file: usize,
    report: usize,
}

impl Limit {
    /// Returns the limit of a `--max`: none given means the usual one, 0 means all.
    pub fn of(max: Option<usize>) -> Self {
        match max {
            None => Limit { file: FILE_FINDINGS_MAX, report: REPORT_FINDINGS_MAX },
            Some(0) => Limit { file: usize::MAX, report: usize::MAX },
            Some(max) => Limit { file: max, report: max },
        }
    }
}

/// Returns a report as text in a format.
pub fn render(report: &Report, format: Format, limit: Limit, style: Style) -> String {
    match format {
        Format::Text => text::render(report, limit, style),
        Format::Json => json::render(report),
        Format::Line => line::render(report),
        Format::Github => github::render(report),
        Format::Sarif => sarif::render(report),
        Format::Rdjson => rdjson::render(report),
        Format::Markdown => markdown::render(report, limit),
    }
}

impl Report {
    /// Returns all findings with the files they stand in, in order of paths and places.
    pub fn findings(&self) -> impl Iterator<Item = (&FileReport, &Finding)> {
        self.files.iter().flat_map(|file| file.findings.iter().map(move |finding| (file, finding)))
    }

    /// Returns all notes with the files they stand in.
    pub fn notes(&self) -> impl Iterator<Item = (&FileReport, &Finding)> {
        self.files.iter().flat_map(|file| file.notes.iter().map(move |note| (file, note)))
    }

    /// Returns how many findings have a level.
    pub fn count(&self, level: Level) -> usize {
        self.findings().filter(|(_, f)| f.level == level).count()
    }
}

/// Returns a command that judges one path again.
pub(crate) fn reproduce(compared: &Compared, path: &str) -> String {
    format!("{} {}", compared.command, quoted(path))
}

/// Returns a word as a POSIX shell takes it, on one line: names come from a repository, and whoever reads a command may run it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:@%,".contains(c);
    if !word.is_empty() && !word.starts_with('-') && word.chars().all(plain) {
        return word.to_owned();
    }
    let inner = |c: char| match c {
        '\'' => r"'\''".to_owned(),
        // A pattern of the shell for any one character.
        c if c.is_control() => "'?'".to_owned(),
        c => c.to_string(),
    };
    let lead = if word.starts_with('-') { "./" } else { "" };
    format!("'{lead}{}'", word.chars().map(inner).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_quoted_where_a_shell_would_split_it() {
        assert_eq!(quoted("src/a.rs"), "src/a.rs");
        assert_eq!(quoted("my file's.py"), r"'my file'\''s.py'");
        assert_eq!(quoted("-x.py"), "'./-x.py'");
        assert_eq!(quoted("a;b|c.py"), "'a;b|c.py'");
        assert_eq!(quoted("a\nb.py"), "'a'?'b.py'");
    }
}
