//! Pairs the findings of a base with those of the edited text, in stages over a line diff.
//!
//! Line moves, re-indentation, renames and duplicates pair rightly; what is left over on the edited side is new. The stages
//! and their measurements are those of facts/fingerprints.md. No diff is
//! made where nothing can be new (`same`).

use imara_diff::{Algorithm, Diff, InternedInput};
use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, VecDeque};
use std::hash::Hasher;
use std::ops::Range;

/// What pairing looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Always equal in a pair.
    pub rule: &'static str,
    /// Normalised construct.
    pub tokens: String,
    /// What it is about, or empty.
    pub subject: String,
    /// Qualified name of the container.
    pub scope: String,
    /// Byte it starts at.
    pub at: usize,
}

/// Returns for each edited finding the base finding it is, one to one. `allowed(base, edited)` can refuse a pair (a
/// suppression that now covers more is another one).
pub fn pair(
    base: &[Key],
    base_text: &str,
    edited: &[Key],
    edited_text: &str,
    allowed: &dyn Fn(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let mut state = Pairing { base_of: vec![None; edited.len()], used: vec![false; base.len()] };
    if base.is_empty() || edited.is_empty() {
        return state.base_of;
    }
    let lines = Lines::new(base, base_text, edited, edited_text);
    for line_of in [Lines::mapped, Lines::moved] {
        state.by_line(base, edited, |o, n| base[o].tokens == edited[n].tokens && allowed(o, n), &lines, line_of);
    }
    state.by_key(base, edited, allowed, |k| (k.rule, k.scope.clone(), k.subject.clone(), k.tokens.clone()));
    state.by_key(base, edited, allowed, |k| (k.rule, String::new(), k.subject.clone(), k.tokens.clone()));
    state.by_line(base, edited, |o, n| base[o].scope == edited[n].scope && allowed(o, n), &lines, Lines::aligned);
    // Where an edit broke the text, scopes mean little; what is left of the words tells.
    state.by_line(base, edited, |o, n| alike(&base[o].tokens, &edited[n].tokens) && allowed(o, n), &lines, Lines::aligned);
    state.base_of
}

/// Whether two constructs share at least half of their text at their ends.
fn alike(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let shorter = a.len().min(b.len());
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let tail = a.iter().rev().zip(b.iter().rev()).take(shorter - head).take_while(|(x, y)| x == y).count();
    2 * (head + tail) >= a.len().max(b.len())
}

/// Whether every construct stands as often in both texts under the same name: then nothing is new and nothing is gone.
pub fn same(base: &[Key], edited: &[Key]) -> bool {
    fn count(keys: &[Key]) -> HashMap<(&str, &str, &str, &str), usize> {
        let mut counts = HashMap::new();
        for key in keys {
            *counts.entry((key.rule, key.scope.as_str(), key.subject.as_str(), key.tokens.as_str())).or_insert(0) += 1;
        }
        counts
    }
    base.len() == edited.len() && count(base) == count(edited)
}

struct Pairing {
    base_of: Vec<Option<usize>>,
    used: Vec<bool>,
}

impl Pairing {
    fn set(&mut self, old: usize, new: usize) {
        self.used[old] = true;
        self.base_of[new] = Some(old);
    }

    /// Pairs unpaired findings of equal keys in document order.
    fn by_key<K: std::hash::Hash + Eq>(
        &mut self,
        base: &[Key],
        edited: &[Key],
        allowed: &dyn Fn(usize, usize) -> bool,
        key: impl Fn(&Key) -> K,
    ) {
        let mut free: HashMap<K, VecDeque<usize>> = HashMap::new();
        for (old, k) in base.iter().enumerate().filter(|(i, _)| !self.used[*i]) {
            free.entry(key(k)).or_default().push_back(old);
        }
        for (new, k) in edited.iter().enumerate() {
            if self.base_of[new].is_none()
                && let Some(queue) = free.get_mut(&key(k))
                && let Some(at) = queue.iter().position(|old| allowed(*old, new))
                && let Some(old) = queue.remove(at)
            {
                self.set(old, new);
            }
        }
    }

    /// Pairs unpaired findings of one rule that stand on the line that `line_of` says, where `same` holds.
    fn by_line(&mut self, base: &[Key], edited: &[Key], same: impl Fn(usize, usize) -> bool, lines: &Lines, line_of: LineOf) {
        let mut by_line: HashMap<u32, Vec<usize>> = HashMap::new();
        for (new, line) in lines.edited.iter().enumerate().filter(|(new, _)| self.base_of[*new].is_none()) {
            by_line.entry(*line).or_default().push(new);
        }
        for (old, key) in base.iter().enumerate() {
            if self.used[old] {
                continue;
            }
            let Some(there) = line_of(lines, old).and_then(|line| by_line.get(&line)) else { continue };
            let fits = |new: usize| self.base_of[new].is_none() && key.rule == edited[new].rule && same(old, new);
            if let Some(new) = there.iter().copied().find(|new| fits(*new)) {
                self.set(old, new);
            }
        }
    }
}

/// Says on which edited line a base finding stands now.
type LineOf = fn(&Lines, usize) -> Option<u32>;

/// Lines of findings and how the diff maps them.
struct Lines {
    base: Vec<u32>,
    edited: Vec<u32>,
    hunks: Vec<Hunk>,
    /// Base lines that the diff took out and put in again elsewhere, with their edited lines; sorted.
    moves: Vec<(u32, u32)>,
}

/// Lines of the base, and the lines of the edited text that took their place.
type Hunk = (Range<u32>, Range<u32>);

impl Lines {
    fn new(base: &[Key], base_text: &str, edited: &[Key], edited_text: &str) -> Self {
        let (before, after) = (stripped(base_text), stripped(edited_text));
        let hunks = hunks(&before, &after);
        let moves = moves(&hunks, &before, &after);
        Lines { base: lines_of(base, base_text), edited: lines_of(edited, edited_text), hunks, moves }
    }

    /// Returns the edited line equal to the line of a base finding, if the diff kept it.
    fn mapped(&self, old: usize) -> Option<u32> {
        let line = self.base[old];
        let at = self.hunks.partition_point(|(before, _)| before.end <= line);
        if self.hunks.get(at).is_some_and(|(before, _)| before.contains(&line)) {
            return None;
        }
        let moved = match at.checked_sub(1) {
            None => 0,
            Some(i) => i64::from(self.hunks[i].1.end) - i64::from(self.hunks[i].0.end),
        };
        u32::try_from(i64::from(line) + moved).ok()
    }

    /// Returns the edited line to which the line of a base finding was moved with its block.
    fn moved(&self, old: usize) -> Option<u32> {
        let at = self.moves.binary_search_by_key(&self.base[old], |(line, _)| *line).ok()?;
        Some(self.moves[at].1)
    }

    /// Returns the edited line that took the place of a base finding's line within one hunk of equal length.
    fn aligned(&self, old: usize) -> Option<u32> {
        let line = self.base[old];
        let at = self.hunks.partition_point(|(before, _)| before.end <= line);
        let (before, after) = self.hunks.get(at).filter(|(before, _)| before.contains(&line))?;
        let offset = line - before.start;
        (before.len() == after.len()).then_some(after.start + offset)
    }
}

fn lines_of(keys: &[Key], text: &str) -> Vec<u32> {
    let starts = crate::text::line_starts(text);
    keys.iter().map(|k| (starts.partition_point(|s| *s <= k.at) - 1) as u32).collect()
}

/// Returns each line of a text as a hash of its characters without white space: what the diff compares.
fn stripped(text: &str) -> Vec<u64> {
    let starts = crate::text::line_starts(text);
    let hash = |index: usize| {
        let mut hasher = DefaultHasher::new();
        for part in crate::text::line(text, &starts, index).split(|c: char| c.is_whitespace() || c == '\u{feff}') {
            hasher.write(part.as_bytes());
        }
        hasher.finish()
    };
    (0..starts.len()).map(hash).collect()
}

/// Returns the hunks of a histogram diff of lines.
fn hunks(before: &[u64], after: &[u64]) -> Vec<Hunk> {
    let mut input = InternedInput::default();
    input.update_before(before.iter().copied());
    input.update_after(after.iter().copied());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    diff.hunks().map(|h| (h.before, h.after)).collect()
}

/// Returns the lines that were taken out and put in again elsewhere: a second diff over what the first left over.
fn moves(hunks: &[Hunk], before: &[u64], after: &[u64]) -> Vec<(u32, u32)> {
    let removed: Vec<u32> = hunks.iter().flat_map(|(b, _)| b.clone()).collect();
    let added: Vec<u32> = hunks.iter().flat_map(|(_, a)| a.clone()).collect();
    if removed.is_empty() || added.is_empty() {
        return Vec::new();
    }
    let pick = |lines: &[u32], hashes: &[u64]| -> Vec<u64> { lines.iter().map(|l| hashes[*l as usize]).collect() };
    let left = self::hunks(&pick(&removed, before), &pick(&added, after));
    let mut pairs = Vec::new();
    let (mut old, mut new) = (0u32, 0u32);
    let end = (removed.len() as u32..removed.len() as u32, added.len() as u32..added.len() as u32);
    for (b, a) in left.into_iter().chain([end]) {
        while old < b.start && new < a.start {
            pairs.push((removed[old as usize], added[new as usize]));
            old += 1;
            new += 1;
        }
        (old, new) = (b.end, a.end);
    }
    pairs
}

/// Returns the parts of both texts, in whole lines, outside of which they are the same from their starts and to their ends.
pub(crate) fn changed<'t>(base: &'t str, edited: &'t str) -> (&'t str, &'t str) {
    let (old, new) = (base.as_bytes(), edited.as_bytes());
    let head = same_bytes(old.chunks(BLOCK).zip(new.chunks(BLOCK)), |a, b| a.iter().zip(b).take_while(|(a, b)| a == b).count());
    let (left, right) = (&old[head..], &new[head..]);
    let from_end = |a: &[u8], b: &[u8]| a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let tail = same_bytes(left.rchunks(BLOCK).zip(right.rchunks(BLOCK)), from_end);
    let start = old[..head].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    let rest = &old[old.len() - tail..];
    let line = rest.iter().position(|b| *b == b'\n').unwrap_or(tail);
    (&base[start..old.len() - tail + line], &edited[start..new.len() - tail + line])
}

/// Bytes that are compared at once: texts that differ by a letter are the same for nearly all of their blocks.
const BLOCK: usize = 4096;

/// Returns how many bytes are the same from the first of the blocks on; `count` says it of the first pair that differs.
fn same_bytes<'t>(blocks: impl Iterator<Item = (&'t [u8], &'t [u8])>, count: impl Fn(&[u8], &[u8]) -> usize) -> usize {
    let mut same = 0;
    for (a, b) in blocks {
        if a != b {
            return same + count(a, b);
        }
        same += a.len();
    }
    same
}

/// Returns the byte ranges of the edited text whose lines the base does not have; a pure deletion gives the line after it.
pub(crate) fn changed_lines(base: &str, edited: &str) -> Vec<Range<usize>> {
    let starts = crate::text::line_starts(edited);
    let byte = |line: u32| starts.get(line as usize).copied().unwrap_or(edited.len());
    hunks(&stripped(base), &stripped(edited))
        .into_iter()
        .map(|(_, after)| if after.is_empty() { byte(after.start)..byte(after.start + 1) } else { byte(after.start)..byte(after.end) })
        .collect()
}

/// Returns the replacements (edited bytes, base text) that turn the edited lines around a byte range back into the base's.
pub(crate) fn restoring(base: &str, edited: &str, around: &Range<usize>) -> Vec<(Range<usize>, String)> {
    let (old, new) = (crate::text::line_starts(base), crate::text::line_starts(edited));
    let old_byte = |line: u32| old.get(line as usize).copied().unwrap_or(base.len());
    let new_byte = |line: u32| new.get(line as usize).copied().unwrap_or(edited.len());
    hunks(&stripped(base), &stripped(edited))
        .into_iter()
        .map(|(before, after)| (new_byte(after.start)..new_byte(after.end), base[old_byte(before.start)..old_byte(before.end)].to_owned()))
        .filter(|(range, _)| range.start <= around.end && around.start <= range.end)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_whole_lines_and_the_rest_is_the_same() {
        let long = "let a = 1;\n".repeat(1_000);
        let texts = ["", "a", "a\n", "a\nb\n", "b\na\n", "a\nb", "é\na\n", "a\na\na\n", "a\na\n"].map(str::to_owned);
        let longs =
            [long.clone(), format!("{long}x\n"), format!("x\n{long}"), format!("{long}y{long}"), long.replacen("1;\nlet", "1;let", 500)];
        let all: Vec<&String> = texts.iter().chain(&longs).collect();
        for base in &all {
            for edited in &all {
                let (before, now) = changed(base, edited);
                let head = before.as_ptr() as usize - base.as_ptr() as usize;
                assert_eq!(format!("{}{now}{}", &base[..head], &base[head + before.len()..]), **edited, "{before:?} {now:?}");
                assert!(head == 0 || base[..head].ends_with('\n'));
                assert!(base != edited || before.len() <= base.len() - base.rfind('\n').map_or(0, |at| at));
            }
        }
    }
}
