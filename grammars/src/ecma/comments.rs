//! Tests that stand in comments, read from text alone: a comment has no tree.

use super::chain::unquoted;
use super::frameworks::{segment, word};
use crate::facts::ItemKind;
use crate::visit::CommentedTest;

/// Bytes of a table that are skipped to find the title behind it (`it.each([…])('title', …)`).
const TABLE_BYTES_MAX: usize = 4096;

/// Returns the tests whose definitions open a line of a comment, in order.
pub(super) fn tests(comment: &str) -> Vec<CommentedTest> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in comment.split_inclusive('\n') {
        let code = line.trim_start_matches([' ', '\t', '/', '*', '\u{feff}', '{']);
        let start = at + line.len() - code.len();
        if let Some(name) = definition(&comment[start..]) {
            found.push(CommentedTest { name, at: start });
        }
        at += line.len();
    }
    found
}

/// Reads `await it.only.each(table)('title'` at the start of a text.
fn definition(text: &str) -> Option<String> {
    let text = text.strip_prefix("await ").unwrap_or(text);
    let end = identifier(text);
    let root = &text[..end];
    let is_test = word(root).is_some_and(|w| w.kind == ItemKind::Test) || matches!(root, "t" | "QUnit" | "Deno");
    if !is_test {
        return None;
    }
    let mut rest = &text[end..];
    let mut table = false;
    let mut parts = 0;
    loop {
        if let Some(after) = rest.strip_prefix('.') {
            let end = identifier(after);
            let part = &after[..end];
            if segment(part).is_none() && word(part).is_none_or(|w| w.kind != ItemKind::Test) {
                return None;
            }
            table = matches!(part, "each" | "for" | "skipIf" | "runIf" | "if" | "todoIf");
            rest = &after[end..];
            parts += 1;
        } else if table && rest.starts_with(['(', '`', '<']) {
            rest = behind_table(rest)?;
            table = false;
        } else {
            break;
        }
    }
    if matches!(root, "t" | "QUnit" | "Deno") && parts == 0 {
        return None;
    }
    let inside = rest.strip_prefix('(')?.trim_start_matches([' ', '\t', '\r', '\n', '/', '*']);
    literal(inside).map(str::to_owned)
}

fn identifier(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(text.len())
}

/// Returns what stands behind a balanced table of rows.
fn behind_table(text: &str) -> Option<&str> {
    let mut depth = 0i32;
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate().take(TABLE_BYTES_MAX) {
        match (quote, byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"' | b'`') => quote = Some(byte),
            (None, b'(' | b'[' | b'<' | b'{') => depth += 1,
            (None, b')' | b']' | b'>' | b'}') => depth -= 1,
            _ => {}
        }
        if depth == 0 && quote.is_none() && matches!(byte, b')' | b'`') {
            return text.get(at + 1..);
        }
    }
    None
}

/// Returns the text of a string literal at the start of a text.
fn literal(text: &str) -> Option<&str> {
    let open = *text.as_bytes().first()?;
    if !matches!(open, b'\'' | b'"' | b'`') {
        return None;
    }
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'\n' if open != b'`' => return None,
            byte if byte == open => return text.get(..=at).map(unquoted),
            _ => {}
        }
    }
    None
}
