//! How messages come and go.
//!
//! - [`lines`]: messages as lines
//! - [`stdio`]: one client, on standard input and output
//! - [`ws`]: many clients, by WebSocket on this machine

pub mod lines;
pub mod stdio;
pub mod ws;
