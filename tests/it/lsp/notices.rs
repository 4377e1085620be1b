//! What clients can ask to hear beyond diagnostics: deltas, the status, a report; settings that are none; commands for clients
//! that know no action literals; progress of judging again.

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
    repo.write("test_old.py", TEST.replace("== 3", "== 3  # type: ignore") + "\nx = 1  # noqa\n");
    repo.commit("base");
    repo
}

#[test]
fn deltas_go_with_each_publication_to_who_asks() {
    let repo = repo();
    let head = repo.git(&["rev-parse", "HEAD"]);
    let mut params = assistant(repo.root());
    params["capabilities"]["experimental"] = json!({ "oguard": { "delta": true } });
    let mut client = Client::start(params);
    let file = uri(&repo.root().join("test_old.py"));
    let published = client.opened(&file, "python", &(skipped() + "\nx = 1  # noqa\n"));
    let delta = client.told("oguard/delta")["params"].clone();
    assert_eq!((&delta["uri"], &delta["version"], &delta["baseline"]), (&json!(file), &json!(1), &json!(head)));
    assert_eq!((&delta["resolved"], &delta["remaining"]), (&json!(1), &json!(1)));
    let introduced = delta["introduced"].as_array().unwrap();
    assert_eq!(introduced.len(), 1);
    let (told, shown) = (&introduced[0], &published["diagnostics"][0]);
    assert_eq!((&told["rule"], &told["level"]), (&json!("test-disabled"), &json!("block")));
    assert_eq!((&told["fingerprint"], &told["range"]), (&shown["data"]["fingerprint"], &shown["range"]));
    client.changed(&file, 2, &(TEST.to_owned() + "\nx = 1  # noqa\n"));
    assert_eq!(client.told("oguard/delta")["params"]["introduced"], json!([]));
    client.end();
}

#[test]
fn a_pulling_client_gets_deltas_and_no_publication() {
    let repo = repo();
    let mut params = assistant(repo.root());
    params["initializationOptions"] = json!({ "diagnostics": "pull", "delta": true });
    let mut client = Client::start(params);
    client.open("untitled:a [1]", "python", 4, TEST);
    let delta = client.told("oguard/delta")["params"].clone();
    assert_eq!((&delta["uri"], &delta["version"], &delta["baseline"]), (&json!("untitled:a [1]"), &json!(4), &json!("first-sight")));
    client.end();
}

#[test]
fn the_status_is_said_when_it_changes() {
    let repo = repo();
    let mut params = assistant(repo.root());
    params["initializationOptions"] = json!({ "status": true });
    let mut client = Client::start(params);
    let (first, second) = (uri(&repo.root().join("test_a.py")), uri(&repo.root().join("test_b.py")));
    let baselines = json!([{ "uri": uri(repo.root()), "baseline": repo.git(&["rev-parse", "HEAD"]) }]);
    let status = |client: &mut Client| client.told("oguard/status")["params"].clone();
    let said = |verdict: &str, block: u32, warn: u32| {
        let counts = json!({ "block": block, "warn": warn, "info": 0, "error": 0, "not_evaluated": 0 });
        let (failures, gaps) = (json!([]), json!([]));
        json!({ "verdict": verdict, "round": null, "counts": counts, "baselines": baselines, "failures": failures, "not_evaluated": gaps })
    };
    client.opened(&first, "python", TEST);
    assert_eq!(status(&mut client), said("pass", 0, 0));
    client.changed(&first, 2, &skipped());
    assert_eq!(status(&mut client), said("block", 1, 0));
    // Typing that changes nothing of it says nothing.
    for version in 3..20 {
        client.changed(&first, version, &(skipped() + &"# more\n".repeat(version as usize)));
    }
    client.opened(&second, "python", "x = 1  # type: ignore\n");
    assert_eq!(status(&mut client), said("block", 1, 1));
    client.changed(&first, 20, TEST);
    assert_eq!(status(&mut client), said("warn", 0, 1));
    client.close(&second);
    assert_eq!(status(&mut client), said("pass", 0, 0));
    client.published(&second);
    client.end();
}

/// Silence about a document that was not judged would read as a pass.
#[test]
fn the_status_names_what_was_not_judged_and_why() {
    let repo = Repo::new();
    repo.write("oguard.toml", "[paths]\nexclude = [\"old/**\"]\n");
    repo.write("old/test_old.py", TEST);
    repo.write("test_a.py", TEST);
    repo.commit("base");
    let mut params = assistant(repo.root());
    params["initializationOptions"] = json!({ "status": true });
    let mut client = Client::start(params.clone());
    let file = |name: &str| uri(&repo.root().join(name));
    // What matters of a status: verdict, counts of what is missing, and the names with a word of each reason.
    let status = |client: &mut Client| {
        let said = client.told("oguard/status")["params"].clone();
        let names = |list: &str| -> Vec<(String, String)> {
            let rows = said[list].as_array().unwrap().iter();
            rows.map(|row| (row["uri"].as_str().unwrap().to_owned(), row["why"].as_str().unwrap().to_owned())).collect()
        };
        let counts = (said["counts"]["error"].as_u64().unwrap(), said["counts"]["not_evaluated"].as_u64().unwrap());
        (said["verdict"].as_str().unwrap().to_owned(), counts, names("failures"), names("not_evaluated"))
    };

    client.opened(&file("old/test_old.py"), "python", &skipped());
    let (verdict, counts, failures, gaps) = status(&mut client);
    assert_eq!((verdict.as_str(), counts, failures), ("pass", (0, 1), vec![]));
    assert!(gaps[0].0 == file("old/test_old.py") && gaps[0].1.contains("exclude"), "{gaps:?}");

    // A part of a document.
    client.opened(&file("test_a.py"), "python", TEST);
    client.changed(&file("test_a.py"), 2, &TEST.replace("assert sum([1, 2])", "assert sum([1, "));
    let (_, counts, _, gaps) = status(&mut client);
    assert_eq!(counts, (0, 2));
    assert!(gaps[1].0 == file("test_a.py") && gaps[1].1.contains("does not parse"), "{gaps:?}");
    // A NUL, and then it is whole again.
    client.changed(&file("test_a.py"), 3, &format!("{TEST}\0"));
    assert!(status(&mut client).3[1].1.contains("binary"));
    client.changed(&file("test_a.py"), 4, TEST);
    assert_eq!(status(&mut client).1, (0, 1));
    client.close(&file("old/test_old.py"));
    assert_eq!(status(&mut client), ("pass".to_owned(), (0, 0), vec![], vec![]));
    client.published(&file("old/test_old.py"));
    client.end();

    repo.write("oguard.toml", "[rules\n");
    let mut client = Client::start(params);
    client.opened(&file("test_a.py"), "python", TEST);
    let (verdict, counts, failures, gaps) = status(&mut client);
    assert_eq!((verdict.as_str(), counts, gaps), ("error", (1, 0), vec![]));
    assert!(failures[0].0 == file("test_a.py") && failures[0].1.contains("oguard.toml"), "{failures:?}");
    client.told("window/showMessage");
    client.end();
}

#[test]
fn a_report_is_that_of_the_command_line_with_open_texts_as_they_are() {
    let repo = repo();
    repo.write("test_a.py", skipped());
    let mut client = Client::start(assistant(repo.root()));
    let whole = client.call("oguard/report", Value::Null);
    assert_eq!((&whole["schema"], &whole["verdict"]), (&json!("oguard.report/1"), &json!("block")));
    let check = repo.check(&[]).json();
    assert_eq!((&whole["findings"], &whole["verdict"]), (&check["findings"], &check["verdict"]));
    assert_eq!(whole["claim"]["baseline"], json!(repo.git(&["rev-parse", "HEAD"])));
    // Put right in the editor, not saved; another one changed there.
    let (first, old) = (uri(&repo.root().join("test_a.py")), uri(&repo.root().join("test_old.py")));
    client.opened(&first, "python", TEST);
    client.opened(&old, "python", TEST);
    client.opened("untitled:b", "python", TEST);
    let whole = client.call("oguard/report", json!({}));
    assert_eq!((&whole["verdict"], &whole["findings"], &whole["resolved"]), (&json!("pass"), &json!([]), &json!(2)));
    assert_eq!(whole["claim"]["files"], json!(["test_a.py", "test_old.py"]));
    let named = whole["claim"]["not_evaluated"].as_array().unwrap();
    assert!(named.iter().any(|n| n["what"] == "untitled:b"), "{named:?}");
    let one = client.call("oguard/report", json!({ "uri": old }));
    assert_eq!((&one["claim"]["files"], &one["resolved"]), (&json!(["test_old.py"]), &json!(2)));
    let unfiled = client.call("oguard/report", json!({ "uri": "untitled:b" }));
    assert_eq!((&unfiled["claim"]["files"], &unfiled["claim"]["baseline"]), (&json!(["untitled:b"]), &json!("first-sight")));
    let unknown = client.request("oguard/report", json!({ "uri": "untitled:c" }));
    assert!(client.answer(unknown)["error"]["message"].as_str().unwrap().contains("untitled:c"));
    // What nobody judges gets no report, which would read as a pass.
    for nothing in [json!(5), json!("file:///"), json!(uri(&repo.beside("elsewhere")))] {
        let asked = client.request("oguard/report", json!({ "uri": nothing }));
        assert!(client.answer(asked)["error"]["code"] == json!(-32602), "{nothing}");
    }
    client.end();
}

#[test]
fn a_uri_that_leads_out_of_the_workspace_is_not_ours() {
    let (ours, other) = (repo(), repo());
    let mut client = Client::start(assistant(ours.root()));
    let inside = uri(ours.root());
    let name = |repo: &Repo| repo.root().components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>();
    let up = "/..".repeat(name(&ours).len() - 1);
    let path = format!("{inside}{up}{}/test_a.py", uri(other.root()).trim_start_matches("file://"));
    assert_eq!(found(&client.opened(&path, "python", &skipped())), Vec::<String>::new());
    let told = client.told("window/logMessage")["params"]["message"].to_string();
    assert!(told.contains("outside the workspace folders"), "{told}");
    client.end();
}

#[test]
fn of_several_repositories_one_is_named() {
    let (one, two) = (repo(), repo());
    two.write("test_a.py", skipped());
    let mut params = assistant(one.root());
    params["workspaceFolders"] = json!([{ "uri": uri(one.root()), "name": "one" }, { "uri": uri(two.root()), "name": "two" }]);
    let mut client = Client::start(params);
    let all = client.request("oguard/report", Value::Null);
    let error = client.answer(all)["error"]["message"].as_str().unwrap().to_owned();
    assert!(error.contains(&uri(one.root())) && error.contains(&uri(two.root())), "{error}");
    assert_eq!(client.call("oguard/report", json!({ "uri": uri(one.root()) }))["verdict"], "pass");
    assert_eq!(client.call("oguard/report", json!({ "uri": uri(two.root()) }))["verdict"], "block");
    assert_eq!(client.call("oguard/report", json!({ "uri": uri(&two.root().join("test_old.py")) }))["verdict"], "pass");
    client.end();
}

#[test]
fn what_is_no_setting_is_said_once() {
    let repo = repo();
    let mut params = assistant(repo.root());
    params["initializationOptions"] = json!({ "severty": { "warn": "error" } });
    params["capabilities"]["workspace"] = json!({ "configuration": true });
    let mut client = Client::start(params);
    let said = |client: &mut Client| client.told("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    let first = said(&mut client);
    assert!(first.contains("no setting `severty`") && first.contains("`severity`"), "{first}");
    for _ in 0..2 {
        let ask = client.told("workspace/configuration");
        let settings = json!({ "severty": {}, "severity": { "test-disbled": "error" }, "trace": { "server": "off" }, "path": "" });
        client.send(&json!({ "jsonrpc": "2.0", "id": ask["id"], "result": [settings] }));
        client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    }
    let second = said(&mut client);
    assert!(second.contains("`test-disbled`, which is no rule"), "{second}");
    let ask = client.told("workspace/configuration");
    client.send(&json!({ "jsonrpc": "2.0", "id": ask["id"], "result": [{ "diagnostics": "pull" }] }));
    assert!(said(&mut client).contains("`diagnostics` is taken when the server starts"));
    // Nothing else was said.
    client.end();
}

#[test]
fn a_setting_that_is_taken_away_is_gone() {
    let repo = repo();
    let file = uri(&repo.root().join("test_a.py"));
    let mut params = assistant(repo.root());
    params["initializationOptions"] = json!({ "severity": { "check-suppressed": "error" }, "diagnostics": "push" });
    let mut client = Client::start(params);
    let severity = |published: &Value| published["diagnostics"][0]["severity"].clone();
    let text = TEST.replace("== 3", "== 3  # type: ignore");
    assert_eq!(severity(&client.opened(&file, "python", &text)), 1);
    // As an editor pushes its section: the map is empty, the rest at its default.
    let section = json!({ "path": "", "severity": {}, "diagnostics": "push", "trace": { "server": "off" } });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "oguard": section } }));
    assert_eq!(severity(&client.published(&file)), 2);
    // The same names hold in both places.
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "oguard": { "client": "editor", "status": true } } }));
    assert_eq!(client.told("oguard/status")["params"]["verdict"], "warn");
    client.published(&file);
    client.end();
}

/// Without action literals an action is a command; the server has the client apply what it stands for.
#[test]
fn a_client_without_literals_gets_commands() {
    let repo = repo();
    repo.write("test [b].py", TEST);
    repo.commit("b");
    let file = uri(&repo.root().join("test [b].py"));
    let params =
        json!({ "rootUri": uri(repo.root()), "clientInfo": { "name": "vim" }, "capabilities": { "workspace": { "applyEdit": true } } });
    let mut client = Client::connect(patient());
    let offered = client.initialize(params.clone());
    assert_eq!((&offered["codeActionProvider"], &offered["executeCommandProvider"]["commands"]), (&json!(true), &json!(["oguard.fix"])));
    let published = client.opened(&file, "python", &skipped());
    let ask = |published: &Value| json!({ "textDocument": { "uri": file }, "range": published["diagnostics"][0]["range"], "context": { "diagnostics": [] } });
    let actions = client.call("textDocument/codeAction", ask(&published));
    let titles: Vec<&str> = actions.as_array().unwrap().iter().map(|a| a["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Remove the skip", "Restore this from the base"]);
    for action in actions.as_array().unwrap() {
        assert!(action["command"].is_string() && action.get("edit").is_none(), "{action}");
        let run = json!({ "command": action["command"], "arguments": action["arguments"] });
        assert_eq!(client.call("workspace/executeCommand", run), Value::Null);
        let apply = client.told("workspace/applyEdit");
        assert!(apply["params"]["edit"]["changes"][&file].is_array(), "under the very URI: {apply}");
        client.send(&json!({ "jsonrpc": "2.0", "id": apply["id"], "result": { "applied": false } }));
    }
    // Of a finding that is gone nothing can be fixed.
    client.changed(&file, 2, TEST);
    let run = json!({ "command": "oguard.fix", "arguments": actions[0]["arguments"] });
    assert_eq!(client.call("workspace/executeCommand", run), Value::Null);
    assert!(client.told("window/showMessage")["params"]["message"].as_str().unwrap().contains("nothing to fix"));
    let unknown = client.request("workspace/executeCommand", json!({ "command": "other.command", "arguments": [] }));
    assert_eq!(client.answer(unknown)["error"]["code"], -32602);
    client.end();

    // One that applies no edit either can use none.
    let mut params = params;
    params["capabilities"]["workspace"]["applyEdit"] = json!(false);
    let mut client = Client::connect(patient());
    assert!(client.initialize(params).get("executeCommandProvider").is_none());
    let published = client.opened(&file, "python", &skipped());
    assert_eq!(client.call("textDocument/codeAction", ask(&published)), json!([]));
    client.end();
}

/// Resolving needs `data` back, which not every client that resolves gives.
#[test]
fn an_action_is_complete_where_data_is_not_kept() {
    let repo = repo();
    let file = uri(&repo.root().join("test_a.py"));
    let mut params = assistant(repo.root());
    params["capabilities"]["textDocument"]["codeAction"]["resolveSupport"] = json!({ "properties": ["edit"] });
    let mut client = Client::start(params);
    let published = client.opened(&file, "python", &skipped());
    let range = &published["diagnostics"][0]["range"];
    let actions = client
        .call("textDocument/codeAction", json!({ "textDocument": { "uri": file }, "range": range, "context": { "diagnostics": [] } }));
    for action in actions.as_array().unwrap() {
        assert!(action["edit"].is_object() && action.get("isPreferred").is_none() && action.get("data").is_none(), "{action}");
        assert_eq!(client.call("codeAction/resolve", action.clone()), *action);
    }
    client.end();
}

#[test]
fn judging_many_again_is_shown() {
    const DOCUMENTS: usize = 25;
    let repo = Repo::new();
    let name = |i: usize| format!("test_{i}.py");
    (0..DOCUMENTS).for_each(|i| repo.write(&name(i), TEST));
    repo.commit("base");
    let mut params = assistant(repo.root());
    params["capabilities"]["window"] = json!({ "workDoneProgress": true });
    let mut client = Client::start(params);
    let files: Vec<String> = (0..DOCUMENTS).map(|i| uri(&repo.root().join(name(i)))).collect();
    for file in &files {
        assert_eq!(found(&client.opened(file, "python", &skipped())), ["test-disabled 3"]);
    }
    repo.write("oguard.toml", "[rules]\ntest-disabled = \"off\"\n");
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri(&repo.root().join("oguard.toml")), "type": 1 }] }));
    let create = client.told("window/workDoneProgress/create");
    client.send(&json!({ "jsonrpc": "2.0", "id": create["id"], "result": null }));
    let mut kinds = Vec::new();
    while kinds.last().map(String::as_str) != Some("end") {
        let step = client.told("$/progress")["params"].clone();
        assert_eq!(step["token"], create["params"]["token"]);
        kinds.push(step["value"]["kind"].as_str().unwrap().to_owned());
    }
    assert_eq!(kinds[0], "begin");
    for file in &files {
        assert_eq!(found(&client.published(file)), [""; 0]);
    }
    client.end();
}

/// The table of settings is what the server takes.
#[test]
fn the_settings_are_those_of_the_document() {
    let mut client = Client::start(json!({ "capabilities": {}, "initializationOptions": { "no such": 1 } }));
    let said = client.told("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    let known: Vec<&str> = said.split("the settings are ").nth(1).unwrap().split('`').skip(1).step_by(2).collect();
    let page = std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/README.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter_map(|l| l.strip_prefix("| `")?.split('`').next()).collect();
    assert_eq!(rows, known);
    client.end();
}

/// What the VS Code extension sends of its section is understood, each setting at its default.
#[test]
fn the_settings_of_the_extension_are_known() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = std::fs::read_to_string(root.join("vscode-extension/package.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let mut section = json!({});
    for (name, property) in manifest["contributes"]["configuration"]["properties"].as_object().unwrap() {
        let mut place = &mut section;
        for part in name.strip_prefix("oguard.").unwrap().split('.') {
            place = &mut place[part];
        }
        *place = property["default"].clone();
    }
    assert!(section["severity"].is_object() && section["trace"]["server"] == "off", "{section}");
    let mut client = Client::start(json!({ "capabilities": {} }));
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "oguard": section } }));
    client.opened("untitled:a", "python", TEST);
    // No word about any of them is left unread.
    client.end();
}
