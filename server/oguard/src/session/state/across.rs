//! What other files of a change tell about the tests of open documents: a test that left one may stand in another.
//!
//! Asked only where a document lost a test, once it rests or is saved, and again when another document of the project does. The
//! answer is that of `oguard check` over the whole change, with the open texts in place of those on disk. Until it comes, such a
//! loss is not said; one that was said stays said.

use super::{Event, State};
use crate::session::FIRST_SIGHT;
use crate::session::document::{Key, Open, Place};
use crate::session::jobs::{Shown, Verdicts};
use crate::session::survey::{self, Answer, Asked, Survey, Watch};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the whole change said of a version of a document.
pub(in crate::session) struct Across {
    seq: u64,
    /// None where the change could not be judged: then the document speaks for itself.
    findings: Option<Vec<Arc<Shown>>>,
}

/// A question about the change of a project.
pub(in crate::session) struct Asking {
    root: Arc<PathBuf>,
    /// The documents it is asked for, and as of which edit.
    of: Vec<(Key, u64)>,
    /// Asked meanwhile, so that it is asked once more.
    again: bool,
}

/// Follows a survey of one project that nobody watches.
struct Quiet(Arc<PathBuf>);

impl Watch for Quiet {
    fn progress(&self, _: usize, _: usize) {}

    fn over(&self) -> bool {
        false
    }

    fn only(&self) -> Option<&Path> {
        Some(&self.0)
    }
}

impl Open {
    /// Whether a test is missing in it that another file may have.
    pub(super) fn misses(&self) -> bool {
        self.judged.as_ref().is_some_and(|(_, verdicts)| verdicts.findings.iter().any(|f| f.finding.absent))
    }

    /// Whether the whole change has been asked, or cannot be, about its newest version.
    pub(super) fn is_explained(&self) -> bool {
        let alone = self.root.is_none() || self.baseline.as_ref() == FIRST_SIGHT;
        alone || self.across.as_ref().is_some_and(|across| across.seq == self.seq) || !self.misses()
    }

    /// Puts what the whole change said in the place of what the document alone says of it.
    pub(super) fn explain(&self, verdicts: &mut Verdicts) {
        match self.across.as_ref().filter(|across| across.seq == self.seq) {
            Some(Across { findings: Some(findings), .. }) => {
                let alone: Vec<Arc<Shown>> = verdicts.findings.extract_if(.., |f| f.finding.rule.looks_across()).collect();
                for said in findings {
                    let twin = alone.iter().find(|a| a.finding.fingerprint == said.finding.fingerprint);
                    let base_lines = twin.map_or_else(|| said.base_lines.clone(), |twin| twin.base_lines.clone());
                    let at = verdicts.findings.partition_point(|f| f.finding.range.start <= said.finding.range.start);
                    verdicts.findings.insert(at, Arc::new(Shown { finding: said.finding.clone(), base_lines }));
                }
            }
            Some(Across { findings: None, .. }) => {}
            None if self.is_explained() => {}
            None => verdicts.findings.retain(|f| !f.finding.absent || self.shown.contains(&f.finding.fingerprint)),
        }
    }
}

impl State {
    /// Asks what the change says, where a document misses something and has not been told of its newest version.
    pub(super) fn ask_across(&mut self, uri: &str) {
        let Some(document) = self.documents.get(uri) else { return };
        let Some(root) = document.root.clone().filter(|_| !document.is_explained()) else { return };
        self.ask_of(root);
    }

    /// Asks anew for the other documents of a project that miss something: this one may have it.
    pub(super) fn ask_for_others(&mut self, uri: &str, root: Option<&Arc<PathBuf>>) {
        let Some(root) = root else { return };
        let mine = |other: &Arc<str>| **other != *uri && self.documents.get(other).is_some_and(|d| d.root.as_ref() == Some(root));
        if self.missing.iter().any(mine) {
            self.ask_of(root.clone());
        }
    }

    fn ask_of(&mut self, root: Arc<PathBuf>) {
        if let Some(asking) = self.asking.iter_mut().find(|a| a.root == root) {
            asking.again = true;
            return;
        }
        let judged = |d: &&Open| d.root.as_ref() == Some(&root) && matches!(d.place, Place::Judged(..));
        let of = self.documents.values().filter(judged).map(|d| (d.key.clone(), d.seq)).collect();
        let open = self.open_texts();
        let (events, whose) = (self.events.clone(), root.clone());
        let answer = Answer::new(move |survey| {
            // Nobody is left to tell where it is closed.
            let _ = events.send(Event::Across { root: whose, survey });
        });
        self.asking.push(Asking { root: root.clone(), of, again: false });
        let surveys = self.surveys.get_or_insert_with(|| survey::start(self.lookups.clone()));
        let _ = surveys.send(Asked { open, watch: Arc::new(Quiet(root)), reply: answer });
    }

    /// Takes the answer.
    pub(super) fn across(&mut self, root: &Arc<PathBuf>, survey: Survey) {
        let Some(at) = self.asking.iter().position(|a| a.root == *root) else { return };
        let Asking { of, again, .. } = self.asking.swap_remove(at);
        let report = survey.projects.into_iter().find(|p| p.root == *root).and_then(|p| p.report.ok());
        for (key, seq) in of {
            let Some(document) = self.documents.get_mut(&key.uri).filter(|d| d.key == key && d.seq == seq) else { continue };
            let Place::Judged(spec, _) = &document.place else { continue };
            let findings = report.as_ref().map(|report| {
                let mine = report.files.iter().filter(|f| f.path == spec.path).flat_map(|f| &f.findings);
                let shown = |finding: &oguard_engine::finding::Finding| {
                    let base_lines = finding.related.iter().map(|_| String::new()).collect();
                    Arc::new(Shown { finding: finding.clone(), base_lines })
                };
                mine.filter(|f| f.rule.looks_across()).map(shown).collect()
            });
            document.across = Some(Across { seq, findings });
            self.tell(&key.uri);
        }
        if again {
            self.ask_of(root.clone());
        }
    }
}
