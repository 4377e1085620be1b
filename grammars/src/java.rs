//! Java: its row, its vocabulary of node kinds, and the adapter that hands each kind to the file that knows it.
//!
//! `scope` reads imports; `types` and `methods` open units; `annotations` is the reader that all share; `markers` and `skips`
//! say what disables a test; `bodies`, `bends`, `exempt`, `suppressions`, `assertions` and `commented` hold one kind of fact each.

mod annotations;
mod assertions;
mod bends;
mod bodies;
mod claims;
mod commented;
mod exempt;
mod markers;
mod methods;
mod regions;
mod scope;
mod skips;
mod suppressions;
mod truth;
mod types;

use crate::Language;
use crate::checks::{Check, Parts};
use crate::facts::Item;
use crate::visit::{Adapter, CommentedTest, FileKind, FileScope, Visit, Words, role};
use tree_sitter::Node;

/// Java.
pub(crate) static JAVA: Language = Language {
    id: "java",
    lsp_ids: &["java"],
    extensions: &["java"],
    test_paths: &[
        "**/src/{test*,*Test,it,*-test}/**",
        "{test,tests}/**",
        "**/*-tests/**",
        "**/*{Test,Tests,TestCase,IT,ITCase}.java",
        "**/Test[A-Z]*.java",
    ],
    // Maven's patterns; Gradle looks into every class, but few projects of either name their tests otherwise.
    collected: &["**/*{Test,Tests,TestCase,IT,ITCase}.java", "**/{Test,IT}*.java"],
    passed_over: &["**/src/main/**"],
    configuring: &[],
    grammar: || tree_sitter_java::LANGUAGE.into(),
    node_kind_count: 321,
    roles: &[
        ("line_comment", role::COMMENT),
        ("block_comment", role::COMMENT),
        ("class_declaration", role::ITEM),
        ("interface_declaration", role::ITEM),
        ("annotation_type_declaration", role::ITEM),
        ("enum_declaration", role::ITEM),
        ("enum_constant", role::ITEM),
        ("record_declaration", role::ITEM),
        ("method_declaration", role::ITEM),
        ("constructor_declaration", role::ITEM),
        ("compact_constructor_declaration", role::ITEM),
        ("object_creation_expression", role::ITEM | role::CALL),
        ("annotation", role::VISIT),
        ("marker_annotation", role::VISIT),
        ("method_invocation", role::VISIT | role::CALL),
        ("throw_statement", role::VISIT),
        ("assert_statement", role::VISIT),
        ("if_statement", role::VISIT | role::BRANCH),
        ("try_statement", role::VISIT),
        ("try_with_resources_statement", role::VISIT),
        ("catch_clause", role::VISIT),
        ("ternary_expression", role::BRANCH),
        ("switch_expression", role::BRANCH),
        ("for_statement", role::VISIT | role::BRANCH),
        ("enhanced_for_statement", role::VISIT | role::BRANCH),
        ("while_statement", role::VISIT | role::BRANCH),
        ("do_statement", role::BRANCH),
        ("string_literal", role::LEAF),
        ("import_declaration", role::LEAF),
    ],
    redefinition_hides: false,
    indent_bytes_max: None,
    separator: ".",
    adapter: &Java,
};

/// Bits of frames.
mod flag {
    /// In an interface: methods with a body are defaults.
    pub(super) const INTERFACE: u32 = 1;
    /// In a class that others extend.
    pub(super) const ABSTRACT: u32 = 1 << 1;
    /// In a null object, or a stand-in for tests.
    pub(super) const NULL_OBJECT: u32 = 1 << 2;
    /// In a test case of JUnit 3: tests are collected by name.
    pub(super) const BY_NAME: u32 = 1 << 3;
    /// In a class that TestNG takes as a whole: every public method is a test.
    pub(super) const ALL_PUBLIC: u32 = 1 << 4;
    /// In a type in which no runner looks for tests: local, anonymous, an inner class that is not `@Nested`.
    pub(super) const UNCOLLECTED: u32 = 1 << 5;
    /// In a type that a generator wrote.
    pub(super) const GENERATED: u32 = 1 << 6;
    /// In an iterator.
    pub(super) const ITERATOR: u32 = 1 << 7;
    /// The body is one `throw` and nothing else.
    pub(super) const SOLE: u32 = 1 << 8;
}

struct Java;

impl Adapter for Java {
    fn scope(&self, root: Node<'_>, text: &str, _file: FileKind, _words: &Words) -> FileScope {
        scope::read(root, text)
    }

    fn open<'tree>(&self, node: Node<'tree>, visit: &mut Visit<'_, 'tree>) -> Option<Item> {
        match node.kind() {
            "method_declaration" => methods::method(node, visit),
            "constructor_declaration" | "compact_constructor_declaration" => methods::constructor(node, visit),
            "object_creation_expression" | "enum_constant" => types::with_body(node, visit),
            _ => types::declared(node, visit),
        }
    }

    fn visit<'tree>(&self, node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
        match node.kind() {
            "annotation" | "marker_annotation" => {
                suppressions::visit(node, visit);
                if visit.in_tests() {
                    assertions::of_annotation(node, visit);
                    regions::annotation(node, visit);
                }
            }
            "throw_statement" => bodies::throws(node, visit),
            "if_statement"
            | "try_statement"
            | "try_with_resources_statement"
            | "for_statement"
            | "enhanced_for_statement"
            | "while_statement"
                if visit.in_tests() =>
            {
                regions::visit(node, visit);
            }
            "method_invocation" if visit.in_tests() => {
                assertions::of_call(node, visit);
                bends::call(node, visit);
            }
            "method_invocation" => bends::probe(node, visit),
            "if_statement" if !visit.in_tests() => bends::branch(node, visit),
            "catch_clause" if visit.in_tests() => bends::caught(node, visit),
            "assert_statement" if visit.in_tests() => assertions::of_assert(node, visit),
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
