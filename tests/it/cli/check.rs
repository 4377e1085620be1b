//! `oguard check`: what is compared with what, paths, exit codes.

use super::repo::{Repo, TEST, run_in, skipped, with_skip};

const DISABLED: &str = "a_test.go test-disabled";

#[test]
fn a_skip_in_the_work_tree_blocks() {
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped());
    let run = repo.check(&[]);
    assert_eq!((run.code, run.found()), (1, vec![DISABLED.to_owned()]));
    let report = run.json();
    assert_eq!(report["verdict"], "block");
    assert_eq!(report["claim"]["baseline"].as_str().unwrap(), repo.git(&["rev-parse", "HEAD"]));
}

#[test]
fn a_clean_tree_passes_and_says_what_it_compared() {
    let repo = Repo::with_test();
    let run = repo.run(&["check"]);
    let head = repo.git(&["rev-parse", "--short=12", "HEAD"]);
    assert_eq!(run.code, 0);
    assert_eq!(run.stdout, format!("pass: nothing changed; work tree against HEAD {head}; no contract: level 0 only\n"));
}

#[test]
fn untracked_files_count_and_ignored_ones_do_not() {
    let repo = Repo::with_test();
    repo.write(".gitignore", "build/\n");
    repo.commit("ignore");
    repo.write("new/b.go", "package b\n");
    repo.write("build/c.go", "package c\n");
    assert_eq!(repo.check(&[]).json()["claim"]["files"], serde_json::json!(["new/b.go"]));
}

#[test]
fn before_the_first_commit_everything_is_new() {
    let repo = Repo::new();
    repo.write("a_test.go", TEST);
    for args in [&[][..], &["--staged"]] {
        repo.git(&["add", "-A"]);
        let report = repo.check(args).json();
        assert_eq!(report["claim"]["baseline"], "empty");
        assert_eq!(report["claim"]["files"], serde_json::json!(["a_test.go"]));
    }
}

#[test]
fn a_detached_head_is_a_base_like_any_other() {
    let repo = Repo::with_test();
    repo.git(&["checkout", "-q", "--detach"]);
    repo.write("a_test.go", skipped());
    assert_eq!(repo.check(&[]).found(), [DISABLED]);
}

#[test]
fn a_base_is_the_merge_base_with_head() {
    let repo = Repo::with_test();
    let fork = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("a_test.go", skipped());
    repo.commit("skip");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("other.go", "package a\n");
    repo.commit("main moves on");
    repo.git(&["checkout", "-q", "topic"]);
    repo.write("fresh.go", "package a\n");
    assert_eq!(repo.check(&[]).found(), [""; 0], "nothing of the commit is in the work tree's change");
    let run = repo.check(&["--base", "main"]);
    assert_eq!(run.found(), [DISABLED]);
    let report = run.json();
    assert_eq!(report["claim"]["baseline"].as_str(), Some(fork.as_str()));
    assert_eq!(report["claim"]["files"], serde_json::json!(["a_test.go", "fresh.go"]), "untracked files count here too");
}

#[test]
fn a_commit_is_judged_without_a_checkout() {
    let repo = Repo::with_test();
    let base = repo.git(&["rev-parse", "HEAD"]);
    repo.write("a_test.go", skipped());
    let skip = repo.commit("skip");
    repo.write("b.go", "package a\n");
    let last = repo.commit("more");
    repo.write("a_test.go", TEST);
    assert_eq!(repo.check(&["--head", &skip]).found(), [DISABLED], "against its first parent");
    assert_eq!(repo.check(&["--head", &last]).found(), [""; 0]);
    let both = repo.check(&["--head", &last, "--base", &base]);
    assert_eq!((both.found(), both.json()["claim"]["baseline"].as_str()), (vec![DISABLED.to_owned()], Some(base.as_str())));
    let first = repo.check(&["--head", &base]).json();
    assert_eq!((first["claim"]["baseline"].as_str(), first["verdict"].as_str()), (Some("empty"), Some("pass")));
}

#[test]
fn the_index_is_judged_and_not_the_work_tree() {
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped());
    repo.git(&["add", "-A"]);
    repo.write("a_test.go", TEST);
    repo.write("untracked_test.go", skipped());
    assert_eq!(repo.check(&["--staged"]).found(), [DISABLED]);
    let report = repo.check(&[]).json();
    assert!(report["findings"].as_array().unwrap().iter().all(|f| f["path"] == "untracked_test.go"), "{report}");
}

#[test]
fn paths_limit_what_is_judged() {
    let repo = Repo::with_test();
    repo.write("sub/a_test.go", TEST);
    repo.commit("second");
    repo.write("a_test.go", skipped());
    repo.write("sub/a_test.go", skipped());
    assert_eq!(repo.check(&["sub"]).found(), ["sub/a_test.go test-disabled"]);
    assert_eq!(repo.check(&["a_test.go", "./sub/../sub"]).found().len(), 2);
    let inside = run_in(&repo.root().join("sub"), &["check", "--format", "json", "a_test.go"]);
    assert_eq!(inside.found(), ["sub/a_test.go test-disabled"], "paths are relative to where one stands");
    let all = run_in(&repo.root().join("sub"), &["check", "--format", "json"]);
    assert_eq!(all.found().len(), 2, "without a path the whole change is judged from anywhere");
}

#[test]
fn a_path_that_is_nowhere_is_no_pass() {
    let repo = Repo::with_test();
    let slip = repo.run(&["check", "a_tset.go"]);
    assert!(slip.error().contains("a_tset.go is not there"), "{}", slip.stderr);
    let outside = repo.run(&["check", ".."]);
    assert!(outside.error().contains("not below the root"), "{}", outside.stderr);
    repo.remove("a_test.go");
    assert_eq!(repo.check(&["a_test.go"]).json()["claim"]["files"], serde_json::json!(["a_test.go"]), "a deleted one is known");
}

#[test]
fn old_debt_stays_silent_when_it_moves_with_its_file() {
    let repo = Repo::new();
    repo.write("a_test.go", skipped());
    repo.commit("debt");
    repo.write("moved/b_test.go", skipped());
    repo.remove("a_test.go");
    let run = repo.check(&[]);
    assert_eq!((run.found(), run.json()["remaining"].as_u64()), (vec![], Some(1)));
}

#[test]
fn a_test_that_moved_between_files_brings_no_new_finding() {
    let repo = Repo::new();
    let other = "package a\n\nimport \"testing\"\n\nfunc TestOther(t *testing.T) {\n\tif 2 != 2 {\n\t\tt.Fatal(\"no\")\n\t}\n}\n";
    let (head, body) = TEST.split_at(TEST.find("func").unwrap());
    repo.write("a_test.go", format!("{}\n{}", other, with_skip(body)));
    repo.write("b_test.go", format!("{head}var x = 1\n"));
    repo.commit("debt in a");
    repo.write("a_test.go", other);
    repo.write("b_test.go", format!("{head}var x = 1\n\n{}", with_skip(body)));
    let run = repo.check(&[]);
    assert_eq!((run.found(), run.json()["remaining"].as_u64()), (vec![], Some(1)), "{}", run.stdout);
    assert_eq!(repo.check(&["b_test.go"]).found(), [""; 0], "also where only the file it moved to is asked for");
}

#[test]
fn fail_on_warn_fails_a_warning() {
    let repo = Repo::new();
    repo.write("a.go", "package a\n");
    repo.commit("base");
    repo.write("a.go", "package a\n\nfunc f( {\n");
    assert_eq!(repo.run(&["check"]).code, 0);
    assert_eq!(repo.run(&["check", "--fail-on", "warn"]).code, 1);
}

#[test]
fn the_kind_of_the_task_is_in_the_claim() {
    let repo = Repo::with_test();
    assert_eq!(repo.check(&["--task", "bugfix"]).json()["claim"]["task"], "bugfix");
    let wrong = repo.run(&["check", "--task", "fix"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("bugfix, refactor, improvement"), "the kinds are listed: {}", wrong.stderr);
}

#[test]
fn a_rename_that_leaves_the_language_is_judged_as_gone() {
    let repo = Repo::with_test();
    repo.git(&["mv", "a_test.go", "a_test.go.tmpl"]);
    let run = repo.check(&[]);
    assert_eq!(run.json()["claim"]["files"], serde_json::json!(["a_test.go"]));
    assert_eq!(run.not_evaluated(), ["a_test.go.tmpl: unknown language"]);
}
