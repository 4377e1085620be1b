//! Diagnostics that a client asks for: of a document, and of the whole change.
//!
//! Every pull is answered, also for a document that is not open, lies elsewhere or is not judged. The answer for the workspace
//! holds the open documents as they are judged, and the changed files that are not open as `oguard check` would judge them. It
//! comes in parts where the client gave a token for that.

use super::backend::{Backend, log_message};
use super::clients::Profile;
use super::outbox::Outbox;
use super::progress::{self, Task};
use super::{publish, uri};
use crate::project::read_file;
use crate::session::{Session, Snapshot, Survey};
use futures::future::join_all;
use oguard_engine::finding::Finding;
use ropey::Rope;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{
    Diagnostic, DocumentDiagnosticParams, DocumentDiagnosticReport, FullDocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport, WorkspaceDiagnosticParams,
    WorkspaceDocumentDiagnosticReport, WorkspaceFullDocumentDiagnosticReport, WorkspaceUnchangedDocumentDiagnosticReport,
};

/// Files of a part of an answer.
const PART_FILES: usize = 20;

/// Findings in files that are not open (SPEC.md 3: 40 a report); the command line shows the rest.
const UNOPENED_FINDINGS_MAX: usize = 40;

/// Some clients ask every two seconds; a survey that is younger than this is given again, unless something was saved.
const SURVEY_KEPT: Duration = Duration::from_secs(5);

/// The last survey, for clients that ask again and again.
pub(crate) type Kept = Option<(Instant, Arc<Survey>)>;

/// Answers a pull of a document.
pub(crate) async fn document(session: &Session, params: DocumentDiagnosticParams, profile: &Profile) -> DocumentDiagnosticReport {
    let snapshot = session.snapshot(&uri::raw(params.text_document.uri.as_str())).await.ok().flatten();
    let items = snapshot.map(|s| publish::of(&s, profile)).unwrap_or_default();
    let result_id = publish::result_id(&items);
    if params.previous_result_id.as_ref() == Some(&result_id) {
        DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        })
    } else {
        DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(result_id), items },
        })
    }
}

/// Answers a pull of the workspace.
pub(crate) async fn workspace(backend: &Backend, params: WorkspaceDiagnosticParams) -> Result<Vec<WorkspaceDocumentDiagnosticReport>> {
    let (session, profile) = backend.session()?;
    let work_done = params.work_done_progress_params.work_done_token.map(|token| json!(token));
    let task = backend.tasks.begin(work_done, "Objective Guard: judging the change", None, &backend.outbox);
    let mut answer = Answer {
        known: params.previous_result_ids.into_iter().map(|p| (uri::raw(p.uri.as_str()).into_owned(), p.value)).collect(),
        said: HashSet::new(),
        token: params.partial_result_params.partial_result_token.map(|token| json!(token)),
        items: Vec::new(),
        outbox: backend.outbox.clone(),
    };
    let open = tokio::select! {
        open = open_documents(session) => open?,
        () = task.cancelled() => return Err(Error::request_cancelled()),
    };
    for snapshot in &open {
        answer.add(&snapshot.uri, snapshot.version, publish::of(snapshot, &profile));
    }
    answer.part();
    let survey = tokio::select! {
        survey = surveyed(backend, session, &task) => survey?,
        () = task.cancelled() => return Err(Error::request_cancelled()),
    };
    // Files are read for their lines, which must not hold up what comes in meanwhile.
    let (reply, items) = oneshot::channel();
    std::thread::spawn(move || {
        let complete = survey.projects.iter().all(|p| p.report.is_ok());
        files(&mut answer, &survey, &open, &profile);
        if complete {
            answer.clear_the_rest();
        }
        // Who asked may have gone.
        let _ = reply.send(answer.items);
    });
    items.await.map_err(|_| Error::internal_error())
}

/// Returns all open documents as of their newest versions, by URI.
async fn open_documents(session: &Session) -> Result<Vec<Snapshot>> {
    let known = session.snapshots().await.map_err(|_| session_failed())?;
    let newest = join_all(known.iter().map(|s| session.snapshot(&s.uri))).await;
    let mut open: Vec<Snapshot> = newest.into_iter().filter_map(|s| s.ok().flatten()).collect();
    open.sort_by(|a, b| a.uri.cmp(&b.uri));
    Ok(open)
}

/// Returns the error of a question that the session never answered: an empty answer would read as a pass.
pub(crate) fn session_failed() -> Error {
    Error { message: "the guard itself failed; see the server's log".into(), ..Error::internal_error() }
}

async fn surveyed(backend: &Backend, session: &Session, task: &Task) -> Result<Arc<Survey>> {
    if let Some((at, survey)) = backend.kept_survey()
        && at.elapsed() < SURVEY_KEPT
    {
        return Ok(survey);
    }
    let survey = Arc::new(session.survey(task.work.clone()).await.map_err(|_| session_failed())?);
    for project in &survey.projects {
        if let Err(why) = &project.report {
            eprintln!("oguard: {}: the change could not be listed: {why}", project.root.display());
        }
    }
    backend.keep_survey(&survey);
    Ok(survey)
}

/// Adds the files of a survey that are not open.
fn files(answer: &mut Answer, survey: &Survey, open: &[Snapshot], profile: &Profile) {
    let open: HashSet<_> = open.iter().filter_map(|s| Some((s.root.clone()?, s.judged_as.as_ref()?.path.clone()))).collect();
    let least = publish::least(profile);
    let mut found: Vec<(PathBuf, &Finding)> = Vec::new();
    for project in &survey.projects {
        let Ok(report) = &project.report else { continue };
        for file in report.files.iter().filter(|f| !open.contains(&(project.root.clone(), f.path.clone()))) {
            let path = project.root.join(&file.path);
            found.extend(file.findings.iter().filter(|f| f.level >= least).map(|finding| (path.clone(), finding)));
        }
    }
    // The worst are kept, whichever file they stand in; then each file's together.
    found.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.level));
    if found.len() > UNOPENED_FINDINGS_MAX {
        found.truncate(UNOPENED_FINDINGS_MAX);
        answer.outbox.send(&log_message("Objective Guard: more findings in files that are not open; run `oguard check --max 0`"));
    }
    let mut files: BTreeMap<PathBuf, Vec<Finding>> = BTreeMap::new();
    for (path, finding) in found {
        files.entry(path).or_default().push(finding.clone());
    }
    for (path, findings) in files {
        let text = Rope::from_str(&read_file(&path).ok().flatten().unwrap_or_default());
        let uri = uri::of_path(&path);
        answer.add(&uri, None, publish::of_file(&uri, &text, findings, profile));
    }
}

/// An answer on its way.
struct Answer {
    /// What the client has, by URI.
    known: HashMap<String, String>,
    said: HashSet<String>,
    token: Option<Value>,
    items: Vec<WorkspaceDocumentDiagnosticReport>,
    outbox: Arc<Outbox>,
}

impl Answer {
    fn add(&mut self, raw: &str, version: Option<i32>, items: Vec<Diagnostic>) {
        self.said.insert(raw.to_owned());
        let result_id = publish::result_id(&items);
        let (uri, version) = (uri::typed(raw), version.map(i64::from));
        self.items.push(if self.known.get(raw) == Some(&result_id) {
            WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
                uri,
                version,
                unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
            })
        } else {
            WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
                uri,
                version,
                full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(result_id), items },
            })
        });
        if self.items.len() >= PART_FILES {
            self.part();
        }
    }

    /// Sends what there is so far, where the client takes parts.
    fn part(&mut self) {
        let Some(token) = self.token.as_ref().filter(|_| !self.items.is_empty()) else { return };
        let items = std::mem::take(&mut self.items);
        self.outbox.send_raw(&progress::progress(token, json!({ "items": items })));
    }

    /// Clears what the client has of files that are no longer reported.
    fn clear_the_rest(&mut self) {
        let mut rest: Vec<String> = self.known.keys().filter(|uri| !self.said.contains(*uri)).cloned().collect();
        rest.sort();
        rest.iter().for_each(|uri| self.add(uri, None, Vec::new()));
        self.part();
    }
}
