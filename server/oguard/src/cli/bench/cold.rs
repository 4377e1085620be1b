//! Runs without a server: `oguard check` as a cold process, and `oguard scan` of a folder.

use super::edits::{milliseconds, repository, write};
use super::texts::Kind;
use super::{Row, median};
use crate::cli::output::print;
use crate::git::Scratch;
use anyhow::{Context, Result, bail};
use oguard_engine::grammars::by_path;
use oguard_engine::grammars::tree_sitter::Parser;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Largest file of a cold check, in lines: what an agent or a person edits.
const LINES_MAX: usize = 2_000;

/// Files of a small and a large work tree.
const TREES: [usize; 2] = [100, 2_000];

/// Files that are scanned, and their lines.
const SCANNED: (usize, usize) = (200, 500);

/// Runs of a cold process for each round: they are short, and scatter.
const RUNS: u32 = 7;

/// Parses files in full, with the grammar alone, and prints the milliseconds of each.
pub(super) fn parse(files: &[PathBuf]) -> Result<()> {
    for file in files {
        let language = by_path(&file.to_string_lossy()).with_context(|| format!("no language for {}", file.display()))?;
        let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
        let mut parser = Parser::new();
        parser.set_language(&(language.grammar)()).context("the grammar does not fit the library")?;
        let since = Instant::now();
        let tree = parser.parse(&text, None).context("the parser gave up")?;
        let took = milliseconds(since);
        std::hint::black_box(tree);
        print(&format!("{took:.3}\n"));
    }
    Ok(())
}

/// Changes a text in four places, as a small honest edit does.
fn edited(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    for part in (1..5).rev() {
        lines.insert(part * lines.len() / 5, "");
    }
    lines.join("\n") + "\n"
}

/// Times a command in a folder, in milliseconds, and returns what it printed.
fn timed(program: &Path, args: &[&str], root: &Path) -> Result<(f64, String)> {
    let since = Instant::now();
    let output = Command::new(program)
        .args(args)
        .current_dir(root)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let took = milliseconds(since);
    if !matches!(output.status.code(), Some(0 | 1)) {
        bail!("{} failed: {}", program.display(), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok((took, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// `oguard check` with one changed file, by its size and by that of the tree around it.
pub(super) fn check(kind: Kind, sizes: &[usize], rounds: u32) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for lines in sizes.iter().copied().filter(|lines| *lines <= LINES_MAX) {
        let text = kind.text(lines);
        let scratch = repository(kind, &text)?;
        write(scratch.root(), &kind.file(0), &edited(&text))?;
        rows.extend(check_in(kind, scratch.root(), &text, rounds, &format!("{} {lines} lines", kind.name()))?);
    }
    for files in TREES {
        let text = kind.text(200);
        let scratch = Scratch::new("oguard-bench")?;
        for number in 0..files {
            write(scratch.root(), &kind.file(number), &text)?;
        }
        scratch.commit("base")?;
        write(scratch.root(), &kind.file(0), &edited(&text))?;
        let of = format!("{} 200 lines among {files} files", kind.name());
        rows.extend(check_in(kind, scratch.root(), &text, rounds, &of)?.into_iter().take(1));
    }
    Ok(rows)
}

/// Measures a check in turn with what it cannot do without; one row against process and blob, one with two parses besides.
fn check_in(kind: Kind, root: &Path, base: &str, rounds: u32, of: &str) -> Result<[Row; 2]> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let name = kind.file(0);
    let aside = Scratch::new("oguard-bench")?;
    write(aside.root(), &name, base)?;
    let (before, after) = (aside.root().join(&name), root.join(&name));
    let files = [before.to_string_lossy().into_owned(), after.to_string_lossy().into_owned()];
    let object = format!("HEAD:{name}");
    let (mut process, mut blob, mut parses, mut ours) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for run in 0..=rounds * RUNS {
        let nothing = timed(Path::new("true"), &[], root)?.0;
        let read = timed(Path::new("git"), &["cat-file", "blob", &object], root)?.0;
        let parsed: f64 =
            timed(&program, &["bench", "--parse", &files[0], &files[1]], root)?.1.lines().filter_map(|line| line.parse::<f64>().ok()).sum();
        let check = timed(&program, &["check", "--format", "json"], root)?.0;
        // The first run fills the caches of the system.
        if run > 0 {
            process.push(nothing);
            blob.push(read);
            parses.push(parsed);
            ours.push(check);
        }
    }
    let (small, parses, ours) = (median(&mut process) + median(&mut blob), median(&mut parses), median(&mut ours));
    let row = |what: &str, floor, goal| Row {
        what: format!("{what}, {of}"),
        oguard: ours,
        floor: Some(floor),
        unit: "ms",
        goal: Some(goal),
        remark: String::new(),
    };
    Ok([row("cold check against true + blob", small, 3.0), row("cold check against true + blob + two parses", small + parses, 1.4)])
}

/// `oguard scan` of a folder against a parse of all its files on as many threads.
pub(super) fn scan(kind: Kind, rounds: u32) -> Result<Row> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let (files, lines) = SCANNED;
    let text = kind.text(lines);
    let scratch = Scratch::new("oguard-bench")?;
    for number in 0..files {
        write(scratch.root(), &kind.file(number), &text)?;
    }
    let megabytes = (files * text.len()) as f64 / 1e6;
    let (mut ours, mut floor) = (Vec::new(), Vec::new());
    for _ in 0..=rounds {
        ours.push(timed(&program, &["scan", "--format", "json"], scratch.root())?.0);
        let since = Instant::now();
        parse_all(kind, scratch.root(), files)?;
        floor.push(milliseconds(since));
    }
    let (ours, floor) = (median(&mut ours), median(&mut floor));
    Ok(Row {
        what: format!("scan, {files} files of {} {lines} lines", kind.name()),
        oguard: ours,
        floor: Some(floor),
        unit: "ms",
        goal: None,
        remark: format!("{:.1} MB/s against {:.1} of a parse", megabytes / ours * 1000.0, megabytes / floor * 1000.0),
    })
}

fn parse_all(kind: Kind, root: &Path, files: usize) -> Result<()> {
    let language = by_path(&kind.file(0)).context("the bench's languages are built in")?;
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                scope.spawn(move || -> Result<()> {
                    let mut parser = Parser::new();
                    parser.set_language(&(language.grammar)()).context("the grammar does not fit the library")?;
                    for number in (first..files).step_by(threads) {
                        let text = std::fs::read_to_string(root.join(kind.file(number)))?;
                        std::hint::black_box(parser.parse(&text, None));
                    }
                    Ok(())
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(|_| bail!("a parse panicked")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_changes_four_places_and_keeps_the_rest() {
        let text = Kind::Python.text(100);
        let after = edited(&text);
        assert_eq!(after.lines().count(), text.lines().count() + 4);
        let kept = |t: &str| t.lines().filter(|l| !l.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(kept(&after), kept(&text));
    }
}
