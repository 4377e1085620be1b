//! Texts of code cut at their top level: arguments, operators, brackets. Knows quotes and brackets, and nothing of a language.

/// Calls `seen` with each byte outside of quotes and brackets; returns where it says stop.
fn top_level(text: &str, mut seen: impl FnMut(usize) -> bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0usize, 0usize);
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'' | b'`') => {
                if let Some(end) = closing_quote(bytes, at, quote) {
                    at = end + 1;
                    continue;
                }
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ if depth == 0 && seen(at) => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the byte of the quote that closes the one at `start`; none for a lone one (a lifetime, an apostrophe).
fn closing_quote(bytes: &[u8], start: usize, quote: u8) -> Option<usize> {
    let triple = quote != b'`' && bytes[start..].starts_with(&[quote, quote, quote]);
    let mut at = start + if triple { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            byte if byte == quote && triple => {
                if bytes[at..].starts_with(&[quote, quote, quote]) {
                    return Some(at + 2);
                }
            }
            byte if byte == quote => return Some(at),
            b'\n' if quote == b'\'' && !triple => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns what stands between commas, without brackets around all of it.
pub(crate) fn arguments(text: &str) -> Vec<&str> {
    let text = text.trim();
    split(match inside(text) {
        Some(inner) if text.starts_with('(') => inner,
        _ => text,
    })
}

/// Returns what stands between the commas of the top level.
pub(super) fn split(inner: &str) -> Vec<&str> {
    let mut cuts = Vec::new();
    top_level(inner, |at| {
        if inner.as_bytes()[at] == b',' {
            cuts.push(at);
        }
        false
    });
    let mut parts = Vec::new();
    let mut from = 0;
    for cut in cuts.into_iter().chain([inner.len()]) {
        parts.push(inner[from..cut].trim());
        from = cut + 1;
    }
    parts.retain(|p| !p.is_empty());
    parts
}

/// Returns what is inside brackets that go around the whole text.
fn inside(text: &str) -> Option<&str> {
    let (open, close) = (*text.as_bytes().first()?, *text.as_bytes().last()?);
    if text.len() < 2 || !matches!((open, close), (b'(', b')') | (b'[', b']') | (b'{', b'}')) {
        return None;
    }
    let inner = &text[1..text.len() - 1];
    // The first bracket is closed by the last one only where none in between goes below it.
    let bytes = inner.as_bytes();
    let (mut depth, mut at) = (0i32, 0usize);
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'' | b'`') => {
                if let Some(end) = closing_quote(bytes, at, quote) {
                    at = end;
                }
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
        at += 1;
    }
    Some(inner)
}

/// Returns a text without blanks and parentheses around it, and without words that wait for a value.
pub(crate) fn strip(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let before = text;
        if text.starts_with('(')
            && let Some(inner) = inside(text)
            && arguments(text).len() == 1
            && !inner.trim_end().ends_with(',')
        {
            text = inner.trim();
        }
        for word in ["await ", "yield from "] {
            text = text.strip_prefix(word).unwrap_or(text).trim();
        }
        if text == before {
            return text;
        }
    }
}

/// Returns the arguments that are given by place.
pub(crate) fn positional<'t>(arguments: &[&'t str]) -> Vec<&'t str> {
    arguments.iter().copied().filter(|a| name_of(a).is_none()).collect()
}

/// Returns the argument of a name (`match="x"`, `delta: 3`).
pub(crate) fn named<'t>(arguments: &[&'t str], name: &str) -> Option<&'t str> {
    arguments.iter().find_map(|a| name_of(a).filter(|(n, _)| *n == name).map(|(_, value)| value))
}

fn name_of(argument: &str) -> Option<(&str, &str)> {
    let (name, value) = argument.split_once('=')?;
    let is_name = !name.trim().is_empty() && name.trim().chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && !value.starts_with(['=', '>'])).then(|| (name.trim(), value.trim()))
}

/// Returns the number that a text is, with its sign, its suffix and its separators.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim().replace('_', "");
    let end = (1..=text.len())
        .rev()
        .filter(|end| text.is_char_boundary(*end))
        .find(|end| text[..*end].parse::<f64>().is_ok_and(f64::is_finite))?;
    // What follows the digits is a suffix, and no other half of an expression.
    let suffix = text[end..].chars().all(|c| c.is_ascii_alphanumeric());
    text[..end].parse().ok().filter(|_| suffix && text.contains(|c: char| c.is_ascii_digit()))
}

/// Returns both sides of the first of some operators at the top level, and the operator.
pub(super) fn operator<'t>(text: &'t str, operators: &[&'static str]) -> Option<(&'t str, &'static str, &'t str)> {
    let bytes = text.as_bytes();
    let mut found = "";
    let at = top_level(text, |at| {
        let starts = |operator: &&&str| bytes[at..].starts_with(operator.as_bytes());
        let Some(operator) = operators.iter().filter(starts).max_by_key(|o| o.len()) else { return false };
        let (before, after) = (at.checked_sub(1).map(|b| bytes[b]), bytes.get(at + operator.len()).copied());
        let is_word = operator.starts_with(|c: char| c.is_alphabetic());
        let part = |byte: Option<u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.');
        let sign = |byte: Option<u8>| byte.is_some_and(|b| matches!(b, b'=' | b'<' | b'>' | b'!' | b'-' | b'|' | b'&'));
        // Angle brackets of types touch what they hold; those that compare stand apart.
        let apart = !["<", ">"].contains(operator) || (before == Some(b' ') && after == Some(b' '));
        let whole = if is_word { !part(before) && !part(after) } else { !sign(before) && !sign(after) };
        let holds = whole && apart && at > 0;
        if holds {
            found = operator;
        }
        holds
    })?;
    Some((text[..at].trim(), found, text[at + found.len()..].trim()))
}

/// Returns the operands of an operator at the top level, all of them.
pub(super) fn operands<'t>(text: &'t str, by: &'static str) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, _, after)) = operator(rest, &[by]) {
        parts.push(before);
        rest = after;
    }
    parts.push(rest.trim());
    parts
}

/// Returns the name, the receiver and the arguments of a text that is one call: `a.b(c)` is (`a`, `b`, `c`).
pub(super) fn call(text: &str) -> Option<(&str, &str, Vec<&str>)> {
    let body = text.strip_suffix(')')?;
    let mut open = None;
    let mut depth = 0usize;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'' | b'`') => {
                if let Some(end) = closing_quote(bytes, at, quote) {
                    at = end;
                }
            }
            b'(' | b'[' | b'{' => {
                if depth == 0 && bytes[at] == b'(' {
                    open = Some(at);
                }
                depth += 1;
            }
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += 1;
    }
    let open = open?;
    let callee = text[..open].trim();
    if callee.is_empty() || (depth != 0) {
        return None;
    }
    let cut = callee.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '!' || c == '$')).map_or(0, |i| i + 1);
    let receiver = callee[..cut].trim_end_matches(['.', ':', '?']);
    let name = &callee[cut..];
    // What stands before a name is a receiver, and not half of an operation.
    let whole = callee[..cut].is_empty() || callee[..cut].ends_with(['.', ':']);
    (whole && !name.is_empty()).then(|| (receiver.trim(), name, arguments(&body[open + 1..])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_end_at_commas_of_the_top_level() {
        assert_eq!(arguments("(a, f(b, c), \"d, e\")"), ["a", "f(b, c)", "\"d, e\""]);
        assert_eq!(arguments("(a)(b)"), ["(a)(b)"]);
        assert_eq!(arguments("x, 'it\\'s', [1, 2],"), ["x", "'it\\'s'", "[1, 2]"]);
        assert_eq!(arguments("&'a str, b"), ["&'a str", "b"]);
    }

    #[test]
    fn strip_keeps_what_is_no_mere_bracket() {
        assert_eq!(strip(" (await (x)) "), "x");
        assert_eq!(strip("(1, 2)"), "(1, 2)");
        assert_eq!(strip("(1,)"), "(1,)");
        assert_eq!(strip("(a)(b)"), "(a)(b)");
    }

    #[test]
    fn operators_stand_apart() {
        assert_eq!(operator("a.b == c", &["==", "="]), Some(("a.b", "==", "c")));
        assert_eq!(operator("f(a == b)", &["=="]), None);
        assert_eq!(operator("x is not None", &["is", "is not"]), Some(("x", "is not", "None")));
        assert_eq!(operator("parse::<u8>(x) < 3", &["<"]), Some(("parse::<u8>(x)", "<", "3")));
        assert_eq!(operator("island in sea", &["is", "in"]), Some(("island", "in", "sea")));
        assert_eq!(operands("a and b and f(c and d)", "and"), ["a", "b", "f(c and d)"]);
    }

    #[test]
    fn calls_know_their_receiver() {
        assert_eq!(call("a.b(c)"), Some(("a", "b", vec!["c"])));
        assert_eq!(call("isinstance(x, T)"), Some(("", "isinstance", vec!["x", "T"])));
        assert_eq!(call("matches!(x, Some(_))"), Some(("", "matches!", vec!["x", "Some(_)"])));
        assert_eq!(call("f(a).g()"), Some(("f(a)", "g", vec![])));
        assert_eq!(call("a + f(b)"), None);
        assert_eq!(call("x"), None);
    }

    #[test]
    fn numbers_have_suffixes() {
        assert_eq!(number("1e-6"), Some(1e-6));
        assert_eq!(number("0.5f"), Some(0.5));
        assert_eq!(number("1_000u64"), Some(1000.0));
        assert_eq!(number("x"), None);
    }
}
