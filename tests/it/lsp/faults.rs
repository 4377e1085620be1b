//! Faults of texts, files, repositories, git and clients: each is answered, said where silence would mislead, and survived.

use super::client::{Client, assistant, found, uri};
use crate::cli::repo::{Repo, program};
use serde_json::{Value, json};

const TEST: &str = "import pytest\n\n\ndef test_total():\n    assert sum([1, 2]) == 3\n";

fn skipped() -> String {
    TEST.replace("def ", "@pytest.mark.skip\ndef ")
}

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("test_a.py", TEST);
    repo.write("test_b.py", TEST);
    repo.commit("base");
    repo
}

/// Why a document is not judged, as the report says it.
fn reasons(client: &mut Client, file: &str) -> Vec<String> {
    let report = client.call("oguard/report", json!({ "uri": file }));
    let why = |n: &Value| n["why"].as_str().unwrap().to_owned();
    report["claim"]["not_evaluated"].as_array().unwrap().iter().map(why).collect()
}

fn message(client: &mut Client) -> String {
    client.told("window/showMessage")["params"]["message"].as_str().unwrap().to_owned()
}

#[test]
fn a_text_with_a_nul_is_named_and_judged_once_it_is_gone() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", &format!("\0{}", skipped()))), [""; 0]);
    assert_eq!(reasons(&mut client, &file), ["binary"]);
    assert_eq!(found(&client.changed(&file, 2, &skipped())), ["test-disabled 3"]);
    let start = json!({ "line": 0, "character": 0 });
    client.change(&file, 3, json!([{ "range": { "start": start, "end": start }, "text": "\0" }]));
    assert_eq!(found(&client.published_at(&file, 3)), [""; 0]);
    assert_eq!(reasons(&mut client, &file), ["binary"]);
    let range = json!({ "start": start, "end": { "line": 0, "character": 1 } });
    client.change(&file, 4, json!([{ "range": range, "text": "" }]));
    assert_eq!(found(&client.published_at(&file, 4)), ["test-disabled 3"]);
    client.end();
}

#[test]
fn a_text_of_20_mb_is_answered_and_judged_once_it_is_small() {
    let repo = repo();
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    let large = skipped() + &"x = 1\n".repeat(20 * 1024 * 1024 / 6);
    assert_eq!(found(&client.opened(&file, "python", &large)), [""; 0]);
    assert_eq!(reasons(&mut client, &file), ["larger than 8 MB"]);
    // Typing in it is answered as well.
    let start = json!({ "line": 0, "character": 0 });
    client.change(&file, 2, json!([{ "range": { "start": start, "end": start }, "text": "y" }]));
    assert_eq!(found(&client.published_at(&file, 2)), [""; 0]);
    assert_eq!(found(&client.changed(&file, 3, &skipped())), ["test-disabled 3"]);
    client.end();
}

#[test]
fn a_text_of_a_hundred_thousand_lines_is_judged() {
    // One long string, so that a loaded machine parses it in time.
    let text = format!("{TEST}TEXT = \"\"\"\n{}\"\"\"\n", "a line of text\n".repeat(100_000));
    let repo = Repo::new();
    repo.write("test_a.py", &text);
    repo.commit("base");
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_a.py"));
    assert_eq!(found(&client.opened(&file, "python", &text)), [""; 0]);
    let end = json!({ "line": 100_007, "character": 0 });
    client.change(&file, 2, json!([{ "range": { "start": end, "end": end }, "text": "y = 1  # type: ignore\n" }]));
    let published = client.published_at(&file, 2);
    assert_eq!(found(&published), ["check-suppressed 100007"]);
    client.end();
}

#[test]
fn a_base_that_is_no_text_is_named() {
    let repo = repo();
    repo.write("test_latin.py", b"# caf\xe9\ndef test_a():\n    assert True\n");
    repo.commit("latin");
    let mut client = Client::start(assistant(repo.root()));
    let file = uri(&repo.root().join("test_latin.py"));
    // An editor sends what it made of the bytes.
    assert_eq!(found(&client.opened(&file, "python", &format!("# caf\u{fffd}\n{}", skipped()))), [""; 0]);
    assert_eq!(reasons(&mut client, &file), ["its base: not UTF-8"]);
    client.end();
}

/// A pull of the workspace reads the disk, where anything can stand in a file's place.
#[cfg(unix)]
#[test]
fn files_that_cannot_be_read_are_named_and_the_rest_is_judged() {
    use std::os::unix::fs::PermissionsExt;
    let repo = repo();
    repo.write("test_c.py", TEST);
    repo.write("test_d.py", TEST);
    repo.commit("more");
    repo.write("test_a.py", skipped());
    repo.write("test_b.py", b"caf\xe9\n");
    repo.write("test_c.py", skipped());
    let locked = repo.root().join("test_c.py");
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).unwrap();
    // A user whom no permission stops reads it.
    let stopped = std::fs::read(&locked).is_err();
    repo.remove("test_d.py");
    std::os::unix::fs::symlink("test_d.py", repo.root().join("test_d.py")).unwrap();
    std::os::unix::fs::symlink(".", repo.root().join("round")).unwrap();
    let mut client = Client::start(assistant(repo.root()));
    let report = client.call("oguard/report", Value::Null);
    let named: Vec<String> =
        report["claim"]["not_evaluated"].as_array().unwrap().iter().map(|n| format!("{}: {}", n["what"], n["why"])).collect();
    let says = |what: &str, why: &str| named.iter().any(|n| n.contains(what) && n.contains(why));
    assert!(says("test_b.py", "not UTF-8") && says("test_d.py", "symbolic link") && says("round", ""), "{named:?}");
    assert_eq!(says("test_c.py", "unreadable"), stopped, "{named:?}");
    let paths: Vec<&str> = report["findings"].as_array().unwrap().iter().map(|f| f["path"].as_str().unwrap()).collect();
    assert_eq!(paths.contains(&"test_c.py"), !stopped);
    assert!(paths.contains(&"test_a.py"), "{report}");
    client.end();
}

#[cfg(unix)]
#[test]
fn links_that_lead_in_a_circle_are_followed_to_the_file_or_answered() {
    let repo = repo();
    std::os::unix::fs::symlink(".", repo.root().join("round")).unwrap();
    std::os::unix::fs::symlink("test_loop.py", repo.root().join("test_loop.py")).unwrap();
    let mut client = Client::start(assistant(repo.root()));
    let through = uri(&repo.root().join("round/round/test_a.py"));
    let published = client.opened(&through, "python", &skipped());
    assert_eq!(found(&published), ["test-disabled 3"]);
    assert_eq!(published["diagnostics"][0]["severity"], 1, "an existing test, by way of a link");
    let looped = uri(&repo.root().join("test_loop.py"));
    assert_eq!(found(&client.opened(&looped, "python", TEST)), [""; 0]);
    client.end();
}

#[test]
fn settings_that_cannot_be_read_are_said_once() {
    let repo = repo();
    std::fs::create_dir(repo.root().join("oguard.toml")).unwrap();
    let mut client = Client::start(assistant(repo.root()));
    for name in ["test_a.py", "test_b.py"] {
        assert_eq!(found(&client.opened(&uri(&repo.root().join(name)), "python", &skipped())), [""; 0]);
    }
    let said = message(&mut client);
    assert!(said.contains("nothing is judged here") && said.contains("oguard.toml"), "{said}");
    client.end();
}

#[test]
fn a_repository_that_is_deleted_is_said_and_its_files_are_answered() {
    let repo = repo();
    let (first, second) = (uri(&repo.root().join("test_a.py")), uri(&repo.root().join("test_b.py")));
    let mut client = Client::start(assistant(repo.root()));
    assert_eq!(found(&client.opened(&first, "python", &skipped())), ["test-disabled 3"]);
    std::fs::rename(repo.root().join(".git"), repo.beside("kept")).unwrap();
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": first } }));
    let said = message(&mut client);
    assert!(said.contains("only what is open already is judged") && said.contains("is gone"), "{said}");
    // What was found does not vanish with the repository, or that would be a way to make it vanish.
    assert_eq!(found(&client.changed(&first, 2, &(skipped() + "\n"))), ["test-disabled 3"]);
    assert_eq!(found(&client.opened(&second, "python", &skipped())), [""; 0]);
    assert!(message(&mut client).contains("nothing is judged here"));
    let error = client.request("oguard/report", json!({ "uri": first }));
    assert!(client.answer(error)["error"]["message"].as_str().unwrap().contains("is gone"), "no report is no pass");
    client.end();
}

#[test]
fn a_folder_that_is_deleted_while_open_is_answered() {
    let repo = repo();
    let file = uri(&repo.root().join("test_a.py"));
    let mut client = Client::start(assistant(repo.root()));
    assert_eq!(found(&client.opened(&file, "python", TEST)), [""; 0]);
    std::fs::remove_dir_all(repo.root()).unwrap();
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": file, "type": 3 }] }));
    assert_eq!(found(&client.published(&file)), [""; 0]);
    assert!(message(&mut client).contains("is gone"));
    assert_eq!(found(&client.changed(&file, 2, &skipped())), ["test-disabled 3"]);
    client.end();
}

#[cfg(target_os = "linux")]
mod programs {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    /// Resident memory of a process, in kilobytes.
    fn resident_kb(process: u32) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Processes that a process has started and that are not dead.
    fn children(process: u32) -> Vec<u32> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let Some(id) = entry.file_name().to_str().and_then(|n| n.parse::<u32>().ok()) else { continue };
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
            if fields.get(1).and_then(|p| p.parse().ok()) == Some(process) && fields[0] != "Z" {
                found.push(id);
            }
        }
        found
    }

    /// A folder for the `PATH` with a `git` that hangs as soon as a file named `hang` lies beside it.
    fn git_that_hangs_on_demand(repo: &Repo) -> PathBuf {
        let folder = repo.beside("bin");
        std::fs::create_dir(&folder).unwrap();
        let real = std::env::split_paths(&std::env::var_os("PATH").unwrap()).map(|f| f.join("git")).find(|p| p.is_file()).unwrap();
        let script =
            format!("#!/bin/sh\n[ -e '{}' ] && exec /bin/sleep 600\nexec '{}' \"$@\"\n", folder.join("hang").display(), real.display());
        std::fs::write(folder.join("git"), script).unwrap();
        std::fs::set_permissions(folder.join("git"), std::fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    fn started(command: &mut std::process::Command, params: Value) -> Client {
        let mut client = Client::program(command);
        client.initialize(params);
        client
    }

    #[test]
    fn a_client_that_stops_reading_costs_no_memory() {
        let repo = repo();
        let (mut client, read) = Client::unread_program(&mut program(repo.root(), &["lsp"]));
        let mut params = assistant(repo.root());
        params["initializationOptions"] = json!({ "delta": true, "status": true });
        client.request("initialize", params);
        client.notify("initialized", json!({}));
        let files: Vec<String> = (0..5).map(|i| uri(&repo.root().join(format!("test_{i}.py")))).collect();
        files.iter().for_each(|file| client.open(file, "python", 1, TEST));
        let lines = "x = 1  # type: ignore\n".repeat(100);
        let mut version = 1;
        let mut burst = |client: &mut Client| {
            for _ in 0..150 {
                version += 1;
                files.iter().for_each(|file| client.change(file, version, json!([{ "text": format!("y = {version}\n{lines}") }])));
            }
        };
        // Until the allocator has what the work itself needs.
        (0..8).for_each(|_| burst(&mut client));
        let before = resident_kb(client.process());
        (0..5).for_each(|_| burst(&mut client));
        let after = resident_kb(client.process());
        assert!(after < before + 8 * 1024, "{before} kB grew to {after} kB");
        read.send(()).unwrap();
        for file in &files {
            assert_eq!(client.published_at(file, 1_951)["diagnostics"].as_array().unwrap().len(), 11);
        }
        client.hang_up();
    }

    #[test]
    fn a_git_that_was_killed_is_started_again() {
        let repo = repo();
        let mut client = started(&mut program(repo.root(), &["lsp"]), assistant(repo.root()));
        let (first, second) = (uri(&repo.root().join("test_a.py")), uri(&repo.root().join("test_b.py")));
        assert_eq!(found(&client.opened(&first, "python", &skipped())), ["test-disabled 3"]);
        let readers = children(client.process());
        assert_eq!(readers.len(), 1, "the reader of objects");
        let killed = std::process::Command::new("kill").args(["-9", &readers[0].to_string()]).status().unwrap();
        assert!(killed.success());
        let published = client.opened(&second, "python", &skipped());
        assert_eq!((found(&published), &published["diagnostics"][0]["severity"]), (vec!["test-disabled 3".to_owned()], &json!(1)));
        client.end();
    }

    #[test]
    fn a_git_that_begins_to_hang_is_said_once_and_a_pull_can_be_ended() {
        let repo = repo();
        let bin = git_that_hangs_on_demand(&repo);
        let mut command = program(repo.root(), &["lsp"]);
        command.env("PATH", &bin);
        let mut params = assistant(repo.root());
        params["initializationOptions"] = json!({ "diagnostics": "pull" });
        let mut client = started(&mut command, params);
        let file = uri(&repo.root().join("test_a.py"));
        client.open(&file, "python", 1, &skipped());
        let pull = json!({ "textDocument": { "uri": file } });
        assert_eq!(client.call("textDocument/diagnostic", pull.clone())["items"][0]["code"], "test-disabled");
        std::fs::write(bin.join("hang"), "").unwrap();
        // Ended by its token, and by its id.
        let mut whole = json!({ "previousResultIds": [], "workDoneToken": "t1" });
        let first = client.request("workspace/diagnostic", whole.clone());
        assert_eq!(client.told("$/progress")["params"]["value"]["kind"], "begin");
        client.notify("window/workDoneProgress/cancel", json!({ "token": "t1" }));
        assert_eq!(client.answer(first)["error"]["code"], -32800);
        assert_eq!(client.told("$/progress")["params"], json!({ "token": "t1", "value": { "kind": "end" } }));
        whole["workDoneToken"] = json!(2);
        let second = client.request("workspace/diagnostic", whole);
        assert_eq!(client.told("$/progress")["params"]["value"]["kind"], "begin");
        client.notify("$/cancelRequest", json!({ "id": second }));
        assert_eq!(client.answer(second)["error"]["code"], -32800);
        assert_eq!(client.told("$/progress")["params"], json!({ "token": 2, "value": { "kind": "end" } }));
        // What is open needs no git to be judged again.
        client.change(&file, 2, json!([{ "text": TEST }]));
        assert_eq!(client.call("textDocument/diagnostic", pull)["items"], json!([]));
        client.end();
    }

    /// A git that says nothing must not be taken for one that says that the base is gone.
    #[test]
    fn a_git_that_hangs_while_head_moves_leaves_the_base() {
        let repo = repo();
        let bin = git_that_hangs_on_demand(&repo);
        let mut command = program(repo.root(), &["lsp"]);
        command.env("PATH", &bin);
        let mut client = started(&mut command, assistant(repo.root()));
        let file = uri(&repo.root().join("test_a.py"));
        assert_eq!(found(&client.opened(&file, "python", &skipped())), ["test-disabled 3"]);
        repo.write("test_a.py", skipped());
        repo.commit("all green");
        std::fs::write(bin.join("hang"), "").unwrap();
        client.notify("textDocument/didSave", json!({ "textDocument": { "uri": file } }));
        let said = message(&mut client);
        assert!(said.contains("only what is open already is judged") && said.contains("gave no answer"), "{said}");
        assert_eq!(found(&client.changed(&file, 2, &(skipped() + "\n"))), ["test-disabled 3"]);
        // No word about another base is left unread.
        client.end();
    }

    #[test]
    fn who_waits_for_a_file_that_is_deleted_is_answered() {
        let repo = repo();
        let bin = git_that_hangs_on_demand(&repo);
        std::fs::write(bin.join("hang"), "").unwrap();
        let mut command = program(repo.root(), &["lsp"]);
        command.env("PATH", &bin);
        let mut client = started(&mut command, assistant(repo.root()));
        let file = uri(&repo.root().join("test_a.py"));
        client.open(&file, "python", 1, &skipped());
        let waiting = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": file } }));
        client.notify("workspace/didDeleteFiles", json!({ "files": [{ "uri": file }] }));
        assert_eq!(client.answer(waiting)["result"]["items"], json!([]));
        client.hang_up();
    }

    #[test]
    fn a_server_that_was_killed_is_followed_by_one_that_says_the_same() {
        let repo = repo();
        let file = uri(&repo.root().join("test_a.py"));
        let mut client = started(&mut program(repo.root(), &["lsp"]), assistant(repo.root()));
        client.opened(&file, "python", TEST);
        let before = client.changed(&file, 2, &skipped());
        assert_eq!(found(&before), ["test-disabled 3"]);
        client.kill();
        let mut client = started(&mut program(repo.root(), &["lsp"]), assistant(repo.root()));
        let after = client.opened(&file, "python", &skipped());
        assert_eq!(after["diagnostics"], before["diagnostics"]);
        client.end();
    }
}
