//! What the body of a Go function amounts to, and the stubs that are all of a body.

use super::calls;
use super::flag;
use crate::facts::{Body, Shape, Stub, StubForm};
use crate::visit::Visit;
use tree_sitter::Node;

/// Returns a body without judging what stands in it.
pub(super) fn plain(block: Node<'_>, visit: &Visit<'_, '_>) -> Body {
    let statements = calls::statements(block).len() as u32;
    let shape = if statements == 0 { Shape::Empty } else { Shape::Work };
    Body { span: visit.span(block), statements, shape, branches: 0, calls: 0 }
}

/// Reads a body; emits the stub of a whole body and sets the flag that says that a panic is all there is.
pub(super) fn read(block: Node<'_>, visit: &mut Visit<'_, '_>, flags: &mut u32) -> Body {
    let text = visit.text;
    let statements: Vec<Node<'_>> = calls::statements(block).into_iter().filter(|s| !discards(*s, text)).collect();
    let shape = match statements.as_slice() {
        [] => Shape::Empty,
        [only] => sole(*only, visit, flags),
        // A call of `t.Helper()`-like bookkeeping aside, two statements are work.
        _ => Shape::Work,
    };
    Body { span: visit.span(block), statements: statements.len() as u32, shape, branches: 0, calls: 0 }
}

/// `_ = x`, `_, _ = x, y`.
fn discards(statement: Node<'_>, text: &str) -> bool {
    if statement.kind() != "assignment_statement" {
        return false;
    }
    let side = |field: &str| statement.child_by_field_name(field);
    let (Some(left), Some(right)) = (side("left"), side("right")) else { return false };
    let blank = text[left.byte_range()].split(',').all(|name| name.trim() == "_");
    let mut cursor = right.walk();
    blank && right.named_children(&mut cursor).all(|n| n.kind() == "identifier")
}

/// Judges the only statement of a body.
fn sole(statement: Node<'_>, visit: &mut Visit<'_, '_>, flags: &mut u32) -> Shape {
    let text = visit.text;
    match statement.kind() {
        "return_statement" => {
            let Some(list) = statement.named_child(0) else { return Shape::Constant };
            let mut cursor = list.walk();
            let values: Vec<Node<'_>> = list.named_children(&mut cursor).filter(|n| n.kind() != "comment").collect();
            if let Some((form, message)) = values.last().and_then(|last| refusal(*last, text)) {
                let constant = values[..values.len() - 1].iter().all(|v| is_constant(*v, 0));
                if constant {
                    visit.out.stubs.push(Stub { span: visit.span(statement), form, message, whole: true });
                }
                return if constant { Shape::Refusal } else { Shape::Work };
            }
            if values.iter().all(|v| is_constant(*v, 0)) {
                visit.out.stubs.push(Stub { span: visit.span(statement), form: StubForm::Constant, message: None, whole: true });
                Shape::Constant
            } else {
                Shape::Work
            }
        }
        _ => {
            let Some(callee) = calls::called(statement).and_then(|call| calls::callee(call, text)) else { return Shape::Work };
            match (callee.of, callee.name) {
                ("", "panic") => {
                    *flags |= flag::SOLE;
                    Shape::Refusal
                }
                ("log", "Fatal" | "Fatalf" | "Fatalln" | "Panic" | "Panicf") => {
                    let message = calls::first_string(&text[statement.byte_range()]).map(str::to_owned);
                    visit.out.stubs.push(Stub { span: visit.span(statement), form: StubForm::Refusal, message, whole: true });
                    Shape::Refusal
                }
                _ => Shape::Work,
            }
        }
    }
}

/// Returns how a returned error refuses: a new one with its message, or one whose name says that nothing is there.
fn refusal(value: Node<'_>, text: &str) -> Option<(StubForm, Option<String>)> {
    match value.kind() {
        "call_expression" => {
            let callee = calls::callee(value, text)?;
            let makes = matches!(callee.name, "New" | "Errorf" | "Error" | "Newf")
                && ["errors", "fmt", "xerrors", "status", "eris", "cerrors", "pkgerrors"].contains(&callee.of);
            let message = calls::arguments(value).iter().find_map(|a| calls::string(*a, text));
            makes.then(|| (StubForm::Refusal, message.map(str::to_owned)))
        }
        "identifier" | "selector_expression" => {
            let name = text[value.byte_range()].rsplit('.').next().unwrap_or("").to_ascii_lowercase();
            ["errnotimplemented", "errunimplemented", "errnotyetimplemented", "errtodo"]
                .contains(&name.as_str())
                .then_some((StubForm::NotImplemented, None))
        }
        _ => None,
    }
}

/// Whether an expression is the same whatever the input.
pub(super) fn is_constant(node: Node<'_>, depth: usize) -> bool {
    const DEPTH_MAX: usize = 6;
    const PARTS_MAX: usize = 16;
    if depth > DEPTH_MAX {
        return false;
    }
    match node.kind() {
        "int_literal"
        | "float_literal"
        | "imaginary_literal"
        | "rune_literal"
        | "interpreted_string_literal"
        | "raw_string_literal"
        | "true"
        | "false"
        | "nil" => true,
        "unary_expression" => node.child_by_field_name("operand").is_some_and(|o| is_constant(o, depth + 1)),
        "parenthesized_expression" | "literal_element" => node.named_child(0).is_some_and(|n| is_constant(n, depth + 1)),
        "keyed_element" => node.child_by_field_name("value").is_some_and(|v| is_constant(v, depth + 1)),
        "composite_literal" => node.child_by_field_name("body").is_some_and(|b| is_constant(b, depth + 1)),
        "literal_value" => {
            let mut cursor = node.walk();
            node.named_child_count() <= PARTS_MAX
                && node.named_children(&mut cursor).all(|n| n.kind() == "comment" || is_constant(n, depth + 1))
        }
        _ => false,
    }
}

/// Emits the stub of a call of `panic`.
pub(super) fn panics(call: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(arguments) = call.child_by_field_name("arguments") else { return };
    let message = calls::first_string(visit.text_of(arguments)).map(str::to_owned);
    let whole = visit.frame().flags & flag::SOLE != 0;
    visit.out.stubs.push(Stub { span: visit.span(call), form: StubForm::Refusal, message, whole });
}
