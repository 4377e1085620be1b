//! Pipes of a child, read with a time limit and a bound on what is kept.
//!
//! Where the system can say which pipe has something, one thread reads all: threads are a good part of what a short run costs.
//! Elsewhere each pipe has a thread of its own.

#[cfg_attr(unix, path = "pipes/poll.rs")]
#[cfg_attr(not(unix), path = "pipes/threads.rs")]
mod system;

pub(super) use system::{Patient, drain};

/// Most bytes that are read at once.
const CHUNK_BYTES: usize = 64 * 1024;

/// What a pipe held.
#[derive(Default)]
pub(super) struct Drained {
    /// At most as many bytes as were asked for.
    pub(super) bytes: Vec<u8>,
    /// There was more, or it could not be read to its end.
    pub(super) cut: bool,
}

impl Drained {
    fn add(&mut self, bytes: &[u8], bytes_max: usize) {
        let room = bytes_max.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.cut |= bytes.len() > room;
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Read;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    fn shell(script: &str) -> Child {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("sh is there")
    }

    fn drained(script: &str, limit: Duration) -> Option<(Drained, Drained)> {
        let mut child = shell(script);
        let (stdout, stderr) = (child.stdout.take().expect("a pipe"), child.stderr.take().expect("a pipe"));
        let result = drain(stdout, stderr, [1_000_000, 10], Instant::now() + limit);
        child.kill().expect("it is ours");
        child.wait().expect("it is ours");
        result
    }

    #[test]
    fn neither_pipe_stalls_the_other_and_what_is_too_much_is_cut() {
        let script = "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2";
        let (out, err) = drained(script, Duration::from_secs(60)).expect("it ends");
        assert_eq!((out.bytes.len(), out.cut), (300_000, false));
        assert_eq!((err.bytes.len(), err.cut), (10, true));
    }

    #[test]
    fn a_silent_child_is_given_up() {
        assert!(drained("exec sleep 600", Duration::from_millis(20)).is_none());
    }

    #[test]
    fn a_patient_reader_says_that_the_time_is_over() {
        let mut child = shell("echo line; exec sleep 600");
        let mut reader = Patient::new(child.stdout.take().expect("a pipe"));
        reader.wait_until(Instant::now() + Duration::from_secs(60));
        let mut line = [0; 5];
        reader.read_exact(&mut line).expect("it says a line");
        assert_eq!(&line, b"line\n");
        reader.wait_until(Instant::now());
        assert_eq!(reader.read(&mut line).expect_err("nothing comes").kind(), std::io::ErrorKind::TimedOut);
        child.kill().expect("it is ours");
        child.wait().expect("it is ours");
    }
}
