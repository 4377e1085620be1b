//! One question answered: where it is about, what changed there since the session began, what of it the agent does not know yet.
//!
//! A single edit costs one look into the base: the whole change is listed only where something is new, so that moves and
//! renames are seen, or where files cannot be named. `places` finds the repositories, `told` keeps what was said.

mod places;
mod told;

use super::{Event, Host, Question, Reply};
use crate::git::{Blobs, Changes, GitError, Repository, Target};
use crate::judge::{Base, Change, Input, Source, judge, keep_what_both_say};
use crate::project::{Project, ProjectError, language_of};
use crate::report::{Compared, Report, assistant};
use crate::store::{Key, Session, Store};
use oguard_engine::finding::{Finding, Level};
use places::Place;
use std::path::PathBuf;
use std::time::Duration;

/// Most files that could not be judged and are named one by one.
const NAMED_MAX: usize = 3;

/// What stood in the way.
#[derive(Debug)]
enum Trouble {
    Git(GitError),
    Project(ProjectError),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::Git(error) => error.fmt(f),
            Trouble::Project(error) => error.fmt(f),
        }
    }
}

impl From<GitError> for Trouble {
    fn from(error: GitError) -> Self {
        Trouble::Git(error)
    }
}

impl From<ProjectError> for Trouble {
    fn from(error: ProjectError) -> Self {
        Trouble::Project(error)
    }
}

/// Answers a question within a time.
pub(super) fn take(host: Host, question: &Question, limit: Duration) -> Reply {
    let mut reply = Reply::default();
    if question.event == Event::Other {
        return reply;
    }
    // A git that hangs is ended by us, with its name, before our own time is over.
    let git_limit = limit.mul_f32(0.8);
    for place in places::of(question, git_limit, &mut reply) {
        if let Err(why) = answer(host, question, &place, &mut reply) {
            reply.not_judged(why);
        }
    }
    reply
}

fn answer(host: Host, question: &Question, place: &Place, reply: &mut Reply) -> Result<(), Trouble> {
    let repository = &place.repository;
    let store = Store::of(repository.root());
    let key = Key::of(host.name(), &question.session);
    let (known, usable) = match Session::load(&store, &key) {
        Ok(known) => (known, true),
        Err(why) => {
            reply.notice.push(format!("oguard: {why}; this session is compared with the present HEAD from here on"));
            (None, why.may_be_replaced())
        }
    };
    let before = known.clone();
    let session = match known {
        Some(session) => session,
        None => begin(repository)?,
    };
    let mut turn = Turn { repository, project: Project::load(repository.root()), session };
    // What was pinned is kept whatever comes of the judging.
    let outcome = turn.event(&question.event, &place.paths, reply);
    if usable {
        let saved = match &before {
            Some(before) if *before == turn.session => {
                Session::touch(&store, &key);
                Ok(())
            }
            _ => turn.session.save(&store, &key, before.is_none()),
        };
        if let Err(why) = saved {
            reply.notice.push(format!("oguard: {why}; the base of this session cannot be kept, so a commit hides what it holds"));
        }
    }
    outcome
}

fn begin(repository: &Repository) -> Result<Session, Trouble> {
    Ok(Session::new(repository.head()?, repository.head_log()))
}

/// One event in one repository.
struct Turn<'a> {
    repository: &'a Repository,
    project: Result<Project, ProjectError>,
    session: Session,
}

impl Turn<'_> {
    fn event(&mut self, event: &Event, paths: &[PathBuf], reply: &mut Reply) -> Result<(), Trouble> {
        let project = self.project.clone()?;
        match event {
            Event::Other => {}
            // Nothing to say before there is a change: the rules speak for themselves when they apply.
            Event::Start => {}
            Event::Edited(_) => self.edited(&project, paths, reply)?,
            Event::Ran => self.ran(&project, reply)?,
            Event::Stop { again } => self.stop(&project, *again, reply)?,
        }
        Ok(())
    }

    /// After an edit: the files that were edited.
    fn edited(&mut self, project: &Project, paths: &[PathBuf], reply: &mut Reply) -> Result<(), Trouble> {
        let relative: Vec<String> = paths.iter().filter_map(|path| project.relative(path)).collect();
        let judged: Vec<String> =
            relative.into_iter().filter(|path| language_of(path).is_ok() && !project.settings().excludes(path)).collect();
        if judged.is_empty() {
            return Ok(());
        }
        let report = match self.against_base_alone(project, &judged)? {
            Some(report) => report,
            None => {
                let (changes, blobs) = self.listed(reply)?;
                self.forget_what_is_no_change(&changes);
                let (report, _) = self.judged(project, &changes, blobs, &|path| judged.iter().any(|j| j == path))?;
                report
            }
        };
        self.say(&report, &judged, reply);
        Ok(())
    }

    /// Judges files against the base's files of the same paths; none where that is not the whole truth: something is new, or
    /// the base has no such file, so that it may have come from elsewhere.
    fn against_base_alone(&self, project: &Project, paths: &[String]) -> Result<Option<Report>, Trouble> {
        let Some(base) = &self.session.base else { return Ok(None) };
        let mut blobs = self.repository.blobs()?;
        let mut inputs = Vec::new();
        for path in paths {
            let object = format!("{base}:{path}");
            let source = match blobs.read(&object) {
                Ok(Some(bytes)) => Source::Bytes(bytes),
                // Said with the others by the judge.
                Err(GitError::TooLarge { .. }) => Source::Object(object),
                Ok(None) | Err(GitError::BadObject { .. }) => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            if std::fs::symlink_metadata(project.root().join(path)).is_err() {
                // Gone: perhaps to where its runner misses it.
                return Ok(None);
            }
            inputs.push(Input {
                path: path.clone(),
                base: Some(Base { path: path.clone(), source }),
                edited: Source::Disk,
                selected: true,
            });
        }
        let report = judge(project, Change { inputs, skipped: Vec::new(), compared: self.compared() }, Some(blobs), &|_| {});
        Ok(report.files.iter().all(|file| file.findings.is_empty()).then_some(report))
    }

    /// After something ran: the files that were written since they were last looked at.
    fn ran(&mut self, project: &Project, reply: &mut Reply) -> Result<(), Trouble> {
        let (changes, blobs) = self.listed(reply)?;
        self.forget_what_is_no_change(&changes);
        let stamps = told::stamps(project.root(), &changes);
        let written: Vec<String> =
            stamps.iter().filter(|(path, stamp)| self.session.seen.get(*path) != Some(stamp)).map(|(path, _)| path.clone()).collect();
        if written.is_empty() {
            blobs.leave();
            self.session.seen = stamps;
            return Ok(());
        }
        let (report, judged) = self.judged(project, &changes, blobs, &|path| written.iter().any(|w| w == path))?;
        self.session.seen = stamps;
        self.say(&report, &judged, reply);
        Ok(())
    }

    /// At the stop: the whole change, and what a half-done edit would have tripped.
    fn stop(&mut self, project: &Project, again: bool, reply: &mut Reply) -> Result<(), Trouble> {
        let (changes, blobs) = self.listed(reply)?;
        self.forget_what_is_no_change(&changes);
        let stamps = told::stamps(project.root(), &changes);
        let (report, judged) = self.judged(project, &changes, blobs, &|_| true)?;
        self.session.seen = stamps;
        let news = told::news(&mut self.session, &judged, &report, false);
        let all = |level: Level| report.findings().filter(move |(_, f)| f.level == level).map(|(file, f)| (file.path.as_str(), f));
        let blocking: Vec<(&str, &Finding)> = all(Level::Block).collect();
        let warnings: Vec<(&str, &Finding)> = news.into_iter().filter(|(_, f)| f.level == Level::Warn).collect();
        let fresh = blocking.iter().any(|(_, f)| !self.session.stopped.contains(&f.fingerprint));
        if fresh && !again {
            self.session.stopped.extend(blocking.iter().map(|(_, f)| f.fingerprint.clone()));
            let said: Vec<_> = blocking.into_iter().chain(warnings).collect();
            reply.block.extend(self.lines(&said));
        } else {
            // A stop cannot tell the model without holding it up, and a warning holds up nothing: the person reads it.
            reply.notice.extend(self.lines(&warnings));
            if !blocking.is_empty() {
                reply.notice.push(format!("oguard: the session ends with findings that block; `{}` shows them", self.command(None)));
            }
        }
        name_failures(&report, reply);
        Ok(())
    }

    /// Adds to the answer what the agent does not know yet.
    fn say(&mut self, report: &Report, judged: &[String], reply: &mut Reply) {
        let news = told::news(&mut self.session, judged, report, true);
        let (block, warn): (Vec<_>, Vec<_>) = news.into_iter().partition(|(_, f)| f.level == Level::Block);
        reply.block.extend(self.lines(&block));
        reply.tell.extend(self.lines(&warn));
        name_failures(report, reply);
    }

    /// Lists what differs from the base of the session.
    fn listed(&mut self, reply: &mut Reply) -> Result<(Changes, Blobs), Trouble> {
        match self.since(self.session.base.as_deref()) {
            Err(Trouble::Git(error @ GitError::Failed { .. })) => {
                let Some(base) = self.session.base.clone() else { return Err(error.into()) };
                if self.repository.resolve(&base).is_ok() {
                    return Err(error.into());
                }
                // Rewritten away and collected. Better a later base than none.
                self.session = begin(self.repository)?;
                let line = format!("oguard: the commit {} that this session began with is gone", crate::git::short(&base));
                reply.notice.push(format!("{line}; it is compared with the present HEAD from here on"));
                self.since(self.session.base.as_deref())
            }
            listed => listed,
        }
    }

    fn since(&self, base: Option<&str>) -> Result<(Changes, Blobs), Trouble> {
        // The status names HEAD, which seldom moved; only then is the longer way needed.
        let (changes, blobs) = self.repository.changes_and_blobs(None, &Target::WorkTree)?;
        if changes.base.as_deref() == base {
            return Ok((changes, blobs));
        }
        let base = match base {
            Some(base) => base.to_owned(),
            None => self.repository.empty_tree()?,
        };
        Ok(self.repository.changes_and_blobs(Some(&base), &Target::WorkTree)?)
    }

    /// Judges the selected files of a listed change; returns their paths too.
    fn judged(
        &self,
        project: &Project,
        changes: &Changes,
        blobs: Blobs,
        selected: &dyn Fn(&str) -> bool,
    ) -> Result<(Report, Vec<String>), Trouble> {
        let change = |changes: &Changes| {
            let mut inputs: Vec<Input> = changes.files.iter().cloned().map(Input::from).collect();
            for input in &mut inputs {
                input.selected = selected(&input.path) || input.base.as_ref().is_some_and(|base| selected(&base.path));
            }
            Change { inputs, skipped: Vec::new(), compared: self.compared() }
        };
        let ours = change(changes);
        let paths = ours.inputs.iter().filter(|i| i.selected).map(|i| i.path.clone()).collect();
        let mut report = judge(project, ours, Some(blobs), &|_| {});
        let news = report.findings().next().is_some();
        let arrivals = if news { self.repository.arrivals(self.session.head_log, self.session.base.as_deref()) } else { Vec::new() };
        for commit in arrivals {
            if report.findings().next().is_none() {
                break;
            }
            let (changes, blobs) = self.repository.changes_and_blobs(Some(&commit), &Target::WorkTree)?;
            keep_what_both_say(&mut report, judge(project, change(&changes), Some(blobs), &|_| {}));
        }
        Ok((report, paths))
    }

    /// Forgets what was said of files that are as they were.
    fn forget_what_is_no_change(&mut self, changes: &Changes) {
        let changed = |path: &str| changes.files.iter().any(|f| f.path == path || f.old_path.as_deref() == Some(path));
        self.session.told.retain(|path, _| changed(path));
    }

    fn compared(&self) -> Compared {
        Compared { baseline: self.session.base.clone().unwrap_or_default(), ..Compared::default() }
    }

    fn lines(&self, findings: &[(&str, &Finding)]) -> Vec<String> {
        assistant::lines(findings, |path| self.command(path))
    }

    /// Returns the command that judges a path, or the whole change, and shows all of it.
    fn command(&self, path: Option<&str>) -> String {
        let moved = self.session.base.as_ref().filter(|base| !matches!(self.repository.head(), Ok(Some(head)) if head == **base));
        let base = moved.map_or_else(String::new, |base| format!(" --base {}", crate::git::short(base)));
        match path {
            Some(path) => format!("oguard check {path}{base} --max 0"),
            None => format!("oguard check{base} --max 0"),
        }
    }
}

/// Names files that could not be judged: an error is never passed over.
fn name_failures(report: &Report, reply: &mut Reply) {
    let failures = &report.claim.failures;
    for failure in failures.iter().take(NAMED_MAX) {
        reply.not_judged(format!("{}: {}", failure.what, failure.why));
    }
    if failures.len() > NAMED_MAX {
        reply.not_judged("more files; `oguard check` names them");
    }
}
