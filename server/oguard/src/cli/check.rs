//! `oguard check`: what changed against a base, judged.
//!
//! `compare` says what is compared with what and lists the files; `from_diff` does so for a diff. The judging is
//! `crate::judge`'s.

mod compare;
mod from_diff;

pub(super) use compare::EMPTY;

use super::output::ReportArgs;
use crate::git::{Blobs, Repository};
use crate::judge::{Base, Change, Input, Source, judge, judge_with_tests, keep_what_both_say};
use crate::project::Project;
use crate::report::{Format, Limit, NotEvaluated, Report, Style, render};
use crate::store::{Session, Store};
use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use oguard_engine::intent::Task;
use oguard_engine::verdict::Verdict;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Largest text or diff read from standard input, in bytes; a diff of a whole release stays below it.
const INPUT_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Judge what changed against a base
///
/// The base is HEAD and what is judged is the work tree, untracked files included. Only what is new is reported: what the base
/// said already, moved or renamed or reformatted, stays silent.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    change: ChangeArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// Which change is judged.
#[derive(clap::Args, Debug, Default)]
pub(super) struct ChangeArgs {
    /// Files and folders to judge; all that changed where none is given
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Compare with the merge base of REV and what is judged (HEAD, or the commit of --head)
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// Judge a commit, without a checkout; against its first parent, or against --base
    #[arg(long, value_name = "REV", conflicts_with_all = ["staged", "diff", "stdin"])]
    head: Option<String>,
    /// Judge the index: what would be committed
    #[arg(long, conflicts_with_all = ["diff", "stdin"])]
    staged: bool,
    /// Take the base from a unified diff that leads to the files on disk (`-`: standard input); works outside git and in shallow clones
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "stdin"])]
    diff: Option<PathBuf>,
    /// What the change is for; moves levels: a test that is gone blocks in a bugfix or refactor, and informs in a revert
    #[arg(long, value_parser = task_parser(), value_name = "KIND")]
    task: Option<Task>,
    /// Judge standard input as the text of the one PATH
    #[arg(long)]
    stdin: bool,
}

const EXAMPLES: &str = "\
Examples:
  oguard check                               since HEAD, untracked files included
  oguard check src tests/test_api.py         only there
  oguard check --base origin/main            what this branch changed, committed or not
  oguard check --base origin/main --head HEAD   the same, commits only (CI)
  oguard check --head 1a2b3c4                one commit, against its first parent
  oguard check --staged                      what would be committed
  git diff main | oguard check --diff -      the base comes from a diff
  oguard check --stdin src/app.ts < buffer   text that is not saved yet
  oguard check --fail-on warn --format github   annotations in GitHub Actions

Exit codes: 0 pass or warn, 1 block (with --fail-on warn: warnings too), 2 error, 3 unknown.
What could not be read (binary, unknown language, larger than 8 MB, not UTF-8) is named and moves no verdict.";

/// Reads the kind of a task; a slip is answered with the list.
fn task_parser() -> impl clap::builder::TypedValueParser<Value = Task> {
    let names = PossibleValuesParser::new(Task::ALL.iter().map(|task| task.name()));
    names.map(|name| Task::parse(&name).expect("it is one of the names"))
}

pub(super) fn run(args: &Args) -> Result<u8> {
    Ok(args.report.finish(&judge_change(&args.change, false)?))
}

/// Judges the change that the arguments name; with `tests` it is said what happened to each test.
pub(super) fn judge_change(args: &ChangeArgs, tests: bool) -> Result<Report> {
    if args.stdin && args.paths.len() != 1 {
        bail!("--stdin needs the one PATH whose text it is: `oguard check --stdin src/app.ts < buffer`");
    }
    let cwd = std::env::current_dir().context("the working directory is gone")?;
    let mut report = match &args.diff {
        Some(diff) => from_diff::judge_diff(args, &cwd, diff, tests)?,
        None => judge_repository(args, &cwd, tests)?,
    };
    report.claim.compared.task = args.task.map(Task::name);
    Ok(report)
}

/// Judges with or without what happened to each test.
fn judged(project: &Project, change: Change, blobs: Option<Blobs>, tests: bool) -> Report {
    if tests { judge_with_tests(project, change, blobs) } else { judge(project, change, blobs, &|_| {}) }
}

/// Judges the work tree around a folder against HEAD, as `oguard check` without arguments.
pub(super) fn judge_work_tree(cwd: &Path) -> Result<Report> {
    judge_repository(&ChangeArgs::default(), cwd, false)
}

/// Judges the index, as git's hook before a commit: what the other side of a merge brings is no part of the change. Prints on
/// standard error where there is something to say.
pub(super) fn before_commit() -> Result<u8> {
    let cwd = std::env::current_dir().context("the working directory is gone")?;
    let mut report = judge_repository(&ChangeArgs { staged: true, ..ChangeArgs::default() }, &cwd, false)?;
    if let Some(repository) = Repository::discover(&cwd)? {
        for other in repository.merged_in() {
            let (changes, blobs) = repository.changes_and_blobs(Some(&repository.resolve(&other)?), &crate::git::Target::Index)?;
            let inputs = changes.files.into_iter().map(Input::from).collect();
            let change = Change { inputs, skipped: Vec::new(), compared: report.claim.compared.clone() };
            keep_what_both_say(&mut report, judge(&Project::load(repository.root())?, change, Some(blobs), &|_| {}));
        }
    }
    if report.verdict != Verdict::Pass {
        eprint!("{}", render(&report, Format::Text, Limit::of(None), Style::of_stderr()));
    }
    Ok(report.verdict.exit_code())
}

fn judge_repository(args: &ChangeArgs, cwd: &Path, tests: bool) -> Result<Report> {
    if let Some(bare) = Repository::bare_around(cwd).filter(|_| std::env::var_os("GIT_DIR").is_none()) {
        bail!(
            "{} is a bare repository, which has no files to judge: run it in a work tree (`git worktree add FOLDER` makes one; there \
             `--base REV --head REV` compares commits)",
            bare.display()
        );
    }
    let Some(repository) = Repository::discover(cwd)? else {
        bail!(
            "{} is not in a git repository, so there is no base: `oguard scan PATH` judges whole files, `oguard check --diff FILE` takes the \
             base from a diff",
            cwd.display()
        );
    };
    let project = Project::load(repository.root())?.for_task(args.task);
    let selection = Selection::new(&project, &args.paths)?;
    let (mut change, mut blobs) = compare::change(args, &repository)?;
    if args.stdin {
        put_standard_input(&selection, &mut change, &mut blobs)?;
    }
    selection.apply(&project, &mut change)?;
    let natural = args.base.is_none() && args.head.is_none() && !args.staged && !args.stdin;
    let committed = if natural && change.inputs.is_empty() { committed(&repository, &change.compared.baseline) } else { None };
    let mut report = judged(&project, change, Some(blobs), tests);
    report.claim.not_evaluated.extend(committed);
    Ok(report)
}

/// Names the commits that an agent's session made, where the work tree is clean: HEAD as the base would clear them unseen.
fn committed(repository: &Repository, head: &str) -> Option<NotEvaluated> {
    let base = Session::newest(&Store::of(repository.root()))?.base.filter(|base| base != head)?;
    // A base that is no ancestor any more, or is gone, is not what HEAD came from.
    let commits = repository.commits_between(&base, head).ok().flatten().filter(|n| *n > 0)?;
    let what = if commits == 1 { "1 commit".to_owned() } else { format!("{commits} commits") };
    let command = format!("oguard check --base {}", crate::git::short(&base));
    Some(NotEvaluated::new(format!("{what} since the session began"), format!("not in the work tree any more: `{command}` judges them")))
}

/// Puts text from standard input in place of the selected file's.
fn put_standard_input(selection: &Selection, change: &mut Change, blobs: &mut Blobs) -> Result<()> {
    let path = selection.paths.first().cloned().unwrap_or_default();
    let edited = Source::Bytes(read_input(std::io::stdin().lock(), "standard input")?);
    change.skipped.retain(|s| s.path != path);
    if let Some(input) = change.inputs.iter_mut().find(|i| i.path == path) {
        input.edited = edited;
        return Ok(());
    }
    // Nothing changed on disk: the base is what HEAD (or the base) has at this path, if anything.
    let mut base = None;
    if change.compared.baseline != compare::EMPTY {
        let object = format!("{}:{path}", change.compared.baseline);
        if blobs.read(&object)?.is_some() {
            base = Some(Base { path: path.clone(), source: Source::Object(object) });
        }
    }
    change.inputs.push(Input { path, base, edited, selected: true });
    Ok(())
}

fn read_input(from: impl Read, what: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(INPUT_BYTES_MAX + 1).read_to_end(&mut bytes).with_context(|| format!("{what} cannot be read"))?;
    if bytes.len() as u64 > INPUT_BYTES_MAX {
        bail!("{what} is larger than {} MB; judge a part of it", INPUT_BYTES_MAX / (1024 * 1024));
    }
    Ok(bytes)
}

/// The paths that were asked for, relative to the root.
struct Selection {
    /// Empty where none was given; an empty path is the root.
    paths: Vec<String>,
    /// As they were given.
    given: Vec<PathBuf>,
}

impl Selection {
    fn new(project: &Project, given: &[PathBuf]) -> Result<Self> {
        let mut paths = Vec::new();
        for path in given {
            let relative = project.relative(path).with_context(|| {
                format!("{} is not below the root {}; give paths of this repository", path.display(), project.root().display())
            })?;
            paths.push(relative);
        }
        Ok(Selection { paths, given: given.to_vec() })
    }

    fn holds(&self, path: &str) -> bool {
        self.paths.is_empty() || self.paths.iter().any(|selected| below(path, selected))
    }

    /// Marks what was asked for; a path that is neither there nor changed is a slip that must not read as a pass.
    fn apply(&self, project: &Project, change: &mut Change) -> Result<()> {
        for (path, given) in self.paths.iter().zip(&self.given) {
            let changed = change.inputs.iter().any(|i| below(&i.path, path) || i.base.as_ref().is_some_and(|b| below(&b.path, path)));
            let named = changed || change.skipped.iter().any(|s| below(&s.path, path));
            if !named && std::fs::symlink_metadata(project.root().join(path)).is_err() {
                bail!("{} is not there, and nothing changed below it; check the spelling", given.display());
            }
        }
        for input in &mut change.inputs {
            input.selected = self.holds(&input.path) || input.base.as_ref().is_some_and(|b| self.holds(&b.path));
        }
        change.skipped.retain(|s| self.holds(&s.path));
        Ok(())
    }
}

fn below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Names files that cannot be put to the judge at all.
fn name(report: &mut Report, skipped: Vec<NotEvaluated>) {
    report.claim.not_evaluated.extend(skipped);
}
