//! A test that left an open document may stand in another one, on disk or nowhere: what is said is what `oguard check` says.

use super::client::{Client, assistant, found, patient, uri};
use crate::cli::repo::Repo;
use oguard::lsp::Limits;
use serde_json::{Value, json};
use std::time::Duration;

const PAIR: &str = "def test_pair():\n    value = sum([1, 2])\n    assert value == 3\n";
const NONE: &str = "def test_none():\n    assert sum([]) == 0\n";

fn both() -> String {
    format!("{PAIR}\n\n{NONE}")
}

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("test_a.py", both());
    repo.write("test_b.py", "LIMIT = 3\n");
    repo.commit("base");
    repo
}

fn actions(client: &mut Client, file: &str, range: &Value) -> Vec<Value> {
    let params = json!({ "textDocument": { "uri": file }, "range": range, "context": { "diagnostics": [] } });
    client.call("textDocument/codeAction", params).as_array().unwrap().clone()
}

#[test]
fn a_test_that_is_gone_is_said_once_the_change_was_read_and_put_back() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    client.opened(&file, "python", &both());
    assert_eq!(found(&client.changed(&file, 2, NONE)), [""; 0]);
    let published = client.published_at(&file, 2);
    assert_eq!(found(&published), ["test-removed 0"]);
    assert_eq!(published["diagnostics"][0]["severity"], 2);
    let actions = actions(&mut client, &file, &published["diagnostics"][0]["range"]);
    let titles: Vec<_> = actions.iter().map(|a| a["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Put `test_pair` back"], "what is left at the place is not to be restored");
    let edit = &actions[0]["edit"]["changes"][&file][0];
    assert_eq!(edit["range"]["start"], json!({ "line": 0, "character": 0 }));
    let text = edit["newText"].as_str().unwrap().to_owned() + NONE;
    assert_eq!(text, both().replace("\n\n\n", "\n\n"));
    assert_eq!(found(&client.changed(&file, 3, &text)), [""; 0]);
    client.end();
}

#[test]
fn a_test_that_moved_to_another_open_text_is_not_gone() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let (file, other) = (uri(&repo.root().join("test_a.py")), uri(&repo.root().join("test_b.py")));
    client.opened(&file, "python", &both());
    client.opened(&other, "python", "LIMIT = 3\n");
    client.changed(&file, 2, NONE);
    assert_eq!(found(&client.published_at(&file, 2)), ["test-removed 0"]);
    // Pasted where it is not saved yet.
    assert_eq!(found(&client.changed(&other, 2, &format!("LIMIT = 3\n\n\n{PAIR}"))), [""; 0]);
    assert_eq!(found(&client.published_at(&file, 2)), [""; 0]);
    client.end();
}

#[test]
fn a_test_that_moved_on_the_disk_is_never_said_to_be_gone() {
    let repo = repo();
    repo.write("test_new.py", PAIR);
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    client.opened(&file, "python", &both());
    assert_eq!(found(&client.changed(&file, 2, NONE)), [""; 0]);
    // One more is gone, and it alone is said.
    assert_eq!(found(&client.changed(&file, 3, "LIMIT = 3\n")), [""; 0]);
    let published = client.published_at(&file, 3);
    assert_eq!(found(&published), ["test-removed 0"]);
    assert!(published["diagnostics"][0]["message"].as_str().unwrap().contains("test_none"), "{published}");
    repo.write("test_a.py", "LIMIT = 3\n");
    let check = repo.check(&[]).json();
    let ids: Vec<&Value> = check["findings"].as_array().unwrap().iter().map(|f| &f["fingerprint"]).collect();
    assert_eq!(ids, [&published["diagnostics"][0]["data"]["fingerprint"]], "the same as `check` says");
    client.end();
}

#[test]
fn in_an_editor_it_waits_for_rest_or_a_save() {
    let repo = repo();
    let mut params = assistant(repo.root());
    params["clientInfo"] = json!({ "name": "Neovim" });
    let mut client = Client::start_with(params, Limits { settle: Duration::from_secs(3_600), ..patient() });
    let file = uri(&repo.root().join("test_a.py"));
    client.opened(&file, "python", &both());
    assert_eq!(found(&client.changed(&file, 2, NONE)), [""; 0]);
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": file } }));
    assert_eq!(found(&client.published_at(&file, 2)), ["test-removed 0"]);
    // While one types on, what was said stays said.
    assert_eq!(found(&client.changed(&file, 3, &format!("{NONE}\n"))), ["test-removed 0"]);
    client.end();
}

#[test]
fn outside_git_a_document_speaks_for_itself() {
    let temp = tempfile::tempdir().unwrap();
    let mut client = Client::start(assistant(temp.path()));
    let file = uri(&temp.path().join("test_a.py"));
    client.opened(&file, "python", &both());
    assert_eq!(found(&client.changed(&file, 2, NONE)), ["test-removed 0"]);
    client.end();
}

#[test]
fn a_file_that_is_gone_is_made_again() {
    let repo = repo();
    repo.remove("test_a.py");
    let mut params = assistant(repo.root());
    params["capabilities"]["workspace"]["workspaceEdit"] = json!({ "documentChanges": true, "resourceOperations": ["create"] });
    let mut client = Client::start(params);
    let file = uri(&repo.root().join("test_a.py"));
    let line = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    let made = actions(&mut client, &file, &line);
    assert_eq!(made[0]["title"], "Restore this file from the base");
    let changes = &made[0]["edit"]["documentChanges"];
    assert_eq!((&changes[0]["kind"], &changes[0]["uri"]), (&json!("create"), &json!(file)));
    assert_eq!(changes[1]["edits"][0]["newText"], both());
    // One that is there, or never was, is not.
    for name in ["test_b.py", "test_c.py"] {
        assert!(actions(&mut client, &uri(&repo.root().join(name)), &line).is_empty(), "{name}");
    }
    client.end();
}
