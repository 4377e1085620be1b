//! Tests of Java whose text stands in a comment.

use crate::visit::CommentedTest;

/// Returns the tests defined in the text of a comment, each at the first of its annotations.
pub(super) fn tests(comment: &str) -> Vec<CommentedTest> {
    let mut found: Vec<CommentedTest> = Vec::new();
    let mut head: Option<(usize, bool)> = None;
    let mut at = 0;
    for line in comment.split_inclusive('\n') {
        let here = at;
        at += line.len();
        let code = line.trim_start().trim_start_matches(['/', '*']).trim();
        let (marked, rest) = annotations(code);
        if let Some(is_test) = marked {
            let (start, before) = head.unwrap_or((here, false));
            head = Some((start, before || is_test));
        }
        if rest.is_empty() {
            continue;
        }
        if let Some(name) = method(rest) {
            let (start, marked) = head.unwrap_or((here, false));
            if marked || (name.starts_with("test") && rest.contains("void ")) {
                found.push(CommentedTest { name: name.to_owned(), at: start });
            }
        }
        head = None;
    }
    // A block comment opens on the line before the first of them.
    if let Some(first) = found.first_mut().filter(|t: &&mut CommentedTest| comment[..t.at].trim() == "/*") {
        first.at = 0;
    }
    found
}

/// Returns whether annotations open a line and one of them makes a test, and what follows them.
fn annotations(code: &str) -> (Option<bool>, &str) {
    let mut rest = code;
    let mut marked = None;
    while let Some(after) = rest.strip_prefix('@') {
        let end = after.find(|c: char| !c.is_alphanumeric() && c != '.' && c != '_').unwrap_or(after.len());
        let name = after[..end].rsplit('.').next().unwrap_or("");
        marked = Some(marked.unwrap_or(false) || name.ends_with("Test") || ["TestFactory", "TestTemplate", "Theory"].contains(&name));
        rest = arguments(after[end..].trim_start());
    }
    (marked, rest)
}

/// Returns what follows a list in parentheses; one that goes on in the next line ends this one.
fn arguments(code: &str) -> &str {
    if !code.starts_with('(') {
        return code;
    }
    let mut depth = 0usize;
    for (at, c) in code.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return code[at + 1..].trim_start(),
            ')' => depth -= 1,
            _ => {}
        }
    }
    ""
}

/// Returns the name of the method that a line begins to define.
fn method(code: &str) -> Option<&str> {
    let (before, after) = code.split_once('(')?;
    let name = before.split_whitespace().last()?;
    let typed = before.split_whitespace().count() > 1;
    let plain = before.chars().all(|c| c.is_alphanumeric() || " _$<>[],.?\t".contains(c));
    let statement = ["return", "new", "throw", "else", "assert", "yield", "case"].contains(&before.split_whitespace().next()?);
    let word = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    (typed && plain && !statement && word && !after.trim_end().ends_with(';')).then_some(name)
}
