//! Tests whose names are taken away again before a runner looks for them: `del test_a`, `test_a = None`,
//! `test_a.__test__ = False` in a class.
//!
//! A name counts only where the file itself defines a test under it, in the same block and further up, and nothing between
//! the two makes use of it: a base class that is deleted behind the classes that derive from it, or a function that was
//! handed on, still runs.

use super::classes::{self, Collected};
use super::items::is_test_name;
use super::names::{Reader, SUBCLASSED};
use super::scope;
use super::syntax::{Definition, children, definitions, field, only_child, tail};
use crate::facts::{Effect, Marker};
use crate::visit::{FileKind, Visit};
use tree_sitter::Node;

/// Emits a statement of the module that takes a test's name away.
pub(super) fn at_top(statement: Node<'_>, visit: &mut Visit<'_, '_>) {
    if visit.file == FileKind::Production || visit.scope.flags & scope::COLLECTS == 0 {
        return;
    }
    if names(statement, visit.text).is_empty() {
        return;
    }
    // The statement stands at the top level, so that its parent is the root.
    let Some(module) = statement.parent() else { return };
    statement_in(module, statement, visit);
}

/// Emits the statements of a class of tests that take the names of its tests away.
pub(super) fn in_class(block: Node<'_>, visit: &mut Visit<'_, '_>) {
    for statement in children(block) {
        statement_in(block, statement, visit);
        switched_off(block, statement, visit);
    }
}

fn statement_in(block: Node<'_>, statement: Node<'_>, visit: &mut Visit<'_, '_>) {
    let reader = Reader::of(visit);
    for target in names(statement, visit.text) {
        let Some(name) = tail(visit.text, target) else { continue };
        let taken = match target.kind() {
            "identifier" => defined(reader, block, statement, name).is_some(),
            _ => field(target, "object")
                .and_then(|class| defined(reader, block, statement, reader.text_of(class)))
                .filter(Definition::is_class)
                .and_then(|class| class.body())
                .is_some_and(|body| definitions(body).any(|m| m.name(visit.text) == name && is_test_name(name))),
        };
        if taken {
            let removal = vec![visit.delete(statement)];
            let marker = Marker { subject: Some(name.to_owned()), removal, ..Marker::new(Effect::Disabled, visit.span(statement)) };
            visit.out.markers.push(marker);
        }
    }
}

/// Emits `test_a.__test__ = False` in a class; that of a module is `module.rs`'s.
fn switched_off(block: Node<'_>, statement: Node<'_>, visit: &mut Visit<'_, '_>) {
    let reader = Reader::of(visit);
    let Some((left, right)) = assigned(statement).filter(|(left, right)| left.kind() == "attribute" && right.kind() == "false") else {
        return;
    };
    let Some(object) = field(left, "object").filter(|_| tail(visit.text, left) == Some("__test__")) else { return };
    if defined(reader, block, statement, reader.text_of(object)).is_some() {
        let subject = Some(reader.text_of(object).to_owned());
        super::markers::push_off(left, right, subject, vec![visit.delete(statement)], visit);
    }
}

fn assigned(statement: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let assignment = (statement.kind() == "expression_statement").then(|| only_child(statement)).flatten()?;
    if assignment.kind() != "assignment" {
        return None;
    }
    field(assignment, "left").zip(field(assignment, "right"))
}

/// Returns the names and members of tests that a statement deletes, or binds to what no runner can call.
fn names<'t>(statement: Node<'t>, text: &str) -> Vec<Node<'t>> {
    let like_test = |node: &Node<'_>| {
        matches!(node.kind(), "identifier" | "attribute") && tail(text, *node).is_some_and(|n| n.to_ascii_lowercase().contains("test"))
    };
    if statement.kind() == "delete_statement" {
        let targets = children(statement);
        let all = match targets.as_slice() {
            [list] if matches!(list.kind(), "expression_list" | "tuple") => children(*list),
            _ => targets,
        };
        return all.into_iter().filter(like_test).collect();
    }
    let Some((left, right)) = assigned(statement) else { return Vec::new() };
    let inert = matches!(
        right.kind(),
        "none" | "true" | "false" | "ellipsis" | "integer" | "float" | "string" | "list" | "tuple" | "dictionary" | "set"
    );
    if inert && like_test(&left) { vec![left] } else { Vec::new() }
}

/// Returns the test or class of tests that a block defines under a name above a statement, where nothing between them uses it.
fn defined<'t>(reader: Reader<'_>, block: Node<'t>, statement: Node<'t>, name: &str) -> Option<Definition<'t>> {
    let above = children(block).into_iter().take_while(|n| n.start_byte() < statement.start_byte());
    let definition = above.filter_map(Definition::of).filter(|d| d.name(reader.text) == name).last()?;
    let between = reader.text.get(definition.node.end_byte()..statement.start_byte())?;
    if between.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name) {
        return None;
    }
    let collected = if definition.is_class() {
        !reader.said(name, SUBCLASSED) && classes::collected(reader, &definition, true) != Collected::No
    } else {
        is_test_name(name) && !definition.decorator_expressions().any(|d| tail(reader.text, d).is_some_and(|t| t.contains("fixture")))
    };
    collected.then_some(definition)
}
