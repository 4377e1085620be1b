//! Statements that skip the test that runs them: `pytest.skip(…)`, `self.skipTest(…)`, `raise SkipTest`.
//!
//! A body is read statement by statement. A skip below a runtime condition, or after a path that left the test already,
//! is a precondition; anything else never lets the test finish.

use super::conditions::{When, when};
use super::markers::Mark;
use super::names::{MARK, Reader, WRAPPER};
use super::scope;
use super::syntax::{Arguments, children, field, is_string, only_child, tail};
use crate::facts::Effect;
use tree_sitter::Node;

/// A statement that skips.
pub(super) struct Skip<'t> {
    /// The words that do it, without their arguments.
    pub(super) words: Node<'t>,
    /// The whole statement.
    pub(super) statement: Node<'t>,
    pub(super) effect: Effect,
    pub(super) when: When,
    pub(super) reason: bool,
    /// It is all that its block holds.
    pub(super) alone: bool,
}

impl Skip<'_> {
    /// Whether it skips whenever it is reached.
    pub(super) fn always(&self) -> bool {
        self.when == When::Always
    }
}

/// Words of which one stands in every text that skips by a statement.
const TRACES: &[&str] = &["skip", "Skip", "xfail", "add_marker", "applymarker"];

/// Whether a body skips whenever it is run.
pub(super) fn always(reader: Reader<'_>, body: Node<'_>) -> bool {
    scan(reader, body).iter().any(|s| s.always() && s.effect == Effect::Disabled)
}

/// Returns the statements of a body that skip.
pub(super) fn scan<'t>(reader: Reader<'_>, body: Node<'t>) -> Vec<Skip<'t>> {
    let text = reader.text_of(body);
    let known = |word: &str| text.contains(word);
    let mut found = Vec::new();
    if TRACES.iter().any(|w| known(w)) || reader.words.skip_wrappers.iter().any(|w| known(w)) || reader.scope.flags & scope::WRAPS != 0 {
        block(reader, body, When::Always, &mut found);
    }
    found
}

/// Reads a block that is run `outer`.
fn block<'t>(reader: Reader<'_>, block_node: Node<'t>, outer: When, found: &mut Vec<Skip<'t>>) {
    let Some(reader) = reader.deeper() else { return };
    let mut here = outer;
    let statements = children(block_node);
    let alone = statements.len() == 1;
    for statement in statements {
        let before = found.len();
        one(reader, statement, here, found);
        if let Some(skip) = found.get_mut(before).filter(|s| s.statement.id() == statement.id()) {
            skip.alone = alone;
        }
        here = here.and(after(statement));
    }
}

fn one<'t>(reader: Reader<'_>, statement: Node<'t>, here: When, found: &mut Vec<Skip<'t>>) {
    match statement.kind() {
        "expression_statement" | "return_statement" => {
            let call = only_child(statement).filter(|n| n.kind() == "call");
            found.extend(call.and_then(|call| skip_call(reader, call)).map(|skip| Skip { statement, when: here.and(skip.when), ..skip }));
        }
        "raise_statement" => found.extend(raised(reader, statement).map(|skip| Skip { when: here, ..skip })),
        "if_statement" => branches(reader, statement, here, found),
        "with_statement" => {
            let caught = children(statement).iter().any(|n| n.kind() == "with_clause" && catches(reader.text_of(*n)));
            if let Some(body) = field(statement, "body").filter(|_| !caught) {
                block(reader, body, here, found);
            }
        }
        "try_statement" => {
            for child in children(statement) {
                match child.kind() {
                    "block" => block(reader, child, here.and(if handles(statement) { When::Runtime } else { When::Always }), found),
                    "finally_clause" => inner(reader, child, here, found),
                    _ => inner(reader, child, here.and(When::Runtime), found),
                }
            }
        }
        "for_statement" | "while_statement" | "match_statement" => inner(reader, statement, here.and(When::Runtime), found),
        _ => {}
    }
}

/// Reads the blocks that stand in a statement or clause.
fn inner<'t>(reader: Reader<'_>, node: Node<'t>, here: When, found: &mut Vec<Skip<'t>>) {
    for child in children(node) {
        match child.kind() {
            "block" if node.kind() == "match_statement" => inner(reader, child, here, found),
            "block" => block(reader, child, here, found),
            "else_clause" | "case_clause" => inner(reader, child, here, found),
            _ => {}
        }
    }
}

fn branches<'t>(reader: Reader<'_>, statement: Node<'t>, here: When, found: &mut Vec<Skip<'t>>) {
    let mut rest = here;
    for child in children(statement) {
        match child.kind() {
            "block" | "elif_clause" => {
                let of = if child.kind() == "block" { statement } else { child };
                let holds = field(of, "condition").map_or(When::Runtime, |c| when(reader, c));
                if let Some(body) = field(of, "consequence") {
                    block(reader, body, rest.and(holds), found);
                }
                rest = rest.and(holds.not());
            }
            "else_clause" => inner(reader, child, rest, found),
            _ => {}
        }
    }
}

/// Whether the words of a `with` catch a skip that is meant to happen.
fn catches(with: &str) -> bool {
    ["raises", "suppress", "assertRaises", "catch"].iter().any(|w| with.contains(w))
}

/// Whether a `try` has a handler, so that its block may be left half-way.
fn handles(node: Node<'_>) -> bool {
    children(node).iter().any(|c| matches!(c.kind(), "except_clause" | "except_group_clause"))
}

/// Returns when what follows a statement is run: a way out before it makes a skip behind it a precondition.
fn after(statement: Node<'_>) -> When {
    match statement.kind() {
        "return_statement" => When::Never,
        "if_statement" | "for_statement" | "while_statement" | "try_statement" | "with_statement" | "match_statement" => {
            if leaves(statement) { When::Runtime } else { When::Always }
        }
        "expression_statement" if only_child(statement).is_some_and(|n| n.kind() == "yield") => When::Runtime,
        _ => When::Always,
    }
}

/// Whether a statement may return or yield.
fn leaves(statement: Node<'_>) -> bool {
    let mut open = vec![statement];
    while let Some(node) = open.pop() {
        match node.kind() {
            "return_statement" | "yield" => return true,
            "function_definition" | "class_definition" | "decorated_definition" | "lambda" => {}
            _ => open.extend(children(node)),
        }
    }
    false
}

/// Returns what a call skips, where it is one that skips the running test.
fn skip_call<'t>(reader: Reader<'_>, call: Node<'t>) -> Option<Skip<'t>> {
    let function = field(call, "function")?;
    let name = tail(reader.text, function)?;
    let arguments = Arguments::of(call);
    let skip = |effect, reason| Some(Skip { words: function, statement: call, effect, when: When::Always, reason, alone: false });
    match name {
        "skip" | "xfail" if reader.path(function).is_some_and(|p| p == "pytest.skip" || p == "pytest.xfail") => {
            skip(if name == "skip" { Effect::Disabled } else { Effect::ExpectedFailure }, gives_reason(reader, &arguments))
        }
        "skipTest" if function.kind() == "attribute" => skip(Effect::Disabled, gives_reason(reader, &arguments)),
        "add_marker" | "applymarker" if function.kind() == "attribute" => {
            let mark = Mark::read(reader, *arguments.positional.first()?)?;
            let when = match mark.condition {
                crate::facts::Condition::Always => When::Always,
                crate::facts::Condition::Ci => When::Ci,
                crate::facts::Condition::Runtime => When::Runtime,
            };
            Some(Skip { words: mark.words, statement: call, effect: mark.effect, when, reason: mark.reason, alone: false })
        }
        _ if reader.words.skip_wrappers.iter().any(|w| w == name) => skip(Effect::Disabled, gives_reason(reader, &arguments)),
        _ if function.kind() == "identifier" && reader.said(name, WRAPPER) && !reader.said(name, MARK) => {
            skip(Effect::Disabled, gives_reason(reader, &arguments))
        }
        _ => None,
    }
}

/// Returns the skip of a whole module that a call at its top level makes.
pub(super) fn module_call<'t>(reader: Reader<'_>, call: Node<'t>) -> Option<Skip<'t>> {
    if call.kind() != "call" || tail(reader.text, field(call, "function")?) != Some("skip") {
        return None;
    }
    let skip = skip_call(reader, call)?;
    let allowed = Arguments::of(call).named(reader.text, "allow_module_level").is_some_and(|v| v.kind() == "true");
    allowed.then_some(skip)
}

/// Returns the skip that a `raise` statement makes.
pub(super) fn raised<'t>(reader: Reader<'_>, statement: Node<'t>) -> Option<Skip<'t>> {
    let value = only_child(statement)?;
    let exception = if value.kind() == "call" { field(value, "function")? } else { value };
    let name = tail(reader.text, exception)?;
    let skips = match name {
        "SkipTest" => true,
        "Exception" => reader.path(exception).is_some_and(|p| p == "pytest.skip.Exception"),
        _ => false,
    };
    let reason = gives_reason(reader, &Arguments::of(value));
    skips.then_some(Skip { words: exception, statement, effect: Effect::Disabled, when: When::Always, reason, alone: false })
}

/// Whether arguments give a reason: a first one that is no empty string, or one of that name.
pub(super) fn gives_reason(reader: Reader<'_>, arguments: &Arguments<'_>) -> bool {
    let says = |node: Node<'_>| !is_string(node) || super::syntax::string_content(reader.text, node).is_some_and(|s| !s.trim().is_empty());
    let named = ["reason", "msg"].iter().find_map(|name| arguments.named(reader.text, name));
    arguments.positional.first().copied().or(named).is_some_and(says)
}
