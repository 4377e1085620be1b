//! The protocol's methods, each a few lines over the session.
//!
//! A notification changes the session before its handler could wait for anything, and a request asks the session before it
//! waits: the loop polls every handler once, in wire order, so what was sent first takes effect first. Nothing here waits for
//! the client; requests to it live in tasks of their own.

use super::clients::{Options, Profile};
use super::outbox::{Latest, Outbox, Slot};
use super::progress::Tasks;
use super::{Limits, actions, capabilities, gate, hover, position, progress, pull, report, uri, watchdog};
use crate::session::{Edit, Said, Session, Setup, Survey};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{
    CodeAction, CodeActionParams, CodeActionResponse, ConfigurationItem, DeleteFilesParams, DidChangeConfigurationParams,
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, DocumentDiagnosticParams, DocumentDiagnosticReportResult, ExecuteCommandParams,
    FileChangeType, Hover, HoverParams, InitializeParams, InitializeResult, InitializedParams, LSPAny, Registration, RenameFilesParams,
    WorkspaceDiagnosticParams, WorkspaceDiagnosticReport, WorkspaceDiagnosticReportResult,
};
use tower_lsp::{Client, LanguageServer};

/// How long an answer of the client is waited for; some never come.
pub(crate) const CLIENT_ANSWERS_WITHIN: Duration = Duration::from_secs(30);

/// What the threads share: who the client is, as far as it has said.
#[derive(Default)]
pub(crate) struct Desk {
    profile: RwLock<Option<Arc<Profile>>>,
}

impl Desk {
    /// Returns the profile; none before `initialize`.
    pub(crate) fn profile(&self) -> Option<Arc<Profile>> {
        self.profile.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, profile: Profile) -> Arc<Profile> {
        let profile = Arc::new(profile);
        *self.profile.write().unwrap_or_else(PoisonError::into_inner) = Some(profile.clone());
        profile
    }
}

/// The server as its methods see it.
pub(crate) struct Backend {
    client: Client,
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) tasks: Arc<Tasks>,
    desk: Arc<Desk>,
    limits: Limits,
    session: OnceLock<Session>,
    /// Options of `initialize`, below those of the configuration.
    initial: OnceLock<Options>,
    /// What is wrong with the client's settings, as far as it was said.
    complaints: Arc<Mutex<HashSet<String>>>,
    /// What is wrong with the options of `initialize`.
    unsaid: Mutex<Vec<String>>,
    kept_survey: Mutex<pull::Kept>,
    /// What a pulling client got is out of date.
    stale: Arc<Notify>,
    /// The client's process has ended, or the session has failed: the server ends.
    gone: Arc<Notify>,
}

impl Backend {
    pub(crate) fn new(client: Client, outbox: Arc<Outbox>, desk: Arc<Desk>, limits: Limits, gone: Arc<Notify>) -> Self {
        let stale = Arc::new(Notify::new());
        Backend {
            client,
            outbox,
            tasks: Arc::default(),
            desk,
            limits,
            session: OnceLock::new(),
            initial: OnceLock::new(),
            complaints: Arc::default(),
            unsaid: Mutex::default(),
            kept_survey: Mutex::default(),
            stale,
            gone,
        }
    }

    /// `oguard/report`: what is known of a document or of the change.
    pub(crate) async fn report(&self, params: Value) -> Result<Value> {
        report::answer(self, &params).await
    }

    /// A task whose progress the client shows is to end.
    pub(crate) async fn work_done_progress_cancel(&self, params: Value) {
        self.tasks.cancel(&params["token"]);
    }

    /// Returns the last survey, unless something was saved since.
    pub(crate) fn kept_survey(&self) -> pull::Kept {
        self.kept_survey.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn keep_survey(&self, survey: &Arc<Survey>) {
        *self.kept_survey.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), survey.clone()));
    }

    fn disk_changed(&self) {
        *self.kept_survey.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(crate) fn session(&self) -> Result<(&Session, Arc<Profile>)> {
        match (self.session.get(), self.desk.profile()) {
            (Some(session), Some(profile)) => Ok((session, profile)),
            _ => Err(Error { code: ErrorCode::ServerError(-32002), message: "the server is not initialized".into(), data: None }),
        }
    }

    fn with_session(&self, work: impl FnOnce(&Session)) {
        if let Some(session) = self.session.get() {
            work(session);
        }
    }

    fn start(&self, profile: &Profile) -> Session {
        let setup = Setup {
            encoding: profile.encoding,
            taste: profile.taste(),
            roots: profile.roots.clone(),
            git_time_max: self.limits.git_time_max,
            settle: self.limits.settle,
            edit_parse_max: self.limits.edit_parse_max,
        };
        let (outbox, desk, stale, gone) = (self.outbox.clone(), self.desk.clone(), self.stale.clone(), self.gone.clone());
        let judging = profile.shows_progress.then(|| progress::judging(self.client.clone(), self.outbox.clone()));
        Session::start(
            setup,
            Box::new(move |said| match said {
                Said::Found(publication) => {
                    let profile = desk.profile().filter(|p| p.pull);
                    if publication.again && profile.as_ref().is_some_and(|p| p.refresh) {
                        stale.notify_one();
                    }
                    if profile.is_none_or(|p| p.delta()) {
                        outbox.publish(Slot::Document(publication.uri.clone()), Latest::Found(publication));
                    }
                }
                Said::Gone(uri) => outbox.publish(Slot::Document(uri), Latest::Cleared),
                Said::Trouble(message) => outbox.send(&show_message(ERROR, &format!("Objective Guard: {message}"))),
                Said::Notice(message) => outbox.send(&log_message(&format!("Objective Guard: {message}"))),
                Said::Broken => {
                    outbox.send(&show_message(
                        ERROR,
                        "Objective Guard: the server itself failed and ends; nothing is judged until it is started again",
                    ));
                    gone.notify_one();
                }
                Said::Tally(tally) => outbox.publish(Slot::Status, Latest::Status(tally)),
                Said::Judging { done, all } => {
                    // Nobody listens where the client shows no progress.
                    let _ = judging.as_ref().map(|steps| steps.send((done, all)));
                }
            }),
        )
    }

    /// Says what is wrong with the client's settings: each once.
    fn complain(outbox: &Outbox, complaints: &Mutex<HashSet<String>>, wrong: Vec<String>) {
        for complaint in wrong {
            if complaints.lock().unwrap_or_else(PoisonError::into_inner).insert(complaint.clone()) {
                outbox.send(&show_message(WARNING, &format!("Objective Guard: {complaint}")));
            }
        }
    }

    /// Asks for the client's configuration, and takes it over whatever `initialize` said; defaults stay where nothing comes.
    fn pull_configuration(&self, pushed: Value) {
        let (Some(session), Some(initial), Some(profile)) = (self.session.get(), self.initial.get(), self.desk.profile()) else { return };
        let mut options = initial.clone();
        let mut wrong = options.take(&pushed);
        let (desk, session) = (self.desk.clone(), session.clone());
        let (outbox, complaints) = (self.outbox.clone(), self.complaints.clone());
        let settle = move |mut options: Options, mut wrong: Vec<String>| {
            let Some(profile) = desk.profile() else { return };
            if options.pull.is_some_and(|pull| pull != profile.pull) {
                wrong.push("the setting `diagnostics` is taken when the server starts: restart it".to_owned());
            }
            // It changes nothing any more, so it is no reason to say everything again.
            options.pull = profile.options.pull;
            Self::complain(&outbox, &complaints, wrong);
            if profile.options != options {
                let mut profile = profile.as_ref().clone();
                profile.options = options;
                let profile = desk.set(profile);
                session.again(profile.taste());
            }
        };
        // What was pushed holds for the next message; only who must be asked has to be waited for.
        if !profile.configuration {
            return settle(options, wrong);
        }
        let client = self.client.clone();
        tokio::spawn(async move {
            let item = ConfigurationItem { scope_uri: None, section: Some("oguard".to_owned()) };
            let answer = tokio::time::timeout(CLIENT_ANSWERS_WITHIN, client.configuration(vec![item])).await;
            if let Ok(Ok(values)) = answer {
                values.first().into_iter().for_each(|value| wrong.extend(options.take(value)));
            }
            settle(options, wrong);
        });
    }

    /// Files that a client watches for us; it may not be able to.
    fn watch_files(&self) {
        let client = self.client.clone();
        tokio::spawn(async move {
            let options = json!({ "watchers": [{ "globPattern": "**/oguard.toml" }, { "globPattern": "**/.git/HEAD" }] });
            let registration = Registration {
                id: "oguard-files".to_owned(),
                method: "workspace/didChangeWatchedFiles".to_owned(),
                register_options: Some(options),
            };
            if let Ok(Err(error)) = tokio::time::timeout(CLIENT_ANSWERS_WITHIN, client.register_capability(vec![registration])).await {
                eprintln!("oguard: the client does not watch files: {}", error.message);
            }
        });
    }

    /// Tells a pulling client that it should pull again; a client that does not know how is asked once.
    fn refresh(&self) {
        let (client, stale) = (self.client.clone(), self.stale.clone());
        tokio::spawn(async move {
            loop {
                stale.notified().await;
                if let Ok(Err(_)) = tokio::time::timeout(CLIENT_ANSWERS_WITHIN, client.workspace_diagnostic_refresh()).await {
                    return;
                }
            }
        });
    }
}

/// Kinds of messages, as the protocol counts them.
const ERROR: u8 = 1;
const WARNING: u8 = 2;
const INFO: u8 = 3;

fn show_message(kind: u8, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "method": "window/showMessage", "params": { "type": kind, "message": message } })
}

/// Returns a message for the client's log: worth knowing, not worth a window.
pub(crate) fn log_message(message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "method": "window/logMessage", "params": { "type": INFO, "message": message } })
}

fn version(version: i32) -> Option<i32> {
    Some(version).filter(|v| *v != gate::NO_VERSION)
}

fn paths<'a>(uris: impl Iterator<Item = &'a str>) -> Vec<PathBuf> {
    uris.filter_map(|u| uri::path(&uri::raw(u))).collect()
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        // The gate put the whole object there.
        let (profile, wrong) = Profile::read(&params.initialization_options.unwrap_or_default());
        let profile = self.desk.set(profile);
        let _ = self.initial.set(profile.options.clone());
        // Nothing may be said before the answer, so this waits for `initialized`.
        *self.unsaid.lock().unwrap_or_else(PoisonError::into_inner) = wrong;
        let _ = self.session.set(self.start(&profile));
        if let Some(process) = profile.process {
            watchdog::watch(process, self.gone.clone());
        }
        Ok(capabilities::offer(&profile))
    }

    async fn initialized(&self, _: InitializedParams) {
        let Ok((_, profile)) = self.session() else { return };
        let wrong = std::mem::take(&mut *self.unsaid.lock().unwrap_or_else(PoisonError::into_inner));
        Self::complain(&self.outbox, &self.complaints, wrong);
        if profile.watches {
            self.watch_files();
        }
        if profile.configuration {
            self.pull_configuration(Value::Null);
        }
        if profile.pull && profile.refresh {
            self.refresh();
        }
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let raw = uri::raw(document.uri.as_str());
        self.with_session(|s| s.open(&raw, uri::path(&raw), version(document.version), document.language_id, document.text));
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let raw = uri::raw(params.text_document.uri.as_str());
        let edit = |change: tower_lsp::ls_types::TextDocumentContentChangeEvent| Edit {
            range: change.range.map(|r| (position::of(r.start), position::of(r.end))),
            text: change.text,
        };
        let edits = params.content_changes.into_iter().map(edit).collect();
        self.with_session(|s| s.change(&raw, version(params.text_document.version), edits));
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        self.disk_changed();
        self.with_session(|s| s.save(&uri::raw(params.text_document.uri.as_str())));
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.with_session(|s| s.close(&uri::raw(params.text_document.uri.as_str())));
    }

    async fn did_rename_files(&self, params: RenameFilesParams) {
        self.disk_changed();
        let path = |u: &str| uri::path(&uri::raw(u));
        let pairs = params.files.iter().filter_map(|f| Some((path(&f.old_uri)?, path(&f.new_uri)?))).collect();
        self.with_session(|s| s.renamed(pairs));
    }

    async fn did_delete_files(&self, params: DeleteFilesParams) {
        self.disk_changed();
        self.with_session(|s| s.removed(paths(params.files.iter().map(|f| f.uri.as_str()))));
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        self.disk_changed();
        let gone = paths(params.changes.iter().filter(|c| c.typ == FileChangeType::DELETED).map(|c| c.uri.as_str()));
        self.with_session(|s| s.look(gone));
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        let added = paths(params.event.added.iter().map(|f| f.uri.as_str()));
        let removed = paths(params.event.removed.iter().map(|f| f.uri.as_str()));
        if let Some(profile) = self.desk.profile() {
            let mut profile = profile.as_ref().clone();
            profile.roots.retain(|root| !removed.contains(root));
            profile.roots.extend(added.iter().cloned());
            self.desk.set(profile);
        }
        self.with_session(|s| s.folders(added, removed));
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        let mut settings = params.settings;
        let own = settings.get_mut("oguard").map(Value::take);
        self.pull_configuration(own.unwrap_or_default());
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let (session, profile) = self.session()?;
        let at = params.text_document_position_params;
        let snapshot = session.snapshot(&uri::raw(at.text_document.uri.as_str())).await.ok().flatten();
        Ok(snapshot.and_then(|s| hover::at(&s, position::of(at.position), &profile)))
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let (session, profile) = self.session()?;
        let answer = session.snapshot(&uri::raw(params.text_document.uri.as_str())).await;
        let Ok(Some(snapshot)) = answer else {
            return Ok(Some(actions::of_lost(session, params.text_document.uri, &params.context, &profile).await));
        };
        Ok(Some(actions::of(session, &snapshot, params.range, &params.context, &profile).await))
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        let (session, profile) = self.session()?;
        Ok(actions::resolve(session, action, &profile).await)
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        let (session, profile) = self.session()?;
        if params.command != actions::COMMAND || !actions::by_command(&profile) {
            return Err(Error::invalid_params(format!("there is no command `{}`", params.command)));
        }
        let argument = params.arguments.first().cloned().unwrap_or_default();
        let Some(edit) = actions::commanded(session, &argument, &profile).await else {
            self.outbox.send(&show_message(INFO, "Objective Guard: the text has changed, so there is nothing to fix here any more"));
            return Ok(None);
        };
        let client = self.client.clone();
        tokio::spawn(async move {
            // Whether it was applied is seen in the text.
            let _ = tokio::time::timeout(CLIENT_ANSWERS_WITHIN, client.apply_edit(edit)).await;
        });
        Ok(None)
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        let (session, profile) = self.session()?;
        Ok(DocumentDiagnosticReportResult::Report(pull::document(session, params, &profile).await))
    }

    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
        let items = pull::workspace(self, params).await?;
        Ok(WorkspaceDiagnosticReportResult::Report(WorkspaceDiagnosticReport { items }))
    }
}
