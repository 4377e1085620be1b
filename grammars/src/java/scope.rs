//! What a Java file imports from test frameworks, read from its top level.
//!
//! Only names that could be a framework's are kept: the key of all units holds them, and an import of anything else leaves
//! every unit as it is.

use super::annotations::Annotation;
use crate::visit::{FileKind, FileScope, Visit};
use tree_sitter::Node;

/// JUnit 4 and what runs under it.
pub(super) const JUNIT4: u64 = 1;
/// JUnit 5 and later.
pub(super) const JUPITER: u64 = 1 << 1;
/// JUnit 3.
pub(super) const JUNIT3: u64 = 1 << 2;
/// TestNG.
pub(super) const TESTNG: u64 = 1 << 3;
/// Of the file's flags: it belongs to a library of mocks, whose tests ask mocks for what they were told.
pub(super) const OF_MOCKS: u64 = 1;

/// Packages of test frameworks by their prefixes, the longer before the shorter.
const FRAMEWORKS: &[(&str, u64)] = &[
    ("org.junit.jupiter", JUPITER),
    ("org.junit.platform", 0),
    ("org.junitpioneer", JUPITER),
    ("org.junit", JUNIT4),
    ("junit.framework", JUNIT3),
    ("org.testng", TESTNG),
    ("com.tngtech.archunit", 0),
    ("com.tngtech.java.junit", JUNIT4),
    ("io.quarkus.test", 0),
    ("io.micronaut.test", 0),
    ("org.springframework.test", 0),
    ("org.springframework.boot.test", 0),
    ("org.testcontainers.junit", 0),
    ("org.opentest4j", 0),
    ("net.jqwik", 0),
    ("org.assertj", 0),
    ("com.google.common.truth", 0),
    ("org.hamcrest", 0),
    ("org.mockito", 0),
];

fn framework(module: &str) -> Option<u64> {
    FRAMEWORKS.iter().find(|(prefix, _)| under(module, prefix)).map(|(_, bit)| *bit)
}

fn under(module: &str, prefix: &str) -> bool {
    module.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Reads the imports of a file and the names of its types.
pub(super) fn read(root: Node<'_>, text: &str) -> FileScope {
    let mut scope = FileScope::default();
    let mut cursor = root.walk();
    for node in root.named_children(&mut cursor) {
        match node.kind() {
            "package_declaration" if text[node.byte_range()].contains(" org.mockito") => scope.flags |= OF_MOCKS,
            "import_declaration" => import(node, text, &mut scope),
            "annotation_type_declaration" | "class_declaration" => {
                let name = node.child_by_field_name("name").map_or("", |n| &text[n.byte_range()]);
                if is_word(name) {
                    scope.names.push((name.to_owned(), String::new(), name.to_owned()));
                }
            }
            _ => {}
        }
    }
    scope
}

fn import(node: Node<'_>, text: &str, scope: &mut FileScope) {
    let mut cursor = node.walk();
    let parts: Vec<Node<'_>> = node.named_children(&mut cursor).filter(|n| !n.kind().ends_with("comment")).collect();
    let Some(path) = parts.first().map(|n| &text[n.byte_range()]) else { return };
    let wildcard = parts.iter().any(|n| n.kind() == "asterisk");
    let (module, name) = if wildcard { (path, "") } else { path.rsplit_once('.').unwrap_or(("", path)) };
    let known = framework(module);
    scope.frameworks |= known.unwrap_or(0);
    if !wildcard && (known.is_some() || is_word(name)) {
        scope.names.push((name.to_owned(), module.to_owned(), name.to_owned()));
    }
}

/// Whether a name is one that frameworks have, so that one of another origin hides theirs.
fn is_word(name: &str) -> bool {
    ["Ignore", "Disabled", "Test", "ExpectedToFail", "Assume", "Assumptions"].contains(&name)
        || ["assume", "assert", "DisabledIf", "EnabledIf", "DisabledOn", "EnabledOn"].iter().any(|p| name.starts_with(p))
}

/// Whether a name, perhaps qualified, is one of a test framework's: by where it was imported from, or where nothing says
/// otherwise.
pub(super) fn is_framework(path: &str, scope: &FileScope) -> bool {
    match path.rsplit_once('.') {
        Some((module, _)) if module.starts_with(|c: char| c.is_lowercase()) => framework(module).is_some(),
        Some((of, _)) => scope.binding(of).is_none_or(|(module, _)| framework(module).is_some()),
        None => scope.binding(path).is_none_or(|(module, _)| framework(module).is_some()),
    }
}

/// Returns the runner whose annotation this is.
pub(super) fn runner(annotation: &Annotation<'_, '_>, scope: &FileScope) -> u64 {
    let module = match annotation.path.rsplit_once('.') {
        Some((module, _)) => Some(module),
        None => scope.binding(annotation.name).map(|(module, _)| module),
    };
    match module.and_then(framework) {
        Some(bit) if bit != 0 => bit,
        _ => scope.frameworks,
    }
}

/// Whether a file holds tests, by its path or by what it imports.
pub(super) fn holds_tests(visit: &Visit<'_, '_>) -> bool {
    visit.file == FileKind::Test || visit.scope.frameworks != 0
}
