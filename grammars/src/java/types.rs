//! Types of Java: groups of tests, and the scopes that name what is inside.
//!
//! A class is a group where a runner finds tests in it; which methods are tests is decided in `methods`.

use super::annotations::{self, Annotation};
use super::{flag, markers, methods, scope};
use crate::facts::{Item, ItemKind};
use crate::visit::{FileKind, FileScope, Visit};
use tree_sitter::Node;

/// Nesting of types down to which tests are looked for.
const DEPTH_MAX: usize = 4;

/// Returns the item of a type declaration, with the markers of its annotations.
pub(super) fn declared(node: Node<'_>, visit: &mut Visit<'_, '_>) -> Option<Item> {
    let name = node.child_by_field_name("name")?;
    let annotations = annotations::of(node, visit.text);
    let frame = visit.frame();
    let flags = flags(node, frame.flags, frame.kind, &annotations, visit);
    let tests = scope::holds_tests(visit) && flags & flag::UNCOLLECTED == 0;
    let marked = tests && markers::any(&annotations, visit);
    let group = marked || (tests && (is_group(node, flags, visit, 0) || (is_top(visit) && is_called_test(node, flags, visit))));
    let mut item = Item::new(if group { ItemKind::Group } else { ItemKind::Scope }, visit.text_of(name), visit.span(name));
    item.flags = flags;
    if group {
        item.disabled = markers::emit(&annotations, visit);
    }
    Some(item)
}

/// Returns the scope of an anonymous class or of a constant of an enumeration with a body of its own.
pub(super) fn with_body(node: Node<'_>, visit: &mut Visit<'_, '_>) -> Option<Item> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|n| n.kind() == "class_body")?;
    let name = node.child_by_field_name("type").or_else(|| node.child_by_field_name("name"))?;
    let own = visit.text_of(name).split('<').next().unwrap_or("").trim();
    let mut item = Item::new(ItemKind::Scope, own, visit.span(name));
    item.flags = flag::UNCOLLECTED | inherited(visit.frame().flags) | by_name(own);
    Some(item)
}

/// Bits of a type that hold in the types inside it too.
fn inherited(flags: u32) -> u32 {
    flags & (flag::GENERATED | flag::NULL_OBJECT)
}

/// Returns what a type's name says.
fn by_name(name: &str) -> u32 {
    let null = if is_null_object(name) { flag::NULL_OBJECT } else { 0 };
    let iterates = if ["Iterator", "Enumeration"].iter().any(|w| name.ends_with(w)) { flag::ITERATOR } else { 0 };
    null | iterates
}

fn flags(node: Node<'_>, outer: u32, around: ItemKind, annotations: &[Annotation<'_, '_>], visit: &Visit<'_, '_>) -> u32 {
    let text = visit.text;
    let name = node.child_by_field_name("name").map_or("", |n| &text[n.byte_range()]);
    let mut flags = inherited(outer) | by_name(name);
    let mut set = |bit: u32, holds: bool| flags |= if holds { bit } else { 0 };
    let interface = matches!(node.kind(), "interface_declaration" | "annotation_type_declaration");
    let is_abstract = annotations::is(node, "abstract");
    set(flag::INTERFACE, interface);
    set(flag::ABSTRACT, is_abstract || starts_word(name, "Abstract"));
    set(flag::GENERATED, annotations.iter().any(|a| a.name == "Generated" && a.arguments().is_some()));
    set(flag::ALL_PUBLIC, annotations.iter().any(|a| a.name == "Test" && scope::runner(a, visit.scope) & scope::TESTNG != 0));
    let parent = superclass(node, text);
    set(flag::BY_NAME, is_test_case(parent, visit.scope));
    let parents = node.child_by_field_name("interfaces").map_or("", |n| &text[n.byte_range()]);
    set(flag::ITERATOR, ["Iterator<", "Enumeration<"].iter().any(|w| parents.contains(w)) || parent.ends_with("Iterator"));
    // Inner classes are instances of the one around them: JUnit 5 looks into them only where `@Nested` says so.
    let inner = node.kind() == "class_declaration" && matches!(around, ItemKind::Group | ItemKind::Scope) && outer & flag::INTERFACE == 0;
    let skipped = inner
        && visit.scope.frameworks & (scope::JUPITER | scope::JUNIT4 | scope::TESTNG) == scope::JUPITER
        && !is_abstract
        && !annotations::is(node, "static")
        && !annotations.iter().any(|a| a.name.ends_with("Nested"));
    let local = !matches!(around, ItemKind::File | ItemKind::Group | ItemKind::Scope);
    set(flag::UNCOLLECTED, skipped || local || outer & flag::UNCOLLECTED != 0);
    flags
}

/// Returns the name of the class that a class extends.
fn superclass<'a>(node: Node<'_>, text: &'a str) -> &'a str {
    let Some(of) = node.child_by_field_name("superclass").and_then(|s| s.named_child(0)) else { return "" };
    let name = text[of.byte_range()].split('<').next().unwrap_or("").trim();
    name.rsplit('.').next().unwrap_or(name)
}

/// Whether a superclass makes its methods tests by their names: that of JUnit 3, or one called like it where no later
/// framework is imported.
fn is_test_case(parent: &str, scope: &FileScope) -> bool {
    if scope.binding(parent).is_some_and(|(module, _)| module.starts_with("junit.")) {
        return true;
    }
    scope.frameworks & (scope::JUPITER | scope::JUNIT4 | scope::TESTNG) == 0 && parent.contains("Test")
}

/// Whether a runner finds tests in a type.
fn is_group(node: Node<'_>, flags: u32, visit: &Visit<'_, '_>, depth: usize) -> bool {
    let Some(body) = node.child_by_field_name("body").filter(|_| depth < DEPTH_MAX) else { return false };
    if flags & flag::ALL_PUBLIC != 0 {
        return true;
    }
    let mut cursor = body.walk();
    body.named_children(&mut cursor).any(|member| match member.kind() {
        "method_declaration" => methods::is_test(member, &annotations::of(member, visit.text), flags, visit),
        "class_declaration" => {
            let annotations = annotations::of(member, visit.text);
            let inner = self::flags(member, flags, ItemKind::Group, &annotations, visit);
            inner & flag::UNCOLLECTED == 0 && is_group(member, inner, visit, depth + 1)
        }
        _ => false,
    })
}

fn is_top(visit: &Visit<'_, '_>) -> bool {
    visit.file == FileKind::Test && visit.frame().kind == ItemKind::File
}

/// Whether a class without tests is one that runners look into all the same, so that it is its methods that are none; one whose
/// methods only want it to be a test case of JUnit 3 is not.
fn is_called_test(node: Node<'_>, flags: u32, visit: &Visit<'_, '_>) -> bool {
    let name = node.child_by_field_name("name").map_or("", |n| visit.text_of(n));
    let called = starts_word(name, "Test") || ["Test", "Tests", "TestCase", "IT", "ITCase"].iter().any(|w| name.ends_with(w));
    node.kind() == "class_declaration" && called && !is_group(node, flags | flag::BY_NAME, visit, 0)
}

/// Whether a type's name says that it does nothing, or stands in for another in tests.
fn is_null_object(name: &str) -> bool {
    ["Null", "Noop", "NoOp", "Nop", "Dummy", "Silent", "Fake", "Mock", "Stub", "Void", "Unimplemented", "Unsupported", "Disabled"]
        .iter()
        .any(|p| starts_word(name, p) || name.strip_suffix(p).is_some_and(|rest| rest.ends_with(|c: char| c.is_lowercase())))
}

/// Whether a name in camel case starts with a word.
fn starts_word(name: &str, word: &str) -> bool {
    name.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_lowercase()))
}
