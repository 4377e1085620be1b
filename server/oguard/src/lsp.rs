//! The language server: from the bytes of a client to its answers, one straight line.
//!
//! `frames` reads and repairs, `gate` orders and makes fit, the loop below calls tower-lsp's service message by message in wire
//! order (its own loop runs handlers concurrently and applies edits out of order), `backend` passes on to the `session`, and
//! `outbox` writes. Only this module knows the protocol's types. The loop never waits for the client, and one bad message or
//! one that panics costs no more than itself.

mod actions;
mod backend;
mod capabilities;
mod clients;
mod frames;
mod gate;
mod hover;
mod notify;
mod outbox;
mod position;
mod progress;
mod publish;
mod pull;
mod report;
mod uri;
mod watchdog;

use backend::{Backend, Desk};
use frames::Frames;
use futures::{FutureExt, StreamExt};
use gate::{Gate, Incoming};
use outbox::Outbox;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;
use tower::Service;
use tower_lsp::jsonrpc::{Error, Id, Request, Response};
use tower_lsp::{LspService, jsonrpc};

/// Messages that were read and not yet handled; the reader waits beyond.
const INCOMING_MAX: usize = 256;

/// Requests that wait for an answer; more are cancelled, as no client reads so many.
const PENDING_MAX: usize = 1_000;

/// How long the last answers may take to be written.
const GOODBYE_MAX: Duration = Duration::from_secs(1);

/// How long things may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// A call of git.
    pub git_time_max: Duration,
    /// The rest after which an editor is told what a half-done edit would trip.
    pub settle: Duration,
    /// A parse on a keystroke; one that takes longer is done again in the background.
    pub edit_parse_max: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { git_time_max: Duration::from_secs(2), settle: Duration::from_millis(300), edit_parse_max: Duration::from_millis(50) }
    }
}

/// Serves standard input and output, or a port on loopback, until the client is done.
///
/// # Errors
/// Where the port can be neither reached nor opened.
pub fn run(socket: Option<u16>) -> std::io::Result<ExitCode> {
    let code = match socket {
        None => serve(std::io::stdin(), stdout(), Limits::default()),
        Some(port) => {
            let stream = connect(port)?;
            serve(stream.try_clone()?, stream, Limits::default())
        }
    };
    Ok(ExitCode::from(code))
}

/// Some clients listen and have the server connect, others the other way round.
fn connect(port: u16) -> std::io::Result<TcpStream> {
    let stream = match TcpStream::connect((Ipv4Addr::LOCALHOST, port)) {
        Ok(stream) => stream,
        Err(_) => {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
            eprintln!("oguard: waiting for a client on 127.0.0.1:{}", listener.local_addr()?.port());
            listener.accept()?.0
        }
    };
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Standard output without its line buffer: a message is one write.
#[cfg(unix)]
fn stdout() -> Box<dyn Write + Send> {
    use std::os::fd::AsFd;
    match std::io::stdout().as_fd().try_clone_to_owned() {
        Ok(fd) => Box::new(std::fs::File::from(fd)),
        Err(_) => Box::new(std::io::stdout()),
    }
}

#[cfg(not(unix))]
fn stdout() -> Box<dyn Write + Send> {
    Box::new(std::io::stdout())
}

/// Serves a client on a pair of streams; returns the exit code: 0 after `shutdown`, else 1.
pub fn serve(reader: impl Read + Send + 'static, writer: impl Write + Send + 'static, limits: Limits) -> u8 {
    let outbox = Arc::new(Outbox::default());
    let desk = Arc::new(Desk::default());
    let (sender, incoming) = mpsc::channel(INCOMING_MAX);
    std::thread::spawn(move || read(reader, &sender));
    let gone = Arc::new(Notify::new());
    let (queue, shared, failed) = (outbox.clone(), desk.clone(), gone.clone());
    std::thread::spawn(move || {
        let render: outbox::Render =
            Box::new(move |slot, latest| shared.profile().map_or_else(Vec::new, |profile| notify::bodies(slot, latest, &profile)));
        if std::panic::catch_unwind(AssertUnwindSafe(|| queue.write(writer, &render))).is_err() {
            // Nobody hears us any more, and a client takes silence for consent; one whose server ends says so.
            failed.notify_one();
        }
    });
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime without input and output needs nothing");
    let code = runtime.block_on(handle(incoming, &outbox, desk, limits, gone));
    outbox.close(GOODBYE_MAX);
    code
}

fn read(reader: impl Read, incoming: &mpsc::Sender<Incoming>) {
    let mut frames = Frames::new(reader);
    let mut gate = Gate::default();
    while let Some(frame) = frames.next() {
        if let Some(message) = gate.admit(frame)
            && incoming.blocking_send(message).is_err()
        {
            return;
        }
    }
    let _ = incoming.blocking_send(gate.end());
}

/// The loop: every message in wire order, each handler polled before the next message is looked at.
async fn handle(mut incoming: mpsc::Receiver<Incoming>, outbox: &Arc<Outbox>, desk: Arc<Desk>, limits: Limits, gone: Arc<Notify>) -> u8 {
    let (mut service, socket) = LspService::build(|client| Backend::new(client, outbox.clone(), desk, limits, gone.clone()))
        .custom_method("oguard/report", Backend::report)
        .custom_method("window/workDoneProgress/cancel", Backend::work_done_progress_cancel)
        .finish();
    let (mut requests, mut answers) = socket.split();
    let out = outbox.clone();
    tokio::spawn(async move {
        while let Some(request) = requests.next().await {
            out.send_raw(&request);
        }
    });
    let mut pending = JoinSet::new();
    loop {
        let message = tokio::select! {
            message = incoming.recv() => message,
            () = gone.notified() => None,
        };
        match message {
            Some(Incoming::Call(request)) => call(&mut service, request, outbox, &mut pending),
            Some(Incoming::Answer(response)) => {
                // Fails only once the service has exited.
                let _ = futures::SinkExt::send(&mut answers, response).now_or_never();
            }
            Some(Incoming::Refuse(response)) => outbox.send(&response),
            Some(Incoming::Exit { orderly }) => {
                if orderly {
                    // What was asked before the end is answered before the end.
                    let _ = tokio::time::timeout(GOODBYE_MAX, async { while pending.join_next().await.is_some() {} }).await;
                }
                let _ = service.call(Request::build("exit").finish()).now_or_never();
                return u8::from(!orderly);
            }
            None => return 1,
        }
    }
}

/// Calls the service; what is not answered at once goes on beside the loop.
fn call(service: &mut LspService<Backend>, request: Request, outbox: &Arc<Outbox>, pending: &mut JoinSet<()>) {
    let id = request.id().cloned();
    let future = AssertUnwindSafe(service.call(request)).catch_unwind();
    let mut future = Box::pin(future);
    if let Some(done) = (&mut future).now_or_never() {
        return respond(outbox, id, done);
    }
    while pending.try_join_next().is_some() {}
    if pending.len() >= PENDING_MAX
        && let Some(id) = &id
    {
        let params = serde_json::json!({ "id": id });
        let _ = service.call(Request::build("$/cancelRequest").params(params).finish()).now_or_never();
    }
    let outbox = outbox.clone();
    pending.spawn(async move { respond(&outbox, id, future.await) });
}

type Done<E> = std::thread::Result<Result<Option<Response>, E>>;

fn respond<E>(outbox: &Outbox, id: Option<Id>, done: Done<E>) {
    let response = match done {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => None,
        Err(_) => id.map(|id| {
            Response::from_error(id, jsonrpc::Error { message: "a handler failed; see the log".into(), ..Error::internal_error() })
        }),
    };
    if let Some(response) = response {
        outbox.send_raw(&response);
    }
}
