//! Records to threads.
//!
//! Pure: no disk, no clock, no environment. A rebuild cannot fail; what is wrong with the input becomes a
//! finding.
//!
//! - [`model`]: threads, turns, items, the model view, usage
//! - [`rebuild`]: one rebuild for each harness
//! - [`usage`]: tokens and cost, each response once
//! - [`history`]: the state that a screen draws from
//! - [`live`]: a thread while it runs
//! - [`time`]: times as transcripts count them
//! - [`json`]: JSON that is carried through unchanged

mod diff;
pub mod history;
pub mod json;
pub mod live;
pub mod model;
pub mod rebuild;
pub mod time;
pub mod usage;

pub use json::RawJson;
