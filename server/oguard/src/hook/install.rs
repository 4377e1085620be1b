//! Putting the hooks into a host's settings, and taking them out: a plan first, applied when a person agrees.
//!
//! A plan is a file with its text before and after, so what is shown is what is written. `settings` edits the JSON of coding
//! agents, `pre_commit` git's script; each keeps whatever else is there. Project settings are written inside the work tree
//! and nowhere else, wherever links lead.

mod pre_commit;
mod settings;

use super::{Host, command_line};
use crate::bounded;
use crate::git::{GitError, HooksOf, Repository};
use crate::project::real;
use crate::store::{Receipt, Store, StoreError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Largest settings file that is edited, in bytes: such files are written by hand.
const BYTES_MAX: u64 = 4 * 1024 * 1024;

/// What calls us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A coding agent.
    Agent(Host),
    /// Git, before a commit.
    Git,
}

impl Caller {
    /// All of them.
    pub const ALL: [Caller; 3] = [Caller::Agent(Host::Claude), Caller::Agent(Host::Codex), Caller::Git];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Caller::Agent(host) => host.name(),
            Caller::Git => "git",
        }
    }
}

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// This work tree's.
    Project,
    /// The user's, for all projects.
    User,
}

/// Why nothing was planned or written; each says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Git does not help.
    Git(GitError),
    /// Not in a repository, and the project's settings were asked for.
    NoProject {
        /// Where.
        folder: PathBuf,
    },
    /// The user's home is not known.
    NoHome,
    /// The file, or a folder above it, is a link that leads out of the project.
    Elsewhere {
        /// Where it leads.
        file: PathBuf,
    },
    /// The settings cannot be edited as they are.
    Unfit {
        /// The file.
        file: PathBuf,
        /// Why, and what to do.
        why: String,
    },
    /// The system refuses.
    Io {
        /// The file.
        file: PathBuf,
        /// The system's words.
        message: String,
    },
    /// The file changed after it was shown.
    Changed {
        /// The file.
        file: PathBuf,
    },
    /// What is needed to undo exactly cannot be kept.
    Store(String),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Git(error) => error.fmt(f),
            Refusal::NoProject { folder } => {
                write!(f, "{} is not in a git repository; run it inside a work tree, or add --user", folder.display())
            }
            Refusal::NoHome => f.write_str("the user's home folder is not known; set HOME"),
            Refusal::Elsewhere { file } => {
                write!(f, "a link leads to {}, outside of this project; replace the link by a file, or use --user", file.display())
            }
            Refusal::Unfit { file, why } => write!(f, "{}: {why}", file.display()),
            Refusal::Io { file, message } => write!(f, "{}: {message}", file.display()),
            Refusal::Changed { file } => write!(f, "{} changed meanwhile; run it again", file.display()),
            Refusal::Store(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<GitError> for Refusal {
    fn from(error: GitError) -> Self {
        Refusal::Git(error)
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Refusal::Store(error.to_string())
    }
}

/// A file as it is and as it would be.
#[derive(Debug)]
pub struct Plan {
    /// The file, links resolved.
    pub file: PathBuf,
    /// Its text; none where there is no file.
    pub before: Option<String>,
    /// What it would be; none where it would be removed.
    pub after: Option<String>,
    executable: bool,
    keep: Keep,
    receipts: Store,
    receipt: String,
}

/// What becomes of the note that allows to undo exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// A new one is written.
    New,
    /// It is dropped: it no longer tells how to get back, or has served.
    None,
}

/// How a caller's settings stand.
#[derive(Debug, PartialEq, Eq)]
pub enum State {
    /// All events call us.
    Installed,
    /// Some events do, or another program of ours is called.
    Partly,
    /// None does.
    Absent,
}

/// Where a caller's settings are.
struct Site {
    file: PathBuf,
    /// Where the note to undo is kept.
    receipts: Store,
}

/// Plans to put the hooks in.
///
/// # Errors
/// Where the settings cannot be found or edited.
pub fn install(caller: Caller, level: Level, here: &Path) -> Result<Plan, Refusal> {
    let site = site(caller, level, here)?;
    let before = read(&site.file)?;
    let unfit = |why: String| Refusal::Unfit { file: site.file.clone(), why };
    let program = command_line::program();
    let (after, keep) = match caller {
        Caller::Agent(host) => {
            let after = settings::with(before.as_deref(), host, &program).map_err(unfit)?;
            let ours = before.as_deref().is_some_and(|text| settings::state(text, host, &program) != Ok(State::Absent));
            (after, if ours { Keep::None } else { Keep::New })
        }
        Caller::Git => {
            pre_commit::fits(&site.file).map_err(unfit)?;
            (pre_commit::with(before.as_deref(), &program).map_err(unfit)?, Keep::None)
        }
    };
    Ok(plan(site, caller, before, Some(after), keep))
}

/// Plans to take the hooks out.
///
/// # Errors
/// Where the settings cannot be found or edited.
pub fn uninstall(caller: Caller, level: Level, here: &Path) -> Result<Plan, Refusal> {
    let site = site(caller, level, here)?;
    let before = read(&site.file)?;
    let Some(text) = before.clone() else { return Ok(plan(site, caller, None, None, Keep::None)) };
    let receipt = Receipt::load(&site.receipts, &receipt_name(caller, &site.file)).ok().flatten();
    // A repository can hold a note that we never wrote: nothing that runs comes out of one.
    let exact = receipt.filter(|r| caller != Caller::Git || r.takes_nothing_back()).and_then(|receipt| receipt.undo(&text));
    let after = match (exact, caller) {
        (Some(before_us), _) => before_us,
        (None, Caller::Agent(host)) => {
            let after = settings::without(&text, host).map_err(|why| Refusal::Unfit { file: site.file.clone(), why })?;
            Some(after)
        }
        (None, Caller::Git) => pre_commit::without(&text),
    };
    Ok(plan(site, caller, before, after, Keep::None))
}

/// Says how a caller's settings stand, and where they are.
///
/// # Errors
/// Where the settings cannot be found or read.
pub fn state(caller: Caller, level: Level, here: &Path) -> Result<(PathBuf, State), Refusal> {
    let site = site(caller, level, here)?;
    let Some(text) = read(&site.file)? else { return Ok((site.file, State::Absent)) };
    let program = command_line::program();
    let state = match caller {
        Caller::Agent(host) => settings::state(&text, host, &program).map_err(|why| Refusal::Unfit { file: site.file.clone(), why })?,
        Caller::Git => pre_commit::state(&text, &program),
    };
    Ok((site.file, state))
}

fn plan(site: Site, caller: Caller, before: Option<String>, after: Option<String>, keep: Keep) -> Plan {
    let receipt = receipt_name(caller, &site.file);
    Plan { file: site.file, before, after, executable: caller == Caller::Git, keep, receipts: site.receipts, receipt }
}

fn receipt_name(caller: Caller, file: &Path) -> String {
    let hash = blake3::hash(file.to_string_lossy().as_bytes()).to_hex();
    format!("{}-{}.json", caller.name(), &hash[..16])
}

fn site(caller: Caller, level: Level, here: &Path) -> Result<Site, Refusal> {
    let repository = || match Repository::discover(here) {
        Ok(Some(repository)) => Ok(repository),
        Ok(None) => Err(Refusal::NoProject { folder: here.to_owned() }),
        Err(error) => Err(error.into()),
    };
    match (caller, level) {
        (Caller::Agent(host), Level::User) => {
            let (variable, folder, name) = match host {
                Host::Claude => ("CLAUDE_CONFIG_DIR", ".claude", "settings.json"),
                Host::Codex => ("CODEX_HOME", ".codex", "hooks.json"),
            };
            let given = std::env::var_os(variable).filter(|v| !v.is_empty()).map(PathBuf::from);
            let folder = given.or_else(|| std::env::home_dir().map(|home| home.join(folder))).ok_or(Refusal::NoHome)?;
            let file = real(&folder.join(name));
            let receipts = Store::of(file.parent().unwrap_or(&folder));
            Ok(Site { file, receipts })
        }
        (Caller::Agent(host), Level::Project) => {
            let repository = repository()?;
            let name = match host {
                Host::Claude => ".claude/settings.json",
                Host::Codex => ".codex/hooks.json",
            };
            let file = real(&repository.root().join(name));
            if !file.starts_with(real(repository.root())) {
                return Err(Refusal::Elsewhere { file });
            }
            Ok(Site { file, receipts: Store::of(repository.root()) })
        }
        (Caller::Git, level) => {
            let repository = repository()?;
            let hooks = repository.hooks()?;
            let file = hooks.folder.join("pre-commit");
            let unfit = |why: &str| Refusal::Unfit { file: file.clone(), why: why.to_owned() };
            match (hooks.of, level) {
                (HooksOf::User, Level::Project) => {
                    return Err(unfit("core.hooksPath of your own git configuration names this folder for all repositories; add --user"));
                }
                (HooksOf::Repository, Level::User) => {
                    return Err(unfit(
                        "these are this repository's hooks; leave --user out, or set core.hooksPath with `git config --global`",
                    ));
                }
                _ => {}
            }
            let inside = [repository.root(), repository.common_dir()].iter().any(|folder| real(&hooks.folder).starts_with(real(folder)));
            if hooks.of == HooksOf::Repository && !inside {
                return Err(Refusal::Elsewhere { file });
            }
            Ok(Site { file, receipts: Store::of(repository.root()) })
        }
    }
}

/// Returns the text of a settings file; none where there is none.
fn read(file: &Path) -> Result<Option<String>, Refusal> {
    let refused = |message: String| Refusal::Io { file: file.to_owned(), message };
    let bytes = match bounded::read(file, BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(refused(format!("{error}; put it right first"))),
    };
    String::from_utf8(bytes).map(Some).map_err(|_| refused("it is not UTF-8; add the hook by hand".to_owned()))
}

impl Plan {
    /// Whether there is nothing to do.
    pub fn is_done(&self) -> bool {
        self.before == self.after
    }

    /// Returns the change as a unified diff.
    pub fn diff(&self) -> String {
        use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};
        let (before, after) = (self.before.as_deref().unwrap_or(""), self.after.as_deref().unwrap_or(""));
        let input = InternedInput::new(before, after);
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_lines(&input);
        let printer = BasicLineDiffPrinter(&input.interner);
        let name = |there: bool| if there { self.file.display().to_string() } else { "/dev/null".to_owned() };
        let body = diff.unified_diff(&printer, UnifiedDiffConfig::default(), &input);
        format!("--- {}\n+++ {}\n{body}", name(self.before.is_some()), name(self.after.is_some()))
    }

    /// Writes what was planned.
    ///
    /// # Errors
    /// Where the file is no longer what was shown, or cannot be written.
    pub fn apply(&self) -> Result<(), Refusal> {
        if read(&self.file)? != self.before {
            return Err(Refusal::Changed { file: self.file.clone() });
        }
        let folder = self.file.parent().unwrap_or(Path::new("."));
        let made_folder = !folder.exists();
        match &self.after {
            Some(after) => {
                std::fs::create_dir_all(folder).map_err(|e| self.refused(&e))?;
                // Kept first: a hook without its note is undone less exactly, a note without its hook is not used.
                match self.keep {
                    Keep::New => Receipt::new(self.before.as_deref(), after, made_folder).save(&self.receipts, &self.receipt)?,
                    Keep::None => Receipt::forget(&self.receipts, &self.receipt),
                }
                self.write(folder, after)
            }
            None => {
                let ours = Receipt::load(&self.receipts, &self.receipt).ok().flatten().is_some_and(|receipt| receipt.made_folder);
                std::fs::remove_file(&self.file).map_err(|e| self.refused(&e))?;
                Receipt::forget(&self.receipts, &self.receipt);
                if ours {
                    // Someone else's files may be in it by now.
                    let _ = std::fs::remove_dir(folder);
                }
                Ok(())
            }
        }
    }

    /// Writes beside the file and renames, so that a host reads the old settings or the new ones.
    fn write(&self, folder: &Path, text: &str) -> Result<(), Refusal> {
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        let beside = folder.join(format!(".{name}.oguard-{}", std::process::id()));
        let mode = std::fs::metadata(&self.file).ok().map(|kind| kind.permissions());
        let written = std::fs::File::create_new(&beside).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            match mode {
                Some(mode) => file.set_permissions(mode)?,
                None if self.executable => make_executable(&file)?,
                None => {}
            }
            file.sync_data()
        });
        written.and_then(|()| std::fs::rename(&beside, &self.file)).map_err(|error| {
            // Ours, unfinished, and of no use to anyone.
            let _ = std::fs::remove_file(&beside);
            self.refused(&error)
        })
    }

    fn refused(&self, error: &std::io::Error) -> Refusal {
        Refusal::Io { file: self.file.clone(), message: error.to_string() }
    }
}

#[cfg(unix)]
fn make_executable(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_file: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}
