//! What the documents and the clients say, held against the program.
//!
//! A table that nobody compares is wrong after the second change. Prose is not checked; names, levels, settings and files are.

use oguard_engine::grammars::LANGUAGES;
use oguard_engine::rules::RULES;
use oguard_engine::settings::Settings;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Returns the fenced blocks of a language in a Markdown text.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line == format!("```{language}") {
            found.push(lines.by_ref().take_while(|l| *l != "```").collect::<Vec<_>>().join("\n"));
        }
    }
    found
}

/// Returns what stands between backticks in prose and tables, fenced blocks left out.
fn names(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    found
}

#[test]
fn the_readme_lists_the_rules() {
    let readme = read("README.md");
    let rows: Vec<&str> = readme.lines().filter(|l| l.starts_with("| `") && l.split('|').count() == 5).collect();
    let of_rules: Vec<String> = RULES.iter().map(|r| format!("| `{}` | {} | {} |", r.id.0, r.summary, r.level.name())).collect();
    assert_eq!(rows, of_rules);
}

#[test]
fn the_example_of_the_settings_is_valid() {
    let examples = blocks(&read("README.md"), "toml");
    assert_eq!(examples.len(), 1);
    let settings = Settings::parse(&examples[0]).expect("the README's example is valid");
    assert!(settings.excludes("legacy/a.py") && !settings.words.skip_wrappers.is_empty());
    // Each section and field that can be set is shown.
    let error = Settings::parse("nothing = 1").expect_err("an unknown field").message;
    for name in error.split('`').skip(3).step_by(2).filter(|n| *n != "version") {
        assert!(examples[0].contains(&format!("[{name}]")), "the example shows {name}");
    }
    for section in ["paths", "vocabulary"] {
        let error = Settings::parse(&format!("[{section}]\nnothing = 1")).expect_err("an unknown field").message;
        for name in error.split('`').skip(3).step_by(2) {
            assert!(examples[0].contains(&format!("{name} = ")), "the example shows {section}.{name}");
        }
    }
}

#[test]
fn clients_open_the_languages_that_are_judged() {
    let judged: BTreeSet<String> = LANGUAGES.iter().flat_map(|l| l.lsp_ids).map(|id| (*id).to_owned()).collect();
    let listed = |text: &str, open: &str, quote: char| -> BTreeSet<String> {
        let list = text.split(open).nth(1).unwrap_or_else(|| panic!("no `{open}`"));
        let end = list.find([']', '}']).expect("the list ends");
        list[..end].split(quote).skip(1).step_by(2).map(|id| id.trim_start_matches("onLanguage:").to_owned()).collect()
    };
    assert_eq!(listed(&read("editors/nvim/lsp/oguard.lua"), "filetypes = {", '\''), judged, "Neovim");
    assert_eq!(listed(&read("vscode-extension/src/extension.ts"), "LANGUAGES = [", '"'), judged, "VS Code asks about");
    assert_eq!(listed(&read("vscode-extension/package.json"), "\"activationEvents\": [", '"'), judged, "VS Code wakes up for");
}

#[test]
fn opencode_opens_the_files_that_are_judged() {
    let settings: serde_json::Value = serde_json::from_str(&read("editors/opencode/opencode.json")).expect("opencode.json is JSON");
    let opened = settings["lsp"]["oguard"]["extensions"].as_array().expect("a list");
    let opened: BTreeSet<&str> = opened.iter().map(|e| e.as_str().expect("an extension").trim_start_matches('.')).collect();
    assert_eq!(opened, LANGUAGES.iter().flat_map(|l| l.extensions).copied().collect());
    assert_eq!(blocks(&read("editors/opencode/README.md"), "json"), [read("editors/opencode/opencode.json").trim_end()]);
}

#[test]
fn the_documents_list_the_languages_that_are_judged() {
    for document in ["README.md", "vscode-extension/README.md", "editors/nvim/doc/oguard.txt"] {
        let text = read(document).to_lowercase();
        let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
        // A dialect is listed with its language.
        for language in LANGUAGES.iter().filter(|l| !l.id.ends_with("react")) {
            assert!(words.contains(language.id), "{document} does not list {}", language.id);
        }
    }
}

#[test]
fn the_extension_can_lift_each_rule() {
    let manifest: serde_json::Value = serde_json::from_str(&read("vscode-extension/package.json")).expect("package.json is JSON");
    let severity = &manifest["contributes"]["configuration"]["properties"]["oguard.severity"]["properties"];
    let offered: BTreeSet<&str> = severity.as_object().expect("an object").keys().map(String::as_str).collect();
    let known: BTreeSet<&str> = RULES.iter().map(|r| r.id.0).chain(["warn"]).collect();
    assert_eq!(offered, known);
}

#[test]
fn the_documents_name_files_that_exist() {
    let folders = ["", "editors", "grammars", "grammars/src", "server/engine/src", "server/oguard/src", "tests"];
    let mut missing = Vec::new();
    for document in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "grammars/README.md", "editors/README.md"] {
        for name in names(&read(document)) {
            // What a run leaves in a user's repository is no file of this one.
            if name.starts_with(".oguard/") {
                continue;
            }
            let is_path = name.ends_with(".rs") || name.ends_with(".md") || name.ends_with(".py") || name.ends_with('/');
            if is_path && !name.contains(['<', '*', ' ', '=']) && !folders.iter().any(|f| root().join(f).join(&name).exists()) {
                missing.push(format!("{document}: {name}"));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn the_map_is_short_and_has_every_file_of_the_engine() {
    let map = read("ARCHITECTURE.md");
    assert!(map.lines().count() <= 200, "a map that is read fits on three screens");
    for entry in std::fs::read_dir(root().join("server/engine/src")).expect("the engine is there") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        if name.ends_with(".rs") && name != "lib.rs" {
            assert!(map.contains(&format!("`{name}`")), "ARCHITECTURE.md has no {name}");
        }
    }
}

#[test]
fn the_extension_carries_the_licences() {
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        assert_eq!(read(name), read(&format!("vscode-extension/{name}")), "{name}");
    }
}
