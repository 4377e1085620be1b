//! The rules of the house: what a reviewer should not have to look for.
//!
//! Reads the project's own files. Where an exception is listed, the list may only shrink.

use oguard_engine::check::check;
use oguard_engine::document::{Document, Parsers};
use oguard_engine::finding::Level;
use oguard_engine::grammars::{LANGUAGES, by_path};
use oguard_engine::rules::RULES;
use oguard_engine::settings::Settings;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

/// Returns (path relative to the root with `/`, text) of the project's files with an extension below folders.
fn files(folders: &[&str], extension: &str) -> Vec<(String, String)> {
    fn walk(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                if !path.ends_with("target") && !path.ends_with("node_modules") {
                    walk(&path, extension, found);
                }
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    let root = root();
    let mut found = Vec::new();
    for folder in folders {
        walk(&root.join(folder), extension, &mut found);
    }
    found.sort();
    let name = |p: &Path| p.strip_prefix(&root).expect("below the root").to_string_lossy().replace('\\', "/");
    found.iter().map(|p| (name(p), std::fs::read_to_string(p).expect("readable"))).collect()
}

fn sources() -> Vec<(String, String)> {
    files(&["grammars/src", "server"], "rs")
}

fn assert_none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}

#[test]
fn every_file_says_what_it_owns() {
    let mut found = Vec::new();
    for (path, text) in sources().into_iter().chain(files(&["tests"], "rs")).filter(|(p, _)| !p.contains("/samples/")) {
        let head = text.lines().take_while(|l| l.starts_with("//!")).count();
        if head == 0 {
            found.push(path);
        }
    }
    assert_none("files without a `//!` header", &found);
}

#[test]
fn the_engine_reads_no_file_clock_process_or_environment() {
    let allowed = [
        "any",
        "borrow",
        "cell",
        "cmp",
        "collections",
        "error",
        "fmt",
        "hash",
        "iter",
        "mem",
        "ops",
        "panic",
        "ptr",
        "slice",
        "str",
        "sync",
    ];
    let mut found = Vec::new();
    for (path, text) in files(&["server/engine/src", "grammars/src"], "rs") {
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            for part in code.split("std::").skip(1) {
                let name: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if !name.is_empty() && !allowed.contains(&name.as_str()) {
                    found.push(format!("{path}:{}: std::{name}", number + 1));
                }
            }
            if part_of(code, &["tokio", "lsp_types", "tower_lsp"]) {
                found.push(format!("{path}:{}: {code}", number + 1));
            }
        }
    }
    assert_none("the engine and the grammars only compute", &found);
}

fn part_of(code: &str, names: &[&str]) -> bool {
    names.iter().any(|n| code.contains(&format!("{n}::")))
}

#[test]
fn walls_stand_where_the_map_says() {
    let mut found = Vec::new();
    for (path, text) in files(&["server/oguard/src"], "rs") {
        let inside = |folder: &str| path.contains(&format!("/src/{folder}.rs")) || path.contains(&format!("/src/{folder}/"));
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            if part_of(code, &["lsp_types", "tower_lsp"]) && !inside("lsp") {
                found.push(format!("{path}:{}: LSP types belong to lsp/", number + 1));
            }
            if (part_of(code, &["serde_json", "lsp"]) || code.contains("lsp::{")) && inside("session") {
                found.push(format!("{path}:{}: session knows neither the protocol nor JSON", number + 1));
            }
            if code.contains("\".oguard\"") && !inside("store") {
                found.push(format!("{path}:{}: .oguard/ belongs to store/", number + 1));
            }
            if code.contains("Command::new(\"git\"") && !inside("git") {
                found.push(format!("{path}:{}: git belongs to git.rs", number + 1));
            }
        }
    }
    assert_none("a wall is broken", &found);
}

#[test]
fn rules_name_no_language_and_languages_name_no_rule() {
    let mut found = Vec::new();
    for (path, text) in files(&["server/engine/src/rules"], "rs") {
        // The example of a rule's page is in a language; the rule itself is not.
        for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.trim_start().starts_with("example:")) {
            for language in LANGUAGES {
                if line.contains(&format!("\"{}\"", language.id)) {
                    found.push(format!("{path}:{}: names {}", number + 1, language.id));
                }
            }
        }
    }
    for (path, text) in files(&["grammars/src"], "rs") {
        for rule in RULES {
            if text.contains(&format!("\"{}\"", rule.id.0)) {
                found.push(format!("{path}: names {}", rule.id.0));
            }
        }
    }
    assert_none("rules and languages meet only at the facts", &found);
}

#[test]
fn grammars_are_the_ones_that_were_meant() {
    for language in LANGUAGES {
        let grammar = (language.grammar)();
        assert_eq!(grammar.node_kind_count(), language.node_kind_count, "{}: two grammars may share one symbol", language.id);
        // Languages of one adapter share a table: each kind is known to one of them.
        let family = || LANGUAGES.iter().filter(|l| std::ptr::eq(l.roles, language.roles));
        for (kind, _) in language.roles {
            let known = family().any(|l| (l.grammar)().id_for_node_kind(kind, true) != 0);
            assert!(known, "{}: no node kind `{kind}`", language.id);
        }
    }
}

#[test]
fn every_rule_has_fixtures_for_every_language() {
    let mut found = Vec::new();
    for rule in RULES {
        for language in LANGUAGES {
            // One adapter, one file: TSX is TypeScript with one more node kind.
            let name = if language.id == "typescriptreact" { "typescript" } else { language.id };
            let path = format!("fixtures/rules/{}/{name}.md", rule.id.0);
            if !root().join(&path).is_file() {
                found.push(path);
            }
        }
    }
    assert_none("fixtures are missing", &found);
}

#[test]
fn no_test_file_is_forgotten() {
    let mut found = Vec::new();
    let tests = files(&["tests"], "rs");
    for (path, _) in tests.iter().filter(|(p, _)| !p.ends_with("/main.rs") && !p.contains("/samples/")) {
        let stem = Path::new(path).file_stem().and_then(|s| s.to_str()).expect("a name");
        if !tests.iter().any(|(_, text)| text.lines().any(|l| l.trim().trim_start_matches("pub(crate) ") == format!("mod {stem};"))) {
            found.push(path.clone());
        }
    }
    assert_none("test files that no `mod` names", &found);
}

#[test]
fn tests_are_neither_ignored_nor_timed() {
    // Spelled in parts, so that this list does not find itself.
    let marks = [concat!("#[", "ignore"), concat!("#[", "should_panic"), concat!("thread::", "sleep"), concat!("time::", "sleep(")];
    let mut found = Vec::new();
    for (path, text) in files(&["tests"], "rs").into_iter().chain(sources()).filter(|(p, _)| !p.contains("/samples/")) {
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            let quoted = code.contains('"') || code.contains('`');
            if !quoted && marks.iter().any(|m| code.contains(m)) && !path.starts_with("server/oguard/src/lsp") {
                found.push(format!("{path}:{}: {}", number + 1, code.trim()));
            }
        }
    }
    assert_none("ignored or timed tests", &found);
}

#[test]
fn versions_agree() {
    let version = env!("CARGO_PKG_VERSION");
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("readable");
    assert!(read("CHANGELOG.md").contains(&format!("## {version}")), "CHANGELOG.md names {version}");
    assert!(read("vscode-extension/package.json").contains(&format!("\"version\": \"{version}\"")), "package.json is {version}");
}

#[test]
fn the_project_passes_its_own_guard() {
    let configuration = std::fs::read_to_string(root().join("oguard.toml")).expect("oguard.toml");
    let settings = Settings::parse(&configuration).expect("our own settings are valid");
    let mut parsers = Parsers::default();
    let mut found = Vec::new();
    for (path, text) in sources().into_iter().chain(files(&["tests"], "rs")).chain(files(&["vscode-extension/src"], "ts")) {
        if settings.excludes(&path) {
            continue;
        }
        let language = by_path(&path).expect("a language");
        let mut document = Document::new(language, &path, text, &settings);
        assert!(document.read(&mut parsers, &mut || true));
        let checked = check(&document, &path, None, &settings);
        assert!(checked.failures.is_empty(), "{path}: {:?}", checked.failures);
        for finding in checked.findings.iter().filter(|f| f.level > Level::Info) {
            found.push(format!("{path}:{}: {}: {}", finding.start.line, finding.rule.id.0, finding.message));
        }
        assert_eq!(document.inventory().broken, 0, "{path} does not parse");
    }
    assert_none("our own guard says", &found);
}
