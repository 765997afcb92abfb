// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of cursor-agent: line.

use crate::json::{Json, Text};
use crate::view::views;

views! {
    /// What surrounds a record: the envelope `blob`.
    BlobEnvelope {
        blobs: BlobEnvelopeBlobs<'a> = "blobs",
        as_: Text<'a> = "as",
    }

    /// A part of the record above.
    BlobEnvelopeBlobs {
        id: Text<'a> = "id",
        data: Json<'a> = "data",
    }

    /// What surrounds a record: the envelope `settings`.
    SettingsEnvelope {
        meta_0: Json<'a> = "meta['0']",
        as_: Text<'a> = "as",
    }

    /// What surrounds a record: the envelope `sidecar`.
    SidecarEnvelope {
        file: Json<'a> = "file",
        as_: Text<'a> = "as",
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
