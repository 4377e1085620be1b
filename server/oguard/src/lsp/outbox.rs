//! What waits to be written: answers in order, and for each document only the newest publication.
//!
//! One thread writes. A client that stops reading stops that thread alone: publications of a document replace each other here,
//! and they are rendered only when their turn comes, so a burst of edits costs one rendering.

use crate::session::Publication;
use dashmap::DashMap;
use serde::Serialize;
use std::collections::VecDeque;
use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Messages that wait for a client that does not read; what comes then is dropped and logged. Publications do not count:
/// there is at most one a document.
const MESSAGES_MAX: usize = 65_536;

/// Bytes that are written at once.
const WRITE_BYTES: usize = 64 * 1024;

/// What is said last about a document.
#[derive(Debug)]
pub(crate) enum Latest {
    Found(Publication),
    /// It is gone: nothing is said of it any more.
    Cleared,
}

enum Item {
    Message(Vec<u8>),
    /// The newest publication of a document, whatever it is when its turn comes.
    Publish(Arc<str>),
}

/// Turns a publication into the body of a message.
pub(crate) type Render = Box<dyn Fn(&str, &Latest) -> Vec<u8> + Send>;

/// The queue.
#[derive(Default)]
pub(crate) struct Outbox {
    queue: Mutex<Queue>,
    changed: Condvar,
    newest: DashMap<Arc<str>, Latest>,
}

#[derive(Default)]
struct Queue {
    items: VecDeque<Item>,
    messages: usize,
    /// The writer has taken everything and has nothing in hand.
    idle: bool,
    closed: bool,
}

impl Outbox {
    /// Queues a message as it is.
    pub(crate) fn send(&self, message: &impl Serialize) {
        let body = serde_json::to_vec(message).expect("messages are made of strings, numbers and maps with string keys");
        let mut queue = self.lock();
        if queue.messages >= MESSAGES_MAX {
            eprintln!("oguard: the client does not read; a message was dropped");
            return;
        }
        queue.messages += 1;
        queue.items.push_back(Item::Message(body));
        drop(queue);
        self.changed.notify_all();
    }

    /// Queues the newest publication of a document in place of one that still waits.
    pub(crate) fn publish(&self, uri: Arc<str>, latest: Latest) {
        if self.newest.insert(uri.clone(), latest).is_none() {
            self.lock().items.push_back(Item::Publish(uri));
            self.changed.notify_all();
        }
    }

    /// Writes until the outbox is closed and empty, or the client is gone.
    pub(crate) fn write(&self, mut writer: impl Write, render: &Render) {
        let mut out = Vec::with_capacity(WRITE_BYTES);
        while let Some(item) = self.next() {
            let body = match item {
                Item::Message(body) => body,
                Item::Publish(uri) => match self.newest.remove(&uri) {
                    Some((uri, latest)) => render(&uri, &latest),
                    None => continue,
                },
            };
            // Writing to a Vec cannot fail.
            let _ = write!(out, "Content-Length: {}\r\n\r\n", body.len());
            out.extend_from_slice(&body);
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
                queue.messages -= usize::from(matches!(item, Item::Message(_)));
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
        outbox.publish("a".into(), Latest::Cleared);
        outbox.send(&json!(2));
        outbox.publish("b".into(), Latest::Cleared);
        outbox.publish("a".into(), Latest::Cleared);
        outbox.lock().closed = true;
        let mut written = Vec::new();
        let render: Render = Box::new(|uri, _| uri.as_bytes().to_vec());
        outbox.write(&mut written, &render);
        let bodies: Vec<_> = std::str::from_utf8(&written).unwrap().split("Content-Length: 1\r\n\r\n").skip(1).collect();
        assert_eq!(bodies, ["1", "a", "2", "b"]);
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
        outbox.write(Gone, &(Box::new(|_: &str, _: &Latest| Vec::new()) as Render));
        outbox.close(Duration::from_secs(60));
        assert!(outbox.lock().items.is_empty());
    }
}
