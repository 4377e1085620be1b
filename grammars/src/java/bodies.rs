//! What the body of a Java method amounts to, and the stubs in it.
//!
//! An empty body is never a stub by itself: one that owes a value does not compile, and listeners, adapters and null objects
//! are full of the others.

use super::annotations::{arguments, words};
use super::flag;
use crate::facts::{Body, Shape, Stub, StubForm};
use crate::visit::Visit;
use tree_sitter::Node;

/// Returns a body without judging what stands in it.
pub(super) fn plain(block: Node<'_>, visit: &Visit<'_, '_>) -> Body {
    let statements = statements(block, visit.text).len() as u32;
    let shape = if statements == 0 { Shape::Empty } else { Shape::Work };
    Body { span: visit.span(block), statements, shape, branches: 0, calls: 0 }
}

/// Reads a body; emits the stub of a whole body that is one constant, and sets the flag that says that a `throw` is all
/// there is.
pub(super) fn read(block: Node<'_>, visit: &mut Visit<'_, '_>, flags: &mut u32) -> Body {
    let statements = statements(block, visit.text);
    let shape = match statements.as_slice() {
        [] => Shape::Empty,
        [only] => sole(*only, visit, flags),
        _ => Shape::Work,
    };
    Body { span: visit.span(block), statements: statements.len() as u32, shape, branches: 0, calls: 0 }
}

/// Returns the statements of a block that do something; output for a reader of logs is none.
pub(super) fn statements<'tree>(block: Node<'tree>, text: &str) -> Vec<Node<'tree>> {
    let mut cursor = block.walk();
    block.named_children(&mut cursor).filter(|n| !n.kind().ends_with("comment") && !prints(*n, text)).collect()
}

fn prints(statement: Node<'_>, text: &str) -> bool {
    let Some(call) = statement.named_child(0).filter(|c| statement.kind() == "expression_statement" && c.kind() == "method_invocation")
    else {
        return false;
    };
    let field = |name: &str| call.child_by_field_name(name).map_or("", |n| &text[n.byte_range()]);
    match (field("object"), field("name")) {
        ("System.out" | "System.err", name) => name.starts_with("print"),
        (object, "trace" | "debug" | "info" | "warn" | "warning" | "fine" | "finer" | "finest") => {
            let object = object.rsplit('.').next().unwrap_or(object).to_ascii_lowercase();
            ["log", "logger", "_log", "_logger"].contains(&object.as_str())
        }
        _ => false,
    }
}

/// Judges the only statement of a body.
fn sole(statement: Node<'_>, visit: &mut Visit<'_, '_>, flags: &mut u32) -> Shape {
    match statement.kind() {
        "throw_statement" => {
            *flags |= flag::SOLE;
            Shape::Refusal
        }
        "return_statement" => {
            let mut cursor = statement.walk();
            let value = statement.named_children(&mut cursor).find(|n| !n.kind().ends_with("comment"));
            if value.is_some_and(|v| !is_constant(v, visit.text, 0)) {
                return Shape::Work;
            }
            visit.out.stubs.push(Stub { span: visit.span(statement), form: StubForm::Constant, message: None, whole: true });
            Shape::Constant
        }
        _ => Shape::Work,
    }
}

/// Emits the stub of a `throw` of a new exception.
pub(super) fn throws(statement: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(made) = statement.named_child(0).filter(|n| n.kind() == "object_creation_expression") else { return };
    let Some(name) = made.child_by_field_name("type").map(|t| visit.text_of(t)) else { return };
    let name = name.rsplit('.').next().unwrap_or(name);
    let message = made.child_by_field_name("arguments").and_then(|a| words(a, visit.text));
    let whole = visit.frame().flags & flag::SOLE != 0;
    let missing =
        ["NotImplementedException", "NotImplementedError", "NotYetImplementedException", "UnimplementedException"].contains(&name);
    let final_word = message.as_deref().is_some_and(refuses_for_good);
    let form = if missing && whole && !final_word { StubForm::NotImplemented } else { StubForm::Refusal };
    visit.out.stubs.push(Stub { span: visit.span(statement), form, message, whole });
}

/// Whether a message says what to do instead, or that there is nothing to come.
fn refuses_for_good(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    ["use ", "instead", "not support", "unsupported", "read-only", "readonly", "immutable", "should not be", "must not be"]
        .iter()
        .any(|w| message.contains(w))
}

/// Whether an expression is the same whatever the input.
pub(super) fn is_constant(node: Node<'_>, text: &str, depth: usize) -> bool {
    const DEPTH_MAX: usize = 6;
    const PARTS_MAX: usize = 16;
    if depth > DEPTH_MAX {
        return false;
    }
    let all = |nodes: Vec<Node<'_>>| nodes.len() <= PARTS_MAX && nodes.into_iter().all(|n| is_constant(n, text, depth + 1));
    let field = |name: &str| node.child_by_field_name(name).map_or("", |n| &text[n.byte_range()]);
    match node.kind() {
        "null_literal" | "true" | "false" | "string_literal" | "character_literal" => true,
        kind if kind.ends_with("_literal") => kind != "class_literal",
        "parenthesized_expression" => node.named_child(0).is_some_and(|n| is_constant(n, text, depth + 1)),
        "unary_expression" => node.child_by_field_name("operand").is_some_and(|n| is_constant(n, text, depth + 1)),
        "cast_expression" => node.child_by_field_name("value").is_some_and(|n| is_constant(n, text, depth + 1)),
        "array_creation_expression" => match node.child_by_field_name("value") {
            Some(value) => value.named_child_count() == 0,
            None => {
                let mut cursor = node.walk();
                node.children_by_field_name("dimensions", &mut cursor).all(|d| text[d.byte_range()].trim_matches(['[', ']', ' ']) == "0")
            }
        },
        "object_creation_expression" => {
            const EMPTY: &[&str] = &[
                "ArrayList",
                "LinkedList",
                "HashMap",
                "LinkedHashMap",
                "TreeMap",
                "HashSet",
                "LinkedHashSet",
                "TreeSet",
                "ArrayDeque",
                "Object",
                "String",
                "StringBuilder",
                "Properties",
            ];
            EMPTY.contains(&field("type").split('<').next().unwrap_or("").trim()) && arguments(node).is_empty()
        }
        "method_invocation" => {
            const OF: &[&str] =
                &["List", "Set", "Map", "Optional", "Stream", "Collections", "ImmutableList", "ImmutableSet", "ImmutableMap"];
            let makes = ["of", "empty", "emptyList", "emptySet", "emptyMap", "emptyIterator", "ofNullable"].contains(&field("name"));
            (makes && OF.contains(&field("object")) && all(arguments(node)))
                || (["completedFuture", "just"].contains(&field("name"))
                    && ["CompletableFuture", "Mono"].contains(&field("object"))
                    && all(arguments(node)))
        }
        _ => false,
    }
}
