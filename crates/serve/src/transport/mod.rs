//! How messages come and go.
//!
//! - [`lines`]: messages as lines
//! - [`stdio`]: one client, on standard input and output

pub mod lines;
pub mod stdio;
