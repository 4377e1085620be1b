//! What bends a run of tests (`facts::Bend`): equality that always holds, exits, macros that hide the library's checks, and
//! production code that asks whether it runs in a test. Also what a branch gives for literals (`facts::Case`), and what a
//! double is told to give (`facts::Answer`).

use super::bodies;
use crate::facts::{Answer, Bend, BendForm, Body, Case, ItemKind, Shape, StubForm};
use crate::visit::Visit;
use tree_sitter::Node;

fn push(node: Node<'_>, form: BendForm, visit: &mut Visit<'_, '_>) {
    visit.out.bends.push(Bend { span: visit.span(node), form, mild: false });
}

/// Emits an `eq` that gives back true whatever it is given.
pub(super) fn function(name: &str, body: Body, visit: &mut Visit<'_, '_>) {
    let always = match name {
        "eq" => "true",
        "ne" => "false",
        _ => return,
    };
    // There is one `()` only.
    let of = &visit.frame().name;
    let equality = of.contains(" as PartialEq") && !of.starts_with("<()");
    let sole = visit.out.stubs.iter().find(|s| s.whole && s.form == StubForm::Constant).map(|s| s.span);
    let Some(span) = sole.filter(|_| equality && body.shape == Shape::Constant) else { return };
    if visit.text_in(span) == always {
        visit.out.bends.push(Bend { span, form: BendForm::Equal, mild: false });
    }
}

/// Emits an exit that takes tests with it. A child that a test starts ends so too, and asks a variable first.
pub(super) fn exit(node: Node<'_>, function: Node<'_>, visit: &mut Visit<'_, '_>) {
    let source = visit.text_of(function);
    let mut segments = source.rsplit("::");
    if segments.next() != Some("exit") || segments.next().is_some_and(|of| of != "process") {
        return;
    }
    let success = node.child_by_field_name("arguments").is_some_and(|a| visit.text_of(a) == "(0)");
    let frame = visit.frame();
    let before = visit.text.get(frame.start as usize..node.start_byte()).unwrap_or("");
    let child = ["env::var", "env!(", "fork(", "env::args"].iter().any(|w| before.contains(w));
    if success && frame.kind == ItemKind::Test && !child {
        push(node, BendForm::Exit, visit);
    }
}

/// Emits `cfg!(test)` in code that is no test.
pub(super) fn configured(node: Node<'_>, name: Node<'_>, visit: &mut Visit<'_, '_>) {
    let inside = visit.text.get(name.end_byte()..node.end_byte()).unwrap_or("");
    let word = inside.trim_start_matches(['!', ' ', '(']).trim_end_matches([')', ' ']);
    if word == "test" {
        push(node, BendForm::Probe, visit);
    }
}

/// Emits a macro of tests that takes the name of a check of the library and checks nothing.
pub(super) fn definition(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(name) = node.child_by_field_name("name") else { return };
    let body = visit.text.get(name.end_byte()..node.end_byte()).unwrap_or("");
    let checks = ["panic", "assert", "fail", "core::", "unreachable", "return", "bail", "throw"].iter().any(|w| body.contains(w));
    if ["assert", "assert_eq", "assert_ne"].contains(&visit.text_of(name)) && !checks {
        push(name, BendForm::Replaced, visit);
    }
}

/// Emits a branch of production code that does nothing but give a literal back where names equal literals.
pub(super) fn branch(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    if !visit.first_line(node).contains("==") {
        return;
    }
    let (Some(condition), Some(block)) = (node.child_by_field_name("condition"), node.child_by_field_name("consequence")) else { return };
    if block.named_child_count() != 1 {
        return;
    }
    let Some(mut value) = block.named_child(0) else { return };
    if value.kind() == "expression_statement" {
        let Some(inner) = value.named_child(0) else { return };
        value = inner;
    }
    if value.kind() == "return_expression" {
        let Some(inner) = value.named_child(0) else { return };
        value = inner;
    } else if node.parent().is_none_or(|p| p.kind() != "block") {
        // What an `if` gives to a binding or an argument is not what the function gives back.
        return;
    }
    if !bodies::is_constant(value, visit.text, 0) {
        return;
    }
    let (mut open, mut given) = (vec![condition], Vec::new());
    while let Some(node) = open.pop() {
        let parts = (node.child_by_field_name("left"), node.child_by_field_name("operator"), node.child_by_field_name("right"));
        let ("binary_expression", (Some(left), Some(operator), Some(right))) = (node.kind(), parts) else { return };
        match visit.text_of(operator) {
            "&&" => open.extend([left, right]),
            "==" if is_name(left) && bodies::is_constant(right, visit.text, 0) => given.push(visit.span(right)),
            _ => return,
        }
    }
    let (span, answer) = (visit.span(condition), visit.span(value));
    visit.out.cases.push(Case { span, given, answer });
}

fn is_name(node: Node<'_>) -> bool {
    match node.kind() {
        "identifier" => true,
        "unary_expression" | "reference_expression" => node.named_child(0).is_some_and(|n| n.kind() == "identifier"),
        _ => false,
    }
}

/// Emits what a call tells a double to give back: `clock.expect_now().return_const(3)`, `….returning(|| 3)`.
pub(super) fn answer(node: Node<'_>, function: Node<'_>, visit: &mut Visit<'_, '_>) {
    if function.kind() != "field_expression" {
        return;
    }
    let Some(name) = function.child_by_field_name("field").map(|f| visit.text_of(f)) else { return };
    if !["return_const", "returning", "return_once"].contains(&name) {
        return;
    }
    let Some(object) = function.child_by_field_name("value") else { return };
    let source = visit.text_of(object);
    let Some((double, rest)) = source.split_once(".expect_") else { return };
    let method: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let Some(mut value) = node.child_by_field_name("arguments").and_then(|a| a.named_child(0)) else { return };
    if value.kind() == "closure_expression" {
        let Some(body) = value.child_by_field_name("body") else { return };
        value = body;
    }
    let (span, value) = (visit.span(node), visit.span(value));
    visit.out.answers.push(Answer { span, of: format!("{}.{method}", double.trim()), value });
}
