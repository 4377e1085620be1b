//! `oguard completions`: what a shell completes.

use super::output::print;
use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;

/// Print completions for a shell
#[derive(clap::Args, Debug)]
#[command(after_long_help = "Example:\n  oguard completions bash > ~/.local/share/bash-completion/completions/oguard")]
pub(super) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: &Args) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Cli::command(), "oguard", &mut script);
    print(&String::from_utf8(script).context("the completions are no text")?);
    Ok(0)
}
