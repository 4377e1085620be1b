//! Texts of the base: one `git cat-file --batch` that stays open, one line asked and one object answered.

use super::command::{ERROR_BYTES_MAX, end, failure, spawn};
use super::pipes::Patient;
use super::{GitError, Repository};
use oguard_engine::document::FILE_BYTES_MAX;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// Reads objects of a repository.
#[derive(Debug)]
pub struct Blobs {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<Patient<ChildStdout>>,
    limit: Duration,
    left: bool,
}

#[derive(Debug)]
enum Answer {
    Blob(Vec<u8>),
    TooLarge,
    Missing,
    /// The output ended: git gave up.
    End,
}

impl Repository {
    /// Starts the reader of objects.
    ///
    /// # Errors
    /// Where git cannot be started.
    pub fn blobs(&self) -> Result<Blobs, GitError> {
        let mut command = self.command(&["cat-file", "--batch"]);
        let mut child = spawn(command.stdin(Stdio::piped()), "cat-file")?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("stdout was asked for as a pipe");
        let stdout = BufReader::new(Patient::new(stdout));
        Ok(Blobs { child, stdin, stdout, limit: self.time_limit, left: false })
    }
}

impl Blobs {
    /// Returns the bytes of a blob by its id or as `REV:path`; none where there is no such blob.
    ///
    /// # Errors
    /// Where git fails or hangs, or the blob is larger than a file may be ([`GitError::TooLarge`]).
    pub fn read(&mut self, object: &str) -> Result<Option<Vec<u8>>, GitError> {
        if object.is_empty() || object.contains('\n') {
            return Err(GitError::BadObject { object: object.to_owned() });
        }
        let asked = match &mut self.stdin {
            Some(stdin) => stdin.write_all(format!("{object}\n").as_bytes()).is_ok(),
            None => false,
        };
        if !asked {
            return Err(self.gave_up());
        }
        self.stdout.get_mut().wait_until(Instant::now() + self.limit);
        match read_answer(&mut self.stdout) {
            Ok(Answer::Blob(bytes)) => Ok(Some(bytes)),
            Ok(Answer::Missing) => Ok(None),
            Ok(Answer::TooLarge) => Err(GitError::TooLarge { what: object.to_owned(), bytes_max: FILE_BYTES_MAX }),
            Err(error) if error.kind() != ErrorKind::TimedOut => Err(self.gave_up()),
            Ok(Answer::End) => Err(self.gave_up()),
            Err(_) => {
                self.stdin = None;
                end(&mut self.child);
                Err(GitError::Hung { what: "cat-file".to_owned(), after: self.limit })
            }
        }
    }

    /// Lets the reader end by itself, at the end of its input: for a process that is about to end and need not wait for it.
    pub fn leave(mut self) {
        self.stdin = None;
        self.left = true;
    }

    /// Returns why git ended the conversation.
    fn gave_up(&mut self) -> GitError {
        self.stdin = None;
        end(&mut self.child);
        // A process that outlives git can hold its error output open.
        const PATIENCE: Duration = Duration::from_secs(1);
        let mut said = Vec::new();
        if let Some(pipe) = self.child.stderr.take() {
            let mut pipe = Patient::new(pipe);
            pipe.wait_until(Instant::now() + PATIENCE);
            // What came before the time was over, or the pipe broke, is what there is to say.
            let _ = pipe.take(ERROR_BYTES_MAX as u64).read_to_end(&mut said);
        }
        failure("cat-file", &String::from_utf8_lossy(&said))
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        self.stdin = None;
        if !self.left {
            end(&mut self.child);
        }
    }
}

fn read_answer(reader: &mut BufReader<Patient<ChildStdout>>) -> std::io::Result<Answer> {
    let mut header = Vec::new();
    if reader.read_until(b'\n', &mut header)? == 0 {
        return Ok(Answer::End);
    }
    let header = String::from_utf8_lossy(&header);
    // `ID TYPE SIZE`; anything else (`NAME missing`, `NAME ambiguous`) has no content.
    let mut words = header.trim_end().rsplitn(3, ' ');
    let (size, kind) = (words.next().and_then(|s| s.parse::<u64>().ok()), words.next());
    let Some(size) = size.filter(|_| matches!(kind, Some("blob" | "tree" | "commit" | "tag"))) else { return Ok(Answer::Missing) };
    if kind != Some("blob") || size > FILE_BYTES_MAX as u64 {
        std::io::copy(&mut reader.take(size + 1), &mut std::io::sink())?;
        return Ok(if kind == Some("blob") { Answer::TooLarge } else { Answer::Missing });
    }
    let mut bytes = vec![0; size as usize + 1];
    reader.read_exact(&mut bytes)?;
    bytes.pop();
    Ok(Answer::Blob(bytes))
}
