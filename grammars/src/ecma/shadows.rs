//! Words of a runner that are bound to something else inside the file: a loop variable `test`, a parameter `it`.
//!
//! The top level is `scope.rs`'s. Below it, what a unit binds goes to its flags, so that units inside it see it.

use super::chain::{is_function, slice};
use super::flags;
use super::frameworks::word;
use super::functions::parameters;
use super::scope::origin;
use crate::facts::{Item, ItemKind, Span};
use crate::visit::Visit;
use tree_sitter::Node;

/// Statements of a body that are searched for declarations.
const STATEMENTS_MAX: usize = 256;
/// Ancestors that are looked at.
const ANCESTORS_MAX: usize = 64;

/// Whether a name, as it is used at a node, is bound to something else than a runner.
pub(super) fn shadowed(identifier: Node<'_>, visit: &Visit<'_, '_>) -> bool {
    let bit = bit_of(slice(visit.text, identifier));
    visit.frames.iter().any(|f| f.flags & bit != 0) || within(identifier, bit, visit)
}

/// Looks between a node and the start of its unit.
fn within(identifier: Node<'_>, bit: u32, visit: &Visit<'_, '_>) -> bool {
    let stop = visit.frame().start as usize;
    let mut child = identifier;
    for _ in 0..ANCESTORS_MAX {
        let Some(parent) = child.parent() else { return false };
        if visit.frames.len() > 1 && parent.start_byte() <= stop || parent.parent().is_none() {
            return false;
        }
        // The callback of the unit itself is in its flags; its first parameter is what the runner hands to it.
        let is_own = |function: Node<'_>| visit.frames.len() > 1 && is_callback_of_unit(function, stop);
        let hidden = match parent.kind() {
            "statement_block" => of_block(parent, visit),
            "for_in_statement" => of_loop(parent, visit),
            _ if is_function(parent) && !is_own(parent) => of_parameters(parent, visit),
            _ => 0,
        };
        if hidden & bit != 0 {
            return true;
        }
        child = parent;
    }
    false
}

fn is_callback_of_unit(function: Node<'_>, start: usize) -> bool {
    let call = function.parent().and_then(|arguments| arguments.parent());
    call.is_some_and(|c| c.start_byte() == start)
}

/// Returns the bits for what a function binds: its parameters, unless a runner hands them to it, and its declarations.
pub(super) fn of_function(function: Node<'_>, by_runner: bool, visit: &Visit<'_, '_>) -> u32 {
    if !visit.in_tests() && visit.scope.frameworks == 0 {
        return 0;
    }
    let parameters = if by_runner { 0 } else { of_parameters(function, visit) };
    let body = function.child_by_field_name("body").filter(|b| b.kind() == "statement_block");
    parameters | body.map_or(0, |b| of_block(b, visit))
}

/// Opens an unnamed scope for a loop, or a call with a callback, that binds a runner's word.
pub(super) fn open(node: Node<'_>, visit: &Visit<'_, '_>) -> Option<Item> {
    if !visit.in_tests() && visit.scope.frameworks == 0 || visit.enclosing(ItemKind::Test).is_some() {
        return None;
    }
    let bits = match node.kind() {
        "for_in_statement" => of_loop(node, visit),
        _ => {
            let inside = node.child_by_field_name("arguments")?;
            let mut cursor = inside.walk();
            let callback = inside.named_children(&mut cursor).find(|n| is_function(*n))?;
            of_parameters(callback, visit)
        }
    };
    (bits != 0).then(|| Item { flags: bits, ..Item::new(ItemKind::Scope, "", Span::default()) })
}

fn bit_of(name: &str) -> u32 {
    match name {
        "test" => flags::HIDES_TEST,
        "it" => flags::HIDES_IT,
        "describe" => flags::HIDES_DESCRIBE,
        "context" | "suite" | "bench" | "module" | "experiment" | "specify" => flags::HIDES_COMMON,
        _ => flags::HIDES_OTHER,
    }
}

fn of_parameters(function: Node<'_>, visit: &Visit<'_, '_>) -> u32 {
    parameters(function).into_iter().fold(0, |bits, p| bits | of_pattern(p, visit.text))
}

fn of_loop(statement: Node<'_>, visit: &Visit<'_, '_>) -> u32 {
    statement.child_by_field_name("left").map_or(0, |left| of_pattern(left, visit.text))
}

fn of_block(block: Node<'_>, visit: &Visit<'_, '_>) -> u32 {
    let mut cursor = block.walk();
    block.named_children(&mut cursor).take(STATEMENTS_MAX).fold(0, |bits, statement| bits | of_statement(statement, visit))
}

fn of_statement(statement: Node<'_>, visit: &Visit<'_, '_>) -> u32 {
    match statement.kind() {
        "lexical_declaration" | "variable_declaration" => {
            let mut cursor = statement.walk();
            statement.named_children(&mut cursor).fold(0, |bits, declarator| {
                let own = declarator.child_by_field_name("name").map_or(0, |n| of_pattern(n, visit.text));
                let value = declarator.child_by_field_name("value").filter(|_| own != 0);
                let from_runner = value.is_some_and(|v| origin(v, visit.text, visit.scope, visit.file).is_some());
                if from_runner { bits } else { bits | own }
            })
        }
        "function_declaration" | "class_declaration" => statement.child_by_field_name("name").map_or(0, |n| of_name(slice(visit.text, n))),
        _ => 0,
    }
}

fn of_name(name: &str) -> u32 {
    if word(name).is_some_and(|w| w.kind != ItemKind::Hook) { bit_of(name) } else { 0 }
}

/// Returns the bits of the runner's words that a pattern binds.
fn of_pattern(pattern: Node<'_>, text: &str) -> u32 {
    match pattern.kind() {
        "identifier" | "shorthand_property_identifier_pattern" => of_name(slice(text, pattern)),
        "pair_pattern" => pattern.child_by_field_name("value").map_or(0, |v| of_pattern(v, text)),
        "assignment_pattern" | "object_assignment_pattern" => pattern.child_by_field_name("left").map_or(0, |l| of_pattern(l, text)),
        "object_pattern" | "array_pattern" | "rest_pattern" => {
            let mut cursor = pattern.walk();
            pattern.named_children(&mut cursor).fold(0, |bits, n| bits | of_pattern(n, text))
        }
        _ => 0,
    }
}
