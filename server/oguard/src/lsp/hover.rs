//! What a finding means, where the pointer rests on it: why, what to do, what the base said.

use super::clients::Profile;
use super::{position, publish};
use crate::session::{Point, Shown, Snapshot};
use tower_lsp::ls_types::{Hover, HoverContents, MarkupContent, MarkupKind};

/// Longest text of the base that is shown, in characters.
const BASE_CHARS_MAX: usize = 1_000;

/// Returns the hover at a position: of all findings there.
pub(crate) fn at(snapshot: &Snapshot, point: Point, profile: &Profile) -> Option<Hover> {
    let byte = position::byte(&snapshot.text, point, profile.encoding);
    let here: Vec<_> = publish::shown(&snapshot.verdicts, profile)
        .into_iter()
        .filter(|s| s.finding.range.start <= byte && byte <= s.finding.range.end)
        .collect();
    let range = position::range(&snapshot.text, &here.first()?.finding.range, profile.encoding);
    let texts: Vec<_> = here.iter().map(|s| if profile.markdown { markdown(s) } else { plain(s) }).collect();
    let (kind, rule) = if profile.markdown { (MarkupKind::Markdown, "\n\n---\n\n") } else { (MarkupKind::PlainText, "\n\n") };
    Some(Hover { contents: HoverContents::Markup(MarkupContent { kind, value: texts.join(rule) }), range: Some(range) })
}

fn plain(shown: &Shown) -> String {
    let finding = &shown.finding;
    let mut text = format!("{}: {}\n\n{}\n\nNext: {}.", finding.rule.id.0, finding.message, finding.rule.why, finding.next_action);
    if let Some(base) = base(shown) {
        text.push_str(&format!("\n\nBase:\n{base}"));
    }
    text.push_str(&format!("\n\nLimits: {}", finding.rule.limits));
    text
}

fn markdown(shown: &Shown) -> String {
    let finding = &shown.finding;
    let rule = finding.rule.id.0;
    let mut text = format!("**{rule}**: {}\n\n{}\n\n**Next:** {}.", finding.message, finding.rule.why, finding.next_action);
    if let Some(base) = base(shown) {
        // A fence longer than any in the text, or the text would end it.
        let ticks = base.split(|c| c != '`').map(str::len).max().unwrap_or(0).max(2) + 1;
        let fence = "`".repeat(ticks);
        text.push_str(&format!("\n\n**Base:**\n\n{fence}\n{base}\n{fence}"));
    }
    text.push_str(&format!("\n\n*{}*", finding.rule.limits));
    text
}

fn base(shown: &Shown) -> Option<String> {
    let line = || shown.base_lines.first().cloned().filter(|l| !l.is_empty());
    let text = line().or_else(|| shown.finding.before.clone())?;
    Some(text.chars().take(BASE_CHARS_MAX).collect())
}
