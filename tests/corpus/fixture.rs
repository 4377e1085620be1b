//! The fixture format: Markdown with marked code blocks, read and written back.

use oguard_engine::finding::Finding;
use oguard_engine::intent::Task;
use oguard_engine::text::{line, line_starts};
use std::fmt;

/// One file of cases.
pub(crate) struct Fixture {
    lines: Vec<String>,
    pub(crate) cases: Vec<Case>,
}

/// One case.
pub(crate) struct Case {
    pub(crate) title: String,
    pub(crate) path: String,
    /// Where the base had it.
    pub(crate) base_path: String,
    pub(crate) base: Option<String>,
    pub(crate) edited: String,
    /// The file is gone: `edited` is empty.
    pub(crate) gone: bool,
    /// Other files of the change.
    pub(crate) others: Vec<Other>,
    /// What the change is for (`task=bugfix`).
    pub(crate) task: Option<Task>,
    pub(crate) marks: Vec<Mark>,
    /// Lines of the file that hold the edited block, fences excluded.
    block: std::ops::Range<usize>,
}

/// Another file of a case's change (`also path=…`).
#[derive(Debug, Default)]
pub(crate) struct Other {
    pub(crate) path: String,
    pub(crate) base: Option<String>,
    pub(crate) edited: Option<String>,
}

/// A marked finding: where it starts, how many characters of its first line it covers, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) width: u32,
    pub(crate) words: String,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}+{} {}", self.line, self.column, self.width, self.words)
    }
}

impl Mark {
    /// Returns the mark of a finding; its level is named where it is not the rule's own, and its subject where that is not in
    /// the text any more.
    pub(crate) fn of(text: &str, finding: &Finding) -> Self {
        let mut words = finding.rule.id.0.to_owned();
        if finding.level != finding.rule.level {
            words = format!("{words} {}", finding.level.name());
        }
        if finding.absent {
            words = format!("{words} ({})", finding.subject);
        }
        Mark { line: finding.start.line, column: finding.start.column, width: width(text, finding), words }
    }
}

/// Returns how many characters of its first line a finding covers; at least one.
pub(crate) fn width(text: &str, finding: &Finding) -> u32 {
    if finding.start.line == finding.end.line {
        return (finding.end.column - finding.start.column).max(1);
    }
    let starts = line_starts(text);
    let length = line(text, &starts, finding.start.line as usize - 1).chars().count() as u32;
    (length + 1).saturating_sub(finding.start.column).max(1)
}

impl Fixture {
    /// Reads a file of cases for a rule.
    pub(crate) fn parse(text: &str, rule: &str) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut cases: Vec<Case> = Vec::new();
        let (mut title, mut base, mut at) = (String::new(), None, 0);
        let mut others: Vec<Other> = Vec::new();
        while at < lines.len() {
            if let Some(heading) = lines[at].strip_prefix("## ") {
                (title, base) = (heading.trim().to_owned(), None);
                others.clear();
            } else if let Some((fence, info)) = fence(&lines[at]) {
                let start = at + 1;
                let end = (start..lines.len()).find(|i| lines[*i].trim_end() == fence).expect("the fence is closed");
                let words: Vec<&str> = info.split_whitespace().collect();
                let path = words.iter().find_map(|w| w.strip_prefix("path=")).map_or_else(|| default_path(words[0], rule), str::to_owned);
                let (text, marks) = strip_marks(&lines[start..end]);
                if words.contains(&"also") {
                    assert!(marks.is_empty(), "{title}: only the last file of a case has marks");
                    if others.iter().all(|o| o.path != path) {
                        others.push(Other { path: path.clone(), ..Other::default() });
                    }
                    let other = others.iter_mut().find(|o| o.path == path).expect("it was added");
                    let side = if words.contains(&"base") { &mut other.base } else { &mut other.edited };
                    *side = Some(text);
                } else if words.contains(&"base") {
                    assert!(marks.is_empty(), "{title}: a base has no marks");
                    base = Some((path, text));
                } else if words.contains(&"edited") {
                    let task = words.iter().find_map(|w| w.strip_prefix("task=")).map(|t| Task::parse(t).expect("a kind of task"));
                    let gone = words.contains(&"gone");
                    let (base_path, base) = base.take().map_or((path.clone(), None), |(path, text)| (path, Some(text)));
                    let others = std::mem::take(&mut others);
                    let title = title.clone();
                    cases.push(Case { title, path, base_path, base, edited: text, gone, others, task, marks, block: start..end });
                }
                at = end;
            }
            at += 1;
        }
        Fixture { lines, cases }
    }

    /// Returns the file with the marks that `marks` gives for each case.
    pub(crate) fn render(&self, marks: impl Fn(&Case) -> Vec<Mark>) -> String {
        let mut out = Vec::new();
        let mut at = 0;
        for case in &self.cases {
            out.extend_from_slice(&self.lines[at..case.block.start]);
            let marks = marks(case);
            let mark = |mark: &Mark| {
                let blanks = " ".repeat(mark.column as usize - 1);
                format!("{blanks}{} {}", "^".repeat(mark.width as usize), mark.words)
            };
            for (number, text) in case.edited.lines().enumerate() {
                out.push(text.to_owned());
                out.extend(marks.iter().filter(|m| m.line as usize == number + 1).map(mark));
            }
            if case.gone {
                out.extend(marks.iter().map(mark));
            }
            at = case.block.end;
        }
        out.extend_from_slice(&self.lines[at..]);
        out.join("\n") + "\n"
    }
}

impl Case {
    /// Returns the title as a test name.
    pub(crate) fn slug(&self) -> String {
        let words: Vec<String> =
            self.title.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
        words.join("-")
    }
}

fn fence(line: &str) -> Option<(String, &str)> {
    let ticks = line.len() - line.trim_start_matches('`').len();
    (ticks >= 3 && line.len() > ticks).then(|| ("`".repeat(ticks), &line[ticks..]))
}

/// Takes the lines of carets out of a block.
fn strip_marks(lines: &[String]) -> (String, Vec<Mark>) {
    let (mut text, mut marks, mut number) = (String::new(), Vec::new(), 0);
    for line in lines {
        let words = line.trim_start();
        let carets = words.len() - words.trim_start_matches('^').len();
        if carets > 0 && words[carets..].starts_with(' ') {
            let column = (line.chars().count() - words.chars().count()) as u32 + 1;
            // Of a file that is gone nothing stands above it.
            marks.push(Mark { line: number.max(1), column, width: carets as u32, words: words[carets..].trim().to_owned() });
        } else {
            text.push_str(line);
            text.push('\n');
            number += 1;
        }
    }
    (text, marks)
}

/// Returns the path of a case that names none.
pub(crate) fn default_path(language: &str, rule: &str) -> String {
    let test = rule.starts_with("test-");
    match language {
        "py" | "python" if test => "tests/test_case.py".to_owned(),
        "py" | "python" => "src/case.py".to_owned(),
        "rs" | "rust" => "src/case.rs".to_owned(),
        "go" if test => "case_test.go".to_owned(),
        "go" => "case.go".to_owned(),
        "java" if test => "src/test/java/CaseTest.java".to_owned(),
        "java" => "src/main/java/Case.java".to_owned(),
        other => {
            let extension = match other {
                "javascript" => "js",
                "typescript" => "ts",
                other => other,
            };
            if test { format!("src/case.test.{extension}") } else { format!("src/case.{extension}") }
        }
    }
}
