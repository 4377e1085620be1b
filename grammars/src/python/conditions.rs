//! When a condition holds: always, never, in CI only, or as the run will tell (rules-a.md D1 and D2).

use super::names::{CI, FALSE, Reader, TRUE};
use super::syntax::{Arguments, children, field, is_string, only_child, string_content};
use crate::facts::Condition;
use tree_sitter::Node;

/// When something happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum When {
    Always,
    Never,
    Ci,
    Runtime,
}

impl When {
    /// Returns when both hold.
    pub(super) fn and(self, other: When) -> When {
        match (self, other) {
            (When::Never, _) | (_, When::Never) => When::Never,
            (When::Always, when) | (when, When::Always) => when,
            (When::Ci, When::Ci) => When::Ci,
            _ => When::Runtime,
        }
    }

    /// Returns when this does not hold.
    pub(super) fn not(self) -> When {
        match self {
            When::Always => When::Never,
            When::Never => When::Always,
            other => other,
        }
    }

    /// Returns the condition of a marker that holds then, or none where it never does.
    pub(super) fn condition(self) -> Option<Condition> {
        match self {
            When::Always => Some(Condition::Always),
            When::Never => None,
            When::Ci => Some(Condition::Ci),
            When::Runtime => Some(Condition::Runtime),
        }
    }
}

/// Returns when an expression is true.
pub(super) fn when(reader: Reader<'_>, node: Node<'_>) -> When {
    match truth(reader, node) {
        Some(true) => When::Always,
        Some(false) => When::Never,
        None if reads(reader, node) == Reads::Ci => When::Ci,
        None => When::Runtime,
    }
}

/// Returns when a condition written as text (`skipif("sys.platform == 'win32'")`) is true.
pub(super) fn when_text(text: &str) -> When {
    match text.trim() {
        "True" | "1" => When::Always,
        "False" | "0" | "None" | "" => When::Never,
        _ => When::Runtime,
    }
}

/// Returns the value of an expression that is the same in every run, or none.
pub(super) fn truth(reader: Reader<'_>, node: Node<'_>) -> Option<bool> {
    let reader = reader.deeper()?;
    match node.kind() {
        "true" | "ellipsis" => Some(true),
        "false" | "none" => Some(false),
        "integer" | "float" => Some(reader.text_of(node).bytes().any(|b| (b'1'..=b'9').contains(&b))),
        "string" | "concatenated_string" if reader.text_of(node).contains('{') => None,
        "string" | "concatenated_string" => string_content(reader.text, node).map(|s| !s.is_empty()),
        "list" | "tuple" | "dictionary" | "set" => Some(!children(node).is_empty()),
        "parenthesized_expression" => truth(reader, only_child(node)?),
        "not_operator" => truth(reader, field(node, "argument")?).map(|t| !t),
        "boolean_operator" => {
            let (left, right) = (truth(reader, field(node, "left")?), truth(reader, field(node, "right")?));
            let and = field(node, "operator").is_some_and(|o| reader.text_of(o) == "and");
            // One operand can decide alone.
            match (left, right) {
                (Some(l), _) if l != and => Some(l),
                (_, Some(r)) if r != and => Some(r),
                (Some(_), Some(_)) => Some(and),
                _ => None,
            }
        }
        "comparison_operator" => {
            let operands = children(node);
            let literal = |n: &Node<'_>| matches!(n.kind(), "integer" | "true" | "false" | "none") || is_string(*n);
            let operator = field(node, "operators").map(|o| reader.text_of(o))?;
            if operands.len() != 2 || !operands.iter().all(literal) {
                return None;
            }
            let same = reader.text_of(operands[0]) == reader.text_of(operands[1]);
            match operator {
                "==" | "is" => Some(same),
                "!=" | "is not" => Some(!same),
                _ => None,
            }
        }
        "call" => {
            let name = reader.text_of(field(node, "function")?);
            let arguments = Arguments::of(node);
            match (name, arguments.positional.as_slice()) {
                ("bool", [one]) => truth(reader, *one),
                _ => None,
            }
        }
        "identifier" => {
            let name = reader.text_of(node);
            if reader.said(name, TRUE) {
                Some(true)
            } else if reader.said(name, FALSE) {
                Some(false)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// What an expression reads from outside.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    Nothing,
    Ci,
    Other,
}

impl Reads {
    fn and(self, other: Reads) -> Reads {
        match (self, other) {
            (Reads::Other, _) | (_, Reads::Other) => Reads::Other,
            (Reads::Ci, _) | (_, Reads::Ci) => Reads::Ci,
            _ => Reads::Nothing,
        }
    }
}

/// Returns what an expression reads: nothing, only whether it runs in CI, or more.
pub(super) fn reads(reader: Reader<'_>, node: Node<'_>) -> Reads {
    let Some(reader) = reader.deeper() else { return Reads::Other };
    match node.kind() {
        "string" | "concatenated_string" | "integer" | "float" | "true" | "false" | "none" => Reads::Nothing,
        "not_operator" | "parenthesized_expression" | "boolean_operator" | "conditional_expression" | "tuple" | "list" | "set" => {
            children(node).into_iter().fold(Reads::Nothing, |all, n| all.and(reads(reader, n)))
        }
        "comparison_operator" => {
            let operands = children(node);
            if operands.iter().any(|n| is_environment(reader, *n)) {
                let names = operands.iter().filter(|n| !is_environment(reader, **n));
                return names.fold(Reads::Nothing, |all, n| all.and(variable(reader, Some(*n))));
            }
            operands.into_iter().fold(Reads::Nothing, |all, n| all.and(reads(reader, n)))
        }
        "identifier" if reader.said(reader.text_of(node), CI) => Reads::Ci,
        "subscript" if field(node, "value").is_some_and(|v| is_environment(reader, v)) => variable(reader, field(node, "subscript")),
        "call" => call(reader, node),
        _ => Reads::Other,
    }
}

fn call(reader: Reader<'_>, node: Node<'_>) -> Reads {
    let Some(function) = field(node, "function") else { return Reads::Other };
    let arguments = Arguments::of(node);
    if matches!(reader.text_of(function), "bool" | "str" | "int" | "any" | "all") {
        return arguments.positional.into_iter().fold(Reads::Nothing, |all, n| all.and(reads(reader, n)));
    }
    if reader.path(function).is_some_and(|p| matches!(p.as_str(), "os.getenv" | "os.environ.get")) {
        return variable(reader, arguments.positional.first().copied());
    }
    // `os.environ.get("CI", "").lower()` reads what it is called on.
    let object = field(function, "object").filter(|_| function.kind() == "attribute");
    match object {
        Some(object) if matches!(object.kind(), "call" | "subscript") => reads(reader, object),
        _ => Reads::Other,
    }
}

fn is_environment(reader: Reader<'_>, node: Node<'_>) -> bool {
    reader.path(node).is_some_and(|p| p == "os.environ")
}

/// Returns what it means to read an environment variable.
fn variable(reader: Reader<'_>, name: Option<Node<'_>>) -> Reads {
    let name = name.and_then(|n| string_content(reader.text, n));
    match name.as_deref() {
        Some("CI" | "GITHUB_ACTIONS" | "GITLAB_CI" | "BUILDKITE" | "TF_BUILD") => Reads::Ci,
        Some(name) if name.starts_with("JENKINS_") => Reads::Ci,
        _ => Reads::Other,
    }
}
