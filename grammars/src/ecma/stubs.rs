//! Stand-ins for an implementation: a body that throws, does nothing or gives back a constant.
//!
//! Only the construct and its message are said here; which wording makes a stub is the rule's to decide.

use super::chain::{arguments, is_function, is_text, slice, stripped, unquoted};
use crate::facts::{Body, Shape, Stub, StubForm};
use crate::visit::Visit;
use tree_sitter::Node;

/// Nesting and length up to which an object or array literal is one constant.
const CONSTANT_DEPTH_MAX: u32 = 3;
const CONSTANT_PARTS_MAX: usize = 8;

/// Returns the number of statements of a body that do something, and the first of them. An expression body is one.
pub(super) fn statements<'tree>(body: Node<'tree>, text: &str) -> (u32, Option<Node<'tree>>) {
    if body.kind() != "statement_block" {
        return (1, Some(body));
    }
    let mut cursor = body.walk();
    let mut first = None;
    let mut count = 0;
    for statement in body.named_children(&mut cursor).filter(|n| !is_idle(*n, text)) {
        first = first.or(Some(statement));
        count += 1;
    }
    (count, first)
}

/// Whether a statement is a comment, a directive such as 'use strict', or only names an unused parameter (`void x`).
fn is_idle(node: Node<'_>, text: &str) -> bool {
    match node.kind() {
        "comment" | "empty_statement" => true,
        "expression_statement" => node.named_child(0).is_some_and(|inner| match inner.kind() {
            "string" | "identifier" => true,
            "unary_expression" => {
                slice(text, inner).starts_with("void")
                    && inner.child_by_field_name("argument").is_some_and(|a| stripped(a).kind() == "identifier")
            }
            _ => false,
        }),
        _ => false,
    }
}

/// Returns what a body's only statement amounts to.
pub(super) fn shape(statement: Node<'_>, text: &str) -> Shape {
    match statement.kind() {
        "throw_statement" => Shape::Refusal,
        "return_statement" => match statement.named_child(0) {
            None => Shape::Constant,
            Some(value) => value_shape(value, text),
        },
        kind if kind.ends_with("_statement") || kind.ends_with("_declaration") => Shape::Work,
        _ => value_shape(statement, text),
    }
}

fn value_shape(value: Node<'_>, text: &str) -> Shape {
    if rejection(value, text).is_some() {
        Shape::Refusal
    } else if is_constant(value, text, 0) {
        Shape::Constant
    } else {
        Shape::Work
    }
}

pub(super) fn is_constant(node: Node<'_>, text: &str, depth: u32) -> bool {
    if depth > CONSTANT_DEPTH_MAX {
        return false;
    }
    if node.kind() == "await_expression" {
        return false;
    }
    let node = stripped(node);
    let inside = |node: Node<'_>| {
        let mut cursor = node.walk();
        node.named_child_count() <= CONSTANT_PARTS_MAX
            && node.named_children(&mut cursor).all(|n| match n.kind() {
                "comment" => true,
                "pair" => n.child_by_field_name("value").is_some_and(|v| is_constant(v, text, depth + 1)),
                _ => is_constant(n, text, depth + 1),
            })
    };
    match node.kind() {
        "number" | "string" | "true" | "false" | "null" | "undefined" => true,
        "identifier" => matches!(slice(text, node), "undefined" | "NaN" | "Infinity"),
        "template_string" => !slice(text, node).contains("${"),
        "unary_expression" => node.child_by_field_name("argument").is_some_and(|a| matches!(a.kind(), "number" | "true" | "false")),
        "array" | "object" => inside(node),
        "new_expression" => {
            let name = node.child_by_field_name("constructor").map_or("", |n| slice(text, n));
            matches!(name, "Map" | "Set" | "Array" | "WeakMap" | "WeakSet" | "Object")
                && node.child_by_field_name("arguments").is_none_or(|a| a.named_child_count() == 0)
        }
        "call_expression" => {
            let name = node.child_by_field_name("function").map_or("", |n| slice(text, n));
            matches!(name, "Promise.resolve" | "Object.freeze" | "of" | "EMPTY")
                && node.child_by_field_name("arguments").is_some_and(inside)
        }
        _ => false,
    }
}

/// Emits what the whole body of a function amounts to; throws are emitted where they stand.
pub(super) fn whole(function: Node<'_>, body: Option<Body>, visit: &mut Visit<'_, '_>) {
    let (Some(shape), Some(node)) = (body.map(|b| b.shape), function.child_by_field_name("body")) else { return };
    match shape {
        Shape::Empty if declares_value(function, visit.text) => {
            let anchor = function.child_by_field_name("name").unwrap_or(node);
            visit.out.stubs.push(Stub { span: visit.span(anchor), form: StubForm::Empty, message: None, whole: true });
        }
        Shape::Constant => {
            if let (_, Some(only)) = statements(node, visit.text) {
                visit.out.stubs.push(Stub { span: visit.span(only), form: StubForm::Constant, message: None, whole: true });
            }
        }
        _ => {}
    }
}

/// Whether a function declares a return type that is neither nothing nor anything.
fn declares_value(function: Node<'_>, text: &str) -> bool {
    let Some(declared) = function.child_by_field_name("return_type") else { return false };
    if declared.kind() != "type_annotation" {
        return false;
    }
    let is_generator = {
        let mut cursor = function.walk();
        function.children(&mut cursor).take_while(|n| n.kind() != "formal_parameters").any(|n| n.kind() == "*")
    };
    let source = slice(text, declared);
    let words = source.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
    !is_generator && !words.into_iter().any(|w| matches!(w, "void" | "any" | "unknown" | "undefined" | "never" | "asserts"))
}

/// Emits a throw as a possible stub.
pub(super) fn throw(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(thrown) = node.named_child(0) else { return };
    let Some((form, message)) = refusal(thrown, visit.text) else { return };
    let whole = is_whole_body(node, visit.text);
    visit.out.stubs.push(Stub { span: visit.span(node), form, message, whole });
}

/// Emits a rejected promise that a function gives back as a possible stub.
pub(super) fn rejected(call: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(reason) = rejection(call, visit.text) else { return };
    let Some((form, message)) = refusal(reason, visit.text) else { return };
    let returned = call.parent().filter(|p| p.kind() == "return_statement");
    if returned.is_none() && call.parent().is_none_or(|p| p.kind() != "arrow_function") {
        return;
    }
    let node = returned.unwrap_or(call);
    let whole = is_whole_body(node, visit.text);
    visit.out.stubs.push(Stub { span: visit.span(node), form, message, whole });
}

/// Returns the reason of `Promise.reject(reason)`.
fn rejection<'tree>(value: Node<'tree>, text: &str) -> Option<Node<'tree>> {
    let value = stripped(value);
    let is_reject = value.kind() == "call_expression" && slice(text, value.child_by_field_name("function")?) == "Promise.reject";
    is_reject.then(|| arguments(value.child_by_field_name("arguments")?).first().copied())?
}

/// Returns how a thrown value stands in, with its message; none where it says nothing.
fn refusal(thrown: Node<'_>, text: &str) -> Option<(StubForm, Option<String>)> {
    let thrown = stripped(thrown);
    if is_text(thrown) {
        return Some((StubForm::Refusal, Some(unquoted(slice(text, thrown)).to_owned())));
    }
    let callee = match thrown.kind() {
        "new_expression" => thrown.child_by_field_name("constructor")?,
        "call_expression" => thrown.child_by_field_name("function")?,
        _ => return None,
    };
    let name = slice(text, callee);
    let name = name.rsplit('.').next().unwrap_or(name);
    let inside = thrown.child_by_field_name("arguments").map(arguments).unwrap_or_default();
    let message = inside.iter().map(|a| stripped(*a)).find_map(|a| message(a, text));
    let says_so = ["NotImplemented", "Unimplemented", "NotYetImplemented"].iter().any(|w| name.starts_with(w));
    match (says_so, message) {
        (true, message) => Some((StubForm::NotImplemented, message)),
        (false, Some(message)) => Some((StubForm::Refusal, Some(message))),
        (false, None) => None,
    }
}

/// Returns the literal text of a message, joined strings included.
fn message(node: Node<'_>, text: &str) -> Option<String> {
    if is_text(node) {
        return Some(unquoted(slice(text, node)).to_owned());
    }
    if node.kind() == "binary_expression" {
        return message(stripped(node.child_by_field_name("left")?), text);
    }
    None
}

/// Whether a statement or expression is all that the function around it does.
fn is_whole_body(node: Node<'_>, text: &str) -> bool {
    let Some(parent) = node.parent() else { return false };
    if parent.kind() != "statement_block" {
        return parent.kind() == "arrow_function";
    }
    let of_function = parent.parent().is_some_and(|f| {
        is_function(f) || matches!(f.kind(), "method_definition" | "function_declaration" | "generator_function_declaration")
    });
    of_function && statements(parent, text).0 == 1
}
