//! Functions, methods and classes: their names, their bodies, and why an empty one is complete as it is.

use super::chain::{arguments, is_function, slice, stripped, unquoted};
use super::flags::{self, Parameter};
use super::scope::is_extended;
use super::{shadows, stubs};
use crate::facts::{Body, Item, ItemKind, Shape};
use crate::visit::{Frame, Visit};
use tree_sitter::Node;

/// Returns the first parameter of a function literal.
pub(super) fn first_parameter<'a>(function: Node<'_>, text: &'a str) -> Parameter<'a> {
    let Some(first) = parameters(function).into_iter().next() else { return Parameter::None };
    match first.kind() {
        "identifier" => Parameter::Named(slice(text, first)),
        "object_pattern" => {
            let mut cursor = first.walk();
            let takes_skip = first.named_children(&mut cursor).any(|n| slice(text, n) == "skip");
            Parameter::Pattern { takes_skip }
        }
        _ => Parameter::None,
    }
}

/// Returns the patterns of a function's parameters, without types and defaults.
pub(super) fn parameters(function: Node<'_>) -> Vec<Node<'_>> {
    if let Some(one) = function.child_by_field_name("parameter") {
        return vec![one];
    }
    let Some(list) = function.child_by_field_name("parameters") else { return Vec::new() };
    arguments(list).into_iter().map(|p| p.child_by_field_name("pattern").or_else(|| p.child_by_field_name("left")).unwrap_or(p)).collect()
}

/// Returns the body of a function, with what its statements amount to.
pub(super) fn body_of(function: Node<'_>, visit: &Visit<'_, '_>) -> Option<Body> {
    let body = function.child_by_field_name("body")?;
    let (statements, shape) = match stubs::statements(body, visit.text) {
        (0, _) => (0, Shape::Empty),
        (1, Some(only)) => (1, stubs::shape(only, visit.text)),
        (count, _) => (count, Shape::Work),
    };
    Some(Body { span: visit.span(body), statements, shape, branches: 0, calls: 0 })
}

/// Returns the function that a declarator, pair, field or assignment binds; `memo(() => …)` binds what it wraps.
fn bound(value: Node<'_>) -> Option<(Node<'_>, bool)> {
    let value = stripped(value);
    if is_function(value) {
        return Some((value, false));
    }
    if value.kind() != "call_expression" {
        return None;
    }
    let first = value.child_by_field_name("arguments")?.named_child(0)?;
    is_function(first).then_some((first, true))
}

/// Opens the item of a function, method or class, or of a value bound to a name.
pub(super) fn open<'tree>(node: Node<'tree>, visit: &mut Visit<'_, 'tree>) -> Option<Item> {
    match node.kind() {
        "function_declaration" | "generator_function_declaration" => function(node.child_by_field_name("name"), node, false, visit),
        "method_definition" => function(node.child_by_field_name("name"), node, false, visit),
        "variable_declarator" => {
            let name = node.child_by_field_name("name").filter(|n| n.kind() == "identifier")?;
            let value = stripped(node.child_by_field_name("value")?);
            if value.kind() == "object" && is_outermost(visit.frame()) {
                return Some(scope(Some(name), 0, visit));
            }
            let (literal, wrapped) = bound(value)?;
            function(Some(name), literal, wrapped, visit)
        }
        "pair" => {
            let (literal, wrapped) = bound(node.child_by_field_name("value")?).filter(|(_, wrapped)| !wrapped)?;
            function(node.child_by_field_name("key"), literal, wrapped, visit)
        }
        "public_field_definition" | "field_definition" => {
            let (literal, wrapped) = bound(node.child_by_field_name("value")?)?;
            function(node.child_by_field_name("name").or_else(|| node.child_by_field_name("property")), literal, wrapped, visit)
        }
        "assignment_expression" => {
            let left = node.child_by_field_name("left")?;
            let (literal, wrapped) = bound(node.child_by_field_name("right")?)?;
            let name = match left.kind() {
                "identifier" => left,
                "member_expression" => left.child_by_field_name("property")?,
                _ => return None,
            };
            function(Some(name), literal, wrapped, visit)
        }
        "export_statement" => {
            let (literal, wrapped) = bound(node.child_by_field_name("value")?)?;
            function(None, literal, wrapped, visit)
        }
        "class_declaration" | "abstract_class_declaration" | "class" => {
            let name = node.child_by_field_name("name");
            let bits = name.map_or(0, |n| class_flags(slice(visit.text, n), node.kind() == "abstract_class_declaration", visit));
            Some(scope(name, bits, visit))
        }
        "internal_module" | "module" => Some(scope(node.child_by_field_name("name"), 0, visit)),
        _ => None,
    }
}

/// Whether a frame is one in which an object literal is worth a unit of its own.
pub(super) fn is_outermost(frame: &Frame) -> bool {
    matches!(frame.kind, ItemKind::File | ItemKind::Scope)
}

fn scope(name: Option<Node<'_>>, bits: u32, visit: &Visit<'_, '_>) -> Item {
    let text = name.map_or("", |n| slice(visit.text, n));
    let span = name.map_or_else(Default::default, |n| visit.span(n));
    let null = if is_null_object(text) { flags::NULL_OBJECT } else { 0 };
    Item { flags: bits | null, ..Item::new(ItemKind::Scope, text, span) }
}

fn class_flags(name: &str, is_abstract: bool, visit: &Visit<'_, '_>) -> u32 {
    let base = is_abstract || is_base_name(name) || is_extended(visit.scope, name);
    if base { flags::BASE_CLASS } else { 0 }
}

fn function<'tree>(name: Option<Node<'tree>>, literal: Node<'tree>, wrapped: bool, visit: &mut Visit<'_, 'tree>) -> Option<Item> {
    let text = visit.text;
    let own = name.map_or("default", |n| unquoted(slice(text, n)));
    let span = name.map_or_else(Default::default, |n| visit.span(n));
    let mut item = Item::new(ItemKind::Function, own, span);
    item.body = body_of(literal, visit);
    item.private = visit.in_tests() && name.is_some_and(|n| is_private(n, text));
    item.exempt = exempt(own, literal, visit);
    item.flags = shadows::of_function(literal, false, visit);
    if !wrapped {
        stubs::whole(literal, item.body, visit);
    }
    Some(item)
}

/// Whether a name is declared by a statement of its own that exports nothing: members and assignments are reached through what
/// holds them.
fn is_private(name: Node<'_>, text: &str) -> bool {
    let line = text[..name.start_byte()].rfind('\n').map_or(0, |i| i + 1);
    let words: Vec<&str> = text[line..name.start_byte()].split_whitespace().collect();
    matches!(words.as_slice(), ["function" | "const" | "let" | "var"] | ["async", "function"])
}

/// Returns why a function with nothing in it is complete as it is (rules-a.md 5).
fn exempt(name: &str, function: Node<'_>, visit: &Visit<'_, '_>) -> Option<&'static str> {
    let class = visit.frame();
    let is_method = function.kind() == "method_definition";
    if is_method && name == "constructor" {
        return Some("a constructor");
    }
    if is_noop_name(name) {
        return Some("named as one that does nothing");
    }
    if class.kind == ItemKind::Scope && class.flags & flags::NULL_OBJECT != 0 {
        return Some("part of a null object");
    }
    if class.kind == ItemKind::Scope && class.flags & flags::BASE_CLASS != 0 {
        return Some("a hook of a base class");
    }
    if is_method && is_accessor(function) {
        return Some("an accessor");
    }
    None
}

fn is_accessor(method: Node<'_>) -> bool {
    let mut cursor = method.walk();
    method.children(&mut cursor).take_while(|n| n.kind() != "formal_parameters").any(|n| matches!(n.kind(), "get" | "set"))
}

/// Words of a name in camel case or with underscores, lower case.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower_before = false;
    for letter in name.chars() {
        if letter == '_' || letter == '$' || letter == '-' {
            words.push(String::new());
            lower_before = false;
            continue;
        }
        if letter.is_uppercase() && lower_before {
            words.push(String::new());
        }
        lower_before = letter.is_lowercase() || letter.is_ascii_digit();
        if let Some(last) = words.last_mut() {
            last.extend(letter.to_lowercase());
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

/// Whether a name says that what has it does nothing.
pub(super) fn is_noop_name(name: &str) -> bool {
    let words = words_of(name);
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [first, ..] if matches!(*first, "noop" | "nop") => true,
        ["no", "op", ..] | ["do", "nothing", ..] | ["identity"] | ["empty", "function" | "fn"] => true,
        [.., last] => matches!(*last, "noop" | "nop"),
        [] => false,
    }
}

fn is_null_object(name: &str) -> bool {
    let words = words_of(name);
    match words.first().map(String::as_str) {
        Some("null" | "noop" | "nop" | "no" | "dummy" | "silent" | "fake" | "stub" | "mock" | "void" | "nil") => words.len() > 1,
        _ => false,
    }
}

fn is_base_name(name: &str) -> bool {
    let words = words_of(name);
    let is_base = |w: Option<&String>| w.is_some_and(|w| matches!(w.as_str(), "base" | "abstract"));
    let ends = |w: Option<&String>| w.is_some_and(|w| matches!(w.as_str(), "base" | "mixin" | "interface" | "protocol" | "abstract"));
    is_base(words.first()) || (words.len() > 1 && ends(words.last()))
}
