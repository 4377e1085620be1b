//! A client of the server: starts it in this process over pipes, or as a program, and speaks real frames.
//!
//! It waits for messages, never for time, and gives up after `PATIENCE`. A session that ends well leaves no message unread.

use oguard::lsp::{Limits, serve};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a message that must come may take on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Limits that a loaded machine keeps.
pub(crate) fn patient() -> Limits {
    Limits { edit_parse_max: PATIENCE, ..Limits::default() }
}

pub(crate) struct Client {
    writer: Option<Box<dyn Write + Send>>,
    messages: Receiver<Value>,
    unread: VecDeque<Value>,
    requests: i64,
    server: Server,
}

enum Server {
    Thread(Option<JoinHandle<u8>>),
    Program(Child),
}

/// The `file:` URI of a path that needs no escapes.
pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Parameters of `initialize` as an assistant sends them.
pub(crate) fn assistant(root: &Path) -> Value {
    json!({ "processId": null, "rootUri": uri(root), "capabilities": {
        "general": { "positionEncodings": ["utf-16"] },
        "textDocument": { "publishDiagnostics": { "relatedInformation": true }, "codeAction": { "codeActionLiteralSupport": {} } },
    } })
}

impl Client {
    /// A server in this process that has been initialized.
    pub(crate) fn start(params: Value) -> Self {
        Self::start_with(params, patient())
    }

    pub(crate) fn start_with(params: Value, limits: Limits) -> Self {
        let mut client = Self::connect(limits);
        client.initialize(params);
        client
    }

    /// A server in this process that has been told nothing yet.
    pub(crate) fn connect(limits: Limits) -> Self {
        let (server_reads, client_writes) = std::io::pipe().unwrap();
        let (client_reads, server_writes) = std::io::pipe().unwrap();
        let thread = std::thread::spawn(move || serve(server_reads, server_writes, limits));
        Self::new(client_writes, client_reads, Server::Thread(Some(thread)))
    }

    /// The program as a client starts it.
    pub(crate) fn program(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self::new(stdin, stdout, Server::Program(child))
    }

    /// The program, of which nothing is read before the sender says so.
    pub(crate) fn unread_program(command: &mut Command) -> (Self, Sender<()>) {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (read, may_read) = channel();
        (Self::reading(stdin, stdout, Server::Program(child), move || may_read.recv().is_ok()), read)
    }

    fn new(writer: impl Write + Send + 'static, reader: impl Read + Send + 'static, server: Server) -> Self {
        Self::reading(writer, reader, server, || true)
    }

    fn reading(
        writer: impl Write + Send + 'static,
        reader: impl Read + Send + 'static,
        server: Server,
        may_read: impl FnOnce() -> bool + Send + 'static,
    ) -> Self {
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            if !may_read() {
                return;
            }
            let mut reader = BufReader::new(reader);
            while let Some(message) = read(&mut reader) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Client { writer: Some(Box::new(writer)), messages, unread: VecDeque::new(), requests: 0, server }
    }

    /// Initializes; returns what the server offers.
    pub(crate) fn initialize(&mut self, params: Value) -> Value {
        let result = self.call("initialize", params);
        self.notify("initialized", json!({}));
        result["capabilities"].clone()
    }

    /// Sends bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        let writer = self.writer.as_mut().expect("the stream is open");
        writer.write_all(bytes).unwrap();
        writer.flush().unwrap();
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request; returns its id.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> i64 {
        self.requests += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params }));
        self.requests
    }

    /// The answer to a request, whole.
    pub(crate) fn answer(&mut self, id: i64) -> Value {
        self.wait(&format!("the answer to request {id}"), |m| m["id"] == id && m.get("method").is_none())
    }

    /// Sends a request and returns its result.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The first message that fits; others stay for later.
    pub(crate) fn wait(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.unread.iter().position(&fits) {
            return self.unread.remove(at).expect("it was found there");
        }
        let end = Instant::now() + PATIENCE;
        loop {
            match self.messages.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(message) if fits(&message) => return message,
                Ok(message) => self.unread.push_back(message),
                Err(RecvTimeoutError::Timeout) => panic!("{what} did not come; unread: {:?}", self.unread),
                Err(RecvTimeoutError::Disconnected) => panic!("{what} did not come and the server is gone; unread: {:?}", self.unread),
            }
        }
    }

    /// The next notification or request of the server of a method.
    pub(crate) fn told(&mut self, method: &str) -> Value {
        self.wait(method, |m| m["method"] == method)
    }

    /// The next publication of a document.
    pub(crate) fn published(&mut self, uri: &str) -> Value {
        let fits = |m: &Value| m["method"] == "textDocument/publishDiagnostics" && m["params"]["uri"] == uri;
        self.wait(&format!("a publication of {uri}"), fits)["params"].clone()
    }

    /// The publication of a version of a document, whatever came before.
    pub(crate) fn published_at(&mut self, uri: &str, version: i64) -> Value {
        loop {
            let published = self.published(uri);
            if published["version"] == version {
                return published;
            }
        }
    }

    pub(crate) fn open(&mut self, uri: &str, language: &str, version: i64, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Opens a document and returns what is published for it.
    pub(crate) fn opened(&mut self, uri: &str, language: &str, text: &str) -> Value {
        self.open(uri, language, 1, text);
        let published = self.published(uri);
        assert_eq!(published["version"], 1);
        published
    }

    pub(crate) fn change(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// Replaces a document and returns what is published for that version.
    pub(crate) fn changed(&mut self, uri: &str, version: i64, text: &str) -> Value {
        self.change(uri, version, json!([{ "text": text }]));
        self.published_at(uri, version)
    }

    pub(crate) fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    /// The number of the program's process.
    pub(crate) fn process(&self) -> u32 {
        match &self.server {
            Server::Program(child) => child.id(),
            Server::Thread(_) => panic!("the server is a thread of this process"),
        }
    }

    /// Ends the program as an out-of-memory killer would.
    pub(crate) fn kill(mut self) {
        match &mut self.server {
            Server::Program(child) => {
                child.kill().unwrap();
                child.wait().unwrap();
            }
            Server::Thread(_) => panic!("the server is a thread of this process"),
        }
    }

    /// Ends the stream; returns the exit code and what was left unread.
    pub(crate) fn hang_up(mut self) -> (u8, Vec<Value>) {
        self.writer = None;
        let code = self.code();
        let mut left: Vec<Value> = self.unread.drain(..).collect();
        left.extend(self.messages.iter());
        (code, left)
    }

    /// Ends the session as the protocol says; nothing may have been left unread.
    pub(crate) fn end(mut self) {
        self.call("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        let (code, left) = self.hang_up();
        assert_eq!(code, 0);
        assert!(left.is_empty(), "unread: {left:?}");
    }

    fn code(&mut self) -> u8 {
        match &mut self.server {
            Server::Thread(thread) => thread.take().expect("it ends once").join().unwrap(),
            Server::Program(child) => u8::try_from(child.wait().unwrap().code().unwrap()).unwrap(),
        }
    }
}

fn read(reader: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            header => length = header.strip_prefix("Content-Length: ").map(|n| n.parse::<usize>().unwrap()).or(length),
        }
    }
    let mut body = vec![0; length.expect("every frame has a length")];
    reader.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap())
}

/// `rule line` of each diagnostic, lines from 0, in the order sent.
pub(crate) fn found(published: &Value) -> Vec<String> {
    let row = |d: &Value| format!("{} {}", d["code"].as_str().unwrap(), d["range"]["start"]["line"]);
    published["diagnostics"].as_array().unwrap().iter().map(row).collect()
}
