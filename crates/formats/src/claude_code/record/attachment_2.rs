// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of Claude Code: attachment.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// `attachment / read_truncation_notice`: Tells the model that what it got from the Read tool is not the whole.
    AttachmentReadTruncationNotice {
        attachment: AttachmentReadTruncationNoticeAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentReadTruncationNoticeRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentReadTruncationNoticeAttachment {
        banner: Text<'a> = "banner",
        tool_use_id: Text<'a> = "toolUseID",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentReadTruncationNoticeRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / session_context`: Facts about the session for the model: the user's e-mail address and the state of git.
    AttachmentSessionContext {
        attachment: AttachmentSessionContextAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentSessionContextRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentSessionContextAttachment {
        context: AttachmentSessionContextAttachmentContext<'a> = "context",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentSessionContextAttachmentContext {
        git_status: Text<'a> = "gitStatus",
        user_email: Text<'a> = "userEmail",
    }

    /// A part of the record above.
    AttachmentSessionContextRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / silent_turn_reminder`: Reminds the model to speak to the user after several turns with tool calls only.
    AttachmentSilentTurnReminder {
        attachment: AttachmentSilentTurnReminderAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentSilentTurnReminderRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentSilentTurnReminderAttachment {
        text: Text<'a> = "text",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentSilentTurnReminderRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / skill_listing`: The skills that the model can use, by name.
    AttachmentSkillListing {
        attachment: AttachmentSkillListingAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentSkillListingRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentSkillListingAttachment {
        content: Text<'a> = "content",
        digests: List<'a, Text<'a>> = "digests",
        is_initial: bool = "isInitial",
        names: List<'a, Text<'a>> = "names",
        skill_count: f64 = "skillCount",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentSkillListingRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / task_status`: How a task in the background, such as a monitor, is doing.
    AttachmentTaskStatus {
        attachment: AttachmentTaskStatusAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentTaskStatusRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentTaskStatusAttachment {
        delta_summary: Json<'a> = "deltaSummary",
        description: Text<'a> = "description",
        output_file_path: Text<'a> = "outputFilePath",
        shell: AttachmentTaskStatusAttachmentShell<'a> = "shell",
        status: Text<'a> = "status",
        task_id: Text<'a> = "taskId",
        task_type: Text<'a> = "taskType",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentTaskStatusAttachmentShell {
        command: Text<'a> = "command",
        kind: Text<'a> = "kind",
        tool_use_id: Text<'a> = "toolUseId",
    }

    /// A part of the record above.
    AttachmentTaskStatusRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / thinking_drop`: For diagnosis: thinking blocks were left out of a request, because what stands before them no longer matched.
    AttachmentThinkingDrop {
        attachment: AttachmentThinkingDropAttachment<'a> = "attachment",
    }

    /// A part of the record above.
    AttachmentThinkingDropAttachment {
        block_hashes: List<'a, Json<'a>> = "blockHashes",
        client_change: AttachmentThinkingDropAttachmentClientChange<'a> = "clientChange",
        first_report_for_thread_in_process: bool = "firstReportForThreadInProcess",
        model: Text<'a> = "model",
        newly_dropped: AttachmentThinkingDropAttachmentNewlyDropped<'a> = "newlyDropped",
        query_source: Text<'a> = "querySource",
        request_id: Text<'a> = "requestId",
        thinking_blocks_sent: f64 = "thinkingBlocksSent",
        thinking_turns_sent: f64 = "thinkingTurnsSent",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentThinkingDropAttachmentClientChange {
        baseline: Text<'a> = "baseline",
        call_number: f64 = "callNumber",
        first_changed_message_index: f64 = "firstChangedMessageIndex",
        kinds: Text<'a> = "kinds",
    }

    /// A part of the record above.
    AttachmentThinkingDropAttachmentNewlyDropped {
        block_count: f64 = "blockCount",
        first: Json<'a> = "first",
        last: Json<'a> = "last",
        reason: Text<'a> = "reason",
        reason_counts: Json<'a> = "reasonCounts",
        turn_count: f64 = "turnCount",
    }

    /// `attachment / total_tokens_reminder`: Tells the model how many tokens of its context are left.
    AttachmentTotalTokensReminder {
        attachment: AttachmentTotalTokensReminderAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentTotalTokensReminderRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentTotalTokensReminderAttachment {
        text: Text<'a> = "text",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentTotalTokensReminderRenderedElement {
        content: Text<'a> = "content",
    }

    /// Several record types that have the same fields.
    AttachmentPlain {
        attachment: AttachmentPlainAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentPlainRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_in_human_turn: List<'a, AttachmentPlainRenderedInHumanTurnElement<'a>> = "renderedInHumanTurn",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentPlainAttachment {
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentPlainRenderedElement {
        content: Text<'a> = "content",
    }

    /// A part of the record above.
    AttachmentPlainRenderedInHumanTurnElement {
        content: Text<'a> = "content",
    }

    /// `attachment / hook_non_blocking_error`: A hook failed, but what it was attached to went on.
    AttachmentHookNonBlockingError {
        attachment: AttachmentHookNonBlockingErrorAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentHookNonBlockingErrorRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_in_human_turn: List<'a, AttachmentHookNonBlockingErrorRenderedInHumanTurnElement<'a>> = "renderedInHumanTurn",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentHookNonBlockingErrorAttachment {
        type_: Text<'a> = "type",
        hook_name: Text<'a> = "hookName",
        hook_event: Text<'a> = "hookEvent",
        tool_use_id: Text<'a> = "toolUseID",
        command: Text<'a> = "command",
        exit_code: i64 = "exitCode",
        stdout: Text<'a> = "stdout",
        stderr: Text<'a> = "stderr",
        duration_ms: i64 = "durationMs",
    }

    /// A part of the record above.
    AttachmentHookNonBlockingErrorRenderedElement {
        content: Text<'a> = "content",
    }

    /// A part of the record above.
    AttachmentHookNonBlockingErrorRenderedInHumanTurnElement {
        content: Text<'a> = "content",
    }

    /// `attachment / plan_mode`: Tells the model that plan mode is on: plan, and change nothing yet.
    AttachmentPlanMode {
        attachment: AttachmentPlanModeAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentPlanModeRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_in_human_turn: List<'a, AttachmentPlanModeRenderedInHumanTurnElement<'a>> = "renderedInHumanTurn",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentPlanModeAttachment {
        type_: Text<'a> = "type",
        reminder_type: Text<'a> = "reminderType",
        is_sub_agent: bool = "isSubAgent",
        plan_file_path: Text<'a> = "planFilePath",
        plan_exists: bool = "planExists",
    }

    /// A part of the record above.
    AttachmentPlanModeRenderedElement {
        content: Text<'a> = "content",
    }

    /// A part of the record above.
    AttachmentPlanModeRenderedInHumanTurnElement {
        content: Text<'a> = "content",
    }

    /// `attachment / plan_mode_exit`: Tells the model that plan mode is over and it may act.
    AttachmentPlanModeExit {
        attachment: AttachmentPlanModeExitAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentPlanModeExitRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_in_human_turn: List<'a, AttachmentPlanModeExitRenderedInHumanTurnElement<'a>> = "renderedInHumanTurn",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentPlanModeExitAttachment {
        type_: Text<'a> = "type",
        plan_file_path: Text<'a> = "planFilePath",
        plan_exists: bool = "planExists",
    }

    /// A part of the record above.
    AttachmentPlanModeExitRenderedElement {
        content: Text<'a> = "content",
    }

    /// A part of the record above.
    AttachmentPlanModeExitRenderedInHumanTurnElement {
        content: Text<'a> = "content",
    }

    /// `attachment / remote_session_change`: How commits and pull requests are to be signed, and the address of a remote session.
    AttachmentRemoteSessionChange {
        attachment: AttachmentRemoteSessionChangeAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentRemoteSessionChangeRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_in_human_turn: List<'a, AttachmentRemoteSessionChangeRenderedInHumanTurnElement<'a>> = "renderedInHumanTurn",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentRemoteSessionChangeAttachment {
        type_: Text<'a> = "type",
        url: Text<'a> = "url",
        commit: Text<'a> = "commit",
        pr: Text<'a> = "pr",
        send_user_file_hint: bool = "sendUserFileHint",
        managed_commit: bool = "managedCommit",
        managed_pr: bool = "managedPr",
    }

    /// A part of the record above.
    AttachmentRemoteSessionChangeRenderedElement {
        content: Text<'a> = "content",
    }

    /// A part of the record above.
    AttachmentRemoteSessionChangeRenderedInHumanTurnElement {
        content: Text<'a> = "content",
    }

    /// `attachment / structured_output`: The final answer as data, in the form that a JSON Schema asked for.
    AttachmentStructuredOutput {
        attachment: AttachmentStructuredOutputAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentStructuredOutputRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_in_human_turn: List<'a, AttachmentStructuredOutputRenderedInHumanTurnElement<'a>> = "renderedInHumanTurn",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentStructuredOutputAttachment {
        type_: Text<'a> = "type",
        data: Json<'a> = "data",
        tool_use_id: Text<'a> = "toolUseID",
    }

    /// A part of the record above.
    AttachmentStructuredOutputRenderedElement {
        content: Text<'a> = "content",
    }

    /// A part of the record above.
    AttachmentStructuredOutputRenderedInHumanTurnElement {
        content: Text<'a> = "content",
    }
}
