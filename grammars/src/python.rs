//! Python: its rows and its adapter, which hands every node on to the part that reads it.
//!
//! `python/items.rs` says what opens a unit; `markers.rs`, `skips.rs`, `module.rs` and `unbound.rs` what switches tests off; `stubs.rs`
//! and `exempt.rs` what stands in for an implementation; `assertions.rs`, `bends.rs`, `cases.rs`, `suppressions.rs` and `docs.rs` read the rest.
//! `scope.rs` reads the top level once, and `names.rs` what its names mean.

mod assertions;
mod bends;
mod cases;
mod claims;
mod classes;
mod conditions;
mod docs;
mod exempt;
mod items;
mod markers;
mod module;
mod names;
mod regions;
mod scope;
mod skips;
mod stubs;
mod suppressions;
mod syntax;
mod terms;
mod unbound;

use crate::Language;
use crate::checks::{Check, Parts};
use crate::facts::Item;
use crate::visit::{Adapter, CommentedTest, FileKind, FileScope, Visit, Words, role};
use tree_sitter::Node;

const TEST_PATHS: &[&str] = &["**/test_*.py", "**/*_test.py", "**/tests.py", "**/conftest.py", "**/tests/**", "**/testing/**"];
/// What pytest (`test_*.py`, `*_test.py`) and unittest (`test*.py`) look for, whatever the folder.
const COLLECTED: &[&str] = &["**/test*.py", "**/*_test.py"];
const CONFIGURING: &[&str] = &[
    "**/{setup,noxfile,manage,fabfile,tasks,conf,config,settings,sitecustomize}.py",
    "**/{config,settings,configs}/**",
    "**/*{_config,_settings,settings_}*.py",
    "**/{pytest_,}plugin*.py",
    "**/pytest_*/**",
];
const ROLES: &[(&str, u8)] = &[
    ("comment", role::COMMENT),
    ("decorated_definition", role::ITEM),
    ("function_definition", role::ITEM),
    ("class_definition", role::ITEM),
    ("if_statement", role::ITEM | role::VISIT | role::BRANCH),
    ("elif_clause", role::ITEM | role::VISIT | role::BRANCH),
    ("else_clause", role::ITEM),
    ("except_clause", role::ITEM | role::BRANCH),
    ("for_statement", role::VISIT | role::BRANCH),
    ("while_statement", role::VISIT | role::BRANCH),
    ("try_statement", role::VISIT),
    ("with_statement", role::VISIT),
    ("case_clause", role::BRANCH),
    ("conditional_expression", role::BRANCH),
    ("for_in_clause", role::BRANCH),
    ("call", role::VISIT | role::CALL),
    ("decorator", role::VISIT),
    ("assert_statement", role::VISIT),
    ("raise_statement", role::VISIT),
    ("assignment", role::VISIT),
    ("augmented_assignment", role::VISIT),
    ("expression_statement", role::VISIT),
    ("delete_statement", role::VISIT),
    ("comparison_operator", role::VISIT),
    ("subscript", role::VISIT),
];
const NODE_KIND_COUNT: usize = 274;

/// The scanner of tree-sitter-python 0.25.0 asserts that its stack of indents fits 1,024 bytes, which about 510 levels fill.
const INDENT_BYTES_MAX: usize = 480;

/// Python.
pub(crate) static PYTHON: Language = Language {
    id: "python",
    lsp_ids: &["python"],
    extensions: &["py", "pyw"],
    test_paths: TEST_PATHS,
    collected: COLLECTED,
    passed_over: &[],
    configuring: CONFIGURING,
    grammar: || tree_sitter_python::LANGUAGE.into(),
    node_kind_count: NODE_KIND_COUNT,
    roles: ROLES,
    redefinition_hides: true,
    indent_bytes_max: Some(INDENT_BYTES_MAX),
    separator: ".",
    adapter: &Python { interface: false },
};
/// Python stub files: the same language, in which an empty body is a declaration.
pub(crate) static PYTHON_INTERFACE: Language = Language {
    id: "python",
    lsp_ids: &[],
    extensions: &["pyi"],
    test_paths: TEST_PATHS,
    collected: COLLECTED,
    passed_over: &[],
    configuring: CONFIGURING,
    grammar: || tree_sitter_python::LANGUAGE.into(),
    node_kind_count: NODE_KIND_COUNT,
    roles: ROLES,
    redefinition_hides: false,
    indent_bytes_max: Some(INDENT_BYTES_MAX),
    separator: ".",
    adapter: &Python { interface: true },
};

struct Python {
    /// The file only declares (`.pyi`).
    interface: bool,
}

impl Adapter for Python {
    fn scope(&self, root: Node<'_>, text: &str, file: FileKind, words: &Words) -> FileScope {
        let mut scope = scope::read(root, text, file, words);
        if self.interface {
            scope.flags |= scope::INTERFACE;
        }
        scope
    }

    fn open<'tree>(&self, node: Node<'tree>, visit: &mut Visit<'_, 'tree>) -> Option<Item> {
        items::open(node, visit)
    }

    fn visit<'tree>(&self, node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
        match node.kind() {
            "call" => {
                assertions::call(node, visit);
                terms::call(node, visit);
                bends::call(node, visit);
                markers::parameter(node, visit);
                suppressions::call(node, visit);
            }
            "decorator" => {
                suppressions::decorator(node, visit);
                terms::decorator(node, visit);
            }
            "if_statement" | "elif_clause" | "for_statement" | "while_statement" | "try_statement" | "with_statement" => {
                regions::visit(node, visit);
                if !visit.in_tests() && matches!(node.kind(), "if_statement" | "elif_clause") {
                    cases::branch(node, visit);
                }
            }
            "assert_statement" => {
                assertions::statement(node, visit);
                stubs::assertion(node, visit);
            }
            "raise_statement" => {
                stubs::raise(node, visit);
                bends::raise(node, visit);
                module::raise(node, visit);
            }
            "assignment" | "augmented_assignment" => {
                module::assignment(node, visit);
                bends::assignment(node, visit);
                if visit.in_tests() {
                    cases::assignment(node, visit);
                }
            }
            "comparison_operator" if !visit.in_tests() => bends::comparison(node, visit),
            "subscript" if !visit.in_tests() => bends::subscript(node, visit),
            "expression_statement" => {
                docs::statement(node, visit);
                module::call(node, visit);
                module::unbound(node, visit);
            }
            "delete_statement" => module::unbound(node, visit),
            _ => {}
        }
    }

    fn claims(&self, parts: &Parts<'_>) -> Vec<Check> {
        claims::read(parts)
    }

    fn idle_words(&self) -> &'static [&'static str] {
        &["await "]
    }

    fn commented_tests(&self, comment: &str) -> Vec<CommentedTest> {
        docs::commented_tests(comment)
    }
}
