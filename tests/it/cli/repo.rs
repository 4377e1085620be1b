//! A temporary repository and the program in it. Nothing of the machine's git configuration holds.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A test that runs, in Go.
pub(crate) const TEST: &str =
    "package a\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif 1+1 != 2 {\n\t\tt.Fatal(\"no\")\n\t}\n}\n";

/// The line that switches it off.
const SKIP: &str = "\tt.Skip()\n";

/// Returns the test, switched off.
pub(crate) fn skipped() -> String {
    with_skip(TEST)
}

/// Returns a Go test text with its first test switched off.
pub(crate) fn with_skip(text: &str) -> String {
    let head = "func TestAdd(t *testing.T) {\n";
    text.replace(head, &format!("{head}{SKIP}"))
}

pub(crate) struct Repo {
    _temp: TempDir,
    root: PathBuf,
}

/// What a run of the program left.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Run { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The report of `--format json`.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {} {}", self.stdout, self.stderr))
    }

    /// `path rule` of each finding.
    pub(crate) fn found(&self) -> Vec<String> {
        let report = self.json();
        let row = |f: &Value| format!("{} {}", f["path"].as_str().unwrap(), f["rule"].as_str().unwrap());
        report["findings"].as_array().unwrap().iter().map(row).collect()
    }

    pub(crate) fn ids(&self) -> Vec<String> {
        self.json()["findings"].as_array().unwrap().iter().map(|f| f["fingerprint"].as_str().unwrap().to_owned()).collect()
    }

    /// `what: why` of each thing that was not evaluated.
    pub(crate) fn not_evaluated(&self) -> Vec<String> {
        let report = self.json();
        let row = |n: &Value| format!("{}: {}", n["what"].as_str().unwrap(), n["why"].as_str().unwrap());
        report["claim"]["not_evaluated"].as_array().unwrap().iter().map(row).collect()
    }

    /// One line on standard error, nothing on standard output, exit code 2.
    pub(crate) fn error(&self) -> &str {
        assert_eq!((self.code, self.stdout.as_str()), (2, ""), "{}", self.stderr);
        assert_eq!(self.stderr.lines().count(), 1, "{}", self.stderr);
        self.stderr.trim_end()
    }
}

/// Removes what the environment says of git, so that only the test's repository counts.
pub(crate) fn isolated(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") {
            command.env_remove(name);
        }
    }
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "t").env(format!("GIT_{who}_EMAIL"), "t@example.org");
    }
    // Set where the tests themselves run under an agent's hook.
    command.env_remove("CLAUDE_PROJECT_DIR");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env_remove("NO_COLOR")
}

pub(crate) fn git_in(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    let output = isolated(command.arg("-C").arg(folder).args(["-c", "protocol.file.allow=always"]).args(args)).output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// The program in a folder.
pub(crate) fn program(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oguard"));
    isolated(command.current_dir(folder).args(args));
    command
}

pub(crate) fn run_in(folder: &Path, args: &[&str]) -> Run {
    Run::of(program(folder, args).stdin(Stdio::null()).output().unwrap())
}

pub(crate) fn run_command(mut command: Command) -> Run {
    Run::of(command.stdin(Stdio::null()).output().unwrap())
}

pub(crate) fn run_with_input(folder: &Path, args: &[&str], input: &[u8]) -> Run {
    let mut child = program(folder, args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that refuses its arguments reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input);
    Run::of(child.wait_with_output().unwrap())
}

impl Repo {
    /// An empty repository.
    pub(crate) fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap().join("repo");
        std::fs::create_dir(&root).unwrap();
        git_in(&root, &["init", "-q", "-b", "main"]);
        Repo { _temp: temp, root }
    }

    /// A repository with the test committed.
    pub(crate) fn with_test() -> Self {
        let repo = Repo::new();
        repo.write("a_test.go", TEST);
        repo.commit("base");
        repo
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A folder beside the repository, gone with it.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.root.parent().unwrap().join(name)
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn remove(&self, path: &str) {
        std::fs::remove_file(self.root.join(path)).unwrap();
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        git_in(&self.root, args)
    }

    pub(crate) fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    pub(crate) fn run(&self, args: &[&str]) -> Run {
        run_in(&self.root, args)
    }

    /// `oguard check --format json` with more arguments.
    pub(crate) fn check(&self, args: &[&str]) -> Run {
        let mut all = vec!["check", "--format", "json"];
        all.extend(args);
        self.run(&all)
    }
}
