//! Why a body that is empty or refuses is complete as it is (rules-a.md 5, D13 and D14).

use super::classes::flag;
use super::names::Reader;
use super::scope;
use super::stubs::{Reading, raised};
use super::syntax::{Definition, field, string_content, tail};
use crate::facts::{MAY_DO_NOTHING, Shape};
use tree_sitter::Node;

/// Where a function stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// In a class.
    pub(super) class: bool,
    /// In a function.
    pub(super) nested: bool,
    /// Flags of what is around it.
    pub(super) flags: u32,
}

/// Returns why the body of a function is no stand-in, or none.
pub(super) fn reason(reader: Reader<'_>, definition: &Definition<'_>, reading: &Reading<'_>, place: Place) -> Option<&'static str> {
    if reading.shape == Shape::Work {
        return None;
    }
    if reader.scope.flags & scope::INTERFACE != 0 || place.flags & flag::DECLARES != 0 {
        return Some("only declares");
    }
    if let Some(why) = definition.decorator_expressions().find_map(|d| decorator(reader, d)) {
        return Some(why);
    }
    if reading.shape == Shape::Empty && definition.decorator_expressions().any(|d| listens(reader, d)) {
        return Some(MAY_DO_NOTHING);
    }
    if place.flags & flag::NULL_OBJECT != 0 {
        return Some("null object");
    }
    // A constant is judged by what stands beside it or what it replaced, whatever its class is called.
    if reading.shape == Shape::Constant {
        return None;
    }
    if place.flags & flag::ABSTRACT != 0 {
        return Some("others write it");
    }
    let name = definition.name(reader.text);
    if name.len() > 4 && name.starts_with("__") && name.ends_with("__") {
        return Some("protocol of the language");
    }
    let doc = reading.doc.and_then(|d| string_content(reader.text, d)).map(|d| d.to_lowercase());
    if doc.as_deref().is_some_and(says_others_write_it) {
        return Some("others write it");
    }
    match reading.shape {
        Shape::Refusal => {
            let message = reading.stand_in.and_then(|s| raised(reader.text, s)).and_then(|(_, message)| message);
            message.is_some_and(|m| is_final(&m)).then_some("refuses for good")
        }
        Shape::Empty => empty(name, doc.is_some(), place),
        _ => None,
    }
}

/// Returns why a function under a decorator may be empty.
fn decorator(reader: Reader<'_>, expression: Node<'_>) -> Option<&'static str> {
    let words = if expression.kind() == "call" { field(expression, "function")? } else { expression };
    // What is declared on these documents a call that the other side answers.
    if reader.text_of(words).split('.').any(|part| part == "webhooks" || part.contains("callback_router")) {
        return Some("documents a call of the other side");
    }
    let name = tail(reader.text, words)?;
    match name {
        "overload" => Some("overload"),
        "singledispatch" | "singledispatchmethod" => Some("the fallback of a dispatch"),
        "register" if words.kind() == "attribute" => Some("a case of a dispatch"),
        "group" | "callback" | "result_callback" => Some("a command that only groups others"),
        "signal" => Some("a signal"),
        _ if name.starts_with("abstract") => Some("abstract"),
        _ if name.to_lowercase().contains("hookspec") => Some("specification of a hook"),
        _ => None,
    }
}

/// Whether a decorator has its function told of something: nothing need be done about it. A route, a command or a task is asked
/// for something, and is not among these.
fn listens(reader: Reader<'_>, expression: Node<'_>) -> bool {
    let words = if expression.kind() == "call" { field(expression, "function").unwrap_or(expression) } else { expression };
    tail(reader.text, words).is_some_and(|name| {
        matches!(
            name,
            "listens_for" | "on" | "event" | "listen" | "listener" | "receiver" | "subscribe" | "connect" | "connect_via" | "feature"
        ) || name.starts_with("on_")
            || name.ends_with("hookimpl")
    })
}

/// Returns why a function of a name may be empty.
fn empty(name: &str, documented: bool, place: Place) -> Option<&'static str> {
    let plain = name.trim_start_matches('_').to_lowercase();
    if plain.is_empty()
        || ["noop", "no_op", "nop", "do_nothing", "dummy", "null"].iter().any(|w| plain == *w || plain.starts_with(&format!("{w}_")))
    {
        return Some("does nothing by its name");
    }
    // A migration that cannot be undone, or has nothing to do in one direction.
    if !place.class && matches!(name, "upgrade" | "downgrade") {
        return Some("a migration without anything to do this way");
    }
    if place.nested {
        return Some("a placeholder passed on by its function");
    }
    let starts = |prefixes: &[&str]| prefixes.iter().any(|p| plain.starts_with(p));
    if documented && starts(&["on_", "visit_", "handle_", "depart_", "before_", "after_", "pre_", "post_"]) {
        return Some("a hook");
    }
    // A base class that walks something calls these by kind; one that does nothing passes its kind over.
    if place.class && place.flags & flag::DERIVED != 0 && starts(&["visit_", "leave_", "depart_", "handle_", "enter_", "exit_"]) {
        return Some("a visit that passes its kind over");
    }
    // A derived class may have nothing to do where its base has; any class may hold nothing that must be let go.
    if place.class
        && ((place.flags & flag::DERIVED != 0 && is_life_cycle(&plain)) || matches!(plain.as_str(), "close" | "aclose" | "flush"))
    {
        return Some("nothing to do at this point of its life");
    }
    None
}

fn is_life_cycle(name: &str) -> bool {
    matches!(
        name,
        "close"
            | "aclose"
            | "flush"
            | "open"
            | "start"
            | "stop"
            | "setup"
            | "set_up"
            | "teardown"
            | "tear_down"
            | "shutdown"
            | "reset"
            | "cleanup"
            | "clear"
            | "release"
            | "acquire"
            | "connect"
            | "disconnect"
            | "log_message"
            | "emit"
            | "initialize_options"
            | "finalize_options"
    )
}

fn says_others_write_it(doc: &str) -> bool {
    [
        "subclass",
        "overrid",
        "overwrit",
        "abstract",
        "derived class",
        "child class",
        "host class",
        "implementation must",
        "implemented by",
        "implement this",
        "to be implemented in",
        "must implement",
        "should implement",
        "hook ",
        "no-op by default",
        "optional",
    ]
    .iter()
    .any(|w| doc.contains(w))
}

/// Whether a message says that derived classes write the method.
pub(super) fn names_others(message: &str) -> bool {
    let text = message.to_lowercase();
    !text.contains("todo")
        && ["subclass", "overrid", "must implement", "must be implemented", "should implement", "should be implemented", "must define"]
            .iter()
            .any(|w| text.contains(w))
}

/// Whether a message refuses for good, or names what to do instead: nothing is left to write.
pub(super) fn is_final(message: &str) -> bool {
    let text = message.to_lowercase();
    let promised = ["todo", "fixme", "not yet", " yet", "stub", "for now", "later", "placeholder", "coming soon"];
    let settled = [
        "instead",
        "use ",
        "does not support",
        "do not support",
        "doesn't support",
        "don't support",
        "not supported",
        "unsupported",
        "undefined",
        "read-only",
        "readonly",
        "read only",
        "cannot",
        "can't",
        "can not",
        "subclass",
        "overrid",
        "must implement",
        "must be implemented",
        "should be implemented",
        "should implement",
        "must define",
        "abstract",
        "not allowed",
        "only supports",
        "only supported",
        "only works",
        "must be overr",
        "derived class",
        "not available",
        "not defined",
        "no longer",
        "does not exist",
        "doesn't exist",
        "does not have",
        "doesn't have",
        "has no ",
        "requires",
        "impossible",
        "not possible",
        "not applicable",
        "does not apply",
    ];
    settled.iter().any(|w| text.contains(w)) && !promised.iter().any(|w| text.contains(w))
}
