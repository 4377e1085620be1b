//! What is weaker about the checks of a test (W1 to W9, W13), with what they became beside them.

use super::difference::difference;
use super::model::{Guard, Made, Model};
use super::pairing::{Pair, Pairing, pair};
use super::text::{Norm, short, words};
use super::{Comparison, Edited, Pools, Side, Way, Weakening};
use crate::finding::Level;
use oguard_grammars::checks::{Claim, EXACT, EXISTENCE, PART};
use std::collections::HashSet;

/// From how many tokens on an expected value is a whole, and no part.
const WHOLE_TOKENS_MIN: usize = 24;
/// From how alike on two subjects are one.
const SUBJECT_MIN: f64 = 0.75;

/// Compares the checks of a test.
pub(super) fn compare(before: &Model, after: &Model, old: Side<'_>, now: &[Side<'_>], pool: &Pools<'_>) -> Comparison {
    let mut comparison = Comparison::default();
    let pairing = pair(&before.made, &after.made);
    let view = View { before, after, old, now, pairing: &pairing };
    for pair in &pairing.pairs {
        view.paired(*pair, &mut comparison);
    }
    view.lost(pool, &mut comparison);
    view.must_fail(&mut comparison);
    let failing = |model: &Model| model.made.iter().any(Made::can_fail);
    let checked = before.made.iter().any(|m| m.can_fail() && m.is_explicit());
    comparison.nothing_left = checked && !failing(after);
    comparison
}

struct View<'a> {
    before: &'a Model,
    after: &'a Model,
    old: Side<'a>,
    now: &'a [Side<'a>],
    pairing: &'a Pairing,
}

impl View<'_> {
    fn gained(&self) -> impl Iterator<Item = &Made> {
        self.pairing.gained.iter().map(|n| &self.after.made[*n])
    }

    fn written(&self, made: &Made) -> String {
        short(self.old.document.text().get(made.span.clone()).unwrap_or(""))
    }

    fn edited(&self, made: &Made) -> String {
        short(self.now.iter().find_map(|side| side.document.text().get(made.span.clone())).unwrap_or(""))
    }

    fn weaker(&self, way: Way, level: Level, a: &Made, b: Option<&Made>, what: String) -> Weakening {
        Weakening { way, level, before: Some(a.span.clone()), now: b.map(|b| b.at.clone()), what }
    }

    /// Judges a check and what it became.
    fn paired(&self, pair: Pair, out: &mut Comparison) {
        let (a, b) = (&self.before.made[pair.old], &self.after.made[pair.new]);
        if a.check.implicit || !a.can_fail() {
            return;
        }
        let became = || format!("`{}` became `{}`", self.written(a), self.edited(b));
        if b.fate.swallowed && !a.fate.swallowed {
            out.weaker.push(self.weaker(
                Way::Swallowed,
                Level::Warn,
                a,
                Some(b),
                format!("the failure of `{}` is caught and forgotten", self.edited(b)),
            ));
            return;
        }
        if b.fate.dead && !a.fate.dead {
            out.weaker.push(self.weaker(Way::Unreached, Level::Warn, a, Some(b), format!("`{}` is never reached", self.edited(b))));
            return;
        }
        if let Some(level) = self.guarded(a, b) {
            let condition = short(self.condition(b));
            let what = format!("`{}` is only checked where `{condition}` lets it", self.edited(b));
            out.weaker.push(self.weaker(Way::Unreached, level, a, Some(b), what));
            return;
        }
        if pair.same || (a.via.is_some() && a.via == b.via) {
            return;
        }
        if b.is_tautology() && !a.is_tautology() {
            out.weaker.push(self.weaker(Way::Always, Level::Warn, a, Some(b), format!("{}, which always holds", became())));
            return;
        }
        if a.is_unknown() || b.is_unknown() {
            return;
        }
        let about_same = a.subject == b.subject
            || a.subject.is_in(&b.subject)
            || b.subject.is_in(&a.subject)
            || a.subject.likeness(&b.subject) >= SUBJECT_MIN;
        let level = if about_same { Level::Warn } else { Level::Info };
        match difference(a, b) {
            // A message that was part of what must be raised is looked at by itself now.
            Some((Way::Broader, _)) if self.gained().any(|n| matches!(n.check.claim, Claim::Equal | Claim::Holds) && n.can_fail()) => {}
            Some((way, why)) => out.weaker.push(self.weaker(
                way,
                if way == Way::Turned { Level::Info } else { level },
                a,
                Some(b),
                format!("{}{why}", became()),
            )),
            None if a.subject == b.subject && a.check.claim == b.check.claim && is_edited(a, b) => {
                out.edited.push(Edited {
                    before: a.span.clone(),
                    now: b.span.clone(),
                    what: format!("expected value changed: `{}` became `{}`", self.written(a), self.edited(b)),
                });
            }
            None => {}
        }
    }

    /// Judges the checks that nothing stands for any more.
    fn lost(&self, pool: &Pools<'_>, out: &mut Comparison) {
        let gone = || self.pairing.lost.iter().map(|o| &self.before.made[*o]).filter(|a| a.can_fail());
        if self.after.empty && !self.before.empty && before_checks(self.before) {
            out.weaker.extend(gone().take(1).map(|a| self.weaker(Way::Emptied, Level::Warn, a, None, "its body is empty".to_owned())));
            return;
        }
        // A branch that failed the test and still stands there.
        for a in gone().filter(|a| a.check.implicit && self.stands_as_branch(a)) {
            let what = format!("`{}` no longer fails it", self.written(a));
            out.weaker.push(self.weaker(Way::Disconnected, Level::Warn, a, None, what));
        }
        let mut lost: Vec<&Made> = gone().filter(|a| a.is_explicit()).collect();
        lost.retain(|a| !self.covered(a) && !self.is_double(a) && !self.is_alternative(a));
        if lost.is_empty() {
            return;
        }
        // A message that is part of what must be raised now was looked at by itself before.
        let told = self.pairing.pairs.iter().any(|p| {
            let (a, b) = (&self.before.made[p.old], &self.after.made[p.new]);
            a.check.claim == Claim::Raises && b.check.claim == Claim::Raises && b.check.level > a.check.level
        });
        if told {
            lost.retain(|a| !matches!(a.check.claim, Claim::Equal | Claim::Holds | Claim::Raises));
        }
        let gained: Vec<&Made> = self.pairing.gained.iter().map(|n| &self.after.made[*n]).collect();
        // What cannot be resolved is taken to check what it replaces (rules-a.md D20).
        if gained.iter().any(|b| b.is_unknown() && b.can_fail()) {
            return;
        }
        let rows = self.after.parametrised && !self.before.parametrised;
        let again = |a: &&Made| {
            !self.after.made.iter().any(|b| {
                (b.fate.repeated || rows)
                    && b.can_fail()
                    && b.check.claim == a.check.claim
                    && b.check.level >= a.check.level
                    && !a.fate.repeated
            })
        };
        lost.retain(again);
        let mut free: Vec<&Made> = gained.into_iter().filter(|b| b.can_fail() && b.is_explicit()).collect();
        // Written anew: another check of as much is taken for the one that is gone.
        lost.retain(|a| match free.iter().position(|b| b.check.level >= a.check.level.min(PART)) {
            Some(at) => {
                free.remove(at);
                false
            }
            None => true,
        });
        if lost.is_empty() {
            return;
        }
        let pool = pool();
        lost.retain(|a| !pool.holds(a));
        let known = self.pairing.pairs.iter().filter(|p| p.same || self.before.made[p.old].subject == self.after.made[p.new].subject);
        let known = known.filter(|p| self.before.made[p.old].is_explicit()).count();
        let all = self.before.made.iter().filter(|m| m.is_explicit()).count();
        // One comparison of a whole, written down, in place of several of its parts.
        let whole = self.gained().any(|b| b.check.level >= EXACT && b.expected.iter().any(|e| e.0.len() >= WHOLE_TOKENS_MIN));
        let rewritten = whole || known * 3 < all && self.after.made.iter().any(Made::can_fail);
        for a in lost {
            let (way, how) = self.how(a);
            let sure = !rewritten && free.is_empty() && !self.only_narrows(a);
            let level = if sure { Level::Warn } else { Level::Info };
            out.weaker.push(self.weaker(way, level, a, None, format!("`{}` {how}", self.written(a))));
        }
    }

    /// Whether a check stood right beside one that says the same and is still there.
    fn is_double(&self, a: &Made) -> bool {
        let text = self.old.document.text();
        let beside = |b: &Made| {
            let between = if b.span.end <= a.span.start { b.span.end..a.span.start } else { a.span.end..b.span.start };
            text.get(between).is_some_and(|t| t.chars().all(|c| c.is_whitespace() || c == ';'))
        };
        let kept = |b: &Made| self.pairing.pairs.iter().any(|p| std::ptr::eq(&self.before.made[p.old], b));
        self.before.made.iter().any(|b| !std::ptr::eq(b, a) && super::pairing::is_same(a, b) && beside(b) && kept(b))
    }

    /// Whether a check said only that there is something, or of what kind, where others look at values: it may have been there for
    /// a type checker. In one typed repository 13 of 45 findings read were such.
    fn only_narrows(&self, a: &Made) -> bool {
        let narrow = matches!(a.check.claim, Claim::Exists | Claim::Kind);
        narrow && self.after.made.iter().any(|b| b.is_explicit() && b.can_fail() && b.check.level >= PART)
    }

    /// Whether a branch that was an assertion is still there, and no assertion.
    fn stands_as_branch(&self, a: &Made) -> bool {
        let text = self.old.document.text().get(a.span.clone()).unwrap_or("");
        let Some((head, _)) = text.split_once('{').filter(|(head, _)| head.starts_with("if")) else { return false };
        let idle = self.old.document.language.adapter.idle_words();
        let head = Norm::of(head, idle);
        let heads = |side: &Side<'_>| {
            let text = side.document.text();
            let as_checks = self.after.made.iter().filter(|m| m.via.is_none()).filter_map(|m| text.get(m.span.clone())?.split_once('{'));
            as_checks.filter(|(h, _)| Norm::of(h, idle) == head).count()
        };
        self.now.iter().any(|side| {
            let unit = &side.document.inventory().units[side.index];
            let all = Norm::of(side.document.text().get(unit.range.clone()).unwrap_or(""), idle);
            head.times_in(&all) > heads(side)
        })
    }

    /// A test that had to succeed and has to fail now (W6): any failure will do.
    fn must_fail(&self, out: &mut Comparison) {
        let of_whole = |side: &Side<'_>, made: &Made| {
            let unit = &side.document.inventory().units[side.index];
            let body = unit.facts.item.body.map_or(unit.range.end, |b| unit.absolute(b.span).start);
            made.check.claim == Claim::Raises && made.via.is_none() && made.span.end <= body
        };
        if self.before.made.iter().any(|m| m.check.claim == Claim::Raises && m.is_explicit()) {
            return;
        }
        let Some(side) = self.now.first() else { return };
        if let Some(b) = self.after.made.iter().find(|m| of_whole(side, m)) {
            let what = format!("`{}` is new: it had to succeed, and any such failure passes now", self.edited(b));
            out.weaker.push(Weakening { way: Way::Broader, level: Level::Warn, before: None, now: Some(b.span.clone()), what });
        }
    }

    /// Returns how an assertion that is none any more still stands in the test.
    fn how(&self, a: &Made) -> (Way, &'static str) {
        let written = Norm::of(self.old.document.text().get(a.span.clone()).unwrap_or(""), self.old.document.language.adapter.idle_words());
        for side in self.now {
            let units = &side.document.inventory().units;
            let unit = &units[side.index];
            let text = side.document.text().get(unit.range.clone()).unwrap_or("");
            let commented = units[side.index..side.index + unit.size as usize].iter().any(|u| {
                u.facts.local.comments.iter().any(|c| {
                    let comment = side.document.text().get(u.absolute(c.span)).unwrap_or("");
                    written.is_in(&Norm::of(comment, &[]))
                })
            });
            if commented {
                return (Way::Disconnected, "is commented out");
            }
            let counted = self.after.made.iter().any(|b| {
                b.via.is_none()
                    && Norm::of(side.document.text().get(b.span.clone()).unwrap_or(""), &[])
                        == Norm::of(self.old.document.text().get(a.span.clone()).unwrap_or(""), &[])
            });
            if counted {
                return (Way::Gone, "is gone");
            }
            if self.stands_as_branch(a) || written.is_in(&Norm::of(text, side.document.language.adapter.idle_words())) {
                return (Way::Disconnected, "is still written and checks nothing");
            }
        }
        (Way::Gone, "is gone")
    }

    /// Whether other checks of the edited test say at least as much of what a check was about (rules-a.md D19).
    fn covered(&self, a: &Made) -> bool {
        let others = || self.after.made.iter().filter(|b| b.can_fail() && b.is_explicit());
        // A query that throws where it finds nothing says that there is one.
        let found = |b: &Made| b.check.implicit && b.check.claim == Claim::Exists && b.subject == a.subject;
        if matches!(a.check.claim, Claim::Visible | Claim::Exists) && self.after.made.iter().any(|b| b.can_fail() && found(b)) {
            return true;
        }
        let whole = |b: &Made| b.check.level >= EXACT || b.check.claim == Claim::Snapshot;
        others().any(|b| {
            let same = a.subject == b.subject && !a.subject.is_empty();
            // The same subject, and as much of it.
            (same && is_value(a) && b.check.claim == Claim::Equal && b.check.level >= a.check.level && names_value(b))
                || (same && (b.check.level > a.check.level || (whole(b) && !b.check.negated && b.check.level >= a.check.level)) && !is_twin(self.before, a, b))
                // A member of what is compared as a whole.
                || (whole(b) && !b.check.negated && b.subject.owns(&a.subject) && holds_value(b, a))
                // That there is one, of a kind, of a length, where its parts are looked at.
                || ((a.check.level <= EXISTENCE || matches!(a.check.claim, Claim::Kind | Claim::Visible)) && !a.subject.is_empty() && a.subject.is_in(&b.subject) && b.check.level >= a.check.level)
                || (a.check.claim == Claim::Length && whole(b) && a.subject.is_in(&b.subject) && (!a.subject.owns(&b.subject) || b.check.subject.contains('(')))
                // Said twice, in whatever words.
                || (same && b.matcher != a.matcher && b.check.claim == a.check.claim && b.check.negated == a.check.negated && a.expected.is_empty() && b.expected.is_empty() && b.check.level >= a.check.level)
                // A message that is asked for in another link, or with others.
                || (a.check.claim == Claim::Raises && b.check.claim == Claim::Raises && b.check.level >= a.check.level && self.says(b, a))
        })
    }

    /// Whether the text of a check of the edited test holds what another expects.
    fn says(&self, b: &Made, a: &Made) -> bool {
        let text = self.now.iter().find_map(|side| side.document.text().get(b.span.clone())).unwrap_or("");
        let said = Norm::of(text, &[]);
        !a.expected.is_empty() && a.expected.iter().all(|e| e.is_in(&said))
    }

    /// Whether a check stood in one way of a branch, and one in the other way is still there: either of them was made.
    fn is_alternative(&self, a: &Made) -> bool {
        let opposite = |b: &Made| {
            b.fate.guards.iter().any(|g| a.fate.guards.iter().any(|own| own.condition == g.condition && own.otherwise != g.otherwise))
        };
        self.pairing.pairs.iter().map(|p| (&self.before.made[p.old], &self.after.made[p.new])).any(|(b, now)| {
            opposite(b)
                && b.check.claim == a.check.claim
                && b.subject.likeness(&a.subject) >= SUBJECT_MIN
                && now.fate.guards.len() < b.fate.guards.len()
        })
    }

    /// Returns what it weighs that a check is only made under a condition, where that is new (rules-a.md D21).
    fn guarded(&self, a: &Made, b: &Made) -> Option<Level> {
        if a.fate.guards.len() >= b.fate.guards.len() {
            return None;
        }
        let known: Vec<&Norm> = a.fate.guards.iter().map(|g| &g.norm).collect();
        let fresh: Vec<&Guard> = b.fate.guards.iter().filter(|g| !known.contains(&&g.norm)).collect();
        let guard = fresh.first()?;
        let other_way = self.after.made.iter().any(|m| {
            m.can_fail()
                && (m.fate.guards.iter().any(|g| g.condition == guard.condition && g.otherwise != guard.otherwise)
                    || (m.span.start <= guard.condition.start && guard.condition.end <= m.span.end))
        });
        if other_way || b.fate.repeated || self.after.parametrised {
            return None;
        }
        let side = self.now.first()?;
        let condition = side.document.text().get(guard.condition.clone())?;
        let produced = produced(side);
        words(condition).into_iter().any(|w| produced.contains(w)).then_some(Level::Warn)
    }

    fn condition(&self, b: &Made) -> &str {
        let range = b.fate.guards.last().map(|g| g.condition.clone()).unwrap_or_default();
        self.now.first().and_then(|side| side.document.text().get(range)).unwrap_or("")
    }
}

fn before_checks(before: &Model) -> bool {
    before.made.iter().any(Made::can_fail)
}

/// Whether a check of the edited test was one of the base already, beside the one in question.
fn is_twin(before: &Model, a: &Made, b: &Made) -> bool {
    before.made.iter().any(|m| !std::ptr::eq(m, a) && super::pairing::is_same(m, b))
}

/// Whether a check says which value its subject has.
fn is_value(a: &Made) -> bool {
    matches!(a.check.claim, Claim::Equal | Claim::Absent | Claim::Truth)
}

/// Whether what is expected is named and not written down: a parameter, a field of a row.
fn names_value(b: &Made) -> bool {
    b.check.expected.first().is_some_and(|e| e.starts_with(|c: char| c.is_alphabetic() || c == '_') && !e.contains(['(', '"', '\'']))
        && !matches!(b.check.expected[0].as_str(), "true" | "false" | "True" | "False" | "None" | "null" | "nil")
}

/// Whether an exact comparison of a whole holds what was expected of its part.
fn holds_value(whole: &Made, part: &Made) -> bool {
    match part.expected.first() {
        Some(value) if whole.check.claim == Claim::Equal => {
            whole.expected.iter().any(|e| value.is_in(e)) || whole.expected.iter().all(|e| e.0.len() < 4)
        }
        _ => true,
    }
}

/// Whether what is expected is another value.
fn is_edited(a: &Made, b: &Made) -> bool {
    a.expected != b.expected || a.check.negated != b.check.negated
}

/// Returns the names that a test gives to values.
fn produced<'d>(side: &Side<'d>) -> HashSet<&'d str> {
    let unit = &side.document.inventory().units[side.index];
    let body = unit.facts.item.body.map_or(unit.range.clone(), |b| unit.absolute(b.span));
    let text = side.document.text().get(body).unwrap_or("");
    let mut names = HashSet::new();
    for line in text.lines() {
        let assigned = line.match_indices('=').find(|(at, _)| {
            let (before, after) = (line[..*at].chars().next_back(), line[at + 1..].chars().next());
            !matches!(before, Some('=' | '!' | '<' | '>')) && !matches!(after, Some('=' | '>'))
        });
        let Some((at, _)) = assigned else { continue };
        // What stands in brackets before the sign is a call's named argument.
        if line[..at].contains('(') && !line[..at].trim_start().starts_with('(') {
            continue;
        }
        names.extend(
            words(&line[..at]).into_iter().filter(|w| !matches!(*w, "let" | "const" | "var" | "mut" | "if" | "final" | "self" | "this")),
        );
    }
    names
}
