//! What bends a run of tests (`facts::Bend`): results written by hooks, replaced checks, equality that always holds, exits,
//! and production code that asks whether it runs in a test.
//!
//! Each reader looks at a name first, so that code without one costs a comparison.

use super::cases;
use super::names::Reader;
use super::syntax::{Arguments, Definition, children, dotted, field, only_child, string_content, tail};
use crate::facts::{Bend, BendForm, ItemKind, Shape};
use crate::visit::{Frame, Visit};
use tree_sitter::Node;

/// Checks of unittest that a class of tests inherits.
const CHECKS: &[&str] = &[
    "assertEqual",
    "assertNotEqual",
    "assertTrue",
    "assertFalse",
    "assertIs",
    "assertIsNot",
    "assertIsNone",
    "assertIsNotNone",
    "assertIn",
    "assertNotIn",
    "assertIsInstance",
    "assertNotIsInstance",
    "assertRaises",
    "assertRaisesRegex",
    "assertAlmostEqual",
    "assertNotAlmostEqual",
    "assertGreater",
    "assertGreaterEqual",
    "assertLess",
    "assertLessEqual",
    "assertRegex",
    "assertNotRegex",
    "assertCountEqual",
    "assertDictEqual",
    "assertListEqual",
    "assertTupleEqual",
    "assertSetEqual",
    "assertSequenceEqual",
    "assertMultiLineEqual",
    "fail",
];

fn push(node: Node<'_>, form: BendForm, mild: bool, visit: &mut Visit<'_, '_>) {
    visit.out.bends.push(Bend { span: visit.span(node), form, mild });
}

/// Emits what a function is by its name and its whole body: an equality that always holds, a check that checks nothing.
pub(super) fn function(definition: &Definition<'_>, name: &str, shape: Shape, stand_in: Option<Node<'_>>, visit: &mut Visit<'_, '_>) {
    let always = match name {
        "__eq__" => "True",
        "__ne__" => "False",
        name if visit.in_tests() && CHECKS.contains(&name) => {
            let given_up = matches!(shape, Shape::Empty | Shape::Constant);
            if let Some(name) = definition.name_node().filter(|_| given_up && in_class(visit.frame())) {
                push(name, BendForm::Replaced, false, visit);
            }
            return;
        }
        _ => return,
    };
    let Some(statement) = stand_in.filter(|s| shape == Shape::Constant && s.kind() == "return_statement") else { return };
    let holds = only_child(statement).is_some_and(|v| visit.text_of(v) == always);
    if holds && in_class(visit.frame()) && !is_wildcard(&visit.frame().name) {
        push(statement, BendForm::Equal, false, visit);
    }
}

fn in_class(frame: &Frame) -> bool {
    matches!(frame.kind, ItemKind::Scope | ItemKind::Group)
}

/// Whether a class's name says that it is equal to all there is: a matcher for arguments.
fn is_wildcard(name: &str) -> bool {
    let name = name.trim_start_matches('_').to_ascii_lowercase();
    ["any", "match", "wild", "ignore", "whatever", "every", "always", "equal", "everything", "all", "dontcare"]
        .iter()
        .any(|w| name.starts_with(w))
        || ["any", "matcher", "wildcard", "anything"].iter().any(|w| name.ends_with(w))
}

/// Emits the bend of an assignment.
pub(super) fn assignment(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let target = visit.text_of(node).split('=').next().unwrap_or("").trim_end();
    let member = target.contains('.') || target.ends_with(']');
    if !member || !(visit.in_tests() || target.ends_with("__eq__")) {
        return;
    }
    let Some(left) = field(node, "left") else { return };
    let Some(right) = field(node, "right") else { return };
    match left.kind() {
        "attribute" => {}
        "subscript" => return emptied(node, left, right, visit),
        _ => return,
    }
    let Some(name) = field(left, "attribute").map(|a| visit.text_of(a)) else { return };
    if name == "__eq__" && right.kind() == "lambda" && field(right, "body").is_some_and(|b| b.kind() == "true") {
        return push(node, BendForm::Equal, false, visit);
    }
    if !visit.in_tests() {
        return;
    }
    let value = visit.text_of(right);
    let object = field(left, "object").map_or("", |o| visit.text_of(o));
    match name {
        "outcome" if is_report(object, visit) && ["passed", "skipped"].contains(&value.trim_matches(['"', '\''])) => {
            push(node, BendForm::Outcome, false, visit);
        }
        "exitstatus" if is_success(value) => {
            let mild = around(node).any(|c| ["NO_TESTS", "5"].iter().any(|w| visit.text_of(c).contains(w)));
            push(node, BendForm::Outcome, mild, visit);
        }
        "testsfailed" if value == "0" => push(node, BendForm::Outcome, false, visit),
        "excinfo" | "_excinfo" | "_exception" if value == "None" && hook(visit).is_some_and(|h| h.starts_with("pytest_")) => {
            push(node, BendForm::Outcome, false, visit);
        }
        _ => replaced(node, left, right, name, visit),
    }
}

/// Whether an object is a report by its name, or stands in a hook of the runner.
fn is_report(object: &str, visit: &Visit<'_, '_>) -> bool {
    hook(visit).is_some_and(|h| h.starts_with("pytest_")) || object.rsplit('.').next().is_some_and(|o| o.starts_with("rep"))
}

fn is_success(value: &str) -> bool {
    value == "0" || value.ends_with("ExitCode.OK") || value.ends_with("EXIT_OK")
}

/// Returns the name of the hook or function around a node.
fn hook<'a>(visit: &Visit<'a, '_>) -> Option<&'a str> {
    let frame = visit.frames.iter().rev().find(|f| matches!(f.kind, ItemKind::Hook | ItemKind::Function))?;
    Some(frame.name.as_str())
}

/// Returns the conditions around a node in its function.
fn around<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let up = std::iter::successors(node.parent(), |n| n.parent());
    up.take_while(|n| !matches!(n.kind(), "function_definition" | "module"))
        .filter(|n| matches!(n.kind(), "if_statement" | "elif_clause"))
        .filter_map(|n| field(n, "condition"))
}

/// `unittest.TestCase.assertEqual = …`; an alias of another check is none.
fn replaced(node: Node<'_>, left: Node<'_>, right: Node<'_>, name: &str, visit: &mut Visit<'_, '_>) {
    let reader = Reader::of(visit);
    let known = CHECKS.contains(&name) && field(left, "object").is_some_and(|o| reader.path(o).is_some_and(|p| p == "unittest.TestCase"));
    let of_runner = matches!(name, "raises" | "fail") && reader.path(left).is_some_and(|p| p == format!("pytest.{name}"));
    let of_result = matches!(name, "addFailure" | "addError" | "wasSuccessful")
        && dotted(reader.text, left).is_some_and(|p| p.iter().any(|p| p.ends_with("TestResult")));
    let alias = visit.text_of(right).contains("assert");
    if (known || of_runner || of_result) && !alias {
        push(node, BendForm::Replaced, false, visit);
    }
}

/// `items[:] = []` in the hook that is given what was collected.
fn emptied(node: Node<'_>, left: Node<'_>, right: Node<'_>, visit: &mut Visit<'_, '_>) {
    let empty = right.kind() == "list" && right.named_child_count() == 0;
    if empty && is_items(field(left, "value"), visit) && is_unconditional(node, visit) {
        push(node, BendForm::Selection, false, visit);
    }
}

const SELECTS: &str = "pytest_collection_modifyitems";

fn is_items(node: Option<Node<'_>>, visit: &Visit<'_, '_>) -> bool {
    visit.frame().name == SELECTS && node.is_some_and(|n| visit.text_of(n) == "items")
}

/// Whether nothing before a node in its function or around it decides whether it runs.
fn is_unconditional(node: Node<'_>, visit: &Visit<'_, '_>) -> bool {
    let before = visit.text.get(visit.frame().start as usize..node.start_byte()).unwrap_or("");
    around(node).next().is_none() && !["return", "continue", "getoption"].iter().any(|w| before.contains(w))
}

/// What a call that bends is called, in tests and in production code.
const IN_TESTS: &[&str] = &["exit", "quit", "register", "clear", "add_marker", "setattr", "object", "patch", "force_result"];
const IN_PRODUCTION: &[&str] = &["get", "getenv"];

/// Emits the bend of a call.
pub(super) fn call(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    // Most of a program is calls: what stands before their bracket is looked at first.
    let callee = visit.text_of(node).split('(').next().unwrap_or("").trim_end();
    let names = if visit.in_tests() { IN_TESTS } else { IN_PRODUCTION };
    if !names.iter().any(|name| callee.ends_with(name)) {
        return;
    }
    let Some(function) = field(node, "function") else { return };
    let Some(name) = tail(visit.text, function) else { return };
    match name {
        "get" | "getenv" if !visit.in_tests() => variable(node, visit),
        "exit" | "_exit" | "quit" if visit.in_tests() => exit(node, function, visit),
        "register" if visit.in_tests() && visit.text_of(node).replace(' ', "") == "atexit.register(os._exit,0)" => {
            push(node, BendForm::Exit, false, visit);
        }
        "clear" if is_items(field(function, "object"), visit) && is_unconditional(node, visit) => {
            push(node, BendForm::Selection, false, visit);
        }
        "add_marker" if visit.frame().name == SELECTS => marked(node, visit),
        "setattr" | "object" | "patch" if visit.in_tests() => {
            patched(node, visit);
            cases::patched(node, visit);
        }
        "force_result" if visit.in_tests() && hook(visit).is_some_and(|h| matches!(h, "pytest_runtest_call" | "pytest_pyfunc_call")) => {
            push(node, BendForm::Outcome, false, visit);
        }
        _ => {}
    }
}

/// `item.add_marker(pytest.mark.skip)` for all that was collected.
fn marked(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let arguments = Arguments::of(node);
    let Some(mark) = arguments.positional.first() else { return };
    let name = tail(visit.text, *mark).unwrap_or_else(|| visit.text_of(*mark).trim_matches(['"', '\'']));
    if matches!(name, "skip" | "xfail") && is_unconditional(node, visit) {
        push(node, BendForm::Selection, false, visit);
    }
}

/// `setattr(unittest.TestCase, "assertEqual", …)`, by the language, pytest or mock.
fn patched(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let reader = Reader::of(visit);
    let arguments = Arguments::of(node);
    let string = |n: &Node<'_>| string_content(reader.text, *n);
    let found = match arguments.positional.as_slice() {
        [target, name, ..] if reader.path(*target).is_some_and(|p| p == "unittest.TestCase") => {
            string(name).is_some_and(|n| CHECKS.contains(&n.as_str()))
        }
        [target, ..] => string(target)
            .is_some_and(|t| t.strip_prefix("unittest.TestCase.").is_some_and(|n| CHECKS.contains(&n)) || t == "pytest.raises"),
        _ => false,
    };
    if found {
        push(node, BendForm::Replaced, false, visit);
    }
}

/// Emits an exit that says success. One that is thrown fails a test that it is thrown in, so it counts outside of tests alone.
fn exit(node: Node<'_>, function: Node<'_>, visit: &mut Visit<'_, '_>) {
    let arguments = Arguments::of(node);
    let first = arguments.positional.first().map(|a| visit.text_of(*a));
    let frame = visit.frame();
    let hard = match (visit.text_of(function), first) {
        ("os._exit", Some("0")) => true,
        ("sys.exit" | "exit" | "quit", Some("0")) => false,
        _ => return,
    };
    let runs = match frame.kind {
        ItemKind::File => !is_script(node, visit),
        ItemKind::Hook => hard || frame.name.starts_with("pytest_"),
        ItemKind::Test => hard,
        ItemKind::Function => hard && visit.text.get(frame.start as usize..).is_some_and(|t| t.starts_with("@atexit.register")),
        _ => false,
    };
    let before = visit.text.get(frame.start as usize..node.start_byte()).unwrap_or("");
    if runs && !before.contains("fork(") {
        push(node, BendForm::Exit, false, visit);
    }
}

/// Emits `raise SystemExit(0)` where no test is around to fail by it.
pub(super) fn raise(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    if !visit.in_tests() || visit.text_of(node).strip_prefix("raise SystemExit").is_none_or(|rest| rest != "(0)") {
        return;
    }
    let frame = visit.frame();
    let runs = match frame.kind {
        ItemKind::File => !is_script(node, visit),
        ItemKind::Hook => frame.name.starts_with("pytest_"),
        _ => false,
    };
    if runs {
        push(node, BendForm::Exit, false, visit);
    }
}

/// Whether a statement of the module runs under a condition, such as that the module is the program.
fn is_script(node: Node<'_>, visit: &Visit<'_, '_>) -> bool {
    around(node).any(|c| visit.text_of(c).contains("__name__") || visit.text_of(c).contains("argv"))
}

/// Variables that a runner sets.
const VARIABLES: &[&str] = &["PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER", "PYTEST_VERSION"];

/// `os.environ.get("PYTEST_CURRENT_TEST")`.
fn variable(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let arguments = Arguments::of(node);
    let Some(name) = arguments.positional.first().and_then(|n| string_content(visit.text, *n)) else { return };
    if VARIABLES.contains(&name.as_str()) {
        push(node, BendForm::Probe, false, visit);
    }
}

/// `os.environ["PYTEST_CURRENT_TEST"]`.
pub(super) fn subscript(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    if !visit.text.as_bytes()[..node.end_byte()].ends_with(b"\"]") && !visit.text.as_bytes()[..node.end_byte()].ends_with(b"']") {
        return;
    }
    let Some(name) = field(node, "subscript").filter(|s| s.kind() == "string") else { return };
    let Some(name) = string_content(visit.text, name) else { return };
    if VARIABLES.contains(&name.as_str()) {
        push(node, BendForm::Probe, false, visit);
    }
}

/// `"pytest" in sys.modules`, `"PYTEST_CURRENT_TEST" in os.environ`.
pub(super) fn comparison(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let source = visit.text_of(node);
    let modules = source.ends_with("sys.modules");
    if !modules && !source.ends_with("environ") {
        return;
    }
    let operands = children(node);
    let Some(name) = operands.first().and_then(|n| string_content(visit.text, *n)) else { return };
    let known =
        if modules { ["pytest", "_pytest", "unittest", "nose"].contains(&name.as_str()) } else { VARIABLES.contains(&name.as_str()) };
    if known {
        push(node, BendForm::Probe, false, visit);
    }
}
