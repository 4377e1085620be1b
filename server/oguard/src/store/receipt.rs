//! What an installation changed in a settings file, so that it can be undone byte for byte while nobody else changed it.
//!
//! Only the changed stretch is kept, never the whole file: settings can hold secrets.

use super::{Store, StoreError};
use serde::{Deserialize, Serialize};

const PART: &str = "installed";

const VERSION: u32 = 1;

/// Largest note, in bytes: more than a settings file may have.
const BYTES_MAX: u64 = 16 * 1024 * 1024;

/// The way back from a text to the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    version: u32,
    /// Hash of the text that was written.
    after: String,
    /// There was no file before.
    created: bool,
    /// Nor the folder it is in.
    pub(crate) made_folder: bool,
    /// Where the texts begin to differ, in bytes.
    start: usize,
    /// Bytes that were put there.
    inserted: usize,
    /// What they took the place of.
    removed: String,
}

impl Receipt {
    /// Returns the way back from `after`.
    pub(crate) fn new(before: Option<&str>, after: &str, made_folder: bool) -> Self {
        let old = before.unwrap_or("");
        let boundary = |text: &str, mut at: usize| {
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = old.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
        let start = boundary(old, start).min(boundary(after, start));
        let most = old.len().min(after.len()) - start;
        let mut end = old.bytes().rev().zip(after.bytes().rev()).take(most).take_while(|(a, b)| a == b).count();
        while !old.is_char_boundary(old.len() - end) || !after.is_char_boundary(after.len() - end) {
            end -= 1;
        }
        Receipt {
            version: VERSION,
            after: hash(after),
            created: before.is_none(),
            made_folder,
            start,
            inserted: after.len() - end - start,
            removed: old[start..old.len() - end].to_owned(),
        }
    }

    /// Returns the text before (none: there was no file), or nothing where this is not the text that was written.
    pub(crate) fn undo(&self, text: &str) -> Option<Option<String>> {
        if self.version != VERSION || hash(text) != self.after {
            return None;
        }
        if self.created {
            return Some(None);
        }
        let (head, tail) = (text.get(..self.start)?, text.get(self.start + self.inserted..)?);
        Some(Some(format!("{head}{}{tail}", self.removed)))
    }

    /// Whether the way back only leaves out what was put in.
    pub(crate) fn takes_nothing_back(&self) -> bool {
        self.removed.is_empty()
    }

    /// Reads a note; none where there is none.
    pub(crate) fn load(store: &Store, name: &str) -> Result<Option<Self>, StoreError> {
        let Some(bytes) = store.read(PART, name, BYTES_MAX)? else { return Ok(None) };
        // Without a note that can be read, what is ours is found by what it says.
        Ok(serde_json::from_slice(&bytes).ok())
    }

    /// Writes a note.
    pub(crate) fn save(&self, store: &Store, name: &str) -> Result<(), StoreError> {
        store.write(PART, name, &serde_json::to_vec(self).expect("plain fields can be written"))
    }

    /// Removes a note, and the folder where nothing else is in it.
    pub(crate) fn forget(store: &Store, name: &str) {
        store.remove(PART, name);
    }
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::Receipt;

    #[test]
    fn the_way_back_is_exact_or_not_taken() {
        let pairs =
            [("", "a"), ("abc", "abXc"), ("aa", "aaa"), ("ab", "ba"), ("é", "éè"), ("éa", "èa"), ("x\r\n", "x\r\ny\r\n"), ("same", "same")];
        for (before, after) in pairs {
            let receipt = Receipt::new(Some(before), after, false);
            assert_eq!(receipt.undo(after), Some(Some(before.to_owned())), "{before:?} {after:?}");
            assert_eq!(receipt.undo(&format!("{after} ")), None);
        }
        assert_eq!(Receipt::new(None, "{}", true).undo("{}"), Some(None));
    }

    #[test]
    fn what_was_not_touched_is_not_kept() {
        let receipt = Receipt::new(Some("{ \"key\": \"secret\" }"), "{ \"key\": \"secret\", \"hooks\": {} }", false);
        assert!(!serde_json::to_string(&receipt).unwrap().contains("secret"));
    }
}
