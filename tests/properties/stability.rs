//! Ids and silence: a text against itself says nothing; what moved keeps its id; an undone edit leaves nothing.

use crate::texts::{SAMPLES, change, document, edits};
use oguard_engine::check::{Baseline, check};
use oguard_engine::settings::Settings;
use proptest::prelude::*;

fn ids(path: &str, base: Option<&str>, edited: &str) -> Vec<String> {
    let base = base.map(|text| Baseline::new(document(path, text), path));
    let checked = check(&document(path, edited), path, base.as_ref(), &Settings::default());
    checked.findings.into_iter().map(|f| f.fingerprint).collect()
}

#[test]
fn a_text_against_itself_says_nothing() {
    for (path, text) in SAMPLES {
        assert_eq!(ids(path, Some(text), text), Vec::<String>::new(), "{path}");
    }
}

#[test]
fn every_language_has_a_sample() {
    for language in oguard_engine::grammars::LANGUAGES {
        let sampled = SAMPLES.iter().any(|(path, _)| oguard_engine::grammars::by_path(path).is_some_and(|l| l.id == language.id));
        assert!(sampled, "{}: no row in SAMPLES of tests/properties/texts.rs", language.id);
    }
}

#[test]
fn every_sample_says_something_as_a_new_file() {
    for (path, text) in SAMPLES {
        assert!(!ids(path, None, text).is_empty(), "{path}");
    }
}

#[test]
fn line_ends_bom_and_indentation_are_no_change() {
    for (path, text) in SAMPLES {
        let crlf = text.replace('\n', "\r\n");
        assert_eq!(ids(path, Some(text), &crlf), Vec::<String>::new(), "{path}: CRLF");
        let bom = format!("\u{feff}{text}");
        assert_eq!(ids(path, Some(text), &bom), Vec::<String>::new(), "{path}: BOM");
    }
}

#[test]
fn blank_lines_at_the_top_move_no_id() {
    for (path, text) in SAMPLES {
        // A Rust file's inner attributes and a Go file's constraints may stand below blank lines.
        assert_eq!(ids(path, None, text), ids(path, None, &format!("\n\n\n{text}")), "{path}");
    }
}

#[test]
fn predicates_nested_without_end_cost_neither_stack_nor_time() {
    let nested = |depth: usize| format!("#[cfg({}test{})]\n#[test]\nfn a() {{}}\n", "not(".repeat(depth), ")".repeat(depth));
    let small = std::thread::Builder::new().stack_size(2 * 1024 * 1024);
    let read = small.spawn(move || [800, 20_000].map(|depth| document("src/a.rs", &nested(depth)).inventory().units.len()));
    assert_eq!(read.expect("a thread").join().expect("no overflow"), [2, 2]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_text_against_itself_says_nothing(sample in 0..SAMPLES.len(), round in edits()) {
        let (path, text) = SAMPLES[sample];
        let mut text = text.to_owned();
        for edit in round {
            let change = change(&text, edit);
            text.replace_range(change.range, &change.text);
        }
        prop_assert_eq!(ids(path, Some(&text), &text), Vec::<String>::new());
    }
}
