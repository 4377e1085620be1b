//! What bends a run of tests (`facts::Bend`): exits, replaced checks, equality that always holds, and production code that
//! asks whether it runs in a test.
//!
//! Each reader looks at a name first, so that code without one costs a comparison.

use super::chain::{arguments, is_function, is_text, property, slice, stripped, unquoted};
use super::stubs;
use crate::facts::{Bend, BendForm, ItemKind};
use crate::visit::Visit;
use tree_sitter::Node;

/// Modules that check.
const CHECKERS: &[&str] = &[
    "assert",
    "node:assert",
    "assert/strict",
    "node:assert/strict",
    "chai",
    "expect",
    "@jest/expect",
    "@jest/globals",
    "@vitest/expect",
    "vitest",
    "should",
    "power-assert",
    "uvu/assert",
];

fn push(node: Node<'_>, form: BendForm, mild: bool, visit: &mut Visit<'_, '_>) {
    visit.out.bends.push(Bend { span: visit.span(node), form, mild });
}

/// Emits the bend of a call of a member in a test; `callee` is what it calls, `name` the member's.
pub(super) fn call(node: Node<'_>, callee: Node<'_>, name: &str, visit: &mut Visit<'_, '_>) {
    if !matches!(name, "exit" | "mock" | "doMock" | "extend" | "addEqualityTesters") {
        return;
    }
    let Some(list) = node.child_by_field_name("arguments") else { return };
    let given = arguments(list);
    let Some(first) = given.first().copied() else { return };
    match slice(visit.text, callee) {
        "process.exit" | "Deno.exit" if slice(visit.text, first) == "0" && ends_tests(node, visit) => {
            push(node, BendForm::Exit, false, visit);
        }
        "jest.mock" | "jest.doMock" | "vi.mock" | "vi.doMock" if is_text(first) => {
            if CHECKERS.contains(&unquoted(slice(visit.text, first))) {
                push(node, BendForm::Replaced, false, visit);
            }
        }
        "expect.extend" if first.kind() == "object" => extended(first, visit),
        "expect.addEqualityTesters" if first.kind() == "array" => {
            for tester in arguments(first).into_iter().filter(|t| gives(*t, "true", visit.text)) {
                push(tester, BendForm::Equal, false, visit);
            }
        }
        _ => {}
    }
}

/// Whether an exit stands where it takes tests with it: in one, in a hook of theirs, in what runs when the process ends.
fn ends_tests(node: Node<'_>, visit: &Visit<'_, '_>) -> bool {
    matches!(visit.frame().kind, ItemKind::Test | ItemKind::Hook | ItemKind::Group) && !in_function(node) || at_exit(node, visit)
}

/// Whether a function literal stands around a node besides the one that the runner calls: who calls it is not known.
fn in_function(node: Node<'_>) -> bool {
    let functions = std::iter::successors(node.parent(), |n| n.parent()).filter(|n| is_function(*n));
    let runner = |f: Node<'_>| {
        f.parent().is_some_and(|p| {
            p.kind() == "arguments" && p.parent().is_some_and(|c| c.parent().is_some_and(|s| s.kind() == "expression_statement"))
        })
    };
    functions.into_iter().take(1).any(|f| !runner(f))
}

/// Whether a node stands in `process.on('exit', …)`.
fn at_exit(node: Node<'_>, visit: &Visit<'_, '_>) -> bool {
    const STEPS_MAX: usize = 8;
    std::iter::successors(node.parent(), |n| n.parent()).take(STEPS_MAX).filter(|n| n.kind() == "call_expression").any(|call| {
        let source = slice(visit.text, call);
        let head: String = source.chars().take(32).filter(|c| !c.is_whitespace()).collect();
        ["process.on('exit'", "process.on(\"exit\"", "process.once('exit'", "process.once(\"exit\"", "process.on('beforeExit'"]
            .iter()
            .any(|h| head.starts_with(h))
    })
}

/// `expect.extend({ toBe: () => ({ pass: true }) })`: a matcher of the library that always passes.
fn extended(object: Node<'_>, visit: &mut Visit<'_, '_>) {
    const MATCHERS: &[&str] = &[
        "toBe",
        "toEqual",
        "toStrictEqual",
        "toBeTruthy",
        "toBeFalsy",
        "toThrow",
        "toContain",
        "toMatch",
        "toMatchObject",
        "toHaveLength",
        "toBeNull",
        "toBeUndefined",
        "toBeDefined",
        "toBeCloseTo",
        "toHaveBeenCalled",
        "toHaveBeenCalledWith",
        "toHaveBeenCalledTimes",
        "toHaveProperty",
        "toMatchSnapshot",
        "toBeInstanceOf",
        "toBeGreaterThan",
        "toBeLessThan",
    ];
    for member in arguments(object) {
        let name = member.child_by_field_name("key").or_else(|| member.child_by_field_name("name"));
        let Some(name) = name.filter(|n| MATCHERS.contains(&unquoted(slice(visit.text, *n)))) else { continue };
        let function = member.child_by_field_name("value").unwrap_or(member);
        if gives_pass(function, visit.text) {
            push(name, BendForm::Replaced, false, visit);
        }
    }
}

/// Returns what a function gives back where that is all it does.
fn sole_value<'t>(function: Node<'t>, text: &str) -> Option<Node<'t>> {
    let body = function.child_by_field_name("body")?;
    match stubs::statements(body, text) {
        (1, Some(only)) if only.kind() == "return_statement" => only.named_child(0).map(stripped),
        (1, Some(only)) => Some(stripped(only)),
        _ => None,
    }
}

fn gives(function: Node<'_>, value: &str, text: &str) -> bool {
    is_function(function) && sole_value(function, text).is_some_and(|v| slice(text, v) == value)
}

fn gives_pass(function: Node<'_>, text: &str) -> bool {
    sole_value(function, text)
        .filter(|v| v.kind() == "object")
        .and_then(|v| property(v, "pass", text))
        .is_some_and(|(_, value)| slice(text, value) == "true")
}

/// Emits the bend of an assignment in a test.
pub(super) fn assignment(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else { return };
    let source = slice(visit.text, left);
    if source == "process.exitCode" {
        if slice(visit.text, right) == "0" && at_exit(node, visit) {
            push(node, BendForm::Exit, false, visit);
        }
        return;
    }
    let own = match source {
        "expect" | "global.expect" | "globalThis.expect" | "window.expect" | "global.assert" | "globalThis.assert" => true,
        _ => {
            let of = source.split('.').next().unwrap_or("");
            let member = source.len() > of.len();
            member && (source.starts_with("chai.Assertion.prototype.") || source.starts_with("expect.prototype.") || is_assert(of, visit))
        }
    };
    let right = stripped(right);
    let made = is_function(right) || right.kind() == "object";
    // A wrapper hands on to what it wraps.
    let hands_on = ["expect(", "expect.", "assert", "chai", "throw", "original", "super", "apply"]
        .iter()
        .any(|w| slice(visit.text, right).contains(w));
    if own && made && !hands_on {
        push(node, BendForm::Replaced, false, visit);
    }
}

fn is_assert(name: &str, visit: &Visit<'_, '_>) -> bool {
    name == "assert" && visit.scope.binding(name).is_none_or(|(module, _)| CHECKERS.contains(&module) || module.is_empty())
}

/// Emits the bend of a member of production code whose last name is that of a variable that runners set.
pub(super) fn member(node: Node<'_>, name: &str, visit: &mut Visit<'_, '_>) {
    let source = slice(visit.text, node);
    if !source.starts_with("process.env") && !source.starts_with("import.meta.env") && !source.starts_with("Deno.env") {
        return;
    }
    if name != "NODE_ENV" {
        let set = node
            .parent()
            .is_some_and(|p| p.kind() == "assignment_expression" && p.child_by_field_name("left").is_some_and(|l| l.id() == node.id()));
        if set {
            return;
        }
        return push(node, BendForm::Probe, false, visit);
    }
    let Some(parent) = node.parent().filter(|p| p.kind() == "binary_expression") else { return };
    let other = ["left", "right"].iter().filter_map(|f| parent.child_by_field_name(f)).find(|n| n.id() != node.id());
    let test = other.is_some_and(|o| is_text(o) && matches!(unquoted(slice(visit.text, o)), "test" | "testing"));
    if test {
        push(parent, BendForm::Probe, !decides(parent), visit);
    }
}

/// Whether a comparison decides what a function gives back; that it logs less or sets no timer is how much code asks.
fn decides(comparison: Node<'_>) -> bool {
    const STEPS_MAX: usize = 4;
    let branch = std::iter::successors(comparison.parent(), |n| n.parent()).take(STEPS_MAX).find(|n| n.kind() == "if_statement");
    let Some(consequence) = branch.and_then(|b| b.child_by_field_name("consequence")) else { return false };
    let first = if consequence.kind() == "statement_block" { consequence.named_child(0) } else { Some(consequence) };
    first.is_some_and(|s| s.kind() == "return_statement" && s.named_child_count() > 0)
}

/// Emits `typeof jest`, `typeof describe` in production code.
pub(super) fn unary(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(name) = slice(visit.text, node).strip_prefix("typeof ") else { return };
    let known = matches!(name.trim(), "jest" | "vi" | "vitest" | "describe" | "it" | "expect" | "beforeEach" | "globalThis.jest");
    if known && visit.scope.binding(name.trim()).is_none() {
        push(node, BendForm::Probe, false, visit);
    }
}
