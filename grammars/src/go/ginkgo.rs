//! Specs of ginkgo and of sclevine/spec: calls that define containers, specs and hooks, and their pending and focus marks.
//!
//! Names count only where the file imports the framework: `FIt` is a fine name for a function that fits curves.

use super::calls::{self, Callee};
use super::{bodies, framework, scope, skips};
use crate::facts::{Edit, Effect, Item, ItemKind, Marker, OnNew};
use crate::visit::{FileScope, Visit};
use tree_sitter::Node;

/// Nodes that hold others.
const CONTAINERS: &[&str] = &["Describe", "Context", "When", "DescribeTableSubtree"];
/// Nodes that are tests.
const SPECS: &[&str] = &["It", "Specify", "Measure", "DescribeTable"];
/// Nodes that set up and tear down.
const HOOKS: &[&str] = &[
    "BeforeEach",
    "AfterEach",
    "JustBeforeEach",
    "JustAfterEach",
    "BeforeAll",
    "AfterAll",
    "BeforeSuite",
    "AfterSuite",
    "SynchronizedBeforeSuite",
    "SynchronizedAfterSuite",
    "ReportAfterEach",
    "ReportAfterSuite",
];

/// What a name of ginkgo does to its node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefix {
    None,
    Pending,
    Focused,
}

/// Splits the name of a node into prefix and kind.
fn split(name: &str) -> Option<(Prefix, &str)> {
    let known = |n: &str| CONTAINERS.contains(&n) || SPECS.contains(&n) || n == "Entry";
    if known(name) || HOOKS.contains(&name) {
        return Some((Prefix::None, name));
    }
    let base = name.get(1..).filter(|b| known(b))?;
    match name.as_bytes()[0] {
        b'P' | b'X' => Some((Prefix::Pending, base)),
        b'F' => Some((Prefix::Focused, base)),
        _ => None,
    }
}

/// Returns prefix and kind where a callee is a node of ginkgo.
fn node_of<'a>(callee: &Callee<'a, '_>, scope: &FileScope) -> Option<(Prefix, &'a str)> {
    let ours = match callee.operand {
        None => scope.frameworks & framework::GINKGO_DOT != 0,
        Some(_) => scope::is_package(scope, callee.of, "ginkgo"),
    };
    if ours { split(callee.name) } else { None }
}

/// Whether sclevine/spec calls a callee a container (`when`) or a spec (`it`).
fn spec_of(callee: &Callee<'_, '_>, scope: &FileScope) -> Option<ItemKind> {
    if !scope.names.iter().any(|(_, module, _)| module == "spec") {
        return None;
    }
    let base = if callee.operand.is_some() && ["Focus", "Pend"].contains(&callee.name) { callee.of } else { callee.name };
    match base {
        "it" => Some(ItemKind::Test),
        "when" | "context" | "describe" => Some(ItemKind::Group),
        _ => None,
    }
    .filter(|_| callee.operand.is_none() || base == callee.of)
}

/// Whether a call opens a unit of its own.
pub(super) fn opens(callee: &Callee<'_, '_>, scope: &FileScope) -> bool {
    node_of(callee, scope).is_some_and(|(_, base)| base != "Entry") || spec_of(callee, scope).is_some()
}

/// Returns the item that a call of ginkgo or sclevine/spec defines.
pub(super) fn item(call: Node<'_>, callee: &Callee<'_, '_>, visit: &mut Visit<'_, '_>) -> Option<Item> {
    if let Some(kind) = spec_of(callee, visit.scope) {
        return spec(call, callee, kind, visit);
    }
    let (prefix, base) = node_of(callee, visit.scope)?;
    if base == "Entry" {
        return None;
    }
    let arguments = calls::arguments(call);
    let hook = HOOKS.contains(&base);
    let kind = match () {
        () if hook => ItemKind::Hook,
        () if CONTAINERS.contains(&base) => ItemKind::Group,
        () => ItemKind::Test,
    };
    let mut item = named(kind, callee, &arguments, hook, visit);
    item.parametrised = base.starts_with("DescribeTable");
    item.disabled = marks(prefix, base, callee, &arguments, visit);
    let literal = arguments.iter().copied().find(|a| a.kind() == "func_literal");
    if let Some(body) = literal.and_then(|l| l.child_by_field_name("body")) {
        item.body = Some(bodies::plain(body, visit));
        if !item.disabled && kind != ItemKind::Group {
            item.disabled = skips::emit(body, &[], false, visit);
        }
    } else if kind == ItemKind::Test && !item.disabled && arguments.len() == 1 {
        let mut marker = Marker::new(Effect::Todo, visit.span(callee.node));
        marker.on_new = OnNew::Silent;
        visit.out.markers.push(marker);
    }
    Some(item)
}

/// Returns an item named by the text that is a call's first argument.
fn named(kind: ItemKind, callee: &Callee<'_, '_>, arguments: &[Node<'_>], hook: bool, visit: &Visit<'_, '_>) -> Item {
    let title = arguments.first().filter(|a| !hook && a.kind() != "func_literal");
    match title {
        Some(title) => {
            let name = calls::string(*title, visit.text)
                .map_or_else(|| visit.text_of(*title).split_whitespace().collect::<Vec<_>>().join(" "), str::to_owned);
            Item::new(kind, name, visit.span(*title))
        }
        None => Item::new(kind, if hook { callee.name } else { "" }, visit.span(callee.node)),
    }
}

/// Emits the pending and focus marks of a node; returns whether it is pending.
fn marks(prefix: Prefix, base: &str, callee: &Callee<'_, '_>, arguments: &[Node<'_>], visit: &mut Visit<'_, '_>) -> bool {
    let mut pending = false;
    let effect = match prefix {
        Prefix::None => None,
        Prefix::Pending => Some(Effect::Disabled),
        Prefix::Focused => Some(Effect::Focused),
    };
    if let Some(effect) = effect {
        let mut marker = Marker::new(effect, visit.span(callee.node));
        let plain = if callee.of.is_empty() { base.to_owned() } else { format!("{}.{base}", callee.of) };
        marker.removal = vec![visit.replace(callee.node, plain)];
        visit.out.markers.push(marker);
        pending = effect == Effect::Disabled;
    }
    for (index, argument) in arguments.iter().enumerate() {
        let Some(effect) = decorator(*argument, visit) else { continue };
        let mut marker = Marker::new(effect, visit.span(*argument));
        let span = match (arguments.get(index + 1), index.checked_sub(1).and_then(|i| arguments.get(i))) {
            (Some(next), _) => visit.span_of(argument.start_byte(), next.start_byte()),
            (None, Some(before)) => visit.span_of(before.end_byte(), argument.end_byte()),
            (None, None) => visit.span(*argument),
        };
        marker.removal = vec![Edit { span, text: String::new() }];
        pending |= effect == Effect::Disabled;
        visit.out.markers.push(marker);
    }
    pending
}

/// Returns what an argument does where it is a decorator of ginkgo.
fn decorator(argument: Node<'_>, visit: &Visit<'_, '_>) -> Option<Effect> {
    let (of, name) = match argument.kind() {
        "identifier" => ("", visit.text_of(argument)),
        "selector_expression" => visit.text_of(argument).rsplit_once('.')?,
        _ => return None,
    };
    let ours =
        if of.is_empty() { visit.scope.frameworks & framework::GINKGO_DOT != 0 } else { scope::is_package(visit.scope, of, "ginkgo") };
    match name {
        "Pending" if ours => Some(Effect::Disabled),
        "Focus" if ours => Some(Effect::Focused),
        _ => None,
    }
}

/// Emits the marks of a table's entry.
pub(super) fn entry(call: Node<'_>, callee: &Callee<'_, '_>, visit: &mut Visit<'_, '_>) {
    let Some((prefix, "Entry")) = node_of(callee, visit.scope) else { return };
    if visit.frame().disabled && prefix == Prefix::Pending {
        return;
    }
    marks(prefix, "Entry", callee, &calls::arguments(call), visit);
}

/// Returns the item of a call of sclevine/spec: `when("…", func() { … })`, `it.Focus("…", func() { … })`.
fn spec(call: Node<'_>, callee: &Callee<'_, '_>, kind: ItemKind, visit: &mut Visit<'_, '_>) -> Option<Item> {
    let arguments = calls::arguments(call);
    calls::string(*arguments.first()?, visit.text)?;
    let literal = arguments.iter().copied().find(|a| a.kind() == "func_literal");
    let mut item = named(kind, callee, &arguments, false, visit);
    let effect = match callee.name {
        "Focus" => Some(Effect::Focused),
        "Pend" => Some(Effect::Disabled),
        _ => None,
    };
    if let Some(effect) = effect {
        let mut marker = Marker::new(effect, visit.span(callee.node));
        marker.removal = vec![visit.replace(callee.node, callee.of)];
        visit.out.markers.push(marker);
        item.disabled = effect == Effect::Disabled;
    }
    for argument in arguments.iter().filter(|a| a.kind() == "call_expression") {
        let option = calls::callee(*argument, visit.text).filter(|c| scope::is_package(visit.scope, c.of, "spec"));
        if option.is_some_and(|c| c.name == "Focus") {
            visit.out.markers.push(Marker::new(Effect::Focused, visit.span(*argument)));
        }
    }
    if let Some(body) = literal.and_then(|l| l.child_by_field_name("body")) {
        item.body = Some(bodies::plain(body, visit));
    }
    Some(item)
}
