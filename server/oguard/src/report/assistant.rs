//! Findings as a coding agent reads them: `rule: what, where; next action`, one line each, worst first, capped.
//!
//! The line is the only number: a finding is told once, so it cannot change under its reader.

use super::frame::safe;
use super::{FILE_FINDINGS_MAX, REPORT_FINDINGS_MAX, quoted};
use oguard_engine::finding::Finding;
use std::collections::{BTreeMap, BTreeSet};

/// Longest part of a line that a finding says in its own words, in characters.
const WORDS_CHARS_MAX: usize = 160;

/// Returns the lines of findings with their paths; `command` judges a path again and shows all of it.
pub(crate) fn lines(findings: &[(&str, &Finding)], command: impl Fn(Option<&str>) -> String) -> Vec<String> {
    let mut sorted = findings.to_vec();
    // Stable: within a level, paths and places keep their order.
    sorted.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.level));
    let mut lines = Vec::new();
    let mut per_file: BTreeMap<&str, usize> = BTreeMap::new();
    let mut hidden: BTreeSet<&str> = BTreeSet::new();
    for (path, finding) in sorted {
        let of_file = per_file.entry(path).or_default();
        if *of_file == FILE_FINDINGS_MAX || lines.len() == REPORT_FINDINGS_MAX {
            hidden.insert(path);
            continue;
        }
        *of_file += 1;
        lines.push(line(path, finding));
    }
    match hidden.iter().next() {
        Some(path) if hidden.len() == 1 => {
            lines.push(format!("oguard: there are more in {}; `{}` shows them", safe(path), command(Some(&quoted(path)))));
        }
        Some(_) => lines.push(format!("oguard: there are more; `{}` shows them", command(None))),
        None => {}
    }
    lines
}

fn line(path: &str, finding: &Finding) -> String {
    let words = |text: &str| {
        let line = safe(&text.split_whitespace().collect::<Vec<_>>().join(" "));
        match line.char_indices().nth(WORDS_CHARS_MAX) {
            Some((cut, _)) => format!("{}…", &line[..cut]),
            None => line,
        }
    };
    let (rule, line) = (finding.rule.id.0, finding.start.line);
    let next = words(&finding.next_action);
    let end = if next.is_empty() { String::new() } else { format!("; {next}") };
    format!("{rule}: {}, {}:{line}{end}", words(&finding.message), safe(path))
}
