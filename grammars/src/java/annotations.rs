//! Annotations of Java as read from a declaration: name, arguments, and where the framework comes from that they belong to.
//!
//! What an annotation means is decided in `methods`, `markers` and `suppressions`.

use crate::facts::Edit;
use crate::visit::Visit;
use tree_sitter::Node;

/// An annotation on a declaration.
#[derive(Clone, Copy)]
pub(super) struct Annotation<'a, 'tree> {
    pub(super) node: Node<'tree>,
    /// As written, perhaps qualified.
    pub(super) path: &'a str,
    /// Its last segment.
    pub(super) name: &'a str,
}

/// Returns the annotation that a node is.
pub(super) fn of_node<'a, 'tree>(node: Node<'tree>, text: &'a str) -> Option<Annotation<'a, 'tree>> {
    if !matches!(node.kind(), "annotation" | "marker_annotation") {
        return None;
    }
    let path = &text[node.child_by_field_name("name")?.byte_range()];
    Some(Annotation { node, path, name: path.rsplit('.').next().unwrap_or(path).trim() })
}

/// Returns the modifiers of a declaration.
fn modifiers(declaration: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = declaration.walk();
    declaration.named_children(&mut cursor).find(|n| n.kind() == "modifiers")
}

/// Returns the annotations of a declaration, in order.
pub(super) fn of<'a, 'tree>(declaration: Node<'tree>, text: &'a str) -> Vec<Annotation<'a, 'tree>> {
    let Some(modifiers) = modifiers(declaration) else { return Vec::new() };
    let mut cursor = modifiers.walk();
    modifiers.named_children(&mut cursor).filter_map(|n| of_node(n, text)).collect()
}

/// Whether a declaration has a modifier such as `private`.
pub(super) fn is(declaration: Node<'_>, modifier: &str) -> bool {
    modifiers(declaration).is_some_and(|modifiers| {
        let mut cursor = modifiers.walk();
        modifiers.children(&mut cursor).any(|n| n.kind() == modifier)
    })
}

impl<'a, 'tree> Annotation<'a, 'tree> {
    /// Returns its argument list, where it has one that holds something.
    pub(super) fn arguments(&self) -> Option<Node<'tree>> {
        self.node.child_by_field_name("arguments").filter(|list| list.named_child_count() > 0)
    }

    /// Returns the `key = value` of a key.
    pub(super) fn pair(&self, key: &str, text: &str) -> Option<Node<'tree>> {
        let list = self.arguments()?;
        let mut cursor = list.walk();
        list.named_children(&mut cursor)
            .find(|n| n.kind() == "element_value_pair" && n.child_by_field_name("key").is_some_and(|k| &text[k.byte_range()] == key))
    }

    /// Returns the value of a key; that of `value` may stand alone.
    pub(super) fn value(&self, key: &str, text: &str) -> Option<Node<'tree>> {
        if let Some(pair) = self.pair(key, text) {
            return pair.child_by_field_name("value");
        }
        let list = self.arguments().filter(|_| key == "value")?;
        let mut cursor = list.walk();
        list.named_children(&mut cursor).find(|n| n.kind() != "element_value_pair" && !n.kind().ends_with("comment"))
    }

    /// Returns the edit that takes it away, with the blanks behind it where more stands on its line.
    pub(super) fn removal(&self, visit: &Visit<'_, '_>) -> Edit {
        let end = self.node.end_byte();
        let blanks = visit.text[end..].bytes().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let goes_on = visit.text[end + blanks..].starts_with(|c| c != '\n' && c != '\r');
        let end = if goes_on { end + blanks } else { end };
        Edit { span: visit.span_of(self.node.start_byte(), end), text: String::new() }
    }
}

/// Returns what stands between the quotes of a string literal.
pub(super) fn string<'a>(node: Node<'_>, text: &'a str) -> Option<&'a str> {
    let source = text[node.byte_range()].trim();
    if node.kind() != "string_literal" {
        return None;
    }
    let quotes = if source.starts_with("\"\"\"") { 3 } else { 1 };
    source.get(quotes..source.len().checked_sub(quotes)?).map(str::trim)
}

/// Returns the string literals in a tree, joined: a message can be put together. What is nested deeper than any message is
/// not looked at; none where there is none that says something.
pub(super) fn words(node: Node<'_>, text: &str) -> Option<String> {
    const DEPTH_MAX: usize = 8;
    fn collect(node: Node<'_>, text: &str, depth: usize, found: &mut Vec<String>) {
        if let Some(literal) = string(node, text) {
            found.extend((!literal.is_empty()).then(|| literal.to_owned()));
        } else if depth < DEPTH_MAX && !matches!(node.kind(), "lambda_expression" | "class_body") {
            let mut cursor = node.walk();
            node.named_children(&mut cursor).for_each(|n| collect(n, text, depth + 1, found));
        }
    }
    let mut found = Vec::new();
    collect(node, text, 0, &mut found);
    (!found.is_empty()).then(|| found.join(" "))
}

/// Returns the arguments of a call or constructor.
pub(super) fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    let Some(list) = call.child_by_field_name("arguments") else { return Vec::new() };
    let mut cursor = list.walk();
    list.named_children(&mut cursor).filter(|n| !n.kind().ends_with("comment")).collect()
}
