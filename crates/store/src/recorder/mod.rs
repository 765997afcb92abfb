//! Writing what Codex reads. The only part of the program that writes in a store, and only when it is asked to.
//!
//! - [`edit`]: what can be done to a thread that exists: fork, rollback, revert, archive, names
//! - [`rollout`]: what an agent does, recorded while it does it
//! - [`lock`]: who may write; Codex's own locks, and a look at who has a file open
//! - [`guard`]: whether a file is still what was read
//! - [`append`]: whole lines at the end of a file, new files that are there whole or not at all
//! - [`mod@line`]: the text of records

pub mod append;
pub mod edit;
pub mod guard;
pub mod line;
pub mod lock;
pub mod rollout;

pub use append::Sync;
pub use edit::{Change, Cut, EditError, Editor, Report};
pub use lock::{Held, Process, WriterLock};
pub use rollout::{RecordError, Recorder, Start};
