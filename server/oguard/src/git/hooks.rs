//! Where git looks for its hooks: `core.hooksPath`, or the folder that all work trees share.

use super::{GitError, Repository};
use std::path::PathBuf;

/// Whose the folder of hooks is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HooksOf {
    /// This repository's.
    Repository,
    /// All of the user's, or the machine's.
    User,
}

/// The folder where git looks for hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hooks {
    /// The folder.
    pub folder: PathBuf,
    /// Whose it is.
    pub of: HooksOf,
    /// `core.hooksPath` names it.
    pub configured: bool,
}

impl Repository {
    /// Returns where git looks for hooks.
    ///
    /// # Errors
    /// Where git fails.
    pub fn hooks(&self) -> Result<Hooks, GitError> {
        // Our own calls of git switch hooks off, and the last value wins.
        let out = self.git(&["config", "--null", "--show-scope", "--type=path", "--get-all", "core.hooksPath"])?;
        if !out.success && !out.stderr.trim().is_empty() {
            return Err(out.error("config"));
        }
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let fields: Vec<&str> = text.split('\0').collect();
        let given = fields.chunks_exact(2).rfind(|pair| pair[0] != "command");
        Ok(match given {
            Some([scope, path]) => {
                let of = if matches!(*scope, "local" | "worktree") { HooksOf::Repository } else { HooksOf::User };
                Hooks { folder: self.root.join(path), of, configured: true }
            }
            _ => Hooks { folder: self.common_dir.join("hooks"), of: HooksOf::Repository, configured: false },
        })
    }

    /// Returns the folder that all work trees of this repository share.
    pub fn common_dir(&self) -> &std::path::Path {
        &self.common_dir
    }
}
