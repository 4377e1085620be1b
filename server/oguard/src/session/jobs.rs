//! Work on one document, off the state thread: apply edits, parse, judge against the base, restore.
//!
//! The document and its base travel inside the job and come back with the result, so that no lock is held while they are
//! read. Parses are capped (DESIGN.md 2): two seconds where there is no tree yet, 50 ms on a keystroke, then once more in the
//! background.

use super::Restored;
use super::document::{Key, Pending};
use super::pool::Rank;
use crate::project::like_line_ends;
use oguard_engine::change::{self, File};
use oguard_engine::check::{Baseline, Checked, check};
use oguard_engine::document::{Document, Parsers};
use oguard_engine::finding::Finding;
use oguard_engine::grammars::Language;
use oguard_engine::phrases;
use oguard_engine::restore::restore;
use oguard_engine::settings::Settings;
use oguard_engine::text::{line, line_starts};
use ropey::Rope;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Longest first parse; longer ones are not judged.
pub(super) const FIRST_PARSE_MAX: Duration = Duration::from_secs(2);

/// What a document is judged as.
#[derive(Debug)]
pub(crate) struct Spec {
    pub(crate) language: &'static Language,
    /// Relative to the root, with `/`; a name where there is no path.
    pub(crate) path: String,
    pub(crate) settings: Arc<Settings>,
}

/// A finding with what the base said at the places it refers to.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) finding: Finding,
    /// The base's line for each related place.
    pub(crate) base_lines: Vec<String>,
}

/// Everything a check said of a version of a document; cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdicts {
    /// New findings in document order.
    pub(crate) findings: Vec<Arc<Shown>>,
    /// Rules that failed: their silence means nothing.
    pub(crate) failures: Vec<&'static str>,
    /// Something else that stopped the judging, or is wrong with the file (message, bytes).
    pub(crate) errors: Vec<(String, Range<usize>)>,
    /// What was not judged in it, and why.
    pub(crate) not_judged: Vec<&'static str>,
    /// Base findings that are gone.
    pub(crate) resolved: usize,
    /// Base findings that are still there.
    pub(crate) remaining: usize,
}

impl Verdicts {
    pub(super) fn error(message: String) -> Self {
        Verdicts { errors: vec![(message, 0..0)], ..Verdicts::default() }
    }

    /// Whether a client would be shown the same.
    pub(super) fn same(&self, other: &Verdicts) -> bool {
        let key = |v: &Verdicts| -> Vec<(String, Range<usize>, String)> {
            v.findings.iter().map(|f| (f.finding.fingerprint.clone(), f.finding.range.clone(), f.finding.message.clone())).collect()
        };
        self.failures == other.failures && self.errors == other.errors && key(self) == key(other)
    }
}

/// The base of a document.
#[derive(Clone, Debug)]
pub(super) enum Base {
    /// The file is new.
    None,
    /// What it said.
    Text(Rope),
}

/// A document with its tree and facts, and its base likewise.
pub(super) struct Resident {
    document: Document,
    baseline: Option<Baseline>,
    /// The document has a tree, so that a parse is incremental.
    pub(super) has_tree: bool,
}

impl Resident {
    pub(super) fn drop_tree(&mut self) {
        self.document.drop_tree();
        self.has_tree = false;
    }
}

/// A place to restore, and who asked.
pub(super) type Restore = (Range<usize>, oneshot::Sender<Restored>);

/// Places to restore in a version.
struct Restores {
    seq: u64,
    asked: Vec<Restore>,
}

pub(super) enum Task {
    /// Judge a version against its base.
    Judge {
        spec: Arc<Spec>,
        resident: Option<Box<Resident>>,
        text: Rope,
        pending: Pending,
        base: Base,
        limit: Option<Duration>,
        restores: Vec<Restore>,
    },
    /// Parse what will probably be edited, so that the first edit is as quick as the second.
    Warm { spec: Arc<Spec>, text: Rope },
    /// Read an `oguard.toml` that is being edited.
    Settings { text: Rope },
    /// Build what the first document would otherwise wait for.
    Prepare,
    /// Fails, as no rule should.
    #[cfg(test)]
    Panic,
}

pub(super) struct Job {
    pub(super) key: Key,
    /// The edit after which it was made.
    pub(super) seq: u64,
    pub(super) rank: Rank,
    pub(super) task: Task,
}

/// What a job came to.
pub(super) enum Outcome {
    Judged(Verdicts),
    /// The parse took too long; what was known before stands.
    OutOfTime,
    Warmed,
}

pub(super) struct Done {
    pub(super) key: Key,
    pub(super) seq: u64,
    pub(super) rank: Rank,
    pub(super) resident: Option<Box<Resident>>,
    pub(super) outcome: Outcome,
}

impl Task {
    /// Does the work; returns what can be used again and what came out.
    pub(super) fn run(self, seq: u64, parsers: &mut Parsers) -> (Option<Box<Resident>>, Outcome) {
        match self {
            Task::Prepare => {
                phrases::classify("");
                phrases::stands_in("");
                phrases::explains_emptiness("");
                phrases::stub_wording("");
                (None, Outcome::Warmed)
            }
            #[cfg(test)]
            Task::Panic => panic!("a job that fails"),
            Task::Settings { text } => (None, Outcome::Judged(settings(&text.to_string()))),
            Task::Warm { spec, text } => {
                let mut document = spec.document(text.to_string());
                let read = read(&mut document, parsers, FIRST_PARSE_MAX);
                (read.then(|| Box::new(Resident { document, baseline: None, has_tree: true })), Outcome::Warmed)
            }
            Task::Judge { spec, resident, text, pending, base, limit, restores } => {
                let resident = match resident {
                    Some(mut resident) => {
                        complete(&mut resident, &spec, &base, parsers);
                        pending.apply(&mut resident.document, &text);
                        resident
                    }
                    None => fresh(&spec, &text, &base, parsers),
                };
                judge(resident, &spec, &base, limit, Restores { seq, asked: restores }, parsers)
            }
        }
    }
}

impl Spec {
    fn document(&self, text: String) -> Document {
        Document::new(self.language, &self.path, text, &self.settings)
    }
}

/// Returns a document made from its base, so that two texts cost little more than one parse.
fn fresh(spec: &Spec, text: &Rope, base: &Base, parsers: &mut Parsers) -> Box<Resident> {
    let text = text.to_string();
    let Some((document, baseline)) = read_base(spec, base, &text, parsers) else {
        return Box::new(Resident { document: spec.document(text), baseline: None, has_tree: false });
    };
    let mut edited = document;
    edited.replace(&text);
    Box::new(Resident { document: edited, baseline: Some(baseline), has_tree: true })
}

/// Gives a document that was read ahead its base.
fn complete(resident: &mut Resident, spec: &Spec, base: &Base, parsers: &mut Parsers) {
    if resident.baseline.is_some() {
        return;
    }
    let Base::Text(text) = base else { return };
    if resident.document.is_fresh() && *text == resident.document.text() {
        resident.baseline = Some(Baseline::new(resident.document.clone(), &spec.path));
    } else {
        resident.baseline = read_base(spec, base, resident.document.text(), parsers).map(|(_, baseline)| baseline);
    }
}

fn read_base(spec: &Spec, base: &Base, edited: &str, parsers: &mut Parsers) -> Option<(Document, Baseline)> {
    let Base::Text(text) = base else { return None };
    let text = text.to_string();
    let mut document = spec.document(like_line_ends(&text, edited).into_owned());
    if !read(&mut document, parsers, FIRST_PARSE_MAX) {
        return None;
    }
    Some((document.clone(), Baseline::new(document, &spec.path)))
}

fn judge(
    mut resident: Box<Resident>,
    spec: &Spec,
    base: &Base,
    limit: Option<Duration>,
    restores: Restores,
    parsers: &mut Parsers,
) -> (Option<Box<Resident>>, Outcome) {
    let limit = limit.filter(|_| resident.has_tree).unwrap_or(FIRST_PARSE_MAX);
    let in_time = read(&mut resident.document, parsers, limit) && (resident.baseline.is_some() || matches!(base, Base::None));
    if !in_time {
        return (Some(resident), Outcome::OutOfTime);
    }
    resident.has_tree = true;
    let Resident { document, baseline, .. } = resident.as_ref();
    for (range, reply) in restores.asked {
        let edits = baseline.as_ref().map_or_else(Vec::new, |base| restore(document, base, &range));
        // A client that no longer waits has dropped the other end.
        let _ = reply.send(Restored { seq: restores.seq, edits });
    }
    let mut checked = check(document, &spec.path, baseline.as_ref(), &spec.settings);
    if baseline.is_some() {
        across(&spec.path, document, baseline.as_ref(), &spec.settings, &mut checked);
    }
    let starts =
        baseline.as_ref().filter(|_| checked.findings.iter().any(|f| !f.related.is_empty())).map(|b| line_starts(b.document().text()));
    let shown = |finding: Finding| {
        let base_line = |place: u32| match (baseline.as_ref(), &starts) {
            (Some(base), Some(starts)) => line(base.document().text(), starts, place as usize - 1).trim().to_owned(),
            _ => String::new(),
        };
        let base_lines = finding.related.iter().map(|r| base_line(r.place.line)).collect();
        Arc::new(Shown { finding, base_lines })
    };
    let verdicts = Verdicts {
        resolved: checked.resolved.len(),
        remaining: checked.remaining,
        not_judged: checked.not_judged,
        failures: checked.failures,
        errors: Vec::new(),
        findings: checked.findings.into_iter().map(shown).collect(),
    };
    (Some(resident), Outcome::Judged(verdicts))
}

/// Adds what the rules over a whole change say of this file alone: what is missing in it, others may have (`state::across`).
fn across(path: &str, document: &Document, base: Option<&Baseline>, settings: &Settings, checked: &mut Checked) {
    let file = File { path, base, edited: Some(document), explained: &checked.explained, silent: false };
    let files = [file];
    let tests = change::tests(&files, &[]);
    let said = change::check(&files, &[], &tests, settings);
    let mut own = std::mem::take(&mut checked.findings);
    change::soften(&tests, own.iter_mut());
    checked.findings = own;
    checked.failures.extend(said.failures);
    for (_, finding) in said.findings {
        let at = checked.findings.partition_point(|f| (f.range.start, f.rule.id) <= (finding.range.start, finding.rule.id));
        checked.findings.insert(at, finding);
    }
}

fn read(document: &mut Document, parsers: &mut Parsers, limit: Duration) -> bool {
    let end = Instant::now() + limit;
    document.read(parsers, &mut || Instant::now() < end)
}

/// Says what is wrong with an `oguard.toml`, where it is wrong.
fn settings(text: &str) -> Verdicts {
    match Settings::parse(text.strip_prefix('\u{feff}').unwrap_or(text)) {
        Ok(_) => Verdicts::default(),
        Err(error) => Verdicts { errors: vec![(error.message, error.range.unwrap_or(0..0))], ..Verdicts::default() },
    }
}
