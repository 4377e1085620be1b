//! Memory with open documents, and what an edit costs beside them.

use super::edits::{Session, milliseconds, write};
use super::texts::Kind;
use super::{Row, median};
use crate::cli::client::{Client, uri};
use crate::git::Scratch;
use anyhow::Result;
use serde_json::json;
use std::time::Instant;

/// Lines of the one document.
const LINES_OF_ONE: usize = 2_000;

/// Lines of each of many documents.
const LINES_OF_MANY: usize = 200;

/// Edits that are measured beside the open documents.
const EDITS: usize = 20;

/// Opens 1, 100 and 1,000 documents in both servers.
pub(super) fn open_documents(kind: Kind) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (count, lines) in [(1, LINES_OF_ONE), (100, LINES_OF_MANY), (1_000, LINES_OF_MANY)] {
        let text = kind.text(lines);
        let scratch = Scratch::new("oguard-bench")?;
        for number in 0..count {
            write(scratch.root(), &kind.file(number), &text)?;
        }
        scratch.commit("base")?;
        let ours = open(kind, &scratch, &["lsp"], count, &text)?;
        let floor = open(kind, &scratch, &["bench", "--floor"], count, &text)?;
        let of = format!("{count} open, {} {lines} lines each", kind.name());
        let row =
            |what: &str, oguard, floor, unit, goal| Row { what: format!("{what}, {of}"), oguard, floor, unit, goal, remark: String::new() };
        if let (Some(ours), Some(floor)) = (ours.megabytes, floor.megabytes) {
            rows.push(row("memory", ours, Some(floor), "MB", None));
        }
        if count > 1 {
            rows.push(row("an edit right after", ours.first, Some(floor.first), "ms", None));
            rows.push(row("an edit later", ours.later, Some(floor.later), "ms", None));
        }
    }
    Ok(rows)
}

struct Seen {
    megabytes: Option<f64>,
    first: f64,
    later: f64,
}

fn open(kind: Kind, scratch: &Scratch, server: &[&str], count: usize, text: &str) -> Result<Seen> {
    let root = scratch.root();
    let mut client = Session::start(server, root)?;
    for number in 1..count {
        let document = json!({"uri": uri(&root.join(kind.file(number))), "languageId": kind.name(), "version": 1, "text": text});
        client.notify("textDocument/didOpen", json!({"textDocument": document}))?;
    }
    let line = kind.middle(text);
    let since = Instant::now();
    let mut session = Session::open(client, root, &kind.file(0), kind, text)?;
    session.edit(line, 0, "\n")?;
    let first = milliseconds(since);
    for number in 1..count {
        session.client.published_at_least_once(&uri(&root.join(kind.file(number))))?;
    }
    let mut took = Vec::with_capacity(EDITS);
    for _ in 0..EDITS {
        took.push(session.edit(line, 0, " ")?);
    }
    Ok(Seen { megabytes: resident(&session.client), first, later: median(&mut took) })
}

/// Returns the resident memory of a server; none where the system does not tell it as Linux does.
fn resident(client: &Client) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", client.process())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}
