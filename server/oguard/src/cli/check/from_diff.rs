//! `oguard check --diff`: the base is what the files were before a diff.

use super::{ChangeArgs, Selection, judged, name, read_input};
use crate::git::Repository;
use crate::judge::{Base, Change, Input, Source};
use crate::patch::{FilePatch, Line, PatchError, parse, take_back};
use crate::project::{NotJudged, Project, real};
use crate::report::{Compared, NotEvaluated, Report, quoted};
use anyhow::{Context, Result};
use oguard_engine::document::FILE_BYTES_MAX;
use std::path::Path;

/// The baseline of a run whose base a diff gives.
const DIFF: &str = "diff";

pub(super) fn judge_diff(args: &ChangeArgs, cwd: &Path, diff: &Path, tests: bool) -> Result<Report> {
    let root = Repository::discover(cwd)?.map_or_else(|| cwd.to_owned(), |repository| repository.root().to_owned());
    let project = Project::load(&root)?.for_task(args.task);
    let selection = Selection::new(&project, &args.paths)?;
    let bytes = if diff.as_os_str() == "-" {
        read_input(std::io::stdin().lock(), "standard input")?
    } else {
        let file = std::fs::File::open(diff).with_context(|| format!("{} cannot be opened", diff.display()))?;
        read_input(file, &diff.display().to_string())?
    };
    let mut inputs = Vec::new();
    let mut skipped = Vec::new();
    for patch in parse(&bytes)? {
        match input(&project, &patch)? {
            Ok(input) => inputs.push(input),
            Err(why) => skipped.push(why),
        }
    }
    inputs.sort_by(|a, b| a.path.cmp(&b.path));
    let name_of_diff = if diff.as_os_str() == "-" { "-".to_owned() } else { quoted(&diff.to_string_lossy()) };
    let compared = Compared {
        baseline: DIFF.to_owned(),
        words: "files on disk against what they were before the diff".to_owned(),
        command: format!("oguard check --diff {name_of_diff}"),
        task: None,
        absolute: false,
    };
    let mut change = Change { inputs, skipped: Vec::new(), compared };
    selection.apply(&project, &mut change)?;
    skipped.retain(|s| selection.holds(&s.what));
    let mut report = judged(&project, change, None, tests);
    name(&mut report, skipped);
    Ok(report)
}

/// Makes an input of a file of the diff, or says why there is none to make.
fn input(project: &Project, patch: &FilePatch) -> Result<Result<Input, NotEvaluated>, PatchError> {
    let path = patch.new_path.as_ref().or(patch.old_path.as_ref()).cloned().unwrap_or_default();
    let skip = |why: NotJudged| Ok(Err(NotEvaluated::new(path.clone(), why.to_string())));
    if patch.special {
        return skip(NotJudged::NotAFile);
    }
    if patch.binary {
        return skip(NotJudged::Binary);
    }
    let only = |wanted: fn(&Line) -> bool| !patch.hunks.is_empty() && patch.hunks.iter().flat_map(|h| &h.lines).all(wanted);
    let on_disk = match disk(project, &path) {
        Ok(on_disk) => on_disk,
        Err(why) => return skip(why),
    };
    // Plain diffs name both sides of a new or deleted file.
    let deleted = patch.new_path.is_none() || (on_disk.is_none() && only(|l| matches!(l, Line::Removed(_))));
    if deleted != on_disk.is_none() {
        return Err(PatchError::Elsewhere { path });
    }
    let before = take_back(patch, on_disk.as_deref().unwrap_or(b""))?;
    let new = patch.old_path.is_none() || (before.is_empty() && only(|l| matches!(l, Line::Added(_))));
    let base_path = patch.old_path.clone().unwrap_or_else(|| path.clone());
    let base = (!new).then_some(Base { path: base_path, source: Source::Bytes(before) });
    let edited = on_disk.map_or(Source::Deleted, Source::Bytes);
    Ok(Ok(Input { path, base, edited, selected: true }))
}

/// Returns the bytes of a file below the root; none where there is none.
fn disk(project: &Project, path: &str) -> Result<Option<Vec<u8>>, NotJudged> {
    let full = project.root().join(path);
    // A diff is input from elsewhere: it names files below the root and nothing else, wherever links of folders lead.
    let below = |folder: &Path| real(folder).starts_with(real(project.root()));
    if project.relative(&full).as_deref() != Some(path) || !full.parent().is_some_and(below) {
        return Err(NotJudged::NotAFile);
    }
    match std::fs::symlink_metadata(&full) {
        Err(_) => Ok(None),
        Ok(kind) if !kind.is_file() => Err(NotJudged::NotAFile),
        Ok(kind) if kind.len() > FILE_BYTES_MAX as u64 => Err(NotJudged::TooLarge),
        Ok(_) => std::fs::read(&full).map(Some).map_err(|e| NotJudged::Unreadable(e.to_string())),
    }
}
