//! Codex: edits come as patches, with paths relative to the folder it works in.

use super::agent::{Agent, Answer};
use crate::cli::repo::{Repo, TEST, skipped};
use serde_json::json;

fn patched(agent: &Agent<'_>, patch: &str) -> Answer {
    agent.ask(
        "PostToolUse",
        json!({
            "turn_id": "t1", "model": "m", "tool_name": "apply_patch", "tool_use_id": "call_1", "tool_input": {"command": patch},
            "tool_response": "Success. Updated the following files:\nM a_test.go\n",
        }),
    )
}

#[test]
fn a_patch_is_judged_file_by_file() {
    let repo = Repo::with_test();
    let agent = Agent::codex(&repo);
    repo.write("a_test.go", skipped());
    repo.write("later.py", "def later():\n    raise NotImplementedError\n");
    repo.write("unnamed.py", "def unnamed():\n    raise NotImplementedError\n");
    let patch = "*** Begin Patch\n*** Update File: a_test.go\n@@\n+\tt.Skip()\n*** Add File: later.py\n+def later():\n*** End Patch\n";
    let told = patched(&agent, patch);
    assert_eq!((told.block().len(), told.told().len()), (1, 1), "{told:?}");
    patched(&agent, patch).is_silence();
    repo.write("a_test.go", TEST);
    patched(&agent, patch).is_silence();
}

#[test]
fn paths_are_relative_to_where_it_works() {
    let repo = Repo::with_test();
    repo.write("sub/a_test.go", TEST);
    repo.commit("sub");
    let agent = Agent::codex(&repo).working_in(repo.root().join("sub"));
    repo.write("sub/a_test.go", skipped());
    let told = patched(&agent, "*** Begin Patch\n*** Update File: a_test.go\n@@\n+\tt.Skip()\n*** End Patch\n");
    assert!(told.block()[0].contains("sub/a_test.go:6"), "{told:?}");
}

#[test]
fn a_file_that_moves_takes_its_debt_along() {
    let repo = Repo::new();
    repo.write("a_test.go", skipped());
    repo.commit("debt");
    let agent = Agent::codex(&repo);
    std::fs::rename(repo.root().join("a_test.go"), repo.root().join("b_test.go")).unwrap();
    patched(&agent, "*** Begin Patch\n*** Update File: a_test.go\n*** Move to: b_test.go\n*** End Patch\n").is_silence();
}

#[test]
fn a_file_that_moves_out_of_its_runners_sight_is_seen() {
    let repo = Repo::with_test();
    let agent = Agent::codex(&repo);
    std::fs::rename(repo.root().join("a_test.go"), repo.root().join("a_test.go.bak")).unwrap();
    let patch = "*** Begin Patch\n*** Update File: a_test.go\n*** Move to: a_test.go.bak\n*** End Patch\n";
    let (patched, stopped) = (patched(&agent, patch), agent.stops(false));
    // What a move trips may be half done: it waits for the stop, where it does not block by itself.
    let all = [patched.block(), patched.told(), stopped.block(), stopped.notice()].concat();
    assert!(all.len() == 1 && all[0].starts_with("test-disabled: "), "{all:?}");
}

#[test]
fn a_patch_that_cannot_be_read_has_the_tree_read() {
    let repo = Repo::with_test();
    let agent = Agent::codex(&repo);
    repo.write("a_test.go", skipped());
    assert_eq!(patched(&agent, "diff --git a/a_test.go b/a_test.go").block().len(), 2);
}

#[test]
fn a_block_takes_the_place_of_a_commands_output_and_says_so() {
    let repo = Repo::with_test();
    let agent = Agent::codex(&repo);
    repo.write("a_test.go", skipped());
    let told = agent.ran("sed -i s/x/y/ a_test.go").block();
    assert!(told[0].starts_with("test-disabled: ") && told[1].starts_with("oguard: the command ran, "), "{told:?}");
}

#[test]
fn paths_out_of_the_workspace_are_ignored() {
    let repo = Repo::with_test();
    let agent = Agent::codex(&repo);
    patched(&agent, "*** Begin Patch\n*** Add File: ../../outside.py\n+x\n*** Delete File: /etc/passwd.py\n*** End Patch\n").is_silence();
}
