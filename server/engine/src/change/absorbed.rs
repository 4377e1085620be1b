//! Tests that live on in others: as the twin that stays, as a row of a table, as part of a longer test or of a helper, or spread
//! over several (rules-a.md 7.1, steps 5 and 6).
//!
//! What takes a test in is a *host*: a test or helper of tests that gained something, or the lines between them, where tables
//! stand. An old test is only taken in whole: each of its assertions, or each of its literals in one row.

use super::code::{Code, Kind, Statement, Token, hash_of};
use super::matching::{CANDIDATES_MAX, MOVED_MIN, Matching, NAMESAKE_WORDS_MIN, RENAMED_MIN, is_empty};
use super::{Fate, File, Now, Old};
use crate::check::body_hash;
use crate::facts::Unit;
use oguard_grammars::facts::ItemKind;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

/// Which part of the other tokens of a test must stand in its host.
const HELD_MIN: f64 = 0.6;
/// The same by the number of literals of the test, from one on: several in one row are telling by themselves.
const ROW_HELD_MIN: [f64; 3] = [HELD_MIN, 0.4, 0.25];
/// Most tests that one is split into.
const PARTS_MAX: usize = 8;
/// Tokens that a row is longer than the literals in it.
const ROW_TOKENS_EXTRA: usize = 16;

/// A literal in more hosts than this finds none.
const HOLDERS_MAX: usize = 64;
/// Most hosts that a test is looked for in.
const HOSTS_MAX: usize = 8;

/// A literal in more places than this is in no row in particular.
pub(super) const PLACES_MAX: usize = 16;

/// Something of the edited texts that may have taken a test in.
struct Host<'a> {
    now: Now<'a>,
    code: Code,
    /// Statements it did not have before.
    added: HashMap<u64, usize>,
    /// Bytes of its file that the base did not have.
    fresh: Vec<Range<usize>>,
    /// It runs by itself, or somebody calls it.
    is_test: bool,
}

/// A test of which an equal one stays was one too many.
pub(super) fn doubles(matching: &mut Matching<'_>) {
    let left = matching.left();
    if left.is_empty() {
        return;
    }
    let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::new();
    let files: HashSet<usize> = left.iter().map(|old| matching.before[*old].old.file).collect();
    for (new, after) in matching.after.iter().enumerate().filter(|(_, after)| files.contains(&after.now.file)) {
        by_hash.entry(after.code().hash).or_default().push(new);
    }
    // In other files a double has the name too: variants of an example have their tests each, until one file tests all of them.
    let mut by_leaf: HashMap<u64, Vec<usize>> = HashMap::new();
    for (new, after) in matching.after.iter().enumerate() {
        by_leaf.entry(after.leaf).or_default().push(new);
    }
    let (mut alone, mut joined) = (Vec::new(), HashSet::new());
    for old in left {
        let code = matching.before[old].code();
        let file = matching.before[old].old.file;
        let here = by_hash
            .get(&code.hash)
            .filter(|_| code.is_telling())
            .and_then(|twins| twins.iter().copied().find(|n| matching.after[*n].now.file == file && matching.same_rows(old, *n)));
        let elsewhere = || {
            let namesakes = by_leaf.get(&matching.before[old].leaf).filter(|_| code.is_telling())?;
            let near = nearest(matching, old, namesakes);
            // A name of several words says by itself which test it is.
            let least = if matching.before[old].words().len() < NAMESAKE_WORDS_MIN { RENAMED_MIN } else { MOVED_MIN };
            let alike = near.into_iter().map(|n| (matching.likeness(old, n), n)).filter(|(likeness, _)| *likeness >= least);
            alike.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, twin)| twin)
        };
        match here.or_else(elsewhere) {
            Some(twin) => {
                let now = matching.after[twin].now;
                if matching.files[file].edited.is_none() {
                    joined.insert((file, now.file));
                }
                matching.absorb(old, vec![now], Fate::Merged, true);
            }
            None => alone.push(old),
        }
    }
    // A file that went into another one took along what has its name there too.
    for old in alone {
        let file = matching.before[old].old.file;
        let namesakes = by_leaf.get(&matching.before[old].leaf).into_iter().flatten();
        let mut there = namesakes.filter(|n| joined.contains(&(file, matching.after[**n].now.file)));
        if let Some(twin) = there.next() {
            let now = matching.after[*twin].now;
            matching.absorb(old, vec![now], Fate::Merged, false);
        }
    }
}

/// Returns the namesakes of a test in other files: those whose paths have the longest head in common with its own first.
fn nearest(matching: &Matching<'_>, old: usize, namesakes: &[usize]) -> Vec<usize> {
    let Old { file, base, .. } = matching.before[old].old;
    let common = |new: &usize| {
        let path = matching.files[matching.after[*new].now.file].path;
        base.path().bytes().zip(path.bytes()).take_while(|(a, b)| a == b).count()
    };
    let mut others: Vec<usize> = namesakes.iter().copied().filter(|n| matching.after[*n].now.file != file).collect();
    others.sort_by_key(|new| std::cmp::Reverse(common(new)));
    others.truncate(CANDIDATES_MAX);
    others
}

/// Step 5: the literals of a test stand together in a row, and the rest of it in what the rows are put into.
///
/// Those that several tests went into are found first (`several`): each of them is as alike to one of the tests as a test that
/// was renamed.
pub(super) fn rows(matching: &mut Matching<'_>, several: bool) {
    let left = matching.left();
    if left.is_empty() {
        return;
    }
    let hosts: Vec<Host<'_>> = hosts(matching, true);
    let tables: Vec<Table> = hosts.iter().map(Table::of).collect();
    let mut holders: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, table) in tables.iter().enumerate() {
        table.places.keys().for_each(|literal| holders.entry(*literal).or_default().push(at));
    }
    let mut shared: HashMap<u64, usize> = HashMap::new();
    for old in &left {
        let said: HashSet<u64> = matching.before[*old].code().body().iter().filter(|t| is_literal(t.kind)).map(|t| t.hash).collect();
        said.into_iter().for_each(|literal| *shared.entry(literal).or_insert(0) += 1);
    }
    let left_count = left.len();
    let mut found: Vec<(usize, usize)> = Vec::new();
    for old in left {
        let code = matching.before[old].code();
        let (literals, others): (Vec<Token>, Vec<Token>) = code.body().iter().cloned().partition(|t| is_literal(t.kind));
        let mut literals: HashSet<u64> = literals.iter().map(|t| t.hash).collect();
        // What all of them say, as a message, is in no row.
        if literals.iter().any(|literal| shared.get(literal).is_none_or(|times| *times == 1)) {
            literals.retain(|literal| shared.get(literal).is_none_or(|times| *times < left_count.max(2)));
        }
        if literals.is_empty() || is_empty(matching.before[old].old.unit()) {
            continue;
        }
        let others = matching.weights.bag(others.iter());
        let host = candidates(&literals, &holders).into_iter().find(|at| {
            let host = &hosts[*at];
            tables[*at].has_row(host, &literals) && {
                // A table outside tests is read by one of its file.
                let around = |h: &&Host<'_>| if host.now.index == 0 { h.now.file == host.now.file } else { h.now.index == host.now.index };
                let around = hosts.iter().filter(|h| h.now.file == host.now.file).filter(around);
                let least = ROW_HELD_MIN[literals.len().min(ROW_HELD_MIN.len()) - 1];
                others.held_by(&matching.weights.bag(around.flat_map(|h| &h.code.tokens))) >= least
            }
        });
        found.extend(host.map(|host| (old, host)));
    }
    for (old, host) in &found {
        let now = hosts[*host].now;
        let into = found.iter().filter(|(_, other)| other == host).count();
        if !several || now.unit().facts.item.parametrised || into > 1 {
            matching.absorb(*old, vec![now], Fate::Parametrised, true);
            matching.take(now, *old);
        }
    }
}

/// Steps 5 and 6: every assertion of a test stands in one other, or in several together.
pub(super) fn merged_or_split(matching: &mut Matching<'_>) {
    let left = matching.left();
    if left.is_empty() {
        return;
    }
    let hosts: Vec<Host<'_>> = hosts(matching, false);
    let mut holders: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, host) in hosts.iter().enumerate() {
        host.added.keys().for_each(|statement| holders.entry(*statement).or_default().push(at));
    }
    for old in left {
        let code = matching.before[old].code();
        let has_assertions = code.statements.iter().any(|s| s.assertion);
        let wanted: Vec<Statement> = code.statements.iter().copied().filter(|s| s.assertion || !has_assertions).collect();
        if wanted.is_empty() || (!has_assertions && wanted.len() < 2) {
            continue;
        }
        let Some(parts) = cover(&wanted, &hosts, &holders) else { continue };
        let all = matching.weights.bag(parts.iter().flat_map(|p| &hosts[*p].code.tokens));
        if matching.weights.bag(code.body().iter()).held_by(&all) < HELD_MIN || !parts.iter().any(|p| hosts[*p].is_test) {
            continue;
        }
        let fate = if parts.len() == 1 { Fate::Merged } else { Fate::Split };
        let into = parts.iter().map(|p| hosts[*p].now).collect();
        matching.absorb(old, into, fate, true);
    }
}

/// Returns the hosts that hold the rarer half of the literals, the most of them first.
fn candidates(literals: &HashSet<u64>, holders: &HashMap<u64, Vec<usize>>) -> Vec<usize> {
    let mut lists: Vec<&Vec<usize>> = literals.iter().filter_map(|literal| holders.get(literal)).collect();
    lists.sort_by_key(|list| list.len());
    let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
    for list in lists.iter().take(literals.len().div_ceil(2)).filter(|list| list.len() <= HOLDERS_MAX) {
        list.iter().for_each(|host| *votes.entry(*host).or_insert(0) += 1);
    }
    let mut best: Vec<(usize, usize)> = votes.into_iter().collect();
    best.sort_by_key(|(host, votes)| (std::cmp::Reverse(*votes), *host));
    best.into_iter().take(HOSTS_MAX).map(|(host, _)| host).collect()
}

/// Returns the fewest hosts that hold all statements, the one that holds most first.
fn cover(wanted: &[Statement], hosts: &[Host<'_>], holders: &HashMap<u64, Vec<usize>>) -> Option<Vec<usize>> {
    let mut open: HashMap<u64, usize> = HashMap::new();
    for statement in wanted {
        *open.entry(statement.hash).or_insert(0) += 1;
    }
    let mut parts = Vec::new();
    while !open.is_empty() {
        let mut held: HashMap<usize, usize> = HashMap::new();
        for (statement, times) in &open {
            for host in holders.get(statement)? {
                *held.entry(*host).or_insert(0) += (*times).min(hosts[*host].added[statement]);
            }
        }
        held.retain(|host, _| !parts.contains(host));
        let (best, _) = held.into_iter().max_by_key(|(host, held)| (*held, std::cmp::Reverse(*host)))?;
        parts.push(best);
        if parts.len() > PARTS_MAX {
            return None;
        }
        open.retain(|statement, times| {
            *times -= (*times).min(hosts[best].added.get(statement).copied().unwrap_or(0));
            *times > 0
        });
    }
    Some(parts)
}

/// Where the literals of a host stand.
struct Table {
    places: HashMap<u64, Vec<usize>>,
}

impl Table {
    fn of(host: &Host<'_>) -> Self {
        let text = host.now.edited.text();
        let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, token) in host.code.tokens.iter().enumerate().filter(|(_, t)| is_literal(t.kind)) {
            places.entry(token.hash).or_default().push(at);
            // Rows are written as text too: `"4, IV"`.
            let said = text.get(token.span.clone()).unwrap_or("").trim_matches(['"', '\'', '`']);
            if token.kind == Kind::Text && said.contains([',', ';', '|']) {
                for part in said.split([',', ';', '|']).map(|part| part.trim().trim_matches(['"', '\''])) {
                    places.entry(hash_of(Kind::Text, part)).or_default().push(at);
                    // A sign is a token of its own in code.
                    places.entry(hash_of(Kind::Number, part.trim_start_matches('-'))).or_default().push(at);
                }
            }
        }
        Table { places }
    }

    /// Whether most literals stand together where the base had nothing, and the others somewhere in the host.
    fn has_row(&self, host: &Host<'_>, literals: &HashSet<u64>) -> bool {
        let known: Vec<&Vec<usize>> = literals.iter().filter_map(|literal| self.places.get(literal)).collect();
        if known.len() * 5 < literals.len() * 4 {
            return false;
        }
        let reach = literals.len() * 3 + ROW_TOKENS_EXTRA;
        let mut anchors: Vec<usize> = known.iter().filter(|places| places.len() <= PLACES_MAX).flat_map(|p| p.iter().copied()).collect();
        anchors.sort_unstable();
        anchors.dedup();
        anchors.into_iter().any(|anchor| {
            let span = &host.code.tokens[anchor].span;
            let fresh = host.fresh.iter().any(|range| range.start < span.end && span.start < range.end);
            let near = |places: &&&Vec<usize>| {
                let at = places.partition_point(|place| *place + reach < anchor);
                places.get(at).is_some_and(|place| *place <= anchor + reach)
            };
            fresh && known.iter().filter(near).count() * 2 >= literals.len()
        })
    }
}

pub(super) fn is_literal(kind: Kind) -> bool {
    matches!(kind, Kind::Number | Kind::Text)
}

/// Returns what gained something: tests, helpers of tests, and with `lines` what stands between them.
fn hosts<'a>(matching: &Matching<'a>, lines: bool) -> Vec<Host<'a>> {
    let mut hosts = Vec::new();
    let fresh: Vec<Vec<Range<usize>>> = matching.files.iter().map(fresh).collect();
    for after in &matching.after {
        let before = after.was.map(|old| &matching.before[old]);
        let unchanged = before.is_some_and(|b| b.code().hash == after.code().hash && b.code().tokens.len() == after.code().tokens.len());
        if unchanged && !after.now.unit().facts.item.parametrised {
            continue;
        }
        let code = after.code().clone();
        let added = added(&code, before.map(|b| b.code()));
        hosts.push(Host { now: after.now, code, added, fresh: fresh[after.now.file].clone(), is_test: true });
    }
    for (file, File { base, edited, .. }) in matching.files.iter().enumerate() {
        let Some(edited) = edited else { continue };
        let units = &edited.inventory().units;
        let has_tests = edited.inventory().tests().next().is_some();
        let helper =
            |unit: &&Unit| matches!(unit.kind(), ItemKind::Function | ItemKind::Hook) && unit.in_tests && unit.facts.item.body.is_some();
        for (index, unit) in units.iter().enumerate().filter(|(_, unit)| helper(unit)) {
            let former = base.and_then(|base| base.function(unit).map(|index| (base, index)));
            if former.is_some_and(|(base, old)| body_hash(base.document(), base.unit(old)) == body_hash(edited, unit)) {
                continue;
            }
            let code = Code::of(edited, index);
            let before = former.map(|(base, old)| Code::of(base.document(), old));
            let added = added(&code, before.as_ref());
            let name = &unit.facts.item.name;
            // What nobody names does not run.
            let is_test = unit.kind() == ItemKind::Hook || edited.text().matches(name.as_str()).count() > 1;
            hosts.push(Host { now: Now { file, edited, index }, code, added, fresh: fresh[file].clone(), is_test });
        }
        if lines && has_tests {
            let mut code = Code::of(edited, 0);
            let tests: Vec<Range<usize>> = edited.inventory().tests().map(|(_, unit)| unit.range.clone()).collect();
            code.tokens.retain(|t| {
                fresh[file].iter().any(|range| range.start < t.span.end && t.span.start < range.end)
                    && !tests.iter().any(|range| range.contains(&t.span.start))
            });
            code.body = 0..code.tokens.len();
            hosts.push(Host {
                now: Now { file, edited, index: 0 },
                code,
                added: HashMap::new(),
                fresh: fresh[file].clone(),
                is_test: false,
            });
        }
    }
    hosts
}

/// Returns the bytes of a file that its base did not have.
pub(super) fn fresh(file: &File<'_>) -> Vec<Range<usize>> {
    match (file.base, file.edited) {
        (Some(base), Some(edited)) => base.changed_lines(edited),
        (None, Some(edited)) => std::iter::once(0..edited.text().len()).collect(),
        _ => Vec::new(),
    }
}

/// Returns the statements that a code has more often than the one before.
fn added(code: &Code, before: Option<&Code>) -> HashMap<u64, usize> {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for statement in &code.statements {
        *counts.entry(statement.hash).or_insert(0) += 1;
    }
    for statement in before.into_iter().flat_map(|b| &b.statements) {
        if let Some(count) = counts.get_mut(&statement.hash) {
            *count = count.saturating_sub(1);
        }
    }
    counts.retain(|_, count| *count > 0);
    counts
}
