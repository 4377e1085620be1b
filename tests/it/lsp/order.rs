//! Messages take effect in the order sent, and nobody's silence holds up the rest.

use super::client::{Client, assistant, uri};
use crate::cli::repo::Repo;
use serde_json::{Value, json};

const DOCUMENTS: usize = 10;
const MESSAGES: usize = 2_000;

/// Small and repeatable; the seed stands in every message of a failure.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// A text as a client keeps it, in UTF-16.
struct Text(Vec<u16>);

impl Text {
    fn string(&self) -> String {
        String::from_utf16(&self.0).unwrap()
    }

    /// The position of a code unit; lines end at `\n` only, as the pieces below use no other.
    fn position(&self, at: usize) -> Value {
        let line = self.0[..at].iter().filter(|u| **u == 10).count();
        let start = self.0[..at].iter().rposition(|u| *u == 10).map_or(0, |i| i + 1);
        json!({ "line": line, "character": at - start })
    }

    /// A code unit that begins a character.
    fn boundary(&self, mut at: usize) -> usize {
        while self.0.get(at).is_some_and(|u| (0xDC00..0xE000).contains(u)) {
            at -= 1;
        }
        at
    }
}

const PIECES: &[&str] = &[
    "@pytest.mark.skip\n",
    "def test_a():\n    assert 1 + 1 == 2\n\n",
    "x = '😀'\n",
    "# noqa\n",
    "    pass\n",
    "\n",
    "é",
    "def f():\n",
    "(",
    "'",
    "x = 1  # type: ignore\n",
];

fn run(seed: u64) {
    let repo = Repo::new();
    let base = "import pytest\n\n\ndef test_total():\n    assert sum([1, 2]) == 3\n".repeat(3);
    let names: Vec<String> = (0..DOCUMENTS).map(|i| format!("test [{i}] é.py")).collect();
    names.iter().for_each(|name| repo.write(name, &base));
    repo.commit("base");
    let mut client = Client::start(assistant(repo.root()));
    let uris: Vec<String> = names.iter().map(|name| uri(&repo.root().join(name))).collect();
    let mut random = Random(seed * 0x9E37_79B9 + 1);
    let mut texts: Vec<Text> = (0..DOCUMENTS).map(|_| Text(base.encode_utf16().collect())).collect();
    let mut versions = [1_i64; DOCUMENTS];
    let mut asked = Vec::new();
    for uri in &uris {
        client.open(uri, "python", 1, &base);
    }
    for _ in 0..MESSAGES {
        let i = random.below(DOCUMENTS);
        match random.below(8) {
            0 => asked.push(client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": uris[i] } }))),
            1 => {
                let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
                let params = json!({ "textDocument": { "uri": uris[i] }, "range": range, "context": { "diagnostics": [] } });
                asked.push(client.request("textDocument/codeAction", params));
            }
            2 => client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uris[i] } })),
            _ => {
                let text = &mut texts[i];
                let start = text.boundary(random.below(text.0.len() + 1));
                let end = text.boundary((start + random.below(12)).min(text.0.len())).max(start);
                let piece = PIECES[random.below(PIECES.len())];
                versions[i] += 1;
                let change = if random.below(10) == 0 {
                    text.0.splice(start..end, piece.encode_utf16());
                    json!([{ "text": text.string() }])
                } else {
                    let range = json!({ "start": text.position(start), "end": text.position(end) });
                    text.0.splice(start..end, piece.encode_utf16());
                    json!([{ "range": range, "text": piece }])
                };
                client.change(&uris[i], versions[i], change);
            }
        }
    }
    for id in asked {
        assert!(client.answer(id).get("result").is_some(), "seed {seed}: request {id}");
    }
    // Another server, which sees only the end, says what must be said last.
    let mut replay = Client::start(assistant(repo.root()));
    for (i, uri) in uris.iter().enumerate() {
        let want = replay.opened(uri, "python", &texts[i].string())["diagnostics"].clone();
        let mut before = 0;
        loop {
            let published = client.published(uri);
            let version = published["version"].as_i64().unwrap();
            assert!(version >= before, "seed {seed}: {uri} went from {before} back to {version}");
            before = version;
            // A parse that took too long is answered with what was known, and once more when it is done.
            if version == versions[i] && published["diagnostics"] == want {
                break;
            }
        }
    }
    replay.end();
    client.end();
}

#[test]
fn two_thousand_messages_over_ten_documents_keep_their_order() {
    (1..=5).for_each(run);
}

#[test]
fn a_client_that_answers_nothing_holds_up_nothing() {
    let repo = Repo::new();
    repo.write("test_a.py", "x = 1\n");
    repo.commit("base");
    let mut params = assistant(repo.root());
    params["capabilities"]["workspace"] = json!({ "configuration": true, "didChangeWatchedFiles": { "dynamicRegistration": true } });
    let mut client = Client::start(params);
    for _ in 0..3 {
        client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    }
    // Four requests of the server, none of which is ever answered.
    client.told("client/registerCapability");
    for _ in 0..4 {
        client.told("workspace/configuration");
    }
    let file = uri(&repo.root().join("test_a.py"));
    client.open(&file, "python", 1, "x = 1\n");
    for version in 2..=1_000 {
        client.change(&file, version, json!([{ "text": format!("x = {version}\n") }]));
    }
    client.published_at(&file, 1_000);
    client.end();
}

#[test]
fn a_client_that_stops_reading_costs_one_publication_a_document() {
    let repo = Repo::new();
    repo.write("test_a.py", "x = 1\n");
    repo.commit("base");
    let mut client = Client::start(assistant(repo.root()));
    // Far more than a pipe holds: answers to changes that nobody reads until the end.
    let file = uri(&repo.root().join("test_a.py"));
    client.open(&file, "python", 1, "x = 1\n");
    let line = "x = 1  # type: ignore\n".repeat(200);
    for version in 2..=3_000 {
        client.change(&file, version, json!([{ "text": format!("y = {version}\n{line}") }]));
    }
    let published = client.published_at(&file, 3_000);
    assert_eq!(published["diagnostics"].as_array().unwrap().len(), 11, "ten and a line that names the rest");
    client.end();
}
