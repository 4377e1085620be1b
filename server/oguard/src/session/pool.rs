//! A few threads that judge documents, the most urgent first.
//!
//! A panic in a job is caught here and told as an error of its document; the thread goes on with fresh parsers. Work that
//! nobody waits for never takes the last free thread.

use super::jobs::{Done, Job, Outcome, Verdicts};
use super::state::Event;
use oguard_engine::document::Parsers;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How urgent a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rank {
    /// Somebody typed and waits.
    Edit,
    /// A document was opened.
    Open,
    /// Nobody waits.
    Background,
}

/// Fewest and most threads: two, so that a long parse leaves one free; four are enough for typing.
const THREADS: std::ops::RangeInclusive<usize> = 2..=4;

/// The queue of a pool.
pub(super) struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    queue: Mutex<Queue>,
    ready: Condvar,
    threads: usize,
}

#[derive(Default)]
struct Queue {
    edits: VecDeque<Job>,
    opens: VecDeque<Job>,
    background: VecDeque<Job>,
    /// Threads at work that nobody waits for.
    in_background: usize,
    closed: bool,
}

impl Queue {
    fn take(&mut self, threads: usize) -> Option<Job> {
        if let Some(job) = self.edits.pop_front().or_else(|| self.opens.pop_front()) {
            return Some(job);
        }
        if self.in_background + 1 < threads {
            let job = self.background.pop_front()?;
            self.in_background += 1;
            return Some(job);
        }
        None
    }
}

impl Pool {
    /// Starts the threads; results go to `events`.
    pub(super) fn start(events: &SyncSender<Event>) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let threads = cores.clamp(*THREADS.start(), *THREADS.end());
        let shared = Arc::new(Shared { queue: Mutex::default(), ready: Condvar::new(), threads });
        for _ in 0..threads {
            let (shared, events) = (Arc::clone(&shared), events.clone());
            std::thread::spawn(move || shared.work(&events));
        }
        Pool { shared }
    }

    /// Queues a job.
    pub(super) fn push(&self, job: Job) {
        let mut queue = self.shared.lock();
        match job.rank {
            Rank::Edit => queue.edits.push_back(job),
            Rank::Open => queue.opens.push_back(job),
            Rank::Background => queue.background.push_back(job),
        }
        drop(queue);
        self.shared.ready.notify_one();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.ready.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, events: &SyncSender<Event>) {
        let mut parsers = Parsers::default();
        while let Some(job) = self.next() {
            let Job { key, seq, rank, task } = job;
            let (resident, outcome) = guarded(|| task.run(seq, &mut parsers)).unwrap_or_else(|| {
                parsers = Parsers::default();
                (
                    None,
                    Outcome::Judged(Verdicts::error(
                        "the guard failed on this file, its silence means nothing; see the server's log".to_owned(),
                    )),
                )
            });
            if rank == Rank::Background {
                self.lock().in_background -= 1;
            }
            if events.send(Event::Done(Done { key, seq, rank, resident, outcome })).is_err() {
                return;
            }
        }
    }

    fn next(&self) -> Option<Job> {
        let mut queue = self.lock();
        loop {
            if queue.closed {
                return None;
            }
            if let Some(job) = queue.take(self.threads) {
                return Some(job);
            }
            queue = self.ready.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Runs work and returns none where it panics; the panic itself goes to the log.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

#[cfg(test)]
mod tests {
    use super::super::document::Key;
    use super::super::jobs::Task;
    use super::*;
    use std::sync::mpsc::sync_channel;

    #[test]
    fn a_panic_is_an_error_of_its_document_and_the_pool_goes_on() {
        let (events, received) = sync_channel(64);
        let pool = Pool::start(&events);
        let key = Key { uri: "a:b".into(), incarnation: 1 };
        for seq in 0..20 {
            let rank = [Rank::Edit, Rank::Open, Rank::Background][seq as usize % 3];
            pool.push(Job { key: key.clone(), seq, rank, task: Task::Panic });
        }
        let mut seen: Vec<u64> = (0..20)
            .map(|_| match received.recv().unwrap() {
                Event::Done(Done { seq, resident: None, outcome: Outcome::Judged(verdicts), .. }) if verdicts.errors.len() == 1 => seq,
                _ => panic!("not the error of a job"),
            })
            .collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..20).collect::<Vec<_>>());
    }
}
