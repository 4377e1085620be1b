//! A comment stands where code should: "the rest stays as it is", "implement this later".

use super::{Draft, Rule, RuleId, Seen, stub_body};
use crate::facts::Unit;
use crate::finding::{Level, tokens};
use crate::phrases::{self, Phrase};
use oguard_grammars::facts::{Shape, Span};

pub(super) const RULE: Rule = Rule {
    id: RuleId("placeholder-comment"),
    version: 1,
    level: Level::Warn,
    settled: true,
    summary: "a comment stands where code should",
    why: "A model that shortens its answer writes '… rest of the code unchanged …' into the file, and the code that stood there \
          is gone. A promise to implement later reads like work that was done.",
    limits: "Phrases of seven languages are known (English, Spanish, Portuguese, German, French, Chinese, Japanese). A promise \
             with an owner, ticket or link is tracked work and not reported.",
    remedy: "write the code that the comment stands for, or restore what it replaced",
    example: ("ts", "// ... existing handlers ...", "app.get('/health', health);"),
    state: Some(find),
    change: None,
    across: None,
    textual: true,
};

fn find(seen: &Seen<'_>, acc: &mut Vec<Draft>) {
    // A notice that comes with the edit is the author's word alone.
    if seen.document.generated && seen.base.is_none_or(|base| base.document().generated) {
        return;
    }
    for (index, unit) in seen.document.inventory().marked() {
        for (span, phrase) in &unit.facts.phrases {
            let Some(level) = level(seen, index, unit, *span, *phrase) else { continue };
            let range = unit.absolute(*span);
            let shown = shortened(&phrases::strip(seen.text(range.clone())));
            let message = match phrase {
                Phrase::Elision => format!("`{shown}` leaves code out"),
                Phrase::Promise => format!("`{shown}` promises code that is not there"),
                Phrase::Confession => format!("`{shown}` admits a stand-in"),
            };
            let mut draft = Draft::new(&RULE, seen, index, range.clone()).level(level).message(message);
            draft.tokens = tokens(&phrases::strip(seen.text(range)));
            draft.scope = seen.name(index);
            draft.subject = shown;
            acc.push(draft);
        }
    }
}

/// Returns the level of a phrase, or none where it is the evidence of a stub that is reported by itself (SPEC.md 3).
fn level(seen: &Seen<'_>, index: usize, unit: &Unit, span: Span, phrase: Phrase) -> Option<Level> {
    let shape = unit.facts.item.body.map(|b| b.shape);
    let in_stub = stub_body::reported(seen, index);
    match phrase {
        Phrase::Elision => Some(Level::Warn),
        Phrase::Promise if in_stub && shape != Some(Shape::Constant) && inside_body(unit, span) => None,
        Phrase::Promise => Some(Level::Warn),
        Phrase::Confession if in_stub || unit.in_tests => None,
        Phrase::Confession => Some(Level::Warn),
    }
}

fn inside_body(unit: &Unit, span: Span) -> bool {
    unit.facts.item.body.is_some_and(|b| b.span.start <= span.start && span.end <= b.span.end)
}

/// Returns the first words of a comment for a message.
fn shortened(text: &str) -> String {
    const CHARS_MAX: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "'");
    if line.chars().count() <= CHARS_MAX {
        return line;
    }
    let mut cut: String = line.chars().take(CHARS_MAX - 1).collect();
    cut.push('…');
    cut
}
