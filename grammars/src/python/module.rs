//! Statements of a module that switch tests off: `pytestmark`, a skip of the whole module, files left out of collection.

use super::classes::flag;
use super::conditions::When;
use super::markers::{Mark, Stands, element, listed, push_off, push_skip};
use super::names::Reader;
use super::skips::{self, Skip};
use super::syntax::{Arguments, children, field, only_child, string_content, tail};
use super::unbound;
use crate::facts::{Condition, Effect, ItemKind, Marker};
use crate::visit::{FileKind, Visit};
use tree_sitter::Node;

/// Whether a statement stands at the top level of the module: in Python nothing else starts a line without indentation.
fn at_top(node: Node<'_>, visit: &Visit<'_, '_>) -> bool {
    visit.frame().kind == ItemKind::File && node.start_position().column == 0
}

/// Whether a statement stands in the module itself, a block of it included.
fn in_module(visit: &Visit<'_, '_>) -> bool {
    let frame = visit.frame();
    frame.kind == ItemKind::File || frame.flags & (flag::BLOCK | flag::MODULE) == flag::BLOCK | flag::MODULE
}

/// Emits the skip of a whole module by a call.
pub(super) fn call(statement: Node<'_>, visit: &mut Visit<'_, '_>) {
    if !in_module(visit) || visit.file == FileKind::Production {
        return;
    }
    let Some(call) = only_child(statement).filter(|n| n.kind() == "call") else { return };
    if let Some(skip) = skips::module_call(Reader::of(visit), call) {
        module_skip(Skip { statement, ..skip }, visit);
    } else {
        ignored_call(call, visit);
    }
}

/// Emits the skip of a whole module by an exception.
pub(super) fn raise(statement: Node<'_>, visit: &mut Visit<'_, '_>) {
    if in_module(visit)
        && visit.file != FileKind::Production
        && let Some(skip) = skips::raised(Reader::of(visit), statement)
    {
        module_skip(skip, visit);
    }
}

/// Emits a statement that takes a test's name away.
pub(super) fn unbound(statement: Node<'_>, visit: &mut Visit<'_, '_>) {
    if at_top(statement, visit) {
        unbound::at_top(statement, visit);
    }
}

fn module_skip(skip: Skip<'_>, visit: &mut Visit<'_, '_>) {
    let when = if at_top(skip.statement, visit) { skip.when } else { When::Runtime };
    push_skip(&Skip { when, ..skip }, true, visit);
}

/// Names of the list of files that pytest leaves out, and of its patterns.
fn is_ignore_list(name: &str) -> bool {
    matches!(name, "collect_ignore" | "collect_ignore_glob")
}

/// Emits assignments of a module that switch tests off.
pub(super) fn assignment(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    if !in_module(visit) || visit.file == FileKind::Production {
        return;
    }
    let reader = Reader::of(visit);
    let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else { return };
    let name = reader.text_of(left);
    if is_ignore_list(name) {
        ignored(reader, right, at_top(node, visit), visit);
        return;
    }
    if node.kind() != "assignment" {
        return;
    }
    match name {
        "pytestmark" => {
            let stands = if at_top(node, visit) { Stands::Module } else { Stands::Perhaps };
            listed(reader, node, right, stands, visit);
        }
        "__test__" if right.kind() == "false" && at_top(node, visit) => {
            let span = visit.span_of(left.start_byte(), right.end_byte());
            let removal = vec![visit.delete(node)];
            visit.out.markers.push(Marker { whole_file: true, removal, ..Marker::new(Effect::Disabled, span) });
        }
        _ if left.kind() == "attribute" && right.kind() == "false" => {
            let target = field(left, "object").map_or("", |o| reader.text_of(o));
            let leaf = target.rsplit('.').next().unwrap_or(target);
            if name.ends_with(".__test__") && leaf.to_lowercase().starts_with("test") && at_top(node, visit) {
                push_off(left, right, Some(leaf.to_owned()), vec![visit.delete(node)], visit);
            }
        }
        _ if left.kind() == "identifier" && at_top(node, visit) => {
            let Some(mark) = Mark::read(reader, right).filter(|m| m.condition == Condition::Always) else { return };
            let marker = Marker { subject: Some(name.to_owned()), ..mark.marker(visit, Vec::new()) };
            visit.out.markers.push(marker);
        }
        _ => {}
    }
}

/// Emits `collect_ignore.append("…")` and its like.
fn ignored_call(call: Node<'_>, visit: &mut Visit<'_, '_>) {
    let reader = Reader::of(visit);
    let Some(function) = field(call, "function").filter(|f| f.kind() == "attribute") else { return };
    let object = field(function, "object").map_or("", |o| reader.text_of(o));
    if is_ignore_list(object) && matches!(tail(reader.text, function), Some("append" | "extend" | "insert")) {
        for argument in Arguments::of(call).positional {
            ignored(reader, argument, at_top(call, visit), visit);
        }
    }
}

/// Emits each file that a value of `collect_ignore` leaves out.
fn ignored(reader: Reader<'_>, value: Node<'_>, always: bool, visit: &mut Visit<'_, '_>) {
    match value.kind() {
        "list" | "tuple" | "set" => {
            let elements = children(value);
            for element_node in &elements {
                let count = visit.out.markers.len();
                ignored(reader, *element_node, always, visit);
                if visit.out.markers.len() > count {
                    let removal = element(value, *element_node, visit);
                    if let Some(marker) = visit.out.markers.last_mut() {
                        marker.removal = removal;
                    }
                }
            }
        }
        "string" => {
            let named = string_content(reader.text, value).unwrap_or_default();
            if holds_tests(&named) {
                let condition = if always { Condition::Always } else { Condition::Runtime };
                let span = visit.span(value);
                visit.out.markers.push(Marker { condition, whole_file: true, ..Marker::new(Effect::Disabled, span) });
            }
        }
        _ => {}
    }
}

/// Whether a path that is left out can hold tests; build scripts are left out because they break when imported.
fn holds_tests(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !path.is_empty() && !matches!(name, "setup.py" | "conftest.py" | "noxfile.py" | "tasks.py" | "conf.py" | "__main__.py")
}
