//! Items of Go: test functions, subtests, suites and their methods, helpers of tests, functions.
//!
//! A method's name holds that of its receiver, as Go's own documentation writes it; the runner's names for suite methods are
//! the same.

use super::{bends, bodies, calls, flag, framework, ginkgo, scope, skips};
use crate::facts::{Effect, Item, ItemKind, Marker};
use crate::regions;
use crate::visit::{FileKind, FileScope, Visit};
use tree_sitter::Node;

/// Whether `go test` would collect a function of this name.
pub(super) fn collected(name: &str) -> bool {
    kind_of(name).is_some()
}

/// Returns the prefix by which `go test` knows a function.
fn kind_of(name: &str) -> Option<&'static str> {
    ["Test", "Benchmark", "Fuzz", "Example"]
        .into_iter()
        .find(|prefix| name.strip_prefix(prefix).is_some_and(|rest| !rest.starts_with(|c: char| c.is_lowercase())))
        .filter(|_| name != "TestMain")
}

/// Returns the item of a function.
pub(super) fn function(node: Node<'_>, visit: &mut Visit<'_, '_>) -> Option<Item> {
    let text = visit.text;
    let name_node = node.child_by_field_name("name")?;
    let name = visit.text_of(name_node);
    let body = node.child_by_field_name("body");
    let handles = calls::handles(node, text, visit.scope);
    let is_main = name == "TestMain" && visit.file == FileKind::Test;
    let test = visit.file == FileKind::Test && is_test(node, name, visit);
    let runner = test && body.is_some_and(|b| only_runs(b, text, visit.scope));
    let kind = match () {
        () if is_main || runner => ItemKind::Hook,
        () if test => ItemKind::Test,
        () if !handles.is_empty() => ItemKind::Hook,
        () => ItemKind::Function,
    };
    let mut item = Item::new(kind, name, visit.span(name_node));
    item.exempt = exempt(name, "", visit.scope);
    item.measures = test && kind_of(name) == Some("Benchmark");
    let Some(body) = body else { return Some(item) };
    item.body = Some(match kind {
        ItemKind::Function => bodies::read(body, visit, &mut item.flags),
        _ => bodies::plain(body, visit),
    });
    if kind == ItemKind::Test || visit.in_tests() {
        regions::body(body, &super::regions::SHAPES, visit);
    }
    if is_main {
        runs_nothing(node, name_node, body, visit);
    } else if kind != ItemKind::Function || visit.in_tests() {
        item.disabled = skips::emit(body, &handles, !test, visit) && kind == ItemKind::Test;
    }
    Some(item)
}

/// Whether a function's signature is what `go test` asks for.
fn is_test(node: Node<'_>, name: &str, visit: &Visit<'_, '_>) -> bool {
    let Some(kind) = kind_of(name) else { return visit.words.test_functions.iter().any(|w| w == name) };
    if node.child_by_field_name("result").is_some() || node.child_by_field_name("type_parameters").is_some() {
        return false;
    }
    let parameters = calls::parameters(node, visit.text);
    let wanted = match kind {
        "Test" => "T",
        "Benchmark" => "B",
        "Fuzz" => "F",
        _ => return parameters.is_empty(),
    };
    match parameters.as_slice() {
        [only] => {
            let of = only.of;
            of.starts_with('*') && (of == "*T" || (calls::is_handle(of, visit.scope) && of.rsplit('.').next() == Some(wanted)))
        }
        _ => false,
    }
}

/// Whether a test only hands over to the runner of a framework, whose tests are the real ones (rules-a.md D9).
fn only_runs(body: Node<'_>, text: &str, scope: &FileScope) -> bool {
    calls::statements(body).into_iter().filter_map(calls::called).filter_map(|call| calls::callee(call, text)).any(|callee| {
        match callee.name {
            "Run" => ["suite", "spec"].iter().any(|word| scope::is_package(scope, callee.of, word)),
            "RunSpecs" | "RunSpecsWithDefaultReporters" | "RunSpecsWithDefaultAndCustomReporters" | "RunSpecsWithCustomReporters" => true,
            "TestingT" => callee.of.is_empty() || scope::is_package(scope, callee.of, "check"),
            _ => false,
        }
    })
}

/// Emits the marker of a `TestMain` that never runs the tests.
fn runs_nothing(node: Node<'_>, name: Node<'_>, body: Node<'_>, visit: &mut Visit<'_, '_>) {
    let text = visit.text;
    let parameters = calls::parameters(node, text);
    let [main] = parameters.as_slice() else { return };
    if !main.of.ends_with("testing.M") {
        return;
    }
    let source = &text[body.byte_range()];
    let used = source
        .match_indices(main.name)
        .any(|(at, _)| !is_word_at(source, at.checked_sub(1)) && !is_word_at(source, Some(at + main.name.len())));
    if main.name == "_" || main.name.is_empty() || !used || leaves_first(body, main.name, text) {
        let mut marker = Marker::new(Effect::Disabled, visit.span(name));
        marker.whole_file = true;
        visit.out.markers.push(marker);
    }
}

/// Whether a body returns or exits, whatever happens, before it first mentions a name.
fn leaves_first(body: Node<'_>, name: &str, text: &str) -> bool {
    calls::statements(body)
        .into_iter()
        .take_while(|s| !text[s.byte_range()].split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name))
        .any(|s| {
            let exits = calls::called(s).and_then(|call| calls::callee(call, text)).is_some_and(|c| (c.of, c.name) == ("os", "Exit"));
            s.kind() == "return_statement" || exits
        })
}

fn is_word_at(source: &str, at: Option<usize>) -> bool {
    at.and_then(|i| source.as_bytes().get(i)).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'.')
        && at.and_then(|i| source.as_bytes().get(i)) != Some(&b'.')
}

/// Set-up and tear-down methods of suites.
const SUITE_HOOKS: &[&str] = &[
    "SetupSuite",
    "SetupTest",
    "SetupSubTest",
    "TearDownSuite",
    "TearDownTest",
    "TearDownSubTest",
    "BeforeTest",
    "AfterTest",
    "SetUpSuite",
    "SetUpTest",
    "HandleStats",
];

/// Returns the item of a method.
pub(super) fn method(node: Node<'_>, visit: &mut Visit<'_, '_>) -> Option<Item> {
    let text = visit.text;
    let name_node = node.child_by_field_name("name")?;
    let own = visit.text_of(name_node);
    let receiver = node.child_by_field_name("receiver").map(|r| calls::declared(r, text)).unwrap_or_default();
    let of = receiver.first().map_or("", |p| p.of.trim_start_matches('*').split('[').next().unwrap_or(""));
    let parameters = calls::parameters(node, text);
    let handles: Vec<&str> = parameters.iter().filter(|p| calls::is_handle(p.of, visit.scope)).map(|p| p.name).collect();
    let plain = node.child_by_field_name("result").is_none();
    let in_suite = visit.file == FileKind::Test && plain && parameters.len() == handles.len() && parameters.len() <= 1;
    let kind = match () {
        () if in_suite && kind_of(own) == Some("Test") => ItemKind::Test,
        () if in_suite && SUITE_HOOKS.contains(&own) => ItemKind::Hook,
        () if !handles.is_empty() => ItemKind::Hook,
        () => ItemKind::Function,
    };
    let name = if of.is_empty() { own.to_owned() } else { format!("{of}.{own}") };
    let mut item = Item::new(kind, name, visit.span(name_node));
    item.exempt = exempt(own, of, visit.scope);
    let Some(body) = node.child_by_field_name("body") else { return Some(item) };
    let read = match kind {
        ItemKind::Function => bodies::read(body, visit, &mut item.flags),
        _ => bodies::plain(body, visit),
    };
    bends::method(own, body, read, visit);
    item.body = Some(read);
    if kind != ItemKind::Function || visit.in_tests() {
        let helper = kind != ItemKind::Test && !SUITE_HOOKS.contains(&own);
        item.disabled = skips::emit(body, &handles, helper, visit) && kind == ItemKind::Test;
    }
    Some(item)
}

/// Says why a body that gives up is complete as it is.
fn exempt(name: &str, receiver: &str, scope: &FileScope) -> Option<&'static str> {
    let starts = |text: &str, prefix: &str| {
        text.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
            && !text[prefix.len()..].starts_with(|c: char| c.is_lowercase())
    };
    let idle = ["nop", "noop", "null", "discard", "dummy", "fake", "mock", "stub", "unimplemented", "disabled", "unsupported"];
    if idle.iter().any(|p| starts(receiver, p) || (receiver.len() > p.len() && receiver.to_ascii_lowercase().ends_with(p))) {
        return Some("a null object");
    }
    if ["nop", "noop"].iter().any(|p| starts(name, p)) {
        return Some("its name says that it does nothing");
    }
    (scope.flags & flag::CONSTRAINED != 0).then_some("a file for some platforms only")
}

/// Returns the group that a suite's type is.
pub(super) fn suite(node: Node<'_>, visit: &mut Visit<'_, '_>) -> Option<Item> {
    let name = node.child_by_field_name("name")?;
    let of = node.child_by_field_name("type").filter(|t| t.kind() == "struct_type")?;
    let uses_check = visit.scope.frameworks & framework::CHECK_DOT != 0 || visit.scope.names.iter().any(|(_, module, _)| module == "check");
    let suite_name = visit.text_of(name).ends_with("Suite");
    if !((uses_check && suite_name) || embeds_suite(of, suite_name, visit)) {
        return None;
    }
    Some(Item::new(ItemKind::Group, visit.text_of(name), visit.span(name)))
}

/// Whether a struct embeds a suite.
fn embeds_suite(of: Node<'_>, suite_name: bool, visit: &Visit<'_, '_>) -> bool {
    let mut cursor = of.walk();
    let Some(fields) = of.named_children(&mut cursor).find(|n| n.kind() == "field_declaration_list") else { return false };
    let mut cursor = fields.walk();
    fields.named_children(&mut cursor).filter(|f| f.kind() == "field_declaration" && f.child_by_field_name("name").is_none()).any(|f| {
        let Some(embedded) = f.child_by_field_name("type").map(|t| visit.text_of(t)) else { return false };
        match embedded.split_once('.') {
            Some((package, "Suite")) => scope::is_package(visit.scope, package, "suite"),
            _ => suite_name && visit.file == FileKind::Test && embedded.ends_with("Suite"),
        }
    })
}

/// Whether a call defines a subtest with a name of its own: `t.Run("name", func(t *testing.T) { … })`.
pub(super) fn is_subtest(call: Node<'_>, text: &str, scope: &FileScope) -> bool {
    subtest(call, text, scope).is_some()
}

/// Returns the name of the subtest that a call defines.
pub(super) fn subtest_name<'a>(call: Node<'_>, text: &'a str, scope: &FileScope) -> Option<&'a str> {
    subtest(call, text, scope).and_then(|(title, _)| calls::string(title, text))
}

/// Returns the title and the function of a subtest.
fn subtest<'tree>(call: Node<'tree>, text: &str, scope: &FileScope) -> Option<(Node<'tree>, Node<'tree>)> {
    let callee = calls::callee(call, text).filter(|c| c.name == "Run" && c.operand.is_some())?;
    let arguments = calls::arguments(call);
    let [title, literal] = arguments.as_slice() else { return None };
    calls::string(*title, text)?;
    if literal.kind() != "func_literal" {
        return None;
    }
    let parameters = calls::parameters(*literal, text);
    let of_suite = parameters.is_empty() && callee.operand.is_some_and(|o| o.kind() == "identifier");
    (of_suite || parameters.iter().any(|p| calls::is_handle(p.of, scope))).then_some((*title, *literal))
}

/// Returns the item that a call opens: a subtest or a spec.
pub(super) fn call(node: Node<'_>, visit: &mut Visit<'_, '_>) -> Option<Item> {
    let text = visit.text;
    let callee = calls::callee(node, text)?;
    if callee.name != "Run" {
        return ginkgo::item(node, &callee, visit);
    }
    if !visit.in_tests() {
        return None;
    }
    let (title, literal) = subtest(node, text, visit.scope)?;
    let mut item = Item::new(ItemKind::Test, calls::string(title, text)?, visit.span(title));
    if let Some(body) = literal.child_by_field_name("body") {
        item.body = Some(bodies::plain(body, visit));
        regions::body(body, &super::regions::SHAPES, visit);
        let mut handles = calls::handles(literal, text, visit.scope);
        handles.push("t");
        item.disabled = skips::emit(body, &handles, false, visit);
    }
    Some(item)
}

/// Emits the name of the suite that a call runs.
pub(super) fn registration(call: Node<'_>, callee: &calls::Callee<'_, '_>, visit: &mut Visit<'_, '_>) {
    let text = visit.text;
    let arguments = calls::arguments(call);
    let argument = match callee.name {
        "Run" if scope::is_package(visit.scope, callee.of, "suite") => arguments.get(1),
        "Suite" if callee.of.is_empty() && visit.scope.frameworks & framework::CHECK_DOT != 0 => arguments.first(),
        "Suite" if scope::is_package(visit.scope, callee.of, "check") => arguments.first(),
        _ => return,
    };
    let Some(argument) = argument else { return };
    let source = match argument.kind() {
        "identifier" => {
            // A local name: what it was bound to in the function around.
            let name = visit.text_of(*argument);
            let around = &text[visit.frame().start as usize..call.start_byte()];
            let bound = [format!("{name} := "), format!("{name} = ")].iter().filter_map(|b| around.rfind(b).map(|i| i + b.len())).max();
            match bound {
                Some(at) => around[at..].lines().next().unwrap_or(""),
                None => return,
            }
        }
        _ => visit.text_of(*argument),
    };
    let name = source.trim_start_matches("new(").trim_start_matches('&');
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    if end > 0 {
        visit.out.registrations.push(name[..end].to_owned());
    }
}
