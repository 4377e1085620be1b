//! Which test is which over a whole change, for rules that look at more than one file.
//!
//! A test is matched with what became of it over all files of the change: kept, moved, renamed, parametrised, merged, split,
//! disabled, removed. `matching` takes the steps in their order, `absorbed` finds tests that live on in others, `traces`
//! what is left of the rest, `code` is what is compared. Rules ask through [`Seen`]; [`check`] runs them.

mod absorbed;
pub(crate) mod code;
mod gone;
mod matching;
mod traces;

use crate::check::{Baseline, Rank, finish};
use crate::document::Document;
use crate::facts::Unit;
use crate::finding::{Finding, Level};
use crate::rules::{self, Draft, RULES};
use crate::settings::Settings;
pub(crate) use gone::Gone;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A file of a change, with both its sides.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// The present path, or that of the base where the file is gone.
    pub path: &'a str,
    /// The base's side, under its own path; none for a new file.
    pub base: Option<&'a Baseline>,
    /// The present side; none where the file is gone.
    pub edited: Option<&'a Document>,
    /// Tests of the base that a finding of this file speaks for (`Checked::explained`).
    pub explained: &'a [usize],
    /// The file was only read to explain others: nothing is said about it.
    pub silent: bool,
}

/// A file of a change whose text is not read.
#[derive(Clone, Copy, Debug)]
pub struct Other<'a> {
    /// The present path, or that of the base where the file is gone.
    pub path: &'a str,
    /// Both the base and the change have it.
    pub edited: bool,
}

/// A test of the base.
#[derive(Clone, Copy, Debug)]
pub struct Old<'a> {
    /// Its file, by place in the change.
    pub file: usize,
    /// The base's text with its facts.
    pub base: &'a Baseline,
    /// Its unit.
    pub index: usize,
}

/// A test, or a helper that took one in, of the edited texts.
#[derive(Clone, Copy, Debug)]
pub struct Now<'a> {
    /// Its file, by place in the change.
    pub file: usize,
    /// The edited text with its facts.
    pub edited: &'a Document,
    /// Its unit.
    pub index: usize,
}

impl<'a> Old<'a> {
    /// Returns its unit.
    pub fn unit(&self) -> &'a Unit {
        &self.base.document().inventory().units[self.index]
    }

    /// Returns its qualified name.
    pub fn name(&self) -> String {
        self.base.name(self.index)
    }
}

impl<'a> Now<'a> {
    /// Returns its unit.
    pub fn unit(&self) -> &'a Unit {
        &self.edited.inventory().units[self.index]
    }

    /// Returns its qualified name.
    pub fn name(&self) -> String {
        self.edited.inventory().qualified_name(self.index, self.edited.language.separator)
    }
}

/// What became of a test of the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// The same test in the same place, its body unchanged.
    Kept,
    /// The same test in the same place, its body edited.
    Edited,
    /// Another file or container.
    Moved,
    /// Another name, the same body.
    Renamed,
    /// Another name, and a body that is still mostly the same.
    Rewritten,
    /// A row of a parametrised test.
    Parametrised,
    /// Part of another test, or of a helper of tests.
    Merged,
    /// Spread over several tests.
    Split,
    /// Still there in some form, and not run: `test-disabled` says so.
    Disabled,
    /// Not known: a text that may hold it does not parse, or is not read.
    Unknown,
    /// Gone.
    Removed,
}

/// A test of the base and what it became.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    /// The test as it was.
    pub old: Old<'a>,
    /// What it became.
    pub fate: Fate,
    /// The test it is now; several where it was split; none where it is disabled, unknown or removed. Several old tests may
    /// have become the same one.
    pub now: Vec<Now<'a>>,
    /// No other test would have done as well. Where false, an accusation built on the pair is not safe.
    pub sure: bool,
}

/// What happened to the tests of a change.
#[derive(Debug, Default)]
pub struct Tests<'a> {
    /// Every test of the base, in order of files and texts.
    pub pairs: Vec<Pair<'a>>,
    /// Tests that no test of the base became.
    pub added: Vec<Now<'a>>,
}

/// What a rule over a whole change looks at.
pub(crate) struct Seen<'a> {
    pub(crate) files: &'a [File<'a>],
    pub(crate) tests: &'a Tests<'a>,
    /// Files whose texts are not read. A finding on the n-th of them has the place behind all `files`, plus n.
    pub(crate) others: &'a [Other<'a>],
}

impl Seen<'_> {
    /// Returns where a test of the base that is gone would stand in the edited text of its file: the name of the nearest
    /// container that is still there, else of the nearest test of the file, else the file's first byte.
    pub(crate) fn place_left(&self, old: &Old<'_>) -> std::ops::Range<usize> {
        let Some(edited) = self.files[old.file].edited else { return 0..0 };
        let before = old.base.document().inventory();
        let now = &edited.inventory().units;
        let name = |unit: &Unit| unit.absolute(unit.facts.item.name_span);
        let mut at = before.parent(old.index);
        while at != 0 {
            let container = &before.units[at];
            if let Some(unit) = now.iter().find(|u| u.path == container.path && !u.facts.item.name.is_empty()) {
                return name(unit);
            }
            at = before.parent(at);
        }
        let beside = self.tests.pairs.iter().filter(|p| p.old.file == old.file && p.old.index != old.index);
        let nearest = beside
            .filter_map(|p| Some((p.old.index, *p.now.first().filter(|n| n.file == old.file)?)))
            .min_by_key(|(index, _)| (index.abs_diff(old.index), *index > old.index));
        nearest.map_or(0..0, |(_, now)| name(now.unit()))
    }
}

/// What the rules over a whole change say.
#[derive(Debug, Default)]
pub struct Checked {
    /// Findings with the place of their file in the change.
    pub findings: Vec<(usize, Finding)>,
    /// Notes, with the place of their file.
    pub notes: Vec<(usize, Finding)>,
    /// Findings on files whose texts are not read, with the place of the file among those.
    pub on_others: Vec<(usize, Finding)>,
    /// Rules that failed; their silence means nothing.
    pub failures: Vec<&'static str>,
}

/// Returns what happened to the tests of a change. `unread` are paths of the change whose texts are not known.
pub fn tests<'a>(files: &'a [File<'a>], unread: &[&str]) -> Tests<'a> {
    matching::run(files, unread)
}

/// Whether a file had a test that no longer stands under its name: what became of it, other files may tell.
pub fn loses_a_test(base: &Baseline, edited: Option<&Document>) -> bool {
    let Some(edited) = edited else { return base.document().inventory().tests().next().is_some() };
    let mut now: HashMap<u64, usize> = HashMap::new();
    for (_, unit) in edited.inventory().tests() {
        *now.entry(unit.path).or_insert(0) += 1;
    }
    let mut before = base.document().inventory().tests();
    before.any(|(_, unit)| match now.get_mut(&unit.path).filter(|n| **n > 0) {
        Some(left) => {
            *left -= 1;
            false
        }
        None => true,
    })
}

/// Lowers findings of single files that the whole change explains, and says why.
pub fn soften<'f>(tests: &Tests<'_>, findings: impl Iterator<Item = &'f mut Finding>) {
    for finding in findings.filter(|f| f.level > Level::Info) {
        if let Some(why) = rules::softened(tests, finding) {
            finding.level = Level::Info;
            finding.message = format!("{}; {why}", finding.message);
        }
    }
}

/// Runs the rules that look at a whole change.
pub fn check<'a>(files: &'a [File<'a>], others: &'a [Other<'a>], tests: &'a Tests<'a>, settings: &Settings) -> Checked {
    let seen = Seen { files, tests, others };
    let mut checked = Checked::default();
    let mut drafts: Vec<Vec<Draft>> = (0..files.len() + others.len()).map(|_| Vec::new()).collect();
    let silent = |at: usize| files.get(at).is_some_and(|file| file.silent);
    for rule in RULES {
        let Some(find) = rule.across else { continue };
        let mut found: Vec<(usize, Draft)> = Vec::new();
        match catch_unwind(AssertUnwindSafe(|| find(&seen, &mut found))) {
            Ok(()) => found.into_iter().filter(|(file, _)| !silent(*file)).for_each(|(file, draft)| drafts[file].push(draft)),
            Err(_) => checked.failures.push(rule.id.0),
        }
    }
    let of_others = drafts.split_off(files.len());
    for (at, (other, drafts)) in others.iter().zip(of_others).enumerate() {
        let findings = finish(drafts, "", other.path, None, settings, &mut Rank::default());
        checked.on_others.extend(findings.into_iter().map(|finding| (at, finding)));
    }
    for (at, (file, mut drafts)) in files.iter().zip(drafts).enumerate() {
        drafts.sort_by_key(|d| (d.range.start, d.rule.id));
        drafts.iter_mut().for_each(|draft| draft.settled = true);
        let text = file.edited.map_or("", Document::text);
        let base_path = file.base.map_or(file.path, Baseline::path);
        let findings = finish(drafts, text, base_path, file.base, settings, &mut Rank::default());
        let (notes, findings): (Vec<Finding>, Vec<Finding>) = findings.into_iter().partition(|finding| finding.note);
        checked.findings.extend(findings.into_iter().map(|finding| (at, finding)));
        checked.notes.extend(notes.into_iter().map(|note| (at, note)));
    }
    checked
}
