//! Checks that Java tests make (rules-b.md 2.1): JUnit, TestNG, Hamcrest, AssertJ, Truth, Mockito, and helpers called like them.
//!
//! A chain makes one assertion a link: `assertThat(x).isNotNull().contains(y)` checks two things of `x`.

use super::annotations::{self, arguments, string};
use super::scope;
use crate::facts::Assertion;
use crate::visit::Visit;
use tree_sitter::Node;

/// Longest chain that is followed to its root.
const CHAIN_MAX: usize = 64;

/// Links that only describe or choose what the next one looks at.
const CHOOSES: &[&str] = &[
    "as",
    "describedAs",
    "withFailMessage",
    "overridingErrorMessage",
    "that",
    "and",
    "should",
    "first",
    "last",
    "element",
    "elements",
    "asString",
    "asList",
    "asInstanceOf",
    "map",
    "flatMap",
    "flatExtracting",
    "value",
    "cause",
    "rootCause",
    "message",
    "size",
    "times",
    "comparingElementsUsing",
    "formattingDiffsUsing",
    "inOrder",
    "create",
    "withTolerance",
    "named",
];

/// Beginnings of such links.
const CHOOSES_PREFIX: &[&str] = &["using", "extracting", "filteredOn", "ignoring", "withRepresentation"];

/// Roots of chains that say what is looked at.
const ROOTS: &[&str] = &["assertThat", "assertWithMessage", "assertAbout", "that", "then", "given"];

/// Assertions of JUnit and TestNG that compare two values.
const COMPARES: &[&str] = &[
    "assertEquals",
    "assertNotEquals",
    "assertSame",
    "assertNotSame",
    "assertArrayEquals",
    "assertIterableEquals",
    "assertLinesMatch",
    "assertEqualsNoOrder",
    "assertEqualsDeep",
    "assertThrows",
    "assertThrowsExactly",
    "assertInstanceOf",
    "assertTimeout",
    "assertTimeoutPreemptively",
    "expectThrows",
];

/// Beginnings of helpers that check what they are given.
const HELPERS: &[&str] = &["assert", "verify", "check", "expect", "ensure"];

/// Emits the assertion that a call makes, if it makes one.
pub(super) fn of_call(call: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(matcher) = call.child_by_field_name("name") else { return };
    let name = visit.text_of(matcher);
    let object = call.child_by_field_name("object");
    let given = arguments(call);
    if visit.words.assertion_helpers.iter().any(|w| w == name) {
        return push(call, matcher, given.first(), given.get(1), false, visit);
    }
    if let Some(object) = object.filter(|o| o.kind() == "method_invocation") {
        return link(call, matcher, object, &given, visit);
    }
    match name {
        "assertThat" if given.len() >= 2 => hamcrest(call, &given, visit),
        _ if ROOTS.contains(&name) || (name.starts_with("assertThat") && given.len() <= 1) => {}
        _ if COMPARES.contains(&name) => {
            let (subject, expected) = compared(name, &given, visit);
            push(call, matcher, subject.as_ref(), expected.as_ref(), name.contains("Not"), visit);
        }
        // The call behind it is what is verified.
        "verify" => {}
        "fail" => push(call, matcher, None, None, false, visit),
        "assertSoftly" | "assertAll" => {}
        _ => {
            let helper = HELPERS.iter().any(|p| name.strip_prefix(p).is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase())));
            let thrown = name == "expect" && object.is_some();
            if helper || thrown {
                let subject = given.iter().find(|a| given.len() == 1 || string(**a, visit.text).is_none());
                push(call, matcher, subject, None, name.contains("Not") || name == "assertFalse" || name.starts_with("verifyNo"), visit);
            }
        }
    }
}

/// Returns what is looked at and what is expected: JUnit takes what is expected first, TestNG last; JUnit 4 a message before both.
fn compared<'tree>(name: &str, given: &[Node<'tree>], visit: &Visit<'_, '_>) -> (Option<Node<'tree>>, Option<Node<'tree>>) {
    let message_first = given.len() >= 3
        && visit.scope.frameworks & scope::JUPITER == 0
        && string(given[0], visit.text).is_some()
        && string(given[2], visit.text).is_none()
        && string(given[1], visit.text).is_none_or(|_| given.len() == 3);
    let given = if message_first { &given[1..] } else { given };
    let (first, second) = (given.first().copied(), given.get(1).copied());
    let testng = visit.scope.binding(name).map_or(visit.scope.frameworks == scope::TESTNG, |(module, _)| module.starts_with("org.testng"));
    if testng && name.contains("Equal") { (first, second) } else { (second, first) }
}

/// Emits the assertion of a link of a chain.
fn link(call: Node<'_>, matcher: Node<'_>, object: Node<'_>, given: &[Node<'_>], visit: &mut Visit<'_, '_>) {
    let text = visit.text;
    let name_of = |n: Node<'_>| n.child_by_field_name("name").map_or("", |n| &text[n.byte_range()]);
    let name = name_of(call);
    let mut root = object;
    let mut subject = None;
    for _ in 0..CHAIN_MAX {
        if subject.is_none() && name_of(root) == "that" {
            subject = arguments(root).first().copied();
        }
        match root.child_by_field_name("object").filter(|o| o.kind() == "method_invocation") {
            Some(inner) => root = inner,
            None => break,
        }
    }
    let of = name_of(root);
    let asserts =
        ROOTS.contains(&of) || of.starts_with("assertThat") || (of == "create" && text[root.byte_range()].starts_with("StepVerifier"));
    let mocked = of == "verify" && root == object;
    let performed = ["andExpect", "andExpectAll", "untilAsserted"].contains(&name);
    if !(asserts || mocked || performed) {
        return;
    }
    let chooses = CHOOSES.contains(&name) || CHOOSES_PREFIX.iter().any(|p| name.starts_with(p));
    if chooses && !mocked {
        return;
    }
    let subject = subject.or_else(|| arguments(root).first().copied());
    let negated = ["isNot", "doesNot", "hasNo"].iter().any(|p| name.starts_with(p));
    push(call, matcher, subject.as_ref(), given.first(), negated, visit);
}

/// `assertThat(actual, is(not(3)))`, perhaps with a message before.
fn hamcrest(call: Node<'_>, given: &[Node<'_>], visit: &mut Visit<'_, '_>) {
    let [.., subject, matcher] = given else { return };
    let mut at = *matcher;
    let mut negated = false;
    let mut name = at;
    let mut expected = None;
    for _ in 0..CHAIN_MAX {
        let Some(own) = at.child_by_field_name("name").filter(|_| at.kind() == "method_invocation") else { break };
        name = own;
        negated ^= visit.text_of(own) == "not";
        let inner = arguments(at).first().copied();
        expected = inner;
        match inner.filter(|n| n.kind() == "method_invocation" && ["is", "not"].contains(&visit.text_of(own))) {
            Some(inner) if inner.child_by_field_name("object").is_none() => at = inner,
            _ => break,
        }
    }
    push(call, name, Some(subject), expected.as_ref(), negated, visit);
}

/// Emits the assertion of an `assert` statement.
pub(super) fn of_assert(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let keyword = visit.span_of(node.start_byte(), node.start_byte() + "assert".len());
    let subject = node.named_child(0).map(|n| visit.span(n));
    visit.out.assertions.push(Assertion { span: visit.span(node), subject, matcher: keyword, expected: None, negated: false });
}

/// Emits the assertion that an expected exception is: `@Test(expected = X.class)`.
pub(super) fn of_annotation(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(annotation) = annotations::of_node(node, visit.text).filter(|a| a.name == "Test") else { return };
    for key in ["expected", "expectedExceptions"] {
        let Some(pair) = annotation.pair(key, visit.text) else { continue };
        let (Some(name), value) = (pair.child_by_field_name("key"), pair.child_by_field_name("value")) else { continue };
        push(pair, name, None, value.as_ref(), false, visit);
    }
}

fn push(
    whole: Node<'_>,
    matcher: Node<'_>,
    subject: Option<&Node<'_>>,
    expected: Option<&Node<'_>>,
    negated: bool,
    visit: &mut Visit<'_, '_>,
) {
    let assertion = Assertion {
        span: visit.span(whole),
        subject: subject.map(|n| visit.span(*n)),
        matcher: visit.span(matcher),
        expected: expected.map(|n| visit.span(*n)),
        negated,
    };
    visit.out.assertions.push(assertion);
}
