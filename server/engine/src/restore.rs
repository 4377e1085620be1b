//! Puts a place back as the base had it, line by line, and leaves the rest of the buffer alone.

use crate::check::Baseline;
use crate::delta;
use crate::document::Document;
use crate::finding::TextEdit;
use crate::text::whole_lines;
use oguard_grammars::facts::ItemKind;
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
