//! Methods of Java: tests, the hooks around them, and all others.
//!
//! JUnit 4, JUnit 5 and TestNG collect by annotation, JUnit 3 by name; each leaves out what its runner cannot call.

use super::annotations::{self, Annotation};
use super::{bends, bodies, exempt, flag, markers, scope, skips};
use crate::facts::{Item, ItemKind};
use crate::visit::Visit;
use tree_sitter::Node;

/// Annotations that make a method a test, besides all whose name ends in `Test`.
const TESTS: &[&str] = &["TestFactory", "TestTemplate", "Theory"];

/// Such annotations whose names many others have too: they count only where they are imported from their framework.
const COMMON: &[&str] = &["Property", "Example"];

/// Annotations of set-up and tear-down, of data and of what else runners call.
const HOOKS: &[&str] = &[
    "Before",
    "After",
    "BeforeEach",
    "AfterEach",
    "BeforeAll",
    "AfterAll",
    "BeforeClass",
    "AfterClass",
    "BeforeMethod",
    "AfterMethod",
    "BeforeTest",
    "AfterTest",
    "BeforeSuite",
    "AfterSuite",
    "BeforeGroups",
    "AfterGroups",
    "BeforeTry",
    "AfterTry",
    "BeforeProperty",
    "AfterProperty",
    "DataProvider",
    "DataPoint",
    "DataPoints",
    "Parameters",
    "Factory",
    "Provide",
];

/// Returns the item of a method, with the markers on and in it.
pub(super) fn method<'tree>(node: Node<'tree>, visit: &mut Visit<'_, 'tree>) -> Option<Item> {
    let name_node = node.child_by_field_name("name")?;
    let name = visit.text_of(name_node);
    let annotations = annotations::of(node, visit.text);
    let frame = visit.frame();
    let (flags, in_type) = (frame.flags, matches!(frame.kind, ItemKind::Group | ItemKind::Scope));
    let tests = in_type && scope::holds_tests(visit);
    let kind = match () {
        () if tests && is_test(node, &annotations, flags, visit) => ItemKind::Test,
        () if tests && is_hook(name, &annotations, flags) => ItemKind::Hook,
        () => ItemKind::Function,
    };
    let mut item = Item::new(kind, name, visit.span(name_node));
    item.parametrised = kind == ItemKind::Test && annotations.iter().any(|a| has_rows(a, visit));
    if kind == ItemKind::Test {
        item.disabled = markers::emit(&annotations, visit);
    }
    let Some(body) = node.child_by_field_name("body") else { return Some(item) };
    if kind == ItemKind::Function {
        let read = bodies::read(body, visit, &mut item.flags);
        item.exempt = exempt::reason(node, name, &annotations, flags, read.shape, visit.text);
        let parameters = node.child_by_field_name("parameters").map_or(0, |p| p.named_child_count());
        bends::method(name_node, parameters, body, read, visit);
        item.body = Some(read);
    } else {
        item.body = Some(bodies::plain(body, visit));
        crate::regions::body(body, &super::regions::SHAPES, visit);
        item.disabled |= skips::emit(body, visit) && kind == ItemKind::Test;
    }
    Some(item)
}

/// Returns the item of a constructor.
pub(super) fn constructor(node: Node<'_>, visit: &mut Visit<'_, '_>) -> Option<Item> {
    let name = node.child_by_field_name("name")?;
    let mut item = Item::new(ItemKind::Function, visit.text_of(name), visit.span(name));
    item.exempt = Some("a constructor");
    if let Some(body) = node.child_by_field_name("body") {
        item.body = Some(bodies::read(body, visit, &mut item.flags));
    }
    Some(item)
}

/// Whether a runner collects a method of a type with these flags.
pub(super) fn is_test(node: Node<'_>, annotations: &[Annotation<'_, '_>], flags: u32, visit: &Visit<'_, '_>) -> bool {
    if flags & flag::UNCOLLECTED != 0 || node.child_by_field_name("body").is_none() || annotations::is(node, "private") {
        return false;
    }
    let returns = node.child_by_field_name("type").is_some_and(|t| t.kind() != "void_type");
    if let Some(test) = annotations.iter().find(|a| makes_test(a, visit)) {
        let runner = scope::runner(test, visit.scope);
        // JUnit 5 passes over what it cannot call on an instance, TestNG over what gives something back.
        let jupiter = runner & (scope::JUPITER | scope::JUNIT4) == scope::JUPITER;
        let plain = ["Test", "ParameterizedTest", "RepeatedTest"].contains(&test.name);
        return !(jupiter && annotations::is(node, "static")) && !(returns && plain && (jupiter || runner == scope::TESTNG));
    }
    let name = node.child_by_field_name("name").map_or("", |n| visit.text_of(n));
    let parameters = node.child_by_field_name("parameters").map_or(0, |p| p.named_child_count());
    let public = annotations::is(node, "public");
    if flags & flag::BY_NAME != 0 && public && !returns && parameters == 0 && name.starts_with("test") {
        return true;
    }
    flags & flag::ALL_PUBLIC != 0 && public && !returns && !annotations::is(node, "static") && !is_hook(name, annotations, flags)
}

fn makes_test(annotation: &Annotation<'_, '_>, visit: &Visit<'_, '_>) -> bool {
    let name = annotation.name;
    if HOOKS.contains(&name) {
        return false;
    }
    let framework = scope::is_framework(annotation.path, visit.scope);
    (name.ends_with("Test") && (name != "Test" || framework))
        || (TESTS.contains(&name) && framework)
        || (COMMON.contains(&name) && framework && visit.scope.binding(name).is_some())
        || visit.words.test_functions.iter().any(|w| w == name)
}

/// Whether an annotation makes many runs of one test.
fn has_rows(annotation: &Annotation<'_, '_>, visit: &Visit<'_, '_>) -> bool {
    ["ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory", "Property", "CartesianTest"].contains(&annotation.name)
        || annotation.pair("dataProvider", visit.text).is_some()
        || annotation.name == "UseDataProvider"
}

fn is_hook(name: &str, annotations: &[Annotation<'_, '_>], flags: u32) -> bool {
    annotations.iter().any(|a| HOOKS.contains(&a.name)) || (flags & flag::BY_NAME != 0 && ["setUp", "tearDown"].contains(&name))
}
