//! A unified diff as the base: inside git, outside git, from a file and from a pipe.

use super::repo::{Repo, TEST, git_in, run_in, run_with_input, skipped};

/// A folder outside git that holds what a diff leads to, and the diff beside it.
fn folder(before: &[(&str, &str)], after: &[(&str, &str)]) -> (tempfile::TempDir, std::path::PathBuf, String) {
    let temp = tempfile::tempdir().unwrap();
    let repo = Repo::new();
    for (path, text) in before {
        repo.write(path, text);
    }
    repo.commit("base");
    for (path, _) in before {
        repo.remove(path);
    }
    let root = temp.path().join("plain");
    for (path, text) in after {
        repo.write(path, text);
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    std::fs::create_dir_all(&root).unwrap();
    git_in(repo.root(), &["add", "-A"]);
    let diff = repo.git(&["diff", "--cached", "-M"]) + "\n";
    (temp, root, diff)
}

fn check(root: &std::path::Path, diff: &str) -> super::repo::Run {
    run_with_input(root, &["check", "--diff", "-", "--format", "json"], diff.as_bytes())
}

#[test]
fn outside_git_the_diff_gives_the_base() {
    let (_temp, root, diff) = folder(&[("a_test.go", TEST)], &[("a_test.go", &skipped())]);
    let run = check(&root, &diff);
    assert_eq!((run.code, run.found()), (1, vec!["a_test.go test-disabled".to_owned()]));
    assert_eq!(run.json()["claim"]["baseline"], "diff");
    std::fs::write(root.join("the.diff"), &diff).unwrap();
    assert_eq!(run_in(&root, &["check", "--diff", "the.diff", "--format", "json"]).ids(), run.ids());
}

#[test]
fn ids_are_those_of_check() {
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped());
    let diff = repo.git(&["diff"]) + "\n";
    assert_eq!(check(repo.root(), &diff).ids(), repo.check(&[]).ids());
}

#[test]
fn renames_new_and_deleted_files() {
    let before =
        [("old/a_test.go", TEST), ("gone.go", "package a\n\nvar x = map[string]int{\"one\": 1}\n"), ("same name.go", "package a\n")];
    let after = [
        ("new/ä_test.go", skipped()),
        ("fresh.go", "package a\n\nvar y = 2\n".to_owned()),
        ("same name.go", "package a\n\nvar z = 1\n".to_owned()),
    ];
    let after: Vec<(&str, &str)> = after.iter().map(|(p, t)| (*p, t.as_str())).collect();
    let (_temp, root, diff) = folder(&before, &after);
    let run = check(&root, &diff);
    assert_eq!(run.found(), ["new/ä_test.go test-disabled"], "{diff}");
    assert_eq!(run.json()["findings"][0]["level"], "block", "a renamed test exists");
    assert_eq!(run.json()["claim"]["files"], serde_json::json!(["fresh.go", "gone.go", "new/ä_test.go", "same name.go"]));
}

#[test]
fn missing_line_ends_and_carriage_returns() {
    let bare = skipped().trim_end().to_owned();
    for (before, after) in [
        (TEST.to_owned(), bare.clone()),
        (TEST.trim_end().to_owned(), skipped()),
        (TEST.trim_end().to_owned(), bare),
        (TEST.replace('\n', "\r\n"), skipped().replace('\n', "\r\n")),
    ] {
        let (_temp, root, diff) = folder(&[("a_test.go", &before)], &[("a_test.go", &after)]);
        for diff in [diff.clone(), diff.replace("\r\n", "\n")] {
            let run = check(&root, &diff);
            assert_eq!(run.found(), ["a_test.go test-disabled"], "{diff:?} {}", run.stderr);
        }
    }
}

#[test]
fn a_diff_of_something_else_is_an_error_with_the_remedy() {
    let (_temp, root, diff) = folder(&[("a_test.go", TEST)], &[("a_test.go", &skipped())]);
    std::fs::write(root.join("a_test.go"), TEST).unwrap();
    assert!(check(&root, &diff).error().contains("is not in a_test.go") && check(&root, &diff).error().contains("git diff BASE"));
    std::fs::remove_file(root.join("a_test.go")).unwrap();
    assert!(check(&root, &diff).error().contains("a_test.go is not as the diff leaves it"));
    assert!(check(&root, "hello\n").error().contains("holds no unified diff"));
    assert!(check(&root, &diff[..diff.len() - 40]).error().contains("cut off or damaged"));
    let missing = run_in(&root, &["check", "--diff", "nowhere.diff"]);
    assert!(missing.error().contains("nowhere.diff cannot be opened"));
}

#[test]
fn a_diff_cannot_reach_outside_the_root() {
    let (temp, root, _) = folder(&[], &[]);
    std::fs::write(temp.path().join("secret.go"), "package b\n").unwrap();
    let diff = "--- a/../secret.go\n+++ b/../secret.go\n@@ -1 +1 @@\n-package a\n+package b\n";
    let run = check(&root, diff);
    assert_eq!((run.found(), run.not_evaluated()), (vec![], vec!["../secret.go: not a plain file".to_owned()]));
}

#[cfg(unix)]
#[test]
fn a_diff_does_not_follow_a_link_of_a_folder_out_of_the_root() {
    let (temp, root, _) = folder(&[], &[]);
    let elsewhere = temp.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("secret.go"), "package b\n").unwrap();
    std::os::unix::fs::symlink(&elsewhere, root.join("link")).unwrap();
    let diff = "--- a/link/secret.go\n+++ b/link/secret.go\n@@ -1 +1 @@\n-package a\n+package b\n";
    let run = check(&root, diff);
    assert_eq!((run.found(), run.not_evaluated()), (vec![], vec!["link/secret.go: not a plain file".to_owned()]));
    assert_eq!(run.json()["claim"]["files"], serde_json::json!([]));
}

#[test]
fn an_empty_diff_changes_nothing() {
    let (_temp, root, _) = folder(&[], &[]);
    let run = run_with_input(&root, &["check", "--diff", "-"], b"");
    assert_eq!(run.code, 0);
    assert!(run.stdout.starts_with("pass: nothing changed; files on disk against what they were before the diff"), "{}", run.stdout);
}
