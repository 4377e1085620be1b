//! What a class is: collected by a test runner, abstract, a null object; and what the classes of a file are to each other.

use super::names::{OVERRIDDEN, Reader, SUBCLASSED, TEST_CASE};
use super::stubs;
use super::syntax::{Definition, children, definitions, docstring, field, string_content, tail, text_of};
use crate::visit::FileScope;
use std::collections::HashMap;
use tree_sitter::Node;

/// Bits of `Item::flags`, seen by what is inside.
pub(super) mod flag {
    /// An interface: what its methods leave out, others write.
    pub(crate) const ABSTRACT: u32 = 1;
    /// Does nothing on purpose.
    pub(crate) const NULL_OBJECT: u32 = 1 << 1;
    /// Methods named like tests are collected.
    pub(crate) const COLLECTS: u32 = 1 << 2;
    /// Only declares (`if TYPE_CHECKING:`).
    pub(crate) const DECLARES: u32 = 1 << 3;
    /// A block that is a unit of its own without being a name's scope.
    pub(crate) const BLOCK: u32 = 1 << 4;
    /// A block of the module, not of a class.
    pub(crate) const MODULE: u32 = 1 << 5;
    /// Opened by a decorated definition; where the definition itself starts stands in the upper half.
    pub(crate) const DECORATED: u32 = 1 << 6;
    /// Derives from something.
    pub(crate) const DERIVED: u32 = 1 << 7;
    /// First bit of that offset.
    pub(crate) const OFFSET: u32 = 16;
}

/// Whether a base's name is that of a unittest case.
fn is_case_name(name: &str) -> bool {
    name.ends_with("TestCase")
}

/// Ancestors that are looked at; longer chains are no hand's work.
const ANCESTORS_MAX: usize = 16;

/// The classes of a file's top level.
pub(super) struct Family<'a, 't> {
    text: &'a str,
    classes: &'a [Definition<'t>],
    by_name: HashMap<&'a str, usize>,
    bases: Vec<Vec<&'a str>>,
}

impl<'a, 't> Family<'a, 't> {
    pub(super) fn new(text: &'a str, classes: &'a [Definition<'t>]) -> Self {
        let by_name = classes.iter().enumerate().map(|(i, c)| (c.name(text), i)).collect();
        let bases = classes.iter().map(|c| c.bases().into_iter().filter_map(|b| tail(text, b)).collect()).collect();
        Family { text, classes, by_name, bases }
    }

    /// Records what the classes that others derive from are: collected as unittest cases, overridden.
    pub(super) fn record(&self, collects: bool, scope: &mut FileScope) {
        let mut says = |name: &str, what: &str| scope.names.push((name.to_owned(), what.to_owned(), String::new()));
        let mut subclassed = vec![false; self.classes.len()];
        // What a base leaves out and nobody was seen to write; read once it is asked for.
        let mut left_out: Vec<Option<Vec<&str>>> = vec![None; self.classes.len()];
        for index in 0..self.classes.len() {
            for base in self.ancestors(index) {
                let name = self.classes[base].name(self.text);
                if !std::mem::replace(&mut subclassed[base], true) {
                    says(name, SUBCLASSED);
                    if collects && self.is_case(base) {
                        says(name, TEST_CASE);
                    }
                }
                if collects {
                    continue;
                }
                let names = left_out[base].get_or_insert_with(|| self.left_out(base));
                if !names.is_empty()
                    && self.classes[index].body().into_iter().flat_map(definitions).any(|m| names.contains(&m.name(self.text)))
                {
                    names.clear();
                    says(name, OVERRIDDEN);
                }
            }
        }
    }

    /// Returns the classes of the file that a class derives from, over any number of steps.
    fn ancestors(&self, index: usize) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut next = vec![index];
        while let Some(at) = next.pop().filter(|_| found.len() < ANCESTORS_MAX) {
            for base in self.bases[at].iter().filter_map(|name| self.by_name.get(name).copied()) {
                if base != index && !found.contains(&base) {
                    found.push(base);
                    next.push(base);
                }
            }
        }
        found
    }

    fn is_case(&self, index: usize) -> bool {
        let named = |i: usize| self.bases[i].iter().any(|b| is_case_name(b) && !self.by_name.contains_key(b));
        named(index) || self.ancestors(index).into_iter().any(named)
    }

    /// Returns the names of the methods that a class leaves out.
    fn left_out(&self, index: usize) -> Vec<&'a str> {
        let methods = self.classes[index].body().into_iter().flat_map(definitions);
        methods.filter(|m| !m.is_class() && m.body().is_some_and(|b| stubs::leaves_out(self.text, b))).map(|m| m.name(self.text)).collect()
    }
}

/// How a class counts for a test runner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Collected {
    /// Not at all.
    No,
    /// As a class of tests.
    Yes,
    /// It would be, but for its constructor.
    ButForInit,
}

/// Returns how a class counts for a test runner, where tests are collected around it.
pub(super) fn collected(reader: Reader<'_>, class: &Definition<'_>, collects: bool) -> Collected {
    let name = class.name(reader.text);
    let bases: Vec<&str> = class.bases().into_iter().filter_map(|b| tail(reader.text, b)).filter(|b| *b != "object").collect();
    let case = bases.iter().any(|b| reader.said(b, TEST_CASE) || (is_case_name(b) && !is_local_plain(reader, b)));
    if case {
        return Collected::Yes;
    }
    let Some(body) = class.body().filter(|_| collects) else { return Collected::No };
    let tests = definitions(body).any(|m| !m.is_class() && super::items::is_test_name(m.name(reader.text)));
    let foreign = !bases.is_empty() && bases.iter().any(|b| !reader.said(b, SUBCLASSED));
    if name.starts_with("Test") {
        if !tests && bases.is_empty() {
            return Collected::No;
        }
        return match definitions(body).find(|m| m.name(reader.text) == "__init__") {
            Some(init) if !foreign && tests => {
                if needs_arguments(reader.text, init.node) {
                    Collected::No
                } else {
                    Collected::ButForInit
                }
            }
            _ => Collected::Yes,
        };
    }
    // Plain classes are collected through what derives from them, here or elsewhere.
    let shared = foreign || reader.said(name, SUBCLASSED) || name.ends_with("Mixin");
    if tests && shared { Collected::Yes } else { Collected::No }
}

/// Whether a base is a class of this file that is known to be no unittest case.
fn is_local_plain(reader: Reader<'_>, name: &str) -> bool {
    reader.said(name, SUBCLASSED) && !reader.said(name, TEST_CASE)
}

/// Whether a constructor takes more than `self` without a default: then its class is a helper, not tests.
fn needs_arguments(text: &str, init: Node<'_>) -> bool {
    let Some(parameters) = field(init, "parameters") else { return false };
    children(parameters)
        .into_iter()
        .skip(1)
        .any(|p| matches!(p.kind(), "identifier" | "typed_parameter") && !text_of(text, p).starts_with('*'))
}

/// Returns what a production class is, as flags of its item.
pub(super) fn nature(reader: Reader<'_>, class: &Definition<'_>) -> u32 {
    let text = reader.text;
    let name = class.name(text).trim_start_matches('_');
    let mut flags = 0;
    let bases = class.bases();
    if bases.iter().any(|b| tail(text, *b) != Some("object")) {
        flags |= flag::DERIVED;
    }
    if is_null_name(name) {
        flags |= flag::NULL_OBJECT;
    }
    let based = bases.iter().filter_map(|b| tail(text, *b)).any(is_interface_base);
    let meta = field(class.node, "superclasses")
        .is_some_and(|list| children(list).iter().any(|n| n.kind() == "keyword_argument" && text_of(text, *n).ends_with("ABCMeta")));
    let decorated = class.decorator_expressions().filter_map(|d| tail(text, d)).any(|d| d == "runtime_checkable");
    if based || meta || decorated || is_abstract_name(name) || reader.said(class.name(text), OVERRIDDEN) || documents_interface(text, class)
    {
        flags |= flag::ABSTRACT;
    }
    flags
}

fn is_interface_base(name: &str) -> bool {
    matches!(name, "ABC" | "Protocol" | "TypedDict" | "Interface" | "ABCMeta")
}

/// Whether a word stands at the start of a name as a part of its own (`BaseLoader`, not `Baseline`).
fn starts_with_word(name: &str, word: &str) -> bool {
    name.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(|c: char| c.is_uppercase() || c == '_'))
}

fn is_abstract_name(name: &str) -> bool {
    const ENDS: &[&str] = &["Base", "Mixin", "MixIn", "Interface", "Protocol", "ABC", "Abstract"];
    // Their methods are called where others write them, and do nothing where not.
    const HOOKS: &[&str] = &["Listener", "Visitor", "Observer", "Callback", "Callbacks", "Hooks"];
    ["Base", "Abstract", "Interface"].iter().any(|w| has_word(name, w)) || ENDS.iter().chain(HOOKS).any(|w| name.ends_with(w))
}

/// Whether a name holds a word as a part of its own (`AsyncBaseTransport`, not `Database` or `Baseline`).
fn has_word(name: &str, word: &str) -> bool {
    name.match_indices(word).any(|(at, _)| starts_with_word(&name[at..], word))
}

fn is_null_name(name: &str) -> bool {
    ["Null", "Noop", "NoOp", "Nop", "No", "Dummy", "Silent", "Fake", "Mock"].iter().any(|w| starts_with_word(name, w))
        || ["Noop", "NoOp", "Dummy", "dummy"].iter().any(|w| name.ends_with(w))
}

/// Whether a class says by its docstring or by an abstract method that others write its methods.
fn documents_interface(text: &str, class: &Definition<'_>) -> bool {
    let Some(body) = class.body() else { return false };
    let said = docstring(body).and_then(|d| string_content(text, d)).is_some_and(|d| {
        let d = d.to_lowercase();
        ["subclass", "abstract", "base class", "overrid", "mixin", "mix-in"].iter().any(|w| d.contains(w))
    });
    said || definitions(body).any(|m| {
        m.decorator_expressions().filter_map(|d| tail(text, d)).any(|d| d.starts_with("abstract"))
            || m.body().is_some_and(|b| stubs::leaves_to_others(text, b))
    })
}
