//! A project: its root, what it sets (`oguard.toml`), which of its files are judged and what their texts are.
//!
//! The settings' meaning is the engine's (`engine::settings`); `text` decides what is a text at all. Whatever is not judged is
//! named with the reason, never left out.

mod text;

pub use text::{NotJudged, decode, language_of, like_line_ends, read_file};

use crate::bounded;
use oguard_engine::intent::Task;
use oguard_engine::settings::{Settings, SettingsError};
use oguard_engine::text::{Place, line_starts, place};
use std::path::{Component, Path, PathBuf};

/// The name of a project's settings, at its root.
pub const SETTINGS_FILE: &str = "oguard.toml";

/// Largest `oguard.toml` that is read, in bytes: a settings file is written by hand.
const SETTINGS_BYTES_MAX: u64 = 1024 * 1024;

/// A root with its settings.
#[derive(Clone, Debug)]
pub struct Project {
    root: PathBuf,
    settings: Settings,
}

/// Why a project's settings cannot be used; the run ends with `error`, since a typo must not switch a guard off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProjectError {
    /// The file is there and cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's words.
        message: String,
    },
    /// The file says something that is not valid.
    Invalid {
        /// The file.
        path: PathBuf,
        /// Where, if known.
        place: Option<Place>,
        /// What is wrong and what is valid.
        error: SettingsError,
    },
}

impl std::fmt::Display for ProjectError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ProjectError::Unreadable { path, message } => write!(f, "{}: {message}; make it readable or remove it", path.display()),
            ProjectError::Invalid { path, place: Some(place), error } => {
                write!(f, "{}:{}:{}: {error}", path.display(), place.line, place.column)
            }
            ProjectError::Invalid { path, place: None, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for ProjectError {}

impl Project {
    /// Reads the settings of a root; without a file all is at its default.
    ///
    /// # Errors
    /// Where the file is there and cannot be used.
    pub fn load(root: &Path) -> Result<Self, ProjectError> {
        let path = root.join(SETTINGS_FILE);
        let unreadable = |message: String| ProjectError::Unreadable { path: path.clone(), message };
        let settings = match bounded::read(&path, SETTINGS_BYTES_MAX) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Settings::default(),
            Err(error) => return Err(unreadable(error.to_string())),
            Ok(bytes) => {
                let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
                let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
                Settings::parse(text).map_err(|error| invalid(&path, text, error))?
            }
        };
        Ok(Project { root: root.to_owned(), settings })
    }

    /// Returns a project of given settings, for texts that lie in no folder.
    pub fn with_settings(root: &Path, settings: Settings) -> Self {
        Project { root: root.to_owned(), settings }
    }

    /// Returns the project with what the change is for.
    pub fn for_task(mut self, task: Option<Task>) -> Self {
        self.settings.task = task;
        self
    }

    /// Returns the root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the resolved settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns a path relative to the root, with `/`; none where it lies outside or is not UTF-8. An empty string is the root.
    pub fn relative(&self, path: &Path) -> Option<String> {
        let absolute = lexical(&std::path::absolute(path).ok()?);
        let root = lexical(&self.root);
        let below = absolute.strip_prefix(&root).map(Path::to_owned).or_else(|_| {
            // A link on the way to either of them: the working directory is real, a root from an editor need not be.
            real_as_far_as_it_goes(&absolute).strip_prefix(real_as_far_as_it_goes(&root)).map(Path::to_owned)
        });
        let mut relative = String::new();
        for part in below.ok()?.components() {
            if !relative.is_empty() {
                relative.push('/');
            }
            relative.push_str(part.as_os_str().to_str()?);
        }
        Some(relative)
    }
}

fn invalid(path: &Path, text: &str, error: SettingsError) -> ProjectError {
    let place = error.range.as_ref().map(|range| place(text, &line_starts(text), range.start));
    ProjectError::Invalid { path: path.to_owned(), place, error }
}

/// Returns a path without `.`, `..` and links, as far as it exists.
pub(crate) fn real(path: &Path) -> PathBuf {
    real_as_far_as_it_goes(&std::path::absolute(path).map_or_else(|_| path.to_owned(), |path| lexical(&path)))
}

/// Resolves `.` and `..` without looking at the disk.
pub(crate) fn lexical(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// Resolves the links of the part of a path that exists; a deleted file is asked about too.
fn real_as_far_as_it_goes(path: &Path) -> PathBuf {
    for folder in path.ancestors() {
        if let Ok(real) = folder.canonicalize() {
            let real = if cfg!(windows) { usual(real) } else { real };
            // Joining nothing would leave a slash at the end.
            return match path.strip_prefix(folder) {
                Ok(rest) if rest != Path::new("") => real.join(rest),
                _ => real,
            };
        }
    }
    path.to_owned()
}

/// Returns a path of Windows without the marker that resolving puts before it: neither git nor a client knows such paths.
fn usual(path: PathBuf) -> PathBuf {
    let text = path.to_str().unwrap_or("");
    match (text.strip_prefix(r"\\?\UNC\"), text.strip_prefix(r"\\?\")) {
        (Some(share), _) => PathBuf::from(format!(r"\\{share}")),
        // Other kinds of places (a volume by its id) have no other name.
        (None, Some(rest)) if rest.as_bytes().get(1) == Some(&b':') => PathBuf::from(rest),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_is_an_error_with_its_place() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::write(temp.path().join(SETTINGS_FILE), "[rules]\n\n[pahts]\nexclude = []\n").unwrap();
        let message = Project::load(temp.path()).unwrap_err().to_string();
        assert!(message.contains("oguard.toml:3:2: unknown field `pahts`"), "{message}");
        assert!(message.contains("`paths`"), "the valid names are listed: {message}");
    }

    #[test]
    fn paths_are_relative_to_the_root() {
        let temp = tempfile::tempdir().unwrap();
        let project = Project::load(temp.path()).unwrap();
        let relative = |path: &str| project.relative(&temp.path().join(path));
        assert_eq!(relative("src/./x/../a.rs").as_deref(), Some("src/a.rs"));
        assert_eq!(relative("").as_deref(), Some(""));
        assert_eq!(relative("../elsewhere"), None);
    }

    #[test]
    fn nothing_else_is_below_a_root_that_is_gone() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().join("root");
        let project = Project::with_settings(&root, Settings::default());
        assert_eq!(project.relative(&root.join("a.rs")).as_deref(), Some("a.rs"));
        assert_eq!(project.relative(&temp.path().join("b.rs")), None);
    }

    #[test]
    fn real_paths_of_windows_are_the_usual_ones() {
        for (path, want) in [
            (r"\\?\C:\a\b", r"C:\a\b"),
            (r"\\?\UNC\server\share\a", r"\\server\share\a"),
            (r"\\?\Volume{1}\a", r"\\?\Volume{1}\a"),
            (r"C:\a", r"C:\a"),
        ] {
            assert_eq!(usual(path.into()), PathBuf::from(want));
        }
    }
}
