//! Markers that are no part of a definition: `this.skip()`, `pending()`, `test.skip(condition)`, aliases of `it.skip`,
//! focused cases of a rule tester.

use super::chain::{Chain, Part, arguments, is_function, is_text, property, slice, stripped};
use super::constants::{Value, evaluate};
use super::flags;
use super::frameworks::{Segment, framework, is_library, segment};
use super::guards::{place, runs_here};
use super::shadows::shadowed;
use super::tests::{Root, define, resolve};
use crate::facts::{Condition, Edit, Effect, ItemKind, Marker};
use crate::visit::Visit;
use tree_sitter::Node;

/// Ancestors that are looked at to find what a member is stored in.
const ANCESTORS_MAX: usize = 16;
/// Cases of a rule tester that are looked at.
const CASES_MAX: usize = 4096;

/// Reads the markers that a call can be; definitions are read where they open their item.
pub(super) fn call<'tree>(node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let Some(callee) = node.child_by_field_name("function") else { return };
    match callee.kind() {
        "identifier" => bare(node, callee, visit),
        "member_expression" | "subscript_expression" => member(node, callee, visit),
        _ => {}
    }
}

/// `pending()`, `skip()` out of a destructured context, a wrapper of the repository.
fn bare<'tree>(node: Node<'tree>, callee: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let name = slice(visit.text, callee);
    if !matches!(runs_here(visit), ItemKind::Test | ItemKind::Hook | ItemKind::Group) {
        return;
    }
    let is_skip = match name {
        "pending" => visit.scope.binding(name).is_none(),
        "skip" => visit.frame().flags & flags::TAKES_SKIP != 0,
        _ => visit.words.skip_wrappers.iter().any(|w| w == name),
    };
    if is_skip {
        let conditional = ["If", "Unless", "When", "_if", "_unless", "_when"].iter().any(|w| name.contains(w));
        inside(node, node, Effect::Disabled, conditional, visit);
    }
}

fn member<'tree>(node: Node<'tree>, callee: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let text = visit.text;
    let last = callee.child_by_field_name("property").or_else(|| callee.child_by_field_name("index"));
    let Some(last) = last else { return };
    let name = super::chain::unquoted(slice(text, last));
    match name {
        "skip" | "fixme" | "fail" | "todo" => {}
        "only" => return rule_tester_only(node, callee, visit),
        "run" => return rule_tester_cases(node, visit),
        "runOnly" => return run_only(node, callee, visit),
        _ => return,
    }
    let Some(object) = callee.child_by_field_name("object") else { return };
    let object = stripped(object);
    let effect = if name == "fail" { Effect::ExpectedFailure } else { Effect::Disabled };
    let in_item = matches!(runs_here(visit), ItemKind::Test | ItemKind::Hook);
    let source = slice(text, object);
    if object.kind() == "this" {
        if name == "skip" && in_item {
            inside(node, node, effect, false, visit);
        }
        return;
    }
    if matches!(source, "testInfo" | "test.info()") && in_item && name != "todo" {
        inside(node, node, effect, false, visit);
        return;
    }
    if object.kind() != "identifier" {
        return;
    }
    match resolve(source, visit) {
        Some(Root::Context) if in_item && matches!(name, "skip" | "todo") => {
            let defines = arguments_of(node).into_iter().any(|a| is_function(stripped(a)));
            if !defines {
                let effect = if name == "todo" { Effect::ExpectedFailure } else { effect };
                inside(node, node, effect, false, visit);
            }
        }
        Some(Root::Word(word)) if word.kind == ItemKind::Test && word.marks.is_none() && name != "todo" => {
            runner_statement(node, object, effect, visit);
        }
        _ => {}
    }
}

/// Playwright's `test.skip(…)` inside a test, group or file: with a condition first, or without arguments.
fn runner_statement<'tree>(node: Node<'tree>, root: Node<'tree>, effect: Effect, visit: &mut Visit<'_, 'tree>) {
    let all = arguments_of(node);
    let literal_title = all.first().is_some_and(|a| is_text(*a));
    // `test.skip('title')` and definitions open items; a lone call of another runner's `skip` has no meaning.
    let around = runs_here(visit);
    let runs_tests = matches!(around, ItemKind::Test | ItemKind::Hook | ItemKind::Group | ItemKind::File);
    if literal_title || !runs_tests || (visit.scope.frameworks & framework::PLAYWRIGHT == 0 && around == ItemKind::File) {
        return;
    }
    if define(node, visit).is_some() || shadowed(root, visit) || node.parent().is_none_or(|p| p.kind() != "expression_statement") {
        return;
    }
    inside(node, node, effect, false, visit);
}

/// Emits a statement that switches off the test, hook or group that runs it.
fn inside<'tree>(node: Node<'tree>, span: Node<'tree>, effect: Effect, conditional: bool, visit: &mut Visit<'_, 'tree>) {
    // What is switched off as a whole is reported once (rules-a.md D9).
    if visit.frame().disabled {
        return;
    }
    let all = arguments_of(node);
    let first = all.first().copied();
    // A first argument that is no text is the condition; a function is one that its runner evaluates.
    let own = match first {
        _ if conditional => Value::Runtime,
        None => Value::Constant(true),
        Some(first) if is_text(first) || slice(visit.text, first) == "undefined" => Value::Constant(true),
        Some(first) if is_function(stripped(first)) => Value::Runtime,
        Some(first)
            if first.kind() == "binary_expression" && slice(visit.text, first).contains(['"', '\'', '`']) && is_reason(first, visit) =>
        {
            Value::Constant(true)
        }
        Some(first) => evaluate(first, visit.text, visit.scope),
    };
    let Some(own) = own.condition() else { return };
    let guard = place(node, visit);
    let mut marker = Marker::new(effect, visit.span(span));
    marker.condition = match (own, guard) {
        (Condition::Always, guard) => guard,
        (own, Condition::Always) => own,
        (Condition::Ci, Condition::Ci) => Condition::Ci,
        _ => Condition::Runtime,
    };
    marker.reason = all.iter().any(|a| is_text(*a));
    marker.whole_file = runs_here(visit) == ItemKind::File;
    if let Some(statement) = node.parent().filter(|p| p.kind() == "expression_statement") {
        marker.removal = vec![visit.delete(statement)];
    }
    visit.out.markers.push(marker);
}

/// Whether an expression joins strings.
fn is_reason(node: Node<'_>, visit: &Visit<'_, '_>) -> bool {
    node.child_by_field_name("operator").is_some_and(|o| slice(visit.text, o) == "+")
}

fn arguments_of<'tree>(call: Node<'tree>) -> Vec<Node<'tree>> {
    call.child_by_field_name("arguments").map(arguments).unwrap_or_default()
}

/// `RuleTester.only('code')` among the cases of a rule.
fn rule_tester_only<'tree>(node: Node<'tree>, callee: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let object = callee.child_by_field_name("object").map_or("", |o| slice(visit.text, o));
    if object != "RuleTester" && !object.ends_with(".RuleTester") {
        return;
    }
    let mut marker = Marker::new(Effect::Focused, visit.span(callee));
    if let [case] = arguments_of(node).as_slice() {
        marker.removal = vec![visit.replace(node, slice(visit.text, *case))];
    }
    visit.out.markers.push(marker);
}

/// Returns the lists of cases in `tester.run(name, rule, { valid: […], invalid: […] })`.
pub(super) fn rule_tester<'tree>(call: Node<'tree>, text: &str) -> Option<Vec<Node<'tree>>> {
    let callee = call.child_by_field_name("function").filter(|c| c.kind() == "member_expression")?;
    if slice(text, callee.child_by_field_name("property")?) != "run" {
        return None;
    }
    let cases = arguments(call.child_by_field_name("arguments")?).get(2).copied().filter(|n| n.kind() == "object")?;
    let lists: Vec<Node<'tree>> =
        ["valid", "invalid"].into_iter().filter_map(|key| property(cases, key, text)).map(|(_, value)| stripped(value)).collect();
    (!lists.is_empty()).then_some(lists)
}

/// `only: true` on a case of a rule tester.
fn rule_tester_cases<'tree>(node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let text = visit.text;
    for list in rule_tester(node, text).unwrap_or_default().into_iter().filter(|l| l.kind() == "array") {
        let mut cursor = list.walk();
        for case in list.named_children(&mut cursor).filter(|n| n.kind() == "object").take(CASES_MAX) {
            let focused = property(case, "only", text).filter(|(_, v)| evaluate(*v, text, visit.scope) == Value::Constant(true));
            if let Some((pair, _)) = focused {
                let mut marker = Marker::new(Effect::Focused, visit.span(pair));
                let comma = text[pair.end_byte()..].strip_prefix(',').map_or(0, |_| 1);
                marker.removal = vec![Edit { span: visit.span_of(pair.start_byte(), pair.end_byte() + comma), text: String::new() }];
                visit.out.markers.push(marker);
            }
        }
    }
}

/// node:test's `t.runOnly(true)`.
fn run_only<'tree>(node: Node<'tree>, callee: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let is_context = callee.child_by_field_name("object").is_some_and(|o| is_context(slice(visit.text, o), visit));
    let on = arguments_of(node).first().is_some_and(|a| evaluate(*a, visit.text, visit.scope) == Value::Constant(true));
    if is_context && on {
        let mut marker = Marker::new(Effect::Focused, visit.span(node));
        marker.removal = node.parent().filter(|p| p.kind() == "expression_statement").map(|s| visit.delete(s)).into_iter().collect();
        visit.out.markers.push(marker);
    }
}

fn is_context(name: &str, visit: &Visit<'_, '_>) -> bool {
    matches!(resolve(name, visit), Some(Root::Context | Root::Library { .. }))
}

/// tap's `t.runOnly = true`.
pub(super) fn assignment<'tree>(node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let Some((left, right)) = node.child_by_field_name("left").zip(node.child_by_field_name("right")) else { return };
    if left.kind() != "member_expression" || right.kind() != "true" || !slice(visit.text, left).ends_with(".runOnly") {
        return;
    }
    if left.child_by_field_name("object").is_some_and(|o| is_context(slice(visit.text, o), visit)) {
        let mut marker = Marker::new(Effect::Focused, visit.span(node));
        marker.removal = node.parent().filter(|p| p.kind() == "expression_statement").map(|s| visit.delete(s)).into_iter().collect();
        visit.out.markers.push(marker);
    }
}

/// `const maybe = it.skip;`: reported where the member is taken (rules-a.md D10).
pub(super) fn alias<'tree>(node: Node<'tree>, visit: &mut Visit<'_, 'tree>) {
    let text = visit.text;
    if !visit.in_tests() && visit.scope.frameworks == 0 {
        return;
    }
    let Some(chain) = Chain::of(node, text) else { return };
    let [.., Part::Name { name, node: last, cut }] = chain.parts.as_slice() else { return };
    let Some(Segment::Mark(effect)) = segment(name) else { return };
    if chain.root.kind() != "identifier" || chain.names().any(|n| segment(n).is_none() && super::frameworks::word(n).is_none()) {
        return;
    }
    let root = slice(text, chain.root);
    let is_runner = match resolve(root, visit) {
        Some(Root::Word(word)) => word.kind != ItemKind::Hook,
        Some(Root::Library { .. }) => is_library(root) || chain.parts.len() > 1,
        _ => false,
    };
    if !is_runner || chain.parts.iter().any(|p| !matches!(p, Part::Name { .. })) {
        return;
    }
    let Some(value) = taken(node, visit) else { return };
    let Some(condition) = value.condition().filter(|c| *c != Condition::Runtime) else { return };
    if place(node, visit) != Condition::Always {
        return;
    }
    if effect == Effect::Focused && condition != Condition::Always || shadowed(chain.root, visit) {
        return;
    }
    let mut marker = Marker::new(if effect == Effect::Todo { Effect::Disabled } else { effect }, visit.span(*last));
    marker.condition = condition;
    marker.removal = vec![Edit { span: visit.span_of(cut.start, cut.end), text: String::new() }];
    visit.out.markers.push(marker);
}

/// Returns under which condition a member becomes the value of a name; none where it is called, tested or stored in a
/// harness (`wrap.skip = it.skip`).
fn taken(node: Node<'_>, visit: &Visit<'_, '_>) -> Option<Value> {
    let mut child = node;
    let mut value = Value::Constant(true);
    for _ in 0..ANCESTORS_MAX {
        let parent = child.parent()?;
        let is = |field| parent.child_by_field_name(field).is_some_and(|n| n == child);
        let narrow = |value: Value, by: Value| match (value, by) {
            (Value::Constant(true), by) => by,
            (value, Value::Constant(true)) => value,
            _ => Value::Runtime,
        };
        match parent.kind() {
            "variable_declarator" if is("value") => {
                let named = parent.child_by_field_name("name").is_some_and(|n| n.kind() == "identifier");
                return named.then_some(value);
            }
            "assignment_expression" if is("right") => {
                return parent.child_by_field_name("left").is_some_and(|l| l.kind() == "identifier").then_some(value);
            }
            "ternary_expression" if is("consequence") || is("alternative") => {
                let own = evaluate(parent.child_by_field_name("condition")?, visit.text, visit.scope);
                value = narrow(value, if is("alternative") { own.not() } else { own });
            }
            "binary_expression" if is("right") => {
                let own = evaluate(parent.child_by_field_name("left")?, visit.text, visit.scope);
                let and = slice(visit.text, parent.child_by_field_name("operator")?) == "&&";
                value = narrow(value, if and { own } else { own.not() });
            }
            // `it.skip.bind(it)` is `it.skip`.
            "member_expression"
                if is("object") && parent.child_by_field_name("property").is_some_and(|p| slice(visit.text, p) == "bind") => {}
            "call_expression" if is("function") && child.kind() == "member_expression" && child != node => {}
            "parenthesized_expression" | "as_expression" | "satisfies_expression" | "non_null_expression" => {}
            _ => return None,
        }
        child = parent;
    }
    None
}
