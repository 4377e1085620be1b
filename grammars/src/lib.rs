//! Languages as data: one row a language, its grammar, its vocabulary of node kinds and the adapter that reads facts.
//!
//! Owns what differs between languages. A language names no rule: it emits the facts of [`facts`], whose dictionary is
//! `grammars/README.md`. The walk that calls the adapters is the engine's (`facts/walk.rs`).
//! To add a language: the recipe in `CONTRIBUTING.md`.

pub mod checks;
pub mod directives;
pub mod facts;
pub mod visit;

mod regions;

#[cfg(feature = "lang-ecma")]
mod ecma;
#[cfg(feature = "lang-go")]
mod go;
#[cfg(feature = "lang-java")]
mod java;
#[cfg(feature = "lang-python")]
mod python;
#[cfg(feature = "lang-rust")]
mod rust;

pub use tree_sitter;
use visit::Adapter;

/// A language that the guard reads.
pub struct Language {
    /// Our id, equal to the first LSP language id.
    pub id: &'static str,
    /// Language ids that editors send.
    pub lsp_ids: &'static [&'static str],
    /// File extensions, without the dot, lower case.
    pub extensions: &'static [&'static str],
    /// Globs of files whose every item is test code (rules-a.md 0.4).
    pub test_paths: &'static [&'static str],
    /// Globs of files in which a runner looks for tests when nobody tells it otherwise.
    pub collected: &'static [&'static str],
    /// Globs of files of those that it passes over all the same.
    pub passed_over: &'static [&'static str],
    /// Globs of files that configure tools or set a program up by where it runs.
    pub configuring: &'static [&'static str],
    /// The grammar; a function, so that an unused one is not touched.
    pub grammar: fn() -> tree_sitter::Language,
    /// Number of node kinds of the grammar: two grammars of one C symbol link silently, a test compares this.
    pub node_kind_count: usize,
    /// What the walk does at each node kind.
    pub roles: &'static [(&'static str, u8)],
    /// A second definition of a name in one scope hides the first, and nothing says so.
    pub redefinition_hides: bool,
    /// Deepest indentation, in bytes, that the grammar survives: its scanner ends the process beyond it. None: no limit.
    pub indent_bytes_max: Option<usize>,
    /// Joins the names of enclosing items in a qualified name.
    pub separator: &'static str,
    /// Reads what no table says.
    pub adapter: &'static dyn Adapter,
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

/// All languages of this build.
pub static LANGUAGES: &[&Language] = &[
    #[cfg(feature = "lang-python")]
    &python::PYTHON,
    #[cfg(feature = "lang-python")]
    &python::PYTHON_INTERFACE,
    #[cfg(feature = "lang-ecma")]
    &ecma::JAVASCRIPT,
    #[cfg(feature = "lang-ecma")]
    &ecma::TYPESCRIPT,
    #[cfg(feature = "lang-ecma")]
    &ecma::TSX,
    #[cfg(feature = "lang-rust")]
    &rust::RUST,
    #[cfg(feature = "lang-go")]
    &go::GO,
    #[cfg(feature = "lang-java")]
    &java::JAVA,
];

/// Returns the language of a path by its extension, or none. Both separators are understood.
pub fn by_path(path: &str) -> Option<&'static Language> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let extension = name.rsplit_once('.')?.1.to_ascii_lowercase();
    LANGUAGES.iter().copied().find(|l| l.extensions.contains(&extension.as_str()))
}

/// Returns the language of an LSP language id, or none.
pub fn by_lsp_id(id: &str) -> Option<&'static Language> {
    LANGUAGES.iter().copied().find(|l| l.lsp_ids.contains(&id))
}
