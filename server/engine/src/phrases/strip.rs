//! Takes the comment markers of any language off raw comment text, line by line.
//!
//! The number of lines stays, so a line of the result is the same line of the comment. What remains may still be
//! decorated (bullets, rules of dashes, brackets): `phrases.rs` judges that, since an ellipsis or a bracket means something.

/// Markers that open a comment of more than one character kind.
const OPENERS: [&str; 8] = ["{/*", "<!--", "--[=[", "--[[", "\"\"\"", "'''", "{-", "(*"];

/// Markers that may be doubled at will (`///`, `##`, `;;`), and what may be glued to them (`//!`, `/**`, `///<`).
const RUNS: [(&str, &[char]); 7] =
    [("//", &['/', '!', '*']), ("/*", &['*', '!']), ("--", &['-', '|']), ("#", &['#', '!']), (";", &[';']), ("%", &['%']), ("*", &[])];

/// Markers that may close a line.
const CLOSERS: [&str; 10] = ["*/}", "-->", "--]]", "]]", "]=]", "\"\"\"", "'''", "*/", "-}", "*)"];

/// Strips comment markers from a raw comment or a run of line comments joined by newlines.
pub fn strip(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let block = is_block(raw);
    for (i, line) in raw.lines().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        text.push_str(strip_line(line, block && i > 0));
    }
    text
}

/// Strips the markers of one line; `inside` a block comment only a star may open it.
fn strip_line(line: &str, inside: bool) -> &str {
    let line = line.trim();
    let (line, opened) =
        if inside { (line.strip_prefix("*").filter(|rest| !rest.starts_with('/')).unwrap_or(line), false) } else { without_opener(line) };
    let closed = CLOSERS.iter().find_map(|closer| line.strip_suffix(closer).map(|rest| (rest, *closer)));
    let line = match closed {
        // `-- [[ omitted ]]` is a line comment in brackets.
        Some((_, "]]" | "-}" | "*)")) if !opened && !inside => line,
        Some((rest, _)) => rest.trim_end().trim_end_matches('*'),
        None => line,
    };
    line.trim()
}

/// A line without the marker that opens it, and whether that marker wants a closer.
fn without_opener(line: &str) -> (&str, bool) {
    if let Some(rest) = OPENERS.iter().find_map(|opener| line.strip_prefix(opener)) {
        return (rest.trim_start_matches('*'), true);
    }
    if line == "/**/" {
        return ("", true);
    }
    for (marker, glued) in RUNS {
        if let Some(rest) = line.strip_prefix(marker) {
            return (rest.trim_start_matches(glued).trim_start_matches('<'), marker == "/*");
        }
    }
    (line, false)
}

fn is_block(raw: &str) -> bool {
    let raw = raw.trim_start();
    ["/*", "{/*", "<!--", "--[[", "--[=[", "\"\"\"", "'''", "{-", "(*"].iter().any(|o| raw.starts_with(o))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_marker_goes() {
        for raw in [
            "// a b",
            "/// a b",
            "//! a b",
            "//a b",
            "# a b",
            "## a b",
            "-- a b",
            "--- a b",
            "; a b",
            ";; a b",
            "% a b",
            "/* a b */",
            "/** a b */",
            "/* a b**/",
            "<!-- a b -->",
            "{/* a b */}",
            "--[[ a b ]]",
            "\"\"\"a b\"\"\"",
            "(* a b *)",
            "{- a b -}",
        ] {
            assert_eq!(strip(raw), "a b", "{raw}");
        }
    }

    #[test]
    fn lines_stay_lines() {
        assert_eq!(strip("/**\n * a\n * b\n */"), "\na\nb\n");
        assert_eq!(strip("/* a\n   b */"), "a\nb");
        assert_eq!(strip("// a\n  // - b"), "a\n- b");
        assert_eq!(strip("# a\n#\n# b"), "a\n\nb");
    }

    #[test]
    fn brackets_and_dots_stay() {
        assert_eq!(strip("-- [[ omitted ]]"), "[[ omitted ]]");
        assert_eq!(strip("// ... rest ..."), "... rest ...");
        assert_eq!(strip("/**/"), "");
        assert_eq!(strip("//"), "");
        assert_eq!(strip(""), "");
    }
}
