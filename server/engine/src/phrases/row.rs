//! Rows of phrases as the language files write them, and how their words are read.
//!
//! A pattern is a row of elements separated by blanks:
//! `rest|remainder` alternatives, `for_now` words in sequence, `word?` optional, `@code` a list of the language,
//! `~3` up to three words of any kind, `^` the start of a clause, `$` the end of one,
//! `!word` what the index looks for. Commas, colons, dashes and brackets
//! between words are passed over; a full stop, dots or an operator are not. Every Han or Kana character is a word.
//! The build script reads the rows too (`trigger`), so this file, `keys` and `words` use nothing else of the engine.

use super::words::Words;

/// What a pattern of a table says when it matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Says {
    /// The whole comment is an elision.
    Elision,
    /// The whole comment is an elision if it begins or ends with dots or stands in brackets.
    Dotted,
    /// Code is promised.
    Promise,
    /// A stand-in is admitted.
    Confession,
    /// A word that makes a constant return suspicious.
    StandIn,
    /// Emptiness is explained.
    Empty,
    /// An error message that promises code.
    StubPromise,
    /// An error message that says code is missing.
    StubMissing,
    /// An error message that only looks like one of the two above.
    StubNot,
}

/// The phrases of one human language.
pub(super) struct Language {
    /// Named alternatives, used as `@name`.
    pub(super) lists: Lists,
    /// The phrases.
    pub(super) rows: &'static [(Says, &'static str)],
}

/// The named alternatives of a language.
pub(super) type Lists = &'static [(&'static str, &'static str)];

/// Returns the alternatives of an element's names, lists opened.
pub(super) fn phrases<'a>(names: &'a str, lists: &'a [(&'a str, &'a str)]) -> impl Iterator<Item = &'a str> {
    names.split('|').flat_map(move |name| {
        let list = name.strip_prefix('@');
        let rows = lists.iter().filter(move |(n, _)| Some(*n) == list).flat_map(|(_, row)| row.split_ascii_whitespace());
        list.is_none().then_some(name).into_iter().chain(rows)
    })
}

/// Returns the words of a phrase, folded as those of a text are.
pub(super) fn sequence_of(phrase: &str) -> Vec<String> {
    let words = Words::of(&phrase.replace('_', " "));
    words.tokens.iter().map(|t| words.text(*t).to_owned()).collect()
}
