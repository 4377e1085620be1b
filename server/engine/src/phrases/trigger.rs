//! Works out, for the build script, which word of a row must occur for it to match, and writes the index of them.
//!
//! Costs say how often a word stands in comments, so that the index looks for rare ones. What is written is Rust: statics of
//! numbers, included by `phrases`.

use super::keys::{Bits, key_of};
use super::row::{Says, phrases, sequence_of};
use super::tables::LANGUAGES;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The tables that are looked through, each with what it looks for.
const INDEXES: &[(&str, &[Says])] = &[
    ("PHRASES", &[Says::Elision, Says::Dotted, Says::Promise, Says::Confession]),
    ("STAND_INS", &[Says::StandIn]),
    ("EMPTINESS", &[Says::Empty]),
    ("MESSAGES", &[Says::StubPromise, Says::StubMissing, Says::StubNot]),
];

impl Bits {
    fn set(&mut self, key: u32) {
        let (word, bit) = Bits::slot(key);
        self.0[word] |= bit;
    }
}

/// Returns the source text of all indexes.
pub(crate) fn indexes() -> String {
    let mut out = String::new();
    for (name, wanted) in INDEXES {
        write_index(&mut out, name, wanted).expect("a string takes all");
    }
    out
}

fn write_index(out: &mut String, name: &str, wanted: &[Says]) -> std::fmt::Result {
    let mut patterns: Vec<(usize, usize)> = Vec::new();
    let mut by_key: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    let (mut plain, mut dotted) = (Bits::default(), Bits::default());
    for (place, language) in LANGUAGES.iter().enumerate() {
        for (row, (says, words)) in language.rows.iter().enumerate().filter(|(_, (says, _))| wanted.contains(says)) {
            let id = patterns.len();
            patterns.push((place, row));
            trigger(words, language.lists, &mut |word| {
                let key = key_of(word);
                let ids = by_key.entry(key).or_default();
                if ids.last() != Some(&id) {
                    ids.push(id);
                }
                if *says == Says::Dotted { dotted.set(key) } else { plain.set(key) }
            });
        }
    }
    let mut starts = vec![0];
    for ids in by_key.values() {
        starts.push(starts[starts.len() - 1] + ids.len());
    }
    let keys: Vec<u32> = by_key.keys().copied().collect();
    let ids: Vec<usize> = by_key.values().flatten().copied().collect();
    writeln!(out, "pub(super) static {name}: Index = Index {{")?;
    write!(out, "    patterns: {{ static PATTERNS: [Pattern; {}] = [", patterns.len())?;
    for (language, row) in &patterns {
        write!(out, "Pattern::new({language}, {row}), ")?;
    }
    writeln!(out, "]; &PATTERNS }},")?;
    writeln!(out, "    keys: &{keys:?},")?;
    writeln!(out, "    starts: &{starts:?},")?;
    writeln!(out, "    ids: &{ids:?},")?;
    writeln!(out, "    plain: Bits({:?}),", plain.0)?;
    writeln!(out, "    dotted: Bits({:?}),", dotted.0)?;
    writeln!(out, "}};")
}

/// Function words: no use to look for.
const EVERYWHERE: &str = "a an the this that it is are be in of for to with on as at not no and or if we you all only el la los las de del en que se \
    por con un una le les du des une est der die das den ein eine wird ist o os do da em um uma dans pour plus d ll s t des aus";

/// Words so common in comments that a pattern had better be looked for by another one.
const COMMON: &str = "add use just here code other test should call calls value values will would write list version object data change changed \
    response result results request put place insert keep keeps need needs must has have before above below later now return returns \
    returning full error empty function method file class body type types case cases show shown your like so app application system query \
    server api content contents default instead or same come handler complete length space each until";

/// Gives the words of the element that occurs least, one for each alternative: one of them must occur.
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
    if let Some(word) = sequence_of(phrase).iter().min_by_key(|w| cost(w)) {
        found(word, cost(word));
    }
}

fn cost(word: &str) -> usize {
    let listed = |words: &str| words.split_ascii_whitespace().any(|w| w == word);
    match word.len() {
        _ if listed(EVERYWHERE) => 1000,
        _ if listed(COMMON) => 60,
        1..=2 => 1000,
        3 if word.is_ascii() => 20,
        4 => 6,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::super::keys::LETTERS_MIN;
    use super::*;

    #[test]
    fn the_build_script_wrote_the_present_tables() {
        assert_eq!(indexes(), include_str!(concat!(env!("OUT_DIR"), "/phrases.rs")));
    }

    #[test]
    fn every_list_exists_and_every_row_has_a_trigger() {
        for language in LANGUAGES {
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
