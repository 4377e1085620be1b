//! A unified diff as the base: read, then taken back from the files it leads to.
//!
//! Works in shallow clones and outside git. Understands git's extended headers (renames, new and deleted files, binary,
//! quoted names) and plain `diff -u`; line ends of a diff and of a file may differ. `reverse` takes hunks back; this file
//! reads the text of a diff.

mod reverse;

pub use reverse::take_back;

/// A line of a hunk, without its first character and its line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// In both texts.
    Context(Vec<u8>),
    /// Only in the text before.
    Removed(Vec<u8>),
    /// Only in the text after.
    Added(Vec<u8>),
}

/// A run of lines that differ, with what stands around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// First line in the text after, from 1; the line before it where the hunk adds none.
    pub start: usize,
    /// Its lines.
    pub lines: Vec<Line>,
    /// The text before does not end in a line end.
    pub old_without_end: bool,
    /// The text after does not end in a line end.
    pub new_without_end: bool,
    /// Line of the diff that opens it, for messages.
    pub at: usize,
}

/// One file of a diff.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilePatch {
    /// Path before; none for a new file.
    pub old_path: Option<String>,
    /// Path after; none for a deleted file.
    pub new_path: Option<String>,
    /// What differs.
    pub hunks: Vec<Hunk>,
    /// Git says only that it is binary.
    pub binary: bool,
    /// Git names a link or a submodule as the kind of the file.
    pub special: bool,
}

/// Why a diff cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchError {
    /// A diff of a merge compares with several bases.
    Combined {
        /// Line of the diff.
        at: usize,
    },
    /// A hunk ends before its header says, or holds a line that is none.
    Malformed {
        /// Line of the diff.
        at: usize,
    },
    /// Text that holds no diff at all.
    NoDiff,
    /// The diff leads to a file that is not there, or deletes one that is.
    Elsewhere {
        /// The file.
        path: String,
    },
    /// The file is not what the diff leads to.
    DoesNotApply {
        /// The file.
        path: String,
        /// Line of the diff that opens the hunk.
        at: usize,
    },
}

impl std::fmt::Display for PatchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PatchError::Combined { at } => {
                write!(f, "line {at} of the diff begins a combined diff of a merge, which has no single base; use `git diff BASE`")
            }
            PatchError::Malformed { at } => {
                write!(f, "the diff is cut off or damaged at line {at}; make it again with `git diff BASE` and no pager or colours")
            }
            PatchError::NoDiff => f.write_str("the input holds no unified diff; make one with `git diff BASE` (no --stat, no colours)"),
            PatchError::Elsewhere { path } => write!(
                f,
                "{path} is not as the diff leaves it (there, or gone): the diff must lead to the files on disk; make it with `git diff BASE` of \
                 this very work tree, or run at the root it was made for"
            ),
            PatchError::DoesNotApply { path, at } => write!(
                f,
                "the hunk at line {at} of the diff is not in {path}: the diff must lead to the files on disk; make it with `git diff BASE` of \
                 this very work tree"
            ),
        }
    }
}

impl std::error::Error for PatchError {}

/// Reads a diff; an empty one holds no file.
///
/// # Errors
/// Where it is damaged, of a merge, or no diff.
pub fn parse(diff: &[u8]) -> Result<Vec<FilePatch>, PatchError> {
    let mut reader = Reader { lines: diff.split_inclusive(|b| *b == b'\n').map(bare).collect(), at: 0, files: Vec::new(), open: false };
    reader.run()?;
    if reader.files.is_empty() && !diff.trim_ascii().is_empty() {
        return Err(PatchError::NoDiff);
    }
    let mut files = reader.files;
    strip_prefixes(&mut files);
    Ok(files)
}

/// Returns a line without its `\n`; a `\r` before it stays, since it may belong to the file.
fn bare(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line)
}

fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

struct Reader<'a> {
    lines: Vec<&'a [u8]>,
    at: usize,
    files: Vec<FilePatch>,
    /// The last file came with a `diff --git` line and takes the headers that follow.
    open: bool,
}

impl<'a> Reader<'a> {
    fn run(&mut self) -> Result<(), PatchError> {
        while let Some(line) = self.lines.get(self.at).copied().map(without_cr) {
            if line.starts_with(b"diff --cc ") || line.starts_with(b"diff --combined ") || line.starts_with(b"@@@ ") {
                return Err(PatchError::Combined { at: self.at + 1 });
            }
            if let Some(names) = line.strip_prefix(b"diff --git ") {
                let (old_path, new_path) = git_names(names);
                self.files.push(FilePatch { old_path, new_path, ..FilePatch::default() });
                self.open = true;
            } else if line.starts_with(b"--- ") && self.next_starts_with(b"+++ ") {
                self.names(line)?;
                continue;
            } else if line.starts_with(b"@@ ") && !self.files.is_empty() {
                self.hunk()?;
                continue;
            } else if self.open {
                self.extended_header(line);
            }
            self.at += 1;
        }
        Ok(())
    }

    fn next_starts_with(&self, prefix: &[u8]) -> bool {
        self.lines.get(self.at + 1).is_some_and(|l| l.starts_with(prefix))
    }

    /// Reads the two lines that name the texts.
    fn names(&mut self, old: &[u8]) -> Result<(), PatchError> {
        let new = self.lines.get(self.at + 1).copied().map(without_cr).unwrap_or_default();
        let (old_path, new_path) = (name(&old[4..]), name(&new[4..]));
        if old_path.is_none() && new_path.is_none() {
            return Err(PatchError::Malformed { at: self.at + 1 });
        }
        // Plain diffs have no line of git before; every pair of names opens a file there.
        if !self.open {
            self.files.push(FilePatch::default());
        }
        if let Some(file) = self.files.last_mut() {
            (file.old_path, file.new_path) = (old_path, new_path);
        }
        self.open = false;
        self.at += 2;
        Ok(())
    }

    fn extended_header(&mut self, line: &[u8]) {
        let Some(file) = self.files.last_mut() else { return };
        let text = String::from_utf8_lossy(line);
        let special = |mode: &str| mode.starts_with("120") || mode.starts_with("160");
        if let Some(mode) = text.strip_prefix("new file mode ") {
            file.old_path = None;
            file.special |= special(mode);
        } else if let Some(mode) = text.strip_prefix("deleted file mode ") {
            file.new_path = None;
            file.special |= special(mode);
        } else if let Some(rest) = text.strip_prefix("index ") {
            file.special |= rest.rsplit_once(' ').is_some_and(|(_, mode)| special(mode));
        } else if text.starts_with("rename from ") {
            file.old_path = name_as_it_is(&line[12..]);
        } else if text.starts_with("rename to ") {
            file.new_path = name_as_it_is(&line[10..]);
        } else if text.starts_with("copy from ") {
            // The original stays; what was copied is new.
            file.old_path = None;
        } else if text.starts_with("copy to ") {
            file.new_path = name_as_it_is(&line[8..]);
        } else if text.starts_with("Binary files ") || text == "GIT binary patch" {
            file.binary = true;
        }
    }

    fn hunk(&mut self) -> Result<(), PatchError> {
        let opened = self.at + 1;
        let malformed = |at: usize| PatchError::Malformed { at };
        let header = String::from_utf8_lossy(self.lines[self.at]).into_owned();
        let mut words = header.split(' ').skip(1);
        let (_, mut old_left) = words.next().and_then(|w| span(w, '-')).ok_or(malformed(opened))?;
        let (start, mut new_left) = words.next().and_then(|w| span(w, '+')).ok_or(malformed(opened))?;
        let mut hunk = Hunk { start, lines: Vec::new(), old_without_end: false, new_without_end: false, at: opened };
        self.at += 1;
        loop {
            let line = self.lines.get(self.at).copied();
            // The note comes after the line it is about, so also when all lines are read.
            if line.is_some_and(|l| l.starts_with(b"\\")) {
                match hunk.lines.last() {
                    Some(Line::Context(_)) => (hunk.old_without_end, hunk.new_without_end) = (true, true),
                    Some(Line::Removed(_)) => hunk.old_without_end = true,
                    Some(Line::Added(_)) => hunk.new_without_end = true,
                    None => return Err(malformed(self.at + 1)),
                }
                self.at += 1;
                continue;
            }
            if old_left == 0 && new_left == 0 {
                break;
            }
            let line = line.ok_or(malformed(self.at + 1))?;
            match line.split_first() {
                Some((b' ', rest)) if old_left > 0 && new_left > 0 => {
                    hunk.lines.push(Line::Context(rest.to_vec()));
                    (old_left, new_left) = (old_left - 1, new_left - 1);
                }
                Some((b'-', rest)) if old_left > 0 => {
                    hunk.lines.push(Line::Removed(rest.to_vec()));
                    old_left -= 1;
                }
                Some((b'+', rest)) if new_left > 0 => {
                    hunk.lines.push(Line::Added(rest.to_vec()));
                    new_left -= 1;
                }
                // Mail and editors strip the blank of an empty context line.
                None | Some((b'\r', [])) if old_left > 0 && new_left > 0 => {
                    hunk.lines.push(Line::Context(line.to_vec()));
                    (old_left, new_left) = (old_left - 1, new_left - 1);
                }
                _ => return Err(malformed(self.at + 1)),
            }
            self.at += 1;
        }
        if let Some(file) = self.files.last_mut() {
            file.hunks.push(hunk);
        }
        self.open = false;
        Ok(())
    }
}

/// Reads `-12,3` or `+12`.
fn span(word: &str, sign: char) -> Option<(usize, usize)> {
    let rest = word.strip_prefix(sign)?;
    match rest.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((rest.parse().ok()?, 1)),
    }
}

/// Returns the two names of a `diff --git` line, for files that have no other header (a pure mode change, a binary file).
fn git_names(names: &[u8]) -> (Option<String>, Option<String>) {
    let text = String::from_utf8_lossy(names).into_owned();
    if text.starts_with('"') || text.ends_with('"') {
        let Some((old, rest)) = quoted(&text).or_else(|| text.split_once(' ').map(|(a, b)| (a.to_owned(), b))) else {
            return (None, None);
        };
        let rest = rest.trim_start();
        let new = quoted(rest).map_or_else(|| rest.to_owned(), |(new, _)| new);
        return (Some(old), Some(new));
    }
    // Unquoted names may hold blanks; both are equal but for the prefix, so they split in the middle.
    let middle = text.len() / 2;
    match (text.get(..middle), text.get(middle..).and_then(|t| t.strip_prefix(' '))) {
        (Some(old), Some(new)) => (Some(old.to_owned()), Some(new.to_owned())),
        _ => text.split_once(' ').map_or((None, None), |(a, b)| (Some(a.to_owned()), Some(b.to_owned()))),
    }
}

/// Returns a name of a `---` or `+++` line: none for `/dev/null`; what follows a tab is a time.
fn name(rest: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(rest);
    let name = match quoted(&text) {
        Some((name, _)) => name,
        None => text.split('\t').next().unwrap_or("").trim_end().to_owned(),
    };
    (name != "/dev/null" && !name.is_empty()).then_some(name)
}

/// Returns a name of an extended header, which has no prefix and no time.
fn name_as_it_is(rest: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(rest);
    // Marked so that it keeps its first folder when prefixes go.
    Some(format!("{NO_PREFIX}{}", quoted(&text).map_or_else(|| text.to_string(), |(name, _)| name)))
}

/// Marks a name that has no prefix to lose.
const NO_PREFIX: char = '\0';

/// Reads a name in git's quotes; returns it and what follows.
fn quoted(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let bytes = inner.as_bytes();
    let mut name = Vec::new();
    let mut at = 0;
    loop {
        match bytes.get(at)? {
            b'"' => break,
            b'\\' => {
                let escape = *bytes.get(at + 1)?;
                let octal = bytes.get(at + 1..at + 4).and_then(|d| std::str::from_utf8(d).ok()).and_then(|d| u8::from_str_radix(d, 8).ok());
                match (escape, octal) {
                    (b'0'..=b'3', Some(byte)) => {
                        name.push(byte);
                        at += 2;
                    }
                    (b'n', _) => name.push(b'\n'),
                    (b't', _) => name.push(b'\t'),
                    (b'r', _) => name.push(b'\r'),
                    (other, _) => name.push(other),
                }
                at += 2;
            }
            byte => {
                name.push(*byte);
                at += 1;
            }
        }
    }
    Some((String::from_utf8(name).ok()?, &inner[at + 1..]))
}

/// Takes `a/` and `b/` (or git's mnemonic letters) off the names, where all names of the diff have them.
fn strip_prefixes(files: &mut [FilePatch]) {
    let letters = ["a/", "b/", "c/", "i/", "o/", "w/"];
    let prefixed = |name: &Option<String>| match name {
        Some(name) => name.starts_with(NO_PREFIX) || letters.iter().any(|l| name.starts_with(l)),
        None => true,
    };
    let all = files.iter().all(|f| prefixed(&f.old_path) && prefixed(&f.new_path));
    for name in files.iter_mut().flat_map(|f| [&mut f.old_path, &mut f.new_path]).flatten() {
        if let Some(plain) = name.strip_prefix(NO_PREFIX) {
            *name = plain.to_owned();
        } else if all {
            *name = name[2..].to_owned();
        } else if let Some(plain) = name.strip_prefix("./") {
            *name = plain.to_owned();
        }
    }
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;

    fn one(diff: &str) -> FilePatch {
        let mut files = parse(diff.as_bytes()).unwrap();
        assert_eq!(files.len(), 1, "{files:?}");
        files.remove(0)
    }

    fn paths(file: &FilePatch) -> (Option<&str>, Option<&str>) {
        (file.old_path.as_deref(), file.new_path.as_deref())
    }

    #[test]
    fn a_changed_file_and_its_hunks() {
        let file = one("diff --git a/x.py b/x.py\nindex 1..2 100644\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@ def f\n a\n-b\n+c\n");
        assert_eq!(paths(&file), (Some("x.py"), Some("x.py")));
        assert_eq!(file.hunks[0].lines, [Line::Context(b"a".into()), Line::Removed(b"b".into()), Line::Added(b"c".into())]);
    }

    #[test]
    fn a_removed_line_of_dashes_is_no_header() {
        let file = one("--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n a\n");
        assert_eq!(file.hunks[0].lines[..2], [Line::Removed(b"-- old".into()), Line::Added(b"++ new".into())]);
    }

    #[test]
    fn renames_keep_names_that_look_like_prefixes() {
        let file = one("diff --git a/a/x.py b/b/y z.py\nsimilarity index 100%\nrename from a/x.py\nrename to b/y z.py\n");
        assert_eq!(paths(&file), (Some("a/x.py"), Some("b/y z.py")));
    }

    #[test]
    fn new_deleted_and_binary_files() {
        let new = one("diff --git a/x b/x\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n");
        assert_eq!(paths(&new), (None, Some("x")));
        let gone = one("diff --git a/e b/e\ndeleted file mode 100644\nindex e69de29..0000000\n");
        assert_eq!(paths(&gone), (Some("e"), None));
        let binary = one("diff --git a/l o.png b/l o.png\nindex 1..2 100644\nBinary files a/l o.png and b/l o.png differ\n");
        assert_eq!((paths(&binary), binary.binary), ((Some("l o.png"), Some("l o.png")), true));
    }

    #[test]
    fn quoted_names_are_bytes() {
        let file = one("--- \"a/caf\\303\\251 \\\"x\\\".py\"\n+++ \"b/caf\\303\\251 \\\"x\\\".py\"\n@@ -1 +1 @@\n-a\n+b\n");
        assert_eq!(paths(&file).1, Some("café \"x\".py"));
    }

    #[test]
    fn a_plain_diff_has_times_and_no_prefix() {
        let file = one("--- src/x.py\t2026-01-01 10:00:00\n+++ src/x.py\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n");
        assert_eq!(paths(&file), (Some("src/x.py"), Some("src/x.py")));
    }

    #[test]
    fn trouble_names_the_line() {
        assert_eq!(parse(b"diff --cc x.py\n"), Err(PatchError::Combined { at: 1 }));
        assert_eq!(parse(b"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n"), Err(PatchError::Malformed { at: 5 }));
        assert_eq!(parse(b"hello\n"), Err(PatchError::NoDiff));
        assert_eq!(parse(b"\n"), Ok(Vec::new()));
    }
}
