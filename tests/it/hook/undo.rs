//! Settings of every shape: what was there stays, and taking the hooks out brings every byte back.

use super::install::run;
use crate::cli::repo::Repo;
use serde_json::Value;

const FILE: &str = ".claude/settings.json";

/// Settings as people have them.
const SETTINGS: &[&str] = &[
    "{}",
    "{}\n",
    "{ }\n",
    "{\n}\n",
    "",
    "\n",
    "{\"model\":\"opus\"}",
    "{\n  \"model\": \"opus\"\n}\n",
    "{\n    \"model\": \"opus\",\n    \"env\": { \"A\": \"1\" }\n}",
    "{\n\t\"model\": \"opus\"\n}\n",
    "{\r\n  \"model\": \"opus\"\r\n}\r\n",
    "\u{feff}{\n  \"model\": \"opus\"\n}\n",
    "{\n  \"hooks\": {}\n}\n",
    "{\n  \"hooks\": { \"Stop\": [] }\n}\n",
    "{ \"hooks\": { \"PostToolUse\": [ { \"matcher\": \"Edit\", \"hooks\": [ { \"type\": \"command\", \"command\": \"make lint\" } ] } ] } }\n",
    "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"say done\" }\n        ]\n      }\n    ]\n  },\n  \"model\": \"opus\"\n}\n",
    "// mine\n{\n  // the model\n  \"model\": \"opus\", /* why */\n  \"hooks\": {\n    // when it ends\n    \"Stop\": [\n      { \"hooks\": [ { \"type\": \"command\", \"command\": \"say done\" } ] }, // loud\n    ],\n  },\n}\n// end\n",
];

fn json(text: &str) -> Value {
    let plain = jsonc(text);
    if plain.trim().is_empty() { Value::Object(serde_json::Map::new()) } else { serde_json::from_str(&plain).unwrap() }
}

/// Takes out what JSON does not have; enough for the texts above.
fn jsonc(text: &str) -> String {
    let without = |line: &str| line.split("//").next().unwrap_or("").replace("/* why */", "");
    let joined: String = text.trim_start_matches('\u{feff}').lines().map(|line| without(line).trim_end().to_owned() + "\n").collect();
    let compact: String = joined.split_whitespace().collect::<Vec<_>>().join(" ");
    compact.replace(", }", " }").replace(", ]", " ]")
}

/// What a person wrote, without what calls us.
fn others(mut settings: Value) -> Value {
    if let Some(hooks) = settings.get_mut("hooks").and_then(Value::as_object_mut) {
        for groups in hooks.values_mut() {
            groups.as_array_mut().unwrap().retain(|group| group["hooks"][0]["command"] != "oguard hook claude");
        }
        hooks.retain(|_, groups| groups.as_array().is_some_and(|g| !g.is_empty()));
        if hooks.is_empty() {
            settings.as_object_mut().unwrap().remove("hooks");
        }
    }
    settings
}

#[test]
fn every_byte_comes_back() {
    for text in SETTINGS {
        let repo = Repo::with_test();
        repo.write(FILE, text);
        assert_eq!(run(&repo, &["hook", "install", "claude", "--yes"]).code, 0, "{text}");
        let installed = std::fs::read_to_string(repo.root().join(FILE)).unwrap();
        assert_eq!(installed.matches("oguard hook claude").count(), 3, "{installed}");
        assert_eq!(others(json(&installed)), others(json(text)), "{text:?}\n{installed}");
        for comment in ["// mine", "// the model", "/* why */", "// when it ends", "// loud", "// end"] {
            assert_eq!(installed.contains(comment), text.contains(comment), "{installed}");
        }
        assert_eq!((installed.contains("\r\n"), installed.starts_with('\u{feff}')), (text.contains("\r\n"), text.starts_with('\u{feff}')));
        let mixed = installed.replace("\r\n", "").contains('\n');
        assert!(!text.contains("\r\n") || !mixed, "one kind of line end: {installed:?}");
        assert!(!text.contains("\n\t") || installed.contains("\n\t\t\t"), "the indentation is the file's: {installed}");
        assert_eq!(run(&repo, &["hook", "install", "claude", "--yes"]).code, 0);
        assert_eq!(std::fs::read_to_string(repo.root().join(FILE)).unwrap(), installed, "once is enough");
        assert_eq!(run(&repo, &["hook", "uninstall", "claude", "--yes"]).code, 0);
        assert_eq!(std::fs::read_to_string(repo.root().join(FILE)).unwrap(), *text);
        assert!(!repo.root().join(".oguard").exists(), "nothing else is left");
    }
}

#[test]
fn a_file_that_was_not_there_goes_and_its_folder_too() {
    let repo = Repo::with_test();
    assert_eq!(run(&repo, &["hook", "install", "claude", "--yes"]).code, 0);
    assert_eq!(repo.git(&["status", "--porcelain"]), "?? .claude/");
    assert_eq!(run(&repo, &["hook", "uninstall", "claude", "--yes"]).code, 0);
    assert!(!repo.root().join(".claude").exists() && !repo.root().join(".oguard").exists());
    let again = run(&repo, &["hook", "uninstall", "claude"]);
    assert!(again.code == 0 && again.stdout.starts_with("not installed: "), "{}", again.stdout);
    // A folder with something else in it stays.
    repo.write(".codex/config.toml", "");
    run(&repo, &["hook", "install", "codex", "--yes"]);
    run(&repo, &["hook", "uninstall", "codex", "--yes"]);
    assert!(repo.root().join(".codex/config.toml").exists() && !repo.root().join(".codex/hooks.json").exists());
}

#[test]
fn what_others_did_meanwhile_stays() {
    for text in SETTINGS {
        let repo = Repo::with_test();
        repo.write(FILE, text);
        run(&repo, &["hook", "install", "claude", "--yes"]);
        let installed = std::fs::read_to_string(repo.root().join(FILE)).unwrap();
        // Another hook in one of our groups, and a member of their own.
        let ours = "\"command\": \"oguard hook claude\"";
        let at = installed.rfind(ours).unwrap();
        let start = installed[..at].rfind('{').unwrap();
        let theirs = "{ \"type\": \"command\", \"command\": \"theirs\" }, ";
        let changed = format!("{}{theirs}{}", &installed[..start], &installed[start..]);
        repo.write(FILE, &changed);
        assert_eq!(run(&repo, &["hook", "uninstall", "claude", "--yes"]).code, 0, "{changed}");
        let left = std::fs::read_to_string(repo.root().join(FILE)).unwrap();
        assert!(!left.contains("oguard") && left.contains("\"theirs\""), "{left}");
        let mut expected = json(&changed);
        for groups in expected["hooks"].as_object_mut().unwrap().values_mut() {
            for group in groups.as_array_mut().unwrap().iter_mut() {
                group["hooks"].as_array_mut().unwrap().retain(|h| h["command"] != "oguard hook claude");
            }
            groups.as_array_mut().unwrap().retain(|g| !g["hooks"].as_array().unwrap().is_empty());
        }
        assert_eq!(without_empty(json(&left)), without_empty(expected), "{left}");
    }
}

fn without_empty(mut settings: Value) -> Value {
    settings["hooks"].as_object_mut().unwrap().retain(|_, groups| !groups.as_array().unwrap().is_empty());
    settings
}

#[test]
fn without_the_note_what_is_ours_is_found() {
    for text in SETTINGS {
        let repo = Repo::with_test();
        repo.write(FILE, text);
        run(&repo, &["hook", "install", "claude", "--yes"]);
        std::fs::remove_dir_all(repo.root().join(".oguard")).unwrap();
        assert_eq!(run(&repo, &["hook", "uninstall", "claude", "--yes"]).code, 0);
        let left = std::fs::read_to_string(repo.root().join(FILE)).unwrap();
        assert_eq!(others(json(&left)), others(json(text)), "{left}");
        assert!(!left.contains("oguard"), "{left}");
        for comment in ["// mine", "// the model", "/* why */", "// when it ends", "// loud", "// end"] {
            assert_eq!(left.contains(comment), text.contains(comment), "{left}");
        }
    }
}

#[test]
fn secrets_are_not_copied() {
    let repo = Repo::with_test();
    repo.write(FILE, "{\n  \"env\": { \"TOKEN\": \"s3cret\" },\n  \"model\": \"opus\"\n}\n");
    run(&repo, &["hook", "install", "claude", "--yes"]);
    for entry in std::fs::read_dir(repo.root().join(".oguard/installed")).unwrap() {
        assert!(!std::fs::read_to_string(entry.unwrap().path()).unwrap().contains("s3cret"));
    }
}
