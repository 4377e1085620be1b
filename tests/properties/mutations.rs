//! The mutation table of facts/fingerprints.md: findings of real files, ten mutations with known truth, and what pairing
//! makes of them.
//!
//! The files are this project's own; `OGUARD_MUTATION_FILES=FOLDER cargo test -p oguard-engine --test properties --
//! --nocapture mutation` takes others. The findings are four stand-ins that are far denser than a rule's: calls, returns,
//! conditions and comments.

use crate::texts::document;
use oguard_engine::delta::{Key, pair};
use oguard_engine::document::Document;
use oguard_engine::finding::tokens;
use oguard_engine::grammars::by_path;
use std::path::{Path, PathBuf};

/// Share of old findings reported as new, in parts per hundred, that no mutation but 'duplicate' may exceed.
const FALSE_NEW_PERCENT_MAX: f64 = 0.5;
/// Share of old findings paired with another old one, likewise.
const MISPAIRED_PERCENT_MAX: f64 = 0.1;
/// Files of one run, and findings of a file that the mutations of one finding are tried on.
const FILES_MAX: usize = 130;
const TRIES_PER_FILE: usize = 4;

/// A line of a mutated text and the line of the base it comes from.
type Lines = Vec<(String, Option<usize>)>;

struct Sample {
    path: String,
    text: String,
    keys: Vec<Key>,
    places: Vec<(usize, usize)>,
}

#[derive(Default, Clone, Copy)]
struct Tally {
    findings: usize,
    false_new: usize,
    mispaired: usize,
}

#[test]
fn mutations_keep_identities() {
    let mut rows: Vec<(&str, Tally)> = Vec::new();
    for sample in samples() {
        for (name, lines, newline) in mutated(&sample) {
            let tally = judge(&sample, &lines, newline);
            match rows.iter_mut().find(|(n, _)| *n == name) {
                Some((_, all)) => {
                    all.findings += tally.findings;
                    all.false_new += tally.false_new;
                    all.mispaired += tally.mispaired;
                }
                None => rows.push((name, tally)),
            }
        }
    }
    let mut table = String::new();
    let mut failed = Vec::new();
    for (name, tally) in &rows {
        let percent = |n: usize| 100.0 * n as f64 / tally.findings.max(1) as f64;
        let (false_new, mispaired) = (percent(tally.false_new), percent(tally.mispaired));
        table += &format!("{name:28} findings {:8}  false-new {false_new:6.3} %  mispaired {mispaired:6.3} %\n", tally.findings);
        if *name != "duplicate" && (false_new > FALSE_NEW_PERCENT_MAX || mispaired > MISPAIRED_PERCENT_MAX) {
            failed.push(*name);
        }
    }
    eprintln!("{table}");
    assert_eq!(rows.len(), 10, "ten mutations");
    assert!(rows.iter().all(|(_, t)| t.findings > 100), "too few findings\n{table}");
    assert!(failed.is_empty(), "over the bar: {failed:?}\n{table}");
}

fn samples() -> Vec<Sample> {
    let folder = std::env::var_os("OGUARD_MUTATION_FILES").map(PathBuf::from);
    let mut paths = Vec::new();
    match &folder {
        Some(folder) => collect(folder, &mut paths),
        None => {
            for own in ["src", "../../grammars/src"] {
                collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join(own), &mut paths);
            }
        }
    }
    paths.sort();
    let step = paths.len().div_ceil(FILES_MAX).max(1);
    let texts = paths.iter().step_by(step).filter_map(|p| Some((p.to_string_lossy().into_owned(), std::fs::read_to_string(p).ok()?)));
    texts
        .map(|(path, text)| (path, text.replace("\r\n", "\n")))
        .filter(|(_, text)| text.len() < 200_000)
        .map(|(path, text)| {
            let (keys, places) = findings(&document(&path, &text));
            Sample { path, text, keys, places }
        })
        .filter(|s| s.keys.len() > 10)
        .collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, paths);
        } else if by_path(&path.to_string_lossy()).is_some() {
            paths.push(path);
        }
    }
}

/// Returns stand-in findings, each with its line and rank on that line.
fn findings(document: &Document) -> (Vec<Key>, Vec<(usize, usize)>) {
    let (mut keys, mut places) = (Vec::new(), Vec::new());
    let mut at = 0;
    let inventory = document.inventory();
    for (number, line) in document.text().split_inclusive('\n').enumerate() {
        let words = line.trim();
        let rules = [
            ("call", words.contains('(') && words.ends_with([';', ')', ','])),
            ("return", words.starts_with("return")),
            ("condition", words.starts_with("if ")),
            ("comment", words.starts_with("//") || words.starts_with('#')),
        ];
        let byte = at + line.len() - line.trim_start().len();
        for (rank, (rule, _)) in rules.into_iter().filter(|(_, holds)| *holds).enumerate() {
            let unit = inventory.unit_at(byte);
            let scope = inventory.qualified_name(unit, document.language.separator);
            keys.push(Key { rule, tokens: tokens(words), subject: String::new(), scope, at: byte });
            places.push((number, rank));
        }
        at += line.len();
    }
    (keys, places)
}

fn mutated(sample: &Sample) -> Vec<(&'static str, Lines, &'static str)> {
    let lines: Lines = sample.text.lines().enumerate().map(|(i, l)| (l.to_owned(), Some(i))).collect();
    let added = |text: &str| (text.to_owned(), None);
    let with = |at: usize, new: Vec<(String, Option<usize>)>| {
        let mut all = lines.clone();
        all.splice(at..at, new);
        all
    };
    let half = lines.len() / 2;
    let swapped: Lines = lines[half..].iter().chain(&lines[..half]).cloned().collect();
    let indented: Lines = lines.iter().map(|(l, o)| (if l.is_empty() { l.clone() } else { format!("    {l}") }, *o)).collect();
    let mut all = vec![
        ("three lines at the top", with(0, vec![added("x1"), added(""), added("x2")]), "\n"),
        (
            "a function inserted",
            with(half, vec![added("def inserted_here():"), added("    work = 1"), added("    done = work"), added("")]),
            "\n",
        ),
        ("re-indent all", indented, "\n"),
        ("CRLF", lines.clone(), "\r\n"),
        ("two halves swapped", swapped, "\n"),
        ("20 random line edits", random_edits(&lines), "\n"),
    ];
    for number in picked(sample) {
        let mut deleted = lines.clone();
        deleted.remove(number);
        all.push(("one finding's line deleted", deleted, "\n"));
        all.push(("duplicate", with(number, vec![(lines[number].0.clone(), None)]), "\n"));
        all.push(("the scope renamed", renamed(sample, &lines, number), "\n"));
        let mut next = lines.clone();
        if let Some(line) = next.get_mut(number + 1) {
            line.0.push_str(" edited");
        }
        all.push(("the next line edited", next, "\n"));
    }
    all
}

/// Returns lines of findings, spread over the file.
fn picked(sample: &Sample) -> impl Iterator<Item = usize> {
    let step = (sample.places.len() / TRIES_PER_FILE).max(1);
    sample.places.iter().step_by(step).map(|(line, _)| *line).collect::<Vec<_>>().into_iter()
}

/// Appends a word to twenty lines at pseudo-random places; a plain generator, so that a run can be repeated.
fn random_edits(lines: &Lines) -> Lines {
    let mut lines = lines.clone();
    let mut seed = lines.len() as u64;
    for _ in 0..20 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (seed >> 33) as usize % lines.len();
        lines[at].0.push_str(" edited;");
    }
    lines
}

/// Renames the innermost named item around a line, wherever its name stands as a word.
fn renamed(sample: &Sample, lines: &Lines, number: usize) -> Lines {
    let scope = sample.places.iter().position(|(line, _)| *line == number).map(|i| sample.keys[i].scope.clone()).unwrap_or_default();
    let name = scope.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("").to_owned();
    if name.len() < 3 {
        return lines.clone();
    }
    lines
        .iter()
        .map(|(line, origin)| {
            let mentions =
                line.contains(&format!(" {name}(")) || line.contains(&format!(" {name} ")) || line.contains(&format!(" {name}:"));
            (if mentions { line.replace(&name, &format!("{name}_renamed")) } else { line.clone() }, *origin)
        })
        .collect()
}

fn judge(sample: &Sample, lines: &Lines, newline: &str) -> Tally {
    let text: String = lines.iter().map(|(line, _)| format!("{line}{newline}")).collect();
    let (keys, places) = findings(&document(&sample.path, &text));
    let paired = pair(&sample.keys, &sample.text, &keys, &text, &|_, _| true);
    let mut tally = Tally::default();
    for (index, (line, rank)) in places.iter().enumerate() {
        let Some(origin) = lines.get(*line).and_then(|(_, origin)| *origin) else { continue };
        let Some(truth) = sample.places.iter().position(|p| *p == (origin, *rank)).filter(|t| sample.keys[*t].rule == keys[index].rule)
        else {
            continue;
        };
        tally.findings += 1;
        match paired[index] {
            None => tally.false_new += 1,
            Some(old) if old != truth => tally.mispaired += 1,
            Some(_) => {}
        }
    }
    tally
}
