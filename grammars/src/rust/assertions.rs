//! Checks that Rust tests make (rules-a.md 7.2).

use super::attributes::last_segment;
use super::macros::{self, Call};
use super::tokens::{arguments, before_close};
use crate::facts::Assertion;
use crate::visit::Visit;
use std::ops::Range;
use tree_sitter::Node;

/// How far back the condition around a failing call is looked for; what stands between them is the branch.
const RECENT: usize = 64;

/// Whether a macro's name asserts.
fn asserts(name: &str, path: &str, visit: &Visit<'_, '_>) -> bool {
    name.starts_with("assert")
        || name.starts_with("debug_assert")
        || name.starts_with("prop_assert")
        || path.starts_with("insta::")
        || ["verify_that", "expect_that", "verify_eq", "expect_eq", "expect_ne", "expect_true", "expect_false", "ensure"].contains(&name)
        || visit.words.assertion_helpers.iter().any(|w| w == name)
}

/// Emits the assertion that a macro call in a test makes.
pub(super) fn of_macro(node: Node<'_>, name: Node<'_>, name_text: &str, visit: &mut Visit<'_, '_>) {
    let inside = brackets(visit.text, name.end_byte()..node.end_byte());
    if asserts(name_text, visit.text_of(name), visit) {
        emit(node.byte_range(), name.byte_range(), name_text, inside, visit);
    } else if ["panic", "unreachable"].contains(&name_text) {
        let matcher = visit.span(name);
        // The condition of the `if` around it was seen first.
        if !visit.out.assertions.iter().rev().take(RECENT).any(|a| a.matcher == matcher) {
            let span = visit.span(node);
            visit.out.assertions.push(Assertion { span, subject: None, matcher, expected: None, negated: false });
        }
    }
}

/// Emits the assertions among the tokens of a macro's body.
pub(super) fn of_tokens(range: Range<usize>, visit: &mut Visit<'_, '_>) {
    let text = visit.text;
    for Call { name, inside, end } in macros::calls(text, range) {
        let word = &text[name.clone()];
        if asserts(word, word, visit) {
            emit(name.start..end, name.clone(), word, inside, visit);
        }
    }
}

/// Returns the range between the brackets that follow a macro's `!`.
fn brackets(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text[range.clone()].find(['(', '[', '{']).map_or(range.end, |i| range.start + i + 1);
    before_close(text, start..range.end)
}

fn emit(whole: Range<usize>, name: Range<usize>, word: &str, inside: Range<usize>, visit: &mut Visit<'_, '_>) {
    let arguments = arguments(visit.text, inside);
    let two = ["_eq", "_ne", "matches", "_that", "_lt", "_le", "_gt", "_ge", "snapshot"].iter().any(|e| word.ends_with(e));
    let part = |i: usize| arguments.get(i).map(|r| visit.span_of(r.start, r.end));
    let subject = part(0);
    let expected = if two { part(1) } else { None };
    let negated = word.ends_with("_ne") || (!two && arguments.first().is_some_and(|r| visit.text[r.clone()].starts_with('!')));
    let (span, matcher) = (visit.span_of(whole.start, whole.end), visit.span_of(name.start, name.end));
    visit.out.assertions.push(Assertion { span, subject, matcher, expected, negated });
}

/// Emits the assertion of an `if` whose branch does nothing but panic.
pub(super) fn of_if(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let (Some(condition), Some(branch)) = (node.child_by_field_name("condition"), node.child_by_field_name("consequence")) else { return };
    let Some(mut only) = branch.named_child(0).filter(|_| branch.named_child_count() == 1) else { return };
    if only.kind() == "expression_statement" {
        let Some(inner) = only.named_child(0) else { return };
        only = inner;
    }
    let Some(name) = only.child_by_field_name("macro").filter(|_| only.kind() == "macro_invocation") else { return };
    if ["panic", "unreachable"].contains(&last_segment(visit.text_of(name))) {
        let (span, matcher) = (visit.span_of(node.start_byte(), branch.end_byte()), visit.span(name));
        let subject = Some(visit.span(condition));
        visit.out.assertions.push(Assertion { span, subject, matcher, expected: None, negated: true });
    }
}

/// Emits the assertion of a call that panics unless its receiver holds a value (`.unwrap()`, `.expect("…")`).
pub(super) fn of_call(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(function) = node.child_by_field_name("function") else { return };
    match function.kind() {
        "field_expression" => {
            let Some(field) = function.child_by_field_name("field") else { return };
            if visit.text_of(field).starts_with("assert_") {
                // `expect![[…]].assert_eq(&actual)`.
                let of = call_argument(node);
                let expected = function.child_by_field_name("value").map(|v| visit.span(v));
                let (span, matcher, subject) = (visit.span(node), visit.span(field), of.map(|n| visit.span(n)));
                visit.out.assertions.push(Assertion { span, subject, matcher, expected, negated: false });
                return;
            }
            if !["unwrap", "expect", "unwrap_err", "expect_err"].contains(&visit.text_of(field)) {
                return;
            }
            let subject = function.child_by_field_name("value").map(|v| visit.span(v));
            let (span, matcher) = (visit.span(node), visit.span(field));
            visit.out.assertions.push(Assertion { span, subject, matcher, expected: None, negated: false });
        }
        "identifier" | "scoped_identifier" => {
            let name = last_segment(visit.text_of(function));
            if !visit.words.assertion_helpers.iter().any(|w| w == name) && !name.starts_with("assert_") {
                return;
            }
            let arguments = node.child_by_field_name("arguments");
            let part = |i| arguments.and_then(|a| a.named_child(i)).map(|n| visit.span(n));
            let (subject, expected) = (part(0), part(1));
            let (span, matcher) = (visit.span(node), visit.span(function));
            visit.out.assertions.push(Assertion { span, subject, matcher, expected, negated: false });
        }
        _ => {}
    }
}

fn call_argument(call: Node<'_>) -> Option<Node<'_>> {
    call.child_by_field_name("arguments").and_then(|a| a.named_child(0))
}

/// Emits the assertion of a `?`: an error ends the test.
pub(super) fn of_try(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let subject = node.named_child(0).map(|n| visit.span(n));
    let end = node.end_byte();
    let (span, matcher) = (visit.span(node), visit.span_of(end.saturating_sub(1), end));
    visit.out.assertions.push(Assertion { span, subject, matcher, expected: None, negated: false });
}
