//! What goes wrong: each time exit code 2, one line on standard error, and the remedy in it.

use super::repo::{Repo, TEST, git_in, program, run_command, run_in, skipped};
use std::path::Path;

#[test]
fn outside_git_the_error_names_scan_and_diff() {
    let temp = tempfile::tempdir().unwrap();
    let run = run_in(temp.path(), &["check"]);
    assert!(run.error().contains("oguard scan PATH") && run.error().contains("oguard check --diff FILE"), "{}", run.stderr);
}

#[test]
fn a_base_that_is_not_there_is_named() {
    let repo = Repo::with_test();
    for args in [["--base", "no-such"], ["--head", "no-such"], ["--base", "--upload-pack=x"]] {
        let joined = format!("{}={}", args[0], args[1]);
        let run = repo.run(&["check", &joined]);
        assert!(run.error().contains(&format!("no commit `{}`", args[1])), "{}", run.stderr);
    }
}

#[test]
fn unrelated_histories_have_no_merge_base() {
    let repo = Repo::with_test();
    repo.git(&["checkout", "-q", "--orphan", "island"]);
    repo.commit("island");
    assert!(repo.run(&["check", "--base", "main"]).error().contains("no common ancestor"));
}

#[test]
fn without_git_the_error_says_so() {
    let repo = Repo::with_test();
    let empty = repo.beside("empty");
    std::fs::create_dir(&empty).unwrap();
    let mut command = program(repo.root(), &["check"]);
    command.env("PATH", &empty);
    assert!(run_command(command).error().contains("the git program is not on PATH"));
}

#[cfg(unix)]
fn executable(path: &Path, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, script).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_git_that_hangs_is_ended_and_named() {
    let repo = Repo::with_test();
    let fake = repo.beside("fake");
    std::fs::create_dir(&fake).unwrap();
    // Waits for input that never comes from a pipe that it holds open itself.
    executable(&fake.join("git"), "#!/bin/sh\nmkfifo \"$0.$$\"\nexec 3<>\"$0.$$\"\nread x <&3\n");
    let path = std::env::join_paths([fake.clone(), "/usr/bin".into(), "/bin".into()]).unwrap();
    let mut command = program(repo.root(), &["check"]);
    command.env("PATH", path).env("OGUARD_GIT_TIME_LIMIT_MS", "300");
    let run = run_command(command);
    assert!(run.error().contains("`git status` gave no answer within 0.3 s"), "{}", run.stderr);
}

#[test]
fn a_repository_of_another_owner_is_refused_with_the_command_that_allows_it() {
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped());
    let mut command = program(repo.root(), &["check"]);
    command.env("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    let run = run_command(command);
    let expected = format!("git config --global --add safe.directory {}", repo.root().display());
    assert!(run.error().contains(&expected), "{}", run.stderr);
}

#[test]
fn a_damaged_base_is_an_error_and_no_pass() {
    let repo = Repo::with_test();
    let blob = repo.git(&["rev-parse", "HEAD:a_test.go"]);
    repo.write("a_test.go", skipped());
    let object = repo.root().join(".git/objects").join(&blob[..2]).join(&blob[2..]);
    std::fs::remove_file(object).unwrap();
    let run = repo.check(&[]);
    assert_eq!((run.code, run.json()["verdict"].as_str()), (2, Some("error")));
    assert_eq!(run.json()["claim"]["failures"][0]["what"], "a_test.go");
    assert!(run.stderr.contains("git does not hold its text"), "{}", run.stderr);
}

#[test]
fn a_partial_clone_fetches_nothing() {
    let origin = Repo::with_test();
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    origin.write("a_test.go", skipped());
    let last = origin.commit("skip");
    let clone = origin.beside("clone");
    let url = format!("file://{}", origin.root().display());
    git_in(origin.root(), &["clone", "-q", "--filter=blob:none", "--no-checkout", &url, clone.to_str().unwrap()]);
    let run = run_in(&clone, &["check", "--format", "json", "--head", &last]);
    assert_eq!((run.code, run.json()["verdict"].as_str()), (2, Some("error")), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn nothing_that_a_repository_configures_runs() {
    let repo = Repo::with_test();
    let trap = repo.beside("trap");
    let witness = repo.beside("witness");
    executable(&trap, &format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat\n", witness.display()));
    let trap = trap.to_str().unwrap();
    repo.write(".gitattributes", "*.go filter=evil diff=evil\n");
    repo.commit("attributes");
    for (name, value) in [
        ("filter.evil.clean", trap),
        ("filter.evil.smudge", trap),
        ("filter.evil.process", trap),
        ("filter.evil.required", "true"),
        ("diff.evil.textconv", trap),
        ("diff.evil.command", trap),
        ("diff.external", trap),
        ("core.fsmonitor", trap),
        ("core.pager", trap),
    ] {
        repo.git(&["config", name, value]);
    }
    for hook in ["post-index-change", "post-checkout", "pre-commit"] {
        std::fs::create_dir_all(repo.root().join(".git/hooks")).unwrap();
        executable(&repo.root().join(".git/hooks").join(hook), &format!("#!/bin/sh\necho hook >> '{}'\n", witness.display()));
    }
    // Setting the trap has sprung it; what counts is what comes now.
    let _ = std::fs::remove_file(&witness);
    repo.write("a_test.go", skipped());
    for args in [&[][..], &["--base", "HEAD"], &["--staged"], &["--head", "HEAD"]] {
        let run = repo.check(args);
        assert!(run.code < 2, "{args:?}: {}", run.stderr);
        assert!(!witness.exists(), "{args:?} ran {}", std::fs::read_to_string(&witness).unwrap());
    }
    assert_eq!(repo.check(&[]).found(), ["a_test.go test-disabled"]);
}

#[cfg(unix)]
#[test]
fn a_filter_does_not_run_whatever_its_name() {
    for driver in [&b"a=b"[..], b"a.b=c", b"\xff", b"with blank"] {
        let repo = Repo::with_test();
        let witness = repo.beside("witness");
        let append = |file: &str, parts: &[&[u8]]| {
            let path = repo.root().join(file);
            let before = std::fs::read(&path).unwrap_or_default();
            std::fs::write(&path, [&before[..], &parts.concat()].concat()).unwrap();
        };
        let trap = format!("touch '{}'; cat", witness.display());
        append(".git/config", &[b"[filter \"", driver, b"\"]\n\tclean = \"", trap.as_bytes(), b"\"\n\trequired = true\n"]);
        append(".gitattributes", &[b"*.go \"filter=", driver, b"\"\n"]);
        append(".gitattributes", &[b"*.go filter=", driver, b"\n"]);
        repo.write("a_test.go", skipped());
        let run = repo.check(&[]);
        assert_eq!(run.found(), ["a_test.go test-disabled"], "{driver:?}: {}", run.stderr);
        assert!(!witness.exists(), "{driver:?}");
    }
}

#[test]
fn a_work_tree_elsewhere_is_an_error_and_no_pass() {
    let repo = Repo::with_test();
    let elsewhere = repo.beside("copy");
    std::fs::create_dir_all(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("a_test.go"), TEST).unwrap();
    repo.git(&["config", "core.worktree", elsewhere.to_str().unwrap()]);
    repo.write("a_test.go", skipped());
    let run = repo.check(&[]);
    assert!(run.code == 2 && run.stderr.contains("core.worktree makes git compare the files of"), "{}", run.stderr);
    repo.git(&["config", "core.worktree", ".."]);
    assert_eq!(repo.check(&[]).found(), ["a_test.go test-disabled"], "its own");
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped());
    let mut child = program(repo.root(), &["check"])
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(1), ""));
}

#[test]
fn a_bare_repository_has_nothing_to_judge_and_says_where_to_go() {
    let repo = Repo::with_test();
    let bare = repo.beside("bare.git");
    repo.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    let run = run_in(&bare, &["check"]);
    assert!(run.error().contains("bare repository") && run.error().contains("git worktree add"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_is_not_waited_for() {
    let repo = Repo::with_test();
    let pipe = |path: &str| {
        let path = repo.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    };
    pipe("oguard.toml");
    let run = repo.run(&["check"]);
    assert!(run.error().contains("oguard.toml: it is no plain file; make it readable or remove it"), "{}", run.stderr);
    repo.remove("oguard.toml");
    pipe(".gitmodules");
    pipe("sub/.git");
    repo.write("a_test.go", skipped());
    assert_eq!(run_in(&repo.root().join("sub"), &["check"]).code, 1);
}

#[cfg(unix)]
#[test]
fn a_name_cannot_begin_a_line_of_its_own() {
    let repo = Repo::new();
    let name = "b\n::stop-commands::x\n_test.go";
    repo.write(name, super::repo::TEST);
    repo.commit("base");
    let blob = repo.git(&["rev-parse", &format!("HEAD:{name}")]);
    repo.write(name, skipped());
    std::fs::remove_file(repo.root().join(".git/objects").join(&blob[..2]).join(&blob[2..])).unwrap();
    for format in ["github", "text", "markdown"] {
        let run = repo.run(&["check", "--format", format]);
        assert_eq!(run.code, 2, "{}", run.stdout);
        let lines = run.stdout.lines().chain(run.stderr.lines());
        assert!(lines.clone().all(|line| !line.starts_with("::stop")), "{}{}", run.stdout, run.stderr);
    }
}
