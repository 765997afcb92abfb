//! Records of Claude Code transcripts.

pub mod record;

pub use record::{Kind, Record, type_of};
