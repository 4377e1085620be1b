//! An existing test checks less than it did.

use super::{Draft, Rule, RuleId};
use crate::change::{Fate, File, Now, Old, Pair, Seen};
use crate::facts::Unit;
use crate::finding::{Fix, Level};
use crate::intent::{EDITED_VALUE, LOST_ASSERTION};
use crate::restore;
use crate::weaken::conserved::Pool;
use crate::weaken::{self, Comparison, Side, Way, Weakening};
use oguard_grammars::facts::{Condition, Effect, ItemKind};
use std::cell::OnceCell;

pub(super) const RULE: Rule = Rule {
    id: RuleId("test-weakened"),
    version: 1,
    level: Level::Warn,
    settled: true,
    summary: "an existing test checks less than it did",
    why: "A test that still runs and no longer fails where it should is worse than none: everybody trusts it. Assertions that are \
          gone, that say less, that nothing reaches or whose failure is caught keep the suite green whatever the code does.",
    limits: "Assertions are compared by what they look at, what they say and what they expect; nothing is run. Helpers of the same \
             file are followed, three deep; what an imported helper checks is taken to be as much as what it replaces. A test that \
             was written anew, or that could be one of several, is information only. An expected value that was edited is a note.",
    remedy: "restore what the test checked, or say why it need not be checked any more",
    example: ("py", "assert total([1, 2]) is not None", "assert total([1, 2]) == 3"),
    state: None,
    change: None,
    across: Some(find),
    textual: false,
};

/// Most places of the base that a finding names.
const RELATED_MAX: usize = 8;

fn find(seen: &Seen<'_>, acc: &mut Vec<(usize, Draft)>) {
    let pool = OnceCell::new();
    for pair in seen.tests.pairs.iter().filter(|pair| may_be_weaker(pair)) {
        let Some(first) = pair.now.first() else { continue };
        if is_broken(seen, first.file) {
            continue;
        }
        // One that no longer runs is spoken for already.
        if is_off(first.unit()) {
            continue;
        }
        let old = side_of_old(&pair.old);
        let now: Vec<Side<'_>> = pair.now.iter().map(side_of_now).collect();
        if is_untouched(seen, &pair.old, first) {
            continue;
        }
        let comparison = weaken::compare(old, &now, &|| pool_of(&pool, seen));
        report(seen, &pair.old, first, comparison, pair.sure && is_itself(pair.fate), acc);
    }
    for (old, now) in helpers(seen) {
        let comparison = weaken::compare(side_of_old(&old), &[side_of_now(&now)], &|| pool_of(&pool, seen));
        let mut comparison = Comparison { nothing_left: false, ..comparison };
        // What a helper is handed decides there, and not what the test found.
        comparison.weaker.retain(|w| w.way != Way::Unreached);
        report(seen, &old, &now, comparison, true, acc);
    }
}

fn side_of_old<'a>(old: &Old<'a>) -> Side<'a> {
    Side { document: old.base.document(), index: old.index }
}

fn side_of_now<'a>(now: &Now<'a>) -> Side<'a> {
    Side { document: now.edited, index: now.index }
}

fn pool_of<'p>(cell: &'p OnceCell<Pool>, seen: &Seen<'_>) -> &'p Pool {
    cell.get_or_init(|| {
        let mut pool = Pool::default();
        for file in seen.files {
            file.base.iter().for_each(|base| pool.add_base(base.document()));
            file.edited.iter().for_each(|edited| pool.add_edited(edited));
        }
        pool
    })
}

/// Whether a pair is one test before and now, so that its checks can be compared; and it ran.
fn may_be_weaker(pair: &Pair<'_>) -> bool {
    let unit = pair.old.unit();
    let compared = matches!(pair.fate, Fate::Kept | Fate::Edited | Fate::Moved | Fate::Renamed | Fate::Rewritten);
    compared && !is_off(unit)
}

/// Whether a text does not parse where it did: what is missing in it may only be out of sight.
fn is_broken(seen: &Seen<'_>, file: usize) -> bool {
    let File { base, edited, .. } = seen.files[file];
    edited.map_or(0, |e| e.inventory().broken) > base.map_or(0, |b| b.document().inventory().broken)
}

/// Whether a test does not run.
fn is_off(unit: &Unit) -> bool {
    let off = |effect: Effect| matches!(effect, Effect::Disabled | Effect::Todo);
    let marked = unit.facts.local.markers.iter().any(|m| off(m.effect) && m.condition == Condition::Always);
    marked || unit.covered || unit.facts.item.disabled
}

fn is_itself(fate: Fate) -> bool {
    matches!(fate, Fate::Kept | Fate::Edited | Fate::Moved | Fate::Renamed)
}

/// Whether nothing about a test was edited: its text, and what is replaced by doubles in its file.
fn is_untouched(seen: &Seen<'_>, old: &Old<'_>, now: &Now<'_>) -> bool {
    let text = |document: &'_ crate::document::Document, range: std::ops::Range<usize>| document.text().get(range).map(str::to_owned);
    if text(old.base.document(), old.unit().range.clone()) != text(now.edited, now.unit().range.clone()) {
        return false;
    }
    // Doubles stand above the tests they change.
    let terms = |document: &crate::document::Document| -> Vec<Option<String>> {
        let units = document.inventory().units.iter().filter(|u| u.kind() != ItemKind::Test);
        units.flat_map(|u| u.facts.local.terms.iter().map(|t| text(document, u.absolute(t.span)))).collect()
    };
    let file = &seen.files[now.file];
    file.base.is_none_or(|base| terms(base.document()) == terms(now.edited))
}

/// Returns the functions of tests that check something, and were edited under their name.
fn helpers<'a>(seen: &Seen<'a>) -> Vec<(Old<'a>, Now<'a>)> {
    let mut found = Vec::new();
    for (at, file) in seen.files.iter().enumerate() {
        let (Some(base), Some(edited)) = (file.base, file.edited) else { continue };
        if is_broken(seen, at) {
            continue;
        }
        for (index, unit) in edited.inventory().units.iter().enumerate() {
            let helper = matches!(unit.kind(), ItemKind::Function | ItemKind::Hook) && unit.in_tests && !unit.facts.item.name.is_empty();
            if !helper || edited.inventory().nearest(index, &[ItemKind::Test]).is_some() {
                continue;
            }
            let Some(former) = base.function(unit) else { continue };
            let before = base.unit(former);
            let same = base.document().text().get(before.range.clone()) == edited.text().get(unit.range.clone());
            if !same && !before.facts.local.assertions.is_empty() {
                found.push((Old { file: at, base, index: former }, Now { file: at, edited, index }));
            }
        }
    }
    found
}

fn report(seen: &Seen<'_>, old: &Old<'_>, now: &Now<'_>, comparison: Comparison, sure: bool, acc: &mut Vec<(usize, Draft)>) {
    let Comparison { weaker, edited, nothing_left } = comparison;
    let unit = now.unit();
    let name = unit.absolute(unit.facts.item.name_span);
    let scope = now.edited.inventory().qualified_name(now.edited.inventory().parent(now.index), now.edited.language.separator);
    let draft = |tokens: String| {
        let mut draft = Draft::at(&RULE, tokens, name.clone()).subject(unit.facts.item.name.clone());
        draft.scope.clone_from(&scope);
        draft
    };
    for change in edited {
        let mut note = draft(format!("{} {}", now.name(), change.what));
        note.level = Level::Info;
        note.note = true;
        note.aspect = EDITED_VALUE;
        note.message = format!("`{}`: {}", unit.facts.item.name, change.what);
        if old.file == now.file {
            note.related.push((change.before.clone(), "the value it expected".to_owned()));
        }
        note.evidence = Some(change.now.clone());
        note.next_action = "see that the new value is what the code should give, and not only what it gives".to_owned();
        acc.push((now.file, note));
    }
    let Some(worst) = weaker.iter().max_by_key(|w| (w.level, weight(w.way))) else { return };
    let mut level = worst.level;
    if nothing_left && level == Level::Warn {
        level = Level::Block;
    }
    if !sure {
        level = Level::Info;
    }
    let mut made = draft(now.name());
    made.level = level;
    made.aspect = if weaker.iter().any(|w| is_loss(w)) { LOST_ASSERTION } else { "" };
    let more = match weaker.len() {
        1 => String::new(),
        2 => ", and one more".to_owned(),
        all => format!(", and {} more", all - 1),
    };
    let unsure = if level == Level::Info && worst.way != Way::Patience { "; whether it checks less is not known for sure" } else { "" };
    let end = if nothing_left && level == Level::Block { "; nothing is left that can fail" } else { "" };
    made.message = format!("`{}` checks less: {}{more}{end}{unsure}", unit.facts.item.name, worst.what);
    let here = old.file == now.file;
    for one in weaker.iter().filter(|_| here).filter(|w| w.before.is_some()).take(RELATED_MAX) {
        made.related.extend(one.before.clone().map(|before| (before, one.what.clone())));
    }
    made.evidence = worst.now.clone();
    let before: Vec<_> = weaker.iter().filter_map(|w| w.before.clone()).collect();
    let after: Vec<_> = weaker.iter().filter_map(|w| w.now.clone()).collect();
    if seen.files[now.file].edited.is_some() {
        let edits = restore::parts((old.base, old.index), (now.edited, now.index), &before, &after);
        if !edits.is_empty() {
            made.fixes.push(Fix { title: format!("Restore what `{}` checked", unit.facts.item.name), edits });
        }
    }
    acc.push((now.file, made));
}

fn is_loss(weakening: &Weakening) -> bool {
    matches!(weakening.way, Way::Gone | Way::Emptied | Way::Disconnected)
}

/// What is said first where a test is weaker in several ways of one level.
fn weight(way: Way) -> u8 {
    match way {
        Way::Emptied => 6,
        Way::Always | Way::Swallowed | Way::Unreached => 5,
        Way::Disconnected | Way::Double => 4,
        Way::Gone | Way::Looser | Way::Broader => 3,
        Way::Tolerance | Way::Snapshot | Way::Inputs => 2,
        Way::Patience => 1,
    }
}
