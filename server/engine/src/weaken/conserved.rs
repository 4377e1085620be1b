//! What left a test and stands in another, in a hook or in a helper of the change: it was moved and not lost (rules-b.md 2).

use super::model::{Made, read};
use super::text::Norm;
use crate::document::Document;
use oguard_grammars::checks::Claim;
use std::collections::HashMap;

/// From how alike on two subjects of one expected value are the same check in another place.
const ALIKE_MIN: f64 = 0.5;

type Key = (Claim, bool, Norm, Vec<Norm>);

/// All checks of the texts of a change, before and now.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    before: HashMap<Key, usize>,
    now: HashMap<Key, usize>,
}

impl Pool {
    /// Reads the checks of a text of the base.
    pub(crate) fn add_base(&mut self, document: &Document) {
        add(document, &mut self.before);
    }

    /// Reads the checks of an edited text.
    pub(crate) fn add_edited(&mut self, document: &Document) {
        add(document, &mut self.now);
    }

    /// Whether a check that left its test stands somewhere else now.
    pub(super) fn holds(&self, made: &Made) -> bool {
        let key = key(made);
        let count = |counts: &HashMap<Key, usize>| counts.get(&key).copied().unwrap_or(0);
        let (before, now) = (count(&self.before), count(&self.now));
        if now > 0 && now >= before {
            return true;
        }
        let gained = self.now.iter().filter(|(key, count)| **count > self.before.get(*key).copied().unwrap_or(0));
        let telling = made.expected.iter().map(|e| e.0.len()).sum::<usize>() > 0;
        gained.map(|(key, _)| key).any(|(claim, negated, subject, expected)| {
            let same_value = telling && *expected == made.expected && subject.likeness(&made.subject) >= ALIKE_MIN;
            *claim == made.check.claim
                && *negated == made.check.negated
                && (same_value || (*subject == made.subject && !subject.is_empty()))
        })
    }
}

fn key(made: &Made) -> Key {
    (made.check.claim, made.check.negated, made.subject.clone(), made.expected.clone())
}

fn add(document: &Document, counts: &mut HashMap<Key, usize>) {
    for unit in document.inventory().units.iter().filter(|u| u.in_tests) {
        for assertion in &unit.facts.local.assertions {
            for made in read(document, unit, assertion) {
                *counts.entry(key(&made)).or_insert(0) += 1;
            }
        }
    }
}
