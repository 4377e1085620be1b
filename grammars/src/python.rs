//! Python: its row and its adapter.

use crate::Language;
use crate::facts::Item;
use crate::visit::{Adapter, CommentedTest, FileKind, FileScope, Visit, Words, role};
use tree_sitter::Node;

/// Python.
pub(crate) static PYTHON: Language = Language {
    id: "python",
    lsp_ids: &["python"],
    extensions: &["py", "pyi", "pyw"],
    test_paths: &["**/test_*.py", "**/*_test.py", "**/tests.py", "**/conftest.py", "**/tests/**", "**/testing/**"],
    grammar: || tree_sitter_python::LANGUAGE.into(),
    node_kind_count: 0,
    roles: &[("comment", role::COMMENT)],
    redefinition_hides: true,
    separator: ".",
    adapter: &Python,
};

struct Python;

impl Adapter for Python {
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
