//! The report for people: by level, each finding with its frame and next action, then one line that sums up.
//!
//! Capped a file and a report; what is not shown is counted, with the command that shows it.

use super::frame::safe;
use super::{FileReport, Limit, Report, Style, frame, quoted};
use oguard_engine::finding::{Finding, Level};
use oguard_engine::verdict::Verdict;
use std::collections::BTreeMap;

/// Most things not evaluated that are named one by one.
const NAMED_MAX: usize = 5;

pub(super) fn render(report: &Report, limit: Limit, style: Style) -> String {
    let mut all: Vec<(&FileReport, &Finding)> = report.findings().collect();
    // Stable: within a level, paths and places keep their order.
    all.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.level));
    let mut out = String::new();
    let mut per_file: BTreeMap<&str, usize> = BTreeMap::new();
    let mut hidden: BTreeMap<&str, usize> = BTreeMap::new();
    let mut shown = 0;
    for (file, finding) in all {
        let of_file = per_file.entry(&file.path).or_default();
        if *of_file == limit.file || shown == limit.report {
            *hidden.entry(&file.path).or_default() += 1;
            continue;
        }
        *of_file += 1;
        shown += 1;
        push(&mut out, file, finding, style);
    }
    push_hidden(&mut out, report, &hidden, style);
    for failure in &report.claim.failures {
        out.push_str(&format!("{} {}: {}\n", style.block("not judged:"), safe(&failure.what), safe(&failure.why)));
    }
    push_not_evaluated(&mut out, report, style);
    out.push_str(&summary_in(report, style));
    out.push('\n');
    out
}

fn push(out: &mut String, file: &FileReport, finding: &Finding, style: Style) {
    let level = match finding.level {
        Level::Block => style.block("block"),
        Level::Warn => style.warn("warn"),
        Level::Info => style.bold("info"),
    };
    let place = format!("{}:{}:{}", safe(&file.path), finding.start.line, finding.start.column);
    out.push_str(&format!("{level}: {}: {}\n", style.bold(finding.rule.id.0), safe(&finding.message)));
    out.push_str(&format!("  {} {}\n", style.dim("-->"), place));
    frame::push(out, finding, style);
    out.push_str(&format!("  {} {}\n", style.dim("next:"), safe(&finding.next_action)));
    out.push_str(&format!("  {} {}\n\n", style.dim("id:"), finding.fingerprint));
}

fn push_hidden(out: &mut String, report: &Report, hidden: &BTreeMap<&str, usize>, style: Style) {
    let more: usize = hidden.values().sum();
    if more == 0 {
        return;
    }
    let path = match hidden.len() {
        1 => hidden.keys().next().map_or_else(String::new, |path| format!(" {}", quoted(path))),
        _ => String::new(),
    };
    let command = format!("{} --max 0{path}", report.claim.compared.command);
    out.push_str(&format!("{}\n\n", style.bold(&format!("… {}; `{command}` shows them", counted(more, "more finding")))));
}

fn push_not_evaluated(out: &mut String, report: &Report, style: Style) {
    let list = &report.claim.not_evaluated;
    for item in list.iter().take(NAMED_MAX) {
        out.push_str(&format!("{} {}: {}\n", style.dim("not evaluated:"), safe(&item.what), safe(&item.why)));
    }
    if list.len() > NAMED_MAX {
        let more = list.len() - NAMED_MAX;
        out.push_str(&format!(
            "{} {more} more; `{} --format json` lists them\n",
            style.dim("not evaluated:"),
            report.claim.compared.command
        ));
    }
}

/// Returns the one line that sums a report up.
pub(super) fn summary(report: &Report) -> String {
    summary_in(report, Style::plain())
}

fn summary_in(report: &Report, style: Style) -> String {
    let name = report.verdict.name();
    let verdict = match report.verdict {
        Verdict::Pass => style.good(name),
        Verdict::Warn | Verdict::Unknown => style.warn(name),
        Verdict::Block | Verdict::Error => style.block(name),
    };
    let claim = &report.claim;
    let mut parts = Vec::new();
    let counts: Vec<String> = [Level::Block, Level::Warn, Level::Info]
        .into_iter()
        .filter_map(|level| match report.count(level) {
            0 => None,
            n => Some(format!("{n} {}", level.name())),
        })
        .collect();
    let nothing_changed = claim.files.is_empty() && claim.not_evaluated.is_empty() && claim.failures.is_empty();
    if nothing_changed {
        parts.push(if claim.compared.absolute { "no file to judge".to_owned() } else { "nothing changed".to_owned() });
    } else if counts.is_empty() {
        let what = if claim.compared.absolute { "nothing found" } else { "nothing new" };
        parts.push(format!("{what} in {}", counted(claim.files.len(), "file")));
    } else {
        parts.push(format!("{} in {}", counts.join(", "), counted(claim.files.len(), "file")));
    }
    if report.resolved > 0 {
        parts.push(format!("{} resolved", report.resolved));
    }
    parts.push(claim.compared.words.clone());
    if !claim.failures.is_empty() {
        parts.push(format!("{} could not be judged", claim.failures.len()));
    }
    if !claim.not_evaluated.is_empty() {
        parts.push(format!("{} not evaluated", claim.not_evaluated.len()));
    }
    parts.push("no contract: level 0 only".to_owned());
    format!("{verdict}: {}", parts.join("; "))
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
