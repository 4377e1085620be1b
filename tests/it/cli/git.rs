//! Kinds of repositories and of changes: work trees, submodules, sparse and shallow clones, renames, line ends.

use super::repo::{Repo, TEST, git_in, isolated, run_in, skipped};

const DISABLED: &str = "a_test.go test-disabled";

#[test]
fn a_linked_work_tree_has_its_own_head() {
    let repo = Repo::with_test();
    let tree = repo.beside("tree");
    repo.git(&["worktree", "add", "-q", "-b", "side", tree.to_str().unwrap()]);
    std::fs::write(tree.join("a_test.go"), skipped()).unwrap();
    assert_eq!(run_in(&tree, &["check", "--format", "json"]).found(), [DISABLED]);
    assert_eq!(repo.check(&[]).found(), [""; 0]);
}

#[test]
fn a_submodule_is_named_from_outside_and_judged_from_inside() {
    let library = Repo::with_test();
    let repo = Repo::with_test();
    repo.git(&["submodule", "--quiet", "add", library.root().to_str().unwrap(), "lib"]);
    repo.commit("submodule");
    std::fs::write(repo.root().join("lib/a_test.go"), skipped()).unwrap();
    let outside = repo.check(&[]);
    assert_eq!((outside.found(), outside.not_evaluated()), (vec![], vec!["lib: submodule: judge it from its own root".to_owned()]));
    assert_eq!(run_in(&repo.root().join("lib"), &["check", "--format", "json"]).found(), [DISABLED]);
}

#[test]
fn what_a_sparse_checkout_leaves_out_is_not_deleted() {
    let repo = Repo::with_test();
    repo.write("far/b_test.go", TEST);
    repo.write("near/c.go", "package c\n");
    let base = repo.commit("folders");
    repo.git(&["sparse-checkout", "set", "near"]);
    assert!(!repo.root().join("far").exists(), "git left the folder out");
    repo.write("near/c.go", "package c\n\nvar x = 1\n");
    for args in [&[][..], &["--base", &base]] {
        assert_eq!(repo.check(args).json()["claim"]["files"], serde_json::json!(["near/c.go"]), "{args:?}");
    }
}

#[test]
fn a_shallow_clone_without_the_merge_base_says_what_to_fetch() {
    let origin = Repo::with_test();
    origin.git(&["checkout", "-q", "-b", "topic"]);
    for n in 0..3 {
        origin.write("n.go", format!("package a\n\nvar n = {n}\n"));
        origin.commit("more");
    }
    origin.git(&["checkout", "-q", "main"]);
    origin.write("m.go", "package a\n");
    origin.commit("main");
    let clone = origin.beside("clone");
    let url = format!("file://{}", origin.root().display());
    let args = ["clone", "-q", "--depth", "1", "--no-single-branch", "--branch", "topic", &url, clone.to_str().unwrap()];
    git_in(origin.root(), &args);
    let run = run_in(&clone, &["check", "--base", "origin/main"]);
    let error = run.error();
    assert!(error.contains("git fetch --deepen") && error.contains("--diff FILE"), "{error}");
    let head = run_in(&clone, &["check", "--head", "HEAD"]);
    assert!(head.error().contains("git fetch --deepen=1"), "{}", head.stderr);
    std::fs::write(clone.join("a_test.go"), skipped()).unwrap();
    assert_eq!(run_in(&clone, &["check", "--format", "json"]).found(), [DISABLED], "HEAD is there");
}

#[test]
fn renames_are_seen_staged_or_not() {
    let longer = format!("{TEST}\nfunc TestMore(t *testing.T) {{\n\tif 3 != 3 {{\n\t\tt.Fatal(\"no\")\n\t}}\n}}\n");
    for staged in [true, false] {
        let repo = Repo::new();
        repo.write("a_test.go", &longer);
        let base = repo.commit("base");
        repo.write("b_test.go", super::repo::with_skip(&longer));
        repo.remove("a_test.go");
        if staged {
            repo.git(&["add", "-A"]);
        }
        let run = repo.check(&[]);
        assert_eq!(run.found(), ["b_test.go test-disabled"], "staged: {staged}");
        assert_eq!(run.json()["findings"][0]["level"], "block", "the test existed, so this is no new one");
        assert_eq!(run.ids(), repo.check(&["--base", &base]).ids(), "the same id against the same commit");
    }
}

#[test]
fn a_deleted_file_is_shown_at_its_first_line() {
    let repo = Repo::with_test();
    repo.remove("a_test.go");
    let report = repo.check(&[]).json();
    assert_eq!(report["claim"]["files"], serde_json::json!(["a_test.go"]));
    for finding in report["findings"].as_array().unwrap() {
        assert_eq!((finding["path"].as_str(), finding["range"]["start"]["line"].as_u64()), (Some("a_test.go"), Some(1)));
    }
}

#[test]
fn line_ends_and_a_byte_order_mark_are_no_change() {
    let repo = Repo::new();
    repo.write("a_test.go", skipped());
    repo.write("b_test.go", skipped().replace('\n', "\r\n"));
    repo.commit("debt");
    repo.write("a_test.go", skipped().replace('\n', "\r\n"));
    repo.write("b_test.go", format!("\u{feff}{}", skipped()));
    let run = repo.check(&[]);
    assert_eq!((run.code, run.found()), (0, vec![]), "{}", run.stdout);
    repo.write("a_test.go", TEST.replace('\n', "\r\n"));
    repo.commit("repaired");
    repo.write("a_test.go", format!("\u{feff}{}", skipped()).replace('\n', "\r\n"));
    let run = repo.check(&[]);
    assert_eq!(run.found(), [DISABLED]);
    let start = &run.json()["findings"][0]["range"]["start"];
    assert_eq!((start["line"].as_u64(), start["column"].as_u64()), (Some(6), Some(2)));
}

#[test]
fn columns_count_characters() {
    let repo = Repo::new();
    let text = "package a\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\t/* 😀é */ println(1)\n}\n";
    repo.write("a_test.go", text);
    repo.commit("base");
    repo.write("a_test.go", text.replace("println(1)", "t.Skip()"));
    let run = repo.check(&[]);
    assert_eq!(run.json()["findings"][0]["range"]["start"]["column"].as_u64(), Some(11), "{}", run.stdout);
}

#[test]
fn names_with_blanks_quotes_and_letters_of_the_world() {
    let repo = Repo::new();
    let name = "ein \"schöner\" ordner/ä 测试_test.go";
    repo.write(name, TEST);
    let base = repo.commit("base");
    repo.write(name, skipped());
    let expected = [format!("{name} test-disabled")];
    assert_eq!(repo.check(&[]).found(), expected);
    assert_eq!(repo.check(&["--base", &base]).found(), expected);
    repo.git(&["add", "-A"]);
    assert_eq!(repo.check(&["--staged"]).found(), expected);
}

#[test]
fn a_conflict_is_judged_in_the_work_tree_and_named_in_the_index() {
    let repo = Repo::with_test();
    let base = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("a_test.go", TEST.replace("\"no\"", "\"topic\""));
    repo.commit("topic");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("a_test.go", TEST.replace("\"no\"", "\"main\""));
    repo.commit("main");
    let mut merge = std::process::Command::new("git");
    let merge = isolated(merge.arg("-C").arg(repo.root()).args(["merge", "-q", "topic"])).output().unwrap();
    assert!(!merge.status.success(), "the merge conflicts");
    for args in [&[][..], &["--base", &base]] {
        assert_eq!(repo.check(args).found(), ["a_test.go syntax-error"], "{args:?}");
    }
    let staged = repo.check(&["--staged"]);
    assert_eq!(staged.not_evaluated(), ["a_test.go: in conflict: resolve it, then add it to the index"]);
}

#[test]
fn an_index_that_a_hook_names_is_the_one_judged() {
    let repo = Repo::with_test();
    let own = repo.root().join(".git/own-index");
    std::fs::copy(repo.root().join(".git/index"), &own).unwrap();
    repo.write("a_test.go", skipped());
    let mut command = std::process::Command::new("git");
    let add = super::repo::isolated(command.arg("-C").arg(repo.root()).args(["add", "-A"])).env("GIT_INDEX_FILE", &own).output().unwrap();
    assert!(add.status.success());
    let mut hook = super::repo::program(repo.root(), &["check", "--staged", "--format", "json"]);
    hook.env("GIT_INDEX_FILE", ".git/own-index").env("GIT_DIR", ".git");
    assert_eq!(super::repo::run_command(hook).found(), [DISABLED]);
    assert_eq!(repo.check(&["--staged"]).found(), [""; 0]);
}

#[test]
fn the_index_is_not_written() {
    let repo = Repo::with_test();
    // Another time, the same content: git would note that in the index if it were allowed to write.
    let file = std::fs::File::options().write(true).open(repo.root().join("a_test.go")).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000)).unwrap();
    let before = std::fs::read(repo.root().join(".git/index")).unwrap();
    assert_eq!(repo.check(&[]).code, 0);
    assert!(before == std::fs::read(repo.root().join(".git/index")).unwrap(), "the index changed");
}

#[test]
fn the_index_of_a_file_that_was_only_touched_is_not_refreshed() {
    let repo = Repo::with_test();
    let head = repo.git(&["rev-parse", "HEAD"]);
    let index = repo.root().join(".git/index");
    let file = repo.root().join("a_test.go");
    let other = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    std::fs::File::options().write(true).open(&file).unwrap().set_modified(other).unwrap();
    let before = std::fs::read(&index).unwrap();
    for args in [&[][..], &["--base", head.as_str()], &["--staged"]] {
        assert_eq!(repo.check(args).code, 0, "{args:?}");
        assert!(std::fs::read(&index).unwrap() == before, "{args:?}");
    }
}
