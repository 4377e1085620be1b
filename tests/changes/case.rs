//! The format of a labelled change: a heading is a case, prose says what it is, each fenced block is one file on both sides.
//!
//! `CONTRIBUTING.md` describes it for those who write cases.

use std::path::Path;

/// One side of a file.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A file of a change; a side that is none is not there.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    pub(crate) base: Option<Side>,
    pub(crate) edited: Option<Side>,
}

/// What a case says of a finding.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    pub(crate) rule: String,
    /// Where it is; several, with `|`, where a file went in more than one direction.
    pub(crate) path: String,
    /// The line of the edited text, where the finding has one of its own.
    pub(crate) line: Option<u64>,
    /// A part of the finding's subject.
    pub(crate) subject: Option<String>,
    /// It counts at level `info` too.
    pub(crate) info: bool,
    /// Could be argued either way: it may be there and need not.
    pub(crate) maybe: bool,
    /// Right, and not said yet: the case fails once it is, so that the mark goes.
    pub(crate) known: bool,
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.rule)?;
        if let Some(subject) = &self.subject {
            write!(f, " of {subject}")?;
        }
        Ok(())
    }
}

/// One change.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) title: String,
    pub(crate) files: Vec<File>,
    pub(crate) expected: Vec<Expected>,
}

impl Case {
    /// Returns the title as a test name.
    pub(crate) fn slug(&self) -> String {
        let words: Vec<String> =
            self.title.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
        words.join("-")
    }
}

/// Reads the cases of a file; what is not of the format stops with its place.
pub(crate) fn read(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).expect("the fixture is readable");
    let lines: Vec<&str> = text.lines().collect();
    let at_line = |number: usize| format!("{}:{}", file.display(), number + 1);
    let mut cases: Vec<Case> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if let Some(title) = lines[at].strip_prefix("## ") {
            cases.push(Case { title: title.trim().to_owned(), files: Vec::new(), expected: Vec::new() });
        } else if let Some(words) = lines[at].strip_prefix("* ") {
            let case = cases.last_mut().unwrap_or_else(|| panic!("{}: no heading above", at_line(at)));
            case.expected.push(listed(words).unwrap_or_else(|| panic!("{}: `* [maybe|known] RULE [info] PATH[: SUBJECT]`", at_line(at))));
        } else if let Some((fence, info)) = fence(lines[at]) {
            let case = cases.last_mut().unwrap_or_else(|| panic!("{}: no heading above", at_line(at)));
            let end = (at + 1..lines.len()).find(|i| lines[*i] == fence).unwrap_or_else(|| panic!("{}: never closed", at_line(at)));
            let block =
                Block::of(info).unwrap_or_else(|| panic!("{}: `diff PATH`, `diff OLD => NEW`, `LANG new|gone|kept PATH`", at_line(at)));
            let (file, marks) =
                block.read(&lines[at + 1..end]).unwrap_or_else(|line| panic!("{}: no line of a block", at_line(at + 1 + line)));
            case.files.push(file);
            case.expected.extend(marks);
            at = end;
        }
        at += 1;
    }
    for (number, case) in cases.iter().enumerate() {
        assert!(!cases[..number].iter().any(|c| c.slug() == case.slug()), "{}: two cases are called `{}`", file.display(), case.title);
        assert!(case.files.iter().any(File::differs), "{}: `{}` changes nothing", file.display(), case.title);
    }
    cases
}

impl File {
    fn differs(&self) -> bool {
        match (&self.base, &self.edited) {
            (Some(base), Some(edited)) => base.path != edited.path || base.text != edited.text,
            _ => true,
        }
    }
}

fn fence(line: &str) -> Option<(String, &str)> {
    let ticks = line.len() - line.trim_start_matches('`').len();
    (ticks >= 3 && line.len() > ticks).then(|| ("`".repeat(ticks), line[ticks..].trim()))
}

/// Reads what a bullet expects.
fn listed(words: &str) -> Option<Expected> {
    let (words, subject) = words.split_once(": ").map_or((words, None), |(w, s)| (w, Some(s.trim().to_owned())));
    let mut words: Vec<&str> = words.split_whitespace().collect();
    let mut take = |word: &str| {
        let before = words.len();
        words.retain(|w| *w != word);
        words.len() < before
    };
    let (maybe, info, known) = (take("maybe"), take("info"), take("known"));
    let [rule, path] = words[..] else { return None };
    Some(Expected { rule: rule.to_owned(), path: path.to_owned(), line: None, subject, info, maybe, known })
}

/// What a fence says of its block.
enum Block<'a> {
    Diff { base: &'a str, edited: &'a str },
    New(&'a str),
    Gone(&'a str),
    Kept(&'a str),
}

impl<'a> Block<'a> {
    fn of(info: &'a str) -> Option<Self> {
        let words: Vec<&str> = info.split_whitespace().collect();
        Some(match words[..] {
            ["diff", path] => Block::Diff { base: path, edited: path },
            ["diff", base, "=>", edited] => Block::Diff { base, edited },
            [_, "new", path] => Block::New(path),
            [_, "gone", path] => Block::Gone(path),
            [_, "kept", path] => Block::Kept(path),
            _ => return None,
        })
    }

    /// Reads the two sides and the marks; an error is the number of the line that is neither.
    fn read(&self, lines: &[&str]) -> Result<(File, Vec<Expected>), usize> {
        let (mut base, mut edited, mut marks) = (String::new(), String::new(), Vec::new());
        let add = |text: &mut String, line: &str| {
            text.push_str(line);
            text.push('\n');
        };
        let path = match *self {
            Block::Diff { edited, .. } | Block::New(edited) | Block::Gone(edited) | Block::Kept(edited) => edited,
        };
        for (number, line) in lines.iter().enumerate() {
            if let Some(words) = line.strip_prefix("^ ") {
                let mut expected = listed(&format!("{words} {path}")).ok_or(number)?;
                expected.line = Some(edited.lines().count() as u64);
                marks.push(expected);
                continue;
            }
            match *self {
                Block::Diff { .. } => match line.split_at_checked(1) {
                    None => {
                        add(&mut base, "");
                        add(&mut edited, "");
                    }
                    Some((" ", rest)) => {
                        add(&mut base, rest);
                        add(&mut edited, rest);
                    }
                    Some(("-", rest)) => add(&mut base, rest),
                    Some(("+", rest)) => add(&mut edited, rest),
                    _ => return Err(number),
                },
                Block::New(_) => add(&mut edited, line),
                Block::Gone(_) => add(&mut base, line),
                Block::Kept(_) => {
                    add(&mut base, line);
                    add(&mut edited, line);
                }
            }
        }
        let side = |path: &str, text| Some(Side { path: path.to_owned(), text });
        let file = match *self {
            Block::Diff { base: old, edited: new } => File { base: side(old, base), edited: side(new, edited) },
            Block::New(path) => File { base: None, edited: side(path, edited) },
            Block::Gone(path) => File { base: side(path, base), edited: None },
            Block::Kept(path) => File { base: side(path, base), edited: side(path, edited) },
        };
        Ok((file, marks))
    }
}
