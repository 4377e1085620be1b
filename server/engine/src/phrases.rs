//! Reads what a comment leaves out or promises: "rest of the code unchanged", "TODO: implement", "placeholder for now".
//!
//! The phrases are tables, one file for each of seven human languages, over the pattern language of `phrases/pattern.rs`.
//! A false alarm costs more than a miss: an elision must be the whole comment, a promise must promise code, quoted phrases
//! are ignored, and a promise with an owner, a ticket or a link is somebody's tracked work.
//! Whether the comment is new, stands alone or belongs to a stub is for the rules to decide; they pass text, nothing else.

mod keys;
mod pattern;
mod row;
mod strip;
mod tables;
#[cfg(test)]
mod trigger;
mod units;
mod words;

pub use strip::strip;

use index::{EMPTINESS, MESSAGES, PHRASES, STAND_INS};
use row::Says;
use tables::LANGUAGES;
use units::Unit;
use words::Words;

/// What a comment leaves out or promises.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phrase {
    /// Code is elided ("rest of the code unchanged").
    Elision,
    /// Code is promised ("TODO: implement").
    Promise,
    /// A stand-in is admitted ("in a real implementation …", "placeholder for now").
    Confession,
}

/// A phrase and the line of the text, counted from zero, on which the sentence that holds it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The line within the text.
    pub line: usize,
    /// What is said there.
    pub phrase: Phrase,
    /// An elision that is one wherever it stands, behind code too: dots before it, and dots behind it or code named.
    pub unmistakable: bool,
}

/// What the message of a thrown error or panic admits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StubWording {
    /// An explicit promise (`TODO`, `stub`, "implement me"): a stub wherever it stands.
    Promise,
    /// "Not implemented": a stub only as a whole body.
    NotImplemented,
}

/// The tables of all languages by the words that must occur, from the build script.
mod index {
    use super::keys::Bits;
    use super::pattern::{Index, Pattern};

    include!(concat!(env!("OUT_DIR"), "/phrases.rs"));
}

/// Classifies a comment: `text` is its body after `strip`, possibly of several lines. An elision wins over a promise, a
/// promise over a confession.
pub fn classify(text: &str) -> Option<Phrase> {
    hits(text).into_iter().map(|hit| hit.phrase).min()
}

/// All phrases of a comment's text, in the order of lines. A run of line comments can elide twice.
pub fn hits(text: &str) -> Vec<Hit> {
    if !PHRASES.may_match(text) {
        return Vec::new();
    }
    let units = units::of(text).into_iter().filter(|unit| PHRASES.may_match(&unit.text));
    units.filter_map(|unit| judge(&unit)).collect()
}

/// An elision has at most this many words: a longer comment explains something.
const ELISION_WORDS_MAX: usize = 12;

fn judge(unit: &Unit) -> Option<Hit> {
    let words = Words::of(&unit.text);
    let whole = units::whole(&words).filter(|(window, _)| units::count(&words, *window) <= ELISION_WORDS_MAX);
    let said = PHRASES.says(&words, whole);
    if said.iter().any(|says| matches!(says, Says::Elision | Says::Dotted)) {
        let (led, closed) = whole.map_or((false, false), |(window, _)| units::dots_around(&words, window));
        let unmistakable = led && (closed || said.contains(&Says::Elision) || names_code(&unit.text));
        return Some(Hit { line: unit.line, phrase: Phrase::Elision, unmistakable });
    }
    let phrase = match () {
        () if said.contains(&Says::Promise) => Phrase::Promise,
        () if said.contains(&Says::Confession) => Phrase::Confession,
        () => return None,
    };
    (!units::tracked(&unit.text)).then_some(Hit { line: unit.line, phrase, unmistakable: false })
}

/// Whether a piece names code itself, in one of the languages, and not a part of it that prose speaks of too.
fn names_code(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["代码", "代碼", "コード"].iter().any(|word| lower.contains(word))
        || lower.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "code" | "código" | "codigo" | "quellcode"))
}

/// Whether a comment carries a word that makes a constant return beside it a stand-in.
pub fn stands_in(text: &str) -> bool {
    (STAND_INS.may_match(text) && !STAND_INS.says(&Words::of(text), None).is_empty())
        || hits(text).iter().any(|hit| hit.phrase != Phrase::Elision)
}

/// Whether a comment explains on purpose why nothing is done. One that promises code does not.
pub fn explains_emptiness(text: &str) -> bool {
    EMPTINESS.may_match(text)
        && !EMPTINESS.says(&Words::of(text), None).is_empty()
        && !hits(text).iter().any(|hit| hit.phrase == Phrase::Promise)
}

/// Whether the message of a throw, raise or panic promises code or says that it is missing.
pub fn stub_wording(message: &str) -> Option<StubWording> {
    if !MESSAGES.may_match(message) {
        return None;
    }
    let said = MESSAGES.says(&Words::of(message), None);
    match () {
        () if said.contains(&Says::StubNot) => None,
        () if said.contains(&Says::StubPromise) => Some(StubWording::Promise),
        () if said.contains(&Says::StubMissing) => Some(StubWording::NotImplemented),
        () => None,
    }
}
