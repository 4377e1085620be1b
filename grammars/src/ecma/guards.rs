//! Under which condition a place is reached, for markers whose weight depends on it (rules-a.md D1, D2).
//!
//! Inside a unit the ancestors are looked at. What lies around a unit is known by its frames alone: a branch that can hold
//! markers opens an unnamed scope whose flags say its condition.

use super::chain::{is_function, slice};
use super::constants::{Value, evaluate};
use super::flags;
use crate::facts::{Condition, Item, ItemKind, Span};
use crate::visit::{Frame, Visit};
use tree_sitter::Node;

/// Ancestors that are looked at; a place below more of them is taken to be conditional.
const ANCESTORS_MAX: usize = 64;
/// Words without which a branch holds no marker.
const MARKER_WORDS: &[&str] =
    &["skip", "only", "todo", "fixme", "fail", "xit", "xtest", "xdescribe", "xcontext", "fit", "fdescribe", "ftest"];

/// Returns the kind of the innermost item whose code runs here, unnamed scopes left out.
pub(super) fn runs_here(visit: &Visit<'_, '_>) -> ItemKind {
    visit.frames.iter().rev().find(|f| !is_unnamed_scope(f)).map_or(ItemKind::File, |f| f.kind)
}

fn is_unnamed_scope(frame: &Frame) -> bool {
    frame.kind == ItemKind::Scope && frame.name.is_empty()
}

/// Opens a branch that can hold markers, where its condition decides what becomes of them.
pub(super) fn open(node: Node<'_>, visit: &Visit<'_, '_>) -> Option<Item> {
    if !visit.in_tests() && visit.scope.frameworks == 0 || matches!(runs_here(visit), ItemKind::Test | ItemKind::Hook) {
        return None;
    }
    let text = slice(visit.text, node);
    if !MARKER_WORDS.iter().any(|w| text.contains(w)) {
        return None;
    }
    let condition = |node: Node<'_>| Some(evaluate(node.child_by_field_name("condition")?, visit.text, visit.scope));
    let bits = match node.kind() {
        "if_statement" => {
            let branch = node.child_by_field_name("consequence")?;
            let one_way = if has_other_way(node, branch) { 0 } else { flags::ONE_WAY };
            bits_of(condition(node)?) | one_way
        }
        "else_clause" => bits_of(condition(node.parent()?)?.not()) | flags::IS_ELSE,
        "expression_statement" => {
            let choice = node.named_child(0).filter(|n| n.kind() == "ternary_expression")?;
            if condition(choice)? == Value::Constant(true) {
                return None;
            }
            flags::GUARD_RUNTIME
        }
        _ => flags::GUARD_RUNTIME,
    };
    Some(Item { flags: bits, ..Item::new(ItemKind::Scope, "", Span::default()) })
}

fn bits_of(value: Value) -> u32 {
    match value {
        Value::Constant(_) => 0,
        Value::Ci(true) => flags::GUARD_CI,
        Value::Ci(false) => flags::GUARD_ELSEWHERE,
        Value::Runtime => flags::GUARD_RUNTIME,
    }
}

/// Whether an `if` chooses between two ways on, so that the branch not taken can define the same test.
fn has_other_way(statement: Node<'_>, branch: Node<'_>) -> bool {
    let mut cursor = branch.walk();
    statement.child_by_field_name("alternative").is_some()
        || branch.kind() == "return_statement"
        || branch.named_children(&mut cursor).any(|s| s.kind() == "return_statement")
}

/// Returns under which condition the branches around the present unit are reached. A test that stands in one branch only
/// would not run otherwise either, so a skip on it holds whenever it could run; a focus there is a person's choice.
pub(super) fn around(visit: &Visit<'_, '_>, focus: bool) -> Condition {
    let mut weakest = Condition::Always;
    let mut skips_if = false;
    for frame in visit.frames.iter().rev().take_while(|f| is_unnamed_scope(f)) {
        let guard = frame.flags & (flags::GUARD_RUNTIME | flags::GUARD_CI | flags::GUARD_ELSEWHERE);
        let is_else = frame.flags & flags::IS_ELSE != 0;
        if (guard == 0 && !is_else) || (!focus && frame.flags & flags::ONE_WAY != 0) {
            continue;
        }
        if skips_if && !is_else {
            skips_if = false;
            continue;
        }
        skips_if = is_else;
        match guard {
            0 => {}
            flags::GUARD_CI => weaken(&mut weakest, Value::Ci(true)),
            _ => weaken(&mut weakest, Value::Runtime),
        }
    }
    weakest
}

/// Returns under which condition a statement of a test, hook, group or file is reached: it is unconditional only at the top
/// of its callback, with no guard that returns before it.
pub(super) fn place(node: Node<'_>, visit: &Visit<'_, '_>) -> Condition {
    let stop = visit.frame().start as usize;
    let mut child = node;
    let mut functions = 0;
    let mut weakest = around(visit, true);
    for _ in 0..ANCESTORS_MAX {
        let Some(parent) = child.parent() else { return weakest };
        // The node that opened the frame, and all outside it, is told by the frames.
        if visit.frames.len() > 1 && parent.start_byte() <= stop {
            return weakest;
        }
        match parent.kind() {
            "if_statement" | "ternary_expression" => {
                let taken = |field| parent.child_by_field_name(field).is_some_and(|n| n == child);
                let condition = parent.child_by_field_name("condition");
                if let Some(condition) = condition.filter(|c| *c != child) {
                    let value = evaluate(condition, visit.text, visit.scope);
                    weaken(&mut weakest, if taken("alternative") { value.not() } else { value });
                }
            }
            "binary_expression" => {
                let operator = parent.child_by_field_name("operator").map_or("", |n| slice(visit.text, n));
                let left = parent.child_by_field_name("left").filter(|l| *l != child);
                if let Some(left) = left.filter(|_| matches!(operator, "&&" | "||" | "??")) {
                    let value = evaluate(left, visit.text, visit.scope);
                    weaken(&mut weakest, if operator == "&&" { value } else { value.not() });
                }
            }
            "switch_case" | "switch_default" | "catch_clause" | "while_statement" | "do_statement" | "for_statement"
            | "for_in_statement" => {
                weaken(&mut weakest, Value::Runtime);
            }
            "statement_block" if returns_before(parent, child, visit) => weaken(&mut weakest, Value::Runtime),
            _ if is_function(parent) => {
                functions += 1;
                if functions > 1 {
                    weaken(&mut weakest, Value::Runtime);
                }
            }
            _ => {}
        }
        child = parent;
    }
    Condition::Runtime
}

fn weaken(weakest: &mut Condition, value: Value) {
    *weakest = match (*weakest, value) {
        (Condition::Runtime, _) | (_, Value::Runtime | Value::Ci(false)) => Condition::Runtime,
        (_, Value::Ci(true)) => Condition::Ci,
        (before, Value::Constant(_)) => before,
    };
}

/// Whether a statement of a block stands behind one that can leave it: `if (ready) return;`.
fn returns_before(block: Node<'_>, statement: Node<'_>, visit: &Visit<'_, '_>) -> bool {
    let mut cursor = block.walk();
    block.named_children(&mut cursor).take_while(|n| n.start_byte() < statement.start_byte()).any(|n| {
        n.kind() == "if_statement"
            && n.child_by_field_name("consequence").is_some_and(|c| {
                c.kind() == "return_statement" || {
                    let mut cursor = c.walk();
                    c.kind() == "statement_block" && c.named_children(&mut cursor).any(|s| s.kind() == "return_statement")
                }
            })
            && n.child_by_field_name("condition").is_some_and(|c| !matches!(evaluate(c, visit.text, visit.scope), Value::Constant(_)))
    })
}
