//! Colours, only where they help: on a terminal that wants them.

use owo_colors::{OwoColorize, Style as Paint};
use std::io::IsTerminal;

/// Whether and how parts of a text are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    colours: bool,
}

impl Style {
    /// Returns a style without colours.
    pub fn plain() -> Self {
        Style { colours: false }
    }

    /// Returns the style of standard output: colours on a terminal, unless `NO_COLOR` is set or it can show none.
    pub fn of_stdout() -> Self {
        Style::of(std::io::stdout().is_terminal())
    }

    /// Returns the style of standard error, decided likewise.
    pub fn of_stderr() -> Self {
        Style::of(std::io::stderr().is_terminal())
    }

    fn of(terminal: bool) -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Style { colours: terminal && !set("NO_COLOR") && !dumb }
    }

    fn paint(self, text: &str, paint: Paint) -> String {
        if self.colours { text.style(paint).to_string() } else { text.to_owned() }
    }

    pub(super) fn block(self, text: &str) -> String {
        self.paint(text, Paint::new().red().bold())
    }

    pub(super) fn warn(self, text: &str) -> String {
        self.paint(text, Paint::new().yellow().bold())
    }

    pub(super) fn good(self, text: &str) -> String {
        self.paint(text, Paint::new().green().bold())
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint(text, Paint::new().bold())
    }

    pub(super) fn dim(self, text: &str) -> String {
        self.paint(text, Paint::new().dimmed())
    }
}
