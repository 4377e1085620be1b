//! `oguard.toml`: levels, exclusions, and slips that must not switch a guard off.

use super::repo::{Repo, skipped};

#[test]
fn a_typo_ends_with_the_valid_names() {
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped());
    for (text, place, names) in [
        ("[rules]\ntest-disable = \"off\"\n", "oguard.toml", "test-disabled"),
        ("[rules]\ntest-disabled = \"of\"\n", "oguard.toml", "off, info, warn, block"),
        ("\n[path]\n", "oguard.toml:2:2", "`paths`"),
        ("[rules\n", "oguard.toml:1:", ""),
        ("version = 2\n", "oguard.toml", "update oguard"),
    ] {
        repo.write("oguard.toml", text);
        for command in ["check", "scan"] {
            let run = repo.run(&[command]);
            assert!(run.error().contains(place) && run.error().contains(names), "{command} {text}: {}", run.stderr);
        }
    }
}

#[test]
fn levels_move_and_a_rule_that_is_off_is_named() {
    let repo = Repo::with_test();
    repo.write("oguard.toml", "[rules]\ntest-disabled = \"warn\"\n");
    repo.write("a_test.go", skipped());
    let run = repo.check(&[]);
    assert_eq!((run.code, run.json()["findings"][0]["level"].as_str()), (0, Some("warn")));
    repo.write("oguard.toml", "[rules]\ntest-disabled = \"off\"\n");
    let run = repo.check(&["a_test.go"]);
    assert_eq!((run.found(), run.not_evaluated()), (vec![], vec!["rule test-disabled: off in oguard.toml".to_owned()]));
}

#[test]
fn an_excluded_path_is_named_and_not_judged() {
    let repo = Repo::with_test();
    repo.write("oguard.toml", "[paths]\nexclude = [\"old/**\"]\n");
    repo.commit("settings");
    repo.write("old/a_test.go", skipped());
    let run = repo.check(&[]);
    assert_eq!(run.found(), [""; 0]);
    assert_eq!(run.not_evaluated(), ["old/a_test.go: excluded: vendored, generated output, or by oguard.toml"]);
}
