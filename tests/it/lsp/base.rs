//! What a change is compared with, and what a project sets.

use super::client::{Client, assistant, found, uri};
use crate::cli::repo::Repo;
use serde_json::json;

const TEST: &str = "import pytest\n\n\ndef test_total():\n    assert sum([1, 2]) == 3\n";

fn skipped() -> String {
    TEST.replace("def ", "@pytest.mark.skip\ndef ")
}

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("test_a.py", TEST);
    repo.commit("base");
    repo
}

#[test]
fn a_commit_in_the_middle_clears_nothing() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    client.opened(&file, "python", TEST);
    assert_eq!(found(&client.changed(&file, 2, &skipped())), ["test-disabled 3"]);
    repo.write("test_a.py", skipped());
    repo.commit("all green");
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": file } }));
    assert_eq!(found(&client.changed(&file, 3, &(skipped() + "\n"))), ["test-disabled 3"]);
    client.close(&file);
    client.published(&file);
    assert_eq!(found(&client.opened(&file, "python", &skipped())), ["test-disabled 3"]);
    client.end();
}

#[test]
fn the_first_open_may_hold_the_edit() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", &skipped())), ["test-disabled 3"]);
    let new = uri(&repo.root().join("test_new.py"));
    let published = client.opened(&new, "python", &skipped());
    assert_eq!(published["diagnostics"][0]["severity"], 2, "a new test that is born skipped is a warning");
    client.end();
}

#[test]
fn line_ends_that_git_converts_are_no_change() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", &TEST.replace('\n', "\r\n"))), [""; 0]);
    assert_eq!(found(&client.changed(&file, 2, &skipped().replace('\n', "\r\n"))), ["test-disabled 3"]);
    client.end();
}

#[test]
fn outside_git_the_first_sight_is_the_base_also_after_a_close() {
    let temp = tempfile::tempdir().unwrap();
    let mut client = Client::start(assistant(temp.path()));
    let file = uri(&temp.path().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", TEST)), [""; 0]);
    assert_eq!(found(&client.changed(&file, 2, &skipped())), ["test-disabled 3"]);
    client.close(&file);
    client.published(&file);
    assert_eq!(found(&client.opened(&file, "python", &skipped())), ["test-disabled 3"]);
    client.end();
}

#[test]
fn settings_are_read_again_when_they_change() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", &skipped())), ["test-disabled 3"]);
    repo.write("oguard.toml", "[rules]\ntest-disabled = \"off\"\n");
    let changed = |client: &mut Client| {
        let change = json!({ "uri": uri(&repo.root().join("oguard.toml")), "type": 2 });
        client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
    };
    changed(&mut client);
    assert_eq!(found(&client.published(&file)), [""; 0]);
    // A typo must not switch the guard off: nothing is judged, and that is said.
    repo.write("oguard.toml", "[rules]\ntest-disbled = \"off\"\n");
    changed(&mut client);
    let message = client.told("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("nothing is judged here") && message.contains("test-disbled"), "{message}");
    assert_eq!(found(&client.changed(&file, 2, &skipped())), [""; 0]);
    repo.remove("oguard.toml");
    changed(&mut client);
    assert_eq!(found(&client.published_at(&file, 2)), ["test-disabled 3"]);
    client.end();
}

#[test]
fn an_edited_settings_file_is_told_where_it_is_wrong() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("oguard.toml"));
    assert_eq!(found(&client.opened(&file, "toml", "")), [""; 0]);
    let published = client.changed(&file, 2, "[rules]\n[pahts]\n");
    assert_eq!(found(&published), ["error 1"]);
    let message = published["diagnostics"][0]["message"].as_str().unwrap();
    assert!(message.contains("`pahts`") && message.contains("`paths`"), "{message}");
    assert_eq!(found(&client.changed(&file, 3, "[rules]\n")), [""; 0]);
    client.end();
}
