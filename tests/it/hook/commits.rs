//! The base of a session: a commit in the middle clears nothing, and what others committed is not the agent's.

use super::agent::{Agent, OTHER};
use crate::cli::repo::{Repo, TEST, git_in, skipped};

fn skip_other() -> String {
    OTHER.replace("if 2-1", "t.Skip()\n\tif 2-1")
}

#[test]
fn a_commit_in_the_middle_clears_nothing() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.starts();
    repo.write("a_test.go", skipped());
    repo.commit("hide it");
    assert_eq!(agent.ran("git commit").block().len(), 1);
    assert_eq!(agent.stops(false).block().len(), 1);
    repo.write("a_test.go", TEST);
    repo.commit("put it right");
    agent.stops(false).is_silence();
}

#[test]
fn without_a_start_the_first_event_pins() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.ran("ls").is_silence();
    repo.write("a_test.go", skipped());
    repo.commit("hide it");
    assert_eq!(agent.stops(false).block().len(), 1);
    // One that begins here has another base.
    let later = Agent::claude(&repo).session("later");
    later.starts().is_silence();
    later.stops(false).is_silence();
}

#[test]
fn going_on_with_a_session_keeps_its_base() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.starts();
    repo.write("a_test.go", skipped());
    repo.commit("hide it");
    agent.ask("SessionStart", serde_json::json!({"source": "resume"})).is_silence();
    assert_eq!(agent.stops(false).block().len(), 1);
}

#[test]
fn the_first_commit_clears_nothing_either() {
    let repo = Repo::new();
    let agent = Agent::claude(&repo);
    agent.starts().is_silence();
    repo.write("a.py", "def f():\n    raise NotImplementedError\n");
    assert_eq!(agent.ran("write").told().len(), 1);
    repo.commit("first");
    agent.ran("git commit").is_silence();
    repo.write("b.py", "def g():\n    raise NotImplementedError\n");
    repo.commit("second");
    assert_eq!(agent.ran("git commit").told().len(), 1);
}

#[test]
fn what_another_branch_holds_is_not_the_agents() {
    let repo = Repo::with_test();
    repo.git(&["checkout", "-q", "-b", "other"]);
    repo.write("a_test.go", skipped());
    repo.write("b_test.go", OTHER);
    repo.commit("theirs");
    repo.git(&["checkout", "-q", "main"]);
    let agent = Agent::claude(&repo);
    agent.starts();
    repo.git(&["checkout", "-q", "other"]);
    agent.ran("git checkout other").is_silence();
    // What is done there is.
    repo.write("b_test.go", skip_other());
    repo.commit("ours");
    let told = agent.ran("git commit").block();
    assert!(told.len() == 1 && told[0].contains("`TestSub`"), "{told:?}");
    assert_eq!(agent.stops(false).block().len(), 1);
}

#[test]
fn merging_a_branch_of_ones_own_clears_nothing() {
    for how in ["--no-ff", "--ff-only"] {
        let repo = Repo::with_test();
        let agent = Agent::claude(&repo);
        agent.starts();
        repo.git(&["checkout", "-q", "-b", "mine"]);
        repo.write("a_test.go", skipped());
        repo.commit("hide it");
        repo.git(&["checkout", "-q", "main"]);
        repo.git(&["merge", "-q", "--no-edit", how, "mine"]);
        assert_eq!(agent.ran("git merge").block().len(), 1, "{how}");
        assert_eq!(agent.stops(false).block().len(), 1, "{how}");
    }
}

#[test]
fn neither_is_what_a_merge_or_a_pull_brings() {
    for arguments in
        [&["merge", "-q", "--no-edit", "theirs"][..], &["merge", "-q", "--no-commit", "--no-ff", "theirs"], &["rebase", "-q", "theirs"]]
    {
        let repo = Repo::with_test();
        repo.write("b_test.go", OTHER);
        repo.commit("both");
        repo.git(&["checkout", "-q", "-b", "theirs"]);
        repo.write("a_test.go", skipped());
        repo.commit("theirs");
        repo.git(&["checkout", "-q", "main"]);
        let agent = Agent::claude(&repo);
        agent.starts();
        repo.write("c.go", "package a\n");
        repo.commit("ours");
        repo.git(arguments);
        agent.ran("git").is_silence();
        repo.write("b_test.go", skip_other());
        let told = agent.edited("b_test.go").block();
        assert!(told.len() == 1 && told[0].contains("`TestSub`"), "{arguments:?}: {told:?}");
        let held = agent.stops(false).block();
        assert!(held.len() == 1 && held[0].contains("`TestSub`"), "{arguments:?}: {held:?}");
    }
}

#[test]
fn a_detour_over_a_branch_of_its_own_hides_nothing() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.starts();
    repo.git(&["checkout", "-q", "-b", "aside"]);
    repo.write("a_test.go", skipped());
    repo.commit("hide it");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "aside"]);
    assert_eq!(agent.ran("git merge").block().len(), 1);
}

#[test]
fn a_base_that_is_gone_is_said_and_replaced() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    repo.write("b_test.go", OTHER);
    repo.commit("to be amended");
    agent.starts();
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    repo.git(&["gc", "-q", "--prune=now"]);
    repo.write("a_test.go", skipped());
    let told = agent.ran("sed");
    assert_eq!(told.block().len(), 1, "{told:?}");
    assert!(told.notice()[0].contains("that this session began with is gone"), "{told:?}");
    agent.ran("ls").is_silence();
}

#[test]
fn a_work_tree_of_its_own_has_a_base_of_its_own() {
    let repo = Repo::with_test();
    let tree = repo.beside("tree");
    repo.git(&["worktree", "add", "-q", tree.to_str().unwrap()]);
    let agent = Agent::claude(&repo).working_in(&tree);
    agent.starts();
    std::fs::write(tree.join("a_test.go"), skipped()).unwrap();
    git_in(&tree, &["commit", "-qam", "hide it"]);
    assert_eq!(agent.ran("git commit").block().len(), 1);
    assert!(tree.join(".oguard").is_dir() && !repo.root().join(".oguard").exists());
}

#[test]
fn check_names_the_commits_that_it_did_not_judge() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.starts();
    let base = repo.git(&["rev-parse", "--short=12", "HEAD"]);
    assert_eq!(repo.check(&[]).not_evaluated(), Vec::<String>::new());
    repo.write("a_test.go", skipped());
    repo.commit("one");
    repo.commit("two");
    let run = repo.check(&[]);
    let command = format!("oguard check --base {base}");
    assert_eq!(run.not_evaluated(), [format!("2 commits since the session began: not in the work tree any more: `{command}` judges them")]);
    assert_eq!(run.code, 0);
    assert_eq!(repo.check(&["--base", &base]).found(), ["a_test.go test-disabled"]);
    // With something to judge, or asked for something else, there is nothing to add.
    assert_eq!(repo.check(&["--staged"]).not_evaluated(), Vec::<String>::new());
    repo.write("a_test.go", TEST);
    assert_eq!(repo.check(&[]).not_evaluated(), Vec::<String>::new());
}
