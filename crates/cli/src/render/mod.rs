//! Threads as a person reads them.
//!
//! - [`thread`]: header, turns and what follows them
//! - [`item`]: what stands in a turn
//! - [`call`]: what a call of a tool did, in one line and opened
//! - [`diff`]: changes of files
//! - [`select`]: parts of a thread
//! - [`context`]: the model view

pub(crate) use recount_export::call;
pub(crate) mod context;
pub(crate) mod diff;
pub(crate) mod item;
pub(crate) mod select;
pub(crate) mod thread;

#[cfg(test)]
mod tests;
