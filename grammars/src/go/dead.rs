//! Subtests that are never run: `if false { t.Run(…) }`.
//!
//! Only a condition that is constant counts (`skips.rs` reads conditions). One marker speaks for all that the branch holds.

use super::{calls, items, skips};
use crate::facts::{Effect, Marker};
use crate::visit::Visit;
use tree_sitter::Node;

/// Emits the condition of an `if` by which subtests are never reached.
pub(super) fn branch(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let text = visit.text;
    let Some(condition) = node.child_by_field_name("condition") else { return };
    let unreached = match skips::constant(node, text, visit.scope) {
        Some(false) => node.child_by_field_name("consequence"),
        Some(true) => node.child_by_field_name("alternative"),
        None => None,
    };
    let Some(branch) = unreached.filter(|branch| branch.kind() == "block") else { return };
    let calls = calls::statements(branch).into_iter().filter_map(calls::called);
    let Some(name) = calls.filter_map(|call| items::subtest_name(call, text, visit.scope)).next() else { return };
    let around = visit.frames.iter().map(|f| f.name.as_str()).filter(|n| !n.is_empty());
    let subject = around.chain([name]).collect::<Vec<_>>().join(super::SEPARATOR);
    let span = visit.span_of(node.start_byte(), condition.end_byte());
    visit.out.markers.push(Marker { subject: Some(subject), ..Marker::new(Effect::Disabled, span) });
}
