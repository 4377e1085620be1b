//! What is known of one session of a coding agent in one work tree: its base and what the agent was told.
//!
//! A session's id is data of the host: its hash names the file. Hooks of one session can run at the same time, and the last
//! one to write wins; what the other knew is at worst said twice.

use super::{Store, StoreError, TEMPORARY};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::{Duration, SystemTime};

const PART: &str = "sessions";

/// Version of the file format. Old readers refuse newer files, and the session is then pinned anew.
const VERSION: u32 = 1;

/// Largest file of a session, in bytes: tens of thousands of changed files.
const BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Sessions that are kept, the newest first.
const SESSIONS_MAX: usize = 64;

/// How long a session is kept after it was last heard of.
const AGE_MAX: Duration = Duration::from_secs(30 * 24 * 3600);

/// How long after its last sign of life a file is given a new one: seldom enough to cost nothing, and far below [`AGE_MAX`].
const TOUCH_AFTER: Duration = Duration::from_secs(3600);

/// How long a session counts as under way for someone who is not told which one it is.
const RECENT: Duration = Duration::from_secs(24 * 3600);

/// The name of a session's file: a hash, whatever the host calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key(String);

impl Key {
    /// Returns the key of a host's session.
    pub(crate) fn of(host: &str, id: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(host.as_bytes()).update(&[0]).update(id.as_bytes());
        Key(hasher.finalize().to_hex()[..32].to_owned())
    }

    fn file(&self) -> String {
        format!("{}.json", self.0)
    }
}

/// One session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Session {
    version: u32,
    /// The commit that was HEAD when it began; none where nothing was committed yet.
    pub(crate) base: Option<String>,
    /// The length of HEAD's log then.
    pub(crate) head_log: u64,
    /// By path: the findings the agent was told and that still stand, with their levels.
    pub(crate) told: BTreeMap<String, BTreeMap<String, String>>,
    /// By path: what tells that a file was not written since it was judged.
    pub(crate) seen: BTreeMap<String, String>,
    /// Findings that have stopped a stop.
    pub(crate) stopped: BTreeSet<String>,
}

impl Session {
    /// Returns a session that begins at a commit.
    pub(crate) fn new(base: Option<String>, head_log: u64) -> Self {
        Session { version: VERSION, base, head_log, ..Session::default() }
    }

    /// Reads a session; none where it is not known.
    pub(crate) fn load(store: &Store, key: &Key) -> Result<Option<Self>, StoreError> {
        Self::read(store, &key.file())
    }

    fn read(store: &Store, file: &str) -> Result<Option<Self>, StoreError> {
        let Some(bytes) = store.read(PART, file, BYTES_MAX)? else { return Ok(None) };
        let path = store.folder.join(PART).join(file);
        let damaged = |why: &str| StoreError::Damaged { path: path.clone(), why: why.to_owned() };
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let of = serde_json::from_slice::<Versioned>(&bytes).map_err(|_| damaged("is damaged"))?;
        if of.version > VERSION {
            return Err(StoreError::Newer { path });
        }
        let session: Session = serde_json::from_slice(&bytes).map_err(|_| damaged("is damaged"))?;
        if session.base.as_deref().is_some_and(|base| !is_commit_id(base)) {
            return Err(damaged("names a base that is no commit id"));
        }
        Ok(Some(session))
    }

    /// Writes a session; a new one makes room for itself.
    pub(crate) fn save(&self, store: &Store, key: &Key, new: bool) -> Result<(), StoreError> {
        let mut bytes = serde_json::to_vec(self).expect("maps of strings can be written");
        if bytes.len() as u64 > BYTES_MAX {
            // The base is what counts; the rest is told and judged again.
            let base = Session { base: self.base.clone(), stopped: self.stopped.clone(), ..Session::new(None, self.head_log) };
            bytes = serde_json::to_vec(&base).expect("sets of strings can be written");
        }
        store.write(PART, &key.file(), &bytes)?;
        if new {
            prune(store, SystemTime::now());
        }
        Ok(())
    }

    /// Says that a session is alive, now and then.
    pub(crate) fn touch(store: &Store, key: &Key) {
        let path = store.folder.join(PART).join(key.file());
        let old = fs::metadata(&path).and_then(|m| m.modified()).ok().and_then(|at| at.elapsed().ok()).is_some_and(|age| age > TOUCH_AFTER);
        if old && let Ok(file) = fs::OpenOptions::new().append(true).open(&path) {
            // At worst the session is forgotten earlier and pinned anew.
            let _ = file.set_modified(SystemTime::now());
        }
    }

    /// Returns the session of the last day that was heard of last, for a caller who does not know which one is its own.
    pub(crate) fn newest(store: &Store) -> Option<Self> {
        let now = SystemTime::now();
        let recent = |at: &SystemTime| now.duration_since(*at).map_or(true, |age| age < RECENT);
        let (_, file) = files(store).into_iter().filter(|(at, name)| recent(at) && name.ends_with(".json")).max()?;
        Self::read(store, &file).ok().flatten()
    }
}

fn is_commit_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Returns the files of sessions with the time of their last sign of life.
fn files(store: &Store) -> Vec<(SystemTime, String)> {
    let folder = store.folder.join(PART);
    let plain = [&store.folder, &folder].iter().all(|f| fs::symlink_metadata(f).is_ok_and(|kind| kind.is_dir()));
    if !plain {
        return Vec::new();
    }
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let kind = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            Some((kind.modified().ok()?, entry.file_name().into_string().ok()?))
        })
        .collect()
}

/// Removes sessions that are old or too many, and what writes left behind that did not end.
fn prune(store: &Store, now: SystemTime) {
    let mut all = files(store);
    all.sort_by(|a, b| b.cmp(a));
    let mut kept = 0;
    for (at, name) in all {
        let age = now.duration_since(at).unwrap_or_default();
        let ours = name.ends_with(".json");
        let goes = if ours { kept == SESSIONS_MAX || age > AGE_MAX } else { name.starts_with(TEMPORARY) && age > TOUCH_AFTER };
        kept += usize::from(ours && !goes);
        if goes {
            // One that cannot be removed is tried again with the next session.
            let _ = fs::remove_file(store.folder.join(PART).join(name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0123456789012345678901234567890123456789";

    fn set_age(store: &Store, key: &Key, age: Duration) {
        let path = store.folder.join(PART).join(key.file());
        fs::OpenOptions::new().append(true).open(path).unwrap().set_modified(SystemTime::now() - age).unwrap();
    }

    #[test]
    fn ids_of_hosts_name_no_place() {
        let temp = tempfile::tempdir().unwrap();
        let store = Store::of(temp.path());
        let key = Key::of("claude", "../../outside/\0\n");
        Session::new(Some(ID.to_owned()), 7).save(&store, &key, true).unwrap();
        let names: Vec<_> = files(&store).into_iter().map(|(_, name)| name).collect();
        assert_eq!((names.len(), names[0].len()), (1, 37), "{names:?}");
        assert_ne!(Key::of("claude", "a"), Key::of("codex", "a"));
        assert_eq!(Session::load(&store, &key).unwrap().unwrap().base.as_deref(), Some(ID));
        assert_eq!(fs::read_to_string(temp.path().join(".oguard/.gitignore")).unwrap(), "*\n");
    }

    #[test]
    fn old_sessions_go_and_the_rest_is_bounded() {
        let temp = tempfile::tempdir().unwrap();
        let store = Store::of(temp.path());
        let key = |n: usize| Key::of("claude", &n.to_string());
        for n in 0..SESSIONS_MAX + 3 {
            Session::new(None, 0).save(&store, &key(n), false).unwrap();
            set_age(&store, &key(n), Duration::from_secs(n as u64 + 10));
        }
        set_age(&store, &key(0), AGE_MAX + Duration::from_secs(1));
        fs::write(store.folder.join(PART).join(".new-1-1"), "").unwrap();
        prune(&store, SystemTime::now() + TOUCH_AFTER + Duration::from_secs(5));
        assert_eq!(files(&store).len(), SESSIONS_MAX);
        assert_eq!(Session::load(&store, &key(0)).unwrap(), None);
        assert_eq!(Session::load(&store, &key(SESSIONS_MAX + 2)).unwrap(), None);
        assert!(Session::load(&store, &key(1)).unwrap().is_some());
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let temp = tempfile::tempdir().unwrap();
        let store = Store::of(temp.path());
        let key = Key::of("claude", "a");
        Session::new(None, 0).save(&store, &key, true).unwrap();
        let path = store.folder.join(PART).join(key.file());
        let said = |text: &str| {
            fs::write(&path, text).unwrap();
            Session::load(&store, &key).unwrap_err().to_string()
        };
        assert!(said("{\"version\":1").ends_with("is damaged"));
        assert!(said("{\"version\":2}").ends_with("newer oguard; update oguard"));
        let base = r#"{"version":1,"base":"--output=x","head_log":0,"told":{},"seen":{},"stopped":[]}"#;
        assert!(said(base).ends_with("is no commit id"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_followed() {
        let temp = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), temp.path().join(".oguard")).unwrap();
        let store = Store::of(temp.path());
        let error = Session::new(None, 0).save(&store, &Key::of("claude", "a"), true).unwrap_err();
        assert!(matches!(error, StoreError::NotOurs { .. }), "{error}");
        assert!(matches!(Session::load(&store, &Key::of("claude", "a")), Err(StoreError::NotOurs { .. })));
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    }
}
