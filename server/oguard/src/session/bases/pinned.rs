//! Which commit a repository's files are compared with, as its HEAD moves.
//!
//! The commit that was HEAD when the session first saw the repository is pinned, and stays so. The base is its merge base with
//! the present HEAD, which is what `oguard check --base` takes too: after commits on top of it that is the pinned commit itself,
//! so a commit in the middle clears nothing; after an amend, a reset, a rebase or a checkout of another branch it is where both
//! histories part, which never holds a commit of this session. Going back brings the pinned commit back. Where both share
//! nothing the pinned commit stays, and that is said.

use crate::git::{Blobs, GitError, Repository, short};
use std::time::{Duration, Instant, SystemTime};

/// How long a repository that failed is left alone.
pub(super) const REST_AFTER_FAILURE: Duration = Duration::from_secs(5);

/// A repository and its base.
pub(super) struct Git {
    repository: Repository,
    /// HEAD when the session first saw it, once asked; none inside where nothing was committed yet.
    pinned: Option<Option<String>>,
    /// The commit that is compared with.
    base: Option<String>,
    /// HEAD moved since the base was found.
    moved: bool,
    blobs: Option<Blobs>,
    failed: Option<(Instant, String)>,
    /// What is to be said about the base.
    unsaid: Option<String>,
}

/// What tells that HEAD moved: by another branch, by a commit (its log), or in a repository that keeps refs in tables.
#[derive(PartialEq)]
pub(super) struct Stamp([Option<(SystemTime, u64)>; 3]);

impl Git {
    pub(super) fn new(repository: Repository) -> Self {
        Git { repository, pinned: None, base: None, moved: false, blobs: None, failed: None, unsaid: None }
    }

    pub(super) fn repository(&self) -> &Repository {
        &self.repository
    }

    /// Returns the commit that is compared with; none where nothing is committed, or git was not asked yet.
    pub(super) fn base_commit(&self) -> Option<&str> {
        self.base.as_deref()
    }

    pub(super) fn stamp(&self) -> Stamp {
        let of = |name: &str| super::modified(&self.repository.git_dir().join(name));
        Stamp([of("HEAD"), of("logs/HEAD"), of("reftable/tables.list")])
    }

    /// HEAD may have moved: the base is found anew before it is used.
    pub(super) fn head_moved(&mut self) {
        self.moved = true;
    }

    /// Whether a failure is old enough to try again.
    pub(super) fn recovers(&self) -> bool {
        self.failed.as_ref().is_some_and(|(at, _)| at.elapsed() >= REST_AFTER_FAILURE)
    }

    pub(super) fn forget_failure(&mut self) {
        self.failed = None;
    }

    /// Finds the base where HEAD moved.
    ///
    /// # Errors
    /// Where git fails; the repository rests then, and the reason stands for what is asked meanwhile.
    pub(super) fn follow(&mut self) -> Result<(), String> {
        if let Some(words) = self.attempt(Self::find_base)? {
            self.unsaid = Some(words);
        }
        Ok(())
    }

    /// Returns what is to be said about the base, once.
    pub(super) fn words(&mut self) -> Option<String> {
        self.unsaid.take()
    }

    fn find_base(&mut self) -> Result<Option<String>, GitError> {
        if self.pinned.is_some() && !self.moved {
            return Ok(None);
        }
        let head = self.repository.head()?;
        self.moved = false;
        let Some(pinned) = self.pinned.clone() else {
            self.base.clone_from(&head);
            self.pinned = Some(head);
            return Ok(None);
        };
        let (Some(pinned), Some(head)) = (pinned, head) else { return Ok(None) };
        if pinned == head {
            return Ok(self.take(pinned.clone(), || format!("compared with {} again, the commit the session began with", short(&pinned))));
        }
        match self.repository.merge_base(&pinned, &head) {
            Ok(base) if base == pinned => {
                Ok(self.take(base, || format!("compared with {} again, the commit the session began with", short(&pinned))))
            }
            Ok(base) => {
                let words = format!(
                    "compared with {} from here on, where HEAD {} parts from {}, the commit the session began with",
                    short(&base),
                    short(&head),
                    short(&pinned)
                );
                Ok(self.take(base, || words))
            }
            Err(GitError::NoMergeBase { .. }) => {
                let words = format!(
                    "HEAD {} shares no history with {}, the commit the session began with, which the files are still compared with; \
                     restart the server to compare with HEAD",
                    short(&head),
                    short(&pinned)
                );
                self.take(pinned, String::new);
                Ok(Some(words))
            }
            Err(error) => {
                // Another repository stands in its place: cloned anew, or its history pruned. Git must say so itself: one that
                // hangs or dies must not move the base to what it is to be compared with.
                let gone = matches!(error, GitError::Failed { .. })
                    && matches!(self.repository.resolve(&pinned), Err(GitError::BadRevision { .. }));
                if !gone {
                    return Err(error);
                }
                let words = format!(
                    "{}, the commit the session began with, is no longer in the repository; compared with HEAD {} from here on",
                    short(&pinned),
                    short(&head)
                );
                self.blobs = None;
                self.pinned = Some(Some(head.clone()));
                self.base = Some(head);
                Ok(Some(words))
            }
        }
    }

    /// Takes a base; the words are for one that differs.
    fn take(&mut self, base: String, words: impl FnOnce() -> String) -> Option<String> {
        let differs = self.base.as_deref() != Some(&base);
        self.base = Some(base);
        differs.then(words)
    }

    /// Returns the bytes of a path in the base: none where it was not there, none inside where it is no blob to be judged.
    #[allow(clippy::option_option, reason = "not there and not readable are two answers")]
    pub(super) fn read(&mut self, path: &str) -> Result<Option<Option<Vec<u8>>>, String> {
        self.attempt(|git| match git.blob(path) {
            Ok(Some(bytes)) => Ok(Some(Some(bytes))),
            Ok(None) | Err(GitError::BadObject { .. }) => Ok(None),
            Err(GitError::TooLarge { .. }) => Ok(Some(None)),
            Err(error) => Err(error),
        })
    }

    fn blob(&mut self, path: &str) -> Result<Option<Vec<u8>>, GitError> {
        let Some(base) = &self.base else { return Ok(None) };
        let object = format!("{base}:{path}");
        let kept = self.blobs.is_some();
        let answer = self.reader()?.read(&object);
        match answer {
            // A reader that has died meanwhile (killed, out of memory) is replaced once; one that hangs is not.
            Err(GitError::Failed { .. }) if kept => {
                self.blobs = None;
                self.reader()?.read(&object)
            }
            answer => answer,
        }
    }

    fn reader(&mut self) -> Result<&mut Blobs, GitError> {
        let blobs = match self.blobs.take() {
            Some(blobs) => blobs,
            None => self.repository.blobs()?,
        };
        Ok(self.blobs.insert(blobs))
    }

    /// Works with git; after a failure the repository rests, so that one that hangs holds up nobody for long.
    fn attempt<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, GitError>) -> Result<T, String> {
        if let Some((at, message)) = &self.failed
            && at.elapsed() < REST_AFTER_FAILURE
        {
            return Err(message.clone());
        }
        // A reader of a repository that was deleted still answers, with 'missing' for every file: each would be a new one.
        let gone = std::fs::symlink_metadata(self.repository.git_dir().join("HEAD")).is_err();
        let result = if gone { Err(self.gone()) } else { work(self).map_err(|e| e.to_string()) };
        if let Err(message) = &result {
            self.blobs = None;
            self.moved = true;
            self.failed = Some((Instant::now(), message.clone()));
        }
        result
    }

    fn gone(&self) -> String {
        format!("{} is gone or cannot be read, and with it the base", self.repository.git_dir().display())
    }
}
