//! The program and the house: commands in temporary repositories, the server before a client of our own, and what a reviewer
//! should not have to look for.

#![allow(clippy::unwrap_used, reason = "helpers of tests are no tests to clippy")]

mod cli;
mod docs;
mod hook;
mod lsp;
mod tidy;
