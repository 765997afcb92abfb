//! Records of Codex rollouts.

pub mod record;

pub use record::{Kind, Record, type_of};
