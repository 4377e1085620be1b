//! What a text contains: units (file, groups, tests, functions) in order, each with the facts that stand in it.
//!
//! One walk makes it ([`walk`]); units that an edit did not touch are taken over from the inventory before, so a
//! keystroke costs what it touched. The words are those of `grammars/README.md`.

pub(crate) mod callers;
mod comments;
pub(crate) mod walk;

use crate::phrases::Phrase;
use oguard_grammars::facts::{Item, ItemKind, Local, Span};
use oguard_grammars::visit::FileScope;
use std::ops::Range;
use std::sync::Arc;

/// A construct with facts of its own. Units nest; they stand in document order, a parent before what is inside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Bytes of the text it covers, attributes in front of it included.
    pub range: Range<usize>,
    /// Distance to its parent in `Inventory::units`; 0 for the file's unit.
    pub up: u32,
    /// Number of units in it, itself included.
    pub size: u32,
    /// Identity of its qualified name: equal names, equal numbers, without building the text.
    pub path: u64,
    /// Inside test code.
    pub in_tests: bool,
    /// An item around it is switched off as a whole.
    pub covered: bool,
    /// Identity of what is around it.
    pub(crate) context: u64,
    /// Node kind at its first byte.
    pub(crate) head: u16,
    /// An edit touched it since it was read.
    pub(crate) dirty: bool,
    /// What it is; as in its facts, beside the range so that looking for tests reads no facts.
    pub(crate) kind: ItemKind,
    /// Its facts hold something of which a rule may speak by itself.
    pub(crate) marked: bool,
    /// The facts, shared with the inventory before where nothing changed.
    pub facts: Arc<UnitFacts>,
}

/// What stands in a unit, relative to its start.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitFacts {
    /// The construct itself.
    pub item: Item,
    /// Facts that its language emitted.
    pub local: Local,
    /// Comments that leave code out or promise it.
    pub phrases: Vec<(Span, Phrase)>,
    /// Branches in it and in what is inside it.
    pub(crate) branches: u32,
    /// Calls in it and in what is inside it.
    pub(crate) calls: u32,
}

impl UnitFacts {
    fn is_marked(&self) -> bool {
        let Local { markers, stubs, suppressions, .. } = &self.local;
        !(markers.is_empty() && stubs.is_empty() && suppressions.is_empty() && self.phrases.is_empty())
    }
}

impl Unit {
    /// Returns the absolute byte range of a span of this unit.
    pub fn absolute(&self, span: Span) -> Range<usize> {
        self.range.start + span.start as usize..self.range.start + span.end as usize
    }

    /// Returns what kind of item it is.
    pub fn kind(&self) -> ItemKind {
        self.kind
    }
}

/// All facts of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inventory {
    /// Units in document order; the first is the file.
    pub units: Vec<Unit>,
    /// What holds for the whole file.
    pub scope: FileScope,
    /// Number of broken places.
    pub broken: usize,
}

/// Levels of nesting up to which names are joined and bodies are compared: no hand writes more, and each level would cost its
/// share once more in every level inside.
pub const NESTING_MAX: usize = 64;

impl Inventory {
    /// Returns the qualified name of a unit: the names of the items around it and its own, joined; of more than
    /// [`NESTING_MAX`] the innermost.
    pub fn qualified_name(&self, index: usize, separator: &str) -> String {
        let mut names = Vec::new();
        let mut at = index;
        while let Some(unit) = self.units.get(at).filter(|_| names.len() < NESTING_MAX) {
            if unit.up == 0 {
                break;
            }
            if !unit.facts.item.name.is_empty() {
                names.push(unit.facts.item.name.as_str());
            }
            at -= unit.up as usize;
        }
        names.reverse();
        names.join(separator)
    }

    /// Whether a unit is nested in more than [`NESTING_MAX`] others.
    pub fn is_nested_too_deep(&self, index: usize) -> bool {
        let mut at = index;
        (0..=NESTING_MAX).all(|_| {
            let parent = self.parent(at);
            std::mem::replace(&mut at, parent) != parent
        })
    }

    /// Returns the index of a unit's parent; the file's unit is its own.
    pub fn parent(&self, index: usize) -> usize {
        index - self.units.get(index).map_or(0, |u| u.up as usize)
    }

    /// Returns the index of the innermost unit that covers a byte.
    pub fn unit_at(&self, byte: usize) -> usize {
        self.units.iter().rposition(|u| u.range.start <= byte && byte < u.range.end).unwrap_or(0)
    }

    /// Returns the index of the nearest unit of a kind at or above a unit.
    pub fn nearest(&self, index: usize, kinds: &[ItemKind]) -> Option<usize> {
        let mut at = index;
        loop {
            let unit = self.units.get(at)?;
            if kinds.contains(&unit.kind()) {
                return Some(at);
            }
            if unit.up == 0 {
                return None;
            }
            at -= unit.up as usize;
        }
    }

    /// Returns all tests with their indices.
    pub fn tests(&self) -> impl Iterator<Item = (usize, &Unit)> {
        self.units.iter().enumerate().filter(|(_, u)| u.kind() == ItemKind::Test)
    }

    /// Returns the units, with their indices, in which a marker, a stand-in, a suppression or a telling comment stands.
    pub fn marked(&self) -> impl Iterator<Item = (usize, &Unit)> {
        self.units.iter().enumerate().filter(|(_, u)| u.marked)
    }

    /// Moves units behind an edit and marks those it touched. `old_end` and `new_end` are bytes before and after it.
    pub(crate) fn edit(&mut self, start: usize, old_end: usize, new_end: usize) {
        let shift = |byte: usize| byte - old_end + new_end;
        for unit in &mut self.units {
            if unit.range.start >= old_end && unit.range.start > start {
                unit.range = shift(unit.range.start)..shift(unit.range.end);
            } else if unit.range.end >= start {
                unit.dirty = true;
                if unit.range.end >= old_end {
                    unit.range.end = shift(unit.range.end);
                } else {
                    unit.range.end = unit.range.end.min(new_end).max(unit.range.start);
                }
            }
        }
    }

    /// Marks the units that a byte range touches.
    pub(crate) fn touch(&mut self, range: Range<usize>) {
        for unit in &mut self.units {
            if unit.range.start <= range.end && range.start <= unit.range.end {
                unit.dirty = true;
            }
        }
    }

    /// Returns the untouched unit that starts at a byte in the same surroundings.
    fn reusable(&self, start: usize, context: u64, head: u16) -> Option<usize> {
        let first = self.units.partition_point(|u| u.range.start < start);
        self.units[first..]
            .iter()
            .take_while(|u| u.range.start == start)
            .position(|u| !u.dirty && u.context == context && u.head == head && u.up != 0)
            .map(|i| first + i)
    }
}
