//! Tests that stand inside a function that nobody calls: `describe` turned into a function, a test put under `def _later():`.
//!
//! A function counts only where no other file can name it and its own file names it once, where it is defined. A mention in
//! a comment or a string is one too: what is not sure is not said.

use crate::check::Baseline;
use crate::document::Document;
use crate::facts::Unit;
use crate::rules::{Draft, Seen};
use oguard_grammars::facts::ItemKind;
use std::collections::{BTreeMap, HashMap};

/// Returns the tests of a text that stand in no such function.
pub(super) fn running(document: &Document) -> Vec<(usize, &Unit)> {
    let mut uncalled = HashMap::new();
    let mut tests: Vec<(usize, &Unit)> = document.inventory().tests().collect();
    tests.retain(|(index, _)| match around(document, *index) {
        Some(function) => !*uncalled.entry(function).or_insert_with(|| is_uncalled(document, function)),
        None => true,
    });
    tests
}

/// Returns the function that holds a unit, if any.
fn around(document: &Document, index: usize) -> Option<usize> {
    let inventory = document.inventory();
    inventory.nearest(inventory.parent(index), &[ItemKind::Function])
}

fn is_uncalled(document: &Document, function: usize) -> bool {
    let inventory = document.inventory();
    let item = &inventory.units[function].facts.item;
    let holder = &inventory.units[inventory.parent(function)];
    // What an object or class holds is called by a name that is made up at run time.
    let free = holder.kind() != ItemKind::Scope || holder.facts.item.name.is_empty();
    item.private && free && !item.name.is_empty() && mentions(document.text(), &item.name) == 1
}

fn mentions(text: &str, name: &str) -> usize {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(name)
        .filter(|(at, _)| !text[..*at].ends_with(part_of_word) && !text[at + name.len()..].starts_with(part_of_word))
        .take(2)
        .count()
}

/// Tests of the base that now stand in such a function, by that function.
#[derive(Default)]
pub(super) struct Buried {
    by_function: BTreeMap<usize, Vec<usize>>,
}

impl Buried {
    /// Takes a test of the base that no longer runs; false where its code stands in no such function.
    pub(super) fn take(&mut self, seen: &Seen<'_>, base: &Baseline, old_index: usize, old: &Unit) -> bool {
        let Some(hash) = base.body_hash(old) else { return false };
        let same = |unit: &Unit| {
            matches!(unit.kind(), ItemKind::Test | ItemKind::Function)
                && unit.facts.item.name == old.facts.item.name
                && super::body_hash(seen, unit) == Some(hash)
        };
        let mut units = seen.document.inventory().units.iter().enumerate().filter(|(_, unit)| same(unit));
        let Some(function) = units.find_map(|(index, _)| around(seen.document, index).filter(|f| is_uncalled(seen.document, *f))) else {
            return false;
        };
        self.by_function.entry(function).or_default().push(old_index);
        true
    }

    /// Adds one finding a function: the tests inside are evidence.
    pub(super) fn report(self, seen: &Seen<'_>, base: &Baseline, acc: &mut Vec<Draft>) {
        for (function, tests) in self.by_function {
            let Some((first, others)) = tests.split_first() else { continue };
            let old = base.unit(*first);
            let whose = match others.len() {
                0 => format!("`{}` stands", base.name(*first)),
                1 => format!("`{}` and another test stand", base.name(*first)),
                more => format!("`{}` and {more} other tests stand", base.name(*first)),
            };
            let unit = seen.unit(function);
            let message = format!("{whose} in `{}`, which nothing calls", seen.own_name(function));
            let at = unit.absolute(unit.facts.item.name_span);
            let mut draft = Draft::new(&super::RULE, seen, function, at).message(message).subject(old.facts.item.name.clone());
            draft.related.push((old.absolute(old.facts.item.name_span), "the test that ran".to_owned()));
            acc.push(draft);
        }
    }
}
