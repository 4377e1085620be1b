//! The report for programs: `oguard.report/1` (SPEC.md 13). Its fields are kept; new ones may come.
//!
//! Never capped. Lines and columns count from 1, columns in Unicode characters; paths are relative to the root, with `/`.

use super::{FileReport, NotEvaluated, Report, reproduce};
use oguard_engine::finding::{Finding, Level};
use oguard_engine::text::Place;
use serde::Serialize;

/// Name and version of the format.
pub const SCHEMA: &str = "oguard.report/1";

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    verdict: &'static str,
    claim: Claim<'a>,
    findings: Vec<Row<'a>>,
    notes: Vec<Row<'a>>,
    /// Ids of the findings that move the verdict.
    effective_warnings: Vec<&'a str>,
    /// No contract, no scope.
    scope_validity: Option<&'static str>,
    resolved: usize,
    remaining: usize,
}

#[derive(Serialize)]
struct Claim<'a> {
    baseline: &'a str,
    compared: &'a str,
    contract: Option<&'a str>,
    task: Option<&'static str>,
    files: &'a [String],
    languages: &'a [&'static str],
    rules_run: &'a [&'static str],
    not_evaluated: Vec<Named<'a>>,
    failures: Vec<Named<'a>>,
    checks_run: Vec<&'a str>,
    checks_skipped: Vec<&'a str>,
    truncated: bool,
}

#[derive(Serialize)]
struct Named<'a> {
    what: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
struct Row<'a> {
    rule: &'static str,
    version: u32,
    level: &'static str,
    effective: &'static str,
    state: &'static str,
    path: &'a str,
    range: Range,
    subject: &'a str,
    message: &'a str,
    evidence: Evidence<'a>,
    related: Vec<Related<'a>>,
    reproduce: String,
    next_action: &'a str,
    fingerprint: &'a str,
}

#[derive(Serialize)]
struct Range {
    start: Position,
    end: Position,
}

#[derive(Serialize)]
struct Position {
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Evidence<'a> {
    before: Option<&'a str>,
    after: &'a str,
}

/// A place in the base.
#[derive(Serialize)]
struct Related<'a> {
    path: &'a str,
    side: &'static str,
    line: u32,
    column: u32,
    message: &'a str,
}

pub(super) fn render(report: &Report) -> String {
    let claim = &report.claim;
    let document = Document {
        schema: SCHEMA,
        verdict: report.verdict.name(),
        claim: Claim {
            baseline: &claim.compared.baseline,
            compared: &claim.compared.words,
            contract: None,
            task: claim.compared.task,
            files: &claim.files,
            languages: &claim.languages,
            rules_run: &claim.rules_run,
            not_evaluated: named(&claim.not_evaluated),
            failures: named(&claim.failures),
            checks_run: Vec::new(),
            checks_skipped: Vec::new(),
            truncated: false,
        },
        findings: report.findings().map(|(file, finding)| row(report, file, finding)).collect(),
        notes: report.notes().map(|(file, note)| row(report, file, note)).collect(),
        effective_warnings: report.findings().filter(|(_, f)| f.level >= Level::Warn).map(|(_, f)| f.fingerprint.as_str()).collect(),
        scope_validity: None,
        resolved: report.resolved,
        remaining: report.remaining,
    };
    let mut text = serde_json::to_string_pretty(&document).expect("strings and numbers always serialise");
    text.push('\n');
    text
}

fn named(list: &[NotEvaluated]) -> Vec<Named<'_>> {
    list.iter().map(|n| Named { what: &n.what, why: &n.why }).collect()
}

fn row<'a>(report: &Report, file: &'a FileReport, finding: &'a Finding) -> Row<'a> {
    let base_path = file.base_path.as_deref().unwrap_or(&file.path);
    let related = finding.related.iter().map(|r| Related {
        path: base_path,
        side: "base",
        line: r.place.line,
        column: r.place.column,
        message: &r.message,
    });
    Row {
        rule: finding.rule.id.0,
        version: finding.rule.version,
        level: finding.level.name(),
        effective: finding.level.name(),
        state: "new",
        path: &file.path,
        range: Range { start: position(finding.start), end: position(finding.end) },
        subject: &finding.subject,
        message: &finding.message,
        evidence: Evidence { before: finding.before.as_deref(), after: &finding.after },
        related: related.collect(),
        reproduce: reproduce(&report.claim.compared, &file.path),
        next_action: &finding.next_action,
        fingerprint: &finding.fingerprint,
    }
}

fn position(place: Place) -> Position {
    Position { line: place.line, column: place.column }
}
