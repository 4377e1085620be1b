//! Pipes where the system has `poll`.

use super::{CHUNK_BYTES, Drained};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{ErrorKind, Read, Result};
use std::os::fd::AsFd;
use std::process::{ChildStderr, ChildStdout};
use std::time::Instant;

/// Waits until one of some pipes has something to say, or is at its end; returns false where the time is over.
fn wait(pipes: &mut [PollFd<'_>], until: Instant) -> Result<bool> {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).unwrap_or(Timespec { tv_sec: i32::MAX.into(), tv_nsec: 0 });
        match poll(pipes, Some(&timeout)) {
            Ok(0) if Instant::now() >= until => return Ok(false),
            Ok(0) => {}
            Ok(_) => return Ok(true),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// A pipe whose reads end with [`ErrorKind::TimedOut`] at a given moment.
#[derive(Debug)]
pub(in super::super) struct Patient<P> {
    pipe: P,
    until: Instant,
}

impl<P: Read + AsFd + Send + 'static> Patient<P> {
    pub(in super::super) fn new(pipe: P) -> Self {
        Patient { pipe, until: Instant::now() }
    }

    /// Sets until when a read waits.
    pub(in super::super) fn wait_until(&mut self, until: Instant) {
        self.until = until;
    }
}

impl<P: Read + AsFd> Read for Patient<P> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if !wait(&mut [PollFd::new(&self.pipe, PollFlags::IN)], self.until)? {
            return Err(ErrorKind::TimedOut.into());
        }
        self.pipe.read(buffer)
    }
}

/// Reads a child's output and error output to their ends, keeping as many bytes of each as told; none where the time is over.
pub(in super::super) fn drain(
    mut stdout: ChildStdout,
    mut stderr: ChildStderr,
    bytes_max: [usize; 2],
    until: Instant,
) -> Option<(Drained, Drained)> {
    let mut drained = [Drained::default(), Drained::default()];
    let mut open = [true, true];
    let mut chunk = vec![0; CHUNK_BYTES];
    while open != [false, false] {
        let mut asked: Vec<PollFd<'_>> = Vec::with_capacity(2);
        if open[0] {
            asked.push(PollFd::new(&stdout, PollFlags::IN));
        }
        if open[1] {
            asked.push(PollFd::new(&stderr, PollFlags::IN));
        }
        if !wait(&mut asked, until).ok()? {
            return None;
        }
        let mut told = asked.iter().map(|pipe| !pipe.revents().is_empty());
        let ready = open.map(|open| open && told.next() == Some(true));
        drop(asked);
        for (at, pipe) in [&mut stdout as &mut dyn Read, &mut stderr].into_iter().enumerate().filter(|(at, _)| ready[*at]) {
            match pipe.read(&mut chunk) {
                Ok(0) => open[at] = false,
                Ok(count) => drained[at].add(&chunk[..count], bytes_max[at]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => (open[at], drained[at].cut) = (false, true),
            }
        }
    }
    let [out, err] = drained;
    Some((out, err))
}
