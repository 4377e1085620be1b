//! Where in a test a check may count for less, and on which terms a test runs: branches, loops, tables, patience.

use super::calls::{self, Callee};
use crate::checks::number;
use crate::facts::{Term, TermForm};
use crate::regions::{self, Shapes};
use crate::visit::Visit;
use tree_sitter::Node;

pub(super) const SHAPES: Shapes = Shapes {
    leaving: &["return_statement"],
    holders: &["statement_list"],
    constants: (&["true"], &["false"]),
    skips: &["t.Skip", "b.Skip", "s.T().Skip", "Skip("],
    branch: "if_statement",
};

/// Emits the stretches of a statement in a test.
pub(super) fn visit(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    match node.kind() {
        "if_statement" => regions::branch(node, &SHAPES, visit),
        "for_statement" => regions::repeated(node, visit),
        "composite_literal" => table(node, visit),
        _ => {}
    }
}

/// The rows of a table: a list or map of structs.
fn table(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let (Some(of), Some(body)) = (node.child_by_field_name("type"), node.child_by_field_name("body")) else { return };
    if !matches!(of.kind(), "slice_type" | "map_type" | "array_type" | "implicit_length_array_type") {
        return;
    }
    let mut cursor = body.walk();
    let rows: Vec<Node<'_>> = body.named_children(&mut cursor).filter(|c| c.kind() != "comment").collect();
    let nested = rows.iter().filter(|row| visit.text_of(**row).trim_end().ends_with('}')).count();
    if nested > 0 && nested == rows.len() {
        push(body, TermForm::Rows, rows.len() as f64, visit);
    }
}

/// Emits the terms that a call sets.
pub(super) fn call(node: Node<'_>, callee: &Callee<'_, '_>, visit: &mut Visit<'_, '_>) {
    let arguments = calls::arguments(node);
    match callee.name {
        "FlakeAttempts" => {
            if let Some(times) = arguments.first().and_then(|n| number(visit.text_of(*n))) {
                push(node, TermForm::Retries, times - 1.0, visit);
            }
        }
        "Eventually" | "Eventuallyf" | "EventuallyWithT" | "Never" | "WithTimeout" | "Consistently" => {
            if let Some((at, limit)) = arguments.iter().find_map(|n| duration(visit.text_of(*n)).map(|d| (*n, d))) {
                push(at, TermForm::Patience, limit, visit);
            }
        }
        _ => {}
    }
}

/// Returns the milliseconds of `5 * time.Second` or `"5s"`.
fn duration(text: &str) -> Option<f64> {
    const UNITS: &[(&str, f64)] = &[("time.Millisecond", 1.0), ("time.Second", 1e3), ("time.Minute", 6e4), ("time.Hour", 36e5)];
    if let Some((unit, scale)) = UNITS.iter().find(|(unit, _)| text.contains(unit)) {
        let rest = text.replace(unit, "");
        let rest = rest.trim().trim_matches('*').trim();
        return if rest.is_empty() { Some(*scale) } else { number(rest).map(|n| n * scale) };
    }
    let said = text.strip_prefix('"')?.strip_suffix('"')?;
    let end = said.find(|c: char| c.is_ascii_alphabetic())?;
    let scale = match &said[end..] {
        "ms" => 1.0,
        "s" => 1e3,
        "m" => 6e4,
        _ => return None,
    };
    number(&said[..end]).map(|n| n * scale)
}

fn push(node: Node<'_>, form: TermForm, amount: f64, visit: &mut Visit<'_, '_>) {
    let span = visit.span(node);
    visit.out.terms.push(Term { span, form, amount: amount.max(0.0) as u64 });
}
