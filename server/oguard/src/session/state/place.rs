//! Where documents belong: looked up when they open, again when settings, the base or the workspace change, and gone with
//! their files.

use super::{FIRST_SEEN_MAX, LOOK_EVERY, SHOWN_JUDGING_MIN, State};
use crate::session::Said;
use crate::session::bases::{self, Located, Lookup, OUTSIDE};
use crate::session::document::{Holder, Open, Pending, Place};
use crate::session::jobs::{Base, Spec, Verdicts};
use crate::session::pool::Rank;
use crate::session::tally::Counts;
use oguard_engine::grammars::by_lsp_id;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

impl State {
    /// Answers a document that is not judged; the first of a kind that one would expect to be is declared.
    pub(super) fn not_judged(&mut self, uri: &str) {
        self.tell_nothing(uri);
        let Some(Place::NotJudged(why)) = self.documents.get(uri).map(|d| &d.place) else { return };
        let Some(kind) = [OUTSIDE, NOTEBOOK].into_iter().find(|kind| *kind == why.as_ref()) else { return };
        if self.declared.insert(kind) {
            (self.listener)(Said::Notice(format!("{uri} is not evaluated, and no other like it: {kind}")));
        }
    }

    /// Clears documents at or below paths that are gone; a client that keeps them open may go on typing.
    pub(super) fn removed(&mut self, paths: &[PathBuf]) {
        let below = |path: &Path| paths.iter().any(|p| path.starts_with(p));
        let mut gone = Vec::new();
        for document in self.documents.values_mut().filter(|d| d.path.as_deref().is_some_and(below)) {
            self.incarnations += 1;
            document.key.incarnation = self.incarnations;
            document.holder = Holder::Cold;
            document.judged = Some((document.seq, Verdicts::default()));
            document.told.clone_from(&document.judged);
            document.shown.clear();
            // Nothing is judged any more that they could wait for.
            document.restores.clear();
            for reply in std::mem::take(&mut document.asks) {
                let _ = reply.send(Some(document.snapshot()));
            }
            self.tally.counts.replace(std::mem::take(&mut document.counts), Counts::default());
            self.tally.note(&document.key.uri, None);
            gone.push(document.key.uri.clone());
        }
        for uri in gone {
            self.judged_anew(&uri);
            (self.listener)(Said::Gone(uri));
        }
        self.tell_tally();
    }

    pub(super) fn renamed(&mut self, pairs: Vec<(PathBuf, PathBuf)>) {
        self.removed(&pairs.iter().map(|(old, _)| old.clone()).collect::<Vec<_>>());
        self.look_up(Lookup::Renamed(pairs));
    }

    pub(super) fn look_now_and_then(&mut self) {
        if self.looked.elapsed() >= LOOK_EVERY {
            self.look(Vec::new());
        }
    }

    pub(super) fn look(&mut self, gone: Vec<PathBuf>) {
        self.looked = Instant::now();
        self.look_up(Lookup::Look { gone });
    }

    pub(super) fn folders(&mut self, added: Vec<PathBuf>, removed: Vec<PathBuf>) {
        self.look_up(Lookup::Folders { added, removed });
        self.locate_all(|_| true);
    }

    pub(super) fn project_changed(&mut self, root: &Path) {
        self.locate_all(|document| document.root.as_deref().is_some_and(|r| r == root));
    }

    /// Judges documents anew from the ground; their next result is said only if it differs.
    pub(super) fn locate_all(&mut self, which: impl Fn(&Open) -> bool) {
        let uris: Vec<Arc<str>> = self.documents.values().filter(|d| d.path.is_some() && which(d)).map(|d| d.key.uri.clone()).collect();
        uris.iter().for_each(|uri| self.locate(uri));
        if uris.len() >= SHOWN_JUDGING_MIN {
            self.judging.extend(uris);
            self.judging_all = self.judging.len();
            (self.listener)(Said::Judging { done: 0, all: self.judging_all });
        }
    }

    /// Asks where a document belongs and what its base says.
    pub(super) fn locate(&mut self, uri: &str) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        let Some(path) = document.path.clone().filter(|_| !is_notebook(document)) else { return };
        // Results of before are void from here on.
        self.incarnations += 1;
        document.key.incarnation = self.incarnations;
        document.place = Place::Waiting;
        document.holder = Holder::Cold;
        document.pending = Pending::default();
        let (key, language, text) = (document.key.clone(), document.language.clone(), document.text.clone());
        let seq = document.seq;
        self.look_up(Lookup::Locate { key, seq, path, language, text });
    }

    pub(super) fn look_up(&self, lookup: Lookup) {
        // The thread of bases lives as long as this one holds the sender.
        let _ = self.lookups.send(lookup);
    }

    pub(super) fn located(&mut self, located: Located) {
        let Some(document) = self.documents.get_mut(&located.key.uri).filter(|d| d.key == located.key) else { return };
        let uri = document.key.uri.clone();
        document.root = located.root.clone();
        document.baseline = located.baseline;
        if let Some(root) = &located.root {
            let baseline = document.baseline.clone();
            self.based(root, baseline);
        }
        let Some(document) = self.documents.get_mut(&uri) else { return };
        match located.found {
            Err(message) => {
                document.place = Place::Failed(Instant::now(), message.clone());
                self.tell_nothing(&uri);
                self.trouble(located.root, message);
            }
            Ok(bases::Found::NotJudged(why)) => {
                document.place = Place::NotJudged(why);
                self.not_judged(&uri);
            }
            Ok(bases::Found::Settings) => {
                document.place = Place::Settings;
                self.judge(&uri, Rank::Open);
            }
            Ok(bases::Found::FirstSight(spec)) => {
                document.place = Place::Judged(spec, Base::None);
                self.over(located.root);
                self.based_on_first_sight(&uri);
            }
            Ok(bases::Found::Based { spec, base, same }) => {
                let untouched = same && document.seq == located.seq;
                document.place = Place::Judged(spec, base);
                self.over(located.root);
                if untouched { self.unchanged(&uri) } else { self.judge(&uri, Rank::Open) }
            }
        }
    }

    /// Outside git the text at first sight is the base, also when the document is closed and opened again.
    pub(super) fn based_on_first_sight(&mut self, uri: &Arc<str>) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        let now = &document.text;
        if !self.first_seen.contains_key(uri) {
            if self.first_seen_order.len() == FIRST_SEEN_MAX
                && let Some(oldest) = self.first_seen_order.pop_front()
            {
                self.first_seen.remove(&oldest);
            }
            self.first_seen.insert(uri.clone(), now.clone());
            self.first_seen_order.push_back(uri.clone());
        }
        let base = self.first_seen[uri].clone();
        let same = base == *now;
        if let Place::Judged(_, slot) = &mut document.place {
            *slot = Base::Text(base);
        }
        if same { self.unchanged(uri) } else { self.judge(uri, Rank::Open) }
    }
}

/// Why cells are not judged: their text is a part of a file that is compared as a whole.
pub(super) const NOTEBOOK: &str = "notebooks are not judged";

pub(super) fn is_notebook(document: &Open) -> bool {
    let uri = document.key.uri.as_ref();
    let file = document.path.as_deref().and_then(Path::extension).is_some_and(|e| e.eq_ignore_ascii_case("ipynb"));
    file || uri.split(':').next().is_some_and(|scheme| scheme.contains("notebook")) || document.language == "jupyter"
}

/// Returns how a text that lies in no file is judged: by the language its editor names.
pub(super) fn unfiled(document: &Open) -> Option<Spec> {
    let language = by_lsp_id(&document.language)?;
    let name = document.key.uri.rsplit(['/', ':']).next().unwrap_or_default().to_owned();
    Some(Spec { language, path: name, settings: Arc::default() })
}
