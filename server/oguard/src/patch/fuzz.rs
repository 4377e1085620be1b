//! Diffs from outside: one that is made of two texts leads back to the first, and a damaged one is an error at worst.

use super::*;
use crate::fuzz::for_a_while;
use proptest::prelude::*;

/// A line of a change, without its end.
#[derive(Clone, Debug)]
enum Step {
    Keep(String),
    Remove(String),
    Add(String),
}

fn step() -> impl Strategy<Value = Step> {
    // Lines that look like parts of a diff are lines all the same.
    let line = prop_oneof![
        4 => "[a-b ]{0,4}",
        1 => prop_oneof![
            Just("--- a/x"), Just("+++ b/x"), Just("@@ -1 +1 @@"), Just("-"), Just("+"), Just("\\ No newline at end of file"), Just("diff --git a/x b/x"),
            Just("-- a/y"), Just("++ b/y"), Just("é")
        ].prop_map(str::to_owned),
    ];
    (line, 0..4).prop_map(|(line, kind)| match kind {
        0 => Step::Remove(line),
        1 => Step::Add(line),
        _ => Step::Keep(line),
    })
}

struct Texts {
    before: String,
    after: String,
    diff: String,
}

/// Puts both texts and their diff together, with so many lines of context; a text may lack its last line end.
fn made(steps: &[Step], context: usize, end: &str, old_ends: bool, new_ends: bool) -> Texts {
    let last_of = |wanted: fn(&Step) -> bool| steps.iter().rposition(wanted);
    let last_old = last_of(|s| !matches!(s, Step::Add(_))).filter(|_| !old_ends);
    let last_new = last_of(|s| !matches!(s, Step::Remove(_))).filter(|_| !new_ends);
    // An empty line without an end is none.
    let real = |at: &usize| {
        let (Step::Keep(line) | Step::Remove(line) | Step::Add(line)) = &steps[*at];
        !line.is_empty()
    };
    let (last_old, last_new) = (last_old.filter(real), last_new.filter(real));
    // A kept line ends in both texts or in neither.
    let (last_old, last_new) = match (last_old, last_new) {
        (Some(old), Some(new)) if old == new => (Some(old), Some(new)),
        (old, new) => (old.filter(|at| matches!(steps[*at], Step::Remove(_))), new.filter(|at| matches!(steps[*at], Step::Add(_)))),
    };
    let (mut before, mut after) = (String::new(), String::new());
    for (at, step) in steps.iter().enumerate() {
        let (Step::Keep(line) | Step::Remove(line) | Step::Add(line)) = step;
        let push = |text: &mut String, without: Option<usize>| {
            text.push_str(line);
            text.push_str(if without == Some(at) { "" } else { end });
        };
        if !matches!(step, Step::Add(_)) {
            push(&mut before, last_old);
        }
        if !matches!(step, Step::Remove(_)) {
            push(&mut after, last_new);
        }
    }
    // Lines that are shown: what changed, and its context.
    let changed = |at: usize| !matches!(steps[at], Step::Keep(_));
    let shown = |at: usize| (at.saturating_sub(context)..=(at + context).min(steps.len() - 1)).any(changed);
    let mut diff = String::new();
    let mut at = 0;
    while at < steps.len() {
        if !shown(at) {
            at += 1;
            continue;
        }
        let to = (at..steps.len()).find(|i| !shown(*i)).unwrap_or(steps.len());
        let count = |range: std::ops::Range<usize>, wanted: fn(&Step) -> bool| steps[range].iter().filter(|s| wanted(s)).count();
        let old: fn(&Step) -> bool = |s| !matches!(s, Step::Add(_));
        let new: fn(&Step) -> bool = |s| !matches!(s, Step::Remove(_));
        let (old_lines, new_lines) = (count(at..to, old), count(at..to, new));
        let first = |before: usize, lines: usize| before + usize::from(lines > 0);
        let (old_start, new_start) = (first(count(0..at, old), old_lines), first(count(0..at, new), new_lines));
        diff.push_str(&format!("@@ -{old_start},{old_lines} +{new_start},{new_lines} @@{end}"));
        for (index, step) in steps.iter().enumerate().take(to).skip(at) {
            let (sign, line) = match step {
                Step::Keep(line) => (' ', line),
                Step::Remove(line) => ('-', line),
                Step::Add(line) => ('+', line),
            };
            diff.push_str(&format!("{sign}{line}{end}"));
            if last_old == Some(index) || last_new == Some(index) {
                diff.push_str(&format!("\\ No newline at end of file{end}"));
            }
        }
        at = to;
    }
    if !diff.is_empty() {
        diff = format!("--- a/x{end}+++ b/x{end}{diff}");
    }
    Texts { before, after, diff }
}

fn change() -> impl Strategy<Value = Drawn> {
    (proptest::collection::vec(step(), 1..25), 0_usize..4, any::<bool>(), any::<bool>(), any::<bool>())
}

type Drawn = (Vec<Step>, usize, bool, bool, bool);

fn end(crlf: bool) -> &'static str {
    if crlf { "\r\n" } else { "\n" }
}

#[test]
fn a_diff_leads_back_to_the_text_it_was_made_from() {
    for_a_while(change(), |(steps, context, crlf, old_ends, new_ends)| {
        let Texts { before, after, diff } = made(&steps, context, end(crlf), old_ends, new_ends);
        let files = parse(diff.as_bytes()).map_err(|e| TestCaseError::fail(format!("{e}\n{diff}")))?;
        if diff.is_empty() {
            prop_assert!(files.is_empty());
            return Ok(());
        }
        prop_assert_eq!(files.len(), 1, "{}", diff);
        let back = take_back(&files[0], after.as_bytes()).map_err(|e| TestCaseError::fail(format!("{e}\n{diff}")))?;
        prop_assert_eq!(String::from_utf8_lossy(&back), before.as_str(), "{}", diff);
        Ok(())
    });
}

#[test]
fn a_damaged_diff_is_an_error_at_worst() {
    let damage = proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 0..6);
    for_a_while((change(), damage), |((steps, context, crlf, old_ends, new_ends), damage)| {
        let Texts { after, diff, .. } = made(&steps, context, end(crlf), old_ends, new_ends);
        let mut bytes = format!("diff --git a/x b/x\nindex 1..2 100644\n{diff}").into_bytes();
        for (index, byte, kind) in damage {
            let at = index.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, byte),
            }
        }
        for file in parse(&bytes).into_iter().flatten() {
            // An error is fine; what comes back must not be longer than both together could make it.
            if let Ok(back) = take_back(&file, after.as_bytes()) {
                prop_assert!(back.len() <= 2 * (after.len() + bytes.len()) + 2);
            }
        }
        Ok(())
    });
}

#[test]
fn any_bytes_are_read_or_refused() {
    let word = prop_oneof![
        Just("diff --git a/x b/x\n"),
        Just("--- a/x\n"),
        Just("+++ b/x\n"),
        Just("@@ -1,3 +1,3 @@\n"),
        Just("@@ -99999999999999999999,1 +18446744073709551615,2 @@\n"),
        Just("rename from x\n"),
        Just("rename to \"\\303\\251\"\n"),
        Just("Binary files a/x and b/x differ\n"),
        Just("\\ No newline at end of file\n"),
        Just("@@@ -1 -1 +1 @@@\n"),
        Just(" a\n"),
        Just("-a\n"),
        Just("+a\n"),
        Just("\r\n"),
    ];
    let words = proptest::collection::vec(word, 0..20).prop_map(|words| words.concat().into_bytes());
    let bytes = prop_oneof![words, proptest::collection::vec(any::<u8>(), 0..200)];
    for_a_while(bytes, |bytes| {
        for file in parse(&bytes).into_iter().flatten() {
            let _ = take_back(&file, b"a\na\na\n");
        }
        Ok(())
    });
}
