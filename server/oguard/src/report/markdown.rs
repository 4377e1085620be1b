//! Markdown, for a comment on a pull request or the summary of a job: capped like text, and nothing in it is markup of the repository's.

use super::text::summary;
use super::{FileReport, Limit, Report, quoted};
use oguard_engine::finding::{Finding, Level};
use std::collections::BTreeMap;

pub(super) fn render(report: &Report, limit: Limit) -> String {
    let (verdict, rest) = {
        let line = summary(report);
        let (verdict, rest) = line.split_once(": ").unwrap_or((&line, ""));
        (verdict.to_owned(), rest.to_owned())
    };
    let mut out = format!("### oguard: {verdict}\n\n{}\n", plain(&rest));
    let mut all: Vec<(&FileReport, &Finding)> = report.findings().collect();
    // Stable: within a level, paths and places keep their order.
    all.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.level));
    let total = all.len();
    let mut per_file: BTreeMap<&str, usize> = BTreeMap::new();
    all.retain(|(file, _)| {
        let count = per_file.entry(&file.path).or_default();
        *count += 1;
        *count <= limit.file
    });
    all.truncate(limit.report);
    if !all.is_empty() {
        out.push_str("\n| level | rule | where | what | next |\n|---|---|---|---|---|\n");
    }
    for (file, finding) in &all {
        let level = match finding.level {
            Level::Block => "**block**",
            Level::Warn => "warn",
            Level::Info => "info",
        };
        out.push_str(&format!(
            "| {level} | {} | {} | {} | {} |\n",
            code(finding.rule.id.0),
            code(&format!("{}:{}", file.path, finding.start.line)),
            plain(&finding.message),
            plain(&finding.next_action),
        ));
    }
    if total > all.len() {
        let command = format!("{} --max 0", report.claim.compared.command);
        out.push_str(&format!("\n{} more; {} shows them.\n", total - all.len(), code(&command)));
    }
    for failure in &report.claim.failures {
        out.push_str(&format!("\n**not judged** {}: {}\n", code(&failure.what), plain(&failure.why)));
    }
    if !report.claim.not_evaluated.is_empty() {
        out.push_str("\n<details><summary>Not evaluated</summary>\n\n");
        for item in report.claim.not_evaluated.iter().take(limit.report) {
            out.push_str(&format!("- {}: {}\n", code(&item.what), plain(&item.why)));
        }
        let more = report.claim.not_evaluated.len().saturating_sub(limit.report);
        if more > 0 {
            out.push_str(&format!("- {more} more\n"));
        }
        out.push_str("\n</details>\n");
    }
    if let Some((file, _)) = all.first() {
        let command = format!("{} {}", report.claim.compared.command, quoted(&file.path));
        out.push_str(&format!("\nTo see it again: {}\n", code(&command)));
    }
    out
}

/// Returns text in which nothing is markup, a mention or the end of a table's cell.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '!' | '|' | '~' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // Code hosts call whoever is named behind an at sign, escaped or not.
            '@' => out.push_str("@\u{200b}"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Returns text as a span of code that ends where it should, in a cell of a table too.
pub(super) fn code(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    format!("{fence}{pad}{}{pad}{fence}", text.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_repository_is_no_markup() {
        assert_eq!(plain("a|b <img> @owner [x](y)\n`z`"), "a\\|b &lt;img&gt; @\u{200b}owner \\[x\\]\\(y\\) \\`z\\`");
        assert_eq!(code("a`|b"), "`` a`\\|b ``");
        assert_eq!(code("src/a.rs:1"), "`src/a.rs:1`");
    }
}
