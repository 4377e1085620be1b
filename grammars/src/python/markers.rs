//! Marks that switch tests off: on a definition, on a row of a table, on a class (on the whole module: `module.rs`).
//!
//! [`Mark`] reads one expression, whatever it hangs on. A mark bound to a name is reported where it is made; where the
//! name is used it counts only on a test that ran before (rules-a.md D10).

use super::conditions::{When, when, when_text};
use super::names::{MARK, Reader, SUBCLASSED};
use super::skips::{self, Skip, gives_reason};
use super::syntax::{Arguments, Definition, children, definitions, field, is_string, only_child, string_content, tail};
use crate::facts::{Condition, Edit, Effect, Marker, OnNew, Span};
use crate::visit::Visit;
use tree_sitter::Node;

/// What an expression that marks tests says.
#[derive(Clone, Copy)]
pub(super) struct Mark<'t> {
    /// The mark's own words, without its arguments.
    pub(super) words: Node<'t>,
    pub(super) effect: Effect,
    pub(super) condition: Condition,
    pub(super) reason: bool,
    pub(super) on_new: OnNew,
}

impl<'t> Mark<'t> {
    /// Reads a decorator, an entry of `pytestmark` or `marks=`, the value of an alias.
    pub(super) fn read(reader: Reader<'_>, node: Node<'t>) -> Option<Self> {
        let reader = reader.deeper()?;
        match node.kind() {
            "parenthesized_expression" => return Mark::read(reader, only_child(node)?),
            "conditional_expression" => {
                // `mark if condition else other`: the condition is the run's, or a constant one.
                let parts = children(node);
                let [then, condition, otherwise] = parts.as_slice() else { return None };
                let holds = when(reader, *condition);
                let arm = |arm: Node<'t>, holds: When| {
                    let mark = Mark::read(reader, arm)?;
                    Some(Mark { condition: holds.and(inner(mark.condition)).condition()?, ..mark })
                };
                return arm(*then, holds).or_else(|| arm(*otherwise, holds.not()));
            }
            "call" | "identifier" | "attribute" => {}
            _ => return None,
        }
        let words = if node.kind() == "call" { field(node, "function")? } else { node };
        let name = tail(reader.text, words)?;
        let arguments = Arguments::of(node);
        if words.kind() == "identifier"
            && let Some(code) = reader.told(name, MARK)
        {
            return Mark::decode(words, code);
        }
        if reader.words.skip_wrappers.iter().any(|w| w == name) {
            return Some(Mark::always(words, Effect::Disabled, gives_reason(reader, &arguments)));
        }
        if !MARKS.contains(&name) {
            return None;
        }
        Mark::known(reader, words, &reader.path(words)?, &arguments)
    }

    fn always(words: Node<'t>, effect: Effect, reason: bool) -> Self {
        Mark { words, effect, condition: Condition::Always, reason, on_new: OnNew::Report }
    }

    /// Returns what a mark of a known runner says.
    fn known(reader: Reader<'_>, words: Node<'t>, path: &str, arguments: &Arguments<'t>) -> Option<Self> {
        let reason = arguments.named(reader.text, "reason").is_some_and(|r| says(reader, r));
        let first = arguments.positional.first().copied();
        match path {
            // In capitals: the marks of sympy's own `testing.pytest`.
            "pytest.mark.skip" | "unittest.skip" | "pytest.SKIP" => {
                Some(Mark::always(words, Effect::Disabled, gives_reason(reader, arguments)))
            }
            "pytest.mark.skipif" => {
                let mut conditions = arguments.positional.clone();
                conditions.extend(arguments.named(reader.text, "condition"));
                let holds = any(reader, &conditions)?;
                Some(Mark { condition: holds.condition()?, ..Mark::always(words, Effect::Disabled, reason) })
            }
            "pytest.mark.xfail" => {
                let mut conditions = arguments.positional.clone();
                conditions.extend(arguments.named(reader.text, "condition"));
                let holds = any(reader, &conditions).unwrap_or(When::Always);
                let runs = arguments.named(reader.text, "run").is_none_or(|v| v.kind() != "false");
                let effect = if runs { Effect::ExpectedFailure } else { Effect::Disabled };
                // A strict mark fails once the test passes, and says what it waits for.
                let strict = arguments.named(reader.text, "strict").is_some_and(|v| v.kind() == "true");
                let explained = reason || arguments.named(reader.text, "raises").is_some();
                let on_new = if strict && runs && explained { OnNew::Inform } else { OnNew::Report };
                Some(Mark { condition: holds.condition()?, on_new, ..Mark::always(words, effect, reason) })
            }
            "unittest.skipIf" | "unittest.skipUnless" => {
                let condition = first.or_else(|| arguments.named(reader.text, "condition"))?;
                let holds = when(reader, condition);
                let holds = if path.ends_with("Unless") { holds.not() } else { holds };
                let reason = arguments.positional.get(1).copied().is_some_and(|r| says(reader, r)) || reason;
                Some(Mark { condition: holds.condition()?, ..Mark::always(words, Effect::Disabled, reason) })
            }
            "unittest.expectedFailure" | "pytest.XFAIL" => Some(Mark::always(words, Effect::ExpectedFailure, false)),
            "nose.nottest" | "hypothesis.reproduce_failure" => Some(Mark::always(words, Effect::Disabled, false)),
            _ => None,
        }
    }

    /// Writes down what a mark says, for [`Mark::decode`].
    pub(super) fn encode(&self) -> String {
        let effect = if self.effect == Effect::ExpectedFailure { 'x' } else { 's' };
        let condition = match self.condition {
            Condition::Always => 'a',
            Condition::Runtime => 'r',
            Condition::Ci => 'c',
        };
        format!("{effect}{condition}{}", if self.reason { "+" } else { "" })
    }

    fn decode(words: Node<'t>, code: &str) -> Option<Self> {
        let mut letters = code.chars();
        let effect = if letters.next()? == 'x' { Effect::ExpectedFailure } else { Effect::Disabled };
        let condition = match letters.next()? {
            'a' => Condition::Always,
            'c' => Condition::Ci,
            _ => Condition::Runtime,
        };
        // The line that made the mark says it already; on a test that ran before, the use is what switches it off.
        Some(Mark { words, effect, condition, reason: letters.next().is_some(), on_new: OnNew::Inform })
    }

    /// Returns it as a marker of the unit that facts go to.
    pub(super) fn marker(&self, visit: &Visit<'_, '_>, removal: Vec<Edit>) -> Marker {
        Marker {
            condition: self.condition,
            reason: self.reason,
            on_new: self.on_new,
            removal,
            ..Marker::new(self.effect, visit.span(self.words))
        }
    }
}

/// Last names of marks.
const MARKS: &[&str] =
    &["skip", "skipif", "xfail", "skipIf", "skipUnless", "expectedFailure", "nottest", "reproduce_failure", "SKIP", "XFAIL"];

fn inner(condition: Condition) -> When {
    match condition {
        Condition::Always => When::Always,
        Condition::Runtime => When::Runtime,
        Condition::Ci => When::Ci,
    }
}

fn says(reader: Reader<'_>, node: Node<'_>) -> bool {
    !is_string(node) || string_content(reader.text, node).is_some_and(|s| !s.trim().is_empty())
}

/// Returns when one of several conditions holds, or none where there is none.
fn any(reader: Reader<'_>, conditions: &[Node<'_>]) -> Option<When> {
    let mut all: Option<When> = None;
    for node in conditions {
        let holds = match string_content(reader.text, *node).filter(|_| is_string(*node)) {
            Some(text) => when_text(&text),
            None => when(reader, *node),
        };
        all = Some(match all {
            None => holds,
            // De Morgan: one of them, unless none of them.
            Some(before) => before.not().and(holds.not()).not(),
        });
    }
    all
}

/// Returns the marks of a `pytestmark` or `marks=` value: one, or a list of them.
pub(super) fn marks<'t>(reader: Reader<'_>, value: Node<'t>) -> Vec<Mark<'t>> {
    match value.kind() {
        "list" | "tuple" | "set" => children(value).into_iter().filter_map(|n| Mark::read(reader, n)).collect(),
        _ => Mark::read(reader, value).into_iter().collect(),
    }
}

/// Emits the marks of a definition's decorators; returns whether one of them switches it off as a whole.
pub(super) fn decorators(definition: &Definition<'_>, visit: &mut Visit<'_, '_>) -> bool {
    let reader = Reader::of(visit);
    let mut off = false;
    for decorator in &definition.decorators {
        let Some(expression) = only_child(*decorator) else { continue };
        let removal = vec![visit.delete(*decorator)];
        if let Some(mark) = Mark::read(reader, expression) {
            off |= mark.condition == Condition::Always;
            let marker = mark.marker(visit, removal);
            visit.out.markers.push(marker);
        } else if let Some(words) = without_cases(reader, expression) {
            off = true;
            // Without its option a setting may be empty; without rows a table stays one.
            let list = field(expression, "arguments").filter(|_| words.kind() == "keyword_argument");
            let removal = list.map(|list| element(list, words, visit)).unwrap_or_default();
            let marker = Marker { removal, ..Marker::new(Effect::Disabled, visit.span(words)) };
            visit.out.markers.push(marker);
        }
    }
    off
}

/// Whether a definition carries a mark.
pub(super) fn is_marked(reader: Reader<'_>, definition: &Definition<'_>) -> bool {
    definition.decorator_expressions().any(|e| Mark::read(reader, e).is_some())
}

/// Returns the words by which a decorator leaves a test without a case: an empty table, no phase of a property.
fn without_cases<'t>(reader: Reader<'_>, expression: Node<'t>) -> Option<Node<'t>> {
    if expression.kind() != "call" {
        return None;
    }
    let function = field(expression, "function")?;
    let empty = |n: &Node<'_>| matches!(n.kind(), "list" | "tuple") && children(*n).is_empty();
    match (tail(reader.text, function)?, reader.path(function)?.as_str()) {
        ("parametrize", "pytest.mark.parametrize") => {
            let arguments = Arguments::of(expression);
            let rows = arguments.positional.get(1).copied().or_else(|| arguments.named(reader.text, "argvalues"))?;
            empty(&rows).then_some(function)
        }
        ("settings", "hypothesis.settings") => {
            let arguments = Arguments::of(expression);
            let (phases, pair) = arguments.pair(reader.text, "phases")?;
            empty(&phases).then_some(pair)
        }
        _ => None,
    }
}

/// Emits the skips of a body to the unit of its test or hook.
pub(super) fn body(body: Node<'_>, visit: &mut Visit<'_, '_>) -> bool {
    let mut off = false;
    for skip in skips::scan(Reader::of(visit), body) {
        off |= skip.always() && skip.effect == Effect::Disabled;
        push_skip(&skip, false, visit);
    }
    off
}

pub(super) fn push_skip(skip: &Skip<'_>, whole_file: bool, visit: &mut Visit<'_, '_>) {
    let Some(condition) = skip.when.condition() else { return };
    let removal = match (whole_file, skip.alone) {
        // What a block of the module is left with is not known here.
        (true, _) if condition != Condition::Always => Vec::new(),
        (_, true) => vec![visit.replace(skip.statement, "pass")],
        (_, false) => vec![visit.delete(skip.statement)],
    };
    let marker = Marker { condition, reason: skip.reason, whole_file, removal, ..Marker::new(skip.effect, visit.span(skip.words)) };
    visit.out.markers.push(marker);
}

/// Methods that run before every test of their class.
pub(super) const SET_UP: &[&str] = &["setUp", "asyncSetUp", "setUpClass", "setup_method", "setup_class", "setup"];

/// Emits what the body of a class says about all of its tests; returns whether it switches them off as a whole.
pub(super) fn class(class: &Definition<'_>, visit: &mut Visit<'_, '_>) -> bool {
    let reader = Reader::of(visit);
    let Some(block) = class.body() else { return false };
    let mut off = false;
    for statement in children(block) {
        if statement.kind() == "expression_statement" {
            let Some(assignment) = only_child(statement).filter(|n| n.kind() == "assignment") else { continue };
            let (Some(left), Some(right)) = (field(assignment, "left"), field(assignment, "right")) else { continue };
            match reader.text_of(left) {
                "pytestmark" => off |= listed(reader, statement, right, Stands::Class, visit),
                "__test__" if right.kind() == "false" && !is_base(reader, class) => {
                    off = true;
                    push_off(left, right, None, vec![visit.delete(statement)], visit);
                }
                _ => {}
            }
        }
    }
    for method in definitions(block).filter(|m| SET_UP.contains(&m.name(reader.text))) {
        off |= method.body().is_some_and(|b| body(b, visit));
    }
    off
}

/// Whether a class only lends its tests to classes that derive from it.
fn is_base(reader: Reader<'_>, class: &Definition<'_>) -> bool {
    let name = class.name(reader.text);
    let plain = name.trim_start_matches('_');
    reader.said(name, SUBCLASSED)
        || name.starts_with('_')
        || plain.contains("Base")
        || plain.contains("Abstract")
        || plain.contains("Mixin")
        || plain.contains("Common")
}

/// Emits `left = False` as a marker.
pub(super) fn push_off(left: Node<'_>, right: Node<'_>, subject: Option<String>, removal: Vec<Edit>, visit: &mut Visit<'_, '_>) {
    let span = visit.span_of(left.start_byte(), right.end_byte());
    visit.out.markers.push(Marker { subject, removal, ..Marker::new(Effect::Disabled, span) });
}

/// What a `pytestmark` stands on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    /// On the class around it.
    Class,
    /// On the module.
    Module,
    /// On the module, in a block that the run may pass by.
    Perhaps,
}

/// Emits the marks of `pytestmark = …`; returns whether one of them holds always.
pub(super) fn listed(reader: Reader<'_>, statement: Node<'_>, value: Node<'_>, stands: Stands, visit: &mut Visit<'_, '_>) -> bool {
    let mut off = false;
    for mark in marks(reader, value) {
        let removal = match value.kind() {
            "list" | "tuple" | "set" => element(value, mark.words, visit),
            _ if stands == Stands::Perhaps => Vec::new(),
            _ => vec![visit.delete(statement)],
        };
        let perhaps = stands == Stands::Perhaps && mark.condition == Condition::Always;
        let condition = if perhaps { Condition::Runtime } else { mark.condition };
        off |= condition == Condition::Always;
        let marker = Marker { whole_file: stands != Stands::Class, condition, ..mark.marker(visit, removal) };
        visit.out.markers.push(marker);
    }
    off
}

/// Returns the edit that takes the element that holds `inside` out of a list.
pub(super) fn element(list: Node<'_>, inside: Node<'_>, visit: &Visit<'_, '_>) -> Vec<Edit> {
    let elements = children(list);
    let Some(at) = elements.iter().position(|e| e.start_byte() <= inside.start_byte() && inside.end_byte() <= e.end_byte()) else {
        return Vec::new();
    };
    let span = match (at.checked_sub(1).and_then(|i| elements.get(i)), elements.get(at + 1)) {
        (_, Some(next)) => visit.span_of(elements[at].start_byte(), next.start_byte()),
        (Some(before), None) => visit.span_of(before.end_byte(), elements[at].end_byte()),
        (None, None) => visit.span(elements[at]),
    };
    vec![Edit { span, text: String::new() }]
}

/// Emits the marks of a table's row, `pytest.param(…, marks=…)`.
pub(super) fn parameter(call: Node<'_>, visit: &mut Visit<'_, '_>) {
    let reader = Reader::of(visit);
    let Some(function) = field(call, "function") else { return };
    if tail(reader.text, function) != Some("param") || reader.path(function).is_none_or(|p| p != "pytest.param") {
        return;
    }
    let arguments = Arguments::of(call);
    let Some((value, pair)) = arguments.pair(reader.text, "marks") else { return };
    let listed = matches!(value.kind(), "list" | "tuple");
    for mark in marks(reader, value) {
        let removal = if listed && children(value).len() > 1 {
            element(value, mark.words, visit)
        } else {
            field(call, "arguments").map(|list| element(list, pair, visit)).unwrap_or_default()
        };
        let marker = mark.marker(visit, removal);
        visit.out.markers.push(marker);
    }
}

/// Emits a block of tests that is never run (`if False:`). One that only declares (`if TYPE_CHECKING:`) is where tests of types
/// are born.
pub(super) fn dead_block(statement: Node<'_>, condition: Node<'_>, subject: Option<String>, declares: bool, visit: &mut Visit<'_, '_>) {
    let span = visit.span_of(statement.start_byte(), condition.end_byte());
    let removal = vec![visit.replace(condition, "True")];
    let on_new = if declares { OnNew::Silent } else { OnNew::Report };
    visit.out.markers.push(Marker { subject, removal, on_new, ..Marker::new(Effect::Disabled, span) });
}

/// Emits the constructor that keeps a class of tests from being collected.
pub(super) fn constructor(class: &Definition<'_>, visit: &mut Visit<'_, '_>) {
    let found = class.body().and_then(|b| definitions(b).find(|m| m.name(visit.text) == "__init__"));
    if let Some(name) = found.and_then(|m| m.name_node()) {
        let span: Span = visit.span(name);
        visit.out.markers.push(Marker::new(Effect::Disabled, span));
    }
}
