//! A small pattern language for phrases, and the index that finds the few patterns worth trying.
//!
//! The rows are those of the language files (`row`). Which of them are worth trying for a word is worked out by the build
//! script (`trigger`), since a cold process would spend more on it than on a small file.
//! A row is compiled when it is first tried, which few are.

use super::LANGUAGES;
use super::keys::{Bits, DOTS, WORD, key_at, key_of};
use super::row::{Lists, Says, phrases, sequence_of};
use super::words::{Kind, Words};
use std::sync::OnceLock;

#[derive(Debug)]
pub(super) enum Element {
    Words { alternatives: Vec<Vec<String>>, optional: bool },
    Gap(usize),
    ClauseStart,
    ClauseEnd,
}

/// A row, by its language's place in `LANGUAGES` and its own place there.
pub(super) struct Pattern {
    pub(super) language: u8,
    pub(super) row: u16,
    pub(super) elements: OnceLock<Vec<Element>>,
}

/// Patterns by the word that must occur for them to match.
pub(super) struct Index {
    pub(super) patterns: &'static [Pattern],
    /// Keys of words, sorted.
    pub(super) keys: &'static [u32],
    /// Where the patterns of each key start in `ids`, and where those of the last end.
    pub(super) starts: &'static [u16],
    /// Places in `patterns`.
    pub(super) ids: &'static [u16],
    /// Keys of rows that match anywhere.
    pub(super) plain: Bits,
    /// Keys of rows that need dots or brackets.
    pub(super) dotted: Bits,
}

/// Where a pattern may start and end.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Index {
    /// Returns the places of the patterns to try for a word.
    fn by_key(&self, key: u32) -> &'static [u16] {
        match self.keys.binary_search(&key) {
            Ok(at) => &self.ids[usize::from(self.starts[at])..usize::from(self.starts[at + 1])],
            Err(_) => &[],
        }
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
            for id in self.by_key(key) {
                if tried.contains(id) {
                    continue;
                }
                tried.push(*id);
                let pattern = &self.patterns[*id as usize];
                let says = pattern.says();
                if !said.contains(&says) && pattern.matches(words, whole) {
                    said.push(says);
                }
            }
        }
        said
    }
}

impl Pattern {
    pub(super) const fn new(language: u8, row: u16) -> Pattern {
        Pattern { language, row, elements: OnceLock::new() }
    }

    fn says(&self) -> Says {
        LANGUAGES[usize::from(self.language)].rows[usize::from(self.row)].0
    }

    fn matches(&self, words: &Words, whole: Option<(Window, bool)>) -> bool {
        let elements = self.elements.get_or_init(|| {
            let language = LANGUAGES[usize::from(self.language)];
            compile(language.rows[usize::from(self.row)].1, language.lists)
        });
        matches(self.says(), elements, words, whole)
    }
}

fn matches(says: Says, elements: &[Element], words: &Words, whole: Option<(Window, bool)>) -> bool {
    let all = Window { start: 0, end: words.tokens.len() };
    match (says, whole) {
        (Says::Elision | Says::Dotted, None) => false,
        (Says::Dotted, Some((_, false))) => false,
        (Says::Elision | Says::Dotted, Some((window, _))) => Cursor { words, window, to_end: true }.run(elements, window.start),
        _ => (0..all.end)
            .any(|start| words.tokens[start].kind == Kind::Word && Cursor { words, window: all, to_end: false }.run(elements, start)),
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

fn compile(row: &str, lists: Lists) -> Vec<Element> {
    row.split_whitespace().map(|element| compile_element(element, lists)).collect()
}

fn compile_element(element: &str, lists: Lists) -> Element {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn says(text: &str) -> bool {
        let elements = compile("^ rest of the? @code ~2 unchanged|as_is $", &[("code", "code method_body")]);
        matches(Says::Promise, &elements, &Words::of(text), None)
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
}
