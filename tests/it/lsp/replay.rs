//! Sessions of real clients, played again: every request is answered once, every open and change by a publication under the
//! very URI that was sent. `fixtures/clients/README.md` says where they come from.

use super::client::{Client, patient, uri};
use crate::cli::repo::Repo;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

/// The project of the sessions.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("calc.py", "def add(a, b):\n    return a + b\n");
    repo.write("test_calc.py", "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n");
    repo.write("pyproject.toml", "[project]\nname = \"fixture\"\nversion = \"0.1.0\"\n");
    repo.commit("base");
    repo
}

struct Recording {
    name: String,
    answers: Value,
    messages: Vec<Value>,
}

fn recordings(repo: &Repo) -> Vec<Recording> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/clients");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "jsonl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let placed = |line: &str| {
            let line = line.replace("$ROOT", repo.root().to_str().unwrap());
            line.replace("$OUTSIDE", repo.root().parent().unwrap().to_str().unwrap())
        };
        let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(&placed(line)).unwrap());
        let head = lines.next().unwrap();
        assert!(head["client"].is_string(), "{}", path.display());
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        found.push(Recording { name, answers: head["answers"].clone(), messages: lines.collect() });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(found.len() >= 10, "the recordings are there");
    found
}

/// What the server has said so far, as the client takes it: its requests are answered, the rest is kept.
struct Seen {
    client: Client,
    answers: Value,
    /// Answers by the id of the request.
    answered: HashMap<String, usize>,
    /// Versions published, by URI, in order.
    published: HashMap<String, Vec<Value>>,
}

impl Seen {
    fn take(&mut self, message: &Value) {
        match (message["method"].as_str(), message.get("id")) {
            (Some("textDocument/publishDiagnostics"), _) => {
                let uri = message["params"]["uri"].as_str().unwrap().to_owned();
                self.published.entry(uri).or_default().push(message["params"]["version"].clone());
            }
            (Some(method), Some(id)) => {
                let mut answer = json!({ "jsonrpc": "2.0", "id": id });
                match self.answers.get(method).and_then(|a| a.get("error")) {
                    Some(code) => answer["error"] = json!({ "code": code, "message": "no such method" }),
                    None if method == "workspace/configuration" => answer["result"] = json!([null]),
                    None if method == "workspace/applyEdit" => answer["result"] = json!({ "applied": true }),
                    None => answer["result"] = Value::Null,
                }
                self.client.send(&answer);
            }
            (None, Some(id)) => *self.answered.entry(id.to_string()).or_default() += 1,
            _ => {}
        }
    }

    fn until(&mut self, what: &str, done: impl Fn(&Seen) -> bool) {
        while !done(self) {
            let message = self.client.wait(what, |_| true);
            self.take(&message);
        }
    }

    fn count(&self, uri: &str) -> usize {
        self.published.get(uri).map_or(0, Vec::len)
    }
}

/// Plays a session; `waits` sends nothing before the last open or change was answered.
fn play(recording: &Recording, waits: bool) {
    let name = &recording.name;
    let mut seen = Seen {
        client: Client::connect(patient()),
        answers: recording.answers.clone(),
        answered: HashMap::new(),
        published: HashMap::new(),
    };
    let mut last: HashMap<String, Value> = HashMap::new();
    let mut asked = Vec::new();
    let mut ended = false;
    for message in &recording.messages {
        let method = message["method"].as_str().unwrap();
        ended |= method == "exit";
        if method == "shutdown" || ended {
            // What is open is answered before the end in any case, but not after it.
            settle(name, &mut seen, &last);
        }
        let mut sent = message.clone();
        sent["jsonrpc"] = json!("2.0");
        seen.client.send(&sent);
        if let Some(id) = message.get("id") {
            asked.push(id.to_string());
        }
        if method == "initialize" {
            seen.until(name, |s| s.answered.contains_key(&asked[0]));
        }
        let document = &message["params"]["textDocument"];
        let uri = document["uri"].as_str().unwrap_or_default().to_owned();
        match method {
            "textDocument/didOpen" | "textDocument/didChange" => {
                last.insert(uri.clone(), document["version"].clone());
                if waits {
                    let before = seen.count(&uri);
                    let version = &document["version"];
                    seen.until(&format!("{name}: {uri} {version}"), |s| {
                        s.published.get(&uri).is_some_and(|v| v[before..].contains(version))
                    });
                }
            }
            "textDocument/didClose" => {
                last.remove(&uri);
            }
            _ => {}
        }
    }
    if !ended {
        settle(name, &mut seen, &last);
        let before: Vec<String> = asked.clone();
        seen.until(name, |s| before.iter().all(|id| s.answered.contains_key(id)));
    }
    let Seen { client, mut answered, published, .. } = seen;
    let (_, left) = client.hang_up();
    for message in left.iter().filter(|m| m.get("method").is_none()) {
        *answered.entry(message["id"].to_string()).or_default() += 1;
    }
    asked.sort();
    for id in &asked {
        assert_eq!(answered.get(id), Some(&1), "{name}: request {id}");
    }
    assert_eq!(answered.len(), asked.len(), "{name}: answers to nothing");
    let strange: Vec<&String> = published.keys().filter(|uri| !uri.starts_with("file:///")).collect();
    assert!(strange.is_empty(), "{name}: {strange:?}");
}

/// Waits until what was published last of each document is its newest version.
fn settle(name: &str, seen: &mut Seen, last: &HashMap<String, Value>) {
    for (uri, version) in last {
        seen.until(&format!("{name}: {uri} {version}"), |s| s.published.get(uri).is_some_and(|v| v.last() == Some(version)));
    }
}

#[test]
fn every_open_and_change_is_answered_with_its_uri_and_version() {
    let repo = repo();
    for recording in recordings(&repo) {
        play(&recording, true);
    }
}

#[test]
fn a_session_sent_at_once_ends_with_its_newest_versions() {
    let repo = repo();
    for recording in recordings(&repo) {
        play(&recording, false);
    }
}

/// What the recorded assistants are for: the edit that skips the test is answered with the finding.
#[test]
fn the_assistants_hear_of_the_skip() {
    let repo = repo();
    let file = uri(&repo.root().join("test_calc.py"));
    for recording in recordings(&repo).iter().filter(|r| ["claude-code", "opencode", "qwen-code"].contains(&r.name.as_str())) {
        let mut client = Client::connect(patient());
        let mut heard = false;
        for message in &recording.messages {
            let mut sent = message.clone();
            sent["jsonrpc"] = json!("2.0");
            client.send(&sent);
            if message["method"] == "textDocument/didOpen" && message["params"]["textDocument"]["uri"] == file {
                let published = client.published(&file);
                let first = &published["diagnostics"][0];
                assert_eq!((&first["severity"], &first["code"]), (&json!(1), &json!("test-disabled")), "{}", recording.name);
                heard = true;
            }
        }
        assert!(heard, "{}", recording.name);
        client.hang_up();
    }
}
