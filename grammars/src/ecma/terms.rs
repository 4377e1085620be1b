//! On which terms a test runs: rows of `.each`, retries, time limits, modules that are replaced.

use super::chain::{arguments, is_text, property, slice, stripped};
use crate::checks::number;
use crate::facts::{Term, TermForm};
use crate::visit::Visit;
use tree_sitter::Node;

/// Emits the terms that a call in a test file sets.
pub(super) fn call(node: Node<'_>, callee: Node<'_>, visit: &mut Visit<'_, '_>) {
    if callee.kind() != "member_expression" {
        return;
    }
    let (Some(object), Some(name)) = (callee.child_by_field_name("object"), callee.child_by_field_name("property")) else { return };
    let Some(list) = node.child_by_field_name("arguments") else { return };
    let all = if list.kind() == "template_string" { Vec::new() } else { arguments(list) };
    match slice(visit.text, name) {
        "each" | "for" => {
            if let Some(rows) = all.first().map(|n| stripped(*n)).filter(|n| n.kind() == "array") {
                let mut cursor = rows.walk();
                let rows_of: Vec<Node<'_>> = rows.named_children(&mut cursor).filter(|c| c.kind() != "comment").collect();
                if rows_of.iter().all(|c| c.kind() != "spread_element") {
                    emit(rows, TermForm::Rows, rows_of.len() as f64, visit);
                }
            }
        }
        "mock" | "doMock" | "unstable_mockModule" if matches!(slice(visit.text, object), "vi" | "jest") => {
            if let Some(module) = all.first().filter(|n| is_text(**n)) {
                emit(*module, TermForm::Double, all.len() as f64, visit);
            }
        }
        "retryTimes" | "retries" => {
            if let Some(times) = all.first().and_then(|n| number(slice(visit.text, *n))) {
                emit(node, TermForm::Retries, times, visit);
            }
        }
        "setTimeout" | "timeout" | "slow" if matches!(slice(visit.text, object), "this" | "jest" | "test") => {
            if let Some(limit) = all.first().and_then(|n| number(slice(visit.text, *n))) {
                emit(node, TermForm::Patience, limit, visit);
            }
        }
        _ => {}
    }
}

/// Emits the terms that stand beside a test's title: `{ retry: 3, timeout: 5000 }`, a number at the end.
pub(super) fn of_definition(call: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(list) = call.child_by_field_name("arguments").filter(|l| l.kind() == "arguments") else { return };
    let all = arguments(list);
    for options in all.iter().filter(|n| n.kind() == "object") {
        for (key, form) in [("retry", TermForm::Retries), ("retries", TermForm::Retries), ("timeout", TermForm::Patience)] {
            if let Some((pair, value)) = property(*options, key, visit.text)
                && let Some(amount) = number(slice(visit.text, value))
            {
                emit(pair, form, amount, visit);
            }
        }
    }
    if let Some(limit) = all.last().filter(|n| n.kind() == "number" && all.len() > 2)
        && let Some(amount) = number(slice(visit.text, *limit))
    {
        emit(*limit, TermForm::Patience, amount, visit);
    }
}

fn emit(node: Node<'_>, form: TermForm, amount: f64, visit: &mut Visit<'_, '_>) {
    let span = visit.span(node);
    visit.out.terms.push(Term { span, form, amount: amount.clamp(0.0, u64::MAX as f64) as u64 });
}
