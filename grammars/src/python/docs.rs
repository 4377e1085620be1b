//! Code that stands in text: examples of docstrings that are skipped, tests that were turned into a string or a comment.

use super::items::is_test_name;
use super::syntax::{docstring, is_string, only_child};
use crate::facts::{Comment, Edit, Effect, ItemKind, Marker, OnNew};
use crate::visit::{CommentedTest, Visit};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use tree_sitter::Node;

/// Emits the examples of the docstring of a body: those that run, and a marker on those that are told not to.
pub(super) fn examples(body: Node<'_>, name: &str, visit: &mut Visit<'_, '_>) {
    if let Some(string) = docstring(body) {
        read(string, Some(name), visit);
    }
}

/// Emits what a string that is a statement holds: the module's docstring, or tests that were put between quotes.
pub(super) fn statement(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(string) = only_child(node).filter(|n| is_string(*n)) else { return };
    let text = visit.text_of(string);
    if text.contains("def test") {
        // What is in it is no code any more: it is read as a comment would be.
        let span = visit.span(string);
        visit.out.comments.push(Comment { span, alone: true, block: true, doc: false });
    }
    if visit.frame().kind == ItemKind::File && text.contains(">>>") && is_first(visit.text, node.start_byte()) {
        read(string, None, visit);
    }
}

/// Whether only comments and blanks stand before a byte.
fn is_first(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|head| {
        head.trim_start_matches('\u{feff}').lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
    })
}

/// Reads the examples of a docstring. `name` is what the docstring documents; none for the module.
fn read(string: Node<'_>, name: Option<&str>, visit: &mut Visit<'_, '_>) {
    let text = visit.text_of(string);
    if !text.contains(">>>") {
        return;
    }
    let mut at = string.start_byte();
    let mut last = None;
    for line in text.split_inclusive('\n') {
        let here = at;
        at += line.len();
        let code = line.trim_start();
        let first = code.starts_with(">>>");
        if !first && !code.starts_with("...") {
            continue;
        }
        let skip = directive(line);
        if first {
            let end = skip.map_or(line.len(), |(hash, _, _)| hash);
            let mut hasher = DefaultHasher::new();
            (name, line[..end].trim()).hash(&mut hasher);
            last = Some(hasher.finish());
            visit.out.examples.extend(last);
        }
        let (Some((hash, words, end)), Some(example)) = (skip, last) else { continue };
        // Told on any of its lines, the whole example is skipped.
        visit.out.examples.retain(|e| *e != example);
        let blanks = line[..hash].len() - line[..hash].trim_end().len();
        let removal = vec![Edit { span: visit.span_of(here + hash - blanks, here + end), text: String::new() }];
        let span = visit.span_of(here + words, here + end);
        visit.out.markers.push(Marker {
            subject: name.map(str::to_owned),
            whole_file: name.is_none(),
            // An example that never ran took no evidence away.
            on_new: OnNew::Inform,
            example: Some(example),
            removal,
            ..Marker::new(Effect::Disabled, span)
        });
    }
}

/// Returns where the `#`, the words and the end of a `# doctest: +SKIP` are in a line.
fn directive(line: &str) -> Option<(usize, usize, usize)> {
    let hash = line.rfind('#')?;
    let words = hash + 1 + line[hash + 1..].find("doctest")?;
    let between = line[hash + 1..words].trim();
    let options = line[words..].strip_prefix("doctest")?.trim_start().strip_prefix(':')?;
    let skips = options.split(',').any(|o| o.split_whitespace().next() == Some("+SKIP"));
    let end = words + line[words..].find("+SKIP")? + "+SKIP".len();
    (between.is_empty() && skips).then_some((hash, words, end))
}

/// Returns the tests whose definitions stand in the text of a comment, or of a string put around them.
pub(super) fn commented_tests(comment: &str) -> Vec<CommentedTest> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in comment.split_inclusive('\n') {
        let code = line.trim_start_matches([' ', '\t', '#', '"', '\'', 'r']);
        let definition = code.strip_prefix("async ").map_or(code, str::trim_start);
        if let Some(rest) = definition.strip_prefix("def ") {
            let rest = rest.trim_start();
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if is_test_name(&name) && rest[name.len()..].trim_start().starts_with('(') {
                found.push(CommentedTest { at: at + line.len() - code.len(), name });
            }
        }
        at += line.len();
    }
    found
}
