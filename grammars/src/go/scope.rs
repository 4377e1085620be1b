//! What holds for a whole Go file: the test frameworks it imports, its build constraint, helpers of it that skip.
//!
//! Reads the root's children. Of imports only those of frameworks are kept: what changes here makes every unit be read
//! again.

use super::{calls, constraints, flag, framework, skips};
use crate::visit::{FileKind, FileScope};
use tree_sitter::Node;

/// Import paths of frameworks: how the path begins, the word by which the adapter knows it, the bit of a dot import, and the
/// name under which it is imported by default.
const FRAMEWORKS: &[(&str, &str, u64, &str)] = &[
    ("github.com/onsi/ginkgo", "ginkgo", framework::GINKGO_DOT, "ginkgo"),
    ("github.com/stretchr/testify/suite", "suite", 0, "suite"),
    ("github.com/stretchr/testify/assert", "assert", 0, "assert"),
    ("github.com/stretchr/testify/require", "assert", 0, "require"),
    ("gotest.tools/", "assert", 0, "assert"),
    ("gopkg.in/check.v1", "check", framework::CHECK_DOT, "check"),
    ("github.com/go-check/check", "check", framework::CHECK_DOT, "check"),
    ("github.com/sclevine/spec", "spec", 0, "spec"),
    ("testing", "testing", 0, "testing"),
];

/// Returns what holds for a file.
pub(super) fn read(root: Node<'_>, text: &str, file: FileKind) -> FileScope {
    let mut scope = FileScope::default();
    let mut cursor = root.walk();
    for node in root.named_children(&mut cursor) {
        match node.kind() {
            "comment" if scope.flags & flag::PAST_HEAD == 0 => {
                let comment = &text[node.byte_range()];
                if constraints::is_constraint(comment) {
                    scope.flags |= flag::CONSTRAINED;
                }
            }
            "package_clause" => scope.flags |= flag::PAST_HEAD,
            "import_declaration" => imports(node, text, &mut scope),
            "function_declaration" if file == FileKind::Test => helper(node, text, &mut scope),
            _ => {}
        }
    }
    scope
}

fn imports(node: Node<'_>, text: &str, scope: &mut FileScope) {
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "import_spec" => import(child, text, scope),
            "import_spec_list" => {
                let mut inner = child.walk();
                for spec in child.named_children(&mut inner).filter(|n| n.kind() == "import_spec") {
                    import(spec, text, scope);
                }
            }
            _ => {}
        }
    }
}

fn import(spec: Node<'_>, text: &str, scope: &mut FileScope) {
    let Some(path) = spec.child_by_field_name("path").and_then(|p| calls::string(p, text)) else { return };
    let known = FRAMEWORKS
        .iter()
        .find(|(prefix, ..)| path.strip_prefix(prefix).is_some_and(|r| r.is_empty() || r.starts_with('/') || prefix.ends_with('/')));
    let Some((_, word, dot, default)) = known.filter(|_| !path.ends_with("/types") && !path.contains("/extensions/")) else { return };
    match spec.child_by_field_name("name").map(|n| &text[n.byte_range()]) {
        Some(".") => scope.frameworks |= dot,
        Some(alias) => scope.names.push((alias.to_owned(), (*word).to_owned(), String::new())),
        None => scope.names.push(((*default).to_owned(), (*word).to_owned(), String::new())),
    }
}

/// Keeps the name of a helper that skips whatever test calls it.
fn helper(node: Node<'_>, text: &str, scope: &mut FileScope) {
    let Some(name) = node.child_by_field_name("name").map(|n| &text[n.byte_range()]) else { return };
    if super::items::collected(name) || !text[node.byte_range()].contains(".Skip") {
        return;
    }
    if !calls::handles(node, text, scope).is_empty() && skips::always(node, text, scope) {
        scope.names.push((name.to_owned(), String::new(), "skips".to_owned()));
    }
}

/// Whether a name is that of a framework's package.
pub(super) fn is_package(scope: &FileScope, name: &str, word: &str) -> bool {
    scope.binding(name).is_some_and(|(module, _)| module == word)
}

/// Whether a function of this file skips whatever test calls it.
pub(super) fn is_skip_helper(scope: &FileScope, name: &str) -> bool {
    scope.binding(name).is_some_and(|(module, original)| module.is_empty() && original == "skips")
}
