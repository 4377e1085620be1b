//! Calls that skip a Go test, and whether they always do: read from the body of a unit down, so that the conditions around a
//! call are known when it is met.
//!
//! Units inside (subtests, specs) are left to their own reading. A condition that cannot be judged counts as a precondition.

use super::calls::{self, Callee};
use super::{framework, ginkgo, items, scope};
use crate::facts::{Condition, Edit, Effect, Marker, OnNew};
use crate::visit::{FileScope, Visit};
use tree_sitter::Node;

/// Nesting from which on nothing is read: no code that people write is deeper.
const DEPTH_MAX: usize = 200;

/// Variables that are set where a build runs in CI.
const CI_VARIABLES: &[&str] =
    &["CI", "GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE", "TF_BUILD", "JENKINS_URL", "JENKINS_HOME", "CIRCLECI", "TRAVIS"];

/// A call that skips.
struct Skip<'tree> {
    call: Node<'tree>,
    callee: Node<'tree>,
    statement: Option<Node<'tree>>,
    condition: Condition,
    /// In a closure of a row, not in the unit's own body.
    nested: bool,
}

/// What holds where the reading stands.
#[derive(Clone)]
struct Place<'a> {
    condition: Condition,
    handles: Vec<&'a str>,
    nested: bool,
    depth: usize,
}

struct Reader<'a, 'tree> {
    text: &'a str,
    scope: &'a FileScope,
    wrappers: &'a [String],
    found: Vec<Skip<'tree>>,
}

/// Emits the markers of calls that skip in the body of a unit; returns whether one always skips all of it. `helper` says that
/// the unit is no test: to skip is then what it is for.
pub(super) fn emit(body: Node<'_>, handles: &[&str], helper: bool, visit: &mut Visit<'_, '_>) -> bool {
    let text = visit.text;
    let source = &text[body.byte_range()];
    if !source.contains("Skip") && !mentions(source, visit.scope) && !visit.words.skip_wrappers.iter().any(|w| source.contains(w.as_str()))
    {
        return false;
    }
    let mut reader = Reader { text, scope: visit.scope, wrappers: &visit.words.skip_wrappers, found: Vec::new() };
    let place = Place { condition: Condition::Always, handles: handles.to_vec(), nested: false, depth: 0 };
    reader.read(body, None, &place);
    let always = reader.found.iter().any(|s| s.condition == Condition::Always && !s.nested);
    for skip in reader.found.iter().filter(|s| !(always && s.nested)) {
        let mut marker = Marker::new(Effect::Disabled, visit.span(skip.callee));
        marker.condition = skip.condition;
        marker.reason =
            calls::arguments(skip.call).iter().any(|a| calls::first_string(&text[a.byte_range()]).is_some_and(|s| !s.is_empty()));
        if helper {
            marker.on_new = OnNew::Silent;
        }
        if skip.condition == Condition::Always
            && let Some(statement) = skip.statement
        {
            marker.removal = vec![Edit { span: visit.span(statement), text: String::new() }];
        }
        visit.out.markers.push(marker);
    }
    always
}

fn mentions(source: &str, scope: &FileScope) -> bool {
    scope.names.iter().any(|(name, module, original)| module.is_empty() && original == "skips" && source.contains(name.as_str()))
}

/// Whether a function always skips the test that calls it.
pub(super) fn always(function: Node<'_>, text: &str, scope: &FileScope) -> bool {
    let Some(body) = function.child_by_field_name("body") else { return false };
    let mut reader = Reader { text, scope, wrappers: &[], found: Vec::new() };
    let handles = calls::handles(function, text, scope);
    reader.read(body, None, &Place { condition: Condition::Always, handles, nested: false, depth: 0 });
    reader.found.iter().any(|s| s.condition == Condition::Always && !s.nested)
}

impl<'a, 'tree> Reader<'a, 'tree> {
    fn read(&mut self, node: Node<'tree>, statement: Option<Node<'tree>>, place: &Place<'a>) {
        if place.depth > DEPTH_MAX {
            return;
        }
        let deeper = Place { depth: place.depth + 1, ..place.clone() };
        match node.kind() {
            "statement_list" => self.statements(node, &deeper),
            "if_statement" => self.branches(node, &deeper),
            "for_statement" | "expression_switch_statement" | "type_switch_statement" | "select_statement" => {
                self.children(node, &Place { condition: weaker(place.condition, Condition::Runtime), ..deeper });
            }
            "func_literal" => {
                let handles = calls::handles(node, self.text, self.scope);
                if !handles.is_empty() {
                    // A row of a table: the loop around it only multiplies it.
                    self.children(node, &Place { condition: Condition::Always, handles, nested: true, depth: deeper.depth });
                }
            }
            "go_statement" | "defer_statement" => {}
            "expression_statement" => {
                if let Some(inner) = node.named_child(0) {
                    self.read(inner, Some(node), &deeper);
                }
            }
            "call_expression" => self.call(node, statement, &deeper),
            _ => self.children(node, &deeper),
        }
    }

    fn children(&mut self, node: Node<'tree>, place: &Place<'a>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'tree>> = node.named_children(&mut cursor).collect();
        for child in children {
            self.read(child, None, place);
        }
    }

    /// Reads statements in order: behind one that can leave the function, all others are conditional.
    fn statements(&mut self, list: Node<'tree>, place: &Place<'a>) {
        let mut place = place.clone();
        let mut cursor = list.walk();
        let statements: Vec<Node<'tree>> = list.named_children(&mut cursor).collect();
        for statement in statements {
            self.read(statement, None, &place);
            let branches = matches!(
                statement.kind(),
                "if_statement" | "for_statement" | "expression_switch_statement" | "type_switch_statement" | "select_statement"
            );
            if branches && self.text[statement.byte_range()].contains("return") {
                place.condition = weaker(place.condition, Condition::Runtime);
            }
        }
    }

    fn branches(&mut self, node: Node<'tree>, place: &Place<'a>) {
        let truth = self.truth(node);
        let of = |truth: Truth| match truth {
            Truth::True => Some(place.condition),
            Truth::False => None,
            Truth::Ci => Some(weaker(place.condition, Condition::Ci)),
            Truth::Unknown => Some(weaker(place.condition, Condition::Runtime)),
        };
        let inverse = match truth {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            Truth::Ci | Truth::Unknown => Truth::Unknown,
        };
        for (field, truth) in [("consequence", truth), ("alternative", inverse)] {
            if let (Some(branch), Some(condition)) = (node.child_by_field_name(field), of(truth)) {
                self.read(branch, None, &Place { condition, ..place.clone() });
            }
        }
    }

    fn call(&mut self, node: Node<'tree>, statement: Option<Node<'tree>>, place: &Place<'a>) {
        // A function literal that is called where it stands.
        if let Some(function) = node.child_by_field_name("function").filter(|f| f.kind() == "func_literal") {
            self.children(function, place);
            return;
        }
        let Some(callee) = calls::callee(node, self.text) else { return self.children(node, place) };
        if self.skips(&callee, place) {
            let condition = place.condition;
            self.found.push(Skip { call: node, callee: callee.node, statement, condition, nested: place.nested });
            return;
        }
        if items::is_subtest(node, self.text, self.scope) || ginkgo::opens(&callee, self.scope) {
            return;
        }
        self.children(node, place);
    }

    fn skips(&self, callee: &Callee<'_, '_>, place: &Place<'a>) -> bool {
        let own = self.wrappers.iter().any(|w| w == callee.name || w.rsplit('.').next() == Some(callee.name));
        match callee.operand {
            None => {
                own || scope::is_skip_helper(self.scope, callee.name)
                    || (callee.name == "Skip" && self.scope.frameworks & framework::GINKGO_DOT != 0)
            }
            Some(operand) if matches!(callee.name, "Skip" | "Skipf" | "SkipNow") => match operand.kind() {
                "identifier" => {
                    place.handles.contains(&callee.of) || (callee.name == "Skip" && scope::is_package(self.scope, callee.of, "ginkgo"))
                }
                // `s.T()` of a suite, `GinkgoT()`.
                "call_expression" => callee.of.ends_with(".T()") || callee.of.ends_with("GinkgoT()"),
                _ => false,
            },
            Some(_) => own,
        }
    }

    /// Returns what is known of the condition of an `if`.
    fn truth(&self, node: Node<'_>) -> Truth {
        let Some(condition) = node.child_by_field_name("condition") else { return Truth::Unknown };
        let bound = node.child_by_field_name("initializer").is_some_and(|init| self.reads_ci(&self.text[init.byte_range()]));
        let any_init = node.child_by_field_name("initializer").is_some();
        self.value(condition, bound, any_init)
    }

    fn value(&self, node: Node<'_>, bound: bool, any_init: bool) -> Truth {
        let source = &self.text[node.byte_range()];
        let side = |field: &str| node.child_by_field_name(field);
        match node.kind() {
            "true" => Truth::True,
            "false" => Truth::False,
            "parenthesized_expression" => node.named_child(0).map_or(Truth::Unknown, |n| self.value(n, bound, any_init)),
            "unary_expression" if source.starts_with('!') => match side("operand").map(|n| self.value(n, bound, any_init)) {
                Some(Truth::True) => Truth::False,
                Some(Truth::False) => Truth::True,
                _ => Truth::Unknown,
            },
            "binary_expression" => {
                let (Some(left), Some(right)) = (side("left"), side("right")) else { return Truth::Unknown };
                let operator = side("operator").map_or("", |o| &self.text[o.byte_range()]);
                let (a, b) = (&self.text[left.byte_range()], &self.text[right.byte_range()]);
                match operator {
                    "&&" => self.value(left, bound, any_init).and(self.value(right, bound, any_init)),
                    "||" => self.value(left, bound, any_init).or(self.value(right, bound, any_init)),
                    "==" | "!=" if left.kind() == "int_literal" && right.kind() == "int_literal" => {
                        if (a == b) == (operator == "==") {
                            Truth::True
                        } else {
                            Truth::False
                        }
                    }
                    "!=" if b == "\"\"" && (self.reads_ci(a) || (bound && left.kind() == "identifier")) => Truth::Ci,
                    "==" if ["\"true\"", "\"1\""].contains(&b) && (self.reads_ci(a) || (bound && left.kind() == "identifier")) => Truth::Ci,
                    _ => Truth::Unknown,
                }
            }
            "identifier" if bound => Truth::Ci,
            "call_expression" if !any_init && says_ci(source) => Truth::Ci,
            _ => Truth::Unknown,
        }
    }

    /// Whether a source text reads a variable that says that the build runs in CI, and nothing else.
    fn reads_ci(&self, source: &str) -> bool {
        let Some(at) = source.find("env(\"").or_else(|| source.find("Env(\"")) else { return false };
        let name = source[at + 5..].split('"').next().unwrap_or("");
        CI_VARIABLES.contains(&name) && source.matches('(').count() == 1
    }
}

/// A function without arguments whose name asks for CI.
fn says_ci(call: &str) -> bool {
    let Some(name) = call.strip_suffix("()") else { return false };
    let name = name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase().replace('_', "");
    ["isci", "inci", "onci", "runninginci", "runningonci", "isrunninginci"].contains(&name.as_str())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    True,
    False,
    Ci,
    Unknown,
}

impl Truth {
    fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::False, _) | (_, Truth::False) => Truth::False,
            (Truth::True, x) | (x, Truth::True) => x,
            (Truth::Ci, Truth::Ci) => Truth::Ci,
            _ => Truth::Unknown,
        }
    }

    fn or(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::True, _) | (_, Truth::True) => Truth::True,
            (Truth::False, x) | (x, Truth::False) => x,
            (Truth::Ci, Truth::Ci) => Truth::Ci,
            _ => Truth::Unknown,
        }
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
