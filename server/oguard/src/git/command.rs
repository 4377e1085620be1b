//! One call of git: harmless settings, a time limit, bounded output.

use super::pipes::drain;
use super::{GitError, LIST_BYTES_MAX, Repository};
use crate::bounded;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a call of git may take, in milliseconds. A status of a very large tree on a slow disk takes a few seconds; what
/// takes longer is held by a lock or a network drive, and an editor or agent must not wait for it.
const TIME_LIMIT_MS: u64 = 20_000;

/// Overrides the time limit, in milliseconds; for tests and for trees on very slow drives.
const TIME_LIMIT_VARIABLE: &str = "OGUARD_GIT_TIME_LIMIT_MS";

/// Largest output of a listing that is read, in bytes: about a million changed paths.
const OUTPUT_BYTES_MAX: usize = 256 * 1024 * 1024;

/// Largest part of git's error output that is kept, in bytes: its first lines say what is wrong.
pub(super) const ERROR_BYTES_MAX: usize = 64 * 1024;

/// Settings of every call. A repository's configuration must not choose what runs, and paths come as they are.
const SETTINGS: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotepath=off",
    "status.renames=true",
    "diff.renames=true",
    "diff.relative=false",
    // `git diff` takes the lock of the index to refresh it, whatever GIT_OPTIONAL_LOCKS says, and a commit beside it fails.
    "diff.autoRefreshIndex=false",
];

pub(super) fn time_limit() -> Duration {
    let given = std::env::var(TIME_LIMIT_VARIABLE).ok().and_then(|v| v.parse().ok());
    Duration::from_millis(given.unwrap_or(TIME_LIMIT_MS))
}

/// What a call of git said.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) success: bool,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: String,
}

impl Output {
    /// Returns the one line of an answer.
    pub(super) fn line(&self) -> Option<String> {
        let text = std::str::from_utf8(&self.stdout).ok()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Returns the error where git refused to look at the repository at all.
    pub(super) fn refusal(&self) -> Option<GitError> {
        refusal(&self.stderr)
    }

    /// Returns what a failed call means.
    pub(super) fn error(&self, what: &str) -> GitError {
        failure(what, &self.stderr)
    }

    /// Returns the output of a successful call.
    pub(super) fn checked(self, what: &str) -> Result<Vec<u8>, GitError> {
        if self.success { Ok(self.stdout) } else { Err(self.error(what)) }
    }
}

fn refusal(stderr: &str) -> Option<GitError> {
    if stderr.contains("dubious ownership") || stderr.contains("unsafe repository") {
        let command = stderr.lines().map(str::trim).find(|l| l.starts_with("git config --global --add safe.directory"));
        let remedy = command.unwrap_or("git config --global --add safe.directory PATH").to_owned();
        return Some(GitError::Refused { remedy });
    }
    stderr.contains("not a git repository").then_some(GitError::NotARepository)
}

/// Returns what git's error output means.
pub(super) fn failure(what: &str, stderr: &str) -> GitError {
    refusal(stderr).unwrap_or_else(|| {
        let first = stderr.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or("it said nothing");
        let message = first.trim_start_matches("fatal: ").trim_start_matches("error: ").to_owned();
        GitError::Failed { what: what.to_owned(), message }
    })
}

impl Repository {
    /// Returns a call of git at the root of the work tree, harmless whatever the repository says.
    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.root);
        for setting in SETTINGS {
            command.arg("-c").arg(setting);
        }
        command.args(args);
        // By variables and not by `-c`, which ends a name at its first `=`.
        let given = std::env::var("GIT_CONFIG_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(0);
        for (at, (name, value)) in (given..).zip(&self.guards) {
            command.env(format!("GIT_CONFIG_KEY_{at}"), name).env(format!("GIT_CONFIG_VALUE_{at}"), value);
        }
        if !self.guards.is_empty() {
            command.env("GIT_CONFIG_COUNT", (given + self.guards.len()).to_string());
        }
        command.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0");
        // A partial clone must not fetch, nor a replacement ref change what a base said.
        command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "").env("GIT_NO_REPLACE_OBJECTS", "1");
        command.env_remove("GIT_EXTERNAL_DIFF").env_remove("GIT_DIFF_OPTS").env_remove("GIT_LITERAL_PATHSPECS");
        for (name, value) in &self.env {
            command.env(name, value);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs git to its end.
    pub(super) fn git(&self, args: &[&str]) -> Result<Output, GitError> {
        self.start(args)?.finish()
    }

    /// Starts git; several calls can run at the same time.
    pub(super) fn start(&self, args: &[&str]) -> Result<Running, GitError> {
        let what = args.first().copied().unwrap_or("").to_owned();
        let mut child = spawn(&mut self.command(args), &what)?;
        let stdout = child.stdout.take().expect("stdout was asked for as a pipe");
        let stderr = child.stderr.take().expect("stderr was asked for as a pipe");
        Ok(Running { child, stdout, stderr, what, since: Instant::now(), limit: self.time_limit })
    }

    /// Returns the words of the repository's own configuration in lower case, to see what need not be asked.
    pub(super) fn own_config(&self) -> String {
        let files = [self.common_dir.join("config"), self.git_dir.join("config"), self.git_dir.join("config.worktree")];
        let words = |file: &PathBuf| match bounded::text(file, LIST_BYTES_MAX) {
            Ok(text) => text.to_ascii_lowercase(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            // What we cannot read git perhaps can, so it is asked.
            Err(_) => "include".to_owned(),
        };
        files.iter().map(words).collect()
    }

    /// Refuses a repository whose configuration makes git look at other files than those around its `.git`.
    pub(super) fn check_work_tree(&self, config: &str) -> Result<(), GitError> {
        let told = self.env.iter().any(|(name, _)| *name == "GIT_WORK_TREE");
        if told || (!config.contains("worktree") && !config.contains("include")) {
            return Ok(());
        }
        let out = self.git(&["rev-parse", "--show-toplevel"])?;
        let Some(tree) = out.line().filter(|_| out.success).map(PathBuf::from) else { return Err(out.error("rev-parse")) };
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if real(&tree) == real(&self.root) { Ok(()) } else { Err(GitError::OtherWorkTree { root: self.root.clone(), tree }) }
    }

    /// Returns settings that empty the filters which the repository's own configuration defines. Status would run them; those
    /// of the user's configuration are the user's choice.
    pub(super) fn own_filters(&self, config: &str) -> Result<Vec<Setting>, GitError> {
        if !config.contains("filter") && !config.contains("include") {
            return Ok(Vec::new());
        }
        let out =
            self.git(&["config", "--null", "--show-scope", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process|smudge)$"])?;
        if !out.success && !out.stderr.trim().is_empty() {
            return Err(out.error("config"));
        }
        let fields: Vec<&[u8]> = out.stdout.split(|b| *b == 0).collect();
        let mut guards = Vec::new();
        for pair in fields.chunks_exact(2) {
            let (scope, name) = (pair[0], pair[1]);
            if matches!(scope, b"local" | b"worktree")
                && let Some(dot) = name.iter().rposition(|b| *b == b'.')
            {
                guards.push((os_string(name), ""));
                guards.push((os_string(&[&name[..dot], b".required"].concat()), "false"));
            }
        }
        Ok(guards)
    }
}

/// Name and value of a setting of git.
pub(super) type Setting = (OsString, &'static str);

/// Returns bytes of git as a variable holds them: any on Unix, Unicode elsewhere.
fn os_string(bytes: &[u8]) -> OsString {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec());
    #[cfg(not(unix))]
    return String::from_utf8_lossy(bytes).into_owned().into();
}

pub(super) fn spawn(command: &mut Command, what: &str) -> Result<Child, GitError> {
    command.spawn().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => GitError::NotFound,
        _ => GitError::Failed { what: what.to_owned(), message: format!("it could not be started: {error}") },
    })
}

/// A call of git under way.
pub(super) struct Running {
    child: Child,
    stdout: ChildStdout,
    stderr: ChildStderr,
    what: String,
    since: Instant,
    limit: Duration,
}

impl Running {
    /// Waits for the end, and ends git where it takes too long.
    pub(super) fn finish(self) -> Result<Output, GitError> {
        let Running { mut child, stdout, stderr, what, since, limit } = self;
        let until = since + limit;
        let ended = drain(stdout, stderr, [OUTPUT_BYTES_MAX, ERROR_BYTES_MAX], until).zip(wait(&mut child, until));
        let Some(((stdout, stderr), status)) = ended else {
            end(&mut child);
            return Err(GitError::Hung { what, after: limit });
        };
        if stdout.cut {
            return Err(GitError::TooLarge { what: format!("the output of `git {what}`"), bytes_max: OUTPUT_BYTES_MAX });
        }
        let stderr = String::from_utf8_lossy(&stderr.bytes).into_owned();
        Ok(Output { success: status.success(), stdout: stdout.bytes, stderr })
    }
}

/// Waits for a process that has closed its output: at its end, or nearly so.
fn wait(child: &mut Child, until: Instant) -> Option<std::process::ExitStatus> {
    const SPINS: u32 = 200;
    for turn in 0.. {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() >= until => return None,
            Ok(None) if turn < SPINS => std::thread::yield_now(),
            Ok(None) => std::thread::park_timeout(Duration::from_millis(1)),
            Err(_) => return None,
        }
    }
    None
}

/// Ends a process and takes its exit code, so that no zombie is left in a long-lived server.
pub(super) fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}
