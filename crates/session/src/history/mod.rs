//! The state that a screen draws from: records with ids, events in, changes out.
//!
//! - [`record`]: the kinds of record
//! - [`state`]: the state: append, find, replace, cut off
//! - [`event`]: what can happen to it
//! - [`snapshot`]: the state as JSON, and back
//! - [`thread`]: threads as records
//! - [`wire`]: how records are read and written
//!
//! The JSON is that of the published history-state schema, member by member. What its text leaves open is decided
//! here: members that it does not name are carried through; optional ones may be absent or `null`; ids are unique, the next id
//! is above all of them, and a lookup names a record of its kind.

mod bound;
pub mod event;
mod id;
pub mod record;
#[cfg(any(test, feature = "schema"))]
pub mod schema;
pub mod snapshot;
pub mod state;
#[cfg(test)]
mod tests;
pub mod thread;

mod time;
mod wire;

pub use event::{Change, Event, OutputStream, Refused};
pub use id::HistoryId;
pub use record::{Kind, Origin, Record};
pub use snapshot::BadSnapshot;
pub use state::HistoryState;
pub use time::Timestamp;
pub use wire::{Map, Maybe, Unknown};
