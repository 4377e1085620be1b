//! Where HEAD went since a session began, from its log: which commits were there before and were only gone to.
//!
//! What a pull, a checkout or a merge brought is not the session's work, though it differs from the session's base. The log is
//! read by place, not by time: commits can be given any date.

use super::{LIST_BYTES_MAX, Repository};
use crate::bounded;
use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// Largest part of the log that is read, in bytes: some ten thousand moves.
const LOG_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Most arrivals that are looked at, the last ones: each costs a comparison where there is something to say.
const ARRIVALS_MAX: usize = 4;

impl Repository {
    /// Returns the length of HEAD's log, which names a moment for [`Repository::arrivals`].
    pub(crate) fn head_log(&self) -> u64 {
        std::fs::metadata(self.git_dir.join("logs/HEAD")).map_or(0, |kind| kind.len())
    }

    /// Returns commits that were not made since a moment and that the present texts come from all the same: where HEAD was
    /// moved to, and the other sides of merges, one under way included. `base` itself is left out, and so is a side that was
    /// made in the meantime: merging one's own branch brings nothing.
    ///
    /// Without a log there are none: everything then counts as made here.
    pub(crate) fn arrivals(&self, since: u64, base: Option<&str>) -> Vec<String> {
        let log = self.log_after(since).unwrap_or_default();
        let Arrivals { mut found, made } = arrivals(&log);
        found.extend(self.merged_in());
        // One that git does not know (pruned, or no merge's second parent) explains nothing.
        let ids = found.iter().rev().take(ARRIVALS_MAX).filter_map(|rev| self.resolve(rev).ok());
        let mut ids: Vec<String> = ids.filter(|id| !made.contains(id.as_str()) && Some(id.as_str()) != base).collect();
        ids.reverse();
        ids
    }

    /// Returns the commits that a merge under way brings in.
    pub(crate) fn merged_in(&self) -> Vec<String> {
        let text = bounded::text(&self.git_dir.join("MERGE_HEAD"), LIST_BYTES_MAX).unwrap_or_default();
        text.lines().map(str::trim).filter(|id| is_id(id)).map(str::to_owned).collect()
    }

    fn log_after(&self, since: u64) -> Option<String> {
        let mut file = File::open(self.git_dir.join("logs/HEAD")).ok()?;
        // A log that became shorter was cut at its old end, or is another one.
        (file.metadata().ok()?.len() >= since).then_some(())?;
        file.seek(SeekFrom::Start(since)).ok()?;
        let mut bytes = Vec::new();
        file.take(LOG_BYTES_MAX).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// What a log of HEAD says.
struct Arrivals<'l> {
    /// Where HEAD was moved to, and the other sides of merges, as `MERGE^2`.
    found: Vec<String>,
    /// Commits made there and then.
    made: HashSet<&'l str>,
}

/// Reads lines `old new name <mail> time zone<tab>what: how`.
fn arrivals(log: &str) -> Arrivals<'_> {
    let mut made: HashSet<&str> = HashSet::new();
    let mut found: Vec<String> = Vec::new();
    let mut at = None;
    for line in log.lines() {
        let Some((head, message)) = line.split_once('\t') else { continue };
        let Some(new) = head.split(' ').nth(1).filter(|id| is_id(id)) else { continue };
        let (what, how) = message.split_once(": ").unwrap_or((message, ""));
        let merged = matches!(what.split(' ').next(), Some("merge" | "pull")) && how.starts_with("Merge made");
        if merged || what == "commit (merge)" {
            made.insert(new);
            found.push(format!("{new}^2"));
        } else if makes(what, how) {
            made.insert(new);
        } else if !made.contains(new) {
            at = Some(new);
        }
    }
    found.extend(at.map(str::to_owned));
    Arrivals { found, made }
}

/// Whether an entry says that its commit was made there and then. What is not known was.
fn makes(what: &str, how: &str) -> bool {
    let moves = ["checkout", "reset", "clone", "branch"].contains(&what)
        || how == "Fast-forward"
        || how.starts_with("checkout ")
        || how.starts_with("returning to ")
        || how.starts_with("moving ");
    !moves
}

#[cfg(test)]
mod tests {
    use super::arrivals;

    fn log(entries: &[(char, &str)]) -> Vec<String> {
        let id = |c: char| c.to_string().repeat(40);
        let lines = entries.iter().map(|(new, message)| format!("{} {} A B <a@b> 1 +0000\t{message}\n", id('0'), id(*new)));
        let shown = |found: String| found.chars().next().into_iter().chain(found.chars().skip(40)).collect();
        arrivals(&lines.collect::<String>()).found.into_iter().map(shown).collect()
    }

    #[test]
    fn own_commits_are_no_arrivals() {
        assert_eq!(log(&[('a', "commit: x"), ('b', "commit (amend): y"), ('c', "cherry-pick: z")]), Vec::<String>::new());
        let and_back = [('a', "commit: x"), ('b', "commit: y"), ('a', "reset: moving to HEAD~1"), ('b', "merge other: Fast-forward")];
        assert_eq!(log(&and_back), Vec::<String>::new());
        assert_eq!(log(&[('a', "something that git says one day")]), Vec::<String>::new());
    }

    #[test]
    fn what_was_gone_to_is_one() {
        assert_eq!(log(&[('a', "checkout: moving from main to other")]), ["a"]);
        assert_eq!(log(&[('a', "pull: Fast-forward"), ('b', "commit: x")]), ["a"]);
        assert_eq!(log(&[('a', "pull origin main: Fast-forward"), ('b', "checkout: moving from main to b")]), ["b"]);
        assert_eq!(
            log(&[('a', "rebase (start): checkout main"), ('b', "rebase (pick): x"), ('b', "rebase (finish): returning to x")]),
            ["a"]
        );
    }

    #[test]
    fn the_other_side_of_a_merge_is_one() {
        assert_eq!(log(&[('a', "pull: Merge made by the 'ort' strategy."), ('b', "commit: x")]), ["a^2"]);
        assert_eq!(log(&[('a', "commit (merge): Merge branch 'x'")]), ["a^2"]);
    }

    #[test]
    fn damaged_lines_say_nothing() {
        assert_eq!(super::arrivals("x\n\tcheckout: moving\n0 --output=x A\tcheckout: moving to x\n").found, Vec::<String>::new());
    }
}
