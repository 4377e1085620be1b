//! What all open documents amount to: the sum is kept as each is judged, so that a keystroke costs its own document alone.

use super::jobs::Verdicts;
use oguard_engine::finding::Level;
use oguard_engine::verdict::{self, Verdict};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Findings by level, and what could not be judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) block: usize,
    pub(crate) warn: usize,
    pub(crate) info: usize,
    /// Documents in which a rule, or the judging itself, failed.
    pub(crate) error: usize,
}

impl Counts {
    /// Returns the counts of a document; `failed` where it could not be judged at all.
    pub(super) fn of(verdicts: &Verdicts, failed: bool) -> Self {
        let failed = failed || !verdicts.failures.is_empty() || !verdicts.errors.is_empty();
        let mut counts = Counts { error: usize::from(failed), ..Counts::default() };
        for shown in &verdicts.findings {
            match shown.finding.level {
                Level::Block => counts.block += 1,
                Level::Warn => counts.warn += 1,
                Level::Info => counts.info += 1,
            }
        }
        counts
    }

    /// Puts the counts of a document in place of those it had.
    pub(super) fn replace(&mut self, old: Counts, new: Counts) {
        self.block = self.block - old.block + new.block;
        self.warn = self.warn - old.warn + new.warn;
        self.info = self.info - old.info + new.info;
        self.error = self.error - old.error + new.error;
    }

    /// Returns what they amount to.
    pub(crate) fn verdict(&self) -> Verdict {
        let levels = [(self.block, Level::Block), (self.warn, Level::Warn), (self.info, Level::Info)];
        verdict::of(levels.into_iter().filter(|(n, _)| *n > 0).map(|(_, level)| level), self.error > 0)
    }
}

/// What all open documents amount to, and what they are compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) counts: Counts,
    /// Root and baseline of each project that has been seen, by root.
    pub(crate) baselines: Vec<(Arc<PathBuf>, Arc<str>)>,
    /// What is missing from the judgement of open documents, by URI. Shared, so that a keystroke that changes nothing of it
    /// neither copies nor compares it.
    pub(crate) gaps: Arc<BTreeMap<Arc<str>, Gap>>,
}

/// Why a document, or a part of it, was not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    pub(crate) why: String,
    /// It should have been judged, and the verdict is an error for it.
    pub(crate) failed: bool,
}

impl Tally {
    /// Notes what is missing of a document: something, or nothing any more.
    pub(super) fn note(&mut self, uri: &Arc<str>, gap: Option<Gap>) {
        if self.gaps.get(uri) == gap.as_ref() {
            return;
        }
        let gaps = Arc::make_mut(&mut self.gaps);
        match gap {
            Some(gap) => gaps.insert(uri.clone(), gap),
            None => gaps.remove(uri),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_wins_and_information_is_a_pass() {
        let mut all = Counts::default();
        assert_eq!(all.verdict(), Verdict::Pass);
        let one = Counts { info: 2, ..Counts::default() };
        all.replace(Counts::default(), one);
        assert_eq!(all.verdict(), Verdict::Pass);
        all.replace(one, Counts { block: 1, warn: 1, ..Counts::default() });
        assert_eq!((all, all.verdict()), (Counts { block: 1, warn: 1, ..Counts::default() }, Verdict::Block));
        all.replace(Counts::default(), Counts::of(&Verdicts::default(), true));
        assert_eq!(all.verdict(), Verdict::Error);
    }
}
