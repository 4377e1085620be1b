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
    /// Variables that hold a method which skips: `skip := t.Skip`.
    aliases: Vec<&'a str>,
    nested: bool,
    depth: usize,
}

impl<'a> Place<'a> {
    fn of(handles: Vec<&'a str>) -> Self {
        Place { condition: Condition::Always, handles, aliases: Vec::new(), nested: false, depth: 0 }
    }
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
    reader.read(body, None, &Place::of(handles.to_vec()));
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
    reader.read(body, None, &Place::of(handles));
    reader.found.iter().any(|s| s.condition == Condition::Always && !s.nested)
}

/// Returns the value of the condition of an `if`, where it is the same in every run.
pub(super) fn constant(node: Node<'_>, text: &str, scope: &FileScope) -> Option<bool> {
    match (Reader { text, scope, wrappers: &[], found: Vec::new() }).truth(node) {
        Truth::True => Some(true),
        Truth::False => Some(false),
        Truth::Ci | Truth::Unknown => None,
    }
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
                    self.children(node, &Place { condition: Condition::Always, handles, nested: true, ..deeper });
                }
            }
            "go_statement" => {}
            "defer_statement" => self.deferred(node, &deeper),
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
            self.bind(statement, &mut place);
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
        if self.skips(&callee, node, place) {
            let condition = place.condition;
            self.found.push(Skip { call: node, callee: callee.node, statement, condition, nested: place.nested });
            return;
        }
        if items::is_subtest(node, self.text, self.scope) || ginkgo::opens(&callee, self.scope) {
            return;
        }
        self.children(node, place);
    }

    /// `defer t.Skip()`: a test that passed counts as skipped.
    fn deferred(&mut self, node: Node<'tree>, place: &Place<'a>) {
        let call = node.named_child(0).filter(|n| n.kind() == "call_expression");
        if let Some((call, callee)) = call.and_then(|call| Some((call, calls::callee(call, self.text)?)))
            && self.skips(&callee, call, place)
        {
            let condition = place.condition;
            self.found.push(Skip { call, callee: callee.node, statement: Some(node), condition, nested: place.nested });
        }
    }

    /// Takes the names that a statement gives to a handle or to a method of it.
    fn bind(&self, statement: Node<'tree>, place: &mut Place<'a>) {
        let (left, right) = match statement.kind() {
            "short_var_declaration" | "assignment_statement" => ("left", "right"),
            "var_declaration" => ("name", "value"),
            _ => return,
        };
        let holder = if left == "name" { statement.named_child(0).filter(|n| n.kind() == "var_spec") } else { Some(statement) };
        let Some(holder) = holder else { return };
        let one = |field: &str| {
            let node = holder.child_by_field_name(field)?;
            if node.kind() == "expression_list" { node.named_child(0).filter(|_| node.named_child_count() == 1) } else { Some(node) }
        };
        let Some((name, value)) = one(left).zip(one(right)).filter(|(name, _)| name.kind() == "identifier") else { return };
        let name = &self.text[name.byte_range()];
        place.aliases.retain(|alias| *alias != name);
        if self.is_handle(value, place) {
            place.handles.push(name);
        } else if value.kind() == "selector_expression"
            && let Some(operand) = value.child_by_field_name("operand")
            && let Some(field) = value.child_by_field_name("field")
            && self.is_method(&self.text[field.byte_range()], operand, place)
        {
            place.aliases.push(name);
        }
    }

    fn skips(&self, callee: &Callee<'_, '_>, call: Node<'_>, place: &Place<'a>) -> bool {
        let own = self.wrappers.iter().any(|w| w == callee.name || w.rsplit('.').next() == Some(callee.name));
        match callee.operand {
            None => {
                own || scope::is_skip_helper(self.scope, callee.name)
                    || place.aliases.contains(&callee.name)
                    || (callee.name == "Skip" && self.scope.frameworks & framework::GINKGO_DOT != 0)
            }
            Some(operand)
                if callee.name == "Skip" && operand.kind() == "identifier" && scope::is_package(self.scope, callee.of, "ginkgo") =>
            {
                true
            }
            Some(operand) if is_method_expression(operand, self.text, self.scope) => {
                is_skip(callee.name) && calls::arguments(call).first().is_some_and(|first| self.is_handle(*first, place))
            }
            Some(operand) => own || self.is_method(callee.name, operand, place),
        }
    }

    /// Whether a member is the method of a handle, or of its type, that skips.
    fn is_method(&self, name: &str, operand: Node<'_>, place: &Place<'a>) -> bool {
        is_skip(name) && (self.is_handle(operand, place) || is_method_expression(operand, self.text, self.scope))
    }

    /// Whether an expression is a handle by which a test speaks to its runner, converted or not.
    fn is_handle(&self, node: Node<'_>, place: &Place<'a>) -> bool {
        let source = &self.text[node.byte_range()];
        let is_type = |node: Option<Node<'_>>| node.is_some_and(|n| calls::is_handle(bare(&self.text[n.byte_range()]), self.scope));
        match node.kind() {
            "identifier" => place.handles.contains(&source),
            "parenthesized_expression" => node.named_child(0).is_some_and(|inner| self.is_handle(inner, place)),
            // `s.T()` of a suite, `GinkgoT()`, `testing.TB(t)`.
            "call_expression" => {
                source.ends_with(".T()")
                    || source.ends_with("GinkgoT()")
                    || (is_type(node.child_by_field_name("function"))
                        && matches!(calls::arguments(node).as_slice(), [one] if self.is_handle(*one, place)))
            }
            "type_assertion_expression" => is_type(node.child_by_field_name("type")),
            "type_conversion_expression" => {
                is_type(node.child_by_field_name("type")) && node.child_by_field_name("operand").is_some_and(|n| self.is_handle(n, place))
            }
            _ => false,
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

fn is_skip(method: &str) -> bool {
    matches!(method, "Skip" | "Skipf" | "SkipNow")
}

/// Whether an expression is the type of a handle, as in `(*testing.T).Skip(t)`.
fn is_method_expression(operand: Node<'_>, text: &str, scope: &FileScope) -> bool {
    matches!(operand.kind(), "parenthesized_expression" | "selector_expression")
        && calls::is_handle(bare(&text[operand.byte_range()]), scope)
}

/// Returns a type without the parentheses around it.
fn bare(of: &str) -> &str {
    of.trim_matches(['(', ')', ' '])
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
