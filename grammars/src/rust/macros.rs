//! Macro calls of Rust: stand-ins such as `todo!()`, and the tests that stand in token trees of `proptest!` and
//! `quickcheck!`.

use super::attributes::{self, last_segment};
use super::tokens::{Kind, Token, Tokens, before_close, unquoted};
use super::{assertions, bends, flag};
use crate::facts::{Body, Condition, Edit, Effect, Item, ItemKind, Marker, OnNew, Shape, Stub, StubForm};
use crate::visit::{Frame, Visit};
use std::ops::Range;
use tree_sitter::Node;

/// Macros that give up instead of giving back.
pub(super) const REFUSING: &[&str] = &["todo", "unimplemented", "panic", "unreachable", "bail"];

/// Macros whose tokens are data or code of another program.
const QUOTING: &[&str] = &["quote", "quote_spanned", "parse_quote", "parse_quote_spanned", "stringify", "concat", "macro_rules", "indoc"];

/// Emits the facts of a macro call.
pub(super) fn visit(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(name) = node.child_by_field_name("macro") else { return };
    let name_text = last_segment(visit.text_of(name));
    if visit.in_tests() {
        assertions::of_macro(node, name, name_text, visit);
        return;
    }
    if name_text == "cfg" {
        return bends::configured(node, name, visit);
    }
    let whole = visit.frame().flags & flag::SOLE != 0;
    let message = || first_string(visit.text, name.end_byte()..node.end_byte());
    let stub = match name_text {
        "todo" => Some((StubForm::Promise, message())),
        "unimplemented" => {
            let message = message();
            // A message that names the way out or refuses for good is a decision.
            let form = if message.as_deref().is_some_and(refuses_for_good) { StubForm::Refusal } else { StubForm::NotImplemented };
            Some((form, message))
        }
        "panic" | "unreachable" => Some((StubForm::Refusal, message())),
        "bail" if whole => Some((StubForm::Refusal, message())),
        _ => None,
    };
    match stub {
        Some((form, message)) => visit.out.stubs.push(Stub { span: visit.span(node), form, message, whole }),
        None if !QUOTING.contains(&name_text) => promises(name.end_byte()..node.end_byte(), visit),
        None => {}
    }
}

/// Words by which a message states a rule or names a way out, rather than what is missing.
const DECIDED: &[&str] = &[
    "instead",
    "support",
    "read-only",
    "undefined",
    "only",
    "should",
    "must",
    "never",
    "cannot",
    "can't",
    "expected",
    "attempted",
    "invalid",
    "illegal",
    "reject",
    "isn't",
    "doesn't",
    "does not",
    "is not",
    "not allowed",
    "not available",
    "requires",
];

/// Whether a message names an alternative or a limit that stays (rules-a.md D13).
fn refuses_for_good(message: &str) -> bool {
    let message = message.to_ascii_lowercase().replace("not implemented", "").replace("is not yet", "").replace("isn't yet", "");
    DECIDED.iter().any(|p| message.contains(p))
}

/// Emits `todo!` in the tokens of another macro's call.
fn promises(range: Range<usize>, visit: &mut Visit<'_, '_>) {
    let text = visit.text;
    if !text[range.clone()].contains("todo!") {
        return;
    }
    let mut quoted_until = 0;
    for Call { name, inside, end } in calls(text, range) {
        let word = &text[name.clone()];
        if QUOTING.contains(&word) {
            quoted_until = inside.end;
        } else if word == "todo" && name.start >= quoted_until {
            let span = visit.span_of(name.start, end);
            let message = first_string(text, inside);
            visit.out.stubs.push(Stub { span, form: StubForm::Promise, message, whole: false });
        }
    }
}

/// A macro call among tokens.
pub(super) struct Call {
    pub(super) name: Range<usize>,
    /// Between its brackets.
    pub(super) inside: Range<usize>,
    /// Behind its closing bracket; behind the opening one where broken text has no other.
    pub(super) end: usize,
}

/// Returns the macro calls in a range of tokens.
pub(super) fn calls(text: &str, range: Range<usize>) -> Vec<Call> {
    let mut found: Vec<Call> = Vec::new();
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut before: [Option<Token>; 2] = [None, None];
    for token in Tokens::new(text, range) {
        match token.kind {
            Kind::Open => {
                let call = match before {
                    [Some(name), Some(bang)] if name.kind == Kind::Word && bang.kind == Kind::Punct(b'!') && name.end == bang.start => {
                        found.push(Call { name: name.start..name.end, inside: token.end..token.end, end: token.end });
                        Some(found.len() - 1)
                    }
                    _ => None,
                };
                open.push(call);
            }
            Kind::Close => {
                if let Some(Some(call)) = open.pop() {
                    found[call].inside.end = token.start;
                    found[call].end = token.end;
                }
            }
            _ => {}
        }
        before = [before[1], Some(token)];
    }
    found
}

/// Returns what stands between the quotes of the first string in a range.
pub(super) fn first_string(text: &str, range: Range<usize>) -> Option<String> {
    Tokens::new(text, range).find(|t| t.kind == Kind::Text).map(|t| unquoted(&text[t.start..t.end]).to_owned())
}

/// The head of a function among the tokens of a macro.
struct Head {
    name: Token,
    attributes: Vec<Range<usize>>,
    /// From its first attribute to its body.
    range: Range<usize>,
}

/// Returns the heads of functions directly in the outermost brackets of a macro call.
fn heads(text: &str, range: Range<usize>) -> Vec<Head> {
    let mut found = Vec::new();
    let (mut depth, mut hash) = (0usize, false);
    let mut attributes: Vec<Range<usize>> = Vec::new();
    let mut attribute: Option<usize> = None;
    let mut after_fn = false;
    let mut named: Option<Token> = None;
    for token in Tokens::new(text, range) {
        match token.kind {
            Kind::Open => {
                depth += 1;
                if depth == 2 && hash && text.as_bytes()[token.start] == b'[' {
                    attribute = Some(token.start - 1);
                } else if depth == 2 && text.as_bytes()[token.start] == b'{' {
                    if let Some(name) = named.take() {
                        let start = attributes.first().map_or(name.start, |a| a.start);
                        found.push(Head { name, attributes: std::mem::take(&mut attributes), range: start..token.start });
                    }
                    attributes.clear();
                }
            }
            Kind::Close => {
                depth = depth.saturating_sub(1);
                if depth == 1
                    && let Some(start) = attribute.take()
                {
                    attributes.push(start..token.end);
                }
            }
            Kind::Word if depth == 1 => {
                if after_fn {
                    named = Some(token);
                }
                after_fn = &text[token.start..token.end] == "fn";
            }
            Kind::Punct(b';') if depth == 1 => attributes.clear(),
            _ => {}
        }
        hash = token.kind == Kind::Punct(b'#');
    }
    found
}

/// Returns the scope that a `proptest!` or `quickcheck!` block opens for the tests in it, with their markers.
pub(super) fn block(node: Node<'_>, visit: &mut Visit<'_, '_>) -> Option<Item> {
    let name = node.child_by_field_name("macro")?;
    let quick = match last_segment(visit.text_of(name)) {
        "proptest" => false,
        "quickcheck" => true,
        _ => return None,
    };
    let text = visit.text;
    let heads = heads(text, name.end_byte()..node.end_byte());
    let mut item = Item::new(ItemKind::Scope, "", visit.span(name));
    item.opens_test_region = true;
    item.flags = flag::PROPERTY | if quick { flag::QUICK } else { 0 };
    // The heads stand outside the units of their bodies; what is read from them must be in the key of those units.
    let mut digest = 0x811c_9dc5_u32;
    for byte in heads.iter().flat_map(|h| text[h.range.clone()].bytes()) {
        digest = (digest ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    item.flags |= digest << flag::BITS;
    for head in &heads {
        ignored(head, visit);
    }
    Some(item)
}

/// Emits the marker of an `#[ignore]` on a test among the tokens of a macro.
fn ignored(head: &Head, visit: &mut Visit<'_, '_>) {
    let text = visit.text;
    for attribute in head.attributes.iter().flat_map(|r| attributes::of_range(text, r.clone())) {
        let condition = match attribute.holds(text) {
            _ if attribute.name(text) != "ignore" => continue,
            Some(false) => continue,
            Some(true) => Condition::Always,
            None => Condition::Runtime,
        };
        let path = attribute.meta.path.clone();
        let mut marker = Marker::new(Effect::Disabled, visit.span_of(path.start, path.end));
        marker.condition = condition;
        marker.reason = attribute.meta.value.is_some();
        marker.on_new = if marker.reason { OnNew::Silent } else { OnNew::Report };
        marker.subject = Some(qualified(visit.frames, &text[head.name.start..head.name.end]));
        if attribute.alone {
            let span = visit.span_of(attribute.outer.start, attribute.outer.end);
            marker.removal = vec![Edit { span, text: String::new() }];
        }
        visit.out.markers.push(marker);
    }
}

/// Returns the name of an item among frames as the engine joins it.
pub(super) fn qualified(frames: &[Frame], name: &str) -> String {
    let around = frames.iter().skip(1).map(|f| f.name.as_str());
    around.chain([name]).filter(|n| !n.is_empty()).collect::<Vec<_>>().join("::")
}

/// Returns the test whose body is a token tree directly in a property-test block.
pub(super) fn property(node: Node<'_>, visit: &mut Visit<'_, '_>) -> Option<Item> {
    let frame = visit.frame();
    if frame.flags & flag::PROPERTY == 0 || visit.text.as_bytes().get(node.start_byte()) != Some(&b'{') {
        return None;
    }
    let text = visit.text;
    let before = &text[frame.start as usize..node.start_byte()];
    if before.trim_end().ends_with('!') {
        return None;
    }
    let at = before.rmatch_indices("fn ").map(|(i, _)| i).find(|i| !before[..*i].ends_with(|c: char| c.is_alphanumeric() || c == '_'))?;
    let name: String = before[at + 3..].trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let head = before[..at].rfind(['}', ';', '{']).map_or(0, |i| i + 1);
    let test = frame.flags & flag::QUICK != 0 || before[head..at].contains("test]");
    let kind = if test { ItemKind::Test } else { ItemKind::Function };
    let start = node.start_byte();
    let mut item = Item::new(kind, name, visit.span_of(start, start + 1));
    item.parametrised = true;
    item.opens_test_region = true;
    let inside = before_close(text, start + 1..node.end_byte());
    let (mut depth, mut statements, mut last) = (0usize, 0u32, None);
    for token in Tokens::new(text, inside.clone()) {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            Kind::Punct(b';') if depth == 0 => statements += 1,
            _ => {}
        }
        last = Some(token.kind);
    }
    let shape = if last.is_none() { Shape::Empty } else { Shape::Work };
    statements += u32::from(last.is_some_and(|k| k != Kind::Punct(b';')));
    item.body = Some(Body { span: visit.span(node), statements, shape, branches: 0, calls: 0 });
    assertions::of_tokens(inside, visit);
    Some(item)
}
