//! Foreign text as terminals take it.
//!
//! - [`mod@text`]: makes foreign text harmless; everything that comes from a transcript goes through it
//! - [`paint`]: colours by meaning
//! - [`flow`]: wrapping styled text
//! - [`highlight`]: code told apart
//! - [`markdown`]: Markdown as styled text
//! - [`amount`], [`time`]: numbers, sizes, ages and durations as a person reads them

pub mod amount;
pub mod flow;
pub mod highlight;
pub mod markdown;
pub mod paint;
pub mod text;
pub mod time;
