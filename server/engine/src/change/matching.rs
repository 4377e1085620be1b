//! Pairs each test of the base with what it became, in steps, each on what is left (rules-a.md 7.1).
//!
//! Names first, since they cost a look into a table; the code of tests is only read where names leave something over. No step
//! compares all with all: candidates come from tables of names, bodies and rare tokens.

use super::code::{Bag, Code, Weights};
use super::{Fate, File, Now, Old, Pair, Tests};
use super::{absorbed, traces};
use crate::check::body_hash;
use crate::document::Document;
use crate::facts::{Inventory, Unit};
use oguard_grammars::facts::{ItemKind, Shape};
use oguard_grammars::visit::FileKind;
use std::cell::OnceCell;
use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

/// Least likeness of two bodies that share a name, for them to be one test that moved.
pub(super) const MOVED_MIN: f64 = 0.5;
/// Least likeness of two bodies that share nothing else.
pub(super) const RENAMED_MIN: f64 = 0.7;
/// Least likeness of two bodies in one file, by how alike the names of the tests are: what people rename they rewrite, and a name
/// that is mostly the same says whose place it took. Read off real histories (`fixtures/precision/test-removed.md`).
const REWRITTEN_MIN: &[(f64, f64)] = &[(0.6, 0.0), (0.55, 0.3), (0.5, 0.4), (0.3, 0.6), (0.2, 0.75)];
/// Least likeness of two names by which a test is known again whatever its body, and the words they must have.
const NAMESAKE_MIN: f64 = 0.85;
pub(super) const NAMESAKE_WORDS_MIN: usize = 3;
/// Least likeness of a test that stands where another one stood, and the part of its own words that must come back.
const IN_PLACE_MIN: (f64, f64) = (0.3, 0.15);
/// Least likeness by whole statements, where names are no help.
const STATEMENTS_MIN: f64 = 0.3;
/// Least part of a test's own words that must come back, where the names are not mostly the same.
const OWN_MIN: f64 = 0.2;
/// Fewer words of its own than this are no measure.
const OWN_TOKENS_MIN: usize = 4;
/// The same for two files.
const ELSEWHERE_MIN: (f64, f64) = (0.25, 0.8);
/// Which part of a test must stand in another of its file that is new, for it to have gone in there.
const JOINED_MIN: f64 = 0.75;
/// How much longer than the test that other one may be: a long text has every word.
const JOINED_LENGTH_MAX: usize = 3;
/// How far the second best must be behind.
const MARGIN: f64 = 0.1;
/// Most candidates that are compared with one test.
pub(super) const CANDIDATES_MAX: usize = 8;
/// Tokens by which candidates are found: the rarest.
const KEYS_MAX: usize = 12;
/// A token in more tests than this finds nobody.
const KEY_TESTS_MAX: usize = 48;
/// Tests that the weights of tokens are learned from; more say the same.
const LEARNED_MAX: usize = 1_000;

/// A file, and the tests that stay before and behind a place in it.
type Gap = (usize, Option<usize>, Option<usize>);

/// A test of the base while it is matched.
pub(super) struct Before<'a> {
    pub(super) old: Old<'a>,
    pub(super) leaf: u64,
    /// The words of its name.
    words: OnceCell<Vec<u64>>,
    code: OnceCell<Code>,
    bags: OnceCell<Bags>,
    outcome: Option<(Fate, Vec<Now<'a>>, bool)>,
    /// It may be a case of a test whose rows cannot be seen.
    doubtful: bool,
}

/// A test of the edited texts while it is matched.
pub(super) struct After<'a> {
    pub(super) now: Now<'a>,
    pub(super) leaf: u64,
    /// The words of its name.
    words: OnceCell<Vec<u64>>,
    code: OnceCell<Code>,
    bags: OnceCell<Bags>,
    /// The test of the base that it was.
    pub(super) was: Option<usize>,
}

/// The code of a test as bags.
pub(super) struct Bags {
    statements: Bag,
    body: Bag,
    /// Head and body.
    whole: Bag,
    /// What is not in nearly every test.
    own: Bag,
}

impl Bags {
    fn of(code: &Code, weights: &Weights) -> Self {
        Bags {
            statements: Bag::of_statements(code),
            body: weights.bag(code.body().iter()),
            whole: weights.bag(code.tokens.iter()),
            own: weights.own(code),
        }
    }
}

impl Before<'_> {
    pub(super) fn words(&self) -> &[u64] {
        self.words.get_or_init(|| words(&self.old.unit().facts.item.name))
    }

    fn bags(&self, weights: &Weights) -> &Bags {
        self.bags.get_or_init(|| Bags::of(self.code(), weights))
    }

    pub(super) fn code(&self) -> &Code {
        self.code.get_or_init(|| Code::of(self.old.base.document(), self.old.index))
    }

    pub(super) fn is_left(&self) -> bool {
        self.outcome.is_none()
    }
}

impl After<'_> {
    pub(super) fn words(&self) -> &[u64] {
        self.words.get_or_init(|| words(&self.now.unit().facts.item.name))
    }

    fn bags(&self, weights: &Weights) -> &Bags {
        self.bags.get_or_init(|| Bags::of(self.code(), weights))
    }

    pub(super) fn code(&self) -> &Code {
        self.code.get_or_init(|| Code::of(self.now.edited, self.now.index))
    }
}

/// The state of a matching.
pub(super) struct Matching<'a> {
    pub(super) files: &'a [File<'a>],
    pub(super) before: Vec<Before<'a>>,
    pub(super) after: Vec<After<'a>>,
    pub(super) weights: Weights,
}

/// Matches the tests of a change.
pub(super) fn run<'a>(files: &'a [File<'a>], unread: &[&str]) -> Tests<'a> {
    let mut matching = Matching { files, before: Vec::new(), after: Vec::new(), weights: Weights::default() };
    matching.collect();
    matching.same_place();
    if matching.is_unsettled() {
        matching.learn();
        matching.same_body(true);
        matching.same_name();
        matching.same_body(false);
        absorbed::rows(&mut matching, true);
        matching.families();
        matching.alike();
        absorbed::doubles(&mut matching);
        absorbed::rows(&mut matching, false);
        absorbed::merged_or_split(&mut matching);
        matching.joined();
        traces::restated(&mut matching);
        traces::unfolded(&mut matching);
        matching.in_place();
        traces::cases(&mut matching);
    }
    matching.disabled();
    matching.unknown(unread);
    matching.finish()
}

/// Whether a unit is a test of its own: one that only starts a suite is not (rules-a.md D9), nor is a benchmark.
fn counts(unit: &Unit) -> bool {
    let local = &unit.facts.local;
    unit.kind() == ItemKind::Test && !unit.facts.item.measures && (local.registrations.is_empty() || !local.assertions.is_empty())
}

fn tests(inventory: &Inventory) -> impl Iterator<Item = (usize, &Unit)> {
    inventory.tests().filter(|(_, unit)| counts(unit))
}

fn hash(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

impl<'a> Matching<'a> {
    fn collect(&mut self) {
        for (file, File { base, edited, .. }) in self.files.iter().enumerate() {
            if let Some(base) = base {
                self.before.extend(tests(base.document().inventory()).map(|(index, unit)| Before {
                    old: Old { file, base, index },
                    leaf: hash(&unit.facts.item.name),
                    words: OnceCell::new(),
                    code: OnceCell::new(),
                    bags: OnceCell::new(),
                    outcome: None,
                    doubtful: false,
                }));
            }
            if let Some(edited) = edited {
                self.after.extend(tests(edited.inventory()).map(|(index, unit)| After {
                    now: Now { file, edited, index },
                    leaf: hash(&unit.facts.item.name),
                    words: OnceCell::new(),
                    code: OnceCell::new(),
                    bags: OnceCell::new(),
                    was: None,
                }));
            }
        }
    }

    pub(super) fn left(&self) -> Vec<usize> {
        (0..self.before.len()).filter(|i| self.before[*i].is_left()).collect()
    }

    pub(super) fn free(&self) -> Vec<usize> {
        (0..self.after.len()).filter(|i| self.after[*i].was.is_none()).collect()
    }

    fn is_unsettled(&self) -> bool {
        self.before.iter().any(Before::is_left)
    }

    /// A test becomes another one, which is taken.
    fn pair(&mut self, old: usize, new: usize, fate: Fate, sure: bool) {
        self.after[new].was = Some(old);
        self.before[old].outcome = Some((fate, vec![self.after[new].now], sure));
    }

    /// A new test is what others became, and no longer free to be what one was.
    pub(super) fn take(&mut self, now: Now<'a>, old: usize) {
        let mut free = self.after.iter_mut().filter(|a| a.was.is_none());
        if let Some(after) = free.find(|a| (a.now.file, a.now.index) == (now.file, now.index)) {
            after.was = Some(old);
        }
    }

    /// A test is gone as far as one can see, and one cannot see all.
    pub(super) fn doubt(&mut self, old: usize) {
        self.before[old].doubtful = true;
    }

    /// A test became part of others, which stay free.
    pub(super) fn absorb(&mut self, old: usize, into: Vec<Now<'a>>, fate: Fate, sure: bool) {
        self.before[old].outcome = Some((fate, into, sure));
    }

    /// Step 1: the same path and the same qualified name; of several equal names the same body first.
    fn same_place(&mut self) {
        let mut places: HashMap<(usize, u64), Vec<usize>> = HashMap::new();
        for (index, after) in self.after.iter().enumerate() {
            places.entry((after.now.file, after.now.unit().path)).or_default().push(index);
        }
        let mut again = Vec::new();
        for old in 0..self.before.len() {
            let Old { file, .. } = self.before[old].old;
            let Some(here) = places.get(&(file, self.before[old].old.unit().path)) else { continue };
            if let [one] = here[..]
                && self.after[one].was.is_none()
            {
                self.pair(old, one, self.kept(old, one), true);
            } else if let Some(same) = here.iter().find(|n| self.after[**n].was.is_none() && self.kept(old, **n) == Fate::Kept) {
                self.pair(old, *same, Fate::Kept, true);
            } else {
                again.push(old);
            }
        }
        for old in again {
            let Old { file, .. } = self.before[old].old;
            let free = places[&(file, self.before[old].old.unit().path)].iter().find(|n| self.after[**n].was.is_none());
            if let Some(free) = free {
                self.pair(old, *free, Fate::Edited, true);
            }
        }
    }

    fn kept(&self, old: usize, new: usize) -> Fate {
        let (old, new) = (&self.before[old].old, &self.after[new].now);
        let text = |document: &'a Document, unit: &Unit| &document.text()[unit.range.clone()];
        let same = text(old.base.document(), old.unit()) == text(new.edited, new.unit())
            || (body_hash(old.base.document(), old.unit()).is_some_and(|hash| Some(hash) == body_hash(new.edited, new.unit()))
                && !old.unit().facts.item.parametrised);
        if same { Fate::Kept } else { Fate::Edited }
    }

    /// What a token tells is learned from the tests of the files that lost some.
    fn learn(&mut self) {
        let files: HashSet<usize> = self.before.iter().filter(|b| b.is_left()).map(|b| b.old.file).collect();
        let learned = self.before.iter().filter(|b| files.contains(&b.old.file)).take(LEARNED_MAX);
        let mut weights = Weights::default();
        learned.for_each(|before| weights.learn(before.code()));
        self.free().into_iter().take(LEARNED_MAX).for_each(|new| weights.learn(self.after[new].code()));
        self.weights = weights;
    }

    /// Step 2: the same qualified name in another file, or the same name in another container, and a body alike enough.
    fn same_name(&mut self) {
        let mut by_leaf: HashMap<u64, Vec<usize>> = HashMap::new();
        for new in self.free() {
            by_leaf.entry(self.after[new].leaf).or_default().push(new);
        }
        let mut pairs = Vec::new();
        for old in self.left() {
            let before = &self.before[old];
            for new in by_leaf.get(&before.leaf).into_iter().flatten().take(CANDIDATES_MAX) {
                let after = &self.after[*new];
                let qualified = before.old.unit().path == after.now.unit().path;
                if !qualified && before.old.file != after.now.file {
                    continue;
                }
                pairs.push((self.likeness(old, *new), old, *new));
            }
        }
        self.best(pairs, |_, _, likeness| likeness >= MOVED_MIN, |_, _| Fate::Moved);
    }

    /// Step 3: the same body under another name; with the same name too, it moved.
    fn same_body(&mut self, named: bool) {
        let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::new();
        for new in self.free() {
            let code = self.after[new].code();
            if code.is_telling() {
                by_hash.entry(code.hash).or_default().push(new);
            }
        }
        for old in self.left() {
            let code = self.before[old].code();
            if !code.is_telling() {
                continue;
            }
            let Some(same) = by_hash.get(&code.hash) else { continue };
            let (file, leaf) = (self.before[old].old.file, self.before[old].leaf);
            let free = same.iter().copied().filter(|n| self.after[*n].was.is_none() && self.same_rows(old, *n));
            let best = free.filter(|n| !named || self.after[*n].leaf == leaf).min_by_key(|n| {
                let now = &self.after[*n].now;
                (self.after[*n].leaf != leaf, now.file != file, now.index.abs_diff(self.before[old].old.index))
            });
            if let Some(new) = best {
                let fate = if self.after[new].leaf == leaf { Fate::Moved } else { Fate::Renamed };
                self.pair(old, new, fate, true);
            }
        }
    }

    /// Whether two parametrised tests of one body have their rows in common; any other test has none.
    pub(super) fn same_rows(&self, old: usize, new: usize) -> bool {
        let (before, after) = (&self.before[old], &self.after[new]);
        if !before.old.unit().facts.item.parametrised && !after.now.unit().facts.item.parametrised {
            return true;
        }
        let rows = |code: &Code| self.weights.bag(code.tokens[..code.body.start].iter());
        rows(before.code()).held_by(&rows(after.code())) >= MOVED_MIN
    }

    /// Step 4: a body that is mostly the same, and no other candidate near.
    fn alike(&mut self) {
        let index = self.index(&self.free());
        let mut pairs = Vec::new();
        for old in self.left() {
            for new in self.candidates(self.before[old].code(), &index) {
                pairs.push((self.likeness(old, new), old, new));
            }
        }
        let enough = |this: &Self, (old, new): (usize, usize), likeness: f64| {
            let (before, after) = (&this.before[old], &this.after[new]);
            let same_file = before.old.file == after.now.file;
            let rewritten = |names: f64| REWRITTEN_MIN.iter().any(|(bodies, least)| likeness >= *bodies && names >= *least);
            let names = this.names_alike(old, new);
            // Where the names say nothing, some statements must be the same: tests of one file share most of their words.
            let (one, other) = (before.bags(&this.weights), after.bags(&this.weights));
            let telling = (names >= REWRITTEN_MIN[1].1 || one.statements.likeness(&other.statements) >= STATEMENTS_MIN)
                && (names >= REWRITTEN_MIN[3].1 || one.own.len() < OWN_TOKENS_MIN || one.own.held_by(&other.body) >= OWN_MIN);
            (telling && (likeness >= RENAMED_MIN || (same_file && rewritten(names))))
                || (likeness >= ELSEWHERE_MIN.0 && names >= ELSEWHERE_MIN.1)
        };
        self.best(pairs, enough, |_, _| Fate::Rewritten);
        self.namesakes();
    }

    /// A test of the same name in another file took its place, whatever its body, where there is one alone: whether it checks as much
    /// is for the rule that compares the two. A name of few words names many, so it must be the whole qualified one.
    fn namesakes(&mut self) {
        let mut by_path: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut by_words: HashMap<u64, Vec<usize>> = HashMap::new();
        for new in self.free().into_iter().filter(|new| !is_empty(self.after[*new].now.unit())) {
            by_path.entry(self.after[new].now.unit().path).or_default().push(new);
            self.after[new].words().iter().for_each(|word| by_words.entry(*word).or_default().push(new));
        }
        for old in self.left() {
            let is_free = |new: &usize| self.after[*new].was.is_none();
            let namesake = match by_path.get(&self.before[old].old.unit().path).map(Vec::as_slice) {
                Some([new]) => Some(*new),
                _ => self.called_alike(old, &by_words),
            };
            if let Some(new) = namesake.filter(is_free) {
                self.pair(old, new, Fate::Rewritten, true);
            }
        }
    }

    /// Returns the one new test whose name has nearly all words of that of an old one, and next to none besides.
    fn called_alike(&self, old: usize, by_words: &HashMap<u64, Vec<usize>>) -> Option<usize> {
        let own = self.before[old].words();
        if own.len() < NAMESAKE_WORDS_MIN {
            return None;
        }
        let rarest = own.iter().filter_map(|word| by_words.get(word)).min_by_key(|tests| tests.len())?;
        let mut alike = rarest.iter().filter(|new| self.names_alike(old, **new) >= NAMESAKE_MIN);
        alike.next().copied().filter(|_| alike.next().is_none())
    }

    /// Step 4 for tests that were split by case: several new ones of the file carry its name and more (`total` became
    /// `total_of_none` and `total_of_one`).
    fn families(&mut self) {
        let mut by_file: HashMap<usize, Vec<usize>> = HashMap::new();
        for new in self.free() {
            by_file.entry(self.after[new].now.file).or_default().push(new);
        }
        for old in self.left() {
            let own = self.before[old].words();
            let Some(news) = by_file.get(&self.before[old].old.file).filter(|_| own.len() > 1) else { continue };
            let carries = |new: &usize| {
                let name = self.after[*new].words();
                self.after[*new].was.is_none() && name.len() <= 2 * own.len() && own.iter().all(|word| name.contains(word))
            };
            let family: Vec<usize> = news.iter().copied().filter(carries).take(CANDIDATES_MAX).collect();
            if family.len() < 2 || !family.iter().any(|new| self.likeness(old, *new) >= REWRITTEN_MIN[3].0) {
                continue;
            }
            let into = family.iter().map(|new| self.after[*new].now).collect();
            family.iter().for_each(|new| self.after[*new].was = Some(old));
            self.before[old].outcome = Some((Fate::Split, into, false));
        }
    }

    /// Step 5 for tests whose assertions changed on the way: most of a test stands in one of the same file that is new.
    fn joined(&mut self) {
        let left = self.left();
        let files: HashSet<usize> = left.iter().map(|old| self.before[*old].old.file).collect();
        let is_new = |after: &After<'_>| {
            let was = after.was.map(|old| &self.before[old].outcome);
            was.is_none_or(|outcome| matches!(outcome, Some((Fate::Rewritten | Fate::Split, ..))))
        };
        let news: Vec<usize> =
            (0..self.after.len()).filter(|n| files.contains(&self.after[*n].now.file) && is_new(&self.after[*n])).collect();
        let index = self.index(&news);
        for old in left {
            let code = self.before[old].code();
            let found = self.candidates(code, &index).into_iter().find(|new| {
                let (other, now) = (self.after[*new].code(), &self.after[*new].now);
                let held = || self.before[old].bags(&self.weights).body.held_by(&self.after[*new].bags(&self.weights).whole);
                let rows = now.unit().facts.item.parametrised && self.likeness(old, *new) >= MOVED_MIN;
                now.file == self.before[old].old.file
                    && code.is_telling()
                    && (rows || (other.tokens.len() <= code.tokens.len() * JOINED_LENGTH_MAX && held() >= JOINED_MIN))
            });
            if let Some(new) = found {
                let now = self.after[new].now;
                self.absorb(old, vec![now], Fate::Merged, false);
            }
        }
    }

    /// Step 5 for tests that were written anew where they stood: between the same two neighbours stands a new test that says some of
    /// the same. Which of several took which place is not sure.
    fn in_place(&mut self) {
        let left = self.left();
        if left.is_empty() {
            return;
        }
        let mut gaps: HashMap<Gap, Vec<usize>> = HashMap::new();
        for (gap, new) in self.gaps_of_new() {
            gaps.entry(gap).or_default().push(new);
        }
        for old in left {
            let Some(news) = self.gap_of(old).and_then(|gap| gaps.get(&gap)) else { continue };
            let (before, weights) = (&self.before[old], &self.weights);
            let alike = |new: &usize| {
                let (one, other) = (before.bags(weights), self.after[*new].bags(weights));
                let own = one.own.len() < OWN_TOKENS_MIN || one.own.held_by(&other.whole) >= IN_PLACE_MIN.1;
                Some((self.likeness(old, *new), *new)).filter(|(likeness, _)| *likeness >= IN_PLACE_MIN.0 && own)
            };
            let best = news.iter().take(CANDIDATES_MAX).filter_map(alike).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            if let Some((_, new)) = best {
                let now = self.after[new].now;
                self.absorb(old, vec![now], Fate::Rewritten, false);
            }
        }
    }

    /// Returns the new tests that no test became, with the neighbours from the base that they stand between.
    fn gaps_of_new(&self) -> Vec<(Gap, usize)> {
        let stays = |after: &After<'_>| {
            let was = after.was.map(|old| &self.before[old].outcome);
            matches!(was, Some(Some((Fate::Kept | Fate::Edited | Fate::Moved | Fate::Renamed, ..))))
        };
        let mut found = Vec::new();
        for (new, after) in self.after.iter().enumerate().filter(|(_, after)| after.was.is_none()) {
            let beside = |other: &&After<'_>| other.now.file == after.now.file && stays(other);
            let before = self.after[..new].iter().rev().take_while(|a| a.now.file == after.now.file).find(beside);
            let behind = self.after[new + 1..].iter().take_while(|a| a.now.file == after.now.file).find(beside);
            found.push(((after.now.file, before.map(|a| a.now.index), behind.map(|a| a.now.index)), new));
        }
        found
    }

    /// Returns the neighbours that a test of the base stood between, as they stand now; none where its file is gone.
    fn gap_of(&self, old: usize) -> Option<Gap> {
        let file = self.before[old].old.file;
        self.files[file].edited?;
        let stays = |before: &Before<'_>| match &before.outcome {
            Some((Fate::Kept | Fate::Edited | Fate::Moved | Fate::Renamed, now, _)) => {
                now.first().filter(|n| n.file == file).map(|n| n.index)
            }
            _ => None,
        };
        let here = |before: &&Before<'_>| before.old.file == file;
        let before = self.before[..old].iter().rev().take_while(here).find_map(stays);
        let behind = self.before[old + 1..].iter().take_while(here).find_map(stays);
        Some((file, before, behind))
    }

    /// Returns the tests that hold a token, by token.
    fn index(&self, news: &[usize]) -> HashMap<u64, Vec<usize>> {
        let mut index: HashMap<u64, Vec<usize>> = HashMap::new();
        for new in news {
            let mut keys: Vec<u64> = self.after[*new].code().tokens.iter().map(|t| t.hash).collect();
            keys.sort_unstable();
            keys.dedup();
            keys.into_iter().for_each(|key| index.entry(key).or_default().push(*new));
        }
        index
    }

    /// Returns the tests that share the rarest tokens with a code, the best first.
    pub(super) fn candidates(&self, code: &Code, index: &HashMap<u64, Vec<usize>>) -> Vec<usize> {
        let mut keys: Vec<(usize, u64)> = code.tokens.iter().filter_map(|t| Some((index.get(&t.hash)?.len(), t.hash))).collect();
        keys.sort_unstable();
        keys.dedup();
        let keys = keys.into_iter().filter(|(tests, _)| *tests <= KEY_TESTS_MAX).take(KEYS_MAX);
        let mut votes: Vec<usize> = keys.flat_map(|(_, key)| index[&key].iter().copied()).collect();
        votes.sort_unstable();
        let mut best: Vec<(usize, usize)> = votes.chunk_by(|a, b| a == b).map(|same| (same.len(), same[0])).collect();
        best.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        best.into_iter().take(CANDIDATES_MAX).map(|(_, new)| new).collect()
    }

    /// Takes pairs from the best down, both sides still free.
    fn best(
        &mut self,
        mut pairs: Vec<(f64, usize, usize)>,
        enough: impl Fn(&Self, (usize, usize), f64) -> bool,
        fate: impl Fn(usize, usize) -> Fate,
    ) {
        // Equal ones in the order of the texts, nearer ones first.
        let far = |this: &Self, old: usize, new: usize| this.before[old].old.file != this.after[new].now.file;
        pairs.sort_by(|a, b| {
            let near = far(self, a.1, a.2).cmp(&far(self, b.1, b.2));
            b.0.total_cmp(&a.0).then(near).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2))
        });
        let mut offers: HashMap<usize, Vec<(f64, usize)>> = HashMap::new();
        for (likeness, old, new) in &pairs {
            offers.entry(*old).or_default().push((*likeness, *new));
        }
        for (likeness, old, new) in pairs {
            if self.before[old].is_left() && self.after[new].was.is_none() && enough(self, (old, new), likeness) {
                let rival = |offer: &&(f64, usize)| offer.1 != new && self.after[offer.1].was.is_none() && offer.0 > likeness - MARGIN;
                let sure = !offers[&old].iter().any(|offer| rival(&offer));
                self.pair(old, new, fate(old, new), sure);
            }
        }
    }

    /// Returns how alike the bodies of two tests are: by statements, or by tokens where each statement was touched.
    pub(super) fn likeness(&self, old: usize, new: usize) -> f64 {
        let (before, after) = (&self.before[old], &self.after[new]);
        if before.code().hash == after.code().hash {
            return 1.0;
        }
        let (one, other) = (before.bags(&self.weights), after.bags(&self.weights));
        one.statements.likeness(&other.statements).max(one.body.likeness(&other.body))
    }

    /// Returns how alike the words of two names are, from 0 to 1.
    fn names_alike(&self, old: usize, new: usize) -> f64 {
        let (one, other) = (self.before[old].words(), self.after[new].words());
        let all = one.len() + other.len();
        if all == 0 { 0.0 } else { 2.0 * one.iter().filter(|word| other.contains(word)).count() as f64 / all as f64 }
    }

    /// Step 7: what no longer runs is spoken for by another rule.
    fn disabled(&mut self) {
        for before in self.before.iter_mut().filter(|b| b.outcome.is_none()) {
            let (inventory, explained) = (before.old.base.document().inventory(), self.files[before.old.file].explained);
            let mut at = before.old.index;
            while at != 0 && !explained.contains(&at) {
                at = inventory.parent(at);
            }
            if at != 0 {
                before.outcome = Some((Fate::Disabled, Vec::new(), true));
            }
        }
    }

    /// What may stand where nobody can look, or stands in a form that nobody knows, is not gone for sure.
    fn unknown(&mut self, unread: &[&str]) {
        for old in traces::still_there(self) {
            self.before[old].outcome = Some((Fate::Unknown, Vec::new(), false));
        }
        let broken = |file: &File<'_>| {
            let edited = file.edited.map_or(0, |e| e.inventory().broken);
            edited > file.base.map_or(0, |b| b.document().inventory().broken)
        };
        let broken: Vec<(usize, &str)> =
            (0..self.files.len()).filter(|i| broken(&self.files[*i])).filter_map(|i| Some((i, self.files[i].edited?.text()))).collect();
        let stem = |path: &str| path.rsplit('/').next().and_then(|n| n.split('.').next()).unwrap_or("").to_owned();
        let unread: HashSet<String> = unread.iter().map(|path| stem(path)).collect();
        for before in self.before.iter_mut().filter(|b| b.outcome.is_none()) {
            let name = &before.old.unit().facts.item.name;
            let hidden = broken.iter().any(|(file, text)| *file == before.old.file || (name.len() > 3 && text.contains(name.as_str())));
            let file = &self.files[before.old.file];
            let elsewhere = file.edited.is_none() && unread.contains(&stem(before.old.base.path()));
            // A runner that is set up otherwise may still look there.
            let renamed = file.path != before.old.base.path()
                && file.edited.is_some_and(|e| e.kind != FileKind::Test && !name.is_empty() && e.text().contains(name.as_str()));
            if hidden || elsewhere || renamed {
                before.outcome = Some((Fate::Unknown, Vec::new(), false));
            }
        }
    }

    fn finish(self) -> Tests<'a> {
        let mut taken: HashSet<(usize, usize)> = HashSet::new();
        let mut pairs = Vec::new();
        for before in self.before {
            let (fate, now, sure) = before.outcome.unwrap_or((Fate::Removed, Vec::new(), !before.doubtful));
            taken.extend(now.iter().map(|n| (n.file, n.index)));
            pairs.push(Pair { old: before.old, fate, now, sure });
        }
        let added = self.after.into_iter().filter(|a| a.was.is_none() && !taken.contains(&(a.now.file, a.now.index)));
        Tests { pairs, added: added.map(|a| a.now).collect() }
    }
}

/// Returns the words of a name, whatever way they are joined, each once and as a hash.
fn words(name: &str) -> Vec<u64> {
    let mut words = HashSet::new();
    let mut word = String::new();
    let mut lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && lower) {
            words.insert(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        lower = c.is_lowercase() || c.is_numeric();
    }
    words.insert(word);
    for said in ["", "test", "it", "should", "a", "an", "the"] {
        words.remove(said);
    }
    // One or several make no other name.
    let mut words: Vec<u64> = words.iter().map(|word| hash(word.strip_suffix('s').filter(|w| w.len() > 2).unwrap_or(word))).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Whether a body does nothing that could be looked for.
pub(super) fn is_empty(unit: &Unit) -> bool {
    unit.facts.item.body.is_none_or(|body| body.shape == Shape::Empty)
}
