//! What coding agents call after their edits and commands: `oguard hook HOST` reads the host's JSON and answers in its protocol.
//!
//! Each host has a file that turns its JSON into a [`Question`] and our [`Reply`] into its JSON, both pure. `turn` answers a
//! question; `install` puts the hooks into a host's settings. A hook is a seatbelt: whatever it cannot judge lets the host go
//! on and is said in one line that a person sees, never passed over (SPEC.md 13).

mod apply_patch;
mod claude;
mod codex;
mod command_line;
pub mod install;
mod turn;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Largest input that is read, in bytes. Hosts send the texts before and after an edit, each at most a large file.
const INPUT_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// How long a call may take, in milliseconds: below the limit that `install` sets, so that it is we who say what happened.
const TIME_LIMIT_MS: u64 = 20_000;

/// The limit that `install` gives the host, in seconds.
const HOST_TIME_LIMIT_S: u64 = 30;

/// Overrides the time limit, in milliseconds; for tests.
const TIME_LIMIT_VARIABLE: &str = "OGUARD_HOOK_TIME_LIMIT_MS";

/// A coding agent with hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// Claude Code.
    Claude,
    /// Codex CLI.
    Codex,
}

impl Host {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Host::Claude => "claude",
            Host::Codex => "codex",
        }
    }
}

/// What a host asks.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Question {
    /// The host's id of the session: data, never a path.
    session: String,
    /// Where the agent works.
    folders: Vec<PathBuf>,
    event: Event,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Event {
    /// A session began, or went on.
    Start,
    /// Files were edited.
    Edited(Vec<PathBuf>),
    /// Something ran that may have changed any file.
    Ran,
    /// The agent is about to stop. `again`: it goes on only because a hook stopped it before.
    Stop { again: bool },
    /// Nothing that is ours to judge.
    Other,
}

impl Event {
    /// Returns the name that hosts of this shape give it.
    fn name(&self) -> &'static str {
        match self {
            Event::Start => "SessionStart",
            Event::Edited(_) | Event::Ran => "PostToolUse",
            Event::Stop { .. } => "Stop",
            Event::Other => "",
        }
    }
}

/// What we say, line by line; nothing where all is well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Reply {
    /// To the model; the host shows it as something to act on before it goes on.
    block: Vec<String>,
    /// To the model, beside what it reads.
    tell: Vec<String>,
    /// To the person.
    notice: Vec<String>,
}

impl Reply {
    /// Adds why something was not judged.
    fn not_judged(&mut self, why: impl std::fmt::Display) {
        let line = format!("oguard: not judged: {why}");
        if !self.notice.contains(&line) {
            self.notice.push(line);
        }
    }
}

/// Reads a host's question and returns the text of the answer, empty for silence. It always comes in time, and it always is
/// an answer that lets the host go on: the exit code is 0 whatever it says.
pub fn answer(host: Host, input: impl Read + Send + 'static) -> String {
    let given = std::env::var(TIME_LIMIT_VARIABLE).ok().and_then(|v| v.parse().ok());
    let limit = Duration::from_millis(given.unwrap_or(TIME_LIMIT_MS));
    let (sender, receiver) = sync_channel(1);
    std::thread::spawn(move || {
        // Nobody listens any more where the time was over.
        let _ = sender.send(answered(host, input, limit));
    });
    match receiver.recv_timeout(limit) {
        Ok(text) => text,
        Err(RecvTimeoutError::Timeout) => {
            let seconds = limit.as_secs_f32();
            trouble(&format!("no answer within {seconds:.1} s; `oguard check` judges the change"))
        }
        // The thread's own message went to standard error.
        Err(RecvTimeoutError::Disconnected) => trouble("the guard itself failed; please report it"),
    }
}

fn answered(host: Host, input: impl Read, limit: Duration) -> String {
    let (event, reply) = match question(host, input) {
        Ok(question) => {
            let reply = turn::take(host, &question, limit);
            (question.event, reply)
        }
        Err(why) => return trouble(&why),
    };
    let answer = match host {
        Host::Claude => claude::reply(&event, &reply),
        Host::Codex => codex::reply(&event, &reply),
    };
    answer.map_or_else(String::new, |value| value.to_string())
}

/// Returns the answer that says why nothing was judged; both hosts show it at every event.
fn trouble(why: &str) -> String {
    let mut reply = Reply::default();
    reply.not_judged(why.split_whitespace().collect::<Vec<_>>().join(" "));
    json!({ "systemMessage": reply.notice.join("\n") }).to_string()
}

/// Returns the answer to a call with arguments that no host gives.
pub fn misused(arguments: &[String]) -> String {
    trouble(&format!("unexpected arguments `{}`; the settings should call it without any", arguments.join(" ")))
}

/// Levels at which a host's message is read field by field.
const FIELDS_DEPTH_MAX: u32 = 4;

/// Returns a value with `null` for what no text can hold: a host that cuts output within a character sends half of it, and
/// fields that nobody reads can be of any depth and size.
fn lenient(raw: &RawValue, depth: u32) -> Value {
    if let Ok(value) = serde_json::from_str(raw.get()) {
        return value;
    }
    match serde_json::from_str::<BTreeMap<String, &RawValue>>(raw.get()) {
        Ok(fields) if depth < FIELDS_DEPTH_MAX => {
            Value::Object(fields.into_iter().map(|(name, field)| (name, lenient(field, depth + 1))).collect())
        }
        _ => Value::Null,
    }
}

fn question(host: Host, input: impl Read) -> Result<Question, String> {
    let mut bytes = Vec::new();
    input.take(INPUT_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|e| format!("standard input cannot be read: {e}"))?;
    if bytes.len() as u64 > INPUT_BYTES_MAX {
        return Err(format!("the host's message is larger than {} MB", INPUT_BYTES_MAX / (1024 * 1024)));
    }
    let malformed = |what: &str| format!("{what} on standard input; a {} hook gives its event as JSON", host.name());
    let input: Value = match serde_json::from_slice::<Box<RawValue>>(&bytes) {
        Ok(raw) => lenient(&raw, 0),
        Err(_) if bytes.iter().all(u8::is_ascii_whitespace) => return Err(malformed("there was nothing")),
        Err(error) => return Err(malformed(&format!("there was no valid JSON ({error})"))),
    };
    match host {
        Host::Claude => claude::question(&input),
        Host::Codex => codex::question(&input),
    }
    .map_err(malformed)
}
