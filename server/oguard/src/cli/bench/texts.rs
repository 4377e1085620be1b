//! Texts to measure with: made up, as long as asked for, with functions, tests and comments in the usual mixture.

use std::fmt::Write as _;

/// A language of the bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Kind {
    /// Python with pytest
    Python,
    /// TypeScript with a test runner of the Jest family
    Typescript,
    /// Rust
    Rust,
    /// Go
    Go,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Python => "python",
            Kind::Typescript => "typescript",
            Kind::Rust => "rust",
            Kind::Go => "go",
        }
    }

    /// Returns the name of a file; its kind of path is that of tests, where most is looked for.
    pub(super) fn file(self, number: usize) -> String {
        match self {
            Kind::Python => format!("tests/test_sample_{number}.py"),
            Kind::Typescript => format!("tests/sample_{number}.test.ts"),
            Kind::Rust => format!("tests/sample_{number}.rs"),
            Kind::Go => format!("sample_{number}_test.go"),
        }
    }

    /// Returns a text of about so many lines.
    pub(super) fn text(self, lines: usize) -> String {
        let mut text = String::from(match self {
            Kind::Python => "import pytest\n\nfrom shop import price, stock\n\n",
            Kind::Typescript => "import { price, stock } from '../src/shop';\n\n",
            Kind::Rust => "use shop::{price, stock};\n\n",
            Kind::Go => "package shop\n\nimport \"testing\"\n\n",
        });
        let mut number = 0;
        let mut count = text.lines().count();
        while count < lines {
            let before = text.len();
            self.block(&mut text, number);
            count += text[before..].lines().count();
            number += 1;
        }
        text
    }

    /// Appends a function and a test of it.
    fn block(self, text: &mut String, n: usize) {
        let written = match self {
            Kind::Python => write!(
                text,
                "def total_{n}(items, rate=0.{n}):\n    # Prices are in cents; rounding is the caller's business.\n    result = 0\n    for item in items:\n        \
                 if item.count > {n}:\n            result += price(item, rate) * item.count\n        else:\n            result -= stock(item, key=\"k{n}\")\n    \
                 return result\n\n\ndef test_total_{n}(shop):\n    items = [shop.item({n}), shop.item({n} + 1)]\n    \
                 assert total_{n}(items) == {n} * 3\n    with pytest.raises(ValueError):\n        total_{n}(None)\n\n\n"
            ),
            Kind::Typescript => write!(
                text,
                "export function total{n}(items: Item[], rate = 0.{n}): number {{\n  // Prices are in cents; rounding is the caller's business.\n  let result = 0;\n  \
                 for (const item of items) {{\n    if (item.count > {n}) {{\n      result += price(item, rate) * item.count;\n    }} else {{\n      \
                 result -= stock(item, {{ key: 'k{n}' }});\n    }}\n  }}\n  return result;\n}}\n\ndescribe('total {n}', () => {{\n  \
                 it('adds what is there', () => {{\n    const items = [item({n}), item({n} + 1)];\n    expect(total{n}(items)).toBe({n} * 3);\n    \
                 expect(() => total{n}(null)).toThrow(TypeError);\n  }});\n}});\n\n"
            ),
            Kind::Rust => write!(
                text,
                "/// Adds what is there.\npub fn total_{n}(items: &[Item], rate: f64) -> i64 {{\n    // Prices are in cents; rounding is the caller's business.\n    \
                 let mut result = 0;\n    for item in items {{\n        if item.count > {n} {{\n            result += price(item, rate) * item.count;\n        }} else {{\n            \
                 result -= stock(item, \"k{n}\");\n        }}\n    }}\n    result\n}}\n\n#[test]\nfn adds_{n}() {{\n    let items = [item({n}), item({n} + 1)];\n    \
                 assert_eq!(total_{n}(&items, 0.{n}), {n} * 3);\n    assert!(total_{n}(&[], 0.0) == 0);\n}}\n\n"
            ),
            Kind::Go => write!(
                text,
                "// total{n} adds what is there.\nfunc total{n}(items []Item, rate float64) int {{\n\t// Prices are in cents; rounding is the caller's business.\n\tresult := 0\n\t\
                 for _, item := range items {{\n\t\tif item.Count > {n} {{\n\t\t\tresult += price(item, rate) * item.Count\n\t\t}} else {{\n\t\t\t\
                 result -= stock(item, \"k{n}\")\n\t\t}}\n\t}}\n\treturn result\n}}\n\nfunc TestTotal{n}(t *testing.T) {{\n\titems := []Item{{item({n}), item({n} + 1)}}\n\t\
                 if got := total{n}(items, 0.{n}); got != {n}*3 {{\n\t\tt.Fatalf(\"got %d\", got)\n\t}}\n}}\n\n"
            ),
        };
        written.expect("a string takes all");
    }

    /// Returns what is typed, letter by letter, on a line of its own in the middle of a function.
    pub(super) fn typed(self) -> &'static str {
        match self {
            Kind::Python => "    extra = price(items[0], rate) + stock(items[1])",
            Kind::Typescript => "  const extra = price(items[0], rate) + stock(items[1]);",
            Kind::Rust => "    let extra = price(&items[0], rate) + stock(&items[1]);",
            Kind::Go => "\textra := price(items[0], rate) + stock(items[1])",
        }
    }

    /// Returns the line, counted from 0, before which it is typed: behind the comment of the function in the middle.
    pub(super) fn middle(self, text: &str) -> usize {
        let comments: Vec<usize> =
            text.lines().enumerate().filter(|(_, line)| line.contains("the caller's business")).map(|(number, _)| number).collect();
        comments[comments.len() / 2] + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;
    use oguard_engine::document::{Document, Parsers};
    use oguard_engine::grammars::by_path;
    use oguard_engine::settings::Settings;

    #[test]
    fn texts_are_sound_and_as_long_as_asked_for() {
        for kind in Kind::value_variants().iter().copied() {
            let text = kind.text(300);
            assert!((300..330).contains(&text.lines().count()), "{kind:?}");
            let language = by_path(&kind.file(0)).expect("a language");
            let mut document = Document::new(language, &kind.file(0), text.clone(), &Settings::default());
            assert!(document.read(&mut Parsers::default(), &mut || true));
            assert_eq!(document.inventory().broken, 0, "{kind:?}");
            assert!(document.inventory().tests().count() > 10, "{kind:?}");
            assert!(kind.middle(&text) > 100);
        }
    }
}
