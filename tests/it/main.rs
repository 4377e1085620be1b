//! The program and the house: commands in temporary repositories, and what a reviewer should not have to look for.

mod cli;
mod docs;
mod tidy;
