//! The thread that looks at the disk and asks git: where a file belongs, its project's settings, its base text.
//!
//! Which commit a repository is compared with is decided in `pinned`. Every call of git has a time limit; after a failure the
//! repository rests for a while, so that one that hangs holds up nobody else for long.

mod pinned;

use super::document::Key;
use super::jobs::{Base, Spec};
use super::pool::guarded;
use super::state::Event;
use super::survey::Ground;
use super::{EMPTY, FIRST_SIGHT};
use crate::git::{GitError, Repository};
use crate::project::{NotJudged, Project, SETTINGS_FILE, decode, like_line_ends};
use oguard_engine::grammars::{by_lsp_id, by_path};
use oguard_engine::settings::Settings;
use pinned::{Git, Stamp as HeadStamp};
use ropey::Rope;
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::time::{Duration, SystemTime};
use tokio::sync::oneshot;

/// Workspace folders whose repository is opened before the first file is.
const WARMED_ROOTS_MAX: usize = 4;

/// Renames that are remembered; a file that is renamed after so many counts as new.
const RENAMED_MAX: usize = 10_000;

/// A question to this thread.
pub(super) enum Lookup {
    /// Where a document belongs, and its base; its text as of an edit.
    Locate { key: Key, seq: u64, path: PathBuf, language: String, text: Rope },
    /// Whether settings or HEAD changed, and whether these files are really gone: editors that save by renaming say so too.
    Look { gone: Vec<PathBuf> },
    /// The workspace has other folders.
    Folders { added: Vec<PathBuf>, removed: Vec<PathBuf> },
    /// Files or folders have another name now (old, new).
    Renamed(Vec<(PathBuf, PathBuf)>),
    /// What the base says of a file that is gone from the disk; nothing where it is there, or never was.
    Lost { path: PathBuf, reply: oneshot::Sender<Option<String>> },
    /// Which projects a survey goes over.
    Grounds(Sender<Vec<Ground>>),
}

/// Where a document belongs.
pub(super) struct Located {
    pub(super) key: Key,
    pub(super) seq: u64,
    pub(super) root: Option<Arc<PathBuf>>,
    pub(super) found: Result<Found, String>,
    /// What it is compared with, where there is something to compare.
    pub(super) baseline: Arc<str>,
}

/// A file is in none of the workspace folders.
pub(super) const OUTSIDE: &str = "outside the workspace folders";

pub(super) enum Found {
    /// Outside the workspace, of no known language, excluded, or its base is no text: in words.
    NotJudged(Cow<'static, str>),
    /// The project's settings.
    Settings,
    /// Outside git: the text at first sight is the base.
    FirstSight(Arc<Spec>),
    /// `same`: the base is the very text that was asked about.
    Based { spec: Arc<Spec>, base: Base, same: bool },
}

/// Starts the thread; it ends when the sender is dropped.
pub(super) fn start(roots: Vec<PathBuf>, git_time_max: Duration, events: SyncSender<Event>) -> Sender<Lookup> {
    let (sender, lookups) = channel();
    let bases = Bases { roots, git_time_max, projects: HashMap::new(), renamed: HashMap::new() };
    std::thread::spawn(move || {
        if guarded(|| bases.run(&lookups, &events)).is_none() {
            // Whoever would hear of it may have ended.
            let _ = events.send(Event::Broken);
        }
    });
    sender
}

struct Bases {
    roots: Vec<PathBuf>,
    git_time_max: Duration,
    projects: HashMap<PathBuf, Known>,
    /// New path to the one it had.
    renamed: HashMap<PathBuf, PathBuf>,
}

/// A project that has been seen.
struct Known {
    root: Arc<PathBuf>,
    project: Result<(Project, Arc<Settings>), String>,
    git: Option<Git>,
    stamp: Stamp,
}

/// What tells that settings or HEAD changed.
#[derive(PartialEq)]
struct Stamp {
    settings: Option<(SystemTime, u64)>,
    head: Option<HeadStamp>,
}

impl Bases {
    fn run(mut self, lookups: &Receiver<Lookup>, events: &SyncSender<Event>) {
        for root in self.roots.iter().take(WARMED_ROOTS_MAX).cloned().collect::<Vec<_>>() {
            if let Ok(known) = self.project(&root) {
                known.warm();
            }
        }
        while let Ok(lookup) = lookups.recv() {
            if self.answer(lookup, events).is_err() {
                return;
            }
            let words: Vec<_> = self.projects.values_mut().filter_map(|k| k.git.as_mut()?.words()).collect();
            if words.into_iter().any(|words| tell(events, Event::Notice(words)).is_err()) {
                return;
            }
        }
    }

    /// Does what is asked; fails where nobody is left to tell.
    fn answer(&mut self, lookup: Lookup, events: &SyncSender<Event>) -> Result<(), Closed> {
        match lookup {
            Lookup::Locate { key, seq, path, language, text } => {
                let (known, found) = self.locate(&path, &language, &text);
                let (root, baseline) = known.map_or((None, "".into()), |k| (Some(k.root.clone()), k.baseline()));
                tell(events, Event::Located(Located { key, seq, root, found, baseline }))?;
            }
            Lookup::Look { gone } => {
                let paths: Vec<_> = gone.into_iter().filter(|p| std::fs::symlink_metadata(p).is_err()).collect();
                if !paths.is_empty() {
                    tell(events, Event::Removed { paths })?;
                }
                self.changed(events)?;
            }
            Lookup::Folders { added, removed } => {
                self.roots.retain(|root| !removed.contains(root));
                self.roots.extend(added);
            }
            Lookup::Renamed(pairs) => {
                for (old, new) in pairs {
                    let first = self.renamed.remove(&old).unwrap_or(old);
                    if self.renamed.len() < RENAMED_MAX {
                        self.renamed.insert(new, first);
                    }
                }
            }
            Lookup::Lost { path, reply } => {
                // Who asked may have gone.
                let _ = reply.send(self.lost(&path));
            }
            Lookup::Grounds(reply) => {
                self.changed(events)?;
                // Who asked may have gone.
                let _ = reply.send(self.grounds());
            }
        }
        Ok(())
    }

    fn locate(&mut self, path: &Path, language: &str, text: &Rope) -> (Option<&Known>, Result<Found, String>) {
        if !self.in_workspace(path) {
            return (None, Ok(Found::NotJudged(OUTSIDE.into())));
        }
        let before = self.before(path);
        let known = match self.project(path.parent().unwrap_or(path)) {
            Ok(known) => known,
            Err(error) => return (None, Err(unjudged(&error.to_string()))),
        };
        let found = known.found(path, before.as_deref(), language, text);
        (Some(known), found)
    }

    fn lost(&mut self, path: &Path) -> Option<String> {
        if !self.in_workspace(path) || std::fs::symlink_metadata(path).is_ok() {
            return None;
        }
        let known = self.project(path.parent()?).ok()?;
        let (project, settings) = known.project.as_ref().ok()?;
        let relative = project.relative(path)?;
        by_path(&relative).filter(|_| !settings.excludes(&relative))?;
        let git = known.git.as_mut()?;
        git.follow().ok()?;
        decode(git.read(&relative).ok()???).ok()
    }

    /// Returns the projects of the workspace folders, and of the files that were opened where there is no folder.
    fn grounds(&mut self) -> Vec<Ground> {
        for root in self.roots.clone() {
            // One that cannot be opened is named when a file of it is.
            let _ = self.project(&root);
        }
        let mut grounds: Vec<Ground> = self.projects.values_mut().filter_map(Known::ground).collect();
        grounds.sort_by(|a, b| a.root().cmp(b.root()));
        grounds.dedup_by(|a, b| a.root() == b.root());
        grounds
    }

    /// Returns the path that a file had, where an editor said that it, or a folder above it, was renamed.
    fn before(&self, path: &Path) -> Option<PathBuf> {
        path.ancestors().find_map(|above| {
            let old = self.renamed.get(above)?;
            let rest = path.strip_prefix(above).ok()?;
            Some(if rest.as_os_str().is_empty() { old.clone() } else { old.join(rest) })
        })
    }

    fn in_workspace(&self, path: &Path) -> bool {
        if self.roots.is_empty() || self.roots.iter().any(|root| path.starts_with(root)) {
            return true;
        }
        // A link on the way to either of them; a new file has no real path yet, its folder has.
        let folder = path.parent().and_then(|p| p.canonicalize().ok());
        folder.is_some_and(|folder| self.roots.iter().filter_map(|r| r.canonicalize().ok()).any(|root| folder.starts_with(root)))
    }

    /// Returns the project of a folder: its repository, else the workspace folder around it, else itself.
    fn project(&mut self, folder: &Path) -> Result<&mut Known, GitError> {
        // One that was seen keeps its files, also after it was deleted: else nothing would be left to compare with.
        let seen = |f: &Path| self.projects.get(f).is_some_and(|known| known.git.is_some());
        let top = folder.ancestors().find(|f| seen(f) || std::fs::symlink_metadata(f.join(".git")).is_ok());
        let outside = || self.roots.iter().filter(|r| folder.starts_with(r)).max_by_key(|r| r.as_os_str().len());
        let asked = top.or_else(|| outside().map(PathBuf::as_path)).unwrap_or(folder).to_owned();
        if !self.projects.contains_key(&asked) {
            let repository = if top.is_some() { Repository::discover_within(folder, self.git_time_max)? } else { None };
            let known = Known::new(&asked, repository);
            self.projects.insert(asked.clone(), known);
        }
        Ok(self.projects.get_mut(&asked).expect("it was just put there"))
    }

    /// Tells which projects have other settings, or another base, than at the last look, and what keeps a base from being found.
    fn changed(&mut self, events: &SyncSender<Event>) -> Result<(), Closed> {
        let (mut roots, mut troubles) = (Vec::new(), Vec::new());
        for known in self.projects.values_mut() {
            let stamp = known.stamp();
            let recovers = known.git.as_ref().is_some_and(Git::recovers);
            if stamp == known.stamp && !recovers {
                continue;
            }
            let mut changed = stamp.settings != known.stamp.settings;
            if let Some(git) = &mut known.git {
                if recovers {
                    git.forget_failure();
                }
                git.head_moved();
                let before = git.base_commit().map(str::to_owned);
                match git.follow() {
                    Ok(()) => changed |= recovers || git.base_commit() != before.as_deref(),
                    // What is open keeps the base it has: findings that vanish would read as a pass.
                    Err(why) => troubles.push((known.root.clone(), format!("only what is open already is judged here: {why}"))),
                }
            }
            if changed {
                known.project = load(&known.root);
            }
            known.stamp = stamp;
            if changed {
                roots.push(known.root.as_ref().clone());
            }
        }
        for (root, message) in troubles {
            tell(events, Event::Trouble { root, message })?;
        }
        roots.into_iter().try_for_each(|root| tell(events, Event::ProjectChanged(root)))
    }
}

impl Known {
    fn new(asked: &Path, repository: Option<Repository>) -> Self {
        let root = repository.as_ref().map_or(asked, Repository::root).to_owned();
        let git = repository.map(Git::new);
        let project = load(&root);
        let mut known = Known { root: Arc::new(root), project, git, stamp: Stamp { settings: None, head: None } };
        known.stamp = known.stamp();
        known
    }

    fn stamp(&self) -> Stamp {
        Stamp { settings: modified(&self.root.join(SETTINGS_FILE)), head: self.git.as_ref().map(Git::stamp) }
    }

    /// Returns what its files are compared with.
    fn baseline(&self) -> Arc<str> {
        match &self.git {
            None => FIRST_SIGHT.into(),
            Some(git) => git.base_commit().unwrap_or(EMPTY).into(),
        }
    }

    /// Returns what a survey needs; none outside git, where only open files are known.
    fn ground(&mut self) -> Option<Ground> {
        let git = self.git.as_mut()?;
        let root = self.root.clone();
        let based = git.follow().map_err(|e| unjudged(&e));
        let result = based.and_then(|()| {
            let (project, _) = self.project.as_ref().map_err(Clone::clone)?;
            Ok((project.clone(), git.repository().clone(), git.base_commit().map(str::to_owned)))
        });
        Some(Ground::new(root, result))
    }

    /// Starts git before the first file asks.
    fn warm(&mut self) {
        if let Some(git) = &mut self.git {
            // A failure is told with the first file.
            let _ = git.follow().and_then(|()| git.read(SETTINGS_FILE));
        }
    }

    fn found(&mut self, path: &Path, before: Option<&Path>, language: &str, text: &Rope) -> Result<Found, String> {
        if *path == self.root.join(SETTINGS_FILE) {
            return Ok(Found::Settings);
        }
        let (project, settings) = self.project.as_ref().map_err(Clone::clone)?;
        let not_judged = |why: NotJudged| Ok(Found::NotJudged(why.to_string().into()));
        let Some(mut relative) = project.relative(path) else { return Ok(Found::NotJudged(OUTSIDE.into())) };
        let Some(language) = by_path(&relative).or_else(|| by_lsp_id(language)) else { return not_judged(NotJudged::UnknownLanguage) };
        if settings.excludes(&relative) {
            return not_judged(NotJudged::Excluded);
        }
        let old = before.and_then(|old| project.relative(old));
        let spec = |path: &str| Arc::new(Spec { language, path: path.to_owned(), settings: settings.clone() });
        let Some(git) = &mut self.git else { return Ok(Found::FirstSight(spec(&relative))) };
        git.follow().map_err(|e| unjudged(&e))?;
        let mut bytes = git.read(&relative).map_err(|e| unjudged(&e))?;
        if let (None, Some(old)) = (&bytes, old) {
            bytes = git.read(&old).map_err(|e| unjudged(&e))?;
        }
        if bytes.is_none()
            && let Some(real) = path.canonicalize().ok().and_then(|real| project.relative(&real)).filter(|real| *real != relative)
        {
            // A link on the way: git has the file under its own name.
            bytes = git.read(&real).map_err(|e| unjudged(&e))?;
            if bytes.is_some() {
                relative = real;
            }
        }
        let spec = spec(&relative);
        let Some(bytes) = bytes else { return Ok(Found::Based { spec, base: Base::None, same: false }) };
        let base = match bytes.map_or(Err(NotJudged::TooLarge), decode) {
            Ok(base) => base,
            Err(why) => return not_judged(NotJudged::Base(Box::new(why))),
        };
        let (base, same) = like(&base, text);
        Ok(Found::Based { spec, base: Base::Text(base), same })
    }
}

/// Returns a base as the edited text would have it (byte order mark, line ends), and whether they are the same; the same
/// shares its memory.
fn like(base: &str, text: &Rope) -> (Rope, bool) {
    const MARK: char = '\u{feff}';
    let base = if text.get_char(0) == Some(MARK) { base } else { base.strip_prefix(MARK).unwrap_or(base) };
    if *text == base {
        return (text.clone(), true);
    }
    let converted = like_line_ends(base, &text.to_string());
    if *text == converted.as_ref() { (text.clone(), true) } else { (Rope::from_str(&converted), false) }
}

fn load(root: &Path) -> Result<(Project, Arc<Settings>), String> {
    let project = Project::load(root).map_err(|e| unjudged(&e.to_string()))?;
    let settings = Arc::new(project.settings().clone());
    Ok((project, settings))
}

/// Nobody is left to tell.
struct Closed;

fn tell(events: &SyncSender<Event>, event: Event) -> Result<(), Closed> {
    events.send(event).map_err(|_| Closed)
}

fn modified(path: &Path) -> Option<(SystemTime, u64)> {
    std::fs::metadata(path).ok().and_then(|m| Some((m.modified().ok()?, m.len())))
}

/// Words what keeps files from being judged, so that silence is not read as consent.
fn unjudged(why: &str) -> String {
    format!("nothing is judged here: {why}")
}
