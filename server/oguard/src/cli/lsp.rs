//! `oguard lsp`: the language server, for editors and assistants to start.

use anyhow::{Context, Result};

/// Serve an editor or assistant over the Language Server Protocol
///
/// Speaks on standard input and output until the client ends it. Logs go to standard error.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Use a port on loopback: connects to it, or waits there for a client (for debugging)
    #[arg(long, value_name = "PORT")]
    socket: Option<u16>,
    /// Accepted and without effect: some clients always give it
    #[arg(long, hide = true)]
    stdio: bool,
}

pub(super) fn run(args: &Args) -> Result<u8> {
    crate::lsp::run(args.socket).context("the port cannot be used")
}
