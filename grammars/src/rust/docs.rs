//! Examples in documentation of Rust: `rustdoc` runs them as tests unless their fence says otherwise.
//!
//! A run of doc comments is read at its first line, so that opening and closing fences are told apart.

use super::macros::qualified;
use super::tokens::{Kind, Tokens};
use crate::facts::{Condition, Edit, Effect, Marker, OnNew};
use crate::visit::Visit;
use std::hash::{DefaultHasher, Hash, Hasher};
use tree_sitter::Node;

/// Emits the examples of the run of doc comments that starts at a comment; nothing for any other comment.
pub(super) fn visit(node: Node<'_>, visit: &mut Visit<'_, '_>) {
    let text = visit.text;
    let start = node.start_byte();
    let rest = &text[start..];
    let marker = match () {
        () if rest.starts_with("////") => return,
        () if rest.starts_with("///") => "///",
        () if rest.starts_with("//!") => "//!",
        () if rest.starts_with("/**") || rest.starts_with("/*!") => "*",
        () => return,
    };
    let first = text[..start].rfind('\n').map_or(0, |i| i + 1);
    if marker != "*" && follows(&text[..first], marker) {
        return;
    }
    let end = if marker == "*" { node.end_byte() } else { run_end(text, start, marker) };
    if text.get(start..end).is_some_and(|t| t.contains("```")) {
        examples(start, end, marker, visit);
    }
}

/// Whether the line before is a doc comment of the same kind.
fn follows(before: &str, marker: &str) -> bool {
    let Some(before) = before.strip_suffix('\n') else { return false };
    let line = &before[before.rfind('\n').map_or(0, |i| i + 1)..];
    is_doc(line, marker)
}

fn is_doc(line: &str, marker: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(marker) && !line.starts_with("////")
}

/// Returns the end of the run that starts at a comment; code or a byte order mark may stand before it on its line.
fn run_end(text: &str, start: usize, marker: &str) -> usize {
    let lines = text[start..].split_inclusive('\n').take_while(|line| is_doc(line, marker));
    start + lines.map(str::len).sum::<usize>()
}

/// An open fence.
struct Fence {
    ticks: usize,
    /// Where the words behind the ticks start.
    at: usize,
    words: String,
    hash: DefaultHasher,
    lines: usize,
}

fn examples(start: usize, end: usize, marker: &str, visit: &mut Visit<'_, '_>) {
    let text = visit.text;
    let mut open: Option<Fence> = None;
    let mut at = start;
    for line in text[start..end].split_inclusive('\n') {
        let stripped = line.trim_start();
        let stripped = stripped.strip_prefix(marker).or_else(|| stripped.strip_prefix("/**")).unwrap_or(stripped).trim_start();
        let ticks = stripped.bytes().take_while(|b| *b == b'`').count();
        let info = at + (line.len() - stripped.len()) + ticks;
        let words = stripped[ticks..].trim();
        at += line.len();
        match &mut open {
            Some(fence) if ticks >= fence.ticks && words.is_empty() => {
                if let Some(fence) = open.take() {
                    close(fence, start, end, marker, visit);
                }
            }
            Some(_) if stripped.trim().is_empty() => {}
            Some(fence) => {
                stripped.trim().hash(&mut fence.hash);
                fence.lines += 1;
            }
            None if ticks >= 3 && !words.contains('`') => {
                open = Some(Fence { ticks, at: info, words: words.to_owned(), hash: DefaultHasher::new(), lines: 0 });
            }
            None => {}
        }
    }
}

fn close(fence: Fence, start: usize, end: usize, marker: &str, visit: &mut Visit<'_, '_>) {
    if fence.lines == 0 {
        return;
    }
    let example = fence.hash.finish();
    let word = |wanted: fn(&str) -> bool| {
        fence.words.split([',', ' ', '\t', '{', '}']).filter(|w| !w.is_empty()).find(|w| wanted(w)).map(str::to_owned)
    };
    let off = word(|w| w == "ignore" || w.starts_with("ignore-")).or_else(|| word(|w| w == "text" || w == "txt"));
    let Some(off) = off else {
        if word(|w| !runs(w)).is_none() {
            visit.out.examples.push(example);
        }
        return;
    };
    let from = fence.at + visit.text[fence.at..].find(&off).unwrap_or(0);
    let mut marker_fact = Marker::new(Effect::Disabled, visit.span_of(from, from + off.len()));
    if off.starts_with("ignore-") {
        marker_fact.condition = Condition::Runtime;
    }
    marker_fact.on_new = OnNew::Silent;
    marker_fact.example = Some(example);
    let documented = if marker == "//!" { None } else { documented(visit.text, end) };
    marker_fact.subject = documented.map(|name| qualified(visit.frames, name));
    let comma = usize::from(visit.text[from + off.len()..].starts_with(','));
    marker_fact.removal = vec![Edit { span: visit.span_of(from, from + off.len() + comma), text: String::new() }];
    debug_assert!(start <= from);
    visit.out.markers.push(marker_fact);
}

/// Whether a word behind a fence leaves it an example that is compiled.
fn runs(word: &str) -> bool {
    ["rust", "should_panic", "no_run", "compile_fail", "test_harness", "standalone", "standalone_crate"].contains(&word)
        || word.starts_with("edition")
        || (word.starts_with('E') && word[1..].bytes().all(|b| b.is_ascii_digit()))
}

/// Returns the name of the item behind a run of doc comments.
fn documented(text: &str, from: usize) -> Option<&str> {
    const BYTES_MAX: usize = 2000;
    let mut end = (from + BYTES_MAX).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let (mut depth, mut named) = (0usize, false);
    for token in Tokens::new(text, from..end) {
        let word = &text[token.start..token.end];
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close if depth == 0 => return None,
            Kind::Close => depth -= 1,
            Kind::Word if depth == 0 && named => return Some(word),
            Kind::Word if depth == 0 => {
                named = ["fn", "struct", "enum", "union", "trait", "mod", "type", "static", "macro_rules"].contains(&word);
            }
            Kind::Punct(b'!') => {}
            Kind::Punct(b';' | b',' | b'=') if depth == 0 => return None,
            _ => {}
        }
    }
    None
}
