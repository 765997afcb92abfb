//! What a record means, whatever the harness.

use serde::Serialize;

macro_rules! concepts {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// What a record means, whatever the harness that wrote it: the 25 values of the format contracts.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        pub enum Concept {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)*
        }

        impl Concept {
            /// All concepts, in alphabetical order of their names.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name as the contracts spell it, such as `tool-call`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// Finds a concept by its name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

concepts! {
    /// Text or parts that the model answered with.
    AssistantMessage = "assistant-message",
    /// A file, image or other thing that was attached.
    Attachment = "attachment",
    /// The model's history was shortened.
    Compaction = "compaction",
    /// Money.
    Cost = "cost",
    /// Something failed.
    Error = "error",
    /// A hook ran or put something in.
    Hook = "hook",
    /// Bookkeeping that no other concept covers.
    MetadataOther = "metadata-other",
    /// A permission was asked, given, refused or classified.
    Permission = "permission",
    /// Input that waits for its turn.
    Queue = "queue",
    /// The model's reasoning or a summary of it.
    Reasoning = "reasoning",
    /// Identifies the session.
    SessionHeader = "session-header",
    /// Parents, children, forks and continuations.
    SessionLineage = "session-lineage",
    /// Model, mode, tools and other settings.
    SessionSettings = "session-settings",
    /// A title or name.
    SessionTitle = "session-title",
    /// A summary of work.
    Summary = "summary",
    /// Text of the harness for the model or the person.
    SystemMessage = "system-message",
    /// Token counts.
    TokenUsage = "token-usage",
    /// The model calls a tool.
    ToolCall = "tool-call",
    /// A tool is running.
    ToolProgress = "tool-progress",
    /// What a tool answered.
    ToolResult = "tool-result",
    /// A turn was broken off.
    TurnAbort = "turn-abort",
    /// A turn ended.
    TurnEnd = "turn-end",
    /// A turn began.
    TurnStart = "turn-start",
    /// Input of the person or of another agent.
    UserMessage = "user-message",
    /// The state of files and folders.
    WorkspaceState = "workspace-state",
}

impl std::fmt::Display for Concept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
