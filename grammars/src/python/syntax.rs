//! Shapes of the Python tree that several readers need: children, arguments, strings, definitions.
//!
//! Everything here looks down a node by a cursor and never up or sideways: tree-sitter finds a parent or a sibling by
//! walking from the root.

use tree_sitter::Node;

/// Returns the named children of a node without comments.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|c| c.kind() != "comment").collect()
}

/// Returns the first named child of a node that is no comment.
pub(super) fn only_child(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|c| c.kind() != "comment")
}

/// Returns a child by its field's name.
pub(super) fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}

/// Returns the text of a node.
pub(super) fn text_of<'a>(text: &'a str, node: Node<'_>) -> &'a str {
    text.get(node.byte_range()).unwrap_or("")
}

/// Returns the names of an attribute chain (`a.b.c`), or none where it does not start at a name.
pub(super) fn dotted<'a>(text: &'a str, node: Node<'_>) -> Option<Vec<&'a str>> {
    let mut parts = Vec::new();
    let mut at = node;
    loop {
        match at.kind() {
            "attribute" => {
                parts.push(text_of(text, field(at, "attribute")?));
                at = field(at, "object")?;
            }
            "identifier" => {
                parts.push(text_of(text, at));
                parts.reverse();
                return Some(parts);
            }
            _ => return None,
        }
    }
}

/// Returns the last name of a name, attribute, subscript or call of these.
pub(super) fn tail<'a>(text: &'a str, node: Node<'_>) -> Option<&'a str> {
    // Asked at every call of a chain, so it looks at a few links only.
    const LINKS_MAX: usize = 4;
    let mut at = node;
    for _ in 0..LINKS_MAX {
        at = match at.kind() {
            "identifier" => return Some(text_of(text, at)),
            "attribute" => return field(at, "attribute").map(|a| text_of(text, a)),
            "call" => field(at, "function")?,
            "subscript" => field(at, "value")?,
            "generic_type" => only_child(at)?,
            _ => return None,
        };
    }
    None
}

/// The arguments of a call.
#[derive(Default)]
pub(super) struct Arguments<'t> {
    /// Without a name; `*rest` is among them.
    pub(super) positional: Vec<Node<'t>>,
    /// Name, value and the whole pair.
    pub(super) keywords: Vec<(Node<'t>, Node<'t>, Node<'t>)>,
}

impl<'t> Arguments<'t> {
    /// Returns the arguments of a call, or none where it is no call.
    pub(super) fn of(call: Node<'t>) -> Self {
        let mut arguments = Arguments::default();
        if call.kind() != "call" {
            return arguments;
        }
        let Some(list) = field(call, "arguments") else { return arguments };
        for node in children(list) {
            match (node.kind(), field(node, "name"), field(node, "value")) {
                ("keyword_argument", Some(name), Some(value)) => arguments.keywords.push((name, value, node)),
                _ => arguments.positional.push(node),
            }
        }
        arguments
    }

    /// Returns the value of a named argument.
    pub(super) fn named(&self, text: &str, name: &str) -> Option<Node<'t>> {
        self.pair(text, name).map(|(value, _)| value)
    }

    /// Returns the value of a named argument and the whole pair.
    pub(super) fn pair(&self, text: &str, name: &str) -> Option<(Node<'t>, Node<'t>)> {
        self.keywords.iter().find(|(key, _, _)| text_of(text, *key) == name).map(|(_, value, pair)| (*value, *pair))
    }
}

/// Whether a node is a string literal, parts in a row included.
pub(super) fn is_string(node: Node<'_>) -> bool {
    matches!(node.kind(), "string" | "concatenated_string")
}

/// Returns the literal text of a string, what is computed in it left out. `"…".format(x)` and `"…" % x` say what their
/// literal says.
pub(super) fn string_content(text: &str, node: Node<'_>) -> Option<String> {
    let mut at = node;
    while !is_string(at) {
        at = match at.kind() {
            "call" => field(field(at, "function").filter(|f| f.kind() == "attribute")?, "object")?,
            "binary_operator" => field(at, "left")?,
            "parenthesized_expression" => only_child(at)?,
            _ => return None,
        };
    }
    let mut out = String::new();
    let parts = if at.kind() == "string" { vec![at] } else { children(at) };
    for part in parts {
        let mut cursor = part.walk();
        for content in part.named_children(&mut cursor).filter(|c| c.kind() == "string_content") {
            out.push_str(text_of(text, content));
        }
    }
    Some(out)
}

/// Returns the string that documents a block: its first statement, where that is a plain string.
pub(super) fn docstring(block: Node<'_>) -> Option<Node<'_>> {
    let first = only_child(block).filter(|n| n.kind() == "expression_statement")?;
    only_child(first).filter(|n| is_string(*n))
}

/// A class or function with its decorators.
pub(super) struct Definition<'t> {
    /// `decorator` nodes, in order.
    pub(super) decorators: Vec<Node<'t>>,
    /// The class or function itself.
    pub(super) node: Node<'t>,
}

impl<'t> Definition<'t> {
    /// Returns the definition that a node is, decorated or not.
    pub(super) fn of(node: Node<'t>) -> Option<Self> {
        match node.kind() {
            "function_definition" | "class_definition" => Some(Definition { decorators: Vec::new(), node }),
            "decorated_definition" => {
                let mut decorators = Vec::new();
                let mut found = None;
                for child in children(node) {
                    match child.kind() {
                        "decorator" => decorators.push(child),
                        "function_definition" | "class_definition" => found = Some(child),
                        _ => {}
                    }
                }
                found.map(|node| Definition { decorators, node })
            }
            _ => None,
        }
    }

    pub(super) fn is_class(&self) -> bool {
        self.node.kind() == "class_definition"
    }

    /// Returns the node of its name.
    pub(super) fn name_node(&self) -> Option<Node<'t>> {
        field(self.node, "name")
    }

    /// Returns its name.
    pub(super) fn name<'a>(&self, text: &'a str) -> &'a str {
        self.name_node().map_or("", |n| text_of(text, n))
    }

    /// Returns its body.
    pub(super) fn body(&self) -> Option<Node<'t>> {
        field(self.node, "body")
    }

    /// Returns the expressions behind the `@` of its decorators.
    pub(super) fn decorator_expressions(&self) -> impl Iterator<Item = Node<'t>> + '_ {
        self.decorators.iter().filter_map(|d| only_child(*d))
    }

    /// Returns the bases of a class, keywords such as `metaclass=` left out.
    pub(super) fn bases(&self) -> Vec<Node<'t>> {
        let Some(list) = field(self.node, "superclasses") else { return Vec::new() };
        children(list).into_iter().filter(|n| n.kind() != "keyword_argument").collect()
    }
}

/// Returns the definitions that stand directly in a block.
pub(super) fn definitions(block: Node<'_>) -> impl Iterator<Item = Definition<'_>> {
    children(block).into_iter().filter_map(Definition::of)
}
