//! What bends a run of tests (`facts::Bend`): exits that say success, equality that always holds, production code that asks
//! whether it runs in a test. Also what a branch gives for literals (`facts::Case`), and what a double is told to give
//! (`facts::Answer`).

use super::bodies;
use super::calls::{self, Callee};
use crate::facts::{Answer, Bend, BendForm, Body, Case, ItemKind, Shape};
use crate::visit::Visit;
use tree_sitter::Node;

fn push(node: Node<'_>, form: BendForm, visit: &mut Visit<'_, '_>) {
    visit.out.bends.push(Bend { span: visit.span(node), form, mild: false });
}

/// Emits an `Equal` that gives back true whatever it is given.
pub(super) fn method(name: &str, block: Node<'_>, body: Body, visit: &mut Visit<'_, '_>) {
    if name != "Equal" || body.shape != Shape::Constant {
        return;
    }
    let [statement] = calls::statements(block)[..] else { return };
    if visit.text_of(statement) == "return true" {
        push(statement, BendForm::Equal, visit);
    }
}

/// Emits an exit that takes tests with it: in a test, or in `TestMain` behind a run whose result nobody looks at. A child that a
/// test starts ends so too, and asks a variable first.
pub(super) fn exit(call: Node<'_>, callee: &Callee<'_, '_>, visit: &mut Visit<'_, '_>) {
    let frame = visit.frame();
    let main = frame.name == "TestMain";
    if (callee.of, callee.name) != ("os", "Exit") || (frame.kind != ItemKind::Test && !main) {
        return;
    }
    let success = calls::arguments(call).first().is_some_and(|a| visit.text_of(*a) == "0");
    let before = visit.text.get(frame.start as usize..call.start_byte()).unwrap_or("");
    let child = ["Getenv", "LookupEnv", "os.Args", "reexec"].iter().any(|w| before.contains(w));
    let runs = !main || before.contains(".Run()");
    if success && runs && !child && !(main && is_conditional(call)) {
        push(call, BendForm::Exit, visit);
    }
}

/// Whether a branch stands around a call in its function.
fn is_conditional(node: Node<'_>) -> bool {
    std::iter::successors(node.parent(), |n| n.parent())
        .take_while(|n| !matches!(n.kind(), "function_declaration" | "method_declaration" | "func_literal"))
        .any(|n| n.kind().ends_with("if_statement") || n.kind().ends_with("_case"))
}

/// Emits `testing.Testing()`, `flag.Lookup("test.v")` and `strings.HasSuffix(os.Args[0], ".test")` in production code.
pub(super) fn probe(call: Node<'_>, callee: &Callee<'_, '_>, visit: &mut Visit<'_, '_>) {
    let argument = |i: usize| calls::arguments(call).get(i).map_or("", |a| visit.text_of(*a)).to_owned();
    let asks = match (callee.of, callee.name) {
        ("testing", "Testing") => true,
        ("flag", "Lookup") => argument(0).starts_with("\"test."),
        ("strings", "HasSuffix" | "Contains") => argument(0).starts_with("os.Args[0]") && argument(1).contains("test"),
        _ => false,
    };
    if asks {
        push(call, BendForm::Probe, visit);
    }
}

/// Emits a branch of production code that does nothing but give a literal back where names equal literals.
pub(super) fn branch(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    if !visit.first_line(node).contains("==") {
        return;
    }
    let (Some(condition), Some(block)) = (node.child_by_field_name("condition"), node.child_by_field_name("consequence")) else { return };
    let [statement] = calls::statements(block)[..] else { return };
    let Some(list) = statement.named_child(0).filter(|_| statement.kind() == "return_statement") else { return };
    let mut cursor = list.walk();
    let values: Vec<Node<'_>> = list.named_children(&mut cursor).filter(|n| n.kind() != "comment").collect();
    let Some(answer) = values.first().copied().filter(|_| values.iter().all(|v| bodies::is_constant(*v, 0))) else { return };
    let (mut open, mut given) = (vec![condition], Vec::new());
    while let Some(node) = open.pop() {
        let parts = (node.child_by_field_name("left"), node.child_by_field_name("operator"), node.child_by_field_name("right"));
        let ("binary_expression", (Some(left), Some(operator), Some(right))) = (node.kind(), parts) else { return };
        match visit.text_of(operator) {
            "&&" => open.extend([left, right]),
            "==" if left.kind() == "identifier" && bodies::is_constant(right, 0) => given.push(visit.span(right)),
            _ => return,
        }
    }
    let (span, answer) = (visit.span(condition), visit.span(answer));
    visit.out.cases.push(Case { span, given, answer });
}

/// Emits a case of a switch over a name that does nothing but give a literal back.
pub(super) fn switched(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(values) = node.child_by_field_name("value").filter(|v| v.named_child_count() == 1) else { return };
    let Some(literal) = values.named_child(0).filter(|v| bodies::is_constant(*v, 0)) else { return };
    let of_name = node.parent().and_then(|s| s.child_by_field_name("value")).is_some_and(|v| v.kind() == "identifier");
    let mut cursor = node.walk();
    let Some(mut last) = node.named_children(&mut cursor).filter(|n| n.kind() != "comment").last() else { return };
    if last.kind() == "statement_list" && last.named_child_count() == 1 {
        let Some(only) = last.named_child(0) else { return };
        last = only;
    }
    let Some(list) = last.named_child(0).filter(|_| of_name && last.kind() == "return_statement") else { return };
    let Some(answer) = list.named_child(0).filter(|v| bodies::is_constant(*v, 0)) else { return };
    let (span, given, answer) = (visit.span(values), vec![visit.span(literal)], visit.span(answer));
    visit.out.cases.push(Case { span, given, answer });
}

/// Emits what a call tells a double to give back: `clock.On("Now").Return(3)`, `clock.EXPECT().Now().Return(3)`.
pub(super) fn answer(call: Node<'_>, callee: &Callee<'_, '_>, visit: &mut Visit<'_, '_>) {
    if callee.name != "Return" {
        return;
    }
    let Some(operand) = callee.operand.filter(|o| o.kind() == "call_expression") else { return };
    let Some(inner) = calls::callee(operand, visit.text) else { return };
    let Some(value) = calls::arguments(call).first().copied() else { return };
    let of = if inner.name == "On" {
        let Some(method) = calls::arguments(operand).first().and_then(|a| calls::string(*a, visit.text)) else { return };
        format!("{}.{method}", inner.of)
    } else {
        let Some(double) = inner.of.strip_suffix(".EXPECT()") else { return };
        format!("{double}.{}", inner.name)
    };
    let (span, value) = (visit.span(call), visit.span(value));
    visit.out.answers.push(Answer { span, of, value });
}
