//! What a change is compared with, and what a project sets.

use super::client::{Client, assistant, found, uri};
use crate::cli::repo::Repo;
use serde_json::json;

const TEST: &str = "import pytest\n\n\ndef test_total():\n    assert sum([1, 2]) == 3\n";

fn skipped() -> String {
    TEST.replace("def ", "@pytest.mark.skip\ndef ")
}

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("test_a.py", TEST);
    repo.commit("base");
    repo
}

#[test]
fn a_commit_in_the_middle_clears_nothing() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    client.opened(&file, "python", TEST);
    assert_eq!(found(&client.changed(&file, 2, &skipped())), ["test-disabled 3"]);
    repo.write("test_a.py", skipped());
    repo.commit("all green");
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": file } }));
    assert_eq!(found(&client.changed(&file, 3, &(skipped() + "\n"))), ["test-disabled 3"]);
    client.close(&file);
    client.published(&file);
    assert_eq!(found(&client.opened(&file, "python", &skipped())), ["test-disabled 3"]);
    client.end();
}

#[test]
fn the_first_open_may_hold_the_edit() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", &skipped())), ["test-disabled 3"]);
    let new = uri(&repo.root().join("test_new.py"));
    let published = client.opened(&new, "python", &skipped());
    assert_eq!(published["diagnostics"][0]["severity"], 2, "a new test that is born skipped is a warning");
    client.end();
}

#[test]
fn line_ends_that_git_converts_are_no_change() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", &TEST.replace('\n', "\r\n"))), [""; 0]);
    assert_eq!(found(&client.changed(&file, 2, &skipped().replace('\n', "\r\n"))), ["test-disabled 3"]);
    client.end();
}

#[test]
fn outside_git_the_first_sight_is_the_base_also_after_a_close() {
    let temp = tempfile::tempdir().unwrap();
    let mut client = Client::start(assistant(temp.path()));
    let file = uri(&temp.path().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", TEST)), [""; 0]);
    assert_eq!(found(&client.changed(&file, 2, &skipped())), ["test-disabled 3"]);
    client.close(&file);
    client.published(&file);
    assert_eq!(found(&client.opened(&file, "python", &skipped())), ["test-disabled 3"]);
    client.end();
}

#[test]
fn settings_are_read_again_when_they_change() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", &skipped())), ["test-disabled 3"]);
    repo.write("oguard.toml", "[rules]\ntest-disabled = \"off\"\n");
    let changed = |client: &mut Client| {
        let change = json!({ "uri": uri(&repo.root().join("oguard.toml")), "type": 2 });
        client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
    };
    changed(&mut client);
    assert_eq!(found(&client.published(&file)), [""; 0]);
    // A typo must not switch the guard off: nothing is judged, and that is said.
    repo.write("oguard.toml", "[rules]\ntest-disbled = \"off\"\n");
    changed(&mut client);
    let message = client.told("window/showMessage")["params"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("nothing is judged here") && message.contains("test-disbled"), "{message}");
    assert_eq!(found(&client.changed(&file, 2, &skipped())), [""; 0]);
    repo.remove("oguard.toml");
    changed(&mut client);
    assert_eq!(found(&client.published_at(&file, 2)), ["test-disabled 3"]);
    client.end();
}

#[test]
fn an_edited_settings_file_is_told_where_it_is_wrong() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("oguard.toml"));
    assert_eq!(found(&client.opened(&file, "toml", "")), [""; 0]);
    let published = client.changed(&file, 2, "[rules]\n[pahts]\n");
    assert_eq!(found(&published), ["error 1"]);
    let message = published["diagnostics"][0]["message"].as_str().unwrap();
    assert!(message.contains("`pahts`") && message.contains("`paths`"), "{message}");
    assert_eq!(found(&client.changed(&file, 3, "[rules]\n")), [""; 0]);
    client.end();
}

/// Says HEAD moved, as a client that watches it does.
fn head_moved(client: &mut Client, repo: &Repo) {
    let change = json!({ "uri": uri(&repo.root().join(".git/HEAD")), "type": 2 });
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
}

fn logged(client: &mut Client) -> String {
    client.told("window/logMessage")["params"]["message"].as_str().unwrap().to_owned()
}

/// Two branches that part at the first commit; the session begins on `work`, which suppresses a check.
fn two_branches() -> (Repo, String, String) {
    let repo = repo();
    let first = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["checkout", "-q", "-b", "other"]);
    repo.write("test_a.py", TEST.to_owned() + "\n\n@pytest.mark.skip\ndef test_other():\n    assert 1 + 1 == 2\n");
    repo.commit("a skip of the other branch");
    repo.git(&["checkout", "-q", "-b", "work", &first]);
    repo.write("test_a.py", TEST.replace("== 3", "== 3  # type: ignore"));
    repo.commit("a suppression of this branch");
    let pinned = repo.git(&["rev-parse", "HEAD"]);
    (repo, first, pinned)
}

#[test]
fn after_a_checkout_of_another_branch_the_base_is_where_both_part() {
    let (repo, first, pinned) = two_branches();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    let of_work = TEST.replace("== 3", "== 3  # type: ignore");
    assert_eq!(found(&client.opened(&file, "python", &of_work)), [""; 0]);
    repo.git(&["checkout", "-q", "other"]);
    head_moved(&mut client, &repo);
    let said = logged(&mut client);
    assert!(said.contains(&first[..12]) && said.contains(&pinned[..12]) && said.contains("compared with"), "{said}");
    assert_eq!(found(&client.published(&file)), ["check-suppressed 4"], "the text is still that of the branch before");
    let of_other = std::fs::read_to_string(repo.root().join("test_a.py")).unwrap();
    assert_eq!(found(&client.changed(&file, 2, &of_other)), ["test-disabled 7"], "what the branch brought since they parted");
    // Back again, and the commit the session began with is the base again.
    repo.git(&["checkout", "-q", "work"]);
    head_moved(&mut client, &repo);
    assert!(logged(&mut client).contains("again"));
    assert_eq!(found(&client.changed(&file, 3, &of_work)), [""; 0]);
    client.end();
}

/// Commits of the session, also amended or taken back, never become the base.
#[test]
fn an_amend_and_a_reset_clear_nothing() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", &skipped())), ["test-disabled 3"]);
    repo.write("test_a.py", skipped());
    repo.commit("all green");
    head_moved(&mut client, &repo);
    assert_eq!(found(&client.changed(&file, 2, &(skipped() + "\n"))), ["test-disabled 3"]);
    repo.git(&["commit", "-q", "--amend", "-m", "still green"]);
    head_moved(&mut client, &repo);
    assert_eq!(found(&client.changed(&file, 3, &skipped())), ["test-disabled 3"]);
    repo.git(&["reset", "-q", "--soft", "HEAD~1"]);
    head_moved(&mut client, &repo);
    assert_eq!(found(&client.changed(&file, 4, &(skipped() + "\n"))), ["test-disabled 3"]);
    // The base was the same all the time: no word about it is left unread.
    client.end();
}

#[test]
fn amending_the_commit_the_session_began_with_leaves_its_parent_as_the_base() {
    let repo = repo();
    let parent = repo.git(&["rev-parse", "HEAD"]);
    repo.write("other.py", "x = 1\n");
    repo.commit("second");
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", &skipped())), ["test-disabled 3"]);
    repo.write("test_a.py", skipped());
    repo.git(&["commit", "-q", "-a", "--amend", "-m", "second, amended"]);
    head_moved(&mut client, &repo);
    assert!(logged(&mut client).contains(&parent[..12]));
    assert_eq!(found(&client.changed(&file, 2, &(skipped() + "\n"))), ["test-disabled 3"]);
    client.end();
}

#[test]
fn a_branch_without_common_history_leaves_the_base_and_says_so() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", &skipped())), ["test-disabled 3"]);
    repo.git(&["checkout", "-q", "--orphan", "elsewhere"]);
    repo.write("test_a.py", skipped());
    repo.commit("a new beginning");
    head_moved(&mut client, &repo);
    let said = logged(&mut client);
    assert!(said.contains("shares no history") && said.contains("restart"), "{said}");
    assert_eq!(found(&client.changed(&file, 2, &(skipped() + "\n"))), ["test-disabled 3"]);
    client.end();
}

#[test]
fn a_repository_that_was_made_anew_is_compared_with_its_own_head() {
    let repo = repo();
    let pinned = repo.git(&["rev-parse", "HEAD"]);
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", TEST)), [""; 0]);
    std::fs::remove_dir_all(repo.root().join(".git")).unwrap();
    repo.git(&["init", "-q", "-b", "main"]);
    repo.commit("anew");
    head_moved(&mut client, &repo);
    let said = logged(&mut client);
    assert!(said.contains(&pinned[..12]) && said.contains("no longer in the repository"), "{said}");
    assert_eq!(found(&client.changed(&file, 2, &skipped())), ["test-disabled 3"]);
    client.end();
}
