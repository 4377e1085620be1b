//! What is said: one fact about the change, with its level, place, evidence and remedy.
//!
//! A finding holds byte ranges of the edited text; how it looks is the business of `report` and `lsp`.

use crate::rules::Rule;
use crate::text::Place;
use std::ops::Range;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Worth knowing; moves no verdict.
    Info,
    /// Needs attention, stops nothing.
    Warn,
    /// Stops.
    Block,
}

impl Level {
    /// Returns the level of a name.
    pub fn parse(name: &str) -> Option<Self> {
        [Level::Info, Level::Warn, Level::Block].into_iter().find(|l| l.name() == name)
    }

    /// Returns the name used in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Block => "block",
        }
    }
}

/// A replacement in the edited text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// Bytes that are replaced.
    pub range: Range<usize>,
    /// By what.
    pub text: String,
}

/// A way to put a finding right without leaving the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Imperative, as a client shows it.
    pub title: String,
    /// Edits of the edited text, in order, not overlapping.
    pub edits: Vec<TextEdit>,
}

/// A place in the base that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// What it shows.
    pub message: String,
    /// Where, in the base's text.
    pub place: Place,
}

/// One fact about the change.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule that says it.
    pub rule: &'static Rule,
    /// After policy.
    pub level: Level,
    /// Worth a look, and no finding: it moves no verdict and is shown apart.
    pub note: bool,
    /// What a half-done edit would trip too: its rule says so, or it comes from a comparison of the two texts (SPEC.md 2).
    pub settled: bool,
    /// Bytes of the edited text it stands on.
    pub range: Range<usize>,
    /// First place.
    pub start: Place,
    /// One past the last place.
    pub end: Place,
    /// The test, function or tool it is about, by its own name.
    pub subject: String,
    /// Qualified name of the item around it.
    pub scope: String,
    /// What and why, one sentence, without the rule's id.
    pub message: String,
    /// The base's text, where it explains.
    pub before: Option<String>,
    /// The edited text.
    pub after: String,
    /// Places of the base.
    pub related: Vec<Related>,
    /// What to do, one imperative sentence.
    pub next_action: String,
    /// Normalised tokens of the construct; what identity rests on.
    pub tokens: String,
    /// `og1:` and 16 hex digits; set where the finding is known to be new.
    pub fingerprint: String,
    /// It is about something that is not in the text any more: its place is only the nearest one, and another file of the change
    /// may explain it.
    pub absent: bool,
    /// Ways to put it right.
    pub fixes: Vec<Fix>,
}

/// Longest token text that identity looks at, in bytes (fingerprints.md).
const TOKENS_BYTES_MAX: usize = 200;

/// Returns a text with its white space collapsed, cut to what identity looks at.
pub fn tokens(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(TOKENS_BYTES_MAX));
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        if out.len() > TOKENS_BYTES_MAX {
            let mut cut = TOKENS_BYTES_MAX;
            while !out.is_char_boundary(cut) {
                cut -= 1;
            }
            out.truncate(cut);
            break;
        }
    }
    out
}

/// Returns the id of a new finding: a pure function of rule, tokens, rank among equal new findings and base path.
///
/// Version 1 of the algorithm; golden values stand in `fixtures/fingerprints.txt`.
pub fn fingerprint(rule: &str, tokens: &str, rank: usize, base_path: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [rule, tokens, &rank.to_string(), base_path] {
        hasher.update(part.as_bytes());
        hasher.update(&[0]);
    }
    let hex = hasher.finalize().to_hex();
    format!("og1:{}", &hex.as_str()[..16])
}
