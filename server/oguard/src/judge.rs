//! A change judged: texts are read, put to the engine file by file, and what the engine says becomes one report.
//!
//! Every surface that has whole files enters here, so that the command line, hooks and CI say the same. `file` judges one;
//! this file spreads the work, takes back findings that only moved between files, and makes the claim.

mod file;
mod tests_of_change;

pub(crate) use file::PARSE_TIME_MAX;
pub use file::{Base, Input, Source};

use crate::git::{Blobs, Skipped};
use crate::project::Project;
use crate::report::{Claim, Compared, FileReport, NotEvaluated, Report, TestReport};
use file::{Judged, Objects, Outcome};
use oguard_engine::change::{self, File, Other};
use oguard_engine::check::Gone;
use oguard_engine::document::Parsers;
use oguard_engine::finding::{Finding, tokens};
use oguard_engine::rules::RULES;
use oguard_engine::settings::Settings;
use oguard_engine::verdict;
use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Most files judged at the same time: each holds two texts, a tree and facts.
const WORKERS_MAX: usize = 8;

/// What is judged.
#[derive(Debug)]
pub struct Change {
    /// Files, by path.
    pub inputs: Vec<Input>,
    /// Paths that hold no text to judge.
    pub skipped: Vec<Skipped>,
    /// What is compared with what.
    pub compared: Compared,
}

/// How a change is judged: by how many, who hears of it, and whether somebody still waits.
pub struct Pace<'a> {
    /// Most files at the same time.
    pub workers_max: usize,
    /// Told after each file.
    pub done: &'a (dyn Fn(usize) + Sync),
    /// Asked before each file; where it is over the rest is left out, so the report is for nobody.
    pub over: &'a (dyn Fn() -> bool + Sync),
    /// Say what happened to each test.
    pub tests: bool,
}

/// Judges a change; texts that git holds are read through `blobs`, which is let go without waiting for it, since a run that
/// judges whole files ends after its report. `done` is told after each file.
pub fn judge(project: &Project, change: Change, blobs: Option<Blobs>, done: &(dyn Fn(usize) + Sync)) -> Report {
    judge_at(project, change, blobs, &Pace { workers_max: WORKERS_MAX, done, over: &|| false, tests: false })
}

/// Judges a change as [`judge`], and says what happened to each test.
pub fn judge_with_tests(project: &Project, change: Change, blobs: Option<Blobs>) -> Report {
    judge_at(project, change, blobs, &Pace { workers_max: WORKERS_MAX, done: &|_| {}, over: &|| false, tests: true })
}

/// Judges a change as [`judge`], at a pace.
pub fn judge_at(project: &Project, change: Change, blobs: Option<Blobs>, pace: &Pace<'_>) -> Report {
    let Change { inputs, skipped, compared } = change;
    let objects = Mutex::new(blobs);
    let outcomes = run(project, &inputs, &objects, pace, |i| inputs[i].selected);
    let outcomes = with_the_rest(project, &inputs, &objects, pace, outcomes);
    if let Ok(Some(blobs)) = objects.into_inner() {
        blobs.leave();
    }
    report(project, &inputs, outcomes, skipped, compared, pace.tests)
}

/// Judges the inputs that `wanted` names, in parallel; a single one on two threads.
fn run(project: &Project, inputs: &[Input], objects: &Objects, pace: &Pace<'_>, wanted: impl Fn(usize) -> bool) -> Vec<Option<Outcome>> {
    let wanted: Vec<usize> = (0..inputs.len()).filter(|i| wanted(*i)).collect();
    let mut outcomes: Vec<Option<Outcome>> = inputs.iter().map(|_| None).collect();
    if let [one] = wanted[..] {
        outcomes[one] = Some(file::judge_on_two_threads(project, objects, &inputs[one]));
        (pace.done)(1);
        return outcomes;
    }
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let next = AtomicUsize::new(0);
    let finished = AtomicUsize::new(0);
    let work = || {
        let mut parsers = Parsers::default();
        let mut mine = Vec::new();
        while !(pace.over)()
            && let Some(index) = wanted.get(next.fetch_add(1, Ordering::Relaxed))
        {
            mine.push((*index, file::judge(project, objects, &inputs[*index], &mut parsers)));
            (pace.done)(finished.fetch_add(1, Ordering::Relaxed) + 1);
        }
        mine
    };
    let parts: Vec<_> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..cores.min(pace.workers_max).min(wanted.len())).map(|_| scope.spawn(work)).collect();
        let mine = work();
        others.into_iter().map(|o| o.join().expect("each file is judged under catch_unwind")).chain([mine]).collect()
    });
    for (index, outcome) in parts.into_iter().flatten() {
        outcomes[index] = Some(outcome);
    }
    outcomes
}

/// Reads the files that were not asked for where one that was has something new: it may have come from there.
fn with_the_rest(
    project: &Project,
    inputs: &[Input],
    objects: &Objects,
    pace: &Pace<'_>,
    mut outcomes: Vec<Option<Outcome>>,
) -> Vec<Option<Outcome>> {
    let any = |holds: fn(&Judged) -> bool| outcomes.iter().flatten().any(|o| matches!(o, Outcome::Judged(judged) if holds(judged)));
    let lost = pace.tests || any(Judged::loses_a_test);
    let news = lost || any(|judged| !judged.checked.findings.is_empty());
    if news && inputs.iter().any(|i| !i.selected) {
        // A finding can only have come from where there was a text; a test may have gone to a new one.
        let wanted = |i: usize| !inputs[i].selected && (lost || inputs[i].base.is_some());
        let rest = run(project, inputs, objects, &Pace { done: &|_| {}, ..*pace }, wanted);
        for (outcome, other) in outcomes.iter_mut().zip(rest) {
            *outcome = outcome.take().or(other);
        }
    }
    outcomes
}

/// What makes two findings the same one elsewhere: rule, subject, tokens and the words of their lines.
type Moved = (&'static str, String, String, String);

/// Takes back what only moved: a new finding that another file of the change has lost.
fn take_back_moves(judged: &mut [(usize, Judged)]) {
    let key = |gone: &Gone| -> Moved { (gone.rule, gone.subject.clone(), gone.tokens.clone(), gone.source.clone()) };
    let mut lost: HashMap<Moved, Vec<usize>> = HashMap::new();
    for (at, (_, file)) in judged.iter().enumerate() {
        for gone in &file.checked.resolved {
            lost.entry(key(gone)).or_default().push(at);
        }
    }
    if lost.is_empty() {
        return;
    }
    let mut moved: Vec<(usize, Moved)> = Vec::new();
    for (at, (_, file)) in judged.iter_mut().enumerate() {
        let before = file.checked.findings.len();
        file.checked.findings.retain(|finding| {
            let same = (finding.rule.id.0, finding.subject.clone(), finding.tokens.clone(), tokens(&finding.after));
            let Some(places) = lost.get_mut(&same) else { return true };
            let Some(other) = places.iter().position(|p| *p != at) else { return true };
            moved.push((places.remove(other), same));
            false
        });
        file.checked.remaining += before - file.checked.findings.len();
    }
    for (at, same) in moved {
        let resolved = &mut judged[at].1.checked.resolved;
        if let Some(place) = resolved.iter().position(|gone| key(gone) == same) {
            resolved.remove(place);
        }
    }
}

/// Adds what the rules over a whole change say; returns what happened to the tests, where it is wanted, and which rules failed.
fn across(
    project: &Project,
    inputs: &[Input],
    judged: &mut [(usize, Judged)],
    skipped: &[&str],
    unread: &[&str],
    with_tests: bool,
) -> (Vec<TestReport>, Vec<FileReport>, Vec<NotEvaluated>) {
    let mut alone: Vec<Vec<Finding>> = judged.iter_mut().map(|(_, file)| std::mem::take(&mut file.checked.findings)).collect();
    let files: Vec<File<'_>> = judged
        .iter()
        .map(|(index, file)| File {
            path: &file.path,
            base: file.texts.as_ref().and_then(|t| t.base.as_ref()),
            edited: file.texts.as_ref().and_then(|t| t.edited.as_ref()),
            explained: &file.checked.explained,
            silent: !inputs[*index].selected,
        })
        .collect();
    let matched = change::tests(&files, unread);
    let others = others(inputs, judged, skipped);
    let change::Checked { findings, notes, on_others, failures } = change::check(&files, &others, &matched, project.settings());
    change::soften(&matched, alone.iter_mut().flatten());
    let mut said: Vec<Vec<&Finding>> = alone.iter().map(|findings| findings.iter().collect()).collect();
    findings.iter().chain(&notes).for_each(|(file, finding)| said[*file].push(finding));
    let tests = if with_tests { tests_of_change::of(&files, &matched, &said) } else { Vec::new() };
    let beside = on_others
        .into_iter()
        .filter(|(at, _)| inputs.iter().any(|i| i.selected && i.path == others[*at].path))
        .map(|(at, finding)| FileReport {
            path: others[at].path.to_owned(),
            base_path: None,
            language: "",
            findings: vec![finding],
            notes: Vec::new(),
        })
        .collect();
    for ((_, file), findings) in judged.iter_mut().zip(alone) {
        file.checked.findings = findings;
    }
    for (file, finding) in findings {
        let said = &mut judged[file].1.checked.findings;
        let at = said.partition_point(|f| (f.range.start, f.rule.id) <= (finding.range.start, finding.rule.id));
        said.insert(at, finding);
    }
    notes.into_iter().for_each(|(file, note)| judged[file].1.checked.notes.push(note));
    let failed = |rule| {
        NotEvaluated::new(
            "the change".to_owned(),
            format!("the rule {rule} failed on this change; its silence means nothing, please report it"),
        )
    };
    (tests, beside, failures.into_iter().map(failed).collect())
}

/// Returns the files of a change that were not read as texts of a language.
fn others<'a>(inputs: &'a [Input], judged: &[(usize, Judged)], skipped: &[&'a str]) -> Vec<Other<'a>> {
    let read: HashSet<usize> = judged.iter().map(|(index, _)| *index).collect();
    let unread = inputs.iter().enumerate().filter(|(index, _)| !read.contains(index));
    let both = |input: &Input| input.base.is_some() && input.edited != Source::Deleted;
    let unread = unread.map(|(_, input)| Other { path: &input.path, edited: both(input) });
    unread.chain(skipped.iter().map(|path| Other { path, edited: false })).collect()
}

fn report(
    project: &Project,
    inputs: &[Input],
    outcomes: Vec<Option<Outcome>>,
    skipped: Vec<Skipped>,
    compared: Compared,
    with_tests: bool,
) -> Report {
    let mut judged: Vec<(usize, Judged)> = Vec::new();
    let no_texts: Vec<String> = skipped.iter().map(|s| s.path.clone()).collect();
    let mut not_evaluated: Vec<NotEvaluated> = skipped.into_iter().map(|s| NotEvaluated::new(s.path, s.why)).collect();
    let mut failures = Vec::new();
    for (index, outcome) in outcomes.into_iter().enumerate() {
        let input = &inputs[index];
        match outcome {
            Some(Outcome::Judged(file)) => judged.push((index, *file)),
            Some(Outcome::NotJudged(why)) if input.selected => not_evaluated.push(NotEvaluated::new(input.path.clone(), why.to_string())),
            Some(Outcome::Failed(why)) if input.selected => failures.push(NotEvaluated::new(input.path.clone(), why)),
            _ => {}
        }
    }
    take_back_moves(&mut judged);
    let left = judged.iter().filter(|(_, file)| file.left.is_some()).map(|(index, _)| inputs[*index].path.as_str());
    let unread: Vec<&str> = not_evaluated.iter().map(|n| n.what.as_str()).chain(left).collect();
    let no_texts: Vec<&str> = no_texts.iter().map(String::as_str).collect();
    let (tests, beside, failed) = across(project, inputs, &mut judged, &no_texts, &unread, with_tests);
    failures.extend(failed);
    let (mut files, mut resolved, mut remaining) = (Vec::new(), 0, 0);
    for (index, file) in judged {
        let input = &inputs[index];
        if !input.selected {
            continue;
        }
        let Judged { path, language, checked, left, .. } = file;
        resolved += checked.resolved.len();
        remaining += checked.remaining;
        not_evaluated.extend(checked.not_judged.iter().map(|why| NotEvaluated::new(input.path.clone(), *why)));
        failures.extend(checked.failures.iter().map(|rule| {
            NotEvaluated::new(
                input.path.clone(),
                format!("the rule {rule} failed on this file; its silence means nothing, please report it"),
            )
        }));
        not_evaluated.extend(left.map(|why| NotEvaluated::new(input.path.clone(), why.to_string())));
        let base_path = input.base.as_ref().map(|b| b.path.clone());
        files.push(FileReport { path, base_path, language: language.id, findings: checked.findings, notes: checked.notes });
    }
    let off: Vec<&'static str> = RULES.iter().filter(|r| is_off(project.settings(), r)).map(|r| r.id.0).collect();
    not_evaluated.extend(off.iter().map(|rule| NotEvaluated::new(format!("rule {rule}"), "off in oguard.toml")));
    let judged: Vec<String> = files.iter().map(|f| f.path.clone()).collect();
    let mut languages: Vec<&'static str> = files.iter().map(|f| f.language).collect();
    languages.sort_unstable();
    languages.dedup();
    files.extend(beside);
    let verdict = verdict::of(files.iter().flat_map(|f| &f.findings).map(|f| f.level), !failures.is_empty());
    let claim = Claim {
        compared,
        files: judged,
        languages,
        rules_run: RULES.iter().map(|r| r.id.0).filter(|r| !off.contains(r)).collect(),
        not_evaluated,
        failures,
    };
    Report { verdict, claim, files, resolved, remaining, tests }
}

/// Keeps of a report the findings that are new in another one of the same texts too: what is not new against a commit that
/// came from elsewhere is nobody's present work. Of two levels the higher one counts: each base is evidence.
pub(crate) fn keep_what_both_say(report: &mut Report, other: Report) {
    let key = |path: &str, f: &Finding| (path.to_owned(), f.rule.id.0, f.range.start, f.subject.clone());
    let Claim { not_evaluated, failures, .. } = other.claim;
    let unknown: HashSet<String> = not_evaluated.into_iter().chain(failures).map(|n| n.what).collect();
    let mut said = HashMap::new();
    for file in other.files {
        for finding in file.findings {
            said.insert(key(&file.path, &finding), finding);
        }
    }
    for file in &mut report.files {
        let before = std::mem::take(&mut file.findings);
        let all = before.len();
        for finding in before {
            // What the other comparison could not judge, it takes nothing from.
            match said.remove(&key(&file.path, &finding)) {
                Some(twin) if twin.level > finding.level => file.findings.push(twin),
                None if !unknown.contains(&file.path) => {}
                _ => file.findings.push(finding),
            }
        }
        report.remaining += all - file.findings.len();
    }
    report.verdict = verdict::of(report.findings().map(|(_, f)| f.level), !report.claim.failures.is_empty());
}

fn is_off(settings: &Settings, rule: &oguard_engine::rules::Rule) -> bool {
    settings.level(rule.id, rule.level).is_none()
}
