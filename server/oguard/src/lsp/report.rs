//! `oguard/report`: what the server knows, as the report that every other surface gives (`oguard.report/1`).
//!
//! `{ "uri": … }` names a document, a file or a folder; without it the whole change of the one repository of the workspace is
//! meant. Texts that are open are judged as they are in the editor. What lies in no repository is known only where it is open.

use super::backend::Backend;
use super::pull::session_failed;
use super::uri;
use crate::report::{Claim, Compared, FileReport, Format, Limit, NotEvaluated, Report, Style, render};
use crate::session::{FIRST_SIGHT, Session, Snapshot, Survey, Surveyed};
use oguard_engine::rules::RULES;
use oguard_engine::settings::Settings;
use oguard_engine::verdict;
use serde_json::Value;
use std::path::PathBuf;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};

/// Answers the request.
pub(crate) async fn answer(backend: &Backend, params: &Value) -> Result<Value> {
    let (session, _) = backend.session()?;
    let wanted = match params.get("uri") {
        None | Some(Value::Null) => None,
        Some(Value::String(token)) => Some(uri::raw(token).into_owned()),
        Some(_) => return Err(Error::invalid_params("`uri` is a string")),
    };
    let open = match &wanted {
        Some(uri) => session.snapshot(uri).await.ok().flatten().into_iter().collect(),
        None => session.snapshots().await.map_err(|_| session_failed())?,
    };
    let only = wanted.as_deref().and_then(uri::path);
    if let (Some(uri), None, []) = (&wanted, &only, open.as_slice()) {
        return Err(Error::invalid_params(format!("{uri} is neither open nor a file")));
    }
    let mut survey = Survey::default();
    if wanted.is_none() || only.is_some() {
        survey = surveyed(backend, session, params, only).await?;
    }
    // A folder inside a repository that lies inside another: the inner one is meant.
    survey.projects.sort_by_key(|p| std::cmp::Reverse(p.root.as_os_str().len()));
    if wanted.is_some() {
        survey.projects.truncate(1);
    }
    let report = match <[Surveyed; 1]>::try_from(survey.projects) {
        Ok([project]) => {
            let mut report = project.report.map_err(|why| failed(&why))?;
            name_the_rest(
                &mut report,
                open.iter().filter(|s| {
                    // What the survey got it names itself.
                    s.root.as_ref() != Some(&project.root) || s.judged_as.is_none()
                }),
            );
            report
        }
        Err(none) if none.is_empty() => match &wanted {
            // A report of nothing would read as a pass.
            Some(uri) if open.is_empty() => {
                return Err(Error::invalid_params(format!("{uri} is neither open nor in a repository of the workspace")));
            }
            _ => of_open(open)?,
        },
        Err(several) => {
            let roots: Vec<String> = several.iter().map(|p| uri::of_path(&p.root)).collect();
            return Err(Error::invalid_params(format!("there are several repositories, so name one by `uri`: {}", roots.join(", "))));
        }
    };
    // A large report is written where it holds up nobody.
    let (reply, written) = oneshot::channel();
    std::thread::spawn(move || {
        let text = render(&report, Format::Json, Limit::of(Some(0)), Style::plain());
        let _ = reply.send(serde_json::from_str(&text));
    });
    written.await.ok().and_then(std::result::Result::ok).ok_or_else(Error::internal_error)
}

async fn surveyed(backend: &Backend, session: &Session, params: &Value, only: Option<PathBuf>) -> Result<Survey> {
    let token = params.get("workDoneToken").filter(|t| !t.is_null()).cloned();
    let task = backend.tasks.begin(token, "Objective Guard: judging the change", only, &backend.outbox);
    tokio::select! {
        survey = session.survey(task.work.clone()) => survey.map_err(|_| session_failed()),
        () = task.cancelled() => Err(Error::request_cancelled()),
    }
}

fn failed(why: &str) -> Error {
    Error { message: why.to_owned().into(), ..Error::internal_error() }
}

/// Names what is open and not in the report: silence about it would read as a pass.
fn name_the_rest<'a>(report: &mut Report, open: impl Iterator<Item = &'a Snapshot>) {
    for snapshot in open {
        let why = snapshot.not_judged.clone().or_else(|| snapshot.failed.clone());
        let why = why.unwrap_or_else(|| "open, and in no repository: ask for it by its `uri`".to_owned());
        report.claim.not_evaluated.push(NotEvaluated::new(snapshot.uri.as_ref(), why));
    }
    report.claim.not_evaluated.sort_by(|a, b| (&a.what, &a.why).cmp(&(&b.what, &b.why)));
}

/// Reports open documents that lie in no repository.
fn of_open(mut open: Vec<Snapshot>) -> Result<Report> {
    open.sort_by(|a, b| a.uri.cmp(&b.uri));
    let (mut files, mut not_evaluated, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    let (mut resolved, mut remaining) = (0, 0);
    let mut settings: Option<std::sync::Arc<Settings>> = None;
    for snapshot in open {
        let file = uri::path(&snapshot.uri).is_some();
        let what = || snapshot.uri.to_string();
        let failed_rules = snapshot.verdicts.failures.iter().map(|rule| format!("the rule {rule} failed; its silence means nothing"));
        failures.extend(snapshot.failed.iter().cloned().chain(failed_rules).map(|why| NotEvaluated::new(what(), why)));
        failures.extend(snapshot.verdicts.errors.iter().map(|(why, _)| NotEvaluated::new(what(), why.clone())));
        not_evaluated.extend(snapshot.not_judged.iter().map(|why| NotEvaluated::new(what(), why.clone())));
        not_evaluated.extend(snapshot.verdicts.not_judged.iter().map(|why| NotEvaluated::new(what(), *why)));
        let Some(spec) = snapshot.judged_as.filter(|_| snapshot.not_judged.is_none()) else { continue };
        resolved += snapshot.verdicts.resolved;
        remaining += snapshot.verdicts.remaining;
        settings.get_or_insert_with(|| spec.settings.clone());
        let findings = snapshot.verdicts.findings.iter().map(|s| s.finding.clone()).collect();
        let path = if file { spec.path.clone() } else { snapshot.uri.to_string() };
        files.push(FileReport { path, base_path: None, language: spec.language.id, findings, notes: Vec::new() });
    }
    let settings = settings.unwrap_or_default();
    let mut languages: Vec<&'static str> = files.iter().map(|f| f.language).collect();
    languages.sort_unstable();
    languages.dedup();
    let claim = Claim {
        compared: Compared {
            baseline: FIRST_SIGHT.to_owned(),
            words: "open texts against what they were when they were first seen".to_owned(),
            command: "oguard scan".to_owned(),
            task: None,
            absolute: false,
        },
        files: files.iter().map(|f| f.path.clone()).collect(),
        languages,
        rules_run: RULES.iter().filter(|r| settings.level(r.id, r.level).is_some()).map(|r| r.id.0).collect(),
        not_evaluated,
        failures,
    };
    let levels = files.iter().flat_map(|f| &f.findings).map(|f| f.level);
    Ok(Report { verdict: verdict::of(levels, !claim.failures.is_empty()), claim, files, resolved, remaining, tests: Vec::new() })
}
