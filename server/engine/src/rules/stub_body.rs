//! Production code that stands in for an implementation: it compiles, it is called, it does nothing.

use super::{Draft, Rule, RuleId, Seen};
use crate::change::Tests;
use crate::check::Baseline;
use crate::facts::{Unit, callers};
use crate::finding::{Finding, Level};
use crate::phrases::{self, Phrase, StubWording};
use oguard_grammars::facts::{ItemKind, MAY_DO_NOTHING, Shape, Span, Stub, StubForm};
use oguard_grammars::visit::FileKind;

pub(super) const RULE: Rule = Rule {
    id: RuleId("stub-body"),
    version: 1,
    level: Level::Warn,
    settled: false,
    summary: "a stub stands in for an implementation",
    why: "A body that throws 'not implemented', does nothing or gives back a constant lets everything around it compile and \
          look finished.",
    limits: "Abstract methods, protocols, overloads, null objects, generated and test code are no stubs. A constant return alone \
             is never reported: only with a comment that says it stands in, or where a working body stood in the base. What a new test of the change names is information: the test \
             comes first there.",
    remedy: "implement the body, or say why it is complete as it is",
    example: ("rs", "fn total(&self) -> u64 { todo!() }", "fn total(&self) -> u64 { self.items.iter().sum() }"),
    state: Some(find),
    change: Some(lost),
    across: None,
    textual: false,
};

/// Statements from which on a base body counts as work (rules-a.md D15).
const WORK_STATEMENTS_MIN: u32 = 3;

/// Names shorter than this stand in any text.
const NAME_BYTES_MIN: usize = 3;

fn find(seen: &Seen<'_>, acc: &mut Vec<Draft>) {
    for (index, unit) in seen.document.inventory().marked() {
        for stub in &unit.facts.local.stubs {
            match verdict(seen, index, unit, stub) {
                Some(why) => acc.push(draft(seen, index, unit, stub.span, why)),
                // Known to the base, so that a construct that was complete for its surroundings is not new when they change.
                None if stub.form != StubForm::Constant => acc.push(Draft { silent: true, ..draft(seen, index, unit, stub.span, "") }),
                None => {}
            }
        }
    }
}

/// Whether a stub of this unit is reported; comments in it are then its evidence.
pub(super) fn reported(seen: &Seen<'_>, index: usize) -> bool {
    let unit = seen.unit(index);
    unit.facts.local.stubs.iter().any(|s| verdict(seen, index, unit, s).is_some())
}

/// Returns what makes a construct a stub, or none.
fn verdict(seen: &Seen<'_>, index: usize, unit: &Unit, stub: &Stub) -> Option<&'static str> {
    let document = seen.document;
    if unit.in_tests || document.kind != FileKind::Production || document.generated {
        return None;
    }
    let exempt = unit.facts.item.exempt.is_some();
    let wording = stub.message.as_deref().and_then(phrases::stub_wording);
    match stub.form {
        StubForm::Promise => Some("it promises an implementation"),
        StubForm::NotImplemented if stub.whole && !exempt => Some("it is not implemented"),
        StubForm::Refusal if wording == Some(StubWording::Promise) => Some("it promises an implementation"),
        StubForm::Refusal if stub.whole && !exempt && wording.is_some() => Some("it is not implemented"),
        StubForm::Empty if stub.whole && !exempt && !explained(seen, index) => Some("its body is empty"),
        StubForm::Constant if stub.whole && !exempt && stands_in(seen, unit, stub) => Some("it gives back a stand-in"),
        _ => None,
    }
}

/// Returns what asks for an implementation, where a new test names the function: the test comes first, the work after.
pub(super) fn asked_for(tests: &Tests<'_>, finding: &Finding) -> Option<String> {
    let name = finding.subject.rsplit('.').next().filter(|name| name.len() >= NAME_BYTES_MIN)?;
    let asks = tests.added.iter().find(|test| {
        let text = test.edited.text().get(test.unit().range.clone()).unwrap_or("");
        callers::mentions(text, name, 1)
    })?;
    Some(format!("the new test `{}` asks for it", asks.name()))
}

fn draft(seen: &Seen<'_>, index: usize, unit: &Unit, span: Span, why: &str) -> Draft {
    let owner = seen.document.inventory().nearest(index, &[ItemKind::Function]).unwrap_or(index);
    let name = seen.name(owner);
    let what = if name.is_empty() { "this code".to_owned() } else { format!("`{name}`") };
    Draft::new(&RULE, seen, index, unit.absolute(span)).message(format!("{what} is a stub: {why}")).subject(seen.own_name(owner))
}

/// Comments in a unit's body.
fn comments<'a>(seen: &'a Seen<'_>, index: usize) -> impl Iterator<Item = (Span, &'a str)> {
    let unit = seen.unit(index);
    unit.facts.local.comments.iter().map(|c| (c.span, seen.text(unit.absolute(c.span))))
}

fn explained(seen: &Seen<'_>, index: usize) -> bool {
    let unit = seen.unit(index);
    let Some(body) = unit.facts.item.body else { return false };
    // A quoted phrase says nothing, but the quotes of a docstring are its delimiters.
    let docstring = || seen.text(unit.absolute(body.span)).replace("\"\"\"", "").replace("'''", "");
    comments(seen, index).any(|(_, text)| phrases::explains_emptiness(text)) || phrases::explains_emptiness(&docstring())
}

/// Where a body that is given up is shown: its one statement, or the name.
fn at_of(unit: &Unit) -> Span {
    unit.facts.local.stubs.iter().find(|s| s.whole).map_or(unit.facts.item.name_span, |s| s.span)
}

/// Whether the constant holds something, and the body that it replaced gave the same: it was made simpler.
fn keeps(constant: &str, body: &str) -> bool {
    const BYTES_MIN: usize = 8;
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let held = plain(constant.trim_start_matches("return"));
    let held = held.trim_matches(['{', '}', '[', ']', '(', ')', ';', ',']);
    held.len() >= BYTES_MIN && held.contains([':', ',', '=']) && plain(body).contains(held)
}

/// Whether what stands in front of a body says that it was withdrawn, or does nothing any more: its documentation, an attribute.
fn withdrawn(seen: &Seen<'_>, index: usize, body: Span) -> bool {
    let unit = seen.unit(index);
    let parent = seen.unit(seen.document.inventory().parent(index));
    let head = unit.absolute(body).start;
    let mut start = unit.range.start;
    let above = parent.facts.local.comments.iter().rev().map(|c| parent.absolute(c.span));
    for comment in above.filter(|c| c.end <= unit.range.start) {
        let between = seen.text(comment.end..start);
        if !between.trim().is_empty() || between.matches('\n').count() > 1 {
            break;
        }
        start = comment.start;
    }
    let text = seen.text(start..head).to_lowercase();
    text.contains("deprecated") || text.contains("no longer") || phrases::explains_emptiness(&text)
}

/// Whether a comment beside a constant says that it stands in, without promising (a promise is `placeholder-comment`).
fn stands_in(seen: &Seen<'_>, unit: &Unit, stub: &Stub) -> bool {
    let Some(body) = unit.facts.item.body else { return false };
    let near = |span: Span| body.span.start <= span.start && (span.end <= body.span.end || same_line(seen, unit, stub.span, span));
    if unit.facts.phrases.iter().any(|(span, phrase)| near(*span) && *phrase == Phrase::Promise) {
        return false;
    }
    unit.facts.local.comments.iter().any(|c| near(c.span) && phrases::stands_in(seen.text(unit.absolute(c.span))))
}

fn same_line(seen: &Seen<'_>, unit: &Unit, first: Span, second: Span) -> bool {
    first.end <= second.start && !seen.text(unit.absolute(Span { start: first.end, end: second.start })).contains('\n')
}

/// A working body that became one constant, a bare return or nothing (rules-a.md D15).
fn lost(seen: &Seen<'_>, base: &Baseline, acc: &mut Vec<Draft>) {
    if seen.document.kind != FileKind::Production || seen.document.generated {
        return;
    }
    for (index, unit) in seen.document.inventory().units.iter().enumerate() {
        let item = &unit.facts.item;
        let Some(body) = item.body else { continue };
        if !matches!(body.shape, Shape::Constant | Shape::Empty)
            || item.kind != ItemKind::Function
            || unit.in_tests
            || item.exempt.is_some_and(|why| why != MAY_DO_NOTHING)
            || item.name.is_empty()
            || reported(seen, index)
        {
            continue;
        }
        let Some(former) = base.function(unit) else { continue };
        let former_unit = base.unit(former);
        let Some(old) = former_unit.facts.item.body else { continue };
        let worked = old.statements >= WORK_STATEMENTS_MIN || old.branches > 0 || old.calls > 0;
        let kept = keeps(seen.text(unit.absolute(at_of(unit))), base.document().text().get(former_unit.absolute(old.span)).unwrap_or(""));
        if kept || !worked || old.shape != Shape::Work || explained(seen, index) || withdrawn(seen, index, body.span) {
            continue;
        }
        let at = at_of(unit);
        let mut draft = draft(seen, index, unit, at, "its body did work before and is one constant now");
        draft.related.push((former_unit.absolute(old.span), "the body it had".to_owned()));
        acc.push(draft);
    }
}
