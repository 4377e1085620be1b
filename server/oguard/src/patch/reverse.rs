//! Takes the hunks of a diff back from the text they lead to, which gives the text before.
//!
//! No fuzz: a hunk stands where its header says, or the diff is not of this text. Line ends may differ between the diff and
//! the file (a diff that went through a tool which converts them); what is put back has the file's.

use super::{FilePatch, Hunk, Line, PatchError, without_cr};

/// Returns the text before a diff, from the text after it.
///
/// # Errors
/// Where a hunk is not in the text.
pub fn take_back(patch: &FilePatch, after: &[u8]) -> Result<Vec<u8>, PatchError> {
    let path = patch.new_path.as_deref().or(patch.old_path.as_deref()).unwrap_or("");
    let lines: Vec<&[u8]> = after.split_inclusive(|b| *b == b'\n').collect();
    let crlf = after.windows(2).any(|w| w == b"\r\n");
    let mut before = Vec::with_capacity(after.len());
    let mut at = 0;
    for hunk in &patch.hunks {
        let wrong = || PatchError::DoesNotApply { path: path.to_owned(), at: hunk.at };
        let adds = hunk.lines.iter().any(|l| !matches!(l, Line::Removed(_)));
        let start = if adds { hunk.start.checked_sub(1).ok_or_else(wrong)? } else { hunk.start };
        if start < at || start > lines.len() {
            return Err(wrong());
        }
        before.extend(lines[at..start].concat());
        at = start;
        for (index, line) in hunk.lines.iter().enumerate() {
            match line {
                Line::Context(expected) => {
                    let found = lines.get(at).filter(|l| same(l, expected)).ok_or_else(wrong)?;
                    push_context(&mut before, found, hunk.old_without_end && is_last_old(hunk, index));
                    at += 1;
                }
                Line::Added(expected) => {
                    lines.get(at).filter(|l| same(l, expected)).ok_or_else(wrong)?;
                    at += 1;
                }
                Line::Removed(text) => push_removed(&mut before, text, crlf, hunk.old_without_end && is_last_old(hunk, index)),
            }
        }
        if hunk.new_without_end && (at != lines.len() || after.ends_with(b"\n")) {
            return Err(wrong());
        }
    }
    before.extend(lines[at..].concat());
    Ok(before)
}

fn same(line: &[u8], expected: &[u8]) -> bool {
    without_cr(line.strip_suffix(b"\n").unwrap_or(line)) == without_cr(expected)
}

/// Whether no line of the text before follows in a hunk.
fn is_last_old(hunk: &Hunk, index: usize) -> bool {
    hunk.lines[index + 1..].iter().all(|l| matches!(l, Line::Added(_)))
}

fn push_context(before: &mut Vec<u8>, found: &[u8], without_end: bool) {
    before.extend(if without_end { without_cr(found.strip_suffix(b"\n").unwrap_or(found)) } else { found });
}

/// Puts a removed line back, with the file's line end where the diff lost it.
fn push_removed(before: &mut Vec<u8>, text: &[u8], crlf: bool, without_end: bool) {
    if without_end {
        before.extend(without_cr(text));
        return;
    }
    before.extend(text);
    if crlf && !text.ends_with(b"\r") {
        before.push(b'\r');
    }
    before.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn back(diff: &str, after: &str) -> Result<String, PatchError> {
        let patch = parse(diff.as_bytes()).unwrap().remove(0);
        take_back(&patch, after.as_bytes()).map(|b| String::from_utf8(b).unwrap())
    }

    const HEAD: &str = "--- a/x\n+++ b/x\n";

    #[test]
    fn hunks_are_taken_back_in_place() {
        let diff = format!("{HEAD}@@ -1,3 +1,4 @@\n a\n-b\n+B\n+B2\n c\n@@ -5,2 +6,1 @@\n e\n-f\n");
        assert_eq!(back(&diff, "a\nB\nB2\nc\nd\ne\n").unwrap(), "a\nb\nc\nd\ne\nf\n");
    }

    #[test]
    fn a_pure_deletion_without_context_stands_after_its_line() {
        let diff = format!("{HEAD}@@ -2 +1,0 @@\n-b\n");
        assert_eq!(back(&diff, "a\nc\n").unwrap(), "a\nb\nc\n");
    }

    #[test]
    fn a_missing_line_end_comes_and_goes() {
        let lost = format!("{HEAD}@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n");
        assert_eq!(back(&lost, "b\n").unwrap(), "a");
        let gained = format!("{HEAD}@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n");
        assert_eq!(back(&gained, "b").unwrap(), "a\n");
        let kept = format!("{HEAD}@@ -1,2 +1,2 @@\n-a\n+b\n z\n\\ No newline at end of file\n");
        assert_eq!(back(&kept, "b\nz").unwrap(), "a\nz");
    }

    #[test]
    fn line_ends_of_diff_and_file_may_differ() {
        let diff = format!("{HEAD}@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
        assert_eq!(back(&diff, "a\r\nc\r\n").unwrap(), "a\r\nb\r\n");
        assert_eq!(back(&diff.replace('\n', "\r\n"), "a\r\nc\r\n").unwrap(), "a\r\nb\r\n");
    }

    #[test]
    fn a_hunk_that_is_elsewhere_is_an_error() {
        let diff = format!("{HEAD}@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
        assert_eq!(back(&diff, "new\na\nc\n"), Err(PatchError::DoesNotApply { path: "x".to_owned(), at: 3 }));
    }

    #[test]
    fn a_deleted_file_comes_back_whole() {
        let diff = "--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n";
        assert_eq!(back(diff, "").unwrap(), "a\nb\n");
    }
}
