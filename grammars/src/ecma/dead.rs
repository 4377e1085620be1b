//! Tests that are never defined: `if (false) { it(…) }`, `false && it(…)`.
//!
//! A condition counts only where it is constant (`constants.rs`); one evaluated at run time is a precondition. One marker
//! speaks for all that the branch holds, and stands on the condition.

use super::chain::{root_of, slice, statement_call, stripped};
use super::constants::{Value, evaluate};
use super::tests::define;
use crate::facts::{Edit, Effect, ItemKind, Marker};
use crate::visit::{FileKind, Visit};
use tree_sitter::Node;

/// `if (false) { it(…) }`, `if (true) {} else { it(…) }`: one marker on the condition for all tests in the branch.
pub(super) fn branch<'tree>(node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    if !collects(visit) {
        return;
    }
    let Some(condition) = node.child_by_field_name("condition") else { return };
    let unreached = match evaluate(condition, visit.text, visit.scope) {
        Value::Constant(false) => node.child_by_field_name("consequence"),
        Value::Constant(true) => node.child_by_field_name("alternative").and_then(|otherwise| otherwise.named_child(0)),
        _ => return,
    };
    if let Some(subject) = unreached.and_then(|b| first_defined(b, visit)) {
        dead(node.start_byte()..condition.end_byte(), subject, Vec::new(), visit);
    }
}

/// `false && it(…)`, `true || it(…)`, `false ? it(…) : 0`: what such a statement defines is never reached.
pub(super) fn statement<'tree>(node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let Some(expression) = node.named_child(0).filter(|e| matches!(e.kind(), "binary_expression" | "ternary_expression")) else {
        return;
    };
    if !collects(visit) {
        return;
    }
    let field = |name| expression.child_by_field_name(name);
    let value = |node| evaluate(node, visit.text, visit.scope);
    let (condition, unreached) = if expression.kind() == "ternary_expression" {
        let Some(condition) = field("condition") else { return };
        let arm = match value(condition) {
            Value::Constant(true) => "alternative",
            Value::Constant(false) => "consequence",
            _ => return,
        };
        (condition, field(arm))
    } else {
        let Some((left, operator)) = field("left").zip(field("operator")) else { return };
        let skips = match slice(visit.text, operator) {
            "&&" => Value::Constant(false),
            "||" => Value::Constant(true),
            _ => return,
        };
        (left, field("right").filter(|_| value(left) == skips))
    };
    let call = unreached.map(stripped).filter(|n| n.kind() == "call_expression");
    let Some(definition) = call.and_then(|c| define(c, visit)).filter(|d| d.kind != ItemKind::Hook) else { return };
    let subject = definition.name(visit.text);
    let (start, end) = (expression.start_byte(), condition.end_byte());
    let removal = match unreached.filter(|_| expression.kind() == "binary_expression") {
        Some(right) => vec![Edit { span: visit.span_of(start, right.start_byte()), text: String::new() }],
        None => Vec::new(),
    };
    dead(start..end, subject, removal, visit);
}

fn collects(visit: &Visit<'_, '_>) -> bool {
    visit.file == FileKind::Test || visit.in_tests()
}

/// Returns the name of the first test or group that the statements of a branch define.
fn first_defined<'tree>(branch: Node<'tree>, visit: &Visit<'_, 'tree>) -> Option<String> {
    let mut cursor = branch.walk();
    let first = branch
        .named_children(&mut cursor)
        .chain([branch])
        .filter(|s| s.kind() == "expression_statement")
        .filter_map(statement_call)
        .filter(|c| root_of(*c).is_some_and(|r| r.kind() == "identifier"))
        .find_map(|c| define(c, visit))?;
    (first.kind != ItemKind::Hook).then(|| first.name(visit.text))
}

/// Emits the marker of a condition that keeps a test from being defined.
fn dead(condition: std::ops::Range<usize>, own: String, removal: Vec<Edit>, visit: &mut Visit<'_, '_>) {
    let mut marker = Marker::new(Effect::Disabled, visit.span_of(condition.start, condition.end));
    let around = visit.frames.iter().map(|f| f.name.as_str()).filter(|n| !n.is_empty());
    marker.subject = Some(around.chain([own.as_str()]).collect::<Vec<_>>().join(super::SEPARATOR));
    marker.removal = removal;
    visit.out.markers.push(marker);
}
