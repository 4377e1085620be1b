//! How the walk and an adapter talk: the adapter says what a node opens and which facts it holds.
//!
//! The walk goes once over the tree, in order, and asks only at the node kinds that a language's `roles` name. Facts of a
//! unit may depend on its own text, on the frames around it and on the [`FileScope`], and on nothing else: the engine
//! reuses the facts of a unit that an edit did not touch.

use crate::checks::{Check, Parts};
use crate::facts::{Edit, Item, ItemKind, Local, Span};
use tree_sitter::Node;

/// What the walk does at a node kind; bits of `Language::roles`.
pub mod role {
    /// [`super::Adapter::open`] is asked whether the node opens a unit.
    pub const ITEM: u8 = 1;
    /// [`super::Adapter::visit`] is called.
    pub const VISIT: u8 = 2;
    /// A comment; recorded by the walk, which also reads directives from it.
    pub const COMMENT: u8 = 4;
    /// Not descended into (strings, types, whatever holds no fact).
    pub const LEAF: u8 = 8;
    /// Belongs to the item that follows (attributes of Rust); the unit starts at the first of them.
    pub const ATTACH: u8 = 16;
    /// A branch or loop; counted for the bodies around it.
    pub const BRANCH: u8 = 32;
    /// A call; counted for the bodies around it.
    pub const CALL: u8 = 64;
}

/// What kind of code a file holds (by its path and the configuration).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// Test code throughout.
    Test,
    /// Fixtures, examples, mocks: neither test nor production.
    Support,
    /// Production code, with test regions where the syntax says so.
    Production,
}

/// What holds for a whole file: read once from its top level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileScope {
    /// Frameworks seen in imports, as bits of the language's own.
    pub frameworks: u64,
    /// Other bits of the language's own.
    pub flags: u64,
    /// Names bound at the top level: local name, then where it comes from (module, or empty for a local declaration), then
    /// the name there.
    pub names: Vec<(String, String, String)>,
    /// A marker at the top level switches the whole file off; markers inside are covered by that one (rules-a.md D9).
    pub disabled: bool,
}

impl FileScope {
    /// Returns (module, original name) of a name bound at the top level; the module is empty for a local declaration.
    pub fn binding(&self, name: &str) -> Option<(&str, &str)> {
        self.names.iter().find(|(local, _, _)| local == name).map(|(_, module, original)| (module.as_str(), original.as_str()))
    }
}

/// The repository's own words, from its configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// Functions that assert.
    pub assertion_helpers: Vec<String>,
    /// Functions that define a test, besides those of the frameworks.
    pub test_functions: Vec<String>,
    /// Functions that skip the test that calls them.
    pub skip_wrappers: Vec<String>,
}

/// An item around the node that is visited.
#[derive(Clone, Debug)]
pub struct Frame {
    /// What it is.
    pub kind: ItemKind,
    /// Its own name.
    pub name: String,
    /// Inside test code.
    pub in_tests: bool,
    /// It, or an item around it, is switched off as a whole.
    pub disabled: bool,
    /// The language's own bits.
    pub flags: u32,
    /// Identity of all of the above and of the frames around it; part of the key under which facts are reused.
    pub key: u64,
    /// Absolute byte at which its unit starts.
    pub start: u32,
}

/// What an adapter sees at a node.
pub struct Visit<'a, 'tree> {
    /// The whole text.
    pub text: &'a str,
    /// What kind of code the file holds.
    pub file: FileKind,
    /// What holds for the whole file.
    pub scope: &'a FileScope,
    /// The repository's own words.
    pub words: &'a Words,
    /// Items around the node, the file first; the item that a node opens is not yet among them.
    pub frames: &'a [Frame],
    /// Nodes of role `ATTACH` right before the node, in order.
    pub attached: &'a [Node<'tree>],
    /// Where facts go: in `open` the facts of the unit that is being opened, in `visit` those of the innermost one.
    pub out: &'a mut Local,
    /// Absolute byte at which that unit starts.
    pub start: u32,
}

impl<'a, 'tree> Visit<'a, 'tree> {
    /// Returns the text of a node.
    pub fn text_of(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// Returns the first line of a node, for a first look that asks the tree nothing.
    pub fn first_line(&self, node: Node<'_>) -> &'a str {
        self.text_of(node).split('\n').next().unwrap_or("")
    }

    /// Whether a node is short and its text holds one of some words: a first look that asks the tree nothing.
    pub fn briefly_says(&self, node: Node<'_>, words: &[&str]) -> bool {
        const BRIEF_BYTES_MAX: usize = 400;
        let text = self.text_of(node);
        text.len() <= BRIEF_BYTES_MAX && words.iter().any(|word| text.contains(word))
    }

    /// Returns the text of a span of the unit that facts go to.
    pub fn text_in(&self, span: Span) -> &'a str {
        self.text.get((self.start + span.start) as usize..(self.start + span.end) as usize).unwrap_or("")
    }

    /// Returns the span of a node, relative to the unit that facts go to.
    pub fn span(&self, node: Node<'_>) -> Span {
        self.span_of(node.start_byte(), node.end_byte())
    }

    /// Returns the span of two absolute bytes, relative to the unit that facts go to.
    pub fn span_of(&self, start: usize, end: usize) -> Span {
        Span { start: (start as u32).saturating_sub(self.start), end: (end as u32).saturating_sub(self.start) }
    }

    /// Returns the innermost frame (the file's at the top level).
    pub fn frame(&self) -> &'a Frame {
        self.frames.last().expect("the walk pushes the file's frame first")
    }

    /// Whether the node stands in test code.
    pub fn in_tests(&self) -> bool {
        self.frame().in_tests
    }

    /// Returns the innermost enclosing frame of a kind.
    pub fn enclosing(&self, kind: ItemKind) -> Option<&'a Frame> {
        self.frames.iter().rev().find(|f| f.kind == kind)
    }

    /// Returns an edit that deletes a node.
    pub fn delete(&self, node: Node<'_>) -> Edit {
        Edit { span: self.span(node), text: String::new() }
    }

    /// Returns an edit that replaces a node.
    pub fn replace(&self, node: Node<'_>, text: impl Into<String>) -> Edit {
        Edit { span: self.span(node), text: text.into() }
    }
}

/// A test whose text stands in a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentedTest {
    /// Its own, unqualified name.
    pub name: String,
    /// Byte offset in the comment's text at which it starts.
    pub at: usize,
}

/// Reads from a tree what no table says. One a language, without state.
pub trait Adapter: Sync {
    /// Reads what holds for the whole file from its top level. Runs at every edit: it looks at the root's children only.
    fn scope(&self, root: Node<'_>, text: &str, file: FileKind, words: &Words) -> FileScope;

    /// Returns the item that a node of role `ITEM` opens, or none; markers of the item go to `visit.out`. Nothing may be
    /// written to `visit.out` where none is returned.
    fn open<'tree>(&self, node: Node<'tree>, visit: &mut Visit<'_, 'tree>) -> Option<Item>;

    /// Emits the facts of a node of role `VISIT` to the innermost unit.
    fn visit<'tree>(&self, node: Node<'tree>, visit: &mut Visit<'_, 'tree>);

    /// Returns what an assertion that this adapter emitted claims. Asked only where two texts are compared.
    fn claims(&self, parts: &Parts<'_>) -> Vec<Check>;

    /// Words and calls that change nothing of a value for a comparison of two texts (`await `, `.clone()`), as written.
    fn idle_words(&self) -> &'static [&'static str];

    /// Returns the tests whose definitions stand in the text of a comment (markers included), in order.
    fn commented_tests(&self, comment: &str) -> Vec<CommentedTest>;
}
