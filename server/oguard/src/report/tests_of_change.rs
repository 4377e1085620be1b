//! What happened to the tests of a change: for a reviewer (text), a comment on a pull request (Markdown) and programs
//! (`oguard.tests/1`).

use super::markdown::{code, plain};
use super::{NotEvaluated, Report, Style, TestPlace, TestReport, TestState};
use oguard_engine::finding::Level;
use serde::Serialize;
use std::collections::BTreeMap;

/// Name and version of the format for programs.
const SCHEMA: &str = "oguard.tests/1";

/// Most tests that Markdown lists: a comment has room for so many.
const MARKDOWN_ROWS_MAX: usize = 100;

impl TestState {
    /// Returns the word for it.
    pub fn name(self) -> &'static str {
        match self {
            TestState::Removed => "removed",
            TestState::Weakened => "weakened",
            TestState::Disabled => "disabled",
            TestState::Unknown => "unknown",
            TestState::Edited => "edited",
            TestState::Renamed => "renamed",
            TestState::Moved => "moved",
            TestState::Parametrised => "parametrised",
            TestState::Merged => "merged",
            TestState::Split => "split",
            TestState::Added => "added",
            TestState::Kept => "kept",
        }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    baseline: &'a str,
    compared: &'a str,
    counts: BTreeMap<&'static str, usize>,
    tests: Vec<Row<'a>>,
    not_evaluated: Vec<Named<'a>>,
    failures: Vec<Named<'a>>,
}

#[derive(Serialize)]
struct Named<'a> {
    what: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
struct Row<'a> {
    state: &'static str,
    was: Option<Place<'a>>,
    is: Vec<Place<'a>>,
    /// Findings at warn or above.
    findings: Vec<Said<'a>>,
    /// Findings that inform.
    notes: Vec<Said<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    path: &'a str,
    name: &'a str,
    line: u32,
}

#[derive(Serialize)]
struct Said<'a> {
    rule: &'static str,
    level: &'static str,
    message: &'a str,
}

impl<'a> From<&'a TestPlace> for Place<'a> {
    fn from(place: &'a TestPlace) -> Self {
        Place { path: &place.path, name: &place.name, line: place.line }
    }
}

/// Returns them for programs; all of them.
pub(crate) fn json(report: &Report) -> String {
    let document = Document {
        schema: SCHEMA,
        baseline: &report.claim.compared.baseline,
        compared: &report.claim.compared.words,
        counts: counts(report).into_iter().map(|(state, count)| (state.name(), count)).collect(),
        tests: report.tests.iter().map(row).collect(),
        not_evaluated: named(&report.claim.not_evaluated),
        failures: named(&report.claim.failures),
    };
    serde_json::to_string_pretty(&document).expect("strings and numbers") + "\n"
}

fn row(test: &TestReport) -> Row<'_> {
    let said = |notes: bool| {
        let wanted = test.said.iter().filter(move |(_, level, _)| (*level == Level::Info) == notes);
        wanted.map(|(rule, level, message)| Said { rule, level: level.name(), message }).collect()
    };
    Row {
        state: test.what.name(),
        was: test.was.as_ref().map(Place::from),
        is: test.is.iter().map(Place::from).collect(),
        findings: said(false),
        notes: said(true),
    }
}

fn named(all: &[NotEvaluated]) -> Vec<Named<'_>> {
    all.iter().map(|n| Named { what: &n.what, why: &n.why }).collect()
}

/// Returns how many tests came to what, in the order in which they matter.
fn counts(report: &Report) -> BTreeMap<TestState, usize> {
    let mut counts = BTreeMap::new();
    for test in &report.tests {
        *counts.entry(test.what).or_insert(0) += 1;
    }
    counts
}

fn summary(report: &Report) -> String {
    let counts: Vec<String> = counts(report).into_iter().map(|(state, count)| format!("{count} {}", state.name())).collect();
    let what = if counts.is_empty() { "no tests in what changed".to_owned() } else { counts.join(", ") };
    format!("{what}; {}", report.claim.compared.words)
}

/// Returns the tests to which something happened, or with `all` every test.
fn shown(report: &Report, all: bool) -> impl Iterator<Item = &TestReport> {
    report.tests.iter().filter(move |test| all || test.what != TestState::Kept || !test.said.is_empty())
}

/// Returns in words which test it was and which it is.
fn names(test: &TestReport) -> (String, String) {
    let home = test.is.first().or(test.was.as_ref()).map_or("", |p| p.path.as_str());
    let place = |p: &TestPlace| if p.path == home { p.name.clone() } else { format!("{} ({})", p.name, p.path) };
    let was = test.was.as_ref().map(place).unwrap_or_default();
    let is: Vec<String> = test.is.iter().map(place).filter(|is| *is != was).collect();
    (was, is.join(", "))
}

/// Returns them for people.
pub(crate) fn text(report: &Report, all: bool, style: Style) -> String {
    let mut out = format!("{}\n", summary(report));
    let mut path = "";
    for test in shown(report, all) {
        let Some(place) = test.is.first().or(test.was.as_ref()) else { continue };
        if place.path != path {
            path = &place.path;
            out.push_str(&format!("\n{}\n", style.bold(path)));
        }
        let word = format!("{:12}", test.what.name());
        let word = match test.what {
            TestState::Removed | TestState::Weakened | TestState::Disabled => style.warn(&word),
            _ => word,
        };
        let (was, is) = names(test);
        let arrow = if was.is_empty() || is.is_empty() { "" } else { " -> " };
        let gone = if test.is.is_empty() { " in the base" } else { "" };
        out.push_str(&format!("  {word} {was}{arrow}{is}  (line {}{gone})\n", place.line));
        for (rule, level, message) in &test.said {
            out.push_str(&format!("               {} {rule}: {message}\n", level.name()));
        }
    }
    for failure in &report.claim.failures {
        out.push_str(&format!("\nnot judged: {}: {}\n", failure.what, failure.why));
    }
    for item in &report.claim.not_evaluated {
        out.push_str(&format!("\nnot evaluated: {}: {}\n", item.what, item.why));
    }
    out
}

/// Returns them for a comment on a pull request.
pub(crate) fn markdown(report: &Report, all: bool) -> String {
    let mut out = format!("### oguard: tests\n\n{}\n", plain(&summary(report)));
    let rows: Vec<&TestReport> = shown(report, all).collect();
    if !rows.is_empty() {
        out.push_str("\n| what | was | is | where | findings |\n|---|---|---|---|---|\n");
    }
    for test in rows.iter().take(MARKDOWN_ROWS_MAX) {
        let Some(place) = test.is.first().or(test.was.as_ref()) else { continue };
        let word = match test.what {
            TestState::Removed | TestState::Weakened | TestState::Disabled => format!("**{}**", test.what.name()),
            other => other.name().to_owned(),
        };
        let (was, is) = names(test);
        let code = |text: &str| if text.is_empty() { String::new() } else { code(text) };
        let said: Vec<String> =
            test.said.iter().map(|(rule, level, message)| plain(&format!("{} {rule}: {message}", level.name()))).collect();
        let place = code(&format!("{}:{}", place.path, place.line));
        out.push_str(&format!("| {word} | {} | {} | {place} | {} |\n", code(&was), code(&is), said.join("<br>")));
    }
    if rows.len() > MARKDOWN_ROWS_MAX {
        out.push_str(&format!("\n{} more; `oguard tests` shows them.\n", rows.len() - MARKDOWN_ROWS_MAX));
    }
    for item in report.claim.failures.iter().chain(&report.claim.not_evaluated) {
        out.push_str(&format!("\nnot judged {}: {}\n", code(&item.what), plain(&item.why)));
    }
    out
}
