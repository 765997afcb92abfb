//! What an agent tells while it works.

use super::agents::{AgentActivity, AgentCall};
use super::review::{Review, ReviewTarget};
use crate::json::RawJson;
use crate::model::item::{ContentItem, FileUpdate, ItemStatus};

/// An event of a running thread, in the order in which it happened. Times are Unix milliseconds.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A turn begins. The one before has to be over.
    TurnStarted {
        /// Its id, different from all others; a UUID of version 7 in Codex.
        turn_id: String,
        /// When.
        at_ms: i64,
        /// Whether answers may propose a plan in `<proposed_plan>` lines.
        plan_mode: bool,
    },
    /// More text of an answer that is being streamed. Only the view sees it.
    TextDelta {
        /// The answer.
        item_id: String,
        /// The text.
        delta: String,
    },
    /// An item has begun. Only the view sees it.
    ItemStarted(LiveItem),
    /// An item is complete.
    ItemCompleted(LiveItem),
    /// What the model got or gave, as the Responses API has it. Only the file sees it.
    Response(RawJson),
    /// The payload of a `turn_context`. Only the file sees it.
    Context(RawJson),
    /// The thread's settings, `thread_settings` of a `thread_settings_applied`. Only the file sees them.
    Settings(RawJson),
    /// `info` of a `token_count`. Only the file sees it.
    Tokens(RawJson),
    /// The model's history was replaced.
    Compacted {
        /// The id of the item that shows it.
        item_id: String,
        /// The summary.
        message: String,
        /// The new history, an array of response items; without one it is told from the summary.
        replacement: Option<RawJson>,
    },
    /// The turn is over.
    TurnCompleted {
        /// When.
        at_ms: i64,
        /// The last answer.
        last_message: Option<String>,
        /// Why it failed.
        error: Option<LiveError>,
    },
    /// The turn was broken off.
    TurnAborted {
        /// When.
        at_ms: i64,
        /// `interrupted`, `replaced`, `review_ended`, `budget_limited`.
        reason: String,
    },
    /// The last turns are taken away. No turn may be open.
    RolledBack {
        /// How many; more than there are take all away.
        turns: u32,
    },
    /// A turn and all later ones are taken away: only in paginated threads.
    Reverted {
        /// The turn.
        before: String,
    },
}

/// Why a turn failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveError {
    /// The message.
    pub message: String,
    /// Codex's classification in its own spelling: `usage_limit_exceeded`, `other`, …
    pub code: Option<String>,
}

/// An item as an agent has it.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveItem {
    /// Its id, different from all others of its turn.
    pub id: String,
    /// What it is.
    pub kind: LiveKind,
}

/// What an item is.
#[derive(Debug, Clone, PartialEq)]
pub enum LiveKind {
    /// What the person put in.
    UserMessage(Vec<Input>),
    /// What the model answered.
    AgentMessage {
        /// Markdown.
        text: String,
        /// `commentary` or `final_answer`.
        phase: Option<String>,
    },
    /// Reasoning.
    Reasoning {
        /// Summary sections.
        summary: Vec<String>,
        /// Raw reasoning.
        content: Vec<String>,
    },
    /// A plan.
    Plan(String),
    /// A shell command.
    Command {
        /// Its words.
        command: Vec<String>,
        /// The working directory.
        cwd: String,
        /// How it ended.
        status: ItemStatus,
        /// stdout and stderr together.
        output: String,
        /// The exit code.
        exit_code: Option<i64>,
        /// Milliseconds.
        duration_ms: i64,
    },
    /// Edits of files. `diff` of a new or deleted file is its content.
    FileChange {
        /// One a file, sorted by path.
        changes: Vec<FileUpdate>,
        /// How it ended.
        status: ItemStatus,
    },
    /// A call of an MCP tool.
    Mcp {
        /// The server.
        server: String,
        /// The tool.
        tool: String,
        /// The arguments.
        arguments: RawJson,
        /// The result in the shape of MCP's `CallToolResult`, or what went wrong.
        result: Result<RawJson, String>,
        /// Milliseconds.
        duration_ms: i64,
    },
    /// A search of the web; `action` in the shape of the Responses API.
    WebSearch {
        /// The query.
        query: String,
        /// The action.
        action: RawJson,
    },
    /// The agent looked at an image.
    ImageView {
        /// Its absolute path.
        path: String,
    },
    /// The agent waited.
    Sleep {
        /// Milliseconds.
        duration_ms: i64,
    },
    /// A call of a tool that the client provides itself.
    Dynamic {
        /// The group that the tool belongs to.
        namespace: Option<String>,
        /// The tool.
        tool: String,
        /// The arguments.
        arguments: RawJson,
        /// How it ended.
        status: ItemStatus,
        /// What it gave back.
        content: Option<Vec<ContentItem>>,
        /// Whether the client calls it a success.
        success: Option<bool>,
        /// Milliseconds.
        duration_ms: i64,
    },
    /// Something happened to a sub-agent.
    AgentActivity(AgentActivity),
    /// A call of a tool by which an agent has others work.
    AgentCall(AgentCall),
    /// The provider made a picture.
    ImageGeneration {
        /// How it ended, in the provider's words.
        status: String,
        /// The prompt as it was rewritten.
        revised_prompt: Option<String>,
        /// The picture in base64.
        result: String,
        /// The file that it was saved in.
        saved_path: Option<String>,
    },
    /// A review begins.
    ReviewEntered {
        /// What it looks at.
        target: ReviewTarget,
        /// The same in words for the person.
        hint: String,
    },
    /// A review is over, with what it found; nothing when it was broken off.
    ReviewExited(Option<Review>),
}

/// A part of what a person puts in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// Text.
    Text {
        /// The text.
        text: String,
        /// Spans of it that a UI renders in its own way.
        elements: Vec<TextElement>,
    },
    /// An image by address or data URL.
    Image(String),
    /// An image on disk.
    LocalImage(String),
}

/// A span of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextElement {
    /// Its first byte in the text.
    pub start: usize,
    /// Behind its last byte.
    pub end: usize,
    /// What is shown in its place.
    pub placeholder: Option<String>,
}
