//! `oguard scan`: all findings of whole files, without a base, for audits and first looks.

use super::output::ReportArgs;
use crate::git::Repository;
use crate::judge::{Change, Input, Source, judge};
use crate::project::{Project, language_of};
use crate::report::{Compared, NotEvaluated, quoted};
use anyhow::{Context, Result, bail};
use ignore::WalkBuilder;
use oguard_engine::settings::Settings;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Report everything in whole files, without a base
///
/// Walks folders as git would (ignored files are left out, hidden ones are not) and judges each file as if it were new.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// Files and folders; the current folder where none is given
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  oguard scan                         the current folder
  oguard scan src tests --format line
  oguard scan --format json > audit.json

What is old debt and what is new only a base can tell: `oguard check` reports what changed.
Exit codes: 0 pass or warn, 1 block, 2 error, 3 unknown.";

/// How often progress is shown, in files: often enough to see, seldom enough to cost nothing.
const PROGRESS_STEP: usize = 50;

pub(super) fn run(args: &Args) -> Result<u8> {
    let cwd = std::env::current_dir().context("the working directory is gone")?;
    let given = if args.paths.is_empty() { vec![cwd.clone()] } else { args.paths.clone() };
    for path in &given {
        std::fs::symlink_metadata(path).with_context(|| format!("{} cannot be read", path.display()))?;
    }
    let project = Project::load(&root_of(&given[0], &cwd)?)?;
    let (inputs, unknown) = files(&project, &given)?;
    let shown: Vec<String> = args.paths.iter().map(|p| quoted(&p.to_string_lossy())).collect();
    let compared = Compared {
        baseline: super::check::EMPTY.to_owned(),
        words: "whole files, no base".to_owned(),
        command: format!("oguard scan {}", shown.join(" ")).trim_end().to_owned(),
        task: None,
        absolute: true,
    };
    let all = inputs.len();
    let on_terminal = std::io::stderr().is_terminal();
    let done = |n: usize| {
        if on_terminal && (n.is_multiple_of(PROGRESS_STEP) || n == all) {
            // A progress line that cannot be written is no reason to stop.
            let _ = write!(std::io::stderr(), "\r\x1b[Koguard: {n} of {all} files{}", if n == all { "\r\x1b[K" } else { "" });
        }
    };
    let mut report = judge(&project, Change { inputs, skipped: Vec::new(), compared }, None, &done);
    report.claim.not_evaluated.extend(unknown);
    Ok(args.report.finish(&report))
}

/// Returns the root that paths are shown against: the work tree around the first path, else the current folder where it holds
/// the path, else the path's own folder.
fn root_of(path: &Path, cwd: &Path) -> Result<PathBuf> {
    let absolute = std::path::absolute(path).with_context(|| format!("{} is no path", path.display()))?;
    let folder = if absolute.is_dir() { absolute.as_path() } else { absolute.parent().unwrap_or(&absolute) };
    if let Some(repository) = Repository::discover(folder)? {
        return Ok(repository.root().to_owned());
    }
    Ok(if folder.starts_with(cwd) { cwd.to_owned() } else { folder.to_owned() })
}

/// Walks the paths; files of unknown language are counted by extension.
fn files(project: &Project, given: &[PathBuf]) -> Result<(Vec<Input>, Vec<NotEvaluated>)> {
    let mut found: BTreeMap<String, Input> = BTreeMap::new();
    let mut unknown: BTreeMap<String, usize> = BTreeMap::new();
    let mut trouble = Vec::new();
    let mut walk = WalkBuilder::new(&given[0]);
    for path in &given[1..] {
        walk.add(path);
    }
    let (settings, root) = (project.settings().clone(), project.clone());
    walk.hidden(false).require_git(false).sort_by_file_path(Path::cmp);
    walk.filter_entry(move |entry| {
        entry.depth() == 0 || !entry.file_type().is_some_and(|t| t.is_dir()) || enters(&settings, &root, entry.path())
    });
    for entry in walk.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                trouble.push(NotEvaluated::new("a folder or file", error.to_string()));
                continue;
            }
        };
        if !entry.file_type().is_some_and(|t| t.is_file()) {
            continue;
        }
        let Some(path) = project.relative(entry.path()) else {
            if entry.path().to_str().is_none() {
                trouble.push(NotEvaluated::new(entry.path().to_string_lossy(), "its name is not UTF-8"));
                continue;
            }
            bail!("{} is not below {}; scan one root at a time", entry.path().display(), project.root().display());
        };
        // What is excluded or not read is named file by file; what no build could read, by kind.
        if language_of(&path).is_err() {
            *unknown.entry(kind(&path)).or_default() += 1;
        } else {
            found.insert(path.clone(), Input { path, base: None, edited: Source::Disk, selected: true });
        }
    }
    let mut not_evaluated: Vec<NotEvaluated> = unknown
        .into_iter()
        .map(|(kind, n)| NotEvaluated::new(format!("{kind} ({n} file{})", if n == 1 { "" } else { "s" }), "unknown language"))
        .collect();
    not_evaluated.extend(trouble);
    Ok((found.into_values().collect(), not_evaluated))
}

/// Whether a folder can hold a file that is judged.
fn enters(settings: &Settings, project: &Project, folder: &Path) -> bool {
    if folder.file_name().is_some_and(|name| name == ".git") {
        return false;
    }
    let Some(path) = project.relative(folder) else { return true };
    // A glob that takes a file and one a level deeper takes the whole folder.
    !(settings.excludes(&format!("{path}/_")) && settings.excludes(&format!("{path}/_/_")))
}

/// Returns the extension of a path as a glob, or its name where it has none.
fn kind(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => format!("*.{extension}"),
        _ => name.to_owned(),
    }
}
