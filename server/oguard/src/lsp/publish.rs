//! How findings look to a client.
//!
//! Assistants show the model the message and little else, and tell findings apart by message and range; so a message is one
//! line that reads well alone, holds no number that changes, and names what to do. At most ten a file are shown, the worst
//! first, then a line that names the command for the rest; the cap is of this layer alone.

use super::clients::Profile;
use super::{position, uri};
use crate::report::quoted;
use crate::session::{Publication, Shown, Snapshot, Verdicts};
use oguard_engine::finding::{Finding, Level};
use oguard_engine::text::Place;
use ropey::Rope;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use tower_lsp::ls_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, PublishDiagnosticsParams,
    Range, Uri,
};

/// Findings of a file that a client is shown.
const FINDINGS_MAX: usize = 10;

/// Longest message, in characters: lines of assistants are cut near there.
const MESSAGE_CHARS_MAX: usize = 160;

/// Longest line of the base in a related place, in characters.
const BASE_LINE_CHARS_MAX: usize = 100;

/// Where our diagnostics say they come from.
pub(crate) const SOURCE: &str = "oguard";

/// Returns what is published of a document: of a version, or nothing any more.
pub(crate) fn params(uri: &str, found: Option<&Publication>, profile: &Profile) -> PublishDiagnosticsParams {
    let diagnostics = found.map(|p| diagnostics(uri, &p.text, &p.verdicts, profile, &profile.roots)).unwrap_or_default();
    PublishDiagnosticsParams { uri: uri::typed(uri), diagnostics, version: found.and_then(|p| p.version) }
}

/// Returns the diagnostics of a document as requests get them.
pub(crate) fn of(snapshot: &Snapshot, profile: &Profile) -> Vec<Diagnostic> {
    diagnostics(&snapshot.uri, &snapshot.text, &snapshot.verdicts, profile, &profile.roots)
}

/// Returns the diagnostics of a file that is not open.
pub(crate) fn of_file(uri: &str, text: &Rope, findings: Vec<Finding>, profile: &Profile) -> Vec<Diagnostic> {
    // What the base said at related places is not at hand; the places are.
    let shown = |finding: Finding| Arc::new(Shown { base_lines: vec![String::new(); finding.related.len()], finding });
    let verdicts = Verdicts { findings: findings.into_iter().map(shown).collect(), ..Verdicts::default() };
    diagnostics(uri, text, &verdicts, profile, &profile.roots)
}

/// Returns the least level that a client is shown.
pub(crate) fn least(profile: &Profile) -> Level {
    if profile.interactive() { Level::Info } else { Level::Warn }
}

/// Returns the findings that a client is shown, the worst first.
pub(crate) fn shown<'a>(verdicts: &'a Verdicts, profile: &Profile) -> Vec<&'a Arc<Shown>> {
    let least = least(profile);
    let mut shown: Vec<_> = verdicts.findings.iter().filter(|s| s.finding.level >= least).collect();
    shown.sort_by_key(|s| std::cmp::Reverse(s.finding.level));
    shown
}

fn diagnostics(raw: &str, text: &Rope, verdicts: &Verdicts, profile: &Profile, folders: &[std::path::PathBuf]) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for rule in &verdicts.failures {
        let message = format!("{SOURCE}: rule {rule} failed on this file, so its silence means nothing; see the server's log");
        out.push(plain(Range::default(), message, DiagnosticSeverity::ERROR, rule));
    }
    for (message, bytes) in &verdicts.errors {
        let range = position::range(text, bytes, profile.encoding);
        out.push(plain(range, one_line(&format!("{SOURCE}: {message}"), MESSAGE_CHARS_MAX), DiagnosticSeverity::ERROR, "error"));
    }
    let token = uri::typed(raw);
    let shown = shown(verdicts, profile);
    out.extend(shown.iter().take(FINDINGS_MAX).map(|s| diagnostic(s, &token, text, profile)));
    if shown.len() > FINDINGS_MAX {
        let message = format!("{SOURCE}: more findings in this file; run `oguard check {} --max 0`", short_path(raw, folders));
        out.push(plain(Range::default(), message, DiagnosticSeverity::WARNING, "more"));
    }
    out
}

fn plain(range: Range, message: String, severity: DiagnosticSeverity, code: &str) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(severity),
        code: Some(NumberOrString::String(code.to_owned())),
        source: Some(SOURCE.to_owned()),
        message,
        ..Diagnostic::default()
    }
}

/// Returns the diagnostic of a finding.
pub(crate) fn diagnostic(shown: &Shown, token: &Uri, text: &Rope, profile: &Profile) -> Diagnostic {
    let finding = &shown.finding;
    let rule = finding.rule.id.0;
    let severity = match finding.level {
        Level::Block => DiagnosticSeverity::ERROR,
        Level::Warn if profile.options.lifts(rule) => DiagnosticSeverity::ERROR,
        Level::Warn => DiagnosticSeverity::WARNING,
        Level::Info => DiagnosticSeverity::INFORMATION,
    };
    let page = profile.options.pages.as_ref().filter(|_| profile.code_description);
    let mut diagnostic = plain(position::range(text, &finding.range, profile.encoding), message(finding), severity, rule);
    diagnostic.code_description = page.and_then(|p| p.replace("{rule}", rule).parse().ok()).map(|href| CodeDescription { href });
    diagnostic.data = Some(json!({ "fingerprint": finding.fingerprint, "rule": rule }));
    diagnostic.related_information = profile.related.then(|| related(shown, token, text, profile)).filter(|r| !r.is_empty());
    diagnostic
}

/// Places of the base, shown in the text at hand: most clients cannot open another one.
fn related(shown: &Shown, token: &Uri, text: &Rope, profile: &Profile) -> Vec<DiagnosticRelatedInformation> {
    let most = if profile.interactive() { usize::MAX } else { 1 };
    let places = shown.finding.related.iter().zip(&shown.base_lines).take(most);
    places
        .map(|(related, line)| {
            let byte = byte_of(text, related.place);
            let location = Location { uri: token.clone(), range: position::range(text, &(byte..byte), profile.encoding) };
            let line = one_line(line, BASE_LINE_CHARS_MAX);
            let message = if line.is_empty() { related.message.clone() } else { format!("{}: {line}", related.message) };
            DiagnosticRelatedInformation { location, message: format!("base: {message}") }
        })
        .collect()
}

/// Returns the byte of a place of another text, as near as this one has it.
fn byte_of(text: &Rope, place: Place) -> usize {
    let line = (place.line as usize).saturating_sub(1).min(text.len_lines().saturating_sub(1));
    let start = text.line_to_char(line);
    let length = text.line(line).chars().take_while(|c| !matches!(c, '\n' | '\r')).count();
    text.char_to_byte(start + (place.column as usize).saturating_sub(1).min(length))
}

/// Returns the message of a finding: `rule: what; next action`, cut in its first part where it is too long.
pub(crate) fn message(finding: &Finding) -> String {
    let what = one_line(&finding.message, usize::MAX);
    let next = one_line(&finding.next_action, MESSAGE_CHARS_MAX / 2);
    let fixed = finding.rule.id.0.chars().count() + 2 + if next.is_empty() { 0 } else { next.chars().count() + 2 };
    let what = one_line(&what, MESSAGE_CHARS_MAX - fixed);
    let rule = finding.rule.id.0;
    if next.is_empty() { format!("{rule}: {what}") } else { format!("{rule}: {what}; {next}") }
}

/// Returns a text on one line, cut to a number of characters.
fn one_line(text: &str, chars_max: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(chars_max) {
        None => line,
        Some(_) => line.chars().take(chars_max.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Returns the path of a document below its workspace folder, as a command line has it.
fn short_path(raw: &str, folders: &[std::path::PathBuf]) -> String {
    let Some(path) = uri::path(raw) else { return "PATH".to_owned() };
    let below = folders.iter().find_map(|f| path.strip_prefix(f).ok()).map(Path::to_owned);
    let path = below.or_else(|| path.file_name().map(Into::into)).unwrap_or(path);
    let path = path.to_string_lossy();
    if cfg!(windows) { quoted(&path.replace('\\', "/")) } else { quoted(&path) }
}

/// Returns an id of what a pull was answered with: equal for equal answers.
pub(crate) fn result_id(diagnostics: &[Diagnostic]) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    // Equal values are written equally: maps of serde_json are ordered.
    serde_json::to_value(diagnostics).unwrap_or(Value::Null).to_string().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_by_characters() {
        assert_eq!(one_line("a\n  b\tc", 9), "a b c");
        assert_eq!(one_line("ééééé", 4), "ééé…");
        assert_eq!(one_line("éééé", 4), "éééé");
    }

    #[test]
    fn places_of_another_text_are_clamped() {
        let text = Rope::from_str("aé\r\nb");
        assert_eq!(byte_of(&text, Place { line: 1, column: 3 }), 3);
        assert_eq!(byte_of(&text, Place { line: 1, column: 99 }), 3);
        assert_eq!(byte_of(&text, Place { line: 99, column: 99 }), 6);
        assert_eq!(byte_of(&Rope::from_str(""), Place { line: 0, column: 0 }), 0);
    }

    #[test]
    fn a_rule_that_failed_is_an_error_and_never_silence() {
        let (profile, _) = Profile::read(&json!({ "capabilities": {} }));
        let verdicts = Verdicts { failures: vec!["stub-body"], ..Verdicts::default() };
        let shown = diagnostics("a:b", &Rope::from_str("x"), &verdicts, &profile, &[]);
        assert_eq!((shown.len(), shown[0].severity), (1, Some(DiagnosticSeverity::ERROR)));
        assert!(shown[0].message.starts_with("oguard: rule stub-body failed on this file"), "{}", shown[0].message);
    }

    #[test]
    fn commands_name_the_path_below_the_folder() {
        let folders = ["/w".into()];
        assert_eq!(short_path("file:///w/a/b.rs", &folders), "a/b.rs");
        assert_eq!(short_path("file:///w/a%20b.rs", &folders), "'a b.rs'");
        assert_eq!(short_path("file:///w/a;b|c&d.rs", &folders), "'a;b|c&d.rs'");
        assert_eq!(short_path("file:///elsewhere/b.rs", &folders), "b.rs");
        assert_eq!(short_path("untitled:x", &folders), "PATH");
    }
}
