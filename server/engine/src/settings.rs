//! What a repository sets: levels of rules, excluded paths, test paths, its own words (`oguard.toml`).
//!
//! Reads text; which file it is and where it lies is the caller's. Unknown names are errors that list the valid ones: a
//! typo must not switch a guard off.

use crate::finding::Level;
use crate::intent::{self, Task};
use crate::rules::{self, RuleId};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use oguard_grammars::Language;
use oguard_grammars::visit::{FileKind, Words};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Resolved settings of a repository.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    levels: BTreeMap<RuleId, Option<Level>>,
    excluded: GlobSet,
    tests: GlobSet,
    production: GlobSet,
    /// The repository's own words.
    pub words: Arc<Words>,
    /// What the change is for, where somebody said so.
    pub task: Option<Task>,
}

/// An error in `oguard.toml`, with the remedy in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// One line that says what is wrong and what is valid.
    pub message: String,
    /// Byte range in the file, where known.
    pub range: Option<std::ops::Range<usize>>,
}

impl std::fmt::Display for SettingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SettingsError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Format version; absent means 1.
    version: Option<u32>,
    #[serde(default)]
    rules: BTreeMap<String, String>,
    #[serde(default)]
    paths: Paths,
    #[serde(default)]
    vocabulary: Vocabulary,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Paths {
    #[serde(default)]
    exclude: Vec<String>,
    #[serde(default)]
    tests: Vec<String>,
    #[serde(default)]
    production: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Vocabulary {
    #[serde(default)]
    assertion_helpers: Vec<String>,
    #[serde(default)]
    test_functions: Vec<String>,
    #[serde(default)]
    skip_wrappers: Vec<String>,
}

/// Folders whose files are not ours to judge: vendored code and outputs (rules-b.md 0.4).
const NEVER: &[&str] = &[
    "**/node_modules/**",
    "**/vendor/**",
    "**/third_party/**",
    "**/target/{debug,release}/**",
    "**/dist/**",
    "**/.git/**",
    "**/*.min.{js,mjs,cjs}",
    "**/*.pb.go",
    "**/*_pb2.py",
    "**/*_pb2_grpc.py",
    "**/*.generated.*",
    "**/__snapshots__/**",
    "**/.yarn/{releases,plugins,sdks}/**",
];

/// Neither test nor production: data and helpers of tests, examples, documentation.
const SUPPORT: &[&str] = &[
    "**/{testdata,fixtures,__fixtures__,__mocks__,mocks,stubs,examples,example,benches,docs,docs_src}/**",
    "{testdata,fixtures,__fixtures__,__mocks__,mocks,stubs,examples,example,benches,docs,docs_src}/**",
];

/// Data of tests whatever its names say: no runner collects from there.
const DATA: &[&str] = &["**/{testdata,test_data}/**", "{testdata,test_data}/**"];

/// Fixtures under names of a project's own: files that look like tests and are what tests read.
const FIXTURES: &[&str] = &["**/*{fixture,Fixture}*/**"];

/// Whether a runner looks for tests in a path when nobody tells it otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collection {
    /// It does.
    Searched,
    /// It does not: a test there does not run.
    Missed,
    /// Data and helpers of tests; what looks like a test there need not be one.
    Data,
}

impl Settings {
    /// Reads the text of an `oguard.toml`.
    ///
    /// # Errors
    /// Where the text is no TOML, names an unknown field, rule or level, or a glob is malformed.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let file: File = toml::from_str(text).map_err(|e| SettingsError { message: one_line(e.message()), range: e.span() })?;
        if let Some(version) = file.version.filter(|v| *v != 1) {
            return Err(error(format!("version {version} of oguard.toml is newer than this program reads (1); update oguard")));
        }
        let mut levels = BTreeMap::new();
        for (name, level) in &file.rules {
            let rule = rules::by_name(name).ok_or_else(|| {
                let known: Vec<_> = rules::RULES.iter().map(|r| r.id.0).collect();
                error(format!("no rule `{name}`; the rules are {}", known.join(", ")))
            })?;
            let level = match level.as_str() {
                "off" => None,
                other => Some(
                    Level::parse(other)
                        .ok_or_else(|| error(format!("no level `{other}` for `{name}`; the levels are off, info, warn, block")))?,
                ),
            };
            levels.insert(rule.id, level);
        }
        Ok(Settings {
            levels,
            excluded: globs(file.paths.exclude.iter().map(String::as_str))?,
            tests: globs(file.paths.tests.iter().map(String::as_str))?,
            production: globs(file.paths.production.iter().map(String::as_str))?,
            words: Arc::new(Words {
                assertion_helpers: file.vocabulary.assertion_helpers,
                test_functions: file.vocabulary.test_functions,
                skip_wrappers: file.vocabulary.skip_wrappers,
            }),
            task: None,
        })
    }

    /// Returns the level of a finding of a rule after policy: its own where nothing is set; none where the rule is off.
    /// Information stays information: policy moves the rule's level, not the rank of a case within it.
    pub fn level(&self, rule: RuleId, own: Level) -> Option<Level> {
        match self.levels.get(&rule) {
            None => Some(own),
            Some(None) => None,
            Some(Some(level)) if own == Level::Info => Some(own.min(*level)),
            Some(Some(level)) => Some(*level),
        }
    }

    /// Returns the level of a finding of a rule after intent and policy: what the repository sets for the rule outweighs what
    /// the task is for.
    pub(crate) fn level_in_task(&self, rule: RuleId, aspect: &str, own: Level) -> Option<Level> {
        self.level(rule, if self.levels.contains_key(&rule) { own } else { intent::level(self.task, rule, aspect, own) })
    }

    /// Whether the task makes findings of the notes of an aspect.
    pub(crate) fn reports_notes(&self, aspect: &str) -> bool {
        intent::reports_notes(self.task, aspect)
    }

    /// Whether a path is not judged: vendored, an output, or excluded by configuration.
    pub fn excludes(&self, path: &str) -> bool {
        any(NEVER, path) || self.excluded.is_match(path)
    }

    /// Returns whether a runner looks for tests in a path.
    pub fn collection(&self, language: &Language, path: &str) -> Collection {
        let by_name = || any(language.collected, path) && !any(language.passed_over, path);
        match () {
            () if self.tests.is_match(path) => Collection::Searched,
            () if [DATA, SUPPORT, FIXTURES].into_iter().any(|patterns| any(patterns, place(path))) => Collection::Data,
            () if by_name() => Collection::Searched,
            () => Collection::Missed,
        }
    }

    /// Whether a path is that of a file that configures a tool, or sets a program up by where it runs.
    pub fn configures(&self, language: &Language, path: &str) -> bool {
        any(language.configuring, path)
    }

    /// Returns what kind of code a path holds.
    pub fn file_kind(&self, language: &Language, path: &str) -> FileKind {
        if self.production.is_match(path) {
            return FileKind::Production;
        }
        if self.tests.is_match(path) {
            return FileKind::Test;
        }
        let named = any(language.test_paths, path);
        if any(DATA, place(path)) || (any(SUPPORT, place(path)) && !named) {
            return FileKind::Support;
        }
        if named { FileKind::Test } else { FileKind::Production }
    }
}

/// Returns the part of a path whose folders are places of the project: below a source root such as `src/main/java` they are
/// packages, and `org.example.docs` is neither an example nor documentation.
fn place(path: &str) -> &str {
    let mut folders = path.match_indices('/').map(|(end, _)| (&path[..end], end + 1));
    let root = folders.find(|(folder, _)| {
        let mut names = folder.rsplit('/');
        let jvm = matches!(names.next(), Some("java" | "kotlin" | "scala" | "groovy"));
        jvm && names.next().is_some() && names.next() == Some("src")
    });
    root.map_or(path, |(_, end)| &path[..end])
}

fn error(message: String) -> SettingsError {
    SettingsError { message, range: None }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn globs<'a>(patterns: impl Iterator<Item = &'a str>) -> Result<GlobSet, SettingsError> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = GlobBuilder::new(pattern.trim_start_matches("./")).literal_separator(true).build();
        set.add(glob.map_err(|e| error(format!("glob `{pattern}`: {}", e.kind())))?);
    }
    set.build().map_err(|e| error(format!("globs: {e}")))
}

/// Whether one of our own patterns takes a path. They are matched as they stand: compiling a set of them costs a cold process
/// more than all that it asks of it.
fn any(patterns: &[&str], path: &str) -> bool {
    patterns.iter().any(|pattern| fast_glob::glob_match(pattern, path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oguard_grammars::LANGUAGES;

    #[test]
    fn packages_are_no_places_of_the_project() {
        let settings = Settings::default();
        let java = LANGUAGES.iter().find(|l| l.id == "java").unwrap();
        let kind = |path: &str| settings.file_kind(java, path);
        assert_eq!(kind("src/main/java/org/example/docs/A.java"), FileKind::Production);
        assert_eq!(kind("app/src/main/java/com/example/mocks/A.java"), FileKind::Production);
        assert_eq!(kind("src/test/java/com/example/ATest.java"), FileKind::Test);
        assert_eq!(kind("examples/app/src/main/java/com/acme/A.java"), FileKind::Support);
        assert_eq!(kind("docs/java/A.java"), FileKind::Support);
        assert_eq!(kind("example/A.java"), FileKind::Support);
        assert_eq!(settings.collection(java, "src/test/java/com/example/ATest.java"), Collection::Searched);
        assert_eq!(settings.collection(java, "src/test/java/com/example/AHelper.java"), Collection::Missed);
        assert_eq!(settings.collection(java, "testdata/src/test/java/com/example/ATest.java"), Collection::Data);
    }

    #[test]
    fn our_patterns_mean_what_a_users_would() {
        let paths = [
            "a.go",
            "a_test.go",
            "x/a_test.go",
            "_a_test.go",
            "x/.a_test.go",
            "_x/a_test.go",
            "testdata/a_test.go",
            "_fixtures/a_test.go",
            "x/convert_fixtures/y/a_test.go",
            "test-a.js",
            "a-test.js",
            "node_modules/a.js",
            "x/node_modules/y/a.js",
            "my_node_modules/a.js",
            "target/debug/a.rs",
            "target/a.rs",
            "x/a.min.js",
            "a.min.ts",
            "a.pb.go",
            "x_pb2.py",
            "a.generated.ts",
            "__snapshots__/a.js",
            ".git/config",
            "docs/a.py",
            "x/docs/a.py",
            "doc/a.py",
            "test_a.py",
            "x/a_test.py",
            "tests/a.py",
            "x/tests/a.py",
            "conftest.py",
            "a.test.ts",
            "x/a.spec.tsx",
            "a.cy.mjs",
            "__tests__/a.js",
            "spec/a.js",
            "tests.rs",
            "src/tests.rs",
            "src/tests/a.rs",
            "dist/ä.js",
            "dist",
            ".hidden/dist/a.js",
        ];
        let languages = LANGUAGES.iter().flat_map(|l| [l.test_paths, l.collected, l.passed_over, l.configuring]);
        let ours = [NEVER, SUPPORT, DATA, FIXTURES].into_iter().chain(languages);
        for patterns in ours {
            let compiled = globs(patterns.iter().copied()).unwrap();
            for path in paths {
                assert_eq!(any(patterns, path), compiled.is_match(path), "{path} under {patterns:?}");
            }
        }
    }
}
