//! A checker was told to look away: in a line, on an item or in the whole file.

use super::{Draft, Grant, Rule, RuleId, Seen};
use crate::finding::Level;
use oguard_grammars::facts::{Reach, Suppression};

pub(super) const RULE: Rule = Rule {
    id: RuleId("check-suppressed"),
    version: 1,
    level: Level::Warn,
    settled: false,
    summary: "a check is suppressed",
    why: "A suppression turns a red check green without changing what the check complained about. A narrow one with a reason \
          is a decision; a blanket one hides what comes later too.",
    limits: "Directives are read from comments, attributes and casts; a suppression written in configuration is a weakened \
             gate. Attributes inside macro bodies are not read.",
    remedy: "fix what the check reports, or name the code and give the reason",
    example: ("py", "total = add(a, b)  # type: ignore", "total = add(int(a), int(b))"),
    state: Some(find),
    change: None,
    across: None,
    textual: true,
};

/// Tools whose directive fails where there is nothing to suppress: in test code it asserts an error (rules-a.md D26).
const ASSERT_IN_TESTS: &[&str] = &["ts-expect-error"];

fn find(seen: &Seen<'_>, acc: &mut Vec<Draft>) {
    // A notice that comes with the edit is the author's word alone.
    if seen.document.generated && seen.base.is_none_or(|base| base.document().generated) {
        return;
    }
    for (index, unit) in seen.document.inventory().marked() {
        let asserts = |s: &&Suppression| unit.in_tests && ASSERT_IN_TESTS.contains(&s.tool.as_str());
        for suppression in unit.facts.local.suppressions.iter().filter(|s| !asserts(s)) {
            let range = unit.absolute(suppression.span);
            let mut draft = Draft::new(&RULE, seen, index, range)
                .level(level(suppression, unit.in_tests))
                .message(message(suppression))
                .fix("Remove the suppression", seen, index, &suppression.removal);
            // A directive belongs to its line, not to the name around it: it may move with its code.
            draft.scope = seen.name(index);
            draft.tokens = format!("{} {} {:?}", suppression.tool, suppression.codes.join(" "), suppression.reach);
            draft.subject = what(suppression);
            draft.grant = Some(Grant { tool: suppression.tool.clone(), codes: suppression.codes.clone(), reach: suppression.reach });
            acc.push(draft);
        }
    }
}

/// Blanket or file-wide weighs most, a named code with a reason least; test code one step lower (rules-a.md 4).
fn level(suppression: &Suppression, in_tests: bool) -> Level {
    let blanket = suppression.codes.is_empty() || suppression.reach == Reach::File;
    let rank = match (suppression.reason || suppression.mild, blanket) {
        (true, _) => 0,
        (false, true) => 2,
        (false, false) => 1,
    } - i32::from(in_tests);
    if rank >= 1 { Level::Warn } else { Level::Info }
}

fn what(suppression: &Suppression) -> String {
    if suppression.codes.is_empty() { suppression.tool.clone() } else { format!("{} {}", suppression.tool, suppression.codes.join(", ")) }
}

fn message(suppression: &Suppression) -> String {
    let place = match suppression.reach {
        Reach::Line => "on this line",
        Reach::NextLine => "on the next line",
        Reach::Declaration => "on this item",
        Reach::Range => "from here on",
        Reach::File => "in the whole file",
    };
    if suppression.codes.is_empty() {
        format!("all checks of {} are suppressed {place}", suppression.tool)
    } else {
        format!("{} is suppressed {place}", what(suppression))
    }
}
