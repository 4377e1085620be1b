//! Annotations of GitHub Actions: workflow commands, with the escapes that they ask for.

use super::Report;
use super::text::summary;
use oguard_engine::finding::Level;

pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    for (file, finding) in report.findings() {
        let command = match finding.level {
            Level::Block => "error",
            Level::Warn => "warning",
            Level::Info => "notice",
        };
        let (start, end) = (finding.start, finding.end);
        out.push_str(&format!("::{command} file={},line={},col={}", property(&file.path), start.line, start.column));
        out.push_str(&format!(",endLine={}", end.line));
        // A column of another line would be read as one of the first.
        if end.line == start.line {
            out.push_str(&format!(",endColumn={}", end.column));
        }
        let message = format!("{}; {}", finding.message, finding.next_action);
        out.push_str(&format!(",title={}::{}\n", property(finding.rule.id.0), data(&message)));
    }
    for failure in &report.claim.failures {
        out.push_str(&format!("::error file={},title=not judged::{}\n", property(&failure.what), data(&failure.why)));
    }
    out.push_str(&summary(report));
    out.push('\n');
    out
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_escape_what_would_end_them() {
        assert_eq!(property("a,b:c%\n.py"), "a%2Cb%3Ac%25%0A.py");
        assert_eq!(data("50%: a,b\r\n"), "50%25: a,b%0D%0A");
    }
}
