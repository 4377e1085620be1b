//! What a server knows of its open documents, and the loop that judges them.
//!
//! Owns texts, versions, bases and what was found; knows no protocol. Everything goes to one thread (`state`), which does no
//! input or output and parses nothing; jobs (`jobs`) run in a pool (`pool`), projects and base texts come from a thread of
//! their own (`bases`). What is to be said goes out through the listener. Reading order: this file, `state`, `document`,
//! `jobs`, `bases`, `pool`.

mod bases;
mod document;
mod jobs;
mod pool;
pub(crate) mod position;
mod state;
mod survey;
mod tally;

pub(crate) use jobs::{Shown, Spec, Verdicts};
pub(crate) use survey::{Survey, Surveyed, Watch};
pub(crate) use tally::Tally;

use oguard_engine::finding::TextEdit;
use position::Encoding;
use ropey::Rope;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::Duration;
use tokio::sync::oneshot;

/// Messages that wait for the state thread. It takes under a millisecond each and waits for nobody, so a full queue empties
/// by itself and the sender may block on it.
const EVENTS_MAX: usize = 4096;

/// A position as clients count: lines and columns from 0, the column in the agreed encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) line: u32,
    pub(crate) character: u32,
}

/// A change of a document as it was sent: no range means all of it.
#[derive(Debug)]
pub(crate) struct Edit {
    pub(crate) range: Option<(Point, Point)>,
    pub(crate) text: String,
}

/// What the session must know of its client.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) encoding: Encoding,
    pub(crate) taste: Taste,
    /// Workspace folders; files outside all of them are not judged. None at all: each file by its own repository.
    pub(crate) roots: Vec<PathBuf>,
    /// Longest a call of git may take.
    pub(crate) git_time_max: Duration,
    /// How long a text must rest for what a half-done edit would trip.
    pub(crate) settle: Duration,
    /// Longest parse on a keystroke.
    pub(crate) edit_parse_max: Duration,
}

/// How a client wants to be told; it may change its mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taste {
    /// A person types: what a half-done edit would trip waits for rest or save.
    pub(crate) interactive: bool,
    /// It wants to hear what all open documents amount to.
    pub(crate) tally: bool,
}

/// What was found in a version of a document.
#[derive(Clone, Debug)]
pub(crate) struct Publication {
    pub(crate) uri: Arc<str>,
    pub(crate) version: Option<i32>,
    pub(crate) text: Rope,
    pub(crate) verdicts: Verdicts,
    /// What it was compared with: a commit id, [`EMPTY`] where nothing is committed, [`FIRST_SIGHT`] outside git, nothing where
    /// it is not known.
    pub(crate) baseline: Arc<str>,
    /// A client that was answered for this version already is told only because something changed since.
    pub(crate) again: bool,
}

/// Something the client is to be told.
#[derive(Debug)]
pub(crate) enum Said {
    /// Findings of a version, complete.
    Found(Publication),
    /// A document is gone, and with it what was said about it.
    Gone(Arc<str>),
    /// The guard cannot judge; one line with the remedy. Said once until it is over.
    Trouble(String),
    /// Worth knowing, once: what is not judged, what the base is now.
    Notice(String),
    /// What all open documents amount to has changed.
    Tally(Tally),
    /// The session failed: nothing is judged any more.
    Broken,
    /// Many documents are judged again: how many are done of how many.
    Judging { done: usize, all: usize },
}

/// Takes what is to be said; called on the state thread, so it must not wait.
pub(crate) type Listener = Box<dyn Fn(Said) + Send>;

/// A document as of its newest judged version.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) uri: Arc<str>,
    pub(crate) version: Option<i32>,
    /// Counts the edits since it was opened.
    pub(crate) seq: u64,
    pub(crate) text: Rope,
    pub(crate) verdicts: Verdicts,
    /// There is a base text to restore from.
    pub(crate) has_base: bool,
    /// Root of its project; none where it lies in none.
    pub(crate) root: Option<Arc<PathBuf>>,
    /// Its path below the root, its language and settings, where it is judged.
    pub(crate) judged_as: Option<Arc<Spec>>,
    /// Why it is not judged.
    pub(crate) not_judged: Option<String>,
    /// Why it could not be judged.
    pub(crate) failed: Option<String>,
}

/// The baseline where nothing is committed.
pub(crate) const EMPTY: &str = "empty";

/// The baseline outside git: the text as it was when the session first saw it.
pub(crate) const FIRST_SIGHT: &str = "first-sight";

/// Edits that put a place back.
#[derive(Debug, Default)]
pub(crate) struct Restored {
    /// Of which state of the document: see [`Snapshot::seq`].
    pub(crate) seq: u64,
    pub(crate) edits: Vec<TextEdit>,
}

/// A way into the session; cheap to clone.
#[derive(Clone)]
pub(crate) struct Session {
    handle: Arc<Handle>,
}

struct Handle {
    events: SyncSender<state::Event>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        // The pool holds senders too, so the thread would not notice by itself.
        let _ = self.events.send(state::Event::Stop);
    }
}

impl Session {
    /// Starts the threads of a session; they end when the last handle is dropped.
    pub(crate) fn start(setup: Setup, listener: Listener) -> Self {
        let (events, received) = std::sync::mpsc::sync_channel(EVENTS_MAX);
        state::start(setup, listener, &events, received);
        Session { handle: Arc::new(Handle { events }) }
    }

    /// A document is open; it has a path where it is a file.
    pub(crate) fn open(&self, uri: &str, path: Option<PathBuf>, version: Option<i32>, language: String, text: String) {
        // Made here, as it takes milliseconds for the largest.
        let text = Rope::from_str(&text);
        let refused = document::refusal(&text);
        self.send(state::Event::Open { uri: uri.into(), path, version, language, text, refused });
    }

    pub(crate) fn change(&self, uri: &str, version: Option<i32>, edits: Vec<Edit>) {
        self.send(state::Event::Change { uri: uri.into(), version, edits });
    }

    pub(crate) fn save(&self, uri: &str) {
        self.send(state::Event::Save { uri: uri.into() });
    }

    pub(crate) fn close(&self, uri: &str) {
        self.send(state::Event::Close { uri: uri.into() });
    }

    /// Files or folders that are gone from the disk.
    pub(crate) fn removed(&self, paths: Vec<PathBuf>) {
        self.send(state::Event::Removed { paths });
    }

    /// Files or folders that have another name now (old, new).
    pub(crate) fn renamed(&self, pairs: Vec<(PathBuf, PathBuf)>) {
        self.send(state::Event::Renamed { pairs });
    }

    /// Something outside the editor changed: settings, HEAD, files; these are said to be gone.
    pub(crate) fn look(&self, gone: Vec<PathBuf>) {
        self.send(state::Event::Look { gone });
    }

    /// The workspace has other folders.
    pub(crate) fn folders(&self, added: Vec<PathBuf>, removed: Vec<PathBuf>) {
        self.send(state::Event::Folders { added, removed });
    }

    /// How findings are shown has changed: all are said again.
    pub(crate) fn again(&self, taste: Taste) {
        self.send(state::Event::Again { taste });
    }

    /// Judges the whole change of each project, as `oguard check` would, with the open texts in place of those on disk. Takes
    /// as long as it takes; `watch` hears how far it is and can end it.
    pub(crate) fn survey(&self, watch: Arc<dyn Watch>) -> oneshot::Receiver<Survey> {
        let (reply, answer) = oneshot::channel();
        self.send(state::Event::Survey { watch, reply });
        answer
    }

    /// Returns a document once its newest version has been judged; none where it is not open.
    pub(crate) fn snapshot(&self, uri: &str) -> oneshot::Receiver<Option<Snapshot>> {
        let (reply, answer) = oneshot::channel();
        self.send(state::Event::Ask { uri: uri.into(), reply });
        answer
    }

    /// Returns all open documents as they were last judged.
    pub(crate) fn snapshots(&self) -> oneshot::Receiver<Vec<Snapshot>> {
        let (reply, answer) = oneshot::channel();
        self.send(state::Event::AskAll { reply });
        answer
    }

    /// Returns the edits that restore a place of the newest version from the base, and which edit that version came from.
    pub(crate) fn restore(&self, uri: &str, range: Range<usize>) -> oneshot::Receiver<Restored> {
        let (reply, answer) = oneshot::channel();
        self.send(state::Event::Restore { uri: uri.into(), range, reply });
        answer
    }

    /// Returns what the base says of a file that is gone from the disk and not open.
    pub(crate) fn lost(&self, path: PathBuf) -> oneshot::Receiver<Option<String>> {
        let (reply, answer) = oneshot::channel();
        self.send(state::Event::Lost { path, reply });
        answer
    }

    fn send(&self, event: state::Event) {
        // The state thread ends only when the handle is gone, so there is somebody to receive.
        let _ = self.handle.events.send(event);
    }
}
