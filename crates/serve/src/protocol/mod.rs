//! Codex's app-server protocol, version 2: what goes over the wire, field by field.
//!
//! The types borrow from a thread and are written straight to bytes. Field names are the protocol's: camelCase, but
//! `text_elements`, the words of a `MessagePhase` and what stands below a `SubAgentSource`, which the protocol took
//! over from elsewhere. Fields that may be `null` are written, as Codex writes them.
//!
//! - [`item`], [`turn`], [`thread`]: the three levels of a conversation
//! - [`resume`]: a thread that a client begins to follow
//! - [`notification`]: what a client is told unasked
//! - [`params`]: what clients ask
//! - [`shape`]: keeps values that are carried through within what the protocol promises

pub mod item;
pub mod notification;
pub mod params;
pub mod resume;
mod shape;
pub mod thread;
pub mod turn;
