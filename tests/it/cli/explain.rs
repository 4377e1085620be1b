//! `oguard explain`: rules by name, findings by id.

use super::repo::{Repo, run_in, skipped};

#[test]
fn every_rule_has_a_page() {
    let temp = tempfile::tempdir().unwrap();
    for rule in oguard_engine::rules::RULES {
        let run = run_in(temp.path(), &["explain", rule.id.0]);
        assert_eq!(run.code, 0);
        assert!(run.stdout.starts_with(&format!("{}: {}", rule.id.0, rule.summary)), "{}", run.stdout);
        for part in ["Why", "What to do", "Limits", "Example"] {
            assert!(run.stdout.contains(part), "{}: {part}", rule.id.0);
        }
    }
}

#[test]
fn an_id_of_the_present_change_leads_to_its_rule() {
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped());
    let id = repo.check(&[]).ids().remove(0);
    let run = repo.run(&["explain", &id]);
    assert!(run.stdout.starts_with(&format!("{id} a_test.go:6:2\n")) && run.stdout.contains("\ntest-disabled: "), "{}", run.stdout);
    let gone = repo.run(&["explain", "og1:0000000000000000"]);
    assert!(gone.error().contains("no finding og1:0000000000000000") && gone.error().contains("oguard check"), "{}", gone.stderr);
}

#[test]
fn a_name_that_is_no_rule_lists_the_rules() {
    let temp = tempfile::tempdir().unwrap();
    let run = run_in(temp.path(), &["explain", "test-disable"]);
    assert!(run.error().contains("the rules are") && run.error().contains("test-disabled"), "{}", run.stderr);
}
