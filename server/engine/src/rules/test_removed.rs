//! An existing test is gone, and lives on nowhere in the change.

use super::{Draft, Rule, RuleId};
use crate::change::{Fate, Gone, Pair, Seen};
use crate::finding::Level;
use crate::restore::put_back;
use oguard_grammars::facts::{Condition, Effect, ItemKind};
use std::collections::BTreeMap;

pub(super) const RULE: Rule = Rule {
    id: RuleId("test-removed"),
    version: 1,
    level: Level::Warn,
    settled: true,
    summary: "an existing test is gone",
    why: "A test that is deleted finds nothing any more, and nothing in the run says so: the suite is green, and smaller.",
    limits: "Tests are matched by name, body, assertions and rows over all files of the change; a test that was rewritten from \
             scratch under another name looks removed. What stands in files outside the change is not searched. Names tell whether \
             what it tested went too.",
    remedy: "put the test back, or say why what it checks no longer holds",
    example: ("py", "def test_total(): …\n# test_total_of_nothing is gone", "def test_total(): …\n\ndef test_total_of_nothing(): …"),
    state: None,
    change: None,
    across: Some(find),
    textual: false,
};

/// Tests of a file that is gone are named one by one up to as many as a file has room for in a report (SPEC.md 3).
const NAMED_MAX: usize = 10;

fn find(seen: &Seen<'_>, acc: &mut Vec<(usize, Draft)>) {
    let mut removed: BTreeMap<usize, Vec<&Pair<'_>>> = BTreeMap::new();
    for pair in seen.tests.pairs.iter().filter(|p| p.fate == Fate::Removed && ran(p)) {
        removed.entry(pair.old.file).or_default().push(pair);
    }
    if removed.is_empty() {
        return;
    }
    let gone = Gone::of(seen.files);
    for (file, pairs) in removed {
        let tops = tops(&pairs);
        if seen.files[file].edited.is_none() && tops.len() > NAMED_MAX {
            acc.push((file, with_its_file(seen, file, &tops, &gone)));
        } else {
            acc.extend(tops.into_iter().map(|(pair, inner)| (file, single(seen, pair, &inner, &gone))));
        }
    }
}

/// Whether a test of the base could have failed: one that was named only, or never ran, is no loss.
fn ran(pair: &Pair<'_>) -> bool {
    let unit = pair.old.unit();
    let off = |effect: Effect| matches!(effect, Effect::Disabled | Effect::Todo);
    let marked = unit.facts.local.markers.iter().any(|m| off(m.effect) && m.condition == Condition::Always);
    !marked && !unit.covered && !unit.facts.item.disabled
}

/// Returns the tests that stand in no other removed one, each with those in it. One whose subtests live on is only a frame
/// around them, unless it checks something itself.
fn tops<'p, 'a>(pairs: &[&'p Pair<'a>]) -> Vec<(&'p Pair<'a>, Vec<&'p Pair<'a>>)> {
    let mut tops: Vec<(&Pair<'_>, Vec<&Pair<'_>>)> = Vec::new();
    for pair in pairs {
        let index = pair.old.index;
        let around = tops.last_mut().filter(|(top, _)| {
            let end = top.old.index + top.old.unit().size as usize;
            index < end
        });
        match around {
            Some((_, inner)) => inner.push(pair),
            None => tops.push((pair, Vec::new())),
        }
    }
    tops.retain(|(top, inner)| {
        let unit = top.old.unit();
        let units = &top.old.base.document().inventory().units[top.old.index..top.old.index + unit.size as usize];
        let nested = units.iter().skip(1).filter(|u| u.kind() == ItemKind::Test).count();
        nested == 0 || inner.len() == nested || !unit.facts.local.assertions.is_empty()
    });
    tops
}

fn single(seen: &Seen<'_>, pair: &Pair<'_>, inner: &[&Pair<'_>], gone: &Gone<'_>) -> Draft {
    let name = pair.old.name();
    let with = match inner.len() {
        0 => String::new(),
        1 => " with its subtest".to_owned(),
        more => format!(" with its {more} subtests"),
    };
    let message = format!("`{name}` is gone{with}, and nothing in the change took its place");
    let mut draft = draft(seen, pair, message, gone.subject_of(&pair.old));
    if seen.files[pair.old.file].edited.is_some() {
        draft.fixes.extend(put_back(seen.files, &seen.tests.pairs, &pair.old));
    }
    draft
}

/// A file that is gone with many tests: one finding for all of them.
fn with_its_file(seen: &Seen<'_>, file: usize, tops: &[(&Pair<'_>, Vec<&Pair<'_>>)], gone: &Gone<'_>) -> Draft {
    const SHOWN_MAX: usize = 3;
    let names: Vec<String> = tops.iter().take(SHOWN_MAX).map(|(pair, _)| format!("`{}`", pair.old.name())).collect();
    let more = match tops.len().saturating_sub(SHOWN_MAX) {
        0 => String::new(),
        1 => " and another test".to_owned(),
        more => format!(" and {more} other tests"),
    };
    let message = format!("`{}` is gone with {}{more}", seen.files[file].path, names.join(", "));
    let subjects: Option<Vec<String>> = tops.iter().map(|(pair, _)| gone.subject_of(&pair.old)).collect();
    let mut made = draft(seen, tops[0].0, message, subjects.and_then(|s| s.into_iter().next()));
    made.related = tops.iter().map(|(pair, _)| related(pair)).collect();
    made.next_action = "put the file back, or say why what it checks no longer holds".to_owned();
    made
}

fn related(pair: &Pair<'_>) -> (std::ops::Range<usize>, String) {
    let unit = pair.old.unit();
    (unit.absolute(unit.facts.item.name_span), "the test that is gone".to_owned())
}

fn draft(seen: &Seen<'_>, pair: &Pair<'_>, message: String, subject_gone: Option<String>) -> Draft {
    let old = &pair.old;
    let name = old.name();
    let mut draft = Draft::at(&RULE, name.clone(), seen.place_left(old)).subject(old.unit().facts.item.name.clone());
    draft.scope = old.base.container(old.index);
    draft.message = message;
    draft.related.push(related(pair));
    draft.absent = true;
    if !pair.sure {
        draft.level = Level::Info;
        draft.message.push_str(", unless it is a case of the parametrised tests that are new");
    }
    if let Some(what) = subject_gone {
        draft.level = Level::Info;
        draft.message.push_str(&format!("; `{what}`, which it tested, was removed too"));
    }
    draft
}
