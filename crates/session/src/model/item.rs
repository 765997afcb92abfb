//! What a person sees in a turn.

use std::sync::Arc;

use recount_formats::Position;
use serde::Serialize;

use crate::json::RawJson;

/// The place of a record that an item was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum At {
    /// A line of a file.
    Line {
        /// The file, as it was named to the reader.
        source: Arc<str>,
        /// Line number from 1.
        line: u64,
        /// Byte offset in the uncompressed file.
        byte: u64,
    },
    /// A row of a database.
    Row {
        /// The database.
        source: Arc<str>,
        /// Table and key of the row.
        row: String,
    },
    /// A content-addressed blob.
    Blob {
        /// The database.
        source: Arc<str>,
        /// The blob's id.
        blob: String,
    },
}

impl At {
    /// The place of a line.
    pub fn line(source: &Arc<str>, at: Position) -> Self {
        Self::Line { source: Arc::clone(source), line: at.line, byte: at.byte }
    }
}

/// One thing that a person sees in a turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Item {
    /// The harness's id for it (a message, a call), else one made from its place.
    pub id: String,
    /// What it is.
    #[serde(flatten)]
    pub kind: ItemKind,
    /// Where the record that made it stands.
    pub at: At,
    /// Further records that it was made from: results, split lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also_at: Vec<At>,
    /// Whether the harness's own display has lost it although its file still holds it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub recovered: bool,
    /// When it began, RFC 3339, where the harness stored it; for what was written at its end without that, the end less how long it
    /// took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
}

impl Item {
    /// An item made from one record.
    pub fn new(id: impl Into<String>, kind: ItemKind, at: At) -> Self {
        Self { id: id.into(), kind, at, also_at: Vec::new(), recovered: false, timestamp: None }
    }
}

/// The kinds of item: Codex's `ThreadItem`, field by field, and `notice`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ItemKind {
    /// What the person typed, without what the harness put around it.
    UserMessage {
        /// The parts.
        content: Vec<UserInput>,
        /// The id that the client gave.
        client_id: Option<String>,
    },
    /// Text that hooks put in front of the model.
    HookPrompt {
        /// The parts.
        fragments: Vec<HookFragment>,
    },
    /// What the model answered.
    AgentMessage {
        /// Markdown.
        text: String,
        /// `commentary`, `final_answer`, … as the Responses API spells it.
        phase: Option<String>,
        /// Codex's memory citation.
        memory_citation: Option<RawJson>,
        /// Codex's delivery mode.
        #[serde(skip_serializing_if = "Option::is_none")]
        delivery: Option<String>,
        /// Questions that came with the message.
        #[serde(skip_serializing_if = "Option::is_none")]
        questions: Option<RawJson>,
    },
    /// A tool output that stands for itself.
    FunctionCallOutput {
        /// The tool.
        name: String,
        /// The tool's namespace.
        namespace: Option<String>,
        /// The output, a string or parts.
        output: RawJson,
    },
    /// A plan.
    Plan {
        /// Markdown.
        text: String,
    },
    /// Reasoning, as far as it is readable.
    Reasoning {
        /// Summary sections.
        summary: Vec<String>,
        /// Raw reasoning.
        content: Vec<String>,
    },
    /// A shell command.
    CommandExecution {
        /// The command line.
        command: String,
        /// Working directory.
        cwd: Option<String>,
        /// `inProgress`, `completed`, `failed`, `declined`.
        status: ItemStatus,
        /// Who ran it: `agent`, `userShell`, `unifiedExecStartup`, `unifiedExecInteraction`.
        source: String,
        /// What the command does, in the shape of Codex's `CommandAction`.
        command_actions: RawJson,
        /// stdout and stderr together.
        aggregated_output: Option<String>,
        /// Exit code.
        exit_code: Option<i64>,
        /// Milliseconds.
        duration_ms: Option<i64>,
        /// The process or shell session it ran in.
        process_id: Option<String>,
        /// A plugin whose script it was.
        #[serde(skip_serializing_if = "Option::is_none")]
        plugin_id: Option<String>,
        /// That script.
        #[serde(skip_serializing_if = "Option::is_none")]
        script_path: Option<String>,
    },
    /// Edits of files.
    FileChange {
        /// One per file.
        changes: Vec<FileUpdate>,
        /// How it ended.
        status: ItemStatus,
    },
    /// A call of an MCP tool.
    McpToolCall {
        /// The MCP server.
        server: String,
        /// The tool.
        tool: String,
        /// How it ended.
        status: ItemStatus,
        /// The arguments.
        arguments: RawJson,
        /// The result in the shape of MCP's `CallToolResult`.
        result: Option<RawJson>,
        /// `{message}` when it failed.
        error: Option<RawJson>,
        /// Milliseconds.
        duration_ms: Option<i64>,
        /// Codex: app, resource and plugin it belongs to, as its protocol spells them.
        #[serde(flatten)]
        extra: Extra,
    },
    /// Any tool that has no kind of its own.
    DynamicToolCall {
        /// The tool.
        tool: String,
        /// The tool's namespace.
        namespace: Option<String>,
        /// The arguments.
        arguments: RawJson,
        /// How it ended.
        status: ItemStatus,
        /// The result: `inputText`, `inputImage`, … parts.
        content_items: Option<Vec<ContentItem>>,
        /// Whether it succeeded.
        success: Option<bool>,
        /// Milliseconds.
        duration_ms: Option<i64>,
    },
    /// A call that starts, steers, awaits or ends another agent.
    CollabAgentToolCall {
        /// `spawnAgent`, `sendInput`, `wait`, …; other harnesses' agent tools are `spawnAgent`.
        tool: String,
        /// How it ended.
        status: ItemStatus,
        /// The calling thread.
        sender_thread_id: String,
        /// The called threads.
        receiver_thread_ids: Vec<String>,
        /// What the other agent was asked.
        prompt: Option<String>,
        /// The model asked for.
        model: Option<String>,
        /// The effort asked for.
        reasoning_effort: Option<String>,
        /// What each agent was doing, `{thread: {status, message}}`.
        agents_states: RawJson,
        /// What the agent answered, where the harness stores it with the call (Claude Code).
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<String>,
        /// The kind of agent and its short task (Claude Code).
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
    },
    /// Something happened to a sub-agent.
    SubAgentActivity {
        /// `started`, `interacted`, `interrupted`, `completed`.
        kind: String,
        /// Its thread.
        agent_thread_id: String,
        /// Its path in the tree of agents.
        agent_path: String,
        /// Its model.
        model: Option<String>,
        /// Its effort.
        reasoning_effort: Option<String>,
        /// What it was asked or told, where the call that did it stands in the session. Codex does not show it.
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// A search of the web or a fetch of a page.
    WebSearch {
        /// The query or address.
        query: String,
        /// In the shape of Codex's `WebSearchAction`.
        action: Option<RawJson>,
        /// What was found, where the harness stored it.
        results: Option<RawJson>,
        /// How it ended, for harnesses that tell.
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<ItemStatus>,
        /// Text that the search answered (Claude Code).
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// The agent looked at an image.
    ImageView {
        /// The image.
        path: String,
    },
    /// The agent slept.
    Sleep {
        /// Milliseconds.
        duration_ms: i64,
    },
    /// An image was made.
    ImageGeneration {
        /// How it ended, in the harness's words.
        status: String,
        /// The prompt that was used.
        revised_prompt: Option<String>,
        /// The image in base64.
        result: Option<String>,
        /// Where it was saved.
        saved_path: Option<String>,
        /// What Codex adds, as its protocol spells it.
        #[serde(flatten)]
        extra: Extra,
    },
    /// A review began.
    EnteredReviewMode {
        /// What is reviewed.
        review: String,
    },
    /// A review ended.
    ExitedReviewMode {
        /// What it found.
        review: String,
    },
    /// The model's history was shortened here.
    ContextCompaction {
        /// The summary that replaced it, where it is readable.
        #[serde(skip_serializing_if = "Option::is_none")]
        summary: Option<String>,
        /// `manual` or `auto`, where the harness tells.
        #[serde(skip_serializing_if = "Option::is_none")]
        trigger: Option<String>,
    },
    /// Something that the harness told the person, or that stands between the turns.
    Notice {
        /// How loud it is.
        level: NoticeLevel,
        /// One or more lines.
        text: String,
    },
}

impl ItemKind {
    /// The `type` in its JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::UserMessage { .. } => "userMessage",
            Self::HookPrompt { .. } => "hookPrompt",
            Self::AgentMessage { .. } => "agentMessage",
            Self::FunctionCallOutput { .. } => "functionCallOutput",
            Self::Plan { .. } => "plan",
            Self::Reasoning { .. } => "reasoning",
            Self::CommandExecution { .. } => "commandExecution",
            Self::FileChange { .. } => "fileChange",
            Self::McpToolCall { .. } => "mcpToolCall",
            Self::DynamicToolCall { .. } => "dynamicToolCall",
            Self::CollabAgentToolCall { .. } => "collabAgentToolCall",
            Self::SubAgentActivity { .. } => "subAgentActivity",
            Self::WebSearch { .. } => "webSearch",
            Self::ImageView { .. } => "imageView",
            Self::Sleep { .. } => "sleep",
            Self::ImageGeneration { .. } => "imageGeneration",
            Self::EnteredReviewMode { .. } => "enteredReviewMode",
            Self::ExitedReviewMode { .. } => "exitedReviewMode",
            Self::ContextCompaction { .. } => "contextCompaction",
            Self::Notice { .. } => "notice",
        }
    }

    /// How long it took, in milliseconds, where that is known.
    pub const fn duration_ms(&self) -> Option<i64> {
        match self {
            Self::CommandExecution { duration_ms, .. }
            | Self::McpToolCall { duration_ms, .. }
            | Self::DynamicToolCall { duration_ms, .. } => *duration_ms,
            Self::Sleep { duration_ms } => Some(*duration_ms),
            _ => None,
        }
    }

    /// Whether a person said it.
    pub const fn is_prompt(&self) -> bool {
        matches!(self, Self::UserMessage { .. })
    }

    /// How it ended, of what ends in some way: calls, changes, searches that tell. Nothing of what is only said.
    pub const fn status(&self) -> Option<ItemStatus> {
        match self {
            Self::CommandExecution { status, .. }
            | Self::FileChange { status, .. }
            | Self::McpToolCall { status, .. }
            | Self::DynamicToolCall { status, .. }
            | Self::CollabAgentToolCall { status, .. } => Some(*status),
            Self::WebSearch { status, .. } => *status,
            _ => None,
        }
    }
}

/// Named values that one harness adds to an item, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extra(pub Vec<(&'static str, RawJson)>);

impl Serialize for Extra {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(k, v)| (k, v)))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Extra {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Extra".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ItemStatus {
    /// It has no result yet.
    InProgress,
    /// It succeeded.
    Completed,
    /// It failed.
    Failed,
    /// The person or a policy refused it.
    Declined,
}

/// How loud a notice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum NoticeLevel {
    /// Good to know.
    Info,
    /// Something to look at.
    Warning,
    /// Something failed.
    Error,
}

/// A part of what the person put in.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum UserInput {
    /// Text.
    Text {
        /// The text.
        text: String,
        /// Spans that a UI renders in its own way; `text_elements` in the protocol too.
        text_elements: RawJson,
    },
    /// An image by address, data URL or file id.
    Image {
        /// Address or data URL.
        #[serde(skip_serializing_if = "Option::is_none")]
        url: Option<String>,
        /// Id of an uploaded file.
        #[serde(rename = "fileId", skip_serializing_if = "Option::is_none")]
        file_id: Option<String>,
        /// How closely the model looks.
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// An image on disk.
    LocalImage {
        /// Its path.
        path: String,
        /// How closely the model looks.
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// Sound by address.
    Audio {
        /// Address or data URL.
        url: String,
    },
    /// Sound on disk.
    LocalAudio {
        /// Its path.
        path: String,
    },
    /// A skill that was picked.
    Skill {
        /// Its name.
        name: String,
        /// Its file.
        path: String,
    },
    /// A file or resource that was mentioned.
    Mention {
        /// Its name.
        name: String,
        /// Its path.
        path: String,
    },
}

impl UserInput {
    /// Plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into(), text_elements: RawJson::of(&serde_json::json!([])) }
    }
}

/// A part of a hook's prompt.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HookFragment {
    /// The text.
    pub text: String,
    /// The run of the hook that made it.
    pub hook_run_id: String,
}

/// One changed file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileUpdate {
    /// Its path.
    pub path: String,
    /// What was done to it.
    pub kind: PatchKind,
    /// A unified diff, or the whole content of a new or deleted file, as Codex does it.
    pub diff: String,
}

/// What was done to a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum PatchKind {
    /// It is new.
    Add,
    /// It is gone.
    Delete,
    /// It was changed.
    Update {
        /// Its new path.
        move_path: Option<String>,
    },
}

/// A part of a tool's result.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ContentItem {
    /// Text.
    InputText {
        /// The text.
        text: String,
    },
    /// An image.
    InputImage {
        /// Address or data URL.
        image_url: String,
    },
    /// Sound.
    InputAudio {
        /// Address or data URL.
        audio_url: String,
    },
}
