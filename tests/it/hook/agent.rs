//! A coding agent of our own: it works on a repository and calls the hook as the real ones do.

use crate::cli::repo::{Repo, program, run_with_input};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A Go test in a file of its own, for a project with several.
pub(super) const OTHER: &str =
    "package a\n\nimport \"testing\"\n\nfunc TestSub(t *testing.T) {\n\tif 2-1 != 1 {\n\t\tt.Fatal(\"no\")\n\t}\n}\n";

pub(super) struct Agent<'a> {
    pub(super) repo: &'a Repo,
    host: &'static str,
    session: String,
    cwd: PathBuf,
}

/// What the hook answered.
#[derive(Debug)]
pub(super) struct Answer(pub(super) Option<Value>);

impl Answer {
    /// What the model must act on, line by line.
    pub(super) fn block(&self) -> Vec<String> {
        let Some(answer) = &self.0 else { return Vec::new() };
        assert!(answer["reason"].is_null() || answer["decision"] == "block", "{answer}");
        lines(&answer["reason"])
    }

    /// What the model reads beside its result.
    pub(super) fn told(&self) -> Vec<String> {
        self.0.as_ref().map_or_else(Vec::new, |answer| lines(&answer["hookSpecificOutput"]["additionalContext"]))
    }

    /// What the person reads.
    pub(super) fn notice(&self) -> Vec<String> {
        self.0.as_ref().map_or_else(Vec::new, |answer| lines(&answer["systemMessage"]))
    }

    #[track_caller]
    pub(super) fn is_silence(&self) {
        assert!(self.0.is_none(), "{self:?}");
    }

    /// The one line that says why nothing was judged.
    #[track_caller]
    pub(super) fn not_judged(&self) -> String {
        assert!(self.block().is_empty() && self.told().is_empty(), "{self:?}");
        let notice = self.notice();
        assert_eq!(notice.len(), 1, "{self:?}");
        notice[0].strip_prefix("oguard: not judged: ").unwrap_or_else(|| panic!("{self:?}")).to_owned()
    }
}

fn lines(value: &Value) -> Vec<String> {
    value.as_str().map_or_else(Vec::new, |text| text.lines().map(str::to_owned).collect())
}

/// Calls the hook with any input: exit code 0 and one JSON object or nothing, whatever comes.
#[track_caller]
pub(super) fn call(folder: &Path, host: &str, input: &[u8]) -> Answer {
    let run = run_with_input(folder, &["hook", host], input);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    Answer((!run.stdout.is_empty()).then(|| run.json()))
}

/// The same with variables of the environment.
#[track_caller]
pub(super) fn call_with(folder: &Path, host: &str, input: &[u8], variables: &[(&str, &std::ffi::OsStr)]) -> Answer {
    use std::io::Write;
    let mut command = program(folder, &["hook", host]);
    command.envs(variables.iter().copied());
    let pipe = std::process::Stdio::piped;
    let mut child = command.stdin(pipe()).stdout(pipe()).stderr(pipe()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    Answer((!text.is_empty()).then(|| serde_json::from_str(&text).unwrap()))
}

impl<'a> Agent<'a> {
    pub(super) fn claude(repo: &'a Repo) -> Self {
        Agent { repo, host: "claude", session: "8e0b9b1c-5c1f-4d7e-9d3c-0a7f6a2e1b11".to_owned(), cwd: repo.root().to_owned() }
    }

    pub(super) fn codex(repo: &'a Repo) -> Self {
        Agent { host: "codex", ..Agent::claude(repo) }
    }

    pub(super) fn session(mut self, id: &str) -> Self {
        id.clone_into(&mut self.session);
        self
    }

    pub(super) fn working_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.cwd = folder.into();
        self
    }

    /// The input of an event, with the fields that every event has.
    pub(super) fn input(&self, event: &str, more: Value) -> Vec<u8> {
        let mut input = json!({
            "session_id": self.session, "transcript_path": "/home/u/.claude/projects/p/t.jsonl", "cwd": self.cwd,
            "permission_mode": "acceptEdits", "hook_event_name": event,
        });
        let fields = input.as_object_mut().unwrap();
        fields.extend(more.as_object().unwrap().clone());
        serde_json::to_vec(&input).unwrap()
    }

    #[track_caller]
    pub(super) fn ask(&self, event: &str, more: Value) -> Answer {
        call(self.repo.root(), self.host, &self.input(event, more))
    }

    #[track_caller]
    pub(super) fn starts(&self) -> Answer {
        self.ask("SessionStart", json!({"source": "startup", "model": "m"}))
    }

    /// Writes a file as the `Write` tool does, then calls the hook.
    #[track_caller]
    pub(super) fn writes(&self, path: &str, text: &str) -> Answer {
        self.repo.write(path, text);
        self.edited(path)
    }

    #[track_caller]
    pub(super) fn edited(&self, path: &str) -> Answer {
        let full = self.repo.root().join(path);
        self.ask(
            "PostToolUse",
            json!({
                "tool_name": "Edit", "tool_use_id": "toolu_1",
                "tool_input": {"file_path": full, "old_string": "a", "new_string": "b", "replace_all": false},
                "tool_response": {"filePath": full, "oldString": "a", "newString": "b", "structuredPatch": []},
            }),
        )
    }

    /// Calls the hook as after a command.
    #[track_caller]
    pub(super) fn ran(&self, command: &str) -> Answer {
        self.ask(
            "PostToolUse",
            json!({
                "tool_name": "Bash", "tool_use_id": "toolu_2", "tool_input": {"command": command, "description": "d"},
                "tool_response": {"stdout": "", "stderr": "", "interrupted": false},
            }),
        )
    }

    #[track_caller]
    pub(super) fn stops(&self, again: bool) -> Answer {
        self.ask("Stop", json!({"stop_hook_active": again, "last_assistant_message": "done"}))
    }
}
