//! Positions and bytes of a text, in the encoding that was agreed on.
//!
//! Lines end at `\n`, `\r\n` and `\r` (what ropey's `cr_lines` counts). Whatever lies outside the text is clamped, and a
//! position inside a character goes to its start: clients do send both, and a server that panics there is gone.

use super::Point;
use ropey::{Rope, RopeSlice};

/// What a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Code units of UTF-16; what is meant where nothing is said.
    Utf16,
    /// Characters.
    Utf32,
}

/// Returns the byte of a position.
pub(crate) fn byte(text: &Rope, point: Point, encoding: Encoding) -> usize {
    let line = point.line as usize;
    if line >= text.len_lines() {
        return text.len_bytes();
    }
    let slice = without_end(text.line(line));
    let column = point.character as usize;
    let within = match encoding {
        Encoding::Utf8 => slice.char_to_byte(slice.byte_to_char(column.min(slice.len_bytes()))),
        Encoding::Utf16 => slice.char_to_byte(slice.utf16_cu_to_char(column.min(slice.len_utf16_cu()))),
        Encoding::Utf32 => slice.char_to_byte(column.min(slice.len_chars())),
    };
    text.line_to_byte(line) + within
}

/// Returns the position of a byte.
pub(crate) fn point(text: &Rope, byte: usize, encoding: Encoding) -> Point {
    let byte = byte.min(text.len_bytes());
    let line = text.byte_to_line(byte);
    let within = byte - text.line_to_byte(line);
    let slice = text.line(line);
    let character = match encoding {
        Encoding::Utf8 => within,
        Encoding::Utf16 => slice.char_to_utf16_cu(slice.byte_to_char(within)),
        Encoding::Utf32 => slice.byte_to_char(within),
    };
    Point { line: line as u32, character: character as u32 }
}

fn without_end(line: RopeSlice<'_>) -> RopeSlice<'_> {
    let mut length = line.len_bytes();
    if length > 0 && line.byte(length - 1) == b'\n' {
        length -= 1;
    }
    if length > 0 && line.byte(length - 1) == b'\r' {
        length -= 1;
    }
    line.byte_slice(..length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, line: u32, character: u32, encoding: Encoding) -> usize {
        byte(&Rope::from_str(text), Point { line, character }, encoding)
    }

    #[test]
    fn columns_count_what_was_agreed_on() {
        let text = "aé😀b\r\nc\rd\u{2028}e\n";
        for (encoding, columns) in
            [(Encoding::Utf8, [0, 1, 3, 7, 8]), (Encoding::Utf16, [0, 1, 2, 4, 5]), (Encoding::Utf32, [0, 1, 2, 3, 4])]
        {
            for (column, want) in columns.into_iter().zip([0, 1, 3, 7, 8]) {
                assert_eq!(at(text, 0, column, encoding), want, "{encoding:?} {column}");
                assert_eq!(point(&Rope::from_str(text), want, encoding), Point { line: 0, character: column });
            }
            assert_eq!(at(text, 1, 0, encoding), 10);
            assert_eq!(at(text, 2, 0, encoding), 12);
            assert_eq!(at(text, 3, 0, encoding), text.len());
        }
    }

    #[test]
    fn what_lies_outside_is_clamped() {
        let text = "ab\r\n😀\n";
        assert_eq!(at(text, 0, 99, Encoding::Utf16), 2);
        assert_eq!(at(text, 1, 1, Encoding::Utf16), 4);
        assert_eq!(at(text, 1, 2, Encoding::Utf8), 4);
        assert_eq!(at(text, 9, 9, Encoding::Utf32), text.len());
        assert_eq!(at("", 0, u32::MAX, Encoding::Utf8), 0);
        assert_eq!(point(&Rope::from_str("a"), 99, Encoding::Utf16), Point { line: 0, character: 1 });
    }
}
