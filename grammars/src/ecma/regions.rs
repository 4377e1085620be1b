//! Where in a test a check may count for less: branches, loops, what swallows a failure.

use super::chain::{arguments, callback, is_function, slice, stripped};
use crate::facts::{Region, RegionForm};
use crate::regions::{self, Shapes};
use crate::visit::Visit;
use tree_sitter::Node;

pub(super) const SHAPES: Shapes = Shapes {
    leaving: &["return_statement"],
    holders: &[],
    constants: (&["true", "1"], &["false", "0"]),
    skips: &["this.skip(", "t.skip(", "ctx.skip(", "test.skip("],
    branch: "if_statement",
};

/// Words by which a handler passes on what it caught, or looks at it.
const PASSES_ON: &[&str] = &["throw", "expect", "assert", "fail", "done(", "reject", "should", "return", "t.", "next(", "exit("];

/// Emits the stretches of a statement in a test.
pub(super) fn visit(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    if !visit.in_tests() {
        return;
    }
    match node.kind() {
        "if_statement" => regions::branch(node, &SHAPES, visit),
        "for_statement" | "for_in_statement" | "while_statement" => regions::repeated(node, visit),
        "try_statement" => attempt(node, visit),
        _ => {}
    }
}

fn attempt(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let (Some(body), Some(handler)) = (node.child_by_field_name("body"), node.child_by_field_name("handler")) else { return };
    let Some(inside) = handler.child_by_field_name("body") else { return };
    if !regions::passes_on(slice(visit.text, inside), PASSES_ON) {
        regions::swallowed(body, visit);
    }
}

/// `promise.catch(() => {})` takes what was thrown in the promise; `rows.forEach((row) => …)` repeats.
pub(super) fn call(node: Node<'_>, callee: Node<'_>, visit: &mut Visit<'_, '_>) {
    if callee.kind() != "member_expression" {
        return;
    }
    let (Some(object), Some(name)) = (callee.child_by_field_name("object"), callee.child_by_field_name("property")) else { return };
    let name = slice(visit.text, name);
    if !matches!(name, "catch" | "forEach") {
        return;
    }
    let Some(list) = node.child_by_field_name("arguments") else { return };
    let Some(function) = arguments(list).first().copied().and_then(callback).filter(|f| is_function(*f)) else { return };
    let Some(body) = function.child_by_field_name("body") else { return };
    if name == "forEach" {
        let (span, of) = (visit.span(body), Some(visit.span(stripped(object))));
        visit.out.regions.push(Region { span, form: RegionForm::Repeated, of });
    } else if body.kind() == "statement_block" && !regions::passes_on(slice(visit.text, body), PASSES_ON) {
        regions::swallowed(object, visit);
    }
}
