//! What differs between a base and a work tree, an index or a commit.

use super::command::Running;
use super::{Blobs, GitError, LIST_BYTES_MAX, Repository, rename};
use crate::bounded;
use std::collections::BTreeMap;
use std::path::Path;

/// What is compared with the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The files on disk, untracked ones included.
    WorkTree,
    /// What would be committed.
    Index,
    /// A commit, by id.
    Commit(String),
}

/// How a file differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Not in the base, known to git.
    Added,
    /// Not in the base, not known to git.
    Untracked,
    /// In both, with other content.
    Modified,
    /// In the base under another path, perhaps with other content.
    Renamed,
    /// No longer there.
    Deleted,
}

/// A file that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Relative to the root, with `/`.
    pub path: String,
    /// Where the base has it, if elsewhere.
    pub old_path: Option<String>,
    /// What `Blobs::read` takes for the base's text; none for a file that the base does not have.
    pub base_blob: Option<String>,
    /// What `Blobs::read` takes for the present text; none for a deleted file and for one that lies on disk.
    pub blob: Option<String>,
    /// How it differs.
    pub status: Status,
}

impl ChangedFile {
    /// Returns the path that the file has in the base.
    pub fn base_path(&self) -> &str {
        self.old_path.as_deref().unwrap_or(&self.path)
    }
}

/// A changed path that holds no text to judge.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// Relative to the root, with `/`.
    pub path: String,
    /// Why it is not judged.
    pub why: &'static str,
}

/// All that differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Commit compared with; none where there is no commit yet.
    pub base: Option<String>,
    /// Files, by path.
    pub files: Vec<ChangedFile>,
    /// Submodules, links, nested repositories, names that are not UTF-8.
    pub skipped: Vec<Skipped>,
}

pub(crate) const SUBMODULE: &str = "submodule: judge it from its own root";
pub(crate) const LINK: &str = "symbolic link";
const NESTED: &str = "repository of its own: judge it from its own root";
const NOT_UTF8_PATH: &str = "its name is not UTF-8";

const MODE_NONE: &str = "000000";
const MODE_LINK: &str = "120000";
const MODE_SUBMODULE: &str = "160000";

impl Repository {
    /// Returns what differs from a base: a commit id, or the target's natural one where none is given (HEAD for the work tree
    /// and the index, the first parent for a commit).
    ///
    /// # Errors
    /// Where git fails.
    pub fn changes(&self, base: Option<&str>, target: Target) -> Result<Changes, GitError> {
        let changes = self.listed(base, &target, Self::status)?;
        self.completed(changes, &target, None)
    }

    /// Returns what [`Repository::changes`] does, and a reader of texts that was started at the same time: what a cold run
    /// needs, as early as it can have it.
    ///
    /// # Errors
    /// Where git fails.
    pub fn changes_and_blobs(&self, base: Option<&str>, target: &Target) -> Result<(Changes, Blobs), GitError> {
        let mut early = None;
        let changes = self.listed(base, target, |this| {
            // The listing takes longer, so it starts first.
            let status = this.start(STATUS)?;
            early = Some(this.blobs()?);
            Ok(status_v2(&finished(status, "status")?))
        })?;
        let mut blobs = match early {
            Some(blobs) => blobs,
            None => self.blobs()?,
        };
        let changes = self.completed(changes, target, Some(&mut blobs))?;
        Ok((changes, blobs))
    }

    /// Lists what differs, as git sees it; `status` compares the work tree with HEAD.
    fn listed(
        &self,
        base: Option<&str>,
        target: &Target,
        status: impl FnOnce(&Self) -> Result<Changes, GitError>,
    ) -> Result<Changes, GitError> {
        match (target, base) {
            (Target::WorkTree, None) => status(self),
            (Target::WorkTree, Some(base)) => self.against(base),
            (Target::Index, base) => self.index(base),
            (Target::Commit(id), base) => self.commit(base, id),
        }
    }

    /// Adds what git does not say: renames in the work tree, and the submodules that were not looked into.
    fn completed(&self, mut changes: Changes, target: &Target, blobs: Option<&mut Blobs>) -> Result<Changes, GitError> {
        if *target == Target::WorkTree {
            rename::pair(self, &mut changes.files, blobs)?;
        }
        self.name_submodules(&mut changes.skipped);
        changes.skipped.sort();
        changes.skipped.dedup();
        Ok(changes)
    }

    /// The work tree against HEAD, in one call.
    fn status(&self) -> Result<Changes, GitError> {
        Ok(status_v2(&self.git(STATUS)?.checked("status")?))
    }

    /// The work tree against any commit.
    fn against(&self, base: &str) -> Result<Changes, GitError> {
        let mut args = vec!["diff"];
        args.extend(DIFF);
        args.extend([base, "--"]);
        let diff = self.start(&args)?;
        let untracked = self.start(&["ls-files", "--others", "--exclude-standard", "-z"])?;
        let mut found = Collected::default();
        raw(&finished(diff, "diff")?, base, false, &mut found);
        for path in fields(&finished(untracked, "ls-files")?) {
            found.untracked(path);
        }
        Ok(found.changes(Some(base.to_owned())))
    }

    fn index(&self, base: Option<&str>) -> Result<Changes, GitError> {
        let head = match base {
            Some(base) => Some(base.to_owned()),
            None => self.head()?,
        };
        let mut args = vec!["diff", "--cached"];
        args.extend(DIFF);
        args.extend(head.as_deref());
        args.push("--");
        let mut found = Collected::default();
        raw(&self.git(&args)?.checked("diff")?, head.as_deref().unwrap_or("HEAD"), true, &mut found);
        Ok(found.changes(head))
    }

    fn commit(&self, base: Option<&str>, id: &str) -> Result<Changes, GitError> {
        let base = match base {
            Some(base) => Some(base.to_owned()),
            None => self.first_parent(id)?,
        };
        let mut args = vec!["diff-tree", "-r", "--no-commit-id"];
        args.extend(DIFF);
        match &base {
            Some(base) => args.extend([base.as_str(), id]),
            None => args.extend(["--root", id]),
        }
        args.push("--");
        let mut found = Collected::default();
        raw(&self.git(&args)?.checked("diff-tree")?, base.as_deref().unwrap_or(id), true, &mut found);
        Ok(found.changes(base))
    }

    /// Adds the submodules that `.gitmodules` names: what changed inside them is not looked at.
    fn name_submodules(&self, skipped: &mut Vec<Skipped>) {
        let Ok(text) = bounded::text(&self.root.join(".gitmodules"), LIST_BYTES_MAX) else { return };
        for line in text.lines() {
            if let Some((name, path)) = line.split_once('=')
                && name.trim() == "path"
            {
                skipped.push(Skipped { path: path.trim().trim_matches('"').to_owned(), why: SUBMODULE });
            }
        }
    }

    /// Returns where a path of the work tree lies.
    pub(super) fn on_disk(&self, path: &str) -> std::path::PathBuf {
        self.root.join(Path::new(path))
    }
}

/// Lists what differs from HEAD, with HEAD's id and the ids of its blobs.
const STATUS: &[&str] = &[
    "status",
    "--porcelain=v2",
    "-z",
    "--branch",
    "--no-ahead-behind",
    "--untracked-files=all",
    // A submodule's own configuration is not ours to trust: git would run a status inside it.
    "--ignore-submodules=dirty",
];

const DIFF: &[&str] = &["--raw", "-z", "--no-abbrev", "-M", "--ignore-submodules=dirty", "--no-ext-diff", "--no-textconv"];

fn finished(running: Running, what: &str) -> Result<Vec<u8>, GitError> {
    running.finish()?.checked(what)
}

fn fields(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|b| *b == 0).filter(|f| !f.is_empty())
}

/// Files by path while they are read; two entries of one path (deleted in the index, yet there) become one.
#[derive(Default)]
struct Collected {
    files: BTreeMap<String, ChangedFile>,
    skipped: Vec<Skipped>,
}

impl Collected {
    fn changes(self, base: Option<String>) -> Changes {
        Changes { base, files: self.files.into_values().collect(), skipped: self.skipped }
    }

    /// Returns a path as text, or names it as skipped.
    fn text(&mut self, path: &[u8]) -> Option<String> {
        match std::str::from_utf8(path) {
            Ok(path) => Some(path.to_owned()),
            Err(_) => {
                self.skipped.push(Skipped { path: String::from_utf8_lossy(path).into_owned(), why: NOT_UTF8_PATH });
                None
            }
        }
    }

    fn untracked(&mut self, path: &[u8]) {
        let Some(path) = self.text(path) else { return };
        if let Some(folder) = path.strip_suffix('/') {
            self.skipped.push(Skipped { path: folder.to_owned(), why: NESTED });
            return;
        }
        let status = Status::Untracked;
        self.put(ChangedFile { path, old_path: None, base_blob: None, blob: None, status });
    }

    fn put(&mut self, file: ChangedFile) {
        match self.files.get_mut(&file.path) {
            None => {
                self.files.insert(file.path.clone(), file);
            }
            // Taken out of the index and still on disk, or there again: changed, not gone.
            Some(known) if known.status == Status::Deleted && file.status != Status::Deleted => {
                known.status = Status::Modified;
                known.blob = file.blob;
            }
            Some(known) if file.status == Status::Deleted => {
                known.base_blob = known.base_blob.take().or(file.base_blob);
                known.status = if known.old_path.is_some() { Status::Renamed } else { Status::Modified };
            }
            Some(_) => {}
        }
    }

    /// Takes one difference in: modes and blob ids of both sides, as git gives them.
    fn entry(&mut self, entry: Entry<'_>) {
        let Entry { old_mode, new_mode, base_blob, blob, path, old_path } = entry;
        let Some(path) = self.text(path) else { return };
        let old_path = match old_path {
            None => None,
            Some(old) => match self.text(old) {
                Some(old) => Some(old),
                None => return,
            },
        };
        if old_mode == MODE_SUBMODULE || new_mode == MODE_SUBMODULE {
            self.skipped.push(Skipped { path, why: SUBMODULE });
            return;
        }
        if new_mode == MODE_LINK || (old_mode == MODE_LINK && new_mode == MODE_NONE) {
            self.skipped.push(Skipped { path, why: LINK });
            return;
        }
        // A link that became a file has no text before.
        let in_base = old_mode != MODE_NONE && old_mode != MODE_LINK;
        let base_blob = in_base.then(|| base_blob.to_owned());
        let status = match (in_base, new_mode != MODE_NONE) {
            (false, false) => return,
            (true, false) => Status::Deleted,
            (false, true) => Status::Added,
            (true, true) if old_path.is_some() => Status::Renamed,
            (true, true) => Status::Modified,
        };
        if status == Status::Deleted {
            // Renamed in the index, then deleted: what is gone is the old path.
            let path = old_path.unwrap_or(path);
            self.put(ChangedFile { path, old_path: None, base_blob, blob: None, status });
        } else {
            let old_path = old_path.filter(|_| in_base);
            self.put(ChangedFile { path, old_path, base_blob, blob, status });
        }
    }
}

struct Entry<'a> {
    old_mode: &'a str,
    new_mode: &'a str,
    base_blob: &'a str,
    blob: Option<String>,
    path: &'a [u8],
    old_path: Option<&'a [u8]>,
}

/// Reads `git status --porcelain=v2 -z --branch`.
fn status_v2(bytes: &[u8]) -> Changes {
    let mut found = Collected::default();
    let mut base = None;
    let mut all = bytes.split(|b| *b == 0);
    while let Some(field) = all.next() {
        let (kind, rest) = field.split_at(field.len().min(2));
        match kind {
            b"# " => {
                if let Some(id) = rest.strip_prefix(b"branch.oid ").filter(|id| *id != b"(initial)") {
                    base = Some(String::from_utf8_lossy(id).into_owned());
                }
            }
            // XY sub mH mI mW hH hI path
            b"1 " => {
                if let Some((words, path)) = words::<7>(rest) {
                    let [_, _, old_mode, _, new_mode, base_blob, _] = words;
                    found.entry(Entry { old_mode, new_mode, base_blob, blob: None, path, old_path: None });
                }
            }
            // XY sub mH mI mW hH hI Xscore path, then the old path
            b"2 " => {
                let old_path = all.next();
                if let Some((words, path)) = words::<8>(rest) {
                    let [_, _, old_mode, _, new_mode, base_blob, _, score] = words;
                    // A copy leaves its original: the new file is new.
                    let (old_path, old_mode) = if score.starts_with('R') { (old_path, old_mode) } else { (None, MODE_NONE) };
                    found.entry(Entry { old_mode, new_mode, base_blob, blob: None, path, old_path });
                }
            }
            // XY sub m1 m2 m3 mW h1 h2 h3 path; the second stage is what HEAD has.
            b"u " => {
                if let Some((words, path)) = words::<9>(rest) {
                    let [_, _, _, old_mode, _, new_mode, _, base_blob, _] = words;
                    found.entry(Entry { old_mode, new_mode, base_blob, blob: None, path, old_path: None });
                }
            }
            b"? " => found.untracked(rest),
            _ => {}
        }
    }
    found.changes(base)
}

/// Splits off `N` words; what is left is a path, which may hold blanks.
fn words<const N: usize>(line: &[u8]) -> Option<([&str; N], &[u8])> {
    let mut rest = line;
    let mut words = [""; N];
    for word in &mut words {
        let at = rest.iter().position(|b| *b == b' ')?;
        *word = std::str::from_utf8(&rest[..at]).ok()?;
        rest = &rest[at + 1..];
    }
    Some((words, rest))
}

/// Reads `git diff --raw -z --no-abbrev`. `stored` says that the present side is an object, not a file on disk.
fn raw(bytes: &[u8], base: &str, stored: bool, found: &mut Collected) {
    let mut all = fields(bytes);
    while let Some(field) = all.next() {
        let Some(rest) = field.strip_prefix(b":") else { continue };
        let Ok(text) = std::str::from_utf8(rest) else { continue };
        let mut words = text.split(' ');
        let (Some(old_mode), Some(new_mode)) = (words.next(), words.next()) else { continue };
        let (Some(base_blob), Some(blob), Some(letter)) = (words.next(), words.next(), words.next()) else { continue };
        let Some(first) = all.next() else { continue };
        let blob = stored.then(|| blob.to_owned());
        match letter.as_bytes().first() {
            Some(b'R') => {
                let Some(path) = all.next() else { continue };
                found.entry(Entry { old_mode, new_mode, base_blob, blob, path, old_path: Some(first) });
            }
            Some(b'C') => {
                let Some(path) = all.next() else { continue };
                found.entry(Entry { old_mode: MODE_NONE, new_mode, base_blob, blob, path, old_path: None });
            }
            // A conflict: git gives neither side; the base is asked by path, the present text lies on disk.
            Some(b'U') => {
                let Some(path) = found.text(first) else { continue };
                let base_blob = Some(format!("{base}:{path}"));
                found.put(ChangedFile { path, old_path: None, base_blob, blob: None, status: Status::Modified });
            }
            _ => found.entry(Entry { old_mode, new_mode, base_blob, blob, path: first, old_path: None }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "1111111111111111111111111111111111111111";
    const B: &str = "2222222222222222222222222222222222222222";

    fn file(changes: &Changes, path: &str) -> ChangedFile {
        changes.files.iter().find(|f| f.path == path).unwrap_or_else(|| panic!("{path} in {changes:?}")).clone()
    }

    #[test]
    fn status_gives_head_and_the_blobs_of_head() {
        let text = format!("# branch.oid {A}\0# branch.head main\x001 .M N... 100644 100644 100644 {B} {B} src/a b.rs\0? new.py\0");
        let changes = status_v2(text.as_bytes());
        assert_eq!(changes.base.as_deref(), Some(A));
        assert_eq!(file(&changes, "src/a b.rs").base_blob.as_deref(), Some(B));
        assert_eq!(file(&changes, "new.py").status, Status::Untracked);
    }

    #[test]
    fn a_staged_rename_keeps_the_old_path() {
        let text = format!("2 RM N... 100644 100644 100644 {A} {A} R100 new.rs\0old.rs\x001 .M N... 100644 100644 100644 {B} {B} x.rs\0");
        let changes = status_v2(text.as_bytes());
        let renamed = file(&changes, "new.rs");
        assert_eq!((renamed.old_path.as_deref(), renamed.status), (Some("old.rs"), Status::Renamed));
        assert_eq!(file(&changes, "x.rs").status, Status::Modified);
    }

    #[test]
    fn deleted_in_the_index_and_still_there_is_changed() {
        let text = format!("1 D. N... 100644 000000 000000 {A} {A} a.rs\0? a.rs\0");
        let changes = status_v2(text.as_bytes());
        assert_eq!((file(&changes, "a.rs").status, file(&changes, "a.rs").base_blob.as_deref()), (Status::Modified, Some(A)));
    }

    #[test]
    fn added_and_deleted_again_is_nothing() {
        let text = format!("1 AD N... 000000 100644 000000 {A} {B} a.rs\0");
        assert_eq!(status_v2(text.as_bytes()).files, []);
    }

    #[test]
    fn submodules_and_links_are_named() {
        let text = format!("1 .M SC.. 160000 160000 160000 {A} {A} sub\x001 .T N... 100644 100644 120000 {A} {A} link\0? nested/\0",);
        let names: Vec<_> = status_v2(text.as_bytes()).skipped.into_iter().map(|s| (s.path, s.why)).collect();
        assert_eq!(names, [("sub".to_owned(), SUBMODULE), ("link".to_owned(), LINK), ("nested".to_owned(), NESTED)]);
    }

    #[test]
    fn a_name_that_is_not_utf8_is_named() {
        let changes = status_v2(b"? caf\xe9.py\0");
        assert_eq!((changes.files.len(), changes.skipped[0].why), (0, NOT_UTF8_PATH));
    }

    #[test]
    fn raw_reads_renames_and_deletions() {
        let text = format!(":100644 100644 {A} {B} R090\0old.rs\0new.rs\0:100644 000000 {A} 0000 D\0gone.rs\0");
        let mut found = Collected::default();
        raw(text.as_bytes(), A, true, &mut found);
        let changes = found.changes(None);
        assert_eq!(file(&changes, "new.rs").blob.as_deref(), Some(B));
        assert_eq!(file(&changes, "gone.rs").status, Status::Deleted);
    }
}
