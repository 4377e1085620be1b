//! Documents come, change and go: each open and change is answered for its version and under the very URI that was sent.

use super::client::{Client, assistant, found, patient, uri};
use crate::cli::repo::Repo;
use serde_json::{Value, json};

const TEST: &str = "import pytest\n\n\ndef test_total():\n    assert sum([1, 2]) == 3\n";

fn skipped() -> String {
    TEST.replace("def ", "@pytest.mark.skip\ndef ")
}

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("test_a.py", TEST);
    repo.write("pages/[id]/test b ñ.py", TEST);
    repo.write("notes.txt", "hello\n");
    repo.commit("base");
    repo
}

#[test]
fn every_open_and_change_is_answered_with_its_version() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", TEST)), [""; 0]);
    let published = client.changed(&file, 2, &skipped());
    assert_eq!(found(&published), ["test-disabled 3"]);
    assert_eq!(found(&client.changed(&file, 3, &skipped())), ["test-disabled 3"], "the same text is a change too");
    // Assistants send equal versions, and lower ones.
    assert_eq!(found(&client.changed(&file, 3, TEST)), [""; 0]);
    assert_eq!(found(&client.changed(&file, 1, &skipped())), ["test-disabled 3"]);
    // No version at all.
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": file, "version": null }, "contentChanges": [{ "text": TEST }] }),
    );
    let published = client.published(&file);
    assert_eq!((published.get("version").cloned().unwrap_or_default(), found(&published).len()), (Value::Null, 0));
    client.end();
}

#[test]
fn uris_come_back_as_they_were_sent() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let folder = uri(repo.root());
    for file in [
        format!("{folder}/pages/[id]/test b ñ.py"),
        format!("{folder}/pages/%5Bid%5D/test%20b%20%C3%B1.py"),
        format!("{}/pages/[id]/test%20b%20ñ.py", folder.replace("file://", "file://localhost")),
        format!("{folder}/./pages/x/../[id]/test b ñ.py"),
    ] {
        assert_eq!(found(&client.opened(&file, "python", TEST)), [""; 0], "{file}");
        assert_eq!(found(&client.changed(&file, 2, &skipped())), ["test-disabled 3"], "the base was found under {file}");
        client.close(&file);
        assert_eq!(client.published(&file)["diagnostics"], json!([]));
    }
    client.end();
}

#[test]
fn a_closed_document_is_cleared_and_begins_anew() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", &skipped())), ["test-disabled 3"]);
    client.close(&file);
    assert_eq!(client.published(&file)["diagnostics"], json!([]));
    client.change(&file, 2, json!([{ "text": TEST }]));
    assert_eq!(found(&client.opened(&file, "python", TEST)), [""; 0]);
    client.end();
}

#[test]
fn deleted_and_renamed_files_are_cleared() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    client.opened(&file, "python", &skipped());
    client.notify("workspace/didDeleteFiles", json!({ "files": [{ "uri": uri(repo.root()) }] }));
    assert_eq!(client.published(&file)["diagnostics"], json!([]));
    assert_eq!(found(&client.changed(&file, 2, &skipped())), ["test-disabled 3"], "it is typed in again");
    let new = uri(&repo.root().join("test_new.py"));
    client.notify("workspace/didRenameFiles", json!({ "files": [{ "oldUri": file, "newUri": new }] }));
    assert_eq!(client.published(&file)["diagnostics"], json!([]));
    let published = client.opened(&new, "python", &TEST.replace("sum([1, 2])", "sum([2, 1])"));
    assert_eq!(found(&published), [""; 0]);
    let published = client.changed(&new, 2, &skipped());
    assert_eq!(found(&published), ["test-disabled 3"]);
    assert_eq!(published["diagnostics"][0]["severity"], 1, "an existing test, under its old name");
    client.close(&file);
    client.published(&file);
    client.end();
}

#[test]
fn columns_count_as_agreed_and_line_ends_may_mix() {
    let line = "    assert '😀é' in NAME";
    let text = format!("import pytest\r\n\r\nNAME = '😀é'\r\ndef test_a():\r\n{line}\n# end\r");
    let columns = [("utf-8", line.len()), ("utf-16", line.encode_utf16().count()), ("utf-32", line.chars().count())];
    for (encoding, column) in columns {
        let repo = Repo::new();
        repo.write("test_a.py", &text);
        repo.commit("base");
        let mut params = assistant(repo.root());
        params["capabilities"]["general"]["positionEncodings"] = json!([encoding]);
        let mut client = Client::start(params);
        let file = uri(&repo.root().join("test_a.py"));
        assert_eq!(found(&client.opened(&file, "python", &text)), [""; 0]);
        let at = json!({ "line": 4, "character": column });
        client.change(&file, 2, json!([{ "range": { "start": at, "end": at }, "text": "  # noqa" }]));
        let published = client.published(&file);
        assert_eq!(found(&published), ["check-suppressed 4"], "{encoding}: {published}");
        let range = &published["diagnostics"][0]["range"];
        assert_eq!(range["end"], json!({ "line": 4, "character": column + 8 }), "{encoding}");
        // Beyond the line's end and beyond the last line.
        let far = json!({ "start": { "line": 4, "character": column }, "end": { "line": 900, "character": 9000 } });
        client.change(&file, 3, json!([{ "range": far, "text": "\n" }]));
        assert_eq!(found(&client.published(&file)), [""; 0], "{encoding}");
        client.end();
    }
}

#[test]
fn what_is_no_file_is_compared_with_its_first_sight() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    assert_eq!(found(&client.opened("untitled:Untitled-1", "python", &skipped())), [""; 0]);
    let twice = skipped() + "\n\n@pytest.mark.skip\ndef test_b():\n    assert 1 + 1 == 2\n";
    assert_eq!(found(&client.changed("untitled:Untitled-1", 2, &twice)), ["test-disabled 8"]);
    // The scheme decides, not what looks like a path.
    let odd = format!("git:{}?x", repo.root().join("test_a.py").display());
    assert_eq!(found(&client.opened(&odd, "python", &skipped())), [""; 0]);
    // No language, no judgement, but an answer.
    assert_eq!(found(&client.opened("untitled:b", "plaintext", "@pytest.mark.skip")), [""; 0]);
    let notes = uri(&repo.root().join("notes.txt"));
    assert_eq!(found(&client.opened(&notes, "plaintext", "hello")), [""; 0]);
    assert_eq!(found(&client.changed(&notes, 2, "bye")), [""; 0]);
    client.end();
}

#[test]
fn files_outside_the_workspace_are_answered_and_not_judged() {
    let (inside, outside) = (repo(), repo());
    let mut client = Client::start(assistant(inside.root()));
    let file = uri(&outside.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", &skipped())), [""; 0]);
    assert_eq!(found(&client.changed(&file, 2, &skipped())), [""; 0]);
    assert_eq!(found(&client.opened(&uri(&outside.root().join("x.py")), "python", &skipped())), [""; 0]);
    // That is declared once.
    let declared = client.told("window/logMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(declared.contains(&file) && declared.contains("outside the workspace folders"), "{declared}");
    let pulled = client.call("textDocument/diagnostic", json!({ "textDocument": { "uri": file } }));
    assert_eq!((&pulled["kind"], &pulled["items"]), (&json!("full"), &json!([])));
    // Once its folder belongs to the workspace it is judged.
    let folder = json!({ "uri": uri(outside.root()), "name": "b" });
    client.notify("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": [folder], "removed": [] } }));
    assert_eq!(found(&client.published(&file)), ["test-disabled 3"]);
    let new = client.published(&uri(&outside.root().join("x.py")));
    assert_eq!(found(&new), ["test-disabled 3"]);
    // And no more once the folder has left.
    let folder = json!({ "uri": uri(outside.root()), "name": "b" });
    client.notify("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": [], "removed": [folder] } }));
    assert_eq!(found(&client.published(&file)), [""; 0]);
    assert_eq!(found(&client.published(&uri(&outside.root().join("x.py")))), [""; 0]);
    client.end();
}

#[test]
fn notebooks_are_declared_and_not_judged() {
    let repo = repo();
    let mut client = Client::connect(patient());
    let offered = client.initialize(assistant(repo.root()));
    assert!(offered.get("notebookDocumentSync").is_none());
    let cell = format!("vscode-notebook-cell:{}#W0sZmlsZQ%3D%3D", repo.root().join("a.ipynb").display());
    assert_eq!(found(&client.opened(&cell, "python", &skipped())), [""; 0]);
    let twice = skipped() + "\n\n@pytest.mark.skip\ndef test_b():\n    assert 1 + 1 == 2\n";
    assert_eq!(found(&client.changed(&cell, 2, &twice)), [""; 0]);
    let notebook = uri(&repo.root().join("a.ipynb"));
    assert_eq!(found(&client.opened(&notebook, "python", &skipped())), [""; 0]);
    let declared = client.told("window/logMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(declared.contains(&cell) && declared.contains("notebooks are not judged"), "{declared}");
    client.end();
}

#[test]
fn without_a_folder_each_file_has_its_own_repository() {
    let repo = repo();
    let mut client = Client::start(json!({ "rootUri": null, "workspaceFolders": null, "rootPath": null, "capabilities": {} }));
    let file = uri(&repo.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", &skipped())), ["test-disabled 3"]);
    client.end();
}

#[test]
fn a_burst_is_answered_for_its_newest_version() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    client.opened(&file, "python", TEST);
    let mut text = TEST.to_owned();
    for version in 2..202 {
        let line = text.lines().count();
        let typed = format!("value_{version} = {version}\n");
        text.push_str(&typed);
        let at = json!({ "line": line, "character": 0 });
        client.change(&file, version, json!([{ "range": { "start": at, "end": at }, "text": typed }]));
    }
    let at = json!({ "line": 3, "character": 0 });
    client.change(&file, 202, json!([{ "range": { "start": at, "end": at }, "text": "@pytest.mark.skip\n" }]));
    assert_eq!(found(&client.published_at(&file, 202)), ["test-disabled 3"]);
    client.end();
}

#[test]
fn texts_that_are_no_texts_are_answered() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = |name: &str| uri(&repo.root().join(name));
    assert_eq!(found(&client.opened(&file("test_nul.py"), "python", "a\0@pytest.mark.skip\n")), [""; 0]);
    assert_eq!(found(&client.opened(&file("test_empty.py"), "python", "")), [""; 0]);
    let large = "x = 1\n".repeat(1_500_000);
    assert_eq!(found(&client.opened(&file("test_large.py"), "python", &large)), [""; 0]);
    client.end();
}

/// More documents than are kept parsed: the first is parsed again when somebody types in it.
#[test]
fn documents_that_were_let_go_are_judged_as_before() {
    const DOCUMENTS: usize = 90;
    let repo = repo();
    let name = |i: usize| format!("many/test_{i}.py");
    (0..DOCUMENTS).for_each(|i| repo.write(&name(i), TEST));
    repo.commit("many");
    let mut client = Client::start(assistant(repo.root()));
    let files: Vec<String> = (0..DOCUMENTS).map(|i| uri(&repo.root().join(name(i)))).collect();
    for file in &files {
        client.open(file, "python", 1, TEST);
    }
    for file in &files {
        assert_eq!(found(&client.published(file)), [""; 0]);
    }
    for (version, text, want) in
        [(2, skipped(), vec!["test-disabled 3"]), (3, TEST.to_owned(), vec![]), (4, skipped(), vec!["test-disabled 3"])]
    {
        for file in &files {
            assert_eq!(found(&client.changed(file, version, &text)), want, "{file} {version}");
        }
    }
    client.end();
}
