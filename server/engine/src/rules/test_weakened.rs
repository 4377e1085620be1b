//! An existing test checks less than it did.

use super::{Draft, Rule, RuleId};
use crate::change::{Fate, File, Now, Old, Pair, Seen};
use crate::document::Document;
use crate::facts::Unit;
use crate::finding::{Fix, Level};
use crate::intent::{EDITED_VALUE, LOST_ASSERTION};
use crate::restore;
use crate::weaken::conserved::Pool;
use crate::weaken::{self, Comparison, Side, Way, Weakening};
use oguard_grammars::facts::{Condition, Effect, ItemKind, TermForm};
use std::cell::OnceCell;
use std::cmp::Reverse;

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
             was written anew, or that could be one of several, is information only; so is a check of mere existence that goes while \
             others look at values. An expected value that was edited is a note. Of 115 findings at warn or block in the last 3,200 \
             commits to tests of 16 repositories (December 2026, fixtures/precision) 107 were right, and 4 commits were blocked.",
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
    let doubled: Vec<bool> = seen.files.iter().map(has_other_doubles).collect();
    for pair in seen.tests.pairs.iter().filter(|pair| may_be_weaker(pair)) {
        let Some(first) = pair.now.first() else { continue };
        if is_untouched(&pair.old, first) && !doubled[first.file] {
            continue;
        }
        if is_broken(seen, first.file) {
            continue;
        }
        // One that no longer runs is spoken for already.
        if is_off(first.unit()) {
            continue;
        }
        let old = side_of_old(&pair.old);
        let now: Vec<Side<'_>> = pair.now.iter().map(side_of_now).collect();
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

/// Whether the text of a test is what it was.
fn is_untouched(old: &Old<'_>, now: &Now<'_>) -> bool {
    old.base.document().text().get(old.unit().range.clone()) == now.edited.text().get(now.unit().range.clone())
}

/// Whether what stands beside the tests of a file replaces other things than it did.
fn has_other_doubles(file: &File<'_>) -> bool {
    fn doubles(document: &Document) -> Vec<&str> {
        let units = document.inventory().units.iter().filter(|u| u.kind() != ItemKind::Test);
        let terms = units.flat_map(|u| u.facts.local.terms.iter().map(move |t| (u, t)));
        terms.filter(|(_, t)| t.form == TermForm::Double).filter_map(|(u, t)| document.text().get(u.absolute(t.span))).collect()
    }
    let (Some(base), Some(edited)) = (file.base, file.edited) else { return false };
    doubles(base.document()) != doubles(edited)
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
    let Comparison { mut weaker, edited, nothing_left } = comparison;
    weaker.sort_by_key(|w| Reverse((w.level, weight(w.way))));
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
    let Some(worst) = weaker.first() else { return };
    let mut level = worst.level;
    if nothing_left && level == Level::Warn {
        level = Level::Block;
    }
    if !sure {
        level = Level::Info;
    }
    let mut made = draft(now.name());
    made.level = level;
    made.aspect = if weaker.iter().any(is_loss) { LOST_ASSERTION } else { "" };
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
        Way::Gone | Way::Looser | Way::Turned | Way::Broader => 3,
        Way::Tolerance | Way::Snapshot | Way::Inputs => 2,
        Way::Patience => 1,
    }
}

#[cfg(test)]
mod tests {
    use crate::change::{self, Checked, File};
    use crate::check::Baseline;
    use crate::document::{Document, Parsers};
    use crate::finding::{Finding, Level};
    use crate::intent::Task;
    use crate::settings::Settings;

    const PATH: &str = "test_order.py";

    fn read(text: &str) -> Document {
        let language = oguard_grammars::by_path(PATH).unwrap();
        let mut document = Document::new(language, PATH, text.to_owned(), &Settings::default());
        assert!(document.read(&mut Parsers::default(), &mut || true));
        document
    }

    fn judged(base: &str, edited: &str, settings: &Settings) -> Checked {
        let (base, edited) = (Baseline::new(read(base), PATH), read(edited));
        let files = [File { path: PATH, base: Some(&base), edited: Some(&edited), explained: &[], silent: false }];
        change::check(&files, &[], &change::tests(&files, &[]), settings)
    }

    fn in_task(task: Task) -> Settings {
        let mut settings = Settings::default();
        settings.task = Some(task);
        settings
    }

    fn only(base: &str, edited: &str) -> Finding {
        let mut checked = judged(base, edited, &Settings::default());
        assert!(checked.failures.is_empty(), "{:?}", checked.failures);
        assert_eq!(checked.findings.len(), 1, "{:?}", checked.findings);
        checked.findings.remove(0).1
    }

    /// Returns the edited text after the finding's fix.
    fn fixed(base: &str, edited: &str) -> String {
        let finding = only(base, edited);
        let mut text = edited.to_owned();
        for edit in finding.fixes[0].edits.iter().rev() {
            text.replace_range(edit.range.clone(), &edit.text);
        }
        text
    }

    const ORDER: &str = "def test_order():\n    made = order(3)\n    assert made.total == 30\n    assert made.status == \"open\"\n";

    #[test]
    fn a_fix_puts_back_what_is_gone_and_keeps_the_rest() {
        let edited = "def test_order():\n    made = order(3)\n    print(made)\n    assert made.status == \"open\"\n    done()\n";
        let whole = fixed(ORDER, edited);
        assert!(whole.contains("    assert made.total == 30\n    assert made.status"), "{whole}");
        assert!(whole.ends_with("    done()\n"), "{whole}");
    }

    #[test]
    fn a_fix_touches_only_the_weaker_line() {
        let edited = "def test_order():\n    made = order(4)\n    log(made)\n    assert made.total == 30\n    assert made.status\n";
        let expected =
            "def test_order():\n    made = order(4)\n    log(made)\n    assert made.total == 30\n    assert made.status == \"open\"\n";
        assert_eq!(fixed(ORDER, edited), expected);
    }

    #[test]
    fn one_finding_a_test_with_every_weak_line_beside_it() {
        let edited = "def test_order():\n    made = order(3)\n    assert made.total\n    assert made.status\n    assert made\n";
        let finding = only(ORDER, edited);
        assert_eq!((finding.start.line, finding.related.len()), (1, 2));
        assert_eq!(finding.before.as_deref(), Some("assert made.total == 30"));
        assert_eq!(finding.after, "    assert made.total");
        assert!(finding.related[1].message.contains("`assert made.status == \"open\"` became `assert made.status`"));
    }

    #[test]
    fn an_edited_value_is_a_note_and_in_a_bugfix_a_finding() {
        let edited = ORDER.replace("== 30", "== 33");
        let plain = judged(ORDER, &edited, &Settings::default());
        assert_eq!((plain.findings.len(), plain.notes.len()), (0, 1));
        let bugfix = judged(ORDER, &edited, &in_task(Task::Bugfix));
        assert_eq!((bugfix.findings.len(), bugfix.notes.len()), (1, 0));
        assert_eq!(bugfix.findings[0].1.level, Level::Info);
    }

    #[test]
    fn a_lost_assertion_blocks_a_refactoring() {
        let edited = ORDER.replace("    assert made.total == 30\n", "");
        assert_eq!(judged(ORDER, &edited, &in_task(Task::Refactor)).findings[0].1.level, Level::Block);
    }

    #[test]
    fn helpers_call_each_other_without_end() {
        let base = "def a(x):\n    assert x == 1\n    b(x)\n\n\ndef b(x):\n    a(x)\n\n\ndef test_a():\n    a(1)\n    assert y() == 2\n";
        let finding = only(base, &base.replace("    assert y() == 2\n", ""));
        assert_eq!(finding.level, Level::Warn);
    }
}
