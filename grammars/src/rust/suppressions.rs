//! Attributes of Rust that switch a check off: lints, coverage, mutation testing.

use super::attributes::{Attribute, implies_test, metas};
use super::items::removal;
use super::tokens::{Kind, Tokens};
use crate::facts::{Reach, Suppression};
use crate::visit::Visit;

/// Emits what the attributes of an item suppress. `inner` says that they reach over what they stand in.
pub(super) fn emit(attributes: &[Attribute], visit: &mut Visit<'_, '_>, inner: bool) {
    for attribute in attributes {
        let text = visit.text;
        let Some((tool, codes, reason)) = read(attribute, text) else { continue };
        let at_top = visit.frames.len() <= 1;
        let reach = if inner && at_top { Reach::File } else { Reach::Declaration };
        let for_tests = !attribute.predicates.is_empty() && attribute.predicates.iter().any(|p| implies_test(text, p));
        visit.out.suppressions.push(Suppression {
            span: visit.span_of(attribute.outer.start, attribute.outer.end),
            tool: tool.to_owned(),
            codes,
            reach,
            reason: reason || explained(text, attribute.outer.end),
            mild: attribute.path(text) == "expect" || for_tests,
            removal: removal(attribute, visit),
        });
    }
}

/// Returns the tool, the codes and whether a reason is given.
fn read(attribute: &Attribute, text: &str) -> Option<(&'static str, Vec<String>, bool)> {
    let args = || attribute.meta.args.clone().map(|a| metas(text, a)).unwrap_or_default();
    let plain = |tool| Some((tool, Vec::new(), false));
    match attribute.path(text) {
        "allow" | "expect" => {
            let mut codes = Vec::new();
            let mut reason = false;
            for meta in args() {
                let path: String = text[meta.path.clone()].split_whitespace().collect();
                match meta.value {
                    Some(value) => {
                        reason |= path == "reason" && Tokens::new(text, value).any(|t| t.kind == Kind::Text && t.end - t.start > 2)
                    }
                    None => codes.push(path),
                }
            }
            codes.sort_unstable();
            (!codes.is_empty()).then_some(("rustc", codes, reason))
        }
        "coverage" => args().first().filter(|m| &text[m.path.clone()] == "off").and_then(|_| plain("coverage")),
        "no_coverage" => plain("coverage"),
        "mutants::skip" => plain("cargo-mutants"),
        "cfg" => {
            let predicate = args().into_iter().next()?;
            let negated = metas(text, predicate.args.clone()?).into_iter().next()?;
            let names = ["tarpaulin", "tarpaulin_include"];
            let excludes = &text[predicate.path.clone()] == "not" && names.contains(&&text[negated.path.clone()]);
            if excludes { plain("tarpaulin") } else { None }
        }
        _ => None,
    }
}

/// Whether a comment behind an attribute, on its line, says why.
fn explained(text: &str, end: usize) -> bool {
    const WORDS_MIN: usize = 2;
    let rest = text[end..].lines().next().unwrap_or("").trim_start();
    rest.strip_prefix("//").is_some_and(|why| why.split_whitespace().count() >= WORDS_MIN)
}
