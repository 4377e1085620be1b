//! What a body amounts to, and the statements that stand in for an implementation.

use super::exempt;
use super::syntax::{Arguments, Definition, children, docstring, field, is_string, only_child, string_content, tail, text_of};
use crate::facts::{Body, Shape, Span, Stub, StubForm};
use crate::visit::{FileKind, Visit};
use tree_sitter::Node;

/// What the statements of a body amount to.
pub(super) struct Reading<'t> {
    /// Statements, docstring and unused-parameter statements left out.
    pub(super) statements: u32,
    pub(super) shape: Shape,
    /// The statement that stands in, where it is all that the body does.
    pub(super) stand_in: Option<Node<'t>>,
    /// The docstring.
    pub(super) doc: Option<Node<'t>>,
}

/// Returns what a body amounts to.
pub(super) fn shape<'t>(text: &str, body: Node<'t>) -> Reading<'t> {
    let doc = docstring(body);
    let mut fillers = None;
    let mut work = Vec::new();
    for (index, statement) in children(body).into_iter().enumerate() {
        if (index == 0 && doc.is_some()) || is_unused(text, statement) {
            continue;
        }
        if is_filler(statement) {
            fillers = fillers.or(Some(statement));
        } else {
            work.push(statement);
        }
    }
    let statements = work.len() as u32;
    let (shape, stand_in) = match work.as_slice() {
        [] => (Shape::Empty, fillers),
        [one] if returns_constant(text, *one) => (Shape::Constant, Some(*one)),
        [one] if refuses(text, *one) => (Shape::Refusal, Some(*one)),
        _ => (Shape::Work, None),
    };
    Reading { statements, shape, stand_in, doc }
}

/// Whether a body leaves out what it should do: it is empty or raises `NotImplementedError`.
pub(super) fn leaves_out(text: &str, body: Node<'_>) -> bool {
    let reading = shape(text, body);
    match reading.shape {
        Shape::Empty => true,
        Shape::Refusal => reading.stand_in.is_some_and(|s| raised(text, s).is_some_and(|(name, _)| name.starts_with("NotImplemented"))),
        _ => false,
    }
}

/// Whether a body raises an error that says that others write it.
pub(super) fn leaves_to_others(text: &str, body: Node<'_>) -> bool {
    let reading = shape(text, body);
    let message = reading.stand_in.and_then(|s| raised(text, s)).and_then(|(_, message)| message);
    message.is_some_and(|m| exempt::names_others(&m))
}

/// `del x` and `_ = x` only say that a parameter is unused.
fn is_unused(text: &str, statement: Node<'_>) -> bool {
    match statement.kind() {
        "delete_statement" => only_child(statement).is_some_and(|n| n.kind() != "attribute" && n.kind() != "subscript"),
        "expression_statement" => only_child(statement).is_some_and(|n| {
            n.kind() == "assignment"
                && field(n, "left").is_some_and(|l| text_of(text, l).chars().all(|c| matches!(c, '_' | ',' | ' ')))
                && field(n, "right").is_some_and(|r| matches!(r.kind(), "identifier" | "tuple" | "expression_list"))
        }),
        _ => false,
    }
}

/// `pass`, `...`, a string that is no docstring.
fn is_filler(statement: Node<'_>) -> bool {
    statement.kind() == "pass_statement"
        || (statement.kind() == "expression_statement" && only_child(statement).is_some_and(|n| n.kind() == "ellipsis" || is_string(n)))
}

fn returns_constant(text: &str, statement: Node<'_>) -> bool {
    statement.kind() == "return_statement" && only_child(statement).is_none_or(|value| is_constant(text, value))
}

/// Whether an expression is a constant, empty containers included.
pub(super) fn is_constant(text: &str, node: Node<'_>) -> bool {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match node.kind() {
            "none" | "true" | "false" | "integer" | "float" | "ellipsis" => {}
            "string" | "concatenated_string" if !text_of(text, node).contains('{') => {}
            "unary_operator" | "parenthesized_expression" | "list" | "tuple" | "set" | "dictionary" | "pair" | "expression_list" => {
                open.extend(children(node));
            }
            "call" if makes_empty(text, node) => {}
            _ => return false,
        }
    }
    true
}

/// Whether a call makes an empty container.
fn makes_empty(text: &str, call: Node<'_>) -> bool {
    let empty = field(call, "arguments").is_some_and(|a| children(a).is_empty());
    let name = field(call, "function").map_or("", |f| text_of(text, f));
    empty && matches!(name, "dict" | "list" | "set" | "tuple" | "frozenset" | "str" | "bytes" | "object")
}

fn refuses(text: &str, statement: Node<'_>) -> bool {
    statement.kind() == "raise_statement" || refused_assertion(text, statement).is_some() || returns_not_implemented(text, statement)
}

fn returns_not_implemented(text: &str, statement: Node<'_>) -> bool {
    statement.kind() == "return_statement" && only_child(statement).is_some_and(|v| text_of(text, v) == "NotImplemented")
}

/// Returns the message of `assert False, "…"`.
fn refused_assertion(text: &str, statement: Node<'_>) -> Option<String> {
    if statement.kind() != "assert_statement" {
        return None;
    }
    let parts = children(statement);
    match parts.as_slice() {
        [value, message] if matches!(value.kind(), "false" | "integer") && text_of(text, *value) != "1" => string_content(text, *message),
        _ => None,
    }
}

/// Returns the exception that a statement raises: its last name and its message.
pub(super) fn raised<'a>(text: &'a str, statement: Node<'_>) -> Option<(&'a str, Option<String>)> {
    if statement.kind() != "raise_statement" {
        return None;
    }
    let value = only_child(statement)?;
    let message = Arguments::of(value).positional.first().and_then(|m| string_content(text, *m));
    Some((tail(text, value)?, message))
}

/// Returns the body of a definition as a fact: from behind its colon on, so that comments in front of the first statement
/// are in it.
pub(super) fn body(definition: &Definition<'_>, reading: &Reading<'_>, visit: &Visit<'_, '_>) -> Body {
    let mut cursor = definition.node.walk();
    let colon = definition.node.children(&mut cursor).filter(|c| c.kind() == ":").last();
    let start = colon.map_or(definition.node.start_byte(), |c| c.end_byte());
    let span = visit.span_of(start, definition.node.end_byte());
    Body { span, statements: reading.statements, shape: reading.shape, branches: 0, calls: 0 }
}

/// Emits what stands in where it is all that a function does.
pub(super) fn whole(definition: &Definition<'_>, reading: &Reading<'_>, visit: &mut Visit<'_, '_>) {
    let stub = |span: Span, form: StubForm, message: Option<String>| Stub { span, form, message, whole: true };
    let found = match (reading.shape, reading.stand_in) {
        (Shape::Work, _) => None,
        (Shape::Empty, Some(filler)) => Some(stub(visit.span(filler), StubForm::Empty, None)),
        (Shape::Empty, None) => definition.name_node().map(|name| stub(visit.span(name), StubForm::Empty, None)),
        (Shape::Constant, Some(statement)) => Some(stub(visit.span(statement), StubForm::Constant, None)),
        (Shape::Refusal, Some(statement)) => {
            let span = visit.span(statement);
            match raised(visit.text, statement) {
                Some(("NotImplementedError" | "NotImplemented", message)) => Some(stub(span, StubForm::NotImplemented, message)),
                Some((_, message)) => message.map(|m| stub(span, StubForm::Refusal, Some(m))),
                None if statement.kind() == "return_statement" => Some(stub(span, StubForm::NotImplemented, None)),
                None => refused_assertion(visit.text, statement).map(|m| stub(span, StubForm::Refusal, Some(m))),
            }
        }
        _ => None,
    };
    visit.out.stubs.extend(found);
}

/// Emits a `raise` whose message may promise an implementation, wherever it stands.
pub(super) fn raise(statement: Node<'_>, visit: &mut Visit<'_, '_>) {
    if let Some((_, Some(message))) = raised(visit.text, statement) {
        refusal(statement, message, visit);
    }
}

/// Emits an `assert False` whose message may promise an implementation, wherever it stands.
pub(super) fn assertion(statement: Node<'_>, visit: &mut Visit<'_, '_>) {
    if let Some(message) = refused_assertion(visit.text, statement) {
        refusal(statement, message, visit);
    }
}

fn refusal(statement: Node<'_>, message: String, visit: &mut Visit<'_, '_>) {
    let span = visit.span(statement);
    let production = visit.file == FileKind::Production && !visit.in_tests();
    // The whole body of a function was emitted with the function, before anything in it.
    let known = visit.out.stubs.first().is_some_and(|s| s.span == span);
    if production && !known && !exempt::is_final(&message) {
        visit.out.stubs.push(Stub { span, form: StubForm::Refusal, message: Some(message), whole: false });
    }
}
