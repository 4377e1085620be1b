//! Git's pre-commit hook: the index is judged, in exit codes and text on standard error.

use super::agent::OTHER;
use crate::cli::repo::{Repo, TEST, isolated, program, skipped};
use std::process::Command;

/// Installs the hook and commits; returns whether the commit went through, and what was said.
fn commit(repo: &Repo, arguments: &[&str]) -> (bool, String) {
    let mut git = Command::new("git");
    let output = isolated(git.current_dir(repo.root()).arg("commit").args(arguments)).output().unwrap();
    (output.status.success(), String::from_utf8(output.stderr).unwrap())
}

fn install(repo: &Repo) {
    let run = repo.run(&["hook", "install", "git", "--yes"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn a_commit_with_a_disabled_test_is_refused() {
    let repo = Repo::with_test();
    install(&repo);
    repo.write("a_test.go", skipped());
    repo.git(&["add", "a_test.go"]);
    let (done, said) = commit(&repo, &["-qm", "x"]);
    assert!(!done && said.contains("block: test-disabled: "), "{said}");
    // The index counts, not the work tree.
    repo.write("a_test.go", TEST);
    assert!(!commit(&repo, &["-qm", "x"]).0);
    repo.git(&["add", "a_test.go"]);
    repo.write("a_test.go", skipped());
    repo.write("b.go", "package a\n");
    repo.git(&["add", "b.go"]);
    assert_eq!(commit(&repo, &["-qm", "x"]), (true, String::new()));
    assert!(!commit(&repo, &["-qam", "x"]).0, "what `-a` takes in counts");
}

#[test]
fn a_warning_is_shown_and_lets_the_commit_pass() {
    let repo = Repo::with_test();
    install(&repo);
    repo.write("later.py", "def later():\n    raise NotImplementedError\n");
    repo.git(&["add", "later.py"]);
    let (done, said) = commit(&repo, &["-qm", "x"]);
    assert!(done && said.contains("warn: stub-body: "), "{said}");
}

#[test]
fn what_a_merge_brings_is_not_judged_again() {
    let repo = Repo::with_test();
    repo.write("b_test.go", OTHER);
    repo.write("c.go", "package a\n");
    repo.commit("both");
    repo.git(&["checkout", "-q", "-b", "theirs"]);
    repo.write("a_test.go", skipped());
    repo.commit("theirs");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("c.go", "package a\n\nvar x = 1\n");
    repo.commit("ours");
    repo.git(&["merge", "-q", "--no-commit", "theirs"]);
    install(&repo);
    let run = repo.run(&["hook", "git"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    // What is added to the merge is.
    repo.write("b_test.go", OTHER.replace("if 2-1", "t.Skip()\n\tif 2-1"));
    repo.git(&["add", "b_test.go"]);
    let run = repo.run(&["hook", "git"]);
    assert!(run.code == 1 && run.stderr.contains("TestSub") && !run.stderr.contains("TestAdd"), "{}", run.stderr);
}

#[test]
fn a_side_of_a_merge_that_cannot_be_judged_takes_nothing_from_ours() {
    let repo = Repo::with_test();
    repo.git(&["checkout", "-q", "-b", "theirs"]);
    repo.write("a_test.go", "package a\n\0\n");
    repo.commit("theirs");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("c.go", "package a\n");
    repo.commit("ours");
    repo.git(&["merge", "-q", "--no-commit", "theirs"]);
    repo.write("a_test.go", skipped());
    repo.git(&["add", "a_test.go"]);
    install(&repo);
    let run = repo.run(&["hook", "git"]);
    assert!(run.code == 1 && run.stderr.contains("test-disabled"), "{}", run.stderr);
}

#[test]
fn what_cannot_be_judged_stops_the_commit() {
    let repo = Repo::with_test();
    repo.write("oguard.toml", "[ruls]\n");
    let run = repo.run(&["hook", "git"]);
    assert!(run.error().contains("oguard.toml:1:2"), "{}", run.stderr);
    let empty = repo.beside("empty");
    std::fs::create_dir(&empty).unwrap();
    repo.remove("oguard.toml");
    let output = program(repo.root(), &["hook", "git"]).env("PATH", &empty).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_work_tree_uses_the_hook_of_its_repository() {
    let repo = Repo::with_test();
    let tree = repo.beside("tree");
    repo.git(&["worktree", "add", "-q", tree.to_str().unwrap()]);
    let run = crate::cli::repo::run_in(&tree, &["hook", "install", "git", "--yes"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(repo.root().join(".git/hooks/pre-commit").is_file());
    std::fs::write(tree.join("a_test.go"), skipped()).unwrap();
    let output = isolated(Command::new("git").current_dir(&tree).args(["commit", "-qam", "x"])).output().unwrap();
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("test-disabled"));
}
