//! Long work as a client sees it: progress it gave a token for, and ways to end it.
//!
//! A task ends by itself, by `$/cancelRequest` (which drops the handler that holds it) or by `window/workDoneProgress/cancel`;
//! whichever comes, its work stops at the next file and its progress is told to be over.

use super::backend::CLIENT_ANSWERS_WITHIN;
use super::outbox::Outbox;
use crate::session::Watch;
use dashmap::DashMap;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tower_lsp::Client;
use tower_lsp::ls_types::ProgressToken;

/// Steps in which a client is shown how far documents are judged anew, in percent.
const JUDGING_STEP_PERCENT: usize = 10;

/// Tasks that can be ended by their token.
#[derive(Default)]
pub(crate) struct Tasks {
    running: DashMap<String, Arc<Work>>,
}

/// What the worker of a task sees of it.
pub(crate) struct Work {
    token: Option<Value>,
    only: Option<PathBuf>,
    outbox: Arc<Outbox>,
    percent: AtomicUsize,
    over: AtomicBool,
    ended: Notify,
}

/// A task; dropping it ends it.
pub(crate) struct Task {
    tasks: Arc<Tasks>,
    pub(crate) work: Arc<Work>,
}

impl Tasks {
    /// Begins a task; its progress is told where the client gave a token. `only` limits it to a path.
    pub(crate) fn begin(self: &Arc<Self>, token: Option<Value>, title: &str, only: Option<PathBuf>, outbox: &Arc<Outbox>) -> Task {
        let (percent, over, ended) = (AtomicUsize::new(0), AtomicBool::new(false), Notify::new());
        let work = Arc::new(Work { token, only, outbox: outbox.clone(), percent, over, ended });
        work.say(json!({ "kind": "begin", "title": title, "cancellable": true, "percentage": 0 }));
        if let Some(token) = &work.token {
            self.running.insert(token.to_string(), work.clone());
        }
        Task { tasks: self.clone(), work }
    }

    /// Ends the task of a token; one that is over already needs nothing.
    pub(crate) fn cancel(&self, token: &Value) {
        if let Some(work) = self.running.get(&token.to_string()) {
            work.over.store(true, Ordering::Relaxed);
            work.ended.notify_one();
        }
    }
}

impl Task {
    /// Returns once the client has ended it by its token.
    pub(crate) async fn cancelled(&self) {
        self.work.ended.notified().await;
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.work.over.store(true, Ordering::Relaxed);
        if let Some(token) = &self.work.token {
            self.tasks.running.remove(&token.to_string());
        }
        self.work.say(json!({ "kind": "end" }));
    }
}

impl Work {
    fn say(&self, value: Value) {
        if let Some(token) = &self.token {
            self.outbox.send(&progress(token, value));
        }
    }
}

impl Watch for Work {
    fn progress(&self, done: usize, all: usize) {
        let percent = done * 100 / all.max(1);
        // A step is a percent: a client draws a bar, it does not count files.
        if self.token.is_some() && self.percent.fetch_max(percent, Ordering::Relaxed) < percent && !self.over() {
            self.say(json!({ "kind": "report", "percentage": percent }));
        }
    }

    fn over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    fn only(&self) -> Option<&Path> {
        self.only.as_deref()
    }
}

/// Returns a notification of progress.
pub(crate) fn progress(token: &Value, value: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": "$/progress", "params": { "token": token, "value": value } })
}

/// Shows how far many documents are judged anew, after a checkout or a change of settings. It cannot be ended: a document
/// left out would say what is no longer so.
pub(crate) fn judging(client: Client, outbox: Arc<Outbox>) -> UnboundedSender<(usize, usize)> {
    let (sender, mut steps) = unbounded_channel::<(usize, usize)>();
    tokio::spawn(async move {
        let mut rounds = 0_i32;
        while let Some((mut done, mut all)) = steps.recv().await {
            rounds += 1;
            let name = format!("oguard/judging/{rounds}");
            let token = json!(name);
            let create = client.create_work_done_progress(ProgressToken::String(name));
            let shown = matches!(tokio::time::timeout(CLIENT_ANSWERS_WITHIN, create).await, Ok(Ok(())));
            let say = |value: Value| {
                if shown {
                    outbox.send(&progress(&token, value));
                }
            };
            say(json!({ "kind": "begin", "title": "Objective Guard: judging again", "cancellable": false, "percentage": 0 }));
            let mut percent = 0;
            while done < all {
                let Some(next) = steps.recv().await else { return };
                (done, all) = next;
                let now = done * 100 / all.max(1);
                if now >= percent + JUDGING_STEP_PERCENT {
                    percent = now;
                    say(json!({ "kind": "report", "percentage": percent }));
                }
            }
            say(json!({ "kind": "end" }));
        }
    });
    sender
}
