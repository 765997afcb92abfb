// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of cursor-agent: line.

use crate::json::{Json, Text};
use crate::view::views;

views! {
    /// What surrounds a record: the envelope `row`.
    RowEnvelope {
        blobs: RowEnvelopeBlobs<'a> = "blobs",
        meta_0: Text<'a> = "meta['0']",
    }

    /// A part of the record above.
    RowEnvelopeBlobs {
        id: Text<'a> = "id",
        data: Json<'a> = "data",
    }

    /// `meta.json`: What the list of chats shows.
    MetaJson {
        schema_version: i64 = "schemaVersion",
        created_at_ms: f64 = "createdAtMs",
        updated_at_ms: f64 = "updatedAtMs",
        has_conversation: bool = "hasConversation",
        title: Text<'a> = "title",
        is_subagent: bool = "isSubagent",
        cwd: Text<'a> = "cwd",
    }

    /// `prompt_history.json`: What was typed in this chat, for the up-arrow.
    PromptHistoryJson {
    }
}
