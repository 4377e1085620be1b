//! One file judged: where its texts come from, whether they are texts, what the engine says.

use crate::git::{Blobs, ChangedFile, GitError, Status};
use crate::project::{NotJudged, Project, decode, language_of, like_line_ends, read_file};
use oguard_engine::change::loses_a_test;
use oguard_engine::check::{Baseline, Checked, check};
use oguard_engine::document::{Document, Parsers};
use oguard_engine::grammars::Language;
use oguard_engine::settings::Collection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a parse may take. A text that takes longer is made to do so, or beyond what a grammar was written for.
pub(crate) const PARSE_TIME_MAX: Duration = Duration::from_secs(2);

/// A file of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Relative to the root, with `/`.
    pub path: String,
    /// The base's side; none for a new file.
    pub base: Option<Base>,
    /// The present side.
    pub edited: Source,
    /// Asked for; one that is not is read only where it can explain a finding in one that is.
    pub selected: bool,
}

/// The base's side of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// The path there.
    pub path: String,
    /// Its text.
    pub source: Source,
}

/// Where a text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The file on disk.
    Disk,
    /// An object of git, as `Blobs::read` takes it.
    Object(String),
    /// Given.
    Bytes(Vec<u8>),
    /// There is none any more.
    Deleted,
}

impl From<ChangedFile> for Input {
    fn from(file: ChangedFile) -> Self {
        let base_path = file.base_path().to_owned();
        let edited = match (file.blob, file.status) {
            (_, Status::Deleted) => Source::Deleted,
            (Some(blob), _) => Source::Object(blob),
            (None, _) => Source::Disk,
        };
        let base = file.base_blob.map(|blob| Base { path: base_path, source: Source::Object(blob) });
        Input { path: file.path, base, edited, selected: true }
    }
}

/// The reader of git's objects, shared by threads; none outside git.
pub(super) type Objects = Mutex<Option<Blobs>>;

/// What came of a file.
pub(super) enum Outcome {
    Judged(Box<Judged>),
    /// Not judged, and that moves no verdict.
    NotJudged(NotJudged),
    /// Could not be judged: the verdict is `error`.
    Failed(String),
}

pub(super) struct Judged {
    /// Where it is shown: the present path, or that of the base where no text is left to judge.
    pub(super) path: String,
    pub(super) language: &'static Language,
    pub(super) checked: Checked,
    /// Why the present text was not read, where it moved to a path that is not judged.
    pub(super) left: Option<NotJudged>,
    /// What the whole change is judged by; none where nothing changed.
    pub(super) texts: Option<Texts>,
}

/// Both sides of a file, without their trees.
pub(super) struct Texts {
    pub(super) base: Option<Baseline>,
    /// None where the file is gone.
    pub(super) edited: Option<Document>,
}

impl Judged {
    /// Whether a test is not where it was: other files may tell what became of it.
    pub(super) fn loses_a_test(&self) -> bool {
        let texts = self.texts.as_ref();
        texts.is_some_and(|t| t.base.as_ref().is_some_and(|base| loses_a_test(base, t.edited.as_ref())))
    }
}

impl From<NotJudged> for Outcome {
    fn from(why: NotJudged) -> Self {
        Outcome::NotJudged(why)
    }
}

/// The present side: its text, or none where the file is gone or went where nothing is judged.
struct Present {
    text: Option<String>,
    path: String,
    language: &'static Language,
    left: Option<NotJudged>,
}

/// What the base says of a file.
enum Former {
    /// It had none.
    New,
    /// The same but for line ends.
    Same,
    Other(Box<Baseline>),
}

/// Judges a file, one text after the other.
pub(super) fn judge(project: &Project, objects: &Objects, input: &Input, parsers: &mut Parsers) -> Outcome {
    guarded(|| {
        let present = present(project, objects, input)?;
        let former = former(project, objects, input, present.text.as_deref(), parsers)?;
        if matches!(former, Former::Same) {
            return Ok(nothing(present));
        }
        let document = document(project, &present, parsers)?;
        Ok(conclude(project, present, document, former))
    })
}

/// Judges a file with one thread a text: what a run that waits for a single file needs.
pub(super) fn judge_on_two_threads(project: &Project, objects: &Objects, input: &Input) -> Outcome {
    guarded(|| {
        let present = present(project, objects, input)?;
        let text = present.text.as_deref();
        let (former, document) = std::thread::scope(|scope| {
            let former = scope.spawn(move || {
                catch_unwind(AssertUnwindSafe(|| former(project, objects, input, text, &mut Parsers::default())))
                    .unwrap_or_else(|_| Err(Outcome::Failed(OUR_FAULT.to_owned())))
            });
            let document = document(project, &present, &mut Parsers::default());
            (former.join().expect("the thread catches its panics"), document)
        });
        match former? {
            Former::Same => Ok(nothing(present)),
            former => Ok(conclude(project, present, document?, former)),
        }
    })
}

const OUR_FAULT: &str = "the guard itself failed on this file; please report it";

/// A panic is said, never swallowed.
fn guarded(work: impl FnOnce() -> Result<Outcome, Outcome>) -> Outcome {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(outcome) | Err(outcome)) => outcome,
        Err(_) => Outcome::Failed(OUR_FAULT.to_owned()),
    }
}

fn nothing(present: Present) -> Outcome {
    judged(present, Checked::default(), None)
}

fn judged(present: Present, checked: Checked, texts: Option<Texts>) -> Outcome {
    let Present { path, language, left, .. } = present;
    Outcome::Judged(Box::new(Judged { path, language, checked, left, texts }))
}

fn conclude(project: &Project, present: Present, mut document: Document, former: Former) -> Outcome {
    let base = match former {
        Former::Other(base) => Some(*base),
        Former::New | Former::Same => None,
    };
    let checked = check(&document, &present.path, base.as_ref(), project.settings());
    document.drop_tree();
    let edited = present.text.is_some().then_some(document);
    judged(present, checked, Some(Texts { base, edited }))
}

/// Returns the language of a path that is judged.
fn judged_language(project: &Project, path: &str) -> Result<&'static Language, NotJudged> {
    let language = language_of(path)?;
    if project.settings().excludes(path) { Err(NotJudged::Excluded) } else { Ok(language) }
}

fn present(project: &Project, objects: &Objects, input: &Input) -> Result<Present, Outcome> {
    let former = || input.base.as_ref().map(|base| (base.path.as_str(), judged_language(project, &base.path)));
    let gone = |why: Option<NotJudged>| match (former(), why) {
        (Some((path, Ok(language))), left) => Ok(Present { text: None, path: path.to_owned(), language, left }),
        (_, Some(why)) | (Some((_, Err(why))), None) => Err(Outcome::NotJudged(why)),
        (None, None) => Err(Outcome::NotJudged(NotJudged::NotAFile)),
    };
    if input.edited == Source::Deleted {
        return gone(None);
    }
    let language = judged_language(project, &input.path).or_else(|why| match why {
        NotJudged::UnknownLanguage => parked(project, input).ok_or(why),
        _ => Err(why),
    });
    let language = match language {
        Ok(language) => language,
        // What was judged before is gone from sight, and that is judged.
        Err(why) => return gone(Some(why)),
    };
    match text(project, objects, &input.path, &input.edited)? {
        Some(text) => Ok(Present { text: Some(text), path: input.path.clone(), language, left: None }),
        None => gone(None),
    }
}

/// Endings under which people and agents put a file aside.
const PARKED: &[&str] = &[
    ".bak",
    ".txt",
    ".disabled",
    ".off",
    ".skip",
    ".skipped",
    ".old",
    ".orig",
    ".tmp",
    ".ignore",
    ".ignored",
    ".save",
    ".broken",
    ".todo",
    ".wip",
    ".pending",
    "~",
    "_",
];

/// Returns the language of a file of tests that was put aside under an ending that no runner knows (`a_test.go.txt`): it is read
/// as what it was.
fn parked(project: &Project, input: &Input) -> Option<&'static Language> {
    let former = &input.base.as_ref()?.path;
    let language = judged_language(project, former).ok()?;
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let (before, now) = (name(former), name(&input.path));
    let stem = before.rsplit_once('.').map_or(before.as_str(), |(stem, _)| stem);
    let rest = PARKED.iter().find_map(|ending| now.strip_suffix(ending))?;
    let collection = |path| project.settings().collection(language, path);
    let moved_away = (collection(former), collection(&input.path)) == (Collection::Searched, Collection::Missed);
    (moved_away && (rest == before || rest == stem)).then_some(language)
}

/// Returns the text of a source; none where it is gone.
fn text(project: &Project, objects: &Objects, path: &str, source: &Source) -> Result<Option<String>, Outcome> {
    match source {
        Source::Disk => match read_file(&project.root().join(path)) {
            Err(NotJudged::Unreadable(why)) => Err(Outcome::Failed(format!("it cannot be read: {why}"))),
            other => Ok(other?),
        },
        Source::Bytes(bytes) => Ok(Some(decode(bytes.clone())?)),
        Source::Deleted => Ok(None),
        Source::Object(object) => match read_object(objects, object) {
            Ok(Some(bytes)) => Ok(Some(decode(bytes)?)),
            Ok(None) => Err(Outcome::Failed(format!(
                "git does not hold its text ({object}): a partial clone or a damaged one; `git fetch` or `git fsck`"
            ))),
            Err(GitError::TooLarge { .. }) => Err(NotJudged::TooLarge.into()),
            Err(error) => Err(Outcome::Failed(error.to_string())),
        },
    }
}

fn read_object(objects: &Objects, object: &str) -> Result<Option<Vec<u8>>, GitError> {
    let mut blobs = objects.lock().unwrap_or_else(PoisonError::into_inner);
    match blobs.as_mut() {
        Some(blobs) => blobs.read(object),
        None => Ok(None),
    }
}

fn former(project: &Project, objects: &Objects, input: &Input, edited: Option<&str>, parsers: &mut Parsers) -> Result<Former, Outcome> {
    let Some(base) = &input.base else { return Ok(Former::New) };
    // A file that was not judged before is judged as a new one.
    let Ok(language) = judged_language(project, &base.path) else { return Ok(Former::New) };
    let text = text(project, objects, &base.path, &base.source).map_err(of_the_base)?.unwrap_or_default();
    let text = match edited {
        Some(edited) => {
            let alike = like_line_ends(&text, edited);
            if alike == edited && base.path == input.path {
                return Ok(Former::Same);
            }
            alike.into_owned()
        }
        None => text,
    };
    let mut document = Document::new(language, &base.path, text, project.settings());
    read(&mut document, parsers).map_err(of_the_base)?;
    Ok(Former::Other(Box::new(Baseline::new(document, &base.path))))
}

/// Says that it is the base's text that is none.
fn of_the_base(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::NotJudged(why) => Outcome::NotJudged(NotJudged::Base(Box::new(why))),
        other => other,
    }
}

fn document(project: &Project, present: &Present, parsers: &mut Parsers) -> Result<Document, Outcome> {
    let text = present.text.clone().unwrap_or_default();
    let mut document = Document::new(present.language, &present.path, text, project.settings());
    read(&mut document, parsers)?;
    Ok(document)
}

fn read(document: &mut Document, parsers: &mut Parsers) -> Result<(), Outcome> {
    let until = Instant::now() + PARSE_TIME_MAX;
    if document.read(parsers, &mut || Instant::now() < until) { Ok(()) } else { Err(NotJudged::TooSlow.into()) }
}
