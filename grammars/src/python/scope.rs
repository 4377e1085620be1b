//! Reads what holds for a whole file from its top level, at every edit: imports, aliases, constants of conditions, and
//! what its classes are to each other.
//!
//! Looks at the root's children, one or two blocks deep for imports that are tried, and at the methods of classes that
//! other classes of the file derive from.

use super::classes::Family;
use super::conditions::{Reads, reads, truth};
use super::markers::{Mark, marks};
use super::names::{CI, FALSE, MARK, Reader, TRUE, WRAPPER, canonical, is_root};
use super::skips;
use super::syntax::{Definition, children, field, only_child, text_of};
use crate::facts::Condition;
use crate::visit::{FileKind, FileScope, Words};
use std::collections::HashSet;
use tree_sitter::Node;

/// Tests are collected from this file: flag of [`FileScope::flags`].
pub(super) const COLLECTS: u64 = 1;
/// Functions of the file skip what calls them.
pub(super) const WRAPS: u64 = 4;
/// The file only declares.
pub(super) const INTERFACE: u64 = 2;

/// A runner is imported: flag of [`FileScope::frameworks`].
const RUNNER: u64 = 1;
/// How deep blocks of the top level are looked into for imports.
const DEPTH_MAX: u32 = 3;

/// Returns what holds for a whole file.
pub(super) fn read(root: Node<'_>, text: &str, file: FileKind, words: &Words) -> FileScope {
    let mut builder = Builder { text, words, test: file == FileKind::Test, scope: FileScope::default(), assigned: HashSet::new() };
    let mut classes = Vec::new();
    let mut functions = Vec::new();
    let mut cursor = root.walk();
    for node in root.named_children(&mut cursor) {
        builder.statement(node, 0);
        match node.kind() {
            "class_definition" | "decorated_definition" | "function_definition" => match Definition::of(node) {
                Some(definition) if definition.is_class() => classes.push(definition),
                Some(definition) => functions.push(definition),
                None => {}
            },
            _ => {}
        }
    }
    let mut scope = builder.scope;
    if file == FileKind::Test || scope.frameworks & RUNNER != 0 {
        scope.flags |= COLLECTS;
        wrappers(text, words, &functions, &mut scope);
    }
    Family::new(text, &classes).record(scope.flags & COLLECTS != 0, &mut scope);
    // Looked up at every name that may matter; what was bound first stays first.
    scope.names.sort_by(|a, b| a.0.cmp(&b.0));
    scope
}

/// Records the functions that skip whatever calls them.
fn wrappers(text: &str, words: &Words, functions: &[Definition<'_>], scope: &mut FileScope) {
    let found: Vec<String> = functions
        .iter()
        .filter(|f| f.decorators.is_empty() && !super::items::is_test_name(f.name(text)))
        .filter(|f| f.body().is_some_and(|body| skips::always(Reader::unfinished(text, scope, words), body)))
        .map(|f| f.name(text).to_owned())
        .collect();
    for name in found {
        scope.flags |= WRAPS;
        scope.names.push((name, WRAPPER.to_owned(), String::new()));
    }
}

struct Builder<'a> {
    text: &'a str,
    words: &'a Words,
    /// Names of conditions and marks are read; production code has none that matter.
    test: bool,
    scope: FileScope,
    /// Names that were bound once already.
    assigned: HashSet<&'a str>,
}

impl<'a> Builder<'a> {
    fn statement(&mut self, node: Node<'_>, depth: u32) {
        match node.kind() {
            "import_statement" => self.import(node),
            "import_from_statement" => self.import_from(node),
            "function_definition" | "class_definition" => {
                let name = field(node, "name").map_or("", |n| text_of(self.text, n));
                if is_root(name) {
                    self.bind(name, "", name);
                }
            }
            "expression_statement" => {
                let Some(inner) = only_child(node) else { return };
                if inner.kind() == "assignment" {
                    self.assignment(inner, depth > 0);
                } else if depth == 0 && self.test && skips::module_call(self.reader(), inner).is_some_and(|s| s.always()) {
                    self.scope.disabled = true;
                }
            }
            "raise_statement" if depth == 0 && self.test => {
                self.scope.disabled |= skips::raised(self.reader(), node).is_some_and(|s| s.always());
            }
            "try_statement" | "if_statement" | "with_statement" | "except_clause" | "else_clause" | "elif_clause" | "finally_clause"
            | "block"
                if depth < DEPTH_MAX =>
            {
                for child in children(node) {
                    self.statement(child, if child.kind() == "block" { depth } else { depth + 1 });
                }
            }
            _ => {}
        }
    }

    fn reader(&self) -> Reader<'_> {
        Reader::unfinished(self.text, &self.scope, self.words)
    }

    fn bind(&mut self, local: &str, module: &str, original: &str) {
        self.scope.names.push((local.to_owned(), module.to_owned(), original.to_owned()));
    }

    /// Records what an import binds, where it means something here or hides a name that does.
    fn imported(&mut self, local: &str, module: &str, original: &str) {
        match canonical(module, original) {
            Some(path) => {
                let runner = matches!(path.split('.').next(), Some("pytest" | "unittest" | "nose"));
                if runner && !path.starts_with("unittest.mock") {
                    self.scope.frameworks |= RUNNER;
                }
                self.bind(local, module, original);
            }
            None if is_root(local) => self.bind(local, "", local),
            None => {}
        }
    }

    fn import(&mut self, node: Node<'_>) {
        for item in children(node) {
            let (name, alias) = match item.kind() {
                "aliased_import" => (field(item, "name"), field(item, "alias")),
                _ => (Some(item), None),
            };
            let Some(module) = name.map(|n| text_of(self.text, n)) else { continue };
            match alias {
                Some(alias) => self.imported(text_of(self.text, alias), module, ""),
                None if module.starts_with("unittest.mock") => {}
                // `import a.b` binds `a`.
                None => {
                    let first = module.split('.').next().unwrap_or(module);
                    self.imported(first, first, "");
                }
            }
        }
    }

    fn import_from(&mut self, node: Node<'_>) {
        let Some(module_node) = field(node, "module_name") else { return };
        let module = text_of(self.text, module_node);
        for item in children(node) {
            if item.id() == module_node.id() {
                continue;
            }
            match item.kind() {
                "wildcard_import" => self.imported("*", module, ""),
                "aliased_import" => {
                    let (Some(name), Some(alias)) = (field(item, "name"), field(item, "alias")) else { continue };
                    self.imported(text_of(self.text, alias), module, text_of(self.text, name));
                }
                _ => {
                    let name = text_of(self.text, item);
                    self.imported(name, module, name);
                }
            }
        }
    }

    fn assignment(&mut self, node: Node<'_>, nested: bool) {
        let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else { return };
        if left.kind() != "identifier" {
            return;
        }
        let name = self.text.get(left.byte_range()).unwrap_or("");
        if is_root(name) {
            self.bind(name, "", name);
        }
        if !self.test {
            return;
        }
        let first = self.assigned.insert(name);
        if !first {
            // Bound twice: what it holds depends on the run.
            self.scope.names.retain(|(local, module, _)| local != name || ![TRUE, FALSE, CI].contains(&module.as_str()));
        }
        match name {
            "pytestmark" if !nested => {
                let always = marks(self.reader(), right).iter().any(|m| m.condition == Condition::Always);
                self.scope.disabled |= always;
            }
            "pytestmark" | "collect_ignore" | "collect_ignore_glob" => {}
            "__test__" if !nested => self.scope.disabled |= right.kind() == "false",
            _ => {
                if let Some(mark) = Mark::read(self.reader(), right) {
                    let mark = if nested { Mark { condition: Condition::Runtime, ..mark } } else { mark };
                    self.bind(name, MARK, &mark.encode());
                } else if first && !nested {
                    match (truth(self.reader(), right), reads(self.reader(), right)) {
                        (Some(true), _) if is_flag(right) => self.bind(name, TRUE, ""),
                        (Some(false), _) if is_flag(right) => self.bind(name, FALSE, ""),
                        (None, Reads::Ci) => self.bind(name, CI, ""),
                        _ => {}
                    }
                }
            }
        }
    }
}

/// Whether a constant is one that conditions use; any other constant is data.
fn is_flag(node: Node<'_>) -> bool {
    matches!(node.kind(), "true" | "false" | "integer" | "none" | "not_operator" | "boolean_operator")
}
