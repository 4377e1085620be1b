//! What is left of tests that no step found: texts they expected in other tests, their names in a table, tests called after them,
//! their code in a form that is not known. Nothing here is sure, so it takes an accusation back and makes none.

use super::absorbed::{PLACES_MAX, fresh, is_literal};
use super::code::{Kind, whole};
use super::matching::{CANDIDATES_MAX, Matching};
use super::{Fate, Now, Old};
use crate::document::Document;
use oguard_grammars::facts::ItemKind;
use std::collections::HashMap;
use std::ops::Range;

/// Shorter texts are in no one place.
const EXPECTED_MIN: usize = 8;
/// Shorter bodies stand in many places.
const STILL_TOKENS_MIN: usize = 12;
/// Least likeness of a test to one that it may be a case of.
const CASE_MIN: f64 = 0.2;
/// Literals in the head of a parametrised test whose rows stand elsewhere: names of its parameters.
const ROWS_ELSEWHERE_MAX: usize = 3;
/// So many tests that became rows of their names make a table of a file.
const TABLE_ROWS_MIN: usize = 5;

/// Step 5 for what was put into tests that are otherwise as they were: the texts that this test alone expected stand in new lines of
/// its file. Which test took them in is not sure.
pub(super) fn restated(matching: &mut Matching<'_>) {
    let mut rows: HashMap<usize, usize> = HashMap::new();
    let mut fresh_of: HashMap<usize, Vec<Range<usize>>> = HashMap::new();
    for old in matching.left() {
        let before = &matching.before[old];
        let file = &matching.files[before.old.file];
        let Some(edited) = file.edited else { continue };
        let code = before.code();
        let source = before.old.base.document().text();
        let expected: Vec<&str> = code
            .body()
            .iter()
            .filter(|t| t.kind == Kind::Text && matching.weights.is_rare(t))
            .filter_map(|t| Some(source.get(t.span.clone())?.trim_matches(['"', '\'', '`'])))
            .filter(|text| text.len() >= EXPECTED_MIN)
            .collect();
        let fresh = fresh_of.entry(before.old.file).or_insert_with(|| fresh(file));
        let before_file = before.old.file;
        let name = &before.old.unit().facts.item.name;
        if before.words().len() > 1
            && let Some(at) = named_in(edited, fresh, name)
        {
            let index = edited.inventory().nearest(edited.inventory().unit_at(at), &[ItemKind::Test]).unwrap_or(0);
            let now = Now { file: before.old.file, edited, index };
            matching.absorb(old, vec![now], Fate::Parametrised, false);
            *rows.entry(before_file).or_insert(0) += 1;
            continue;
        }
        let said = |text: &str| fresh.iter().filter_map(|range| edited.text().get(range.clone())).any(|lines| lines.contains(text));
        let tested = |at: &Range<usize>| edited.inventory().tests().find(|(_, unit)| unit.range.contains(&at.start));
        if !expected.is_empty() && expected.iter().all(|text| said(text)) {
            let host = fresh.iter().filter(|range| edited.text().get((*range).clone()).is_some_and(|lines| lines.contains(expected[0])));
            if let Some((index, _)) = host.filter_map(tested).next() {
                let now = Now { file: before.old.file, edited, index };
                matching.absorb(old, vec![now], Fate::Merged, false);
            }
        }
    }
    // A file that became a table: rows have other names too, and some are made.
    for old in matching.left() {
        if rows.get(&matching.before[old].old.file).is_some_and(|rows| *rows >= TABLE_ROWS_MIN) {
            matching.doubt(old);
        }
    }
}

/// Returns where a new line says a name as a text of its own, as rows of a table do that are called as the tests were.
fn named_in(edited: &Document, fresh: &[Range<usize>], name: &str) -> Option<usize> {
    let titles: Vec<Range<usize>> = edited.inventory().units.iter().map(|u| u.absolute(u.facts.item.name_span)).collect();
    let quoted = |at: usize| {
        let before = edited.text()[..at].chars().next_back();
        let behind = edited.text()[at + name.len()..].chars().next();
        before.is_some_and(|c| matches!(c, '"' | '\'' | '`')) && before == behind
    };
    fresh.iter().find_map(|range| {
        let lines = edited.text().get(range.clone())?;
        let mut places = lines.match_indices(name).map(|(at, _)| range.start + at);
        places.find(|at| quoted(*at) && !titles.iter().any(|title| title.start <= *at && *at < title.end))
    })
}

/// Step 6 for a table that was taken apart: several new tests of its file that check something are each called after it and say
/// more. Which row went where is not sure.
pub(super) fn unfolded(matching: &mut Matching<'_>) {
    let free = matching.free();
    for old in matching.left() {
        let before = &matching.before[old];
        let name = before.words();
        let called_after = |new: &usize| {
            let after = &matching.after[*new];
            after.now.file == before.old.file
                && after.words().len() > name.len()
                && name.iter().all(|word| after.words().contains(word))
                && !after.now.unit().facts.local.assertions.is_empty()
        };
        let into: Vec<Now<'_>> = free.iter().filter(|new| called_after(new)).map(|new| matching.after[*new].now).collect();
        if !name.is_empty() && into.len() > 1 {
            matching.absorb(old, into, Fate::Split, false);
        }
    }
}

/// Tests that may be cases of a new one whose rows are made elsewhere: a list of another place, a title with a hole. That they are gone
/// is not sure.
pub(super) fn cases(matching: &mut Matching<'_>) {
    let left = matching.left();
    let is_made = |new: &usize| {
        let after = &matching.after[*new];
        let item = &after.now.unit().facts.item;
        let code = after.code();
        let rows = code.tokens[..code.body.start].iter().filter(|t| is_literal(t.kind)).count();
        let hole = item.name.contains("${") || item.name.contains("%s") || item.name.contains('$');
        after.was.is_none() && (hole || (item.parametrised && rows <= ROWS_ELSEWHERE_MAX))
    };
    let made: Vec<usize> = if left.is_empty() { Vec::new() } else { matching.free().into_iter().filter(|new| is_made(new)).collect() };
    let folder = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    for old in left {
        let Old { file, base, .. } = matching.before[old].old;
        let home = folder(base.path());
        let near = made.iter().filter(|new| {
            let now = &matching.after[**new].now;
            now.file == file || folder(matching.files[now.file].path) == home
        });
        let mut near = near.take(CANDIDATES_MAX);
        if near.any(|new| matching.likeness(old, *new) >= CASE_MIN) {
            matching.doubt(old);
        }
    }
}

/// The tokens of a text, and where each stands.
struct Tokens {
    all: Vec<u64>,
    places: HashMap<u64, Vec<usize>>,
}

/// Returns the tests whose code still stands in their file, word for word, in a form that is not known as a test: a wrapper of the
/// runner's that comes from elsewhere now, a generator of tests. Whether it runs is not known.
pub(super) fn still_there(matching: &Matching<'_>) -> Vec<usize> {
    let mut tokens: HashMap<usize, Tokens> = HashMap::new();
    let mut found = Vec::new();
    for old in matching.left() {
        let file = matching.before[old].old.file;
        let (code, Some(edited)) = (matching.before[old].code(), matching.files[file].edited) else { continue };
        let body: Vec<u64> = code.body().iter().map(|t| t.hash).collect();
        if !code.is_telling() || body.len() < STILL_TOKENS_MIN {
            continue;
        }
        let Tokens { all, places } = tokens.entry(file).or_insert_with(|| {
            let all: Vec<u64> = whole(edited.text(), &comments(edited)).into_iter().map(|t| t.hash).collect();
            let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
            all.iter().enumerate().for_each(|(at, hash)| places.entry(*hash).or_default().push(at));
            Tokens { all, places }
        });
        // From its rarest token on, so that few places are looked at.
        let rarest = body.iter().enumerate().min_by_key(|(_, hash)| places.get(*hash).map_or(0, Vec::len));
        let Some((offset, hash)) = rarest else { continue };
        let starts = places.get(hash).into_iter().flatten().filter_map(|at| at.checked_sub(offset));
        if starts.take(PLACES_MAX).any(|at| all.get(at..at + body.len()).is_some_and(|run| run == body)) {
            found.push(old);
        }
    }
    found
}

fn comments(document: &Document) -> Vec<Range<usize>> {
    let units = &document.inventory().units;
    let mut all: Vec<Range<usize>> = units.iter().flat_map(|u| u.facts.local.comments.iter().map(|c| u.absolute(c.span))).collect();
    all.sort_by_key(|c| c.start);
    all
}
