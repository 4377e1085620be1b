//! An edited text against its base: runs the rules, pairs what they say, keeps what is new.
//!
//! Every surface enters here, so every surface says the same. A rule that panics is reported as a failure and never as
//! silence.

use crate::delta::{self, Key};
use crate::document::Document;
use crate::facts::{Unit, callers};
use crate::finding::{Finding, Related, fingerprint, tokens};
use crate::rules::{Draft, RULES, Rule, Seen};
use crate::settings::Settings;
use crate::text::{line_starts, place, whole_lines};
use oguard_grammars::facts::ItemKind;
use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// A base text with what the rules say of it, made once and compared with many edits.
#[derive(Debug)]
pub struct Baseline {
    document: Document,
    path: String,
    drafts: Vec<Draft>,
    paths: HashMap<u64, Vec<usize>>,
    has_tests: bool,
    starts: OnceLock<Vec<usize>>,
    hashes: OnceLock<HashSet<u64>>,
    uncalled: OnceLock<HashMap<u64, bool>>,
}

/// What a check says of one file.
#[derive(Debug, Default)]
pub struct Checked {
    /// What is new, in document order.
    pub findings: Vec<Finding>,
    /// Base findings that are gone.
    pub resolved: Vec<Gone>,
    /// Base findings that are still there.
    pub remaining: usize,
    /// Rules that failed on this file; their silence means nothing.
    pub failures: Vec<&'static str>,
    /// What was not judged, and why.
    pub not_judged: Vec<&'static str>,
    /// What is worth a look and no finding.
    pub notes: Vec<Finding>,
    /// Tests of the base that a finding speaks for, by unit: what no longer runs is not also removed.
    pub explained: Vec<usize>,
}

/// A base finding that is gone; one that only moved to another file of the change is taken from here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone {
    /// The rule that said it.
    pub rule: &'static str,
    /// What it was about.
    pub subject: String,
    /// Its tokens.
    pub tokens: String,
    /// The words of its lines.
    pub source: String,
}

impl Baseline {
    /// Returns a base from a document that has been read; its tree is let go.
    pub fn new(mut document: Document, path: &str) -> Self {
        document.drop_tree();
        let (drafts, _) = state(&Seen { document: &document, base: None, is_base: true });
        let inventory = document.inventory();
        let mut paths: HashMap<u64, Vec<usize>> = HashMap::new();
        for (index, unit) in inventory.units.iter().enumerate() {
            if !unit.facts.item.name.is_empty() {
                paths.entry(unit.path).or_default().push(index);
            }
        }
        let has_tests = inventory.tests().next().is_some();
        Baseline {
            document,
            path: path.to_owned(),
            drafts,
            paths,
            has_tests,
            starts: OnceLock::new(),
            hashes: OnceLock::new(),
            uncalled: OnceLock::new(),
        }
    }

    /// Returns the base's document.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Returns the path the base text had.
    pub fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn unit(&self, index: usize) -> &Unit {
        &self.document.inventory().units[index]
    }

    pub(crate) fn name(&self, index: usize) -> String {
        self.document.inventory().qualified_name(index, self.document.language.separator)
    }

    pub(crate) fn container(&self, index: usize) -> String {
        self.name(self.document.inventory().parent(index))
    }

    pub(crate) fn has_tests(&self) -> bool {
        self.has_tests
    }

    /// Whether a test or a group of tests of an unqualified name was there before.
    pub(crate) fn has_test_called(&self, name: &str) -> bool {
        let units = &self.document.inventory().units;
        units.iter().any(|unit| matches!(unit.kind(), ItemKind::Test | ItemKind::Group) && unit.facts.item.name == name)
    }

    /// Returns the units that have the qualified name of a unit of the edited text.
    pub(crate) fn named(&self, unit: &Unit) -> impl Iterator<Item = &Unit> {
        self.paths.get(&unit.path).into_iter().flatten().map(|i| self.unit(*i))
    }

    /// Returns the function that has the qualified name of a unit of the edited text, or none where there is not just one.
    pub(crate) fn function(&self, unit: &Unit) -> Option<usize> {
        match self.paths.get(&unit.path)?.as_slice() {
            [one] if matches!(self.unit(*one).kind(), ItemKind::Function | ItemKind::Hook) => Some(*one),
            _ => None,
        }
    }

    /// Whether a test, group or hook of the edited text was there before: by name, or by a body that only changed its name.
    pub(crate) fn knows(&self, seen: &Seen<'_>, unit: &Unit) -> bool {
        let kinds = [ItemKind::Test, ItemKind::Group, ItemKind::Hook];
        self.named(unit).any(|u| kinds.contains(&u.kind()))
            || body_hash(seen.document, unit).is_some_and(|hash| self.hashes().contains(&hash))
    }

    /// Whether an example in the documentation of the base was run.
    pub(crate) fn runs_example(&self, example: u64) -> bool {
        self.document.inventory().units.iter().any(|u| u.facts.local.examples.contains(&example))
    }

    pub(crate) fn body_hash(&self, unit: &Unit) -> Option<u64> {
        body_hash(&self.document, unit)
    }

    /// Returns the tests of the base that stand in no function that nobody called.
    pub(crate) fn running(&self) -> impl Iterator<Item = (usize, &Unit)> {
        callers::running(&self.document, |function| self.uncalled().get(&self.unit(function).path).copied().unwrap_or(false)).into_iter()
    }

    /// Returns the tests of the edited text that stand in no function that nobody calls. The text is searched only for
    /// functions that are new or whose name stands in what the edit changed: a letter typed elsewhere moves no call.
    pub(crate) fn still_running<'d>(&self, edited: &'d Document) -> Vec<(usize, &'d Unit)> {
        let mut changed = None;
        callers::running(edited, |function| {
            let unit = &edited.inventory().units[function];
            let name = &unit.facts.item.name;
            let (before, now) = changed.get_or_insert_with(|| delta::changed(self.document.text(), edited.text()));
            match self.uncalled().get(&unit.path) {
                Some(uncalled) if !callers::mentions(before, name, 1) && !callers::mentions(now, name, 1) => *uncalled,
                _ => callers::is_uncalled(edited, function),
            }
        })
    }

    /// Returns for each function of the base that holds tests and that no other file can call whether nobody calls it.
    fn uncalled(&self) -> &HashMap<u64, bool> {
        let functions = || self.document.inventory().tests().filter_map(|(index, _)| callers::closed_around(&self.document, index));
        self.uncalled.get_or_init(|| {
            let mut uncalled = HashMap::new();
            for function in functions() {
                uncalled.entry(self.unit(function).path).or_insert_with(|| callers::is_uncalled(&self.document, function));
            }
            uncalled
        })
    }

    fn hashes(&self) -> &HashSet<u64> {
        self.hashes.get_or_init(|| self.document.inventory().tests().filter_map(|(_, unit)| self.body_hash(unit)).collect())
    }

    /// Returns the byte ranges of the edited text that differ from the base by lines.
    pub(crate) fn changed_lines(&self, edited: &Document) -> Vec<Range<usize>> {
        delta::changed_lines(self.document.text(), edited.text())
    }

    fn starts(&self) -> &[usize] {
        self.starts.get_or_init(|| line_starts(self.document.text()))
    }
}

/// Returns a hash of a test's body without white space and comments, or none where it has no body worth comparing.
pub fn body_hash(document: &Document, unit: &Unit) -> Option<u64> {
    const BYTES_MIN: usize = 12;
    let body = unit.facts.item.body?;
    let mut hasher = DefaultHasher::new();
    let mut length = 0;
    let mut comments = unit.facts.local.comments.iter().map(|c| unit.absolute(c.span)).peekable();
    let range = unit.absolute(body.span);
    let text = document.text().get(range.clone())?;
    for (at, byte) in text.bytes().enumerate().map(|(i, b)| (range.start + i, b)) {
        while comments.peek().is_some_and(|c| c.end <= at) {
            comments.next();
        }
        if !byte.is_ascii_whitespace() && !comments.peek().is_some_and(|c| c.contains(&at)) {
            byte.hash(&mut hasher);
            length += 1;
        }
    }
    (length >= BYTES_MIN).then(|| hasher.finish())
}

/// Runs the state rules; returns their drafts in document order and the rules that failed.
fn state(seen: &Seen<'_>) -> (Vec<Draft>, Vec<&'static str>) {
    let mut drafts = Vec::new();
    let mut failures = Vec::new();
    for rule in RULES {
        if let Some(find) = rule.state {
            run(rule, &mut drafts, &mut failures, |acc| find(seen, acc));
        }
    }
    drafts.sort_by_key(|d| d.range.start);
    (drafts, failures)
}

fn run(rule: &Rule, drafts: &mut Vec<Draft>, failures: &mut Vec<&'static str>, find: impl FnOnce(&mut Vec<Draft>)) {
    let mut found = Vec::new();
    match catch_unwind(AssertUnwindSafe(|| find(&mut found))) {
        Ok(()) => drafts.append(&mut found),
        Err(_) => failures.push(rule.id.0),
    }
}

/// Judges a text against its base; no base means that the file is new and everything in it counts.
///
/// Ids are a pure function of (base, text): no line number, message or history is in them.
pub fn check(edited: &Document, path: &str, base: Option<&Baseline>, settings: &Settings) -> Checked {
    let seen = Seen { document: edited, base, is_base: false };
    let (drafts, mut failures) = state(&seen);
    let mut checked = Checked::default();
    let paired = pair(edited, &drafts, base);
    let mut fresh: Vec<Draft> = Vec::new();
    let mut matched = 0;
    for (draft, old) in drafts.into_iter().zip(&paired.base_of) {
        match old {
            Some(_) => matched += usize::from(!draft.silent),
            None if !draft.silent => fresh.push(draft),
            None => {}
        }
    }
    if let Some(base) = base {
        let broken = edited.inventory().broken > base.document.inventory().broken;
        for rule in RULES {
            let Some(find) = rule.change else { continue };
            if broken && !rule.textual {
                continue;
            }
            let found = fresh.len();
            run(rule, &mut fresh, &mut failures, |acc| find(&seen, base, acc));
            fresh[found..].iter_mut().for_each(|draft| draft.settled = true);
        }
        if broken {
            checked.not_judged.push("comparisons of tests and bodies: the text does not parse where it did");
        }
        checked.resolved = paired.unmatched_base.iter().map(|i| gone(&base.drafts[*i], &base.document)).collect();
    }
    checked.explained = fresh.iter().flat_map(|draft| draft.explains.iter().copied()).collect();
    fresh.sort_by_key(|d| (d.range.start, d.rule.id));
    one_per_line(&mut fresh, edited.text());
    checked.remaining = matched;
    checked.failures = failures;
    checked.findings = finish(fresh, edited.text(), base.map_or(path, |b| b.path()), base, settings, &mut Rank::default());
    checked
}

fn gone(draft: &Draft, document: &Document) -> Gone {
    let lines = whole_lines(document.text(), draft.range.clone());
    Gone {
        rule: draft.rule.id.0,
        subject: draft.subject.clone(),
        tokens: draft.tokens.clone(),
        source: tokens(document.text().get(lines).unwrap_or("")),
    }
}

/// One fact, one finding: a rule speaks once about a subject on a line.
fn one_per_line(drafts: &mut Vec<Draft>, text: &str) {
    let same_line = |a: &Draft, b: &Draft| text.get(a.range.start..b.range.start).is_some_and(|between| !between.contains('\n'));
    drafts.dedup_by(|b, a| a.rule.id == b.rule.id && a.subject == b.subject && same_line(a, b));
}

struct Paired {
    base_of: Vec<Option<usize>>,
    unmatched_base: Vec<usize>,
}

fn pair(edited: &Document, drafts: &[Draft], base: Option<&Baseline>) -> Paired {
    let Some(base) = base else { return Paired { base_of: vec![None; drafts.len()], unmatched_base: Vec::new() } };
    if drafts.is_empty() {
        return Paired { base_of: Vec::new(), unmatched_base: (0..base.drafts.len()).collect() };
    }
    let keys = |drafts: &'_ [Draft]| -> Vec<Key> { drafts.iter().map(key).collect() };
    let (old, new) = (keys(&base.drafts), keys(drafts));
    if delta::same(&old, &new) {
        return Paired { base_of: (0..new.len()).map(Some).collect(), unmatched_base: Vec::new() };
    }
    let allowed = |o: usize, n: usize| {
        let (before, now) = (&base.drafts[o], &drafts[n]);
        let wider = matches!((&before.grant, &now.grant), (Some(before), Some(now)) if !now.within(before));
        !wider && now.strength <= before.strength
    };
    let base_of = delta::pair(&old, base.document.text(), &new, edited.text(), &allowed);
    let mut used = vec![false; old.len()];
    for index in base_of.iter().flatten() {
        used[*index] = true;
    }
    let unmatched_base: Vec<usize> = (0..old.len()).filter(|i| !used[*i]).collect();
    absorb_narrowed(base, drafts, base_of, unmatched_base)
}

/// A directive that a broader one of the base covered, and that one is gone: narrower, so not new (rules-a.md D31).
fn absorb_narrowed(base: &Baseline, drafts: &[Draft], mut base_of: Vec<Option<usize>>, unmatched: Vec<usize>) -> Paired {
    let mut consumed = Vec::new();
    for (index, draft) in drafts.iter().enumerate() {
        let Some(now) = draft.grant.as_ref().filter(|_| base_of[index].is_none()) else { continue };
        let broader = unmatched
            .iter()
            .copied()
            .find(|old| base.drafts[*old].grant.as_ref().is_some_and(|before| now.within(before) && now.reach < before.reach));
        if let Some(old) = broader {
            base_of[index] = Some(old);
            consumed.push(old);
        }
    }
    let unmatched_base = unmatched.into_iter().filter(|i| !consumed.contains(i)).collect();
    Paired { base_of, unmatched_base }
}

fn key(draft: &Draft) -> Key {
    Key {
        rule: draft.rule.id.0,
        tokens: draft.tokens.clone(),
        subject: if draft.by_subject { draft.subject.clone() } else { String::new() },
        scope: draft.scope.clone(),
        at: draft.range.start,
    }
}

/// How many findings of a rule had the same tokens so far.
pub(crate) type Rank = HashMap<(&'static str, String), usize>;

/// Makes findings of drafts: policy, places, ids.
pub(crate) fn finish(
    drafts: Vec<Draft>,
    text: &str,
    base_path: &str,
    base: Option<&Baseline>,
    settings: &Settings,
    ranks: &mut Rank,
) -> Vec<Finding> {
    if drafts.is_empty() {
        return Vec::new();
    }
    let starts = line_starts(text);
    let mut findings = Vec::new();
    for draft in drafts {
        let rank = ranks.entry((draft.rule.id.0, draft.tokens.clone())).or_insert(0);
        let id = fingerprint(draft.rule.id.0, &draft.tokens, *rank, base_path);
        *rank += 1;
        let Some(level) = settings.level_in_task(draft.rule.id, draft.aspect, draft.level) else { continue };
        let related = related(&draft, base);
        let before = base.and_then(|b| {
            let (range, _) = draft.related.first()?;
            Some(b.document.text().get(range.clone())?.to_owned())
        });
        let shown = whole_lines(text, draft.evidence.unwrap_or_else(|| draft.range.clone()));
        findings.push(Finding {
            rule: draft.rule,
            level,
            start: place(text, &starts, draft.range.start),
            end: place(text, &starts, draft.range.end),
            after: text.get(shown).unwrap_or("").trim_end().to_owned(),
            note: draft.note && !settings.reports_notes(draft.aspect),
            range: draft.range,
            settled: draft.settled || draft.rule.settled,
            subject: draft.subject,
            scope: draft.scope,
            message: draft.message,
            before,
            related,
            next_action: draft.next_action,
            tokens: draft.tokens,
            fingerprint: id,
            absent: draft.absent,
            fixes: draft.fixes,
        });
    }
    findings
}

fn related(draft: &Draft, base: Option<&Baseline>) -> Vec<Related> {
    let Some(base) = base else { return Vec::new() };
    draft
        .related
        .iter()
        .map(|(range, message)| Related { message: message.clone(), place: place(base.document.text(), base.starts(), range.start) })
        .collect()
}
