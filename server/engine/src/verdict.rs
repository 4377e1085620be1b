//! The one place where a verdict is made.
//!
//! `error` never becomes `pass`: there is no default, and the worst of all inputs wins.

use crate::finding::Level;

/// What a run amounts to, in rising order of precedence (SPEC.md 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// What ran found no violation.
    Pass,
    /// Something needs attention and stops nothing.
    Warn,
    /// Required verification was omitted or incomplete.
    Unknown,
    /// Policy on reproducible evidence stops.
    Block,
    /// The guard could not evaluate.
    Error,
}

impl Verdict {
    /// Returns the name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Warn => "warn",
            Verdict::Unknown => "unknown",
            Verdict::Block => "block",
            Verdict::Error => "error",
        }
    }

    /// Returns the exit code: 0 pass or warn, 1 block, 2 error, 3 unknown.
    pub fn exit_code(self) -> u8 {
        match self {
            Verdict::Pass | Verdict::Warn => 0,
            Verdict::Block => 1,
            Verdict::Error => 2,
            Verdict::Unknown => 3,
        }
    }
}

/// Returns the verdict of a run from the levels of its findings and from whether anything failed.
pub fn of(levels: impl Iterator<Item = Level>, failed: bool) -> Verdict {
    if failed {
        return Verdict::Error;
    }
    levels
        .map(|level| match level {
            Level::Info => Verdict::Pass,
            Level::Warn => Verdict::Warn,
            Level::Block => Verdict::Block,
        })
        .max()
        .unwrap_or(Verdict::Pass)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_wins_over_everything() {
        assert_eq!(of([Level::Block].into_iter(), true), Verdict::Error);
        assert_eq!(of(std::iter::empty(), true).exit_code(), 2);
    }

    #[test]
    fn information_moves_no_verdict() {
        assert_eq!(of([Level::Info].into_iter(), false), Verdict::Pass);
        assert_eq!(of([Level::Info, Level::Block, Level::Warn].into_iter(), false), Verdict::Block);
    }
}
