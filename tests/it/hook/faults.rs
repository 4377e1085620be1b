//! What goes wrong: exit code 0, the host goes on, and one line says what was not judged.

use super::agent::{Agent, call, call_with};
use crate::cli::repo::{Repo, program, run_in, skipped};
use serde_json::json;
use std::ffi::OsStr;

#[test]
fn malformed_input_is_said() {
    let repo = Repo::with_test();
    for host in ["claude", "codex"] {
        for (input, said) in [
            (&b""[..], "there was nothing on standard input"),
            (b" \n", "there was nothing on standard input"),
            (b"{", "there was no valid JSON"),
            (b"\xff\xfe\x00", "there was no valid JSON"),
            (b"[]", "there was no `hook_event_name`"),
            (b"null", "there was no `hook_event_name`"),
            (br#"{"hook_event_name": {}, "cwd": "/"}"#, "there was no `hook_event_name`"),
            (br#"{"hook_event_name": "PostToolUse", "cwd": "/"}"#, "there was no `tool_name`"),
        ] {
            let line = call(repo.root(), host, input).not_judged();
            assert!(line.contains(said), "{host} {input:?}: {line}");
        }
    }
}

#[test]
fn deep_nesting_is_no_crash() {
    let repo = Repo::with_test();
    let input = [vec![b'['; 200_000], vec![b']'; 200_000]].concat();
    assert!(call(repo.root(), "claude", &input).not_judged().contains("there was no `hook_event_name`"));
}

#[test]
fn more_than_is_read_is_said() {
    let repo = Repo::with_test();
    let input = vec![b' '; 64 * 1024 * 1024 + 1];
    assert!(call(repo.root(), "claude", &input).not_judged().contains("larger than 64 MB"));
}

#[test]
fn what_no_text_can_hold_is_no_reason_to_judge_nothing() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.starts();
    repo.write("a_test.go", skipped());
    let file = repo.root().join("a_test.go");
    let edit =
        json!({"tool_name": "Edit", "tool_input": {"file_path": file, "new_string": "HALF"}, "tool_response": "DEEP", "more": "LARGE"});
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let input = String::from_utf8(agent.input("PostToolUse", edit)).unwrap();
    let input = input.replace("HALF", r"cut \ud83d").replace("\"DEEP\"", &deep).replace("\"LARGE\"", "1e999");
    let answer = call(repo.root(), "claude", input.as_bytes());
    assert_eq!(answer.block().len(), 1, "{answer:?}");
}

#[test]
fn arguments_that_no_host_gives_are_no_other_exit_code() {
    let repo = Repo::with_test();
    for arguments in [&["hook", "claude", "--strict"][..], &["hook", "codex", "x", "-y"]] {
        let run = run_in(repo.root(), arguments);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        assert!(run.json()["systemMessage"].as_str().unwrap().contains("unexpected arguments"), "{}", run.stdout);
    }
}

#[test]
fn events_that_are_not_ours_are_passed_by() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    for event in ["PreToolUse", "UserPromptSubmit", "Notification", "SubagentStop", "PreCompact", "SessionEnd", "SomethingNew"] {
        agent.ask(event, json!({"tool_name": "Edit", "tool_input": {"file_path": "a_test.go"}})).is_silence();
    }
}

#[test]
fn outside_git_it_is_said_at_each_event() {
    let temp = tempfile::tempdir().unwrap();
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo).working_in(temp.path());
    for event in ["SessionStart", "Stop"] {
        assert!(agent.ask(event, json!({})).not_judged().contains("is not in a git repository"));
    }
    let file = temp.path().join("a.py");
    std::fs::write(&file, "def f():\n    pass\n").unwrap();
    let edit = json!({"tool_name": "Write", "tool_input": {"file_path": file, "content": ""}});
    assert!(agent.ask("PostToolUse", edit).not_judged().contains("is not in a git repository"));
}

#[test]
fn a_missing_git_is_said() {
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped());
    let empty = repo.beside("empty");
    std::fs::create_dir(&empty).unwrap();
    let agent = Agent::claude(&repo);
    for input in [agent.input("SessionStart", json!({})), agent.input("Stop", json!({}))] {
        let line = call_with(repo.root(), "claude", &input, &[("PATH", empty.as_os_str())]).not_judged();
        assert!(line.contains("the git program is not on PATH"), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn a_git_that_hangs_is_said_before_the_host_gives_up() {
    use std::os::unix::fs::PermissionsExt;
    let repo = Repo::with_test();
    let fake = repo.beside("fake");
    std::fs::create_dir(&fake).unwrap();
    // Waits for input that never comes from a pipe that it holds open itself.
    std::fs::write(fake.join("git"), "#!/bin/sh\nmkfifo \"$0.$$\"\nexec 3<>\"$0.$$\"\nread x <&3\n").unwrap();
    std::fs::set_permissions(fake.join("git"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::join_paths([fake.clone(), "/usr/bin".into(), "/bin".into()]).unwrap();
    let input = Agent::claude(&repo).input("Stop", json!({}));
    let limits = [("PATH", path.as_os_str()), ("OGUARD_HOOK_TIME_LIMIT_MS", OsStr::new("2000"))];
    assert!(call_with(repo.root(), "claude", &input, &limits).not_judged().contains("gave no answer within 1.6 s"));
}

#[test]
fn a_host_that_never_closes_its_pipe_is_answered() {
    let repo = Repo::with_test();
    let mut command = program(repo.root(), &["hook", "claude"]);
    command.env("OGUARD_HOOK_TIME_LIMIT_MS", "300").stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let held = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(held);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("no answer within 0.3 s"), "{text}");
}

#[test]
fn a_host_that_went_away_is_no_failure() {
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped());
    let mut child = program(repo.root(), &["hook", "claude"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let input = Agent::claude(&repo).input("Stop", json!({}));
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), &input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn invalid_settings_are_said_and_the_base_is_pinned_all_the_same() {
    let repo = Repo::with_test();
    repo.write("oguard.toml", "[ruls]\n");
    let agent = Agent::claude(&repo);
    assert!(agent.starts().not_judged().contains("oguard.toml:1:2"));
    repo.write("a_test.go", skipped());
    repo.commit("hide it");
    repo.remove("oguard.toml");
    assert_eq!(agent.stops(false).block().len(), 1);
}

#[test]
fn a_damaged_state_is_said_once_and_begun_anew() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.starts();
    let folder = repo.root().join(".oguard/sessions");
    let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    std::fs::write(&file, "{").unwrap();
    let told = agent.writes("a_test.go", &skipped());
    assert_eq!(told.block().len(), 1);
    assert!(told.notice().len() == 1 && told.notice()[0].contains("is damaged"), "{told:?}");
    agent.edited("a_test.go").is_silence();
}

#[test]
fn a_newer_state_is_left_alone() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.starts();
    let folder = repo.root().join(".oguard/sessions");
    let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    std::fs::write(&file, "{\"version\":99}").unwrap();
    let told = agent.writes("a_test.go", &skipped());
    assert!(told.block().len() == 1 && told.notice()[0].contains("newer oguard"), "{told:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{\"version\":99}");
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_the_state_is_not_followed() {
    let repo = Repo::with_test();
    let elsewhere = repo.beside("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, repo.root().join(".oguard")).unwrap();
    let told = Agent::claude(&repo).writes("a_test.go", &skipped());
    assert!(told.block().len() == 1 && told.notice()[0].contains("is no plain folder or file"), "{told:?}");
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
}

#[test]
fn ids_of_sessions_are_data() {
    let repo = Repo::with_test();
    for id in ["../../../escape", "a/b\\c", "", "\u{0}", &"x".repeat(100_000), "-rf"] {
        let agent = Agent::claude(&repo).session(id);
        agent.starts().is_silence();
        agent.ran("ls").is_silence();
    }
    let names: Vec<_> = std::fs::read_dir(repo.root().join(".oguard/sessions")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), 6, "{names:?}");
    assert!(names.iter().all(|n| n.len() == 37), "{names:?}");
    assert!(!repo.beside("escape").exists());
}

#[test]
fn a_file_that_cannot_be_judged_is_named() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.starts();
    let blob = repo.git(&["rev-parse", "HEAD:a_test.go"]);
    repo.write("a_test.go", skipped());
    let object = repo.root().join(".git/objects").join(&blob[..2]).join(&blob[2..]);
    std::fs::remove_file(object).unwrap();
    for answer in [agent.edited("a_test.go"), agent.ran("ls"), agent.stops(false)] {
        assert!(answer.not_judged().contains("a_test.go: git does not hold its text"), "{answer:?}");
    }
}

#[test]
fn binary_and_huge_files_are_passed_by() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    repo.write("a_test.go", b"package a\n\0\n");
    agent.edited("a_test.go").is_silence();
    repo.write("big.py", vec![b'\n'; 8 * 1024 * 1024 + 1]);
    agent.edited("big.py").is_silence();
    agent.stops(false).is_silence();
}
