//! URIs as clients send them, and what path a `file:` one names.
//!
//! Clients look diagnostics up by the exact string they sent, and send strings that no URI grammar allows (`[id]`, spaces,
//! `ñ`). The protocol's types reject those with the whole message, so the gate hands on a *token*: the string itself where it
//! is valid, else all of it percent-encoded behind a scheme of our own, which turns back into the string without a table.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use tower_lsp::ls_types::Uri;

/// Marks a token that stands for a string that is no URI.
pub(crate) const SCHEME: &str = "oguard-raw:";

/// Returns the token of a string.
pub(crate) fn token(raw: &str) -> Cow<'_, str> {
    if !raw.starts_with(SCHEME) && Uri::from_str(raw).is_ok() { Cow::Borrowed(raw) } else { Cow::Owned(format!("{SCHEME}{}", encode(raw))) }
}

/// Returns the token of a string as the protocol's type.
pub(crate) fn typed(raw: &str) -> Uri {
    Uri::from_str(&token(raw)).expect("a token is a valid URI")
}

/// Returns the string that a token stands for.
pub(crate) fn raw(token: &str) -> Cow<'_, str> {
    match token.strip_prefix(SCHEME) {
        None => Cow::Borrowed(token),
        Some(encoded) => Cow::Owned(String::from_utf8_lossy(&decode(encoded)).into_owned()),
    }
}

/// Returns the `file:` URI of a path, as a client is told of a file that it has not named itself.
pub(crate) fn of_path(path: &Path) -> String {
    of_path_on(&path.to_string_lossy(), cfg!(windows))
}

fn of_path_on(path: &str, windows: bool) -> String {
    let path = if windows { path.replace('\\', "/") } else { path.to_owned() };
    let encoded: Vec<String> = path.split('/').map(encode).collect();
    let encoded = encoded.join("/");
    if windows && encoded.starts_with("//") {
        // A share: its server is the URI's authority.
        format!("file:{encoded}")
    } else if encoded.starts_with('/') {
        format!("file://{encoded}")
    } else {
        format!("file:///{encoded}")
    }
}

/// Returns the path that a `file:` URI names on this machine, without `.` and `..`, by which it would seem to lie in a folder that it
/// leads out of; none for any other scheme.
pub(crate) fn path(raw: &str) -> Option<PathBuf> {
    path_on(raw, cfg!(windows)).map(|path| crate::project::lexical(Path::new(&path)))
}

fn path_on(raw: &str, windows: bool) -> Option<String> {
    let (scheme, rest) = raw.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", rest),
    };
    let path = String::from_utf8(decode(path)).ok().filter(|p| p.starts_with('/') && !p.contains('\0'))?;
    let local = authority.is_empty() || authority.eq_ignore_ascii_case("localhost");
    if !windows {
        return local.then_some(path);
    }
    if !local {
        return Some(format!(r"\\{authority}{}", path.replace('/', r"\")));
    }
    let bytes = path.as_bytes();
    if bytes.len() >= 3 && bytes[1].is_ascii_alphabetic() && bytes[2] == b':' {
        let drive = char::from(bytes[1]).to_ascii_uppercase();
        return Some(format!("{drive}:{}", path[3..].replace('/', r"\")));
    }
    Some(path.replace('/', r"\"))
}

fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 3 / 2);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn decode(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let hex = bytes.get(at + 1..at + 3).filter(|_| *byte == b'%').and_then(|h| std::str::from_utf8(h).ok());
        match hex.and_then(|h| u8::from_str_radix(h, 16).ok()) {
            Some(value) => {
                out.push(value);
                at += 3;
            }
            None => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_string_survives_as_a_token() {
        for text in ["file:///a/[id]/page.tsx", "file:///a b.rs", "file:///ñ{}.rs", "no uri", "", "oguard-raw:x", "file:///a%20b", "a:%zz"]
        {
            let token = token(text);
            assert!(Uri::from_str(&token).is_ok(), "{token}");
            assert_eq!(raw(&token), text);
        }
        assert_eq!(token("file:///a%20b"), "file:///a%20b");
    }

    #[test]
    fn a_path_comes_back_from_its_uri() {
        for name in ["/a/b.rs", "/a b/[id]/ñ.py", "/50%/x#y?.go"] {
            let uri = of_path(Path::new(name));
            assert!(Uri::from_str(&uri).is_ok(), "{uri}");
            assert_eq!(path_on(&uri, false).as_deref(), Some(name));
        }
        assert_eq!(of_path(Path::new("/a b/c.rs")), "file:///a%20b/c.rs");
        for (name, uri) in [(r"C:\a b\c.rs", "file:///C%3A/a%20b/c.rs"), (r"\\server\share\x.rs", "file://server/share/x.rs")] {
            assert_eq!(of_path_on(name, true), uri);
            assert_eq!(path_on(uri, true).as_deref(), Some(name));
        }
    }

    #[test]
    fn file_uris_name_paths() {
        let cases = [
            ("file:///a/b.rs", Some("/a/b.rs"), Some(r"\a\b.rs")),
            ("file:///a%20b%5Bid%5D.rs", Some("/a b[id].rs"), Some(r"\a b[id].rs")),
            ("file:///a/[id] ñ.rs", Some("/a/[id] ñ.rs"), Some(r"\a\[id] ñ.rs")),
            ("file://localhost/x", Some("/x"), Some(r"\x")),
            ("FILE:/a", Some("/a"), Some(r"\a")),
            ("file:///c%3A/Users/x.py", Some("/c:/Users/x.py"), Some(r"C:\Users\x.py")),
            ("file:///C:/x.py", Some("/C:/x.py"), Some(r"C:\x.py")),
            ("file://server/share/x", None, Some(r"\\server\share\x")),
            ("file:///a%00b", None, None),
            ("file:///a?q#f", Some("/a"), Some(r"\a")),
            ("untitled:Untitled-1", None, None),
            ("git:/a.rs?x", None, None),
            ("vscode-notebook-cell:/a.ipynb#x", None, None),
            ("vscode-remote://ssh/a.rs", None, None),
            ("/a", None, None),
        ];
        for (text, unix, windows) in cases {
            assert_eq!(path_on(text, false).as_deref(), unix, "{text}");
            assert_eq!(path_on(text, true).as_deref(), windows, "{text}");
        }
    }
}
