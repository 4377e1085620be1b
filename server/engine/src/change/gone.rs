//! What went from the production code of a change: a test of it, and of nothing else, goes with it.
//!
//! Compares names, since nothing here resolves them: a name that any edited production text still defines or mentions stays.

use super::{File, Old};
use crate::document::Document;
use crate::facts::Unit;
use oguard_grammars::facts::ItemKind;
use oguard_grammars::visit::FileKind;
use std::collections::{BTreeSet, HashSet};

/// Shorter names are of no one in particular.
const NAME_MIN: usize = 4;

/// Names of production code that a change took away, and those that it left.
pub(crate) struct Gone<'a> {
    gone: HashSet<&'a str>,
    left: HashSet<&'a str>,
}

impl<'a> Gone<'a> {
    /// Looks at all files of a change.
    pub(crate) fn of(files: &[File<'a>]) -> Self {
        let mut before: HashSet<&'a str> = HashSet::new();
        let mut left: HashSet<&'a str> = HashSet::new();
        for file in files {
            if let Some(base) = file.base {
                before.extend(names(base.document()));
            }
            if let Some(edited) = file.edited {
                left.extend(names(edited));
            }
        }
        let mut gone: HashSet<&'a str> = before.difference(&left).copied().collect();
        if !gone.is_empty() {
            for edited in files.iter().filter_map(|f| f.edited).filter(|e| e.kind != FileKind::Test) {
                words(edited.text()).filter(|w| !in_test(edited, w.0)).for_each(|(_, word)| {
                    gone.remove(word);
                });
            }
        }
        Gone { gone, left }
    }

    /// Returns the names by which a test refers to what went, where it refers to nothing that was left.
    pub(crate) fn subject_of(&self, old: &Old<'_>) -> Option<String> {
        if self.gone.is_empty() {
            return None;
        }
        let unit = old.unit();
        let text = &old.base.document().text()[unit.range.clone()];
        let said: BTreeSet<&str> = words(text).map(|(_, word)| word).collect();
        let stays = said.iter().any(|word| self.left.contains(word));
        let gone = said.iter().find(|word| self.gone.contains(*word))?;
        (!stays).then(|| (*gone).to_owned())
    }
}

/// Returns the names that a text defines outside its tests.
fn names(document: &Document) -> impl Iterator<Item = &str> {
    let defines = |unit: &&Unit| {
        matches!(unit.kind(), ItemKind::Function | ItemKind::Scope) && !unit.in_tests && unit.facts.item.name.len() >= NAME_MIN
    };
    let units: &[Unit] = if document.kind == FileKind::Test { &[] } else { &document.inventory().units };
    units.iter().filter(defines).map(|unit| unit.facts.item.name.rsplit(['.', ':']).next().unwrap_or(""))
}

fn in_test(document: &Document, byte: usize) -> bool {
    let inventory = document.inventory();
    inventory.units.get(inventory.unit_at(byte)).is_some_and(|unit| unit.in_tests)
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.split(move |c| !part(c)).filter(|w| w.len() >= NAME_MIN).map(move |w| (w.as_ptr() as usize - text.as_ptr() as usize, w))
}
