//! What must hold for any text and any edit: incremental facts equal fresh ones, base equal to edited says nothing, blank
//! lines move no id, pairing survives the mutations of `mutations`.

mod golden;
mod incremental;
mod mutations;
mod stability;
mod texts;
