//! Finds the places in a raw comment where a directive may start: behind its marker, behind another marker on the same
//! line (`# why  # noqa`), and at the start of each line of a block.
//!
//! The comment's own first characters tell its markers, so this needs no language.

/// A place where a directive may start, and the end of its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The line within the comment.
    pub(super) line: usize,
    /// In a block comment.
    pub(super) block: bool,
    /// On the last line of a block comment that holds text at all.
    pub(super) last: bool,
    /// Behind another marker on the same line.
    pub(super) again: bool,
    /// On a later line of a block comment.
    pub(super) inner: bool,
    /// Glued to its marker.
    pub(super) tight: bool,
}

/// Markers of block comments and their ends.
const BLOCKS: [(&str, &str); 8] =
    [("{/*", "*/}"), ("/*", "*/"), ("<!--", "-->"), ("--[[", "]]"), ("(--", "--)"), ("{-", "-}"), ("\"\"\"", "\"\"\""), ("(*", "*)")];

/// Markers of line comments.
const LINES: [&str; 6] = ["//", "#", "--", ";", "%", "\""];

/// Calls `found` for the places of a raw comment, in order.
pub(super) fn each(raw: &str, mut found: impl FnMut(Segment)) {
    // Most comments begin with two slashes or a hash.
    let line = raw.starts_with("//") || raw.starts_with('#');
    match BLOCKS.iter().find(|(open, _)| !line && raw.starts_with(open)) {
        Some((open, close)) => block(raw, open, close, &mut found),
        None => lines(raw, &mut found),
    }
}

fn block(raw: &str, open: &str, close: &str, found: &mut impl FnMut(Segment)) {
    let end = if raw.len() >= open.len() + close.len() { raw.strip_suffix(close).map_or(raw.len(), str::len) } else { raw.len() };
    let mut at = open.len();
    let mut inner = false;
    for (line, text) in raw[at..end].split('\n').enumerate() {
        let text_end = at + text.trim_end().len();
        let start = at + lead(text, &['*', '!']);
        at += text.len() + 1;
        if start >= text_end {
            continue;
        }
        // `inner` is a line behind the first that holds text; a last line that holds none is the last all the same.
        found(Segment { start, end: text_end, line, block: true, last: at > end, again: false, inner, tight: false });
        inner = true;
    }
}

fn lines(raw: &str, found: &mut impl FnMut(Segment)) {
    let mut at = 0;
    for (line, text) in raw.split('\n').enumerate() {
        let (from, end) = (at, at + text.trim_end().len());
        at += text.len() + 1;
        let indent = text.len() - text.trim_start().len();
        let Some(marker) = LINES.iter().find(|marker| text[indent..].starts_with(**marker)) else {
            continue;
        };
        let glued = marker.as_bytes()[0];
        let mut start = from + indent + marker.len();
        let mut again = false;
        loop {
            let text = &raw[start..end.max(start)];
            let skipped = text.bytes().take_while(|b| *b == glued || *b == b'!').count();
            let blanks = text[skipped..].bytes().take_while(u8::is_ascii_whitespace).count();
            let first = start + skipped + blanks;
            if first >= end {
                break;
            }
            let next = next_marker(raw, first, end, marker);
            found(Segment {
                start: first,
                end: next.unwrap_or(end),
                line,
                block: false,
                last: true,
                again,
                inner: false,
                tight: skipped + blanks == 0,
            });
            let Some(next) = next else { break };
            start = next + marker.len();
            again = true;
        }
    }
}

/// Where the next marker stands that has a blank before it.
fn next_marker(raw: &str, from: usize, end: usize, marker: &str) -> Option<usize> {
    let bytes = raw.as_bytes();
    let mut at = from + 1;
    while at < end {
        at += bytes[at..end].iter().position(|b| *b == marker.as_bytes()[0])?;
        if bytes[at - 1].is_ascii_whitespace() && raw[at..end].starts_with(marker) {
            return Some(at);
        }
        at += 1;
    }
    None
}

fn lead(text: &str, marks: &[char]) -> usize {
    let rest = text.trim_start().trim_start_matches(marks).trim_start();
    text.len() - rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(raw: &str) -> Vec<(&str, bool, bool)> {
        let mut found = Vec::new();
        each(raw, |s| found.push((&raw[s.start..s.end], s.again, s.inner)));
        found
    }

    #[test]
    fn starts_of_a_comment() {
        assert_eq!(texts("# a # b  # c"), [("a ", false, false), ("b  ", true, false), ("c", true, false)]);
        assert_eq!(texts("//nolint:x // why"), [("nolint:x ", false, false), ("why", true, false)]);
        assert_eq!(texts("// see http://a//b"), [("see http://a//b", false, false)]);
        assert_eq!(texts("/* a\n * b\n */"), [("a", false, false), ("b", false, true)]);
        assert_eq!(texts("/**\n * a */"), [("a", false, false)]);
        assert_eq!(texts("{/* a */}"), [("a", false, false)]);
        assert_eq!(texts("#a\n#b"), [("a", false, false), ("b", false, false)]);
        assert_eq!(texts("##"), []);
        assert_eq!(texts("/**/"), []);
        assert_eq!(texts("/*/"), [("/", false, false)]);
    }
}
