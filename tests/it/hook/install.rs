//! `oguard hook install|uninstall|status`: shown first, written when agreed, once.

use crate::cli::repo::{Repo, Run, program, run_command};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The program with a home of its own and itself on the search path.
pub(super) fn with_home(repo: &Repo, arguments: &[&str]) -> Command {
    let mut command = program(repo.root(), arguments);
    let bin = Path::new(env!("CARGO_BIN_EXE_oguard")).parent().unwrap();
    let path = std::env::join_paths([bin, Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
    command.env("PATH", path).env("HOME", repo.beside("home")).env_remove("CLAUDE_CONFIG_DIR").env_remove("CODEX_HOME");
    command
}

pub(super) fn run(repo: &Repo, arguments: &[&str]) -> Run {
    run_command(with_home(repo, arguments))
}

fn settings(repo: &Repo, path: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(repo.root().join(path)).unwrap()).unwrap()
}

#[test]
fn what_is_written_is_shown_first() {
    let repo = Repo::with_test();
    let shown = run(&repo, &["hook", "install", "claude"]);
    assert_eq!(shown.code, 2, "no terminal to ask on");
    assert!(shown.stderr.contains("add --yes"), "{}", shown.stderr);
    assert!(
        shown.stdout.starts_with("--- /dev/null\n+++ ") && shown.stdout.contains("+            \"command\": \"oguard hook claude\","),
        "{}",
        shown.stdout
    );
    assert!(!repo.root().join(".claude").exists(), "nothing was written");
    let written = run(&repo, &["hook", "install", "claude", "--yes"]);
    assert_eq!(written.code, 0);
    assert!(written.stdout.starts_with(&shown.stdout), "{}", written.stdout);
    let again = run(&repo, &["hook", "install", "claude"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(again.stdout.starts_with("installed already: "), "{}", again.stdout);
}

#[test]
fn each_event_calls_us_below_the_hosts_limit() {
    let repo = Repo::with_test();
    for (host, file, tools) in
        [("claude", ".claude/settings.json", ["Edit", "Bash"]), ("codex", ".codex/hooks.json", ["apply_patch", "Bash"])]
    {
        assert_eq!(run(&repo, &["hook", "install", host, "--yes"]).code, 0);
        let settings = settings(&repo, file);
        for event in ["SessionStart", "PostToolUse", "Stop"] {
            let groups = settings["hooks"][event].as_array().unwrap();
            assert_eq!(groups.len(), 1);
            assert_eq!(groups[0]["hooks"][0]["command"], format!("oguard hook {host}"));
            assert_eq!((&groups[0]["hooks"][0]["type"], &groups[0]["hooks"][0]["timeout"]), (&"command".into(), &30.into()));
            assert_eq!(groups[0]["matcher"].is_string(), event == "PostToolUse");
        }
        let matcher = settings["hooks"]["PostToolUse"][0]["matcher"].as_str().unwrap();
        assert!(tools.iter().all(|tool| matcher.split('|').any(|m| m == *tool)), "{matcher}");
    }
}

#[test]
fn the_users_settings_are_another_file() {
    let repo = Repo::with_test();
    for (host, file) in [("claude", ".claude/settings.json"), ("codex", ".codex/hooks.json")] {
        assert_eq!(run(&repo, &["hook", "install", host, "--user", "--yes"]).code, 0);
        assert!(repo.beside("home").join(file).is_file());
        assert!(!repo.root().join(file).exists());
    }
    let mut moved = with_home(&repo, &["hook", "install", "claude", "--user", "--yes"]);
    moved.env("CLAUDE_CONFIG_DIR", repo.beside("elsewhere"));
    assert_eq!(run_command(moved).code, 0);
    assert!(repo.beside("elsewhere/settings.json").is_file());
}

#[test]
fn a_program_that_is_not_on_the_path_is_named_by_its_place() {
    let repo = Repo::with_test();
    let folder = repo.beside("my tools");
    std::fs::create_dir(&folder).unwrap();
    let place = folder.join("oguard");
    std::fs::copy(env!("CARGO_BIN_EXE_oguard"), &place).unwrap();
    let mut command = Command::new(&place);
    crate::cli::repo::isolated(command.current_dir(repo.root()).args(["hook", "install", "claude", "--yes"]));
    assert_eq!(run_command(command).code, 0);
    let settings = settings(&repo, ".claude/settings.json");
    let written = settings["hooks"]["Stop"][0]["hooks"][0]["command"].as_str().unwrap();
    assert_eq!(written, format!("'{}' hook claude", place.display()));
    // As a host calls it: through a shell.
    let output = Command::new("sh").args(["-c", written]).current_dir(repo.root()).stdin(std::process::Stdio::null()).output().unwrap();
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("there was nothing on standard input"));
    // Another place of the program is put right, in place.
    assert!(run(&repo, &["hook", "status"]).stdout.contains("claude  project  not as this program would install it"));
    assert_eq!(run(&repo, &["hook", "install", "claude", "--yes"]).code, 0);
    let text = std::fs::read_to_string(repo.root().join(".claude/settings.json")).unwrap();
    assert_eq!((text.matches("oguard hook claude").count(), text.matches("my tools").count()), (3, 0), "{text}");
}

#[test]
fn a_program_under_another_name_knows_its_own_hooks() {
    let repo = Repo::with_test();
    let place = repo.beside("oguard-0.1");
    std::fs::copy(env!("CARGO_BIN_EXE_oguard"), &place).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&place);
        crate::cli::repo::isolated(command.current_dir(repo.root()).env("HOME", repo.beside("home")).args(arguments));
        run_command(command)
    };
    assert_eq!(run(&["hook", "install", "claude", "--yes"]).code, 0);
    assert!(run(&["hook", "install", "claude", "--yes"]).stdout.starts_with("installed already"));
    assert!(run(&["hook", "status"]).stdout.starts_with("claude  project  installed"));
    assert_eq!(run(&["hook", "uninstall", "claude", "--yes"]).code, 0);
    assert!(!repo.root().join(".claude").exists());
}

#[test]
fn status_says_what_is_there() {
    let repo = Repo::with_test();
    let before = run(&repo, &["hook", "status"]);
    assert_eq!((before.code, before.stdout.matches("not installed: ").count()), (0, 5), "{}", before.stdout);
    run(&repo, &["hook", "install", "claude", "--yes"]);
    run(&repo, &["hook", "install", "git", "--yes"]);
    let after = run(&repo, &["hook", "status"]).stdout;
    assert!(after.contains("claude  project  installed: ") && after.contains("git     project  installed: "), "{after}");
    assert!(after.contains("codex   project  not installed: "), "{after}");
}

#[test]
fn what_cannot_be_edited_is_refused_with_the_remedy() {
    let repo = Repo::with_test();
    for (text, said) in [
        ("{ \"hooks\": ", "it is no valid JSON"),
        ("[]", "it holds no JSON object"),
        ("{ \"hooks\": [] }", "`hooks` is not an object"),
        ("{ \"hooks\": { \"Stop\": {} } }", "`Stop` is not a list"),
    ] {
        repo.write(".claude/settings.json", text);
        let refused = run(&repo, &["hook", "install", "claude", "--yes"]);
        assert!(refused.error().contains(said), "{text}: {}", refused.stderr);
        assert_eq!(std::fs::read_to_string(repo.root().join(".claude/settings.json")).unwrap(), text);
    }
    let outside = tempfile::tempdir().unwrap();
    let nowhere = run_command({
        let mut command = with_home(&repo, &["hook", "install", "claude", "--yes"]);
        command.current_dir(outside.path());
        command
    });
    assert!(nowhere.error().contains("add --user"), "{}", nowhere.stderr);
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_project_is_not_written_through() {
    let repo = Repo::with_test();
    let elsewhere = repo.beside("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, repo.root().join(".claude")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, repo.root().join(".codex")).unwrap();
    for host in ["claude", "codex"] {
        assert!(run(&repo, &["hook", "install", host, "--yes"]).error().contains("outside of this project"));
    }
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
    // The user's own settings may be a link: dotfiles are kept so.
    let home = repo.beside("home/.claude");
    std::fs::create_dir_all(&home).unwrap();
    std::fs::write(elsewhere.join("settings.json"), "{}\n").unwrap();
    std::os::unix::fs::symlink(elsewhere.join("settings.json"), home.join("settings.json")).unwrap();
    assert_eq!(run(&repo, &["hook", "install", "claude", "--user", "--yes"]).code, 0);
    assert!(std::fs::read_to_string(elsewhere.join("settings.json")).unwrap().contains("oguard hook claude"));
    assert!(home.join("settings.json").is_symlink());
}

#[cfg(unix)]
#[test]
fn gits_folder_of_hooks_is_the_configured_one() {
    use std::os::unix::fs::PermissionsExt;
    let repo = Repo::with_test();
    repo.git(&["config", "core.hooksPath", "tools/hooks"]);
    assert_eq!(run(&repo, &["hook", "install", "git", "--yes"]).code, 0);
    let hook = repo.root().join("tools/hooks/pre-commit");
    assert_ne!(std::fs::metadata(&hook).unwrap().permissions().mode() & 0o100, 0);
    assert!(!repo.root().join(".git/hooks/pre-commit").exists());
    assert!(run(&repo, &["hook", "install", "git", "--user", "--yes"]).error().contains("leave --user out"));
    repo.git(&["config", "core.hooksPath", "/nowhere/hooks"]);
    assert!(run(&repo, &["hook", "install", "git", "--yes"]).error().contains("/nowhere/hooks"));
    // Of the user: for all repositories, so it wants to be said.
    repo.git(&["config", "--unset", "core.hooksPath"]);
    let global = repo.beside("gitconfig");
    std::fs::write(&global, format!("[core]\n\thooksPath = {}\n", repo.beside("all hooks").display())).unwrap();
    let asked = |more: &[&str]| {
        let mut command = with_home(&repo, &[&["hook", "install", "git", "--yes"], more].concat());
        command.env("GIT_CONFIG_GLOBAL", &global);
        run_command(command)
    };
    assert!(asked(&[]).error().contains("add --user"));
    assert_eq!(asked(&["--user"]).code, 0);
    assert!(repo.beside("all hooks/pre-commit").is_file());
}

#[cfg(unix)]
#[test]
fn a_hook_that_is_there_is_kept_and_runs_after_us() {
    use std::os::unix::fs::PermissionsExt;
    let repo = Repo::with_test();
    let hook = repo.root().join(".git/hooks/pre-commit");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, "#!/bin/sh\ntouch ran\n").unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(run(&repo, &["hook", "install", "git", "--yes"]).error().contains("not executable"));
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o750)).unwrap();
    assert_eq!(run(&repo, &["hook", "install", "git", "--yes"]).code, 0);
    assert_eq!(std::fs::metadata(&hook).unwrap().permissions().mode() & 0o777, 0o750);
    let mut git = Command::new("git");
    crate::cli::repo::isolated(git.current_dir(repo.root()).args(["commit", "-q", "--allow-empty", "-m", "x"]));
    git.env("PATH", with_home(&repo, &[]).get_envs().find(|(n, _)| *n == "PATH").unwrap().1.unwrap());
    assert!(git.status().unwrap().success());
    assert!(repo.root().join("ran").exists());
    assert_eq!(run(&repo, &["hook", "uninstall", "git", "--yes"]).code, 0);
    assert_eq!(std::fs::read_to_string(&hook).unwrap(), "#!/bin/sh\ntouch ran\n");
}
