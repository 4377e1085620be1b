//! `oguard tests`: what happened to the tests of a change.

use super::repo::Repo;
use serde_json::Value;

const BASE: &str = "import pytest\n\n\ndef test_kept():\n    assert sum([1]) == 1\n\n\ndef test_pair():\n    value = sum([1, 2])\n    \
                    assert value == 3\n\n\ndef test_gone():\n    assert max([4, 9]) == 9\n\n\ndef test_off():\n    assert min([4, 9]) == 4\n\n\n\
                    def test_moves():\n    words = \"a b\".split()\n    assert words == [\"a\", \"b\"]\n";

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("test_a.py", BASE);
    repo.commit("base");
    let moved = "def test_moves():\n    words = \"a b\".split()\n    assert words == [\"a\", \"b\"]\n";
    let edited = BASE
        .replace("test_pair", "test_two")
        .replace("\n\n\ndef test_gone():\n    assert max([4, 9]) == 9", "")
        .replace("def test_off", "@pytest.mark.skip\ndef test_off")
        .replace(&format!("\n\n{moved}"), "\n\ndef test_new():\n    assert abs(-3) == 3\n");
    repo.write("test_a.py", edited);
    repo.write("test_b.py", moved);
    repo
}

fn states(tests: &Value) -> Vec<String> {
    let name = |place: &Value| place["name"].as_str().unwrap_or("-").to_owned();
    let row = |t: &Value| format!("{} {} {}", t["state"].as_str().unwrap(), name(&t["was"]), name(&t["is"][0]));
    tests["tests"].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn each_test_is_said_with_what_became_of_it() {
    let repo = repo();
    let tests = repo.run(&["tests", "--format", "json"]).json();
    assert_eq!(tests["schema"], "oguard.tests/1");
    let mut said = states(&tests);
    said.sort();
    assert_eq!(
        said,
        [
            "added - test_new",
            "disabled test_off test_off",
            "kept test_kept test_kept",
            "moved test_moves test_moves",
            "removed test_gone -",
            "renamed test_pair test_two"
        ]
    );
    assert_eq!(tests["counts"]["removed"], 1);
    let off = tests["tests"].as_array().unwrap().iter().find(|t| t["state"] == "disabled").unwrap();
    assert_eq!(off["findings"][0]["rule"], "test-disabled");
}

#[test]
fn a_reviewer_reads_what_changed_and_judges_it() {
    let repo = repo();
    let text = repo.run(&["tests"]);
    assert_eq!(text.code, 0, "it judges nothing");
    assert!(text.stdout.contains("renamed      test_pair -> test_two"), "{}", text.stdout);
    assert!(!text.stdout.contains("test_kept"), "nothing happened to it");
    assert!(repo.run(&["tests", "--all"]).stdout.contains("test_kept"));
    let markdown = repo.run(&["tests", "--format", "markdown"]).stdout;
    assert!(markdown.contains("| **removed** | `test_gone` |"), "{markdown}");
    let one = states(&repo.run(&["tests", "--format", "json", "test_b.py"]).json());
    assert_eq!(one, ["moved test_moves test_moves"], "files that were not asked for only explain");
}

#[test]
fn what_a_change_is_for_moves_levels() {
    let repo = repo();
    let level = |task: &[&str]| {
        let args: Vec<&str> = [&["check", "--format", "json"], task].concat();
        let report = repo.run(&args).json();
        let removed = report["findings"].as_array().unwrap().iter().find(|f| f["rule"] == "test-removed").unwrap().clone();
        removed["level"].as_str().unwrap().to_owned()
    };
    assert_eq!(level(&[]), "warn");
    assert_eq!(level(&["--task", "bugfix"]), "block");
    assert_eq!(level(&["--task", "revert"]), "info");
    repo.write("oguard.toml", "[rules]\ntest-removed = \"warn\"\n");
    assert_eq!(level(&["--task", "bugfix"]), "warn", "what the repository sets outweighs it");
    let slip = repo.run(&["check", "--task", "bugfx"]);
    assert_eq!(slip.code, 2);
    assert!(slip.stderr.contains("bugfix") && slip.stderr.contains("refactor"), "{}", slip.stderr);
}
