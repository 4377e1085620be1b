//! A runner's word that is bound to what defines nothing: `const it = noop;`, `globalThis.test = () => {}`.
//!
//! Every test below is then a call that does nothing. A harness of the repository's own calls what it is handed, so a function
//! that does anything at all is none of these.

use super::chain::{is_function, slice, stripped};
use super::frameworks::word;
use super::functions::is_noop_name;
use super::guards::runs_here;
use super::stubs;
use crate::facts::{Effect, ItemKind, Marker, OnNew};
use crate::visit::{FileKind, Visit};
use tree_sitter::Node;

/// Reads a declaration, function or assignment.
pub(super) fn visit<'tree>(node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    if visit.file != FileKind::Test {
        return;
    }
    let field = |name| node.child_by_field_name(name);
    let (target, inert) = match node.kind() {
        "function_declaration" => (field("name"), does_nothing(node, visit.text)),
        "variable_declarator" => (field("name"), field("value").is_some_and(|v| is_inert(v, visit.text))),
        _ => (field("left"), field("right").is_some_and(|v| is_inert(v, visit.text))),
    };
    let Some(target) = target.filter(|_| inert) else { return };
    let name = match target.kind() {
        "identifier" => slice(visit.text, target),
        "member_expression" => {
            let of = target.child_by_field_name("object").map_or("", |o| slice(visit.text, o));
            let is_global = matches!(of, "globalThis" | "global" | "window" | "self");
            target.child_by_field_name("property").filter(|_| is_global).map_or("", |p| slice(visit.text, p))
        }
        _ => return,
    };
    let defines = word(name).is_some_and(|w| w.global && w.marks.is_none() && w.kind != ItemKind::Hook);
    // The function that is bound opens a unit of its own; what stands around that one counts.
    let around = if opens(visit, node) { outside(visit) } else { runs_here(visit) };
    if !defines || !matches!(around, ItemKind::File | ItemKind::Group) {
        return;
    }
    let mut marker = Marker::new(Effect::Disabled, visit.span_of(node.start_byte(), node.end_byte()));
    marker.whole_file = around == ItemKind::File;
    marker.on_new = OnNew::Silent;
    visit.out.markers.push(marker);
}

fn opens(visit: &Visit<'_, '_>, node: Node<'_>) -> bool {
    visit.frame().kind == ItemKind::Function && visit.frame().start as usize == node.start_byte()
}

fn outside(visit: &Visit<'_, '_>) -> ItemKind {
    let outer = visit.frames.len().saturating_sub(1);
    visit.frames[..outer].last().map_or(ItemKind::File, |f| f.kind)
}

/// Whether a value defines no test when it is called: a function that does nothing, a mock, something named so.
fn is_inert(value: Node<'_>, text: &str) -> bool {
    let value = stripped(value);
    let source = slice(text, value);
    match value.kind() {
        _ if is_function(value) => does_nothing(value, text),
        "identifier" => is_noop_name(source),
        "member_expression" => source == "Function.prototype" || source.rsplit('.').next().is_some_and(is_noop_name),
        "call_expression" => matches!(source, "jest.fn()" | "vi.fn()" | "sinon.stub()" | "mock.fn()"),
        _ => false,
    }
}

fn does_nothing(function: Node<'_>, text: &str) -> bool {
    let Some(body) = function.child_by_field_name("body") else { return false };
    match stubs::statements(body, text) {
        (0, _) => true,
        (1, Some(only)) => stubs::shape(only, text) == crate::facts::Shape::Constant,
        _ => false,
    }
}
