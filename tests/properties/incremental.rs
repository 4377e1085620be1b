//! After any edits, facts taken over from before equal facts read afresh.

use crate::texts::{SAMPLES, change, document, edits};
use oguard_engine::document::Parsers;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn incremental_facts_equal_fresh_ones(sample in 0..SAMPLES.len(), rounds in proptest::collection::vec(edits(), 1..4)) {
        let (path, text) = SAMPLES[sample];
        let mut edited = document(path, text);
        let mut parsers = Parsers::default();
        for round in rounds {
            for edit in round {
                let change = change(edited.text(), edit);
                edited.change(&change);
            }
            prop_assert!(edited.read(&mut parsers, &mut || true));
            let afresh = edited.facts_afresh().expect("the tree is there");
            prop_assert_eq!(edited.inventory(), &afresh, "taken over, text: {}", edited.text());
            // Where a text is broken, the parser's repairs depend on what it had before; where it is sound, they must not.
            let fresh = document(path, edited.text());
            if fresh.inventory().broken == 0 && afresh.broken == 0 {
                prop_assert_eq!(&afresh, fresh.inventory(), "parsed afresh, text: {}", edited.text());
            }
        }
    }
}

/// A token that is missing right behind a unit has no width and starts where the unit ends: it is not the unit's.
#[test]
fn what_is_missing_right_behind_a_unit_stays_seen() {
    let mut parsers = Parsers::default();
    for tail in ["const a = (it('a', () => { run(); });\n", "function f() { function g() { run(); } "] {
        let mut edited = document("src/a.test.js", &format!("let q = 1;\n{tail}"));
        assert!(edited.read(&mut parsers, &mut || true));
        let broken = edited.inventory().broken;
        assert!(broken > 0, "the sample lacks its bracket: {tail}");
        edited.change(&oguard_engine::document::Change { range: 4..5, text: "quantity".to_owned() });
        assert!(edited.read(&mut parsers, &mut || true));
        assert_eq!(edited.inventory().broken, broken, "{tail}");
    }
}
