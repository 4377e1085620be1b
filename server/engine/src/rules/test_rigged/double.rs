//! A new test that asks a double for what it told it to say: it checks the library of doubles, and none of the code.

use super::RULE;
use crate::document::Document;
use crate::facts::Unit;
use crate::rules::{Draft, Seen};
use oguard_grammars::facts::{Answer, ItemKind};

/// Looks at the doubles of one unit, where it is a new test.
pub(super) fn find(seen: &Seen<'_>, index: usize, acc: &mut Vec<Draft>) {
    let unit = seen.unit(index);
    if unit.kind() != ItemKind::Test {
        return;
    }
    let Some((answer, span)) = asked(seen.document.text(), unit) else { return };
    let name = seen.name(index);
    // What a file did before, or does in many tests, is its subject: the tests of a library of doubles.
    let habit = seen.base.is_some_and(|base| askers(base.document()).next().is_some())
        || askers(seen.document).nth(ASKERS_MAX).is_some()
        || is_about_doubles(&name, seen.text(unit.range.clone()));
    let range = unit.absolute(span);
    let mut draft = Draft::new(&RULE, seen, index, range)
        .message(format!("`{name}` asserts what it told the double `{}` to give back", answer.of))
        .subject(seen.own_name(index));
    draft.silent = habit || seen.base.is_some_and(|base| base.knows(seen, unit));
    "assert what the code under test does with the double".clone_into(&mut draft.next_action);
    acc.push(draft);
}

/// Tests of a new file that ask their doubles, from which on that is what the file is about.
const ASKERS_MAX: usize = 3;

/// Returns the tests of a text that ask a double for what they told it.
fn askers(document: &Document) -> impl Iterator<Item = &Unit> {
    document.inventory().units.iter().filter(|unit| asked(document.text(), unit).is_some())
}

/// Whether a test says that a double is its subject, or sees what becomes of one that is reset.
fn is_about_doubles(name: &str, text: &str) -> bool {
    let name = name.to_lowercase();
    ["mock", "stub", "double", "fake", "spy", "spies", ".fn"].iter().any(|word| name.contains(word))
        || ["mockClear", "mockReset", "mockRestore", "AllMocks", "reset_mock", "resetHistory"].iter().any(|word| text.contains(word))
}

/// Returns the first answer of a test that an assertion of it expects from the double itself.
fn asked<'u>(text: &str, unit: &'u Unit) -> Option<(&'u Answer, oguard_grammars::facts::Span)> {
    let local = &unit.facts.local;
    if local.answers.is_empty() {
        return None;
    }
    let slice = |span| text.get(unit.absolute(span)).unwrap_or("");
    let whole = text.get(unit.range.clone()).unwrap_or("");
    local.assertions.iter().find_map(|assertion| {
        let (subject, expected) = (slice(assertion.subject?).trim(), slice(assertion.expected?).trim());
        let answer = local.answers.iter().find(|answer| {
            same(slice(answer.value), expected) && !assertion.negated && (calls(subject, &answer.of) || bound(whole, subject, &answer.of))
        })?;
        Some((answer, assertion.span))
    })
}

/// Whether two literals are the same but for their quotes.
fn same(one: &str, other: &str) -> bool {
    let plain = |text: &str| text.trim().replace(['\'', '"', '`'], "\"");
    plain(one) == plain(other)
}

/// Whether an expression is a call of a double and nothing more.
fn calls(subject: &str, of: &str) -> bool {
    let subject = subject.strip_prefix("await ").unwrap_or(subject).trim();
    let Some(rest) = subject.strip_prefix(of).and_then(|rest| rest.trim_start().strip_prefix('(')) else { return false };
    let mut depth = 1usize;
    for (at, letter) in rest.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return rest[at + 1..].trim().is_empty();
        }
    }
    false
}

/// Whether a name was bound to a call of a double, once and on a line of its own.
fn bound(text: &str, name: &str, of: &str) -> bool {
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$') {
        return false;
    }
    let mut bindings = text.lines().filter_map(|line| {
        let (left, right) = line.split_once('=').filter(|(_, right)| !right.starts_with(['=', '>']))?;
        let left = left.trim_end_matches(':').trim();
        (left.rsplit([' ', '\t']).next() == Some(name)).then(|| right.trim().trim_end_matches(';'))
    });
    let only = bindings.next().filter(|right| calls(right, of));
    only.is_some() && bindings.next().is_none()
}
