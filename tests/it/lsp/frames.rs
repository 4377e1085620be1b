//! Frames that clients should not send and do: each costs no more than itself.

use super::client::{Client, patient, uri};
use serde_json::{Value, json};
use std::path::Path;

fn survives(name: &str, bytes: &[u8], code: Option<i64>) {
    let mut client = Client::connect(patient());
    client.initialize(json!({ "capabilities": {} }));
    client.bytes(bytes);
    // More than one request behind it, as a length that is too large is noticed only then.
    let ids = [client.request("workspace/diagnostic", json!({ "previousResultIds": [] })), client.request("oguard/nothing", json!({}))];
    assert!(client.answer(ids[0]).get("result").is_some(), "{name}");
    assert_eq!(client.answer(ids[1])["error"]["code"], -32601, "{name}");
    if let Some(code) = code {
        let refusal = client.wait(name, |m| m["id"] == Value::Null && m.get("error").is_some());
        assert_eq!(refusal["error"]["code"], code, "{name}");
    }
    client.end();
}

fn framed(body: &[u8]) -> Vec<u8> {
    [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat()
}

#[test]
fn malformed_frames_cost_no_more_than_themselves() {
    let note = br#"{"jsonrpc":"2.0","method":"$/x"}"#;
    survives("bad JSON", &framed(b"{\"id\": 1, oops}"), Some(-32700));
    survives("no message", &framed(b"{\"jsonrpc\":\"2.0\"}"), Some(-32600));
    survives("batch", &framed(b"[]"), Some(-32600));
    survives("invalid UTF-8", &framed(b"{\"jsonrpc\":\"2.0\",\"method\":\"$/\xff\"}"), None);
    survives("lower case", format!("content-length: {}\r\n\r\n{}", note.len(), std::str::from_utf8(note).unwrap()).as_bytes(), None);
    survives("Content-Type without charset", &[b"Content-Type: application/json\r\n".as_slice(), &framed(note)].concat(), None);
    survives("a third header", &[b"X-Trace: 1\r\nContent-Type: a\r\n".as_slice(), &framed(note)].concat(), None);
    survives("garbage line", b"Debugger attached.\r\n", Some(-32700));
    survives("negative length", b"Content-Length: -1\r\n\r\n{}", Some(-32700));
    survives("9 GB", b"Content-Length: 9000000000\r\n\r\n{}", Some(-32700));
    survives("length 0", b"Content-Length: 0\r\n\r\n", Some(-32700));
    survives("too short", b"Content-Length: 10\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"$/x\"}", Some(-32700));
    survives("too long", b"Content-Length: 90\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"$/x\"}", None);
}

#[test]
fn half_a_surrogate_pair_does_not_lose_the_edit() {
    let mut client = Client::start(json!({ "capabilities": {} }));
    client.open("untitled:a", "python", 1, "x = 1\n");
    client.published("untitled:a");
    let body = r#"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"untitled:a","version":2},"contentChanges":[{"text":"x = '\ud83d'\n"}]}}"#;
    client.bytes(&framed(body.as_bytes()));
    assert_eq!(client.published("untitled:a")["version"], 2);
    client.end();
}

#[test]
fn an_initialize_of_odd_types_is_understood() {
    let mut client = Client::connect(patient());
    let offered = client.initialize(json!({
        "processId": -1, "rootUri": uri(Path::new("/tmp/[no such]")), "trace": "loud", "clientInfo": { "name": "x" },
        "capabilities": { "textDocument": { "hover": 7, "completion": "yes" }, "general": { "positionEncodings": ["utf-99", "utf-32"] } },
    }));
    assert_eq!(offered["positionEncoding"], "utf-32");
    client.end();
}
