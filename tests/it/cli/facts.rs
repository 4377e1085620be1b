//! `oguard facts`: what the guard sees, as text and as JSON.

use super::repo::{Repo, skipped};

#[test]
fn a_test_with_its_state_and_hash() {
    let repo = Repo::new();
    repo.write("a_test.go", skipped());
    let facts = repo.run(&["facts", "a_test.go", "--format", "json"]).json();
    assert_eq!(
        (facts["schema"].as_str(), facts["language"].as_str(), facts["kind"].as_str()),
        (Some("oguard.facts/1"), Some("go"), Some("test"))
    );
    let units = facts["units"].as_array().unwrap();
    let test = units.iter().find(|u| u["kind"] == "test").unwrap();
    assert_eq!((test["name"].as_str(), test["line"].as_u64()), (Some("TestAdd"), Some(5)));
    assert_eq!(test["markers"][0]["effect"], "skipped");
    assert_eq!(test["body"]["hash"].as_str().unwrap().len(), 16);
    let text = repo.run(&["facts", "a_test.go"]).stdout;
    assert!(text.contains("    5  test TestAdd [skipped]"), "{text}");
}

#[test]
fn a_file_that_is_not_read_says_why() {
    let repo = Repo::new();
    repo.write("a.xyz", "hello\n");
    assert!(repo.run(&["facts", "a.xyz"]).error().contains("unknown language"));
    assert!(repo.run(&["facts", "nowhere.go"]).error().contains("nowhere.go is not there"));
}

#[test]
fn what_is_no_file_is_called_what_it_is() {
    let repo = Repo::new();
    repo.write("src/a.go", "package a\n");
    assert!(repo.run(&["facts", "nope"]).error().contains("nope is not there"));
    assert!(repo.run(&["facts", "src"]).error().contains("src is a folder"));
}

#[test]
fn what_is_nested_beyond_reason_costs_no_more_than_its_size() {
    let repo = Repo::new();
    let levels = 400;
    let text: String = (0..levels).map(|level| format!("function f{level}() {{\n")).collect();
    repo.write("deep.js", text + &"}\n".repeat(levels));
    let facts = repo.run(&["facts", "deep.js", "--format", "json"]).json();
    let units = facts["units"].as_array().unwrap();
    assert_eq!(units.len(), levels + 1);
    assert_eq!(units[2]["name"], "f0 > f1");
    assert!(units[2]["body"]["hash"].is_string());
    let innermost = &units[levels];
    assert_eq!(innermost["name"].as_str().unwrap().split(" > ").count(), 64);
    assert!(innermost["name"].as_str().unwrap().ends_with("f399") && innermost["body"]["hash"].is_null());
}
