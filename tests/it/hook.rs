//! What coding agents and git call: each host's own JSON in, its own JSON out. `agent` plays the host; the shapes are recorded
//! from the real ones, which `editors/*/test/run.sh` drive.

mod after_edits;
mod agent;
mod commits;
mod faults;
mod install;
mod patches;
mod pre_commit;
mod stop;
mod undo;
