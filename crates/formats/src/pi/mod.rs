//! Records of pi transcripts.
//!
//! - [`record`]: every record type
//! - [`version`]: which of the three versions of the format a file has

pub mod record;
#[cfg(test)]
mod tests;
pub mod version;

pub use record::{Kind, Record, type_of};
pub use version::Version;
