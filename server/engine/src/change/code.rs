//! The code of a test as what is compared: tokens without blanks and comments, and statements made of them.
//!
//! A small lexer that is the same for every language, since base texts keep no tree. It need not be right about a language, only
//! the same on both sides: a lifetime read as the start of a string is so in both texts.

use crate::document::Document;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// Most tokens of one test that are looked at: longer ones are tables of data, and their head tells.
const TOKENS_MAX: usize = 6_000;

/// What an assertion weighs among statements (rules-a.md 7.1).
const ASSERTION_WEIGHT: u32 = 3;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Word,
    Number,
    Text,
    Sign,
}

/// A token by the hash of what it says.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) hash: u64,
    pub(crate) span: Range<usize>,
    /// A line ended before it.
    fresh_line: bool,
}

/// A statement by the hash of its tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statement {
    pub(crate) hash: u64,
    pub(crate) assertion: bool,
}

impl Statement {
    pub(crate) fn weight(&self) -> u32 {
        if self.assertion { ASSERTION_WEIGHT } else { 1 }
    }
}

/// The code of a unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    /// All that it says, the head (decorators, rows, parameters) included and its name left out.
    pub(crate) tokens: Vec<Token>,
    /// Those of its body.
    pub(crate) body: Range<usize>,
    pub(crate) statements: Vec<Statement>,
    /// Identity of the body.
    pub(crate) hash: u64,
}

impl Code {
    /// Returns the code of a unit; the texts of all units inside it are part of it.
    pub(crate) fn of(document: &Document, index: usize) -> Self {
        let units = &document.inventory().units;
        let unit = &units[index];
        let inside = &units[index..index + unit.size as usize];
        let mut comments: Vec<Range<usize>> =
            inside.iter().flat_map(|u| u.facts.local.comments.iter().map(|c| u.absolute(c.span))).collect();
        comments.sort_by_key(|c| c.start);
        let mut assertions: Vec<usize> =
            inside.iter().flat_map(|u| u.facts.local.assertions.iter().map(|a| u.absolute(a.span).start)).collect();
        assertions.sort_unstable();
        let name = unit.absolute(unit.facts.item.name_span);
        let mut tokens = lex(document.text(), unit.range.clone(), &comments);
        // A title is written with its quotes.
        tokens.retain(|t| t.span.end <= name.start || t.span.start >= name.end);
        let body = unit.facts.item.body.map_or(name.end..unit.range.end, |body| unit.absolute(body.span));
        let from = tokens.partition_point(|t| t.span.start < body.start);
        let to = tokens.partition_point(|t| t.span.start < body.end).max(from);
        Code::new(tokens, from..to, &assertions)
    }

    /// Returns the code of a byte range, all of it as a body.
    #[cfg(test)]
    pub(crate) fn of_text(text: &str, range: Range<usize>) -> Self {
        let tokens = lex(text, range, &[]);
        let all = 0..tokens.len();
        Code::new(tokens, all, &[])
    }

    fn new(tokens: Vec<Token>, body: Range<usize>, assertions: &[usize]) -> Self {
        let statements = statements(&tokens[body.clone()], assertions);
        let mut hasher = DefaultHasher::new();
        tokens[body.clone()].iter().for_each(|t| t.hash.hash(&mut hasher));
        Code { body, statements, hash: hasher.finish(), tokens }
    }

    /// Whether the body says enough to know it again by.
    pub(crate) fn is_telling(&self) -> bool {
        const TOKENS_MIN: usize = 4;
        self.body.len() >= TOKENS_MIN
    }

    /// Returns the tokens of the body.
    pub(crate) fn body(&self) -> &[Token] {
        &self.tokens[self.body.clone()]
    }
}

/// How telling a token is: one that stands in every test says little.
#[derive(Debug, Default)]
pub(crate) struct Weights {
    tests: f64,
    in_tests: HashMap<u64, u32>,
}

impl Weights {
    /// Takes a test into account.
    pub(crate) fn learn(&mut self, code: &Code) {
        self.tests += 1.0;
        let mut seen: Vec<u64> = code.tokens.iter().map(|t| t.hash).collect();
        seen.sort_unstable();
        seen.dedup();
        for hash in seen {
            *self.in_tests.entry(hash).or_insert(0) += 1;
        }
    }

    /// Whether a token stands in next to no other test.
    pub(crate) fn is_rare(&self, token: &Token) -> bool {
        const TESTS_MAX: f64 = 2.0;
        self.known(token) <= TESTS_MAX && self.tests > 2.0 * TESTS_MAX
    }

    fn known(&self, token: &Token) -> f64 {
        f64::from(self.in_tests.get(&token.hash).copied().unwrap_or(0))
    }

    /// Returns the weight of a token.
    fn of(&self, token: &Token) -> f64 {
        let weight = (1.0 + (self.tests + 1.0) / (self.known(token) + 1.0)).ln();
        // Signs are everywhere, and where they are many they drown the words.
        if token.kind == Kind::Sign { weight / 4.0 } else { weight }
    }

    /// Returns tokens as a bag.
    pub(crate) fn bag<'t>(&self, tokens: impl Iterator<Item = &'t Token>) -> Bag {
        Bag::new(tokens.map(|token| (token.hash, self.of(token))).collect())
    }

    /// Returns the words and literals of a body that are not in nearly every test, as a bag.
    pub(crate) fn own(&self, code: &Code) -> Bag {
        const EVERYWHERE_MIN: f64 = 0.8;
        let own = |t: &&Token| t.kind != Kind::Sign && self.known(t) < EVERYWHERE_MIN * self.tests;
        self.bag(code.body().iter().filter(own))
    }
}

/// Weighed things of which only number and kind count, made once and compared with many.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bag {
    /// Identity, number and weight of one, by identity.
    entries: Vec<(u64, u32, f64)>,
    total: f64,
}

impl Bag {
    fn new(mut things: Vec<(u64, f64)>) -> Self {
        things.sort_unstable_by_key(|(hash, _)| *hash);
        let total = things.iter().map(|(_, weight)| weight).sum();
        let mut entries: Vec<(u64, u32, f64)> = Vec::with_capacity(things.len());
        for (hash, weight) in things {
            match entries.last_mut() {
                Some((known, count, _)) if *known == hash => *count += 1,
                _ => entries.push((hash, 1, weight)),
            }
        }
        Bag { entries, total }
    }

    /// Returns the statements of a body as a bag.
    pub(crate) fn of_statements(code: &Code) -> Self {
        Bag::new(code.statements.iter().map(|s| (s.hash, f64::from(s.weight()))).collect())
    }

    /// Returns how alike two bags are, from 0 to 1: Dice over multisets.
    pub(crate) fn likeness(&self, other: &Bag) -> f64 {
        let all = self.total + other.total;
        if all == 0.0 { 0.0 } else { (2.0 * self.common(other) / all).min(1.0) }
    }

    /// Returns which part of this bag is in another one, from 0 to 1.
    pub(crate) fn held_by(&self, other: &Bag) -> f64 {
        if self.total == 0.0 { 0.0 } else { self.common(other) / self.total }
    }

    /// Returns how many different things are in it.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    fn common(&self, other: &Bag) -> f64 {
        let (mut at, mut common) = (0, 0.0);
        for (hash, count, weight) in &self.entries {
            while other.entries.get(at).is_some_and(|(known, ..)| known < hash) {
                at += 1;
            }
            if let Some((_, others, _)) = other.entries.get(at).filter(|(known, ..)| known == hash) {
                common += f64::from(*count.min(others)) * weight;
            }
        }
        common
    }
}

/// Returns the hash that a token of a kind and text has.
pub(crate) fn hash_of(kind: Kind, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (kind, text).hash(&mut hasher);
    hasher.finish()
}

/// Returns the tokens of a byte range, comments left out, and the commas before a closing bracket with them.
pub(crate) fn lex(text: &str, range: Range<usize>, comments: &[Range<usize>]) -> Vec<Token> {
    lex_up_to(text, range, comments, TOKENS_MAX)
}

fn lex_up_to(text: &str, range: Range<usize>, comments: &[Range<usize>], tokens_max: usize) -> Vec<Token> {
    let bytes = text.as_bytes();
    let end = range.end.min(bytes.len());
    let mut comments = comments.iter().peekable();
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = range.start;
    let mut fresh_line = false;
    while at < end && tokens.len() < tokens_max {
        while comments.peek().is_some_and(|c| c.end <= at) {
            comments.next();
        }
        if let Some(comment) = comments.peek().filter(|c| c.start <= at) {
            at = comment.end;
            continue;
        }
        let byte = bytes[at];
        if byte.is_ascii_whitespace() {
            fresh_line |= byte == b'\n' || byte == b'\r';
            at += 1;
            continue;
        }
        let (kind, inner, next) = match byte {
            b'"' | b'\'' | b'`' => quoted(bytes, at, end),
            b'0'..=b'9' => (Kind::Number, at..word_end(bytes, at, end, true), word_end(bytes, at, end, true)),
            b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => {
                (Kind::Word, at..word_end(bytes, at, end, false), word_end(bytes, at, end, false))
            }
            _ => (Kind::Sign, at..at + 1, at + 1),
        };
        if matches!(byte, b')' | b']' | b'}') && tokens.last().is_some_and(|t| bytes[t.span.start] == b',' && t.kind == Kind::Sign) {
            tokens.pop();
        }
        let hash = hash_of(kind, text.get(inner).unwrap_or(""));
        tokens.push(Token { kind, hash, span: at..next, fresh_line });
        fresh_line = false;
        at = next;
    }
    tokens
}

/// Returns all tokens of a text, as many as there are.
pub(crate) fn whole(text: &str, comments: &[Range<usize>]) -> Vec<Token> {
    lex_up_to(text, 0..text.len(), comments, usize::MAX)
}

fn word_end(bytes: &[u8], start: usize, end: usize, number: bool) -> usize {
    let part = |at: usize| {
        let byte = bytes[at];
        byte.is_ascii_alphanumeric()
            || byte == b'_'
            || byte == b'$'
            || byte >= 0x80
            || (number && byte == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit))
    };
    (start..end).find(|at| !part(*at)).unwrap_or(end)
}

/// Returns what stands at a quote: a string and what is in it, or a mere sign where nothing closes it on its line.
fn quoted(bytes: &[u8], start: usize, end: usize) -> (Kind, Range<usize>, usize) {
    let quote = bytes[start];
    let triple = quote != b'`' && bytes.get(start + 1) == Some(&quote) && bytes.get(start + 2) == Some(&quote);
    let width = if triple { 3 } else { 1 };
    let mut at = start + width;
    while at < end {
        match bytes[at] {
            b'\\' => at += 2,
            b'\n' if !triple && quote != b'`' => break,
            byte if byte == quote && (!triple || (bytes.get(at + 1) == Some(&quote) && bytes.get(at + 2) == Some(&quote))) => {
                return (Kind::Text, start + width..at, (at + width).min(end));
            }
            _ => at += 1,
        }
    }
    (Kind::Sign, start..start + 1, start + 1)
}

/// Returns the statements of a body: what stands between line ends, semicolons and braces, with brackets kept whole.
fn statements(tokens: &[Token], assertions: &[usize]) -> Vec<Statement> {
    let mut out = Vec::new();
    let mut open: Vec<u64> = Vec::new();
    let mut from = 0;
    let signs = Signs::get();
    let mut assertions = assertions.iter().peekable();
    let mut end_at = |from: usize, to: usize, assertions: &mut std::iter::Peekable<std::slice::Iter<'_, usize>>| {
        let part = &tokens[from..to];
        let (Some(first), Some(last)) = (part.first(), part.last()) else { return };
        let mut assertion = false;
        while assertions.peek().is_some_and(|a| **a < last.span.end) {
            assertion |= assertions.next().is_some_and(|a| *a >= first.span.start);
        }
        let mut hasher = DefaultHasher::new();
        part.iter().filter(|t| !signs.end.contains(&t.hash)).for_each(|t| t.hash.hash(&mut hasher));
        out.push(Statement { hash: hasher.finish(), assertion });
    };
    for (at, token) in tokens.iter().enumerate() {
        let inside = open.last().is_some_and(|o| *o != signs.brace);
        let continues = signs.continuing.contains(&token.hash) || (at > 0 && signs.continued.contains(&tokens[at - 1].hash));
        if at > from && !inside && token.fresh_line && !continues {
            end_at(from, at, &mut assertions);
            from = at;
        }
        if token.kind != Kind::Sign {
            continue;
        }
        if signs.opening.contains(&token.hash) {
            if token.hash == signs.brace {
                end_at(from, at, &mut assertions);
                from = at + 1;
            }
            open.push(token.hash);
        } else if signs.closing.contains(&token.hash) {
            if token.hash == signs.closing[0] {
                end_at(from, at, &mut assertions);
                from = at + 1;
            }
            open.pop();
        } else if token.hash == signs.end[0] && !inside {
            end_at(from, at, &mut assertions);
            from = at + 1;
        }
    }
    end_at(from.min(tokens.len()), tokens.len(), &mut assertions);
    out
}

/// Hashes of the signs that divide statements.
struct Signs {
    brace: u64,
    opening: [u64; 3],
    closing: [u64; 3],
    /// A semicolon, and a comma at an end.
    end: [u64; 2],
    /// A line that begins with one goes on with the one above.
    continuing: [u64; 4],
    /// A line that ends with one goes on below.
    continued: [u64; 9],
}

impl Signs {
    fn get() -> &'static Signs {
        static SIGNS: std::sync::LazyLock<Signs> = std::sync::LazyLock::new(|| {
            let of = |text: &str| hash_of(Kind::Sign, text);
            Signs {
                brace: of("{"),
                opening: [of("{"), of("("), of("[")],
                closing: [of("}"), of(")"), of("]")],
                end: [of(";"), of(",")],
                continuing: [of("."), of("?"), of("&"), of("|")],
                continued: [of("="), of(","), of("+"), of("-"), of("&"), of("|"), of("."), of("<"), of("\\")],
            }
        });
        &SIGNS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> usize {
        Code::of_text(text, 0..text.len()).statements.len()
    }

    #[test]
    fn layout_does_not_divide_a_statement() {
        let one = Code::of_text("call(1, 2);\nassert(x)", 0..21);
        let other = Code::of_text("call(\n  1,\n  2,\n)\nassert(\n x\n)", 0..32);
        let (one, other) = (Bag::of_statements(&one), Bag::of_statements(&other));
        assert!((one.likeness(&other) - 1.0).abs() < f64::EPSILON, "{one:?} {other:?}");
        assert_eq!(count("a = b\n  .c()\n  .d()\n"), 1);
        assert_eq!(count("x = 1; y = 2\nz = 3"), 3);
        assert_eq!(count("f(() => { a(); b() })"), 4);
    }

    #[test]
    fn quotes_are_one_and_an_open_one_is_a_sign() {
        let code = |text: &str| Code::of_text(text, 0..text.len()).hash;
        assert_eq!(code("a('x')"), code("a(\"x\")"));
        assert_ne!(code("a('x')"), code("a('y')"));
        assert_eq!(Code::of_text("it's", 0..4).tokens.len(), 3);
        assert_eq!(Code::of_text("\"\"\"a\nb\"\"\"", 0..9).tokens.len(), 1);
    }
}
