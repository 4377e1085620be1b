//! The text no longer parses where it did.
//!
//! Relative to the base: grammars fail on some valid code (grammars.md), so only a rise in broken places is said, and only
//! where the change touched them.

use super::{Draft, Rule, RuleId, Seen};
use crate::check::Baseline;
use crate::finding::Level;
use std::ops::Range;

pub(super) const RULE: Rule = Rule {
    id: RuleId("syntax-error"),
    version: 1,
    level: Level::Warn,
    settled: true,
    summary: "the text no longer parses where it did",
    why: "An edit that was cut off, merged wrongly or applied twice leaves text that no compiler accepts.",
    limits: "Only a rise in broken places against the base is reported; the place is where the parser gives up, which can be \
             after the mistake. Grammars lag behind their languages; very new syntax can be unknown to them.",
    remedy: "repair the syntax, or restore the lines from the base",
    example: ("go", "func Add(a, b int) int { return a + b", "func Add(a, b int) int { return a + b }"),
    state: None,
    change: Some(find),
    across: None,
    textual: true,
};

fn find(seen: &Seen<'_>, base: &Baseline, acc: &mut Vec<Draft>) {
    if let Some(marker) = conflict(seen.document.text()).filter(|_| conflict(base.document().text()).is_none()) {
        let draft = Draft::new(&RULE, seen, 0, marker).message("a merge conflict marker was left in".to_owned());
        acc.push(draft);
        return;
    }
    let inventory = seen.document.inventory();
    if inventory.broken <= base.document().inventory().broken {
        return;
    }
    let changed = base.changed_lines(seen.document);
    let places = inventory.units.iter().flat_map(|u| u.facts.local.broken.iter().map(|s| u.absolute(*s)));
    let mut places: Vec<Range<usize>> = places.collect();
    places.sort_by_key(|p| p.start);
    // The place to show is where the change meets a broken region; the parser often gives up elsewhere.
    let at = changed
        .iter()
        .find_map(|c| {
            places.iter().find(|p| p.start < c.end && c.start < p.end.max(p.start + 1)).map(|p| p.start.max(c.start)..p.end.min(c.end))
        })
        .or_else(|| places.first().cloned());
    let Some(at) = at else { return };
    let at = first_line(seen.document.text(), at);
    let mut draft = Draft::new(&RULE, seen, 0, at.clone());
    draft.subject = String::new();
    draft.message = "the text no longer parses here".to_owned();
    acc.push(draft);
}

/// Returns the range of the first conflict marker, where a text holds an opening and a closing one.
fn conflict(text: &str) -> Option<Range<usize>> {
    let starts = |marker: &str| {
        memchr::memmem::find_iter(text.as_bytes(), marker).map(|at| at..at + marker.len()).find(|range| {
            let first = text[..range.start].ends_with('\n') || range.start == 0;
            first && (range.end == text.len() || text[range.end..].starts_with([' ', '\n', '\r']))
        })
    };
    let open = starts("<<<<<<<")?;
    starts(">>>>>>>").map(|_| open)
}

/// Cuts a range to its first line that holds something; what is missing at a line's end is shown at the last character
/// before it, which the end of a text would otherwise hide on an empty line.
fn first_line(text: &str, range: Range<usize>) -> Range<usize> {
    let inside = text.get(range.clone()).unwrap_or("");
    let skipped = inside.len() - inside.trim_start().len();
    if skipped == inside.len() {
        let rest = text[range.start..].split('\n').next().unwrap_or("");
        if !rest.trim().is_empty() {
            return range.start..range.start;
        }
        let end = text[..range.start].trim_end().len();
        let last = text[..end].chars().next_back().map_or(0, char::len_utf8);
        return end - last..end;
    }
    let start = range.start + skipped;
    let end = text[start..range.end.max(start)].find(['\n', '\r']).map_or(range.end.max(start), |i| start + i);
    start..end
}
