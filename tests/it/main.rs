//! The program and the house: commands in temporary repositories, the server before a client of our own, and what a reviewer
//! should not have to look for.

// Helpers of tests are no tests to clippy.
#![allow(clippy::unwrap_used)]

mod cli;
mod docs;
mod lsp;
mod tidy;
