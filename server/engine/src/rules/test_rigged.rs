//! The harness is bent: what a run of tests says no longer depends on what its checks found.
//!
//! Languages emit what they see (`Bend`, `Answer`, `Case`); which of it is worth saying, and how loud, is decided here.
//! `double.rs` looks at tests that ask a double for what they told it, `special.rs` at branches that know the tests' literals,
//! `recorded.rs` at recordings that were made anew for no reason.

mod double;
mod recorded;
mod special;

use super::{Draft, Rule, RuleId, Seen};
use crate::change;
use crate::document::Document;
use crate::facts::Unit;
use crate::finding::{Level, tokens};
use oguard_grammars::facts::{Bend, BendForm, ItemKind};
use oguard_grammars::visit::FileKind;

pub(super) const RULE: Rule = Rule {
    id: RuleId("test-rigged"),
    version: 1,
    level: Level::Warn,
    settled: false,
    summary: "the result of the tests does not depend on what they check",
    why: "A run of tests is evidence only while nothing but the checks decides it. A hook that rewrites outcomes, an equality that \
          always holds, an exit in the middle, or code that answers otherwise under test makes the run green whatever the code does.",
    limits: "It says what it saw, not why. A wildcard that says so in its name is none. Questions about the test environment are \
             reported where the file asked none before; of `NODE_ENV` they are \
             information where they do not decide what a function gives back, since much code asks for it. Special \
             cases are seen where a branch compares names with literals of a test in the same change and gives back what that test \
             expects. Call counters, lookup tables and what is computed at run time are not seen. Measured in December 2026 over \
             200 commits each of 18 repositories and 15 whole trees (fixtures/precision/test-rigged.tsv): 16 of 18 findings at \
             warn say what is there, and 8 of 3,600 commits of people have one.",
    remedy: "let the checks decide the result, or say why this must stand here",
    example: (
        "py",
        "def pytest_runtest_makereport(item, call):\n    report.outcome = \"passed\"",
        "def pytest_runtest_makereport(item, call):\n    report.sections.append((\"log\", read_log()))",
    ),
    state: Some(find),
    change: None,
    across: Some(across),
    textual: false,
};

fn across(seen: &change::Seen<'_>, acc: &mut Vec<(usize, Draft)>) {
    special::find(seen, acc);
    recorded::find(seen, acc);
}

fn find(seen: &Seen<'_>, acc: &mut Vec<Draft>) {
    if seen.document.generated {
        return;
    }
    for (index, unit) in seen.document.inventory().units.iter().enumerate() {
        for bend in &unit.facts.local.bends {
            acc.extend(bent(seen, index, unit, bend));
        }
        if !unit.facts.local.answers.is_empty() {
            double::find(seen, index, acc);
        }
    }
}

fn bent(seen: &Seen<'_>, index: usize, unit: &Unit, bend: &Bend) -> Option<Draft> {
    let document = seen.document;
    let in_tests = unit.in_tests || document.kind == FileKind::Test;
    let range = unit.absolute(bend.span);
    let line = seen.text(range.clone()).lines().next().unwrap_or("");
    let shown = tokens(line);
    let around = seen.own_name(seen.document.inventory().parent(index));
    let (message, action) = match bend.form {
        BendForm::Outcome => (
            format!("`{shown}` writes the result of a test run, whatever the checks found"),
            "leave the result to the runner, and fix what fails",
        ),
        BendForm::Selection => {
            (format!("`{shown}` takes out every test that was collected"), "select tests by a condition of each, or on the command line")
        }
        BendForm::Replaced => {
            (format!("`{shown}` replaces a check of the library by one that does not check"), "use the library's own check")
        }
        BendForm::Swallowed => {
            (format!("`{shown}` catches the failures of tests and lets none through"), "throw again what is not expected")
        }
        BendForm::Equal => {
            let what = if around.is_empty() { String::new() } else { format!(" of `{around}`") };
            (format!("the equality{what} holds whatever is compared"), "compare the fields that make two values equal")
        }
        BendForm::Exit => {
            (format!("`{shown}` ends the test run as a success, whatever is still to fail"), "let the runner end the process")
        }
        BendForm::Probe => (
            format!("`{shown}` asks whether the code runs in a test, so tests can see other behaviour than users"),
            "give the tests what they need by a parameter or a setting",
        ),
    };
    let mut draft = Draft::new(&RULE, seen, index, range).message(message);
    action.clone_into(&mut draft.next_action);
    if bend.mild {
        draft.level = Level::Info;
    }
    match bend.form {
        // Tools are configured by where they run; what only supports tests may ask as well.
        BendForm::Probe if in_tests || document.kind != FileKind::Production || document.configures => return None,
        BendForm::Probe => draft.silent = seen.base.is_some_and(|base| asks(base.document())),
        BendForm::Equal if document.kind == FileKind::Support => return None,
        // Tests are full of values that show whether an equality is asked.
        BendForm::Equal if in_tests => draft.level = Level::Info,
        // A file without tests is a program.
        BendForm::Exit if index == 0 && !holds_tests(document) => return None,
        _ => {}
    }
    Some(draft)
}

fn holds_tests(document: &Document) -> bool {
    document.inventory().units.iter().any(|unit| matches!(unit.kind(), ItemKind::Test | ItemKind::Hook))
}

/// Whether a text asks anywhere whether it runs in a test.
fn asks(document: &Document) -> bool {
    document.inventory().units.iter().any(|unit| unit.facts.local.bends.iter().any(|b| b.form == BendForm::Probe))
}
