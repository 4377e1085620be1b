//! Turns JSON into messages in wire order, and makes them fit the protocol's types.
//!
//! What clients send and those types reject would cost the whole message: URIs that no grammar allows, columns below zero or
//! beyond 32 bits, a version of null, capabilities of a newer protocol. The gate puts tokens for URIs (see `uri`), clamps, and
//! hands `initialize` on as the raw object that `clients` reads. It also ends what must not reach a handler: requests after
//! `shutdown`, things that are no message.

use super::frames::Frame;
use super::uri;
use serde_json::{Map, Value, json};
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};

/// Stands for a version that a client did not give; no client counts below zero.
pub(crate) const NO_VERSION: i32 = i32::MIN;

/// What came in.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// For the service.
    Call(Request),
    /// The client's answer to a request of ours.
    Answer(Response),
    /// Nothing to do but to send this.
    Refuse(Response),
    /// The client is done; the flag says whether it had asked for `shutdown`.
    Exit {
        /// `shutdown` came before.
        orderly: bool,
    },
}

/// What the gate remembers of the stream.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    initialized: bool,
    shut_down: bool,
}

impl Gate {
    /// Returns the message of a frame; none where there is nothing to do.
    pub(crate) fn admit(&mut self, frame: Frame) -> Option<Incoming> {
        let message = match frame {
            Frame::Json(Value::Object(message)) => message,
            Frame::Json(Value::Array(_)) => {
                return Some(refuse(Id::Null, ErrorCode::InvalidRequest, "batches are not part of the protocol"));
            }
            Frame::Json(_) => return Some(refuse(Id::Null, ErrorCode::InvalidRequest, "a message is an object")),
            Frame::Bad(why) => return Some(refuse(Id::Null, ErrorCode::ParseError, why)),
        };
        self.message(message)
    }

    /// Returns how the stream's end ends the server.
    pub(crate) fn end(&self) -> Incoming {
        Incoming::Exit { orderly: self.shut_down }
    }

    fn message(&mut self, mut message: Map<String, Value>) -> Option<Incoming> {
        let id = match message.remove("id") {
            None => None,
            Some(Value::Null) => Some(Id::Null),
            Some(Value::String(id)) => Some(Id::String(id)),
            Some(Value::Number(id)) if id.is_i64() => id.as_i64().map(Id::Number),
            Some(_) => return Some(refuse(Id::Null, ErrorCode::InvalidRequest, "an id is a whole number or a string")),
        };
        let Some(method) = message.remove("method") else { return answer(id, message) };
        let Value::String(method) = method else {
            return Some(refuse(id.unwrap_or(Id::Null), ErrorCode::InvalidRequest, "a method is a string"));
        };
        if method == "exit" {
            return Some(self.end());
        }
        if self.shut_down {
            // Notifications after shutdown are void, requests an error (the protocol's words).
            return id.map(|id| refuse(id, ErrorCode::InvalidRequest, "the server was asked to shut down"));
        }
        let mut params = message.remove("params");
        match method.as_str() {
            "initialize" => {
                self.initialized = true;
                let raw = params.take().unwrap_or(Value::Null);
                params = Some(json!({ "capabilities": {}, "initializationOptions": raw }));
            }
            "shutdown" => {
                self.shut_down = self.initialized;
                params = None;
            }
            _ => {
                if method == "oguard/report" && params.as_ref().is_none_or(Value::is_null) {
                    params = Some(json!({}));
                }
                if let Some(params) = &mut params {
                    fit(params);
                }
                if matches!(method.as_str(), "textDocument/didOpen" | "textDocument/didChange") {
                    give_version(params.as_mut());
                }
            }
        }
        let mut request = Request::build(method);
        if let Some(params) = params.filter(|p| !p.is_null()) {
            request = request.params(params);
        }
        if let Some(id) = id {
            request = request.id(id);
        }
        Some(Incoming::Call(request.finish()))
    }
}

fn refuse(id: Id, code: ErrorCode, why: &'static str) -> Incoming {
    Incoming::Refuse(Response::from_error(id, Error { code, message: why.into(), data: None }))
}

fn answer(id: Option<Id>, mut message: Map<String, Value>) -> Option<Incoming> {
    let result = message.remove("result");
    let error = message.remove("error");
    match (id, result, error) {
        (Some(id), _, Some(error)) if !error.is_null() => {
            let code = error.get("code").and_then(Value::as_i64).unwrap_or(ErrorCode::InternalError.code());
            let text = error.get("message").and_then(Value::as_str).unwrap_or("").to_owned();
            Some(Incoming::Answer(Response::from_error(id, Error { code: code.into(), message: text.into(), data: None })))
        }
        (Some(id), Some(result), _) => Some(Incoming::Answer(Response::from_ok(id, result))),
        // An error without id answers something of ours that was not understood; there is nobody to tell.
        (None, None, Some(_)) => None,
        (id, ..) => Some(refuse(id.unwrap_or(Id::Null), ErrorCode::InvalidRequest, "neither request nor notification nor answer")),
    }
}

/// Puts tokens for URIs and clamps positions, wherever they stand.
fn fit(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(fit),
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                match (name.as_str(), &mut *field) {
                    ("uri" | "oldUri" | "newUri" | "scopeUri" | "baseUri" | "targetUri", Value::String(text)) => tokenise(text),
                    ("line" | "character", Value::Number(number)) => *field = clamped(number).into(),
                    ("changes", Value::Object(changes)) => tokenise_keys(changes),
                    _ => {}
                }
                fit(field);
            }
        }
        _ => {}
    }
}

fn tokenise(text: &mut String) {
    if let std::borrow::Cow::Owned(token) = uri::token(text) {
        *text = token;
    }
}

/// The keys of a workspace edit's `changes` are URIs too.
fn tokenise_keys(changes: &mut Map<String, Value>) {
    if changes.keys().any(|k| matches!(uri::token(k), std::borrow::Cow::Owned(_))) {
        *changes = std::mem::take(changes).into_iter().map(|(k, v)| (uri::token(&k).into_owned(), v)).collect();
    }
}

fn clamped(number: &serde_json::Number) -> u32 {
    match (number.as_u64(), number.as_f64()) {
        (Some(n), _) => u32::try_from(n).unwrap_or(u32::MAX),
        // The conversion saturates, which is what is wanted here.
        (None, Some(n)) => n as u32,
        _ => 0,
    }
}

fn give_version(params: Option<&mut Value>) {
    let Some(Value::Object(document)) = params.and_then(|p| p.get_mut("textDocument")) else { return };
    let version = document.get("version").and_then(Value::as_i64).and_then(|v| i32::try_from(v).ok());
    document.insert("version".to_owned(), version.unwrap_or(NO_VERSION).into());
}

/// Turns the tokens of an outgoing message back into what the client sent: values of `uri`, keys of `changes`.
pub(crate) fn raw(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(raw),
        Value::Object(fields) => {
            if fields.keys().any(|k| k.starts_with(uri::SCHEME)) {
                *fields = std::mem::take(fields).into_iter().map(|(k, v)| (uri::raw(&k).into_owned(), v)).collect();
            }
            for (name, field) in fields.iter_mut() {
                match field {
                    Value::String(text) if name == "uri" && text.starts_with(uri::SCHEME) => *text = uri::raw(text).into_owned(),
                    field => raw(field),
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admit(gate: &mut Gate, message: Value) -> Option<Incoming> {
        gate.admit(Frame::Json(message))
    }

    fn params(message: Value) -> Value {
        match admit(&mut Gate::default(), message) {
            Some(Incoming::Call(request)) => request.params().cloned().unwrap_or(Value::Null),
            other => panic!("{other:?}"),
        }
    }

    fn code(incoming: Option<Incoming>) -> (Id, i64) {
        match incoming {
            Some(Incoming::Refuse(response)) => (response.id().clone(), response.error().unwrap().code.code()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn uris_become_tokens_and_come_back() {
        let sent = json!({"textDocument": {"uri": "file:///[id].ts"}, "edit": {"changes": {"file:///a b": [{"newText": "oguard-raw:"}]}}});
        let mut got = params(json!({"id": 1, "method": "codeAction/resolve", "params": sent}));
        assert!(got["textDocument"]["uri"].as_str().unwrap().starts_with(uri::SCHEME));
        assert!(got["edit"]["changes"].as_object().unwrap().keys().all(|k| k.starts_with(uri::SCHEME)));
        raw(&mut got);
        assert_eq!(got["textDocument"]["uri"], "file:///[id].ts");
        assert_eq!(got["edit"]["changes"], json!({"file:///a b": [{"newText": "oguard-raw:"}]}));
    }

    #[test]
    fn numbers_fit_the_types() {
        let change = json!({"textDocument": {"uri": "a:b", "version": null}, "contentChanges": [{"range": {
            "start": {"line": -1, "character": 2.0}, "end": {"line": 99999999999_i64, "character": 1}}, "text": "x"}]});
        let got = params(json!({"method": "textDocument/didChange", "params": change}));
        assert_eq!(got["textDocument"]["version"], NO_VERSION);
        let range = &got["contentChanges"][0]["range"];
        assert_eq!(range["start"], json!({"line": 0, "character": 2}));
        assert_eq!(range["end"], json!({"line": u32::MAX, "character": 1}));
    }

    #[test]
    fn things_that_are_no_message_are_refused() {
        let mut gate = Gate::default();
        assert_eq!(code(gate.admit(Frame::Bad("x"))), (Id::Null, -32700));
        assert_eq!(code(admit(&mut gate, json!([]))), (Id::Null, -32600));
        assert_eq!(code(admit(&mut gate, json!(5))), (Id::Null, -32600));
        assert_eq!(code(admit(&mut gate, json!({"id": 3}))), (Id::Number(3), -32600));
        assert_eq!(code(admit(&mut gate, json!({"id": 1.5, "method": "x"}))), (Id::Null, -32600));
        assert_eq!(code(admit(&mut gate, json!({"id": 4, "method": {}}))), (Id::Number(4), -32600));
    }

    #[test]
    fn after_shutdown_requests_are_errors_and_notifications_void() {
        let mut gate = Gate::default();
        assert!(matches!(gate.end(), Incoming::Exit { orderly: false }));
        admit(&mut gate, json!({"id": 1, "method": "initialize", "params": {}}));
        admit(&mut gate, json!({"id": 2, "method": "shutdown", "params": null}));
        assert_eq!(code(admit(&mut gate, json!({"id": 3, "method": "textDocument/hover"}))), (Id::Number(3), -32600));
        assert!(admit(&mut gate, json!({"method": "textDocument/didSave"})).is_none());
        assert!(matches!(admit(&mut gate, json!({"method": "exit"})), Some(Incoming::Exit { orderly: true })));
    }
}
