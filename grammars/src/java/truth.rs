//! What is known of a Java condition before it runs: constants, and whether it asks for nothing but CI.

use super::annotations::{arguments, string};
use tree_sitter::Node;

/// Variables that are set where a build runs in CI.
pub(super) const CI_VARIABLES: &[&str] =
    &["CI", "GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE", "TF_BUILD", "JENKINS_URL", "JENKINS_HOME", "CIRCLECI", "TRAVIS"];

/// What is known of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Truth {
    True,
    False,
    /// True in CI and nowhere else.
    Ci,
    /// False in CI and nowhere else.
    NotCi,
    Unknown,
}

impl Truth {
    pub(super) fn not(self) -> Truth {
        match self {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            Truth::Ci => Truth::NotCi,
            Truth::NotCi => Truth::Ci,
            Truth::Unknown => Truth::Unknown,
        }
    }

    fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::False, _) | (_, Truth::False) => Truth::False,
            (Truth::True, x) | (x, Truth::True) => x,
            (a, b) if a == b => a,
            _ => Truth::Unknown,
        }
    }

    fn or(self, other: Truth) -> Truth {
        self.not().and(other.not()).not()
    }
}

/// Returns what is known of an expression.
pub(super) fn of(node: Node<'_>, text: &str) -> Truth {
    const DEPTH_MAX: usize = 16;
    value(node, text, DEPTH_MAX)
}

fn value(node: Node<'_>, text: &str, depth: usize) -> Truth {
    if depth == 0 {
        return Truth::Unknown;
    }
    let of = |field: &str| node.child_by_field_name(field);
    let inner = |n: Option<Node<'_>>| n.map_or(Truth::Unknown, |n| value(n, text, depth - 1));
    match node.kind() {
        "true" => Truth::True,
        "false" => Truth::False,
        "parenthesized_expression" => inner(node.named_child(0)),
        // A supplier of the condition.
        "lambda_expression" => inner(of("body").filter(|b| b.kind() != "block")),
        "field_access" => match &text[node.byte_range()] {
            "Boolean.TRUE" => Truth::True,
            "Boolean.FALSE" => Truth::False,
            _ => Truth::Unknown,
        },
        "unary_expression" if of("operator").is_some_and(|o| o.kind() == "!") => inner(of("operand")).not(),
        "binary_expression" => match of("operator").map_or("", |o| o.kind()) {
            "&&" => inner(of("left")).and(inner(of("right"))),
            "||" => inner(of("left")).or(inner(of("right"))),
            "!=" | "==" => {
                let equal = of("operator").is_some_and(|o| o.kind() == "==");
                let (Some(left), Some(right)) = (of("left"), of("right")) else { return Truth::Unknown };
                let truth = match (left.kind(), right.kind()) {
                    ("null_literal", _) if reads_ci(right, text) => Truth::NotCi,
                    (_, "null_literal") if reads_ci(left, text) => Truth::NotCi,
                    ("decimal_integer_literal", "decimal_integer_literal") if text[left.byte_range()] == text[right.byte_range()] => {
                        Truth::True
                    }
                    ("decimal_integer_literal", "decimal_integer_literal") => Truth::False,
                    _ => return Truth::Unknown,
                };
                if equal { truth } else { truth.not() }
            }
            _ => Truth::Unknown,
        },
        "method_invocation" => call(node, text),
        _ => Truth::Unknown,
    }
}

fn call(node: Node<'_>, text: &str) -> Truth {
    let name = node.child_by_field_name("name").map_or("", |n| &text[n.byte_range()]);
    let object = node.child_by_field_name("object");
    let arguments = arguments(node);
    let asks = match (name, arguments.as_slice()) {
        ("equals" | "equalsIgnoreCase", [argument]) => {
            let yes = |n: Node<'_>| string(n, text).is_some_and(|s| ["true", "1"].contains(&s));
            object.is_some_and(|o| (yes(o) && reads_ci(*argument, text)) || (yes(*argument) && reads_ci(o, text)))
        }
        ("parseBoolean" | "valueOf" | "nonNull", [argument]) => reads_ci(*argument, text),
        ("containsKey", [argument]) => {
            object.is_some_and(|o| &text[o.byte_range()] == "System.getenv()")
                && string(*argument, text).is_some_and(|s| CI_VARIABLES.contains(&s))
        }
        (name, []) => {
            let name = name.to_ascii_lowercase();
            ["isci", "inci", "onci", "runninginci", "isrunninginci", "isrunningonci"].contains(&name.as_str())
        }
        _ => false,
    };
    if asks { Truth::Ci } else { Truth::Unknown }
}

/// Whether an expression is `System.getenv("CI")` or of a like variable.
fn reads_ci(node: Node<'_>, text: &str) -> bool {
    node.kind() == "method_invocation"
        && node.child_by_field_name("name").is_some_and(|n| &text[n.byte_range()] == "getenv")
        && arguments(node).first().and_then(|a| string(*a, text)).is_some_and(|s| CI_VARIABLES.contains(&s))
}
