//! On what terms a test runs now: fewer inputs (W10), a double in place of its subject (W11), more patience (W12).

use super::model::{Made, Model};
use super::text::{Norm, short, words};
use super::{Comparison, Side, Way, Weakening};
use crate::finding::Level;
use oguard_grammars::checks::Claim;
use oguard_grammars::facts::TermForm;
use std::ops::Range;

/// By how much samples or patience change before it is another test.
const TIMES: u64 = 2;

/// Adds what is weaker about the terms of a test.
pub(super) fn compare(before: &Model, after: &Model, old: Side<'_>, now: &[Side<'_>], out: &mut Comparison) {
    let Some(side) = now.first() else { return };
    rows(before, after, old, *side, out);
    amounts(before, after, out);
    doubles(before, after, old, *side, out);
}

fn of(model: &Model, form: TermForm) -> Vec<(&Range<usize>, u64)> {
    model.terms.iter().filter(|(f, _, _)| *f == form).map(|(_, span, amount)| (span, *amount)).collect()
}

/// Rows that went and stand nowhere else in the edited text.
fn rows(before: &Model, after: &Model, old: Side<'_>, now: Side<'_>, out: &mut Comparison) {
    let (was, is) = (of(before, TermForm::Rows), of(after, TermForm::Rows));
    let listed = |document: &str, terms: &[(&Range<usize>, u64)]| {
        terms.iter().any(|(span, _)| document.get((*span).clone()).is_some_and(|t| t.starts_with(['[', '{', '('])))
    };
    if was.is_empty() {
        return;
    }
    if !listed(old.document.text(), &was) && !listed(now.document.text(), &is) {
        return single_rows(&was, &is, old, now, out);
    }
    if was.len() != is.len() {
        return;
    }
    let idle = old.document.language.adapter.idle_words();
    for ((was, _), (is, _)) in was.into_iter().zip(is) {
        let read = |side: Side<'_>, span: &Range<usize>| -> Vec<Norm> {
            oguard_grammars::checks::rows(&without_comments(side, span)).into_iter().map(|row| Norm::of(row, idle)).collect()
        };
        let (rows, left) = (read(old, was), read(now, is));
        if left.len() >= rows.len() {
            continue;
        }
        let mut open = left.clone();
        let gone: Vec<&Norm> = rows
            .iter()
            .filter(|row| match open.iter().position(|other| other == *row) {
                Some(at) => {
                    open.remove(at);
                    false
                }
                None => true,
            })
            .collect();
        let whole = Norm::of(&without_comments(now, &(0..now.document.text().len())), idle);
        let gone = gone.into_iter().filter(|row| !row.is_in(&whole)).count().saturating_sub(open.len());
        if gone > 0 {
            let plural = if gone == 1 { "row of inputs is" } else { "rows of inputs are" };
            out.weaker.push(Weakening {
                way: Way::Inputs,
                level: Level::Warn,
                before: Some(was.clone()),
                now: Some(is.clone()),
                what: format!("{gone} of {} {plural} gone", rows.len()),
            });
        }
    }
}

/// Returns the text of a range with blanks where comments stand.
fn without_comments(side: Side<'_>, span: &Range<usize>) -> String {
    let mut bytes = side.document.text().get(span.clone()).unwrap_or("").as_bytes().to_vec();
    for unit in &side.document.inventory().units {
        for comment in unit.facts.local.comments.iter().map(|c| unit.absolute(c.span)) {
            let (start, end) = (comment.start.max(span.start), comment.end.min(span.end));
            if start < end {
                bytes[start - span.start..end - span.start].fill(b' ');
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Rows that stand one by one, each in an attribute.
fn single_rows(was: &[(&Range<usize>, u64)], is: &[(&Range<usize>, u64)], old: Side<'_>, now: Side<'_>, out: &mut Comparison) {
    if is.len() >= was.len() {
        return;
    }
    let idle = old.document.language.adapter.idle_words();
    let whole = Norm::of(now.document.text(), idle);
    let gone: Vec<&Range<usize>> = was
        .iter()
        .map(|(span, _)| *span)
        .filter(|span| !Norm::of(old.document.text().get((*span).clone()).unwrap_or(""), idle).is_in(&whole))
        .collect();
    if let Some(first) = gone.first() {
        let count = gone.len().min(was.len() - is.len());
        let plural = if count == 1 { "row of inputs is" } else { "rows of inputs are" };
        let what = format!("{count} of {} {plural} gone", was.len());
        out.weaker.push(Weakening { way: Way::Inputs, level: Level::Warn, before: Some((*first).clone()), now: None, what });
    }
}

fn amounts(before: &Model, after: &Model, out: &mut Comparison) {
    let most = |model: &Model, form: TermForm| {
        of(model, form).into_iter().map(|(span, amount)| (amount, span.clone())).max_by_key(|(amount, _)| *amount)
    };
    let (was, is) = (most(before, TermForm::Samples), most(after, TermForm::Samples));
    if let (Some((was, from)), Some((is, to))) = (was, is)
        && is * TIMES <= was
    {
        let what = format!("it is tried with {is} inputs instead of {was}");
        out.weaker.push(Weakening { way: Way::Inputs, level: Level::Warn, before: Some(from), now: Some(to), what });
    }
    let (was, is) = (most(before, TermForm::Retries), most(after, TermForm::Retries));
    if let Some((times, span)) = is.filter(|(times, _)| *times > was.as_ref().map_or(0, |(t, _)| *t)) {
        let what = format!("it may fail {times} times before it counts");
        out.weaker.push(Weakening { way: Way::Patience, level: Level::Info, before: was.map(|(_, s)| s), now: Some(span), what });
    }
    let (was, is) = (most(before, TermForm::Patience), most(after, TermForm::Patience));
    if let (Some((was, from)), Some((is, to))) = (was, is)
        && is >= was * TIMES
        && was > 0
    {
        let what = format!("it waits {is} ms instead of {was} ms");
        out.weaker.push(Weakening { way: Way::Patience, level: Level::Info, before: Some(from), now: Some(to), what });
    }
}

/// A double that is new, in place of what the assertions look at.
fn doubles(before: &Model, after: &Model, old: Side<'_>, now: Side<'_>, out: &mut Comparison) {
    let text = now.document.text();
    let said = |document: &str, span: &Range<usize>| document.get(span.clone()).unwrap_or("").trim_matches(['"', '\'', '`']).to_owned();
    let known: Vec<String> = of(before, TermForm::Double).into_iter().map(|(span, _)| said(old.document.text(), span)).collect();
    for (span, _) in of(after, TermForm::Double) {
        let name = said(text, span);
        if known.contains(&name) {
            continue;
        }
        let names = replaced(text, span, &name);
        let looked_at = after.made.iter().find(|m| m.can_fail() && m.is_explicit() && !m.is_unknown() && looks_at(m, &names, text, now));
        let already = |m: &Made| before.made.iter().any(|b| b.subject == m.subject);
        if let Some(made) = looked_at.filter(|m| already(m)) {
            let what = format!("`{}` looks at a double: `{name}` is replaced", short(text.get(made.span.clone()).unwrap_or("")));
            out.weaker.push(Weakening { way: Way::Double, level: Level::Warn, before: None, now: Some(span.clone()), what });
            return;
        }
    }
}

/// Returns the names that a double takes: those that the same module is bound to elsewhere in the text, or the last part of a path.
fn replaced<'t>(text: &'t str, span: &Range<usize>, name: &str) -> Vec<&'t str> {
    let quoted = text.get(span.clone()).unwrap_or("");
    let mut names = Vec::new();
    for (at, _) in text.match_indices(quoted).filter(|(at, _)| !span.contains(at)) {
        let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
        let line = &text[start..at];
        if line.contains("import") || line.contains("from") || line.contains("require") {
            names.extend(
                words(line).into_iter().filter(|w| {
                    !matches!(*w, "import" | "from" | "const" | "require" | "type" | "as" | "let" | "var" | "await" | "default")
                }),
            );
        }
    }
    let path = name.contains(['.', '/']) && name.contains('.') && !name.starts_with(['.', '/', '@']);
    let last = if path { name.rsplit('.').next() } else { Some(name).filter(|n| !n.contains(['/', '.', '-'])) };
    if let Some(last) = last.filter(|l| l.len() > 1)
        && let Some(at) = text.find(last)
    {
        names.push(&text[at..at + last.len()]);
    }
    names
}

/// Whether what a check looks at is a result of a call of one of the names, or a value that was given one.
fn looks_at(made: &Made, names: &[&str], text: &str, now: Side<'_>) -> bool {
    if made.check.claim == Claim::Called {
        return false;
    }
    let calls = |expression: &str| {
        names.iter().any(|name| {
            expression.trim_start_matches("await ").trim_start_matches("await").split_once('(').is_some_and(|(callee, _)| {
                let callee = callee.trim();
                callee == *name || callee.ends_with(&format!(".{name}")) || callee.starts_with(&format!("{name}."))
            })
        })
    };
    if calls(made.check.subject.trim()) {
        return true;
    }
    let root = words(&made.check.subject).first().map(|w| (*w).to_owned()).unwrap_or_default();
    let unit = &now.document.inventory().units[now.index];
    let body = text.get(unit.range.clone()).unwrap_or("");
    !root.is_empty()
        && body.lines().any(|line| {
            let Some((left, right)) = line.split_once('=') else { return false };
            words(left).last() == Some(&root.as_str()) && calls(right.trim())
        })
}
