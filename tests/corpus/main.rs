//! Runs every Markdown fixture by name: `cargo test -p oguard-engine --test corpus -- test-focused/go`.
//!
//! A heading is a case, prose says why, fenced blocks are the texts (`base` and `edited`). A line of carets marks a finding
//! of the line above it and is removed before parsing. No mark asserts silence. `UPDATE_EXPECT=1` rewrites the marks.

mod fixture;

use fixture::{Case, Fixture};
use libtest_mimic::{Arguments, Failed, Trial};
use oguard_engine::check::{Baseline, check};
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
    let language = by_path(&case.path).unwrap_or_else(|| panic!("no language for {}", case.path));
    let settings = Settings::default();
    let mut parsers = Parsers::default();
    let mut read = |text: &str| {
        let mut document = Document::new(language, &case.path, text.to_owned(), &settings);
        assert!(document.read(&mut parsers, &mut || true));
        document
    };
    let base = case.base.as_deref().map(|text| Baseline::new(read(text), &case.path));
    let checked = check(&read(&case.edited), &case.path, base.as_ref(), &settings);
    assert!(checked.failures.is_empty(), "rules failed: {:?}", checked.failures);
    checked.findings.into_iter().filter(|f| f.rule.id.0 == rule).collect()
}

fn judge(case: &Case, rule: &str) -> Result<(), Failed> {
    let got: Vec<String> = findings(case, rule).iter().map(|f| describe(case, f)).collect();
    let want: Vec<String> = case.marks.iter().map(ToString::to_string).collect();
    let same =
        got.len() == want.len() && got.iter().zip(&want).all(|(g, w)| g == w || g.rsplit_once(' ').is_some_and(|(short, _)| short == w));
    if same {
        return Ok(());
    }
    Err(format!("expected {want:#?}\n     got {got:#?}").into())
}

/// Returns a finding in the words of a mark: `line:column+width rule level`.
fn describe(case: &Case, finding: &Finding) -> String {
    let width = fixture::width(&case.edited, finding);
    format!("{}:{}+{width} {} {}", finding.start.line, finding.start.column, finding.rule.id.0, finding.level.name())
}

fn rewrite(path: &Path, fixture: &Fixture, rule: &str) {
    let text = fixture.render(|case| {
        let found = findings(case, rule);
        found.iter().map(|f| fixture::Mark::of(&case.edited, f)).collect()
    });
    std::fs::write(path, text).expect("the fixture is writable");
}
