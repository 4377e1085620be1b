//! Cuts the text of a comment into the pieces that can be a phrase: sentences that run over lines stay together,
//! list items and dotted lines stand alone.
//!
//! Also knows when a piece is an elision by its form (dots, brackets) and when a promise is tracked.

use super::pattern::Window;
use super::words::{Kind, Words};

/// A piece of a comment and the line it begins on.
pub(super) struct Unit {
    pub(super) line: usize,
    pub(super) text: String,
}

/// The pieces of `text`.
pub(super) fn of(text: &str) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut open = false;
    for (line, raw) in text.lines().enumerate() {
        let (content, item) = without_bullet(raw.trim());
        if content.is_empty() {
            open = false;
            continue;
        }
        match units.last_mut() {
            Some(unit) if open && !item && !begins(content) => {
                unit.text.push(' ');
                unit.text.push_str(content);
            }
            _ => units.push(Unit { line, text: content.to_owned() }),
        }
        open = !content.ends_with(['.', '…', '!', '?', '。', '！', '？', ']']);
    }
    units
}

/// Whether a line cannot be the continuation of the line before.
fn begins(line: &str) -> bool {
    let markers = ["...", "…", "[", "{", "TODO", "FIXME", "XXX", "HACK", "NOTE"];
    markers.iter().any(|marker| line.starts_with(marker))
}

/// A line without its list bullet, and whether it had one.
fn without_bullet(line: &str) -> (&str, bool) {
    for bullet in ["- ", "* ", "• ", "+ "] {
        if let Some(rest) = line.strip_prefix(bullet) {
            return (rest.trim_start(), true);
        }
    }
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match line[digits..].strip_prefix(['.', ')']) {
        Some(rest) if digits > 0 && rest.starts_with(' ') => (rest.trim_start(), true),
        _ => (line, false),
    }
}

/// The words of a piece without the dots, brackets and decoration around it, and whether dots or brackets were there.
pub(super) fn whole(words: &Words) -> Option<(Window, bool)> {
    let kinds: Vec<Kind> = words.tokens.iter().map(|t| t.kind).collect();
    let start = kinds.iter().position(|k| *k == Kind::Word)?;
    let end = kinds.iter().rposition(|k| *k == Kind::Word)? + 1;
    let (lead, tail, middle) = (&kinds[..start], &kinds[end..], &kinds[start..end]);
    let bracketed = lead.contains(&Kind::Open) && tail.contains(&Kind::Close) && is_one_group(middle);
    let dotted = bracketed || lead.contains(&Kind::Dots) || tail.contains(&Kind::Dots);
    Some((Window { start, end }, dotted))
}

/// Whether dots stand before and behind the words of a piece.
pub(super) fn dots_around(words: &Words, window: Window) -> (bool, bool) {
    let dots = |tokens: &[super::words::Token]| tokens.iter().any(|t| t.kind == Kind::Dots);
    (dots(&words.tokens[..window.start]), dots(&words.tokens[window.end..]))
}

/// Whether brackets around `kinds` would belong together.
fn is_one_group(kinds: &[Kind]) -> bool {
    let mut depth = 0i32;
    for kind in kinds {
        depth += i32::from(*kind == Kind::Open) - i32::from(*kind == Kind::Close);
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// How many words a window holds. Four ideographs count as one word.
pub(super) fn count(words: &Words, window: Window) -> usize {
    let texts = words.tokens[window.start..window.end].iter().filter(|t| t.kind == Kind::Word).map(|t| words.text(*t));
    let quarters: usize = texts.map(|text| if text.chars().count() == 1 && !text.is_ascii() { 1 } else { 4 }).sum();
    quarters.div_ceil(4)
}

/// Names of standards that look like the key of a ticket.
const NOT_TICKETS: [&str; 14] = ["UTF", "SHA", "ISO", "RFC", "AES", "MD", "HTTP", "IEEE", "CVE", "CP", "RSA", "TLS", "IPV", "BASE"];

/// Whether a promise names an owner, a ticket or a link.
pub(super) fn tracked(text: &str) -> bool {
    if text.contains("://") || text.contains("www.") {
        return true;
    }
    for marker in ["TODO", "FIXME", "XXX", "HACK"] {
        for (at, _) in text.match_indices(marker) {
            let rest = text[at + marker.len()..].trim_start_matches([' ', ':', '-']);
            let glued = text[at + marker.len()..].starts_with(['(', '[', '@', '/', '<']);
            if rest.starts_with('@')
                || (glued && rest.chars().nth(1).is_some_and(char::is_alphanumeric))
                || text[at + marker.len()..].starts_with("(#")
            {
                return true;
            }
        }
    }
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '#' | '-' | '_' | '/')));
    words.any(is_ticket)
}

/// `#12`, `GH-12`, `OPS-412`, `owner/repo#12`.
fn is_ticket(word: &str) -> bool {
    if let Some((_, number)) = word.split_once('#') {
        return !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    }
    let Some((key, number)) = word.split_once('-') else {
        return false;
    };
    key.len() >= 2
        && key.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        && key.starts_with(|c: char| c.is_ascii_uppercase())
        && !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit())
        && !NOT_TICKETS.contains(&key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(usize, String)> {
        of(text).into_iter().map(|u| (u.line, u.text)).collect()
    }

    #[test]
    fn sentences_run_over_lines_and_items_do_not() {
        assert_eq!(lines("a b\nc d.\n\nE"), [(0, "a b c d.".to_owned()), (3, "E".to_owned())]);
        assert_eq!(lines("... x ...\nrest of it"), [(0, "... x ...".to_owned()), (1, "rest of it".to_owned())]);
        assert_eq!(
            lines("- a\n- b\n1. c\nTODO: d"),
            [(0, "a".to_owned()), (1, "b".to_owned()), (2, "c".to_owned()), (3, "TODO: d".to_owned())]
        );
    }

    #[test]
    fn owners_tickets_and_links_track() {
        for yes in [
            "TODO(ana): x",
            "TODO @ana x",
            "TODO[ana]: x",
            "TODO: x, see #12",
            "FIXME OPS-412 x",
            "TODO: x https://a.b/c",
            "TODO(#412): x",
            "see rust-lang/rust#12",
        ] {
            assert!(tracked(yes), "{yes}");
        }
        for no in ["TODO: x", "TODO: UTF-8 x", "TODO: use (a) b", "FIXME - 12 x", "TODO: covid-19 x", "TODO () x", "C# x"] {
            assert!(!tracked(no), "{no}");
        }
    }

    #[test]
    fn form_is_dots_or_brackets() {
        let dotted = |t: &str| whole(&Words::of(t)).map(|w| w.1);
        assert_eq!(dotted("... a"), Some(true));
        assert_eq!(dotted("(a b)"), Some(true));
        assert_eq!(dotted("[[ a ]]"), Some(true));
        assert_eq!(dotted("(a) b (c)"), Some(false));
        assert_eq!(dotted("a b."), Some(false));
        assert_eq!(dotted("..."), None);
    }
}
