//! Attributes of Rust, read into paths, arguments and predicates; `cfg_attr` is looked through.
//!
//! What an attribute means for a test or a checker is decided in `items` and `suppressions`.

use super::tokens::{Kind, Tokens, unquoted};
use std::ops::Range;
use tree_sitter::Node;

/// One path of an attribute with what follows it, in absolute bytes.
#[derive(Clone, Debug)]
pub(super) struct Meta {
    pub(super) range: Range<usize>,
    pub(super) path: Range<usize>,
    /// Between its brackets.
    pub(super) args: Option<Range<usize>>,
    /// After `=`.
    pub(super) value: Option<Range<usize>>,
}

/// A meta as it holds for an item: with the attribute around it and the predicate of a `cfg_attr`.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) meta: Meta,
    /// The whole `#[…]`.
    pub(super) outer: Range<usize>,
    /// Nothing else stands in the `#[…]`.
    pub(super) alone: bool,
    /// Predicates of the `cfg_attr`s around it.
    pub(super) predicates: Vec<Meta>,
}

impl Attribute {
    /// Returns its path as written.
    pub(super) fn path<'a>(&self, text: &'a str) -> &'a str {
        &text[self.meta.path.clone()]
    }

    /// Returns the last segment of its path.
    pub(super) fn name<'a>(&self, text: &'a str) -> &'a str {
        last_segment(self.path(text))
    }

    /// Whether the `cfg_attr`s around it hold in a test build: always, never, or depending on the build (none).
    pub(super) fn holds(&self, text: &str) -> Option<bool> {
        all(self.predicates.iter().map(|p| evaluate(text, p)))
    }
}

/// Returns the last segment of a path.
pub(super) fn last_segment(path: &str) -> &str {
    path.rsplit(':').next().unwrap_or(path).trim()
}

/// Longest list that is read, in bytes: lists nest, and each level is a call; real ones are a few hundred bytes.
const LIST_BYTES_MAX: usize = 4 * 1024;

/// Returns the metas of a comma-separated list; of one that is longer than any real one, none.
pub(super) fn metas(text: &str, range: Range<usize>) -> Vec<Meta> {
    if range.len() > LIST_BYTES_MAX {
        return Vec::new();
    }
    super::tokens::arguments(text, range).into_iter().filter_map(|r| meta(text, r)).collect()
}

fn meta(text: &str, range: Range<usize>) -> Option<Meta> {
    let mut tokens = Tokens::new(text, range.clone());
    let mut path: Option<Range<usize>> = None;
    for token in tokens.by_ref() {
        match token.kind {
            Kind::Word | Kind::Punct(b':') => path = Some(path.map_or(token.start, |p| p.start)..token.end),
            Kind::Open => {
                let args = Some(super::tokens::before_close(text, token.end..range.end));
                return Some(Meta { range, path: path?, args, value: None });
            }
            Kind::Punct(b'=') => {
                let value = Some(token.end..range.end);
                return Some(Meta { range, path: path?, args: None, value });
            }
            _ => return None,
        }
    }
    Some(Meta { range, path: path?, args: None, value: None })
}

/// Returns what the attributes of an item say, in order.
pub(super) fn of_nodes(text: &str, nodes: &[Node<'_>]) -> Vec<Attribute> {
    nodes.iter().flat_map(|n| of_range(text, n.byte_range())).collect()
}

/// Returns what one `#[…]` or `#![…]` says.
pub(super) fn of_range(text: &str, outer: Range<usize>) -> Vec<Attribute> {
    let Some(source) = text.get(outer.clone()) else { return Vec::new() };
    let (Some(open), Some(close)) = (source.find('['), source.rfind(']')) else { return Vec::new() };
    let mut found = Vec::new();
    let inside = metas(text, outer.start + open + 1..outer.start + close.max(open + 1));
    let alone = inside.len() == 1;
    for meta in inside {
        flatten(text, meta, &outer, alone, &[], &mut found);
    }
    found
}

fn flatten(text: &str, meta: Meta, outer: &Range<usize>, alone: bool, predicates: &[Meta], found: &mut Vec<Attribute>) {
    const DEPTH_MAX: usize = 8;
    let nested = match (&text[meta.path.clone()], meta.args.clone()) {
        _ if predicates.len() > DEPTH_MAX => None,
        ("cfg_attr", Some(args)) => Some(metas(text, args)),
        ("unsafe", Some(args)) => {
            for inner in metas(text, args) {
                flatten(text, inner, outer, alone, predicates, found);
            }
            return;
        }
        _ => None,
    };
    let Some(mut inner) = nested else {
        found.push(Attribute { meta, outer: outer.clone(), alone, predicates: predicates.to_vec() });
        return;
    };
    if inner.is_empty() {
        return;
    }
    let mut predicates = predicates.to_vec();
    predicates.push(inner.remove(0));
    let alone = alone && inner.len() == 1;
    for meta in inner {
        flatten(text, meta, outer, alone, &predicates, found);
    }
}

/// Returns whether a `cfg` predicate holds in a test build: always, never, or depending on the build (none).
pub(super) fn evaluate(text: &str, predicate: &Meta) -> Option<bool> {
    let parts = || predicate.args.clone().map(|args| metas(text, args)).unwrap_or_default();
    match &text[predicate.path.clone()] {
        "test" | "TRUE" | "true" => Some(true),
        "FALSE" | "false" => Some(false),
        "all" => all(parts().iter().map(|p| evaluate(text, p))),
        "any" => all(parts().iter().map(|p| evaluate(text, p).map(|b| !b))).map(|b| !b),
        "not" => parts().first().and_then(|p| evaluate(text, p)).map(|b| !b),
        _ => None,
    }
}

/// Conjunction where a part can be unknown.
fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            None => known = None,
            Some(true) => {}
        }
    }
    known
}

/// Whether what a predicate guards is compiled for tests only.
pub(super) fn implies_test(text: &str, predicate: &Meta) -> bool {
    let parts = || predicate.args.clone().map(|args| metas(text, args)).unwrap_or_default();
    match &text[predicate.path.clone()] {
        "test" => true,
        // A feature that exports helpers to the tests of other crates.
        "feature" => predicate.value.clone().is_some_and(|v| text[v].contains("test")),
        "all" => parts().iter().any(|p| implies_test(text, p)),
        "any" => {
            let parts = parts();
            !parts.is_empty() && parts.iter().all(|p| implies_test(text, p))
        }
        _ => false,
    }
}

/// Whether a predicate is nothing but that the build runs in CI.
pub(super) fn says_ci(text: &str, predicate: &Meta) -> bool {
    match (&text[predicate.path.clone()], &predicate.value) {
        ("ci" | "CI", None) => predicate.args.is_none(),
        ("feature", Some(value)) => unquoted(text[value.clone()].trim()).eq_ignore_ascii_case("ci"),
        _ => false,
    }
}

/// Whether a predicate holds a negation: the item is a fallback for where something is missing.
pub(super) fn negates(text: &str, predicate: &Meta) -> bool {
    let parts = || predicate.args.clone().map(|args| metas(text, args)).unwrap_or_default();
    match &text[predicate.path.clone()] {
        "not" => true,
        "all" | "any" => parts().iter().any(|p| negates(text, p)),
        _ => false,
    }
}

/// Whether an attribute's name makes its function a test.
pub(super) fn is_test(path: &str) -> bool {
    let name = last_segment(path);
    name == "test"
        || name.ends_with("_test")
        || ["test_case", "test_matrix", "test_casing", "test_resources"].contains(&name)
        || ["rstest", "gtest", "ctest", "proptest", "quickcheck", "bench", "parameterized", "dir_test"].contains(&name)
}
