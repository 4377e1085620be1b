//! What is said of documents and projects, when, and how often.
//!
//! Every version is answered once; what is learnt later of the same version is said only if it differs. Where a person types,
//! findings that a half-done edit would trip wait until the text rests.

use super::{Open, Place, State};
use crate::session::jobs::Verdicts;
use crate::session::tally::Counts;
use crate::session::{Publication, Said, Taste};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

impl State {
    /// Answers a version of a document that holds nothing to find.
    pub(super) fn tell_nothing(&mut self, uri: &str) {
        if let Some(document) = self.documents.get_mut(uri) {
            document.judged = Some((document.seq, Verdicts::default()));
            self.tell(uri);
        }
    }

    /// Says what is known of the newest version: once, and again only if it differs. What a half-done edit would trip waits
    /// for rest where a person types; what is shown already stays.
    pub(super) fn tell(&mut self, uri: &str) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        let Some((seq, verdicts)) = document.judged.as_ref().filter(|(seq, _)| *seq == document.seq) else { return };
        let (seq, mut verdicts) = (*seq, verdicts.clone());
        document.explain(&mut verdicts);
        let rests_at = document.changed.filter(|_| self.setup.taste.interactive).map(|at| at + self.setup.settle);
        if let Some(at) = rests_at.filter(|at| *at > Instant::now()) {
            let all = verdicts.findings.len();
            let shown = &document.shown;
            verdicts.findings.retain(|f| !f.finding.settled || shown.contains(&f.finding.fingerprint));
            // Another document may wait for what is typed here.
            if verdicts.findings.len() < all || !document.is_explained() || !self.missing.is_empty() {
                self.resting.push_back((at, document.key.clone()));
            }
        }
        let rests = rests_at.is_none_or(|at| at <= Instant::now());
        if document.misses() {
            self.missing.insert(document.key.uri.clone());
        } else if !self.missing.is_empty() {
            self.missing.remove(&document.key.uri);
        }
        let before = document.told.as_ref().filter(|(told, _)| *told == seq);
        let again = before.is_some();
        let root = document.root.clone();
        let same = before.is_some_and(|(_, before)| before.same(&verdicts));
        document.shown = verdicts.findings.iter().map(|f| f.finding.fingerprint.clone()).collect();
        document.told = Some((document.seq, verdicts.clone()));
        for reply in std::mem::take(&mut document.asks) {
            let _ = reply.send(Some(document.snapshot()));
        }
        if self.setup.taste.tally {
            let counts = Counts::of(&verdicts, matches!(document.place, Place::Failed(..)));
            self.tally.counts.replace(std::mem::replace(&mut document.counts, counts), counts);
            self.tally.note(&document.key.uri, document.gap(&verdicts));
        }
        if !same {
            self.say(uri, verdicts, again);
        }
        self.tell_tally();
        self.judged_anew(uri);
        if rests {
            self.ask_across(uri);
            if !again {
                self.ask_for_others(uri, root.as_ref());
            }
        }
    }

    /// Takes a document out of the tally.
    pub(super) fn uncount(&mut self, document: &Open) {
        self.tally.counts.replace(document.counts, Counts::default());
        self.tally.note(&document.key.uri, None);
    }

    /// Notes what a project is compared with.
    pub(super) fn based(&mut self, root: &Arc<PathBuf>, baseline: Arc<str>) {
        match self.tally.baselines.binary_search_by(|(known, _)| known.cmp(root)) {
            Ok(at) => self.tally.baselines[at].1 = baseline,
            Err(at) => self.tally.baselines.insert(at, (root.clone(), baseline)),
        }
    }

    /// Says what all open documents amount to, where that changed and somebody wants to know.
    pub(super) fn tell_tally(&mut self) {
        if self.setup.taste.tally && self.told_tally.as_ref() != Some(&self.tally) {
            self.told_tally = Some(self.tally.clone());
            (self.listener)(Said::Tally(self.tally.clone()));
        }
    }

    /// A document of a round of judging anew is done.
    pub(super) fn judged_anew(&mut self, uri: &str) {
        if self.judging.remove(uri) {
            (self.listener)(Said::Judging { done: self.judging_all - self.judging.len(), all: self.judging_all });
        }
    }

    pub(super) fn say(&self, uri: &str, verdicts: Verdicts, again: bool) {
        let Some(document) = self.documents.get(uri) else { return };
        let (uri, version, text) = (document.key.uri.clone(), document.version, document.text.clone());
        (self.listener)(Said::Found(Publication { uri, version, text, verdicts, baseline: document.baseline.clone(), again }));
    }

    /// Says everything again, for a client that changed how it wants to be told.
    pub(super) fn again(&mut self, taste: Taste) {
        self.setup.taste = taste;
        self.told_tally = None;
        self.tally.counts = Counts::default();
        self.tally.gaps = Arc::default();
        for document in self.documents.values_mut() {
            let verdicts = document.told.as_ref().map(|(_, v)| v);
            document.counts = Counts::default();
            if let Some(verdicts) = verdicts.filter(|_| taste.tally) {
                document.counts = Counts::of(verdicts, matches!(document.place, Place::Failed(..)));
                self.tally.counts.replace(Counts::default(), document.counts);
                self.tally.note(&document.key.uri, document.gap(verdicts));
            }
        }
        self.tell_tally();
        for document in self.documents.values() {
            if let Some((_, verdicts)) = document.told.as_ref().filter(|(seq, _)| *seq == document.seq) {
                self.say(&document.key.uri, verdicts.clone(), true);
            }
        }
    }

    /// Tells what was withheld from documents that have rested.
    pub(super) fn rested(&mut self) {
        let now = Instant::now();
        while self.resting.front().is_some_and(|(at, _)| *at <= now)
            && let Some((_, key)) = self.resting.pop_front()
        {
            if let Some(document) = self.documents.get(&key.uri).filter(|d| d.key == key) {
                let root = document.root.clone();
                self.tell(&key.uri);
                self.ask_for_others(&key.uri, root.as_ref());
            }
        }
    }

    /// Says what keeps a project from being judged, once.
    pub(super) fn trouble(&mut self, root: Option<Arc<PathBuf>>, message: String) {
        let root = root.map_or_else(PathBuf::new, |r| r.as_ref().clone());
        if self.troubles.get(&root) != Some(&message) {
            eprintln!("oguard: {message}");
            self.troubles.insert(root, message.clone());
            (self.listener)(Said::Trouble(message));
        }
    }

    pub(super) fn over(&mut self, root: Option<Arc<PathBuf>>) {
        if let Some(root) = root {
            self.troubles.remove(root.as_ref());
        }
    }
}
