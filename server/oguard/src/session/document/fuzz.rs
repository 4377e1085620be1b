//! Edits of a client, in each encoding, against a replay that knows nothing but strings; and the parsed document after them.

use super::*;
use crate::fuzz::for_a_while;
use crate::session::Point;
use oguard_engine::grammars::by_path;
use oguard_engine::settings::Settings;
use proptest::prelude::*;

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

fn text(most: usize) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-c(){}:= ]{1,6}",
        2 => Just("\n".to_owned()),
        1 => Just("\r\n".to_owned()),
        1 => Just("\r".to_owned()),
        2 => prop_oneof![Just("é"), Just("😀"), Just("\u{2028}"), Just("\u{85}"), Just("e\u{301}"), Just("\u{feff}")].prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..most).prop_map(|pieces| pieces.concat())
}

fn edit() -> impl Strategy<Value = Edit> {
    let point = || (prop_oneof![9 => 0_u32..12, 1 => any::<u32>()], prop_oneof![9 => 0_u32..25, 1 => any::<u32>()]);
    let point = move || point().prop_map(|(line, character)| Point { line, character });
    let range = prop_oneof![9 => (point(), point()).prop_map(Some), 1 => Just(None)];
    (range, text(5)).prop_map(|(range, text)| Edit { range, text })
}

/// The bytes at which lines begin, as the protocol has them.
fn lines(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = |i: &usize| bytes[*i] == b'\n' || bytes[*i] == b'\r' && bytes.get(i + 1) != Some(&b'\n');
    std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|i| i + 1)).collect()
}

/// The byte of a position: what lies outside is clamped, what lies inside a character goes to its start.
fn byte(text: &str, point: Point, encoding: Encoding) -> usize {
    let starts = lines(text);
    let Some(start) = starts.get(point.line as usize) else { return text.len() };
    let line = text[*start..].split(['\n', '\r']).next().unwrap_or_default();
    let mut column = 0;
    for (at, c) in line.char_indices() {
        let width = match encoding {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        };
        if column + width > point.character as usize {
            return start + at;
        }
        column += width;
    }
    start + line.len()
}

fn replayed(text: &mut String, edit: &Edit, encoding: Encoding) {
    match edit.range {
        None => text.clone_from(&edit.text),
        Some((start, end)) => {
            let start = byte(text, start, encoding);
            let end = byte(text, end, encoding).max(start);
            text.replace_range(start..end, &edit.text);
        }
    }
}

#[test]
fn edits_in_each_encoding_equal_a_naive_replay() {
    // Also more edits than are kept apart.
    let edits =
        prop_oneof![4 => proptest::collection::vec(edit(), 1..8), 1 => proptest::collection::vec(edit(), EDITS_MAX..EDITS_MAX + 20)];
    for_a_while((text(20), edits, 0..ENCODINGS.len(), 1_usize..6), |(before, edits, encoding, together)| {
        let encoding = ENCODINGS[encoding];
        let mut want = before.clone();
        let key = Key { uri: "a:b".into(), incarnation: 1 };
        let mut open = Open::new(key, None, None, String::new(), Rope::from_str(&before));
        let language = by_path("a.py").expect("a language");
        let mut parsed = Document::new(language, "a.py", before, &Settings::default());
        for (at, edit) in edits.into_iter().enumerate() {
            replayed(&mut want, &edit, encoding);
            open.edit(vec![edit], encoding);
            prop_assert_eq!(open.text.to_string(), want.as_str());
            // What the pool sees later, of several edits at a time.
            if at % together == 0 {
                std::mem::take(&mut open.pending).apply(&mut parsed, &open.text);
                prop_assert_eq!(parsed.text(), want.as_str());
            }
        }
        std::mem::take(&mut open.pending).apply(&mut parsed, &open.text);
        prop_assert_eq!(parsed.text(), want.as_str());
        Ok(())
    });
}
