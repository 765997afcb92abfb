//! Rows of the opencode database.

pub mod record;
pub mod row;

pub use record::{Kind, Record, type_of};
