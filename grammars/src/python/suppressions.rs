//! Checks that are switched off by code and not by a comment: decorators, casts to `Any`, filters of warnings.

use super::names::Reader;
use super::syntax::{Arguments, field, is_string, only_child, string_content, tail};
use crate::facts::{ItemKind, Reach, Suppression};
use crate::visit::Visit;
use tree_sitter::Node;

/// Emits a decorator that takes its definition out of a check.
pub(super) fn decorator(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let reader = Reader::of(visit);
    let Some(expression) = only_child(node) else { return };
    let words = if expression.kind() == "call" { field(expression, "function").unwrap_or(expression) } else { expression };
    match tail(reader.text, words) {
        Some("no_type_check") if reader.path(words).is_some_and(|p| p == "typing.no_type_check") => {
            let removal = vec![visit.delete(node)];
            let span = visit.span(words);
            visit.out.suppressions.push(Suppression { removal, ..plain("no_type_check", span, Reach::Declaration) });
        }
        Some("filterwarnings") if reader.path(words).is_some_and(|p| p == "pytest.mark.filterwarnings") => {
            let arguments = Arguments::of(expression);
            let Some(filter) = arguments.positional.first().and_then(|f| string_content(reader.text, *f)) else { return };
            let Some(rest) = filter.strip_prefix("ignore") else { return };
            let codes = rest.trim_start_matches(':').trim();
            let codes = if codes.is_empty() { Vec::new() } else { vec![codes.to_owned()] };
            let removal = vec![visit.delete(node)];
            let span = visit.span(words);
            visit.out.suppressions.push(Suppression { codes, mild: true, removal, ..plain("warnings", span, Reach::Declaration) });
        }
        _ => {}
    }
}

/// Emits a call that hides warnings or forgets a type.
pub(super) fn call(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let reader = Reader::of(visit);
    let Some(function) = field(node, "function") else { return };
    match tail(reader.text, function) {
        Some("cast") if reader.path(function).is_some_and(|p| p == "typing.cast") => {
            let first = Arguments::of(node).positional.first().copied();
            let any = first.is_some_and(|t| matches!(reader.text_of(t).trim_matches(['"', '\'']), "Any" | "typing.Any" | "t.Any"));
            if any {
                let span = visit.span_of(node.start_byte(), first.map_or(node.end_byte(), |t| t.end_byte()));
                let codes = vec!["cast to Any".to_owned()];
                visit.out.suppressions.push(Suppression { codes, mild: true, ..plain("typing", span, Reach::Line) });
            }
        }
        Some(name @ ("filterwarnings" | "simplefilter")) => filter(reader, node, function, name, visit),
        _ => {}
    }
}

/// Emits `warnings.filterwarnings("ignore", …)`: blanket and for the whole process it weighs, within a function it is mild.
fn filter(reader: Reader<'_>, node: Node<'_>, function: Node<'_>, name: &str, visit: &mut Visit<'_, '_>) {
    if reader.path(function).is_none_or(|p| p != format!("warnings.{name}")) {
        return;
    }
    let arguments = Arguments::of(node);
    let action = arguments.positional.first().copied().or_else(|| arguments.named(reader.text, "action"));
    if action.filter(|a| is_string(*a)).and_then(|a| string_content(reader.text, a)).as_deref() != Some("ignore") {
        return;
    }
    let mut codes: Vec<String> = arguments.positional.iter().skip(1).map(|n| reader.text_of(*n).to_owned()).collect();
    let narrow = arguments.keywords.iter().filter(|(key, _, _)| matches!(reader.text_of(*key), "category" | "message" | "module"));
    codes.extend(narrow.map(|(_, value, _)| reader.text_of(*value).to_owned()));
    codes.sort_unstable();
    let module = visit.frame().kind == ItemKind::File && node.start_position().column == 0;
    let mild = !module || !codes.is_empty();
    let reach = if module { Reach::File } else { Reach::Range };
    let span = visit.span(function);
    visit.out.suppressions.push(Suppression { codes, mild, ..plain("warnings", span, reach) });
}

fn plain(tool: &str, span: crate::facts::Span, reach: Reach) -> Suppression {
    Suppression { span, tool: tool.to_owned(), codes: Vec::new(), reach, reason: false, mild: false, removal: Vec::new() }
}
