//! Pipes where the system has no `poll` for them: a thread each.

use super::{CHUNK_BYTES, Drained};
use std::io::{ErrorKind, Read, Result};
use std::marker::PhantomData;
use std::process::{ChildStderr, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Instant;

/// Chunks that wait to be taken; beyond them the child waits, as it would for a full pipe.
const CHUNKS_MAX: usize = 16;

/// A pipe whose reads end with [`ErrorKind::TimedOut`] at a given moment.
#[derive(Debug)]
pub(in super::super) struct Patient<P> {
    pipe: PhantomData<P>,
    chunks: Receiver<Result<Vec<u8>>>,
    left: Vec<u8>,
    until: Instant,
}

impl<P: Read + Send + 'static> Patient<P> {
    pub(in super::super) fn new(mut pipe: P) -> Self {
        let (sender, chunks) = sync_channel(CHUNKS_MAX);
        std::thread::spawn(move || {
            loop {
                let mut chunk = vec![0; CHUNK_BYTES];
                let read = pipe.read(&mut chunk).map(|count| {
                    chunk.truncate(count);
                    chunk
                });
                let ends = !matches!(&read, Ok(chunk) if !chunk.is_empty());
                // The receiver is gone only where the pipe was given up.
                if sender.send(read).is_err() || ends {
                    return;
                }
            }
        });
        Patient { pipe: PhantomData, chunks, left: Vec::new(), until: Instant::now() }
    }

    /// Sets until when a read waits.
    pub(in super::super) fn wait_until(&mut self, until: Instant) {
        self.until = until;
    }
}

impl<P> Read for Patient<P> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.left.is_empty() {
            match self.chunks.recv_timeout(self.until.saturating_duration_since(Instant::now())) {
                Ok(chunk) => self.left = chunk?,
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) => return Err(ErrorKind::TimedOut.into()),
            }
        }
        let count = buffer.len().min(self.left.len());
        buffer[..count].copy_from_slice(&self.left[..count]);
        self.left.drain(..count);
        Ok(count)
    }
}

/// Reads a child's output and error output to their ends, keeping as many bytes of each as told; none where the time is over.
pub(in super::super) fn drain(
    stdout: ChildStdout,
    stderr: ChildStderr,
    bytes_max: [usize; 2],
    until: Instant,
) -> Option<(Drained, Drained)> {
    let stderr = std::thread::spawn(move || drain_one(Patient::new(stderr), bytes_max[1], until));
    let stdout = drain_one(Patient::new(stdout), bytes_max[0], until)?;
    Some((stdout, stderr.join().ok()??))
}

fn drain_one<P: Read + Send + 'static>(mut pipe: Patient<P>, bytes_max: usize, until: Instant) -> Option<Drained> {
    pipe.wait_until(until);
    let mut drained = Drained::default();
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        match pipe.read(&mut chunk) {
            Ok(0) => return Some(drained),
            Ok(count) => drained.add(&chunk[..count], bytes_max),
            Err(error) if error.kind() == ErrorKind::TimedOut => return None,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => {
                drained.cut = true;
                return Some(drained);
            }
        }
    }
}
