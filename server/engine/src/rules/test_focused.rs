//! One focused test silences all others: the suite is green because it did not run.

use super::{Draft, Rule, RuleId, Seen, owner};
use crate::finding::Level;
use oguard_grammars::facts::Effect;

pub(super) const RULE: Rule = Rule {
    id: RuleId("test-focused"),
    version: 1,
    level: Level::Block,
    settled: false,
    summary: "a test is focused, so the others do not run",
    why: "A focus marker makes the runner skip every other test of the file or suite. The run is green and says nothing about \
          them. It is useful for a minute at a desk and dangerous in a commit.",
    limits: "A focus given on the command line or in configuration is judged as a weakened gate.",
    remedy: "remove the focus marker",
    example: ("js", "it.only('adds', () => { … })", "it('adds', () => { … })"),
    state: Some(find),
    change: None,
    across: None,
    textual: false,
};

fn find(seen: &Seen<'_>, acc: &mut Vec<Draft>) {
    for (index, unit) in seen.document.inventory().marked() {
        for marker in unit.facts.local.markers.iter().filter(|m| m.effect == Effect::Focused) {
            let owner = owner(seen, index);
            let name = marker.subject.clone().unwrap_or_else(|| seen.name(owner));
            let range = unit.absolute(marker.span);
            let what = if name.is_empty() { "this file".to_owned() } else { format!("`{name}`") };
            let shown = seen.text(range.clone()).trim().to_owned();
            acc.push(
                Draft::new(&RULE, seen, index, range)
                    .message(format!("`{shown}` focuses {what}, so the other tests do not run"))
                    .subject(marker.subject.clone().unwrap_or_else(|| seen.own_name(owner)))
                    .fix("Remove the focus", seen, index, &marker.removal),
            );
        }
    }
}
