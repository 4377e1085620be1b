//! Go: its row and its adapter.

use crate::Language;
use crate::facts::Item;
use crate::visit::{Adapter, CommentedTest, FileKind, FileScope, Visit, Words, role};
use tree_sitter::Node;

/// Go.
pub(crate) static GO: Language = Language {
    id: "go",
    lsp_ids: &["go"],
    extensions: &["go"],
    test_paths: &["**/*_test.go"],
    grammar: || tree_sitter_go::LANGUAGE.into(),
    node_kind_count: 0,
    roles: &[("comment", role::COMMENT)],
    redefinition_hides: false,
    separator: ".",
    adapter: &Go,
};

struct Go;

impl Adapter for Go {
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
