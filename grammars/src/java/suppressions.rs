//! Annotations of Java that switch a check off: the compiler's and all linters that read `@SuppressWarnings`, and those with
//! an annotation of their own. Comments that do are in the directive tables.

use super::annotations::{self, Annotation};
use super::flag;
use crate::facts::{Reach, Suppression};
use crate::visit::Visit;
use tree_sitter::Node;

/// Emits what an annotation suppresses.
pub(super) fn visit(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let Some(annotation) = annotations::of_node(node, visit.text) else { return };
    let generated = visit.frames.iter().any(|f| f.flags & flag::GENERATED != 0);
    let Some((tool, codes)) = read(&annotation, visit.text).filter(|_| !generated) else { return };
    let said = |key: &&str| annotation.value(key, visit.text).is_some_and(|v| annotations::words(v, visit.text).is_some());
    let reason = ["justification", "reason", "rationale"].iter().any(said);
    let suppression = Suppression {
        span: visit.span(node),
        tool: tool.to_owned(),
        codes,
        reach: reach(node, visit),
        reason: reason || explained(visit.text, node.end_byte()),
        mild: false,
        removal: vec![annotation.removal(visit)],
    };
    visit.out.suppressions.push(suppression);
}

/// Returns the tool that an annotation silences, and the codes; none of them means all.
fn read(annotation: &Annotation<'_, '_>, text: &str) -> Option<(&'static str, Vec<String>)> {
    let codes = || codes(annotation, text);
    match annotation.name {
        "SuppressWarnings" => annotation.arguments().map(|_| ("java", codes())),
        "SuppressFBWarnings" | "SuppressWarningsSpotBugs" => Some(("spotbugs", codes())),
        "SuppressLint" => Some(("android-lint", codes())),
        "SuppressForbidden" => Some(("forbidden-apis", Vec::new())),
        "SuppressAnimalSniffer" | "IgnoreJRERequirement" => Some(("animal-sniffer", Vec::new())),
        "DoNotMutate" | "DoNotMutateGenerated" => Some(("pitest", Vec::new())),
        // JaCoCo passes over what has an annotation of such a name; a generator's own one names the generator.
        name if name.contains("Generated") && annotation.arguments().is_none() && covers(name) => Some(("jacoco", Vec::new())),
        _ => None,
    }
}

fn covers(name: &str) -> bool {
    name == "Generated" || name.contains("Coverage") || name.contains("Jacoco") || name.contains("JaCoCo") || name.starts_with("Exclude")
}

/// Returns the codes of an annotation, sorted; one that means all gives none.
fn codes(annotation: &Annotation<'_, '_>, text: &str) -> Vec<String> {
    let Some(value) = annotation.value("value", text) else { return Vec::new() };
    let mut parts = vec![value];
    if value.kind() == "element_value_array_initializer" {
        let mut cursor = value.walk();
        parts = value.named_children(&mut cursor).filter(|n| !n.kind().ends_with("comment")).collect();
    }
    let mut codes: Vec<String> =
        parts.into_iter().map(|n| annotations::string(n, text).unwrap_or(&text[n.byte_range()]).to_owned()).collect();
    if codes.iter().any(|c| c.eq_ignore_ascii_case("all")) {
        return Vec::new();
    }
    codes.sort_unstable();
    codes
}

/// Returns how far an annotation reaches: a type at the top is all of its file, a variable is its statement.
fn reach(node: Node<'_>, visit: &Visit<'_, '_>) -> Reach {
    let declaration = node.parent().and_then(|modifiers| modifiers.parent()).map_or("", |d| d.kind());
    match declaration {
        "local_variable_declaration" | "formal_parameter" | "resource" | "enhanced_for_statement" => Reach::NextLine,
        "package_declaration" => Reach::File,
        kind if kind.ends_with("_declaration") && visit.frames.len() == 2 && is_type(kind) => Reach::File,
        _ => Reach::Declaration,
    }
}

fn is_type(kind: &str) -> bool {
    ["class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration"].contains(&kind)
}

/// Whether a comment behind an annotation, on its line, says why.
fn explained(text: &str, end: usize) -> bool {
    const WORDS_MIN: usize = 2;
    let rest = text[end..].lines().next().unwrap_or("").trim_start();
    let why = rest.strip_prefix("//").or_else(|| rest.strip_prefix("/*"));
    why.is_some_and(|why| why.split_whitespace().count() >= WORDS_MIN)
}
