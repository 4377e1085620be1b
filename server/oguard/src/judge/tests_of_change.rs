//! What happened to each test of a change, as a reviewer wants to know it: the engine's pairs with what the rules said of them.

use crate::report::{TestPlace, TestReport, TestState};
use oguard_engine::change::{Fate, File, Now, Old, Pair, Tests};
use oguard_engine::facts::Unit;
use oguard_engine::finding::{Finding, Level};
use oguard_engine::text::{line_starts, place};
use std::collections::HashMap;

/// Returns what happened, by path and line; `said` holds the findings of each file.
pub(super) fn of(files: &[File<'_>], tests: &Tests<'_>, said: &[Vec<&Finding>]) -> Vec<TestReport> {
    let mut lines = Lines::default();
    let silent = |file: usize| files[file].silent;
    let mut rows: Vec<TestReport> = Vec::new();
    for pair in tests.pairs.iter().filter(|p| !(silent(p.old.file) && p.now.iter().all(|n| silent(n.file)))) {
        let said = about(pair, said);
        rows.push(TestReport {
            what: state(pair, &said),
            was: Some(lines.old(&pair.old)),
            is: pair.now.iter().map(|now| lines.now(files, now)).collect(),
            said: said.into_iter().map(|f| (f.rule.id.0, f.level, f.message.clone())).collect(),
        });
    }
    for now in tests.added.iter().filter(|now| !silent(now.file)) {
        let said = within(now.unit(), &said[now.file]);
        rows.push(TestReport {
            what: TestState::Added,
            was: None,
            is: vec![lines.now(files, now)],
            said: said.into_iter().map(|f| (f.rule.id.0, f.level, f.message.clone())).collect(),
        });
    }
    let key = |row: &TestReport| row.is.first().or(row.was.as_ref()).map(|p| (p.path.clone(), p.line));
    rows.sort_by_cached_key(|row| (key(row), row.what));
    rows
}

fn state(pair: &Pair<'_>, said: &[&Finding]) -> TestState {
    let has = |rule: &str| said.iter().any(|f| f.rule.id.0 == rule && f.level > Level::Info);
    let off = |unit: &Unit| unit.covered || unit.facts.item.disabled;
    let stopped = !off(pair.old.unit()) && pair.now.iter().any(|now| off(now.unit()));
    match pair.fate {
        Fate::Removed => TestState::Removed,
        Fate::Disabled => TestState::Disabled,
        _ if stopped || has("test-disabled") => TestState::Disabled,
        _ if has("test-weakened") => TestState::Weakened,
        Fate::Unknown => TestState::Unknown,
        Fate::Edited | Fate::Rewritten if pair.now.iter().any(|n| n.unit().facts.item.name != pair.old.unit().facts.item.name) => {
            TestState::Renamed
        }
        Fate::Edited | Fate::Rewritten => TestState::Edited,
        Fate::Renamed => TestState::Renamed,
        Fate::Moved => TestState::Moved,
        Fate::Parametrised => TestState::Parametrised,
        Fate::Merged => TestState::Merged,
        Fate::Split => TestState::Split,
        Fate::Kept => TestState::Kept,
    }
}

/// Returns the findings about a test: those in the test it is now, or that name it as gone.
fn about<'f>(pair: &Pair<'_>, said: &[Vec<&'f Finding>]) -> Vec<&'f Finding> {
    if pair.now.is_empty() {
        let name = &pair.old.unit().facts.item.name;
        let here = said[pair.old.file].iter().copied();
        return here.filter(|f| f.rule.id.0.starts_with("test-") && f.subject == *name).collect();
    }
    pair.now.iter().flat_map(|now| within(now.unit(), &said[now.file])).collect()
}

fn within<'f>(unit: &Unit, said: &[&'f Finding]) -> Vec<&'f Finding> {
    let inside = |f: &&&Finding| !f.absent && f.rule.id.0.starts_with("test-") && unit.range.contains(&f.range.start);
    said.iter().filter(inside).copied().collect()
}

/// Line starts of the texts, made once each.
#[derive(Default)]
struct Lines {
    old: HashMap<usize, Vec<usize>>,
    now: HashMap<usize, Vec<usize>>,
}

impl Lines {
    fn old(&mut self, old: &Old<'_>) -> TestPlace {
        let text = old.base.document().text();
        let starts = self.old.entry(old.file).or_insert_with(|| line_starts(text));
        let unit = old.unit();
        let at = unit.absolute(unit.facts.item.name_span).start;
        TestPlace { path: old.base.path().to_owned(), name: old.name(), line: place(text, starts, at).line }
    }

    fn now(&mut self, files: &[File<'_>], now: &Now<'_>) -> TestPlace {
        let text = now.edited.text();
        let starts = self.now.entry(now.file).or_insert_with(|| line_starts(text));
        let unit = now.unit();
        let at = unit.absolute(unit.facts.item.name_span).start;
        TestPlace { path: files[now.file].path.to_owned(), name: now.name(), line: place(text, starts, at).line }
    }
}
