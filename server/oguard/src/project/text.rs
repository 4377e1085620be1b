//! What is a text: limits, encodings and line ends, the same for a file, a blob and standard input.

use oguard_engine::document::FILE_BYTES_MAX;
use oguard_engine::grammars::{Language, by_path};
use std::borrow::Cow;
use std::path::Path;

/// Why a file is not judged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotJudged {
    /// No language of this build has its extension.
    UnknownLanguage,
    /// It holds a NUL byte.
    Binary,
    /// Its bytes are not UTF-8.
    NotUtf8,
    /// It is larger than a file may be.
    TooLarge,
    /// Vendored, an output, or excluded by `oguard.toml`.
    Excluded,
    /// A link, a folder, a device.
    NotAFile,
    /// Its parse takes longer than a parse may, or its nesting is deeper than its grammar survives.
    TooSlow,
    /// The system refuses to give it.
    Unreadable(String),
    /// The same of its base, so that nothing can be compared.
    Base(Box<NotJudged>),
}

impl std::fmt::Display for NotJudged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotJudged::UnknownLanguage => f.write_str("unknown language"),
            NotJudged::Binary => f.write_str("binary"),
            NotJudged::NotUtf8 => f.write_str("not UTF-8"),
            NotJudged::TooLarge => write!(f, "larger than {} MB", FILE_BYTES_MAX / (1024 * 1024)),
            NotJudged::Excluded => f.write_str("excluded: vendored, generated output, or by oguard.toml"),
            NotJudged::NotAFile => f.write_str("not a plain file"),
            NotJudged::TooSlow => f.write_str("takes longer than 2 s to parse, or is nested too deep"),
            NotJudged::Base(why) => write!(f, "its base: {why}"),
            NotJudged::Unreadable(message) => write!(f, "unreadable: {message}"),
        }
    }
}

/// Returns the language of a path.
///
/// # Errors
/// Where no language of this build has its extension.
pub fn language_of(path: &str) -> Result<&'static Language, NotJudged> {
    by_path(path).ok_or(NotJudged::UnknownLanguage)
}

/// Returns the text of bytes as they are: a byte order mark and all line ends stay, so that places are those of the file.
///
/// # Errors
/// Where they are no text.
pub fn decode(bytes: Vec<u8>) -> Result<String, NotJudged> {
    if bytes.len() > FILE_BYTES_MAX {
        return Err(NotJudged::TooLarge);
    }
    if bytes.contains(&0) {
        return Err(NotJudged::Binary);
    }
    String::from_utf8(bytes).map_err(|_| NotJudged::NotUtf8)
}

/// Returns the text of a file on disk; none where there is none.
///
/// # Errors
/// Where it holds no text, or the system refuses to give it.
pub fn read_file(path: &Path) -> Result<Option<String>, NotJudged> {
    let gone = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => Ok(None),
        _ => Err(NotJudged::Unreadable(error.to_string())),
    };
    match std::fs::symlink_metadata(path) {
        Ok(kind) if !kind.is_file() => return Err(NotJudged::NotAFile),
        Ok(kind) if kind.len() > FILE_BYTES_MAX as u64 => return Err(NotJudged::TooLarge),
        Ok(_) => {}
        Err(error) => return gone(error),
    }
    match std::fs::read(path) {
        Ok(bytes) => decode(bytes).map(Some),
        Err(error) => gone(error),
    }
}

/// Returns a base text with the line ends of the edited one: what git converts at checkout is no change.
pub fn like_line_ends<'a>(base: &'a str, edited: &str) -> Cow<'a, str> {
    match (base.contains("\r\n"), edited.contains("\r\n")) {
        (true, false) if edited.contains('\n') => Cow::Owned(base.replace("\r\n", "\n")),
        (false, true) if base.contains('\n') => Cow::Owned(base.replace('\n', "\r\n")),
        _ => Cow::Borrowed(base),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_says_why() {
        assert_eq!(decode(b"a\0b".to_vec()), Err(NotJudged::Binary));
        assert_eq!(decode(b"caf\xe9".to_vec()), Err(NotJudged::NotUtf8));
        assert_eq!(decode(vec![b'a'; FILE_BYTES_MAX + 1]), Err(NotJudged::TooLarge));
        assert_eq!(decode(b"\xef\xbb\xbfa".to_vec()).as_deref(), Ok("\u{feff}a"));
    }

    #[test]
    fn a_base_takes_the_line_ends_of_the_edited_text() {
        assert_eq!(like_line_ends("a\nb\n", "a\r\nc\r\n"), "a\r\nb\r\n");
        assert_eq!(like_line_ends("a\r\nb\r\n", "a\nc\n"), "a\nb\n");
        assert_eq!(like_line_ends("a\r\nb", "a"), "a\r\nb");
    }

    #[test]
    fn a_file_that_is_gone_is_no_failure() {
        let temp = tempfile::tempdir().unwrap();
        assert_eq!(read_file(&temp.path().join("none.rs")), Ok(None));
        assert_eq!(read_file(temp.path()), Err(NotJudged::NotAFile));
    }
}
