// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of Codex: item.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// `event_msg / item_completed`: Something for the screen is finished: the wrapper of all display items.
    ItemCompleted {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: Json<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// `event_msg / item_completed / UserMessage`: What the user sent, in the user's own words.
    ItemUserMessage {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemUserMessageItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemUserMessageItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        client_id: Text<'a> = "client_id",
        content: List<'a, Json<'a>> = "content",
    }

    /// `event_msg / item_completed / AgentMessage`: What the assistant said.
    ItemAgentMessage {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemAgentMessageItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemAgentMessageItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        content: List<'a, Json<'a>> = "content",
        phase: Text<'a> = "phase",
        memory_citation: Json<'a> = "memory_citation",
        delivery: Text<'a> = "delivery",
        questions: List<'a, ItemAgentMessageItemQuestionsElement<'a>> = "questions",
    }

    /// A part of the record above.
    ItemAgentMessageItemQuestionsElement {
        title: Text<'a> = "title",
        options: List<'a, Json<'a>> = "options",
    }

    /// `event_msg / item_completed / Reasoning`: Reasoning as the screen shows it.
    ItemReasoning {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemReasoningItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemReasoningItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        summary_text: List<'a, Text<'a>> = "summary_text",
        raw_content: List<'a, Text<'a>> = "raw_content",
    }

    /// `event_msg / item_completed / Plan`: The plan that came out of plan mode.
    ItemPlan {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemPlanItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemPlanItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        text: Text<'a> = "text",
    }

    /// `event_msg / item_completed / CommandExecution`: A command that was run: by the agent, or by the user with `!`.
    ItemCommandExecution {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemCommandExecutionItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemCommandExecutionItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        command: List<'a, Text<'a>> = "command",
        cwd: Text<'a> = "cwd",
        parsed_cmd: List<'a, ItemCommandExecutionItemParsedCmdElement<'a>> = "parsed_cmd",
        source: Text<'a> = "source",
        status: Text<'a> = "status",
        aggregated_output: Text<'a> = "aggregated_output",
        exit_code: i64 = "exit_code",
        duration: ItemCommandExecutionItemDuration<'a> = "duration",
        process_id: Text<'a> = "process_id",
        interaction_input: Text<'a> = "interaction_input",
        plugin_id: Text<'a> = "plugin_id",
        script_path: Text<'a> = "script_path",
        stdout: Text<'a> = "stdout",
        stderr: Text<'a> = "stderr",
        formatted_output: Text<'a> = "formatted_output",
    }

    /// A part of the record above.
    ItemCommandExecutionItemParsedCmdElement {
        type_: Text<'a> = "type",
        cmd: Text<'a> = "cmd",
        name: Text<'a> = "name",
        path: Text<'a> = "path",
        query: Text<'a> = "query",
    }

    /// A part of the record above.
    ItemCommandExecutionItemDuration {
        secs: i64 = "secs",
        nanos: i64 = "nanos",
    }

    /// `event_msg / item_completed / FileChange`: Files that a patch changed, or was to change.
    ItemFileChange {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemFileChangeItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemFileChangeItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        changes: Json<'a> = "changes",
        status: Text<'a> = "status",
        auto_approved: bool = "auto_approved",
        stdout: Text<'a> = "stdout",
        stderr: Text<'a> = "stderr",
    }

    /// `event_msg / item_completed / McpToolCall`: A call of an MCP tool with its answer.
    ItemMcpToolCall {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemMcpToolCallItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemMcpToolCallItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        server: Text<'a> = "server",
        tool: Text<'a> = "tool",
        arguments: Json<'a> = "arguments",
        connector_id: Text<'a> = "connectorId",
        mcp_app_resource_uri: Text<'a> = "mcpAppResourceUri",
        mcp_app_ui: ItemMcpToolCallItemMcpAppUi<'a> = "mcpAppUi",
        link_id: Text<'a> = "linkId",
        app_name: Text<'a> = "appName",
        action_name: Text<'a> = "actionName",
        plugin_id: Text<'a> = "pluginId",
        read_only_hint: bool = "readOnlyHint",
        status: Text<'a> = "status",
        result: ItemMcpToolCallItemResult<'a> = "result",
        error: ItemMcpToolCallItemError<'a> = "error",
        duration: ItemMcpToolCallItemDuration<'a> = "duration",
    }

    /// A part of the record above.
    ItemMcpToolCallItemMcpAppUi {
        resource_uri: Text<'a> = "resourceUri",
        preferred_model_display_mode: Text<'a> = "preferredModelDisplayMode",
    }

    /// A part of the record above.
    ItemMcpToolCallItemResult {
        content: List<'a, Json<'a>> = "content",
        structured_content: Json<'a> = "structuredContent",
        is_error: bool = "isError",
        meta: Json<'a> = "_meta",
    }

    /// A part of the record above.
    ItemMcpToolCallItemError {
        message: Text<'a> = "message",
    }

    /// A part of the record above.
    ItemMcpToolCallItemDuration {
        secs: i64 = "secs",
        nanos: i64 = "nanos",
    }

    /// `event_msg / item_completed / DynamicToolCall`: A call of a tool that the client provides itself.
    ItemDynamicToolCall {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemDynamicToolCallItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemDynamicToolCallItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        namespace: Text<'a> = "namespace",
        tool: Text<'a> = "tool",
        arguments: Json<'a> = "arguments",
        status: Text<'a> = "status",
        content_items: List<'a, Json<'a>> = "content_items",
        success: bool = "success",
        error: Text<'a> = "error",
        duration: ItemDynamicToolCallItemDuration<'a> = "duration",
    }

    /// A part of the record above.
    ItemDynamicToolCallItemDuration {
        secs: i64 = "secs",
        nanos: i64 = "nanos",
    }

    /// `event_msg / item_completed / FunctionCallOutput`: The output of a function tool, kept for the screen because no other line has it.
    ItemFunctionCallOutput {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemFunctionCallOutputItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemFunctionCallOutputItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        name: Text<'a> = "name",
        namespace: Text<'a> = "namespace",
        output: Json<'a> = "output",
    }

    /// `event_msg / item_completed / CollabAgentToolCall`: A tool call about other agents: spawn, send, wait, close and the like.
    ItemCollabAgentToolCall {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemCollabAgentToolCallItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemCollabAgentToolCallItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        tool: Text<'a> = "tool",
        status: Text<'a> = "status",
        sender_thread_id: Text<'a> = "sender_thread_id",
        receiver_thread_ids: List<'a, Text<'a>> = "receiver_thread_ids",
        receiver_agents: List<'a, ItemCollabAgentToolCallItemReceiverAgentsElement<'a>> = "receiver_agents",
        prompt: Text<'a> = "prompt",
        model: Text<'a> = "model",
        reasoning_effort: Text<'a> = "reasoning_effort",
        agents_states: Json<'a> = "agents_states",
    }

    /// A part of the record above.
    ItemCollabAgentToolCallItemReceiverAgentsElement {
        thread_id: Text<'a> = "thread_id",
        agent_nickname: Text<'a> = "agent_nickname",
        agent_role: Text<'a> = "agent_role",
    }

    /// `event_msg / item_completed / SubAgentActivity`: Something happened to a sub-agent.
    ItemSubAgentActivity {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemSubAgentActivityItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemSubAgentActivityItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        kind: Text<'a> = "kind",
        agent_thread_id: Text<'a> = "agent_thread_id",
        agent_path: Text<'a> = "agent_path",
        model: Text<'a> = "model",
        reasoning_effort: Text<'a> = "reasoning_effort",
    }

    /// `event_msg / item_completed / WebSearch`: A web search that the provider did.
    ItemWebSearch {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemWebSearchItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemWebSearchItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        query: Text<'a> = "query",
        action: ItemWebSearchItemAction<'a> = "action",
        results: List<'a, Json<'a>> = "results",
    }

    /// A part of the record above.
    ItemWebSearchItemAction {
        type_: Text<'a> = "type",
        query: Text<'a> = "query",
        queries: List<'a, Text<'a>> = "queries",
        url: Text<'a> = "url",
        pattern: Text<'a> = "pattern",
    }

    /// `event_msg / item_completed / ImageView`: The agent looked at a picture on disk.
    ItemImageView {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemImageViewItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemImageViewItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        path: Text<'a> = "path",
    }

    /// `event_msg / item_completed / ImageGeneration`: A picture that the provider made.
    ItemImageGeneration {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemImageGenerationItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemImageGenerationItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        status: Text<'a> = "status",
        revised_prompt: Text<'a> = "revised_prompt",
        result: Text<'a> = "result",
        saved_path: Text<'a> = "saved_path",
    }

    /// `event_msg / item_completed / HookPrompt`: Text that hooks put in.
    ItemHookPrompt {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemHookPromptItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemHookPromptItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        fragments: List<'a, ItemHookPromptItemFragmentsElement<'a>> = "fragments",
    }

    /// A part of the record above.
    ItemHookPromptItemFragmentsElement {
        text: Text<'a> = "text",
        hook_run_id: Text<'a> = "hookRunId",
    }

    /// `event_msg / item_completed / EnteredReviewMode`: A `/review` begins.
    ItemEnteredReviewMode {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemEnteredReviewModeItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemEnteredReviewModeItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        target: ItemEnteredReviewModeItemTarget<'a> = "target",
        user_facing_hint: Text<'a> = "user_facing_hint",
    }

    /// A part of the record above.
    ItemEnteredReviewModeItemTarget {
        type_: Text<'a> = "type",
        branch: Text<'a> = "branch",
        sha: Text<'a> = "sha",
        title: Text<'a> = "title",
        instructions: Text<'a> = "instructions",
    }

    /// `event_msg / item_completed / ExitedReviewMode`: A review is over.
    ItemExitedReviewMode {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemExitedReviewModeItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemExitedReviewModeItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
        review_output: ItemExitedReviewModeItemReviewOutput<'a> = "review_output",
    }

    /// A part of the record above.
    ItemExitedReviewModeItemReviewOutput {
        findings: List<'a, ItemExitedReviewModeItemReviewOutputFindingsElement<'a>> = "findings",
        overall_correctness: Text<'a> = "overall_correctness",
        overall_explanation: Text<'a> = "overall_explanation",
        overall_confidence_score: f64 = "overall_confidence_score",
    }

    /// A part of the record above.
    ItemExitedReviewModeItemReviewOutputFindingsElement {
        title: Text<'a> = "title",
        body: Text<'a> = "body",
        confidence_score: f64 = "confidence_score",
        priority: i64 = "priority",
        code_location: ItemExitedReviewModeItemReviewOutputFindingsElementCodeLocation<'a> = "code_location",
    }

    /// A part of the record above.
    ItemExitedReviewModeItemReviewOutputFindingsElementCodeLocation {
        absolute_file_path: Text<'a> = "absolute_file_path",
        line_range: ItemExitedReviewModeItemReviewOutputFindingsElementCodeLocationLineRange<'a> = "line_range",
    }

    /// A part of the record above.
    ItemExitedReviewModeItemReviewOutputFindingsElementCodeLocationLineRange {
        start: i64 = "start",
        end: i64 = "end",
    }

    /// `event_msg / item_completed / ContextCompaction`: A mark for the screen: the context was compacted here.
    ItemContextCompaction {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemContextCompactionItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemContextCompactionItem {
        type_: Text<'a> = "type",
        id: Text<'a> = "id",
    }

    /// `event_msg / item_completed / Extension / web.search`: A web search done by an extension of Codex.
    ItemExtensionWebSearch {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        item: ItemExtensionWebSearchItem<'a> = "item",
        started_at_ms: i64 = "started_at_ms",
        completed_at_ms: i64 = "completed_at_ms",
    }

    /// A part of the record above.
    ItemExtensionWebSearchItem {
        type_: Text<'a> = "type",
        kind: Text<'a> = "kind",
        id: Text<'a> = "id",
        query: Text<'a> = "query",
        action: ItemExtensionWebSearchItemAction<'a> = "action",
        results: List<'a, Json<'a>> = "results",
    }

    /// A part of the record above.
    ItemExtensionWebSearchItemAction {
        type_: Text<'a> = "type",
        query: Text<'a> = "query",
        queries: List<'a, Text<'a>> = "queries",
        url: Text<'a> = "url",
        pattern: Text<'a> = "pattern",
    }
}
