//! One line a finding, `path:line:col: rule: message`, as editors and agents parse it; all of them.

use super::Report;
use super::frame::safe;

pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    for (file, finding) in report.findings() {
        let (line, column) = (finding.start.line, finding.start.column);
        out.push_str(&format!("{}:{line}:{column}: {}: {}\n", safe(&file.path), finding.rule.id.0, safe(&finding.message)));
    }
    out
}
