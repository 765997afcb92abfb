//! What transcripts are kept in.

pub mod file;
pub mod sqlite;
