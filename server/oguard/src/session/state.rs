//! The thread that owns all documents: takes events one by one, starts jobs, decides what is said.
//!
//! No input or output and no parse happens here, so a step takes well under a millisecond. The newest version of a document is
//! judged, a job in flight is never interrupted, and a result counts only for the opening of the document it was made for.

mod across;
mod place;
mod tell;

pub(super) use across::{Across, Asking};

use self::place::{NOTEBOOK, is_notebook, unfiled};
use super::bases::{self, Located, Lookup};
use super::document::{Holder, Key, Open, Pending, Place};
use super::jobs::{Base, Done, Job, Outcome, Restore, Task, Verdicts};
use super::pool::{Pool, Rank, guarded};
use super::survey::{self, Asked, OpenText, Survey, Watch};
use super::tally::Tally;
use super::{Edit, FIRST_SIGHT, Listener, Restored, Said, Setup, Snapshot, Taste};
use crate::project::NotJudged;
use ropey::Rope;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Documents that keep their tree: those one goes back and forth between.
const TREES_MAX: usize = 16;

/// Documents that keep their facts; the rest is parsed again at the next edit.
const RESIDENTS_MAX: usize = 64;

/// Texts at first sight that are kept for closed documents outside git.
const FIRST_SEEN_MAX: usize = 1_000;

/// Least time between two looks at settings and HEAD: clients without file watching need them noticed, not at once.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Documents judged anew together that a client is shown the progress of; fewer are done before one looks.
const SHOWN_JUDGING_MIN: usize = 20;

/// Time after which a document that could not be judged is tried again at its next edit.
const RETRY_AFTER: Duration = Duration::from_secs(10);

pub(super) enum Event {
    Open {
        uri: Arc<str>,
        path: Option<PathBuf>,
        version: Option<i32>,
        language: String,
        text: Rope,
        refused: Option<NotJudged>,
    },
    Change {
        uri: Arc<str>,
        version: Option<i32>,
        edits: Vec<Edit>,
    },
    Save {
        uri: Arc<str>,
    },
    Close {
        uri: Arc<str>,
    },
    Removed {
        paths: Vec<PathBuf>,
    },
    Renamed {
        pairs: Vec<(PathBuf, PathBuf)>,
    },
    Look {
        gone: Vec<PathBuf>,
    },
    Folders {
        added: Vec<PathBuf>,
        removed: Vec<PathBuf>,
    },
    Again {
        taste: Taste,
    },
    Survey {
        watch: Arc<dyn Watch>,
        reply: oneshot::Sender<Survey>,
    },
    /// What a change says of the tests that are missing in open documents.
    Across {
        root: Arc<PathBuf>,
        survey: Survey,
    },
    Lost {
        path: PathBuf,
        reply: oneshot::Sender<Option<String>>,
    },
    Ask {
        uri: Arc<str>,
        reply: oneshot::Sender<Option<Snapshot>>,
    },
    AskAll {
        reply: oneshot::Sender<Vec<Snapshot>>,
    },
    Restore {
        uri: Arc<str>,
        range: Range<usize>,
        reply: oneshot::Sender<Restored>,
    },
    /// A job is done.
    Done(Done),
    /// Where a document belongs and what its base says.
    Located(Located),
    /// Settings or HEAD of a project changed.
    ProjectChanged(PathBuf),
    /// Something to be said about a project.
    Notice(String),
    /// Something keeps a project from being judged.
    Trouble {
        root: Arc<PathBuf>,
        message: String,
    },
    /// A thread of the session failed, and with it what only it does.
    Broken,
    /// Nobody is left to judge for.
    Stop,
    /// Fails, as no event should.
    #[cfg(test)]
    Panic,
}

/// Starts the thread, with its pool and the thread that reads bases; both end with it.
pub(super) fn start(setup: Setup, listener: Listener, events: &SyncSender<Event>, received: Receiver<Event>) {
    let pool = Pool::start(events);
    // No document has this key, so that nothing comes of the result.
    let nobody = Key { uri: "".into(), incarnation: 0 };
    pool.push(Job { key: nobody, seq: 0, rank: Rank::Background, task: Task::Prepare });
    let lookups = bases::start(setup.roots.clone(), setup.git_time_max, events.clone());
    let mut state = State {
        setup,
        listener,
        pool,
        lookups,
        documents: HashMap::new(),
        recent: VecDeque::new(),
        incarnations: 0,
        resting: VecDeque::new(),
        first_seen: HashMap::new(),
        first_seen_order: VecDeque::new(),
        troubles: HashMap::new(),
        declared: HashSet::new(),
        tally: Tally::default(),
        told_tally: None,
        judging: HashSet::new(),
        judging_all: 0,
        surveys: None,
        missing: HashSet::new(),
        asking: Vec::new(),
        events: events.clone(),
        looked: Instant::now(),
    };
    std::thread::spawn(move || {
        if guarded(|| state.run(&received)).is_none() {
            // Nothing is judged from here on, which must not look as if there were nothing to say.
            (state.listener)(Said::Broken);
        }
    });
}

struct State {
    setup: Setup,
    listener: Listener,
    pool: Pool,
    lookups: Sender<Lookup>,
    documents: HashMap<Arc<str>, Open>,
    /// Documents that are not cold, the latest first.
    recent: VecDeque<Arc<str>>,
    incarnations: u64,
    /// When which document has rested long enough; in order, as the delay is always the same.
    resting: VecDeque<(Instant, Key)>,
    first_seen: HashMap<Arc<str>, Rope>,
    first_seen_order: VecDeque<Arc<str>>,
    /// What was said of which project, so that it is said once.
    troubles: HashMap<PathBuf, String>,
    /// Kinds of documents that are not judged, so that each is declared once.
    declared: HashSet<&'static str>,
    tally: Tally,
    told_tally: Option<Tally>,
    /// Documents of a round of judging anew that are not done yet, and how many there were.
    judging: HashSet<Arc<str>>,
    judging_all: usize,
    /// Started by the first who asks.
    surveys: Option<Sender<Asked>>,
    /// Documents that miss a test.
    missing: HashSet<Arc<str>>,
    /// Questions about changes that are not answered yet, one a project.
    asking: Vec<Asking>,
    /// For answers that come from elsewhere.
    events: SyncSender<Event>,
    looked: Instant,
}

impl State {
    fn run(&mut self, received: &Receiver<Event>) {
        loop {
            let event = match self.resting.front() {
                None => received.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some((at, _)) => received.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            match event {
                Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(event) => self.event(event),
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.rested();
        }
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Open { uri, path, version, language, text, refused } => {
                let key = self.key(&uri);
                let document = Open { refused, ..Open::new(key, path, version, language, text) };
                self.open(document);
            }
            Event::Change { uri, version, edits } => self.change(&uri, version, edits),
            Event::Save { uri } => self.save(&uri),
            Event::Close { uri } => self.close(&uri),
            Event::Removed { paths } => self.removed(&paths),
            Event::Renamed { pairs } => self.renamed(pairs),
            Event::Look { gone } => self.look(gone),
            Event::Folders { added, removed } => self.folders(added, removed),
            Event::Again { taste } => self.again(taste),
            Event::Survey { watch, reply } => self.survey(watch, reply),
            Event::Across { root, survey } => self.across(&root, survey),
            Event::Ask { uri, reply } => self.ask(&uri, reply),
            Event::AskAll { reply } => {
                let _ = reply.send(self.documents.values().map(Open::snapshot).collect());
            }
            Event::Lost { path, reply } => self.look_up(Lookup::Lost { path, reply }),
            Event::Restore { uri, range, reply } => self.restore(&uri, (range, reply)),
            Event::Done(done) => self.done(done),
            Event::Located(located) => self.located(located),
            Event::ProjectChanged(root) => self.project_changed(&root),
            Event::Trouble { root, message } => self.trouble(Some(root), message),
            Event::Notice(message) => (self.listener)(Said::Notice(message)),
            Event::Broken => (self.listener)(Said::Broken),
            Event::Stop => {}
            #[cfg(test)]
            Event::Panic => panic!("an event that fails"),
        }
    }

    /// A new opening of a document.
    fn key(&mut self, uri: &Arc<str>) -> Key {
        self.incarnations += 1;
        Key { uri: uri.clone(), incarnation: self.incarnations }
    }

    fn open(&mut self, mut document: Open) {
        let uri = document.key.uri.clone();
        // Before it is located, so that an open right after a checkout is compared with what holds now.
        self.look_now_and_then();
        if is_notebook(&document) {
            document.place = Place::NotJudged(NOTEBOOK.into());
        } else if document.path.is_none() {
            let unknown = || Place::NotJudged(NotJudged::UnknownLanguage.to_string().into());
            document.place = unfiled(&document).map_or_else(unknown, |spec| Place::Judged(Arc::new(spec), Base::None));
            document.baseline = FIRST_SIGHT.into();
        }
        self.recent.retain(|u| *u != uri);
        if let Some(before) = self.documents.insert(uri.clone(), document) {
            self.uncount(&before);
        }
        match self.documents.get(&uri).map(|d| &d.place) {
            Some(Place::Waiting) => self.locate(&uri),
            Some(Place::Judged(..)) => self.based_on_first_sight(&uri),
            _ => self.not_judged(&uri),
        }
    }

    fn change(&mut self, uri: &str, version: Option<i32>, edits: Vec<Edit>) {
        let encoding = self.setup.encoding;
        let Some(document) = self.documents.get_mut(uri) else {
            eprintln!("oguard: a change of a document that is not open was ignored");
            return;
        };
        document.version = version;
        document.seq += 1;
        document.edit(edits, encoding);
        let now = Instant::now();
        document.changed = Some(now);
        match document.place {
            Place::Failed(since, _) if now.duration_since(since) >= RETRY_AFTER => self.locate(uri),
            Place::NotJudged(_) | Place::Failed(..) => self.tell_nothing(uri),
            Place::Judged(..) | Place::Settings => self.judge(uri, Rank::Edit),
            Place::Waiting => {}
        }
        self.look_now_and_then();
    }

    fn save(&mut self, uri: &str) {
        if let Some(document) = self.documents.get_mut(uri) {
            document.changed = None;
            let root = document.root.clone();
            self.tell(uri);
            self.ask_for_others(uri, root.as_ref());
        }
        self.look(Vec::new());
    }

    fn close(&mut self, uri: &str) {
        self.recent.retain(|u| **u != *uri);
        self.missing.remove(uri);
        if let Some(document) = self.documents.remove(uri) {
            // What was not saved is gone with it.
            self.ask_for_others(uri, document.root.as_ref());
            self.uncount(&document);
            self.judged_anew(uri);
            (self.listener)(Said::Gone(document.key.uri));
            self.tell_tally();
        }
    }

    /// A text that equals its base has no finding, so nothing is parsed until somebody types, or has time.
    fn unchanged(&mut self, uri: &str) {
        self.tell_nothing(uri);
        let Some(document) = self.documents.get_mut(uri) else { return };
        if let Place::Judged(spec, _) = &document.place
            && document.refused.is_none()
            && self.recent.len() < TREES_MAX
        {
            let task = Task::Warm { spec: spec.clone(), text: document.text.clone() };
            document.holder = Holder::Lent;
            self.recent.push_back(document.key.uri.clone());
            self.pool.push(Job { key: document.key.clone(), seq: document.seq, rank: Rank::Background, task });
        }
    }

    /// Starts a job on the newest version, unless one is in flight: its end starts the next.
    fn judge(&mut self, uri: &str, rank: Rank) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        if document.refused.is_some() {
            // Who asked for a restore hears that there is none.
            document.restores.clear();
            return self.tell_nothing(uri);
        }
        let task = match &document.place {
            _ if matches!(document.holder, Holder::Lent) => return,
            Place::Settings => Task::Settings { text: document.text.clone() },
            Place::Judged(spec, base) => Task::Judge {
                spec: spec.clone(),
                base: base.clone(),
                text: document.text.clone(),
                pending: std::mem::take(&mut document.pending),
                resident: match std::mem::take(&mut document.holder) {
                    Holder::Here(resident) => Some(resident),
                    Holder::Cold | Holder::Lent => None,
                },
                limit: (rank == Rank::Edit).then_some(self.setup.edit_parse_max),
                restores: std::mem::take(&mut document.restores),
            },
            _ => return,
        };
        document.holder = Holder::Lent;
        self.pool.push(Job { key: document.key.clone(), seq: document.seq, rank, task });
    }

    fn done(&mut self, done: Done) {
        let Some(document) = self.documents.get_mut(&done.key.uri).filter(|d| d.key == done.key) else { return };
        let uri = document.key.uri.clone();
        document.holder = done.resident.map_or(Holder::Cold, Holder::Here);
        let newest = done.seq == document.seq;
        match done.outcome {
            Outcome::Warmed => {}
            Outcome::Judged(verdicts) => {
                document.judged = Some((done.seq, verdicts));
                if newest {
                    self.tell(&uri);
                }
            }
            Outcome::OutOfTime if done.rank == Rank::Edit => {
                if newest {
                    // What was known stands for now; the parse is tried again with more time.
                    let before = document.judged.take().map_or_else(Verdicts::default, |(_, v)| v);
                    document.judged = Some((document.seq, before));
                    self.tell(&uri);
                    self.judge(&uri, Rank::Background);
                }
            }
            Outcome::OutOfTime => {
                eprintln!("oguard: a file is not judged: it takes longer than 2 s to parse");
                document.place = Place::Failed(Instant::now(), NotJudged::TooSlow.to_string());
                self.tell_nothing(&uri);
            }
        }
        self.used(&uri);
        let Some(document) = self.documents.get(&uri) else { return };
        let behind = document.judged.as_ref().is_none_or(|(seq, _)| *seq != document.seq);
        if behind || !document.restores.is_empty() {
            self.judge(&uri, Rank::Edit);
        }
    }

    /// Moves a document to the front of those that are kept parsed, and lets go of the last.
    fn used(&mut self, uri: &Arc<str>) {
        self.recent.retain(|u| u != uri);
        self.recent.push_front(uri.clone());
        if self.recent.len() > RESIDENTS_MAX
            && let Some(last) = self.recent.pop_back()
            && let Some(document) = self.documents.get_mut(&last)
            && matches!(document.holder, Holder::Here(_))
        {
            document.holder = Holder::Cold;
            document.pending = Pending::default();
        }
        if let Some(document) = self.recent.get(TREES_MAX).and_then(|u| self.documents.get_mut(u))
            && let Holder::Here(resident) = &mut document.holder
        {
            resident.drop_tree();
        }
    }

    fn ask(&mut self, uri: &str, reply: oneshot::Sender<Option<Snapshot>>) {
        match self.documents.get_mut(uri) {
            None => {
                let _ = reply.send(None);
            }
            Some(document) if document.told.as_ref().is_some_and(|(seq, _)| *seq == document.seq) => {
                let _ = reply.send(Some(document.snapshot()));
            }
            Some(document) => document.asks.push(reply),
        }
    }

    /// Returns the texts of the open documents that are judged.
    fn open_texts(&self) -> Vec<OpenText> {
        let text = |document: &Open| match (&document.place, &document.root) {
            (Place::Judged(spec, _), Some(root)) => {
                Some(OpenText { root: root.clone(), path: spec.path.clone(), text: document.text.clone() })
            }
            _ => None,
        };
        self.documents.values().filter_map(text).collect()
    }

    fn survey(&mut self, watch: Arc<dyn Watch>, reply: oneshot::Sender<Survey>) {
        let open = self.open_texts();
        let surveys = self.surveys.get_or_insert_with(|| survey::start(self.lookups.clone()));
        // The thread lives as long as this one holds its sender.
        let _ = surveys.send(Asked { open, watch, reply: reply.into() });
    }

    fn restore(&mut self, uri: &str, restore: Restore) {
        if let Some(document) = self.documents.get_mut(uri)
            && matches!(document.place, Place::Judged(_, Base::Text(_)) | Place::Waiting)
        {
            document.restores.push(restore);
            self.judge(uri, Rank::Edit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::position::Encoding;
    use std::sync::mpsc::sync_channel;

    #[test]
    fn a_panic_of_the_thread_is_said() {
        let (events, received) = sync_channel(8);
        let setup = Setup {
            encoding: Encoding::Utf8,
            taste: Taste { interactive: false, tally: false },
            roots: Vec::new(),
            git_time_max: Duration::from_secs(2),
            settle: Duration::ZERO,
            edit_parse_max: Duration::from_millis(50),
        };
        let (said, heard) = sync_channel(8);
        start(setup, Box::new(move |what| said.send(what).unwrap()), &events, received);
        events.send(Event::Panic).unwrap();
        assert!(matches!(heard.recv(), Ok(Said::Broken)));
    }
}
