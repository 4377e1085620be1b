//! How reports look: text with frames and caps, JSON in full, lines, annotations.

use super::repo::{Repo, TEST, skipped};

/// Returns a Go file with many tests, all switched off or none.
fn many(n: usize, skip: &str) -> String {
    let one = |i: usize| format!("\nfunc TestN{i}(t *testing.T) {{\n{skip}\tif {i} != {i} {{\n\t\tt.Fatal(\"no\")\n\t}}\n}}\n");
    format!("package a\n\nimport \"testing\"\n{}", (0..n).map(one).collect::<String>())
}

#[test]
fn text_shows_place_line_carets_and_what_to_do() {
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped());
    let run = repo.run(&["check"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].starts_with("block: test-disabled: "), "{}", run.stdout);
    assert_eq!(lines[1], "  --> a_test.go:6:2");
    assert_eq!(lines[2], "    6 |     t.Skip()");
    assert_eq!(lines[3], "      |     ^^^^^^");
    assert!(run.stdout.contains("  next: ") && run.stdout.contains("  id: og1:"), "{}", run.stdout);
    let last = lines.last().unwrap();
    assert!(last.starts_with("block: 1 block in 1 file; work tree against HEAD ") && last.ends_with("no contract: level 0 only"), "{last}");
    assert!(!run.stdout.contains('\x1b'), "no colours where there is no terminal");
}

#[test]
fn text_is_capped_and_json_is_not() {
    let repo = Repo::new();
    for file in ["a", "b", "c", "d", "e"] {
        repo.write(&format!("{file}_test.go"), many(12, ""));
    }
    repo.commit("base");
    for file in ["a", "b", "c", "d", "e"] {
        repo.write(&format!("{file}_test.go"), many(12, "\tt.Skip()\n"));
    }
    let count = |args: &[&str]| repo.run(args).stdout.matches("block: test-disabled: ").count();
    assert_eq!(count(&["check"]), 40);
    assert_eq!(count(&["check", "a_test.go"]), 10);
    assert_eq!(count(&["check", "--max", "0"]), 60);
    assert_eq!(count(&["check", "--max", "3"]), 3);
    let head = repo.git(&["rev-parse", "HEAD"]);
    let hint = format!("… 20 more findings; `oguard check --base {head} --max 0` shows them");
    assert!(repo.run(&["check"]).stdout.contains(&hint));
    assert_eq!(repo.check(&[]).found().len(), 60);
    assert_eq!(repo.run(&["check", "--format", "line"]).stdout.lines().count(), 60);
}

#[test]
fn json_has_every_field_of_the_schema() {
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped());
    let report = repo.check(&[]).json();
    assert_eq!(report["schema"], "oguard.report/1");
    for field in ["verdict", "claim", "findings", "notes", "effective_warnings", "scope_validity", "resolved", "remaining"] {
        assert!(report.get(field).is_some(), "{field}");
    }
    for field in ["baseline", "contract", "files", "languages", "rules_run", "not_evaluated", "checks_run", "checks_skipped", "truncated"] {
        assert!(report["claim"].get(field).is_some(), "claim.{field}");
    }
    let finding = &report["findings"][0];
    for field in [
        "rule",
        "version",
        "level",
        "effective",
        "state",
        "path",
        "range",
        "subject",
        "message",
        "evidence",
        "related",
        "reproduce",
        "next_action",
        "fingerprint",
    ] {
        assert!(finding.get(field).is_some(), "finding.{field}");
    }
    assert_eq!(finding["state"], "new");
    let id = finding["fingerprint"].as_str().unwrap();
    assert!(id.len() == 20 && id.starts_with("og1:") && id[4..].bytes().all(|b| b.is_ascii_hexdigit()), "{id}");
    assert_eq!(report["effective_warnings"], serde_json::json!([id]));
}

#[test]
fn the_command_that_reproduces_says_the_same() {
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped());
    let run = repo.check(&[]);
    repo.commit("a commit in between clears nothing");
    let report = run.json();
    let command = report["findings"][0]["reproduce"].as_str().unwrap();
    let words: Vec<&str> = command.split(' ').skip(1).chain(["--format", "json"]).collect();
    assert_eq!(repo.run(&words).ids(), run.ids(), "{command}");
}

#[test]
fn lines_are_those_of_a_compiler() {
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped());
    let run = repo.run(&["check", "--format", "line"]);
    assert!(run.stdout.starts_with("a_test.go:6:2: test-disabled: "), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 1);
}

#[test]
fn annotations_escape_the_path() {
    let repo = Repo::new();
    repo.write("a,b:c/a_test.go", TEST);
    repo.commit("base");
    repo.write("a,b:c/a_test.go", skipped());
    let run = repo.run(&["check", "--format", "github"]);
    assert!(
        run.stdout.starts_with("::error file=a%2Cb%3Ac/a_test.go,line=6,col=2,endLine=6,endColumn=8,title=test-disabled::"),
        "{}",
        run.stdout
    );
}

#[test]
fn sarif_names_rules_places_and_what_was_not_judged() {
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped());
    repo.write("notes.xyz", "hello\n");
    let run = repo.run(&["check", "--format", "sarif"]);
    let log = run.json();
    assert_eq!((run.code, log["version"].as_str()), (1, Some("2.1.0")));
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["partialFingerprints"]["oguard/v1"].as_str(), Some(repo.check(&[]).ids()[0].as_str()));
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 6);
    let index = result["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][index]["id"], "test-disabled");
    let note = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(note, "not evaluated: notes.xyz: unknown language");
}

#[test]
fn text_shows_what_the_base_had_with_its_lines() {
    let repo = Repo::new();
    let body = "\tsum := 0\n\tfor _, x := range xs {\n\t\tsum += x\n\t}\n\treturn sum\n";
    repo.write("a.go", format!("package a\n\nfunc Sum(xs []int) int {{\n{body}}}\n"));
    repo.commit("base");
    repo.write("a.go", "package a\n\nfunc Sum(xs []int) int {\n\treturn 0\n}\n");
    let run = repo.run(&["check"]);
    assert!(run.stdout.starts_with("warn: stub-body: "), "{}", run.stdout);
    assert!(run.stdout.contains("| the base had:\n"), "{}", run.stdout);
    assert!(run.stdout.contains("    4 -     sum := 0\n    5 -     for _, x := range xs {\n"), "{}", run.stdout);
}

#[test]
fn rdjson_counts_columns_in_bytes() {
    let repo = Repo::with_test();
    repo.write("a_test.go", skipped().replace("\tt.Skip()", "\t/* é */ t.Skip()"));
    let log = repo.run(&["check", "--format", "rdjson"]).json();
    assert_eq!(log["source"]["name"], "oguard");
    let one = &log["diagnostics"][0];
    assert_eq!((one["severity"].as_str(), one["code"]["value"].as_str()), (Some("ERROR"), Some("test-disabled")));
    assert_eq!(one["location"]["path"], "a_test.go");
    let range = &one["location"]["range"];
    assert_eq!((range["start"]["line"].as_u64(), range["start"]["column"].as_u64()), (Some(6), Some(11)), "{one}");
    assert_eq!(range["end"]["column"].as_u64(), Some(17), "{one}");
}

#[test]
fn markdown_is_capped_and_holds_no_markup_of_the_repository() {
    let repo = Repo::new();
    repo.write("a|b_test.go", many(12, ""));
    repo.commit("base");
    repo.write("a|b_test.go", many(12, "\tt.Skip()\n"));
    let run = repo.run(&["check", "--format", "markdown"]);
    assert!(run.stdout.starts_with("### oguard: block\n\n12 block in 1 file"), "{}", run.stdout);
    assert_eq!(run.stdout.matches("| **block** | `test-disabled` | `a\\|b_test.go:").count(), 10, "{}", run.stdout);
    assert!(run.stdout.contains("\n2 more; `oguard check --base "), "{}", run.stdout);
    assert_eq!(repo.run(&["check", "--format", "markdown", "--max", "0"]).stdout.matches("| **block** |").count(), 12);
}
