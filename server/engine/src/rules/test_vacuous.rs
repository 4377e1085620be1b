//! A new test that cannot fail: it checks nothing, or only what is always true.
//!
//! Counting assertions by their words was wrong nine times out of ten elsewhere (rules-a.md D28): helpers check, calls that
//! throw check, and some tests exist to show that nothing is thrown. So whatever may check counts as a check.

mod calls;

use super::{Draft, Rule, RuleId, Seen};
use crate::facts::Unit;
use crate::finding::Level;
use crate::phrases;
use crate::settings::Collection;
use calls::Calls;
use oguard_grammars::facts::{Assertion, Effect, ItemKind, Shape};
use std::ops::Range;

pub(super) const RULE: Rule = Rule {
    id: RuleId("test-vacuous"),
    version: 1,
    level: Level::Info,
    settled: true,
    summary: "a new test checks nothing",
    why: "A test without a check is green whatever the code does. It is counted as one all the same.",
    limits: "Helpers of the same file are looked into; any other whose name says that it checks counts as a check, and so does one \
             that the test inherits. A test whose name or comment says that nothing is thrown, a benchmark and an example are left \
             alone. It never counts as the test that an obligation asks for.",
    remedy: "assert what the code is expected to do",
    example: ("py", "def test_total():\n    total([1, 2])", "def test_total():\n    assert total([1, 2]) == 3"),
    state: Some(find),
    change: None,
    across: None,
    textual: false,
};

fn find(seen: &Seen<'_>, acc: &mut Vec<Draft>) {
    // Data of tests holds what looks like one.
    if seen.document.collection == Collection::Data {
        return;
    }
    let mut calls = None;
    for (index, unit) in seen.document.inventory().tests() {
        let Some(what) = verdict(seen, index, unit, &mut calls) else { continue };
        let name = seen.name(index);
        let mut draft = Draft::new(&RULE, seen, index, unit.absolute(unit.facts.item.name_span))
            .message(format!("`{name}` {what}"))
            .subject(seen.own_name(index));
        draft.silent = seen.base.is_some_and(|base| base.knows(seen, unit));
        acc.push(draft);
    }
}

/// Returns why a test cannot fail, or none.
fn verdict<'s>(seen: &Seen<'s>, index: usize, unit: &Unit, calls: &mut Option<Calls<'s>>) -> Option<&'static str> {
    let inventory = seen.document.inventory();
    let inside = &inventory.units[index..index + unit.size as usize];
    let assertions = || inside.iter().flat_map(|u| u.facts.local.assertions.iter().map(move |a| (u, a)));
    if assertions().any(|(unit, assertion)| !always_holds(seen, unit, assertion)) {
        return None;
    }
    let nested = inside.iter().skip(1).any(|u| matches!(u.kind(), ItemKind::Test | ItemKind::Group));
    let off = |u: &Unit| u.facts.local.markers.iter().any(|m| m.effect != Effect::Focused);
    let body = unit.facts.item.body?;
    if nested || unit.covered || unit.facts.item.disabled || off(unit) {
        return None;
    }
    let tautologies = assertions().next().is_some();
    let text = seen.text(unit.range.clone());
    let name = &unit.facts.item.name;
    let bench = text.trim_start().starts_with("bench");
    if bench
        || is_no_check_by_design(name)
        || inside.iter().any(|u| comments(seen, u).any(|c| says_nothing_is_thrown(&c) || phrases::explains_emptiness(&c)))
        || says_nothing_is_thrown(name)
    {
        return None;
    }
    if body.shape == Shape::Empty {
        return Some("has an empty body, so it cannot fail");
    }
    let calls = calls.get_or_insert_with(|| Calls::of(seen.document));
    let spoken_for = assertions().map(|(unit, assertion)| unit.absolute(assertion.span));
    if calls.may_check(&without(seen.text(unit.absolute(body.span)), unit.absolute(body.span).start, spoken_for), unit) {
        return None;
    }
    Some(if tautologies { "asserts only what is always true" } else { "checks nothing: it fails only where something is thrown" })
}

/// Returns a text that starts at a byte without some ranges of it.
fn without(text: &str, start: usize, ranges: impl Iterator<Item = Range<usize>>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for range in ranges.filter(|r| r.start >= start && r.end <= start + text.len()) {
        bytes[range.start - start..range.end - start].fill(b' ');
    }
    String::from_utf8(bytes).expect("facts cover whole characters")
}

fn comments<'a>(seen: &'a Seen<'_>, unit: &'a Unit) -> impl Iterator<Item = String> + 'a {
    unit.facts.local.comments.iter().map(|c| seen.text(unit.absolute(c.span)).to_lowercase())
}

/// Whether a name is that of code that runners run without asking for a result.
fn is_no_check_by_design(name: &str) -> bool {
    let name = name.rsplit('.').next().unwrap_or(name).to_lowercase();
    ["bench", "example", "fuzz", "perf"].iter().any(|p| name.starts_with(p)) || name.contains("benchmark")
}

/// Words by which a test says that its point is that nothing happens.
const NOTHING_THROWN: &[&str] = &[
    "throw",
    "crash",
    "panic",
    "rais",
    "smoke",
    "compil",
    "typecheck",
    "type check",
    "import",
    "deadlock",
    "hang",
    "leak",
    "error",
    "fail",
    "not_",
    "not ",
    "n't",
    "never",
    "no-op",
    "noop",
    "no op",
    "without",
    "nothing",
    "sanity",
    "loads",
    "works",
    "runs",
    "accepts",
    "allow",
    "support",
    "can ",
    "can_",
    "survive",
    "safe",
    "race",
    "valid",
    "terminat",
    "stress",
    "recurs",
    "overflow",
    "ignore",
    "warn",
    "type",
    "should_build",
    "construct",
    "instantiat",
];

fn says_nothing_is_thrown(text: &str) -> bool {
    let text = text.to_lowercase();
    NOTHING_THROWN.iter().any(|word| text.contains(word))
}

/// Whether an assertion holds whatever the code does: of a constant, or of a name and itself.
fn always_holds(seen: &Seen<'_>, unit: &Unit, assertion: &Assertion) -> bool {
    let Some(subject) = assertion.subject else { return false };
    let slice = |span| seen.text(unit.absolute(span)).trim();
    let subject = slice(subject);
    let is_constant = |text: &str| {
        matches!(text, "true" | "True" | "false" | "False" | "null" | "None" | "nil" | "undefined")
            || (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()))
    };
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    match assertion.expected.map(slice) {
        Some(expected) => {
            !assertion.negated && expected == subject && (is_constant(subject) || is_name(subject)) && equals(slice(assertion.matcher))
        }
        None => {
            let matcher = slice(assertion.matcher).to_lowercase();
            let wanted = if matcher.contains("false") || matcher.contains("falsy") { "false" } else { "true" };
            !assertion.negated && subject.eq_ignore_ascii_case(wanted) && !["if", "?"].contains(&matcher.as_str())
        }
    }
}

/// Whether a matcher asks for equality.
fn equals(matcher: &str) -> bool {
    let matcher = matcher.to_lowercase();
    matcher == "=="
        || matcher == "is"
        || matcher == "tobe"
        || matcher.contains("equal")
        || matcher.ends_with("_eq")
        || matcher.contains("same")
}
