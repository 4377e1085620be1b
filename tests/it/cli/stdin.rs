//! Text from standard input gets the ids that the same text on disk gets.

use super::repo::{Repo, TEST, run_with_input, skipped};

#[test]
fn ids_are_those_of_check() {
    let repo = Repo::with_test();
    let args = ["check", "--stdin", "--format", "json", "a_test.go"];
    let unsaved = run_with_input(repo.root(), &args, skipped().as_bytes());
    assert_eq!((unsaved.code, unsaved.found()), (1, vec!["a_test.go test-disabled".to_owned()]));
    repo.write("a_test.go", skipped());
    assert_eq!(unsaved.ids(), repo.check(&[]).ids());
    assert_eq!(unsaved.ids(), run_with_input(repo.root(), &args, skipped().as_bytes()).ids(), "also where the file is changed");
    assert_eq!(run_with_input(repo.root(), &args, TEST.as_bytes()).found(), [""; 0], "the text counts, not the file");
}

#[test]
fn a_renamed_file_keeps_its_base() {
    let repo = Repo::with_test();
    repo.git(&["mv", "a_test.go", "b_test.go"]);
    let run = run_with_input(repo.root(), &["check", "--stdin", "--format", "json", "b_test.go"], skipped().as_bytes());
    assert_eq!((run.code, run.found()), (1, vec!["b_test.go test-disabled".to_owned()]));
}

#[test]
fn a_file_that_is_nowhere_yet_is_new() {
    let repo = Repo::with_test();
    let run = run_with_input(repo.root(), &["check", "--stdin", "--format", "json", "c_test.go"], skipped().as_bytes());
    assert_eq!((run.code, run.json()["claim"]["files"].clone()), (0, serde_json::json!(["c_test.go"])));
}

#[test]
fn it_needs_one_path() {
    let repo = Repo::with_test();
    assert!(repo.run(&["check", "--stdin"]).error().contains("--stdin needs the one PATH"));
}
