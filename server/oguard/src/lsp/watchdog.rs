//! Ends the server when the process that started it is gone.
//!
//! The end of the stream says so first; this is for clients whose pipe stays open. One that names us, or a process that is
//! not there to begin with (a sandbox has numbers of its own), is not watched.

use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// Time between two looks.
const EVERY: Duration = Duration::from_secs(5);

/// Tells `gone` once a process that lives now does no longer.
pub(crate) fn watch(process: u32, gone: Arc<Notify>) {
    if process == std::process::id() || !lives(process) {
        return;
    }
    tokio::spawn(async move {
        while lives(process) {
            tokio::time::sleep(EVERY).await;
        }
        gone.notify_one();
    });
}

#[cfg(unix)]
fn lives(process: u32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let Some(pid) = i32::try_from(process).ok().and_then(Pid::from_raw) else { return false };
    // A process of another user refuses the signal, but is there.
    !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH))
}

/// Elsewhere the end of the stream has to do.
#[cfg(not(unix))]
fn lives(_: u32) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_process_that_has_ended_does_not_live() {
        assert!(lives(std::process::id()));
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        assert!(!lives(child.id()));
    }
}
