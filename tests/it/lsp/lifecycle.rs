//! How a session begins and ends.

use super::client::{Client, patient, uri};
use crate::cli::repo::{Repo, program};
use serde_json::{Value, json};

#[test]
fn requests_before_and_after_the_session_are_errors() {
    let mut client = Client::connect(patient());
    let early =
        client.request("textDocument/hover", json!({ "textDocument": { "uri": "a:b" }, "position": { "line": 0, "character": 0 } }));
    assert_eq!(client.answer(early)["error"]["code"], -32002);
    client.initialize(json!({ "capabilities": {} }));
    let again = client.request("initialize", json!({ "capabilities": {} }));
    assert_eq!(client.answer(again)["error"]["code"], -32600);
    client.call("shutdown", Value::Null);
    let late = client.request("textDocument/hover", json!({}));
    assert_eq!(client.answer(late)["error"]["code"], -32600);
    client.notify(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": "untitled:a", "languageId": "python", "version": 1, "text": "" } }),
    );
    client.notify("exit", Value::Null);
    let (code, left) = client.hang_up();
    assert_eq!((code, left.len()), (0, 0), "nothing is said after shutdown");
}

#[test]
fn the_exit_code_says_whether_the_client_asked() {
    let mut client = Client::start(json!({ "capabilities": {} }));
    client.notify("exit", Value::Null);
    assert_eq!(client.hang_up().0, 1);
    assert_eq!(Client::start(json!({ "capabilities": {} })).hang_up().0, 1);
    let mut client = Client::start(json!({ "capabilities": {} }));
    client.call("shutdown", Value::Null);
    assert_eq!(client.hang_up().0, 0);
}

#[test]
fn the_program_speaks_on_its_standard_streams() {
    let repo = Repo::with_test();
    let mut client = Client::program(&mut program(repo.root(), &["lsp", "--stdio"]));
    client.initialize(json!({ "rootUri": uri(repo.root()), "processId": std::process::id(), "capabilities": {} }));
    let file = uri(&repo.root().join("a_test.go"));
    assert_eq!(client.opened(&file, "go", crate::cli::repo::TEST)["diagnostics"], json!([]));
    client.end();
}

/// Git hangs, so that what needs the base waits: the request can still be cancelled, and once git has been ended the trouble is
/// said, once.
#[cfg(unix)]
#[test]
fn a_git_that_hangs_is_said_once_and_holds_up_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let repo = Repo::with_test();
    let folder = repo.beside("bin");
    std::fs::create_dir(&folder).unwrap();
    let git = folder.join("git");
    std::fs::write(&git, "#!/bin/sh\nexec /bin/sleep 600\n").unwrap();
    std::fs::set_permissions(&git, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = program(repo.root(), &["lsp"]);
    command.env("PATH", &folder);
    let mut client = Client::program(&mut command);
    client.initialize(json!({ "rootUri": uri(repo.root()), "capabilities": {} }));
    let file = uri(&repo.root().join("a_test.go"));
    client.open(&file, "go", 1, "package a\n");
    let position = json!({ "textDocument": { "uri": file }, "position": { "line": 0, "character": 0 } });
    let hover = client.request("textDocument/hover", position.clone());
    client.notify("$/cancelRequest", json!({ "id": hover }));
    assert_eq!(client.answer(hover)["error"]["code"], -32800);
    // Documents without a base of git are served meanwhile.
    client.opened("untitled:a", "go", "package a\n");
    let message = client.told("window/showMessage");
    let text = message["params"]["message"].as_str().unwrap();
    assert!(text.contains("nothing is judged here") && text.contains("git"), "{text}");
    assert_eq!(client.published(&file)["diagnostics"], json!([]));
    client.change(&file, 2, json!([{ "text": "package b\n" }]));
    assert_eq!(client.published(&file)["version"], 2);
    assert_eq!(client.call("textDocument/hover", position), Value::Null);
    client.end();
}
