//! What can go wrong with git, each in one line that names the remedy.

use std::path::PathBuf;
use std::time::Duration;

/// A failure of git.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GitError {
    /// There is no git program.
    NotFound,
    /// Git refuses a repository that another user owns.
    Refused {
        /// The command that allows it.
        remedy: String,
    },
    /// Git did not answer in time.
    Hung {
        /// The subcommand.
        what: String,
        /// After how long it was ended.
        after: Duration,
    },
    /// No such commit.
    BadRevision {
        /// As given.
        rev: String,
        /// The clone is shallow, so the commit may exist elsewhere.
        shallow: bool,
    },
    /// Two commits without a common ancestor.
    NoMergeBase {
        /// One commit.
        a: String,
        /// The other.
        b: String,
        /// The clone is shallow, so there may be one.
        shallow: bool,
    },
    /// The clone was cut off right at a commit whose parent is asked for.
    NoParent {
        /// The commit.
        rev: String,
    },
    /// Git's work tree is not the folder that holds `.git`: what is compared would be other files than those that are edited.
    OtherWorkTree {
        /// The folder that holds `.git`.
        root: PathBuf,
        /// What `core.worktree` names.
        tree: PathBuf,
    },
    /// Git says that there is no repository where one was found.
    NotARepository,
    /// An answer larger than what is read.
    TooLarge {
        /// What was asked for.
        what: String,
        /// The limit.
        bytes_max: usize,
    },
    /// The object name cannot be put to `git cat-file`.
    BadObject {
        /// As given.
        object: String,
    },
    /// Anything else that git says.
    Failed {
        /// The subcommand.
        what: String,
        /// Git's own words, on one line.
        message: String,
    },
}

impl std::fmt::Display for GitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GitError::NotFound => f.write_str("the git program is not on PATH; install git, or use `oguard scan PATH` or `--diff FILE`"),
            GitError::Refused { remedy } => write!(f, "git refuses this repository because another user owns it; allow it with: {remedy}"),
            GitError::Hung { what, after } => write!(
                f,
                "`git {what}` gave no answer within {:.1} s and was ended; run it by hand to see what holds it (a network drive, a lock)",
                after.as_secs_f32()
            ),
            GitError::BadRevision { rev, shallow: false } => {
                write!(f, "git knows no commit `{rev}`; `git log --oneline --all` lists them, `git fetch` brings those of the remote")
            }
            GitError::BadRevision { rev, shallow: true } => {
                write!(
                    f,
                    "this shallow clone holds no commit `{rev}`; fetch it (`git fetch --deepen=100 origin {rev}`), or use `--diff FILE`"
                )
            }
            GitError::NoMergeBase { a, b, shallow: true } => write!(
                f,
                "this shallow clone does not hold the merge base of {} and {}; run `git fetch --deepen=100` (or `--unshallow`), or use \
                 `--diff FILE`",
                short(a),
                short(b)
            ),
            GitError::NoMergeBase { a, b, shallow: false } => {
                write!(f, "{} and {} have no common ancestor; give a base of the same history", short(a), short(b))
            }
            GitError::NoParent { rev } => write!(
                f,
                "this shallow clone ends at {}, so its parent is not known; run `git fetch --deepen=1`, or use `--base REV` or `--diff FILE`",
                short(rev)
            ),
            GitError::OtherWorkTree { root, tree } => write!(
                f,
                "core.worktree makes git compare the files of {} instead of those of {}; set GIT_DIR and GIT_WORK_TREE to say which are \
                 meant, or run `git config --unset core.worktree`",
                tree.display(),
                root.display()
            ),
            GitError::NotARepository => f.write_str("git finds no repository here; run it inside a work tree, or use `oguard scan PATH`"),
            GitError::TooLarge { what, bytes_max } => write!(f, "{what} is larger than {} MB", bytes_max / (1024 * 1024)),
            GitError::BadObject { object } => write!(f, "`{}` is no object name that git can be asked for", object.escape_default()),
            GitError::Failed { what, message } => write!(f, "`git {what}` failed: {message}"),
        }
    }
}

impl std::error::Error for GitError {}

/// Returns a commit id cut to what people read; other names stay as they are.
pub(crate) fn short(rev: &str) -> &str {
    const ID_SHOWN: usize = 12;
    if rev.len() >= 40 && rev.bytes().all(|b| b.is_ascii_hexdigit()) { &rev[..ID_SHOWN] } else { rev }
}
