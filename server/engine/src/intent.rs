//! What a task is for, and how that moves the level of a finding: never the fact (SPEC.md 3).
//!
//! One small table. Today `--task` says the kind; a contract will.

use crate::finding::Level;
use crate::rules::RuleId;

/// The kind of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// Something new.
    Feature,
    /// A fault put right.
    Bugfix,
    /// The same behaviour in another form.
    Refactor,
    /// The same behaviour, faster or smaller or clearer to its users.
    Improvement,
    /// Another version, platform or format.
    Migration,
    /// Dependencies, tools, housekeeping.
    Maintenance,
    /// Finding something out.
    Investigation,
    /// Trying something out.
    Discovery,
    /// Tests alone.
    Test,
    /// An earlier change taken back.
    Revert,
    /// Work that changes no behaviour.
    Chore,
}

impl Task {
    /// All kinds, in the order in which they are listed.
    pub const ALL: &[Task] = &[
        Task::Feature,
        Task::Bugfix,
        Task::Refactor,
        Task::Improvement,
        Task::Migration,
        Task::Maintenance,
        Task::Investigation,
        Task::Discovery,
        Task::Test,
        Task::Revert,
        Task::Chore,
    ];

    /// Returns the word for it.
    pub fn name(self) -> &'static str {
        match self {
            Task::Feature => "feature",
            Task::Bugfix => "bugfix",
            Task::Refactor => "refactor",
            Task::Improvement => "improvement",
            Task::Migration => "migration",
            Task::Maintenance => "maintenance",
            Task::Investigation => "investigation",
            Task::Discovery => "discovery",
            Task::Test => "test",
            Task::Revert => "revert",
            Task::Chore => "chore",
        }
    }

    /// Returns the kind of a word.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|task| task.name() == name)
    }
}

/// A finding that weighs otherwise in a task of a kind.
struct Move {
    rule: &'static str,
    /// Which findings of the rule (`Draft::aspect`); empty for all.
    aspect: &'static str,
    task: Task,
    level: Level,
}

const fn moved(rule: &'static str, aspect: &'static str, task: Task, level: Level) -> Move {
    Move { rule, aspect, task, level }
}

/// An assertion that an existing test no longer makes (`test-weakened`).
pub(crate) const LOST_ASSERTION: &str = "lost-assertion";

/// An expected value that was edited: a note, but for a bugfix.
pub(crate) const EDITED_VALUE: &str = "edited-value";

const MOVES: &[Move] = &[
    moved("test-removed", "", Task::Bugfix, Level::Block),
    moved("test-removed", "", Task::Refactor, Level::Block),
    moved("test-removed", "", Task::Revert, Level::Info),
    moved("test-weakened", LOST_ASSERTION, Task::Refactor, Level::Block),
];

/// Returns the level of a finding in a task: information is not raised, a rank of a case within its rule.
pub(crate) fn level(task: Option<Task>, rule: RuleId, aspect: &str, own: Level) -> Level {
    let applies = |m: &&Move| Some(m.task) == task && m.rule == rule.0 && (m.aspect.is_empty() || m.aspect == aspect);
    match MOVES.iter().find(applies) {
        Some(_) if own == Level::Info => own,
        Some(moved) => moved.level,
        None => own,
    }
}

/// Whether notes of an aspect are findings in a task: in a bugfix the expected value is what must not follow the code.
pub(crate) fn reports_notes(task: Option<Task>, aspect: &str) -> bool {
    task == Some(Task::Bugfix) && aspect == EDITED_VALUE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intent_moves_levels_and_no_information() {
        let removed = RuleId("test-removed");
        assert_eq!(level(None, removed, "", Level::Warn), Level::Warn);
        assert_eq!(level(Some(Task::Bugfix), removed, "", Level::Warn), Level::Block);
        assert_eq!(level(Some(Task::Revert), removed, "", Level::Warn), Level::Info);
        assert_eq!(level(Some(Task::Refactor), removed, "", Level::Info), Level::Info);
        assert_eq!(level(Some(Task::Refactor), RuleId("test-weakened"), "", Level::Warn), Level::Warn);
        assert_eq!(level(Some(Task::Refactor), RuleId("test-weakened"), LOST_ASSERTION, Level::Warn), Level::Block);
    }

    #[test]
    fn names_are_read_back() {
        for task in Task::ALL {
            assert_eq!(Task::parse(task.name()), Some(*task));
        }
    }
}
