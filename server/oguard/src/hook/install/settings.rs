//! The JSON settings of coding agents: entries of ours in `hooks`, put in and taken out with everything else left as it is.
//!
//! Comments, order, indentation, line ends and a byte order mark stay. Ours is what calls `oguard hook HOST`, whoever wrote it.

use super::super::command_line::is_ours;
use super::super::{HOST_TIME_LIMIT_S, Host, claude, codex};
use super::State;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};

/// The events that call us, and after which tools.
fn events(host: Host) -> [(&'static str, Option<&'static str>); 3] {
    let matcher = match host {
        Host::Claude => claude::MATCHER,
        Host::Codex => codex::MATCHER,
    };
    [("SessionStart", None), ("PostToolUse", Some(matcher)), ("Stop", None)]
}

fn command(host: Host, program: &str) -> String {
    format!("{program} hook {}", host.name())
}

/// Returns the settings with our entries; a file that is not there begins empty.
pub(super) fn with(text: Option<&str>, host: Host, program: &str) -> Result<String, String> {
    let Some(text) = text.filter(|text| !text.trim_start_matches('\u{feff}').trim().is_empty()) else {
        // As a person would write it.
        return with(Some("{\n  \"hooks\": {}\n}\n"), host, program);
    };
    let (mark, root, settings) = parse(text)?;
    let hooks = member(&settings, "hooks", "an object", CstNode::as_object)?.unwrap_or_else(|| settings.object_value_or_set("hooks"));
    let command = command(host, program);
    for (event, matcher) in events(host) {
        let groups = member(&hooks, event, "a list", CstNode::as_array)?.unwrap_or_else(|| hooks.array_value_or_set(event));
        let mut known = false;
        for handler in handlers(&groups).filter(|h| calls_us(h, host)) {
            // Another place of the program: the entry keeps its own matcher and limit.
            if !known && command_of(&handler).as_deref() != Some(command.as_str()) {
                let value = handler.get("command").and_then(|prop| prop.value()).and_then(|value| value.as_string_lit());
                if let Some(value) = value {
                    value.set_raw_value(quoted(&command));
                }
            }
            known = true;
        }
        if !known {
            groups.ensure_multiline();
            groups.append(group(matcher, &command));
        }
    }
    Ok(format!("{mark}{root}"))
}

/// Returns the settings without our entries, and without what only held them.
pub(super) fn without(text: &str, host: Host) -> Result<String, String> {
    let (mark, root, settings) = parse(text)?;
    let Some(hooks) = settings.object_value("hooks") else { return Ok(text.to_owned()) };
    let mut removed = false;
    for event in hooks.properties() {
        let Some(groups) = event.array_value() else { continue };
        let mut emptied = false;
        for group in groups.elements() {
            let Some(handlers) = group.as_object().and_then(|group| group.array_value("hooks")) else { continue };
            let ours: Vec<_> = handlers.elements().into_iter().filter(|h| h.as_object().is_some_and(|h| calls_us(&h, host))).collect();
            if ours.is_empty() {
                continue;
            }
            removed = true;
            if ours.len() == handlers.elements().len() {
                emptied = true;
                group.remove();
            } else {
                ours.into_iter().for_each(CstNode::remove);
            }
        }
        if emptied && groups.elements().is_empty() {
            event.remove();
        }
    }
    if !removed {
        return Ok(text.to_owned());
    }
    if hooks.properties().is_empty()
        && let Some(prop) = settings.get("hooks")
    {
        prop.remove();
    }
    Ok(format!("{mark}{root}"))
}

/// Says how the settings stand.
pub(super) fn state(text: &str, host: Host, program: &str) -> Result<State, String> {
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Ok(State::Absent);
    }
    let (_, _, settings) = parse(text)?;
    let Some(hooks) = settings.object_value("hooks") else { return Ok(State::Absent) };
    let command = command(host, program);
    let calls = |event: &str| -> Vec<bool> {
        let groups = hooks.array_value(event);
        let ours = groups.iter().flat_map(handlers).filter(|h| calls_us(h, host));
        ours.map(|h| command_of(&h).as_deref() == Some(command.as_str())).collect()
    };
    let found: Vec<Vec<bool>> = events(host).iter().map(|(event, _)| calls(event)).collect();
    Ok(if found.iter().all(Vec::is_empty) {
        State::Absent
    } else if found.iter().all(|calls| calls.contains(&true)) {
        State::Installed
    } else {
        State::Partly
    })
}

fn parse(text: &str) -> Result<(&'static str, CstRootNode, CstObject), String> {
    let (mark, body) = match text.strip_prefix('\u{feff}') {
        Some(body) => ("\u{feff}", body),
        None => ("", text),
    };
    let root =
        CstRootNode::parse(body, &ParseOptions::default()).map_err(|error| format!("it is no valid JSON: {error}; put it right first"))?;
    let settings = root.object_value().ok_or("it holds no JSON object; put it right first")?;
    Ok((mark, root, settings))
}

/// Returns a member of an object; an error where it is there and something else.
fn member<T>(object: &CstObject, name: &str, what: &str, read: impl Fn(&CstNode) -> Option<T>) -> Result<Option<T>, String> {
    match object.get(name).and_then(|prop| prop.value()) {
        None => Ok(None),
        Some(value) => read(&value).map(Some).ok_or_else(|| format!("`{name}` is not {what}; put it right first")),
    }
}

/// Returns the entries of an event, out of their groups.
fn handlers(groups: &CstArray) -> impl Iterator<Item = CstObject> + use<> {
    let groups = groups.elements().into_iter().filter_map(|group| group.as_object()?.array_value("hooks"));
    groups.flat_map(|handlers| handlers.elements()).filter_map(|handler| handler.as_object())
}

fn command_of(handler: &CstObject) -> Option<String> {
    handler.get("command")?.value()?.as_string_lit()?.decoded_value().ok()
}

fn calls_us(handler: &CstObject, host: Host) -> bool {
    command_of(handler).is_some_and(|command| is_ours(&command, host.name()))
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn group(matcher: Option<&str>, command: &str) -> CstInputValue {
    let text = |text: &str| CstInputValue::String(text.to_owned());
    let handler = CstInputValue::Object(vec![
        ("type".to_owned(), text("command")),
        ("command".to_owned(), text(command)),
        ("timeout".to_owned(), CstInputValue::Number(HOST_TIME_LIMIT_S.to_string())),
    ]);
    let mut group = Vec::new();
    group.extend(matcher.map(|matcher| ("matcher".to_owned(), text(matcher))));
    group.push(("hooks".to_owned(), CstInputValue::Array(vec![handler])));
    CstInputValue::Object(group)
}
