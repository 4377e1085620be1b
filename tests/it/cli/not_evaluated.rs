//! What cannot be read is named with the reason and moves no verdict.

use super::repo::Repo;

#[test]
fn binary_huge_foreign_and_unknown_files_are_named() {
    let repo = Repo::with_test();
    repo.write("binary.go", b"package a\0");
    repo.write("latin.go", b"package a // caf\xe9\n");
    repo.write("huge.go", vec![b'\n'; 8 * 1024 * 1024 + 1]);
    repo.write("notes.xyz", "hello\n");
    let run = repo.check(&[]);
    assert_eq!(run.code, 0);
    assert_eq!(
        run.not_evaluated(),
        ["binary.go: binary", "huge.go: larger than 8 MB", "latin.go: not UTF-8", "notes.xyz: unknown language"]
    );
    repo.git(&["add", "-A"]);
    assert_eq!(repo.check(&["--staged"]).not_evaluated(), run.not_evaluated(), "the same of blobs");
    let text = repo.run(&["check"]);
    assert!(text.stdout.contains("not evaluated: latin.go: not UTF-8\n"), "{}", text.stdout);
    assert!(text.stdout.lines().last().unwrap().contains("4 not evaluated"), "{}", text.stdout);
}

#[test]
fn a_base_that_is_no_text_leaves_nothing_to_compare() {
    let repo = Repo::new();
    repo.write("a.go", b"package a\0");
    repo.write("b.go", vec![b'\n'; 8 * 1024 * 1024 + 1]);
    repo.commit("base");
    repo.write("a.go", "package a\n");
    repo.write("b.go", "package b\n");
    let run = repo.check(&[]);
    assert_eq!(
        (run.code, run.not_evaluated()),
        (0, vec!["a.go: its base: binary".to_owned(), "b.go: its base: larger than 8 MB".to_owned()])
    );
}

#[cfg(unix)]
#[test]
fn links_and_repositories_inside_are_named() {
    let repo = Repo::with_test();
    std::os::unix::fs::symlink("a_test.go", repo.root().join("link.go")).unwrap();
    repo.write("inner/a.go", "package a\n");
    super::repo::git_in(&repo.root().join("inner"), &["init", "-q"]);
    let run = repo.check(&[]);
    let named = run.not_evaluated();
    assert!(named.contains(&"link.go: not a plain file".to_owned()), "{named:?}");
    assert!(named.contains(&"inner: repository of its own: judge it from its own root".to_owned()), "{named:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf8_is_named() {
    use std::os::unix::ffi::OsStrExt;
    let repo = Repo::with_test();
    std::fs::write(repo.root().join(std::ffi::OsStr::from_bytes(b"caf\xe9.go")), "package a\n").unwrap();
    assert_eq!(repo.check(&[]).not_evaluated(), ["caf\u{fffd}.go: its name is not UTF-8"]);
    assert_eq!(repo.run(&["scan", "--format", "json"]).not_evaluated().len(), 1);
}
