//! Go: its row, its vocabulary of node kinds, and the adapter that hands each kind to the file that knows it.
//!
//! `scope` reads imports; `items` opens units; `skips`, `dead`, `ginkgo` and `constraints` emit markers; `bodies`, `bends`, `assertions` and
//! `commented` hold one kind of fact each. Suppressions of Go are comments, which the directive tables know.

mod assertions;
mod bends;
mod bodies;
mod calls;
mod claims;
mod commented;
mod constraints;
mod dead;
mod ginkgo;
mod items;
mod regions;
mod scope;
mod skips;

use crate::Language;
use crate::checks::{Check, Parts};
use crate::facts::Item;
use crate::visit::{Adapter, CommentedTest, FileKind, FileScope, Visit, Words, role};
use tree_sitter::Node;

/// Go.
pub(crate) static GO: Language = Language {
    id: "go",
    lsp_ids: &["go"],
    extensions: &["go"],
    test_paths: &["**/*_test.go"],
    collected: &["**/*_test.go"],
    configuring: &[],
    passed_over: &["**/{_,.}*", "**/{_,.}*/**", "**/testdata/**"],
    grammar: || tree_sitter_go::LANGUAGE.into(),
    node_kind_count: 219,
    roles: &[
        ("comment", role::COMMENT | role::VISIT),
        ("function_declaration", role::ITEM),
        ("method_declaration", role::ITEM),
        ("type_spec", role::ITEM),
        ("call_expression", role::ITEM | role::VISIT | role::CALL),
        ("if_statement", role::VISIT | role::BRANCH),
        ("for_statement", role::VISIT | role::BRANCH),
        ("composite_literal", role::VISIT),
        ("expression_switch_statement", role::BRANCH),
        ("expression_case", role::VISIT),
        ("type_switch_statement", role::BRANCH),
        ("select_statement", role::BRANCH),
        ("interpreted_string_literal", role::LEAF),
        ("raw_string_literal", role::LEAF),
    ],
    redefinition_hides: false,
    indent_bytes_max: None,
    separator: SEPARATOR,
    adapter: &Go,
};

/// Joins names of functions and subtests.
const SEPARATOR: &str = ".";

/// Frameworks whose names stand in the file's scope without a package before them.
mod framework {
    /// `import . "github.com/onsi/ginkgo/v2"`.
    pub(super) const GINKGO_DOT: u64 = 1;
    /// `import . "gopkg.in/check.v1"`.
    pub(super) const CHECK_DOT: u64 = 1 << 1;
}

/// Bits of frames and of the file's scope.
mod flag {
    /// The body is one `panic` and nothing else.
    pub(super) const SOLE: u32 = 1;
    /// Of the file's scope: a build constraint stands above the package clause.
    pub(super) const CONSTRAINED: u64 = 1;
    /// Of the file's scope: the package clause was seen.
    pub(super) const PAST_HEAD: u64 = 1 << 1;
}

struct Go;

impl Adapter for Go {
    fn scope(&self, root: Node<'_>, text: &str, file: FileKind, _words: &Words) -> FileScope {
        scope::read(root, text, file)
    }

    fn open<'tree>(&self, node: Node<'tree>, visit: &mut Visit<'_, 'tree>) -> Option<Item> {
        match node.kind() {
            "call_expression" => items::call(node, visit),
            "function_declaration" => items::function(node, visit),
            "method_declaration" => items::method(node, visit),
            "type_spec" => items::suite(node, visit),
            _ => None,
        }
    }

    fn visit<'tree>(&self, node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
        match node.kind() {
            "call_expression" => call(node, visit),
            "if_statement" if visit.in_tests() => {
                assertions::of_if(node, visit);
                dead::branch(node, visit);
                regions::visit(node, visit);
            }
            "for_statement" | "composite_literal" if visit.in_tests() => regions::visit(node, visit),
            "if_statement" => bends::branch(node, visit),
            "expression_case" if !visit.in_tests() => bends::switched(node, visit),
            "comment" => {
                constraints::visit(node, visit);
                assertions::output(node, visit);
            }
            _ => {}
        }
    }

    fn claims(&self, parts: &Parts<'_>) -> Vec<Check> {
        claims::read(parts)
    }

    fn idle_words(&self) -> &'static [&'static str] {
        claims::IDLE
    }

    fn commented_tests(&self, comment: &str) -> Vec<CommentedTest> {
        commented::tests(comment)
    }
}

fn call(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(callee) = calls::callee(node, visit.text) else { return };
    if visit.in_tests() {
        items::registration(node, &callee, visit);
        ginkgo::entry(node, &callee, visit);
        assertions::of_call(node, &callee, visit);
        regions::call(node, &callee, visit);
        bends::exit(node, &callee, visit);
        bends::answer(node, &callee, visit);
        return;
    }
    bends::probe(node, &callee, visit);
    if callee.operand.is_none() && callee.name == "panic" {
        bodies::panics(node, visit);
    }
}
