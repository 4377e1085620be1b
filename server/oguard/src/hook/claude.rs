//! Claude Code's hooks: what its JSON means, and how it takes an answer.
//!
//! Codex speaks the same shape with other tools, so `codex` uses [`read`] and [`reply`] with a table of its own. Measured:
//! a block after an edit reaches the model as an error of the tool, `additionalContext` as text beside its result,
//! `systemMessage` reaches the person alone.

use super::{Event, Question, Reply};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// The tools after which `install` has the guard called: those that edit, and those that can change any file.
pub(super) const MATCHER: &str = "Edit|MultiEdit|Write|Bash|mcp__.*";

/// Sessions without an id share this one.
const NO_ID: &str = "unknown-session";

/// Returns what the host asks.
pub(super) fn question(input: &Value) -> Result<Question, &'static str> {
    let mut question = read(input, tool)?;
    // The agent can change its folder; the project stays.
    if let Some(project) = std::env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from).filter(|p| p.is_absolute()) {
        question.folders.push(project);
    }
    Ok(question)
}

/// Reads a question of this shape; `tool` says what a tool did, from its name and input.
pub(super) fn read(input: &Value, tool: fn(&str, &Value, &Path) -> Event) -> Result<Question, &'static str> {
    let text = |name: &str| input.get(name).and_then(Value::as_str);
    let Some(event) = text("hook_event_name") else { return Err("there was no `hook_event_name`") };
    let folder = match text("cwd").filter(|cwd| !cwd.is_empty()) {
        Some(cwd) => PathBuf::from(cwd),
        None => std::env::current_dir().map_err(|_| "there was no `cwd`")?,
    };
    let event = match event {
        "SessionStart" => Event::Start,
        "PostToolUse" => {
            let Some(name) = text("tool_name") else { return Err("there was no `tool_name`") };
            tool(name, input.get("tool_input").unwrap_or(&Value::Null), &folder)
        }
        "Stop" => Event::Stop { again: input.get("stop_hook_active").and_then(Value::as_bool).unwrap_or(false) },
        _ => Event::Other,
    };
    Ok(Question { session: text("session_id").unwrap_or(NO_ID).to_owned(), folders: vec![folder], event })
}

/// Says what a tool did. One that is not known may have written anything, so the tree is read again.
fn tool(name: &str, input: &Value, folder: &Path) -> Event {
    match name {
        "Read" | "Grep" | "Glob" | "LS" | "WebFetch" | "WebSearch" | "TodoWrite" => Event::Other,
        "Edit" | "MultiEdit" | "Write" => match input.get("file_path").and_then(Value::as_str) {
            Some(path) => Event::Edited(vec![folder.join(path)]),
            None => Event::Ran,
        },
        _ => Event::Ran,
    }
}

/// Returns the answer; none is silence.
pub(super) fn reply(event: &Event, reply: &Reply) -> Option<Value> {
    let mut answer = Map::new();
    if !reply.block.is_empty() {
        answer.insert("decision".to_owned(), json!("block"));
        answer.insert("reason".to_owned(), json!(reply.block.join("\n")));
    }
    if !reply.tell.is_empty() {
        let told = json!({ "hookEventName": event.name(), "additionalContext": reply.tell.join("\n") });
        answer.insert("hookSpecificOutput".to_owned(), told);
    }
    if !reply.notice.is_empty() {
        answer.insert("systemMessage".to_owned(), json!(reply.notice.join("\n")));
    }
    (!answer.is_empty()).then_some(Value::Object(answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(input: Value) -> Event {
        read(&input, tool).unwrap().event
    }

    #[test]
    fn each_event_is_what_it_says() {
        let edit = json!({"hook_event_name": "PostToolUse", "cwd": "/w/sub", "tool_name": "Edit", "tool_input": {"file_path": "/w/a.py"}});
        assert_eq!(event(edit), Event::Edited(vec!["/w/a.py".into()]));
        let relative =
            json!({"hook_event_name": "PostToolUse", "cwd": "/w/sub", "tool_name": "Write", "tool_input": {"file_path": "a.py"}});
        assert_eq!(event(relative), Event::Edited(vec!["/w/sub/a.py".into()]));
        for name in ["Bash", "mcp__files__write", "Edit"] {
            let ran = json!({"hook_event_name": "PostToolUse", "cwd": "/w", "tool_name": name, "tool_input": {"command": "ls"}});
            assert_eq!(event(ran), Event::Ran, "{name}");
        }
        assert_eq!(event(json!({"hook_event_name": "PostToolUse", "cwd": "/w", "tool_name": "Read"})), Event::Other);
        assert_eq!(event(json!({"hook_event_name": "SessionStart", "cwd": "/w", "source": "resume"})), Event::Start);
        assert_eq!(event(json!({"hook_event_name": "Stop", "cwd": "/w", "stop_hook_active": true})), Event::Stop { again: true });
        assert_eq!(event(json!({"hook_event_name": "Stop", "cwd": "/w"})), Event::Stop { again: false });
        assert_eq!(event(json!({"hook_event_name": "Notification", "cwd": "/w"})), Event::Other);
    }

    #[test]
    fn what_is_missing_is_named() {
        for input in [json!([]), json!(null), json!({"cwd": "/w"}), json!({"hook_event_name": 1})] {
            assert_eq!(read(&input, tool), Err("there was no `hook_event_name`"), "{input}");
        }
        assert_eq!(read(&json!({"hook_event_name": "PostToolUse", "cwd": "/w"}), tool), Err("there was no `tool_name`"));
        let nameless = read(&json!({"hook_event_name": "Stop", "cwd": "/w", "session_id": 7}), tool).unwrap();
        assert_eq!(nameless.session, NO_ID);
    }

    #[test]
    fn silence_is_no_answer() {
        assert_eq!(reply(&Event::Ran, &Reply::default()), None);
        let said = Reply { block: vec!["a".into(), "b".into()], tell: vec!["c".into()], notice: vec!["d".into()] };
        let expected = json!({
            "decision": "block", "reason": "a\nb", "systemMessage": "d",
            "hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "c"},
        });
        assert_eq!(reply(&Event::Ran, &said), Some(expected));
    }
}
