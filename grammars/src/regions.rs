//! Stretches of tests in which a check may count for less: branches, loops, what stands behind a way out.
//!
//! Branches and loops have the same fields in every grammar we read, so that a language gives a table of names only. Looks down
//! from a node and never up.

use crate::facts::{Region, RegionForm, Span};
use crate::visit::Visit;
use tree_sitter::Node;

/// A stretch that goes on to the end of its unit.
const TO_THE_END: u32 = u32::MAX;

/// Names of the nodes that decide whether a statement is reached.
pub(crate) struct Shapes {
    /// Statements that leave the function.
    pub(crate) leaving: &'static [&'static str],
    /// Nodes that only hold a statement or several.
    pub(crate) holders: &'static [&'static str],
    /// Conditions that always hold, and those that never do.
    pub(crate) constants: (&'static [&'static str], &'static [&'static str]),
    /// How a call begins that leaves the test as not run.
    pub(crate) skips: &'static [&'static str],
    /// A branch that stands by itself, and is not the other way of another.
    pub(crate) branch: &'static str,
}

/// Emits what stands in a body behind a statement that leaves it.
pub(crate) fn body(block: Node<'_>, shapes: &Shapes, visit: &mut Visit<'_, '_>) {
    let statements = statements(block, shapes);
    let Some(at) = statements.iter().position(|s| is_leaving(*s, shapes)) else { return };
    if at + 1 < statements.len() {
        let span = visit.span_of(statements[at].end_byte(), block.end_byte());
        visit.out.regions.push(Region { span, form: RegionForm::Dead, of: None });
    }
}

/// Emits the ways of a branch.
pub(crate) fn branch(node: Node<'_>, shapes: &Shapes, visit: &mut Visit<'_, '_>) {
    let Some(condition) = node.child_by_field_name("condition") else { return };
    let Some(consequence) = node.child_by_field_name("consequence").or_else(|| node.child_by_field_name("body")) else { return };
    let said = crate::checks::strip(visit.text_of(condition));
    let of = Some(visit.span(condition));
    let (always, never) = (shapes.constants.0.contains(&said), shapes.constants.1.contains(&said));
    let skips = |s: Node<'_>| shapes.skips.iter().any(|skip| visit.text_of(s).starts_with(skip));
    let leaves =
        statements(consequence, shapes).last().is_some_and(|s| is_leaving(*s, shapes) || skips(*s)) || is_leaving(consequence, shapes);
    let mut emit = |span: Span, form: RegionForm| visit.out.regions.push(Region { span, form, of });
    let span = |node: Node<'_>, start: u32| Span {
        start: (node.start_byte() as u32).saturating_sub(start),
        end: (node.end_byte() as u32).saturating_sub(start),
    };
    let start = visit.start;
    match (always, never) {
        (true, _) => {}
        (_, true) => emit(span(consequence, start), RegionForm::Dead),
        _ => emit(span(consequence, start), RegionForm::Guarded),
    }
    let mut cursor = node.walk();
    let otherwise: Vec<Node<'_>> = node.children_by_field_name("alternative", &mut cursor).collect();
    for other in &otherwise {
        emit(span(*other, start), if always { RegionForm::Dead } else { RegionForm::Otherwise });
    }
    if leaves && !never && node.kind() == shapes.branch {
        let behind = Span { start: (node.end_byte() as u32).saturating_sub(start), end: TO_THE_END };
        emit(behind, if always { RegionForm::Dead } else { RegionForm::Otherwise });
    }
}

/// Emits the body of a loop, with what it goes through.
pub(crate) fn repeated(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(body) = node.child_by_field_name("body") else { return };
    let through = ["right", "value", "condition"].iter().find_map(|field| node.child_by_field_name(field)).or_else(|| {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).find(|c| c.kind().ends_with("_clause")).map(|c| c.child_by_field_name("right").unwrap_or(c))
    });
    let of = through.map(|n| visit.span(n));
    let span = visit.span(body);
    visit.out.regions.push(Region { span, form: RegionForm::Repeated, of });
}

/// Emits a stretch whose failures nobody hears of.
pub(crate) fn swallowed(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let span = visit.span(node);
    visit.out.regions.push(Region { span, form: RegionForm::Swallowed, of: None });
}

/// Whether code that catches a failure passes it on, or looks at it.
pub(crate) fn passes_on(handler: &str, words: &[&str]) -> bool {
    let assigns = handler.match_indices('=').any(|(at, _)| {
        let (before, after) = (handler[..at].chars().next_back(), handler[at + 1..].chars().next());
        !matches!(before, Some('=' | '!' | '<' | '>')) && !matches!(after, Some('=' | '>'))
    });
    assigns || words.iter().any(|word| handler.contains(word))
}

fn is_leaving(node: Node<'_>, shapes: &Shapes) -> bool {
    if shapes.leaving.contains(&node.kind()) {
        return true;
    }
    node.kind() == "expression_statement" && node.named_child(0).is_some_and(|inner| shapes.leaving.contains(&inner.kind()))
}

fn statements<'t>(block: Node<'t>, shapes: &Shapes) -> Vec<Node<'t>> {
    let mut cursor = block.walk();
    let mut found = Vec::new();
    for child in block.named_children(&mut cursor).filter(|c| !c.kind().ends_with("comment")) {
        if shapes.holders.contains(&child.kind()) {
            let mut inner = child.walk();
            found.extend(child.named_children(&mut inner).filter(|c| !c.kind().ends_with("comment")));
        } else {
            found.push(child);
        }
    }
    found
}
