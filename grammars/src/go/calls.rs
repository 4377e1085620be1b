//! How Go code calls: the callee, its arguments, strings, and which parameters are handles of the test runner.

use super::framework;
use crate::visit::FileScope;
use tree_sitter::Node;

/// What a call names: the text before the last dot (empty for a plain name) and the name.
#[derive(Clone, Copy)]
pub(super) struct Callee<'a, 'tree> {
    pub(super) node: Node<'tree>,
    pub(super) operand: Option<Node<'tree>>,
    pub(super) of: &'a str,
    pub(super) name: &'a str,
}

/// Returns what a call names, where that is a name or a member.
pub(super) fn callee<'a, 'tree>(call: Node<'tree>, text: &'a str) -> Option<Callee<'a, 'tree>> {
    let node = call.child_by_field_name("function")?;
    match node.kind() {
        "identifier" => Some(Callee { node, operand: None, of: "", name: &text[node.byte_range()] }),
        "selector_expression" => {
            let operand = node.child_by_field_name("operand")?;
            let name = &text[node.child_by_field_name("field")?.byte_range()];
            Some(Callee { node, operand: Some(operand), of: &text[operand.byte_range()], name })
        }
        _ => None,
    }
}

/// Returns the arguments of a call.
pub(super) fn arguments<'tree>(call: Node<'tree>) -> Vec<Node<'tree>> {
    let Some(list) = call.child_by_field_name("arguments") else { return Vec::new() };
    let mut cursor = list.walk();
    list.named_children(&mut cursor).filter(|n| n.kind() != "comment").collect()
}

/// Returns what stands between the quotes of a string literal.
pub(super) fn string<'a>(node: Node<'_>, text: &'a str) -> Option<&'a str> {
    if !matches!(node.kind(), "interpreted_string_literal" | "raw_string_literal") {
        return None;
    }
    let source = &text[node.byte_range()];
    source.get(1..source.len().checked_sub(1)?)
}

/// Returns what stands between the quotes of the first string literal in a source text.
pub(super) fn first_string(source: &str) -> Option<&str> {
    let open = source.find(['"', '`'])?;
    let rest = &source[open + 1..];
    if source.as_bytes()[open] == b'`' {
        return rest.split('`').next();
    }
    let mut escaped = false;
    let end = rest.char_indices().find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    })?;
    Some(&rest[..end.0])
}

/// A parameter: its name (empty where it has none) and its type as written.
pub(super) struct Parameter<'a> {
    pub(super) name: &'a str,
    pub(super) of: &'a str,
}

/// Returns the parameters of a function, method or function literal, one a name.
pub(super) fn parameters<'a>(function: Node<'_>, text: &'a str) -> Vec<Parameter<'a>> {
    let Some(list) = function.child_by_field_name("parameters") else { return Vec::new() };
    declared(list, text)
}

/// Returns the parameters of a list.
pub(super) fn declared<'a>(list: Node<'_>, text: &'a str) -> Vec<Parameter<'a>> {
    let mut found = Vec::new();
    let mut cursor = list.walk();
    for declaration in list.named_children(&mut cursor).filter(|n| n.kind().ends_with("parameter_declaration")) {
        let of = declaration.child_by_field_name("type").map_or("", |t| &text[t.byte_range()]);
        let mut inner = declaration.walk();
        let before = found.len();
        found.extend(declaration.children_by_field_name("name", &mut inner).map(|n| Parameter { name: &text[n.byte_range()], of }));
        if found.len() == before {
            found.push(Parameter { name: "", of });
        }
    }
    found
}

/// Whether a type is a handle by which code speaks to the test runner.
pub(super) fn is_handle(of: &str, scope: &FileScope) -> bool {
    let of = of.trim_start_matches('*');
    match of.rsplit_once('.') {
        Some((package, "T" | "B" | "F" | "TB")) => package == "testing" || scope.binding(package).is_some_and(|(m, _)| m == "testing"),
        Some((package, "C")) => scope.binding(package).is_some_and(|(m, _)| m == "check"),
        Some(_) => false,
        None => of == "C" && scope.frameworks & framework::CHECK_DOT != 0,
    }
}

/// Returns the names of a function's parameters that are handles of the test runner.
pub(super) fn handles<'a>(function: Node<'_>, text: &'a str, scope: &FileScope) -> Vec<&'a str> {
    parameters(function, text).into_iter().filter(|p| is_handle(p.of, scope)).map(|p| p.name).collect()
}

/// Returns the statements directly in a block.
pub(super) fn statements<'tree>(block: Node<'tree>) -> Vec<Node<'tree>> {
    let mut cursor = block.walk();
    let Some(list) = block.named_children(&mut cursor).find(|n| n.kind() == "statement_list") else { return Vec::new() };
    let mut cursor = list.walk();
    list.named_children(&mut cursor).filter(|n| !matches!(n.kind(), "comment" | "empty_statement")).collect()
}

/// Returns the call that a statement is.
pub(super) fn called(statement: Node<'_>) -> Option<Node<'_>> {
    if statement.kind() != "expression_statement" {
        return None;
    }
    statement.named_child(0).filter(|n| n.kind() == "call_expression")
}
