//! All input and output of the guard: git, projects, reports, the command line and the language server.
//!
//! Decisions are the engine's. Reading order: [`git`] (what changed), [`patch`] (the same from a diff), [`project`] (what a
//! repository sets, which texts are read), [`judge`] (a change to a report), [`report`] (how it looks), [`cli`] (commands),
//! [`hook`] (what coding agents call) over `store` (`.oguard/`), [`lsp`] (the protocol) over `session` (open documents).

mod bounded;
pub mod cli;
pub mod git;
pub mod hook;
pub mod judge;
pub mod lsp;
pub mod patch;
pub mod project;
pub mod report;
mod session;
mod store;

#[cfg(test)]
mod fuzz;
