//! What bends a run of tests (`facts::Bend`): results written by listeners, failures that nothing lets through, equality that
//! always holds, exits, production code that asks whether it runs in a test. Also what a branch gives for literals
//! (`facts::Case`), and what a double is told to give (`facts::Answer`).

use super::annotations::{arguments, string};
use super::{bodies, scope};
use crate::facts::{Answer, Bend, BendForm, Body, Case, ItemKind, Shape, StubForm};
use crate::visit::Visit;
use tree_sitter::Node;

fn push(node: Node<'_>, form: BendForm, visit: &mut Visit<'_, '_>) {
    visit.out.bends.push(Bend { span: visit.span(node), form, mild: false });
}

/// Emits what a method is by its name and its whole body: an `equals` that always holds, a handler of failures that throws none.
pub(super) fn method(name: Node<'_>, parameters: usize, block: Node<'_>, body: Body, visit: &mut Visit<'_, '_>) {
    match visit.text_of(name) {
        "equals" if parameters == 1 && body.shape == Shape::Constant => {
            let sole = visit.out.stubs.iter().find(|s| s.whole && s.form == StubForm::Constant).map(|s| s.span);
            if let Some(span) = sole.filter(|s| visit.text_in(*s) == "return true;") {
                visit.out.bends.push(Bend { span, form: BendForm::Equal, mild: false });
            }
        }
        "handleTestExecutionException" if scope::holds_tests(visit) => {
            let source = visit.text_of(block);
            if !["throw ", "Throw(", "fail(", "hrowAs"].iter().any(|w| source.contains(w)) {
                push(name, BendForm::Swallowed, visit);
            }
        }
        _ => {}
    }
}

/// Emits the bend of a call in a test.
pub(super) fn call(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    if !visit.briefly_says(node, &["exit(0)", "halt(0)", "setStatus", "thenReturn"]) {
        return;
    }
    let Some(name) = node.child_by_field_name("name").map(|n| visit.text_of(n)) else { return };
    match name {
        "exit" | "halt" => {
            let object = node.child_by_field_name("object").map_or("", |o| visit.text_of(o));
            let known = matches!((object, name), ("System", "exit") | ("Runtime.getRuntime()", "exit" | "halt"));
            let success = arguments(node).first().is_some_and(|a| visit.text_of(*a) == "0");
            if known && success && matches!(visit.frame().kind, ItemKind::Test | ItemKind::Hook) && !in_lambda(node) {
                push(node, BendForm::Exit, visit);
            }
        }
        "setStatus" => {
            let value = arguments(node).first().map_or("", |a| visit.text_of(*a));
            let testng = visit.scope.frameworks & scope::TESTNG != 0;
            if testng && (value == "SUCCESS" || value == "ITestResult.SUCCESS") {
                push(node, BendForm::Outcome, visit);
            }
        }
        "thenReturn" => answer(node, visit),
        _ => {}
    }
}

fn in_lambda(node: Node<'_>) -> bool {
    std::iter::successors(node.parent(), |n| n.parent())
        .take_while(|n| n.kind() != "method_declaration")
        .any(|n| matches!(n.kind(), "lambda_expression" | "class_body"))
}

/// Emits the catch around a test that lets nothing through: `try { base.evaluate(); } catch (Throwable t) { }`.
pub(super) fn caught(clause: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(body) = clause.child_by_field_name("body").filter(|b| bodies::statements(*b, visit.text).is_empty()) else { return };
    let Some(tried) = clause.parent().and_then(|t| t.child_by_field_name("body")) else { return };
    let source = visit.text_of(tried);
    let runs = ["base.evaluate()", "statement.evaluate()", "next.evaluate()", "invocation.proceed()"].iter().any(|w| source.contains(w));
    let head = visit.text.get(clause.start_byte()..body.start_byte()).unwrap_or("");
    let all = ["Throwable", "AssertionError", "Exception "].iter().any(|w| head.contains(w));
    if runs && all {
        push(clause, BendForm::Swallowed, visit);
    }
}

/// Emits a look at the classes of a test framework in production code: by name, or on the stack.
pub(super) fn probe(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    if !visit.briefly_says(node, &["\"org.junit", "\"org.testng", "\"junit.framework", "\"surefire"]) {
        return;
    }
    let Some(name) = node.child_by_field_name("name").map(|n| visit.text_of(n)) else { return };
    if !matches!(name, "forName" | "startsWith" | "contains" | "equals" | "getProperty") {
        return;
    }
    let given = arguments(node);
    let Some(word) = given.first().and_then(|a| string(*a, visit.text)) else { return };
    let classes = ["org.junit.", "org.testng.", "junit.framework."].iter().any(|p| word.starts_with(p));
    // Whoever filters the traces of failures looks for the frames of runners too; who looks at their own stack asks where they are.
    let before = visit.text.get(visit.frame().start as usize..node.start_byte()).unwrap_or("");
    let own = ["currentThread().getStackTrace", "StackWalker", "new Throwable()", "new Exception()"].iter().any(|w| before.contains(w));
    let mild = !own && !matches!(name, "getProperty" | "forName");
    let asks = match name {
        "getProperty" => word.starts_with("surefire."),
        // Libraries look for other classes of a framework, to work with it where it is there.
        "forName" => classes && word.ends_with(".Test"),
        _ => classes && node.child_by_field_name("object").is_some_and(|o| visit.text_of(o).to_lowercase().contains("classname")),
    };
    if asks {
        visit.out.bends.push(Bend { span: visit.span(node), form: BendForm::Probe, mild });
    }
}

/// Emits a branch of production code that does nothing but give a literal back where names equal literals.
pub(super) fn branch(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let head = visit.first_line(node);
    if !head.contains("==") && !head.contains("equals") {
        return;
    }
    let (Some(condition), Some(mut statement)) = (node.child_by_field_name("condition"), node.child_by_field_name("consequence")) else {
        return;
    };
    if statement.kind() == "block" && statement.named_child_count() == 1 {
        let Some(only) = statement.named_child(0) else { return };
        statement = only;
    }
    let Some(answer) = statement.named_child(0).filter(|_| statement.kind() == "return_statement") else { return };
    if !bodies::is_constant(answer, visit.text, 0) {
        return;
    }
    let (mut open, mut given) = (vec![condition], Vec::new());
    while let Some(node) = open.pop() {
        match node.kind() {
            "parenthesized_expression" => open.extend(node.named_child(0)),
            "binary_expression" => {
                let parts = (node.child_by_field_name("left"), node.child_by_field_name("operator"), node.child_by_field_name("right"));
                let (Some(left), Some(operator), Some(right)) = parts else { return };
                match visit.text_of(operator) {
                    "&&" => open.extend([left, right]),
                    "==" if left.kind() == "identifier" && bodies::is_constant(right, visit.text, 0) => given.push(visit.span(right)),
                    _ => return,
                }
            }
            "method_invocation" if node.child_by_field_name("name").is_some_and(|n| visit.text_of(n) == "equals") => {
                let given_to = arguments(node);
                let (Some(object), Some(argument)) = (node.child_by_field_name("object"), given_to.first().copied()) else { return };
                let literal = [object, argument].into_iter().find(|n| n.kind() == "string_literal");
                let name = [object, argument].into_iter().any(|n| n.kind() == "identifier");
                let Some(literal) = literal.filter(|_| name) else { return };
                given.push(visit.span(literal));
            }
            _ => return,
        }
    }
    let (span, answer) = (visit.span(condition), visit.span(answer));
    visit.out.cases.push(Case { span, given, answer });
}

/// Emits `when(clock.now()).thenReturn(3)`. The tests of a mocking library are about nothing else.
fn answer(call: Node<'_>, visit: &mut Visit<'_, '_>) {
    if visit.scope.flags & scope::OF_MOCKS != 0 {
        return;
    }
    let Some(object) = call.child_by_field_name("object").filter(|o| o.kind() == "method_invocation") else { return };
    if object.child_by_field_name("name").is_none_or(|n| visit.text_of(n) != "when") {
        return;
    }
    let Some(told) = arguments(object).first().copied().filter(|t| t.kind() == "method_invocation") else { return };
    let Some(value) = arguments(call).first().copied() else { return };
    let (Some(double), Some(name)) = (told.child_by_field_name("object"), told.child_by_field_name("name")) else { return };
    let of = format!("{}.{}", visit.text_of(double), visit.text_of(name));
    let (span, value) = (visit.span(call), visit.span(value));
    visit.out.answers.push(Answer { span, of, value });
}
