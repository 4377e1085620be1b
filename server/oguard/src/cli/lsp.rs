//! `oguard lsp`: the language server, for editors and for assistants that read diagnostics.

use crate::lsp;
use anyhow::{Context, Result};
use std::process::ExitCode;

/// Runs the language server on standard input and output.
///
/// Editors start it; there is nothing to type. It publishes what is new against the commit that was HEAD when the session
/// began, so a commit in the middle clears nothing.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Speak over this port on loopback instead, for debugging.
    #[arg(long, value_name = "PORT")]
    socket: Option<u16>,
    /// Accepted because many clients add it; standard input and output are used anyway.
    #[arg(long, hide = true)]
    stdio: bool,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    debug_assert!(!(args.stdio && args.socket.is_some()), "a client asks for one channel");
    lsp::run(args.socket).context("the connection could not be opened")
}
