//! Which test is which over a large change, against a parse of the same texts.

use super::edits::milliseconds;
use super::texts::Kind;
use super::{Row, median};
use anyhow::{Context, Result, bail};
use oguard_engine::change::{self, Fate, File};
use oguard_engine::check::Baseline;
use oguard_engine::document::{Document, Parsers};
use oguard_engine::grammars::by_path;
use oguard_engine::grammars::tree_sitter::Parser;
use oguard_engine::settings::Settings;
use std::time::Instant;

/// Files of the change.
const FILES: usize = 200;

/// Tests of each.
const TESTS: usize = 10;

/// How a change treats its tests.
#[derive(Clone, Copy)]
enum Change {
    /// Each stays where it is, and is edited.
    Edited,
    /// Each has another name, another file, and an edit: names settle nothing.
    Scattered,
}

/// A test with a body of its own; `version` edits it.
fn test(kind: Kind, number: usize, name: &str, version: usize) -> String {
    let (a, b, c) = (number * 7 + 1, number * 13 + 5, number % 97 + version * 1_000);
    match kind {
        Kind::Python => format!(
            "def test_{name}():\n    cart = make_cart({a})\n    cart.add(\"item {b}\", price={a})\n    cart.discount({c})\n    \
             assert cart.total() == {b}\n    assert cart.items[0].name == \"item {b}\"\n\n\n"
        ),
        Kind::Typescript => format!(
            "it(\"{name}\", () => {{\n  const cart = makeCart({a});\n  cart.add(\"item {b}\", {{ price: {a} }});\n  \
             cart.discount({c});\n  expect(cart.total()).toBe({b});\n  expect(cart.items[0].name).toBe(\"item {b}\");\n}});\n\n"
        ),
        Kind::Rust => format!(
            "#[test]\nfn {name}() {{\n    let mut cart = make_cart({a});\n    cart.add(\"item {b}\", {a});\n    cart.discount({c});\n    \
             assert_eq!(cart.total(), {b});\n    assert_eq!(cart.items[0].name, \"item {b}\");\n}}\n\n"
        ),
        Kind::Go => format!(
            "func Test{name}(t *testing.T) {{\n\tcart := makeCart({a})\n\tcart.Add(\"item {b}\", {a})\n\tcart.Discount({c})\n\t\
             if got := cart.Total(); got != {b} {{\n\t\tt.Fatalf(\"got %d\", got)\n\t}}\n\tif cart.Items[0].Name != \"item {b}\" \
             {{\n\t\tt.Fatal(\"name\")\n\t}}\n}}\n\n"
        ),
    }
}

fn file(kind: Kind, tests: impl Iterator<Item = String>) -> String {
    let head = if kind == Kind::Go { "package shop\n\nimport \"testing\"\n\n" } else { "" };
    head.to_owned() + &tests.collect::<String>()
}

/// Measures the matching of a change of [`FILES`] files in turn with a parse of both sides of each.
pub(super) fn matching(kind: Kind, rounds: u32) -> Result<Vec<Row>> {
    [("edited", Change::Edited), ("renamed, moved and edited", Change::Scattered)]
        .into_iter()
        .map(|(what, change)| one(kind, rounds, what, change))
        .collect()
}

fn one(kind: Kind, rounds: u32, what: &str, change: Change) -> Result<Row> {
    let all = FILES * TESTS;
    let before: Vec<String> =
        (0..FILES).map(|f| file(kind, (0..TESTS).map(|t| test(kind, f * TESTS + t, &format!("Case{}", f * TESTS + t), 0)))).collect();
    let after: Vec<String> = match change {
        Change::Edited => {
            (0..FILES).map(|f| file(kind, (0..TESTS).map(|t| test(kind, f * TESTS + t, &format!("Case{}", f * TESTS + t), 1)))).collect()
        }
        // A stride that shares no factor with their number puts each test among others.
        Change::Scattered => {
            let place = |f: usize, t: usize| (f * TESTS + t) * 701 % all;
            (0..FILES).map(|f| file(kind, (0..TESTS).map(|t| test(kind, place(f, t), &format!("Other{}", place(f, t)), 1)))).collect()
        }
    };
    let settings = Settings::default();
    let mut parsers = Parsers::default();
    let mut read = |number: usize, text: &String| -> Result<(String, Document)> {
        let path = kind.file(number);
        let language = by_path(&path).with_context(|| format!("no language for {path}"))?;
        let mut document = Document::new(language, &path, text.clone(), &settings);
        if !document.read(&mut parsers, &mut || true) {
            bail!("the parser gave up");
        }
        Ok((path, document))
    };
    let mut sides = Vec::new();
    for (number, (old, new)) in before.iter().zip(&after).enumerate() {
        let (path, base) = read(number, old)?;
        let (_, edited) = read(number, new)?;
        sides.push((path.clone(), Baseline::new(base, &path), edited));
    }
    let files: Vec<File<'_>> = sides
        .iter()
        .map(|(path, base, edited)| File { path, base: Some(base), edited: Some(edited), explained: &[], silent: false })
        .collect();
    let language = by_path(&kind.file(0)).context("no language")?;
    let mut parser = Parser::new();
    parser.set_language(&(language.grammar)()).context("the grammar does not fit the library")?;
    let (mut parses, mut ours, mut found) = (Vec::new(), Vec::new(), 0);
    for _ in 0..=rounds {
        let since = Instant::now();
        for text in before.iter().chain(&after) {
            std::hint::black_box(parser.parse(text, None).context("the parser gave up")?);
        }
        parses.push(milliseconds(since));
        let since = Instant::now();
        let tests = change::tests(&files, &[]);
        ours.push(milliseconds(since));
        found = tests.pairs.iter().filter(|pair| !matches!(pair.fate, Fate::Removed | Fate::Unknown)).count();
    }
    Ok(Row {
        what: format!("match, {} {FILES} files of {TESTS} tests, {what}", kind.name()),
        oguard: median(&mut ours),
        floor: Some(median(&mut parses)),
        unit: "ms",
        goal: Some(1.0),
        remark: format!("{found} of {all} found again"),
    })
}
