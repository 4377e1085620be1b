//! The checks of a test: its own, those of functions inside it, those of helpers of its file, and what is known by name only.

use super::Side;
use super::helpers::{self, Call};
use super::text::Norm;
use crate::document::Document;
use crate::facts::Unit;
use oguard_grammars::checks::{Check, Claim, EXACT, NOTHING, Parts};
use oguard_grammars::facts::{Assertion, ItemKind, RegionForm, Span, TermForm};
use std::ops::Range;

/// Most checks of one test that are looked at; what holds more is a table.
const CHECKS_MAX: usize = 400;

/// A check that a test makes.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) check: Check,
    pub(crate) subject: Norm,
    pub(crate) expected: Vec<Norm>,
    /// Bytes of the assertion, and of the call in the test that leads to it.
    pub(crate) span: Range<usize>,
    pub(crate) at: Range<usize>,
    /// The helper that makes it.
    pub(crate) via: Option<String>,
    /// The matcher or the assertion's name.
    pub(crate) matcher: String,
    pub(crate) fate: Fate,
}

/// What becomes of a failure of a check.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fate {
    pub(crate) swallowed: bool,
    pub(crate) dead: bool,
    pub(crate) repeated: bool,
    /// It stands where something must fail first.
    pub(crate) failing: bool,
    /// Bytes and words of the conditions around it.
    pub(crate) guards: Vec<Guard>,
}

/// A condition around a check.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub(crate) condition: Range<usize>,
    pub(crate) norm: Norm,
    /// The check stands where it does not hold.
    pub(crate) otherwise: bool,
}

impl Fate {
    /// Adds what a call of its helper stands in.
    pub(super) fn within(&mut self, outer: Fate) {
        self.swallowed |= outer.swallowed;
        self.dead |= outer.dead;
        self.repeated |= outer.repeated;
        self.failing |= outer.failing;
        // Guards of a helper are its own, and nobody knows the values of them here.
        self.guards = outer.guards;
    }
}

impl Made {
    /// Whether a failure of it fails the test.
    pub(crate) fn can_fail(&self) -> bool {
        self.check.level > NOTHING && !self.fate.swallowed && !self.fate.dead && !self.is_tautology()
    }

    /// Whether it stands in a test to be a check, and not as part of a value.
    pub(crate) fn is_explicit(&self) -> bool {
        !self.check.implicit && !matches!(self.check.claim, Claim::Failure | Claim::Count)
    }

    /// Whether both sides are the same expression, or nothing is said.
    pub(crate) fn is_tautology(&self) -> bool {
        if self.check.claim == Claim::Nothing {
            return true;
        }
        matches!(self.check.claim, Claim::Equal | Claim::Near)
            && !self.check.negated
            && self.expected.first() == Some(&self.subject)
            && !self.subject.is_empty()
    }

    pub(crate) fn is_unknown(&self) -> bool {
        self.check.claim == Claim::Unknown
    }
}

/// What a test does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub(crate) made: Vec<Made>,
    pub(crate) terms: Vec<(TermForm, Range<usize>, u64)>,
    pub(crate) calls: Vec<Call>,
    /// One test whatever its rows.
    pub(crate) parametrised: bool,
    /// It has statements that are no checks.
    pub(crate) empty: bool,
}

impl Model {
    /// Reads a test or a helper.
    pub(crate) fn of(side: Side<'_>) -> Self {
        let Side { document, index } = side;
        let unit = &document.inventory().units[index];
        let calls = helpers::calls(document, index);
        let regions = regions(document, &running(document, index, &calls));
        let mut model = Model {
            made: own(document, index, &calls),
            terms: terms(document, index),
            calls: Vec::new(),
            parametrised: unit.facts.item.parametrised,
            empty: unit.facts.item.body.is_some_and(|b| b.shape == oguard_grammars::facts::Shape::Empty),
        };
        helpers::expand(document, index, &calls, &regions, &mut model.made);
        model.made.truncate(CHECKS_MAX);
        model.made.sort_by_key(|m| m.at.start);
        model.calls = calls;
        model
    }

    /// Takes another test in: both together are what one was.
    pub(crate) fn take(&mut self, other: Model) {
        let first = self.made.is_empty() && self.calls.is_empty();
        self.empty = other.empty && (first || self.empty);
        self.parametrised |= other.parametrised;
        self.made.extend(other.made);
        self.terms.extend(other.terms);
        self.calls.extend(other.calls);
    }
}

/// Returns the units of a test that run with it: not those of tests inside it, nor of functions that nobody in it names.
pub(super) fn running<'d>(document: &'d Document, index: usize, calls: &[Call]) -> Vec<(usize, &'d Unit)> {
    let units = &document.inventory().units;
    let end = index + units[index].size as usize;
    let mut found = Vec::new();
    let mut at = index;
    while at < end {
        let unit = &units[at];
        let name = &unit.facts.item.name;
        let apart = at != index
            && (unit.kind() == ItemKind::Test
                || (unit.kind() == ItemKind::Function && !name.is_empty() && !is_named(document, unit, name, calls)));
        if apart {
            at += unit.size as usize;
            continue;
        }
        found.push((at, unit));
        at += 1;
    }
    found
}

/// Whether a function inside a test is used in it.
fn is_named(document: &Document, unit: &Unit, name: &str, calls: &[Call]) -> bool {
    if calls.iter().any(|c| c.name == name && !unit.range.contains(&c.at.start)) {
        return true;
    }
    // Handed on by its name, or a method that something else calls.
    let text = document.text();
    let own = unit.absolute(unit.facts.item.name_span);
    text.match_indices(name).any(|(at, _)| at != own.start && !unit.range.contains(&at))
}

/// Returns the checks that stand in a unit and in what runs with it.
pub(super) fn own(document: &Document, index: usize, calls: &[Call]) -> Vec<Made> {
    let mut made = Vec::new();
    let running = running(document, index, calls);
    let regions = regions(document, &running);
    for (_, unit) in &running {
        for assertion in &unit.facts.local.assertions {
            let fate = fate(document, unit.absolute(assertion.span), &regions);
            made.extend(read(document, unit, assertion).into_iter().map(|mut made| {
                made.fate = fate.clone();
                made
            }));
            if made.len() > CHECKS_MAX {
                return made;
            }
        }
    }
    // What a helper of the file checks is read from it.
    made.retain(|m| !(m.is_unknown() && helpers::is_local(document, &m.matcher)));
    let by_name = helpers::by_name(document, calls, &made);
    made.extend(by_name.into_iter().map(|call| {
        let mut check = Check::new(Claim::Unknown, EXACT, "");
        check.implicit = !call.insists;
        Made {
            subject: Norm::of(&call.name, &[]),
            expected: Vec::new(),
            fate: fate(document, call.at.clone(), &regions),
            span: call.at.clone(),
            at: call.at.clone(),
            via: None,
            matcher: call.name.clone(),
            check,
        }
    }));
    made
}

/// A stretch of a test, what it is, and the condition of it.
pub(super) type Stretch = (Range<usize>, RegionForm, Option<Range<usize>>);

fn regions(document: &Document, running: &[(usize, &Unit)]) -> Vec<Stretch> {
    let mut found = Vec::new();
    for (_, unit) in running {
        found.extend(unit.facts.local.regions.iter().map(|region| {
            let start = unit.range.start + region.span.start as usize;
            let end = (unit.range.start + region.span.end as usize).min(unit.range.end).min(document.text().len());
            (start..end, region.form, region.of.map(|of| unit.absolute(of)))
        }));
    }
    found
}

/// Returns what a place in a test means for a check there.
pub(super) fn fate(document: &Document, span: Range<usize>, regions: &[Stretch]) -> Fate {
    let mut fate = Fate::default();
    for (region, form, of) in regions {
        // The branch that an assertion is itself does not hold it.
        if !(region.start <= span.start && span.end <= region.end) {
            continue;
        }
        match form {
            RegionForm::Swallowed => fate.swallowed = true,
            RegionForm::Dead => fate.dead = true,
            RegionForm::Repeated => fate.repeated = true,
            RegionForm::Failing => fate.failing = true,
            RegionForm::Guarded | RegionForm::Otherwise => {
                let Some(condition) = of.clone() else { continue };
                let norm = Norm::of(document.text().get(condition.clone()).unwrap_or(""), &[]);
                fate.guards.push(Guard { condition, norm, otherwise: *form == RegionForm::Otherwise });
            }
        }
    }
    fate
}

/// Reads one assertion.
pub(super) fn read(document: &Document, unit: &Unit, assertion: &Assertion) -> Vec<Made> {
    let text = document.text();
    let part = |span: Span| text.get(unit.absolute(span)).unwrap_or("");
    let parts = Parts {
        whole: part(assertion.span),
        subject: assertion.subject.map(part),
        matcher: part(assertion.matcher),
        expected: assertion.expected.map(part),
        negated: assertion.negated,
    };
    let adapter = document.language.adapter;
    let idle = adapter.idle_words();
    let span = unit.absolute(assertion.span);
    let made = |check: Check| Made {
        subject: Norm::of(&check.subject, idle),
        expected: check.expected.iter().map(|e| Norm::of(e, idle)).collect(),
        span: span.clone(),
        at: span.clone(),
        via: None,
        matcher: parts.matcher.to_owned(),
        fate: Fate::default(),
        check,
    };
    adapter.claims(&parts).into_iter().map(made).collect()
}

/// Returns on which terms a test runs, those of the groups and the file around it included.
fn terms(document: &Document, index: usize) -> Vec<(TermForm, Range<usize>, u64)> {
    let inventory = document.inventory();
    let mut found = Vec::new();
    let end = index + inventory.units[index].size as usize;
    let mut add = |unit: &Unit| found.extend(unit.facts.local.terms.iter().map(|term| (term.form, unit.absolute(term.span), term.amount)));
    inventory.units[index..end].iter().for_each(&mut add);
    let mut around = vec![0];
    let mut at = index;
    while at != 0 {
        at = inventory.parent(at);
        add(&inventory.units[at]);
        around.push(at);
    }
    // What stands beside a test in its group or file: calls that replace a module open a scope without a name.
    for (at, unit) in inventory.units.iter().enumerate().filter(|(_, unit)| !unit.facts.local.terms.is_empty()) {
        let beside =
            matches!(unit.kind(), ItemKind::Scope | ItemKind::Hook) && around.contains(&inventory.parent(at)) && !around.contains(&at);
        if beside && at != index {
            add(unit);
        }
    }
    found
}
