// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of Codex: response item.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// `response_item / message (role=user)`: A message with the role user, as the model got it: what a human wrote, or context that Codex put in under that role.
    ResponseMessageUser {
        id: Text<'a> = "id",
        role: Text<'a> = "role",
        content: List<'a, Json<'a>> = "content",
        status: Text<'a> = "status",
        encrypted_content: Text<'a> = "encrypted_content",
        phase: Text<'a> = "phase",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// `response_item / message (role=assistant)`: Text that the model wrote.
    ResponseMessageAssistant {
        id: Text<'a> = "id",
        role: Text<'a> = "role",
        content: List<'a, Json<'a>> = "content",
        phase: Text<'a> = "phase",
        status: Text<'a> = "status",
        encrypted_content: Text<'a> = "encrypted_content",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// `response_item / message (role=developer)`: Instructions that Codex, or its client, gave the model: permissions, mode, skills, output of hooks.
    ResponseMessageDeveloper {
        id: Text<'a> = "id",
        role: Text<'a> = "role",
        content: List<'a, Json<'a>> = "content",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// `response_item / reasoning`: The model's reasoning: a summary people can read, and most often the real thing as ciphertext.
    ResponseReasoning {
        id: Text<'a> = "id",
        summary: List<'a, Json<'a>> = "summary",
        content: List<'a, Json<'a>> = "content",
        encrypted_content: Text<'a> = "encrypted_content",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// `response_item / function_call`: The model calls a tool with JSON arguments: shell, MCP, multi-agent and others.
    ResponseFunctionCall {
        id: Text<'a> = "id",
        name: Text<'a> = "name",
        namespace: Text<'a> = "namespace",
        arguments: Text<'a> = "arguments",
        encrypted_function_args: List<'a, Text<'a>> = "encrypted_function_args",
        call_id: Text<'a> = "call_id",
        status: Text<'a> = "status",
        encrypted_content: Text<'a> = "encrypted_content",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// `response_item / function_call_output`: What such a call gave back.
    ResponseFunctionCallOutput {
        id: Text<'a> = "id",
        call_id: Text<'a> = "call_id",
        name: Text<'a> = "name",
        namespace: Text<'a> = "namespace",
        output: Json<'a> = "output",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// `response_item / custom_tool_call`: The model calls a tool that takes free text, such as `apply_patch`.
    ResponseCustomToolCall {
        id: Text<'a> = "id",
        call_id: Text<'a> = "call_id",
        name: Text<'a> = "name",
        namespace: Text<'a> = "namespace",
        input: Text<'a> = "input",
        status: Text<'a> = "status",
        encrypted_content: Text<'a> = "encrypted_content",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// `response_item / custom_tool_call_output`: What a free-text tool gave back.
    ResponseCustomToolCallOutput {
        id: Text<'a> = "id",
        call_id: Text<'a> = "call_id",
        name: Text<'a> = "name",
        output: Json<'a> = "output",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// `response_item / local_shell_call`: A command for the provider's own `local_shell` tool, from the days before Codex had one.
    ResponseLocalShellCall {
        id: Text<'a> = "id",
        call_id: Text<'a> = "call_id",
        status: Text<'a> = "status",
        action: ResponseLocalShellCallAction<'a> = "action",
        encrypted_content: Text<'a> = "encrypted_content",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// A part of the record above.
    ResponseLocalShellCallAction {
        type_: Text<'a> = "type",
        command: List<'a, Text<'a>> = "command",
        timeout_ms: i64 = "timeout_ms",
        working_directory: Text<'a> = "working_directory",
        env: Json<'a> = "env",
        user: Text<'a> = "user",
    }

    /// `response_item / tool_search_call`: The model looks for tools that were not put before it yet.
    ResponseToolSearchCall {
        id: Text<'a> = "id",
        call_id: Text<'a> = "call_id",
        status: Text<'a> = "status",
        execution: Text<'a> = "execution",
        arguments: Json<'a> = "arguments",
        encrypted_content: Text<'a> = "encrypted_content",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// `response_item / tool_search_output`: The tools that were found.
    ResponseToolSearchOutput {
        id: Text<'a> = "id",
        call_id: Text<'a> = "call_id",
        status: Text<'a> = "status",
        execution: Text<'a> = "execution",
        tools: List<'a, Json<'a>> = "tools",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// `response_item / web_search_call`: A web search that the provider did by itself: call and execution in one.
    ResponseWebSearchCall {
        id: Text<'a> = "id",
        status: Text<'a> = "status",
        action: ResponseWebSearchCallAction<'a> = "action",
        encrypted_content: Text<'a> = "encrypted_content",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// A part of the record above.
    ResponseWebSearchCallAction {
        type_: Text<'a> = "type",
        query: Text<'a> = "query",
        queries: List<'a, Text<'a>> = "queries",
        url: Text<'a> = "url",
        pattern: Text<'a> = "pattern",
    }

    /// `response_item / image_generation_call`: A picture that the provider made, with its bytes.
    ResponseImageGenerationCall {
        id: Text<'a> = "id",
        status: Text<'a> = "status",
        revised_prompt: Text<'a> = "revised_prompt",
        result: Text<'a> = "result",
        encrypted_content: Text<'a> = "encrypted_content",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// `response_item / agent_message`: A message between agents, as the model sees it.
    ResponseAgentMessage {
        id: Text<'a> = "id",
        author: Text<'a> = "author",
        recipient: Text<'a> = "recipient",
        content: List<'a, Json<'a>> = "content",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// `response_item / additional_tools`: From here on the model has more tools.
    ResponseAdditionalTools {
        id: Text<'a> = "id",
        role: Text<'a> = "role",
        tools: List<'a, Json<'a>> = "tools",
    }

    /// `response_item / configuration_update`: From here on the provider uses other reasoning settings.
    ResponseConfigurationUpdate {
        reasoning: ResponseConfigurationUpdateReasoning<'a> = "reasoning",
    }

    /// A part of the record above.
    ResponseConfigurationUpdateReasoning {
        effort: Text<'a> = "effort",
    }

    /// `response_item / compaction`: Ciphertext that stands for all that was summarised; only the provider can open it.
    ResponseCompaction {
        id: Text<'a> = "id",
        encrypted_content: Text<'a> = "encrypted_content",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// `response_item / context_compaction`: The provider's own note that it compacted the context, with ciphertext or without.
    ResponseContextCompaction {
        id: Text<'a> = "id",
        encrypted_content: Text<'a> = "encrypted_content",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
    }

    /// `response_item / ghost_snapshot`: A hidden git commit of the working tree, for an undo that no longer exists.
    ResponseGhostSnapshot {
        ghost_commit: ResponseGhostSnapshotGhostCommit<'a> = "ghost_commit",
    }

    /// A part of the record above.
    ResponseGhostSnapshotGhostCommit {
        id: Text<'a> = "id",
        parent: Text<'a> = "parent",
        preexisting_untracked_files: List<'a, Text<'a>> = "preexisting_untracked_files",
        preexisting_untracked_dirs: List<'a, Text<'a>> = "preexisting_untracked_dirs",
    }
}
