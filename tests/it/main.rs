//! The program and the house: commands in temporary repositories, the server before a client of our own, and what a reviewer
//! should not have to look for.

mod cli;
mod docs;
mod lsp;
mod tidy;
