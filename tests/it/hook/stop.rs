//! At the stop: the whole change, held up once.

use super::agent::{Agent, OTHER};
use crate::cli::repo::{Repo, TEST, skipped};

#[test]
fn a_finding_that_blocks_holds_a_stop_once() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.writes("a_test.go", &skipped());
    let held = agent.stops(false);
    assert!(held.block()[0].starts_with("test-disabled: "), "{held:?}");
    for again in [true, false] {
        let let_go = agent.stops(again);
        assert_eq!(let_go.block(), Vec::<String>::new());
        assert_eq!(let_go.notice(), ["oguard: the session ends with findings that block; `oguard check --max 0` shows them"]);
    }
}

#[test]
fn a_new_one_holds_it_again_and_names_all() {
    let repo = Repo::with_test();
    repo.write("b_test.go", OTHER);
    repo.commit("other");
    let agent = Agent::claude(&repo);
    agent.writes("a_test.go", &skipped());
    assert_eq!(agent.stops(false).block().len(), 1);
    repo.write("b_test.go", OTHER.replace("if 2-1", "t.Skip()\n\tif 2-1"));
    let held = agent.stops(false).block();
    assert_eq!(held.len(), 2, "{held:?}");
}

#[test]
fn the_hosts_flag_against_loops_is_honoured() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    repo.write("a_test.go", skipped());
    let let_go = agent.stops(true);
    assert!(let_go.block().is_empty() && let_go.notice().len() == 1, "{let_go:?}");
}

#[test]
fn another_session_is_held_by_itself() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.writes("a_test.go", &skipped());
    assert_eq!(agent.stops(false).block().len(), 1);
    assert_eq!(Agent::claude(&repo).session("another").stops(false).block().len(), 1);
    assert_eq!(Agent::codex(&repo).stops(false).block().len(), 1);
}

#[test]
fn all_is_well_in_silence() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    agent.starts().is_silence();
    agent.stops(false).is_silence();
    agent.writes("a_test.go", &skipped());
    agent.writes("a_test.go", TEST);
    agent.stops(false).is_silence();
}

#[test]
fn warnings_hold_nobody() {
    let repo = Repo::with_test();
    let agent = Agent::claude(&repo);
    repo.write("later.py", "def later():\n    raise NotImplementedError\n");
    let stop = agent.stops(false);
    assert!(stop.block().is_empty() && stop.told().is_empty() && stop.notice()[0].starts_with("stub-body: "), "{stop:?}");
    agent.stops(false).is_silence();
}
