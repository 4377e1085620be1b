//! What the agent was told and what is news to it; which files were written since they were judged.

use crate::git::{Changes, Status};
use crate::report::Report;
use crate::store::Session;
use oguard_engine::finding::{Finding, Level};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Returns what the agent was not told at this level, and keeps what now stands in the judged files. What is gone is forgotten
/// without a word, so that it is news when it comes back.
///
/// `provisional`: right after an edit or a command, what a half-done move would trip is information, and that is not sent.
pub(super) fn news<'a>(session: &mut Session, judged: &[String], report: &'a Report, provisional: bool) -> Vec<(&'a str, &'a Finding)> {
    let mut standing: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut news = Vec::new();
    for (file, finding) in report.findings().filter(|(_, f)| f.level > Level::Info) {
        let level = finding.level.name();
        let known = session.told.get(&file.path).and_then(|told| told.get(&finding.fingerprint)).is_some_and(|told| told == level);
        if provisional && finding.settled && !known {
            continue;
        }
        if !known {
            news.push((file.path.as_str(), finding));
        }
        standing.entry(file.path.clone()).or_default().insert(finding.fingerprint.clone(), level.to_owned());
    }
    for path in judged.iter().chain(report.files.iter().map(|file| &file.path)) {
        session.told.remove(path);
    }
    session.told.extend(standing);
    news
}

/// Returns what tells of each changed file whether it was written since.
pub(super) fn stamps(root: &Path, changes: &Changes) -> BTreeMap<String, String> {
    let stamp = |path: &str| match std::fs::symlink_metadata(root.join(path)) {
        Ok(kind) => {
            let modified = kind.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok()).map_or(0, |at| at.as_nanos());
            format!("{}:{modified}", kind.len())
        }
        Err(_) => "gone".to_owned(),
    };
    let files = changes.files.iter().map(|file| {
        let stamp = if file.status == Status::Deleted { "gone".to_owned() } else { stamp(&file.path) };
        (file.path.clone(), stamp)
    });
    files.collect()
}
