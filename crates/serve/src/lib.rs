//! Serves threads: Codex's app-server protocol for the sessions of every harness, and a page in the browser.
//!
//! - [`protocol`]: what goes over the wire
//! - [`rpc`]: messages, answers, errors
//! - [`threads`]: answers about threads, from the stores alone
//! - [`library`]: the threads of all stores
//! - [`edit`]: what clients do to threads
//! - [`live`]: threads that clients follow
//! - [`server`], [`connection`]: what is shared, and what each client has of its own
//! - [`transport`]: how messages come and go
//! - [`web`]: the page in the browser, and its JSON API
//!
//! The only crate of recount that is asynchronous: one thread does nothing but pass messages on, and whatever reads or
//! writes files runs beside it, so that a client that waits for a large thread, or reads slowly, keeps nobody waiting.

pub mod connection;
pub mod edit;
pub mod library;
pub mod live;
pub mod methods;
pub mod protocol;
pub mod rpc;
pub mod server;
pub mod threads;
pub mod transport;
pub mod web;

pub use library::Library;
pub use server::Server;
pub use transport::{stdio, ws};
