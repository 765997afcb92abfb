// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of opencode: line.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// What surrounds a record: the envelope `session_message`.
    SessionMessageEnvelope {
        table: Text<'a> = "table",
        row: Text<'a> = "row",
        id: Text<'a> = "id",
        session_id: Text<'a> = "session_id",
        type_: Text<'a> = "type",
        seq: i64 = "seq",
        time_created: i64 = "time_created",
        time_updated: i64 = "time_updated",
        data: Json<'a> = "data",
    }

    /// What surrounds a record: the envelope `row`.
    RowEnvelope {
        table: Text<'a> = "table",
        row: Text<'a> = "row",
    }

    /// What surrounds a record: the envelope `part`.
    PartEnvelope {
        table: Text<'a> = "table",
        row: Text<'a> = "row",
        id: Text<'a> = "id",
        message_id: Text<'a> = "message_id",
        session_id: Text<'a> = "session_id",
        time_created: i64 = "time_created",
        time_updated: i64 = "time_updated",
        data: Json<'a> = "data",
    }

    /// `session_v2 (row)`: A session: who it is, where it works, what it came from, what it has cost and how it stands.
    SessionV2Row {
        id: Text<'a> = "id",
        project_id: Text<'a> = "project_id",
        workspace_id: Text<'a> = "workspace_id",
        parent_id: Text<'a> = "parent_id",
        fork_session_id: Text<'a> = "fork_session_id",
        fork_boundary: SessionV2RowForkBoundary<'a> = "fork_boundary",
        slug: Text<'a> = "slug",
        directory: Text<'a> = "directory",
        path: Text<'a> = "path",
        title: Text<'a> = "title",
        version: Text<'a> = "version",
        share_url: Text<'a> = "share_url",
        summary_additions: i64 = "summary_additions",
        summary_deletions: i64 = "summary_deletions",
        summary_files: i64 = "summary_files",
        summary_diffs: List<'a, Json<'a>> = "summary_diffs",
        metadata: Json<'a> = "metadata",
        cost: f64 = "cost",
        tokens_input: i64 = "tokens_input",
        tokens_output: i64 = "tokens_output",
        tokens_reasoning: i64 = "tokens_reasoning",
        tokens_cache_read: i64 = "tokens_cache_read",
        tokens_cache_write: i64 = "tokens_cache_write",
        revert: SessionV2RowRevert<'a> = "revert",
        permission: List<'a, Json<'a>> = "permission",
        agent: Text<'a> = "agent",
        model: SessionV2RowModel<'a> = "model",
        time_created: i64 = "time_created",
        time_updated: i64 = "time_updated",
        time_idle: i64 = "time_idle",
        idle_outcome: Text<'a> = "idle_outcome",
        time_viewed: i64 = "time_viewed",
        time_compacting: i64 = "time_compacting",
        time_archived: i64 = "time_archived",
        time_suspended: i64 = "time_suspended",
        resume_attempts: i64 = "resume_attempts",
    }

    /// A part of the record above.
    SessionV2RowForkBoundary {
        type_: Text<'a> = "type",
        message_id: Text<'a> = "messageID",
    }

    /// A part of the record above.
    SessionV2RowRevert {
        message_id: Text<'a> = "messageID",
        part_id: Text<'a> = "partID",
        snapshot: Text<'a> = "snapshot",
        files: List<'a, Json<'a>> = "files",
        diff: Text<'a> = "diff",
    }

    /// A part of the record above.
    SessionV2RowModel {
        id: Text<'a> = "id",
        provider_id: Text<'a> = "providerID",
        variant: Text<'a> = "variant",
    }

    /// `session (row)`: A session of 1.x, or of 2.x before its table was renamed.
    SessionRow {
        id: Text<'a> = "id",
        project_id: Text<'a> = "project_id",
        workspace_id: Text<'a> = "workspace_id",
        parent_id: Text<'a> = "parent_id",
        fork_session_id: Text<'a> = "fork_session_id",
        fork_boundary: SessionRowForkBoundary<'a> = "fork_boundary",
        slug: Text<'a> = "slug",
        directory: Text<'a> = "directory",
        path: Text<'a> = "path",
        title: Text<'a> = "title",
        version: Text<'a> = "version",
        share_url: Text<'a> = "share_url",
        summary_additions: i64 = "summary_additions",
        summary_deletions: i64 = "summary_deletions",
        summary_files: i64 = "summary_files",
        summary_diffs: List<'a, Json<'a>> = "summary_diffs",
        metadata: Json<'a> = "metadata",
        revert: SessionRowRevert<'a> = "revert",
        permission: List<'a, Json<'a>> = "permission",
        agent: Text<'a> = "agent",
        model: SessionRowModel<'a> = "model",
        time_created: i64 = "time_created",
        time_updated: i64 = "time_updated",
        time_idle: i64 = "time_idle",
        idle_outcome: Text<'a> = "idle_outcome",
        time_viewed: i64 = "time_viewed",
        time_compacting: i64 = "time_compacting",
        time_archived: i64 = "time_archived",
        time_suspended: i64 = "time_suspended",
        resume_attempts: i64 = "resume_attempts",
        cost: f64 = "cost",
        tokens_input: i64 = "tokens_input",
        tokens_output: i64 = "tokens_output",
        tokens_reasoning: i64 = "tokens_reasoning",
        tokens_cache_read: i64 = "tokens_cache_read",
        tokens_cache_write: i64 = "tokens_cache_write",
    }

    /// A part of the record above.
    SessionRowForkBoundary {
        type_: Text<'a> = "type",
        message_id: Text<'a> = "messageID",
    }

    /// A part of the record above.
    SessionRowRevert {
        message_id: Text<'a> = "messageID",
        part_id: Text<'a> = "partID",
        snapshot: Text<'a> = "snapshot",
        files: List<'a, Json<'a>> = "files",
        diff: Text<'a> = "diff",
    }

    /// A part of the record above.
    SessionRowModel {
        id: Text<'a> = "id",
        provider_id: Text<'a> = "providerID",
        variant: Text<'a> = "variant",
    }

    /// `session_inbox (row)`: Input that was accepted and has not reached the conversation yet: a prompt, a synthetic text, a wish to compact or to move.
    SessionInboxRow {
        id: Text<'a> = "id",
        session_id: Text<'a> = "session_id",
        type_: Text<'a> = "type",
        payload: Json<'a> = "payload",
        delivery: Text<'a> = "delivery",
        enqueued_seq: i64 = "enqueued_seq",
        time_created: i64 = "time_created",
    }

    /// `event (row)`: An event as the program publishes it; the tables above are made from such events.
    EventRow {
        id: Text<'a> = "id",
        aggregate_id: Text<'a> = "aggregate_id",
        seq: i64 = "seq",
        created: i64 = "created",
        type_: Text<'a> = "type",
        data: Json<'a> = "data",
        owner_id: Text<'a> = "owner_id",
    }

    /// `event_sequence (row)`: The number of the last event of a session; `session_message.seq` is counted here.
    EventSequenceRow {
        aggregate_id: Text<'a> = "aggregate_id",
        seq: i64 = "seq",
        owner_id: Text<'a> = "owner_id",
    }

    /// `kv (row)`: A value under a key; `migration.v1-v2` tells how far the import of 1.x has come.
    KvRow {
        key: Text<'a> = "key",
        value: Text<'a> = "value",
        time_created: i64 = "time_created",
        time_updated: i64 = "time_updated",
    }

    /// `legacy message (1.x row)`: A message of 1.x: a prompt or one step of an answer. What it says stands in its parts.
    LegacyMessage1XRow {
        id: Text<'a> = "id",
        session_id: Text<'a> = "session_id",
        time_created: i64 = "time_created",
        time_updated: i64 = "time_updated",
        data: LegacyMessage1XRowData<'a> = "data",
    }

    /// A part of the record above.
    LegacyMessage1XRowData {
        role: Text<'a> = "role",
    }

    /// `todo (1.x row)`: An entry of the session's list of things to do, as it stands now.
    Todo1XRow {
        session_id: Text<'a> = "session_id",
        content: Text<'a> = "content",
        status: Text<'a> = "status",
        priority: Text<'a> = "priority",
        position: i64 = "position",
        time_created: i64 = "time_created",
        time_updated: i64 = "time_updated",
    }
}
