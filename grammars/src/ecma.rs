//! JavaScript, TypeScript and TSX: their rows and their one adapter.

use crate::Language;
use crate::facts::Item;
use crate::visit::{Adapter, CommentedTest, FileKind, FileScope, Visit, Words, role};
use tree_sitter::Node;

const TEST_PATHS: &[&str] =
    &["**/*.{test,spec,cy,e2e,test-d}.{js,jsx,mjs,cjs,ts,tsx,mts,cts}", "**/{__tests__,test,tests,spec,e2e,cypress}/**"];
const ROLES: &[(&str, u8)] = &[("comment", role::COMMENT)];

/// JavaScript and JSX.
pub(crate) static JAVASCRIPT: Language = Language {
    id: "javascript",
    lsp_ids: &["javascript", "javascriptreact"],
    extensions: &["js", "mjs", "cjs", "jsx"],
    test_paths: TEST_PATHS,
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    node_kind_count: 0,
    roles: ROLES,
    redefinition_hides: false,
    separator: " > ",
    adapter: &Ecma,
};
/// TypeScript.
pub(crate) static TYPESCRIPT: Language = Language {
    id: "typescript",
    lsp_ids: &["typescript"],
    extensions: &["ts", "mts", "cts"],
    test_paths: TEST_PATHS,
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    node_kind_count: 0,
    roles: ROLES,
    redefinition_hides: false,
    separator: " > ",
    adapter: &Ecma,
};
/// TypeScript with JSX.
pub(crate) static TSX: Language = Language {
    id: "typescriptreact",
    lsp_ids: &["typescriptreact"],
    extensions: &["tsx"],
    test_paths: TEST_PATHS,
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    node_kind_count: 0,
    roles: ROLES,
    redefinition_hides: false,
    separator: " > ",
    adapter: &Ecma,
};

struct Ecma;

impl Adapter for Ecma {
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
