//! Which check of the base is which of the edited test: the same first, then those about the same subject, then the most alike.

use super::model::Made;
use oguard_grammars::checks::Claim;

/// From how alike on two checks are one that was edited.
const ALIKE_MIN: f64 = 4.0;

/// A check of the base and what it became.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) old: usize,
    pub(super) new: usize,
    /// They say the same.
    pub(super) same: bool,
}

/// What is paired, and what is left on both sides.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    pub(super) pairs: Vec<Pair>,
    pub(super) lost: Vec<usize>,
    pub(super) gained: Vec<usize>,
}

/// Pairs the checks of a test.
pub(super) fn pair(old: &[Made], new: &[Made]) -> Pairing {
    let mut pairing = Pairing::default();
    let mut taken = vec![false; new.len()];
    let mut open = Vec::new();
    for (o, made) in old.iter().enumerate() {
        let twin = (0..new.len()).find(|n| !taken[*n] && is_same(made, &new[*n]));
        match twin {
            Some(n) => {
                taken[n] = true;
                pairing.pairs.push(Pair { old: o, new: n, same: true });
            }
            None => open.push(o),
        }
    }
    let mut scored: Vec<(f64, usize, usize)> = Vec::new();
    for o in &open {
        for n in (0..new.len()).filter(|n| !taken[*n]) {
            let score = likeness(&old[*o], &new[n]);
            if score >= ALIKE_MIN {
                scored.push((score, *o, n));
            }
        }
    }
    let place = |at: usize, all: usize| at as f64 / all.max(1) as f64;
    let apart = |o: usize, n: usize| (place(o, old.len()) - place(n, new.len())).abs();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(apart(a.1, a.2).total_cmp(&apart(b.1, b.2))));
    let mut found = vec![false; old.len()];
    for (_, o, n) in scored {
        if !found[o] && !taken[n] {
            (found[o], taken[n]) = (true, true);
            pairing.pairs.push(Pair { old: o, new: n, same: false });
        }
    }
    pairing.lost = open.into_iter().filter(|o| !found[*o]).collect();
    pairing.gained = (0..new.len()).filter(|n| !taken[*n]).collect();
    pairing
}

/// Whether two checks say the same of the same.
pub(super) fn is_same(a: &Made, b: &Made) -> bool {
    a.check.claim == b.check.claim
        && a.check.negated == b.check.negated
        && a.check.level == b.check.level
        && a.check.tolerance == b.check.tolerance
        && a.subject == b.subject
        && a.expected == b.expected
        && (a.check.claim != Claim::Unknown || a.matcher == b.matcher)
}

/// Returns how alike two checks are.
fn likeness(a: &Made, b: &Made) -> f64 {
    let mut score = if a.subject.is_empty() && b.subject.is_empty() {
        3.0
    } else if a.subject == b.subject {
        6.0
    } else {
        let alike = 5.0 * a.subject.likeness(&b.subject);
        if a.subject.is_in(&b.subject) || b.subject.is_in(&a.subject) { alike.max(3.5) } else { alike }
    };
    if a.check.claim == b.check.claim {
        score += 2.0;
    }
    if a.is_unknown() && b.is_unknown() {
        score += if a.matcher == b.matcher { 4.0 } else { -2.0 };
    }
    if a.via.is_some() && a.via == b.via {
        score += 4.0;
    }
    match (a.expected.first(), b.expected.first()) {
        (Some(one), Some(other)) if a.expected == b.expected => score += if one.0.len() + other.0.len() > 2 { 3.0 } else { 1.5 },
        (Some(one), Some(other)) => score += 2.0 * one.likeness(other),
        _ => {}
    }
    // What a call does on its way stands for a check only where nothing else does.
    if b.check.implicit && !a.check.implicit {
        score -= 1.5;
    }
    if b.is_explicit() && b.check.level < a.check.level {
        score -= 0.5;
    }
    score
}
