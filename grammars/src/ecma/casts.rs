//! Casts that switch the type checker off: `as any`, `<any>x`, `as unknown as T`.

use super::chain::{slice, stripped};
use crate::facts::{Edit, Reach, Suppression};
use crate::visit::Visit;
use tree_sitter::Node;

/// Emits a cast as a suppression, where it is one.
pub(super) fn visit<'tree>(node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let (Some(value), Some(target)) = (node.named_child(0), last_named(node)) else { return };
    if node.kind() == "type_assertion" {
        if slice(visit.text, value).trim_matches(['<', '>']).trim() == "any" {
            emit("as any", value.start_byte()..value.end_byte(), visit);
        }
        return;
    }
    if value == target {
        return;
    }
    if slice(visit.text, target) == "any" {
        emit("as any", keyword(value, node, visit)..node.end_byte(), visit);
        return;
    }
    let inner = stripped_once(value);
    let through = inner.kind() == "as_expression" && { last_named(inner).is_some_and(|t| slice(visit.text, t) == "unknown") };
    if through && let Some(first) = inner.named_child(0) {
        emit("as unknown as", keyword(first, inner, visit)..node.end_byte(), visit);
    }
}

fn last_named(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).last()
}

fn stripped_once(node: Node<'_>) -> Node<'_> {
    let mut at = node;
    while at.kind() == "parenthesized_expression" {
        match at.named_child(0) {
            Some(inner) => at = inner,
            None => return stripped(at),
        }
    }
    at
}

/// Returns where the `as` behind a value stands.
fn keyword(value: Node<'_>, cast: Node<'_>, visit: &Visit<'_, '_>) -> usize {
    let between = visit.text.get(value.end_byte()..cast.end_byte()).unwrap_or("");
    value.end_byte() + between.find("as").unwrap_or(0)
}

fn emit(code: &str, range: std::ops::Range<usize>, visit: &mut Visit<'_, '_>) {
    let before = visit.text[..range.start].trim_end().len();
    // With the blank before it; the double cast in parentheses has no simple edit.
    let text = visit.text.get(range.clone()).unwrap_or("");
    let removal = (!text.contains(')')).then(|| Edit {
        span: if code == "as any" && text.starts_with('<') {
            visit.span_of(range.start, range.end)
        } else {
            visit.span_of(before, range.end)
        },
        text: String::new(),
    });
    visit.out.suppressions.push(Suppression {
        span: visit.span_of(range.start, range.end),
        tool: "typescript".to_owned(),
        codes: vec![code.to_owned()],
        reach: Reach::Line,
        reason: false,
        mild: true,
        removal: removal.into_iter().collect(),
    });
}
