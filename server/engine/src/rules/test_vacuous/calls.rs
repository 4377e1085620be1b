//! What the code of a test calls, by name, and whether anything of it may check.

use crate::document::Document;
use crate::facts::{Unit, callers};
use oguard_grammars::facts::ItemKind;
use std::collections::{HashMap, HashSet};

/// Helpers of a file are looked into down to this depth (rules-a.md D20).
const DEPTH_MAX: usize = 3;

/// Words in a name that say that it checks, or fails by itself.
const CHECKS: &[&str] = &[
    "assert",
    "asserts",
    "expect",
    "expects",
    "verify",
    "verifies",
    "check",
    "checks",
    "ensure",
    "must",
    "should",
    "require",
    "validate",
    "raises",
    "throws",
    "throw",
    "raise",
    "fail",
    "fails",
    "panic",
    "unwrap",
    "compare",
    "match",
    "matches",
    "same",
    "equal",
    "equals",
    "eq",
    "wait",
    "await",
    "until",
    "done",
    "end",
    "test",
    "tests",
    "case",
    "snapshot",
    "roundtrip",
    "trip",
    "confirm",
    "success",
    "succeeds",
    "succeed",
    "prove",
    "exercise",
    "scenario",
    "given",
    "then",
    "pass",
    "ok",
    "is",
    "find",
    "lint",
    "plan",
    "step",
    "golden",
    "diff",
    "exit",
    "suite",
    "spec",
    "invoke",
];

/// The functions of a file by name.
pub(super) struct Calls<'d> {
    document: &'d Document,
    functions: HashMap<&'d str, Vec<usize>>,
}

impl<'d> Calls<'d> {
    /// Reads the functions of a text.
    pub(super) fn of(document: &'d Document) -> Self {
        let mut functions: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, unit) in document.inventory().units.iter().enumerate() {
            if matches!(unit.kind(), ItemKind::Function | ItemKind::Hook) {
                let name = unit.facts.item.name.as_str();
                functions.entry(name.rsplit('.').next().unwrap_or(name)).or_default().push(index);
            }
        }
        Calls { document, functions }
    }

    /// Whether code that stands in a unit may check something.
    pub(super) fn may_check(&self, text: &str, unit: &Unit) -> bool {
        let mut known = HashSet::from([unit.facts.item.name.as_str()]);
        self.checks(text, 0, &mut known)
    }

    fn checks<'t>(&self, text: &'t str, depth: usize, known: &mut HashSet<&'t str>) -> bool
    where
        'd: 't,
    {
        if ["raise", "throw", "panic", "assert", "reject", "catch", "except", "Promise", "done"]
            .iter()
            .any(|word| callers::mentions(text, word, 1))
        {
            return true;
        }
        called(text).any(|call| {
            if words(call.name).any(|w| CHECKS.contains(&w.as_str())) || call.hands_on {
                return true;
            }
            match self.functions.get(call.name) {
                Some(_) if depth >= DEPTH_MAX => true,
                Some(found) => known.insert(call.name) && found.iter().any(|index| self.function_checks(*index, depth, known)),
                // An inherited method is not seen.
                None => call.own,
            }
        })
    }

    fn function_checks<'t>(&self, index: usize, depth: usize, known: &mut HashSet<&'t str>) -> bool
    where
        'd: 't,
    {
        let units = &self.document.inventory().units;
        let unit = &units[index];
        let inside = &units[index..index + unit.size as usize];
        let text = self.document.text().get(unit.range.clone()).unwrap_or("");
        inside.iter().any(|u| !u.facts.local.assertions.is_empty()) || self.checks(text, depth + 1, known)
    }
}

/// A call in a text.
struct Call<'t> {
    name: &'t str,
    /// Of a method of the object that the code itself is part of.
    own: bool,
    /// The runner's handle, or a callback, is handed on to it.
    hands_on: bool,
}

/// Macros that check nothing; any other may.
const QUIET_MACROS: &[&str] = &["println", "print", "eprintln", "eprint", "format", "vec", "dbg", "write", "writeln"];

/// Methods of a runner's handle that check nothing.
const QUIET: &[&str] = &["log", "logf", "helper", "parallel", "setenv", "tempdir", "cleanup", "context", "name"];

/// Returns what a text calls: each name before an opening bracket.
fn called(text: &str) -> impl Iterator<Item = Call<'_>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(['(', '{', '[']).filter_map(move |(at, bracket)| {
        let head = text[..at].trim_end_matches([' ', '?']);
        let is_macro = head.ends_with('!');
        if bracket != "(" && !is_macro {
            return None;
        }
        let before = without_generics(head.trim_end_matches('!'));
        let start = before.rfind(|c: char| !is_word(c)).map_or(0, |i| i + before[i..].chars().next().map_or(1, char::len_utf8));
        let name = &before[start..];
        let receiver = before[..start].trim_end_matches(['.', '?', ':']);
        let has_receiver = before[..start].ends_with('.');
        let of = receiver.rsplit(|c: char| !is_word(c)).next().unwrap_or("");
        let of_code = ["self", "this", "super", "cls", "Self"].contains(&of) || receiver.ends_with("super()");
        let of_handle = of.len() < 3 && !of.is_empty() && !QUIET.contains(&name.to_lowercase().as_str());
        let own = has_receiver && (of_code || of_handle);
        let first = text[at + 1..].trim_start();
        let hands_on = ["t", "tb", "assert", "done", "expect", "b", "s.T()", "GinkgoT()", "self", "this"]
            .iter()
            .any(|handle| first.strip_prefix(handle).is_some_and(|rest| rest.starts_with([',', ')'])))
            || (is_macro && !QUIET_MACROS.contains(&name));
        (!name.is_empty()).then_some(Call { name, own, hands_on })
    })
}

/// Returns a text without the type arguments that it ends in: `assert_send::<Vec<u8>>`.
fn without_generics(text: &str) -> &str {
    if !text.ends_with('>') || text.ends_with("->") || text.ends_with("=>") {
        return text;
    }
    let mut depth = 0usize;
    for (at, letter) in text.char_indices().rev() {
        match letter {
            '>' => depth += 1,
            '<' => depth -= 1,
            ';' => return text,
            _ => {}
        }
        if depth == 0 {
            return text[..at].trim_end_matches("::");
        }
    }
    text
}

/// Returns the words of a name, in lower case.
fn words(name: &str) -> impl Iterator<Item = String> + '_ {
    let mut words = vec![String::new()];
    let mut lower = false;
    for letter in name.chars() {
        if !letter.is_alphabetic() {
            words.push(String::new());
            lower = false;
            continue;
        }
        if letter.is_uppercase() && lower {
            words.push(String::new());
        }
        lower = letter.is_lowercase();
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words.into_iter()
}
