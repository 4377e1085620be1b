//! The checks that a test makes (rules-a.md 7.2): `assert`, methods of unittest, context managers of pytest, checks of
//! mocks and of numeric libraries.

use super::names::Reader;
use super::syntax::{Arguments, children, dotted, field, only_child, tail};
use crate::facts::{Assertion, Span};
use crate::visit::Visit;
use tree_sitter::Node;

/// Emits an `assert` statement; operands of `and` are checks of their own. A tuple is always true, so it checks nothing.
pub(super) fn statement(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    if !visit.in_tests() {
        return;
    }
    let Some(condition) = children(node).first().copied() else { return };
    let keyword = visit.span_of(node.start_byte(), node.start_byte() + "assert".len());
    let operands = conjuncts(Reader::of(visit), condition);
    let single = operands.len() == 1;
    for operand in operands {
        let whole = if single { visit.span(node) } else { visit.span(operand) };
        if let Some(assertion) = expression(operand, whole, keyword, visit) {
            visit.out.assertions.push(assertion);
        }
    }
}

/// Returns the operands of an `and`, in order.
fn conjuncts<'t>(reader: Reader<'_>, condition: Node<'t>) -> Vec<Node<'t>> {
    let (mut open, mut found) = (vec![condition], Vec::new());
    while let Some(node) = open.pop() {
        if node.kind() == "boolean_operator" && field(node, "operator").is_some_and(|o| reader.text_of(o) == "and") {
            // The last one in is read first.
            open.extend(["right", "left"].iter().filter_map(|f| field(node, f)));
        } else if node.kind() == "parenthesized_expression" && node.named_child_count() == 1 {
            open.extend(only_child(node));
        } else {
            found.push(node);
        }
    }
    found
}

fn expression(node: Node<'_>, span: Span, keyword: Span, visit: &Visit<'_, '_>) -> Option<Assertion> {
    let (mut node, mut negated) = (node, false);
    while node.kind() == "not_operator" {
        node = field(node, "argument")?;
        negated = !negated;
    }
    match node.kind() {
        "tuple" => None,
        "comparison_operator" => {
            let operands = children(node);
            let operator = field(node, "operators")?;
            let (first, second, last) = (operands.first()?, operands.get(1)?, operands.last()?);
            let expected = Some(visit.span_of(second.start_byte(), last.end_byte()));
            Some(Assertion { span, subject: Some(visit.span(*first)), matcher: visit.span(operator), expected, negated })
        }
        _ => Some(Assertion { span, subject: Some(visit.span(node)), matcher: keyword, expected: None, negated }),
    }
}

/// Emits a call that checks.
pub(super) fn call(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    if !visit.in_tests() {
        return;
    }
    let reader = Reader::of(visit);
    let Some(function) = field(node, "function") else { return };
    let Some(name) = tail(reader.text, function) else { return };
    let Some(target) = target(reader, function, name) else { return };
    let matcher = match field(function, "attribute") {
        Some(attribute) => visit.span(attribute),
        None => visit.span(function),
    };
    let arguments = Arguments::of(node);
    let first = arguments.positional.first();
    let rest = arguments.positional.get(1..).unwrap_or_default();
    let spread = |nodes: &[Node<'_>]| Some(visit.span_of(nodes.first()?.start_byte(), nodes.last()?.end_byte()));
    let all = field(node, "arguments").filter(|a| a.named_child_count() > 0).map(|a| visit.span(a));
    let (subject, expected) = match target {
        Target::Arguments => (first.map(|n| visit.span(*n)), spread(rest)),
        Target::Block => (None, all),
        Target::Object => (field(function, "object").map(|o| visit.span(o)), all),
    };
    visit.out.assertions.push(Assertion { span: visit.span(node), subject, matcher, expected, negated: false });
}

/// What a checking call looks at.
enum Target {
    /// Its first argument.
    Arguments,
    /// The block or the call that it is given.
    Block,
    /// What it is called on.
    Object,
}

fn target(reader: Reader<'_>, function: Node<'_>, name: &str) -> Option<Target> {
    if reader.words.assertion_helpers.iter().any(|w| w == name) {
        return Some(Target::Arguments);
    }
    match name {
        "raises" | "warns" | "deprecated_call" | "fail" if reader.path(function).is_some_and(|p| p.starts_with("pytest.")) => {
            Some(Target::Block)
        }
        "fail" if is_self(reader, function) => Some(Target::Block),
        "assertRaises"
        | "assertRaisesRegex"
        | "assertWarns"
        | "assertWarnsRegex"
        | "assertLogs"
        | "assertNoLogs"
        | "assertRaisesMessage" => Some(Target::Block),
        "eq_" | "ok_" => Some(Target::Arguments),
        "match" if is_caught(reader, function) => Some(Target::Object),
        _ if !name.starts_with("assert") => None,
        _ if function.kind() == "identifier" || is_self(reader, function) || is_library(reader, function) => Some(Target::Arguments),
        // `mock.assert_called_once_with(…)`; a unittest method on anything but `self` still looks at its arguments.
        _ if name.starts_with("assert_") => Some(Target::Object),
        _ => Some(Target::Arguments),
    }
}

fn is_self(reader: Reader<'_>, function: Node<'_>) -> bool {
    field(function, "object").is_some_and(|o| matches!(reader.text_of(o), "self" | "cls" | "case" | "test"))
}

/// Whether a function is one of a module of checks (`np.testing.assert_allclose`).
fn is_library(reader: Reader<'_>, function: Node<'_>) -> bool {
    dotted(reader.text, function).is_some_and(|parts| {
        let modules = &parts[..parts.len() - 1];
        modules.iter().any(|p| matches!(*p, "testing" | "tm" | "npt" | "nptest" | "pdt"))
    })
}

/// Whether a method is called on a caught exception (`excinfo.match(…)`).
fn is_caught(reader: Reader<'_>, function: Node<'_>) -> bool {
    field(function, "object").is_some_and(|o| {
        let name = reader.text_of(o);
        o.kind() == "identifier" && (name.contains("exc") || name.contains("err") || name == "info")
    })
}
