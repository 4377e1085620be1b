//! Whether a test still checks as much: its assertions of before and of now, as claims, and what became of each.
//!
//! `model` reads the checks of a test with those of the helpers it calls, `text` makes their parts comparable, `pairing` says
//! which check is which, `difference` in what way one says less, `loss` what is weaker (W1 to W9), `terms` what runs less or longer (W10 to W12), `conserved` what only went
//! elsewhere. The rule that speaks of it is `rules/test_weakened.rs`.

pub(crate) mod conserved;
mod difference;
mod helpers;
mod loss;
pub(crate) mod model;
mod pairing;
mod terms;
mod text;

use crate::document::Document;
use crate::finding::Level;
use conserved::Pool;
use model::Model;
use std::ops::Range;

/// A test, or a helper of tests, on one side of a change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'a> {
    pub(crate) document: &'a Document,
    /// Its unit.
    pub(crate) index: usize,
}

/// In what way a test checks less (rules-a.md 7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    /// W1: an assertion is gone.
    Gone,
    /// W2: nothing is left in the body.
    Emptied,
    /// W3: the assertion says less of the same.
    Looser,
    /// W3: it says the opposite. Information: each of the three read in real history was a change of what is right.
    Turned,
    /// W4: it holds whatever happens.
    Always,
    /// W5: what counts as near grew.
    Tolerance,
    /// W6: any error will do.
    Broader,
    /// W7: its failure is caught and forgotten.
    Swallowed,
    /// W8: it is not reached, or only sometimes.
    Unreached,
    /// W9: it is still written, and checks nothing.
    Disconnected,
    /// W10: fewer inputs.
    Inputs,
    /// W11: what is looked at is a double.
    Double,
    /// W12: more patience.
    Patience,
    /// W13: a value written in the test went to a file.
    Snapshot,
}

/// One thing of which a test checks less.
#[derive(Clone, Debug)]
pub(crate) struct Weakening {
    pub(crate) way: Way,
    /// How much it weighs; no more than the rule's own where something is left.
    pub(crate) level: Level,
    /// Bytes of the base's text, and those of the edited one.
    pub(crate) before: Option<Range<usize>>,
    pub(crate) now: Option<Range<usize>>,
    /// What it is, as part of a sentence that begins with the test's name.
    pub(crate) what: String,
}

/// An expected value that was edited: a note, and no weakening (rules-a.md D18).
#[derive(Clone, Debug)]
pub(crate) struct Edited {
    pub(crate) before: Range<usize>,
    pub(crate) now: Range<usize>,
    pub(crate) what: String,
}

/// A test compared with what it was.
#[derive(Clone, Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) weaker: Vec<Weakening>,
    pub(crate) edited: Vec<Edited>,
    /// The test checked something, and nothing in it can fail now.
    pub(crate) nothing_left: bool,
}

/// The checks of all texts of a change, read when somebody asks.
pub(crate) type Pools<'p> = dyn Fn() -> &'p Pool + 'p;

/// Compares a test with what it became. `pool` is asked where an assertion seems gone.
pub(crate) fn compare(old: Side<'_>, now: &[Side<'_>], pool: &Pools<'_>) -> Comparison {
    let before = Model::of(old);
    let mut after = Model::default();
    for side in now {
        after.take(Model::of(*side));
    }
    let mut comparison = loss::compare(&before, &after, old, now, pool);
    terms::compare(&before, &after, old, now, &mut comparison);
    comparison
}
