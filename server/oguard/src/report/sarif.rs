//! SARIF 2.1.0, the subset that code hosts read: results with places, rules and fingerprints. Never capped.
//!
//! What was not judged is in the run's notifications: a host shows them beside the results.

use super::{FileReport, NotEvaluated, Report};
use oguard_engine::finding::{Finding, Level};
use oguard_engine::rules::{RULES, Rule};
use oguard_engine::verdict::Verdict;
use serde_json::{Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub(super) fn render(report: &Report) -> String {
    let claim = &report.claim;
    let notes = claim.not_evaluated.iter().map(|n| notification("note", n));
    let errors = claim.failures.iter().map(|n| notification("error", n));
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "oguard",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": RULES.iter().map(rule).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": report.verdict != Verdict::Error,
                "toolExecutionNotifications": errors.chain(notes).collect::<Vec<_>>(),
            }],
            "properties": {
                "verdict": report.verdict.name(),
                "baseline": claim.compared.baseline,
                "resolved": report.resolved,
                "remaining": report.remaining,
            },
            "results": report.findings().map(|(file, finding)| result(file, finding)).collect::<Vec<_>>(),
        }],
    });
    format!("{log:#}\n")
}

fn rule(rule: &Rule) -> Value {
    json!({
        "id": rule.id.0,
        "shortDescription": { "text": rule.summary },
        "fullDescription": { "text": rule.why },
        "help": { "text": format!("{}. Limits: {}", rule.remedy, rule.limits) },
        "defaultConfiguration": { "level": level(rule.level) },
    })
}

fn result(file: &FileReport, finding: &Finding) -> Value {
    let (start, end) = (finding.start, finding.end);
    json!({
        "ruleId": finding.rule.id.0,
        "ruleIndex": RULES.iter().position(|r| r.id == finding.rule.id),
        "level": level(finding.level),
        "message": { "text": format!("{}; {}", finding.message, finding.next_action) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(&file.path) },
            "region": { "startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column },
        }}],
        "partialFingerprints": { "oguard/v1": finding.fingerprint },
        "baselineState": "new",
    })
}

fn notification(level: &str, what: &NotEvaluated) -> Value {
    json!({ "level": level, "message": { "text": format!("not evaluated: {}: {}", what.what, what.why) } })
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Block => "error",
        Level::Warn => "warning",
        Level::Info => "note",
    }
}

/// Returns a relative path as a URI reference.
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_uri() {
        assert_eq!(uri("src/[id]/ä b.ts"), "src/%5Bid%5D/%C3%A4%20b.ts");
    }
}
