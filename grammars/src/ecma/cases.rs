//! What a branch of production code gives for literals (`facts::Case`), and what a double is told to give (`facts::Answer`).

use super::chain::{Chain, Part, arguments, is_function, slice, stripped};
use super::stubs;
use crate::facts::{Answer, Case};
use crate::visit::Visit;
use tree_sitter::Node;

/// Emits a branch that does nothing but give a literal back where names equal literals.
pub(super) fn branch(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    if !visit.first_line(node).contains("==") {
        return;
    }
    let Some(consequence) = node.child_by_field_name("consequence") else { return };
    let statement = match consequence.kind() {
        "return_statement" => consequence,
        "statement_block" if consequence.named_child_count() == 1 => match consequence.named_child(0) {
            Some(only) if only.kind() == "return_statement" => only,
            _ => return,
        },
        _ => return,
    };
    let Some(answer) = statement.named_child(0).filter(|v| stubs::is_constant(*v, visit.text, 0)) else { return };
    let Some(condition) = node.child_by_field_name("condition").map(stripped) else { return };
    let (mut open, mut given) = (vec![condition], Vec::new());
    while let Some(node) = open.pop() {
        let node = stripped(node);
        let parts = (node.child_by_field_name("left"), node.child_by_field_name("operator"), node.child_by_field_name("right"));
        let ("binary_expression", (Some(left), Some(operator), Some(right))) = (node.kind(), parts) else { return };
        match slice(visit.text, operator) {
            "&&" => open.extend([left, right]),
            "===" | "==" if left.kind() == "identifier" && stubs::is_constant(right, visit.text, 0) => given.push(visit.span(right)),
            _ => return,
        }
    }
    let (span, answer) = (visit.span(condition), visit.span(answer));
    visit.out.cases.push(Case { span, given, answer });
}

/// Emits what a call tells a double to give back: `clock.now.mockReturnValue(3)`, `const now = vi.fn(() => 3)`.
pub(super) fn answer(node: Node<'_>, callee: Node<'_>, name: &str, visit: &mut Visit<'_, '_>) {
    if !matches!(
        name,
        "mockReturnValue" | "mockResolvedValue" | "mockReturnValueOnce" | "mockResolvedValueOnce" | "returns" | "resolves" | "fn"
    ) {
        return;
    }
    let Some(first) = node.child_by_field_name("arguments").and_then(|a| arguments(a).first().copied()) else { return };
    let value = if name == "fn" { constant_function(first) } else { Some(first) };
    let Some(value) = value else { return };
    let Some(object) = callee.child_by_field_name("object") else { return };
    let told = slice(visit.text, object);
    let made = Chain::of(object, visit.text).is_some_and(|c| {
        let root = slice(visit.text, c.root);
        matches!(root, "jest" | "vi" | "sinon") && c.parts.iter().any(|p| matches!(p, Part::Call { .. }))
    });
    let of = if name == "fn" || made { bound(node, visit.text) } else { Some(told) };
    let Some(of) = of.filter(|of| !of.is_empty()) else { return };
    if name == "fn" && !matches!(told, "jest" | "vi" | "mock") {
        return;
    }
    let (span, value) = (visit.span(node), visit.span(value));
    visit.out.answers.push(Answer { span, of: of.to_owned(), value });
}

/// Returns the expression that a function without parameters gives back.
fn constant_function(node: Node<'_>) -> Option<Node<'_>> {
    let body = node.child_by_field_name("body").filter(|_| is_function(node))?;
    (body.kind() != "statement_block").then(|| stripped(body))
}

/// Returns the name that a declaration or assignment binds a call to.
fn bound<'a>(node: Node<'_>, text: &'a str) -> Option<&'a str> {
    let parent = node.parent()?;
    match parent.kind() {
        "variable_declarator" => parent.child_by_field_name("name").map(|n| slice(text, n)),
        "assignment_expression" => parent.child_by_field_name("left").map(|n| slice(text, n)),
        _ => None,
    }
}
