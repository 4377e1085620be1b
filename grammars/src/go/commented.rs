//! Tests of Go whose text stands in a comment.

use super::items;
use crate::visit::CommentedTest;

/// Returns the tests defined in the text of a comment.
pub(super) fn tests(comment: &str) -> Vec<CommentedTest> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in comment.split_inclusive('\n') {
        let code = line.trim_start().trim_start_matches(['/', '*']).trim();
        if let Some(name) = function(code).or_else(|| titled(code)) {
            found.push(CommentedTest { name, at });
        }
        at += line.len();
    }
    // A block comment opens on the line before the first of them.
    if let Some(first) = found.first_mut().filter(|t: &&mut CommentedTest| comment[..t.at].trim() == "/*") {
        first.at = 0;
    }
    found
}

/// Returns the name of the test function or suite method that a line begins to define.
fn function(code: &str) -> Option<String> {
    let rest = code.strip_prefix("func ")?.trim_start();
    let (receiver, rest) = match rest.strip_prefix('(') {
        Some(inner) => {
            let (receiver, rest) = inner.split_once(')')?;
            let of = receiver.split_whitespace().last()?.trim_start_matches('*');
            (Some(of.split('[').next().unwrap_or(of)), rest.trim_start())
        }
        None => (None, rest),
    };
    let name = rest.split('(').next().filter(|name| name.len() < rest.len())?.trim();
    if !items::collected(name) {
        return None;
    }
    Some(receiver.map_or_else(|| name.to_owned(), |of| format!("{of}.{name}")))
}

/// Returns the title of the subtest or spec that a line begins to define.
fn titled(code: &str) -> Option<String> {
    let (callee, rest) = code.split_once('(')?;
    let name = callee.rsplit('.').next().unwrap_or(callee);
    let known = match name {
        "Run" => callee != name,
        "It" | "Specify" | "Describe" | "Context" | "When" | "it" | "when" => true,
        _ => false,
    };
    let quote = rest.chars().next().filter(|c| known && matches!(c, '"' | '`'))?;
    let title = rest[1..].split(quote).next()?;
    (rest.contains("func(") && callee.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))).then(|| title.to_owned())
}
