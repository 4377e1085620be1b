//! What the server says by itself about documents: diagnostics for who is pushed, `oguard/delta` and `oguard/status` for who
//! asked for them. Made only when they are written, so a burst of edits costs one of each.

use super::clients::Profile;
use super::outbox::{Latest, Slot};
use super::{gate, position, publish, uri};
use crate::session::{Publication, Shown, Tally};
use serde_json::{Value, json};

/// Documents of a kind that are named in a status: they are read in a tooltip, and the counts have all.
const GAPS_MAX: usize = 20;

/// Returns the bodies of the messages that say what is newest of a slot.
pub(crate) fn bodies(slot: &Slot, latest: &Latest, profile: &Profile) -> Vec<Vec<u8>> {
    let mut messages = Vec::new();
    match (slot, latest) {
        (Slot::Document(uri), Latest::Found(found)) => {
            if !profile.pull {
                messages.push(message("textDocument/publishDiagnostics", json!(publish::params(uri, Some(found), profile))));
            }
            if profile.delta() {
                messages.push(message("oguard/delta", delta(uri, found, profile)));
            }
        }
        (Slot::Document(uri), Latest::Cleared) if !profile.pull => {
            messages.push(message("textDocument/publishDiagnostics", json!(publish::params(uri, None, profile))));
        }
        (_, Latest::Status(tally)) if profile.status() => messages.push(message("oguard/status", status(tally))),
        _ => {}
    }
    messages
}

fn message(method: &str, params: Value) -> Vec<u8> {
    let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
    gate::raw(&mut message);
    serde_json::to_vec(&message).expect("a JSON value can be written")
}

/// The findings of a version, complete and compact; counts of what the base had.
fn delta(uri: &str, found: &Publication, profile: &Profile) -> Value {
    let row = |shown: &Shown| {
        let finding = &shown.finding;
        json!({
            "fingerprint": finding.fingerprint,
            "rule": finding.rule.id.0,
            "level": finding.level.name(),
            "subject": finding.subject,
            "message": finding.message,
            "range": position::range(&found.text, &finding.range, profile.encoding),
        })
    };
    let introduced: Vec<Value> = found.verdicts.findings.iter().map(|shown| row(shown)).collect();
    json!({
        "uri": uri::typed(uri),
        "version": found.version,
        "introduced": introduced,
        "resolved": found.verdicts.resolved,
        "remaining": found.verdicts.remaining,
        "baseline": found.baseline.as_ref(),
    })
}

/// What all open documents amount to; there are no rounds yet.
fn status(tally: &Tally) -> Value {
    let counts = &tally.counts;
    let baselines: Vec<Value> =
        tally.baselines.iter().map(|(root, baseline)| json!({ "uri": uri::of_path(root), "baseline": baseline.as_ref() })).collect();
    let not_evaluated = tally.gaps.values().filter(|gap| !gap.failed).count();
    let gaps = |failed: bool| -> Vec<Value> {
        let some = tally.gaps.iter().filter(|(_, gap)| gap.failed == failed).take(GAPS_MAX);
        some.map(|(uri, gap)| json!({ "uri": uri::typed(uri), "why": gap.why })).collect()
    };
    json!({
        "verdict": counts.verdict().name(),
        "round": Value::Null,
        "counts": {
            "block": counts.block, "warn": counts.warn, "info": counts.info, "error": counts.error, "not_evaluated": not_evaluated,
        },
        "baselines": baselines,
        "failures": gaps(true),
        "not_evaluated": gaps(false),
    })
}
