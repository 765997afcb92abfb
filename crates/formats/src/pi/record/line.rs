// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of pi: line.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// What surrounds a record: the envelope `entry`.
    EntryEnvelope {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        parent_id: Text<'a> = "parentId",
        timestamp: Text<'a> = "timestamp",
    }

    /// `session`: The header: which session the file holds, where it ran and which version of the format follows.
    Session {
        type_: Text<'a> = "type",
        version: i64 = "version",
        id: Text<'a> = "id",
        timestamp: Text<'a> = "timestamp",
        cwd: Text<'a> = "cwd",
        parent_session: Text<'a> = "parentSession",
        branched_from: Text<'a> = "branchedFrom",
    }

    /// `message`: Holds one message of the conversation; its role says which.
    Message {
        message: Json<'a> = "message",
    }

    /// `model_change`: Another model is in use from here on; it may be a virtual one.
    ModelChange {
        provider: Text<'a> = "provider",
        model_id: Text<'a> = "modelId",
    }

    /// `thinking_level_change`: Another thinking level is in force from here on.
    ThinkingLevelChange {
        thinking_level: Text<'a> = "thinkingLevel",
    }

    /// `usage`: The bill of a model call that left no message, such as keeping a prompt cache warm.
    Usage {
        kind: Text<'a> = "kind",
        provider: Text<'a> = "provider",
        model: Text<'a> = "model",
        usage: UsageUsage<'a> = "usage",
        note: Text<'a> = "note",
    }

    /// A part of the record above.
    UsageUsage {
        input: i64 = "input",
        output: i64 = "output",
        cache_read: i64 = "cacheRead",
        cache_write: i64 = "cacheWrite",
        cache_write1h: i64 = "cacheWrite1h",
        reasoning: i64 = "reasoning",
        total_tokens: i64 = "totalTokens",
        cost: UsageUsageCost<'a> = "cost",
    }

    /// A part of the record above.
    UsageUsageCost {
        input: f64 = "input",
        output: f64 = "output",
        cache_read: f64 = "cacheRead",
        cache_write: f64 = "cacheWrite",
        total: f64 = "total",
        total_from_provider: bool = "totalFromProvider",
    }

    /// `compaction`: From here on a summary stands for the older part of the branch.
    Compaction {
        summary: Text<'a> = "summary",
        first_kept_entry_id: Text<'a> = "firstKeptEntryId",
        first_kept_entry_index: i64 = "firstKeptEntryIndex",
        tokens_before: i64 = "tokensBefore",
        details: CompactionDetails<'a> = "details",
        usage: CompactionUsage<'a> = "usage",
        from_hook: bool = "fromHook",
        system_message: CompactionSystemMessage<'a> = "systemMessage",
    }

    /// A part of the record above.
    CompactionDetails {
        read_files: List<'a, Text<'a>> = "readFiles",
        modified_files: List<'a, Text<'a>> = "modifiedFiles",
    }

    /// A part of the record above.
    CompactionUsage {
        input: i64 = "input",
        output: i64 = "output",
        cache_read: i64 = "cacheRead",
        cache_write: i64 = "cacheWrite",
        cache_write1h: i64 = "cacheWrite1h",
        reasoning: i64 = "reasoning",
        total_tokens: i64 = "totalTokens",
        cost: CompactionUsageCost<'a> = "cost",
    }

    /// A part of the record above.
    CompactionUsageCost {
        input: f64 = "input",
        output: f64 = "output",
        cache_read: f64 = "cacheRead",
        cache_write: f64 = "cacheWrite",
        total: f64 = "total",
        total_from_provider: bool = "totalFromProvider",
    }

    /// A part of the record above.
    CompactionSystemMessage {
        role: Text<'a> = "role",
        content: Json<'a> = "content",
        sections: Json<'a> = "sections",
        tools_added: List<'a, CompactionSystemMessageToolsAddedElement<'a>> = "toolsAdded",
        timestamp: i64 = "timestamp",
    }

    /// A part of the record above.
    CompactionSystemMessageToolsAddedElement {
        name: Text<'a> = "name",
        description: Text<'a> = "description",
        parameters: Json<'a> = "parameters",
        constrained_sampling: Json<'a> = "constrainedSampling",
    }

    /// `branch_summary`: What happened on a branch that the person has left.
    BranchSummary {
        from_id: Text<'a> = "fromId",
        summary: Text<'a> = "summary",
        details: BranchSummaryDetails<'a> = "details",
        usage: BranchSummaryUsage<'a> = "usage",
        from_hook: bool = "fromHook",
    }

    /// A part of the record above.
    BranchSummaryDetails {
        read_files: List<'a, Text<'a>> = "readFiles",
        modified_files: List<'a, Text<'a>> = "modifiedFiles",
    }

    /// A part of the record above.
    BranchSummaryUsage {
        input: i64 = "input",
        output: i64 = "output",
        cache_read: i64 = "cacheRead",
        cache_write: i64 = "cacheWrite",
        cache_write1h: i64 = "cacheWrite1h",
        reasoning: i64 = "reasoning",
        total_tokens: i64 = "totalTokens",
        cost: BranchSummaryUsageCost<'a> = "cost",
    }

    /// A part of the record above.
    BranchSummaryUsageCost {
        input: f64 = "input",
        output: f64 = "output",
        cache_read: f64 = "cacheRead",
        cache_write: f64 = "cacheWrite",
        total: f64 = "total",
        total_from_provider: bool = "totalFromProvider",
    }

    /// `custom`: State of an extension, which the model never sees.
    Custom {
        custom_type: Text<'a> = "customType",
        data: Json<'a> = "data",
    }

    /// `custom_message`: A message of an extension to the model, in the role of the user.
    CustomMessage {
        custom_type: Text<'a> = "customType",
        content: Json<'a> = "content",
        display: bool = "display",
        details: Json<'a> = "details",
    }

    /// `context_edit`: Leaves an earlier entry out of what the model gets, or puts other content in its place.
    ContextEdit {
        target_id: Text<'a> = "targetId",
        replacement: ContextEditReplacement<'a> = "replacement",
    }

    /// A part of the record above.
    ContextEditReplacement {
        content: Json<'a> = "content",
    }

    /// `label`: A bookmark on an entry, set or taken away.
    Label {
        target_id: Text<'a> = "targetId",
        label: Text<'a> = "label",
    }

    /// `session_info`: The name of the session.
    SessionInfo {
        name: Text<'a> = "name",
    }
}
