//! What clients get, as they ask it: message by message, through a whole connection.
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

mod corpus;
mod edits;
mod errors;
mod facts;
mod lists;
mod live;
mod reading;
mod schema;
mod support;
mod web;
mod ws;
