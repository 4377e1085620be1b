//! Recordings that were made anew, and nothing of what they record changed: the run agrees with itself.
//!
//! Only a change of recordings and of nothing else that could move them says so. One that also edits tests, code, data or
//! dependencies has a reason to record again, and which lines it moved is for a reader to see.

use super::RULE;
use crate::change::{Other, Seen};
use crate::rules::Draft;

/// Looks for a change that consists of edited recordings, documents aside.
pub(super) fn find(seen: &Seen<'_>, acc: &mut Vec<(usize, Draft)>) {
    let changed = seen.files.iter().any(|f| f.base.is_some() || f.edited.is_some());
    if changed || seen.others.iter().any(|o| !is_recording(o.path) && !is_document(o.path)) {
        return;
    }
    let edited: Vec<(usize, &Other<'_>)> = seen.others.iter().enumerate().filter(|(_, o)| o.edited && is_recording(o.path)).collect();
    let Some((first, recording)) = edited.first() else { return };
    let path = recording.path;
    let what = match edited.len() - 1 {
        0 => format!("`{path}` was recorded anew, and the change holds nothing that it records"),
        1 => format!("`{path}` and another recording were made anew, and the change holds nothing that they record"),
        more => format!("`{path}` and {more} other recordings were made anew, and the change holds nothing that they record"),
    };
    let mut draft = Draft::at(&RULE, path.to_owned(), 0..0).subject(path.to_owned());
    draft.message = what;
    "say what made the output change, or put the recording back".clone_into(&mut draft.next_action);
    acc.push((seen.files.len() + first, draft));
}

/// Whether a path is that of what a test recorded and compares its output with.
fn is_recording(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let folder = |word: &str| path.split('/').rev().skip(1).any(|f| f == word);
    name.ends_with(".snap")
        || name.ends_with(".golden")
        || name.contains(".approved.")
        || name.contains(".received.")
        || ["__snapshots__", "__image_snapshots__", "golden", "goldens"].iter().any(|word| folder(word))
}

/// Whether a path is that of text for people.
fn is_document(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    [".md", ".rst", ".txt", ".adoc"].iter().any(|e| name.ends_with(e)) || ["LICENSE", "NOTICE", "AUTHORS"].contains(&name)
}
