//! Texts to edit: one a language, dense with what adapters look at, and edits drawn at random.

use oguard_engine::document::{Change, Document, Parsers};
use oguard_engine::grammars::by_path;
use oguard_engine::settings::Settings;
use proptest::prelude::*;

/// Path and text of a sample.
pub(crate) const SAMPLES: &[(&str, &str)] = &[
    ("tests/test_sample.py", include_str!("samples/test_sample.py")),
    ("src/sample.py", include_str!("samples/test_sample.py")),
    ("src/sample.test.ts", include_str!("samples/sample.test.ts")),
    ("src/sample.test.js", include_str!("samples/sample.test.js")),
    ("src/view.test.tsx", include_str!("samples/view.test.tsx")),
    ("src/sample.rs", include_str!("samples/sample.rs")),
    ("sample_test.go", include_str!("samples/sample_test.go")),
    ("src/test/java/SampleTest.java", include_str!("samples/SampleTest.java")),
    ("src/main/java/Sample.java", include_str!("samples/SampleTest.java")),
];

/// Reads a text as a document.
pub(crate) fn document(path: &str, text: &str) -> Document {
    let language = by_path(path).expect("a language");
    let mut document = Document::new(language, path, text.to_owned(), &Settings::default());
    assert!(document.read(&mut Parsers::default(), &mut || true));
    document
}

/// Fragments that change what a line means, besides single characters.
const FRAGMENTS: &[&str] = &[
    "",
    "\n",
    "\n\n",
    "x",
    " ",
    "{",
    "}",
    "(",
    ")",
    "\"",
    "'",
    "#",
    "//",
    "/*",
    "*/",
    ".skip",
    ".only",
    "@pytest.mark.skip\n",
    "#[ignore]\n",
    "t.Skip(\"later\")\n",
    "// TODO: implement this\n",
    "# TODO: implement this\n",
    "def test_new():\n    assert True\n",
    "it('new', () => { expect(1).toBe(1); });\n",
    "func TestNew(t *testing.T) { t.Fatal() }\n",
    "#[test]\nfn new() { assert!(true) }\n",
    "@Disabled\n",
    "@Test void fresh() { assertTrue(true); }\n",
    "import org.testng.annotations.Test;\n",
    "static ",
    "class Inner {\n",
    "é",
    "𝒳",
    "\r\n",
    "if False:\n    ",
    "mod m {\n",
    "describe('g', () => {\n",
    "# type: ignore",
    "// eslint-disable-next-line",
];

/// Edits as (place in the text, length removed, fragment), scaled to the text at hand.
pub(crate) fn edits() -> impl Strategy<Value = Vec<(f64, usize, usize)>> {
    proptest::collection::vec((0.0..1.0f64, 0usize..30, 0usize..FRAGMENTS.len()), 1..8)
}

/// Returns the change that an edit makes in a text, moved to character boundaries.
pub(crate) fn change(text: &str, (place, removed, fragment): (f64, usize, usize)) -> Change {
    let boundary = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = boundary((place * text.len() as f64) as usize);
    Change { range: start..boundary(start + removed).max(start), text: FRAGMENTS[fragment].to_owned() }
}
