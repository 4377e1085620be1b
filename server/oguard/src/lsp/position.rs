//! Positions of the protocol, as the session has them: the protocol's types and names for what `session/position.rs` counts.

use crate::session::Point;
pub(crate) use crate::session::position::{Encoding, byte, point};
use ropey::Rope;
use tower_lsp::ls_types;

impl Encoding {
    /// Returns the encoding of the protocol's name.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        match name {
            "utf-8" => Some(Encoding::Utf8),
            "utf-16" => Some(Encoding::Utf16),
            "utf-32" => Some(Encoding::Utf32),
            _ => None,
        }
    }

    /// Returns the protocol's name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
            Encoding::Utf32 => "utf-32",
        }
    }
}

/// Returns a byte range as the protocol has it.
pub(crate) fn range(text: &Rope, bytes: &std::ops::Range<usize>, encoding: Encoding) -> ls_types::Range {
    let position = |byte| {
        let Point { line, character } = point(text, byte, encoding);
        ls_types::Position { line, character }
    };
    ls_types::Range { start: position(bytes.start), end: position(bytes.end.max(bytes.start)) }
}

/// Returns a position of the protocol as the session has it.
pub(crate) fn of(position: ls_types::Position) -> Point {
    Point { line: position.line, character: position.character }
}
