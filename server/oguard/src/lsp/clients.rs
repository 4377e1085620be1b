//! Who the client is and what it can do: read once from `initialize`, as raw JSON.
//!
//! The protocol's types refuse a whole `initialize` for one unknown value and misspell `workspace.diagnostics` in some
//! releases, so what matters is looked up by name. What each client needs was measured (facts/clients.md): editors debounce
//! and show everything; assistants wait for a publish and read only the message.

use super::position::Encoding;
use super::uri;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Words that names of programs in which a person types hold, as they begin. Anything else, and a client that gives no name,
/// is an assistant.
const EDITORS: &[&str] = &[
    "visual studio",
    "code server",
    "code oss",
    "vscod",
    "cursor",
    "windsurf",
    "theia",
    "vim",
    "nvim",
    "neovim",
    "coc",
    "helix",
    "zed",
    "emacs",
    "eglot",
    "lsp mode",
    "kakoune",
    "kak",
    "sublime",
    "kate",
    "kwrite",
    "lapce",
    "intellij",
    "jetbrains",
    "pycharm",
    "webstorm",
    "goland",
    "rustrover",
    "eclipse",
    "textmate",
    "bbedit",
    "notepad",
    "qt creator",
    "qtcreator",
    "gnome builder",
    "monaco",
    "xcode",
];

/// What the server must know of a client.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    /// A person types in it: findings that a half-done edit would trip wait, and everything is shown.
    pub(crate) interactive: bool,
    pub(crate) encoding: Encoding,
    pub(crate) roots: Vec<PathBuf>,
    /// The process that started us, if it says so.
    pub(crate) process: Option<u32>,
    /// Diagnostics are pulled, and not pushed.
    pub(crate) pull: bool,
    pub(crate) refresh: bool,
    pub(crate) configuration: bool,
    pub(crate) watches: bool,
    pub(crate) resolves_edits: bool,
    pub(crate) document_changes: bool,
    pub(crate) action_literals: bool,
    pub(crate) related: bool,
    pub(crate) code_description: bool,
    pub(crate) markdown: bool,
    pub(crate) options: Options,
}

/// What a client sets for itself: in `initialize`, later by configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// Rules, or `warn` for all of them, whose warnings are shown as errors; assistants such as OpenCode read nothing else.
    pub(crate) lifted: BTreeMap<String, bool>,
    /// Where the pages of rules are; `{rule}` stands for the rule.
    pub(crate) pages: Option<String>,
}

impl Options {
    /// Adds what a value sets; what it leaves out, or says in another shape, stays.
    pub(crate) fn merge(&mut self, value: &Value) {
        for (rule, severity) in value.get("severity").and_then(Value::as_object).into_iter().flatten() {
            let severity = severity.as_str().unwrap_or_default();
            if severity.eq_ignore_ascii_case("error") || severity.eq_ignore_ascii_case("warning") || severity.eq_ignore_ascii_case("warn") {
                self.lifted.insert(rule.clone(), severity.eq_ignore_ascii_case("error"));
            }
        }
        if let Some(pages) = value.get("rulePages").and_then(Value::as_str) {
            self.pages = Some(pages.to_owned()).filter(|p| !p.is_empty());
        }
    }

    /// Whether a warning of a rule is shown as an error.
    pub(crate) fn lifts(&self, rule: &str) -> bool {
        self.lifted.get(rule).or_else(|| self.lifted.get("warn")).copied().unwrap_or(false)
    }
}

impl Profile {
    /// Reads the parameters of `initialize`.
    pub(crate) fn read(params: &Value) -> Self {
        let capability = |path: &str| params["capabilities"].pointer(path);
        let can = |path: &str| capability(path).and_then(Value::as_bool).unwrap_or(false);
        let lists = |path: &str, what: &str| {
            capability(path).and_then(Value::as_array).is_some_and(|list| list.iter().any(|v| v.as_str() == Some(what)))
        };
        let settings = &params["initializationOptions"];
        let name = params.pointer("/clientInfo/name").and_then(Value::as_str).unwrap_or_default().to_lowercase();
        let interactive = match settings["client"].as_str() {
            Some("editor") => true,
            Some("assistant") => false,
            _ => is_editor(&name),
        };
        let pull = match settings["diagnostics"].as_str() {
            Some("pull") => true,
            Some("push") => false,
            // Zed keeps pushed and pulled findings side by side and asks for the latter.
            _ => name.contains("zed") && capability("/textDocument/diagnostic").is_some_and(Value::is_object),
        };
        let mut options = Options::default();
        options.merge(settings);
        Profile {
            interactive,
            encoding: encoding(capability("/general/positionEncodings")),
            roots: roots(params),
            process: params["processId"].as_u64().and_then(|id| u32::try_from(id).ok()),
            pull,
            refresh: can("/workspace/diagnostics/refreshSupport") || can("/workspace/diagnostic/refreshSupport"),
            configuration: can("/workspace/configuration"),
            watches: can("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            resolves_edits: lists("/textDocument/codeAction/resolveSupport/properties", "edit"),
            document_changes: can("/workspace/workspaceEdit/documentChanges"),
            // Assistants that ask for actions take literals without saying so.
            action_literals: !interactive || capability("/textDocument/codeAction/codeActionLiteralSupport").is_some_and(Value::is_object),
            related: can("/textDocument/publishDiagnostics/relatedInformation") || can("/textDocument/diagnostic/relatedInformation"),
            code_description: can("/textDocument/publishDiagnostics/codeDescriptionSupport"),
            markdown: lists("/textDocument/hover/contentFormat", "markdown"),
            options,
        }
    }
}

fn is_editor(name: &str) -> bool {
    let words: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let words = format!(" {}", words.split_whitespace().collect::<Vec<_>>().join(" "));
    EDITORS.iter().any(|editor| words.contains(&format!(" {editor}")))
}

/// Takes bytes where the client offers them, as the text is kept in bytes; else the first it names that we know.
fn encoding(offered: Option<&Value>) -> Encoding {
    let offered = offered.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut known = offered.iter().filter_map(|name| Encoding::parse(name.as_str()?));
    let first = known.clone().next();
    known.find(|e| *e == Encoding::Utf8).or(first).unwrap_or(Encoding::Utf16)
}

fn roots(params: &Value) -> Vec<PathBuf> {
    let folders = params["workspaceFolders"].as_array().map_or(&[][..], Vec::as_slice);
    let folders: Vec<_> = folders.iter().filter_map(|f| uri::path(f["uri"].as_str()?)).collect();
    if !folders.is_empty() {
        return folders;
    }
    let root = params["rootUri"].as_str().and_then(uri::path);
    root.or_else(|| params["rootPath"].as_str().filter(|p| !p.is_empty()).map(PathBuf::from)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_client_without_a_name_is_an_assistant_that_is_pushed() {
        let profile = Profile::read(&json!({"rootUri": "file:///w", "capabilities": {"textDocument": {"diagnostic": {}}}}));
        assert!(!profile.interactive && !profile.pull);
        assert_eq!(profile.encoding, Encoding::Utf16);
        assert_eq!(profile.roots, [PathBuf::from("/w")]);
    }

    #[test]
    fn editors_are_known_by_name() {
        let of = |name: &str| Profile::read(&json!({"clientInfo": {"name": name}, "capabilities": {"textDocument": {"diagnostic": {}}}}));
        for name in [
            "Visual Studio Code",
            "code-server",
            "VSCodium",
            "Cursor",
            "Neovim",
            "helix",
            "Zed",
            "Emacs",
            "kakoune-lsp",
            "Sublime Text LSP",
            "Kate",
        ] {
            assert!(of(name).interactive, "{name}");
            assert_eq!(of(name).pull, name == "Zed", "{name}");
        }
        for name in ["Claude Code", "crush", "opencode", "generalized-agent", ""] {
            assert!(!of(name).interactive, "{name}");
        }
    }

    #[test]
    fn bytes_are_preferred() {
        let of = |offered: Value| Profile::read(&json!({"capabilities": {"general": {"positionEncodings": offered}}})).encoding;
        assert_eq!(of(json!(["utf-16", "utf-8"])), Encoding::Utf8);
        assert_eq!(of(json!(["utf-32", "utf-16"])), Encoding::Utf32);
        assert_eq!(of(json!(["utf-7"])), Encoding::Utf16);
        assert_eq!(of(json!(null)), Encoding::Utf16);
    }

    #[test]
    fn options_of_an_odd_shape_change_nothing() {
        let mut options = Options::default();
        options.merge(&json!({"severity": {"warn": "error", "stub-body": "warning", "x": 3}}));
        options.merge(&json!({"severity": null}));
        options.merge(&json!([]));
        assert!(options.lifts("check-suppressed") && !options.lifts("stub-body") && options.lifts("x"));
    }
}
