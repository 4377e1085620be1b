//! Renames that git does not see: a file moved in the work tree is a deletion and an untracked file to it.
//!
//! Pairs them as git does for commits: equal content first, then the most similar, from half of the larger text on. A move
//! that is not seen makes old findings look new.

use super::{Blobs, ChangedFile, GitError, Repository, Status};
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

/// Largest number of pairs whose texts are compared, as git's own rename limit squared would be: beyond it only files of one
/// name are.
const PAIRS_MAX: usize = 10_000;

/// Largest file that is compared, in bytes: larger ones are data, and equal bytes are no evidence there.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Least part of the larger text that both must have, in percent; git's own.
const SIMILAR_PERCENT_MIN: u64 = 50;

pub(super) fn pair(repository: &Repository, files: &mut Vec<ChangedFile>, blobs: Option<&mut Blobs>) -> Result<(), GitError> {
    let of = |wanted: fn(&ChangedFile) -> bool| (0..files.len()).filter(|i| wanted(&files[*i])).collect::<Vec<_>>();
    let gone = of(|f| f.status == Status::Deleted);
    let fresh = of(|f| matches!(f.status, Status::Untracked | Status::Added));
    if gone.is_empty() || fresh.is_empty() {
        return Ok(());
    }
    let many = gone.len() * fresh.len() > PAIRS_MAX;
    let mut own;
    let blobs = match blobs {
        Some(blobs) => blobs,
        None => {
            own = repository.blobs()?;
            &mut own
        }
    };
    let mut old: HashMap<usize, Lines> = HashMap::new();
    let mut new: HashMap<usize, Lines> = HashMap::new();
    let mut scores: Vec<(u64, bool, usize, usize)> = Vec::new();
    for &g in &gone {
        for &f in &fresh {
            let same_name = name(&files[g].path) == name(&files[f].path);
            if many && !same_name {
                continue;
            }
            if let Entry::Vacant(vacant) = old.entry(g) {
                let text = match blobs.read(files[g].base_blob.as_deref().unwrap_or("")) {
                    Ok(text) => text,
                    Err(GitError::TooLarge { .. }) => None,
                    Err(error) => return Err(error),
                };
                vacant.insert(Lines::of(text.as_deref().unwrap_or(b"")));
            }
            new.entry(f).or_insert_with(|| Lines::of(&on_disk(repository, &files[f].path)));
            let percent = old[&g].percent(&new[&f]);
            if percent >= SIMILAR_PERCENT_MIN {
                scores.push((percent, same_name, g, f));
            }
        }
    }
    // The most similar first; of equals the one that kept its name, then in order of paths.
    scores.sort_by(|a, b| (b.0, b.1, a.2, a.3).cmp(&(a.0, a.1, b.2, b.3)));
    let mut taken = vec![false; files.len()];
    let mut drop = vec![false; files.len()];
    for (_, _, g, f) in scores {
        if taken[g] || taken[f] {
            continue;
        }
        (taken[g], taken[f], drop[g]) = (true, true, true);
        let (old_path, base_blob) = (files[g].path.clone(), files[g].base_blob.clone());
        let file = &mut files[f];
        (file.old_path, file.base_blob, file.status) = (Some(old_path), base_blob, Status::Renamed);
    }
    let mut index = 0;
    files.retain(|_| {
        index += 1;
        !drop[index - 1]
    });
    Ok(())
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the bytes of a plain file that is not too large; else nothing, which pairs with nothing.
fn on_disk(repository: &Repository, path: &str) -> Vec<u8> {
    let path = repository.on_disk(path);
    match std::fs::symlink_metadata(&path) {
        Ok(kind) if kind.is_file() && kind.len() <= FILE_BYTES_MAX => std::fs::read(&path).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// A text as a multiset of lines; line ends do not count.
struct Lines {
    bytes_of: HashMap<u64, u64>,
    bytes: u64,
}

impl Lines {
    fn of(text: &[u8]) -> Self {
        let mut lines = Lines { bytes_of: HashMap::new(), bytes: 0 };
        if text.len() as u64 > FILE_BYTES_MAX || text.contains(&0) {
            return lines;
        }
        for line in text.split(|b| *b == b'\n') {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.is_empty() {
                continue;
            }
            let mut hasher = DefaultHasher::new();
            line.hash(&mut hasher);
            *lines.bytes_of.entry(hasher.finish()).or_default() += line.len() as u64;
            lines.bytes += line.len() as u64;
        }
        lines
    }

    /// Returns how much of the larger of two texts both have.
    fn percent(&self, other: &Lines) -> u64 {
        let larger = self.bytes.max(other.bytes);
        if larger == 0 {
            return 0;
        }
        let common: u64 = self.bytes_of.iter().map(|(line, bytes)| other.bytes_of.get(line).map_or(0, |b| *b.min(bytes))).sum();
        common * 100 / larger
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_counts_lines_of_the_larger_text() {
        let a = Lines::of(b"one\ntwo\nthree\nfour\n");
        assert_eq!(a.percent(&Lines::of(b"one\r\ntwo\r\nthree\r\nfour\r\n")), 100);
        assert!(a.percent(&Lines::of(b"one\ntwo\nthree\nfive\nsix\n")) >= 50);
        assert!(a.percent(&Lines::of(b"one\nsomething else altogether\n")) < 50);
    }

    #[test]
    fn empty_and_binary_texts_pair_with_nothing() {
        assert_eq!(Lines::of(b"").percent(&Lines::of(b"")), 0);
        assert_eq!(Lines::of(b"a\0b").percent(&Lines::of(b"a\0b")), 0);
    }
}
