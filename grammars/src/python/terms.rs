//! On which terms a test runs: rows of `parametrize`, samples of hypothesis, reruns, time limits, what is patched.

use super::syntax::{Arguments, children, dotted, field, is_string, tail, text_of};
use crate::facts::{Term, TermForm};
use crate::visit::Visit;
use tree_sitter::Node;

/// Emits the terms of a decorator.
pub(super) fn decorator(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(call) = children(node).into_iter().next() else { return };
    let text = visit.text;
    let Some(name) = tail(text, call) else { return };
    let arguments = Arguments::of(call);
    let number = |node: Option<Node<'_>>| node.and_then(|n| crate::checks::number(text_of(text, n)));
    match name {
        "parametrize" => {
            if let Some(rows) = arguments.positional.get(1).copied().or_else(|| arguments.named(text, "argvalues")) {
                emit_rows(rows, visit);
            }
        }
        "expand" => {
            if let Some(rows) = arguments.positional.first().copied() {
                emit_rows(rows, visit);
            }
        }
        "data" | "idata" => emit(node, TermForm::Rows, arguments.positional.len() as f64, visit),
        "example" => emit(node, TermForm::Rows, 1.0, visit),
        "settings" => {
            if let Some(samples) = number(arguments.named(text, "max_examples")) {
                emit(node, TermForm::Samples, samples, visit);
            }
        }
        "flaky" | "retry" | "rerun" => {
            let named = ["reruns", "max_runs", "tries", "retries"].iter().find_map(|n| arguments.named(text, n));
            let times = number(named.or(arguments.positional.first().copied())).unwrap_or(1.0);
            emit(node, TermForm::Retries, times, visit);
        }
        "timeout" => {
            let limit = number(arguments.positional.first().copied().or_else(|| arguments.named(text, "timeout")));
            if let Some(seconds) = limit {
                emit(node, TermForm::Patience, seconds * 1000.0, visit);
            }
        }
        "patch" | "object" => double(call, visit),
        _ => {}
    }
}

/// Emits what a call replaces by a double.
pub(super) fn call(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(function) = field(node, "function") else { return };
    match tail(visit.text, function) {
        Some("patch" | "setattr" | "object") if visit.in_tests() => double(node, visit),
        _ => {}
    }
}

/// `patch("a.b", …)`, `patch.object(a, "b", …)`, `monkeypatch.setattr(a, "b", …)`: the name of what is replaced.
fn double(call: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(function) = field(call, "function") else { return };
    let text = visit.text;
    let Some(path) = dotted(text, function) else { return };
    let replaces = matches!(path.as_slice(), [.., "patch"] | [.., "patch", "object"] | [.., "monkeypatch", "setattr"]);
    if !replaces {
        return;
    }
    let arguments = Arguments::of(call);
    let named = match arguments.positional.as_slice() {
        [object, name, ..] if !is_string(*object) && is_string(*name) => *name,
        [name, ..] if is_string(*name) => *name,
        _ => return,
    };
    let span = visit.span(named);
    visit.out.terms.push(Term { span, form: TermForm::Double, amount: 0 });
}

/// Emits the rows of a list that stands there, or of none where it stands elsewhere.
pub(super) fn emit_rows(rows: Node<'_>, visit: &mut Visit<'_, '_>) {
    if matches!(rows.kind(), "list" | "tuple" | "set") {
        let count = children(rows).into_iter().filter(|c| c.kind() != "list_splat").count();
        let spread = children(rows).iter().any(|c| c.kind() == "list_splat");
        if !spread {
            emit(rows, TermForm::Rows, count as f64, visit);
        }
    }
}

fn emit(node: Node<'_>, form: TermForm, amount: f64, visit: &mut Visit<'_, '_>) {
    let span = visit.span(node);
    visit.out.terms.push(Term { span, form, amount: amount.clamp(0.0, u64::MAX as f64) as u64 });
}
