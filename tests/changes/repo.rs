//! A change as two commits of a scratch repository, and what the program says of it.

use crate::case::{Case, Side};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A finding as the report has it.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) rule: String,
    pub(crate) level: String,
    pub(crate) path: String,
    pub(crate) line: u64,
    pub(crate) subject: String,
    pub(crate) message: String,
}

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {} {} of `{}`: {}", self.path, self.line, self.rule, self.level, self.subject, self.message)
    }
}

/// Returns what `oguard check` says of a change, as of any two commits.
pub(crate) fn check(case: &Case) -> Result<Vec<Said>, String> {
    let folder = tempfile::tempdir().expect("a scratch folder");
    // What `git init` makes, without its process.
    for part in [".git/objects", ".git/refs/heads"] {
        std::fs::create_dir_all(folder.path().join(part)).expect("a scratch folder can be written");
    }
    std::fs::write(folder.path().join(".git/HEAD"), "ref: refs/heads/change\n").expect("a scratch folder can be written");
    let base = case.files.iter().filter_map(|f| f.base.as_ref());
    let edited = case.files.iter().filter_map(|f| f.edited.as_ref());
    let stream = [commit("base", base), commit("edited", edited)].concat();
    run(folder.path(), "git", &["fast-import", "--quiet"], stream.as_bytes())?;
    let report = run(
        folder.path(),
        env!("CARGO_BIN_EXE_oguard"),
        &["check", "--base", "refs/heads/change~1", "--head", "refs/heads/change", "--format", "json"],
        b"",
    )?;
    let report: Value = serde_json::from_str(&report).map_err(|e| format!("{e}: {report}"))?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    // What the program could not judge is silent, and silence is what honest cases ask for.
    let unread: Vec<String> = report["claim"]["not_evaluated"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|n| n["why"] != "unknown language")
        .map(|n| format!("{}: {}", n["what"], n["why"]))
        .collect();
    if !unread.is_empty() {
        return Err(format!("not evaluated: {}", unread.join(", ")));
    }
    let findings = report["findings"].as_array().ok_or("no findings")?;
    Ok(findings
        .iter()
        .map(|f| Said {
            rule: text(&f["rule"]),
            level: text(&f["level"]),
            path: text(&f["path"]),
            line: f["range"]["start"]["line"].as_u64().unwrap_or_default(),
            subject: text(&f["subject"]),
            message: text(&f["message"]),
        })
        .collect())
}

/// Returns a commit in the format of `git fast-import`.
fn commit<'a>(message: &str, files: impl Iterator<Item = &'a Side>) -> String {
    let files: BTreeMap<&str, &str> = files.map(|s| (s.path.as_str(), s.text.as_str())).collect();
    let mut out =
        format!("commit refs/heads/change\ncommitter t <t@example.org> 1700000000 +0000\ndata {}\n{message}\ndeleteall\n", message.len());
    for (path, text) in files {
        out += &format!("M 100644 inline {path}\ndata {}\n{text}\n", text.len());
    }
    out
}

fn run(folder: &Path, program: &str, arguments: &[&str], input: &[u8]) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for (name, _) in std::env::vars_os().filter(|(n, _)| n.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env_remove("CLAUDE_PROJECT_DIR");
    let mut child = command.spawn().map_err(|e| format!("{program}: {e}"))?;
    child.stdin.take().expect("piped").write_all(input).map_err(|e| format!("{program}: {e}"))?;
    let output = child.wait_with_output().map_err(|e| format!("{program}: {e}"))?;
    // 1 is the answer 'block', not a failure.
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Err(format!("{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|e| e.to_string())
}
