//! Lines and columns of a text: line ends as LSP has them (`\n`, `\r\n`, `\r`), columns in Unicode characters.
//!
//! Positions for clients are the `lsp` layer's; this is what reports print.

use std::ops::Range;

/// A place in a text, 1-based; columns count Unicode characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// Returns the byte at which each line starts.
pub fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for i in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        if bytes[i] == b'\n' || bytes.get(i + 1) != Some(&b'\n') {
            starts.push(i + 1);
        }
    }
    starts
}

/// Returns the place of a byte, given the starts of lines.
pub fn place(text: &str, starts: &[usize], byte: usize) -> Place {
    let byte = byte.min(text.len());
    let line = starts.partition_point(|s| *s <= byte).max(1);
    let from = starts.get(line - 1).copied().unwrap_or(0);
    let column = text.get(from..byte).map_or(0, |t| t.trim_start_matches('\u{feff}').chars().count());
    Place { line: line as u32, column: column as u32 + 1 }
}

/// Returns the range of the whole line (or lines) around a byte range, line end included.
pub fn whole_lines(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind(['\n', '\r']).map_or(0, |i| i + 1);
    let from = if range.end > range.start && text[..range.end].ends_with('\n') { range.end - 1 } else { range.end };
    let end = match text[from..].find(['\n', '\r']) {
        None => text.len(),
        Some(i) => {
            let at = from + i;
            if text[at..].starts_with("\r\n") { at + 2 } else { at + 1 }
        }
    };
    start..end
}

/// Returns a line without its line end.
pub fn line<'a>(text: &'a str, starts: &[usize], index: usize) -> &'a str {
    let Some(start) = starts.get(index).copied() else { return "" };
    let end = starts.get(index + 1).copied().unwrap_or(text.len());
    text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_those_of_the_protocol() {
        let text = "a\r\nb\rc\nd\u{2028}e";
        assert_eq!(line_starts(text), [0, 3, 5, 7]);
        assert_eq!(place(text, &line_starts(text), 7), Place { line: 4, column: 1 });
    }

    #[test]
    fn whole_lines_take_their_line_end() {
        assert_eq!(whole_lines("a\nbc\r\nd", 3..4), 2..6);
        assert_eq!(whole_lines("a\nbc", 2..3), 2..4);
    }
}
