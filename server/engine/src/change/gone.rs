//! What went from the production code of a change: a test of it, and of nothing else, goes with it.
//!
//! Compares names, since nothing here resolves them: a name that any edited production text still defines or mentions stays.

use super::{File, Old};
use crate::check::{Baseline, body_hash};
use crate::document::Document;
use crate::facts::Unit;
use oguard_grammars::facts::ItemKind;
use oguard_grammars::visit::FileKind;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Names from this length on say by themselves what a test is called after.
const TELLING_MIN: usize = 6;

/// Shorter names are of no one in particular.
const NAME_MIN: usize = 4;

/// Names of production code that a change took away.
pub(crate) struct Gone<'a> {
    /// Each with the files that defined it.
    gone: HashMap<&'a str, Vec<usize>>,
    /// Names of functions that each file kept.
    kept: Vec<HashSet<&'a str>>,
    /// Paths of files of tests that are gone.
    tests: HashSet<&'a str>,
    /// Names of files of production code that are gone, without folder and endings.
    files: HashSet<String>,
}

impl<'a> Gone<'a> {
    /// Looks at all files of a change.
    pub(crate) fn of(files: &[File<'a>]) -> Self {
        let mut gone: HashMap<&'a str, Vec<usize>> = HashMap::new();
        let mut left: HashSet<&'a str> = HashSet::new();
        let mut bodies: HashSet<u64> = HashSet::new();
        let mut kept: Vec<HashSet<&'a str>> = files.iter().map(|_| HashSet::new()).collect();
        for (at, edited) in files.iter().enumerate().filter_map(|(at, f)| Some((at, f.edited?))) {
            left.extend(defined(edited).map(|(name, _)| name));
            // What only gives names, a class around it, is not what is tested.
            kept[at].extend(defined(edited).filter(|(_, unit)| unit.kind() == ItemKind::Function).map(|(name, _)| name));
            bodies.extend(defined(edited).filter_map(|(_, unit)| body_hash(edited, unit)));
        }
        for (at, base) in files.iter().enumerate().filter_map(|(at, f)| Some((at, f.base?.document()))) {
            // What only has another name is not gone.
            let renamed = |unit: &Unit| body_hash(base, unit).is_some_and(|hash| bodies.contains(&hash));
            for (name, _) in defined(base).filter(|(name, unit)| !left.contains(name) && !renamed(unit)) {
                gone.entry(name).or_default().push(at);
            }
        }
        if !gone.is_empty() {
            for edited in files.iter().filter_map(|f| f.edited).filter(|e| e.kind != FileKind::Test) {
                for (at, word) in words(edited.text()) {
                    if gone.contains_key(word) && !in_test(edited, at) {
                        gone.remove(word);
                    }
                }
            }
        }
        let lost: Vec<&Baseline> = files.iter().filter(|f| f.edited.is_none()).filter_map(|f| f.base).collect();
        let (tests, rest): (Vec<&Baseline>, Vec<&Baseline>) = lost.into_iter().partition(|base| base.document().kind == FileKind::Test);
        Gone {
            gone,
            kept,
            tests: tests.into_iter().map(Baseline::path).collect(),
            files: rest.into_iter().map(|base| simple(stem(base.path()))).filter(|name| name.len() >= NAME_MIN).collect(),
        }
    }

    /// Returns the name of what a test tested, where that is gone: the test is called after it, or refers to nothing else of the
    /// file that had it.
    pub(crate) fn subject_of(&self, old: &Old<'_>) -> Option<String> {
        // A file of tests goes with the file that it is called after.
        if self.tests.contains(old.base.path()) {
            let name = simple(stem(old.base.path()));
            let name = ["tests", "test", "spec"].iter().fold(name.as_str(), |name, word| {
                let name = name.strip_prefix(word).unwrap_or(name);
                name.strip_suffix(word).unwrap_or(name)
            });
            if self.files.contains(name) {
                return Some(stem(old.base.path()).to_owned());
            }
        }
        if self.gone.is_empty() {
            return None;
        }
        let unit = old.unit();
        let text = &old.base.document().text()[unit.range.clone()];
        let said: BTreeSet<&str> = words(text).map(|(_, word)| word).collect();
        let called = simple(&format!("{}{}", old.base.path().rsplit('/').next().unwrap_or(""), old.name()));
        let mut named = said.iter().filter_map(|word| Some((*word, self.gone.get(*word)?)));
        named
            .find(|(word, files)| {
                (word.len() >= TELLING_MIN && called.contains(&simple(word)))
                    || !files.iter().any(|file| said.iter().any(|word| self.kept[*file].contains(word)))
            })
            .map(|(word, _)| word.to_owned())
    }
}

/// Returns the name of a file without folder and endings.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// Returns a name without what joins its words.
fn simple(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the names that a text defines outside its tests, each with its unit.
fn defined(document: &Document) -> impl Iterator<Item = (&str, &Unit)> {
    let defines = |unit: &&Unit| {
        matches!(unit.kind(), ItemKind::Function | ItemKind::Scope) && !unit.in_tests && unit.facts.item.name.len() >= NAME_MIN
    };
    let units: &[Unit] = if document.kind == FileKind::Test { &[] } else { &document.inventory().units };
    units.iter().filter(defines).map(|unit| (unit.facts.item.name.rsplit(['.', ':']).next().unwrap_or(""), unit))
}

fn in_test(document: &Document, byte: usize) -> bool {
    let inventory = document.inventory();
    inventory.units.get(inventory.unit_at(byte)).is_some_and(|unit| unit.in_tests)
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.split(move |c| !part(c)).filter(|w| w.len() >= NAME_MIN).map(move |w| (w.as_ptr() as usize - text.as_ptr() as usize, w))
}
