//! Runs every Markdown fixture by name: `cargo test -p oguard-engine --test corpus -- test-focused/go`.
//!
//! A heading is a case, prose says why, fenced blocks are the texts (`base` and `edited`). A line of carets marks a finding
//! of the line above it and is removed before parsing. No mark asserts silence. `UPDATE_EXPECT=1` rewrites the marks.
//! Other files of a change come before, as `base also path=…` and `edited also path=…`; `edited gone` is a file that is deleted,
//! `task=bugfix` what the change is for.

mod fixture;

use fixture::{Case, Fixture};
use libtest_mimic::{Arguments, Failed, Trial};
use oguard_engine::change::{self, File};
use oguard_engine::check::{Baseline, Checked, check};
use oguard_engine::document::{Document, Parsers};
use oguard_engine::finding::Finding;
use oguard_engine::grammars::visit::FileKind;
use oguard_engine::grammars::{LANGUAGES, by_path};
use oguard_engine::settings::Settings;
use std::path::{Path, PathBuf};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/rules");
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut trials = Vec::new();
    for path in markdown(&root) {
        let text = std::fs::read_to_string(&path).expect("the fixture is readable");
        let rule = path.parent().and_then(Path::file_name).and_then(|n| n.to_str()).expect("fixtures/rules/RULE/").to_owned();
        let language = path.file_stem().and_then(|n| n.to_str()).expect("a language").to_owned();
        let fixture = Fixture::parse(&text, &rule);
        assert!(!fixture.cases.is_empty(), "{}: no case", path.display());
        if update {
            rewrite(&path, &fixture, &rule);
            continue;
        }
        for case in fixture.cases {
            let name = format!("{rule}/{language}/{}", case.slug());
            let rule = rule.clone();
            trials.push(Trial::test(name, move || judge(&case, &rule)));
        }
    }
    // A dialect has its cases with its language.
    trials.extend(LANGUAGES.iter().filter(|l| !l.id.ends_with("react")).map(|language| {
        let id = language.id;
        Trial::test(format!("usual paths of {id}"), move || usual_paths(id))
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// A case that names no path stands in test code for the rules on tests, and in production code for the others: where a language
/// has no row in `default_path`, its cases would be judged as something else.
fn usual_paths(id: &str) -> Result<(), Failed> {
    let (test, production) = (fixture::default_path(id, "test-disabled"), fixture::default_path(id, "stub-body"));
    // Tests of some languages stand in any file, and the syntax tells.
    let expected = if test == production {
        vec![(production, FileKind::Production)]
    } else {
        vec![(test, FileKind::Test), (production, FileKind::Production)]
    };
    for (path, kind) in expected {
        let language = by_path(&path).filter(|l| l.id == id);
        if language.is_none_or(|l| Settings::default().file_kind(l, &path) != kind) {
            return Err(format!("{path} is no {kind:?} path of {id}: give it a row in `default_path` of tests/corpus/fixture.rs").into());
        }
    }
    Ok(())
}

fn markdown(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for rule in std::fs::read_dir(root).expect("fixtures/rules is there") {
        for file in std::fs::read_dir(rule.expect("entry").path()).expect("a folder a rule") {
            let path = file.expect("entry").path();
            if path.extension().is_some_and(|e| e == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Returns what the engine says of a case about the rule under test.
fn findings(case: &Case, rule: &str) -> Vec<Finding> {
    let mut settings = Settings::default();
    settings.task = case.task;
    let mut parsers = Parsers::default();
    let mut read = |path: &str, text: &str| {
        let language = by_path(path).unwrap_or_else(|| panic!("no language for {path}"));
        let mut document = Document::new(language, path, text.to_owned(), &settings);
        assert!(document.read(&mut parsers, &mut || true));
        document
    };
    let mut sides = vec![(
        case.path.as_str(),
        case.base.as_deref().map(|text| Baseline::new(read(&case.base_path, text), &case.base_path)),
        read(&case.path, &case.edited),
        case.gone,
    )];
    for other in &case.others {
        let base = other.base.as_deref().map(|text| Baseline::new(read(&other.path, text), &other.path));
        sides.push((&other.path, base, read(&other.path, other.edited.as_deref().unwrap_or("")), other.edited.is_none()));
    }
    let checked: Vec<Checked> = sides.iter().map(|(path, base, edited, _)| check(edited, path, base.as_ref(), &settings)).collect();
    let files: Vec<File<'_>> = sides
        .iter()
        .zip(&checked)
        .map(|((path, base, edited, gone), checked)| File {
            path,
            base: base.as_ref(),
            edited: (!gone).then_some(edited),
            explained: &checked.explained,
            silent: false,
        })
        .collect();
    let tests = change::tests(&files, &[]);
    let across = change::check(&files, &[], &tests, &settings);
    let failures: Vec<_> = checked.iter().flat_map(|c| &c.failures).chain(&across.failures).collect();
    assert!(failures.is_empty(), "rules failed: {failures:?}");
    let alone = checked.iter().enumerate().flat_map(|(file, c)| c.findings.iter().map(move |f| (file, f.clone())));
    let mut alone: Vec<(usize, Finding)> = alone.collect();
    change::soften(&tests, alone.iter_mut().map(|(_, finding)| finding));
    let mut found: Vec<(usize, Finding)> = alone.into_iter().chain(across.findings).filter(|(_, f)| f.rule.id.0 == rule).collect();
    if let Some((file, finding)) = found.iter().find(|(file, _)| *file != 0) {
        panic!("{}: {}", files[*file].path, finding.message);
    }
    found.sort_by_key(|(_, finding)| finding.range.start);
    found.into_iter().map(|(_, finding)| finding).collect()
}

fn judge(case: &Case, rule: &str) -> Result<(), Failed> {
    let found = findings(case, rule);
    let got: Vec<String> = found.iter().map(|f| describe(case, f, f.level.name())).collect();
    let want: Vec<String> = case.marks.iter().map(ToString::to_string).collect();
    // The level may be left out where it is the rule's own.
    let same = |(f, w): (&Finding, &String)| describe(case, f, f.level.name()) == *w || describe(case, f, "") == *w;
    if got.len() == want.len() && found.iter().zip(&want).all(same) {
        return Ok(());
    }
    Err(format!("expected {want:#?}\n     got {got:#?}").into())
}

/// Returns a finding in the words of a mark: `line:column+width rule level`.
fn describe(case: &Case, finding: &Finding, level: &str) -> String {
    let width = fixture::width(&case.edited, finding);
    let subject = if finding.absent { format!(" ({})", finding.subject) } else { String::new() };
    let level = if level.is_empty() { String::new() } else { format!(" {level}") };
    format!("{}:{}+{width} {}{level}{subject}", finding.start.line, finding.start.column, finding.rule.id.0)
}

fn rewrite(path: &Path, fixture: &Fixture, rule: &str) {
    let text = fixture.render(|case| {
        let found = findings(case, rule);
        found.iter().map(|f| fixture::Mark::of(&case.edited, f)).collect()
    });
    std::fs::write(path, text).expect("the fixture is writable");
}
