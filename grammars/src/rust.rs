//! Rust: its row, its vocabulary of node kinds, and the adapter that hands each kind to the file that knows it.
//!
//! `attributes` and `tokens` read what the grammar leaves as token trees; `items` opens units and emits markers; `bodies`,
//! `bends`, `macros`, `suppressions`, `assertions`, `docs` and `commented` hold one kind of fact each.

mod assertions;
mod attributes;
mod bends;
mod bodies;
mod claims;
mod commented;
mod docs;
mod items;
mod macros;
mod regions;
mod suppressions;
mod tokens;

use crate::Language;
use crate::checks::{Check, Parts};
use crate::facts::{Condition, Effect, Item, Marker};
use crate::visit::{Adapter, CommentedTest, FileKind, FileScope, Visit, Words, role};
use tree_sitter::Node;

/// Rust.
pub(crate) static RUST: Language = Language {
    id: "rust",
    lsp_ids: &["rust"],
    extensions: &["rs"],
    test_paths: &["**/tests/**", "**/tests.rs", "tests/**"],
    // Any module can hold tests; which files are modules, their crate says.
    collected: &["**/*.rs"],
    configuring: &[],
    passed_over: &[],
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    node_kind_count: 355,
    roles: &[
        ("line_comment", role::COMMENT | role::VISIT),
        ("block_comment", role::COMMENT | role::VISIT),
        ("attribute_item", role::ATTACH | role::VISIT),
        ("inner_attribute_item", role::VISIT),
        ("function_item", role::ITEM),
        ("mod_item", role::ITEM),
        ("impl_item", role::ITEM),
        ("trait_item", role::ITEM),
        ("macro_definition", role::VISIT),
        ("macro_invocation", role::ITEM | role::VISIT | role::CALL),
        ("token_tree", role::ITEM),
        ("call_expression", role::VISIT | role::CALL),
        ("try_expression", role::VISIT),
        ("if_expression", role::VISIT | role::BRANCH),
        ("match_expression", role::BRANCH),
        ("while_expression", role::VISIT | role::BRANCH),
        ("loop_expression", role::BRANCH),
        ("for_expression", role::VISIT | role::BRANCH),
        ("string_literal", role::LEAF),
        ("raw_string_literal", role::LEAF),
        ("char_literal", role::LEAF),
    ],
    redefinition_hides: false,
    indent_bytes_max: None,
    separator: "::",
    adapter: &Rust,
};

/// Bits of frames and of the file's scope.
mod flag {
    /// Directly in a trait: functions are defaults.
    pub(super) const IN_TRAIT: u32 = 1;
    /// In an `impl` of a null object.
    pub(super) const NULL_OBJECT: u32 = 1 << 1;
    /// The body is one macro call and nothing else.
    pub(super) const SOLE: u32 = 1 << 2;
    /// A block of property tests: bodies of functions are token trees.
    pub(super) const PROPERTY: u32 = 1 << 3;
    /// Every function of the block is a test.
    pub(super) const QUICK: u32 = 1 << 4;
    /// Number of bits above; the rest holds a digest.
    pub(super) const BITS: u32 = 8;
    /// Of the file's scope: `#![cfg(test)]` stands on top.
    pub(super) const TEST_FILE: u64 = 1;
}

struct Rust;

impl Adapter for Rust {
    fn scope(&self, root: Node<'_>, text: &str, _file: FileKind, _words: &Words) -> FileScope {
        let mut scope = FileScope::default();
        let mut cursor = root.walk();
        let head = root.named_children(&mut cursor).take_while(|n| n.kind() == "inner_attribute_item" || n.kind().ends_with("comment"));
        for node in head.filter(|n| n.kind() == "inner_attribute_item") {
            let tests = attributes::of_range(text, node.byte_range()).iter().any(|a| {
                a.path(text) == "cfg"
                    && a.meta.args.clone().is_some_and(|r| attributes::metas(text, r).iter().any(|p| attributes::implies_test(text, p)))
            });
            if tests {
                scope.flags |= flag::TEST_FILE;
            }
        }
        scope
    }

    fn open<'tree>(&self, node: Node<'tree>, visit: &mut Visit<'_, 'tree>) -> Option<Item> {
        match node.kind() {
            "token_tree" => macros::property(node, visit),
            "macro_invocation" => macros::block(node, visit),
            "function_item" => items::function(node, visit),
            "mod_item" => items::module(node, visit),
            "impl_item" => items::implementation(node, visit),
            "trait_item" => items::interface(node, visit),
            _ => None,
        }
    }

    fn visit<'tree>(&self, node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
        match node.kind() {
            "call_expression" if visit.in_tests() => {
                assertions::of_call(node, visit);
                if visit.briefly_says(node, &["exit(0)", ".expect_"])
                    && let Some(function) = node.child_by_field_name("function")
                {
                    bends::exit(node, function, visit);
                    bends::answer(node, function, visit);
                }
            }
            "macro_definition" if visit.in_tests() => bends::definition(node, visit),
            "try_expression" if visit.in_tests() => assertions::of_try(node, visit),
            "if_expression" if visit.in_tests() => {
                assertions::of_if(node, visit);
                regions::visit(node, visit);
            }
            "for_expression" | "while_expression" if visit.in_tests() => regions::visit(node, visit),
            "if_expression" => bends::branch(node, visit),
            "macro_invocation" => macros::visit(node, visit),
            "line_comment" | "block_comment" => docs::visit(node, visit),
            "attribute_item" => {
                let attributes = attributes::of_range(visit.text, node.byte_range());
                suppressions::emit(&attributes, visit, false);
            }
            "inner_attribute_item" => {
                let attributes = attributes::of_range(visit.text, node.byte_range());
                suppressions::emit(&attributes, visit, true);
                whole_file(&attributes, visit);
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

/// Emits the marker of a `#![cfg(…)]` that takes a file of tests out of the build.
fn whole_file(attributes: &[attributes::Attribute], visit: &mut Visit<'_, '_>) {
    let text = visit.text;
    if visit.frames.len() > 1 || !(visit.file == FileKind::Test || items::holds_tests(text)) {
        return;
    }
    for attribute in attributes.iter().filter(|a| a.path(text) == "cfg" && a.predicates.is_empty()) {
        let Some(args) = attribute.meta.args.clone() else { continue };
        let Some(predicate) = attributes::metas(text, args).into_iter().next() else { continue };
        let condition = match attributes::evaluate(text, &predicate) {
            Some(true) => continue,
            Some(false) => Condition::Always,
            None if attributes::says_ci(text, &predicate) => Condition::Ci,
            None => Condition::Runtime,
        };
        let range = attribute.meta.range.clone();
        let mut marker = Marker::new(Effect::Disabled, visit.span_of(range.start, range.end));
        marker.condition = condition;
        marker.whole_file = true;
        marker.removal = items::removal(attribute, visit);
        visit.out.markers.push(marker);
    }
}
