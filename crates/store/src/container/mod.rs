//! What transcripts are kept in.

pub mod file;
