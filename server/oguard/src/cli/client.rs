//! A small client of a language server over stdio: what the demonstration and the bench need, and a limit on every wait.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long an answer may take; a healthy server needs milliseconds.
const ANSWER_LIMIT: Duration = Duration::from_secs(20);

/// Largest message of our own server, in bytes.
const MESSAGE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// A running server and what it said.
pub(super) struct Client {
    child: Child,
    stdin: ChildStdin,
    messages: Receiver<(Value, usize)>,
    next_id: u64,
    published: Published,
    seen: HashSet<String>,
}

/// What a server has published so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Published {
    /// Notifications of diagnostics.
    pub(super) count: usize,
    /// Bytes of their bodies.
    pub(super) bytes: usize,
}

impl Client {
    /// Starts a server in a folder and introduces the client, whose columns count in `encoding`.
    pub(super) fn start(program: &Path, args: &[&str], root: &Path, encoding: &str) -> Result<Self> {
        let mut child = Command::new(program)
            .args(args)
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let stdin = child.stdin.take().context("the server has no input")?;
        let stdout = child.stdout.take().context("the server has no output")?;
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            while let Some(message) = read(&mut reader) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut client = Client { child, stdin, messages, next_id: 1, published: Published::default(), seen: HashSet::new() };
        let folder = json!({"uri": uri(root), "name": "demo"});
        client.request(
            "initialize",
            json!({
                "processId": std::process::id(), "rootUri": uri(root), "workspaceFolders": [folder],
                "clientInfo": {"name": "oguard"},
                "capabilities": {
                    "general": {"positionEncodings": [encoding]},
                    "textDocument": {
                        "publishDiagnostics": {"relatedInformation": true, "versionSupport": true},
                        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
                    },
                },
            }),
        )?;
        client.notify("initialized", json!({}))?;
        Ok(client)
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) -> Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// Sends a request and waits for its answer.
    pub(super) fn request(&mut self, method: &str, params: Value) -> Result<Value> {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let answer = self.wait(method, |m| m["id"] == id && m["method"].is_null())?;
        if !answer["error"].is_null() {
            bail!("the server refused {method}: {}", answer["error"]["message"]);
        }
        Ok(answer["result"].clone())
    }

    /// Returns what the server has published in the messages read so far.
    pub(super) fn published(&self) -> Published {
        self.published
    }

    /// Returns the id of the server's process.
    pub(super) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the diagnostics of a version of a document.
    pub(super) fn diagnostics(&mut self, uri: &str, version: i64) -> Result<Vec<Value>> {
        let message = self.wait("diagnostics", |m| {
            m["method"] == "textDocument/publishDiagnostics" && m["params"]["uri"] == uri && m["params"]["version"] == version
        })?;
        Ok(message["params"]["diagnostics"].as_array().cloned().unwrap_or_default())
    }

    /// Waits until a document's diagnostics were published at least once since the start.
    pub(super) fn published_at_least_once(&mut self, uri: &str) -> Result<()> {
        if !self.seen.contains(uri) {
            self.wait("diagnostics", |m| m["method"] == "textDocument/publishDiagnostics" && m["params"]["uri"] == uri)?;
        }
        Ok(())
    }

    fn wait(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Result<Value> {
        let deadline = Instant::now() + ANSWER_LIMIT;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let (message, bytes) = self.messages.recv_timeout(left).with_context(|| format!("the server did not answer: {what}"))?;
            if message["method"] == "textDocument/publishDiagnostics" {
                self.published.count += 1;
                self.published.bytes += bytes;
                self.seen.extend(message["params"]["uri"].as_str().map(str::to_owned));
            }
            if fits(&message) {
                return Ok(message);
            }
            if message["method"] == "window/showMessage" {
                bail!("the server says: {}", message["params"]["message"].as_str().unwrap_or("?"));
            }
            // Requests of the server (configuration, registrations) get an empty answer, as a plain client gives.
            if !message["method"].is_null() && !message["id"].is_null() {
                self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": null}))?;
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let body = message.to_string();
        write!(self.stdin, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        self.stdin.flush()?;
        Ok(())
    }

    /// Says good-bye as an editor does.
    pub(super) fn stop(mut self) -> Result<()> {
        self.request("shutdown", Value::Null)?;
        self.notify("exit", Value::Null)?;
        let status = self.child.wait()?;
        if !status.success() {
            bail!("the server left with {status}");
        }
        Ok(())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Already gone after `stop`; killed where the demonstration failed half-way.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(reader: &mut impl BufRead) -> Option<(Value, usize)> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            header => {
                if let Some(number) = header.strip_prefix("Content-Length: ") {
                    length = number.parse().ok()?;
                }
            }
        }
    }
    if length > MESSAGE_BYTES_MAX {
        return None;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((serde_json::from_slice(&body).ok()?, length))
}

/// Returns the `file:` URI of a path.
pub(super) fn uri(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' | b':' => uri.push(byte as char),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
