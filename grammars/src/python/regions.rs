//! Where in a test a check may count for less: branches, loops, what swallows a failure.

use super::syntax::{children, field, text_of};
use crate::facts::{Region, RegionForm};
use crate::regions::{self, Shapes};
use crate::visit::Visit;
use tree_sitter::Node;

pub(super) const SHAPES: Shapes = Shapes {
    leaving: &["return_statement"],
    holders: &[],
    constants: (&["True", "1"], &["False", "0", "None"]),
    skips: &["pytest.skip(", "self.skipTest(", "raise unittest.SkipTest", "raise SkipTest"],
    branch: "if_statement",
};

/// Errors whose handler takes a failed assertion too.
const TAKES_ALL: &[&str] = &["Exception", "BaseException", "AssertionError"];

/// Words by which a handler passes on what it caught, or looks at it.
const PASSES_ON: &[&str] = &["raise", "assert", "fail", "pytest.", "return"];

/// Emits the stretches of a statement in a test.
pub(super) fn visit(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    if !visit.in_tests() {
        return;
    }
    match node.kind() {
        "if_statement" | "elif_clause" => regions::branch(node, &SHAPES, visit),
        "for_statement" | "while_statement" => regions::repeated(node, visit),
        "try_statement" => attempt(node, visit),
        "with_statement" => with(node, visit),
        _ => {}
    }
}

/// A `try` whose handlers take a failed assertion and keep it.
fn attempt(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(body) = field(node, "body") else { return };
    let swallows = children(node).into_iter().filter(|c| c.kind() == "except_clause").any(|handler| {
        let parts = children(handler);
        let (Some(block), caught) = (parts.last(), &parts[..parts.len().saturating_sub(1)]) else { return false };
        let caught: String = caught.iter().map(|c| text_of(visit.text, *c)).collect();
        let takes = caught.is_empty() || TAKES_ALL.iter().any(|error| caught.contains(error));
        takes && !regions::passes_on(text_of(visit.text, *block), PASSES_ON)
    });
    if swallows {
        regions::swallowed(body, visit);
    }
}

/// `with suppress(Exception):` swallows, `with raises(E):` wants a failure.
fn with(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(body) = field(node, "body") else { return };
    let head = visit.text.get(node.start_byte()..body.start_byte()).unwrap_or("");
    if head.contains("suppress(") && TAKES_ALL.iter().any(|error| head.contains(error)) {
        regions::swallowed(body, visit);
    } else if ["raises(", "assertRaises"].iter().any(|word| head.contains(word)) {
        let span = visit.span(body);
        visit.out.regions.push(Region { span, form: RegionForm::Failing, of: None });
    }
}
