//! Items of Rust: tests, test modules, functions, and the scopes that name them; the markers their attributes make.
//!
//! Bodies are judged in `bodies`, suppressions in `suppressions`, tests inside macros in `macros`.

use super::attributes::{self, Attribute, Meta, evaluate, implies_test, is_test, negates, says_ci};
use super::tokens::{Kind, Tokens};
use super::{bends, bodies, flag, suppressions};
use crate::facts::{Assertion, Condition, Edit, Effect, Item, ItemKind, Marker, OnNew};
use crate::visit::Visit;
use std::ops::Range;
use tree_sitter::Node;

/// Returns the item of a function, with the facts of its attributes.
pub(super) fn function(node: Node<'_>, visit: &mut Visit<'_, '_>) -> Option<Item> {
    let name = node.child_by_field_name("name")?;
    let attributes = attributes::of_nodes(visit.text, visit.attached);
    let text = visit.text;
    let test = attributes.iter().any(|a| a.holds(text) != Some(false) && (is_test(a.path(text)) || custom_test(a, visit)));
    let fixture = attributes.iter().any(|a| a.name(text) == "fixture");
    let kind = match () {
        () if test => ItemKind::Test,
        () if fixture => ItemKind::Hook,
        () => ItemKind::Function,
    };
    let mut item = Item::new(kind, visit.text_of(name), visit.span(name));
    item.opens_test_region |= is_test_code(&attributes, visit);
    item.parametrised = test && attributes.iter().any(|a| is_row(a.path(text)));
    suppressions::emit(&attributes, visit, false);
    if test {
        item.disabled = test_markers(&attributes, visit);
    }
    if let Some(block) = node.child_by_field_name("body") {
        if test || visit.in_tests() {
            crate::regions::body(block, &super::regions::SHAPES, visit);
        }
        let body = bodies::read(block, visit, &mut item.flags);
        bends::function(&item.name, body, visit);
        item.body = Some(body);
    }
    let diverges = node.child_by_field_name("return_type").is_some_and(|t| visit.text_of(t) == "!");
    item.exempt = exempt(&attributes, visit, &item.name).or(diverges.then_some("it never returns"));
    Some(item)
}

fn custom_test(attribute: &Attribute, visit: &Visit<'_, '_>) -> bool {
    let words = &visit.words.test_functions;
    !words.is_empty() && words.iter().any(|w| w == attribute.name(visit.text) || w == attribute.path(visit.text))
}

/// Whether an attribute gives a row of a parameterised test.
fn is_row(path: &str) -> bool {
    is_case(path) || ["test_case", "test_matrix", "values"].contains(&attributes::last_segment(path))
}

/// `#[case(…)]` and `#[case::name(…)]` of rstest.
fn is_case(path: &str) -> bool {
    path == "case" || path.starts_with("case::")
}

fn is_test_code(attributes: &[Attribute], visit: &Visit<'_, '_>) -> bool {
    visit.scope.flags & flag::TEST_FILE != 0 || attributes.iter().any(|a| a.predicates.is_empty() && guards_test(a, visit.text))
}

/// Whether an attribute is a `cfg` that only a test build satisfies.
fn guards_test(attribute: &Attribute, text: &str) -> bool {
    predicate(attribute, text).is_some_and(|p| implies_test(text, &p))
}

/// Returns the predicate of a `cfg`.
fn predicate(attribute: &Attribute, text: &str) -> Option<Meta> {
    if attribute.path(text) != "cfg" {
        return None;
    }
    attributes::metas(text, attribute.meta.args.clone()?).into_iter().next()
}

/// Says why a body that gives up is complete as it is.
fn exempt(attributes: &[Attribute], visit: &Visit<'_, '_>, name: &str) -> Option<&'static str> {
    let frame = visit.frame();
    if frame.flags & flag::IN_TRAIT != 0 {
        return Some("the default of a trait");
    }
    if frame.flags & flag::NULL_OBJECT != 0 {
        return Some("a null object");
    }
    if ["noop", "no_op", "nop", "identity"].contains(&name) {
        return Some("its name says that it does nothing");
    }
    let fallback = attributes.iter().any(|a| predicate(a, visit.text).is_some_and(|p| negates(visit.text, &p)));
    fallback.then_some("a fallback for where something is missing")
}

/// Emits the markers on a test; returns whether one switches it off as a whole.
fn test_markers(attributes: &[Attribute], visit: &mut Visit<'_, '_>) -> bool {
    let text = visit.text;
    let mut disabled = false;
    let rows = attributes.iter().any(|a| a.name(text) == "rstest");
    for (index, attribute) in attributes.iter().enumerate() {
        match attribute.name(text) {
            "ignore" => {
                // rstest gives an attribute that stands before a case to that case alone.
                let row = rows && attributes[index + 1..].iter().any(|a| is_case(a.path(text)));
                disabled |= ignore(attribute, visit) && !row;
            }
            "should_panic" => {
                let meta = &attribute.meta;
                let expected = meta.args.clone().or(meta.value.clone()).map(|r| visit.span_of(r.start, r.end));
                let (span, matcher) = (visit.span_of(meta.range.start, meta.range.end), visit.span_of(meta.path.start, meta.path.end));
                visit.out.assertions.push(Assertion { span, subject: None, matcher, expected, negated: false });
            }
            "cfg" => disabled |= configured(attribute, visit, None),
            "test_case" => {
                ignored_row(attribute, visit);
                super::regions::row(attribute, visit);
            }
            _ if is_case(attribute.path(text)) => super::regions::row(attribute, visit),
            _ => {}
        }
    }
    disabled
}

/// Emits the marker of an `#[ignore]`; returns whether it always holds.
fn ignore(attribute: &Attribute, visit: &mut Visit<'_, '_>) -> bool {
    let text = visit.text;
    let condition = match attribute.holds(text) {
        Some(false) => return false,
        Some(true) => Condition::Always,
        None if attribute.predicates.iter().all(|p| says_ci(text, p)) => Condition::Ci,
        None => Condition::Runtime,
    };
    let reason = attribute.meta.value.clone().or(attribute.meta.args.clone());
    let reason = reason.is_some_and(|r| Tokens::new(text, r).any(|t| t.kind == Kind::Text && t.end - t.start > 2));
    let mut marker = Marker::new(Effect::Disabled, visit.span_of(attribute.meta.path.start, attribute.meta.path.end));
    marker.condition = condition;
    marker.reason = reason;
    marker.on_new = if reason { OnNew::Silent } else { OnNew::Report };
    marker.removal = removal(attribute, visit);
    visit.out.markers.push(marker);
    condition == Condition::Always
}

/// Emits the marker of a `cfg` that no test build satisfies, or that depends on the build; returns whether it never holds.
/// `instead` replaces the `cfg` where it is not simply taken away.
fn configured(attribute: &Attribute, visit: &mut Visit<'_, '_>, instead: Option<&str>) -> bool {
    let text = visit.text;
    let Some(predicate) = predicate(attribute, text).filter(|_| attribute.predicates.is_empty()) else { return false };
    let condition = match evaluate(text, &predicate) {
        Some(true) => return false,
        Some(false) => Condition::Always,
        None if says_ci(text, &predicate) => Condition::Ci,
        None => Condition::Runtime,
    };
    let range = attribute.meta.range.clone();
    let mut marker = Marker::new(Effect::Disabled, visit.span_of(range.start, range.end));
    marker.condition = condition;
    if condition == Condition::Always {
        marker.removal = match instead {
            Some(text) => vec![Edit { span: marker.span, text: text.to_owned() }],
            None => removal(attribute, visit),
        };
    }
    visit.out.markers.push(marker);
    condition == Condition::Always
}

/// Emits the marker of a row that `#[test_case(… => ignore)]` switches off; what a row is called says nothing.
fn ignored_row(attribute: &Attribute, visit: &mut Visit<'_, '_>) {
    let text = visit.text;
    let Some(args) = attribute.meta.args.clone() else { return };
    let mut arrow: Option<usize> = None;
    let mut before = Kind::Open;
    let mut depth = 0usize;
    let mut tokens = Tokens::new(text, args.clone()).peekable();
    while let Some(token) = tokens.next() {
        let word = &text[token.start..token.end];
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            Kind::Punct(b'>') if before == Kind::Punct(b'=') => {
                arrow = Some(token.start - 1);
                before = token.kind;
                continue;
            }
            Kind::Word if arrow.is_some() && ["ignore", "inconclusive"].contains(&word) => {
                let reason = tokens.peek().is_some_and(|t| t.kind == Kind::Open);
                let end = if reason { closing(text, token.end..args.end) } else { token.end };
                let goes_on = Tokens::new(text, end..args.end).next().is_some_and(|t| t.kind != Kind::Punct(b';'));
                let from = if goes_on { token.start } else { arrow.unwrap_or(token.start) };
                let mut marker = Marker::new(Effect::Disabled, visit.span_of(token.start, token.end));
                marker.reason = reason;
                marker.removal = vec![Edit { span: visit.span_of(from, blanks(text, end)), text: String::new() }];
                visit.out.markers.push(marker);
                return;
            }
            _ => {}
        }
        before = token.kind;
    }
}

/// Returns the end of the bracket that opens a range.
fn closing(text: &str, range: Range<usize>) -> usize {
    let mut depth = 0usize;
    for token in Tokens::new(text, range.clone()) {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close if depth <= 1 => return token.end,
            Kind::Close => depth -= 1,
            _ => {}
        }
    }
    range.end
}

/// Returns the first byte at or behind a byte that is no blank.
fn blanks(text: &str, from: usize) -> usize {
    from + text[from..].bytes().take_while(|b| *b == b' ').count()
}

/// Returns the edit that takes an attribute away, where it stands alone in its brackets.
pub(super) fn removal(attribute: &Attribute, visit: &Visit<'_, '_>) -> Vec<Edit> {
    if !attribute.alone {
        return Vec::new();
    }
    vec![Edit { span: visit.span_of(attribute.outer.start, attribute.outer.end), text: String::new() }]
}

/// Returns the item of a module: a group of tests where only test builds have it, where its name says so, or where a `cfg`
/// that never holds hides tests in it.
pub(super) fn module(node: Node<'_>, visit: &mut Visit<'_, '_>) -> Option<Item> {
    let body = node.child_by_field_name("body")?;
    let name = node.child_by_field_name("name")?;
    let text = visit.text;
    let mut attributes = attributes::of_nodes(text, visit.attached);
    attributes.extend(inner(body, text));
    let guarded = is_test_code(&attributes, visit);
    let named = ["test", "tests"].contains(&visit.text_of(name));
    let hidden = attributes.iter().any(|a| predicate(a, text).is_some_and(|p| evaluate(text, &p) == Some(false)));
    let group = guarded || named || (hidden && holds_tests(&text[body.byte_range()]));
    let mut item = Item::new(if group { ItemKind::Group } else { ItemKind::Scope }, visit.text_of(name), visit.span(name));
    // Attributes in its body are visited with its body.
    attributes.retain(|a| a.outer.end <= body.start_byte());
    suppressions::emit(&attributes, visit, false);
    if group {
        attributes.extend(inner(body, text));
        for attribute in attributes.iter().filter(|a| a.path(text) == "cfg") {
            item.disabled |= configured(attribute, visit, (!guarded).then_some("cfg(test)"));
        }
    }
    Some(item)
}

/// Returns the inner attributes at the head of a body.
fn inner(body: Node<'_>, text: &str) -> Vec<Attribute> {
    let mut cursor = body.walk();
    body.named_children(&mut cursor)
        .take_while(|n| ["inner_attribute_item", "line_comment", "block_comment"].contains(&n.kind()))
        .filter(|n| n.kind() == "inner_attribute_item")
        .flat_map(|n| attributes::of_range(text, n.byte_range()))
        .collect()
}

/// Whether a text holds an attribute that makes a test.
pub(super) fn holds_tests(text: &str) -> bool {
    text.contains("#[test]") || text.contains("::test") || text.contains("#[rstest") || text.contains("#[test_case")
}

/// Returns the scope of an `impl` block, named as Rust writes it.
pub(super) fn implementation(node: Node<'_>, visit: &mut Visit<'_, '_>) -> Option<Item> {
    let of = node.child_by_field_name("type")?;
    let whole = visit.text_of(of);
    let own = whole.split('<').next().unwrap_or(whole).trim();
    let own = if own.is_empty() { whole } else { own };
    let name = match node.child_by_field_name("trait") {
        Some(interface) => format!("<{own} as {}>", squeezed(visit.text_of(interface))),
        None => own.to_owned(),
    };
    let null = is_null_object(attributes::last_segment(own));
    scope(name, of, if null { flag::NULL_OBJECT } else { 0 }, visit)
}

/// Returns the scope of a trait; what it defines are defaults.
pub(super) fn interface(node: Node<'_>, visit: &mut Visit<'_, '_>) -> Option<Item> {
    let name = node.child_by_field_name("name")?;
    scope(visit.text_of(name).to_owned(), name, flag::IN_TRAIT, visit)
}

fn scope(name: String, at: Node<'_>, flags: u32, visit: &mut Visit<'_, '_>) -> Option<Item> {
    let attributes = attributes::of_nodes(visit.text, visit.attached);
    let mut item = Item::new(ItemKind::Scope, name, visit.span(at));
    item.flags = flags;
    item.opens_test_region = is_test_code(&attributes, visit);
    suppressions::emit(&attributes, visit, false);
    Some(item)
}

/// Whether a type's name says that it does nothing, or stands in for another in tests.
fn is_null_object(name: &str) -> bool {
    let name = name.trim_start_matches(['&', '*']).trim();
    ["Null", "Noop", "NoOp", "Nop", "Dummy", "Silent", "Fake", "Mock", "Stub", "Void", "Unimplemented", "Disabled"].iter().any(|p| {
        name.strip_prefix(p).is_some_and(|rest| !rest.starts_with(|c: char| c.is_lowercase()))
            || name.strip_suffix(p).is_some_and(|rest| rest.ends_with(|c: char| c.is_lowercase()))
    }) || name.strip_prefix("No").is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
