//! `oguard demo`: plays a short agent session in a scratch repository against the real server over stdio.
//!
//! Shows edit by edit what an editor and an assistant would see. Nothing is staged: what is printed is what the server
//! answered, and the command fails where the server does not answer or a fix cannot be applied.

mod script;

use super::client::{Client, uri};
use crate::git::Scratch;
use anyhow::{Context, Result, bail};
use owo_colors::{OwoColorize, Stream};
use script::{Act, FILES, STEPS, Step};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// An open document as the client has it.
struct Open {
    text: String,
    version: i64,
    diagnostics: Vec<Value>,
}

/// Plays a short agent session in a scratch repository against the real server.
///
/// Shows edit by edit what an editor and an assistant would see, then what `oguard check` says of the result. Needs git;
/// touches nothing but a folder for temporary files.
#[derive(clap::Args)]
pub(super) struct Args {}

/// Runs the demonstration; fails where git or the server does not do what the session needs.
pub(super) fn run(_: &Args) -> Result<ExitCode> {
    let scratch = Scratch::new("oguard-demo")?;
    for (name, text) in FILES {
        std::fs::write(scratch.root().join(name), text).with_context(|| format!("cannot write {name}"))?;
    }
    scratch.commit("a small shop")?;
    let program = std::env::current_exe().context("cannot find this program")?;
    say(&format!(
        "{}\nA scratch repository with {} files is committed; the server is pinned to that commit.\n",
        bold("An agent's session, seen by an editor and by an assistant"),
        FILES.len(),
    ))?;
    let mut client = Client::start(&program, &["lsp"], scratch.root(), "utf-16")?;
    let mut open: BTreeMap<&str, Open> = BTreeMap::new();
    for (number, step) in STEPS.iter().enumerate() {
        say(&format!("{} {}", bold(&format!("{}.", number + 1)), step.says))?;
        if !open.contains_key(step.file) {
            let document = open_file(&mut client, scratch.root(), step.file)?;
            open.insert(step.file, document);
        }
        let document = open.get_mut(step.file).context("the file was opened above")?;
        play(&mut client, &scratch, step, document)?;
    }
    client.stop()?;
    for (name, document) in &open {
        std::fs::write(scratch.root().join(name), &document.text).with_context(|| format!("cannot write {name}"))?;
    }
    say(&format!("{} the same engine on the command line, against the commit of the start\n", bold("Last.")))?;
    let check = std::process::Command::new(&program)
        .args(["check", "--base", "HEAD~1"])
        .current_dir(scratch.root())
        .status()
        .context("cannot run `oguard check`")?;
    say(&format!("\n`oguard check` left with exit code {}.", check.code().unwrap_or(-1)))?;
    match check.code() {
        Some(0 | 1) => Ok(ExitCode::SUCCESS),
        _ => bail!("`oguard check` could not judge the session's end"),
    }
}

fn open_file(client: &mut Client, root: &Path, file: &str) -> Result<Open> {
    let text = std::fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
    let language = if file.ends_with(".py") { "python" } else { "typescript" };
    let uri = uri(&root.join(file));
    client.notify("textDocument/didOpen", json!({"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}}))?;
    let diagnostics = client.diagnostics(&uri, 1)?;
    Ok(Open { text, version: 1, diagnostics })
}

fn play(client: &mut Client, scratch: &Scratch, step: &Step, document: &mut Open) -> Result<()> {
    let path = scratch.root().join(step.file);
    let uri = uri(&path);
    let text = match step.act {
        Act::Edit(from, to) => {
            if !document.text.contains(from) {
                bail!("the session's text does not hold {from:?}");
            }
            document.text.replacen(from, to, 1)
        }
        Act::Fix(title) => fixed(client, &uri, document, title)?,
        Act::Commit => {
            std::fs::write(&path, &document.text)?;
            scratch.commit("wip")?;
            document.text.clone()
        }
    };
    say(&difference(&document.text, &text))?;
    document.version += 1;
    let since = Instant::now();
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": uri, "version": document.version}, "contentChanges": [{"text": text}]}),
    )?;
    document.diagnostics = client.diagnostics(&uri, document.version)?;
    document.text = text;
    show(step.file, document, since.elapsed())
}

/// Returns the text after the quick fix of a title, as an editor would apply it.
fn fixed(client: &mut Client, uri: &str, document: &Open, title: &str) -> Result<String> {
    for diagnostic in &document.diagnostics {
        let actions = client.request(
            "textDocument/codeAction",
            json!({"textDocument": {"uri": uri}, "range": diagnostic["range"], "context": {"diagnostics": [diagnostic]}}),
        )?;
        let action = actions.as_array().and_then(|all| all.iter().find(|a| a["title"].as_str().is_some_and(|t| t.starts_with(title))));
        let Some(action) = action else { continue };
        let edits = action["edit"]["changes"][uri].as_array().cloned().unwrap_or_default();
        if edits.is_empty() {
            bail!("the action {title:?} edits nothing");
        }
        return apply(&document.text, &edits);
    }
    bail!("no action {title:?} is offered")
}

/// Applies text edits; the session's texts are ASCII, so characters are bytes.
fn apply(text: &str, edits: &[Value]) -> Result<String> {
    let starts = oguard_engine::text::line_starts(text);
    let byte = |place: &Value| -> Option<usize> {
        let line = usize::try_from(place["line"].as_u64()?).ok()?;
        Some((starts.get(line).copied().unwrap_or(text.len()) + usize::try_from(place["character"].as_u64()?).ok()?).min(text.len()))
    };
    let mut ranges = Vec::new();
    for edit in edits {
        let range = byte(&edit["range"]["start"]).zip(byte(&edit["range"]["end"])).context("an edit without a range")?;
        ranges.push((range, edit["newText"].as_str().unwrap_or("")));
    }
    ranges.sort_by_key(|(range, _)| std::cmp::Reverse(*range));
    let mut text = text.to_owned();
    for ((start, end), new) in ranges {
        text.replace_range(start..end, new);
    }
    Ok(text)
}

/// Returns the changed lines, as a diff shows them.
fn difference(old: &str, new: &str) -> String {
    let (before, after): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let head = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let room = before.len().min(after.len()) - head;
    let tail = before.iter().rev().zip(after.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    let mut out = String::new();
    for line in &before[head..before.len() - tail] {
        let _ = writeln!(out, "{}", format!("     - {line}").if_supports_color(Stream::Stdout, |t| t.red()));
    }
    for line in &after[head..after.len() - tail] {
        let _ = writeln!(out, "{}", format!("     + {line}").if_supports_color(Stream::Stdout, |t| t.green()));
    }
    out.pop();
    out
}

fn show(file: &str, document: &Open, took: Duration) -> Result<()> {
    let ms = took.as_secs_f64() * 1000.0;
    if document.diagnostics.is_empty() {
        return say(&format!("     {}  ({ms:.1} ms)\n", "nothing to say".if_supports_color(Stream::Stdout, |t| t.green())));
    }
    for diagnostic in &document.diagnostics {
        let (line, column) = (number(&diagnostic["range"]["start"]["line"]), number(&diagnostic["range"]["start"]["character"]));
        let message = diagnostic["message"].as_str().unwrap_or("");
        let severity = match diagnostic["severity"].as_u64() {
            Some(1) => "ERROR",
            Some(2) => "WARN",
            _ => "INFO",
        };
        let source = document.text.lines().nth(line - 1).unwrap_or("");
        let width = number(&diagnostic["range"]["end"]["character"]).saturating_sub(column).clamp(1, 60);
        let underline = format!("{}{}", " ".repeat(column - 1), "~".repeat(width));
        say(&format!("     editor     {file}:{line}:{column}"))?;
        say(&format!("                {source}\n                {}", underline.if_supports_color(Stream::Stdout, |t| t.yellow())))?;
        say(&format!("     assistant  {severity} [{line}:{column}] {message}  ({ms:.1} ms)\n"))?;
    }
    Ok(())
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap_or(0)).unwrap_or(0) + 1
}

fn bold(text: &str) -> String {
    text.if_supports_color(Stream::Stdout, |t| t.bold()).to_string()
}

fn say(text: &str) -> Result<()> {
    if !text.is_empty() {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{text}").and_then(|()| out.flush()).context("cannot write")?;
    }
    Ok(())
}
