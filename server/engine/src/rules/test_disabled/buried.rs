//! Tests that stand inside a function that nobody calls: `describe` turned into a function, a test put under `def _later():`.

use crate::check::Baseline;
use crate::facts::Unit;
use crate::facts::callers::{closed_around, is_uncalled};
use crate::rules::{Draft, Seen};
use oguard_grammars::facts::ItemKind;
use std::collections::BTreeMap;

/// Tests of the base that now stand in such a function, by that function.
#[derive(Default)]
pub(super) struct Buried {
    by_function: BTreeMap<usize, Vec<usize>>,
}

impl Buried {
    /// Takes a test of the base that no longer runs; false where its code stands in no such function.
    pub(super) fn take(&mut self, seen: &Seen<'_>, base: &Baseline, old_index: usize, old: &Unit) -> bool {
        let Some(hash) = base.body_hash(old) else { return false };
        let same = |unit: &Unit| {
            matches!(unit.kind(), ItemKind::Test | ItemKind::Function)
                && unit.facts.item.name == old.facts.item.name
                && super::body_hash(seen, unit) == Some(hash)
        };
        let mut units = seen.document.inventory().units.iter().enumerate().filter(|(_, unit)| same(unit));
        let Some(function) = units.find_map(|(index, _)| closed_around(seen.document, index).filter(|f| is_uncalled(seen.document, *f)))
        else {
            return false;
        };
        self.by_function.entry(function).or_default().push(old_index);
        true
    }

    /// Adds one finding a function: the tests inside are evidence.
    pub(super) fn report(self, seen: &Seen<'_>, base: &Baseline, acc: &mut Vec<Draft>) {
        for (function, tests) in self.by_function {
            let Some((first, others)) = tests.split_first() else { continue };
            let (first, others) = (*first, others.len());
            let old = base.unit(first);
            let whose = match others {
                0 => format!("`{}` stands", base.name(first)),
                1 => format!("`{}` and another test stand", base.name(first)),
                more => format!("`{}` and {more} other tests stand", base.name(first)),
            };
            let unit = seen.unit(function);
            let message = format!("{whose} in `{}`, which nothing calls", seen.own_name(function));
            let at = unit.absolute(unit.facts.item.name_span);
            let mut draft = Draft::new(&super::RULE, seen, function, at).message(message).subject(old.facts.item.name.clone());
            draft.related.push((old.absolute(old.facts.item.name_span), "the test that ran".to_owned()));
            draft.explains = tests;
            acc.push(draft);
        }
    }
}
