//! What a branch of production code gives for literals (`facts::Case`), and what a double is told to give (`facts::Answer`).

use super::stubs;
use super::syntax::{Arguments, children, field, only_child, string_content, tail};
use crate::facts::{Answer, Case};
use crate::visit::Visit;
use tree_sitter::Node;

/// Emits a branch that does nothing but give a literal back where names equal literals.
pub(super) fn branch(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    if !visit.first_line(node).contains("==") {
        return;
    }
    let Some(body) = field(node, "consequence").filter(|b| b.named_child_count() == 1) else { return };
    let Some(statement) = only_child(body).filter(|s| s.kind() == "return_statement") else { return };
    let Some(answer) = only_child(statement).filter(|v| stubs::is_constant(visit.text, *v)) else { return };
    let Some(condition) = field(node, "condition") else { return };
    let (mut open, mut given) = (vec![condition], Vec::new());
    while let Some(node) = open.pop() {
        match node.kind() {
            "parenthesized_expression" => open.extend(only_child(node)),
            "boolean_operator" if field(node, "operator").is_some_and(|o| visit.text_of(o) == "and") => {
                open.extend(["left", "right"].iter().filter_map(|f| field(node, f)));
            }
            "comparison_operator" => {
                let operands = children(node);
                let equal = field(node, "operators").is_some_and(|o| visit.text_of(o) == "==");
                match operands.as_slice() {
                    [name, literal] if equal && is_name(*name) && stubs::is_constant(visit.text, *literal) => {
                        given.push(visit.span(*literal))
                    }
                    _ => return,
                }
            }
            _ => return,
        }
    }
    let answer = visit.span(answer);
    visit.out.cases.push(Case { span: visit.span(condition), given, answer });
}

fn is_name(node: Node<'_>) -> bool {
    match node.kind() {
        "identifier" => true,
        "tuple" => children(node).into_iter().all(|n| n.kind() == "identifier"),
        _ => false,
    }
}

/// Emits `double.method.return_value = 3` and `double = Mock(return_value=3)`.
pub(super) fn assignment(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    if !visit.briefly_says(node, &["return_value"]) {
        return;
    }
    let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else { return };
    match left.kind() {
        "attribute" if field(left, "attribute").is_some_and(|a| visit.text_of(a) == "return_value") => {
            let Some(of) = field(left, "object") else { return };
            push(node, visit.text_of(of).to_owned(), right, visit);
        }
        "identifier" if right.kind() == "call" => {
            let makes = field(right, "function").and_then(|f| tail(visit.text, f));
            if makes.is_some_and(|m| matches!(m, "Mock" | "MagicMock" | "AsyncMock")) {
                let value = Arguments::of(right).named(visit.text, "return_value");
                if let Some(value) = value {
                    push(node, visit.text_of(left).to_owned(), value, visit);
                }
            }
        }
        _ => {}
    }
}

/// Emits `patch.object(shop, "price", return_value=3)`, `patch("shop.price", return_value=3)`, `setattr(shop, "price", lambda: 3)`.
pub(super) fn patched(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let arguments = Arguments::of(node);
    let told = arguments.named(visit.text, "return_value");
    let by_lambda = || arguments.positional.last().filter(|n| n.kind() == "lambda").and_then(|l| field(*l, "body"));
    let Some(value) = told.or_else(by_lambda) else { return };
    let content = |n: &Node<'_>| string_content(visit.text, *n);
    let of = match arguments.positional.as_slice() {
        [object, name, ..] if object.kind() != "string" => match content(name) {
            Some(name) => vec![format!("{}.{name}", visit.text_of(*object))],
            None => return,
        },
        [path, ..] => {
            let Some(path) = content(path) else { return };
            let mut parts = path.rsplit('.');
            let (Some(name), Some(module)) = (parts.next(), parts.next()) else { return };
            vec![format!("{module}.{name}"), name.to_owned()]
        }
        [] => return,
    };
    for of in of {
        push(node, of, value, visit);
    }
}

fn push(node: Node<'_>, of: String, value: Node<'_>, visit: &mut Visit<'_, '_>) {
    let (span, value) = (visit.span(node), visit.span(value));
    visit.out.answers.push(Answer { span, of, value });
}
