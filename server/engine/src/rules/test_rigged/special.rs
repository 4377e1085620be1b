//! Special-casing: a branch that gives back what a test expects for the very literals that the test passes.
//!
//! Tables and base cases look alike, so only what cannot be chance counts: a function that did without such branches before, or
//! does other work beside them, literals that are nobody's default, and one assertion of the change that holds both.

use super::RULE;
use crate::change::{File, Seen};
use crate::facts::{Unit, callers};
use crate::finding::tokens;
use crate::rules::Draft;
use oguard_grammars::facts::{Case, ItemKind, Shape};
use oguard_grammars::visit::FileKind;

/// Looks for new branches of production code that know the literals of a test in the same change.
pub(super) fn find(seen: &Seen<'_>, acc: &mut Vec<(usize, Draft)>) {
    for (at, file) in seen.files.iter().enumerate() {
        let Some(document) = file.edited.filter(|d| d.kind == FileKind::Production && !d.generated) else { continue };
        for unit in document.inventory().units.iter().filter(|u| !u.in_tests && u.kind() == ItemKind::Function) {
            acc.extend(case(seen, file, document.text(), unit).map(|draft| (at, draft)));
        }
    }
}

fn case(seen: &Seen<'_>, file: &File<'_>, text: &str, unit: &Unit) -> Option<Draft> {
    let cases = &unit.facts.local.cases;
    let body = unit.facts.item.body.filter(|b| b.shape == Shape::Work)?;
    if cases.is_empty() || cases.len() as u32 >= body.statements {
        return None;
    }
    let former = file.base.and_then(|base| base.function(unit).map(|index| (base, base.unit(index))));
    // A function that answers literals by design.
    if former.is_some_and(|(_, u)| !u.facts.local.cases.is_empty()) || (former.is_none() && cases.len() > 2) {
        return None;
    }
    let slice = |span| text.get(unit.absolute(span)).unwrap_or("").trim();
    let name = &unit.facts.item.name;
    let name = name.rsplit('.').next().unwrap_or(name);
    let found = cases.iter().find_map(|case| {
        let (given, answer) = (case.given.iter().map(|s| slice(*s)).collect::<Vec<_>>(), slice(case.answer));
        if !is_telling(&given, answer) {
            return None;
        }
        let test = tested(seen, name, &given, answer)?;
        Some(draft(text, unit, case, name, &test))
    });
    found.or_else(|| {
        former?;
        let pairs: Vec<(&str, &str)> = cases.iter().filter_map(|c| Some((slice(*c.given.first()?), slice(c.answer)))).collect();
        let test = known_before(seen, name, &pairs)?;
        Some(draft(text, unit, cases.first()?, name, &test))
    })
}

/// Returns the name of a test that had all of some words and their answers in its lines before the code did. Tests of new modes
/// come with the modes; branches that come after the test know what it asks.
fn known_before(seen: &Seen<'_>, name: &str, pairs: &[(&str, &str)]) -> Option<String> {
    const PAIRS_MIN: usize = 2;
    let is_word = |literal: &str| literal.len() > 4 && literal.starts_with(['"', '\'', '`']);
    if pairs.len() < PAIRS_MIN || !pairs.iter().all(|(given, answer)| is_word(given) && is_word(answer) && given != answer) {
        return None;
    }
    seen.files.iter().find_map(|file| {
        let (document, before) = (file.edited?, file.base?.document().text());
        let text = document.text();
        let holds = |line: &str, pair: &(&str, &str)| line.contains(pair.0) && line.contains(pair.1);
        let (index, _) = document.inventory().tests().find(|(_, unit)| {
            let whole = text.get(unit.range.clone()).unwrap_or("");
            callers::mentions(whole, name, 1)
                && pairs.iter().all(|pair| whole.lines().any(|l| holds(l, pair)) && before.lines().any(|l| holds(l, pair)))
        })?;
        Some(document.inventory().qualified_name(index, document.language.separator))
    })
}

/// Whether literals are so particular that code and test do not share them by chance. A single word names a mode, and code is
/// full of branches on modes: only data is telling, in what is compared or in several comparisons at once.
fn is_telling(given: &[&str], answer: &str) -> bool {
    let spelled = given.iter().any(|g| is_figure(g)) && answer.len() > 4 && answer.starts_with(['"', '\'', '`']);
    spelled || (is_data(answer) && (given.len() > 1 || given.iter().any(|g| is_data(g))))
}

/// Whether a literal is a number of some size that is none of the codes that programs answer with.
fn is_figure(literal: &str) -> bool {
    let number = literal.parse::<f64>().ok();
    number.is_some_and(|n| n.fract() != 0.0 || n > 599.0 || (10.0..100.0).contains(&n))
}

/// Whether a literal is data: a number of two digits or more, a text of more than a word, a list of several things.
fn is_data(literal: &str) -> bool {
    let literal = literal.trim_start_matches(['&', '-']);
    let digits = literal.bytes().filter(u8::is_ascii_digit).count();
    if literal.starts_with(|c: char| c.is_ascii_digit()) {
        return digits > 1;
    }
    if literal.starts_with(['"', '\'', '`']) {
        let inner = literal.trim_matches(['"', '\'', '`']);
        let names = inner.chars().any(char::is_alphabetic);
        return inner.len() > 2 && ((digits > 1 && !names) || inner.contains([',', ';', '+', '*', '=', '(', '|']));
    }
    literal.starts_with(['[', '(', '{']) && literal.contains(',') && digits > 0
}

/// Returns the name of a test of the change that calls the function with the literals and expects the answer.
fn tested(seen: &Seen<'_>, name: &str, given: &[&str], answer: &str) -> Option<String> {
    for document in seen.files.iter().filter_map(|f| f.edited) {
        let text = document.text();
        for (index, unit) in document.inventory().tests() {
            let slice = |span| text.get(unit.absolute(span)).unwrap_or("");
            let whole = text.get(unit.range.clone()).unwrap_or("");
            let expects = unit.facts.local.assertions.iter().any(|a| a.expected.is_some_and(|e| slice(e).trim() == answer));
            if expects && passes(whole, name, given) {
                return Some(document.inventory().qualified_name(index, document.language.separator));
            }
        }
    }
    None
}

/// Whether a text calls a function with all of some literals.
fn passes(text: &str, name: &str, given: &[&str]) -> bool {
    callers::mentions(text, name, 1)
        && text.match_indices(name).any(|(at, _)| {
            let rest = &text[at + name.len()..];
            let Some(inside) = rest.strip_prefix('(') else { return false };
            let end = inside.find(['\n', ';']).unwrap_or(inside.len());
            given.iter().all(|g| callers::mentions(&inside[..end], g.trim_matches(['"', '\'', '`', '&']), 1))
        })
}

fn draft(text: &str, unit: &Unit, case: &Case, name: &str, test: &str) -> Draft {
    let range = unit.absolute(case.span);
    let shown = tokens(text.get(range.clone()).unwrap_or(""));
    let answer = text.get(unit.absolute(case.answer)).unwrap_or("");
    let mut draft = Draft::at(&RULE, shown.clone(), range).subject(unit.facts.item.name.clone());
    draft.message = format!("`{name}` gives back `{answer}` where `{shown}`: the very literals that `{test}` passes and expects");
    "compute the answer instead of naming the one that a test expects".clone_into(&mut draft.next_action);
    draft
}
