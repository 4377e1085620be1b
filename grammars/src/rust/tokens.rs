//! Rust tokens of a byte range: attributes and macro bodies are token trees, which no node kind describes.
//!
//! Knows strings, raw strings, lifetimes and nested comments, so that text inside them is never taken for code. Offsets are
//! absolute in the text.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Identifier or keyword.
    Word,
    /// String of any kind, with its quotes.
    Text,
    /// Number, character, lifetime.
    Literal,
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// One character of punctuation.
    Punct(u8),
}

/// A token and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The tokens of a range, comments and blanks left out.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Tokens<'a> {
    /// Returns the tokens of a byte range of a text.
    pub(super) fn new(text: &'a str, range: Range<usize>) -> Self {
        let boundary = |mut at: usize| {
            at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let end = boundary(range.end);
        Tokens { text, at: boundary(range.start).min(end), end }
    }

    fn byte(&self, ahead: usize) -> u8 {
        if self.at + ahead < self.end { self.text.as_bytes()[self.at + ahead] } else { 0 }
    }

    /// Skips to behind the first occurrence of a byte string, or to the end.
    fn skip_past(&mut self, from: usize, needle: &str) {
        let from = from.min(self.end);
        let rest = &self.text.as_bytes()[from..self.end];
        let found = rest.windows(needle.len()).position(|w| w == needle.as_bytes());
        self.at = found.map_or(self.end, |i| from + i + needle.len());
    }

    fn skip_blank(&mut self) {
        while self.at < self.end {
            match self.byte(0) {
                b if b.is_ascii_whitespace() => self.at += 1,
                b'/' if self.byte(1) == b'/' => self.skip_past(self.at, "\n"),
                b'/' if self.byte(1) == b'*' => self.skip_block(),
                _ => break,
            }
        }
    }

    fn skip_block(&mut self) {
        let mut depth = 0usize;
        while self.at < self.end {
            match (self.byte(0), self.byte(1)) {
                (b'/', b'*') => (depth, self.at) = (depth + 1, self.at + 2),
                (b'*', b'/') => {
                    (depth, self.at) = (depth.saturating_sub(1), self.at + 2);
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
        self.at = self.end;
    }

    fn skip_quoted(&mut self, quote: u8) {
        self.at += 1;
        while self.at < self.end {
            match self.byte(0) {
                b'\\' => self.at += 2,
                b if b == quote => {
                    self.at += 1;
                    break;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.end);
    }

    fn word(&mut self) -> Kind {
        let start = self.at;
        while self.at < self.end && is_word(self.byte(0)) {
            self.at += 1;
        }
        let word = &self.text.as_bytes()[start..self.at];
        let prefix = matches!(word, b"r" | b"b" | b"c" | b"br" | b"cr");
        match self.byte(0) {
            b'"' if prefix && word.contains(&b'r') => self.skip_past(self.at + 1, "\""),
            b'"' if prefix => self.skip_quoted(b'"'),
            b'\'' if word == b"b" => {
                self.skip_quoted(b'\'');
                return Kind::Literal;
            }
            b'#' if prefix && word.contains(&b'r') => {
                let hashes = (0..).take_while(|i| self.byte(*i) == b'#').count();
                if self.byte(hashes) != b'"' {
                    // A raw identifier.
                    self.at += 1;
                    while self.at < self.end && is_word(self.byte(0)) {
                        self.at += 1;
                    }
                    return Kind::Word;
                }
                let close = format!("\"{}", "#".repeat(hashes));
                self.skip_past(self.at + hashes + 1, &close);
            }
            _ if word.first().is_some_and(u8::is_ascii_digit) => return Kind::Literal,
            _ => return Kind::Word,
        }
        Kind::Text
    }

    fn tick(&mut self) -> Kind {
        let rest = &self.text[self.at + 1..self.end];
        let mut chars = rest.chars();
        match (chars.next(), chars.next()) {
            (Some('\\'), _) => self.skip_quoted(b'\''),
            (Some(c), Some('\'')) => self.at += 2 + c.len_utf8(),
            _ => {
                self.at += 1;
                while self.at < self.end && is_word(self.byte(0)) {
                    self.at += 1;
                }
            }
        }
        Kind::Literal
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_blank();
        if self.at >= self.end {
            return None;
        }
        let start = self.at;
        let kind = match self.byte(0) {
            b if is_word(b) => self.word(),
            b'"' => {
                self.skip_quoted(b'"');
                Kind::Text
            }
            b'\'' => self.tick(),
            byte => {
                self.at += 1;
                match byte {
                    b'(' | b'[' | b'{' => Kind::Open,
                    b')' | b']' | b'}' => Kind::Close,
                    _ => Kind::Punct(byte),
                }
            }
        };
        Some(Token { kind, start, end: self.at })
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Returns the ranges between commas that stand outside all brackets; blank ones left out.
pub(super) fn arguments(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut current: Option<Range<usize>> = None;
    for token in Tokens::new(text, range) {
        match token.kind {
            Kind::Punct(b',') if depth == 0 => {
                found.extend(current.take());
                continue;
            }
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        current = Some(current.map_or(token.start, |c| c.start)..token.end);
    }
    found.extend(current);
    found
}

/// Returns a range without the bracket that closes it; in broken text there may be none.
pub(super) fn before_close(text: &str, range: Range<usize>) -> Range<usize> {
    let closed = range.start < range.end && matches!(text.as_bytes().get(range.end - 1), Some(b')' | b']' | b'}'));
    range.start..if closed { range.end - 1 } else { range.end.max(range.start) }
}

/// Returns the text between the quotes of a string token.
pub(super) fn unquoted(token: &str) -> &str {
    let open = token.find('"').map_or(0, |i| i + 1);
    let close = token.rfind('"').unwrap_or(token.len());
    token.get(open..close.max(open)).unwrap_or("")
}
