//! The program as people and other programs meet it.
//!
//! - [`environment`]: a home, a clock and a terminal of its own for each test
//! - [`people`]: what people see, kept as snapshots
//! - [`machines`]: the shapes of JSON, against DESIGN.md
//! - [`exports`]: files that are written to be shared
//! - [`failures`]: errors, their places and exit codes
//! - [`follow`]: following sessions while they are written
//! - [`hostile`]: transcripts that attack the terminal
//! - [`search`]: search and its index
//! - [`serve`]: the page in the browser
//! - [`threads`]: commands that write in a store
//! - [`usage`]: tokens and cost, in the ways in which they can be asked for
//! - [`documents`]: the commands of the README work as it says

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod documents;
mod environment;
mod exports;
mod failures;
mod follow;
mod hostile;
mod machines;
mod people;
mod search;
mod serve;
mod threads;
mod usage;
