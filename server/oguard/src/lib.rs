//! All input and output of the guard: git, projects, reports, the command line and the language server.
//!
//! Decisions are the engine's. Reading order: [`git`] (what changed), [`project`] (what a repository sets, which files are
//! read), `judge` (a change to a report), `report` (how it looks), `cli` (the commands).

pub mod git;
pub mod lsp;
pub mod project;
mod session;
