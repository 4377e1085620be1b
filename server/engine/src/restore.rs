//! Puts a place back as the base had it, line by line, and leaves the rest of the buffer alone.

use crate::check::Baseline;
use crate::delta;
use crate::document::Document;
use crate::finding::TextEdit;
use oguard_grammars::facts::ItemKind;
use std::ops::Range;

/// Returns the edits that restore the test or function around a byte range from the base; where none is around it, the
/// changed lines at the place. Empty where the base says the same.
pub fn restore(edited: &Document, base: &Baseline, range: &Range<usize>) -> Vec<TextEdit> {
    let inventory = edited.inventory();
    let kinds = [ItemKind::Test, ItemKind::Function, ItemKind::Hook];
    let around = inventory.nearest(inventory.unit_at(range.start), &kinds).map_or(range.clone(), |i| inventory.units[i].range.clone());
    let newline = if edited.text().contains("\r\n") { "\r\n" } else { "\n" };
    delta::restoring(base.document().text(), edited.text(), &around)
        .into_iter()
        .map(|(range, text)| TextEdit { range, text: text.replace("\r\n", "\n").replace('\n', newline) })
        .collect()
}
