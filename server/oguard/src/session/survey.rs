//! The whole change of each project, judged as `oguard check` judges it, with the open texts in place of those on disk.
//!
//! Asked for by name (a workspace pull, a report), never on a keystroke: it lists what differs, reads and parses it. One
//! thread does one survey after the other, so that many who ask cost no more than one.

use super::bases::Lookup;
use super::pool::guarded;
use crate::git::{Repository, Target, short};
use crate::judge::{self, Change, Input, Pace, Source};
use crate::project::Project;
use crate::report::{Compared, Report};
use ropey::Rope;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use tokio::sync::oneshot;

/// Longest listing of what changed; a large tree on a slow disk takes seconds, and nobody types while it waits.
const LISTING_TIME_MAX: Duration = Duration::from_secs(20);

/// Files judged at the same time: typing keeps the other cores.
const WORKERS_MAX: usize = 1;

/// Follows a survey, and may end it.
pub(crate) trait Watch: Send + Sync {
    /// So many files of the change are done.
    fn progress(&self, done: usize, all: usize);
    /// Nobody waits any more.
    fn over(&self) -> bool;
    /// Judge this file, or what lies below this folder, alone.
    fn only(&self) -> Option<&Path> {
        None
    }
}

/// What a survey found, by root.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    pub(crate) projects: Vec<Surveyed>,
}

/// What a survey found in one project.
#[derive(Debug)]
pub(crate) struct Surveyed {
    pub(crate) root: Arc<PathBuf>,
    /// The report, or why there is none.
    pub(crate) report: Result<Report, String>,
}

/// A project that is surveyed.
pub(super) struct Ground {
    root: Arc<PathBuf>,
    ready: Result<(Project, Repository, Option<String>), String>,
}

impl Ground {
    pub(super) fn new(root: Arc<PathBuf>, ready: Result<(Project, Repository, Option<String>), String>) -> Self {
        Ground { root, ready }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }
}

/// An open text that is judged.
pub(super) struct OpenText {
    pub(super) root: Arc<PathBuf>,
    /// Relative to the root, with `/`.
    pub(super) path: String,
    pub(super) text: Rope,
}

/// A survey that is asked for.
pub(super) struct Asked {
    pub(super) open: Vec<OpenText>,
    pub(super) watch: Arc<dyn Watch>,
    pub(super) reply: Answer,
}

/// What is done with a survey once it is made.
pub(super) struct Answer(Box<dyn FnOnce(Survey) + Send>);

impl Answer {
    pub(super) fn new(take: impl FnOnce(Survey) + Send + 'static) -> Self {
        Answer(Box::new(take))
    }
}

impl From<oneshot::Sender<Survey>> for Answer {
    fn from(reply: oneshot::Sender<Survey>) -> Self {
        Answer::new(move |survey| {
            // Who asked may have gone.
            let _ = reply.send(survey);
        })
    }
}

/// Starts the thread; it ends when the sender is dropped.
pub(super) fn start(lookups: Sender<Lookup>) -> Sender<Asked> {
    let (sender, asked) = channel();
    std::thread::spawn(move || run(&asked, &lookups));
    sender
}

fn run(asked: &Receiver<Asked>, lookups: &Sender<Lookup>) {
    while let Ok(Asked { open, watch, reply }) = asked.recv() {
        if watch.over() {
            continue;
        }
        let (sender, grounds) = channel();
        if lookups.send(Lookup::Grounds(sender)).is_err() {
            return;
        }
        let Ok(grounds) = grounds.recv() else { return };
        let projects = grounds
            .into_iter()
            .filter(|ground| watch.only().is_none_or(|path| path.starts_with(ground.root())))
            .map(|ground| {
                let root = ground.root.clone();
                // One project's failure is said as its own, and the next survey finds the thread alive.
                let report = guarded(|| survey(ground, &open, watch.as_ref())).unwrap_or_else(|| Err(OUR_FAULT.to_owned()));
                Surveyed { root, report }
            })
            .collect();
        (reply.0)(Survey { projects });
    }
}

const OUR_FAULT: &str = "the guard itself failed on this change; see the server's log, and please report it";

fn survey(ground: Ground, open: &[OpenText], watch: &dyn Watch) -> Result<Report, String> {
    let (project, repository, base) = ground.ready?;
    let repository = repository.with_time_limit(LISTING_TIME_MAX);
    let (changes, mut blobs) = repository.changes_and_blobs(base.as_deref(), &Target::WorkTree).map_err(|e| e.to_string())?;
    let base = changes.base;
    let mut inputs: Vec<Input> = changes.files.into_iter().map(Input::from).collect();
    for OpenText { path, text, .. } in open.iter().filter(|o| o.root == ground.root) {
        let edited = Source::Bytes(text.to_string().into_bytes());
        if let Some(input) = inputs.iter_mut().find(|i| i.path == *path) {
            input.edited = edited;
            continue;
        }
        // Not saved yet: on disk it is as the base has it.
        let mut of_base = None;
        if let Some(base) = &base {
            let object = format!("{base}:{path}");
            if blobs.read(&object).map_err(|e| e.to_string())?.is_some() {
                of_base = Some(judge::Base { path: path.clone(), source: Source::Object(object) });
            }
        }
        inputs.push(Input { path: path.clone(), base: of_base, edited, selected: true });
    }
    inputs.sort_by(|a, b| a.path.cmp(&b.path));
    if let Some(only) = watch.only() {
        let only = project.relative(only).ok_or_else(|| format!("{} is not below {}", only.display(), ground.root.display()))?;
        inputs.iter_mut().for_each(|i| i.selected = Path::new(&i.path).starts_with(&only));
    }
    let all = inputs.len();
    let baseline = base.unwrap_or_else(|| super::EMPTY.to_owned());
    let compared = Compared {
        words: format!("open texts and work tree against {}", short(&baseline)),
        command: if baseline == super::EMPTY { "oguard check".to_owned() } else { format!("oguard check --base {baseline}") },
        baseline,
        task: None,
        absolute: false,
    };
    let change = Change { inputs, skipped: changes.skipped, compared };
    watch.progress(0, all);
    let pace = Pace { workers_max: WORKERS_MAX, done: &|done| watch.progress(done, all), over: &|| watch.over(), tests: false };
    Ok(judge::judge_at(&project, change, Some(blobs), &pace))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Scratch;

    /// Fails at the first step, as nothing should.
    struct Fails;

    impl Watch for Fails {
        fn progress(&self, _: usize, _: usize) {
            panic!("a survey that fails");
        }

        fn over(&self) -> bool {
            false
        }
    }

    #[test]
    fn a_panic_is_the_error_of_its_project_and_the_next_is_answered() {
        let scratch = Scratch::new("oguard-survey").unwrap();
        std::fs::write(scratch.root().join("a.py"), "x = 1\n").unwrap();
        scratch.commit("base").unwrap();
        let (lookups, looked_up) = channel();
        let surveys = start(lookups);
        for _ in 0..2 {
            let (reply, answer) = oneshot::channel();
            surveys.send(Asked { open: Vec::new(), watch: Arc::new(Fails), reply: reply.into() }).unwrap();
            let Ok(Lookup::Grounds(grounds)) = looked_up.recv() else { panic!("it asks which projects there are") };
            let repository = Repository::discover(scratch.root()).unwrap().unwrap();
            let project = Project::load(scratch.root()).unwrap();
            grounds.send(vec![Ground::new(Arc::new(scratch.root().to_owned()), Ok((project, repository, None)))]).unwrap();
            let survey = answer.blocking_recv().unwrap();
            assert_eq!(survey.projects.len(), 1);
            assert_eq!(survey.projects[0].report.as_ref().unwrap_err(), OUR_FAULT);
        }
    }
}
