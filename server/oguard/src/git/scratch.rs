//! A throw-away repository, for the demonstration.
//!
//! The only place that writes with git, and only below a folder that it made itself.

use super::GitError;
use super::command::failure;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A repository in the folder for temporary files; dropped, it is gone.
pub struct Scratch {
    root: PathBuf,
}

impl Scratch {
    /// Makes an empty repository.
    ///
    /// # Errors
    /// Where the folder cannot be made or git fails.
    pub fn new(name: &str) -> Result<Self, GitError> {
        let failed = |e: std::io::Error| GitError::Failed { what: "init".to_owned(), message: e.to_string() };
        let unique = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |t| t.as_nanos());
        let root = std::env::temp_dir().join(format!("{name}-{}-{unique}", std::process::id()));
        std::fs::create_dir_all(&root).map_err(failed)?;
        // Git does not know the resolved paths of Windows.
        let root = if cfg!(windows) { root } else { root.canonicalize().map_err(failed)? };
        let scratch = Scratch { root };
        scratch.git(&["init", "-q", "-b", "main"])?;
        Ok(scratch)
    }

    /// Returns its work tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Commits everything in the work tree.
    ///
    /// # Errors
    /// Where git fails.
    pub fn commit(&self, message: &str) -> Result<(), GitError> {
        self.git(&["add", "-A"])?;
        self.git(&["commit", "-q", "-m", message])
    }

    fn git(&self, args: &[&str]) -> Result<(), GitError> {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.root).args(["-c", "core.hooksPath=/dev/null", "-c", "commit.gpgsign=false"]).args(args);
        // Nothing of the caller's repository or configuration holds here.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
            command.env_remove(name);
        }
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "demo").env(format!("GIT_{who}_EMAIL"), "demo@localhost");
        }
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null").stdin(Stdio::null());
        let what = args.first().copied().unwrap_or("");
        let output = command.output().map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => GitError::NotFound,
            _ => GitError::Failed { what: what.to_owned(), message: e.to_string() },
        })?;
        if output.status.success() { Ok(()) } else { Err(failure(what, &String::from_utf8_lossy(&output.stderr))) }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for temporary files; there is nobody to tell.
        let _ = std::fs::remove_dir_all(&self.root);
    }
}
