//! Chains of members and calls, read from their root outwards: `it.concurrent.skip.each(rows)('title', fn)`.
//!
//! Every runner, assertion library and mock speaks in such chains, with its words in any order; the other files look at
//! the parts. Also the small readers of arguments, strings and callbacks that those files share.

use tree_sitter::Node;

/// Longest chain that is followed; a longer one is a builder and no test.
const PARTS_MAX: usize = 32;
/// Arguments of a call that are looked at; those behind carry no meaning for us.
const ARGUMENTS_MAX: usize = 8;

/// One step of a chain.
#[derive(Clone, Debug)]
pub(super) enum Part<'a, 'tree> {
    /// `.name` or `['name']`; `cut` is the range to delete to take it away.
    Name { name: &'a str, node: Node<'tree>, cut: std::ops::Range<usize> },
    /// `(arguments)` of a call; `call` is the whole call.
    Call { arguments: Node<'tree>, call: Node<'tree> },
    /// A tagged template.
    Template { template: Node<'tree>, call: Node<'tree> },
}

/// A chain, its root first.
#[derive(Clone, Debug)]
pub(super) struct Chain<'a, 'tree> {
    pub(super) root: Node<'tree>,
    pub(super) parts: Vec<Part<'a, 'tree>>,
}

impl<'a, 'tree> Chain<'a, 'tree> {
    /// Reads the chain that ends in a node; none where it is longer than any test's.
    pub(super) fn of(node: Node<'tree>, text: &'a str) -> Option<Self> {
        let mut parts = Vec::new();
        let mut at = node;
        for _ in 0..PARTS_MAX {
            match at.kind() {
                "call_expression" => {
                    let arguments = at.child_by_field_name("arguments")?;
                    parts.push(if arguments.kind() == "template_string" {
                        Part::Template { template: arguments, call: at }
                    } else {
                        Part::Call { arguments, call: at }
                    });
                    at = at.child_by_field_name("function")?;
                }
                "member_expression" => {
                    let object = at.child_by_field_name("object")?;
                    let property = at.child_by_field_name("property")?;
                    parts.push(Part::Name { name: slice(text, property), node: property, cut: object.end_byte()..at.end_byte() });
                    at = object;
                }
                "subscript_expression" => {
                    let object = at.child_by_field_name("object")?;
                    let index = at.child_by_field_name("index")?;
                    let name = key(index, text).unwrap_or("");
                    parts.push(Part::Name { name, node: index, cut: object.end_byte()..at.end_byte() });
                    at = object;
                }
                _ => match bare(at) {
                    Some(inner) => at = inner,
                    None => {
                        parts.reverse();
                        return Some(Chain { root: at, parts });
                    }
                },
            }
        }
        None
    }

    /// Returns the names in the chain, in order.
    pub(super) fn names(&self) -> impl DoubleEndedIterator<Item = &'a str> {
        self.parts.iter().filter_map(|p| match p {
            Part::Name { name, .. } => Some(*name),
            _ => None,
        })
    }
}

/// Returns the name that a literal in brackets reads: `it['skip']`, `` it[`skip`] ``.
fn key<'a>(index: Node<'_>, text: &'a str) -> Option<&'a str> {
    let source = slice(text, stripped(index));
    (is_text(stripped(index)) && !source.contains("${")).then(|| unquoted(source))
}

/// Returns what a node wraps without changing it at run time: parentheses, casts, `!`, `await`, the last of `(0, it.skip)`.
fn bare(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "parenthesized_expression" | "await_expression" => node.named_child(0),
        "sequence_expression" => node.named_child(u32::try_from(node.named_child_count()).ok()?.checked_sub(1)?),
        "as_expression" | "satisfies_expression" | "non_null_expression" | "instantiation_expression" => node.child(0),
        "type_assertion" => node.named_child(1),
        _ => None,
    }
}

/// Returns a node without the parentheses, casts and `await` around it.
pub(super) fn stripped(mut node: Node<'_>) -> Node<'_> {
    while let Some(inner) = bare(node) {
        node = inner;
    }
    node
}

/// Returns the leftmost node of a chain; cheaper than the chain, for a first look.
pub(super) fn root_of(node: Node<'_>) -> Option<Node<'_>> {
    let mut at = node;
    for _ in 0..PARTS_MAX {
        at = match at.kind() {
            "call_expression" | "member_expression" | "subscript_expression" => at.child(0)?,
            _ => match bare(at) {
                Some(inner) => inner,
                None => return Some(at),
            },
        };
    }
    None
}

/// Returns the call of an expression statement, with or without `await` or `void`.
pub(super) fn statement_call(statement: Node<'_>) -> Option<Node<'_>> {
    let mut at = statement.named_child(0)?;
    if at.kind() == "unary_expression" {
        at = at.child_by_field_name("argument")?;
    }
    let at = stripped(at);
    (at.kind() == "call_expression").then_some(at)
}

/// Returns the first arguments of a call, comments left out.
pub(super) fn arguments(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|n| n.kind() != "comment").take(ARGUMENTS_MAX).collect()
}

/// Whether a node is a function literal.
pub(super) fn is_function(node: Node<'_>) -> bool {
    matches!(node.kind(), "arrow_function" | "function_expression" | "generator_function")
}

/// Returns the function literal that an argument is or wraps (`fakeAsync(() => {…})`, `co.wrap(function* () {…})`).
pub(super) fn callback(argument: Node<'_>) -> Option<Node<'_>> {
    const WRAPS_MAX: usize = 3;
    let mut at = stripped(argument);
    for _ in 0..WRAPS_MAX {
        if is_function(at) {
            return Some(at);
        }
        if at.kind() != "call_expression" {
            return None;
        }
        let inner = arguments(at.child_by_field_name("arguments")?).into_iter().map(stripped).collect::<Vec<_>>();
        at = inner.iter().rev().copied().find(|n| is_function(*n)).or_else(|| inner.last().copied())?;
    }
    is_function(at).then_some(at)
}

/// Returns the value of an own key of an object literal, with the pair.
pub(super) fn property<'tree>(object: Node<'tree>, key: &str, text: &str) -> Option<(Node<'tree>, Node<'tree>)> {
    const PAIRS_MAX: usize = 32;
    let mut cursor = object.walk();
    object.named_children(&mut cursor).take(PAIRS_MAX).filter(|n| n.kind() == "pair").find_map(|pair| {
        let name = unquoted(slice(text, pair.child_by_field_name("key")?));
        let value = pair.child_by_field_name("value")?;
        (name == key).then_some((pair, value))
    })
}

/// Returns the text of a node.
pub(super) fn slice<'a>(text: &'a str, node: Node<'_>) -> &'a str {
    text.get(node.byte_range()).unwrap_or("")
}

/// Returns a literal without its quotes.
pub(super) fn unquoted(text: &str) -> &str {
    let bytes = text.as_bytes();
    match bytes {
        [open @ (b'"' | b'\'' | b'`'), .., close] if open == close => &text[1..text.len() - 1],
        _ => text,
    }
}

/// Whether a node is a string or template literal.
pub(super) fn is_text(node: Node<'_>) -> bool {
    matches!(node.kind(), "string" | "template_string")
}

/// Returns a title as its runner would show it: the literal's text, else the expression in one line.
pub(super) fn title(node: Node<'_>, text: &str) -> String {
    if is_text(node) {
        return unquoted(slice(text, node)).to_owned();
    }
    slice(text, node).split_whitespace().collect::<Vec<_>>().join(" ")
}
