//! Checks that Go tests make (rules-a.md 7.2): guarded failures, testify, gomega, quicktest, gocheck, examples.

use super::calls::{self, Callee};
use super::scope;
use crate::facts::{Assertion, ItemKind, Span};
use crate::visit::Visit;
use tree_sitter::Node;

/// How far back the condition around a failing call is looked for; what stands between them is the branch.
const RECENT: usize = 64;

/// Methods of the runner's handle that fail a test.
const FAILS: &[&str] = &["Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"];

/// Assertions of testify that a suite has as methods.
const SUITE: &[&str] = &[
    "Equal",
    "NotEqual",
    "EqualValues",
    "Exactly",
    "Same",
    "NotSame",
    "True",
    "False",
    "Nil",
    "NotNil",
    "Empty",
    "NotEmpty",
    "Zero",
    "NotZero",
    "Len",
    "Contains",
    "NotContains",
    "ElementsMatch",
    "Subset",
    "NotSubset",
    "NoError",
    "Error",
    "ErrorIs",
    "ErrorAs",
    "ErrorContains",
    "EqualError",
    "Panics",
    "NotPanics",
    "PanicsWithValue",
    "PanicsWithError",
    "Greater",
    "GreaterOrEqual",
    "Less",
    "LessOrEqual",
    "Positive",
    "Negative",
    "InDelta",
    "InEpsilon",
    "JSONEq",
    "YAMLEq",
    "Regexp",
    "NotRegexp",
    "IsType",
    "Implements",
    "WithinDuration",
    "Eventually",
    "Never",
    "Condition",
    "FileExists",
    "DirExists",
    "HTTPSuccess",
    "Fail",
    "FailNow",
];

/// Assertions of testify that take what is expected before what is looked at.
const EXPECTED_FIRST: &[&str] = &[
    "Equal",
    "NotEqual",
    "EqualValues",
    "NotEqualValues",
    "EqualExportedValues",
    "Exactly",
    "Same",
    "NotSame",
    "InDelta",
    "InEpsilon",
    "JSONEq",
    "YAMLEq",
    "Regexp",
    "NotRegexp",
    "IsType",
    "Implements",
    "WithinDuration",
];

/// Assertions that look at one value.
const UNARY: &[&str] = &[
    "True",
    "False",
    "Nil",
    "NotNil",
    "Empty",
    "NotEmpty",
    "Zero",
    "NotZero",
    "NoError",
    "Error",
    "Panics",
    "NotPanics",
    "Positive",
    "Negative",
    "Fail",
    "FailNow",
    "FileExists",
    "DirExists",
    "NilError",
    "Assert",
    "NoErr",
];

/// Emits the assertion of a call in a test.
pub(super) fn of_call(call: Node<'_>, callee: &Callee<'_, '_>, visit: &mut Visit<'_, '_>) {
    if visit.words.assertion_helpers.iter().any(|w| w == callee.name) {
        let arguments = calls::arguments(call);
        let skip = usize::from(arguments.first().is_some_and(|a| is_handle(visit.text_of(*a))));
        return push(call, callee.node, arguments.get(skip), arguments.get(skip + 1), false, visit);
    }
    if callee.name != "Run" && hands_on(call, callee, visit) {
        return push(call, callee.node, None, None, false, visit);
    }
    let Some(operand) = callee.operand else { return };
    match callee.name {
        "To" | "NotTo" | "ToNot" | "Should" | "ShouldNot" => gomega(call, callee, operand, visit),
        name if FAILS.contains(&name) && is_handle(callee.of) => {
            let matcher = visit.span(callee.node);
            // The `if` around it was seen first and knows the condition.
            if !visit.out.assertions.iter().rev().take(RECENT).any(|a| a.matcher == matcher) {
                push(call, callee.node, None, None, false, visit);
            }
        }
        "AssertExpectations" | "AssertCalled" | "AssertNotCalled" | "AssertNumberOfCalls" => {
            push(call, callee.node, Some(&operand), calls::arguments(call).get(1), false, visit);
        }
        name => {
            let name = name.strip_suffix('f').unwrap_or(name);
            let package =
                scope::is_package(visit.scope, callee.of, "assert") || ["assert", "require", "is", "qt", "c"].contains(&callee.of);
            let of_suite = SUITE.contains(&name) && operand.kind() != "call_expression" && !callee.of.contains('.');
            let object = callee.of.ends_with(".Require()") || callee.of.ends_with(".Assert()") || callee.of.ends_with(".New(t)");
            let known = SUITE.contains(&name) || UNARY.contains(&name) || EXPECTED_FIRST.contains(&name) || name == "DeepEqual";
            let checks = ["c", "qt"].contains(&callee.of) && ["Assert", "Check"].contains(&name);
            if checks {
                checker(call, callee, visit);
            } else if (package && known) || object || (of_suite && in_suite(visit)) {
                testify(call, callee, name, visit);
            }
        }
    }
}

/// Whether a call hands the runner's handle to a helper of the repository, which can fail the test by it.
fn hands_on(call: Node<'_>, callee: &Callee<'_, '_>, visit: &Visit<'_, '_>) -> bool {
    let package = ["assert", "require", "is", "qt", "c", "cmp", "suite", "gomock", "testing"].contains(&callee.of);
    let first = calls::arguments(call).first().map(|a| visit.text_of(*a));
    !package
        && !scope::is_package(visit.scope, callee.of, "assert")
        && first.is_some_and(is_handle)
        && callee.name.len() > 2
        && !callee.name.starts_with("New")
}

fn in_suite(visit: &Visit<'_, '_>) -> bool {
    visit.frames.iter().any(|f| f.kind == ItemKind::Test && f.name.contains('.'))
}

/// Whether an expression is a handle of the runner by its usual names.
fn is_handle(source: &str) -> bool {
    matches!(source, "t" | "b" | "f" | "tb" | "c") || source.ends_with(".T()") || source.ends_with("GinkgoT()")
}

fn testify(call: Node<'_>, callee: &Callee<'_, '_>, name: &str, visit: &mut Visit<'_, '_>) {
    let arguments = calls::arguments(call);
    let skip = usize::from(arguments.first().is_some_and(|a| is_handle(visit.text_of(*a))));
    let (first, second) = (arguments.get(skip), arguments.get(skip + 1));
    let (subject, expected) = match () {
        () if UNARY.contains(&name) => (first, None),
        () if EXPECTED_FIRST.contains(&name) => (second, first),
        () => (first, second),
    };
    let negated = name.starts_with("Not") || name == "False";
    push(call, callee.node, subject, expected, negated, visit);
}

/// `c.Assert(got, checker, want)` and `qt.Assert(t, got, checker, want)`.
fn checker(call: Node<'_>, callee: &Callee<'_, '_>, visit: &mut Visit<'_, '_>) {
    let arguments = calls::arguments(call);
    let skip = usize::from(arguments.first().is_some_and(|a| is_handle(visit.text_of(*a))));
    let matcher = arguments.get(skip + 1).copied().unwrap_or(callee.node);
    push(call, matcher, arguments.get(skip), arguments.get(skip + 2), false, visit);
}

/// `Expect(x).To(Equal(y))`: without a matcher nothing is checked.
fn gomega(call: Node<'_>, callee: &Callee<'_, '_>, operand: Node<'_>, visit: &mut Visit<'_, '_>) {
    const CHAIN_MAX: usize = 8;
    let mut actual = operand;
    let mut subject = None;
    for _ in 0..CHAIN_MAX {
        let Some(inner) = calls::callee(actual, visit.text) else { return };
        if ["Expect", "Ω", "Eventually", "Consistently", "ExpectWithOffset", "EventuallyWithOffset", "ConsistentlyWithOffset"]
            .contains(&inner.name)
        {
            subject = calls::arguments(actual).get(usize::from(inner.name.ends_with("WithOffset"))).copied();
            break;
        }
        let Some(next) = inner.operand.filter(|o| o.kind() == "call_expression") else { return };
        actual = next;
    }
    if subject.is_none() {
        return;
    }
    let arguments = calls::arguments(call);
    let Some(matcher) = arguments.first().copied() else { return };
    let expected = calls::arguments(matcher).first().copied();
    let name = matcher.child_by_field_name("function").unwrap_or(matcher);
    let negated = callee.name.contains("Not");
    push(call, name, subject.as_ref(), expected.as_ref(), negated, visit);
}

fn push(
    call: Node<'_>,
    matcher: Node<'_>,
    subject: Option<&Node<'_>>,
    expected: Option<&Node<'_>>,
    negated: bool,
    visit: &mut Visit<'_, '_>,
) {
    let span = |node: &Node<'_>| -> Span { visit.span(*node) };
    let assertion =
        Assertion { span: span(&call), subject: subject.map(span), matcher: span(&matcher), expected: expected.map(span), negated };
    visit.out.assertions.push(assertion);
}

/// Emits the assertion of an `if` whose branch fails the test: its condition is what is checked.
pub(super) fn of_if(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let (Some(condition), Some(branch)) = (node.child_by_field_name("condition"), node.child_by_field_name("consequence")) else { return };
    let fails = calls::statements(branch).into_iter().filter_map(calls::called).find_map(|call| {
        let callee = calls::callee(call, visit.text)?;
        (FAILS.contains(&callee.name) && is_handle(callee.of)).then_some(callee.node)
    });
    let Some(matcher) = fails else { return };
    let assertion = Assertion {
        span: visit.span_of(node.start_byte(), branch.end_byte()),
        subject: Some(visit.span(condition)),
        matcher: visit.span(matcher),
        expected: None,
        negated: true,
    };
    visit.out.assertions.push(assertion);
}

/// Emits the assertion that an example's `// Output:` is.
pub(super) fn output(comment: Node<'_>, visit: &mut Visit<'_, '_>) {
    let frame = visit.frame();
    if frame.kind != ItemKind::Test || !frame.name.starts_with("Example") {
        return;
    }
    let source = visit.text_of(comment).trim_start_matches(['/', '*', ' ']).to_ascii_lowercase();
    if source.starts_with("output:") || source.starts_with("unordered output:") {
        let span = visit.span(comment);
        visit.out.assertions.push(Assertion { span, subject: None, matcher: span, expected: None, negated: false });
    }
}
