//! Puts a place back as the base had it, line by line, and leaves the rest of the buffer alone.

use crate::change::{File, Old, Pair};
use crate::check::Baseline;
use crate::delta;
use crate::document::Document;
use crate::finding::{Fix, TextEdit};
use crate::text::whole_lines;
use oguard_grammars::facts::ItemKind;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// Returns the edits that restore the test or function around a byte range from the base, within its own lines; where none is
/// around it, or the base has none of its name, the changed lines at the place. Empty where the base says the same.
pub fn restore(edited: &Document, base: &Baseline, range: &Range<usize>) -> Vec<TextEdit> {
    let inventory = edited.inventory();
    let kinds = [ItemKind::Test, ItemKind::Function, ItemKind::Hook];
    let unit = inventory.nearest(inventory.unit_at(range.start), &kinds).map(|i| &inventory.units[i]);
    let newline = if edited.text().contains("\r\n") { "\r\n" } else { "\n" };
    let own = unit.and_then(|unit| {
        let mut named = base.named(unit);
        let old = named.next().filter(|_| named.next().is_none())?;
        Some(within(base.document().text(), &old.range, edited.text(), &unit.range))
    });
    let edits = own.filter(|edits| !edits.is_empty()).unwrap_or_else(|| {
        let around = unit.map_or(range.clone(), |unit| unit.range.clone());
        delta::restoring(base.document().text(), edited.text(), &around)
    });
    edits.into_iter().map(|(range, text)| TextEdit { range, text: text.replace("\r\n", "\n").replace('\n', newline) }).collect()
}

/// Returns the edit that puts a test of the base back where it stood among its neighbours; where its container is gone, the
/// container with all that was in it.
pub(crate) fn put_back(files: &[File<'_>], pairs: &[Pair<'_>], old: &Old<'_>) -> Option<Fix> {
    let edited = files[old.file].edited?;
    let before = old.base.document();
    let (units, now) = (&before.inventory().units, &edited.inventory().units);
    // The outermost thing around it that is not there any more; a file's unit is always there.
    let there = |index: usize| index == 0 || now.iter().any(|u| u.path == units[index].path && u.kind() == units[index].kind());
    let mut top = old.index;
    while !there(before.inventory().parent(top)) {
        top = before.inventory().parent(top);
    }
    let container = before.inventory().parent(top);
    let became: HashMap<usize, usize> = pairs
        .iter()
        .filter(|p| p.old.file == old.file)
        .filter_map(|p| Some((p.old.index, p.now.first().filter(|n| n.file == old.file)?.index)))
        .collect();
    // Where a neighbour stands now: as a test that was matched, or under its name.
    let present = |index: &usize| {
        let found = became.get(index).copied().or_else(|| now.iter().position(|u| u.path == units[*index].path && u.up != 0))?;
        Some(&now[found])
    };
    let beside: Vec<usize> =
        (1..units.len()).filter(|i| before.inventory().parent(*i) == container && !units[*i].facts.item.name.is_empty()).collect();
    let previous = beside.iter().rev().filter(|i| **i < top).find_map(present);
    let next = beside.iter().filter(|i| **i > top).find_map(present);
    let text = block(before.text(), &units[top].range);
    let blanks = blank_lines_before(before.text(), &units[top].range);
    let end = line_end(edited.text());
    let gap = end.repeat(blanks.max(1));
    let edit = match (previous, next) {
        (Some(unit), _) => {
            let at = whole_lines(edited.text(), unit.range.clone()).end;
            let open = if edited.text()[..at].ends_with('\n') { "" } else { end };
            TextEdit { range: at..at, text: format!("{open}{gap}{text}") }
        }
        (None, Some(unit)) => {
            let at = block_start(edited.text(), unit.range.start);
            TextEdit { range: at..at, text: format!("{text}{gap}") }
        }
        (None, None) => {
            let home = now.iter().find(|u| u.path == units[container].path && (container == 0) == (u.up == 0))?;
            let at = inner_end(edited.text(), &home.range);
            let open = if at == 0 || edited.text()[..at].ends_with('\n') { "" } else { end };
            TextEdit { range: at..at, text: format!("{open}{text}") }
        }
    };
    let name = &units[top].facts.item.name;
    let edit = TextEdit { text: edit.text.replace("\r\n", "\n").replace('\n', end), ..edit };
    Some(Fix { title: format!("Put `{name}` back"), edits: vec![edit] })
}

fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Returns the whole lines of a range with the comments right above it, line end included.
fn block<'t>(text: &'t str, range: &Range<usize>) -> Cow<'t, str> {
    let lines = block_start(text, range.start)..whole_lines(text, range.clone()).end;
    let block = &text[lines];
    if block.ends_with('\n') { block.into() } else { format!("{block}\n").into() }
}

/// Returns where the lines of something start, the comments right above it included.
fn block_start(text: &str, at: usize) -> usize {
    let mut start = whole_lines(text, at..at).start;
    while let Some(above) = text[..start].strip_suffix('\n').map(|t| t.rfind('\n').map_or(0, |i| i + 1))
        && ["//", "#", "/*", "*", "--"].iter().any(|mark| text[above..start].trim_start().starts_with(mark))
        && !text[above..start].trim_start().starts_with("#!")
    {
        start = above;
    }
    start
}

fn blank_lines_before(text: &str, range: &Range<usize>) -> usize {
    text[..block_start(text, range.start)].lines().rev().take_while(|line| line.trim().is_empty()).count()
}

/// Returns where something can be added to a container: before a last line that only closes it, else behind it.
fn inner_end(text: &str, range: &Range<usize>) -> usize {
    let lines = whole_lines(text, range.clone());
    let last = text[lines.clone()].trim_end().rfind('\n').map_or(lines.start, |i| lines.start + i + 1);
    if last > lines.start && text[last..lines.end].trim_start().starts_with(['}', ')', ']']) { last } else { lines.end }
}

/// Returns the edits that put back places of a test as the base had them: those of its changed lines on which one of the
/// places of the base, or one of the edited text, stands.
pub(crate) fn parts(old: (&Baseline, usize), new: (&Document, usize), before: &[Range<usize>], after: &[Range<usize>]) -> Vec<TextEdit> {
    let ((base, old), (edited, new)) = (old, new);
    let (was, is) = (base.document().text(), edited.text());
    let newline = if is.contains("\r\n") { "\r\n" } else { "\n" };
    let (old, new) = (&base.unit(old).range, &edited.inventory().units[new].range);
    let holds = |text: &str, ranges: &[Range<usize>]| {
        let said: Vec<String> = ranges.iter().filter_map(|r| was.get(r.clone())).map(squeezed).collect();
        said.iter().any(|said| !said.is_empty() && squeezed(text).contains(said.as_str()))
    };
    let touches = |range: &Range<usize>| after.iter().any(|a| range.start < a.end && a.start < range.end);
    let edits = within(was, old, is, new).into_iter().filter(|(range, text)| holds(text, before) || touches(range));
    edits.map(|(range, text)| TextEdit { range, text: text.replace("\r\n", "\n").replace('\n', newline) }).collect()
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Returns the replacements that turn the lines of an edited range into those of the base's range: a hunk that goes on behind
/// them, where something was added, is not taken along.
fn within(base: &str, old: &Range<usize>, edited: &str, new: &Range<usize>) -> Vec<(Range<usize>, String)> {
    let (old, new) = (whole_lines(base, old.clone()), whole_lines(edited, new.clone()));
    let (mut before, after) = (base[old].to_owned(), &edited[new.clone()]);
    // The last line of a file may lack the line end that it has in the middle of another.
    match (before.ends_with('\n'), after.ends_with('\n')) {
        (false, true) => before.push('\n'),
        (true, false) => before.truncate(before.trim_end_matches(['\n', '\r']).len()),
        _ => {}
    }
    let edits = delta::restoring(&before, after, &(0..after.len()));
    edits.into_iter().map(|(range, text)| (range.start + new.start..range.end + new.start, text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Parsers;
    use crate::settings::Settings;

    fn read(text: &str) -> Document {
        let language = oguard_grammars::by_path("a_test.py").unwrap();
        let mut document = Document::new(language, "a_test.py", text.to_owned(), &Settings::default());
        assert!(document.read(&mut Parsers::default(), &mut || true));
        document
    }

    /// Returns the edited text after the place of `at` was restored.
    fn restored(base: &str, edited: &str, at: &str) -> String {
        let at = edited.find(at).unwrap();
        let edits = restore(&read(edited), &Baseline::new(read(base), "a_test.py"), &(at..at + 1));
        let mut text = edited.to_owned();
        for edit in edits.into_iter().rev() {
            text.replace_range(edit.range, &edit.text);
        }
        text
    }

    const A: &str = "def test_a():\n    assert total([1]) == 1\n";

    #[test]
    fn what_was_added_right_behind_stays() {
        let edited = "def test_a():\n    assert total([1])\ndef test_b():\n    assert total([]) == 0\n";
        assert_eq!(restored(A, edited, "test_a"), A.to_owned() + "def test_b():\n    assert total([]) == 0\n");
    }

    #[test]
    fn what_was_added_right_before_stays() {
        let edited = "LIMIT = 1\n@pytest.mark.skip\ndef test_a():\n    assert total([1]) == 1\n";
        assert_eq!(restored(A, edited, "test_a"), "LIMIT = 1\n".to_owned() + A);
    }

    #[test]
    fn a_last_line_without_its_end_joins_nothing() {
        let edited = "def test_a():\n    assert total([1])\nX = 1\n";
        assert_eq!(restored(A.trim_end(), edited, "test_a"), A.to_owned() + "X = 1\n");
        assert_eq!(restored(&(A.to_owned() + "X = 1\n"), "def test_a():\n    pass", "test_a"), A.trim_end());
    }

    #[test]
    fn a_test_that_the_base_has_under_another_name_takes_the_changed_lines() {
        let edited = "def check_a():\n    assert total([1]) == 1\n";
        assert_eq!(restored(A, edited, "check_a"), A);
    }
}
