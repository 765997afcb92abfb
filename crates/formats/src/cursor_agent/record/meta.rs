// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of cursor-agent: meta.

use crate::json::Text;
use crate::view::views;

views! {
    /// `meta / '0'`: The chat's settings: id, title, mode, times, and the root to begin at.
    Meta0 {
        agent_id: Text<'a> = "agentId",
        latest_root_blob_id: Text<'a> = "latestRootBlobId",
        name: Text<'a> = "name",
        created_at: f64 = "createdAt",
        mode: Text<'a> = "mode",
        is_run_everything: bool = "isRunEverything",
        approval_mode: Text<'a> = "approvalMode",
        last_used_model: Text<'a> = "lastUsedModel",
        last_debug_server_port: i64 = "lastDebugServerPort",
        current_plan_uri: Text<'a> = "currentPlanUri",
        subagent_info: Meta0SubagentInfo<'a> = "subagentInfo",
        blob_encryption_key: Text<'a> = "blobEncryptionKey",
    }

    /// A part of the record above.
    Meta0SubagentInfo {
        parent_agent_id: Text<'a> = "parentAgentId",
        root_parent_agent_id: Text<'a> = "rootParentAgentId",
        tool_call_id: Text<'a> = "toolCallId",
        type_name: Text<'a> = "typeName",
    }
}
