//! What a name means in a file: imports and assignments of its top level, read as `FileScope::names`.
//!
//! Only names that can matter are kept (modules of test runners, marks, constants of conditions), so that the list stays
//! short and an unrelated import leaves all facts as they are. Facts about a name that are no import carry a module that
//! starts with `@`, which no import can.

use super::syntax::{dotted, text_of};
use crate::visit::{FileScope, Visit, Words};
use tree_sitter::Node;

/// A mark bound to a name; the original says what it does (see `markers::Mark`).
pub(super) const MARK: &str = "@mark";
/// A function of the file that skips whatever calls it.
pub(super) const WRAPPER: &str = "@wrapper";
/// A name bound once, to a true or false constant.
pub(super) const TRUE: &str = "@true";
/// See [`TRUE`].
pub(super) const FALSE: &str = "@false";
/// A name bound to an expression that reads nothing but whether it runs in CI.
pub(super) const CI: &str = "@ci";
/// A class that another class of the file derives from.
pub(super) const SUBCLASSED: &str = "@subclassed";
/// A class whose stand-ins a class of the file overrides.
pub(super) const OVERRIDDEN: &str = "@overridden";
/// A class that is a unittest case through classes of the file.
pub(super) const TEST_CASE: &str = "@test-case";

/// Modules whose names mean something here; a name that is bound to nothing is read as the module itself.
const ROOTS: &[&str] = &["pytest", "unittest", "nose", "hypothesis", "typing", "warnings", "os"];

/// Other homes of the same things.
const SAME: &[(&str, &str)] = &[
    ("_pytest.outcomes", "pytest"),
    ("_pytest.mark", "pytest"),
    ("_pytest.fixtures", "pytest"),
    ("_pytest.python_api", "pytest"),
    ("pytest_asyncio", "pytest"),
    ("unittest2", "unittest"),
    ("unittest.case", "unittest"),
    ("unittest.async_case", "unittest"),
    ("absl.testing.absltest", "unittest"),
    ("testtools.testcase", "unittest"),
    ("testtools", "unittest"),
    ("django.utils.unittest", "unittest"),
    ("twisted.trial.unittest", "unittest"),
    ("nose.tools", "nose"),
    ("nose.plugins.skip", "nose"),
    ("typing_extensions", "typing"),
];

/// Returns the one path of a thing that an import names, or none where it means nothing here.
pub(super) fn canonical(module: &str, original: &str) -> Option<String> {
    if matches!(original, "pytest" | "unittest" | "unittest2") && module != original {
        // A compatibility module that hands the runner on.
        return Some(original.trim_end_matches('2').to_owned());
    }
    if module.ends_with(".pytest") && !original.is_empty() {
        return Some(format!("pytest.{original}"));
    }
    let full = if original.is_empty() { module.to_owned() } else { format!("{module}.{original}") };
    let path = SAME
        .iter()
        .find_map(|(from, to)| {
            let rest = full.strip_prefix(from)?;
            (rest.is_empty() || rest.starts_with('.')).then(|| format!("{to}{rest}"))
        })
        .unwrap_or(full);
    is_root(path.split('.').next().unwrap_or("")).then_some(path)
}

/// Whether a name is that of a module that means something here.
pub(super) fn is_root(name: &str) -> bool {
    ROOTS.contains(&name)
}

/// What reading an expression takes: the text and what its names mean.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) scope: &'a FileScope,
    pub(super) words: &'a Words,
    /// The names are sorted: the scope is complete.
    sorted: bool,
    /// How deep in nested expressions or statements it is.
    depth: u16,
}

/// Nesting beyond which nothing is read: no one writes it, and the stack is not ours to fill.
const DEPTH_MAX: u16 = 64;

impl<'a> Reader<'a> {
    /// Returns a reader of a text whose scope is still being read.
    pub(super) fn unfinished(text: &'a str, scope: &'a FileScope, words: &'a Words) -> Self {
        Reader { text, scope, words, sorted: false, depth: 0 }
    }

    /// Returns a reader of what an adapter sees.
    pub(super) fn of(visit: &Visit<'a, '_>) -> Self {
        Reader { text: visit.text, scope: visit.scope, words: visit.words, sorted: true, depth: 0 }
    }

    /// Returns the reader of what is nested in this, or none where that is too deep.
    pub(super) fn deeper(self) -> Option<Self> {
        (self.depth < DEPTH_MAX).then(|| Reader { depth: self.depth + 1, ..self })
    }

    /// Returns what is known of a name.
    fn entries(self, name: &'a str) -> impl Iterator<Item = &'a (String, String, String)> {
        let names = &self.scope.names;
        let from = if self.sorted { names.partition_point(|(local, _, _)| local.as_str() < name) } else { 0 };
        names[from..].iter().take_while(move |(local, _, _)| !self.sorted || local == name).filter(move |(local, _, _)| local == name)
    }

    /// Returns what was said of a name under a module that starts with `@`.
    pub(super) fn told(self, name: &'a str, what: &str) -> Option<&'a str> {
        self.entries(name).find(|(_, module, _)| module == what).map(|(_, _, said)| said.as_str())
    }

    /// Whether something was said of a name under a module that starts with `@`.
    pub(super) fn said(self, name: &'a str, what: &str) -> bool {
        self.told(name, what).is_some()
    }

    /// Returns the text of a node.
    pub(super) fn text_of(self, node: Node<'_>) -> &'a str {
        text_of(self.text, node)
    }

    /// Returns the one path of what a name or attribute chain means (`pytest.mark.skip`), or none where it is unknown.
    pub(super) fn path(self, node: Node<'_>) -> Option<String> {
        let parts = dotted(self.text, node)?;
        let (root, rest) = parts.split_first()?;
        let bound = self.entries(root).find(|(_, module, _)| !module.starts_with('@'));
        let mut path = match bound {
            Some((_, module, _)) if module.is_empty() => return None,
            Some((_, module, original)) => canonical(module, original)?,
            None if is_root(root) => (*root).to_owned(),
            None => {
                let (_, module, _) = self.entries("*").next()?;
                canonical(module, root)?
            }
        };
        for part in rest {
            path.push('.');
            path.push_str(part);
        }
        Some(path)
    }
}
