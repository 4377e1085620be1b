//! Edits in an open document: the server and the floor answer the same edits in turn, each in a process of its own.

use super::texts::Kind;
use super::{Row, median, quantile};
use crate::cli::client::{Client, uri};
use crate::git::Scratch;
use anyhow::{Context, Result};
use serde_json::json;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

/// Edits of a burst, as a completion or a tool that types sends them.
const BURST: i64 = 200;

/// Lines that are typed before the first measured one, so that both processes are warm.
const WARM_UP: usize = 1;

/// Arguments that start the two servers.
const SERVERS: [&[&str]; 2] = [&["lsp"], &["bench", "--floor"]];

/// How long before now files are dated. Git reads a file again at every question where it was written in the second of the
/// index; a bench that makes its files at once would measure that.
const FILES_AGE: Duration = Duration::from_secs(60);

/// A repository with one committed file.
pub(super) fn repository(kind: Kind, text: &str) -> Result<Scratch> {
    let scratch = Scratch::new("oguard-bench")?;
    write(scratch.root(), &kind.file(0), text)?;
    scratch.commit("base")?;
    Ok(scratch)
}

pub(super) fn write(root: &Path, name: &str, text: &str) -> Result<()> {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().unwrap_or(root))?;
    let written = File::create(&path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.set_modified(SystemTime::now() - FILES_AGE)
    });
    written.with_context(|| format!("cannot write {name}"))
}

/// A document that a server has open.
pub(super) struct Session {
    pub(super) client: Client,
    uri: String,
    version: i64,
}

impl Session {
    pub(super) fn start(server: &[&str], root: &Path) -> Result<Client> {
        let program = std::env::current_exe().context("cannot find this program")?;
        Client::start(&program, server, root, "utf-8")
    }

    /// Opens a document and waits for its diagnostics.
    pub(super) fn open(mut client: Client, root: &Path, file: &str, kind: Kind, text: &str) -> Result<Session> {
        let uri = uri(&root.join(file));
        let document = json!({"uri": uri, "languageId": kind.name(), "version": 1, "text": text});
        client.notify("textDocument/didOpen", json!({"textDocument": document}))?;
        client.diagnostics(&uri, 1)?;
        Ok(Session { client, uri, version: 1 })
    }

    /// Sends an insertion (or, where `text` is empty, the removal of the `removed` characters behind the place).
    fn send(&mut self, line: usize, column: usize, text: &str, removed: usize) -> Result<()> {
        self.version += 1;
        let range = json!({"start": {"line": line, "character": column}, "end": {"line": line, "character": column + removed}});
        self.client.notify(
            "textDocument/didChange",
            json!({"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [{"range": range, "text": text}]}),
        )
    }

    /// Sends an insertion and waits for its diagnostics; returns the milliseconds.
    pub(super) fn edit(&mut self, line: usize, column: usize, text: &str) -> Result<f64> {
        let since = Instant::now();
        self.send(line, column, text, 0)?;
        self.client.diagnostics(&self.uri, self.version)?;
        Ok(milliseconds(since))
    }
}

pub(super) fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}

/// Starts both servers on the same file.
fn sessions(kind: Kind, scratch: &Scratch, text: &str) -> Result<[Session; 2]> {
    let open = |server| Session::open(Session::start(server, scratch.root())?, scratch.root(), &kind.file(0), kind, text);
    Ok([open(SERVERS[0])?, open(SERVERS[1])?])
}

/// Types a line, letter by letter.
pub(super) fn typing(kind: Kind, lines: usize, rounds: u32) -> Result<Row> {
    let text = kind.text(lines);
    let line = kind.middle(&text);
    let scratch = repository(kind, &text)?;
    let mut both = sessions(kind, &scratch, &text)?;
    let mut took: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    let published = both[0].client.published();
    let mut edits = 0;
    for round in 0..WARM_UP + rounds as usize {
        for session in &mut both {
            session.edit(line, 0, "\n")?;
        }
        edits += 1;
        for (column, letter) in kind.typed().chars().enumerate() {
            for (session, took) in both.iter_mut().zip(&mut took) {
                let milliseconds = session.edit(line, column, &letter.to_string())?;
                if round >= WARM_UP {
                    took.push(milliseconds);
                }
            }
            edits += 1;
        }
    }
    let now = both[0].client.published();
    let [ours, floor] = &mut took;
    let (p50, p95, most) = (median(ours), quantile(ours, 0.95), quantile(ours, 1.0));
    Ok(Row {
        what: format!("a typed letter, {} {lines} lines", kind.name()),
        oguard: p50,
        floor: Some(median(floor)),
        unit: "ms",
        goal: Some(1.5),
        remark: format!(
            "p95 {:.1}x p50, most {most:.1} ms, {} answers to {edits} edits of {} bytes",
            p95 / p50,
            now.count - published.count,
            (now.bytes - published.bytes) / (now.count - published.count).max(1)
        ),
    })
}

/// Sends many edits at once.
pub(super) fn burst(kind: Kind, lines: usize, rounds: u32) -> Result<Row> {
    let text = kind.text(lines);
    let line = kind.middle(&text);
    let scratch = repository(kind, &text)?;
    let mut both = sessions(kind, &scratch, &text)?;
    let mut took: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    let mut answers = 0;
    for _ in 0..rounds {
        for (at, (session, took)) in both.iter_mut().zip(&mut took).enumerate() {
            session.edit(line, 0, "\n")?;
            let before = session.client.published().count;
            let since = Instant::now();
            let letters: Vec<char> = kind.typed().chars().collect();
            for number in 0..BURST as usize {
                // A line typed, taken back and typed again.
                let (column, back) = (number % letters.len(), (number / letters.len()) % 2 == 1);
                match back {
                    false => session.send(line, column, &letters[column].to_string(), 0)?,
                    true => session.send(line, letters.len() - 1 - column, "", 1)?,
                }
            }
            session.client.diagnostics(&session.uri, session.version)?;
            took.push(milliseconds(since));
            if at == 0 {
                answers = answers.max(session.client.published().count - before);
            }
        }
    }
    let [ours, floor] = &mut took;
    Ok(Row {
        what: format!("{BURST} edits at once, {} {lines} lines", kind.name()),
        oguard: median(ours),
        floor: Some(median(floor)),
        unit: "ms",
        goal: Some(0.3),
        remark: format!("at most {answers} answers"),
    })
}

/// Starts processes.
pub(super) fn start(kind: Kind, lines: usize, rounds: u32) -> Result<[Row; 2]> {
    let text = kind.text(lines);
    let scratch = repository(kind, &text)?;
    let mut ready: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    let mut first: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..=2 * rounds {
        for (at, server) in SERVERS.into_iter().enumerate() {
            let since = Instant::now();
            let client = Session::start(server, scratch.root())?;
            ready[at].push(milliseconds(since));
            let session = Session::open(client, scratch.root(), &kind.file(0), kind, &text)?;
            first[at].push(milliseconds(since));
            session.client.stop()?;
        }
    }
    let row = |what: &str, took: &mut [Vec<f64>; 2], goal| Row {
        what: format!("{what}, {} {lines} lines", kind.name()),
        oguard: median(&mut took[0]),
        floor: Some(median(&mut took[1])),
        unit: "ms",
        goal,
        remark: String::new(),
    };
    Ok([row("start to initialized", &mut ready, None), row("start to first diagnostics", &mut first, Some(0.7))])
}
