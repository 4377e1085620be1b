//! An open document as the state thread keeps it: its text, what is known of its place and base, and what was said.
//!
//! The text is a rope, so that positions of a client become bytes without reading the whole; the parsed document is lent to
//! the pool and comes back. Edits meanwhile are kept as bytes and joined where they touch, so that a burst of typing becomes
//! one change.

use super::jobs::{Base, Resident, Restore, Spec, Verdicts};
use super::position::{self, Encoding};
use super::state::Across;
use super::tally::{Counts, Gap};
use super::{Edit, Snapshot};
use crate::project::NotJudged;
use oguard_engine::document::{Change, Document, FILE_BYTES_MAX};
use ropey::{Rope, RopeSlice};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::oneshot;

/// Edits that are kept apart; more are cheaper to find again by comparing the texts.
const EDITS_MAX: usize = 64;

/// A document, and which opening of it: results of an earlier one are void.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) uri: Arc<str>,
    pub(super) incarnation: u64,
}

/// Edits that the parsed document has not seen.
#[derive(Debug)]
pub(super) enum Pending {
    Edits(Vec<Change>),
    /// Too many: the texts are compared.
    Whole,
}

impl Default for Pending {
    fn default() -> Self {
        Pending::Edits(Vec::new())
    }
}

impl Pending {
    fn push(&mut self, range: Range<usize>, text: &str) {
        let Pending::Edits(edits) = self else { return };
        if let Some(Change { range: before, text: inserted }) = edits.last_mut()
            && range.start >= before.start
            && range.end <= before.start + inserted.len()
        {
            inserted.replace_range(range.start - before.start..range.end - before.start, text);
            return;
        }
        if edits.len() == EDITS_MAX {
            *self = Pending::Whole;
            return;
        }
        edits.push(Change { range, text: text.to_owned() });
    }

    /// Brings a parsed document to the present text.
    pub(super) fn apply(self, document: &mut Document, text: &Rope) {
        if let Pending::Edits(edits) = self {
            edits.iter().for_each(|edit| document.change(edit));
            if document.text().len() == text.len_bytes() {
                return;
            }
        }
        document.replace(&text.to_string());
    }
}

/// Where a document stands.
#[derive(Debug)]
pub(super) enum Place {
    /// Its project is being looked up.
    Waiting,
    /// Outside the workspace, of no known language, excluded, a notebook: in words.
    NotJudged(Cow<'static, str>),
    /// It cannot be judged; since when, and why.
    Failed(Instant, String),
    /// The project's settings.
    Settings,
    Judged(Arc<Spec>, Base),
}

/// Where the parsed document is.
#[derive(Default)]
pub(super) enum Holder {
    /// Nowhere: it is made when it is needed.
    #[default]
    Cold,
    Here(Box<Resident>),
    /// In a job.
    Lent,
}

/// An open document.
pub(super) struct Open {
    pub(super) key: Key,
    pub(super) path: Option<PathBuf>,
    pub(super) language: String,
    pub(super) version: Option<i32>,
    /// Counts edits; versions of clients repeat and go back.
    pub(super) seq: u64,
    pub(super) text: Rope,
    pub(super) pending: Pending,
    pub(super) place: Place,
    /// Why the text at hand is none that is judged, whatever its place says.
    pub(super) refused: Option<NotJudged>,
    /// Root of its project, once known.
    pub(super) root: Option<Arc<PathBuf>>,
    /// What it is compared with, once known: see [`Publication::baseline`](super::Publication::baseline).
    pub(super) baseline: Arc<str>,
    /// Its part of the tally.
    pub(super) counts: Counts,
    pub(super) holder: Holder,
    /// What the newest check said, and of which edit.
    pub(super) judged: Option<(u64, Verdicts)>,
    /// What the client was told last, and of which edit.
    pub(super) told: Option<(u64, Verdicts)>,
    /// Ids of what is shown.
    pub(super) shown: HashSet<String>,
    /// What the whole change said of it, where it was asked.
    pub(super) across: Option<Across>,
    /// When it was last typed in; none since a save.
    pub(super) changed: Option<Instant>,
    pub(super) asks: Vec<oneshot::Sender<Option<Snapshot>>>,
    pub(super) restores: Vec<Restore>,
}

impl Open {
    pub(super) fn new(key: Key, path: Option<PathBuf>, version: Option<i32>, language: String, text: Rope) -> Self {
        Open {
            key,
            path,
            language,
            version,
            seq: 0,
            text,
            pending: Pending::default(),
            place: Place::Waiting,
            refused: None,
            root: None,
            baseline: "".into(),
            counts: Counts::default(),
            holder: Holder::Cold,
            judged: None,
            told: None,
            shown: HashSet::new(),
            across: None,
            changed: None,
            asks: Vec::new(),
            restores: Vec::new(),
        }
    }

    /// Applies edits in the order sent.
    pub(super) fn edit(&mut self, edits: Vec<Edit>, encoding: Encoding) {
        // The whole is looked at only where an edit may have made it unfit, or fit again.
        let doubtful = self.refused.is_some() || edits.iter().any(|e| memchr::memchr(0, e.text.as_bytes()).is_some());
        for Edit { range, text } in edits {
            let range = match range {
                None => 0..self.text.len_bytes(),
                Some((start, end)) => {
                    let start = position::byte(&self.text, start, encoding);
                    start..position::byte(&self.text, end, encoding).max(start)
                }
            };
            self.replace(range, &text);
        }
        if doubtful || self.text.len_bytes() > FILE_BYTES_MAX {
            self.refused = refusal(&self.text);
        }
    }

    /// Replaces bytes by a text, less what both have in common: assistants send whole documents.
    fn replace(&mut self, range: Range<usize>, text: &str) {
        let (head, tail) = common(self.text.byte_slice(range.clone()), text);
        let range = range.start + head..range.end - tail;
        let text = &text[head..text.len() - tail];
        if range.is_empty() && text.is_empty() {
            return;
        }
        let start = self.text.byte_to_char(range.start);
        if !range.is_empty() {
            self.text.remove(start..self.text.byte_to_char(range.end));
        }
        self.text.insert(start, text);
        self.pending.push(range, text);
    }

    /// Returns what is missing from its judgement, if this was said of it.
    pub(super) fn gap(&self, verdicts: &Verdicts) -> Option<Gap> {
        let failed = |why: String| Some(Gap { why, failed: true });
        match &self.place {
            Place::Failed(_, why) => return failed(why.clone()),
            Place::NotJudged(why) => return Some(Gap { why: why.clone().into_owned(), failed: false }),
            Place::Waiting | Place::Settings | Place::Judged(..) => {}
        }
        if let Some((why, _)) = verdicts.errors.first() {
            return failed(why.clone());
        }
        if let Some(rule) = verdicts.failures.first() {
            return failed(format!("the rule {rule} failed; its silence means nothing"));
        }
        let refused = self.refused.as_ref().map(ToString::to_string);
        let why = refused.or_else(|| verdicts.not_judged.first().map(|why| (*why).to_owned()))?;
        Some(Gap { why, failed: false })
    }

    /// Returns what a request is answered with.
    pub(super) fn snapshot(&self) -> Snapshot {
        let has_base = matches!(self.place, Place::Judged(_, Base::Text(_)));
        let verdicts = self.told.as_ref().map_or_else(Verdicts::default, |(_, v)| v.clone());
        let judged_as = match &self.place {
            Place::Judged(spec, _) => Some(spec.clone()),
            _ => None,
        };
        let not_judged = match &self.place {
            Place::NotJudged(why) => Some(why.clone().into_owned()),
            _ => self.refused.as_ref().map(ToString::to_string),
        };
        let failed = match &self.place {
            Place::Failed(_, why) => Some(why.clone()),
            _ => None,
        };
        Snapshot {
            uri: self.key.uri.clone(),
            version: self.version,
            seq: self.seq,
            text: self.text.clone(),
            verdicts,
            has_base,
            root: self.root.clone(),
            judged_as,
            not_judged,
            failed,
        }
    }
}

/// Returns why a text is none that is judged.
pub(super) fn refusal(text: &Rope) -> Option<NotJudged> {
    if text.len_bytes() > FILE_BYTES_MAX {
        return Some(NotJudged::TooLarge);
    }
    text.chunks().any(|chunk| memchr::memchr(0, chunk.as_bytes()).is_some()).then_some(NotJudged::Binary)
}

/// Returns how many bytes two texts share at the start and at the end, cut to whole characters.
fn common(old: RopeSlice<'_>, new: &str) -> (usize, usize) {
    let bytes = new.as_bytes();
    let mut head = 0;
    for chunk in old.chunks().map(str::as_bytes) {
        let same = chunk.iter().zip(&bytes[head..]).take_while(|(a, b)| a == b).count();
        head += same;
        if same < chunk.len() {
            break;
        }
    }
    while !new.is_char_boundary(head) || !boundary(old, head) {
        head -= 1;
    }
    let room = old.len_bytes().min(bytes.len()) - head;
    let mut tail = 0;
    let (mut chunks, ..) = old.chunks_at_byte(old.len_bytes());
    while let Some(chunk) = chunks.prev().map(str::as_bytes) {
        let same =
            chunk.iter().rev().zip(bytes[head..bytes.len() - tail].iter().rev()).take(room - tail).take_while(|(a, b)| a == b).count();
        tail += same;
        if same < chunk.len() {
            break;
        }
    }
    while !new.is_char_boundary(bytes.len() - tail) || !boundary(old, old.len_bytes() - tail) {
        tail -= 1;
    }
    (head, tail)
}

fn boundary(text: RopeSlice<'_>, byte: usize) -> bool {
    text.char_to_byte(text.byte_to_char(byte)) == byte
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Point;

    fn open(text: &str) -> Open {
        let key = Key { uri: "a:b".into(), incarnation: 1 };
        Open::new(key, None, None, String::new(), Rope::from_str(text))
    }

    fn all(text: &str) -> Vec<Edit> {
        vec![Edit { range: None, text: text.to_owned() }]
    }

    #[test]
    fn whole_documents_cost_what_they_change() {
        let before = "fn añb() {}\n".repeat(500);
        let after = before.replacen("fn añb", "fn aöb", 400).replacen("fn aöb", "fn añb", 399);
        let mut document = open(&before);
        document.edit(all(&after), Encoding::Utf16);
        assert_eq!(document.text.to_string(), after);
        let Pending::Edits(edits) = &document.pending else { panic!("one edit") };
        assert_eq!(edits.len(), 1);
        assert_eq!(edits[0].text, "ö");
        document.edit(all(&after), Encoding::Utf16);
        assert!(matches!(&document.pending, Pending::Edits(e) if e.len() == 1), "the same text is no edit");
    }

    #[test]
    fn typing_joins_to_one_change() {
        let mut document = open("ab\n");
        let point = |character| Point { line: 0, character };
        // An empty text takes back what was typed last.
        for (start, end, text) in [(1, 1, "é"), (2, 2, "x"), (2, 3, ""), (2, 2, "😀")] {
            document.edit(vec![Edit { range: Some((point(start), point(end))), text: text.to_owned() }], Encoding::Utf16);
        }
        assert_eq!(document.text.to_string(), "aé😀b\n");
        let Pending::Edits(edits) = &document.pending else { panic!("edits") };
        assert_eq!(edits.as_slice(), [Change { range: 1..1, text: "é😀".to_owned() }]);
    }

    #[test]
    fn a_reversed_range_inserts() {
        let mut document = open("abc");
        let point = |character| Point { line: 0, character };
        document.edit(vec![Edit { range: Some((point(2), point(1))), text: "-".to_owned() }], Encoding::Utf8);
        assert_eq!(document.text.to_string(), "ab-c");
    }
}
