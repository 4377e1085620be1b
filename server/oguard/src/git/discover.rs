//! Finds the work tree by looking at files, as git would: no process, so that a cold run starts its two at once.

use super::Repository;
use super::command::time_limit;
use crate::bounded;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Variables of git that hold paths, relative to the folder we were started in.
const PATH_VARIABLES: &[&str] = &["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"];

/// Largest file that names a folder of git, in bytes: one path.
const POINTER_BYTES_MAX: u64 = 64 * 1024;

pub(super) fn discover(dir: &Path) -> Option<Repository> {
    let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
    discover_with(dir, &variable)
}

/// Finds a repository; `variable` is the environment.
fn discover_with(dir: &Path, variable: &dyn Fn(&str) -> Option<OsString>) -> Option<Repository> {
    let dir = std::path::absolute(dir).ok()?;
    let absolute = |name: &str| variable(name).and_then(|v| std::path::absolute(PathBuf::from(v)).ok());
    let found = dir.ancestors().find_map(|folder| git_dir_of(folder).map(|git_dir| (folder.to_owned(), git_dir)));
    let (root, git_dir) = match (absolute("GIT_DIR"), absolute("GIT_WORK_TREE")) {
        (None, None) => found?,
        (None, Some(tree)) => (tree, found?.1),
        (Some(git_dir), Some(tree)) => (tree, git_dir),
        // Hooks and `rebase --exec` export GIT_DIR alone: it is the repository around us, or else git takes the folder it is
        // started in for the work tree.
        (Some(git_dir), None) => match found {
            Some((root, own)) if same(&own, &git_dir) => (root, git_dir),
            _ => (dir, git_dir),
        },
    };
    let common_dir = absolute("GIT_COMMON_DIR").unwrap_or_else(|| common_dir_of(&git_dir));
    let env = PATH_VARIABLES.iter().filter_map(|name| absolute(name).map(|path| (*name, path.into_os_string()))).collect();
    Some(Repository { root, git_dir, common_dir, env, guards: Vec::new(), time_limit: time_limit() })
}

/// Returns the bare repository around a folder, where no work tree stands nearer.
pub(super) fn bare(dir: &Path) -> Option<PathBuf> {
    let dir = std::path::absolute(dir).ok()?;
    let is_bare = |folder: &Path| folder.join("HEAD").is_file() && folder.join("objects").is_dir() && folder.join("refs").is_dir();
    // The `.git` of a work tree looks the same.
    let found = dir.ancestors().find(|folder| git_dir_of(folder).is_some() || is_bare(folder))?;
    (git_dir_of(found).is_none() && found.file_name().is_some_and(|name| name != ".git")).then(|| found.to_owned())
}

/// Returns the folder of git that a `.git` in a folder names: itself, or what the file of a work tree or submodule points to.
fn git_dir_of(folder: &Path) -> Option<PathBuf> {
    let dot_git = folder.join(".git");
    let kind = std::fs::metadata(&dot_git).ok()?;
    if kind.is_dir() {
        return std::fs::symlink_metadata(dot_git.join("HEAD")).is_ok().then_some(dot_git);
    }
    let text = bounded::text(&dot_git, POINTER_BYTES_MAX).ok()?;
    let target = text.strip_prefix("gitdir:")?.trim();
    Some(folder.join(target))
}

/// Returns the folder that all work trees of a repository share.
fn common_dir_of(git_dir: &Path) -> PathBuf {
    match bounded::text(&git_dir.join("commondir"), POINTER_BYTES_MAX) {
        Ok(text) => git_dir.join(text.trim()),
        Err(_) => git_dir.to_owned(),
    }
}

fn same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository(root: &Path) {
        std::fs::create_dir_all(root.join(".git")).unwrap();
        std::fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    }

    #[test]
    fn walks_up_and_passes_an_empty_git_folder() {
        let temp = tempfile::tempdir().unwrap();
        repository(temp.path());
        std::fs::create_dir_all(temp.path().join("a/b/.git")).unwrap();
        let found = discover_with(&temp.path().join("a/b"), &|_| None).unwrap();
        assert_eq!(found.root(), temp.path());
    }

    #[test]
    fn a_git_file_points_to_the_folder() {
        let temp = tempfile::tempdir().unwrap();
        let own = temp.path().join("main/.git/worktrees/w");
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(own.join("commondir"), "../..\n").unwrap();
        std::fs::create_dir_all(temp.path().join("w")).unwrap();
        std::fs::write(temp.path().join("w/.git"), "gitdir: ../main/.git/worktrees/w\n").unwrap();
        let found = discover_with(&temp.path().join("w"), &|_| None).unwrap();
        assert_eq!(found.root(), temp.path().join("w"));
        assert_eq!(found.common_dir.canonicalize().unwrap(), temp.path().join("main/.git").canonicalize().unwrap());
    }

    #[test]
    fn a_bare_repository_is_the_nearest_one_without_a_work_tree() {
        let temp = tempfile::tempdir().unwrap();
        repository(temp.path());
        let own = temp.path().join("copies/a.git");
        for folder in ["objects", "refs/heads"] {
            std::fs::create_dir_all(own.join(folder)).unwrap();
            std::fs::create_dir_all(temp.path().join(".git").join(folder)).unwrap();
        }
        std::fs::write(own.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        assert_eq!(bare(&own.join("refs/heads")), Some(own));
        assert_eq!(bare(&temp.path().join("copies")), None);
        assert_eq!(bare(&temp.path().join(".git/refs")), None, "the folder of a work tree");
    }

    #[test]
    fn an_exported_git_dir_keeps_the_root_around_us() {
        let temp = tempfile::tempdir().unwrap();
        repository(temp.path());
        std::fs::create_dir_all(temp.path().join("deep")).unwrap();
        let git_dir = temp.path().join(".git").into_os_string();
        let found = discover_with(&temp.path().join("deep"), &|name| (name == "GIT_DIR").then(|| git_dir.clone())).unwrap();
        assert_eq!(found.root(), temp.path());
    }
}
