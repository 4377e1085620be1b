//! Rust: its row and its adapter.

use crate::Language;
use crate::facts::Item;
use crate::visit::{Adapter, CommentedTest, FileKind, FileScope, Visit, Words, role};
use tree_sitter::Node;

/// Rust.
pub(crate) static RUST: Language = Language {
    id: "rust",
    lsp_ids: &["rust"],
    extensions: &["rs"],
    test_paths: &["**/tests/**", "**/tests.rs"],
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    node_kind_count: 0,
    roles: &[("line_comment", role::COMMENT), ("block_comment", role::COMMENT)],
    redefinition_hides: false,
    separator: "::",
    adapter: &Rust,
};

struct Rust;

impl Adapter for Rust {
    fn scope(&self, _root: Node<'_>, _text: &str, _file: FileKind, _words: &Words) -> FileScope {
        FileScope::default()
    }
    fn open<'tree>(&self, _node: Node<'tree>, _visit: &mut Visit<'_, 'tree>) -> Option<Item> {
        None
    }
    fn visit<'tree>(&self, _node: Node<'tree>, _visit: &mut Visit<'_, 'tree>) {}
    fn commented_tests(&self, _comment: &str) -> Vec<CommentedTest> {
        Vec::new()
    }
    fn collects(&self, _name: &str) -> bool {
        false
    }
}
