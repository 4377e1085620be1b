//! Recordings of tests that were made anew: said where nothing else changed that could move them.

use crate::cli::repo::Repo;

const SNAPSHOT: &str = "src/__snapshots__/f.test.ts.snap";

/// Returns what is found where a recording and other files changed.
fn recorded(others: &[&str], arguments: &[&str]) -> Vec<String> {
    let repo = Repo::new();
    repo.write(SNAPSHOT, "exports[`adds 1`] = `3`;\n");
    repo.write("tests/out/report.approved.txt", "3\n");
    for path in ["src/f.ts", "src/f.test.ts", "package.json", "data.csv", "README.md"] {
        repo.write(path, "\n");
    }
    repo.commit("base");
    repo.write(SNAPSHOT, "exports[`adds 1`] = `4`;\n");
    for path in others {
        repo.write(path, "// more\n");
    }
    repo.check(arguments).found()
}

#[test]
fn a_recording_alone_is_said_once() {
    let alone = [format!("{SNAPSHOT} test-rigged")];
    assert_eq!(recorded(&[], &[]), alone);
    assert_eq!(recorded(&["README.md"], &[]), alone);
    assert_eq!(recorded(&["tests/out/report.approved.txt"], &[]), alone);
}

#[test]
fn what_can_move_a_recording_explains_it() {
    for other in ["src/f.ts", "src/f.test.ts", "package.json", "data.csv", "src/new.ts"] {
        assert_eq!(recorded(&[other], &[]), [""; 0], "{other}");
        // Also where only the recording was asked for.
        assert_eq!(recorded(&[other], &[SNAPSHOT]), [""; 0], "{other}");
    }
}

#[test]
fn a_new_recording_is_what_a_new_test_leaves() {
    let repo = Repo::new();
    repo.write("README.md", "\n");
    repo.commit("base");
    repo.write(SNAPSHOT, "exports[`adds 1`] = `3`;\n");
    assert_eq!(repo.check(&[]).found(), [""; 0]);
}
