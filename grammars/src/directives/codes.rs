//! Reads the codes behind the opening words of a directive and tells what is left over for a reason.

use super::row::Codes;

/// Codes and the text behind them.
pub(super) struct Found<'a> {
    pub(super) codes: Vec<&'a str>,
    pub(super) rest: &'a str,
}

/// Reads `text`, which follows the opening. None where the spelling requires codes that are not there.
pub(super) fn read(text: &str, spelled: Codes) -> Option<Found<'_>> {
    let found = match spelled {
        Codes::Nothing => Found { codes: Vec::new(), rest: text },
        Codes::Fixed(code) => Found { codes: vec![code], rest: text },
        Codes::Commas => list(text, |_, _| true, false),
        Codes::Blanks => list(text, |code, first| first || is_rule_like(code), true),
        Codes::One => one(text),
        Codes::Colon => match text.trim_start().strip_prefix(':') {
            Some(rest) => list(rest, |code, first| first || is_rule_like(code), true),
            None => Found { codes: Vec::new(), rest: text },
        },
        Codes::ColonDigits => match text.trim_start().strip_prefix(':') {
            Some(rest) => list(rest, |code, _| is_letters_and_digits(code), true),
            None => Found { codes: Vec::new(), rest: text },
        },
        Codes::Digits => list(text.trim_start().trim_start_matches(':'), |code, _| is_letters_and_digits(code), true),
        Codes::Equals => equals(text)?,
        Codes::Bracket => enclosed(text, '[', ']'),
        Codes::BracketOrOne if text.trim_start().starts_with('[') => enclosed(text, '[', ']'),
        Codes::BracketOrOne => one(text),
        Codes::Paren => enclosed(text, '(', ')'),
    };
    Some(found)
}

/// `a, b`, and with `blanks` also `a b`, as long as `wanted(code, asked)`: the first one and those behind a comma are asked for.
fn list(text: &str, wanted: impl Fn(&str, bool) -> bool, blanks: bool) -> Found<'_> {
    let mut codes = Vec::new();
    let (mut rest, mut asked) = (text, true);
    loop {
        let start = rest.trim_start();
        let length = start.find(|c: char| !is_code_char(c)).unwrap_or(start.len());
        let code = start[..length].trim_end_matches(['.', ':', '-']);
        let reason = start.starts_with('-') || start.starts_with("//");
        if code.is_empty() || reason || !wanted(code, asked) {
            break;
        }
        codes.push(code);
        rest = &start[code.len()..];
        match rest.trim_start().strip_prefix(',') {
            Some(next) => (rest, asked) = (next, true),
            None if blanks && rest.starts_with(char::is_whitespace) => asked = false,
            None => break,
        }
    }
    Found { codes, rest }
}

fn one(text: &str) -> Found<'_> {
    let start = text.trim_start().trim_start_matches(':').trim_start();
    let length = start.find(char::is_whitespace).unwrap_or(start.len());
    let word = start[..length].trim_end_matches([':', ',', ';']);
    let codes = word.split(',').filter(|code| code.starts_with(|c: char| c.is_alphanumeric() || c == '@')).collect();
    Found { codes, rest: &start[word.len()..] }
}

/// `=a,b`, then perhaps ` disable=c`.
fn equals(text: &str) -> Option<Found<'_>> {
    let mut rest = text.trim_start().strip_prefix('=')?;
    let mut codes = Vec::new();
    loop {
        let found = list(rest.trim_start().trim_start_matches(['"', '\'']), |_, _| true, false);
        codes.extend(found.codes);
        rest = found.rest.trim_start_matches(['"', '\'']);
        match rest.trim_start().strip_prefix("disable=") {
            Some(more) => rest = more,
            None => break,
        }
    }
    (!codes.is_empty()).then_some(Found { codes, rest })
}

fn enclosed(text: &str, open: char, close: char) -> Found<'_> {
    let nothing = Found { codes: Vec::new(), rest: text };
    let Some(inside) = text.trim_start().strip_prefix(open) else {
        return nothing;
    };
    let Some((codes, rest)) = inside.split_once(close) else {
        return nothing;
    };
    Found { codes: codes.split([',', ' ']).map(|code| code.trim().trim_matches('"')).filter(|code| !code.is_empty()).collect(), rest }
}

/// The rules that `/* eslint a: off, b: ["warn"], c: 0 */` switches off.
pub(super) fn switched_off(text: &str) -> Vec<&str> {
    let mut codes = Vec::new();
    let (mut start, mut depth) = (0, 0i32);
    for (at, c) in text.char_indices().chain([(text.len(), ',')]) {
        depth += i32::from(matches!(c, '[' | '{')) - i32::from(matches!(c, ']' | '}'));
        if c != ',' || depth > 0 {
            continue;
        }
        if let Some((rule, level)) = text[start..at].split_once(':') {
            let level = level.trim().trim_start_matches(['[', ' ', '"', '\'']);
            let value = level.trim_end_matches(['"', '\'', ']', ' ']).split(['"', '\'', ',']).next();
            if matches!(value, Some("off" | "0")) {
                codes.push(rule.trim().trim_matches(['"', '\'']));
            }
        }
        start = (at + 1).min(text.len());
    }
    codes
}

/// The rules that `pyright: strict, reportX=false, reportY=none` lowers.
pub(super) fn lowered(text: &str) -> Vec<&str> {
    let settings = text.split_once(':').map_or(text, |(_, settings)| settings).split(',');
    let pairs = settings.filter_map(|setting| setting.split_once('='));
    pairs
        .filter(|(_, level)| matches!(level.trim().trim_matches('"'), "false" | "none" | "warning" | "information"))
        .map(|(rule, _)| rule.trim())
        .collect()
}

/// Whether what follows the codes says something: two letters in a row.
pub(super) fn has_words(text: &str) -> bool {
    let mut run = 0;
    text.chars().any(|c| {
        run = if c.is_alphabetic() { run + 1 } else { 0 };
        run >= 2
    })
}

fn is_code_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '@' | '.' | ':' | '*' | '+' | '\\' | '$' | '=')
}

/// Not an ordinary word of prose.
fn is_rule_like(code: &str) -> bool {
    code.contains(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase() || matches!(c, '_' | '-' | '/' | '.' | ':' | '@'))
}

/// `E501`, `LT01`, `SIM108`, `B605`: letters, then digits.
fn is_letters_and_digits(code: &str) -> bool {
    let digits = code.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    digits.len() < code.len() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str, spelled: Codes) -> (Vec<&str>, &str) {
        let found = read(text, spelled).expect("codes");
        (found.codes, found.rest)
    }

    #[test]
    fn spellings() {
        assert_eq!(codes(" a, b/c -- why", Codes::Commas), (vec!["a", "b/c"], " -- why"));
        assert_eq!(codes(" a_b c-d this is why", Codes::Blanks), (vec!["a_b", "c-d"], " this is why"));
        assert_eq!(codes(": F401, E501 imported", Codes::ColonDigits), (vec!["F401", "E501"], " imported"));
        assert_eq!(codes(":gosec, errcheck", Codes::Colon), (vec!["gosec", "errcheck"], ""));
        assert_eq!(codes(" E501", Codes::ColonDigits), (vec![], " E501"));
        assert_eq!(codes("=SC1,SC2 disable=3 # why", Codes::Equals), (vec!["SC1", "SC2", "3"], " # why"));
        assert_eq!(codes("[a, b] why", Codes::Bracket), (vec!["a", "b"], " why"));
        assert_eq!(codes("(a)", Codes::Paren), (vec!["a"], ""));
        assert_eq!(codes(" lint/a/b: why", Codes::One), (vec!["lint/a/b"], ": why"));
        assert!(read(" x", Codes::Equals).is_none());
    }

    #[test]
    fn eslint_configuration() {
        assert_eq!(
            switched_off(" a: off, b: \"off\", c: 0, d: [0, 1], e: [\"off\", {x: 1}], f: 2, g: \"error\", h: [1, 0]"),
            ["a", "b", "c", "d", "e"]
        );
    }
}
