//! Statements that end a Java test before it checked anything, and whether they always do: assumptions, and exceptions that
//! the runner counts as skipped.
//!
//! Read from the body down, so that the conditions around a statement are known when it is met. Lambdas and classes inside are
//! left alone: what calls them is not known.

use super::annotations::{arguments, string, words};
use super::scope;
use super::truth::{self, Truth};
use crate::facts::{Condition, Edit, Effect, Marker};
use crate::visit::Visit;
use tree_sitter::Node;

/// Nesting from which on nothing is read: no code that people write is deeper.
const DEPTH_MAX: usize = 200;

/// Exceptions by which a runner knows that a test was skipped.
const SKIPPING: &[&str] = &["SkipException", "TestAbortedException", "AssumptionViolatedException", "TestSkippedException"];

struct Skip<'tree> {
    /// From its first byte to the end of what it calls.
    range: std::ops::Range<usize>,
    call: Node<'tree>,
    statement: Node<'tree>,
    condition: Condition,
}

struct Reader<'a, 'b, 'tree> {
    visit: &'b Visit<'a, 'tree>,
    found: Vec<Skip<'tree>>,
}

/// Emits the markers of statements that skip in the body of a test or hook; returns whether one always does.
pub(super) fn emit<'tree>(body: Node<'tree>, visit: &mut Visit<'_, 'tree>) -> bool {
    let source = visit.text_of(body);
    let mentions = source.contains("assum") || source.contains("abort") || SKIPPING.iter().any(|w| source.contains(w));
    if !mentions && !visit.words.skip_wrappers.iter().any(|w| source.contains(w.as_str())) {
        return false;
    }
    let mut reader = Reader { visit, found: Vec::new() };
    reader.block(body, Condition::Always, 0);
    let found = reader.found;
    for skip in &found {
        let mut marker = Marker::new(Effect::Disabled, visit.span_of(skip.range.start, skip.range.end));
        marker.condition = skip.condition;
        marker.reason = skip.call.child_by_field_name("arguments").is_some_and(|a| words(a, visit.text).is_some());
        if skip.condition == Condition::Always {
            marker.removal = vec![Edit { span: visit.span(skip.statement), text: String::new() }];
        }
        visit.out.markers.push(marker);
    }
    found.iter().any(|s| s.condition == Condition::Always)
}

impl<'tree> Reader<'_, '_, 'tree> {
    /// Reads statements in order: behind one that can leave the method, all others are conditional.
    fn block(&mut self, block: Node<'tree>, condition: Condition, depth: usize) {
        if depth > DEPTH_MAX {
            return;
        }
        let mut condition = condition;
        let mut cursor = block.walk();
        for statement in block.named_children(&mut cursor).collect::<Vec<_>>() {
            self.statement(statement, condition, depth + 1);
            let branches = matches!(
                statement.kind(),
                "if_statement" | "for_statement" | "enhanced_for_statement" | "while_statement" | "do_statement" | "switch_expression"
            );
            if branches && self.visit.text_of(statement).contains("return") {
                condition = weaker(condition, Condition::Runtime);
            }
        }
    }

    fn statement(&mut self, node: Node<'tree>, condition: Condition, depth: usize) {
        if depth > DEPTH_MAX {
            return;
        }
        match node.kind() {
            "block" => self.block(node, condition, depth),
            "if_statement" => {
                let truth = node.child_by_field_name("condition").map_or(Truth::Unknown, |c| truth::of(c, self.visit.text));
                for (field, truth) in [("consequence", truth), ("alternative", truth.not())] {
                    if let (Some(branch), Some(own)) = (node.child_by_field_name(field), when(truth)) {
                        self.statement(branch, weaker(condition, own), depth + 1);
                    }
                }
            }
            "try_statement" | "try_with_resources_statement" | "synchronized_statement" | "labeled_statement" => {
                let mut cursor = node.walk();
                for part in node.named_children(&mut cursor).collect::<Vec<_>>() {
                    let own = if part.kind() == "catch_clause" { Condition::Runtime } else { Condition::Always };
                    self.statement(part, weaker(condition, own), depth + 1);
                }
            }
            "catch_clause" => {
                if let Some(body) = node.child_by_field_name("body") {
                    self.block(body, condition, depth + 1);
                }
            }
            "for_statement" | "enhanced_for_statement" | "while_statement" | "do_statement" => {
                if let Some(body) = node.child_by_field_name("body") {
                    self.statement(body, weaker(condition, Condition::Runtime), depth + 1);
                }
            }
            "throw_statement" => self.throws(node, condition),
            "expression_statement" => {
                if let Some(call) = node.named_child(0).filter(|n| n.kind() == "method_invocation") {
                    self.call(call, node, condition);
                }
            }
            _ => {}
        }
    }

    fn throws(&mut self, statement: Node<'tree>, condition: Condition) {
        let Some(made) = statement.named_child(0).filter(|n| n.kind() == "object_creation_expression") else { return };
        let Some(of) = made.child_by_field_name("type") else { return };
        let name = self.visit.text_of(of);
        if SKIPPING.contains(&name.rsplit('.').next().unwrap_or(name)) {
            self.found.push(Skip { range: statement.start_byte()..of.end_byte(), call: made, statement, condition });
        }
    }

    fn call(&mut self, call: Node<'tree>, statement: Node<'tree>, condition: Condition) {
        let Some((start, own)) = self.skips(call, 0) else { return };
        let name = start.child_by_field_name("name").unwrap_or(start);
        let range = start.start_byte()..name.end_byte();
        self.found.push(Skip { range, call: start, statement, condition: weaker(condition, own) });
    }

    /// Returns the call of an assumption, the root of its chain, with its condition.
    fn skips(&self, call: Node<'tree>, depth: usize) -> Option<(Node<'tree>, Condition)> {
        const CHAIN_MAX: usize = 16;
        let text = self.visit.text;
        let name = self.visit.text_of(call.child_by_field_name("name")?);
        let object = call.child_by_field_name("object");
        if let Some(inner) = object.filter(|o| o.kind() == "method_invocation" && depth < CHAIN_MAX) {
            // `assumeThat(x).isTrue()`: the chain's first call says what it is.
            return self.skips(inner, depth + 1);
        }
        if self.visit.words.skip_wrappers.iter().any(|w| w == name || w.rsplit('.').next() == Some(name)) {
            return Some((call, Condition::Always));
        }
        let path = object.map_or_else(|| name.to_owned(), |o| format!("{}.{name}", self.visit.text_of(o)));
        let of = path.rsplit('.').nth(1).unwrap_or("");
        if !["", "Assume", "Assumptions", "TruthJUnit"].contains(&of) || !scope::is_framework(&path, self.visit.scope) {
            return None;
        }
        let arguments = arguments(call);
        let subject = arguments.iter().find(|a| string(**a, text).is_none());
        let known = subject.map_or(Truth::Unknown, |s| truth::of(*s, text));
        let condition = match name {
            "abort" if !of.is_empty() || self.visit.scope.binding("abort").is_some() => Condition::Always,
            "assumeTrue" => when(known.not())?,
            "assumeFalse" => when(known)?,
            "assumeThat" => match (known, arguments.last().map(|m| self.visit.text_of(*m))) {
                (Truth::False, Some("is(true)" | "equalTo(true)")) | (Truth::True, Some("is(false)" | "equalTo(false)")) => {
                    Condition::Always
                }
                _ => Condition::Runtime,
            },
            "assumeNotNull" if subject.is_some_and(|s| s.kind() == "null_literal") => Condition::Always,
            "assumeNotNull" | "assumeNoException" | "assumeThatCode" => Condition::Runtime,
            _ => return None,
        };
        Some((call, condition))
    }
}

/// Returns when a branch of this condition runs; none for never.
fn when(truth: Truth) -> Option<Condition> {
    match truth {
        Truth::True => Some(Condition::Always),
        Truth::False => None,
        Truth::Ci => Some(Condition::Ci),
        Truth::NotCi | Truth::Unknown => Some(Condition::Runtime),
    }
}

/// Returns the condition that both together make.
fn weaker(outer: Condition, inner: Condition) -> Condition {
    match (outer, inner) {
        (Condition::Runtime, _) | (_, Condition::Runtime) => Condition::Runtime,
        (Condition::Ci, _) | (_, Condition::Ci) => Condition::Ci,
        _ => Condition::Always,
    }
}
