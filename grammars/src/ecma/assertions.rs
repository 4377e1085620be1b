//! Checks that tests make, by the shape of their chains (rules-a.md 7.2): `expect(x).not.toBe(3)`, `assert.equal(a, b)`,
//! `cy.get(…).should(…)`, `screen.getByText(…)`. A matcher that is not called, or a promise that nobody awaits, is none.

use super::chain::{Chain, Part, arguments, is_function, is_text, slice, stripped};
use super::flags;
use super::frameworks::framework;
use crate::facts::{Assertion, ItemKind, Span};
use crate::visit::Visit;
use tree_sitter::Node;

/// Emits the assertion that a call is.
pub(super) fn call<'tree>(node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let Some(callee) = node.child_by_field_name("function") else { return };
    match callee.kind() {
        "identifier" => bare(node, callee, visit),
        "member_expression" | "subscript_expression" => member(node, callee, visit),
        _ => {}
    }
}

/// `assert(x)`, `fail()`, `getByText('x')`, a helper of the repository or one whose name says that it checks.
fn bare<'tree>(node: Node<'tree>, callee: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let name = slice(visit.text, callee);
    let all = arguments_of(node);
    let known = match name {
        "assert" | "assertType" | "ok" | "invariant" => !all.is_empty(),
        "expectType" | "expectError" | "expectAssignable" | "expectNotType" => true,
        "fail" => visit.scope.binding(name).is_none(),
        "expect" | "expectTypeOf" | "should" => false,
        _ => is_query(name, visit) || says_check(name) || visit.words.assertion_helpers.iter().any(|w| w == name),
    };
    if known {
        push(node, all.first().copied(), callee, all.get(1..).unwrap_or(&[]), false, visit);
    }
}

fn member<'tree>(node: Node<'tree>, callee: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let Some(chain) = Chain::of(node, visit.text) else { return };
    let [.., Part::Name { name: matcher, node: at, .. }, Part::Call { .. }] = chain.parts.as_slice() else { return };
    let (matcher, at) = (*matcher, *at);
    if chain.names().any(|n| n == "skip") {
        return;
    }
    let all = arguments_of(node);
    let root = slice(visit.text, chain.root);
    match root {
        "expect" | "expectTypeOf" | "should" | "expectSoft" => return expectation(node, &chain, at, &all, visit),
        "sinon" | "td" | "assert" | "chai" => {}
        "cy" if matcher == "contains" => return push(node, all.first().copied(), at, &all, false, visit),
        _ => {}
    }
    let is_assert = root == "assert"
        || chain.names().rev().skip(1).any(|n| n == "assert")
        || visit.scope.binding(root).is_some_and(|(m, original)| is_assert_module(m, original))
        || (root == "td" && matcher == "verify");
    if is_assert
        && !matches!(matcher, "expect" | "async" | "step" | "timeout" | "todo" | "match" if root != "assert" && chain.parts.len() > 3)
    {
        return library(node, matcher, at, &all, visit);
    }
    if is_context_assertion(root, matcher, &chain, visit) {
        return library(node, matcher, at, &all, visit);
    }
    if matches!(matcher, "should" | "and") && all.first().is_some_and(|a| is_text(*a) || is_function(*a)) {
        // cypress: the subject is what the chain has found so far.
        let subject = callee.child_by_field_name("object");
        let negated = is_text(all[0]) && slice(visit.text, all[0]).contains("not.");
        return push(node, subject, at, &all, negated, visit);
    }
    if chain.names().any(|n| n == "should") && chain.parts.len() > 1 {
        return expectation(node, &chain, at, &all, visit);
    }
    if matcher == "expect" && chain.parts.len() > 2 && chain.parts.iter().filter(|p| matches!(p, Part::Call { .. })).count() > 1 {
        // supertest: `request(app).get('/').expect(200)`.
        return push(node, callee.child_by_field_name("object"), at, &all, false, visit);
    }
    let playwright = visit.scope.frameworks & framework::PLAYWRIGHT != 0;
    let known = is_query(matcher, visit)
        || matches!(matcher, "expectOne" | "expectNone")
        || (playwright && matches!(matcher, "waitForSelector" | "waitForURL"))
        || says_check(matcher)
        || visit.words.assertion_helpers.iter().any(|w| w == matcher);
    if known {
        push(node, all.first().copied(), at, all.get(1..).unwrap_or(&[]), false, visit);
    }
}

/// `expect(x)[.modifiers].matcher(expected)`, chai's and should's chains among them.
fn expectation<'tree>(node: Node<'tree>, chain: &Chain<'_, 'tree>, at: Node<'tree>, all: &[Node<'tree>], visit: &mut Visit<'_, 'tree>) {
    let matcher = slice(visit.text, at);
    let root_is_should = slice(visit.text, chain.root) != "should" && chain.names().any(|n| n == "should");
    let subject = if root_is_should {
        Some(chain.root)
    } else {
        let first = chain.parts.iter().position(|p| matches!(p, Part::Call { .. }));
        let Some(first) = first else { return };
        if first + 1 == chain.parts.len() {
            // `expect.assertions(2)` stands alone; `expect.any(String)` is part of another assertion.
            let counts = matches!(matcher, "assertions" | "hasAssertions" | "unreachable" | "fail" | "exist" | "not");
            if counts {
                push(node, None, at, all, false, visit);
            }
            return;
        }
        match &chain.parts[first] {
            Part::Call { arguments: inside, .. } => arguments(*inside).first().copied(),
            _ => None,
        }
    };
    let late = chain.names().any(|n| matches!(n, "resolves" | "rejects" | "eventually" | "poll"))
        || (visit.scope.frameworks & framework::PLAYWRIGHT != 0 && is_late_matcher(matcher))
        || matches!(matcher, "toPass");
    if late && floats(node) {
        return;
    }
    let negated = chain.names().any(|n| n == "not");
    push(node, subject, at, all, negated, visit);
}

/// Emits an assertion whose arguments are (actual, expected, message).
fn library<'tree>(node: Node<'tree>, matcher: &str, at: Node<'tree>, all: &[Node<'tree>], visit: &mut Visit<'_, 'tree>) {
    if matches!(matcher, "rejects" | "doesNotReject" | "throwsAsync" | "notThrowsAsync") && floats(node) {
        return;
    }
    if takes_one(matcher) {
        let subject = all.first().copied().filter(|_| !matches!(matcher, "fail" | "pass" | "plan" | "expect"));
        let expected = if matches!(matcher, "plan" | "expect") { all } else { &[] };
        return push(node, subject, at, expected, false, visit);
    }
    let rest = all.get(1..).unwrap_or(&[]);
    let takes_three = matcher.starts_with("closeTo") || matcher.starts_with("approx") || matcher.contains("roperty");
    let mut expected = &rest[..rest.len().min(if takes_three { 2 } else { 1 })];
    if (matcher.contains("hrow") || matcher.contains("eject")) && expected.first().is_some_and(|e| is_text(*e)) {
        // A string there is the message of the assertion, not of the error.
        expected = &[];
    }
    push(node, all.first().copied(), at, expected, false, visit);
}

/// Emits chai's assertion without a call: `expect(x).to.be.true`.
pub(super) fn property<'tree>(node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let Some(parent) = node.parent() else { return };
    let stands_alone = matches!(parent.kind(), "expression_statement" | "await_expression" | "return_statement" | "arrow_function");
    if !stands_alone {
        return;
    }
    let Some(chain) = Chain::of(node, visit.text) else { return };
    let [.., Part::Name { node: at, .. }] = chain.parts.as_slice() else { return };
    let at = *at;
    let root = slice(visit.text, chain.root);
    let from_expect = matches!(root, "expect" | "should") && matches!(chain.parts.first(), Some(Part::Call { .. }));
    if from_expect || chain.names().any(|n| n == "should") {
        if chain.names().any(|n| n == "eventually") && parent.kind() == "expression_statement" {
            return;
        }
        let subject = match chain.parts.first() {
            Some(Part::Call { arguments: inside, .. }) if from_expect => arguments(*inside).first().copied(),
            _ => Some(chain.root),
        };
        let negated = chain.names().any(|n| n == "not");
        push(node, subject, at, &[], negated, visit);
    }
}

/// Whether a name ends a chai chain by itself.
pub(super) fn is_terminal(name: &str) -> bool {
    matches!(
        name,
        "true"
            | "false"
            | "null"
            | "undefined"
            | "NaN"
            | "ok"
            | "empty"
            | "exist"
            | "finite"
            | "extensible"
            | "sealed"
            | "frozen"
            | "arguments"
            | "Arguments"
            | "called"
            | "calledOnce"
            | "calledTwice"
            | "calledThrice"
            | "notCalled"
            | "fulfilled"
            | "rejected"
            | "iterable"
            | "numeric"
    )
}

fn arguments_of<'tree>(call: Node<'tree>) -> Vec<Node<'tree>> {
    call.child_by_field_name("arguments").map(arguments).unwrap_or_default()
}

fn push<'tree>(
    node: Node<'tree>,
    subject: Option<Node<'tree>>,
    matcher: Node<'tree>,
    expected: &[Node<'tree>],
    negated: bool,
    visit: &mut Visit<'_, 'tree>,
) {
    let expected: Option<Span> = match expected {
        [] => None,
        [first, .., last] => Some(visit.span_of(first.start_byte(), last.end_byte())),
        [only] => Some(visit.span(*only)),
    };
    visit.out.assertions.push(Assertion {
        span: visit.span(node),
        subject: subject.map(|s| visit.span(stripped(s))),
        matcher: visit.span(matcher),
        expected,
        negated,
    });
}

/// Whether nobody waits for what a call gives back.
fn floats(node: Node<'_>) -> bool {
    node.parent().is_some_and(|p| p.kind() == "expression_statement" || p.kind() == "unary_expression")
}

fn takes_one(matcher: &str) -> bool {
    matches!(
        matcher,
        "ok" | "notOk"
            | "true"
            | "false"
            | "truthy"
            | "falsy"
            | "pass"
            | "fail"
            | "plan"
            | "expect"
            | "exists"
            | "notExists"
            | "error"
            | "ifError"
            | "notThrows"
            | "doesNotThrow"
            | "snapshot"
            | "called"
            | "notCalled"
            | "calledOnce"
            | "calledTwice"
            | "verify"
            | "calledWith"
    ) || (matcher.starts_with("is")
        && [
            "True",
            "False",
            "Null",
            "Undefined",
            "Defined",
            "NaN",
            "Ok",
            "Array",
            "Object",
            "Function",
            "String",
            "Number",
            "Boolean",
            "Empty",
        ]
        .iter()
        .any(|w| matcher.ends_with(w)))
}

fn is_assert_module(module: &str, original: &str) -> bool {
    let name = module.trim_start_matches("node:");
    matches!(name, "assert" | "assert/strict" | "power-assert" | "@std/assert" | "uvu/assert" | "should") || original == "assert"
}

/// Assertions on what tap, ava, node:test and QUnit hand to a test (`t.is(a, b)`).
fn is_context_assertion(root: &str, matcher: &str, chain: &Chain<'_, '_>, visit: &Visit<'_, '_>) -> bool {
    const WORDS: &[&str] = &[
        "is",
        "not",
        "ok",
        "notOk",
        "true",
        "false",
        "truthy",
        "falsy",
        "equal",
        "equals",
        "notEqual",
        "strictEqual",
        "notStrictEqual",
        "deepEqual",
        "notDeepEqual",
        "deepLooseEqual",
        "propEqual",
        "propContains",
        "same",
        "notSame",
        "strictSame",
        "strictNotSame",
        "looseEqual",
        "like",
        "match",
        "notMatch",
        "has",
        "hasStrict",
        "throws",
        "notThrows",
        "throwsAsync",
        "notThrowsAsync",
        "doesNotThrow",
        "rejects",
        "resolves",
        "regex",
        "notRegex",
        "snapshot",
        "matchSnapshot",
        "error",
        "ifError",
        "pass",
        "fail",
        "plan",
        "step",
        "verifySteps",
        "closeTo",
        "type",
        "exception",
    ];
    let is_context = || {
        let hash = flags::of_name(root);
        visit.frames.iter().any(|f| f.kind == ItemKind::Test && flags::first_parameter(f.flags) == hash)
    };
    chain.parts.len() == 2 && WORDS.contains(&matcher) && is_context()
}

/// testing-library queries that throw where nothing is found; playwright's locators of the same names do not.
fn is_query(name: &str, visit: &Visit<'_, '_>) -> bool {
    let rest = ["getAllBy", "findAllBy", "getBy", "findBy"].iter().find_map(|prefix| name.strip_prefix(prefix));
    rest.is_some_and(|r| matches!(r, "Text" | "Role" | "LabelText" | "PlaceholderText" | "DisplayValue" | "AltText" | "Title" | "TestId"))
        && visit.scope.frameworks & framework::PLAYWRIGHT == 0
}

/// Whether a helper's name says that it checks (rules-a.md D20); the bare verb can be the subject itself.
fn says_check(name: &str) -> bool {
    ["assert", "expect", "verify", "check", "ensure", "must", "should"]
        .iter()
        .any(|verb| name.strip_prefix(verb).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')))
}

/// Playwright's matchers that wait, so that they do nothing where they are not awaited.
fn is_late_matcher(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("to") else { return false };
    matches!(
        rest,
        "BeAttached"
            | "BeChecked"
            | "BeDisabled"
            | "BeEditable"
            | "BeEmpty"
            | "BeEnabled"
            | "BeFocused"
            | "BeHidden"
            | "BeInViewport"
            | "BeVisible"
            | "BeOK"
            | "ContainText"
            | "ContainClass"
            | "HaveText"
            | "HaveValue"
            | "HaveValues"
            | "HaveTitle"
            | "HaveURL"
            | "HaveCount"
            | "HaveCSS"
            | "HaveClass"
            | "HaveId"
            | "HaveAttribute"
            | "HaveRole"
            | "HaveScreenshot"
            | "HaveAccessibleName"
            | "HaveAccessibleDescription"
            | "MatchAriaSnapshot"
    )
}
