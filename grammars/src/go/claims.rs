//! What assertions claim.

use crate::checks::{Check, Claim, EXACT, Parts};

pub(super) const IDLE: &[&str] = &[];

pub(super) fn read(parts: &Parts<'_>) -> Vec<Check> {
    vec![Check::new(Claim::Unknown, EXACT, parts.subject.unwrap_or(""))]
}
