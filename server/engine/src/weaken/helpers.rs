//! What a test calls: helpers of its file, whose checks are its own, and others that are known by their name alone.

use super::model::{Made, Stretch, fate, own};
use crate::change::code::{Kind, lex};
use crate::document::Document;
use oguard_grammars::facts::ItemKind;
use std::collections::HashMap;
use std::ops::Range;

/// How deep helpers call helpers before they are no longer followed (rules-a.md D20).
const DEPTH_MAX: usize = 3;
/// Most checks that one test gets from helpers.
const EXPANDED_MAX: usize = 200;

/// A call in a test, by the last part of its name.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) at: Range<usize>,
    /// Its name says that it checks, and nothing else.
    pub(crate) insists: bool,
}

/// Returns the calls in a unit, in order.
pub(crate) fn calls(document: &Document, index: usize) -> Vec<Call> {
    let units = &document.inventory().units;
    let unit = &units[index];
    let inside = &units[index..index + unit.size as usize];
    let mut comments: Vec<Range<usize>> = inside.iter().flat_map(|u| u.facts.local.comments.iter().map(|c| u.absolute(c.span))).collect();
    comments.sort_by_key(|c| c.start);
    let text = document.text();
    let name = unit.absolute(unit.facts.item.name_span);
    let body = unit.facts.item.body.map_or(name.end..unit.range.end, |b| unit.absolute(b.span));
    let tokens = lex(text, body, &comments);
    let said = |at: usize| tokens.get(at).and_then(|t| text.get(t.span.clone())).unwrap_or("");
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, t)| t.kind == Kind::Word) {
        let opens = said(at + 1) == "(" || (said(at + 1) == "!" && matches!(said(at + 2), "(" | "[" | "{"));
        if !opens || matches!(said(at.wrapping_sub(1)), "def" | "function" | "fn" | "func" | "new") {
            continue;
        }
        let name = said(at).to_owned();
        let insists = insists(&name);
        found.push(Call { name, at: token.span.clone(), insists });
    }
    found
}

/// Verbs of helpers that check (rules-a.md D20).
const VERBS: &[&str] = &["assert", "expect", "verify", "check", "ensure", "must", "should", "require", "validate"];

fn says_check(name: &str, verbs: &[&str]) -> bool {
    let name = name.trim_start_matches('_');
    verbs.iter().any(|verb| {
        let Some(head) = name.get(..verb.len()) else { return false };
        head.eq_ignore_ascii_case(verb) && name[verb.len()..].starts_with(|c: char| c == '_' || c.is_ascii_uppercase())
    })
}

fn insists(name: &str) -> bool {
    says_check(name, &VERBS[..3])
}

/// Returns the calls whose names say that they check, of helpers that are not of this file and no assertions already.
pub(super) fn by_name<'c>(document: &Document, calls: &'c [Call], made: &[Made]) -> Vec<&'c Call> {
    let known = |call: &Call| made.iter().any(|m| m.span.start <= call.at.start && call.at.end <= m.span.end);
    calls.iter().filter(|call| says_check(&call.name, VERBS) && !known(call) && !is_local(document, &call.name)).collect()
}

/// Whether a function of the file has the last part of a name.
pub(super) fn is_local(document: &Document, name: &str) -> bool {
    let name = name.rsplit(['.', ':']).next().unwrap_or(name);
    document.inventory().units.iter().any(|u| matches!(u.kind(), ItemKind::Function | ItemKind::Hook) && u.facts.item.name == name)
}

/// Adds the checks of the helpers that a test calls.
pub(super) fn expand(document: &Document, index: usize, calls: &[Call], regions: &[Stretch], made: &mut Vec<Made>) {
    let units = &document.inventory().units;
    let within = index..index + units[index].size as usize;
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, unit) in units.iter().enumerate() {
        let helper = matches!(unit.kind(), ItemKind::Function | ItemKind::Hook) && !within.contains(&at);
        let around = at <= index && index < at + unit.size as usize;
        if helper && !around && !unit.facts.item.name.is_empty() {
            by_name.entry(&unit.facts.item.name).or_default().push(at);
        }
    }
    if by_name.is_empty() {
        return;
    }
    let mut cache: HashMap<usize, Vec<Made>> = HashMap::new();
    for call in calls {
        let Some([helper]) = by_name.get(call.name.as_str()).map(Vec::as_slice) else { continue };
        let found = cache.entry(*helper).or_insert_with(|| of_helper(document, *helper, &by_name, &mut vec![index]));
        let room = EXPANDED_MAX.saturating_sub(made.iter().filter(|m| m.via.is_some()).count());
        made.extend(found.iter().take(room).cloned().map(|mut one| {
            one.via = Some(call.name.clone());
            one.at = call.at.clone();
            one.fate.within(fate(document, call.at.clone(), regions));
            one
        }));
    }
}

fn of_helper(document: &Document, helper: usize, by_name: &HashMap<&str, Vec<usize>>, open: &mut Vec<usize>) -> Vec<Made> {
    if open.len() > DEPTH_MAX || open.contains(&helper) {
        return Vec::new();
    }
    open.push(helper);
    let calls = calls(document, helper);
    let mut made = own(document, helper, &calls);
    for call in &calls {
        if let Some([inner]) = by_name.get(call.name.as_str()).map(Vec::as_slice) {
            made.extend(of_helper(document, *inner, by_name, open));
        }
    }
    open.pop();
    made.truncate(EXPANDED_MAX);
    made
}
