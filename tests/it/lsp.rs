//! The server before a client of our own: real frames over pipes, no editor. `client` is that client.

mod base;
mod client;
mod documents;
mod faults;
mod fixes;
mod frames;
mod lifecycle;
mod moved;
mod notices;
mod order;
mod pull;
mod replay;
mod shown;
