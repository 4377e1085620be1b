//! The vocabulary of the directive tables: what opens a directive, where it may stand, how codes are spelled, how far it reaches.
//!
//! A row is built by `row(tool, languages, words, codes, reach)` and narrowed by methods; it names no finding and no rule.

use super::Place;
use super::segments::Segment;

/// How codes follow the opening words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Codes {
    /// None; what follows is a reason.
    Nothing,
    /// `a, b` until ` -- ` or the end.
    Commas,
    /// `a b` until something that is no code.
    Blanks,
    /// One word, then the reason.
    One,
    /// `: a, b`, if there is a colon.
    Colon,
    /// `: A1, B2 C3`: letters and digits only, if there is a colon (flake8).
    ColonDigits,
    /// ` A1,B2` or `: A1`: letters and digits only (bandit).
    Digits,
    /// `=a,b`, more of which may follow (`disable=a disable=b`). Without an equals sign there is no directive.
    Equals,
    /// `[a, b]`, if there is a bracket.
    Bracket,
    /// `[a, b]`, or one word.
    BracketOrOne,
    /// `(a, b)`, if there is a parenthesis.
    Paren,
    /// The opening itself names the code.
    Fixed(&'static str),
}

/// How far a directive reaches, depending on where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    Line,
    Next,
    Range,
    File,
    /// From here on; at the top of the file, the file.
    Rest,
    /// Behind code the line, alone the next one.
    LineOrNext,
    /// Behind code the line, alone from here on.
    LineOrRest,
    /// The line; alone at the top of the file, the file.
    LineOrFile,
    /// Behind code the line, alone the declaration below, at the top the file.
    LineOrDeclaration,
    /// The next line; at the top of the file, the file.
    NextOrFile,
}

/// What else must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Check {
    Nothing,
    /// On a line of its own or behind another comment, the opening followed by a lower-case word is prose.
    NoProse,
    /// `eslint rule: off`: the codes are the rules that are switched off.
    EslintConfig,
    /// `reportX=false`: the codes are the rules that are lowered.
    Lowered,
    /// Codes of layout are no checks.
    Layout,
    /// The category `format` is no check.
    NotFormat,
}

/// Layout rules of ktlint: suppressing them is formatting.
pub(super) const LAYOUT: &[&str] = &[
    "indent",
    "max-line-length",
    "no-wildcard-imports-order",
    "import-ordering",
    "no-multi-spaces",
    "no-trailing-spaces",
    "no-blank-line-before-rbrace",
    "no-consecutive-blank-lines",
    "parameter-list-wrapping",
    "argument-list-wrapping",
    "final-newline",
    "wrapping",
    "spacing-between-declarations-with-comments",
    "standard:indent",
    "standard:max-line-length",
    "standard:import-ordering",
    "standard:wrapping",
    "standard:argument-list-wrapping",
    "standard:parameter-list-wrapping",
    "standard:no-multi-spaces",
    "standard:final-newline",
];

/// One spelling of one tool.
pub(super) struct Row {
    pub(super) tool: &'static str,
    languages: &'static [&'static str],
    /// The opening. A blank stands for one or more blanks, `~` for any number.
    pub(super) words: &'static str,
    pub(super) codes: Codes,
    pub(super) reach: Reach,
    pub(super) check: Check,
    pub(super) needs_codes: bool,
    block: bool,
    alone: bool,
    first: bool,
    fold: bool,
    again: bool,
    each_line: bool,
    last_line: bool,
    tight: bool,
}

/// A row that starts its comment, in any kind of comment, in any place.
pub(super) const fn row(tool: &'static str, languages: &'static [&'static str], words: &'static str, codes: Codes, reach: Reach) -> Row {
    Row {
        tool,
        languages,
        words,
        codes,
        reach,
        check: Check::Nothing,
        needs_codes: false,
        block: false,
        alone: false,
        first: false,
        fold: false,
        again: false,
        each_line: false,
        last_line: false,
        tight: false,
    }
}

impl Row {
    /// Only in a block comment.
    pub(super) const fn block(mut self) -> Row {
        self.block = true;
        self
    }

    /// Only on a line of its own.
    pub(super) const fn alone(mut self) -> Row {
        self.alone = true;
        self
    }

    /// Only before the first code of the file.
    pub(super) const fn first(mut self) -> Row {
        self.first = true;
        self
    }

    /// In any case of letters.
    pub(super) const fn fold(mut self) -> Row {
        self.fold = true;
        self
    }

    /// Also behind another comment marker on the same line.
    pub(super) const fn again(mut self) -> Row {
        self.again = true;
        self
    }

    /// Also at the start of any line of a block comment.
    pub(super) const fn each_line(mut self) -> Row {
        self.each_line = true;
        self
    }

    /// Of a block comment, its last line counts and no other.
    pub(super) const fn last_line(mut self) -> Row {
        self.last_line = true;
        self
    }

    /// Glued to the comment marker.
    pub(super) const fn tight(mut self) -> Row {
        self.tight = true;
        self
    }

    /// Not without codes.
    pub(super) const fn needs_codes(mut self) -> Row {
        self.needs_codes = true;
        self
    }

    /// With a further condition.
    pub(super) const fn check(mut self, check: Check) -> Row {
        self.check = check;
        self
    }

    /// Where the text goes on behind the opening, if it opens with it.
    pub(super) fn opens(&self, text: &str) -> Option<usize> {
        let bytes = text.as_bytes();
        let mut at = 0;
        for word in self.words.bytes() {
            match word {
                b' ' | b'~' => {
                    let blanks = bytes[at..].iter().take_while(|b| **b == b' ' || **b == b'\t').count();
                    if word == b' ' && blanks == 0 {
                        return None;
                    }
                    at += blanks;
                }
                _ => {
                    let here = *bytes.get(at)?;
                    if here != word && !(self.fold && here.eq_ignore_ascii_case(&word)) {
                        return None;
                    }
                    at += 1;
                }
            }
        }
        // A word ends where its opening ends: `nolint` does not open `nolintlint`, nor `eslint-disable` the line form.
        let ends_in_word = self.words.ends_with(|c: char| c.is_ascii_alphanumeric());
        let goes_on = bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
        (!(ends_in_word && goes_on)).then_some(at)
    }

    /// Whether the tool reads this language.
    pub(super) fn speaks(&self, language: &str) -> bool {
        self.languages.is_empty() || self.languages.contains(&language)
    }

    /// Whether the directive is in effect there.
    pub(super) fn allows(&self, segment: &Segment, place: Place) -> bool {
        let right_line = match () {
            () if self.last_line && segment.block => segment.last,
            () if segment.again => self.again,
            () if segment.inner => self.each_line,
            () => true,
        };
        right_line
            && (!self.block || segment.block)
            && (!self.alone || place.alone_on_line)
            && (!self.first || place.before_first_code)
            && (!self.tight || segment.tight)
    }
}
