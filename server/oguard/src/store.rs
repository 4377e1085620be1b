//! `.oguard/` at the root of a work tree: what sessions leave on disk. Nothing else reads or writes there.
//!
//! The folder keeps itself out of git with a `.gitignore` of its own, so it is in no status and no claim. Files are written
//! beside their place and renamed, so a reader sees the old or the new one. Losing the folder loses memory, never a verdict.
//! A link in its place is refused: what a repository holds must not choose where we write. `session` is what an agent's session
//! leaves, `receipt` what an installation changed.

mod receipt;
mod session;

pub(crate) use receipt::Receipt;
pub(crate) use session::{Key, Session};

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The folder's name.
const FOLDER: &str = ".oguard";

/// Keeps the folder out of git, itself included.
const IGNORE: &str = "*\n";

/// Why the store cannot be used; the caller goes on without it and says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoreError {
    /// A link, a file or a device stands where a folder or file of ours should.
    NotOurs {
        /// The place.
        path: PathBuf,
    },
    /// The system refuses.
    Io {
        /// The place.
        path: PathBuf,
        /// The system's words.
        message: String,
    },
    /// The file says nothing that can be used.
    Damaged {
        /// The place.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A later version of the program wrote it.
    Newer {
        /// The place.
        path: PathBuf,
    },
}

impl StoreError {
    /// Whether a new file may take the place of what cannot be read.
    pub(crate) fn may_be_replaced(&self) -> bool {
        matches!(self, StoreError::Damaged { .. })
    }
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StoreError::NotOurs { path } => write!(f, "{} is no plain folder or file; remove it", path.display()),
            StoreError::Io { path, message } => write!(f, "{}: {message}; make it readable and writable", path.display()),
            StoreError::Damaged { path, why } => write!(f, "{} {why}", path.display()),
            StoreError::Newer { path } => write!(f, "{} was written by a newer oguard; update oguard", path.display()),
        }
    }
}

impl std::error::Error for StoreError {}

/// The folder of one work tree.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    folder: PathBuf,
}

impl Store {
    /// Returns the store of a work tree, which need not be there yet.
    pub(crate) fn of(root: &Path) -> Self {
        Store { folder: root.join(FOLDER) }
    }

    /// Returns the bytes of a file below the folder; none where there is none.
    fn read(&self, part: &str, name: &str, bytes_max: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let folder = self.folder.join(part);
        let path = folder.join(name);
        for (place, is_folder) in [(&self.folder, true), (&folder, true), (&path, false)] {
            match fs::symlink_metadata(place) {
                Ok(kind) if kind.is_dir() == is_folder && kind.is_file() != is_folder => {}
                Ok(_) => return Err(StoreError::NotOurs { path: place.clone() }),
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(io(place, &error)),
            }
        }
        let mut bytes = Vec::new();
        let file = File::open(&path).map_err(|e| io(&path, &e))?;
        file.take(bytes_max + 1).read_to_end(&mut bytes).map_err(|e| io(&path, &e))?;
        if bytes.len() as u64 > bytes_max {
            return Err(StoreError::Damaged { path, why: format!("is larger than {} MB", bytes_max / (1024 * 1024)) });
        }
        Ok(Some(bytes))
    }

    /// Writes a file below the folder, whole or not at all.
    fn write(&self, part: &str, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let folder = self.ready(part)?;
        let path = folder.join(name);
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |t| t.as_nanos());
        let beside = folder.join(format!("{TEMPORARY}{}-{since}", std::process::id()));
        let written = OpenOptions::new().write(true).create_new(true).open(&beside).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_data()
        });
        written.and_then(|()| fs::rename(&beside, &path)).map_err(|error| {
            // What is left of a failed write is of no use; pruning takes it otherwise.
            let _ = fs::remove_file(&beside);
            io(&path, &error)
        })
    }

    /// Removes a file below the folder, and the folder itself where nothing else is in it.
    fn remove(&self, part: &str, name: &str) {
        let folder = self.folder.join(part);
        if fs::symlink_metadata(&self.folder).is_ok_and(|kind| kind.is_dir()) && fs::remove_file(folder.join(name)).is_ok() {
            // A folder that holds something else stays.
            let alone = || fs::read_dir(&self.folder).is_ok_and(|entries| entries.flatten().all(|e| e.file_name() == ".gitignore"));
            if fs::remove_dir(&folder).is_ok() && alone() {
                let _ = fs::remove_file(self.folder.join(".gitignore"));
                let _ = fs::remove_dir(&self.folder);
            }
        }
    }

    /// Makes the folder and a part of it where they are missing.
    fn ready(&self, part: &str) -> Result<PathBuf, StoreError> {
        let made = folder(&self.folder)?;
        let ignore = self.folder.join(".gitignore");
        if made || fs::symlink_metadata(&ignore).is_err() {
            match OpenOptions::new().write(true).create_new(true).open(&ignore).and_then(|mut file| file.write_all(IGNORE.as_bytes())) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(io(&ignore, &error)),
                _ => {}
            }
        }
        let part = self.folder.join(part);
        folder(&part)?;
        Ok(part)
    }
}

/// How names of files begin that are being written.
const TEMPORARY: &str = ".new-";

/// Makes a folder; returns whether it was missing.
fn folder(path: &Path) -> Result<bool, StoreError> {
    match fs::create_dir(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => match fs::symlink_metadata(path) {
            Ok(kind) if kind.is_dir() => Ok(false),
            _ => Err(StoreError::NotOurs { path: path.to_owned() }),
        },
        Err(error) => Err(io(path, &error)),
    }
}

fn io(path: &Path, error: &std::io::Error) -> StoreError {
    StoreError::Io { path: path.to_owned(), message: error.to_string() }
}
