//! Records of cursor-agent: blobs of a chat's store, lines of its readable copy, settings and sidecars.
//!
//! - [`schema`]: the catalogue's tables of protobuf messages, by name
//! - [`message`]: a message read with its table
//! - [`encode`]: JSON to a message
//! - [`store`]: what a blob is by the way that leads to it, and the settings row
//! - [`record`]: typed views of the JSON records

pub mod encode;
pub mod message;
pub mod record;
pub mod schema;
pub mod store;

pub use message::Message;
pub use record::{Kind, Record, type_of};
