//! A text with its tree and facts, kept up to date edit by edit.
//!
//! Owns parsing and its caps; the clock is the caller's (`Budget`). Facts are those of `facts`; what they mean is decided
//! in `rules`.

use crate::facts::{self, Inventory};
use crate::settings::{Collection, Settings};
use oguard_grammars::Language;
use oguard_grammars::visit::{FileKind, Words};
use std::collections::HashMap;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use tree_sitter::{InputEdit, ParseOptions, Parser, Point, Tree};

/// Largest file that is judged, in bytes (SPEC.md 3); a larger one is `not evaluated`.
pub const FILE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Lines at the head of a file that are searched for a 'generated' notice (facts/README.md).
const GENERATED_LINES: usize = 20;

/// Bytes of that head at most, so that an edit behind them cannot change what was read: twenty very long lines.
const HEAD_BYTES_MAX: usize = 16 * 1024;

/// Asked during a parse whether to go on.
pub type Budget<'a> = &'a mut dyn FnMut() -> bool;

/// Parsers of one thread, one a language.
#[derive(Default)]
pub struct Parsers {
    by_language: HashMap<&'static str, Parser>,
}

impl Parsers {
    fn parse(&mut self, language: &'static Language, text: &str, old: Option<&Tree>, budget: Budget<'_>) -> Option<Tree> {
        let parser = self.by_language.entry(language.id).or_insert_with(|| {
            let mut parser = Parser::new();
            parser.set_language(&(language.grammar)()).expect("the grammar fits the library; a test parses with each");
            parser
        });
        let mut progress = |_: &tree_sitter::ParseState| if budget() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        let bytes = text.as_bytes();
        let tree = parser.parse_with_options(
            &mut |at, _| bytes.get(at..).unwrap_or(&[]),
            old,
            Some(ParseOptions::new().progress_callback(&mut progress)),
        );
        if tree.is_none() {
            parser.reset();
        }
        tree
    }
}

/// A replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Bytes of the text before that are replaced.
    pub range: Range<usize>,
    /// By what.
    pub text: String,
}

/// A text, what it is and what it contains.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its language.
    pub language: &'static Language,
    /// What kind of code its path says it holds.
    pub kind: FileKind,
    /// Whether a runner looks for tests in its path.
    pub collection: Collection,
    /// Says of itself that it is generated.
    pub generated: bool,
    /// Its path says that it configures a tool or sets it up.
    pub configures: bool,
    words: Arc<Words>,
    text: String,
    tree: Option<Tree>,
    inventory: Inventory,
    fresh: bool,
}

impl Document {
    /// Returns the text of a path (relative to the repository, with `/`) as a document; nothing is parsed yet.
    pub fn new(language: &'static Language, path: &str, text: String, settings: &Settings) -> Self {
        let generated = says_generated(&text);
        let kind = settings.file_kind(language, path);
        let collection = settings.collection(language, path);
        Document {
            language,
            kind,
            collection,
            generated,
            configures: settings.configures(language, path),
            words: settings.words.clone(),
            text,
            tree: None,
            inventory: Inventory::default(),
            fresh: false,
        }
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the facts as of the last [`Document::read`].
    pub fn inventory(&self) -> &Inventory {
        &self.inventory
    }

    /// Whether the facts are those of the present text.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Applies a change to the text; the tree and facts follow at the next [`Document::read`].
    pub fn change(&mut self, change: &Change) {
        let Change { range, text } = change;
        if range.start > range.end
            || !self.text.is_char_boundary(range.start)
            || !self.text.is_char_boundary(range.end.min(self.text.len()))
        {
            return;
        }
        let old_end = range.end.min(self.text.len());
        let new_end = range.start + text.len();
        let start_position = point(&self.text, range.start);
        let old_end_position = point_after(start_position, &self.text[range.start..old_end]);
        let new_end_position = point_after(start_position, text);
        self.text.replace_range(range.start..old_end, text);
        if range.start < HEAD_BYTES_MAX {
            self.generated = says_generated(&self.text);
        }
        if let Some(tree) = &mut self.tree {
            tree.edit(&InputEdit {
                start_byte: range.start,
                old_end_byte: old_end,
                new_end_byte: new_end,
                start_position,
                old_end_position,
                new_end_position,
            });
        }
        self.inventory.edit(range.start, old_end, new_end);
        self.fresh = false;
    }

    /// Replaces the whole text by trimming what both have in common, so that a client that sends whole documents costs
    /// what it changed.
    pub fn replace(&mut self, text: &str) {
        let change = trimmed(&self.text, text);
        if !change.range.is_empty() || !change.text.is_empty() {
            self.change(&change);
        }
    }

    /// Brings tree and facts up to date; returns false where the budget ran out or the text is nested deeper than its grammar
    /// survives (the facts are then those from before).
    pub fn read(&mut self, parsers: &mut Parsers, budget: Budget<'_>) -> bool {
        if self.fresh {
            return true;
        }
        if self.language.indent_bytes_max.is_some_and(|max| indented_beyond(&self.text, max)) {
            return false;
        }
        let Some(tree) = parsers.parse(self.language, &self.text, self.tree.as_ref(), budget) else { return false };
        if let Some(old) = &self.tree {
            for range in old.changed_ranges(&tree) {
                self.inventory.touch(range.start_byte..range.end_byte);
            }
        }
        self.inventory = facts::walk::inventory(self.language, &tree, &self.text, self.kind, &self.words, &self.inventory);
        self.tree = Some(tree);
        self.fresh = true;
        true
    }

    /// Returns the facts of the present tree read afresh, nothing taken over: what incremental reading must equal.
    pub fn facts_afresh(&self) -> Option<Inventory> {
        let tree = self.tree.as_ref().filter(|_| self.fresh)?;
        Some(facts::walk::inventory(self.language, tree, &self.text, self.kind, &self.words, &Inventory::default()))
    }

    /// Lets go of the tree and keeps text and facts: for a base, or an idle document.
    pub fn drop_tree(&mut self) {
        self.tree = None;
    }
}

/// Whether a line is indented by more than a number of bytes. To nest that deep a text needs all the lines above it, so
/// short texts are not looked at.
fn indented_beyond(text: &str, max: usize) -> bool {
    let deep = |line: &[u8]| line.len() > max && line[..=max].iter().all(|b| matches!(b, b' ' | b'\t' | 0x0c));
    text.len() > max * max / 2 && text.as_bytes().split(|b| *b == b'\n').any(deep)
}

/// Returns tree-sitter's point of a byte: rows count `\n` only, columns are bytes.
fn point(text: &str, byte: usize) -> Point {
    let head = &text.as_bytes()[..byte];
    let row = memchr::memchr_iter(b'\n', head).count();
    Point { row, column: byte - memchr::memrchr(b'\n', head).map_or(0, |i| i + 1) }
}

fn point_after(start: Point, text: &str) -> Point {
    match memchr::memrchr(b'\n', text.as_bytes()) {
        None => Point { row: start.row, column: start.column + text.len() },
        Some(last) => Point { row: start.row + memchr::memchr_iter(b'\n', text.as_bytes()).count(), column: text.len() - last - 1 },
    }
}

/// Returns the one change that turns a text into another.
pub fn trimmed(old: &str, new: &str) -> Change {
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let mut head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    while !old.is_char_boundary(head) || !new.is_char_boundary(head) {
        head -= 1;
    }
    let room = a.len().min(b.len()) - head;
    let mut tail = a.iter().rev().zip(b.iter().rev()).take(room).take_while(|(x, y)| x == y).count();
    while !old.is_char_boundary(a.len() - tail) || !new.is_char_boundary(b.len() - tail) {
        tail -= 1;
    }
    Change { range: head..a.len() - tail, text: new[head..b.len() - tail].to_owned() }
}

/// Whether the head of a text says that a program wrote it (rules-b.md 0.4).
fn says_generated(text: &str) -> bool {
    let mut end = text.len().min(HEAD_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].lines().take(GENERATED_LINES).any(|line| {
        line.contains("@generated")
            || line.contains("GENERATED CODE - DO NOT MODIFY")
            || line.contains("<auto-generated")
            || (line.contains("Code generated") && line.contains("DO NOT EDIT"))
            || line.contains("Generated by the protocol buffer compiler")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_nested_too_deep_is_not_read_and_ends_nothing() {
        let language = oguard_grammars::by_path("a.py").expect("Python is built in");
        let mut text = String::new();
        for depth in 0..600 {
            text.push_str(&" ".repeat(depth));
            text.push_str("if x:\n");
        }
        text.push_str(&format!("{}\"", " ".repeat(600)));
        let mut document = Document::new(language, "a.py", text, &Settings::default());
        assert!(!document.read(&mut Parsers::default(), &mut || true));
    }

    #[test]
    fn a_notice_in_a_head_of_long_lines_is_seen_as_it_comes_and_goes() {
        let language = oguard_grammars::by_path("a.py").expect("Python is built in");
        for line in [500, 2_000] {
            let head = format!("# {}\n", "é".repeat(line / 2)).repeat(10);
            let mut document = Document::new(language, "a.py", head.clone() + "x = 1\n", &Settings::default());
            for notice in ["# @generated\n", ""] {
                document.replace(&format!("{head}{notice}x = 1\n"));
                let afresh = Document::new(language, "a.py", document.text().to_owned(), &Settings::default());
                assert_eq!(document.generated, afresh.generated, "{line} {notice}");
            }
        }
    }

    #[test]
    fn a_long_table_that_is_not_nested_is_read() {
        let language = oguard_grammars::by_path("a.py").expect("Python is built in");
        let text = "x = [\n    1,\n]\n".repeat(10_000);
        let mut document = Document::new(language, "a.py", text, &Settings::default());
        assert!(document.read(&mut Parsers::default(), &mut || true));
    }
}
