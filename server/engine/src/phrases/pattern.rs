//! A small pattern language for phrases, and the index that finds the few patterns worth trying.
//!
//! A pattern is a row of elements separated by blanks:
//! `rest|remainder` alternatives, `for_now` words in sequence, `word?` optional, `@code` a list of the language,
//! `~3` up to three words of any kind, `^` the start of a clause, `$` the end of one,
//! `!word` what the index looks for. Commas, colons, dashes and brackets
//! between words are passed over; a full stop, dots or an operator are not. Every Han or Kana character is a word.
//! A language file is rows of patterns (`Language`); nothing else knows a language.

use super::keys::{Bits, DOTS, WORD, key_at, key_of};
use super::words::{Kind, Words};
use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

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
    pub(super) lists: &'static [(&'static str, &'static str)],
    /// The phrases.
    pub(super) rows: &'static [(Says, &'static str)],
}

#[derive(Debug)]
enum Element {
    Words { alternatives: Vec<Vec<String>>, optional: bool },
    Gap(usize),
    ClauseStart,
    ClauseEnd,
}

/// A row; compiled when it is first tried, which few are.
struct Pattern {
    says: Says,
    row: &'static str,
    lists: Lists,
    elements: OnceLock<Vec<Element>>,
}

/// The named alternatives of a language.
type Lists = &'static [(&'static str, &'static str)];

/// Patterns by the word that must occur for them to match.
pub(super) struct Index {
    patterns: Vec<Pattern>,
    by_key: HashMap<u32, Vec<u16>>,
    plain: Bits,
    dotted: Bits,
}

/// Where a pattern may start and end.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Index {
    /// Compiles the rows of all languages that `wanted` keeps.
    pub(super) fn new(languages: &[&Language], wanted: impl Fn(Says) -> bool) -> Index {
        let mut index = Index { patterns: Vec::new(), by_key: HashMap::new(), plain: Bits::default(), dotted: Bits::default() };
        for language in languages {
            for (says, row) in language.rows.iter().filter(|(says, _)| wanted(*says)) {
                index.add(*says, row, language.lists);
            }
        }
        index
    }

    fn add(&mut self, says: Says, row: &'static str, lists: Lists) {
        let id = self.patterns.len() as u16;
        trigger(row, lists, &mut |word| {
            let key = key_of(word);
            let ids = self.by_key.entry(key).or_default();
            if ids.last() != Some(&id) {
                ids.push(id);
            }
            if says == Says::Dotted { self.dotted.set(key) } else { self.plain.set(key) }
        });
        self.patterns.push(Pattern { says, row, lists, elements: OnceLock::new() });
    }

    /// Whether any pattern could match `text`. One pass over the bytes; most comments end here.
    pub(super) fn may_match(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        // `fresh`: no word on this line so far.
        let (mut at, mut dots, mut dotted, mut fresh) = (0, false, false, true);
        while at < bytes.len() {
            let byte = bytes[at];
            if byte.is_ascii() && !WORD[usize::from(byte)] {
                dots |= (byte == b'.' && bytes.get(at + 1) == Some(&b'.')) || (fresh && matches!(byte, b'(' | b'[' | b'<'));
                fresh |= byte == b'\n';
                at += 1;
                continue;
            }
            let (key, next) = key_at(text, at);
            at = next;
            fresh &= key.is_none();
            match key {
                Some(DOTS) => dots = true,
                Some(key) if self.plain.get(key) => return true,
                Some(key) => dotted |= self.dotted.get(key),
                None => {}
            }
            if dots && dotted {
                return true;
            }
        }
        false
    }

    /// What the tables say about `words`: `whole` is the window that elisions must fill, dots tell whether it was dotted.
    pub(super) fn says(&self, words: &Words, whole: Option<(Window, bool)>) -> Vec<Says> {
        let mut tried: Vec<u16> = Vec::new();
        let mut said = Vec::new();
        for token in words.tokens.iter().filter(|t| t.kind == Kind::Word) {
            let key = key_of(words.text(*token));
            if !self.plain.get(key) && !self.dotted.get(key) {
                continue;
            }
            for id in self.by_key.get(&key).into_iter().flatten() {
                if tried.contains(id) {
                    continue;
                }
                tried.push(*id);
                let pattern = &self.patterns[*id as usize];
                if !said.contains(&pattern.says) && pattern.matches(words, whole) {
                    said.push(pattern.says);
                }
            }
        }
        said
    }
}

impl Pattern {
    fn elements(&self) -> &[Element] {
        self.elements.get_or_init(|| self.row.split_whitespace().map(|e| compile(e, self.lists)).collect())
    }

    fn matches(&self, words: &Words, whole: Option<(Window, bool)>) -> bool {
        let all = Window { start: 0, end: words.tokens.len() };
        match (self.says, whole) {
            (Says::Elision | Says::Dotted, None) => false,
            (Says::Dotted, Some((_, false))) => false,
            (Says::Elision | Says::Dotted, Some((window, _))) => Cursor { words, window, to_end: true }.run(self.elements(), window.start),
            _ => (0..all.end).any(|start| {
                words.tokens[start].kind == Kind::Word && Cursor { words, window: all, to_end: false }.run(self.elements(), start)
            }),
        }
    }
}

/// A match in progress. `to_end`: the pattern must reach the end of the window.
struct Cursor<'a> {
    words: &'a Words,
    window: Window,
    to_end: bool,
}

impl Cursor<'_> {
    fn kind(&self, at: usize) -> Option<Kind> {
        (at < self.window.end).then(|| self.words.tokens[at].kind)
    }

    /// Passes over the marks that may stand between the words of a phrase.
    fn next_word(&self, mut at: usize) -> usize {
        while matches!(self.kind(at), Some(Kind::Comma | Kind::Clause | Kind::Open | Kind::Close)) {
            at += 1;
        }
        at
    }

    fn run(&self, elements: &[Element], at: usize) -> bool {
        let Some((element, rest)) = elements.split_first() else {
            return !self.to_end || self.next_word(at) == self.window.end;
        };
        match element {
            Element::ClauseStart => {
                // After an opening bracket only where nothing was said before it.
                let before = self.words.tokens[..at].iter().rev().find(|t| t.kind != Kind::Open).map(|t| t.kind);
                let bare = at > 0 && self.kind(at - 1) == Some(Kind::Open);
                let starts = match before {
                    None | Some(Kind::Stop | Kind::Dots) => true,
                    Some(Kind::Clause | Kind::Close) => !bare,
                    Some(_) => false,
                };
                starts && self.run(rest, at)
            }
            Element::ClauseEnd => !matches!(self.kind(at), Some(Kind::Word | Kind::Comma | Kind::Hard)) && self.run(rest, at),
            Element::Gap(most) => {
                let mut at = at;
                for step in 0..=*most {
                    if self.run(rest, at) {
                        return true;
                    }
                    at = self.next_word(at);
                    if step == *most || self.kind(at) != Some(Kind::Word) {
                        return false;
                    }
                    at += 1;
                }
                false
            }
            Element::Words { alternatives, optional } => {
                let first = self.next_word(at);
                alternatives.iter().any(|words| self.sequence(words, first).is_some_and(|next| self.run(rest, next)))
                    || (*optional && self.run(rest, at))
            }
        }
    }

    fn sequence(&self, words: &[String], mut at: usize) -> Option<usize> {
        for (i, word) in words.iter().enumerate() {
            if i > 0 {
                at = self.next_word(at);
            }
            if self.kind(at)? != Kind::Word || self.words.text(self.words.tokens[at]) != word {
                return None;
            }
            at += 1;
        }
        Some(at)
    }
}

fn compile(element: &str, lists: &[(&str, &str)]) -> Element {
    match element {
        "^" => return Element::ClauseStart,
        "$" => return Element::ClauseEnd,
        _ => {}
    }
    let element = element.strip_prefix('!').unwrap_or(element);
    if let Some(most) = element.strip_prefix('~') {
        return Element::Gap(most.parse().unwrap_or(0));
    }
    let (names, optional) = match element.strip_suffix('?') {
        Some(names) => (names, true),
        None => (element, false),
    };
    Element::Words { alternatives: phrases(names, lists).map(sequence_of).collect(), optional }
}

/// Returns the alternatives of an element's names, lists opened.
fn phrases<'a>(names: &'a str, lists: &'a [(&'a str, &'a str)]) -> impl Iterator<Item = &'a str> {
    names.split('|').flat_map(move |name| {
        let list = name.strip_prefix('@');
        let rows = lists.iter().filter(move |(n, _)| Some(*n) == list).flat_map(|(_, row)| row.split_ascii_whitespace());
        list.is_none().then_some(name).into_iter().chain(rows)
    })
}

fn sequence_of(phrase: &str) -> Vec<String> {
    let words = Words::of(&phrase.replace('_', " "));
    words.tokens.iter().map(|t| words.text(*t).to_owned()).collect()
}

/// Function words: no use to look for.
const EVERYWHERE: &str = "a an the this that it is are be in of for to with on as at not no and or if we you all only el la los las de del en que se \
    por con un una le les du des une est der die das den ein eine wird ist o os do da em um uma dans pour plus d ll s t des aus";

/// Words so common in comments that a pattern had better be looked for by another one.
const COMMON: &str = "add use just here code other test should call calls value values will would write list version object data change changed \
    response result results request put place insert keep keeps need needs must has have before above below later now return returns \
    returning full error empty function method file class body type types case cases show shown your like so app application system query \
    server api content contents default instead or same come handler complete length space each until";

/// Costs of the listed words. A set, since a cold process asks thousands of times.
static COSTS: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
    let common = COMMON.split_ascii_whitespace().map(|word| (word, 60));
    common.chain(EVERYWHERE.split_ascii_whitespace().map(|word| (word, 1000))).collect()
});

/// Gives the words of the element that occurs least, one for each alternative: one of them must occur. Reads the row as it
/// stands, since a cold process does this for all rows and compiles hardly any.
fn trigger(row: &str, lists: &[(&str, &str)], found: &mut dyn FnMut(&str)) {
    let marked = row.split_whitespace().find_map(|e| e.strip_prefix('!'));
    let required = |e: &&str| !matches!(*e, "^" | "$") && !e.starts_with('~') && !e.ends_with('?');
    let price = |names: &str| {
        let mut sum = 0;
        phrases(names, lists).for_each(|phrase| rarest(phrase, &mut |_, cost| sum += cost));
        sum
    };
    let Some(names) = marked.or_else(|| row.split_whitespace().filter(required).min_by_key(|e| price(e))) else { return };
    phrases(names, lists).for_each(|phrase| rarest(phrase, &mut |word, _| found(word)));
}

/// Gives the rarest word of a phrase and what it costs to look for it.
fn rarest(phrase: &str, found: &mut dyn FnMut(&str, usize)) {
    let plain = phrase.bytes().all(|b| b == b'_' || b.is_ascii_lowercase() || b.is_ascii_digit());
    if plain {
        if let Some(word) = phrase.split('_').filter(|w| !w.is_empty()).min_by_key(|w| cost(w)) {
            found(word, cost(word));
        }
    } else if let Some(word) = sequence_of(phrase).iter().min_by_key(|w| cost(w)) {
        found(word, cost(word));
    }
}

fn cost(word: &str) -> usize {
    match (COSTS.get(word), word.len()) {
        (Some(listed), _) => *listed,
        (None, 1..=2) => 1000,
        (None, 3) if word.is_ascii() => 20,
        (None, 4) => 6,
        (None, _) => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::super::keys::LETTERS_MIN;
    use super::*;

    const TINY: Language =
        Language { lists: &[("code", "code method_body")], rows: &[(Says::Promise, "^ rest of the? @code ~2 unchanged|as_is $")] };

    fn says(text: &str) -> bool {
        let index = Index::new(&[&TINY], |_| true);
        index.may_match(text) && !index.says(&Words::of(text), None).is_empty()
    }

    #[test]
    fn elements_match_words() {
        for yes in ["Rest of the code unchanged", "x. rest of method body: it stays as is.", "rest of the (code) is UNCHANGED - ok"] {
            assert!(says(yes), "{yes}");
        }
        for no in [
            "the rest of code unchanged",
            "rest of the code. Unchanged",
            "rest of code one two three as is",
            "rest of the code unchanged here",
            "rest",
        ] {
            assert!(!says(no), "{no}");
        }
    }

    #[test]
    fn every_list_exists_and_every_row_has_a_trigger() {
        for language in super::super::LANGUAGES {
            for (_, row) in language.rows {
                for name in row.split([' ', '|']).filter_map(|e| e.strip_prefix('@')) {
                    let name = name.trim_end_matches('?');
                    assert!(language.lists.iter().any(|(n, _)| *n == name), "@{name} in {row}");
                }
                let mut words = Vec::new();
                trigger(row, language.lists, &mut |word| words.push(word.to_owned()));
                assert!(!words.is_empty(), "{row}");
                assert!(words.iter().all(|w| w.len() >= LETTERS_MIN), "{words:?} of {row}");
            }
        }
    }
}
