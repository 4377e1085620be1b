//! What the body of a Rust function amounts to: work, a constant, a refusal, nothing.

use super::attributes::last_segment;
use super::{flag, macros};
use crate::facts::{Body, Shape, Stub, StubForm};
use crate::visit::Visit;
use tree_sitter::Node;

/// Reads a body; emits the stub of a whole body that is one constant or one refusing error, and sets the flag that says that
/// a macro inside is all there is.
pub(super) fn read(block: Node<'_>, visit: &mut Visit<'_, '_>, flags: &mut u32) -> Body {
    let mut statements = 0;
    let mut sole = None;
    let mut cursor = block.walk();
    for child in block.named_children(&mut cursor).filter(|n| counts(*n, visit.text)) {
        statements += 1;
        sole = Some(child);
    }
    let shape = match sole {
        None => Shape::Empty,
        Some(statement) if statements == 1 => {
            let value = unwrapped(statement, visit.text);
            let shape = value.map_or(Shape::Constant, |v| classify(v, visit.text));
            whole(statement, value, shape, visit, flags);
            shape
        }
        Some(_) => Shape::Work,
    };
    Body { span: visit.span(block), statements, shape, branches: 0, calls: 0 }
}

/// Whether a child of a block is a statement that does something.
fn counts(node: Node<'_>, text: &str) -> bool {
    match node.kind() {
        "line_comment" | "block_comment" | "attribute_item" | "inner_attribute_item" | "empty_statement" | "use_declaration" => false,
        "let_declaration" => {
            let ignored = node.child_by_field_name("pattern").is_some_and(|p| &text[p.byte_range()] == "_");
            !(ignored && node.child_by_field_name("value").is_some_and(is_name))
        }
        "expression_statement" => {
            let discards = |n: Node<'_>| {
                n.kind() == "assignment_expression"
                    && n.child_by_field_name("left").is_some_and(|l| &text[l.byte_range()] == "_")
                    && n.child_by_field_name("right").is_some_and(is_name)
            };
            !node.named_child(0).is_some_and(|n| discards(n) || prints(n, text))
        }
        _ => true,
    }
}

/// Output for a reader of logs: it does none of a body's work.
fn prints(node: Node<'_>, text: &str) -> bool {
    const MACROS: &[&str] = &["print", "println", "eprint", "eprintln", "trace", "debug", "info", "warn"];
    node.kind() == "macro_invocation"
        && node.child_by_field_name("macro").is_some_and(|name| {
            let name = &text[name.byte_range()];
            MACROS.contains(&name.rsplit("::").next().unwrap_or(name))
        })
}

/// A name, or a tuple or reference of names.
fn is_name(node: Node<'_>) -> bool {
    match node.kind() {
        "identifier" | "self" => true,
        "tuple_expression" | "reference_expression" => {
            let mut cursor = node.walk();
            node.named_children(&mut cursor).all(is_name)
        }
        _ => false,
    }
}

/// Returns the value that a statement gives back, without `return`, blocks and wrappers around it; none for a bare `return`.
fn unwrapped<'tree>(statement: Node<'tree>, text: &str) -> Option<Node<'tree>> {
    const DEPTH_MAX: usize = 8;
    let mut node = statement;
    for _ in 0..DEPTH_MAX {
        let inner = match node.kind() {
            "expression_statement" | "parenthesized_expression" | "async_block" | "unsafe_block" => last_named(node)?,
            "return_expression" => node.named_child(0)?,
            "block" if sole_child(node).is_some() => sole_child(node)?,
            "call_expression" if wraps(node, text) => match only_argument(node) {
                Some(argument) if ["async_block", "macro_invocation"].contains(&argument.kind()) => argument,
                _ => return Some(node),
            },
            _ => return Some(node),
        };
        node = inner;
    }
    Some(node)
}

fn wraps(call: Node<'_>, text: &str) -> bool {
    call.child_by_field_name("function").is_some_and(|f| ["Ok", "Some", "Box::pin", "Box::new"].contains(&&text[f.byte_range()]))
}

fn last_named<'tree>(node: Node<'tree>) -> Option<Node<'tree>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|n| !n.kind().ends_with("comment")).last()
}

fn sole_child<'tree>(node: Node<'tree>) -> Option<Node<'tree>> {
    let mut cursor = node.walk();
    let mut children = node.named_children(&mut cursor).filter(|n| !n.kind().ends_with("comment"));
    let first = children.next()?;
    children.next().is_none().then_some(first)
}

fn only_argument<'tree>(call: Node<'tree>) -> Option<Node<'tree>> {
    sole_child(call.child_by_field_name("arguments")?)
}

fn classify(value: Node<'_>, text: &str) -> Shape {
    if value.kind() == "macro_invocation" {
        let name = value.child_by_field_name("macro").map_or("", |m| last_segment(&text[m.byte_range()]));
        if macros::REFUSING.contains(&name) {
            return Shape::Refusal;
        }
    }
    if is_error(value, text) {
        return Shape::Refusal;
    }
    if is_constant(value, text, 0) { Shape::Constant } else { Shape::Work }
}

/// `Err(…)`.
fn is_error(node: Node<'_>, text: &str) -> bool {
    node.kind() == "call_expression" && node.child_by_field_name("function").is_some_and(|f| &text[f.byte_range()] == "Err")
}

/// `Err(Error::NotImplemented)`: an error whose name says that nothing is there.
fn names_missing(error: Node<'_>, text: &str) -> bool {
    only_argument(error).is_some_and(|argument| {
        matches!(argument.kind(), "identifier" | "scoped_identifier")
            && ["NotImplemented", "Unimplemented", "NotYetImplemented"].contains(&last_segment(&text[argument.byte_range()]))
    })
}

/// Says that the only statement is the whole body.
fn whole(statement: Node<'_>, value: Option<Node<'_>>, shape: Shape, visit: &mut Visit<'_, '_>, flags: &mut u32) {
    let value = value.unwrap_or(statement);
    match shape {
        Shape::Constant => {
            let span = visit.span(value);
            visit.out.stubs.push(Stub { span, form: StubForm::Constant, message: None, whole: true });
        }
        Shape::Refusal if value.kind() == "macro_invocation" => *flags |= flag::SOLE,
        Shape::Refusal => {
            let span = visit.span(value);
            let message = macros::first_string(visit.text, value.byte_range());
            let form = if names_missing(value, visit.text) { StubForm::NotImplemented } else { StubForm::Refusal };
            visit.out.stubs.push(Stub { span, form, message, whole: true });
        }
        Shape::Empty | Shape::Work => {}
    }
}

/// Constructors of the standard library that give an empty or constant value.
const EMPTY_TYPES: &[&str] = &[
    "Vec", "String", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "PathBuf", "OsString", "Box", "Rc", "Arc", "Cell",
    "RefCell", "Mutex", "RwLock", "Duration", "Cow",
];

/// Whether an expression is the same whatever the input.
pub(super) fn is_constant(node: Node<'_>, text: &str, depth: usize) -> bool {
    const DEPTH_MAX: usize = 6;
    const PARTS_MAX: usize = 16;
    if depth > DEPTH_MAX {
        return false;
    }
    let all_parts = |n: Node<'_>| {
        let mut cursor = n.walk();
        n.named_child_count() <= PARTS_MAX
            && n.named_children(&mut cursor).all(|c| c.kind().ends_with("comment") || is_constant(c, text, depth + 1))
    };
    let source = &text[node.byte_range()];
    match node.kind() {
        "integer_literal" | "float_literal" | "string_literal" | "raw_string_literal" | "char_literal" | "boolean_literal"
        | "unit_expression" => true,
        "identifier" => source == "None",
        "scoped_identifier" => is_variant(source),
        "unary_expression" | "reference_expression" | "parenthesized_expression" | "array_expression" | "tuple_expression" => {
            all_parts(node)
        }
        "type_cast_expression" => node.child_by_field_name("value").is_some_and(|v| is_constant(v, text, depth + 1)),
        "macro_invocation" => {
            let name = node.child_by_field_name("macro").map_or("", |m| &text[m.byte_range()]);
            name == "vec" && source.len() <= "vec![]".len() + 1
        }
        "struct_expression" => node.child_by_field_name("body").is_some_and(|body| {
            let mut cursor = body.walk();
            body.named_child_count() <= PARTS_MAX
                && body.named_children(&mut cursor).all(|field| match field.kind() {
                    "field_initializer" => field.child_by_field_name("value").is_some_and(|v| is_constant(v, text, depth + 1)),
                    "base_field_initializer" => field.named_child(0).is_some_and(|v| is_constant(v, text, depth + 1)),
                    kind => kind.ends_with("comment"),
                })
        }),
        "call_expression" => {
            let Some(function) = node.child_by_field_name("function") else { return false };
            let arguments = node.child_by_field_name("arguments");
            let constant_arguments = arguments.is_some_and(all_parts);
            match function.kind() {
                "field_expression" => {
                    let method = function.child_by_field_name("field").map_or("", |f| &text[f.byte_range()]);
                    ["to_string", "into", "to_owned", "to_vec"].contains(&method)
                        && function.child_by_field_name("value").is_some_and(|v| is_constant(v, text, depth + 1))
                }
                _ => constant_arguments && is_constructor(&text[function.byte_range()]),
            }
        }
        _ => false,
    }
}

/// A call that only wraps what it is given.
fn is_constructor(function: &str) -> bool {
    if ["Ok", "Some", "Default::default"].contains(&function) {
        return true;
    }
    let Some((of, method)) = function.rsplit_once("::") else { return false };
    let of = last_segment(of.split('<').next().unwrap_or(of).trim_end_matches(':'));
    EMPTY_TYPES.contains(&of) && ["new", "default", "from", "with_capacity", "from_secs", "from_millis"].contains(&method)
}

/// `Enum::Variant`; an associated constant is somebody's decision.
fn is_variant(path: &str) -> bool {
    let name = last_segment(path);
    name.starts_with(|c: char| c.is_uppercase()) && name.chars().any(|c| c.is_lowercase())
}
