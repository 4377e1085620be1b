//! Reads checker suppressions (`// eslint-disable-next-line x`, `# noqa: F401`, `//nolint`) out of one comment.
//!
//! Only what is in effect counts, by the tools' own rules: the directive starts the comment or, where the tool allows it,
//! follows another marker; the kind of comment is right; closers, enablers and formatter switches are nothing.
//! The tools are tables in `directives/`, one file a family, in the vocabulary of `directives/row.rs`. Attributes, decorators
//! and pragmas that are no comments belong to the languages. What a finding is made of, the engine decides.

mod anywhere;
mod codes;
mod ecma;
mod python;
mod row;
mod scripting;
mod segments;
mod systems;

use codes::Found;
use row::{Check, Codes, Reach, Row};
use segments::Segment;
use std::ops::Range;
use std::sync::LazyLock;

/// How far a directive reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// The line it stands on.
    Line,
    /// The line, statement or expression below it.
    NextLine,
    /// From here to its closer, or to the end of the block or file.
    Range,
    /// The declaration it belongs to.
    Declaration,
    /// The whole file.
    File,
}

/// One suppression of one tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directive<'a> {
    /// The tool that is silenced. `@ts-expect-error` is its own tool, since in type tests it asserts.
    pub tool: &'static str,
    /// The codes it names; none: all of them.
    pub codes: Vec<&'a str>,
    /// How far it reaches.
    pub scope: Scope,
    /// Whether a reason is given.
    pub reason: bool,
    /// Where the directive with its codes stands in the raw comment, in bytes.
    pub range: Range<usize>,
}

/// Where a comment stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Nothing else is on its line or lines.
    pub alone_on_line: bool,
    /// It stands before the first token of code (a shebang is none).
    pub before_first_code: bool,
    /// It is a block comment.
    pub block: bool,
    /// It is a doc comment.
    pub doc: bool,
}

/// All tables; within a first letter the order decides, so that a longer opening may stand before a shorter one.
const TABLES: &[&[Row]] = &[ecma::ROWS, python::ROWS, systems::ROWS, scripting::ROWS, anywhere::ROWS];

/// Rows by the first byte of their opening, in lower case.
static BY_BYTE: LazyLock<Vec<Vec<&'static Row>>> = LazyLock::new(|| {
    let mut by_byte = vec![Vec::new(); 256];
    for row in TABLES.iter().copied().flatten() {
        by_byte[usize::from(row.words.as_bytes()[0].to_ascii_lowercase())].push(row);
    }
    by_byte
});

/// Returns the directives in effect of a raw comment, markers included, or of a run of line comments joined by newlines.
pub fn directives<'a>(language: &str, raw: &'a str, place: Place) -> Vec<Directive<'a>> {
    let mut found: Vec<Directive<'a>> = Vec::new();
    // The directive whose reason may stand behind the next marker on its line.
    let mut open: Option<(usize, usize)> = None;
    segments::each(raw, |segment| match (read(language, raw, &segment, place), open) {
        (Some(directive), _) => {
            open = Some((segment.line, found.len()));
            found.push(directive);
        }
        (None, Some((line, last))) if line == segment.line && segment.again => {
            found[last].reason |= codes::has_words(&raw[segment.start..segment.end]);
        }
        (None, _) => {}
    });
    found
}

fn read<'a>(language: &str, raw: &'a str, segment: &Segment, place: Place) -> Option<Directive<'a>> {
    let text = &raw[segment.start..segment.end];
    let first = *text.as_bytes().first()?;
    let rows = &BY_BYTE[usize::from(first.to_ascii_lowercase())];
    rows.iter().find_map(|row| apply(row, language, text, segment, place))
}

fn apply<'a>(row: &Row, language: &str, text: &'a str, segment: &Segment, place: Place) -> Option<Directive<'a>> {
    let after = row.opens(text)?;
    if !row.speaks(language) || !row.allows(segment, place) {
        return None;
    }
    let mut found = codes::read(&text[after..], row.codes)?;
    match row.check {
        Check::Nothing => {}
        Check::NoProse => {
            let prose = found.codes.is_empty() && found.rest.trim_start().starts_with(|c: char| c.is_ascii_lowercase());
            if prose && (place.alone_on_line || segment.again) {
                return None;
            }
        }
        Check::EslintConfig => {
            let (settings, reason) = text[after..].split_once(" -- ").unwrap_or((&text[after..], ""));
            found = Found { codes: codes::switched_off(settings), rest: reason };
        }
        Check::Lowered => found = Found { codes: codes::lowered(text), rest: "" },
        Check::Layout => found.codes.retain(|code| !row::LAYOUT.contains(code)),
        Check::NotFormat => found.codes.retain(|code| !code.starts_with("format") && !code.starts_with("assist/source")),
    }
    if row.needs_codes && found.codes.is_empty() {
        return None;
    }
    let end = segment.start + text.len() - found.rest.len();
    let trimmed = text[..end - segment.start].trim_end().len();
    Some(Directive {
        tool: row.tool,
        scope: scope(row.reach, place),
        reason: codes::has_words(found.rest),
        range: segment.start..segment.start + trimmed,
        codes: if matches!(row.codes, Codes::Fixed(_)) {
            found.codes
        } else {
            found.codes.into_iter().filter(|c| !matches!(*c, "all" | "*" | "ALL")).collect()
        },
    })
}

fn scope(reach: Reach, place: Place) -> Scope {
    let rest = if place.before_first_code { Scope::File } else { Scope::Range };
    match reach {
        Reach::Line => Scope::Line,
        Reach::Next => Scope::NextLine,
        Reach::Range => Scope::Range,
        Reach::File => Scope::File,
        Reach::Rest => rest,
        Reach::LineOrNext if place.alone_on_line => Scope::NextLine,
        Reach::LineOrRest if place.alone_on_line => rest,
        Reach::LineOrFile if place.alone_on_line && place.before_first_code => Scope::File,
        Reach::LineOrDeclaration if place.alone_on_line && place.before_first_code => Scope::File,
        Reach::LineOrDeclaration if place.alone_on_line => Scope::Declaration,
        Reach::NextOrFile if place.before_first_code => Scope::File,
        Reach::NextOrFile => Scope::NextLine,
        Reach::LineOrNext | Reach::LineOrRest | Reach::LineOrFile | Reach::LineOrDeclaration => Scope::Line,
    }
}

#[cfg(test)]
mod tests;
