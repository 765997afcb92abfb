// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of Claude Code: line.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// `relocated`: The session has moved to another folder (`/cd`), and its file with it.
    Relocated {
        relocated_cwd: Text<'a> = "relocatedCwd",
    }

    /// `ended-by-model`: The model itself has ended the session.
    EndedByModel {
        timestamp: Text<'a> = "timestamp",
    }

    /// `continued-in`: The conversation goes on in another session.
    ContinuedIn {
        continued_in_session_id: Text<'a> = "continuedInSessionId",
        timestamp: Text<'a> = "timestamp",
    }

    /// `worktree-state`: Git worktree in which the session works.
    WorktreeState {
        worktree_session: WorktreeStateWorktreeSession<'a> = "worktreeSession",
    }

    /// A part of the record above.
    WorktreeStateWorktreeSession {
        original_cwd: Text<'a> = "originalCwd",
        pre_enter_original_cwd: Text<'a> = "preEnterOriginalCwd",
        worktree_path: Text<'a> = "worktreePath",
        worktree_name: Text<'a> = "worktreeName",
        worktree_branch: Text<'a> = "worktreeBranch",
        original_branch: Text<'a> = "originalBranch",
        original_head_commit: Text<'a> = "originalHeadCommit",
        session_id: Text<'a> = "sessionId",
    }

    /// `isolation-latch`: The side of an isolation boundary to which the session has been bound.
    IsolationLatch {
        side: Text<'a> = "side",
    }

    /// `dev-mods`: Folder with modifications under development that the session has loaded.
    DevMods {
        folder: Text<'a> = "folder",
    }

    /// `memory-mode`: Memory was switched on or off from some node on.
    MemoryMode {
        mode: Text<'a> = "mode",
        after_uuid: Text<'a> = "afterUuid",
        timestamp: Text<'a> = "timestamp",
        reason: Text<'a> = "reason",
        account: Text<'a> = "account",
        account_choice: Text<'a> = "accountChoice",
    }

    /// `bridge-session`: Ties the session to one that is driven from afar (Remote Control).
    BridgeSession {
        bridge_session_id: Text<'a> = "bridgeSessionId",
        last_sequence_num: i64 = "lastSequenceNum",
        declared_dialog_kinds: List<'a, Json<'a>> = "declaredDialogKinds",
        session_grouping_id: Text<'a> = "sessionGroupingId",
        no_history_backfill: bool = "noHistoryBackfill",
        owner_account_uuid: Text<'a> = "ownerAccountUuid",
        owner_organization_uuid: Text<'a> = "ownerOrganizationUuid",
    }

    /// `history-suppression`: The session is to be left out of the prompt history and of lists.
    HistorySuppression {
        cause: Text<'a> = "cause",
        vetoed_against_account_uuid: Text<'a> = "vetoedAgainstAccountUuid",
        ts: Text<'a> = "ts",
    }

    /// `attribution-snapshot`: Which lines of code Claude has written, as of some message.
    AttributionSnapshot {
        message_id: Text<'a> = "messageId",
    }

    /// `content-replacement`: Tool results that were replaced in the context, because they were moved to a file or cleared, so that a resumed session sends the same text again.
    ContentReplacement {
        agent_id: Text<'a> = "agentId",
        replacements: List<'a, Json<'a>> = "replacements",
    }

    /// `observer-ref`: Refers to an agent that observes the session.
    ObserverRef {
        timestamp: Text<'a> = "timestamp",
    }

    /// `tools-used`: Names of the tools that the session has called so far.
    ToolsUsed {
        tools: List<'a, Text<'a>> = "tools",
    }
}
