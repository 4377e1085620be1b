//! In CI: the script of the GitHub Action in the shallow clones that a checkout makes, and the entry of the pre-commit hook.

use super::repo::{Repo, git_in, isolated, run_command, skipped};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A clone as `actions/checkout` makes it: one commit, detached, and the remote to fetch more from.
#[cfg(unix)]
fn checkout(origin: &Repo, commit: &str) -> PathBuf {
    let clone = origin.beside("clone");
    origin.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let url = format!("file://{}", origin.root().display());
    git_in(origin.root(), &["init", "-q", clone.to_str().unwrap()]);
    git_in(&clone, &["remote", "add", "origin", &url]);
    git_in(&clone, &["fetch", "-q", "--depth=1", "origin", commit]);
    git_in(&clone, &["checkout", "-q", "--detach", "FETCH_HEAD"]);
    clone
}

#[cfg(unix)]
fn action(clone: &Path, variables: &[(&str, &str)]) -> super::repo::Run {
    let mut command = Command::new(root().join("scripts/action"));
    isolated(command.current_dir(clone)).env("OGUARD", env!("CARGO_BIN_EXE_oguard")).envs(variables.iter().copied());
    command.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_KEY_0", "protocol.file.allow").env("GIT_CONFIG_VALUE_0", "always");
    run_command(command)
}

#[cfg(unix)]
#[test]
fn a_pull_request_is_judged_in_a_shallow_clone() {
    let origin = Repo::with_test();
    origin.git(&["checkout", "-q", "-b", "topic"]);
    origin.write("a_test.go", skipped());
    origin.commit("one");
    origin.write("b.go", "package a\n");
    origin.commit("two");
    origin.git(&["checkout", "-q", "main"]);
    origin.write("m.go", "package a\n");
    origin.commit("main moved on");
    origin.git(&["merge", "-q", "--no-ff", "-m", "merge of the pull request", "topic"]);
    let merge = origin.git(&["rev-parse", "HEAD"]);
    let clone = checkout(&origin, &merge);
    let (summary, output, sarif) = (origin.beside("summary"), origin.beside("output"), origin.beside("sarif"));
    let run = action(
        &clone,
        &[
            ("GITHUB_EVENT_NAME", "pull_request"),
            ("GITHUB_SHA", &merge),
            ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap()),
            ("GITHUB_OUTPUT", output.to_str().unwrap()),
            ("SARIF_FILE", sarif.to_str().unwrap()),
        ],
    );
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.starts_with("::error file=a_test.go,line=6,"), "{}", run.stdout);
    assert!(!run.stdout.contains("m.go"), "what came from main is not the change: {}", run.stdout);
    assert_eq!(std::fs::read_to_string(&output).unwrap(), "exit-code=1\n");
    assert!(std::fs::read_to_string(&summary).unwrap().starts_with("### oguard: block\n"));
    let log: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&sarif).unwrap()).unwrap();
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 1);
}

/// Judging the last commit alone would pass what the one before it did.
#[cfg(unix)]
#[test]
fn the_head_of_a_pull_request_is_judged_from_where_it_left_the_base() {
    let origin = Repo::with_test();
    let base = origin.git(&["rev-parse", "HEAD"]);
    origin.git(&["checkout", "-q", "-b", "topic"]);
    origin.write("a_test.go", skipped());
    origin.commit("one");
    origin.write("b.go", "package a\n");
    let head = origin.commit("two");
    let clone = checkout(&origin, &head);
    for (event, sha) in [("pull_request", "1111111111111111111111111111111111111111"), ("pull_request_target", base.as_str())] {
        let variables = [("GITHUB_EVENT_NAME", event), ("GITHUB_SHA", sha), ("BASE", base.as_str())];
        let cut = action(&clone, &variables);
        assert_eq!(cut.code, 2, "{}{}", cut.stdout, cut.stderr);
        assert!(cut.stderr.contains("shallow clone does not hold the merge base"), "{}", cut.stderr);
        let whole = action(origin.root(), &variables);
        assert_eq!(whole.code, 1, "{}{}", whole.stdout, whole.stderr);
        assert!(whole.stdout.starts_with("::error file=a_test.go,line=6,"), "{}", whole.stdout);
    }
    origin.git(&["checkout", "-q", &base]);
    let nothing = action(origin.root(), &[("GITHUB_EVENT_NAME", "pull_request_target"), ("GITHUB_SHA", &base), ("BASE", &base)]);
    assert_eq!(nothing.code, 2, "{}{}", nothing.stdout, nothing.stderr);
}

#[cfg(unix)]
#[test]
fn a_push_is_judged_against_the_commit_before_it() {
    let origin = Repo::with_test();
    let before = origin.git(&["rev-parse", "HEAD"]);
    origin.write("a_test.go", skipped());
    origin.commit("one");
    origin.write("b.go", "package a\n");
    let head = origin.commit("two");
    let clone = checkout(&origin, &head);
    let run = action(&clone, &[("GITHUB_EVENT_NAME", "push"), ("BEFORE", &before)]);
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.starts_with("::error file=a_test.go,line=6,"), "{}", run.stdout);
}

#[cfg(unix)]
#[test]
fn a_new_branch_is_judged_by_its_last_commit() {
    let origin = Repo::with_test();
    origin.write("a_test.go", skipped());
    let head = origin.commit("one");
    let clone = checkout(&origin, &head);
    let run = action(&clone, &[("GITHUB_EVENT_NAME", "push"), ("BEFORE", "0000000000000000000000000000000000000000")]);
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
}

#[test]
fn the_entry_of_the_pre_commit_hook_judges_the_index() {
    let hooks = std::fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    let entry = hooks.lines().find_map(|line| line.trim().strip_prefix("entry: oguard ")).expect("an entry");
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped());
    let words: Vec<&str> = entry.split(' ').collect();
    assert_eq!(repo.run(&words).code, 0, "nothing is staged");
    repo.git(&["add", "-A"]);
    assert_eq!(repo.run(&words).code, 1);
}
