//! Comments as facts: where they stand, which directives they hold, which of them leave code out or promise it.
//!
//! Line comments that follow each other are read as one run. The words are those of `phrases` and of the grammars'
//! directive tables; this file only knows how comments lie in a text.

use crate::phrases::{self, Phrase};
use oguard_grammars::Language;
use oguard_grammars::directives::{Place, Scope, directives};
use oguard_grammars::facts::{Comment, Edit, Local, Reach, Span, Suppression};
use std::ops::Range;

/// Records the comment at a byte range of the text, and the directives in it. `start` is where the unit starts.
pub(super) fn record(language: &Language, text: &str, range: Range<usize>, start: usize, out: &mut Local) {
    // Some grammars count the line end as part of a line comment.
    let raw = text.get(range.clone()).unwrap_or("").trim_end_matches(['\n', '\r']);
    let range = range.start..range.start + raw.len();
    let line = text[..range.start].rfind('\n').map_or(0, |i| i + 1);
    let before = &text[line..range.start];
    // In JSX a comment stands in braces of its own.
    let before = before.trim_start_matches('\u{feff}').trim();
    let alone = before.is_empty() || (before == "{" && text[range.end..].trim_start().starts_with('}'));
    let block = raw.starts_with("/*") || raw.starts_with("<!--") || raw.starts_with("--[[");
    let doc = (raw.starts_with("///") && !raw.starts_with("////"))
        || raw.starts_with("//!")
        || (raw.starts_with("/**") && raw.len() > 4)
        || raw.starts_with("/*!");
    let span = Span { start: (range.start - start) as u32, end: (range.end - start) as u32 };
    out.comments.push(Comment { span, alone, block, doc });

    let place = Place { alone_on_line: alone, before_first_code: opens_file(&text[..range.start]), block, doc };
    for directive in directives(language.id, raw, place) {
        let at = Span { start: span.start + directive.range.start as u32, end: span.start + directive.range.end as u32 };
        let mut codes: Vec<String> = directive.codes.iter().map(|c| (*c).to_owned()).collect();
        codes.sort_unstable();
        let reach = match directive.scope {
            Scope::Line => Reach::Line,
            Scope::NextLine => Reach::NextLine,
            Scope::Range => Reach::Range,
            Scope::Declaration => Reach::Declaration,
            Scope::File => Reach::File,
        };
        let removal = vec![Edit { span, text: String::new() }];
        out.suppressions.push(Suppression {
            span: at,
            tool: directive.tool.to_owned(),
            codes,
            reach,
            reason: directive.reason,
            mild: false,
            removal,
        });
    }
}

/// Whether a text holds nothing but comment lines and blanks. Only the head of a file is looked at.
fn opens_file(before: &str) -> bool {
    const HEAD_BYTES_MAX: usize = 8 * 1024;
    before.len() <= HEAD_BYTES_MAX
        && before
            .trim_start_matches('\u{feff}')
            .lines()
            .map(str::trim)
            .all(|line| line.is_empty() || ["#", "//", "/*", "*", "--", ";", "<!--", "'use ", "\"use "].iter().any(|m| line.starts_with(m)))
}

/// Returns the comments of a unit that leave code out or promise it, with the span of the line that says so.
pub(super) fn phrases(unit: &str, comments: &[Comment]) -> Vec<(Span, Phrase)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < comments.len() {
        let mut last = at;
        while last + 1 < comments.len() && follows(unit, &comments[last], &comments[last + 1]) {
            last += 1;
        }
        run(unit, &comments[at..=last], &mut found);
        at = last + 1;
    }
    found
}

/// Whether two line comments stand alone on neighbouring lines.
fn follows(unit: &str, first: &Comment, second: &Comment) -> bool {
    first.alone && second.alone && !first.block && !second.block && {
        let between = unit.get(first.span.end as usize..second.span.start as usize).unwrap_or("x");
        between.bytes().filter(|b| *b == b'\n').count() == 1 && between.trim().is_empty()
    }
}

fn run(unit: &str, comments: &[Comment], found: &mut Vec<(Span, Phrase)>) {
    let (Some(first), Some(last)) = (comments.first(), comments.last()) else { return };
    let raw = unit.get(first.span.start as usize..last.span.end as usize).unwrap_or("");
    for hit in phrases::hits(&phrases::strip(raw)) {
        let keep = match hit.phrase {
            // Prose after code explains the code: there an elision must be one by its form, and all that is said.
            Phrase::Elision => first.alone || (hit.unmistakable && !raw.contains('\n')),
            Phrase::Promise | Phrase::Confession => !first.doc,
        };
        if keep {
            found.push((line_of(raw, first.span.start, hit.line), hit.phrase));
        }
    }
}

/// Returns the span of a line of a comment without the blanks around it.
fn line_of(raw: &str, start: u32, number: usize) -> Span {
    let mut at = 0;
    for (index, line) in raw.split_inclusive('\n').enumerate() {
        if index == number {
            let text = line.trim();
            let from = start as usize + at + line.len() - line.trim_start().len();
            return Span { start: from as u32, end: (from + text.len()) as u32 };
        }
        at += line.len();
    }
    Span { start, end: start + raw.len() as u32 }
}
