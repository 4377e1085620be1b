//! Conditions: whether an expression is constant, or reads nothing but that it runs in CI (rules-a.md D1, D2).

use super::chain::{is_text, slice, stripped, unquoted};
use crate::facts::Condition;
use crate::visit::FileScope;
use tree_sitter::Node;

/// What is known of a condition without running it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Always true or always false.
    Constant(bool),
    /// Depends on nothing but CI.
    Ci,
    /// Depends on something else.
    Runtime,
}

impl Value {
    /// Returns the value of the negated condition.
    pub(super) fn not(self) -> Self {
        if let Value::Constant(value) = self { Value::Constant(!value) } else { self }
    }

    /// Returns when something guarded by it holds; none for never.
    pub(super) fn condition(self) -> Option<Condition> {
        match self {
            Value::Constant(true) => Some(Condition::Always),
            Value::Constant(false) => None,
            Value::Ci => Some(Condition::Ci),
            Value::Runtime => Some(Condition::Runtime),
        }
    }
}

/// Returns what is known of an expression's truth.
pub(super) fn evaluate(node: Node<'_>, text: &str, scope: &FileScope) -> Value {
    match truth(node, text, scope, 0) {
        Some(value) => Value::Constant(value),
        None if reads_only_ci(node, text) => Value::Ci,
        None => Value::Runtime,
    }
}

const DEPTH_MAX: u32 = 16;

fn truth(node: Node<'_>, text: &str, scope: &FileScope, depth: u32) -> Option<bool> {
    if depth > DEPTH_MAX {
        return None;
    }
    let node = stripped(node);
    let source = slice(text, node);
    match node.kind() {
        "true" => Some(true),
        "false" | "null" | "undefined" => Some(false),
        "number" => Some(source.trim_start_matches(['0', '.', '_', 'x', 'b', 'o', 'n']).bytes().any(|b| b.is_ascii_hexdigit())),
        "string" => Some(!unquoted(source).is_empty()),
        "template_string" if !source.contains("${") => Some(!unquoted(source).is_empty()),
        "array" | "object" | "arrow_function" | "function_expression" | "regex" => Some(true),
        "identifier" => match source {
            "undefined" | "NaN" => Some(false),
            "Infinity" => Some(true),
            _ => match scope.binding(source) {
                Some(("", "true")) => Some(true),
                Some(("", "false")) => Some(false),
                _ => None,
            },
        },
        "unary_expression" => {
            let argument = node.child_by_field_name("argument")?;
            match slice(text, node.child_by_field_name("operator")?) {
                "!" => truth(argument, text, scope, depth + 1).map(|v| !v),
                "void" => Some(false),
                _ => None,
            }
        }
        "binary_expression" => {
            let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
            let value = |n| truth(n, text, scope, depth + 1);
            match slice(text, node.child_by_field_name("operator")?) {
                "&&" => match (value(left), value(right)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), other) => other,
                    _ => None,
                },
                "||" => match (value(left), value(right)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), other) => other,
                    _ => None,
                },
                "==" | "===" if is_literal(left) && is_literal(right) => Some(slice(text, left) == slice(text, right)),
                "!=" | "!==" if is_literal(left) && is_literal(right) => Some(slice(text, left) != slice(text, right)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_literal(node: Node<'_>) -> bool {
    is_text(node) || matches!(node.kind(), "number" | "true" | "false" | "null" | "undefined")
}

/// Whether an expression reads CI variables and nothing else that can vary.
fn reads_only_ci(node: Node<'_>, text: &str) -> bool {
    let mut seen = false;
    only_ci(node, text, &mut seen, 0) && seen
}

fn only_ci(node: Node<'_>, text: &str, seen: &mut bool, depth: u32) -> bool {
    if depth > DEPTH_MAX {
        return false;
    }
    let node = stripped(node);
    let source = slice(text, node);
    match node.kind() {
        "member_expression" | "subscript_expression" => {
            let part = node.child_by_field_name("property").or_else(|| node.child_by_field_name("index"));
            let object = node.child_by_field_name("object").map_or("", |n| slice(text, n));
            let environment = object.ends_with("env") || matches!(object, "process" | "env");
            let found = part.is_some_and(|p| (environment && is_ci_variable(unquoted(slice(text, p)))) || is_ci_name(slice(text, p)));
            *seen |= found;
            found
        }
        "identifier" => {
            let found = is_ci_name(source);
            *seen |= found;
            found || matches!(source, "undefined" | "Boolean")
        }
        "unary_expression" => node.child_by_field_name("argument").is_some_and(|n| only_ci(n, text, seen, depth + 1)),
        "binary_expression" => {
            ["left", "right"].into_iter().all(|field| node.child_by_field_name(field).is_some_and(|n| only_ci(n, text, seen, depth + 1)))
        }
        "call_expression" => {
            let name = node.child_by_field_name("function").map_or("", |n| slice(text, n));
            let inside = node.child_by_field_name("arguments");
            let argument = inside.and_then(|n| n.named_child(0));
            match (name, argument) {
                ("Boolean" | "String", Some(argument)) => only_ci(argument, text, seen, depth + 1),
                ("Deno.env.get" | "Deno.env.has", Some(argument)) => {
                    let found = is_ci_variable(unquoted(slice(text, argument)));
                    *seen |= found;
                    found
                }
                _ => false,
            }
        }
        _ => is_literal(node),
    }
}

fn is_ci_variable(name: &str) -> bool {
    matches!(
        name,
        "CI" | "GITHUB_ACTIONS"
            | "GITLAB_CI"
            | "BUILDKITE"
            | "TF_BUILD"
            | "CIRCLECI"
            | "TRAVIS"
            | "APPVEYOR"
            | "TEAMCITY_VERSION"
            | "CONTINUOUS_INTEGRATION"
    ) || name.starts_with("JENKINS_")
}

fn is_ci_name(name: &str) -> bool {
    matches!(name.to_ascii_lowercase().as_str(), "ci" | "isci" | "is_ci" | "inci" | "in_ci" | "onci" | "runningonci" | "isrunningonci")
}
