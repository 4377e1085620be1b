//! Who calls a function that holds tests: a test inside one that nobody calls never runs.
//!
//! A function counts only where no other file can name it and its own file names it once, where it is defined. A mention in
//! a comment or a string is one too: what is not sure is not said. Looking for mentions reads the whole text, so a rule asks
//! for it only where it must.

use crate::document::Document;
use crate::facts::Unit;
use oguard_grammars::facts::ItemKind;
use std::collections::HashMap;

/// Returns the function around a unit that no other file can call, if there is one.
pub(crate) fn closed_around(document: &Document, index: usize) -> Option<usize> {
    let inventory = document.inventory();
    let function = inventory.nearest(inventory.parent(index), &[ItemKind::Function])?;
    let item = &inventory.units[function].facts.item;
    let holder = &inventory.units[inventory.parent(function)];
    // What an object or class holds is called by a name that is made up at run time.
    let free = holder.kind() != ItemKind::Scope || holder.facts.item.name.is_empty();
    (item.private && free && !item.name.is_empty()).then_some(function)
}

/// Whether the text names such a function nowhere but where it defines it.
pub(crate) fn is_uncalled(document: &Document, function: usize) -> bool {
    !mentions(document.text(), &document.inventory().units[function].facts.item.name, 2)
}

/// Returns the tests of a text that stand in no function that nobody calls; `is_uncalled` is asked once a function.
pub(crate) fn running(document: &Document, mut is_uncalled: impl FnMut(usize) -> bool) -> Vec<(usize, &Unit)> {
    let mut known = HashMap::new();
    let mut runs = |index: usize| closed_around(document, index).is_none_or(|f| !*known.entry(f).or_insert_with(|| is_uncalled(f)));
    document.inventory().tests().filter(|(index, _)| runs(*index)).collect()
}

/// Whether code outside a function names it: something that runs may call it.
pub(crate) fn is_named_outside(document: &Document, function: usize) -> bool {
    let units = &document.inventory().units;
    let unit = &units[function];
    let name = &unit.facts.item.name;
    let comments = || units.iter().flat_map(|u| u.facts.local.comments.iter().map(|c| u.absolute(c.span)));
    !name.is_empty() && words(document.text(), name).any(|at| !unit.range.contains(&at) && !comments().any(|c| c.contains(&at)))
}

/// Whether a text has a word at least so many times.
pub(crate) fn mentions(text: &str, word: &str, times: usize) -> bool {
    words(text, word).nth(times - 1).is_some()
}

/// Returns the bytes at which a text has a word.
fn words(text: &str, word: &str) -> impl Iterator<Item = usize> {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(word)
        .filter(move |(at, _)| !text[..*at].ends_with(part_of_word) && !text[at + word.len()..].starts_with(part_of_word))
        .map(|(at, _)| at)
}
