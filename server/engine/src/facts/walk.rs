//! The one walk over a tree: opens units, calls the adapter at the node kinds it named, keeps what an edit left alone.
//!
//! Iterative, so that deep trees cannot exhaust the stack. Attributes that stand before an item are held back until the
//! item is known: they belong to its unit, or, where no item takes them, are visited in the unit around them.

use super::comments;
use super::{Inventory, Unit, UnitFacts};
use oguard_grammars::Language;
use oguard_grammars::facts::{Item, ItemKind, Local, Span};
use oguard_grammars::visit::{FileKind, FileScope, Frame, Visit, Words, role};
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex};
use tree_sitter::{Node, Tree};

/// Returns the role bits of a language by node-kind id, built once a process.
fn roles(language: &'static Language) -> Arc<[u8]> {
    type Tables = HashMap<&'static str, Arc<[u8]>>;
    static TABLES: LazyLock<Mutex<Tables>> = LazyLock::new(Mutex::default);
    let mut tables = TABLES.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    tables
        .entry(language.id)
        .or_insert_with(|| {
            let grammar = (language.grammar)();
            let mut table = vec![0u8; grammar.node_kind_count()];
            for (id, bits) in table.iter_mut().enumerate() {
                // Several ids can share one name, so ids are asked for their names and not the other way round.
                if grammar.node_kind_is_named(id as u16)
                    && let Some(name) = grammar.node_kind_for_id(id as u16)
                {
                    *bits = language.roles.iter().filter(|(kind, _)| *kind == name).fold(0, |all, (_, bits)| all | bits);
                }
            }
            table.into()
        })
        .clone()
}

/// A unit that is being read.
struct Open {
    index: usize,
    depth: u32,
    local: Local,
    item: Item,
    branches: u32,
    calls: u32,
}

/// A node held back until it is known what follows.
struct Held<'tree> {
    node: Node<'tree>,
    is_comment: bool,
}

struct Walk<'a, 'tree> {
    language: &'static Language,
    text: &'a str,
    file: FileKind,
    scope: &'a FileScope,
    words: &'a Words,
    old: &'a Inventory,
    units: Vec<Unit>,
    open: Vec<Open>,
    frames: Vec<Frame>,
    held: Vec<Held<'tree>>,
    held_depth: u32,
}

/// Returns the facts of a tree. `old` is the inventory of the text before, moved and marked by its edits; empty for none.
pub(crate) fn inventory(language: &'static Language, tree: &Tree, text: &str, file: FileKind, words: &Words, old: &Inventory) -> Inventory {
    let root = tree.root_node();
    let scope = language.adapter.scope(root, text, file, words);
    let mut walk = Walk {
        language,
        text,
        file,
        scope: &scope,
        words,
        old,
        units: Vec::with_capacity(old.units.len().max(16)),
        open: Vec::new(),
        frames: Vec::new(),
        held: Vec::new(),
        held_depth: 0,
    };
    walk.run(root);
    let units = walk.units;
    let broken = units.iter().map(|u| u.facts.local.broken.len()).sum();
    Inventory { units, scope, broken }
}

impl<'tree> Walk<'_, 'tree> {
    fn run(&mut self, root: Node<'tree>) {
        self.begin_file(root);
        let roles = roles(self.language);
        let errors = root.has_error();
        if root.is_error() {
            self.broken(root);
        }
        let mut cursor = root.walk();
        let mut depth = 0u32;
        let mut skip_until = 0usize;
        if !cursor.goto_first_child() {
            self.finish_all();
            return;
        }
        depth += 1;
        loop {
            let node = cursor.node();
            let bits = roles.get(node.kind_id() as usize).copied().unwrap_or(0);
            // What is missing right behind a unit that was taken over has no width, and is not in that unit.
            let mut descend = node.end_byte() > skip_until || node.start_byte() >= skip_until;
            if descend {
                if errors && (node.is_error() || node.is_missing()) {
                    self.broken(node);
                }
                if bits != 0 || !self.held.is_empty() {
                    descend = self.enter(node, bits, depth, &mut skip_until);
                }
            }
            if descend && cursor.goto_first_child() {
                depth += 1;
                continue;
            }
            loop {
                self.leave(depth);
                if cursor.goto_next_sibling() {
                    break;
                }
                self.flush(depth);
                if !cursor.goto_parent() || depth == 1 {
                    self.finish_all();
                    return;
                }
                depth -= 1;
            }
        }
    }

    /// Handles a node; returns whether to go into it.
    fn enter(&mut self, node: Node<'tree>, bits: u8, depth: u32, skip_until: &mut usize) -> bool {
        if bits & role::COMMENT != 0 {
            if self.held.is_empty() || self.held_depth != depth {
                self.comment(node);
                if bits & role::VISIT != 0 {
                    self.visit(node);
                }
            } else {
                self.held.push(Held { node, is_comment: true });
            }
            return false;
        }
        if !self.held.is_empty() && depth < self.held_depth {
            self.flush(self.held_depth);
        }
        if bits & (role::ITEM | role::ATTACH) != 0
            && self.held.is_empty()
            && let Some(end) = self.reuse(node)
        {
            *skip_until = end;
            return false;
        }
        if bits & role::ATTACH != 0 {
            self.held_depth = depth;
            self.held.push(Held { node, is_comment: false });
            return false;
        }
        let opened = bits & role::ITEM != 0 && self.open(node, depth);
        if !opened && node.is_named() {
            self.flush(depth);
        }
        if let Some(open) = self.open.last_mut() {
            open.branches += u32::from(bits & role::BRANCH != 0);
            open.calls += u32::from(bits & role::CALL != 0);
        }
        if bits & role::VISIT != 0 {
            self.visit(node);
        }
        // A quote that is missing is a child of the string.
        bits & role::LEAF == 0 || node.has_error()
    }

    fn begin_file(&mut self, root: Node<'tree>) {
        let mut hasher = DefaultHasher::new();
        self.scope.frameworks.hash(&mut hasher);
        self.scope.flags.hash(&mut hasher);
        self.scope.names.hash(&mut hasher);
        self.scope.disabled.hash(&mut hasher);
        self.file.hash(&mut hasher);
        let in_tests = self.file == FileKind::Test;
        self.frames.push(Frame {
            kind: ItemKind::File,
            name: String::new(),
            in_tests,
            disabled: self.scope.disabled,
            flags: 0,
            key: hasher.finish(),
            start: 0,
        });
        let item = Item { opens_test_region: in_tests, disabled: self.scope.disabled, ..Item::new(ItemKind::File, "", Span::default()) };
        self.begin(0..self.text.len(), root.kind_id(), 0, Local::default(), item);
    }

    /// Takes over the unit that starts here, with all inside it, where nothing touched it. Returns its end.
    fn reuse(&mut self, node: Node<'tree>) -> Option<usize> {
        let frame = self.frames.last()?;
        let found = self.old.reusable(node.start_byte(), frame.key, node.kind_id())?;
        let top = &self.old.units[found];
        let run = &self.old.units[found..found + top.size as usize];
        let parent = self.open.last()?.index;
        let at = self.units.len();
        self.units.extend_from_slice(run);
        self.units[at].up = (at - parent) as u32;
        if let Some(open) = self.open.last_mut() {
            open.branches += top.facts.branches;
            open.calls += top.facts.calls;
        }
        Some(top.range.end)
    }

    /// Asks the adapter whether the node opens a unit, and opens it.
    fn open(&mut self, node: Node<'tree>, depth: u32) -> bool {
        let mine = self.held_depth == depth;
        let attached: Vec<Node<'tree>> =
            if mine { self.held.iter().filter(|h| !h.is_comment).map(|h| h.node).collect() } else { Vec::new() };
        let first = attached.first().copied().unwrap_or(node);
        let start = first.start_byte();
        let mut local = Local::default();
        let mut visit = Visit {
            text: self.text,
            file: self.file,
            scope: self.scope,
            words: self.words,
            frames: &self.frames,
            attached: &attached,
            out: &mut local,
            start: start as u32,
        };
        let Some(item) = self.language.adapter.open(node, &mut visit) else {
            debug_assert_eq!(local, Local::default(), "facts without an item at {}", node.kind());
            return false;
        };
        let held = if mine { std::mem::take(&mut self.held) } else { Vec::new() };
        let parent = self.frames.last().cloned();
        let (in_tests, disabled, key) = parent.map_or((false, false, 0), |p| (p.in_tests, p.disabled, p.key));
        let mut hasher = DefaultHasher::new();
        (key, item.kind, &item.name, item.flags, item.disabled, item.opens_test_region).hash(&mut hasher);
        self.frames.push(Frame {
            kind: item.kind,
            name: item.name.clone(),
            in_tests: in_tests || item.opens_test_region,
            disabled: disabled || item.disabled,
            flags: item.flags,
            key: hasher.finish(),
            start: start as u32,
        });
        self.begin(start..node.end_byte(), first.kind_id(), depth, local, item);
        for comment in held.iter().filter(|h| h.is_comment) {
            self.comment(comment.node);
        }
        true
    }

    fn begin(&mut self, range: std::ops::Range<usize>, head: u16, depth: u32, local: Local, item: Item) {
        let index = self.units.len();
        let up = self.open.last().map_or(0, |o| (index - o.index) as u32);
        let mut hasher = DefaultHasher::new();
        (self.open.last().map(|o| self.units[o.index].path), &item.name).hash(&mut hasher);
        let outer = self.frames.len().checked_sub(2).and_then(|i| self.frames.get(i));
        self.units.push(Unit {
            range,
            up,
            size: 1,
            path: hasher.finish(),
            in_tests: self.frames.last().is_some_and(|f| f.in_tests),
            covered: outer.is_some_and(|f| f.disabled),
            context: outer.map_or(0, |f| f.key),
            head,
            dirty: false,
            kind: item.kind,
            marked: false,
            facts: Arc::new(UnitFacts { item: item.clone(), local: Local::default(), phrases: Vec::new(), branches: 0, calls: 0 }),
        });
        self.open.push(Open { index, depth, local, item, branches: 0, calls: 0 });
    }

    /// Closes the unit whose node is left, if the node opened one.
    fn leave(&mut self, depth: u32) {
        if self.open.len() > 1 && self.open.last().is_some_and(|o| o.depth == depth) {
            self.close();
        }
    }

    fn close(&mut self) {
        let Some(Open { index, mut local, mut item, branches, calls, .. }) = self.open.pop() else { return };
        self.frames.pop();
        if let Some(body) = &mut item.body {
            body.branches = branches;
            body.calls = calls;
        }
        if let Some(parent) = self.open.last_mut() {
            parent.branches += branches;
            parent.calls += calls;
        }
        let size = (self.units.len() - index) as u32;
        let unit = &mut self.units[index];
        unit.size = size;
        let phrases = comments::phrases(&self.text[unit.range.clone()], &local.comments);
        local.markers.shrink_to_fit();
        let facts = UnitFacts { item, local, phrases, branches, calls };
        unit.kind = facts.item.kind;
        unit.marked = facts.is_marked();
        unit.facts = Arc::new(facts);
    }

    fn finish_all(&mut self) {
        while !self.open.is_empty() {
            self.close();
        }
    }

    /// Gives the nodes held back at a depth to the unit around them.
    fn flush(&mut self, depth: u32) {
        if self.held.is_empty() || self.held_depth != depth {
            return;
        }
        for held in std::mem::take(&mut self.held) {
            if held.is_comment { self.comment(held.node) } else { self.visit(held.node) }
        }
    }

    fn visit(&mut self, node: Node<'tree>) {
        let Some(open) = self.open.last_mut() else { return };
        let start = self.units[open.index].range.start as u32;
        let mut visit = Visit {
            text: self.text,
            file: self.file,
            scope: self.scope,
            words: self.words,
            frames: &self.frames,
            attached: &[],
            out: &mut open.local,
            start,
        };
        self.language.adapter.visit(node, &mut visit);
    }

    fn comment(&mut self, node: Node<'tree>) {
        let Some(open) = self.open.last_mut() else { return };
        let start = self.units[open.index].range.start;
        comments::record(self.language, self.text, node.byte_range(), start, &mut open.local);
    }

    fn broken(&mut self, node: Node<'tree>) {
        let Some(open) = self.open.last_mut() else { return };
        let start = self.units[open.index].range.start;
        let at = |byte: usize| byte.saturating_sub(start) as u32;
        open.local.broken.push(Span { start: at(node.start_byte()), end: at(node.end_byte()) });
    }
}
