//! What a file's top level binds: imports, `require`, names made from a runner (`const test = base.extend({…})`).
//!
//! Runner calls are resolved by binding, not by spelling (rules-a.md 0.4). Runs at every edit, so it reads the root's
//! children only, and keeps of the declarations only those that can matter: a changed scope costs all reuse.

use super::chain::{Chain, Part, slice, stripped, unquoted};
use super::constants::{Value, evaluate};
use super::frameworks::{framework, is_library, runner, segment, word, wraps_runner};
use crate::visit::{FileKind, FileScope};
use tree_sitter::Node;

/// Module of a name that was made from a runner's word; the original name is that word.
pub(super) const DERIVED: &str = "=";
/// Original name of a whole module.
pub(super) const WHOLE: &str = "*";
/// Marks, as module, a class that another class of the file extends; the local name has [`EXTENDED_PREFIX`].
const EXTENDED: &str = "<extended>";
/// Keeps names of extended classes apart from bindings: no identifier holds a blank.
const EXTENDED_PREFIX: &str = "extends ";

/// Returns what holds for a whole file.
pub(super) fn read(root: Node<'_>, text: &str, file: FileKind) -> FileScope {
    let mut reader = Reader { text, file, scope: FileScope::default() };
    let mut cursor = root.walk();
    for child in root.children(&mut cursor) {
        // Most of a long file is calls and functions; their first letter tells them from what binds names.
        let first = text.as_bytes().get(child.start_byte());
        if matches!(first, Some(b'i' | b'c' | b'l' | b'v' | b'e' | b'f' | b'a' | b'd')) && !reader.by_text(child.start_byte()) {
            reader.statement(child);
        }
    }
    reader.wrappers();
    reader.scope
}

/// Whether a class of the file extends the named one.
pub(super) fn is_extended(scope: &FileScope, class: &str) -> bool {
    scope.names.iter().any(|(local, module, _)| module == EXTENDED && local.strip_prefix(EXTENDED_PREFIX) == Some(class))
}

/// Returns what a value is made from, as (module, original name), where that is a runner, a module or one of its names.
pub(super) fn origin(value: Node<'_>, text: &str, scope: &FileScope, file: FileKind) -> Option<(String, String)> {
    let value = stripped(value);
    if slice(text, value).starts_with("import.meta.vitest") {
        let name = value.child_by_field_name("property").map_or("", |n| slice(text, n));
        return Some(("vitest".to_owned(), if name == "vitest" { WHOLE } else { name }.to_owned()));
    }
    match value.kind() {
        "ternary_expression" => {
            ["consequence", "alternative"].into_iter().find_map(|field| origin(value.child_by_field_name(field)?, text, scope, file))
        }
        "binary_expression" | "assignment_expression" => origin(value.child_by_field_name("right")?, text, scope, file),
        "call_expression" | "member_expression" | "subscript_expression" | "identifier" => made_from(value, text, scope, file),
        _ => None,
    }
}

fn made_from(value: Node<'_>, text: &str, scope: &FileScope, file: FileKind) -> Option<(String, String)> {
    let chain = Chain::of(value, text)?;
    let root = slice(text, chain.root);
    let mut parts = chain.parts.as_slice();
    let (module, mut original) = if root == "require" || chain.root.kind() == "import" {
        let Some(Part::Call { arguments, .. }) = parts.first() else { return None };
        let source = arguments.named_child(0).filter(|n| n.kind() == "string")?;
        parts = &parts[1..];
        (unquoted(slice(text, source)).to_owned(), WHOLE.to_owned())
    } else if let Some((module, original)) = scope.binding(root) {
        if module.is_empty() {
            return None;
        }
        (module.to_owned(), original.to_owned())
    } else if is_library(root) {
        (if root == "QUnit" { "qunit" } else { DERIVED }.to_owned(), WHOLE.to_owned())
    } else if matches!(root, "globalThis" | "global" | "window" | "self") && file == FileKind::Test {
        (DERIVED.to_owned(), WHOLE.to_owned())
    } else if file == FileKind::Test && word(root).is_some_and(|w| w.global) {
        (DERIVED.to_owned(), root.to_owned())
    } else {
        return None;
    };
    let is_runner = module == DERIVED || runner(&module).is_some();
    let mut pending = false;
    for part in parts {
        match part {
            Part::Name { name, .. } if original == WHOLE || original == "default" => original = (*name).to_owned(),
            Part::Name { name, .. } if is_runner && word(name).is_some() && segment(name).is_none() => original = (*name).to_owned(),
            Part::Name { name, .. } if is_runner && segment(name).is_some() => pending = true,
            // `mergeTests(a, b)`, `Lab.script()`: what a runner's function returns is the runner again.
            Part::Call { .. } if is_runner && (original == "mergeTests" || original == "script") => {
                return Some((module, if original == "script" { WHOLE } else { "test" }.to_owned()));
            }
            Part::Call { .. } if pending => pending = false,
            Part::Name { .. } | Part::Call { .. } | Part::Template { .. } => return None,
        }
    }
    Some((module, original))
}

struct Reader<'a> {
    text: &'a str,
    file: FileKind,
    scope: FileScope,
}

impl<'a> Reader<'a> {
    fn text_of(&self, node: Node<'_>) -> &'a str {
        slice(self.text, node)
    }

    fn bind(&mut self, local: &str, module: &str, original: &str) {
        if let Some(bit) = runner(module) {
            self.scope.frameworks |= bit;
        }
        self.scope.names.push((local.to_owned(), module.to_owned(), original.to_owned()));
    }

    /// Reads a declaration from its first words, which is all that a function, class or literal needs; false where the tree
    /// must be asked. A file has thousands of them, and this runs at every keystroke.
    fn by_text(&mut self, start: usize) -> bool {
        let mut rest = &self.text[start..];
        while let Some(after) = ["export ", "default ", "declare ", "abstract ", "async "].iter().find_map(|w| rest.strip_prefix(w)) {
            rest = after.trim_start();
        }
        let name_of = |text: &'a str| &text[..text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(text.len())];
        if let Some(after) = rest.strip_prefix("function") {
            self.declared(name_of(after.trim_start_matches([' ', '*'])));
            return true;
        }
        if let Some(after) = rest.strip_prefix("class ") {
            self.declared(name_of(after));
            let header = &after[..after.find('{').unwrap_or(after.len())];
            let base = header.split_once("extends ").map(|(_, base)| name_of(base.trim_start())).filter(|b| !b.is_empty());
            if let Some(base) = base {
                self.bind(&format!("{EXTENDED_PREFIX}{base}"), EXTENDED, "");
            }
            return true;
        }
        if ["interface ", "type ", "enum "].iter().any(|w| rest.starts_with(w)) {
            return true;
        }
        let Some(after) = ["const ", "let ", "var "].iter().find_map(|w| rest.strip_prefix(w)) else { return false };
        let name = name_of(after);
        if name.is_empty() || is_relevant(name) {
            return false;
        }
        let Some(value) = after[name.len()..].trim_start().strip_prefix('=') else { return false };
        let value = value.trim_start();
        let is_literal = value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '\'' | '"' | '`' | '[' | '{'));
        let is_function = ["async ", "function", "new "].iter().any(|w| value.starts_with(w));
        // In a test file a parenthesis can hold a choice between runners.
        is_literal || is_function || (value.starts_with(['(', '<']) && self.file != FileKind::Test)
    }

    fn declared(&mut self, name: &str) {
        if is_relevant(name) {
            self.bind(name, "", name);
        }
    }

    fn statement(&mut self, node: Node<'_>) {
        match node.kind() {
            "import_statement" => self.import(node),
            "export_statement" => {
                if let Some(declaration) = node.child_by_field_name("declaration") {
                    self.statement(declaration);
                }
            }
            "lexical_declaration" | "variable_declaration" => {
                let is_const = self.text_of(node).starts_with("const");
                let mut cursor = node.walk();
                for declarator in node.named_children(&mut cursor).filter(|n| n.kind() == "variable_declarator") {
                    self.declarator(declarator, is_const);
                }
            }
            _ => {}
        }
    }

    fn import(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let clauses: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        if let Some(clause) = clauses.iter().find(|n| n.kind() == "import_require_clause") {
            if let (Some(local), Some(source)) = (clause.named_child(0), clause.child_by_field_name("source")) {
                self.bind(self.text_of(local), unquoted(self.text_of(source)), WHOLE);
            }
            return;
        }
        let Some(source) = node.child_by_field_name("source") else { return };
        let module = unquoted(self.text_of(source));
        if let Some(bit) = runner(module) {
            self.scope.frameworks |= bit;
        }
        let Some(clause) = clauses.iter().find(|n| n.kind() == "import_clause") else { return };
        let mut cursor = clause.walk();
        for part in clause.named_children(&mut cursor) {
            match part.kind() {
                "identifier" => self.bind(self.text_of(part), module, "default"),
                "namespace_import" => {
                    if let Some(name) = part.named_child(0) {
                        self.bind(self.text_of(name), module, WHOLE);
                    }
                }
                "named_imports" => {
                    let mut cursor = part.walk();
                    for specifier in part.named_children(&mut cursor).filter(|n| n.kind() == "import_specifier") {
                        let Some(name) = specifier.child_by_field_name("name") else { continue };
                        let local = specifier.child_by_field_name("alias").unwrap_or(name);
                        self.bind(self.text_of(local), module, unquoted(self.text_of(name)));
                    }
                }
                _ => {}
            }
        }
    }

    fn declarator(&mut self, node: Node<'_>, is_const: bool) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let value = node.child_by_field_name("value");
        let local = self.text_of(name);
        let extends = self.file == FileKind::Test && is_plain(local) && value.is_some_and(|v| extends_runner(v, self.text));
        let from = value
            .and_then(|v| origin(v, self.text, &self.scope, self.file))
            .filter(|(module, _)| !extends || module == DERIVED || runner(module).is_some())
            .or_else(|| extends.then(|| (DERIVED.to_owned(), local.to_owned())));
        if name.kind() == "object_pattern" {
            let mut cursor = name.walk();
            for part in name.named_children(&mut cursor) {
                self.destructured(part, from.as_ref());
            }
            return;
        }
        match (from, value) {
            (Some((module, original)), _) => self.bind(local, &module, &original),
            (None, Some(value)) if is_const && matches!(value.kind(), "true" | "false" | "unary_expression") => {
                if let Value::Constant(truth) = evaluate(value, self.text, &self.scope) {
                    self.bind(local, "", if truth { "true" } else { "false" });
                }
            }
            _ if is_relevant(local) => self.bind(local, "", local),
            _ => {}
        }
    }

    /// Binds one name of `const { name, key: name, name = … } = value`.
    fn destructured(&mut self, part: Node<'_>, from: Option<&(String, String)>) {
        let (key, local) = match part.kind() {
            "shorthand_property_identifier_pattern" => (part, part),
            "pair_pattern" => match (part.child_by_field_name("key"), part.child_by_field_name("value")) {
                (Some(key), Some(value)) => (key, value),
                _ => return,
            },
            "object_assignment_pattern" => match part.child_by_field_name("left") {
                Some(left) => (left, left),
                None => return,
            },
            _ => return,
        };
        let (key, local) = (self.text_of(key), self.text_of(local));
        match from {
            Some((module, _)) => self.bind(local, module, key),
            None if is_relevant(local) => self.bind(local, "", local),
            None => {}
        }
    }

    /// Treats words imported from a module that wraps a runner as that runner's (`import { test } from './fixtures'`,
    /// `import { contextTest as it, expect } from './config'`).
    fn wrappers(&mut self) {
        if self.file != FileKind::Test {
            return;
        }
        let names = &self.scope.names;
        let wraps = |module: &str, local: &str| {
            let together =
                |(other, from, name): &(String, String, String)| from == module && other != local && (is_plain(name) || name == "expect");
            wraps_runner(module) || names.iter().any(together)
        };
        let wrapping: Vec<(usize, String)> = names
            .iter()
            .enumerate()
            .filter(|(_, (local, module, original))| {
                !module.is_empty()
                    && !matches!(module.as_str(), DERIVED | EXTENDED)
                    && runner(module).is_none()
                    && (is_plain(original) || is_plain(local))
                    && (wraps(module, local) || ["Test", "It", "Describe"].iter().any(|w| original.ends_with(w)))
            })
            .map(|(i, (local, _, original))| (i, if is_plain(original) { original } else { local }.clone()))
            .collect();
        for (index, word) in wrapping {
            self.scope.names[index].1 = DERIVED.to_owned();
            self.scope.names[index].2 = word;
            self.scope.frameworks |= framework::OTHER;
        }
    }
}

/// Whether a value is `base.extend({…})`: with a runner's word as its name, that is how fixtures are added to a runner.
fn extends_runner(value: Node<'_>, text: &str) -> bool {
    let value = stripped(value);
    value.kind() == "call_expression"
        && value.child_by_field_name("function").and_then(|f| f.child_by_field_name("property")).is_some_and(|p| slice(text, p) == "extend")
}

/// Whether a name is the plain word of a runner.
fn is_plain(name: &str) -> bool {
    matches!(name, "test" | "it" | "describe")
}

/// Whether a local declaration of a name hides a word that the facts depend on.
fn is_relevant(name: &str) -> bool {
    word(name).is_some() || matches!(name, "expect" | "assert" | "pending" | "fail" | "QUnit" | "Deno")
}
