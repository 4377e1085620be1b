//! Tests of Rust whose text stands in a comment.

use super::attributes;
use crate::visit::CommentedTest;

/// Returns the tests defined in the text of a comment, each at the first of its attributes.
pub(super) fn tests(comment: &str) -> Vec<CommentedTest> {
    let mut found = Vec::new();
    let mut head: Option<usize> = None;
    let mut at = 0;
    for line in comment.split_inclusive('\n') {
        let here = at;
        at += line.len();
        let code = line.trim_start().trim_start_matches(['/', '*', '!']).trim();
        if code.starts_with("#[") {
            let is_test = attributes::of_range(code, 0..code.len()).iter().any(|a| attributes::is_test(a.path(code)));
            if head.is_none() && (is_test || code.ends_with(']')) {
                head = Some(here);
            }
            // An attribute and its function can stand on one line.
            if let Some(name) = code.rfind(']').and_then(|i| function(code[i + 1..].trim_start())) {
                found.push(CommentedTest { name: name.to_owned(), at: head.take().unwrap_or(here) });
            }
            continue;
        }
        if let Some(name) = function(code) {
            found.push(CommentedTest { name: name.to_owned(), at: head.unwrap_or(here) });
        }
        head = None;
    }
    // A block comment opens on the line before the first of them.
    if let Some(first) = found.first_mut().filter(|t: &&mut CommentedTest| comment[..t.at].trim() == "/*") {
        first.at = 0;
    }
    found
}

/// Returns the name of the function that a line begins to define.
fn function(code: &str) -> Option<&str> {
    let mut rest = code;
    for word in ["pub(crate) ", "pub ", "async ", "unsafe "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let rest = rest.strip_prefix("fn ")?.trim_start();
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (end > 0 && rest[end..].trim_start().starts_with(['(', '<'])).then_some(&rest[..end])
}
