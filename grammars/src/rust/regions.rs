//! Where in a test a check may count for less, and with which rows it runs.

use super::attributes::Attribute;
use crate::facts::{Term, TermForm};
use crate::regions::{self, Shapes};
use crate::visit::Visit;
use tree_sitter::Node;

pub(super) const SHAPES: Shapes =
    Shapes { leaving: &["return_expression"], holders: &[], constants: (&["true"], &["false"]), skips: &[], branch: "if_expression" };

/// Emits the stretches of an expression in a test.
pub(super) fn visit(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    match node.kind() {
        "if_expression" => regions::branch(node, &SHAPES, visit),
        _ => regions::repeated(node, visit),
    }
}

/// Emits a row of a parametrised test.
pub(super) fn row(attribute: &Attribute, visit: &mut Visit<'_, '_>) {
    let Some(args) = attribute.meta.args.clone() else { return };
    let span = visit.span_of(args.start, args.end);
    visit.out.terms.push(Term { span, form: TermForm::Rows, amount: 1 });
}
