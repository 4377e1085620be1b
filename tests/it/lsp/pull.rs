//! Pulled diagnostics: every pull is answered, for the whole change too, in parts and with progress where the client asks.

use super::client::{Client, assistant, patient, uri};
use crate::cli::repo::Repo;
use serde_json::{Value, json};

const TEST: &str = "import pytest\n\n\ndef test_total():\n    assert sum([1, 2]) == 3\n";

fn skipped() -> String {
    TEST.replace("def ", "@pytest.mark.skip\ndef ")
}

/// A repository with tests, of which some are changed on disk.
fn repo(changed: usize) -> Repo {
    let repo = Repo::new();
    let names: Vec<String> = (0..changed + 2).map(|i| format!("tests/test {i}.py")).collect();
    names.iter().for_each(|name| repo.write(name, TEST));
    repo.commit("base");
    names.iter().take(changed).for_each(|name| repo.write(name, skipped()));
    repo
}

fn pulling(repo: &Repo) -> Client {
    let mut params = assistant(repo.root());
    params["initializationOptions"] = json!({ "diagnostics": "pull" });
    let mut client = Client::connect(patient());
    let offered = client.initialize(params);
    assert_eq!(offered["diagnosticProvider"]["workspaceDiagnostics"], true);
    client
}

/// `kind codes` of each item, by the end of its URI.
fn items(answer: &Value) -> Vec<String> {
    let row = |item: &Value| {
        let uri = item["uri"].as_str().unwrap();
        let codes: Vec<&str> = item["items"].as_array().into_iter().flatten().map(|d| d["code"].as_str().unwrap()).collect();
        format!("{} {} {}", uri.rsplit('/').next().unwrap(), item["kind"].as_str().unwrap(), codes.join(","))
    };
    let mut rows: Vec<String> = answer["items"].as_array().unwrap().iter().map(row).collect();
    rows.sort();
    rows
}

fn ids(answer: &Value) -> Value {
    answer["items"].as_array().unwrap().iter().map(|i| json!({ "uri": i["uri"], "value": i["resultId"] })).collect()
}

#[test]
fn every_pull_is_answered() {
    let repo = repo(0);
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("tests/test 0.py"));
    client.opened(&file, "python", &skipped());
    client.close(&file);
    client.published(&file);
    let elsewhere = ["file:///nowhere/x.py", "untitled:a", "vscode-notebook-cell:/a.ipynb#b", "file:///[id] ñ", "git:/x?y", "", &file];
    for uri in elsewhere {
        let answer = client.call("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } }));
        assert_eq!((&answer["kind"], &answer["items"]), (&json!("full"), &json!([])), "{uri}");
        let again =
            client.call("textDocument/diagnostic", json!({ "textDocument": { "uri": uri }, "previousResultId": answer["resultId"] }));
        assert_eq!(again["kind"], "unchanged", "{uri}");
    }
    client.end();
}

#[test]
fn the_workspace_is_the_whole_change_with_open_texts_as_they_are() {
    let repo = repo(3);
    let mut client = pulling(&repo);
    let open = uri(&repo.root().join("tests/test 0.py"));
    let other = uri(&repo.root().join("tests/test 4.py"));
    // Open and put right, but not saved; open and changed, but not saved.
    client.open(&open, "python", 7, TEST);
    client.open(&other, "python", 1, &skipped());
    let all = client.call("workspace/diagnostic", json!({ "previousResultIds": [] }));
    assert_eq!(
        items(&all),
        ["test 0.py full ", "test 4.py full test-disabled", "test%201.py full test-disabled", "test%202.py full test-disabled"]
    );
    let version = |name: &str| all["items"].as_array().unwrap().iter().find(|i| i["uri"] == name).unwrap()["version"].clone();
    assert_eq!(version(&open), 7);
    assert_eq!(version(&format!("{}/tests/test%201.py", uri(repo.root()))), Value::Null);
    // Nothing new is not told again; what is put right is cleared, once it is noticed.
    let same = client.call("workspace/diagnostic", json!({ "previousResultIds": ids(&all) }));
    assert!(items(&same).iter().all(|i| i.contains(" unchanged ")), "{same}");
    repo.write("tests/test 1.py", TEST);
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri(&repo.root().join("tests")), "type": 2 }] }));
    let cleared = client.call("workspace/diagnostic", json!({ "previousResultIds": ids(&all) }));
    assert!(items(&cleared).contains(&"test%201.py full ".to_owned()), "{cleared}");
    client.end();
}

#[test]
fn a_large_answer_comes_in_parts_with_progress() {
    const CHANGED: usize = 120;
    let repo = repo(CHANGED);
    let mut client = pulling(&repo);
    client.open(&uri(&repo.root().join("tests/test 0.py")), "python", 1, &skipped());
    let asked = client.request("workspace/diagnostic", json!({ "previousResultIds": [], "workDoneToken": "w", "partialResultToken": 5 }));
    let (mut parts, mut told, mut kinds) = (0, Vec::new(), Vec::new());
    let last = loop {
        let message = client.wait("progress or the answer", |m| m["method"] == "$/progress" || m["id"] == asked);
        if message["id"] == asked {
            break message["result"].clone();
        }
        let params = &message["params"];
        if params["token"] == 5 {
            parts += 1;
            told.extend(items(&params["value"]));
        } else {
            assert_eq!(params["token"], "w");
            kinds.push(params["value"]["kind"].as_str().unwrap().to_owned());
        }
    };
    told.extend(items(&last));
    assert!(parts >= 2, "{parts}");
    told.sort();
    told.dedup();
    assert_eq!(told.len(), 1 + 40, "each file once, the open one and as many as a report shows: {told:?}");
    let more = client.told("window/logMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(more.contains("oguard check --max 0"), "{more}");
    assert!(told.iter().all(|t| t.ends_with("full test-disabled")), "{told:?}");
    assert_eq!((kinds.first().unwrap().as_str(), kinds.last().unwrap().as_str()), ("begin", "end"));
    assert!(kinds.iter().filter(|k| *k == "report").count() > 5, "{kinds:?}");
    client.end();
}
