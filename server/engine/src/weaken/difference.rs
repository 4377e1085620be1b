//! In what way a check says less than the one it took the place of.
//!
//! Words that say as much are no difference (rules-a.md 7.2), nor is another expected value.

use super::Way;
use super::model::Made;
use oguard_grammars::checks::{Claim, KIND, NOTHING};

/// A near value may be this far off before it says less than the exact one (rules-a.md D24).
const NEAR_RELATIVE: f64 = 1e-3;
/// What a matcher allows that is told nothing else, and what is near to nothing.
const NEAR_ENOUGH: f64 = 5e-3;
const NEAR_ZERO: f64 = 1e-2;
/// By how much a tolerance grows before it is another one.
const WIDER: f64 = 9.99;

/// Returns in what way a check says less than another of the same subject, and the end of the sentence that says so.
pub(super) fn difference(a: &Made, b: &Made) -> Option<(Way, String)> {
    let (old, new) = (&a.check, &b.check);
    if new.level == NOTHING {
        return Some((Way::Always, ", which always holds".to_owned()));
    }
    if old.claim == Claim::Near && new.claim == Claim::Near {
        let wider = old.tolerance.zip(new.tolerance).is_some_and(|(before, now)| now >= before * WIDER && before > 0.0);
        return wider.then(|| (Way::Tolerance, ", which lets more pass for near".to_owned()));
    }
    if old.claim == Claim::Equal && new.claim == Claim::Near && !old.negated {
        let value = new.expected.first().and_then(|e| magnitude(e)).filter(|v| *v > 0.0);
        let far = new.tolerance.is_some_and(|t| match value {
            Some(value) => t / value >= NEAR_RELATIVE && t > NEAR_ENOUGH,
            None => t > NEAR_ZERO,
        });
        return far.then(|| (Way::Tolerance, ", which lets more pass for near".to_owned()));
    }
    if old.claim == Claim::Raises && new.claim == Claim::Raises {
        let several = b.expected.first().zip(a.expected.first()).is_some_and(|(now, before)| now != before && before.is_in(now));
        if new.level < old.level || (several && new.level <= old.level && new.expected.first().is_some_and(|e| e.starts_with('('))) {
            return Some((Way::Broader, ", which takes other errors too".to_owned()));
        }
        return None;
    }
    if old.claim == Claim::Equal && new.claim == Claim::Snapshot {
        return Some((Way::Snapshot, ", which takes whatever is recorded".to_owned()));
    }
    let filled = is_empty_value(a) && old.negated;
    if filled && (new.claim == Claim::Exists || (matches!(new.claim, Claim::Truth | Claim::Length) && new.level > NOTHING)) {
        return None;
    }
    if is_empty_value(a) && (new.claim == Claim::Length || (matches!(new.claim, Claim::Truth) && new.negated) || new.claim == Claim::Absent)
    {
        return None;
    }
    // Nothing is none, or an empty one: another value is expected.
    if old.claim == Claim::Absent && matches!(new.claim, Claim::Succeeds | Claim::Length) {
        return None;
    }
    if old.claim == Claim::Raises && new.claim == Claim::Succeeds && a.subject == b.subject {
        return None;
    }
    // It had to fail and must not now, or the other way round: another value is expected.
    if (old.claim == Claim::Raises) != (new.claim == Claim::Raises)
        && (new.claim == Claim::Raises || new.claim == Claim::Succeeds)
        && !new.implicit
    {
        return None;
    }
    if new.level < old.level && !(new.implicit && old.level <= KIND) {
        return Some((Way::Looser, ", which says less".to_owned()));
    }
    let turned = !old.negated && new.negated && old.claim == new.claim && a.expected == b.expected;
    if turned && matches!(old.claim, Claim::Holds | Claim::Kind | Claim::Relation) && a.subject == b.subject {
        return Some((Way::Turned, ", which is the opposite".to_owned()));
    }
    None
}

/// Returns the number in an expected value: `float64(123)` is 123.
fn magnitude(text: &str) -> Option<f64> {
    let start = text.rfind(|c: char| c.is_alphabetic() || c == '(').map_or(0, |i| i + 1);
    let digits: String = text[start..].chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    digits.parse().ok()
}

/// Whether a check says that its subject is an empty collection or text, however that is written.
fn is_empty_value(a: &Made) -> bool {
    let empty = |text: &str| {
        let inner: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        matches!(
            inner.as_str(),
            "[]" | "{}"
                | "()"
                | "\"\""
                | "''"
                | "``"
                | "vec![]"
                | "set()"
                | "dict()"
                | "list()"
                | "0"
                | "Vec::new()"
                | "String::new()"
                | "false"
                | "False"
        )
    };
    let none = a.check.claim == Claim::Length && a.check.expected.is_empty();
    let made = |text: &str| {
        text.starts_with("Collections.empty") || matches!(text, "List.of()" | "Map.of()" | "Set.of()" | "emptyList()" | "emptyMap()")
    };
    none || matches!(a.check.claim, Claim::Equal | Claim::Length) && a.check.expected.first().is_some_and(|e| empty(e) || made(e))
}
