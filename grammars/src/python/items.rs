//! What opens a unit: classes, functions, tests, hooks, and the blocks around definitions that change what they are.
//!
//! A decorated definition is one unit, its decorators included. A block of an `if` or `except` that holds definitions is a
//! unit without a name, so that two definitions under opposite conditions are not two of one scope.

use super::classes::{self, Collected, flag};
use super::conditions::{When, when};
use super::markers;
use super::names::Reader;
use super::scope;
use super::syntax::{Definition, children, definitions, dotted, field, tail};
use super::{bends, docs, exempt, stubs, unbound};
use crate::facts::{Item, ItemKind};
use crate::visit::{FileKind, Frame, Visit};
use tree_sitter::Node;

/// Whether the runner collects a function of this name.
pub(super) fn is_test_name(name: &str) -> bool {
    name.starts_with("test")
}

/// What stands around a node.
struct Around {
    /// The module itself, or a block of it.
    module: bool,
    /// A class, or a block of it.
    class: bool,
    /// A class of tests.
    group: bool,
    /// Functions named like tests are collected.
    collects: bool,
    /// Flags of the class around, if any.
    flags: u32,
}

impl Around {
    fn of(visit: &Visit<'_, '_>) -> Self {
        let frame = visit.frame();
        let block = frame.flags & flag::BLOCK != 0;
        let module = frame.kind == ItemKind::File || (block && frame.flags & flag::MODULE != 0);
        let class = !module && matches!(frame.kind, ItemKind::Group | ItemKind::Scope);
        let inherited = flag::COLLECTS | flag::ABSTRACT | flag::NULL_OBJECT | flag::DECLARES | flag::DERIVED;
        Around {
            module,
            class,
            group: class && frame.flags & flag::COLLECTS != 0,
            collects: if module { visit.scope.flags & scope::COLLECTS != 0 } else { frame.flags & flag::COLLECTS != 0 },
            flags: frame.flags & inherited,
        }
    }
}

/// Returns the item that a node opens.
pub(super) fn open<'t>(node: Node<'t>, visit: &mut Visit<'_, 't>) -> Option<Item> {
    match node.kind() {
        "decorated_definition" => {
            let inner = Definition::of(node)?.node.start_byte();
            definition(node, visit, flag::DECORATED | offset(inner, node.start_byte()) << flag::OFFSET)
        }
        "function_definition" | "class_definition" if !belongs(node, visit.frame()) => definition(node, visit, 0),
        "if_statement" | "elif_clause" | "else_clause" | "except_clause" => block(node, visit),
        _ => None,
    }
}

/// Returns where a definition starts in its decorated unit, as far as the flags have room for it.
fn offset(at: usize, unit: usize) -> u32 {
    (at.wrapping_sub(unit) as u32) & u32::from(u16::MAX)
}

/// Whether a definition is the one whose decorators opened the unit around it.
fn belongs(node: Node<'_>, frame: &Frame) -> bool {
    frame.flags & flag::DECORATED != 0 && frame.flags >> flag::OFFSET == offset(node.start_byte(), frame.start as usize)
}

/// Whether a definition is indented though no block is open: the grammar passes over an indent that the language refuses.
fn indented_for_nothing(node: Node<'_>, frame: &Frame) -> bool {
    let start = node.start_position();
    frame.kind == ItemKind::File && start.column > 0 && start.row > 0 && node.parent().is_some_and(|p| p.kind() == "module")
}

fn definition<'t>(node: Node<'t>, visit: &mut Visit<'_, 't>, flags: u32) -> Option<Item> {
    let definition = Definition::of(node)?;
    let mut item = if definition.is_class() { class(&definition, visit) } else { function(&definition, visit) }?;
    item.flags |= flags;
    if indented_for_nothing(node, visit.frame()) {
        visit.out.broken.push(item.name_span);
    }
    if let Some(body) = definition.body() {
        docs::examples(body, &item.name, visit);
    }
    Some(item)
}

fn class<'t>(definition: &Definition<'t>, visit: &mut Visit<'_, 't>) -> Option<Item> {
    let reader = Reader::of(visit);
    let around = Around::of(visit);
    let name = definition.name_node()?;
    let collects = visit.scope.flags & scope::COLLECTS != 0 && (around.module || around.group);
    let nested = !around.module && !around.class;
    let collected = if nested { Collected::No } else { classes::collected(reader, definition, collects) };
    let kind = if collected == Collected::No { ItemKind::Scope } else { ItemKind::Group };
    let mut item = Item::new(kind, visit.text_of(name), visit.span(name));
    if kind == ItemKind::Group {
        item.flags |= flag::COLLECTS;
        let marked = markers::decorators(definition, visit);
        let switched_off = markers::class(definition, visit);
        if collected == Collected::ButForInit {
            markers::constructor(definition, visit);
        }
        item.disabled = marked || switched_off || collected == Collected::ButForInit;
        if let Some(body) = definition.body() {
            unbound::in_class(body, visit);
        }
    } else {
        item.flags |= classes::nature(reader, definition) | (around.flags & flag::DECLARES);
    }
    Some(item)
}

/// Functions that pytest and unittest run around tests.
const MODULE_HOOKS: &[&str] =
    &["setUpModule", "tearDownModule", "setup_module", "teardown_module", "setup_function", "teardown_function", "setup", "teardown"];
const CLASS_HOOKS: &[&str] = &["tearDown", "asyncTearDown", "tearDownClass", "teardown_method", "teardown_class", "teardown"];

fn function<'t>(definition: &Definition<'t>, visit: &mut Visit<'_, 't>) -> Option<Item> {
    let reader = Reader::of(visit);
    let around = Around::of(visit);
    let name_node = definition.name_node()?;
    let name = visit.text_of(name_node);
    let body = definition.body()?;
    let kind = function_kind(reader, definition, name, &around, visit.file);
    let mut item = Item::new(kind, name, visit.span(name_node));
    item.parametrised = definition.decorator_expressions().filter_map(|d| tail(visit.text, d)).any(makes_cases);
    // A test in a function is found by no runner, whoever calls the function.
    item.private = true;
    let shape = stubs::shape(visit.text, body);
    item.body = Some(stubs::body(definition, &shape, visit));
    if kind == ItemKind::Test || visit.in_tests() {
        crate::regions::body(body, &super::regions::SHAPES, visit);
    }
    bends::function(definition, name, shape.shape, shape.stand_in, visit);
    match kind {
        ItemKind::Test => {
            item.disabled = markers::decorators(definition, visit);
            markers::body(body, visit);
        }
        ItemKind::Hook if !(around.group && markers::SET_UP.contains(&name)) => {
            markers::body(body, visit);
        }
        ItemKind::Function if visit.file == FileKind::Production && !visit.in_tests() => {
            stubs::whole(definition, &shape, visit);
            let place = exempt::Place { class: around.class, nested: !around.module && !around.class, flags: around.flags };
            item.exempt = exempt::reason(reader, definition, &shape, place);
        }
        _ => {}
    }
    Some(item)
}

fn makes_cases(decorator: &str) -> bool {
    matches!(decorator, "parametrize" | "expand" | "parameterized" | "given" | "data" | "named_parameters" | "parameters")
}

fn function_kind(reader: Reader<'_>, definition: &Definition<'_>, name: &str, around: &Around, file: FileKind) -> ItemKind {
    let mut fixture = false;
    let mut declared = false;
    let mut property = false;
    for expression in definition.decorator_expressions() {
        let tail = tail(reader.text, expression);
        match tail {
            Some("fixture" | "yield_fixture") => fixture = true,
            Some("property" | "cached_property" | "setter") => property = true,
            Some(name) => declared |= reader.words.test_functions.iter().any(|w| w == name),
            None => {}
        }
    }
    let hook = (around.group && (markers::SET_UP.contains(&name) || CLASS_HOOKS.contains(&name)))
        || (around.module && file == FileKind::Test && (MODULE_HOOKS.contains(&name) || name.starts_with("pytest_")));
    if fixture || hook {
        return ItemKind::Hook;
    }
    let place = around.module || around.class;
    let collected = is_test_name(name) && !property && place && around.collects;
    // A mark says that a function is a test where its class does not.
    let marked = is_test_name(name) && around.class && reader.scope.flags & scope::COLLECTS != 0 && markers::is_marked(reader, definition);
    if declared || collected || marked { ItemKind::Test } else { ItemKind::Function }
}

/// Returns the unit of a block that holds definitions.
fn block<'t>(node: Node<'t>, visit: &mut Visit<'_, 't>) -> Option<Item> {
    let around = Around::of(visit);
    if !around.module && !around.class {
        return None;
    }
    let body = match node.kind() {
        "if_statement" | "elif_clause" => field(node, "consequence"),
        "else_clause" => field(node, "body"),
        _ => children(node).into_iter().find(|c| c.kind() == "block"),
    };
    let held: Vec<Definition<'t>> = definitions(body?).collect();
    if held.is_empty() {
        return None;
    }
    let reader = Reader::of(visit);
    let condition = field(node, "condition").filter(|_| node.kind() == "if_statement");
    let mut flags = flag::BLOCK | around.flags;
    if around.module {
        flags |= flag::MODULE;
    }
    let declares = condition.is_some_and(|c| is_type_checking(reader, c));
    if declares {
        flags |= flag::DECLARES;
    }
    let span = visit.span_of(node.start_byte(), node.start_byte());
    let dead = condition.filter(|c| declares || when(reader, *c) == When::Never);
    let first = dead.filter(|_| around.collects).and_then(|_| first_test(reader, &held));
    match (dead, first) {
        (Some(condition), Some(subject)) => {
            markers::dead_block(node, condition, Some(subject), declares, visit);
            let mut item = Item { disabled: true, ..Item::new(ItemKind::Group, "", span) };
            item.flags = flags | if around.collects { flag::COLLECTS } else { 0 };
            Some(item)
        }
        _ => Some(Item { flags, ..Item::new(ItemKind::Scope, "", span) }),
    }
}

/// Returns the name of the first test among definitions, of a class of tests where it stands in one.
fn first_test(reader: Reader<'_>, held: &[Definition<'_>]) -> Option<String> {
    held.iter().find_map(|d| {
        let name = d.name(reader.text);
        if !d.is_class() {
            return is_test_name(name).then(|| name.to_owned());
        }
        if classes::collected(reader, d, true) == Collected::No {
            return None;
        }
        definitions(d.body()?).map(|m| m.name(reader.text)).find(|n| is_test_name(n)).map(str::to_owned)
    })
}

fn is_type_checking(reader: Reader<'_>, condition: Node<'_>) -> bool {
    dotted(reader.text, condition).is_some_and(|parts| parts.last() == Some(&"TYPE_CHECKING"))
}
