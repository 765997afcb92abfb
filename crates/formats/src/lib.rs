//! Bytes to records.
//!
//! Everything here works on bytes that somebody else read: no paths, no clock, no environment.
//!
//! - [`jsonl`]: bytes to lines, with absolute positions, whatever the damage
//! - [`json`]: a borrowed view of JSON text that loses nothing
//! - [`view`]: typed views over it
//! - [`tags`]: telling record types apart
//! - [`version`]: versions of harness programs
//! - [`position`], [`finding`]: where something stands, and what is wrong or unknown there
//! - [`concept`], [`harness`]: the words that all formats share
//! - [`catalogue`]: the formats as data
//! - [`mod@format`]: the one list of all formats, and what code must know of each beyond its catalogue
//! - [`record`]: what a record is, whatever the harness
//! - [`check`]: records compared with the catalogue
//! - [`detect`]: which harness wrote a transcript
//! - [`wire`]: the protobuf wire format
//! - [`codex`], [`claude_code`], [`cursor_agent`], [`opencode`], [`pi`]: the record types of each harness

pub mod catalogue;
pub mod check;
pub mod claude_code;
pub mod codex;
pub mod concept;
pub mod cursor_agent;
pub mod detect;
pub mod finding;
pub mod format;
pub mod harness;
pub mod json;
pub mod jsonl;
pub mod opencode;
pub mod pi;
pub mod position;
pub mod record;
pub mod tags;
pub mod version;
pub mod view;
pub mod wire;

pub use concept::Concept;
pub use finding::{Code, Finding, Severity};
pub use harness::Harness;
pub use json::{Json, Text};
pub use position::Position;
