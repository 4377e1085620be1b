//! Git, through the git program: where the work tree is, what changed, what the base said.
//!
//! Nothing of a repository makes us run anything: no hook, external diff, textconv, file system monitor, clean filter of its
//! own configuration or lazy fetch; nothing is written, not even a refreshed index. Every call has a time limit and a bounded
//! output, and every failure names its remedy. Reading order: [`discover`](Repository::discover), `command` (one call),
//! `changes` (what differs), `rename` (pairs that git does not see), `blobs` (texts of the base), `error`.

mod blobs;
mod changes;
mod command;
mod discover;
mod error;
mod hooks;
mod moves;
mod pipes;
mod rename;
mod scratch;

pub use blobs::Blobs;
pub use changes::{ChangedFile, Changes, Skipped, Status, Target};
pub use error::GitError;
pub(crate) use error::short;
pub use hooks::{Hooks, HooksOf};
pub use scratch::Scratch;

use crate::bounded;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Largest list that git keeps as a file (submodules, where a clone was cut, its configuration), in bytes: ten thousands of lines.
const LIST_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// A work tree under git.
#[derive(Clone, Debug)]
pub struct Repository {
    root: PathBuf,
    /// Of this work tree (`.git`, or its own folder under `.git/worktrees`).
    git_dir: PathBuf,
    /// Shared by all work trees.
    common_dir: PathBuf,
    /// Variables that the environment gave, made absolute, since git runs at the root.
    env: Vec<(&'static str, OsString)>,
    /// Settings that switch off the filters of the repository's own configuration.
    guards: Vec<command::Setting>,
    time_limit: Duration,
}

impl Repository {
    /// Returns the repository around a folder without starting a process; none outside git.
    ///
    /// # Errors
    /// Where the repository's own filters must be listed and git fails.
    pub fn discover(dir: &Path) -> Result<Option<Repository>, GitError> {
        discover::discover(dir).map(Repository::guarded).transpose()
    }

    /// Returns the folder of the bare repository around a folder, if that is what git would take.
    pub fn bare_around(dir: &Path) -> Option<PathBuf> {
        discover::bare(dir)
    }

    /// Returns the repository around a folder, every call of git limited in time from the first on.
    ///
    /// # Errors
    /// As [`Repository::discover`].
    pub fn discover_within(dir: &Path, limit: Duration) -> Result<Option<Repository>, GitError> {
        discover::discover(dir).map(|r| r.with_time_limit(limit).guarded()).transpose()
    }

    fn guarded(mut self) -> Result<Self, GitError> {
        let config = self.own_config();
        self.guards = self.own_filters(&config)?;
        self.check_work_tree(&config)?;
        Ok(self)
    }

    /// Returns the root of the work tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder of git for this work tree (where its HEAD and index lie).
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// Returns this repository with another time limit for a call of git.
    #[must_use]
    pub fn with_time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Returns the id of HEAD's commit; none where there is no commit yet.
    ///
    /// # Errors
    /// Where git fails.
    pub fn head(&self) -> Result<Option<String>, GitError> {
        let out = self.git(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?;
        match out.line() {
            Some(id) if out.success => Ok(Some(id)),
            _ if out.stderr.trim().is_empty() => Ok(None),
            _ => Err(out.error("rev-parse")),
        }
    }

    /// Returns the commit id of a revision.
    ///
    /// # Errors
    /// Where there is no such commit, or git fails.
    pub fn resolve(&self, rev: &str) -> Result<String, GitError> {
        let out = self.git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{rev}^{{commit}}")])?;
        match out.line() {
            Some(id) if out.success => Ok(id),
            _ => match out.refusal() {
                Some(error) => Err(error),
                None => Err(GitError::BadRevision { rev: rev.to_owned(), shallow: self.is_shallow() }),
            },
        }
    }

    /// Returns the merge base of two commits.
    ///
    /// # Errors
    /// Where they have none, or the clone is too shallow to hold it.
    pub fn merge_base(&self, a: &str, b: &str) -> Result<String, GitError> {
        let out = self.git(&["merge-base", "--end-of-options", a, b])?;
        match out.line() {
            Some(id) if out.success => Ok(id),
            _ if out.stderr.trim().is_empty() => {
                Err(GitError::NoMergeBase { a: a.to_owned(), b: b.to_owned(), shallow: self.is_shallow() })
            }
            _ => Err(out.error("merge-base")),
        }
    }

    /// Returns the first parent of a commit; none for a root commit.
    ///
    /// # Errors
    /// Where the clone was cut off at this commit, so that its parent is not known.
    pub fn first_parent(&self, id: &str) -> Result<Option<String>, GitError> {
        let out = self.git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{id}^1")])?;
        match out.line() {
            Some(parent) if out.success => Ok(Some(parent)),
            _ if !out.stderr.trim().is_empty() => Err(out.error("rev-parse")),
            _ if self.cut_at(id) => Err(GitError::NoParent { rev: id.to_owned() }),
            _ => Ok(None),
        }
    }

    /// Returns the id of the tree that holds nothing: the base where nothing was committed yet.
    ///
    /// # Errors
    /// Where git fails.
    pub fn empty_tree(&self) -> Result<String, GitError> {
        let out = self.git(&["hash-object", "-t", "tree", "--stdin"])?;
        match out.line() {
            Some(id) if out.success => Ok(id),
            _ => Err(out.error("hash-object")),
        }
    }

    /// Returns how many commits lead from one to another; none where the first is no ancestor of the second.
    ///
    /// # Errors
    /// Where git fails.
    pub fn commits_between(&self, from: &str, to: &str) -> Result<Option<usize>, GitError> {
        let out = self.git(&["rev-list", "--count", "--left-right", "--end-of-options", &format!("{from}...{to}")])?;
        let line = out.line().filter(|_| out.success);
        let Some((left, right)) = line.as_deref().and_then(|l| l.split_once('\t')) else { return Err(out.error("rev-list")) };
        Ok(if left == "0" { right.parse().ok() } else { None })
    }

    /// Whether history was cut off by a shallow clone.
    pub fn is_shallow(&self) -> bool {
        self.common_dir.join("shallow").exists()
    }

    fn cut_at(&self, id: &str) -> bool {
        bounded::text(&self.common_dir.join("shallow"), LIST_BYTES_MAX).is_ok_and(|s| s.lines().any(|l| l.trim() == id))
    }
}
