//! A test that ran no longer does: skipped, expected to fail, commented out, renamed so that its runner misses it.

mod buried;

use super::{Draft, Rule, RuleId, Seen, owner};
use crate::check::Baseline;
use crate::document::Document;
use crate::facts::Unit;
use crate::facts::callers::is_named_outside;
use crate::finding::{Level, tokens};
use crate::settings::Collection;
use buried::Buried;
use oguard_grammars::facts::{Condition, Effect, ItemKind, Marker, OnNew};
use std::collections::{BTreeMap, HashSet};

pub(super) const RULE: Rule = Rule {
    id: RuleId("test-disabled"),
    version: 1,
    level: Level::Block,
    settled: false,
    summary: "a test no longer runs",
    why: "A test that fails is evidence. Skipping it, or expecting it to fail, makes the run green and the evidence vanish.",
    limits: "A condition evaluated at run time (platform, version, missing tool) is a precondition and at most information. \
             Selection on the command line or in configuration is judged as a weakened gate.",
    remedy: "let the test run, and fix what makes it fail",
    example: ("py", "@pytest.mark.skip\ndef test_total(): …", "def test_total(): …"),
    state: Some(find),
    change: Some(lost),
    across: None,
    textual: false,
};

fn find(seen: &Seen<'_>, acc: &mut Vec<Draft>) {
    for (index, unit) in seen.document.inventory().marked() {
        for marker in unit.facts.local.markers.iter().filter(|m| m.effect != Effect::Focused) {
            // A marker around it speaks for it. It stays known, so that it is not new once that one is gone.
            acc.extend(judge(seen, index, unit, marker).map(|draft| Draft { silent: draft.silent || unit.covered, ..draft }));
        }
    }
    if seen.document.language.redefinition_hides {
        shadowed(seen, acc);
    }
}

/// Returns what a marker amounts to, given whether what it stands on is new.
fn judge(seen: &Seen<'_>, index: usize, unit: &Unit, marker: &Marker) -> Option<Draft> {
    let owner = owner(seen, index);
    let name = marker.subject.clone().unwrap_or_else(|| seen.name(owner));
    let existing = match marker.example {
        // An example that never ran is prose, in the base too.
        Some(example) => seen.base.is_some_and(|base| base.runs_example(example)),
        None => {
            seen.is_base
                || seen.base.is_some_and(|base| {
                    if marker.whole_file || name.is_empty() {
                        base.has_tests()
                    } else {
                        base.knows(seen, seen.unit(owner)) || marker.subject.as_deref().is_some_and(|s| base.has_test_called(s))
                    }
                })
        }
    };
    // What stood there under this name without being a test did not run before either.
    let level = match (marker.condition, existing) {
        (Condition::Runtime, true) if was_disabled(seen, owner) => None,
        (Condition::Runtime, true) => Some(Level::Info),
        (Condition::Runtime | Condition::Ci, false) => None,
        (Condition::Ci, true) => Some(Level::Warn),
        (Condition::Always, true) if marker.reason => Some(Level::Warn),
        (Condition::Always, true) => Some(Level::Block),
        (Condition::Always, false) if seen.base.is_some_and(|base| base.function(seen.unit(owner)).is_some()) => None,
        (Condition::Always, false) => match marker.on_new {
            OnNew::Report => Some(Level::Warn),
            OnNew::Inform => Some(Level::Info),
            OnNew::Silent => None,
        },
    };
    let range = unit.absolute(marker.span);
    let shown = tokens(seen.text(range.clone()));
    let target = if marker.whole_file || name.is_empty() { "the tests of this file".to_owned() } else { format!("`{name}`") };
    let message = match (marker.effect, marker.condition) {
        (Effect::ExpectedFailure, _) => format!("`{shown}` makes a failure of {target} count as success"),
        (Effect::Todo, _) => format!("{target} has no body any more, so it does not run"),
        (_, Condition::Runtime) => format!("`{shown}` skips {target} under a condition"),
        (_, Condition::Ci) => format!("`{shown}` skips {target} in CI"),
        _ => format!("`{shown}` disables {target}"),
    };
    let subject = marker.subject.clone().unwrap_or_else(|| seen.own_name(owner));
    let mut draft = Draft::new(&RULE, seen, index, range).level(level.unwrap_or(Level::Info)).message(message).subject(subject).fix(
        "Remove the skip",
        seen,
        index,
        &marker.removal,
    );
    draft.silent = level.is_none();
    // A condition that was dropped makes another finding; one that was added does not.
    draft.strength = match marker.condition {
        Condition::Runtime => 0,
        Condition::Ci => 1,
        Condition::Always => 2,
    };
    draft.tokens.push_str(match marker.condition {
        Condition::Runtime => " if",
        Condition::Ci => " if ci",
        Condition::Always => "",
    });
    Some(draft)
}

/// Whether the base disabled a test without condition: a condition in its place is a step forward.
fn was_disabled(seen: &Seen<'_>, owner: usize) -> bool {
    seen.base.is_some_and(|base| {
        base.named(seen.unit(owner))
            .any(|unit| unit.facts.local.markers.iter().any(|m| m.condition == Condition::Always && m.effect != Effect::Focused))
    })
}

/// A second definition of a test's name in one scope: the first is never collected.
fn shadowed(seen: &Seen<'_>, acc: &mut Vec<Draft>) {
    let mut known = HashSet::new();
    let inventory = seen.document.inventory();
    for (index, unit) in inventory.tests() {
        if !known.insert((inventory.parent(index), unit.path)) {
            let name = seen.name(index);
            let range = unit.absolute(unit.facts.item.name_span);
            let message = format!("a second `{name}` hides the first, which no longer runs");
            acc.push(Draft::new(&RULE, seen, index, range).message(message).subject(seen.own_name(index)));
        }
    }
}

/// Tests of the base that are no longer collected though their code, or a comment of it, is still there.
fn lost(seen: &Seen<'_>, base: &Baseline, acc: &mut Vec<Draft>) {
    if let Some(draft) = moved_away(seen, base) {
        acc.push(draft);
        return;
    }
    let running = base.still_running(seen.document);
    let present: HashSet<u64> = running.iter().map(|(_, unit)| unit.path).collect();
    let mut gone: Vec<(usize, &Unit)> = base.running().collect();
    gone.retain(|(_, unit)| !present.contains(&unit.path));
    let mut groups: BTreeMap<usize, (usize, Vec<usize>)> = BTreeMap::new();
    let mut buried = Buried::default();
    if !gone.is_empty() {
        let bodies: HashSet<u64> = running.iter().filter_map(|(_, unit)| body_hash(seen, unit)).collect();
        for (old_index, old) in gone {
            let moved = base.body_hash(old).is_some_and(|hash| bodies.contains(&hash));
            if !moved {
                if let Some((group, old_group)) = ungrouped(seen, base, old_index, old) {
                    groups.entry(group).or_insert((old_group, Vec::new())).1.push(old_index);
                    continue;
                }
                match uncollected(seen, base, old_index, old).or_else(|| commented(seen, base, old_index, old)) {
                    Some(draft) => acc.push(draft),
                    None if buried.take(seen, base, old_index, old) => {}
                    None => {
                        if let Some((group, old_group)) = regrouped(seen, base, old_index, old) {
                            groups.entry(group).or_insert((old_group, Vec::new())).1.push(old_index);
                        }
                    }
                }
            }
        }
    }
    buried.report(seen, base, acc);
    for (group, (old_group, tests)) in groups {
        acc.push(uncollected_group(seen, base, group, old_group, tests));
    }
    unregistered(seen, base, acc);
}

/// The file was renamed so that the runner passes it over: one finding for all tests that are still in it.
fn moved_away(seen: &Seen<'_>, base: &Baseline) -> Option<Draft> {
    if (base.document().collection, seen.document.collection) != (Collection::Searched, Collection::Missed) {
        return None;
    }
    let text = seen.document.text();
    let mut still = base.running().filter(|(_, unit)| !unit.covered && !unit.facts.item.disabled).filter_map(|(index, unit)| {
        let name = Some(unit.facts.item.name.as_str()).filter(|n| !n.is_empty())?;
        Some((index, unit, text.find(name)?, name))
    });
    let (first, old, at, name) = still.next()?;
    let mut explains: Vec<usize> = still.map(|(index, ..)| index).collect();
    let others = match explains.len() {
        0 => String::new(),
        1 => " and another test".to_owned(),
        more => format!(" and {more} other tests"),
    };
    let message = format!("`{}` was renamed so that the runner misses it, with `{name}`{others}", base.path());
    let index = seen.document.inventory().unit_at(at);
    let mut draft = Draft::new(&RULE, seen, index, at..at + name.len()).message(message).subject(name.to_owned());
    draft.next_action =
        "rename the file back, or name its new place in `[paths] tests` of oguard.toml if the runner looks there".to_owned();
    draft.related.push((old.absolute(old.facts.item.name_span), "the test that ran".to_owned()));
    explains.push(first);
    draft.explains = explains;
    Some(draft)
}

fn body_hash(seen: &Seen<'_>, unit: &Unit) -> Option<u64> {
    crate::check::body_hash(seen.document, unit)
}

/// The test's function is still there, under a name or without the attribute by which its runner would find it.
fn uncollected(seen: &Seen<'_>, base: &Baseline, old_index: usize, old: &Unit) -> Option<Draft> {
    let name = base.name(old_index);
    let own = &old.facts.item.name;
    let container = base.container(old_index);
    let inventory = seen.document.inventory();
    let hash = base.body_hash(old);
    let same = |unit: &Unit| hash.is_some() && body_hash(seen, unit) == hash;
    let (index, unit) = inventory.units.iter().enumerate().find(|(index, unit)| {
        matches!(unit.kind(), ItemKind::Function | ItemKind::Hook)
            && seen.name(inventory.parent(*index)) == container
            && base.function(unit).is_none()
            && (&unit.facts.item.name == own
                || same(unit)
                || (unit.facts.item.name.to_lowercase().contains(own.trim_start_matches("test").trim_matches('_').to_lowercase().as_str())
                    && own.trim_start_matches("test").trim_matches('_').len() > 3
                    && unit.facts.item.name.to_lowercase().contains("test")))
    })?;
    // A test that became a function of another one still runs, by its hand.
    if is_named_outside(seen.document, index) {
        return None;
    }
    let message = if &unit.facts.item.name == own {
        format!("`{name}` is no longer marked as a test, so it does not run")
    } else {
        format!("`{name}` was renamed to `{}`, which the runner does not collect", unit.facts.item.name)
    };
    let mut draft = Draft::new(&RULE, seen, index, unit.absolute(unit.facts.item.name_span)).message(message).subject(own.clone());
    draft.related.push((base.unit(old_index).absolute(old.facts.item.name_span), "the test that ran".to_owned()));
    draft.explains.push(old_index);
    Some(draft)
}

/// Returns the container of the test's function where it kept its name but is no group of tests any more, and the group it
/// was.
fn ungrouped(seen: &Seen<'_>, base: &Baseline, old_index: usize, old: &Unit) -> Option<(usize, usize)> {
    let inventory = seen.document.inventory();
    let old_group = base.document().inventory().parent(old_index);
    let path = base.unit(old_group).path;
    if base.unit(old_group).kind() != ItemKind::Group {
        return None;
    }
    let (index, _) = inventory
        .units
        .iter()
        .enumerate()
        .find(|(_, unit)| unit.kind() == ItemKind::Function && unit.path == old.path && base.function(unit).is_none())?;
    let group = seen.unit(inventory.parent(index));
    (group.kind() == ItemKind::Scope && group.path == path).then_some((inventory.parent(index), old_group))
}

/// Returns the container in which the test's function stands now, where that is none of tests any more, and the group it
/// was in.
fn regrouped(seen: &Seen<'_>, base: &Baseline, old_index: usize, old: &Unit) -> Option<(usize, usize)> {
    let inventory = seen.document.inventory();
    let old_group = base.document().inventory().parent(old_index);
    let hash = base.body_hash(old).filter(|_| base.unit(old_group).kind() == ItemKind::Group)?;
    let (index, _) = inventory.units.iter().enumerate().find(|(_, unit)| {
        unit.kind() == ItemKind::Function
            && unit.facts.item.name == old.facts.item.name
            && base.function(unit).is_none()
            && body_hash(seen, unit) == Some(hash)
    })?;
    let group = inventory.parent(index);
    (seen.unit(group).kind() == ItemKind::Scope && !seen.unit(group).facts.item.name.is_empty()).then_some((group, old_group))
}

/// A container of tests that was renamed so that the runner misses it: one finding on it, the tests inside are evidence.
fn uncollected_group(seen: &Seen<'_>, base: &Baseline, group: usize, old_group: usize, tests: Vec<usize>) -> Draft {
    let unit = seen.unit(group);
    let old = base.unit(old_group);
    let message = match (base.name(old_group), seen.name(group)) {
        (old, new) if old == new => format!("`{new}` is no longer a group of tests, so those in it do not run"),
        (old, new) => format!("`{old}` was renamed to `{new}`, whose tests the runner does not collect"),
    };
    let at = unit.absolute(unit.facts.item.name_span);
    let mut draft = Draft::new(&RULE, seen, group, at).message(message).subject(old.facts.item.name.clone());
    draft.related.push((old.absolute(old.facts.item.name_span), "the tests that ran".to_owned()));
    draft.explains = tests;
    draft
}

/// The test's text stands in a comment that the base did not have.
fn commented(seen: &Seen<'_>, base: &Baseline, old_index: usize, old: &Unit) -> Option<Draft> {
    let own = &old.facts.item.name;
    let adapter = seen.document.language.adapter;
    for (index, unit) in seen.document.inventory().units.iter().enumerate() {
        for run in comment_runs(seen, unit) {
            let text = seen.text(run.clone());
            // A name can hold that of its receiver, which a comment writes elsewhere.
            let last = own.rsplit(seen.document.language.separator).next().unwrap_or(own);
            if !text.contains(last) || base.document().text().contains(text) {
                continue;
            }
            let Some(found) = adapter.commented_tests(text).into_iter().find(|t| &t.name == own) else { continue };
            let name = base.name(old_index);
            let line = text[..found.at.min(text.len())].rfind('\n').map_or(0, |i| i + 1);
            let start = run.start + line + (text[line..].len() - text[line..].trim_start().len());
            let end = start + seen.text(start..run.end).find('\n').unwrap_or(run.end - start);
            let message = format!("`{name}` is commented out, so it does not run");
            let mut draft = Draft::new(&RULE, seen, index, start..end).message(message).subject(own.clone());
            draft.related.push((base.unit(old_index).absolute(old.facts.item.name_span), "the test that ran".to_owned()));
            draft.explains.push(old_index);
            return Some(draft);
        }
    }
    None
}

/// Returns the absolute ranges of comments, line comments on neighbouring lines joined.
fn comment_runs(seen: &Seen<'_>, unit: &Unit) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for comment in unit.facts.local.comments.iter().filter(|c| !c.doc) {
        let range = unit.absolute(comment.span);
        match runs.last_mut() {
            Some(last) if !comment.block && seen.text(last.end..range.start).trim().is_empty() => last.end = range.end,
            _ => runs.push(range),
        }
    }
    runs
}

/// A suite whose type is still there, while nobody runs it any more.
fn unregistered(seen: &Seen<'_>, base: &Baseline, acc: &mut Vec<Draft>) {
    let registered = |document: &Document| -> HashSet<String> {
        document.inventory().units.iter().flat_map(|u| u.facts.local.registrations.iter().cloned()).collect()
    };
    let now = registered(seen.document);
    for gone in registered(base.document()).difference(&now) {
        let inventory = seen.document.inventory();
        let group = inventory.units.iter().enumerate().find(|(_, u)| u.kind() == ItemKind::Group && &u.facts.item.name == gone);
        if let Some((index, unit)) = group {
            let message = format!("nothing runs the suite `{gone}` any more");
            acc.push(Draft::new(&RULE, seen, index, unit.absolute(unit.facts.item.name_span)).message(message).subject(gone.clone()));
        }
    }
}
