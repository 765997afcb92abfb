//! What makes usage and search instant: a parallel scan of all transcripts, and caches that can be deleted at any time.
//!
//! - [`scan`](mod@scan): the transcripts of stores, each read once, on all cores
//! - [`cache`]: what earlier scans found
//! - [`report`]: counted responses in rows
//! - [`cost`]: what responses cost
//! - [`filter`]: which sessions and responses are asked for
//! - [`search`]: everything that was said and done, by words

pub mod cache;
pub mod cost;
pub mod filter;
pub mod report;
pub mod scan;
pub mod search;

pub use cache::Cache;
pub use report::{By, Counted, Row, counted, rows};
pub use scan::{Options, Scanned, Source, scan, sources};
