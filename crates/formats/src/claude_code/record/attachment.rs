// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of Claude Code: attachment.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// `attachment / agent_listing_delta`: Tells the model which kinds of sub-agent it can start, as a change to the list it knows.
    AttachmentAgentListingDelta {
        attachment: AttachmentAgentListingDeltaAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentAgentListingDeltaRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentAgentListingDeltaAttachment {
        added_lines: List<'a, Text<'a>> = "addedLines",
        added_types: List<'a, Text<'a>> = "addedTypes",
        built_in_plugin_types: List<'a, Json<'a>> = "builtInPluginTypes",
        built_in_types: List<'a, Text<'a>> = "builtInTypes",
        is_initial: bool = "isInitial",
        removed_types: List<'a, Json<'a>> = "removedTypes",
        show_concurrency_note: bool = "showConcurrencyNote",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentAgentListingDeltaRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / auto_mode`: Tells the model that auto mode is on, where a classifier decides about permissions, and how it is set.
    AttachmentAutoMode {
        attachment: AttachmentAutoModeAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentAutoModeRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentAutoModeAttachment {
        auto_mode_consent_flow: bool = "autoModeConsentFlow",
        bash_first: bool = "bashFirst",
        bash_first_steer: Text<'a> = "bashFirstSteer",
        bypass: bool = "bypass",
        finish_exposed_work: bool = "finishExposedWork",
        steer_only: bool = "steerOnly",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentAutoModeRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / command_permissions`: The tools that a slash command or skill may use without asking.
    AttachmentCommandPermissions {
        attachment: AttachmentCommandPermissionsAttachment<'a> = "attachment",
    }

    /// A part of the record above.
    AttachmentCommandPermissionsAttachment {
        allowed_tools: List<'a, Json<'a>> = "allowedTools",
        type_: Text<'a> = "type",
    }

    /// `attachment / compact_file_reference`: Names a file that the model had read before a compaction, so that it can read it again.
    AttachmentCompactFileReference {
        attachment: AttachmentCompactFileReferenceAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentCompactFileReferenceRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentCompactFileReferenceAttachment {
        display_path: Text<'a> = "displayPath",
        filename: Text<'a> = "filename",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentCompactFileReferenceRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / credential_org`: The organisation that the credential in use belongs to.
    AttachmentCredentialOrg {
        attachment: AttachmentCredentialOrgAttachment<'a> = "attachment",
    }

    /// A part of the record above.
    AttachmentCredentialOrgAttachment {
        organization_uuid: Text<'a> = "organizationUuid",
        type_: Text<'a> = "type",
    }

    /// `attachment / date`: The day on which the conversation takes place, for the model.
    AttachmentDate {
        attachment: AttachmentDateAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentDateRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentDateAttachment {
        date: Text<'a> = "date",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentDateRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / deferred_tools_delta`: Changes to the list of tools that are only loaded when searched for, with the state of MCP servers.
    AttachmentDeferredToolsDelta {
        attachment: AttachmentDeferredToolsDeltaAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentDeferredToolsDeltaRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentDeferredToolsDeltaAttachment {
        added_lines: List<'a, Text<'a>> = "addedLines",
        added_names: List<'a, Text<'a>> = "addedNames",
        failed_mcp_servers: List<'a, Json<'a>> = "failedMcpServers",
        pending_mcp_servers: List<'a, Json<'a>> = "pendingMcpServers",
        readded_names: List<'a, Json<'a>> = "readdedNames",
        removed_names: List<'a, Json<'a>> = "removedNames",
        surfaced_definitions: List<'a, Json<'a>> = "surfacedDefinitions",
        surfaced_names: List<'a, Json<'a>> = "surfacedNames",
        type_: Text<'a> = "type",
        wire_hidden_names: List<'a, Json<'a>> = "wireHiddenNames",
        needs_auth_mcp_servers: List<'a, Json<'a>> = "needsAuthMcpServers",
    }

    /// A part of the record above.
    AttachmentDeferredToolsDeltaRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / deferred_tools_record`: Keeps the definitions of deferred tools that were loaded, and exact copies of tool inputs.
    AttachmentDeferredToolsRecord {
        attachment: AttachmentDeferredToolsRecordAttachment<'a> = "attachment",
    }

    /// A part of the record above.
    AttachmentDeferredToolsRecordAttachment {
        entries: List<'a, AttachmentDeferredToolsRecordAttachmentEntriesElement<'a>> = "entries",
        name_only_announcements: List<'a, Json<'a>> = "nameOnlyAnnouncements",
        tool_input_copies: List<'a, Json<'a>> = "toolInputCopies",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentDeferredToolsRecordAttachmentEntriesElement {
        name: Text<'a> = "name",
        description: Text<'a> = "description",
        input_schema: Json<'a> = "input_schema",
        defer_loading: bool = "defer_loading",
    }

    /// `attachment / edited_text_file`: Tells the model that a file it had read was changed by somebody else, with the changed part.
    AttachmentEditedTextFile {
        attachment: AttachmentEditedTextFileAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentEditedTextFileRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentEditedTextFileAttachment {
        filename: Text<'a> = "filename",
        snippet: Text<'a> = "snippet",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentEditedTextFileRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / environment`: Where the program runs: system, shell, working directory, git and worktree; or what changed of it.
    AttachmentEnvironment {
        attachment: AttachmentEnvironmentAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentEnvironmentRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentEnvironmentAttachment {
        changes: List<'a, Json<'a>> = "changes",
        snapshot: AttachmentEnvironmentAttachmentSnapshot<'a> = "snapshot",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentEnvironmentAttachmentSnapshot {
        additional_working_directories: List<'a, Json<'a>> = "additionalWorkingDirectories",
        is_git_repo: bool = "isGitRepo",
        is_worktree: bool = "isWorktree",
        os_version: Text<'a> = "osVersion",
        platform: Text<'a> = "platform",
        scratchpad_directory: Text<'a> = "scratchpadDirectory",
        shell: Text<'a> = "shell",
        working_directory: Text<'a> = "workingDirectory",
    }

    /// A part of the record above.
    AttachmentEnvironmentRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / file`: The content of a file that a prompt mentions with `@`, or that is given again after a compaction.
    AttachmentFile {
        attachment: AttachmentFileAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentFileRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentFileAttachment {
        content: AttachmentFileAttachmentContent<'a> = "content",
        display_path: Text<'a> = "displayPath",
        filename: Text<'a> = "filename",
        type_: Text<'a> = "type",
        saved_copy_framing: AttachmentFileAttachmentSavedCopyFraming<'a> = "savedCopyFraming",
    }

    /// A part of the record above.
    AttachmentFileAttachmentContent {
        file: AttachmentFileAttachmentContentFile<'a> = "file",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentFileAttachmentContentFile {
        file_path: Text<'a> = "filePath",
        content: Text<'a> = "content",
        num_lines: i64 = "numLines",
        start_line: i64 = "startLine",
        total_lines: i64 = "totalLines",
    }

    /// A part of the record above.
    AttachmentFileAttachmentSavedCopyFraming {
        enveloped: bool = "enveloped",
    }

    /// A part of the record above.
    AttachmentFileRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / hook_additional_context`: Text that a hook gives to the model through `additionalContext`.
    AttachmentHookAdditionalContext {
        attachment: AttachmentHookAdditionalContextAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentHookAdditionalContextRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentHookAdditionalContextAttachment {
        content: List<'a, Json<'a>> = "content",
        hook_event: Text<'a> = "hookEvent",
        hook_name: Text<'a> = "hookName",
        tool_use_id: Text<'a> = "toolUseID",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentHookAdditionalContextRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / hook_success`: A hook ran to its end without an error: its command, output, exit code and time.
    AttachmentHookSuccess {
        attachment: AttachmentHookSuccessAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentHookSuccessRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentHookSuccessAttachment {
        command: Text<'a> = "command",
        content: Text<'a> = "content",
        duration_ms: f64 = "durationMs",
        exit_code: f64 = "exitCode",
        hook_event: Text<'a> = "hookEvent",
        hook_name: Text<'a> = "hookName",
        stderr: Text<'a> = "stderr",
        stdout: Text<'a> = "stdout",
        tool_use_id: Text<'a> = "toolUseID",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentHookSuccessRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / instructions`: The instruction files in force: `CLAUDE.md` of user and project, and automatic memory.
    AttachmentInstructions {
        attachment: AttachmentInstructionsAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentInstructionsRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentInstructionsAttachment {
        changed: bool = "changed",
        files: List<'a, AttachmentInstructionsAttachmentFilesElement<'a>> = "files",
        reason: Text<'a> = "reason",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentInstructionsAttachmentFilesElement {
        path: Text<'a> = "path",
        type_: Text<'a> = "type",
        content: Text<'a> = "content",
    }

    /// A part of the record above.
    AttachmentInstructionsRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / invoked_skills`: The skills that were used so far, given again so that a compaction does not lose them.
    AttachmentInvokedSkills {
        attachment: AttachmentInvokedSkillsAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentInvokedSkillsRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentInvokedSkillsAttachment {
        skills: List<'a, Json<'a>> = "skills",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentInvokedSkillsRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / mcp_instructions_delta`: Instructions that MCP servers give to the model, as a change to those it has.
    AttachmentMcpInstructionsDelta {
        attachment: AttachmentMcpInstructionsDeltaAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentMcpInstructionsDeltaRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentMcpInstructionsDeltaAttachment {
        added_blocks: List<'a, Text<'a>> = "addedBlocks",
        added_names: List<'a, Text<'a>> = "addedNames",
        removed_names: List<'a, Json<'a>> = "removedNames",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentMcpInstructionsDeltaRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / model`: Which model answers: id, public name, and up to when its knowledge goes.
    AttachmentModel {
        attachment: AttachmentModelAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentModelRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentModelAttachment {
        identity: AttachmentModelAttachmentIdentity<'a> = "identity",
        text: Text<'a> = "text",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentModelAttachmentIdentity {
        knowledge_cutoff: Text<'a> = "knowledgeCutoff",
        marketing_name: Text<'a> = "marketingName",
        model_id: Text<'a> = "modelId",
    }

    /// A part of the record above.
    AttachmentModelRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / nested_memory`: A `CLAUDE.md` found deeper in the tree, in a directory that a tool has touched.
    AttachmentNestedMemory {
        attachment: AttachmentNestedMemoryAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentNestedMemoryRenderedElement<'a>> = "rendered",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentNestedMemoryAttachment {
        content: AttachmentNestedMemoryAttachmentContent<'a> = "content",
        display_path: Text<'a> = "displayPath",
        path: Text<'a> = "path",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentNestedMemoryAttachmentContent {
        content: Text<'a> = "content",
        content_differs_from_disk: bool = "contentDiffersFromDisk",
        path: Text<'a> = "path",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentNestedMemoryRenderedElement {
        content: Text<'a> = "content",
    }

    /// `attachment / prompt_snapshot`: The system prompt and the tools that were in force, kept for the record.
    AttachmentPromptSnapshot {
        attachment: AttachmentPromptSnapshotAttachment<'a> = "attachment",
    }

    /// A part of the record above.
    AttachmentPromptSnapshotAttachment {
        cli_prefix: Text<'a> = "cliPrefix",
        context_rendering: Text<'a> = "contextRendering",
        echo_wire_tool_inputs: bool = "echoWireToolInputs",
        inline_tools: bool = "inlineTools",
        kept_reminders: bool = "keptReminders",
        reminder_fold: bool = "reminderFold",
        system_prompt: List<'a, Text<'a>> = "systemPrompt",
        system_turns: bool = "systemTurns",
        tool_change_header: bool = "toolChangeHeader",
        tools: List<'a, AttachmentPromptSnapshotAttachmentToolsElement<'a>> = "tools",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AttachmentPromptSnapshotAttachmentToolsElement {
        name: Text<'a> = "name",
        description: Text<'a> = "description",
        schema: AttachmentPromptSnapshotAttachmentToolsElementSchema<'a> = "schema",
    }

    /// A part of the record above.
    AttachmentPromptSnapshotAttachmentToolsElementSchema {
        name: Text<'a> = "name",
        description: Text<'a> = "description",
        input_schema: Json<'a> = "input_schema",
    }

    /// `attachment / queued_command`: A prompt or the notice of a finished task that had to wait and came in while the turn was running.
    AttachmentQueuedCommand {
        attachment: AttachmentQueuedCommandAttachment<'a> = "attachment",
        rendered: List<'a, AttachmentQueuedCommandRenderedElement<'a>> = "rendered",
        rendered_in_human_turn: List<'a, AttachmentQueuedCommandRenderedInHumanTurnElement<'a>> = "renderedInHumanTurn",
        rendered_role: Text<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
    }

    /// A part of the record above.
    AttachmentQueuedCommandAttachment {
        command_mode: Text<'a> = "commandMode",
        delivery_id: Text<'a> = "delivery_id",
        human_turn: bool = "humanTurn",
        is_meta: bool = "isMeta",
        origin: AttachmentQueuedCommandAttachmentOrigin<'a> = "origin",
        prompt: Text<'a> = "prompt",
        reminder_id: Text<'a> = "reminderId",
        run_id: Text<'a> = "runId",
        source_uuid: Text<'a> = "source_uuid",
        timestamp: Text<'a> = "timestamp",
        type_: Text<'a> = "type",
        usage: AttachmentQueuedCommandAttachmentUsage<'a> = "usage",
    }

    /// A part of the record above.
    AttachmentQueuedCommandAttachmentOrigin {
        body: Text<'a> = "body",
        from: Text<'a> = "from",
        handback: bool = "handback",
        handback_report_text: Text<'a> = "handbackReportText",
        kind: Text<'a> = "kind",
        name: Text<'a> = "name",
        producer: Text<'a> = "producer",
        sender_task_id: Text<'a> = "senderTaskId",
        run_id: Text<'a> = "runId",
    }

    /// A part of the record above.
    AttachmentQueuedCommandAttachmentUsage {
        duration_ms: f64 = "durationMs",
        tool_uses: f64 = "toolUses",
        total_tokens: f64 = "totalTokens",
    }

    /// A part of the record above.
    AttachmentQueuedCommandRenderedElement {
        content: Text<'a> = "content",
    }

    /// A part of the record above.
    AttachmentQueuedCommandRenderedInHumanTurnElement {
        content: Text<'a> = "content",
    }
}
