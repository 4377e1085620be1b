//! Quick fixes: what a finding brings along, and its place put back as the base had it.
//!
//! They are found by range, so that clients which keep no `data` get them too. A restore is computed when it is asked for
//! where the client resolves edits and gives `data` back, else at once. Resolving an action that is complete gives it back as
//! it is: some clients resolve every action. A client that knows no action literals gets commands, whose edits the server has
//! it apply; one that does not apply edits either has no way to make one, and gets none.

use super::clients::Profile;
use super::{position, publish, uri};
use crate::session::{Session, Shown, Snapshot};
use oguard_engine::finding::TextEdit;
use ropey::Rope;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use tower_lsp::ls_types::{
    self, CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, Command, CreateFile, CreateFileOptions,
    DocumentChangeOperation, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, ResourceOp, TextDocumentEdit, WorkspaceEdit,
};

/// Title of the action that puts a place back.
const RESTORE: &str = "Restore this from the base";

/// Title of the action that makes a file again.
const RESTORE_FILE: &str = "Restore this file from the base";

/// The command that stands for an action where the client knows no other.
pub(crate) const COMMAND: &str = "oguard.fix";

/// Whether actions are commands for a client.
pub(crate) fn by_command(profile: &Profile) -> bool {
    !profile.action_literals && profile.applies_edits
}

/// Returns the actions of a range.
#[allow(clippy::mutable_key_type, reason = "the protocol's type of an edit; a URI is never changed in place")]
pub(crate) async fn of(
    session: &Session,
    snapshot: &Snapshot,
    range: ls_types::Range,
    context: &CodeActionContext,
    profile: &Profile,
) -> Vec<CodeActionOrCommand> {
    if !wants_fixes(context) || !(profile.action_literals || by_command(profile)) {
        return Vec::new();
    }
    let start = position::byte(&snapshot.text, position::of(range.start), profile.encoding);
    let end = position::byte(&snapshot.text, position::of(range.end), profile.encoding);
    let mut actions: Vec<CodeAction> = Vec::new();
    let mut restored: Vec<Vec<TextEdit>> = Vec::new();
    for shown in publish::shown(&snapshot.verdicts, profile) {
        let finding = &shown.finding;
        if finding.range.start > end || finding.range.end < start {
            continue;
        }
        for fix in &finding.fixes {
            let mut action = action(&fix.title, snapshot, shown, profile);
            action.edit = Some(workspace_edit(snapshot, &fix.edits, profile));
            actions.push(action);
        }
        // What is not there any more is put back by a fix of its own.
        if !snapshot.has_base || finding.absent {
            continue;
        }
        let mut action = action(RESTORE, snapshot, shown, profile);
        if profile.resolves_edits {
            action.data = Some(json!({ "uri": snapshot.uri.as_ref(), "fingerprint": finding.fingerprint }));
        } else {
            let edits = restored_edits(session, snapshot, finding.range.clone()).await;
            // Two findings of one function restore the same.
            if edits.is_empty() || restored.contains(&edits) {
                continue;
            }
            action.edit = Some(workspace_edit(snapshot, &edits, profile));
            restored.push(edits);
        }
        actions.push(action);
    }
    if by_command(profile) {
        return actions.into_iter().map(|action| CodeActionOrCommand::Command(command(action, snapshot))).collect();
    }
    if let Some(first) = actions.first_mut().filter(|_| profile.preferred_actions) {
        first.is_preferred = Some(true);
    }
    actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()
}

/// Returns the action that makes a file again which is gone, with the base's text; for a file that is not open.
pub(crate) async fn of_lost(
    session: &Session,
    uri: ls_types::Uri,
    context: &CodeActionContext,
    profile: &Profile,
) -> Vec<CodeActionOrCommand> {
    let path = uri::path(&uri::raw(uri.as_str())).filter(|_| wants_fixes(context) && profile.creates_files && profile.action_literals);
    let Some(path) = path else { return Vec::new() };
    let Ok(Some(text)) = session.lost(path).await else { return Vec::new() };
    let options = CreateFileOptions { overwrite: Some(false), ignore_if_exists: Some(true) };
    let create = ResourceOp::Create(CreateFile { uri: uri.clone(), options: Some(options), annotation_id: None });
    let insert = ls_types::TextEdit { range: ls_types::Range::default(), new_text: text };
    let write = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version: None },
        edits: vec![OneOf::Left(insert)],
    };
    let operations = vec![DocumentChangeOperation::Op(create), DocumentChangeOperation::Edit(write)];
    let edit = WorkspaceEdit { document_changes: Some(DocumentChanges::Operations(operations)), ..WorkspaceEdit::default() };
    let diagnostics = context.diagnostics.clone();
    vec![CodeActionOrCommand::CodeAction(CodeAction {
        title: RESTORE_FILE.to_owned(),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(diagnostics),
        edit: Some(edit),
        ..CodeAction::default()
    })]
}

fn wants_fixes(context: &CodeActionContext) -> bool {
    let wanted = |kinds: &Vec<CodeActionKind>| kinds.iter().any(|k| k.as_str().is_empty() || *k == CodeActionKind::QUICKFIX);
    context.only.as_ref().is_none_or(wanted)
}

/// Returns an action as a command: which finding, and which of its actions.
fn command(action: CodeAction, snapshot: &Snapshot) -> Command {
    let fingerprint = action.diagnostics.iter().flatten().next().and_then(|d| d.data.as_ref()?.get("fingerprint").cloned());
    let argument = json!({ "uri": snapshot.uri.as_ref(), "fingerprint": fingerprint, "fix": action.title });
    Command { title: action.title, command: COMMAND.to_owned(), arguments: Some(vec![argument]) }
}

/// Returns the edit that a command stands for; none where its finding is gone.
pub(crate) async fn commanded(session: &Session, argument: &Value, profile: &Profile) -> Option<WorkspaceEdit> {
    let text = |name: &str| argument.get(name).and_then(Value::as_str);
    let snapshot = session.snapshot(&uri::raw(text("uri")?)).await.ok().flatten()?;
    let (fingerprint, title) = (text("fingerprint")?, text("fix")?);
    let shown = snapshot.verdicts.findings.iter().find(|s| s.finding.fingerprint == fingerprint)?;
    let fix = shown.finding.fixes.iter().find(|fix| fix.title == title).map(|fix| fix.edits.clone());
    let edits = match fix {
        Some(edits) => edits,
        None if title == RESTORE => restored_edits(session, &snapshot, shown.finding.range.clone()).await,
        None => return None,
    };
    (!edits.is_empty()).then(|| workspace_edit(&snapshot, &edits, profile))
}

/// Completes an action; one that is complete, or whose finding is gone, comes back as it is.
pub(crate) async fn resolve(session: &Session, mut action: CodeAction, profile: &Profile) -> CodeAction {
    if action.edit.is_some() {
        return action;
    }
    let text = |name: &str| action.data.as_ref().and_then(|d| d.get(name)).and_then(Value::as_str);
    let (Some(uri), Some(fingerprint)) = (text("uri"), text("fingerprint")) else { return action };
    let Ok(Some(snapshot)) = session.snapshot(&uri::raw(uri)).await else { return action };
    let Some(range) = range_of(&snapshot, fingerprint) else { return action };
    let edits = restored_edits(session, &snapshot, range).await;
    action.edit = Some(workspace_edit(&snapshot, &edits, profile));
    action
}

/// Returns the edits of a restore, or none where the text has changed since.
async fn restored_edits(session: &Session, snapshot: &Snapshot, range: std::ops::Range<usize>) -> Vec<TextEdit> {
    let answer = session.restore(&snapshot.uri, range).await.unwrap_or_default();
    if answer.seq == snapshot.seq { answer.edits } else { Vec::new() }
}

fn range_of(snapshot: &Snapshot, fingerprint: &str) -> Option<std::ops::Range<usize>> {
    snapshot.verdicts.findings.iter().find(|s| s.finding.fingerprint == fingerprint).map(|s| s.finding.range.clone())
}

fn action(title: &str, snapshot: &Snapshot, shown: &Arc<Shown>, profile: &Profile) -> CodeAction {
    let diagnostic = publish::diagnostic(shown, &uri::typed(&snapshot.uri), &snapshot.text, profile);
    CodeAction {
        title: title.to_owned(),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic]),
        ..CodeAction::default()
    }
}

#[allow(clippy::mutable_key_type, reason = "the protocol's type of an edit; a URI is never changed in place")]
fn workspace_edit(snapshot: &Snapshot, edits: &[TextEdit], profile: &Profile) -> WorkspaceEdit {
    let edits: Vec<_> = edits.iter().map(|edit| text_edit(&snapshot.text, edit, profile)).collect();
    let uri = uri::typed(&snapshot.uri);
    if !profile.document_changes {
        return WorkspaceEdit { changes: Some(HashMap::from([(uri, edits)])), ..WorkspaceEdit::default() };
    }
    let text_document = OptionalVersionedTextDocumentIdentifier { uri, version: snapshot.version };
    let change = TextDocumentEdit { text_document, edits: edits.into_iter().map(OneOf::Left).collect() };
    WorkspaceEdit { document_changes: Some(DocumentChanges::Edits(vec![change])), ..WorkspaceEdit::default() }
}

fn text_edit(text: &Rope, edit: &TextEdit, profile: &Profile) -> ls_types::TextEdit {
    ls_types::TextEdit { range: position::range(text, &edit.range, profile.encoding), new_text: edit.text.clone() }
}
