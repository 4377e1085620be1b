//! Who the client is and what it can do: read once from `initialize`, as raw JSON.
//!
//! The protocol's types refuse a whole `initialize` for one unknown value and misspell `workspace.diagnostics` in some
//! releases, so what matters is looked up by name. What each client needs was measured (facts/clients.md): editors debounce
//! and show everything; assistants wait for a publish and read only the message.

use super::position::Encoding;
use super::uri;
use crate::session::Taste;
use oguard_engine::rules::RULES;
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
    /// Its name is that of a program in which a person types.
    editor: bool,
    /// It said that it takes notifications of ours.
    takes_delta: bool,
    takes_status: bool,
    pub(crate) encoding: Encoding,
    pub(crate) roots: Vec<PathBuf>,
    /// The process that started us, if it says so.
    pub(crate) process: Option<u32>,
    /// Diagnostics are pulled, and not pushed.
    pub(crate) pull: bool,
    pub(crate) refresh: bool,
    pub(crate) configuration: bool,
    pub(crate) watches: bool,
    /// It asks for the edit of an action when that is chosen, and gives back what identifies it.
    pub(crate) resolves_edits: bool,
    pub(crate) document_changes: bool,
    /// It makes files where an edit says so.
    pub(crate) creates_files: bool,
    pub(crate) action_literals: bool,
    pub(crate) preferred_actions: bool,
    pub(crate) applies_edits: bool,
    pub(crate) shows_progress: bool,
    pub(crate) related: bool,
    pub(crate) code_description: bool,
    pub(crate) markdown: bool,
    pub(crate) options: Options,
}

/// What a client sets for itself: in `initialize`, later by configuration, under the same names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// Rules, or `warn` for all of them, whose warnings are shown as errors; assistants such as OpenCode read nothing else.
    pub(crate) lifted: BTreeMap<String, bool>,
    /// Where the pages of rules are; `{rule}` stands for the rule.
    pub(crate) pages: Option<String>,
    /// A person types in it, whatever its name says.
    pub(crate) editor: Option<bool>,
    /// It pulls diagnostics, whatever its name says; taken when the server starts.
    pub(crate) pull: Option<bool>,
    /// It wants `oguard/delta`.
    pub(crate) delta: Option<bool>,
    /// It wants `oguard/status`.
    pub(crate) status: Option<bool>,
}

/// The names that a client can set.
const NAMES: &[&str] = &["severity", "rulePages", "client", "diagnostics", "delta", "status"];

/// Names of the same section that are for the client itself.
const NAMES_OF_CLIENTS: &[&str] = &["path", "trace"];

impl Options {
    /// Takes what a value sets, each name whole, so that what was removed from a map is gone; what it leaves out stays. Returns
    /// what is wrong with it: a typo must not read as a setting.
    pub(crate) fn take(&mut self, value: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        for (name, value) in value.as_object().into_iter().flatten().filter(|(_, v)| !v.is_null()) {
            let understood = match name.as_str() {
                "severity" => self.take_severity(value, &mut wrong),
                "rulePages" => value.as_str().map(|pages| self.pages = Some(pages.to_owned()).filter(|p| !p.is_empty())),
                "client" => one_of(value, "editor", "assistant").map(|editor| self.editor = Some(editor)),
                "diagnostics" => one_of(value, "pull", "push").map(|pull| self.pull = Some(pull)),
                "delta" => value.as_bool().map(|on| self.delta = Some(on)),
                "status" => value.as_bool().map(|on| self.status = Some(on)),
                name if NAMES_OF_CLIENTS.contains(&name) => Some(()),
                _ => {
                    wrong.push(format!("there is no setting `{name}`; the settings are `{}`", NAMES.join("`, `")));
                    continue;
                }
            };
            if understood.is_none() {
                wrong.push(format!("the setting `{name}` cannot be {value}; see editors/README.md"));
            }
        }
        wrong
    }

    fn take_severity(&mut self, value: &Value, wrong: &mut Vec<String>) -> Option<()> {
        self.lifted.clear();
        for (rule, severity) in value.as_object()? {
            if rule != "warn" && !RULES.iter().any(|r| r.id.0 == rule) {
                let rules: Vec<_> = RULES.iter().map(|r| r.id.0).collect();
                wrong.push(format!("`severity` names `{rule}`, which is no rule; valid are `warn`, `{}`", rules.join("`, `")));
                continue;
            }
            match severity.as_str().map(str::to_ascii_lowercase).as_deref() {
                Some("error") => self.lifted.insert(rule.clone(), true),
                Some("warning" | "warn") => self.lifted.insert(rule.clone(), false),
                _ => {
                    wrong.push(format!("`severity` of `{rule}` is `error` or `warning`, not {severity}"));
                    continue;
                }
            };
        }
        Some(())
    }

    /// Whether a warning of a rule is shown as an error.
    pub(crate) fn lifts(&self, rule: &str) -> bool {
        self.lifted.get(rule).or_else(|| self.lifted.get("warn")).copied().unwrap_or(false)
    }
}

fn one_of(value: &Value, yes: &str, no: &str) -> Option<bool> {
    match value.as_str() {
        Some(word) if word == yes => Some(true),
        Some(word) if word == no => Some(false),
        _ => None,
    }
}

impl Profile {
    /// Reads the parameters of `initialize`.
    pub(crate) fn read(params: &Value) -> (Self, Vec<String>) {
        let capability = |path: &str| params["capabilities"].pointer(path);
        let can = |path: &str| capability(path).and_then(Value::as_bool).unwrap_or(false);
        let lists = |path: &str, what: &str| {
            capability(path).and_then(Value::as_array).is_some_and(|list| list.iter().any(|v| v.as_str() == Some(what)))
        };
        let settings = &params["initializationOptions"];
        let name = params.pointer("/clientInfo/name").and_then(Value::as_str).unwrap_or_default().to_lowercase();
        let mut options = Options::default();
        let wrong = options.take(settings);
        // Zed keeps pushed and pulled findings side by side and asks for the latter.
        let pulls = || name.contains("zed") && capability("/textDocument/diagnostic").is_some_and(Value::is_object);
        let pull = options.pull.unwrap_or_else(pulls);
        let editor = is_editor(&name);
        let profile = Profile {
            editor,
            takes_delta: can("/experimental/oguard/delta"),
            takes_status: can("/experimental/oguard/status"),
            encoding: encoding(capability("/general/positionEncodings")),
            roots: roots(params),
            process: params["processId"].as_u64().and_then(|id| u32::try_from(id).ok()),
            pull,
            refresh: can("/workspace/diagnostics/refreshSupport") || can("/workspace/diagnostic/refreshSupport"),
            configuration: can("/workspace/configuration"),
            watches: can("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            resolves_edits: lists("/textDocument/codeAction/resolveSupport/properties", "edit")
                && can("/textDocument/codeAction/dataSupport"),
            document_changes: can("/workspace/workspaceEdit/documentChanges"),
            creates_files: can("/workspace/workspaceEdit/documentChanges")
                && lists("/workspace/workspaceEdit/resourceOperations", "create"),
            // Assistants that ask for actions take literals without saying so.
            // An assistant that declares neither can use nothing else.
            action_literals: capability("/textDocument/codeAction/codeActionLiteralSupport").is_some_and(Value::is_object)
                || (!options.editor.unwrap_or(editor) && !can("/workspace/applyEdit")),
            preferred_actions: can("/textDocument/codeAction/isPreferredSupport"),
            applies_edits: can("/workspace/applyEdit"),
            shows_progress: can("/window/workDoneProgress"),
            related: can("/textDocument/publishDiagnostics/relatedInformation") || can("/textDocument/diagnostic/relatedInformation"),
            code_description: can("/textDocument/publishDiagnostics/codeDescriptionSupport"),
            markdown: lists("/textDocument/hover/contentFormat", "markdown"),
            options,
        };
        (profile, wrong)
    }

    /// Whether a person types in it: findings that a half-done edit would trip wait, and everything is shown.
    pub(crate) fn interactive(&self) -> bool {
        self.options.editor.unwrap_or(self.editor)
    }

    /// Whether it wants `oguard/delta`.
    pub(crate) fn delta(&self) -> bool {
        self.options.delta.unwrap_or(self.takes_delta)
    }

    /// Whether it wants `oguard/status`.
    pub(crate) fn status(&self) -> bool {
        self.options.status.unwrap_or(self.takes_status)
    }

    /// Returns what the session must know of how it is told.
    pub(crate) fn taste(&self) -> Taste {
        Taste { interactive: self.interactive(), tally: self.status() }
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
        let (profile, _) = Profile::read(&json!({"rootUri": "file:///w", "capabilities": {"textDocument": {"diagnostic": {}}}}));
        assert!(!profile.interactive() && !profile.pull);
        assert_eq!(profile.encoding, Encoding::Utf16);
        assert_eq!(profile.roots, [PathBuf::from("/w")]);
    }

    #[test]
    fn editors_are_known_by_name() {
        let of = |name: &str| Profile::read(&json!({"clientInfo": {"name": name}, "capabilities": {"textDocument": {"diagnostic": {}}}})).0;
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
            assert!(of(name).interactive(), "{name}");
            assert_eq!(of(name).pull, name == "Zed", "{name}");
        }
        for name in ["Claude Code", "crush", "opencode", "generalized-agent", ""] {
            assert!(!of(name).interactive(), "{name}");
        }
    }

    #[test]
    fn bytes_are_preferred() {
        let of = |offered: Value| Profile::read(&json!({"capabilities": {"general": {"positionEncodings": offered}}})).0.encoding;
        assert_eq!(of(json!(["utf-16", "utf-8"])), Encoding::Utf8);
        assert_eq!(of(json!(["utf-32", "utf-16"])), Encoding::Utf32);
        assert_eq!(of(json!(["utf-7"])), Encoding::Utf16);
        assert_eq!(of(json!(null)), Encoding::Utf16);
    }

    #[test]
    fn what_is_no_setting_is_said_and_changes_nothing() {
        let mut options = Options::default();
        let wrong = options
            .take(&json!({"severity": {"warn": "error", "stub-body": "Warning", "test-disbled": "error", "syntax-error": 3},
            "delta": "yes", "diagnostics": "pull", "sevrity": {}, "path": "/x", "trace": {"server": "off"}, "client": null}));
        assert_eq!(wrong.len(), 4, "{wrong:?}");
        assert!(wrong.iter().any(|w| w.contains("no setting `sevrity`") && w.contains("`rulePages`")), "{wrong:?}");
        assert!(wrong.iter().any(|w| w.contains("`test-disbled`") && w.contains("`test-disabled`")), "{wrong:?}");
        assert!(options.lifts("check-suppressed") && !options.lifts("stub-body"));
        assert_eq!((options.delta, options.pull), (None, Some(true)));
        for nothing in [json!(null), json!([]), json!({"severity": null})] {
            assert_eq!(options.take(&nothing), Vec::<String>::new());
        }
        assert!(options.lifts("check-suppressed"));
    }

    #[test]
    fn what_was_removed_from_a_map_is_gone() {
        let mut options = Options::default();
        options.take(&json!({"severity": {"stub-body": "error"}, "rulePages": "https://example.org/{rule}"}));
        options.take(&json!({"severity": {}}));
        assert!(!options.lifts("stub-body") && options.pages.is_some());
    }

    #[test]
    fn notifications_of_ours_are_for_who_asks() {
        let of = |options: Value, experimental: Value| {
            let (profile, _) = Profile::read(&json!({"initializationOptions": options, "capabilities": {"experimental": experimental}}));
            (profile.delta(), profile.status())
        };
        assert_eq!(of(json!(null), json!(null)), (false, false));
        assert_eq!(of(json!({"delta": true}), json!(null)), (true, false));
        assert_eq!(of(json!({"delta": false}), json!({"oguard": {"delta": true, "status": true}})), (false, true));
    }
}
