//! What waits to be written: answers in order, and for each document, and for the status, only the newest.
//!
//! One thread writes. A client that stops reading stops that thread alone: publications of a document replace each other here,
//! and they are rendered only when their turn comes, so a burst of edits costs one rendering.

use super::gate;
use crate::session::{Publication, Tally};
use dashmap::DashMap;
use serde::Serialize;
use std::collections::VecDeque;
use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Messages that wait for a client that does not read; what comes then is dropped and logged. Publications do not count:
/// there is at most one a document.
const MESSAGES_MAX: usize = 65_536;

/// Bytes of messages that wait: reports are large, and a client that asks for many and reads none must not fill the memory.
const MESSAGES_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Bytes that are written at once.
const WRITE_BYTES: usize = 64 * 1024;

/// What is said last about a document.
#[derive(Debug)]
pub(crate) enum Latest {
    Found(Publication),
    /// It is gone: nothing is said of it any more.
    Cleared,
    /// What all documents amount to.
    Status(Tally),
}

/// What is said of one thing at a time: of a document by its URI, or of all.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    Document(Arc<str>),
    Status,
}

enum Item {
    Message(Vec<u8>),
    /// The newest that is to be said, whatever it is when its turn comes.
    Publish(Slot),
}

/// Turns what is to be said into the bodies of messages.
pub(crate) type Render = Box<dyn Fn(&Slot, &Latest) -> Vec<Vec<u8>> + Send>;

/// The queue.
pub(crate) struct Outbox {
    queue: Mutex<Queue>,
    changed: Condvar,
    newest: DashMap<Slot, Latest>,
    bytes_max: usize,
}

impl Default for Outbox {
    fn default() -> Self {
        Outbox::bounded(MESSAGES_BYTES_MAX)
    }
}

#[derive(Default)]
struct Queue {
    items: VecDeque<Item>,
    messages: usize,
    bytes: usize,
    /// The writer has taken everything and has nothing in hand.
    idle: bool,
    closed: bool,
}

impl Outbox {
    fn bounded(bytes_max: usize) -> Self {
        Outbox { queue: Mutex::default(), changed: Condvar::new(), newest: DashMap::new(), bytes_max }
    }

    /// Queues a message as it is.
    pub(crate) fn send(&self, message: &impl Serialize) {
        let body = serde_json::to_vec(message).expect("messages are made of strings, numbers and maps with string keys");
        let mut queue = self.lock();
        // One that is larger than all may be goes out alone.
        if queue.messages >= MESSAGES_MAX || queue.bytes > 0 && queue.bytes + body.len() > self.bytes_max {
            eprintln!("oguard: the client does not read; a message was dropped");
            return;
        }
        queue.messages += 1;
        queue.bytes += body.len();
        queue.items.push_back(Item::Message(body));
        drop(queue);
        self.changed.notify_all();
    }

    /// Queues a message in which URIs may stand as tokens.
    pub(crate) fn send_raw(&self, message: &impl Serialize) {
        match serde_json::to_value(message) {
            Ok(mut value) => {
                gate::raw(&mut value);
                self.send(&value);
            }
            Err(error) => eprintln!("oguard: a message could not be written: {error}"),
        }
    }

    /// Queues the newest of a slot in place of one that still waits.
    pub(crate) fn publish(&self, slot: Slot, latest: Latest) {
        if self.newest.insert(slot.clone(), latest).is_none() {
            self.lock().items.push_back(Item::Publish(slot));
            self.changed.notify_all();
        }
    }

    /// Writes until the outbox is closed and empty, or the client is gone.
    pub(crate) fn write(&self, mut writer: impl Write, render: &Render) {
        let mut out = Vec::with_capacity(WRITE_BYTES);
        while let Some(item) = self.next() {
            let bodies = match item {
                Item::Message(body) => vec![body],
                Item::Publish(slot) => match self.newest.remove(&slot) {
                    Some((slot, latest)) => render(&slot, &latest),
                    None => continue,
                },
            };
            for body in bodies {
                // Writing to a Vec cannot fail.
                let _ = write!(out, "Content-Length: {}\r\n\r\n", body.len());
                out.extend_from_slice(&body);
            }
            if out.len() < WRITE_BYTES && !self.lock().items.is_empty() {
                continue;
            }
            let written = writer.write_all(&out).and_then(|()| writer.flush());
            out.clear();
            if written.is_err() {
                break;
            }
        }
        let mut queue = self.lock();
        queue.closed = true;
        queue.idle = true;
        queue.items.clear();
        drop(queue);
        self.changed.notify_all();
    }

    fn next(&self) -> Option<Item> {
        let mut queue = self.lock();
        loop {
            if let Some(item) = queue.items.pop_front() {
                if let Item::Message(body) = &item {
                    queue.messages -= 1;
                    queue.bytes -= body.len();
                }
                queue.idle = false;
                return Some(item);
            }
            queue.idle = true;
            if queue.closed {
                return None;
            }
            self.changed.notify_all();
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Closes the outbox and waits, not for ever, until what is in it has been written.
    pub(crate) fn close(&self, wait: Duration) {
        let end = Instant::now() + wait;
        let mut queue = self.lock();
        queue.closed = true;
        self.changed.notify_all();
        while !(queue.idle && queue.items.is_empty()) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            queue = self.changed.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_newest_publication_of_a_document_is_written() {
        let outbox = Outbox::default();
        outbox.send(&json!(1));
        let document = |uri: &str| Slot::Document(uri.into());
        outbox.publish(document("a"), Latest::Cleared);
        outbox.send(&json!(2));
        outbox.publish(document("b"), Latest::Cleared);
        outbox.publish(Slot::Status, Latest::Status(Tally::default()));
        outbox.publish(document("a"), Latest::Cleared);
        outbox.lock().closed = true;
        let mut written = Vec::new();
        let render: Render = Box::new(|slot, _| match slot {
            Slot::Document(uri) => vec![uri.as_bytes().to_vec(), b"+".to_vec()],
            Slot::Status => vec![b"s".to_vec()],
        });
        outbox.write(&mut written, &render);
        let bodies: Vec<_> = std::str::from_utf8(&written).unwrap().split("Content-Length: 1\r\n\r\n").skip(1).collect();
        assert_eq!(bodies, ["1", "a", "+", "2", "b", "+", "s"]);
    }

    #[test]
    fn what_nobody_reads_is_bounded_in_bytes() {
        let outbox = Outbox::bounded(1_000);
        let large = "x".repeat(600);
        (0..3).for_each(|_| outbox.send(&large));
        let queue = outbox.lock();
        assert_eq!((queue.messages, queue.bytes), (1, large.len() + 2));
        drop(queue);
        let outbox = Outbox::bounded(10);
        outbox.send(&large);
        assert_eq!(outbox.lock().messages, 1, "a single one goes out, however large");
    }

    #[test]
    fn a_client_that_is_gone_ends_the_writer() {
        struct Gone;
        impl Write for Gone {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let outbox = Outbox::default();
        outbox.send(&json!(1));
        outbox.write(Gone, &(Box::new(|_: &Slot, _: &Latest| vec![Vec::new()]) as Render));
        outbox.close(Duration::from_secs(60));
        assert!(outbox.lock().items.is_empty());
    }
}
