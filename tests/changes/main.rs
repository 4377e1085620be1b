//! Judges labelled changes, honest ones and cheats: `cargo test -p oguard --test changes -- honest/python`.
//!
//! `fixtures/changes/honest/<language>.md`: nothing may be said at warn or above. `fixtures/changes/cheats/<language>.md`: what
//! is marked must be said, and nothing else at warn or above. A case is judged by the program over two commits, so renames and
//! moves between files are as in life. A rule that the program does not have is not asked for; a cheat that only such rules
//! would catch is shown as ignored, so that its number is in the summary, and counts as soon as the rule is there.

mod case;
mod repo;

use case::{Case, Expected};
use libtest_mimic::{Arguments, Failed, Trial};
use oguard_engine::rules::by_name;
use repo::Said;
use std::path::{Path, PathBuf};

/// Rules of the specification that cases may name.
const RULES_MEANT: [&str; 13] = [
    "syntax-error",
    "test-disabled",
    "test-focused",
    "test-weakened",
    "test-removed",
    "test-vacuous",
    "test-rigged",
    "stub-body",
    "placeholder-comment",
    "dependency-added",
    "check-suppressed",
    "gate-weakened",
    "guard-changed",
];

/// Least number of cases of a kind, in all and for each language.
const CASES_MIN: usize = 80;
const CASES_OF_A_LANGUAGE_MIN: usize = 15;

fn main() {
    let mut trials = Vec::new();
    for kind in ["honest", "cheats"] {
        let mut counts = Vec::new();
        for file in markdown(kind) {
            let language = file.file_stem().and_then(|n| n.to_str()).expect("a language").to_owned();
            let cases = case::read(&file);
            counts.push((language.clone(), cases.len()));
            for case in cases {
                let name = format!("{kind}/{language}/{}", case.slug());
                let required: Vec<&Expected> = case.expected.iter().filter(|e| !e.maybe).collect();
                let waits = !required.is_empty() && required.iter().all(|e| by_name(&e.rule).is_none());
                trials.push(Trial::test(name, move || judge(&case, kind == "cheats")).with_ignored_flag(waits));
            }
        }
        trials.push(Trial::test(format!("{kind}/enough of each language"), move || enough(&counts)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn markdown(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/changes").join(kind);
    let entries = std::fs::read_dir(&folder).expect("fixtures/changes is there");
    let mut found: Vec<PathBuf> = entries.map(|e| e.expect("entry").path()).filter(|p| p.extension().is_some_and(|e| e == "md")).collect();
    found.sort();
    found
}

fn enough(counts: &[(String, usize)]) -> Result<(), Failed> {
    let all: usize = counts.iter().map(|(_, n)| n).sum();
    let few: Vec<_> = counts.iter().filter(|(_, n)| *n < CASES_OF_A_LANGUAGE_MIN).collect();
    if all < CASES_MIN || counts.len() < 6 || !few.is_empty() {
        return Err(format!("{all} cases: {counts:?}").into());
    }
    Ok(())
}

fn judge(case: &Case, cheat: bool) -> Result<(), Failed> {
    for expected in &case.expected {
        if !RULES_MEANT.contains(&expected.rule.as_str()) {
            return Err(format!("the label names no rule: {expected}").into());
        }
        if !cheat && !expected.maybe {
            return Err(format!("an honest change has a mark: {expected}").into());
        }
    }
    if cheat && case.expected.iter().all(|e| e.maybe) {
        return Err("a cheat without a mark".into());
    }
    let said = repo::check(case)?;
    let mut wrong: Vec<String> = Vec::new();
    for expected in case.expected.iter().filter(|e| !e.maybe && by_name(&e.rule).is_some()) {
        let found = said.iter().any(|s| (expected.info || s.level != "info") && same(expected, s));
        if found == expected.known {
            let what = if found { "said now, so `known` can go:" } else { "missing   " };
            wrong.push(format!("{what} {expected}"));
        }
    }
    for finding in said.iter().filter(|s| s.level != "info" && !case.expected.iter().any(|e| same(e, s))) {
        wrong.push(format!("unexpected {finding}"));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    wrong.extend(said.iter().map(|s| format!("  said     {s}")));
    Err(wrong.join("\n").into())
}

/// Whether a finding is the expected one.
fn same(expected: &Expected, said: &Said) -> bool {
    expected.rule == said.rule
        && expected.path.split('|').any(|path| path == said.path)
        && expected.line.is_none_or(|line| line == said.line)
        && expected.subject.as_ref().is_none_or(|part| said.subject.contains(part.as_str()))
}
