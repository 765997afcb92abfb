// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of opencode: instruction entry.

use crate::json::{Json, Text};
use crate::view::views;

views! {
    /// `instruction_entry / instruction_state / instruction_blob (rows)`: The instructions of a session: entries that a client set, which texts hold now and held at the start, by hash, and the texts themselves.
    InstructionEntryInstructionStateInstructionBlobRows {
        session_id: Text<'a> = "session_id",
        key: Text<'a> = "key",
        value: Json<'a> = "value",
        removed: Json<'a> = "removed",
        time_created: i64 = "time_created",
        time_updated: i64 = "time_updated",
        epoch_start: i64 = "epoch_start",
        through_seq: i64 = "through_seq",
        initial_values: Json<'a> = "initial_values",
        current_values: Json<'a> = "current_values",
        hash: Text<'a> = "hash",
    }
}
