//! `oguard hook`: what coding agents and git call, and how they come to call it.
//!
//! The answers are `crate::hook`'s; git's hook is `oguard check --staged` with its report on standard error.

use super::output::print;
use crate::hook::install::{self, Caller, Level, Plan, State};
use crate::hook::{Host, answer};
use anyhow::{Context, Result, bail};
use clap::{Subcommand, ValueEnum};
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Answer a coding agent's hooks, or git's; put them in and take them out
///
/// An agent that works on a repository calls `oguard hook claude` or `oguard hook codex` after each edit and command and before
/// it stops. What is new since its session began is told in the same turn, once; silence means that there is nothing new. A
/// commit in the middle of a session clears nothing. At the stop the whole change is judged, and findings that block hold the
/// agent up once.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

const EXAMPLES: &str = "\
Examples:
  oguard hook install claude           show what would change in .claude/settings.json, and ask
  oguard hook install codex --user     for all projects: ~/.codex/hooks.json
  oguard hook install git --yes        judge what is staged before each commit, without a question
  oguard hook status                   what is installed here
  oguard hook uninstall claude         take it out again, exactly

An agent's hook ends with 0 whatever it says: what cannot be judged lets the agent go on, and a line
says so. `oguard hook git` ends as `oguard check --staged`: 0 pass or warn, 1 block, 2 error, 3 unknown.
What a session was told is kept in .oguard/ at the root of the work tree, out of git's sight.";

#[derive(Subcommand, Debug)]
enum Action {
    /// Answer a hook of Claude Code (JSON on standard input and output)
    Claude(Call),
    /// Answer a hook of Codex (JSON on standard input and output)
    Codex(Call),
    /// Judge what is staged, as git's pre-commit hook (report on standard error)
    Git,
    /// Put the hooks into the settings of an agent or of git
    Install(Change),
    /// Take the hooks out again
    Uninstall(Change),
    /// Say which hooks are installed here
    Status,
}

#[derive(clap::Args, Debug)]
struct Call {
    /// Not expected; answered in the agent's protocol all the same, since other exit codes than 0 would stop it.
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

#[derive(clap::Args, Debug)]
struct Change {
    /// Whose settings
    #[arg(value_enum)]
    caller: CallerName,
    /// The user's settings, for all projects, instead of this project's
    #[arg(long)]
    user: bool,
    /// Write without asking; what is written is shown all the same
    #[arg(long)]
    yes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CallerName {
    /// Claude Code: .claude/settings.json
    Claude,
    /// Codex: .codex/hooks.json
    Codex,
    /// Git: the pre-commit hook
    Git,
}

pub(super) fn run(args: &Args) -> Result<u8> {
    match &args.action {
        Action::Claude(call) => Ok(call_of(Host::Claude, call)),
        Action::Codex(call) => Ok(call_of(Host::Codex, call)),
        Action::Git => super::check::before_commit(),
        Action::Install(change) => apply(change, install::install, "installed already"),
        Action::Uninstall(change) => apply(change, install::uninstall, "not installed"),
        Action::Status => status(),
    }
}

fn call_of(host: Host, call: &Call) -> u8 {
    let text = if call.rest.is_empty() { answer(host, std::io::stdin()) } else { crate::hook::misused(&call.rest) };
    if !text.is_empty() {
        // A host that went away needs no answer, and no other exit code either.
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{text}").and_then(|()| out.flush());
    }
    0
}

type Planner = fn(Caller, Level, &Path) -> Result<Plan, install::Refusal>;

fn apply(change: &Change, plan: Planner, done: &str) -> Result<u8> {
    let here = std::env::current_dir().context("the working directory is gone")?;
    let caller = match change.caller {
        CallerName::Claude => Caller::Agent(Host::Claude),
        CallerName::Codex => Caller::Agent(Host::Codex),
        CallerName::Git => Caller::Git,
    };
    let level = if change.user { Level::User } else { Level::Project };
    let plan = plan(caller, level, &here)?;
    if plan.is_done() {
        print(&format!("{done}: {}\n", plan.file.display()));
        return Ok(0);
    }
    print(&plan.diff());
    let other = if change.user { Level::Project } else { Level::User };
    if plan.after.is_some()
        && matches!(install::state(caller, other, &here), Ok((_, State::Installed)))
        && matches!(caller, Caller::Agent(_))
    {
        print("note: installed in the other settings too; one of the two is enough (`oguard hook status`)\n");
    }
    if !change.yes && !agreed()? {
        print("nothing was written\n");
        return Ok(0);
    }
    plan.apply()?;
    print(&format!("written: {}\n", plan.file.display()));
    if caller == Caller::Agent(Host::Codex) && plan.after.is_some() {
        print("Codex asks before it runs new hooks: open it and trust them with /hooks\n");
    }
    Ok(0)
}

fn agreed() -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        bail!("nothing was written: standard input is no terminal to ask on; add --yes to write what is shown above");
    }
    eprint!("Write this? [y/N] ");
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).context("no answer")?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

fn status() -> Result<u8> {
    let here = std::env::current_dir().context("the working directory is gone")?;
    for caller in Caller::ALL {
        for level in [Level::Project, Level::User] {
            let words = match install::state(caller, level, &here) {
                // Git has one folder of hooks; where it is the other level's, this one has nothing to say.
                Err(_) if caller == Caller::Git && level == Level::User => continue,
                Err(why) => why.to_string(),
                Ok((file, state)) => {
                    let state = match state {
                        State::Installed => "installed",
                        State::Partly => "not as this program would install it; `oguard hook install` puts it right",
                        State::Absent => "not installed",
                    };
                    format!("{state}: {}", file.display())
                }
            };
            let level = if level == Level::User { "user" } else { "project" };
            print(&format!("{:<7} {level:<8} {words}\n", caller.name()));
        }
    }
    Ok(0)
}
