//! `oguard scan`: whole files, with or without git.

use super::repo::{Repo, TEST, run_in};

const STUB: &str = "package a\n\nfunc f() {\n\tpanic(\"not implemented\")\n}\n";

#[test]
fn old_debt_is_found_where_there_is_no_base() {
    let repo = Repo::new();
    repo.write("src/a.go", STUB);
    repo.write("README.md", "# a\n");
    repo.write("notes.md", "# b\n");
    repo.commit("debt");
    let run = repo.run(&["scan", "--format", "json"]);
    assert_eq!(run.found(), ["src/a.go stub-body"]);
    assert_eq!(run.json()["claim"]["baseline"], "empty");
    assert_eq!(run.not_evaluated(), ["*.md (2 files): unknown language"]);
    assert_eq!(repo.check(&[]).found(), [""; 0]);
}

#[test]
fn folders_are_walked_as_git_would() {
    let temp = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = temp.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(".gitignore", "build/\n");
    write("build/a.go", STUB);
    write("node_modules/x/a.go", STUB);
    write(".hidden/a.go", STUB);
    write("a_test.go", TEST);
    let run = run_in(temp.path(), &["scan", "--format", "json"]);
    assert_eq!(run.json()["claim"]["files"], serde_json::json!([".hidden/a.go", "a_test.go"]));
    assert_eq!(run.found(), [".hidden/a.go stub-body"]);
}

#[test]
fn paths_may_lie_anywhere() {
    let temp = tempfile::tempdir().unwrap();
    std::fs::write(temp.path().join("a.go"), STUB).unwrap();
    let repo = Repo::new();
    let file = temp.path().join("a.go");
    let run = repo.run(&["scan", "--format", "json", file.to_str().unwrap()]);
    assert_eq!(run.found(), ["a.go stub-body"]);
    let missing = repo.run(&["scan", "nowhere"]);
    assert!(missing.error().contains("nowhere cannot be read"), "{}", missing.stderr);
}
