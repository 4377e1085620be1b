//! Quick fixes, restore and hover: what a client does about a finding.

use super::client::{Client, assistant, found, uri};
use crate::cli::repo::Repo;
use serde_json::{Value, json};

const TEST: &str = "import pytest\n\n\ndef test_total():\n    value = sum([1, 2])\n    assert value == 3\n";

fn skipped() -> String {
    TEST.replace("def ", "@pytest.mark.skip\ndef ")
}

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("test_a.py", TEST);
    repo.commit("base");
    repo
}

fn actions(client: &mut Client, file: &str, range: &Value) -> Vec<Value> {
    let params = json!({ "textDocument": { "uri": file }, "range": range, "context": { "diagnostics": [] } });
    client.call("textDocument/codeAction", params).as_array().unwrap().clone()
}

/// Applies edits of whole ASCII lines to a text.
fn apply(text: &str, edits: &Value) -> String {
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
    let byte = |p: &Value| starts[p["line"].as_u64().unwrap() as usize] + p["character"].as_u64().unwrap() as usize;
    let mut edits: Vec<_> =
        edits.as_array().unwrap().iter().map(|e| (byte(&e["range"]["start"]), byte(&e["range"]["end"]), &e["newText"])).collect();
    edits.sort_by_key(|e| std::cmp::Reverse(e.0));
    let mut text = text.to_owned();
    for (start, end, new) in edits {
        text.replace_range(start..end, new.as_str().unwrap());
    }
    text
}

#[test]
fn a_fix_takes_the_skip_away() {
    let repo = repo();
    let mut params = assistant(repo.root());
    params["capabilities"]["textDocument"]["codeAction"]["isPreferredSupport"] = json!(true);
    let mut client = Client::start(params);
    let file = uri(&repo.root().join("test_a.py"));
    let published = client.opened(&file, "python", &skipped());
    let range = &published["diagnostics"][0]["range"];
    let actions = actions(&mut client, &file, range);
    assert_eq!(actions[0]["title"], "Remove the skip");
    assert_eq!(actions[0]["kind"], "quickfix");
    assert_eq!(actions[0]["isPreferred"], true);
    assert_eq!(actions[0]["diagnostics"][0], published["diagnostics"][0]);
    let fixed = apply(&skipped(), &actions[0]["edit"]["changes"][&file]);
    assert_eq!(fixed, TEST);
    assert_eq!(found(&client.changed(&file, 2, &fixed)), [""; 0]);
    // Elsewhere there is nothing to fix.
    let elsewhere = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 3 } });
    assert!(self::actions(&mut client, &file, &elsewhere).is_empty());
    client.end();
}

#[test]
fn what_was_there_is_restored_and_the_rest_left_alone() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    client.opened(&file, "python", TEST);
    let edited = "OTHER = 1\n".to_owned() + &skipped().replace("sum([1, 2])", "sum([1, 3])");
    let published = client.changed(&file, 2, &edited);
    let actions = actions(&mut client, &file, &published["diagnostics"][0]["range"]);
    let restore = actions.iter().find(|a| a["title"] == "Restore this from the base").unwrap();
    let restored = apply(&edited, &restore["edit"]["changes"][&file]);
    assert_eq!(restored, "OTHER = 1\n".to_owned() + TEST);
    client.end();
}

#[test]
fn a_restore_is_computed_when_the_client_resolves_it() {
    let repo = repo();
    repo.write("test [b].py", TEST);
    repo.commit("another");
    let mut params = assistant(repo.root());
    params["capabilities"]["textDocument"]["codeAction"]["resolveSupport"] = json!({ "properties": ["edit"] });
    params["capabilities"]["textDocument"]["codeAction"]["dataSupport"] = json!(true);
    params["capabilities"]["workspace"] = json!({ "workspaceEdit": { "documentChanges": true } });
    let mut client = Client::start(params);
    let file = uri(&repo.root().join("test [b].py"));
    let published = client.opened(&file, "python", &skipped());
    let actions = actions(&mut client, &file, &published["diagnostics"][0]["range"]);
    let fix = client.call("codeAction/resolve", actions[0].clone());
    assert_eq!(fix, actions[0], "an action that is complete comes back as it is");
    let change = &fix["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({ "uri": file, "version": 1 }));
    let restore = actions.iter().find(|a| a["title"] == "Restore this from the base").unwrap();
    assert!(restore.get("edit").is_none());
    let resolved = client.call("codeAction/resolve", restore.clone());
    assert_eq!(apply(&skipped(), &resolved["edit"]["documentChanges"][0]["edits"]), TEST);
    // Of a finding that is gone nothing can be computed.
    client.changed(&file, 2, TEST);
    assert!(client.call("codeAction/resolve", restore.clone()).get("edit").is_none());
    client.end();
}

#[test]
fn a_client_may_ask_for_other_kinds() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    let published = client.opened(&file, "python", &skipped());
    for (only, any) in [("quickfix", true), ("source.organizeImports", false), ("refactor", false), ("", true)] {
        let context = json!({ "diagnostics": [], "only": [only] });
        let range = &published["diagnostics"][0]["range"];
        let params = json!({ "textDocument": { "uri": file }, "range": range, "context": context });
        assert_eq!(!client.call("textDocument/codeAction", params).as_array().unwrap().is_empty(), any, "{only}");
    }
    client.end();
}

#[test]
fn a_hover_says_why_and_what_to_do() {
    let repo = repo();
    for (formats, kind) in [(json!(["markdown", "plaintext"]), "markdown"), (json!(null), "plaintext")] {
        let mut params = assistant(repo.root());
        params["capabilities"]["textDocument"]["hover"] = json!({ "contentFormat": formats });
        let mut client = Client::start(params);
        let file = uri(&repo.root().join("test_a.py"));
        let published = client.opened(&file, "python", &skipped());
        let position = |line: u32| json!({ "textDocument": { "uri": file }, "position": { "line": line, "character": 4 } });
        let hover = client.call("textDocument/hover", position(3));
        assert_eq!(hover["range"], published["diagnostics"][0]["range"]);
        assert_eq!(hover["contents"]["kind"], kind);
        let text = hover["contents"]["value"].as_str().unwrap();
        assert!(text.contains("test-disabled") && text.contains("Next:") && text.contains("evidence"), "{text}");
        assert_eq!(client.call("textDocument/hover", position(0)), Value::Null);
        client.end();
    }
}
