//! Commands of the program, each in a repository of its own. `repo` makes them and runs the program.

mod bench;
mod capabilities;
mod check;
mod ci;
mod diff;
mod explain;
mod facts;
mod formats;
mod git;
mod not_evaluated;
mod recorded;
mod renamed;
pub(crate) mod repo;
mod scan;
mod settings;
mod stdin;
mod tests;
mod trouble;
