//! Reviewdog's diagnostic format (`rdjson`), for review bots. Never capped.
//!
//! Its columns count bytes of UTF-8 from 1, and an end is one past the last byte, as reviewdog's `DiagnosticResult` has it.

use super::{FileReport, Report};
use oguard_engine::finding::{Finding, Level};
use oguard_engine::text::Place;
use serde_json::{Value, json};

pub(super) fn render(report: &Report) -> String {
    let result = json!({
        "source": { "name": "oguard" },
        "severity": if report.count(Level::Block) > 0 { "ERROR" } else { "WARNING" },
        "diagnostics": report.findings().map(|(file, finding)| diagnostic(file, finding)).chain(
            report.claim.failures.iter().map(|failure| json!({
                "message": format!("not judged: {}", failure.why),
                "location": { "path": failure.what },
                "severity": "ERROR",
            })),
        ).collect::<Vec<_>>(),
    });
    format!("{result:#}\n")
}

fn diagnostic(file: &FileReport, finding: &Finding) -> Value {
    let first = finding.after.lines().next().unwrap_or_default();
    let last = finding.after.lines().last().unwrap_or_default();
    json!({
        "message": format!("{}; {}", finding.message, finding.next_action),
        "location": {
            "path": file.path,
            "range": { "start": position(finding.start, first), "end": position(finding.end, last) },
        },
        "severity": match finding.level {
            Level::Block => "ERROR",
            Level::Warn => "WARNING",
            Level::Info => "INFO",
        },
        "code": { "value": finding.rule.id.0 },
        "original_output": format!("{}: {}", finding.rule.id.0, finding.fingerprint),
    })
}

/// Returns a place whose column counts bytes of its line.
fn position(place: Place, line: &str) -> Value {
    let characters = place.column.saturating_sub(1) as usize;
    let bytes: usize = line.chars().take(characters).map(char::len_utf8).sum();
    // Past the end of the line that is known, the characters are those of its line end.
    let beyond = characters.saturating_sub(line.chars().count());
    json!({ "line": place.line, "column": bytes + beyond + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_bytes() {
        let at = |column| position(Place { line: 3, column }, "é𐐀 x")["column"].as_u64();
        assert_eq!((at(1), at(2), at(3), at(5), at(6)), (Some(1), Some(3), Some(7), Some(9), Some(10)));
    }
}
