//! `oguard facts`: what the guard sees in a file. For people who ask why a rule spoke, and for tests of adapters.

use super::output::{Plain, print};
use crate::git::Repository;
use crate::judge::PARSE_TIME_MAX;
use crate::project::{NotJudged, Project, language_of, read_file};
use anyhow::{Context, Result, anyhow, bail};
use oguard_engine::check::body_hash;
use oguard_engine::document::{Document, Parsers};
use oguard_engine::facts::Unit;
use oguard_engine::grammars::facts::{BendForm, Condition, Effect, ItemKind, Reach, Shape, Span, StubForm};
use oguard_engine::grammars::visit::FileKind;
use oguard_engine::text::{line_starts, place};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Show what the guard sees in a file: tests, functions, assertions, comments, suppressions
#[derive(clap::Args, Debug)]
#[command(after_long_help = "Examples:\n  oguard facts tests/test_api.py\n  oguard facts src/app.ts --format json")]
pub(super) struct Args {
    /// The file
    file: PathBuf,
    /// How the facts look
    #[arg(long, value_enum, default_value_t = Plain::Text)]
    format: Plain,
}

#[derive(Serialize)]
struct Facts {
    schema: &'static str,
    path: String,
    language: &'static str,
    kind: &'static str,
    generated: bool,
    broken: usize,
    units: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    kind: &'static str,
    name: String,
    line: u32,
    end_line: u32,
    in_tests: bool,
    parametrised: bool,
    body: Option<Body>,
    markers: Vec<Marker>,
    assertions: Vec<Assertion>,
    stubs: Vec<Stub>,
    bends: Vec<Stub>,
    comments: Vec<Text>,
    suppressions: Vec<Suppression>,
}

#[derive(Serialize)]
struct Body {
    hash: Option<String>,
    statements: u32,
    shape: &'static str,
    branches: u32,
    calls: u32,
}

#[derive(Serialize)]
struct Marker {
    effect: &'static str,
    condition: &'static str,
    reason: bool,
    line: u32,
    text: String,
}

#[derive(Serialize)]
struct Assertion {
    line: u32,
    subject: Option<String>,
    matcher: String,
    expected: Option<String>,
    negated: bool,
}

#[derive(Serialize)]
struct Stub {
    line: u32,
    form: &'static str,
    text: String,
}

#[derive(Serialize)]
struct Text {
    line: u32,
    text: String,
}

#[derive(Serialize)]
struct Suppression {
    line: u32,
    tool: String,
    codes: Vec<String>,
    reach: &'static str,
    reason: bool,
}

pub(super) fn run(args: &Args) -> Result<u8> {
    let folder = std::path::absolute(&args.file).context("the file has no path")?;
    let folder = folder.parent().unwrap_or(Path::new("/")).to_owned();
    let root = Repository::discover(&folder)?.map_or(folder, |repository| repository.root().to_owned());
    let project = Project::load(&root)?;
    let path = project.relative(&args.file).with_context(|| format!("{} has no name that can be shown", args.file.display()))?;
    let named = |why: &dyn std::fmt::Display| anyhow!("{}: {why}; `oguard capabilities` lists what is read", args.file.display());
    match std::fs::metadata(&args.file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            bail!("{} is not there; name a file that is", args.file.display())
        }
        Ok(kind) if kind.is_dir() => bail!("{} is a folder; name a file in it, or use `oguard scan`", args.file.display()),
        _ => {}
    }
    let language = language_of(&path).map_err(|why| named(&why))?;
    let Some(text) = read_file(&args.file).map_err(|why| named(&why))? else { bail!("{} is not there", args.file.display()) };
    let mut document = Document::new(language, &path, text, project.settings());
    let until = Instant::now() + PARSE_TIME_MAX;
    if !document.read(&mut Parsers::default(), &mut || Instant::now() < until) {
        return Err(named(&NotJudged::TooSlow));
    }
    let facts = facts(&document, path);
    match args.format {
        Plain::Json => {
            let mut text = serde_json::to_string_pretty(&facts).context("the facts cannot be written as JSON")?;
            text.push('\n');
            print(&text);
        }
        Plain::Text => print(&text_of(&facts)),
    }
    Ok(0)
}

fn facts(document: &Document, path: String) -> Facts {
    let inventory = document.inventory();
    let starts = line_starts(document.text());
    let rows = (0..inventory.units.len()).map(|index| row(document, &starts, index));
    Facts {
        schema: "oguard.facts/1",
        path,
        language: document.language.id,
        kind: match document.kind {
            FileKind::Test => "test",
            FileKind::Support => "support",
            FileKind::Production => "production",
        },
        generated: document.generated,
        broken: inventory.broken,
        units: rows.collect(),
    }
}

fn row(document: &Document, starts: &[usize], index: usize) -> Row {
    let inventory = document.inventory();
    let unit: &Unit = &inventory.units[index];
    let local = &unit.facts.local;
    let line = |span: Span| place(document.text(), starts, unit.absolute(span).start).line;
    let text = |span: Span| document.text().get(unit.absolute(span)).unwrap_or("").to_owned();
    let item = &unit.facts.item;
    Row {
        kind: match unit.kind() {
            ItemKind::File => "file",
            ItemKind::Group => "group",
            ItemKind::Test => "test",
            ItemKind::Hook => "hook",
            ItemKind::Function => "function",
            ItemKind::Scope => "scope",
        },
        name: inventory.qualified_name(index, document.language.separator),
        line: place(document.text(), starts, unit.range.start).line,
        end_line: place(document.text(), starts, unit.range.end.saturating_sub(1).max(unit.range.start)).line,
        in_tests: unit.in_tests,
        parametrised: item.parametrised,
        body: item.body.map(|body| Body {
            // A body is read once more for each level around it.
            hash: (!inventory.is_nested_too_deep(index)).then(|| body_hash(document, unit).map(|hash| format!("{hash:016x}"))).flatten(),
            statements: body.statements,
            shape: shape(body.shape),
            branches: body.branches,
            calls: body.calls,
        }),
        markers: local
            .markers
            .iter()
            .map(|m| Marker {
                effect: effect(m.effect),
                condition: condition(m.condition),
                reason: m.reason,
                line: line(m.span),
                text: text(m.span),
            })
            .collect(),
        assertions: local
            .assertions
            .iter()
            .map(|a| Assertion {
                line: line(a.span),
                subject: a.subject.map(text),
                matcher: text(a.matcher),
                expected: a.expected.map(text),
                negated: a.negated,
            })
            .collect(),
        stubs: local.stubs.iter().map(|s| Stub { line: line(s.span), form: form(s.form), text: text(s.span) }).collect(),
        bends: local.bends.iter().map(|b| Stub { line: line(b.span), form: bend(b.form), text: text(b.span) }).collect(),
        comments: local.comments.iter().map(|c| Text { line: line(c.span), text: text(c.span) }).collect(),
        suppressions: local
            .suppressions
            .iter()
            .map(|s| Suppression {
                line: line(s.span),
                tool: s.tool.clone(),
                codes: s.codes.clone(),
                reach: reach(s.reach),
                reason: s.reason,
            })
            .collect(),
    }
}

fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Empty => "empty",
        Shape::Constant => "constant",
        Shape::Refusal => "refusal",
        Shape::Work => "work",
    }
}

fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Disabled => "skipped",
        Effect::ExpectedFailure => "expected-failure",
        Effect::Todo => "todo",
        Effect::Focused => "focused",
    }
}

fn condition(condition: Condition) -> &'static str {
    match condition {
        Condition::Always => "always",
        Condition::Runtime => "runtime",
        Condition::Ci => "ci",
    }
}

fn form(form: StubForm) -> &'static str {
    match form {
        StubForm::Promise => "promise",
        StubForm::NotImplemented => "not-implemented",
        StubForm::Refusal => "refusal",
        StubForm::Empty => "empty",
        StubForm::Constant => "constant",
    }
}

fn bend(form: BendForm) -> &'static str {
    match form {
        BendForm::Outcome => "outcome",
        BendForm::Selection => "selection",
        BendForm::Replaced => "replaced",
        BendForm::Swallowed => "swallowed",
        BendForm::Equal => "equal",
        BendForm::Exit => "exit",
        BendForm::Probe => "probe",
    }
}

fn reach(reach: Reach) -> &'static str {
    match reach {
        Reach::Line => "line",
        Reach::NextLine => "next-line",
        Reach::Declaration => "declaration",
        Reach::Range => "range",
        Reach::File => "file",
    }
}

/// Writing to a string cannot fail.
const WRITES: &str = "a string takes all that is written";

fn text_of(facts: &Facts) -> String {
    let mut out = String::new();
    let generated = if facts.generated { ", generated" } else { "" };
    let broken = if facts.broken > 0 { format!(", {} broken places", facts.broken) } else { String::new() };
    writeln!(out, "{}: {}, {} code{generated}{broken}", facts.path, facts.language, facts.kind).expect(WRITES);
    for unit in &facts.units {
        let name = if unit.name.is_empty() { String::new() } else { format!(" {}", one_line(&unit.name)) };
        write!(out, "{:>5}  {}{name}", unit.line, unit.kind).expect(WRITES);
        for marker in &unit.markers {
            let when = if marker.condition == "always" { String::new() } else { format!(" ({})", marker.condition) };
            write!(out, " [{}{when}]", marker.effect).expect(WRITES);
        }
        if let Some(body) = &unit.body {
            write!(out, " {} statements, {}", body.statements, body.shape).expect(WRITES);
            if let Some(hash) = &body.hash {
                write!(out, ", {hash}").expect(WRITES);
            }
        }
        out.push('\n');
        for assertion in &unit.assertions {
            let parts =
                [assertion.subject.as_deref(), assertion.negated.then_some("not"), Some(&assertion.matcher), assertion.expected.as_deref()];
            let parts: Vec<String> = parts.into_iter().flatten().map(one_line).collect();
            writeln!(out, "{:>5}    assertion {}", assertion.line, parts.join(" | ")).expect(WRITES);
        }
        for stub in &unit.stubs {
            writeln!(out, "{:>5}    stub {}: {}", stub.line, stub.form, one_line(&stub.text)).expect(WRITES);
        }
        for bend in &unit.bends {
            writeln!(out, "{:>5}    bend {}: {}", bend.line, bend.form, one_line(&bend.text)).expect(WRITES);
        }
        for suppression in &unit.suppressions {
            let codes = if suppression.codes.is_empty() { "all".to_owned() } else { suppression.codes.join(", ") };
            writeln!(out, "{:>5}    suppression {} {codes} ({})", suppression.line, suppression.tool, suppression.reach).expect(WRITES);
        }
        for comment in &unit.comments {
            writeln!(out, "{:>5}    comment {}", comment.line, one_line(&comment.text)).expect(WRITES);
        }
    }
    out
}

/// Widest text of a fact that is shown, in characters.
const WIDTH_MAX: usize = 100;

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= WIDTH_MAX { line } else { format!("{}…", line.chars().take(WIDTH_MAX).collect::<String>()) }
}
