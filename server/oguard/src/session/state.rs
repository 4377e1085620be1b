//! The thread that owns all documents: takes events one by one, starts jobs, decides what is said.
//!
//! No input or output and no parse happens here, so a step takes well under a millisecond. The newest version of a document is
//! judged, a job in flight is never interrupted, and a result counts only for the opening of the document it was made for.

mod tell;

use super::bases::{self, Located, Lookup};
use super::document::{Holder, Key, Open, Pending, Place};
use super::jobs::{Base, Done, Job, Outcome, Restore, Spec, Task, Verdicts};
use super::pool::{Pool, Rank};
use super::{Edit, Listener, Restored, Said, Setup, Snapshot};
use oguard_engine::document::FILE_BYTES_MAX;
use oguard_engine::grammars::by_lsp_id;
use ropey::Rope;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::path::{Path, PathBuf};
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

/// Time after which a document that could not be judged is tried again at its next edit.
const RETRY_AFTER: Duration = Duration::from_secs(10);

pub(super) enum Event {
    Open {
        uri: Arc<str>,
        path: Option<PathBuf>,
        version: Option<i32>,
        language: String,
        text: Rope,
        judged: bool,
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
    Again,
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
    /// Nobody is left to judge for.
    Stop,
}

/// Starts the thread, with its pool and the thread that reads bases; both end with it.
pub(super) fn start(setup: Setup, listener: Listener, events: &SyncSender<Event>, received: Receiver<Event>) {
    let pool = Pool::start(events);
    // No document has this key, so that nothing comes of the result.
    let nobody = Key { uri: "".into(), incarnation: 0 };
    pool.push(Job { key: nobody, seq: 0, rank: Rank::Background, task: Task::Prepare });
    let lookups = bases::start(setup.roots.clone(), setup.git_time_max, events.clone());
    let state = State {
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
        looked: Instant::now(),
    };
    std::thread::spawn(move || state.run(&received));
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
    looked: Instant,
}

impl State {
    fn run(mut self, received: &Receiver<Event>) {
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
            Event::Open { uri, path, version, language, text, judged } => self.open(uri, path, version, language, text, judged),
            Event::Change { uri, version, edits } => self.change(&uri, version, edits),
            Event::Save { uri } => self.save(&uri),
            Event::Close { uri } => self.close(&uri),
            Event::Removed { paths } => self.removed(&paths),
            Event::Renamed { pairs } => self.renamed(pairs),
            Event::Look { gone } => self.look(gone),
            Event::Folders { added, removed } => self.folders(added, removed),
            Event::Again => self.again(),
            Event::Ask { uri, reply } => self.ask(&uri, reply),
            Event::AskAll { reply } => {
                let _ = reply.send(self.documents.values().map(Open::snapshot).collect());
            }
            Event::Restore { uri, range, reply } => self.restore(&uri, (range, reply)),
            Event::Done(done) => self.done(done),
            Event::Located(located) => self.located(located),
            Event::ProjectChanged(root) => self.project_changed(&root),
            Event::Stop => {}
        }
    }

    fn open(&mut self, uri: Arc<str>, path: Option<PathBuf>, version: Option<i32>, language: String, text: Rope, judged: bool) {
        self.incarnations += 1;
        let key = Key { uri: uri.clone(), incarnation: self.incarnations };
        let mut document = Open::new(key, path, version, language, text);
        if !judged {
            document.place = Place::NotJudged;
        } else if document.path.is_none() {
            document.place = unfiled(&document).map_or(Place::NotJudged, |spec| Place::Judged(Arc::new(spec), Base::None));
        }
        self.recent.retain(|u| *u != uri);
        self.documents.insert(uri.clone(), document);
        match self.documents.get(&uri).map(|d| &d.place) {
            Some(Place::Waiting) => self.locate(&uri),
            Some(Place::Judged(..)) => self.based_on_first_sight(&uri),
            _ => self.tell_nothing(&uri),
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
            Place::Failed(since) if now.duration_since(since) >= RETRY_AFTER => self.locate(uri),
            Place::NotJudged | Place::Failed(_) => self.tell_nothing(uri),
            Place::Judged(..) if document.text.len_bytes() > FILE_BYTES_MAX => self.tell_nothing(uri),
            Place::Judged(..) | Place::Settings => self.judge(uri, Rank::Edit),
            Place::Waiting => {}
        }
        if now.duration_since(self.looked) >= LOOK_EVERY {
            self.look(Vec::new());
        }
    }

    fn save(&mut self, uri: &str) {
        if let Some(document) = self.documents.get_mut(uri) {
            document.changed = None;
            self.tell(uri);
        }
        self.look(Vec::new());
    }

    fn close(&mut self, uri: &str) {
        self.recent.retain(|u| **u != *uri);
        if let Some(document) = self.documents.remove(uri) {
            (self.listener)(Said::Gone(document.key.uri));
        }
    }

    /// Clears documents at or below paths that are gone; a client that keeps them open may go on typing.
    fn removed(&mut self, paths: &[PathBuf]) {
        let below = |path: &Path| paths.iter().any(|p| path.starts_with(p));
        for document in self.documents.values_mut().filter(|d| d.path.as_deref().is_some_and(below)) {
            self.incarnations += 1;
            document.key.incarnation = self.incarnations;
            document.holder = Holder::Cold;
            document.judged = Some((document.seq, Verdicts::default()));
            document.told.clone_from(&document.judged);
            document.shown.clear();
            (self.listener)(Said::Gone(document.key.uri.clone()));
        }
    }

    fn renamed(&mut self, pairs: Vec<(PathBuf, PathBuf)>) {
        self.removed(&pairs.iter().map(|(old, _)| old.clone()).collect::<Vec<_>>());
        self.look_up(Lookup::Renamed(pairs));
    }

    fn look(&mut self, gone: Vec<PathBuf>) {
        self.looked = Instant::now();
        self.look_up(Lookup::Look { gone });
    }

    fn folders(&mut self, added: Vec<PathBuf>, removed: Vec<PathBuf>) {
        self.look_up(Lookup::Folders { added, removed });
        self.locate_all(|_| true);
    }

    fn project_changed(&mut self, root: &Path) {
        self.locate_all(|document| document.root.as_deref().is_some_and(|r| r == root));
    }

    /// Judges documents anew from the ground; their next result is said only if it differs.
    fn locate_all(&mut self, which: impl Fn(&Open) -> bool) {
        let uris: Vec<Arc<str>> = self.documents.values().filter(|d| d.path.is_some() && which(d)).map(|d| d.key.uri.clone()).collect();
        uris.iter().for_each(|uri| self.locate(uri));
    }

    /// Asks where a document belongs and what its base says.
    fn locate(&mut self, uri: &str) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        let Some(path) = document.path.clone() else { return };
        // Results of before are void from here on.
        self.incarnations += 1;
        document.key.incarnation = self.incarnations;
        document.place = Place::Waiting;
        document.holder = Holder::Cold;
        document.pending = Pending::default();
        let (key, language, text) = (document.key.clone(), document.language.clone(), document.text.clone());
        let seq = document.seq;
        self.look_up(Lookup::Locate { key, seq, path, language, text });
    }

    fn look_up(&self, lookup: Lookup) {
        // The thread of bases lives as long as this one holds the sender.
        let _ = self.lookups.send(lookup);
    }

    fn located(&mut self, located: Located) {
        let Some(document) = self.documents.get_mut(&located.key.uri).filter(|d| d.key == located.key) else { return };
        let uri = document.key.uri.clone();
        document.root = located.root.clone();
        match located.found {
            Err(message) => {
                document.place = Place::Failed(Instant::now());
                self.tell_nothing(&uri);
                self.trouble(located.root, message);
            }
            Ok(bases::Found::NotJudged) => {
                document.place = Place::NotJudged;
                self.tell_nothing(&uri);
            }
            Ok(bases::Found::Settings) => {
                document.place = Place::Settings;
                self.judge(&uri, Rank::Open);
            }
            Ok(bases::Found::FirstSight(spec)) => {
                document.place = Place::Judged(spec, Base::None);
                self.over(located.root);
                self.based_on_first_sight(&uri);
            }
            Ok(bases::Found::Based { spec, base, same }) => {
                let untouched = same && document.seq == located.seq;
                document.place = Place::Judged(spec, base);
                self.over(located.root);
                if untouched { self.unchanged(&uri) } else { self.judge(&uri, Rank::Open) }
            }
        }
    }

    /// Outside git the text at first sight is the base, also when the document is closed and opened again.
    fn based_on_first_sight(&mut self, uri: &Arc<str>) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        let now = &document.text;
        if !self.first_seen.contains_key(uri) {
            if self.first_seen_order.len() == FIRST_SEEN_MAX
                && let Some(oldest) = self.first_seen_order.pop_front()
            {
                self.first_seen.remove(&oldest);
            }
            self.first_seen.insert(uri.clone(), now.clone());
            self.first_seen_order.push_back(uri.clone());
        }
        let base = self.first_seen[uri].clone();
        let same = base == *now;
        if let Place::Judged(_, slot) = &mut document.place {
            *slot = Base::Text(base);
        }
        if same { self.unchanged(uri) } else { self.judge(uri, Rank::Open) }
    }

    /// A text that equals its base has no finding, so nothing is parsed until somebody types, or has time.
    fn unchanged(&mut self, uri: &str) {
        self.tell_nothing(uri);
        let Some(document) = self.documents.get_mut(uri) else { return };
        if let Place::Judged(spec, _) = &document.place
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
                document.place = Place::Failed(Instant::now());
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

    fn restore(&mut self, uri: &str, restore: Restore) {
        if let Some(document) = self.documents.get_mut(uri)
            && matches!(document.place, Place::Judged(_, Base::Text(_)) | Place::Waiting)
        {
            document.restores.push(restore);
            self.judge(uri, Rank::Edit);
        }
    }
}

/// Returns how a text that lies in no file is judged: by the language its editor names.
fn unfiled(document: &Open) -> Option<Spec> {
    let language = by_lsp_id(&document.language)?;
    let name = document.key.uri.rsplit(['/', ':']).next().unwrap_or_default().to_owned();
    Some(Spec { language, path: name, settings: Arc::default() })
}
