//! Why a Java body that gives up is complete as it is (rules-b.md 2.1): defaults, optional operations, null objects.

use super::annotations::{self, Annotation};
use super::flag;
use crate::facts::Shape;
use tree_sitter::Node;

/// Returns why the body of a method is no stand-in, or none.
pub(super) fn reason(
    node: Node<'_>,
    name: &str,
    annotations: &[Annotation<'_, '_>],
    flags: u32,
    shape: Shape,
    text: &str,
) -> Option<&'static str> {
    let has = |bit: u32| flags & bit != 0;
    if shape == Shape::Work {
        return None;
    }
    if has(flag::GENERATED) || annotations.iter().any(|a| a.name == "Generated" && a.arguments().is_some()) {
        return Some("a generator wrote it");
    }
    if has(flag::NULL_OBJECT) {
        return Some("a null object");
    }
    if annotations.iter().any(|a| a.name == "Deprecated") {
        return Some("deprecated");
    }
    if ["noop", "noOp", "nop", "doNothing", "identity"].contains(&name) {
        return Some("its name says that it does nothing");
    }
    // What a constant or an empty body replaced is judged wherever it stands.
    if shape != Shape::Refusal {
        return None;
    }
    if has(flag::INTERFACE) {
        return Some("the default of an interface");
    }
    if has(flag::ABSTRACT) && !annotations::is(node, "private") && !annotations::is(node, "static") {
        return Some("others override it");
    }
    let parameters = node.child_by_field_name("parameters").map_or("", |p| &text[p.byte_range()]);
    (has(flag::ITERATOR) && name == "remove" && parameters == "()").then_some("an optional operation")
}
