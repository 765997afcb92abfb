//! Tests of the crate as a whole.

#![allow(clippy::unwrap_used, reason = "a test that cannot set up its files has to stop")]

mod agreement;
mod cache;
mod changes;
mod damage;
mod recall;
mod report;
mod search;
