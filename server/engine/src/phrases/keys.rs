//! Keys of words: what a pass over raw bytes can compare with the tables, without folding or allocating.
//!
//! `key_at` reads a word where it stands, `key_of` one that `words.rs` has folded; both give the same key. A key is a hash
//! of the first eight letters and the length, so a match only means that it is worth looking closer.

use super::words::{Folded, fold};

/// The key of an ellipsis character.
pub(super) const DOTS: u32 = u32::MAX;

/// Which bytes are letters of an ASCII word.
pub(super) static WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

/// The key of the word that starts at `at`, if a table could hold it, and where to go on.
pub(super) fn key_at(text: &str, at: usize) -> (Option<u32>, usize) {
    let bytes = text.as_bytes();
    let mut end = at;
    while end < bytes.len() && WORD[usize::from(bytes[end])] {
        end += 1;
    }
    if end < bytes.len() && !bytes[end].is_ascii() {
        return key_at_slowly(text, at);
    }
    let letters = end - at;
    if letters < LETTERS_MIN {
        return (None, end);
    }
    let first = match bytes.get(at..at + 8) {
        Some(eight) => u64::from_le_bytes([eight[0], eight[1], eight[2], eight[3], eight[4], eight[5], eight[6], eight[7]]),
        None => bytes[at..end].iter().rev().fold(0, |first, byte| first << 8 | u64::from(*byte)),
    };
    let kept = if letters < 8 { first & ((1 << (8 * letters)) - 1) } else { first };
    // Lower case; what else the bit changes, it changes on both sides.
    let lower = kept | (0x2020_2020_2020_2020 & (u64::MAX >> (64 - 8 * letters.min(8))));
    (Some(key(lower, letters)), end)
}

/// The same for words with other letters than ASCII.
fn key_at_slowly(text: &str, at: usize) -> (Option<u32>, usize) {
    let (mut first, mut letters) = (0u64, 0);
    for (i, c) in text[at..].char_indices() {
        match fold(c) {
            Folded::Letter(l) => push(&mut first, &mut letters, l),
            Folded::Ideograph(same) if letters == 0 => {
                return (Some(key(same as u64, 1)), at + i + c.len_utf8());
            }
            Folded::Nothing => {}
            Folded::Mark('…' | '‥') if letters == 0 => {
                return (Some(DOTS), at + i + c.len_utf8());
            }
            _ if letters == 0 => return (None, at + i + c.len_utf8()),
            _ => return (Some(key(first, letters)), at + i),
        }
    }
    (Some(key(first, letters)), text.len())
}

fn push(first: &mut u64, letters: &mut usize, letter: char) {
    if *letters < 8 {
        let byte = if letter.is_ascii() { letter as u8 | 0x20 } else { 0xff };
        *first |= u64::from(byte) << (8 * *letters);
    }
    *letters += 1;
}

/// The same key of a folded word.
pub(super) fn key_of(word: &str) -> u32 {
    let (mut first, mut letters) = (0, 0);
    for c in word.chars() {
        match fold(c) {
            Folded::Ideograph(same) => return key(same as u64, 1),
            _ => push(&mut first, &mut letters, c),
        }
    }
    key(first, letters)
}

/// Shorter words are never looked for (`trigger` finds longer ones).
pub(super) const LETTERS_MIN: usize = 2;

/// A hash of the first eight letters and their number.
fn key(first: u64, letters: usize) -> u32 {
    ((first ^ (letters as u64) << 58).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// A set of keys that may err on the side of yes.
pub(super) struct Bits(pub(super) [u64; 256]);

impl Default for Bits {
    fn default() -> Self {
        Bits([0; 256])
    }
}

impl Bits {
    /// The place of a key: which word, and its bit there.
    pub(super) fn slot(key: u32) -> (usize, u64) {
        let hash = key >> 18;
        (hash as usize >> 6, 1 << (hash & 63))
    }

    pub(super) fn get(&self, key: u32) -> bool {
        let (word, bit) = Bits::slot(key);
        self.0[word] & bit != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrases::words::Words;

    #[test]
    fn raw_and_folded_words_have_the_same_key() {
        for text in ["implement", "TODO", "unverändert", "À", "代码", "コード", "rest_of", "ünvollständig12", "ab"] {
            let words = Words::of(text);
            assert_eq!(key_at(text, 0).0, Some(key_of(words.text(words.tokens[0]))), "{text}");
        }
        assert_eq!(key_at("a b", 0), (None, 1));
        assert_eq!(key_at("… b", 0), (Some(DOTS), 3));
    }
}
