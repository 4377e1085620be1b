//! The reflexes: one file a rule, one row here.
//!
//! `state` looks at one text, and `check` subtracts what the base said already; `change` compares two texts; `across` looks at
//! all files of a change, with their tests matched. A rule names no
//! language and no node kind, subtracts no base and sets no fingerprint.

mod check_suppressed;
mod placeholder_comment;
mod stub_body;
mod syntax_error;
mod test_disabled;
mod test_focused;
mod test_removed;
mod test_rigged;
mod test_vacuous;
mod test_weakened;

use crate::change::Tests;
use crate::check::Baseline;
use crate::document::Document;
use crate::facts::Unit;
use crate::finding::{Finding, Fix, Level, TextEdit, tokens};
use crate::text::whole_lines;
use oguard_grammars::facts::{Edit, ItemKind, Reach};
use std::ops::Range;

/// The name of a rule: reads after 'allow', names the pattern found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub &'static str);

/// Finds over a whole change, with the place of each file in it.
type Across = fn(&crate::change::Seen<'_>, &mut Vec<(usize, Draft)>);

/// A rule and what its page says.
pub struct Rule {
    /// Its name.
    pub id: RuleId,
    /// Raised when it says something else about the same text.
    pub version: u32,
    /// Level of its plain case.
    pub level: Level,
    /// Judged at idle or save: a half-done edit would trip it (SPEC.md 2).
    pub settled: bool,
    /// One line.
    pub summary: &'static str,
    /// Why it matters, for its page.
    pub why: &'static str,
    /// What it does not see, said out loud.
    pub limits: &'static str,
    /// What to do, one imperative sentence.
    pub remedy: &'static str,
    /// A wrong and a right example, for its page: language, wrong, right.
    pub example: (&'static str, &'static str, &'static str),
    /// Findings of one text.
    pub(crate) state: Option<fn(&Seen<'_>, &mut Vec<Draft>)>,
    /// Findings of a change.
    pub(crate) change: Option<fn(&Seen<'_>, &Baseline, &mut Vec<Draft>)>,
    /// Findings over a whole change, with the place of their file in it.
    pub(crate) across: Option<Across>,
    /// Needs no tree: holds in broken texts too.
    pub textual: bool,
}

impl Rule {
    /// Whether it looks at all files of a change.
    pub fn looks_across(&self) -> bool {
        self.across.is_some()
    }
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id.0)
    }
}

/// All rules, in the order in which they are shown.
pub static RULES: &[Rule] = &[
    syntax_error::RULE,
    test_disabled::RULE,
    test_focused::RULE,
    test_removed::RULE,
    test_weakened::RULE,
    test_rigged::RULE,
    test_vacuous::RULE,
    stub_body::RULE,
    placeholder_comment::RULE,
    check_suppressed::RULE,
];

/// Returns the rule of a name.
pub fn by_name(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|r| r.id.0 == name)
}

/// Returns why a finding of one file is information only, where the tests of the whole change explain it.
pub(crate) fn softened(tests: &Tests<'_>, finding: &Finding) -> Option<String> {
    (finding.rule.id == stub_body::RULE.id).then(|| stub_body::asked_for(tests, finding))?
}

/// What a rule looks at: the facts of a text, and the base where tests are asked whether they are new.
pub(crate) struct Seen<'a> {
    pub(crate) document: &'a Document,
    /// The base of the change; none for a new file.
    pub(crate) base: Option<&'a Baseline>,
    /// This text is itself a base: every test in it exists.
    pub(crate) is_base: bool,
}

impl Seen<'_> {
    /// Returns the text of a byte range.
    pub(crate) fn text(&self, range: Range<usize>) -> &str {
        self.document.text().get(range).unwrap_or("")
    }

    /// Returns the qualified name of a unit.
    pub(crate) fn name(&self, unit: usize) -> String {
        self.document.inventory().qualified_name(unit, self.document.language.separator)
    }

    /// Returns the name of a unit itself, without those around it.
    pub(crate) fn own_name(&self, unit: usize) -> String {
        self.unit(unit).facts.item.name.clone()
    }

    /// Returns a unit.
    pub(crate) fn unit(&self, index: usize) -> &Unit {
        &self.document.inventory().units[index]
    }
}

/// A switched-off check as what it permits; two are compared before an edited one counts as the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    pub(crate) tool: String,
    /// Sorted; none means all.
    pub(crate) codes: Vec<String>,
    pub(crate) reach: Reach,
}

impl Grant {
    /// Whether this permits nothing that `other` does not.
    pub(crate) fn within(&self, other: &Grant) -> bool {
        self.tool == other.tool
            && self.reach <= other.reach
            && (other.codes.is_empty() || (!self.codes.is_empty() && self.codes.iter().all(|c| other.codes.contains(c))))
    }
}

/// What a rule found, before it is known whether it is new.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) rule: &'static Rule,
    pub(crate) level: Level,
    pub(crate) range: Range<usize>,
    /// What it is about, part of its identity where a rule says so.
    pub(crate) subject: String,
    /// Whether the subject is part of its identity.
    pub(crate) by_subject: bool,
    /// Qualified name of the container.
    pub(crate) scope: String,
    pub(crate) tokens: String,
    pub(crate) message: String,
    pub(crate) next_action: String,
    pub(crate) fixes: Vec<Fix>,
    pub(crate) grant: Option<Grant>,
    /// A finding is not the same as a weaker one of the base.
    pub(crate) strength: u8,
    /// Bytes of the base's text that explain it, and what they show.
    pub(crate) related: Vec<(Range<usize>, String)>,
    /// Not shown by itself, yet known to the pairing, so that it is not new later (a marker that is silent on a new test).
    pub(crate) silent: bool,
    /// Found by comparing the two texts, so that a half-done move would trip it too.
    pub(crate) settled: bool,
    /// Tests of the base that it speaks for, by unit.
    pub(crate) explains: Vec<usize>,
    /// Bytes of the edited text that show it best, where that is not the line it stands on.
    pub(crate) evidence: Option<Range<usize>>,
    /// A note beside the findings: worth a look, and nothing to put right (SPEC.md 3).
    pub(crate) note: bool,
    /// Which of its rule's findings it is, where a task weighs them apart (`intent`).
    pub(crate) aspect: &'static str,
    /// It is about something that is not in the text any more.
    pub(crate) absent: bool,
}

impl Draft {
    /// Returns a draft of a rule at a place in a unit.
    pub(crate) fn new(rule: &'static Rule, seen: &Seen<'_>, unit: usize, range: Range<usize>) -> Self {
        let inventory = seen.document.inventory();
        Draft {
            rule,
            level: rule.level,
            subject: seen.own_name(unit),
            by_subject: false,
            scope: seen.name(inventory.parent(unit)),
            tokens: tokens(seen.text(range.clone())),
            range,
            message: rule.summary.to_owned(),
            next_action: rule.remedy.to_owned(),
            fixes: Vec::new(),
            grant: None,
            strength: 0,
            related: Vec::new(),
            silent: false,
            settled: false,
            explains: Vec::new(),
            evidence: None,
            note: false,
            aspect: "",
            absent: false,
        }
    }

    /// Returns a draft over a whole change: its tokens are what it is known by, and its place is in the edited text of its file.
    pub(crate) fn at(rule: &'static Rule, tokens: String, range: Range<usize>) -> Self {
        Draft {
            rule,
            level: rule.level,
            subject: String::new(),
            by_subject: false,
            scope: String::new(),
            tokens,
            range,
            message: rule.summary.to_owned(),
            next_action: rule.remedy.to_owned(),
            fixes: Vec::new(),
            grant: None,
            strength: 0,
            related: Vec::new(),
            silent: false,
            settled: true,
            explains: Vec::new(),
            evidence: None,
            note: false,
            aspect: "",
            absent: false,
        }
    }

    pub(crate) fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    pub(crate) fn message(mut self, message: String) -> Self {
        self.message = message;
        self
    }

    pub(crate) fn subject(mut self, subject: String) -> Self {
        self.subject = subject;
        self.by_subject = true;
        self
    }

    /// Adds a fix from edits relative to a unit; a deletion that would leave a blank line takes the line along.
    pub(crate) fn fix(mut self, title: &str, seen: &Seen<'_>, unit: usize, edits: &[Edit]) -> Self {
        if !edits.is_empty() {
            let text = seen.document.text();
            let edits = edits.iter().map(|e| neat(text, seen.unit(unit).absolute(e.span), &e.text)).collect();
            self.fixes.push(Fix { title: title.to_owned(), edits });
        }
        self
    }
}

/// Widens a deletion to its whole line where nothing else stands on it, else to the blanks before it at a line's end.
fn neat(text: &str, range: Range<usize>, replacement: &str) -> TextEdit {
    let mut range = range;
    if replacement.is_empty() {
        let lines = whole_lines(text, range.clone());
        let before = &text[lines.start..range.start];
        let after = &text[range.end..lines.end];
        if before.trim().is_empty() && after.trim().is_empty() {
            range = lines;
        } else if after.trim().is_empty() {
            range.start = lines.start + before.trim_end().len();
        }
    }
    TextEdit { range, text: replacement.to_owned() }
}

/// Returns the unit that names what a marker in `unit` stands on: the test, group or file around it.
pub(crate) fn owner(seen: &Seen<'_>, unit: usize) -> usize {
    let kinds = [ItemKind::Test, ItemKind::Group, ItemKind::Hook, ItemKind::File];
    seen.document.inventory().nearest(unit, &kinds).unwrap_or(0)
}
