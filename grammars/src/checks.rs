//! What an assertion claims: its parts read by the words of frameworks, as something that two texts can be compared by.
//!
//! An adapter emits an assertion as spans, which costs nothing where nobody asks. [`Check`] is what they mean: what is looked at,
//! what is said of it, how much of a wrong value that would catch. `words` holds the shape of the tables that languages fill,
//! `condition` reads conditions, `source` cuts texts at their top level.

mod condition;
mod source;
mod words;

pub(crate) use condition::{Conditions, Predicate, is_literal};
pub(crate) use source::{arguments, named, number, positional, strip};
pub(crate) use words::{Expects, Word, find, made};

/// The parts of an assertion, as written.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'t> {
    /// The whole assertion.
    pub whole: &'t str,
    /// What is looked at.
    pub subject: Option<&'t str>,
    /// The matcher or the assertion's name.
    pub matcher: &'t str,
    /// What is expected, perhaps with brackets around.
    pub expected: Option<&'t str>,
    /// Turned round by `not`.
    pub negated: bool,
}

/// What is said of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// It is this value.
    Equal,
    /// It is near this value.
    Near,
    /// It holds this part, matches this pattern, has this entry.
    Holds,
    /// It has this many elements.
    Length,
    /// It is of this kind.
    Kind,
    /// It is on this side of a bound.
    Relation,
    /// It fails, perhaps with this error.
    Raises,
    /// It does not fail.
    Succeeds,
    /// It was called, perhaps so.
    Called,
    /// There is one.
    Exists,
    /// There is none.
    Absent,
    /// It is true, or counts as true.
    Truth,
    /// It can be seen.
    Visible,
    /// It is what a file beside the test says.
    Snapshot,
    /// So many checks are made.
    Count,
    /// What a helper says that is not read here.
    Unknown,
    /// The test fails where it comes here.
    Failure,
    /// Nothing: it always holds.
    Nothing,
}

/// Nothing is checked.
pub const NOTHING: u8 = 0;
/// Only that there is something.
pub const EXISTENCE: u8 = 1;
/// Its kind, or a relation to something.
pub const KIND: u8 = 2;
/// A part of it, or nearly it.
pub const PART: u8 = 3;
/// It exactly.
pub const EXACT: u8 = 4;

/// What an assertion claims.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What is said.
    pub claim: Claim,
    /// How much of a wrong value it catches: from [`NOTHING`] to [`EXACT`].
    pub level: u8,
    /// What is looked at; empty where that cannot be told.
    pub subject: String,
    /// What stands in expected position; messages are not among it.
    pub expected: Vec<String>,
    /// It says the opposite.
    pub negated: bool,
    /// How far off a near value may be.
    pub tolerance: Option<f64>,
    /// Stands for nothing of its own: what a call for its value does on the way (`unwrap`, a query that throws).
    pub implicit: bool,
}

impl Check {
    /// Returns a check of a subject that says nothing else.
    pub fn new(claim: Claim, level: u8, subject: &str) -> Self {
        let subject = strip(subject).to_owned();
        Check { claim, level, subject, expected: Vec::new(), negated: false, tolerance: None, implicit: false }
    }

    /// Adds what is expected.
    pub(crate) fn expecting<'t>(mut self, expected: impl IntoIterator<Item = &'t str>) -> Self {
        self.expected = expected.into_iter().map(|e| strip(e).to_owned()).collect();
        self
    }

    /// Turns it round where `negated`: what it is not says less than what it is.
    pub(crate) fn turned(mut self, negated: bool) -> Self {
        if !negated {
            return self;
        }
        self.negated = !self.negated;
        match (self.claim, self.negated) {
            (Claim::Equal | Claim::Near | Claim::Snapshot | Claim::Length, true) => self.level = self.level.min(KIND),
            (Claim::Absent, true) => (self.claim, self.level, self.negated) = (Claim::Exists, EXISTENCE, false),
            (Claim::Exists, true) => (self.claim, self.level, self.negated) = (Claim::Absent, EXACT, false),
            (Claim::Raises, true) => (self.claim, self.level, self.negated) = (Claim::Succeeds, EXISTENCE, false),
            (Claim::Succeeds, true) => (self.claim, self.level, self.negated) = (Claim::Raises, KIND, false),
            _ => {}
        }
        self
    }

    /// Returns the same as what a call does on its way.
    pub(crate) fn on_the_way(mut self) -> Self {
        self.implicit = true;
        self
    }
}

/// Returns the rows of a list that is written down: `[a, b]`, `{ {1, 2}, {3, 4} }`.
pub fn rows(list: &str) -> Vec<&str> {
    let list = list.trim();
    match (list.as_bytes().first(), list.as_bytes().last()) {
        (Some(b'[' | b'{' | b'('), Some(b']' | b'}' | b')')) if list.len() >= 2 => source::split(&list[1..list.len() - 1]),
        _ => vec![list],
    }
}
