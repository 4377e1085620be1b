//! How findings look to whom: messages, severities, what waits for rest, push and pull, configuration.

use super::client::{Client, assistant, found, patient, uri};
use crate::cli::repo::{Repo, run_with_input};
use oguard::lsp::Limits;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

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

fn editor(root: &Path) -> Value {
    let mut params = assistant(root);
    params["clientInfo"] = json!({ "name": "Neovim" });
    params
}

/// An editor's rest that no test waits for, and one that is over at once.
fn limits(settle: Duration) -> Limits {
    Limits { settle, ..patient() }
}

#[test]
fn a_message_stands_alone_on_one_short_line() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    let long = format!("\n\n@pytest.mark.skip\ndef test_{}():\n    assert min([4, 5]) == 4\n", "long_name_".repeat(40));
    let published = client.opened(&file, "python", &(long + &skipped()));
    let diagnostics = published["diagnostics"].as_array().unwrap();
    assert_eq!(diagnostics.len(), 2);
    for diagnostic in diagnostics {
        let message = diagnostic["message"].as_str().unwrap();
        assert!(message.starts_with("test-disabled: ") && message.ends_with("; let the test run, and fix what makes it fail"), "{message}");
        assert!(message.chars().count() <= 160 && !message.contains('\n'), "{message}");
        assert_eq!((&diagnostic["source"], &diagnostic["code"]), (&json!("oguard"), &json!("test-disabled")));
        assert!(diagnostic["data"]["fingerprint"].as_str().unwrap().starts_with("og1:"));
    }
    assert_eq!((&diagnostics[0]["severity"], &diagnostics[1]["severity"]), (&json!(1), &json!(2)), "the worst first");
    client.end();
}

#[test]
fn what_is_asked_right_before_the_end_is_answered() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    let asked = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": file } }));
    let ended = client.request("shutdown", Value::Null);
    client.notify("exit", Value::Null);
    let (code, left) = client.hang_up();
    let answered = |id: i64| left.iter().any(|m| m["id"] == id);
    assert!(answered(asked) && answered(ended), "{left:?}");
    assert_eq!(code, 0);
}

#[test]
fn ids_are_those_of_the_command_line() {
    let repo = repo();
    let text = skipped() + "\n\nx = 1  # type: ignore\ny = 2  # type: ignore\n\n# ... rest of the tests unchanged ...\n";
    let mut client = Client::start(assistant(repo.root()));
    let published = client.opened(&uri(&repo.root().join("test_a.py")), "python", &text);
    client.end();
    let ids = |findings: &Value, id: fn(&Value) -> &Value| -> Vec<String> {
        let mut ids: Vec<String> = findings.as_array().unwrap().iter().map(|f| id(f).as_str().unwrap().to_owned()).collect();
        ids.sort();
        ids
    };
    let of_server = ids(&published["diagnostics"], |d| &d["data"]["fingerprint"]);
    let args = ["check", "--stdin", "--format", "json", "test_a.py"];
    let of_input = ids(&run_with_input(repo.root(), &args, text.as_bytes()).json()["findings"], |f| &f["fingerprint"]);
    repo.write("test_a.py", &text);
    let of_check = ids(&repo.check(&[]).json()["findings"], |f| &f["fingerprint"]);
    assert_eq!(of_server.len(), 4, "{published}");
    assert_eq!(of_server, of_check);
    assert_eq!(of_server, of_input);
}

#[test]
fn the_worst_ten_are_shown_and_the_command_for_the_rest() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let folder = uri(repo.root());
    let file = format!("{folder}/sub dir/test_b.py");
    let text = "x = 1  # type: ignore\n".repeat(30) + TEST + "\n\n@pytest.mark.skip\ndef test_b():\n    assert 1 + 1 == 2\n";
    let published = client.opened(&file, "python", &text);
    let diagnostics = published["diagnostics"].as_array().unwrap();
    assert_eq!(diagnostics.len(), 11);
    assert_eq!(diagnostics[10]["message"], "oguard: more findings in this file; run `oguard check 'sub dir/test_b.py' --max 0`");
    client.end();
}

#[test]
fn in_an_editor_half_done_edits_rest_first_and_a_save_ends_the_wait() {
    let broken = TEST.to_owned() + "def broken(:\n";
    let repo = repo();
    let file = uri(&repo.root().join("test_a.py"));
    // Assistants are told at once.
    let mut client = Client::start(assistant(repo.root()));
    client.opened(&file, "python", TEST);
    assert_eq!(found(&client.changed(&file, 2, &broken)).len(), 1);
    client.end();
    // An editor is not, until the text is saved.
    let mut client = Client::start_with(editor(repo.root()), limits(Duration::from_secs(3_600)));
    client.opened(&file, "python", TEST);
    assert_eq!(found(&client.changed(&file, 2, &broken)), [""; 0]);
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": file } }));
    let published = client.published(&file);
    assert_eq!((&published["version"], found(&published).len()), (&json!(2), 1));
    // What is shown stays while one goes on typing, and what is no half-done edit comes at once.
    let both = broken.replace("sum([1, 2]) == 3", "sum([1, 2]) == 3  # type: ignore");
    assert_eq!(found(&client.changed(&file, 3, &both)).len(), 2);
    client.end();
    // Or until it rests.
    let mut client = Client::start_with(editor(repo.root()), limits(Duration::from_millis(30)));
    client.opened(&file, "python", TEST);
    client.change(&file, 2, json!([{ "text": broken }]));
    let mut published = client.published(&file);
    if found(&published).is_empty() {
        published = client.published(&file);
    }
    assert_eq!((&published["version"], found(&published).len()), (&json!(2), 1));
    client.end();
}

#[test]
fn information_is_for_editors_alone() {
    let repo = repo();
    let file = uri(&repo.root().join("test_a.py"));
    let text = TEST.replace("def ", "@pytest.mark.skipif(sys.platform == 'win32', reason='paths')\ndef ");
    let mut client = Client::start(assistant(repo.root()));
    assert_eq!(found(&client.opened(&file, "python", &text)), [""; 0]);
    client.end();
    let mut client = Client::start(editor(repo.root()));
    let published = client.opened(&file, "python", &text);
    assert_eq!((found(&published).len(), &published["diagnostics"][0]["severity"]), (1, &json!(3)));
    client.end();
}

#[test]
fn a_client_lifts_warnings_and_lowers_nothing() {
    let repo = repo();
    let file = uri(&repo.root().join("test_a.py"));
    let text = skipped().replace("== 3", "== 3  # type: ignore");
    let severities = |published: &Value| -> Vec<i64> {
        published["diagnostics"].as_array().unwrap().iter().map(|d| d["severity"].as_i64().unwrap()).collect()
    };
    let mut params = assistant(repo.root());
    params["initializationOptions"] = json!({ "severity": { "warn": "error", "test-disabled": "warning" } });
    let mut client = Client::start(params);
    assert_eq!(severities(&client.opened(&file, "python", &text)), [1, 1]);
    client.end();
    // The configuration is above what `initialize` said; no answer, a short one and null change nothing.
    let mut params = assistant(repo.root());
    params["capabilities"]["workspace"] = json!({ "configuration": true });
    let mut client = Client::start(params);
    let ask = client.told("workspace/configuration");
    client.send(&json!({ "jsonrpc": "2.0", "id": ask["id"], "result": [] }));
    assert_eq!(severities(&client.opened(&file, "python", &text)), [1, 2]);
    client.notify("workspace/didChangeConfiguration", json!({ "settings": {} }));
    let ask = client.told("workspace/configuration");
    assert_eq!(ask["params"]["items"], json!([{ "section": "oguard" }]));
    client.send(&json!({ "jsonrpc": "2.0", "id": ask["id"], "result": [null] }));
    client.notify("workspace/didChangeConfiguration", json!({ "settings": {} }));
    let ask = client.told("workspace/configuration");
    client.send(&json!({ "jsonrpc": "2.0", "id": ask["id"], "result": [{ "severity": { "check-suppressed": "error" } }] }));
    assert_eq!(severities(&client.published(&file)), [1, 1]);
    client.end();
}

#[test]
fn pulls_are_answered_by_everyone_and_offered_to_who_wants_them() {
    let repo = repo();
    let file = uri(&repo.root().join("test_a.py"));
    let mut client = Client::connect(patient());
    let offered = client.initialize(assistant(repo.root()));
    assert!(offered.get("diagnosticProvider").is_none());
    let pushed = client.opened(&file, "python", &skipped());
    let pull = |previous: Option<&str>| json!({ "textDocument": { "uri": file }, "previousResultId": previous });
    let full = client.call("textDocument/diagnostic", pull(None));
    assert_eq!((&full["kind"], &full["items"]), (&json!("full"), &pushed["diagnostics"]));
    let id = full["resultId"].as_str().unwrap();
    assert_eq!(client.call("textDocument/diagnostic", pull(Some(id)))["kind"], "unchanged");
    assert_eq!(client.call("textDocument/diagnostic", pull(Some("other")))["kind"], "full");
    let all = client.call("workspace/diagnostic", json!({ "previousResultIds": [] }));
    assert_eq!(
        (&all["items"][0]["uri"], &all["items"][0]["version"], &all["items"][0]["items"]),
        (&json!(file), &json!(1), &pushed["diagnostics"])
    );
    let same = client.call("workspace/diagnostic", json!({ "previousResultIds": [{ "uri": file, "value": id }] }));
    assert_eq!(same["items"][0]["kind"], "unchanged");
    let unknown = client.call("textDocument/diagnostic", json!({ "textDocument": { "uri": "file:///not open.py" } }));
    assert_eq!(unknown["items"], json!([]));
    client.end();

    let mut params = assistant(repo.root());
    params["initializationOptions"] = json!({ "diagnostics": "pull" });
    let mut client = Client::connect(patient());
    let offered = client.initialize(params);
    assert_eq!(offered["diagnosticProvider"]["interFileDependencies"], false);
    client.open(&file, "python", 1, &skipped());
    assert_eq!(client.call("textDocument/diagnostic", pull(None))["items"], pushed["diagnostics"]);
    // Nothing is pushed beside it: no message is left unread.
    client.end();
}

#[test]
fn the_base_explains_where_the_client_can_show_it() {
    let repo = repo();
    let file = uri(&repo.root().join("test_a.py"));
    let renamed = TEST.replace("def test_total", "def no_test_total");
    let mut client = Client::start(assistant(repo.root()));
    let published = client.opened(&file, "python", &renamed);
    let related = published["diagnostics"][0]["relatedInformation"].as_array().unwrap();
    assert_eq!(related.len(), 1);
    assert_eq!(related[0]["location"]["uri"], file);
    assert_eq!(related[0]["message"], "base: the test that ran: def test_total():");
    client.end();
    let mut params = assistant(repo.root());
    params["capabilities"]["textDocument"]["publishDiagnostics"] = json!({});
    let mut client = Client::start(params);
    assert!(client.opened(&file, "python", &renamed)["diagnostics"][0].get("relatedInformation").is_none());
    client.end();
}

/// A pulling editor is told that what it got has changed: a save ends the wait, and more is known.
#[test]
fn a_pulling_client_is_asked_to_pull_again() {
    let repo = repo();
    let file = uri(&repo.root().join("test_a.py"));
    let mut params = editor(repo.root());
    params["initializationOptions"] = json!({ "diagnostics": "pull" });
    params["capabilities"]["workspace"] = json!({ "diagnostics": { "refreshSupport": true } });
    let mut client = Client::start_with(params, limits(Duration::from_secs(3_600)));
    client.open(&file, "python", 1, TEST);
    client.change(&file, 2, json!([{ "text": TEST.to_owned() + "def broken(:\n" }]));
    let pull = json!({ "textDocument": { "uri": file } });
    assert_eq!(client.call("textDocument/diagnostic", pull.clone())["items"], json!([]));
    client.notify("textDocument/didSave", pull.clone());
    let ask = client.told("workspace/diagnostic/refresh");
    client.send(&json!({ "jsonrpc": "2.0", "id": ask["id"], "result": null }));
    assert_eq!(client.call("textDocument/diagnostic", pull)["items"][0]["code"], "syntax-error");
    client.end();
}

/// The version is answered with what was known, and again when the parse is done in the background.
#[test]
fn a_parse_that_takes_too_long_is_done_behind_the_answer() {
    let text = "import pytest\n\n\n".to_owned() + &TEST.repeat(800);
    let repo = Repo::new();
    repo.write("test_a.py", &text);
    repo.commit("base");
    let file = uri(&repo.root().join("test_a.py"));
    let mut client = Client::start_with(assistant(repo.root()), Limits { edit_parse_max: Duration::ZERO, ..patient() });
    assert_eq!(found(&client.opened(&file, "python", &text)), [""; 0]);
    let edited = text.replace("sum([1, 2]) == 3", "sum([1, 2]) == 3  # type: ignore");
    assert_eq!(found(&client.changed(&file, 2, &edited)), [""; 0]);
    let published = client.published(&file);
    assert_eq!((&published["version"], found(&published).len()), (&json!(2), 11));
    client.end();
}
