//! The shape of the tables in which languages say what the words of their frameworks claim.

use super::{Check, Claim, Conditions};

/// Where the arguments of an assertion go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expects {
    /// Nothing is expected besides the claim.
    Nothing,
    /// The first so many are what is expected; what follows is a message.
    First(u8),
    /// All are.
    All,
    /// The subject is a condition.
    Condition,
}

/// What a word claims.
pub(crate) struct Word {
    /// Its spellings.
    pub(crate) names: &'static [&'static str],
    /// What it says.
    pub(crate) claim: Claim,
    /// How much.
    pub(crate) level: u8,
    /// What its arguments are.
    pub(crate) expects: Expects,
    /// It says the opposite.
    pub(crate) negated: bool,
}

impl Word {
    /// Returns a row of a table.
    pub(crate) const fn new(names: &'static [&'static str], claim: Claim, level: u8, expects: Expects) -> Self {
        Word { names, claim, level, expects, negated: false }
    }

    /// Returns a row that says the opposite of another.
    pub(crate) const fn not(names: &'static [&'static str], claim: Claim, level: u8, expects: Expects) -> Self {
        Word { names, claim, level, expects, negated: true }
    }
}

/// Returns the row of a name.
pub(crate) fn find(words: &'static [Word], name: &str) -> Option<&'static Word> {
    words.iter().find(|word| word.names.contains(&name))
}

/// Returns what a row says of a subject.
pub(crate) fn made(word: &Word, conditions: &Conditions, subject: &str, given: &[&str], negated: bool) -> Vec<Check> {
    let negated = negated != word.negated;
    let taken = match word.expects {
        Expects::Condition => return conditions.read(subject, negated),
        Expects::Nothing => &given[..0],
        Expects::First(most) => &given[..given.len().min(usize::from(most))],
        Expects::All => given,
    };
    if word.claim == Claim::Equal
        && let [expected] = taken
    {
        return vec![conditions.comparison(subject, Claim::Equal, expected, negated).at_most(word.level)];
    }
    vec![conditions.measured(Check::new(word.claim, word.level, subject).expecting(taken.iter().copied())).turned(negated)]
}

impl Check {
    /// Lowers the level to one.
    fn at_most(mut self, level: u8) -> Self {
        self.level = self.level.min(level);
        self
    }
}
