//! The only crate that touches disk: finding, opening and following transcripts.
//!
//! - [`environment`]: the variables that decide where stores are
//! - [`stores`]: the stores of a machine, and finding a session in them
//! - [`discover`]: one file for each harness: roots, lists, opening
//! - [`head`]: what lists show of a session
//! - [`container`]: files, compressed files, databases
//! - [`tail`]: following a session while it is written
//! - [`recorder`]: writing what Codex reads, and names
//!
//! Nothing outside of [`recorder`] writes in a store.

pub mod container;
pub mod discover;
pub mod environment;
pub mod head;
pub mod recorder;
pub mod stores;
pub mod tail;

pub use environment::Environment;
pub use head::{Git, Origin, SessionHead};
pub use stores::{FindError, Store, Stores};
