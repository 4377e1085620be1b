//! Decides. Texts, paths and settings come in; findings and verdicts go out.
//!
//! No file, clock, process, environment, socket or protocol type: `tests/it/tidy.rs` reads this crate's `std::` paths.
//! Reading order: [`document`] (text, tree), [`facts`] (what a text contains), [`rules`] (what is said about it),
//! [`check`] (edited against base), [`change`] (all files of a change), [`delta`] (pairing), [`finding`], [`verdict`].

pub mod change;
pub mod check;
pub mod delta;
pub mod document;
pub mod facts;
pub mod finding;
pub mod intent;
pub mod phrases;
pub mod restore;
pub mod rules;
pub mod settings;
pub mod text;
pub mod verdict;
mod weaken;

pub use oguard_grammars as grammars;
