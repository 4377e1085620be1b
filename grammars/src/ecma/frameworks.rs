//! The words of the test runners: which names open tests, groups and hooks, which parts of a chain switch them off.
//!
//! A table row is one word with what it does and, for words like `xit`, the plain word that takes the marker away.

use crate::facts::{Effect, ItemKind};

/// A name that a runner gives a meaning to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// The name.
    pub(super) name: &'static str,
    /// What a call of it opens.
    pub(super) kind: ItemKind,
    /// What the name by itself does to it, with the name that does not.
    pub(super) marks: Option<(Effect, &'static str)>,
    /// A global of some runner; others count only where they are imported or are a member of the runner.
    pub(super) global: bool,
}

const fn test(name: &'static str) -> Word {
    Word { name, kind: ItemKind::Test, marks: None, global: true }
}
const fn group(name: &'static str) -> Word {
    Word { name, kind: ItemKind::Group, marks: None, global: true }
}
const fn hook(name: &'static str) -> Word {
    Word { name, kind: ItemKind::Hook, marks: None, global: true }
}
const fn marked(word: Word, effect: Effect, plain: &'static str) -> Word {
    Word { marks: Some((effect, plain)), ..word }
}
const fn imported(word: Word) -> Word {
    Word { global: false, ..word }
}

/// All words that can stand at the root of a chain, or right behind the runner's own name.
const WORDS: &[Word] = &[
    test("it"),
    test("test"),
    test("specify"),
    test("bench"),
    group("describe"),
    group("context"),
    group("suite"),
    marked(test("xit"), Effect::Disabled, "it"),
    marked(test("xtest"), Effect::Disabled, "test"),
    marked(test("xspecify"), Effect::Disabled, "specify"),
    marked(group("xdescribe"), Effect::Disabled, "describe"),
    marked(group("xcontext"), Effect::Disabled, "context"),
    marked(group("xsuite"), Effect::Disabled, "suite"),
    marked(test("fit"), Effect::Focused, "it"),
    marked(test("iit"), Effect::Focused, "it"),
    marked(test("ftest"), Effect::Focused, "test"),
    marked(test("fspecify"), Effect::Focused, "specify"),
    marked(group("fdescribe"), Effect::Focused, "describe"),
    marked(group("ddescribe"), Effect::Focused, "describe"),
    marked(group("fcontext"), Effect::Focused, "context"),
    hook("before"),
    hook("after"),
    hook("beforeEach"),
    hook("afterEach"),
    hook("beforeAll"),
    hook("afterAll"),
    hook("setup"),
    hook("teardown"),
    hook("suiteSetup"),
    hook("suiteTeardown"),
    imported(group("module")),
    imported(group("experiment")),
    imported(marked(test("skip"), Effect::Disabled, "test")),
    imported(marked(test("todo"), Effect::Todo, "test")),
    imported(marked(test("only"), Effect::Focused, "test")),
];

/// Returns the word of a name.
pub(super) fn word(name: &str) -> Option<Word> {
    WORDS.iter().find(|w| w.name == name).copied()
}

/// What a part behind the root does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    /// Has an effect wherever it stands.
    Mark(Effect),
    /// Takes rows: one test whatever their number.
    Rows,
    /// Takes a condition: has the effect where it is true (or, if `inverted`, false).
    If { effect: Effect, inverted: bool },
    /// Takes arguments that change the runner, not the test.
    Extend,
    /// Order, concurrency and other settings.
    Neutral,
    /// A part of a test (`test.step`).
    Step,
}

/// Returns what a part of a runner's chain does; none where it is no such part.
pub(super) fn segment(name: &str) -> Option<Segment> {
    Some(match name {
        "skip" | "fixme" | "ignore" => Segment::Mark(Effect::Disabled),
        "only" => Segment::Mark(Effect::Focused),
        "failing" | "fails" | "fail" => Segment::Mark(Effect::ExpectedFailure),
        "todo" => Segment::Mark(Effect::Todo),
        "each" | "for" => Segment::Rows,
        "skipIf" => Segment::If { effect: Effect::Disabled, inverted: false },
        "runIf" | "if" => Segment::If { effect: Effect::Disabled, inverted: true },
        "todoIf" => Segment::If { effect: Effect::Todo, inverted: false },
        "failingIf" => Segment::If { effect: Effect::ExpectedFailure, inverted: false },
        "extend" | "bind" => Segment::Extend,
        "concurrent" | "sequential" | "shuffle" | "serial" | "parallel" | "always" => Segment::Neutral,
        "step" => Segment::Step,
        _ => return None,
    })
}

/// Keys of an options object with what they do.
pub(super) const OPTIONS: &[(&str, Effect)] = &[
    ("skip", Effect::Disabled),
    ("ignore", Effect::Disabled),
    ("fails", Effect::ExpectedFailure),
    ("expectFailure", Effect::ExpectedFailure),
    ("todo", Effect::Todo),
    ("only", Effect::Focused),
];

/// Names that hold a whole runner as a global object.
pub(super) fn is_library(name: &str) -> bool {
    matches!(name, "QUnit" | "Deno")
}

/// Frameworks seen in imports, as bits of `FileScope::frameworks`.
pub(super) mod framework {
    pub(crate) const VITEST: u64 = 1;
    pub(crate) const NODE: u64 = 1 << 1;
    pub(crate) const QUNIT: u64 = 1 << 2;
    pub(crate) const BUN: u64 = 1 << 3;
    pub(crate) const PLAYWRIGHT: u64 = 1 << 4;
    pub(crate) const AVA: u64 = 1 << 5;
    pub(crate) const TAP: u64 = 1 << 6;
    pub(crate) const JEST: u64 = 1 << 7;
    pub(crate) const OTHER: u64 = 1 << 8;
}

/// Returns the framework bit of a module that is a test runner; none for every other module.
pub(super) fn runner(module: &str) -> Option<u64> {
    use framework::{AVA, BUN, JEST, NODE, OTHER, PLAYWRIGHT, QUNIT, TAP, VITEST};
    Some(match module {
        "vitest" | "vite-plus/test" | "@effect/vitest" | "@fast-check/vitest" => VITEST,
        "node:test" | "test" => NODE,
        "qunit" | "qunitjs" | "ember-qunit" => QUNIT,
        "bun:test" => BUN,
        "ava" => AVA,
        "tap" | "tape" | "tape-promise" | "zora" | "brittle" | "uvu" | "poku" | "blue-tape" | "tape-catch" | "libtap" => TAP,
        "@jest/globals" | "@fast-check/jest" => JEST,
        "mocha" | "jasmine" | "cypress" | "@rstest/core" | "@japa/runner" | "@hapi/lab" | "lab" | "@wdio/globals" | "@std/testing/bdd"
        | "@open-wc/testing" | "storybook/test" => OTHER,
        _ if module.starts_with("@playwright/") => PLAYWRIGHT,
        _ if module.starts_with("@tapjs/") || module.starts_with("tape/") => TAP,
        _ if module.ends_with("testing/bdd.ts") || module.contains("@std/testing") => OTHER,
        _ if module.starts_with("npm:") || module.starts_with("jsr:") => {
            let name = module[4..].trim_start_matches('/');
            let at = name.get(1..)?.find('@').map_or(name.len(), |i| i + 1);
            return runner(&name[..at]);
        }
        _ => return None,
    })
}

/// Whether a module's path says that it wraps a runner (`./fixtures`, `../test/setup`, `@acme/test-utils`).
pub(super) fn wraps_runner(module: &str) -> bool {
    let lower = module.to_ascii_lowercase();
    lower.split(['/', '-', '_', '.', '@']).any(|part| {
        matches!(part, "test" | "tests" | "testing" | "fixture" | "fixtures" | "e2e" | "harness" | "spec" | "playwright" | "vitest")
    })
}
