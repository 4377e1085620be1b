//! Annotations that disable a test or a class of them, and when they do.

use super::annotations::{self, Annotation};
use super::{scope, truth};
use crate::facts::{Condition, Edit, Effect, Marker};
use crate::visit::Visit;
use tree_sitter::Node;

/// Beginnings of annotations whose condition is evaluated when the test runs (`@DisabledOnOs`, `@EnabledIfSystemProperty`).
const CONDITIONAL: &[&str] = &[
    "DisabledIf",
    "EnabledIf",
    "DisabledOn",
    "EnabledOn",
    "DisabledFor",
    "EnabledFor",
    "DisabledIn",
    "EnabledIn",
    "DisabledUntil",
    "EnabledUntil",
    "DisabledWhen",
    "EnabledWhen",
];

/// What an annotation does to a test: the node that does it, its effect and its condition.
type Reading<'tree> = (Node<'tree>, Effect, Condition);

/// Whether one of the annotations disables what it stands on.
pub(super) fn any(annotations: &[Annotation<'_, '_>], visit: &Visit<'_, '_>) -> bool {
    annotations.iter().any(|a| read(a, visit).is_some_and(|(_, _, condition)| condition == Condition::Always))
}

/// Emits the markers of the annotations on a test or group; returns whether one always switches it off.
pub(super) fn emit(annotations: &[Annotation<'_, '_>], visit: &mut Visit<'_, '_>) -> bool {
    let mut disabled = false;
    for annotation in annotations {
        let Some((node, effect, condition)) = read(annotation, visit) else { continue };
        // Arguments are no part of what identifies it: a reason can be added.
        let end = node.child_by_field_name("name").map_or(node.end_byte(), |name| name.end_byte());
        let mut marker = Marker::new(effect, visit.span_of(node.start_byte(), end));
        marker.condition = condition;
        marker.reason = has_reason(annotation, visit.text);
        marker.removal = if node == annotation.node { vec![annotation.removal(visit)] } else { without(node, annotation, visit) };
        visit.out.markers.push(marker);
        disabled |= effect == Effect::Disabled && condition == Condition::Always;
    }
    disabled
}

fn read<'tree>(annotation: &Annotation<'_, 'tree>, visit: &Visit<'_, '_>) -> Option<Reading<'tree>> {
    let text = visit.text;
    if annotation.name == "Test" {
        let pair = annotation.pair("enabled", text)?;
        let off = pair.child_by_field_name("value").is_some_and(|v| v.kind() == "false");
        return off.then_some((pair, Effect::Disabled, Condition::Always));
    }
    let always = ["Disabled", "Ignore", "ArchIgnore"].contains(&annotation.name);
    let fails = annotation.name == "ExpectedToFail";
    let depends = CONDITIONAL.iter().any(|p| annotation.name.starts_with(p));
    if !(always || fails || depends) || !scope::is_framework(annotation.path, visit.scope) {
        return None;
    }
    let effect = if fails { Effect::ExpectedFailure } else { Effect::Disabled };
    let condition = if depends { condition(annotation, text)? } else { Condition::Always };
    Some((annotation.node, effect, condition))
}

/// Returns when a conditional annotation disables; none where it never does.
fn condition(annotation: &Annotation<'_, '_>, text: &str) -> Option<Condition> {
    let literal = |key: &str| annotation.value(key, text).and_then(|v| annotations::string(v, text)).unwrap_or("");
    let expression = || match literal("value") {
        "" => literal("expression"),
        value => value,
    };
    match annotation.name {
        "DisabledIf" | "EnabledIf" => match (expression(), annotation.name) {
            ("true" | "#{true}", "DisabledIf") | ("false" | "#{false}", "EnabledIf") => Some(Condition::Always),
            ("true" | "#{true}", _) | ("false" | "#{false}", _) => None,
            _ => Some(Condition::Runtime),
        },
        // `matches` is a regular expression; one for the values that say no would be the way to say 'not in CI'.
        "DisabledIfEnvironmentVariable"
            if truth::CI_VARIABLES.contains(&literal("named")) && !["", "false"].contains(&literal("matches")) =>
        {
            Some(Condition::Ci)
        }
        _ => Some(Condition::Runtime),
    }
}

fn has_reason(annotation: &Annotation<'_, '_>, text: &str) -> bool {
    let said = |key: &str| annotation.value(key, text).is_some_and(|v| annotations::words(v, text).is_some());
    match annotation.name {
        "Disabled" | "Ignore" | "ArchIgnore" | "ExpectedToFail" => said("value") || said("reason"),
        _ => said("disabledReason") || said("reason"),
    }
}

/// Returns the edit that takes a `key = value` out of an annotation.
fn without(pair: Node<'_>, annotation: &Annotation<'_, '_>, visit: &Visit<'_, '_>) -> Vec<Edit> {
    let Some(list) = annotation.arguments() else { return Vec::new() };
    let cut = if list.named_child_count() == 1 {
        list.byte_range()
    } else {
        let comma = |n: &Node<'_>| n.kind() == ",";
        match (pair.next_sibling().filter(comma), pair.prev_sibling().filter(comma)) {
            (Some(next), _) => {
                let blanks = visit.text[next.end_byte()..].bytes().take_while(u8::is_ascii_whitespace).count();
                pair.start_byte()..next.end_byte() + blanks
            }
            (None, Some(before)) => before.start_byte()..pair.end_byte(),
            (None, None) => return Vec::new(),
        }
    };
    vec![Edit { span: visit.span_of(cut.start, cut.end), text: String::new() }]
}
