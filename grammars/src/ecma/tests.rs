//! Definitions of tests, groups and hooks: from a call to the item it opens and the markers on it.
//!
//! A definition is a chain from a runner's word to a call that has a title, a callback or both. What stands inside a test
//! (`this.skip()`, `pending()`) is read in `markers.rs`.

use super::chain::{Chain, Part, arguments, callback, is_function, is_text, property, root_of, slice, stripped, title, unquoted};
use super::constants::{Value, evaluate};
use super::flags;
use super::frameworks::{OPTIONS, Segment, framework, is_library, runner, segment, word};
use super::functions::{body_of, first_parameter};
use super::guards::around;
use super::scope::{DERIVED, WHOLE};
use super::shadows::{self, shadowed};
use crate::facts::{Condition, Edit, Effect, Item, ItemKind, Marker, OnNew};
use crate::regions;
use crate::visit::{FileKind, Visit};
use tree_sitter::Node;

/// What the root of a chain stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// A word of a runner.
    Word(super::frameworks::Word),
    /// A runner as a whole (`QUnit`, a default or namespace import).
    Library { callable: bool },
    /// What a runner hands to a callback (`t`); its `skip` without a callback is a marker of that test.
    Context,
}

/// A marker's effect with the place that says it.
struct Mark<'tree> {
    effect: Effect,
    node: Node<'tree>,
    value: Value,
    reason: bool,
    removal: Option<(std::ops::Range<usize>, String)>,
}

/// A call that defines a test, group or hook.
pub(super) struct Definition<'tree> {
    pub(super) kind: ItemKind,
    title: Option<Node<'tree>>,
    callback: Option<Node<'tree>>,
    callee: Node<'tree>,
    parametrised: bool,
    is_step: bool,
    marks: Vec<Mark<'tree>>,
}

/// Returns what a name stands for at a node, by its binding.
pub(super) fn resolve(name: &str, visit: &Visit<'_, '_>) -> Option<Root> {
    let tests_possible = visit.file == FileKind::Test || visit.in_tests() || visit.scope.frameworks != 0;
    if !tests_possible && !is_library(name) && visit.words.test_functions.is_empty() {
        return None;
    }
    let of_word = |name: &str| word(name).map(Root::Word);
    let hash = flags::of_name(name);
    let context = visit.frames.iter().rev().any(|f| flags::first_parameter(f.flags) == hash);
    if context {
        // A suite's callback can be handed the test function itself: `describe('x', (it) => …)`.
        return Some(of_word(name).unwrap_or(Root::Context));
    }
    if let Some((module, original)) = visit.scope.binding(name) {
        if module.is_empty() {
            return visit.words.test_functions.iter().any(|w| w == name).then(|| of_word("test")).flatten();
        }
        if module != DERIVED && runner(module).is_none() {
            return None;
        }
        return match original {
            WHOLE | "default" => Some(Root::Library { callable: true }),
            original => of_word(original),
        };
    }
    if visit.words.test_functions.iter().any(|w| w == name) {
        return of_word("test");
    }
    if is_library(name) || (matches!(name, "globalThis" | "global" | "window") && visit.in_tests()) {
        return Some(Root::Library { callable: false });
    }
    let globals_count = visit.file == FileKind::Test || visit.in_tests();
    of_word(name).filter(|r| globals_count && matches!(r, Root::Word(w) if w.global))
}

/// Returns the definition that a call makes.
pub(super) fn define<'tree>(call: Node<'tree>, visit: &Visit<'_, 'tree>) -> Option<Definition<'tree>> {
    let text = visit.text;
    let root = root_of(call)?;
    match root.kind() {
        "identifier" => {
            let resolved = resolve(slice(text, root), visit)?;
            let chain = Chain::of(call, text)?;
            Reader::new(visit, resolved, root).definition(&chain.parts)
        }
        "ternary_expression" => chosen(root, call, visit),
        _ => None,
    }
}

/// Reads `(condition ? it : it.skip)('title', fn)`.
fn chosen<'tree>(ternary: Node<'tree>, call: Node<'tree>, visit: &Visit<'_, 'tree>) -> Option<Definition<'tree>> {
    let text = visit.text;
    let value = evaluate(ternary.child_by_field_name("condition")?, text, visit.scope);
    let mut found: Option<Reader<'_, '_, 'tree>> = None;
    for (field, value) in [("consequence", value), ("alternative", value.not())] {
        let arm = Chain::of(ternary.child_by_field_name(field)?, text)?;
        let resolved = (arm.root.kind() == "identifier").then(|| resolve(slice(text, arm.root), visit)).flatten()?;
        let mut reader = Reader::new(visit, resolved, arm.root);
        for part in &arm.parts {
            reader.part(part)?;
        }
        for mark in &mut reader.marks {
            mark.value = value;
            mark.removal = None;
        }
        found = Some(match found {
            None => reader,
            Some(mut first) => {
                first.marks.append(&mut reader.marks);
                first
            }
        });
    }
    let outer = Chain::of(call, text)?;
    // A focus that a person chooses by a condition is a tool of the harness.
    let mut definition = found?.definition(&outer.parts)?;
    definition.marks.retain(|m| m.effect != Effect::Focused || m.value == Value::Constant(true));
    Some(definition)
}

/// Reads the parts of a chain one by one.
struct Reader<'v, 'a, 'tree> {
    visit: &'v Visit<'a, 'tree>,
    kind: ItemKind,
    /// The root is a whole runner and its word is still to come.
    expects_word: bool,
    callable: bool,
    needs_callback: bool,
    callee: Node<'tree>,
    parametrised: bool,
    is_step: bool,
    pending: Option<(Segment, Node<'tree>, usize)>,
    /// Arguments that `bind` holds for the call to come.
    bound: Vec<Node<'tree>>,
    marks: Vec<Mark<'tree>>,
}

impl<'v, 'a, 'tree> Reader<'v, 'a, 'tree> {
    fn new(visit: &'v Visit<'a, 'tree>, root: Root, node: Node<'tree>) -> Self {
        let mut reader = Reader {
            visit,
            kind: ItemKind::Test,
            expects_word: false,
            callable: true,
            needs_callback: false,
            callee: node,
            parametrised: false,
            is_step: false,
            pending: None,
            bound: Vec::new(),
            marks: Vec::new(),
        };
        match root {
            Root::Library { callable } => (reader.expects_word, reader.callable) = (true, callable),
            Root::Context => (reader.expects_word, reader.callable, reader.needs_callback) = (true, false, true),
            Root::Word(word) => {
                reader.kind = word.kind;
                if let Some((effect, plain)) = word.marks {
                    // The word's own name says it, unless it was imported under another one.
                    let same = slice(visit.text, node) == word.name;
                    let removal = same.then(|| (node.byte_range(), plain.to_owned()));
                    reader.mark(effect, node, removal);
                }
            }
        }
        reader
    }

    fn mark(&mut self, effect: Effect, node: Node<'tree>, removal: Option<(std::ops::Range<usize>, String)>) {
        self.marks.push(Mark { effect, node, value: Value::Constant(true), reason: false, removal });
    }

    /// Takes a part in front of the defining call; none where the chain is no definition.
    fn part(&mut self, part: &Part<'a, 'tree>) -> Option<()> {
        match part {
            Part::Name { name, node, cut } => self.name(name, *node, cut),
            Part::Template { .. } => matches!(self.pending.take()?.0, Segment::Rows).then_some(()),
            Part::Call { arguments: inside, call } => match self.pending.take()? {
                (Segment::If { effect, inverted }, node, from) => {
                    let argument = arguments(*inside).first().copied();
                    let value = argument.map_or(Value::Runtime, |a| evaluate(a, self.visit.text, self.visit.scope));
                    let value = if inverted { value.not() } else { value };
                    let removal = Some((from..call.end_byte(), String::new()));
                    self.marks.push(Mark { effect, node, value, reason: false, removal });
                    Some(())
                }
                (Segment::Extend, node, _) if slice(self.visit.text, node) == "bind" => {
                    self.bound.extend(arguments(*inside).into_iter().skip(1));
                    Some(())
                }
                _ => Some(()),
            },
        }
    }

    fn name(&mut self, name: &str, node: Node<'tree>, cut: &std::ops::Range<usize>) -> Option<()> {
        if self.pending.is_some() {
            return None;
        }
        let is_segment = segment(name).is_some();
        let inner = word(name)
            .filter(|_| if self.expects_word { !self.callable || !is_segment } else { self.kind == ItemKind::Test && !is_segment });
        if let Some(word) = inner {
            self.kind = word.kind;
            if let Some((effect, plain)) = word.marks {
                self.mark(effect, node, Some((node.byte_range(), plain.to_owned())));
            }
            self.expects_word = false;
            self.callable = true;
            return Some(());
        }
        if self.expects_word && !self.callable && segment(name) != Some(Segment::Step) {
            return None;
        }
        match segment(name)? {
            Segment::Mark(effect) => self.mark(effect, node, Some((cut.clone(), String::new()))),
            Segment::Step => self.is_step = true,
            Segment::Neutral => {}
            found @ (Segment::Rows | Segment::If { .. } | Segment::Extend) => {
                self.parametrised |= found == Segment::Rows;
                self.pending = Some((found, node, cut.start));
            }
        }
        self.expects_word = false;
        Some(())
    }

    fn definition(mut self, parts: &[Part<'a, 'tree>]) -> Option<Definition<'tree>> {
        for (at, part) in parts.iter().enumerate() {
            match part {
                Part::Name { name: name @ ("call" | "apply"), .. } if self.pending.is_none() && !self.expects_word => {
                    let Some(Part::Call { arguments: inside, call }) = parts.get(at + 1) else { return None };
                    let behind_this = arguments(*inside).into_iter().skip(1);
                    let all = match *name {
                        "call" => behind_this.collect(),
                        _ => behind_this.filter(|n| n.kind() == "array").flat_map(arguments).collect(),
                    };
                    return self.close(all, *call, &parts[at + 2..]);
                }
                Part::Call { arguments: inside, call } if self.pending.is_none() => {
                    if self.expects_word && !self.callable {
                        return None;
                    }
                    let mut all = std::mem::take(&mut self.bound);
                    all.extend(arguments(*inside));
                    return self.close(all, *call, &parts[at + 1..]);
                }
                Part::Template { template, call } if self.pending.is_none() && !self.marks.is_empty() => {
                    self.callee = call.child_by_field_name("function")?;
                    return Some(self.finish(Some(*template), None));
                }
                part => self.part(part)?,
            }
        }
        None
    }

    /// Reads the arguments of the defining call.
    fn close(mut self, all: Vec<Node<'tree>>, call: Node<'tree>, rest: &[Part<'a, 'tree>]) -> Option<Definition<'tree>> {
        let first = stripped(*all.first()?);
        if first.kind() == "spread_element" {
            return None;
        }
        self.callee = call.child_by_field_name("function")?;
        let function = all.iter().skip(usize::from(!is_function(first))).rev().find_map(|a| callback(*a));
        if self.kind == ItemKind::Hook {
            return function.map(|f| self.finish(None, Some(f)));
        }
        if first.kind() == "object" && function.is_none() {
            return self.object(first);
        }
        if is_function(first) {
            // `test.skip(({ browserName }) => …, 'why')` is a condition, `test(function name() {})` a test.
            let is_condition = self.kind == ItemKind::Test && self.marks.iter().any(|m| m.effect != Effect::Focused);
            return (!is_condition && all.len() == 1).then(|| self.finish(first.child_by_field_name("name"), Some(first)));
        }
        self.trailing(rest);
        let literal = is_text(first);
        let reference = all.get(1).is_some_and(|a| matches!(stripped(*a).kind(), "identifier" | "member_expression" | "call_expression"));
        let known_title = literal || self.is_joined_text(first);
        match function {
            Some(function) => {
                self.options(&all);
                if matches!(first.kind(), "object" | "true" | "false") {
                    // node:test takes the options alone.
                    return (first.kind() == "object").then(|| self.finish(None, Some(function)));
                }
                Some(self.finish(Some(first), Some(function)))
            }
            _ if self.needs_callback => None,
            None if known_title && reference => {
                self.options(&all);
                Some(self.finish(Some(first), None))
            }
            None if literal && all.len() <= 2 && self.kind == ItemKind::Test && !self.is_step => {
                self.options(&all);
                let options = all.get(1).is_some_and(|a| a.kind() == "object");
                if all.len() == 2 && !options {
                    return None;
                }
                if !self.marks.iter().any(|m| m.effect != Effect::Focused) {
                    let callee = self.callee;
                    self.mark(Effect::Todo, callee, None);
                }
                let mut definition = self.finish(Some(first), None);
                for mark in &mut definition.marks {
                    if mark.effect == Effect::Todo {
                        mark.removal = None;
                    }
                }
                Some(definition)
            }
            None => None,
        }
    }

    /// Whether an expression joins strings with `+`, so that it is a title.
    fn is_joined_text(&self, node: Node<'tree>) -> bool {
        node.kind() == "binary_expression"
            && node.child_by_field_name("operator").is_some_and(|o| slice(self.visit.text, o) == "+")
            && ["left", "right"].into_iter().filter_map(|f| node.child_by_field_name(f)).any(is_text)
    }

    /// Reads `Deno.test({ name: 'x', ignore: true, fn: () => {…} })`.
    fn object(mut self, object: Node<'tree>) -> Option<Definition<'tree>> {
        let text = self.visit.text;
        let function = property(object, "fn", text).map(|(_, value)| value).or_else(|| method(object, "fn", text));
        let name = property(object, "name", text).map(|(_, value)| value);
        let function = function?;
        self.pairs(object);
        Some(self.finish(name, callback(function)))
    }

    /// Reads an options object in first, second or third place.
    fn options(&mut self, all: &[Node<'tree>]) {
        if let Some(object) = all.iter().take(3).copied().find(|n| n.kind() == "object") {
            self.pairs(object);
        }
    }

    fn pairs(&mut self, object: Node<'tree>) {
        let text = self.visit.text;
        for (key, effect) in OPTIONS {
            let Some((pair, value)) = property(object, key, text) else { continue };
            let reason = is_text(stripped(value));
            let value = evaluate(value, text, self.visit.scope);
            let removal = Some((option_range(object, pair, text), String::new()));
            self.marks.push(Mark { effect: *effect, node: pair, value, reason, removal });
        }
    }

    /// Reads what stands behind the defining call: jasmine's `it(…).pend('why')`.
    fn trailing(&mut self, rest: &[Part<'a, 'tree>]) {
        for pair in rest.windows(2) {
            if let [Part::Name { name: "pend", node, cut }, Part::Call { arguments: inside, call }] = pair {
                let removal = Some((cut.start..call.end_byte(), String::new()));
                let reason = inside.named_child_count() > 0;
                self.marks.push(Mark { effect: Effect::Disabled, node: *node, value: Value::Constant(true), reason, removal });
            }
        }
    }

    fn finish(self, title: Option<Node<'tree>>, function: Option<Node<'tree>>) -> Definition<'tree> {
        Definition {
            kind: self.kind,
            title,
            callback: function,
            callee: self.callee,
            parametrised: self.parametrised,
            is_step: self.is_step,
            marks: self.marks,
        }
    }
}

fn method<'tree>(object: Node<'tree>, name: &str, text: &str) -> Option<Node<'tree>> {
    let mut cursor = object.walk();
    object
        .named_children(&mut cursor)
        .find(|n| n.kind() == "method_definition" && n.child_by_field_name("name").is_some_and(|n| slice(text, n) == name))
}

/// Returns what to delete so that an option is gone: the pair with its comma, or the whole object with the one before it.
fn option_range(object: Node<'_>, pair: Node<'_>, text: &str) -> std::ops::Range<usize> {
    if object.named_child_count() == 1 {
        let before = text[..object.start_byte()].trim_end();
        return match before.strip_suffix(',') {
            Some(rest) => rest.len()..object.end_byte(),
            None => {
                // In first place the comma stands behind.
                let after = &text[object.end_byte()..];
                let comma = after.trim_start().strip_prefix(',').map_or(after, str::trim_start);
                object.start_byte()..text.len() - comma.len()
            }
        };
    }
    let after = &text[pair.end_byte()..object.end_byte()];
    if let Some(rest) = after.trim_start().strip_prefix(',')
        && !rest.trim_start().starts_with('}')
    {
        return pair.start_byte()..object.end_byte() - rest.trim_start().len();
    }
    let before = text[..pair.start_byte()].trim_end();
    before.strip_suffix(',').unwrap_or(before).len()..pair.end_byte()
}

impl<'tree> Definition<'tree> {
    /// Returns the name of the item that it opens.
    pub(super) fn name(&self, text: &str) -> String {
        match (self.kind, self.title) {
            (ItemKind::Hook, _) => hook_name(slice(text, self.callee)),
            (_, Some(node)) => title(node, text),
            (_, None) => String::new(),
        }
    }

    /// Whether the call only hands on the title and body of another caller: a harness, and no test.
    fn forwards(&self, visit: &Visit<'_, '_>) -> bool {
        let unnamed = self.title.is_none_or(|t| t.kind() == "identifier");
        let inside = visit.enclosing(ItemKind::Function).is_some();
        self.kind != ItemKind::Hook && self.callback.is_none() && unnamed && inside
    }

    /// Returns the item that the definition opens, with its markers sent to the visit.
    pub(super) fn open(self, call: Node<'tree>, visit: &mut Visit<'_, 'tree>) -> Option<Item> {
        if self.is_step || self.forwards(visit) {
            return None;
        }
        let text = visit.text;
        let anchor = self.title.unwrap_or(self.callee);
        let mut item = Item::new(self.kind, self.name(text), visit.span(anchor));
        item.parametrised = self.parametrised;
        if let Some(function) = self.callback {
            // Rows hand their values to the callback, not the runner its context.
            let context = if self.parametrised { 0 } else { flags::of_callback(first_parameter(function, text)) };
            item.flags = context | shadows::of_function(function, !self.parametrised, visit);
            if self.kind != ItemKind::Group {
                item.body = body_of(function, visit);
                if let Some(body) = function.child_by_field_name("body") {
                    regions::body(body, &super::regions::SHAPES, visit);
                }
            }
        }
        if self.kind == ItemKind::Test {
            super::terms::of_definition(call, visit);
        }
        if !self.marks.is_empty() {
            if root_of(call).is_some_and(|r| r.kind() == "identifier" && shadowed(r, visit)) {
                *visit.out = crate::facts::Local::default();
                return None;
            }
            item.disabled = self.emit_all(visit);
        }
        Some(item)
    }

    /// Emits the markers of a step, which opens no item: moving an assertion into one takes nothing away.
    pub(super) fn mark_step(&self, visit: &mut Visit<'_, 'tree>) {
        if self.is_step && !self.marks.is_empty() {
            self.emit_all(visit);
        }
    }

    /// Emits all markers; returns whether one of them switches the item off as a whole.
    fn emit_all(&self, visit: &mut Visit<'_, 'tree>) -> bool {
        let bits = framework::NODE | framework::QUNIT | framework::BUN | framework::TAP;
        let todo_runs = visit.scope.frameworks & bits != 0;
        let switched_off = self.marks.iter().any(|m| m.effect == Effect::Disabled && m.value == Value::Constant(true));
        let mut disabled = false;
        // `it.skip.failing` does not run: that it would be expected to fail says nothing more.
        for mark in self.marks.iter().filter(|m| !switched_off || matches!(m.effect, Effect::Disabled | Effect::Focused)) {
            disabled |= self.emit(mark, todo_runs, visit);
        }
        disabled
    }

    /// Emits a marker; returns whether the item as a whole is switched off by it.
    fn emit(&self, mark: &Mark<'tree>, todo_runs: bool, visit: &mut Visit<'_, 'tree>) -> bool {
        let Some(own) = mark.value.condition() else { return false };
        let condition = if own == Condition::Always { around(visit, mark.effect == Effect::Focused) } else { own };
        let has_body = self.callback.is_some() || mark.removal.is_some();
        let effect = match mark.effect {
            Effect::Todo if has_body && todo_runs => Effect::ExpectedFailure,
            Effect::Todo if has_body => Effect::Disabled,
            other => other,
        };
        if effect == Effect::Focused && condition != Condition::Always {
            return false;
        }
        let mut marker = Marker::new(effect, visit.span(mark.node));
        marker.condition = condition;
        marker.reason = mark.reason;
        if effect == Effect::Todo {
            marker.on_new = OnNew::Silent;
        }
        if let Some((range, text)) = &mark.removal {
            marker.removal = vec![Edit { span: visit.span_of(range.start, range.end), text: text.clone() }];
        }
        visit.out.markers.push(marker);
        condition == Condition::Always && matches!(effect, Effect::Disabled)
    }
}

fn hook_name(callee: &str) -> String {
    let last = callee.rsplit('.').find(|part| word(part).is_some()).unwrap_or(callee);
    unquoted(last).to_owned()
}
