//! Where in a test a check may count for less, and with how many inputs it runs.

use super::annotations;
use crate::facts::{Term, TermForm};
use crate::regions::{self, Shapes};
use crate::visit::Visit;
use tree_sitter::Node;

pub(super) const SHAPES: Shapes = Shapes {
    leaving: &["return_statement"],
    holders: &[],
    constants: (&["true"], &["false"]),
    skips: &["assumeTrue(", "Assume."],
    branch: "if_statement",
};

/// Errors whose handler takes a failed assertion too.
const TAKES_ALL: &[&str] = &["Throwable", "AssertionError", "Error", "AssertionFailedError"];

/// Words by which a handler passes on what it caught, or looks at it.
const PASSES_ON: &[&str] = &["throw", "assert", "fail", "verify", "return", "Assert", "add(", "set("];

/// Emits the stretches of a statement in a test.
pub(super) fn visit(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    match node.kind() {
        "if_statement" => regions::branch(node, &SHAPES, visit),
        "try_statement" | "try_with_resources_statement" => attempt(node, visit),
        _ => regions::repeated(node, visit),
    }
}

fn attempt(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(body) = node.child_by_field_name("body") else { return };
    let mut cursor = node.walk();
    let handlers: Vec<Node<'_>> = node.named_children(&mut cursor).filter(|c| c.kind() == "catch_clause").collect();
    let swallows = handlers.into_iter().any(|handler| {
        let Some(inside) = handler.child_by_field_name("body") else { return false };
        let head = visit.text.get(handler.start_byte()..inside.start_byte()).unwrap_or("");
        let takes = head.split(|c: char| !c.is_alphanumeric()).any(|word| TAKES_ALL.contains(&word));
        takes && !regions::passes_on(visit.text_of(inside), PASSES_ON)
    });
    if swallows {
        regions::swallowed(body, visit);
    }
}

/// Emits the rows of `@CsvSource({…})` and `@ValueSource(ints = {…})`.
pub(super) fn annotation(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(annotation) = annotations::of_node(node, visit.text) else { return };
    if !matches!(annotation.name, "CsvSource" | "ValueSource" | "EnumSource") {
        return;
    }
    if let Some(rows) = first_array(node) {
        let span = visit.span(rows);
        visit.out.terms.push(Term { span, form: TermForm::Rows, amount: rows.named_child_count() as u64 });
    }
}

/// Returns the first list in an annotation's arguments.
fn first_array(node: Node<'_>) -> Option<Node<'_>> {
    let list = node.child_by_field_name("arguments")?;
    let mut cursor = list.walk();
    list.named_children(&mut cursor).find_map(|child| match child.kind() {
        "element_value_array_initializer" => Some(child),
        "element_value_pair" => child.child_by_field_name("value").filter(|v| v.kind() == "element_value_array_initializer"),
        _ => None,
    })
}
