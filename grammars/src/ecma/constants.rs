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
    /// Depends on nothing but CI: true there, or true everywhere else.
    Ci(bool),
    /// Depends on something else.
    Runtime,
}

impl Value {
    /// Returns the value of the negated condition.
    pub(super) fn not(self) -> Self {
        match self {
            Value::Constant(value) => Value::Constant(!value),
            Value::Ci(there) => Value::Ci(!there),
            Value::Runtime => Value::Runtime,
        }
    }

    /// Returns when something guarded by it holds; none for never.
    pub(super) fn condition(self) -> Option<Condition> {
        match self {
            Value::Constant(true) => Some(Condition::Always),
            Value::Constant(false) => None,
            Value::Ci(true) => Some(Condition::Ci),
            // What runs in CI is judged there; a skip elsewhere is a precondition like any other.
            Value::Ci(false) | Value::Runtime => Some(Condition::Runtime),
        }
    }
}

/// Returns what is known of an expression's truth.
pub(super) fn evaluate(node: Node<'_>, text: &str, scope: &FileScope) -> Value {
    match truth(node, text, scope, 0) {
        Some(value) => Value::Constant(value),
        None => only_ci(node, text, 0).map_or(Value::Runtime, Value::Ci),
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

/// Returns whether an expression that reads CI variables and nothing else that can vary is true in CI, or elsewhere; none
/// where it reads anything else.
fn only_ci(node: Node<'_>, text: &str, depth: u32) -> Option<bool> {
    if depth > DEPTH_MAX {
        return None;
    }
    let node = stripped(node);
    let field = |name| node.child_by_field_name(name);
    match node.kind() {
        "member_expression" | "subscript_expression" => {
            let part = field("property").or_else(|| field("index")).map(|p| unquoted(slice(text, p)))?;
            let object = slice(text, field("object")?);
            let environment = object.ends_with("env") || object == "process";
            ((environment && is_ci_variable(part)) || is_ci_name(part)).then_some(true)
        }
        "identifier" => is_ci_name(slice(text, node)).then_some(true),
        "unary_expression" if slice(text, field("operator")?) == "!" => only_ci(field("argument")?, text, depth + 1).map(|there| !there),
        "binary_expression" => {
            let (left, right) = (field("left")?, field("right")?);
            match slice(text, field("operator")?) {
                "&&" | "||" | "??" => {
                    let there = only_ci(left, text, depth + 1)?;
                    let same = is_literal(right) || only_ci(right, text, depth + 1) == Some(there);
                    same.then_some(there)
                }
                operator @ ("==" | "===" | "!=" | "!==") => {
                    let (read, literal) = if is_literal(right) { (left, right) } else { (right, left) };
                    let off = matches!(unquoted(slice(text, literal)), "false" | "0" | "" | "undefined" | "null");
                    let equal = !operator.starts_with('!');
                    (is_literal(literal)).then(|| only_ci(read, text, depth + 1)).flatten().map(|there| there == (equal != off))
                }
                _ => None,
            }
        }
        "call_expression" => {
            let argument = field("arguments")?.named_child(0)?;
            match slice(text, field("function")?) {
                "Boolean" | "String" => only_ci(argument, text, depth + 1),
                "Deno.env.get" | "Deno.env.has" => is_ci_variable(unquoted(slice(text, argument))).then_some(true),
                _ => None,
            }
        }
        _ => None,
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
