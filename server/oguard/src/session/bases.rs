//! The thread that looks at the disk and asks git: where a file belongs, its project's settings, its base text.
//!
//! A repository is seen once: the commit that is HEAD then stays the base for the session, so that a commit in the middle
//! clears nothing (SPEC.md 2). Every call of git has a time limit; after a failure the repository rests for a while, so that
//! one that hangs holds up nobody else for long.

use super::document::Key;
use super::jobs::{Base, Spec};
use super::state::Event;
use crate::git::{Blobs, GitError, Repository};
use crate::project::{Project, SETTINGS_FILE, decode, like_line_ends};
use oguard_engine::grammars::{by_lsp_id, by_path};
use oguard_engine::settings::Settings;
use ropey::Rope;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::time::{Duration, Instant, SystemTime};

/// How long a repository that failed is left alone.
const REST_AFTER_FAILURE: Duration = Duration::from_secs(5);

/// Workspace folders whose repository is opened before the first file is.
const WARMED_ROOTS_MAX: usize = 4;

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
}

/// Where a document belongs.
pub(super) struct Located {
    pub(super) key: Key,
    pub(super) seq: u64,
    pub(super) root: Option<Arc<PathBuf>>,
    pub(super) found: Result<Found, String>,
}

pub(super) enum Found {
    /// Outside the workspace, of no known language, excluded, or its base is no text.
    NotJudged,
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
    std::thread::spawn(move || bases.run(&lookups, &events));
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

struct Git {
    repository: Repository,
    /// HEAD when the session first saw it; none where nothing was committed yet.
    commit: Option<Option<String>>,
    blobs: Option<Blobs>,
    failed: Option<(Instant, String)>,
}

/// What tells that settings or HEAD changed.
#[derive(PartialEq)]
struct Stamp {
    settings: Option<(SystemTime, u64)>,
    head: Option<(SystemTime, u64)>,
}

impl Bases {
    fn run(mut self, lookups: &Receiver<Lookup>, events: &SyncSender<Event>) {
        for root in self.roots.iter().take(WARMED_ROOTS_MAX).cloned().collect::<Vec<_>>() {
            if let Ok(known) = self.project(&root) {
                known.warm();
            }
        }
        while let Ok(lookup) = lookups.recv() {
            match lookup {
                Lookup::Locate { key, seq, path, language, text } => {
                    let (root, found) = self.locate(&path, &language, &text);
                    if events.send(Event::Located(Located { key, seq, root, found })).is_err() {
                        return;
                    }
                }
                Lookup::Look { gone } => {
                    let paths: Vec<_> = gone.into_iter().filter(|p| std::fs::symlink_metadata(p).is_err()).collect();
                    if !paths.is_empty() && events.send(Event::Removed { paths }).is_err() {
                        return;
                    }
                    for root in self.changed() {
                        if events.send(Event::ProjectChanged(root)).is_err() {
                            return;
                        }
                    }
                }
                Lookup::Folders { added, removed } => {
                    self.roots.retain(|root| !removed.contains(root));
                    self.roots.extend(added);
                }
                Lookup::Renamed(pairs) => {
                    for (old, new) in pairs {
                        let first = self.renamed.remove(&old).unwrap_or(old);
                        self.renamed.insert(new, first);
                    }
                }
            }
        }
    }

    fn locate(&mut self, path: &Path, language: &str, text: &Rope) -> (Option<Arc<PathBuf>>, Result<Found, String>) {
        if !self.in_workspace(path) {
            return (None, Ok(Found::NotJudged));
        }
        let before = self.before(path);
        let known = match self.project(path.parent().unwrap_or(path)) {
            Ok(known) => known,
            Err(error) => return (None, Err(unjudged(&error.to_string()))),
        };
        (Some(known.root.clone()), known.found(path, before.as_deref(), language, text))
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
        let top = folder.ancestors().find(|f| std::fs::symlink_metadata(f.join(".git")).is_ok());
        let outside = || self.roots.iter().filter(|r| folder.starts_with(r)).max_by_key(|r| r.as_os_str().len());
        let asked = top.or_else(|| outside().map(PathBuf::as_path)).unwrap_or(folder).to_owned();
        if !self.projects.contains_key(&asked) {
            let repository = if top.is_some() { Repository::discover_within(folder, self.git_time_max)? } else { None };
            let known = Known::new(&asked, repository);
            self.projects.insert(asked.clone(), known);
        }
        Ok(self.projects.get_mut(&asked).expect("it was just put there"))
    }

    /// Returns the roots whose settings or HEAD changed since the last look, with their settings read again.
    fn changed(&mut self) -> Vec<PathBuf> {
        let mut roots = Vec::new();
        for known in self.projects.values_mut() {
            let stamp = known.stamp();
            let recovers =
                known.git.as_ref().is_some_and(|git| git.failed.as_ref().is_some_and(|(at, _)| at.elapsed() >= REST_AFTER_FAILURE));
            if stamp != known.stamp || recovers {
                known.stamp = stamp;
                known.project = load(&known.root);
                if let Some(git) = &mut known.git {
                    git.failed = None;
                }
                roots.push(known.root.as_ref().clone());
            }
        }
        roots
    }
}

impl Known {
    fn new(asked: &Path, repository: Option<Repository>) -> Self {
        let root = repository.as_ref().map_or(asked, Repository::root).to_owned();
        let git = repository.map(|repository| Git { repository, commit: None, blobs: None, failed: None });
        let project = load(&root);
        let mut known = Known { root: Arc::new(root), project, git, stamp: Stamp { settings: None, head: None } };
        known.stamp = known.stamp();
        known
    }

    fn stamp(&self) -> Stamp {
        let of = |path: PathBuf| std::fs::metadata(path).ok().and_then(|m| Some((m.modified().ok()?, m.len())));
        let head = self.git.as_ref().and_then(|git| of(git.repository.git_dir().join("HEAD")));
        Stamp { settings: of(self.root.join(SETTINGS_FILE)), head }
    }

    /// Starts git before the first file asks.
    fn warm(&mut self) {
        if let Some(git) = &mut self.git {
            // A failure is told with the first file.
            let _ = git.base("oguard.toml");
        }
    }

    fn found(&mut self, path: &Path, before: Option<&Path>, language: &str, text: &Rope) -> Result<Found, String> {
        if *path == self.root.join(SETTINGS_FILE) {
            return Ok(Found::Settings);
        }
        let (project, settings) = self.project.as_ref().map_err(Clone::clone)?;
        let Some(relative) = project.relative(path) else { return Ok(Found::NotJudged) };
        let Some(language) = by_path(&relative).or_else(|| by_lsp_id(language)).filter(|_| !settings.excludes(&relative)) else {
            return Ok(Found::NotJudged);
        };
        let old = before.and_then(|old| project.relative(old));
        let spec = |path: &str| Arc::new(Spec { language, path: path.to_owned(), settings: settings.clone() });
        let Some(git) = &mut self.git else { return Ok(Found::FirstSight(spec(&relative))) };
        let mut bytes = git.base(&relative).map_err(|e| unjudged(&e))?;
        if let (None, Some(old)) = (&bytes, old) {
            bytes = git.base(&old).map_err(|e| unjudged(&e))?;
        }
        let spec = spec(&relative);
        let Some(bytes) = bytes else { return Ok(Found::Based { spec, base: Base::None, same: false }) };
        let Some(base) = bytes.and_then(|bytes| decode(bytes).ok()) else { return Ok(Found::NotJudged) };
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

impl Git {
    /// Returns the bytes of a path in the base: none where it was not there, none inside where it is no blob to be judged.
    #[allow(clippy::option_option, reason = "not there and not readable are two answers")]
    fn base(&mut self, path: &str) -> Result<Option<Option<Vec<u8>>>, String> {
        if let Some((at, message)) = &self.failed
            && at.elapsed() < REST_AFTER_FAILURE
        {
            return Err(message.clone());
        }
        match self.read(path) {
            Ok(Some(bytes)) => Ok(Some(Some(bytes))),
            Ok(None) | Err(GitError::BadObject { .. }) => Ok(None),
            Err(GitError::TooLarge { .. }) => Ok(Some(None)),
            Err(error) => {
                let message = error.to_string();
                self.blobs = None;
                self.failed = Some((Instant::now(), message.clone()));
                Err(message)
            }
        }
    }

    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, GitError> {
        if self.commit.is_none() {
            self.commit = Some(self.repository.head()?);
        }
        let Some(Some(commit)) = &self.commit else { return Ok(None) };
        let blobs = match &mut self.blobs {
            Some(blobs) => blobs,
            None => self.blobs.insert(self.repository.blobs()?),
        };
        blobs.read(&format!("{commit}:{path}"))
    }
}

fn load(root: &Path) -> Result<(Project, Arc<Settings>), String> {
    let project = Project::load(root).map_err(|e| unjudged(&e.to_string()))?;
    let settings = Arc::new(project.settings().clone());
    Ok((project, settings))
}

/// Words what keeps files from being judged, so that silence is not read as consent.
fn unjudged(why: &str) -> String {
    format!("nothing is judged here: {why}")
}
