//! Turns comment text into words and marks that the phrase tables are matched against.
//!
//! Letters are folded (lower case, accents and full-width forms dropped), every CJK character is a word of its own,
//! and what stands in quotes or backticks is one blank word: a phrase that is quoted is talked about, not said.
//! Word boundaries are those of Unicode letters, so *método* never contains *todo*.
//! `Prefilter` (in `pattern.rs`) reads raw text with the same folding, without allocating.

/// What a character is to a phrase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Folded {
    /// Part of a word, folded.
    Letter(char),
    /// A word by itself.
    Ideograph(char),
    /// A combining accent: nothing.
    Nothing,
    /// Anything else.
    Mark(char),
}

/// The letters U+00C0 to U+00FF without their accents.
const LATIN: &[u8; 64] = b"aaaaaaaceeeeiiiidnooooo*ouuuuypsaaaaaaaceeeeiiiidnooooo/ouuuuypy";

/// Folds one character.
pub(super) fn fold(c: char) -> Folded {
    match c {
        'a'..='z' | '0'..='9' | '_' => Folded::Letter(c),
        'A'..='Z' => Folded::Letter(c.to_ascii_lowercase()),
        '\0'..='\x7f' | '×' | '÷' => Folded::Mark(c),
        '\u{c0}'..='\u{ff}' => Folded::Letter(char::from(LATIN[c as usize - 0xc0])),
        'œ' | 'Œ' => Folded::Letter('o'),
        '\u{300}'..='\u{36f}' | '\u{fe0f}' | '\u{200b}'..='\u{200d}' => Folded::Nothing,
        '\u{ff01}'..='\u{ff5e}' => match char::from_u32(c as u32 - 0xfee0) {
            Some(half) => fold(half),
            None => Folded::Mark(c),
        },
        // Hiragana, Katakana (not its middle dot), Han.
        '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}' | '\u{3400}'..='\u{9fff}' => {
            Folded::Ideograph(c)
        }
        _ if c.is_alphanumeric() => Folded::Letter(c.to_lowercase().next().unwrap_or(c)),
        _ => Folded::Mark(c),
    }
}

/// What stands between words, as far as phrases care.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A word; its text is in the buffer. Empty: something quoted.
    Word,
    /// Three dots or more.
    Dots,
    /// The end of a sentence.
    Stop,
    /// A comma: passed over.
    Comma,
    /// A colon or a free-standing dash: passed over, but a clause may end or start there.
    Clause,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// Anything that prose does not hold: an operator, an at sign.
    Hard,
}

/// One word or mark.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    start: u32,
    end: u32,
}

/// A stretch of text as tokens.
#[derive(Default)]
pub(super) struct Words {
    buffer: String,
    pub(super) tokens: Vec<Token>,
}

/// The markers of a to-do that count in upper case only (or in front of a colon): "todo" is a word in three languages.
const MARKERS: [&str; 4] = ["TODO", "FIXME", "XXX", "HACK"];

impl Words {
    /// Splits `text`.
    pub(super) fn of(text: &str) -> Words {
        let mut words = Words { buffer: String::with_capacity(text.len()), tokens: Vec::with_capacity(text.len() / 4) };
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            at = match fold(c) {
                Folded::Letter(_) => words.word(text, at),
                Folded::Ideograph(same) => {
                    let start = words.buffer.len();
                    words.buffer.push(same);
                    words.push(Kind::Word, start);
                    at + c.len_utf8()
                }
                Folded::Nothing => at + c.len_utf8(),
                Folded::Mark(m) => words.mark(text, at, c, m),
            };
        }
        words
    }

    /// The text of a token, empty for marks and quotations.
    pub(super) fn text(&self, token: Token) -> &str {
        &self.buffer[token.start as usize..token.end as usize]
    }

    fn push(&mut self, kind: Kind, start: usize) {
        self.tokens.push(Token { kind, start: start as u32, end: self.buffer.len() as u32 });
    }

    fn word(&mut self, text: &str, at: usize) -> usize {
        let start = self.buffer.len();
        let mut end = at;
        for (i, c) in text[at..].char_indices() {
            match fold(c) {
                Folded::Letter(l) => self.buffer.push(l),
                Folded::Nothing => {}
                // `a.b` is one word: a name, an abbreviation or a number.
                Folded::Mark('.') if dot_joins(&text[at + i + 1..]) => self.buffer.push('.'),
                _ => break,
            }
            end = at + i + c.len_utf8();
        }
        let raw = &text[at..end];
        if MARKERS.iter().any(|m| m.eq_ignore_ascii_case(raw)) && (MARKERS.contains(&raw) || text[end..].starts_with([':', '：'])) {
            self.buffer.truncate(start);
            self.buffer.push_str(&raw.to_ascii_uppercase());
        }
        self.push(Kind::Word, start);
        end
    }

    fn mark(&mut self, text: &str, at: usize, raw: char, c: char) -> usize {
        let next = at + raw.len_utf8();
        let rest = &text[next..];
        let after_letter = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        let before_letter = rest.chars().next().is_some_and(char::is_alphanumeric);
        let start = self.buffer.len();
        let kind = match c {
            '.' | '…' | '‥' | '。' | '・' => {
                let more: usize = rest.chars().take_while(|d| *d == raw).map(char::len_utf8).sum();
                let dots = matches!(c, '…' | '‥') || more >= 2 * raw.len_utf8();
                let kind = match c {
                    _ if dots => Kind::Dots,
                    '.' if more > 0 => Kind::Hard,
                    '・' => Kind::Comma,
                    _ => Kind::Stop,
                };
                self.push(kind, start);
                return next + more;
            }
            '`' | '"' | '“' | '«' | '「' | '『' | '„' => {
                let close = match c {
                    '“' | '„' => '”',
                    '«' => '»',
                    '「' => '」',
                    '『' => '』',
                    same => same,
                };
                match rest.find(|d| d == close || (c == '„' && d == '“')) {
                    Some(end) => {
                        self.push(Kind::Word, start);
                        let step = rest[end..].chars().next().map_or(1, char::len_utf8);
                        return next + end + step;
                    }
                    None => Kind::Hard,
                }
            }
            '\'' if !after_letter => match rest.find('\'') {
                Some(end) if !rest[end + 1..].starts_with(char::is_alphanumeric) => {
                    self.push(Kind::Word, start);
                    return next + end + 1;
                }
                _ => return next,
            },
            '\'' | '’' => return next,
            ';' | '!' | '?' => Kind::Stop,
            ',' | '、' => Kind::Comma,
            ':' | '—' | '–' => Kind::Clause,
            '-' if after_letter && before_letter => return next,
            '-' => {
                let more = rest.len() - rest.trim_start_matches('-').len();
                self.push(if rest[more..].starts_with('>') { Kind::Hard } else { Kind::Clause }, start);
                return next + more;
            }
            '(' | '[' | '{' | '【' => Kind::Open,
            ')' | ']' | '}' | '】' => Kind::Close,
            '<' if before_letter => Kind::Open,
            '>' if after_letter => Kind::Close,
            '/' if after_letter && before_letter => Kind::Comma,
            _ if c.is_whitespace() => return next,
            _ => Kind::Hard,
        };
        self.push(kind, start);
        next
    }
}

fn dot_joins(rest: &str) -> bool {
    rest.chars().next().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        let words = Words::of(text);
        let show = |t: &Token| match t.kind {
            Kind::Word if words.text(*t).is_empty() => "\"\"".to_owned(),
            Kind::Word => words.text(*t).to_owned(),
            kind => format!("{kind:?}"),
        };
        words.tokens.iter().map(show).collect()
    }

    #[test]
    fn letters_are_folded() {
        assert_eq!(split("Método À INALTÉRÉ Straße"), ["metodo", "a", "inaltere", "strase"]);
        assert_eq!(split("me\u{301}todo"), ["metodo"]);
        assert_eq!(split("ＴＯＤＯ：実装"), ["todo", "Clause", "実", "装"]);
    }

    #[test]
    fn markers_keep_their_case() {
        assert_eq!(split("TODO todo todo: TODOS"), ["TODO", "todo", "TODO", "Clause", "todos"]);
    }

    #[test]
    fn dots_and_quotes_are_marks() {
        assert_eq!(split("...args, a..b … e.g. x."), ["Dots", "args", "Comma", "a", "Hard", "b", "Dots", "e.g", "Stop", "x", "Stop"]);
        assert_eq!(split("say \"TODO: x\" or `y` or 'z' don't"), ["say", "\"\"", "or", "\"\"", "or", "\"\"", "don", "t"]);
        assert_eq!(split("hard-coded - it's => x"), ["hard", "coded", "Clause", "it", "s", "Hard", "Hard", "x"]);
    }
}
