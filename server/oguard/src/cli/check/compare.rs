//! What is compared with what, and which files differ, for every way to ask git.

use super::ChangeArgs;
use crate::git::{Blobs, Repository, Skipped, Status, Target};
use crate::judge::Change;
use crate::report::Compared;
use anyhow::Result;

/// The baseline where there is no commit.
pub(in crate::cli) const EMPTY: &str = "empty";

pub(super) fn change(args: &ChangeArgs, repository: &Repository) -> Result<(Change, Blobs)> {
    let (target, base, compared) = comparison(args, repository)?;
    let (changes, blobs) = repository.changes_and_blobs(base.as_deref(), &target)?;
    let compared = compared(changes.base.as_deref());
    let mut skipped = changes.skipped;
    let mut inputs = Vec::new();
    for file in changes.files {
        if target != Target::WorkTree && file.blob.is_none() && file.status != Status::Deleted {
            skipped.push(Skipped { path: file.path, why: "in conflict: resolve it, then add it to the index" });
        } else {
            inputs.push(file.into());
        }
    }
    Ok((Change { inputs, skipped, compared }, blobs))
}

/// Names a comparison once its base is known.
type Naming = Box<dyn FnOnce(Option<&str>) -> Compared>;

fn comparison(args: &ChangeArgs, repository: &Repository) -> Result<(Target, Option<String>, Naming)> {
    if let Some(head) = &args.head {
        let id = repository.resolve(head)?;
        let base = match &args.base {
            Some(base) => Some(merge_base(repository, base, &id)?),
            None => repository.first_parent(&id)?,
        };
        let how = match &args.base {
            Some(rev) => format!("the merge base with {rev}"),
            None => "its first parent".to_owned(),
        };
        let named = id.clone();
        let explicit = args.base.is_some();
        let naming = move |base: Option<&str>| {
            let words = match base {
                Some(base) => format!("commit {} against {how}, {}", short(&named), short(base)),
                None => format!("commit {}, the first: everything is new", short(&named)),
            };
            let from = base.filter(|_| explicit).map_or_else(String::new, |base| format!(" --base {base}"));
            compared(base, words, format!("oguard check{from} --head {named}"))
        };
        return Ok((Target::Commit(id), base, Box::new(naming)));
    }
    let (target, what, flag) = if args.staged { (Target::Index, "index", " --staged") } else { (Target::WorkTree, "work tree", "") };
    let stdin = if args.stdin { " --stdin" } else { "" };
    let what = if args.stdin { "standard input" } else { what };
    if let Some(rev) = &args.base {
        let base = merge_base(repository, rev, "HEAD")?;
        let how = format!("the merge base of {rev} and HEAD");
        let naming = move |base: Option<&str>| {
            let base = base.unwrap_or(EMPTY);
            compared(Some(base), format!("{what} against {how}, {}", short(base)), format!("oguard check --base {base}{flag}{stdin}"))
        };
        return Ok((target, Some(base), Box::new(naming)));
    }
    let naming = move |base: Option<&str>| {
        let words = match base {
            Some(base) => format!("{what} against HEAD {}", short(base)),
            None => format!("{what}; no commit yet: everything is new"),
        };
        let from = base.map_or_else(String::new, |base| format!(" --base {base}"));
        compared(base, words, format!("oguard check{from}{flag}{stdin}"))
    };
    Ok((target, None, Box::new(naming)))
}

/// Returns the merge base of a revision and a commit, after both were found: a wrong name is said as such.
fn merge_base(repository: &Repository, rev: &str, head: &str) -> Result<String> {
    let base = repository.resolve(rev)?;
    let head = repository.resolve(head)?;
    Ok(repository.merge_base(&base, &head)?)
}

fn compared(base: Option<&str>, words: String, command: String) -> Compared {
    Compared { baseline: base.unwrap_or(EMPTY).to_owned(), words, command, task: None, absolute: false }
}

fn short(id: &str) -> &str {
    crate::git::short(id)
}
