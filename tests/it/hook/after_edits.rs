//! After an edit or a command: what is new since the session began, once.

use super::agent::{Agent, OTHER, call_with};
use crate::cli::repo::{Repo, TEST, git_in, skipped, with_skip};
use serde_json::json;

const SKIPPED: &str = "test-disabled: `t.Skip` disables `TestAdd`, a_test.go:6; let the test run, and fix what makes it fail";

#[test]
fn a_disabled_test_is_told_in_the_same_turn_and_its_repair_with_silence() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.starts().is_silence();
    let told = agent.writes("a_test.go", &skipped());
    assert_eq!(told.block(), [SKIPPED]);
    assert_eq!((told.told(), told.notice()), (Vec::new(), Vec::new()));
    agent.edited("a_test.go").is_silence();
    agent.ran("go test").is_silence();
    agent.writes("a_test.go", TEST).is_silence();
    // What comes back is news.
    assert_eq!(agent.writes("a_test.go", &skipped()).block(), [SKIPPED]);
}

#[test]
fn a_finding_that_only_moves_is_not_told_again() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.writes("a_test.go", &skipped());
    let moved = skipped().replace("import", "// A line more.\n\nimport");
    agent.writes("a_test.go", &moved).is_silence();
}

#[test]
fn what_a_command_writes_counts() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.starts();
    repo.write("a_test.go", skipped());
    assert_eq!(agent.ran("sed -i s/x/y/ a_test.go").block(), [SKIPPED]);
    agent.ran("cat a_test.go").is_silence();
    repo.git(&["checkout", "-q", "a_test.go"]);
    agent.ran("git checkout a_test.go").is_silence();
    repo.write("a_test.go", skipped());
    assert_eq!(agent.ran("sed -i s/x/y/ a_test.go").block(), [SKIPPED]);
    repo.remove("a_test.go");
    agent.ran("rm a_test.go").is_silence();
}

#[test]
fn a_tool_of_unknown_kind_is_one_that_may_have_written() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    repo.write("a_test.go", skipped());
    let told =
        agent.ask("PostToolUse", json!({"tool_name": "mcp__files__edit", "tool_input": {"path": "a_test.go"}, "tool_response": "ok"}));
    assert_eq!(told.block(), [SKIPPED]);
    agent.ask("PostToolUse", json!({"tool_name": "Read", "tool_input": {"file_path": "/x"}, "tool_response": ""})).is_silence();
}

#[test]
fn warnings_are_told_beside_the_result_and_information_is_not() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    let told = agent.writes("later.py", "def later():\n    raise NotImplementedError\n");
    assert_eq!((told.block(), told.notice()), (Vec::new(), Vec::new()));
    assert_eq!(told.told().len(), 1, "{told:?}");
    assert!(told.told()[0].starts_with("stub-body: `later` is a stub: it is not implemented, later.py:2; "), "{told:?}");
    assert_eq!(told.0.unwrap()["hookSpecificOutput"]["hookEventName"], "PostToolUse");
    let platform =
        "import sys\nimport pytest\n\n\n@pytest.mark.skipif(sys.platform == 'win32', reason='posix')\ndef test_x():\n    assert 1\n";
    agent.writes("test_x.py", platform).is_silence();
}

#[test]
fn both_levels_come_in_one_answer() {
    let repo = Repo::new();
    repo.write("test_a.py", "def test_a():\n    assert f() == 1\n");
    repo.commit("base");
    let agent = Agent::claude(&repo);
    let text = "import pytest\n\n\n@pytest.mark.skip\ndef test_a():\n    assert f() == 1  # noqa\n";
    let told = agent.writes("test_a.py", text);
    assert!(told.block()[0].starts_with("test-disabled: "), "{told:?}");
    assert!(told.told()[0].starts_with("check-suppressed: "), "{told:?}");
}

#[test]
fn what_a_half_done_edit_trips_waits_for_the_stop() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.writes("a_test.go", &TEST.replace("func TestAdd(t *testing.T) {", "func TestAdd(t *testing.T {")).is_silence();
    agent.ran("ls").is_silence();
    let stop = agent.stops(false);
    assert!(stop.block().is_empty() && stop.notice()[0].starts_with("syntax-error: "), "{stop:?}");
    // The person has read it.
    agent.stops(false).is_silence();
    agent.edited("a_test.go").is_silence();
    agent.stops(false).is_silence();
}

#[test]
fn old_debt_and_what_only_moved_stay_silent() {
    let repo = Repo::new();
    repo.write("a_test.go", skipped());
    repo.commit("debt");
    let agent = Agent::claude(&repo);
    agent.writes("a_test.go", &format!("{}\n// More.\n", skipped())).is_silence();
    repo.git(&["mv", "a_test.go", "b_test.go"]);
    agent.edited("b_test.go").is_silence();
    std::fs::rename(repo.root().join("b_test.go"), repo.root().join("c_test.go")).unwrap();
    agent.edited("c_test.go").is_silence();
}

#[test]
fn ten_a_file_then_the_command_for_the_rest() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    let stubs: String = (0..12).map(|n| format!("def later_{n}():\n    raise NotImplementedError\n\n\n")).collect();
    let told = agent.writes("src/la ter.py", &stubs).told();
    assert_eq!(told.len(), 11);
    assert_eq!(told[10], "oguard: there are more in src/la ter.py; `oguard check 'src/la ter.py' --max 0` shows them");
    let first = repo.git(&["rev-parse", "--short=12", "HEAD"]);
    repo.commit("in the middle");
    // Where HEAD moved, the command names the base of the session.
    let more: String = (0..12).map(|n| format!("def much_{n}():\n    raise NotImplementedError\n\n\n")).collect();
    let told = agent.writes("more.py", &more).told();
    assert_eq!(told[10], format!("oguard: there are more in more.py; `oguard check more.py --base {first} --max 0` shows them"));
}

#[test]
fn forty_a_report() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    let stubs: String = (0..10).map(|n| format!("def later_{n}():\n    raise NotImplementedError\n\n\n")).collect();
    for file in ["a.py", "b.py", "c.py", "d.py", "e.py", "f.py"] {
        repo.write(file, &stubs);
    }
    let told = agent.ran("generate").told();
    assert_eq!(told.len(), 41);
    assert_eq!(told[40], "oguard: there are more; `oguard check --max 0` shows them");
}

#[test]
fn a_subfolder_is_as_good_as_the_root() {
    let repo = Repo::with_test();
    std::fs::create_dir(repo.root().join("sub")).unwrap();
    let agent = Agent::claude(&repo).working_in(repo.root().join("sub"));
    assert_eq!(agent.writes("a_test.go", &skipped()).block(), [SKIPPED]);
    let relative = agent.ask("PostToolUse", json!({"tool_name": "Write", "tool_input": {"file_path": "../a_test.go"}}));
    relative.is_silence();
    assert!(!repo.root().join("sub/.oguard").exists(), "the state is at the root");
}

#[test]
fn the_project_counts_wherever_the_agent_goes() {
    let repo = Repo::with_test();
    let elsewhere = tempfile::tempdir().unwrap();
    let agent = Agent::claude(&repo).working_in(elsewhere.path());
    repo.write("a_test.go", skipped());
    let ran = agent.input("PostToolUse", json!({"tool_name": "Bash", "tool_input": {"command": "sed"}, "tool_response": {}}));
    let told = call_with(elsewhere.path(), "claude", &ran, &[("CLAUDE_PROJECT_DIR", repo.root().as_os_str())]);
    assert_eq!((told.block(), told.notice()), (vec![SKIPPED.to_owned()], Vec::new()));
}

#[test]
fn repositories_below_a_folder_are_judged_each_against_its_own_base() {
    let (one, two) = (Repo::with_test(), Repo::new());
    let workspace = one.root().parent().unwrap().to_owned();
    let inner = workspace.join("two");
    std::fs::rename(two.root(), &inner).unwrap();
    std::fs::write(inner.join("b_test.go"), OTHER).unwrap();
    git_in(&inner, &["add", "-A"]);
    git_in(&inner, &["commit", "-qm", "base"]);
    let agent = Agent::claude(&one).working_in(&workspace);
    agent.starts().is_silence();
    assert!(inner.join(".oguard").is_dir() && one.root().join(".oguard").is_dir());
    std::fs::write(inner.join("b_test.go"), OTHER.replace("if 2-1", "t.Skip()\n\tif 2-1")).unwrap();
    assert_eq!(agent.writes("a_test.go", &skipped()).block(), [SKIPPED]);
    let told = agent.ran("ls").block();
    assert!(told.len() == 1 && told[0].contains("`TestSub`, b_test.go:6"), "{told:?}");
}

#[test]
fn what_lies_outside_is_another_projects() {
    let (repo, other) = (Repo::with_test(), Repo::with_test());
    let agent = Agent::claude(&repo);
    other.write("a_test.go", skipped());
    let edit = |path: &std::path::Path| agent.ask("PostToolUse", json!({"tool_name": "Edit", "tool_input": {"file_path": path}}));
    edit(&other.root().join("a_test.go")).is_silence();
    edit(std::path::Path::new("/nowhere/at/all.py")).is_silence();
    assert!(!other.root().join(".oguard").exists());
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_workspace_is_not_followed() {
    let (repo, other) = (Repo::with_test(), Repo::with_test());
    other.write("a_test.go", skipped());
    std::os::unix::fs::symlink(other.root(), repo.root().join("link")).unwrap();
    std::os::unix::fs::symlink(other.root().join("a_test.go"), repo.root().join("b_test.go")).unwrap();
    let agent = Agent::claude(&repo);
    agent.edited("link/a_test.go").is_silence();
    agent.edited("b_test.go").is_silence();
    assert!(!other.root().join(".oguard").exists());
}

#[test]
fn ignored_files_and_files_of_no_language_are_nobodys_business() {
    let repo = Repo::with_test();
    repo.write(".gitignore", "out/\n");
    repo.commit("ignore");
    let agent = Agent::claude(&repo);
    agent.writes("out/a_test.go", &skipped()).is_silence();
    agent.writes("notes.txt", "t.Skip()\n").is_silence();
    agent.writes("vendor/x/a_test.go", &with_skip(OTHER)).is_silence();
}

#[test]
fn the_state_is_in_no_status_and_no_claim() {
    let repo = Repo::with_test();
    Agent::claude(&repo).writes("a_test.go", &skipped());
    assert!(repo.root().join(".oguard/sessions").is_dir());
    assert_eq!(repo.git(&["status", "--porcelain", "--untracked-files=all"]), "M a_test.go");
    assert!(!repo.check(&[]).stdout.contains(".oguard"));
}
