//! What the blobs of a store are: a walk from a root, and the settings row.
//!
//! A blob has no type of its own (contract topic "discriminator"), so everything that reads one comes through
//! [`walk`], which knows for each field what its blobs are. Blobs that the walk does not reach are history:
//! former roots, former states of turns and steps, turns that a rewind took out.

use std::borrow::Cow;
use std::collections::HashSet;

use super::message::{Message, hex, unhex};
use super::record::Kind;

/// Sub-agents inside sub-agents, and stand-ins for stand-ins, deeper than this are not followed.
pub const MAX_DEPTH: usize = 64;

/// The JSON of the settings row: its value is hexadecimal. JSON as it is is taken too.
pub fn settings(value: &[u8]) -> Option<Vec<u8>> {
    let value = value.trim_ascii();
    if value.first() == Some(&b'{') {
        return Some(value.to_vec());
    }
    unhex(value).filter(|json| json.trim_ascii_start().first() == Some(&b'{'))
}

/// What a field promises about the blob that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// A `ConversationStateStructure`.
    Root,
    /// A `ConversationTurnStructure`.
    Turn,
    /// A `UserMessage`.
    UserMessage,
    /// A `ConversationStep`.
    Step,
    /// A `ShellCommand`.
    ShellCommand,
    /// A `ShellOutput`.
    ShellOutput,
    /// A JSON message of the prompt.
    PromptMessage,
    /// A `TodoItem`.
    Todo,
    /// A `ConversationSummary`.
    Summary,
    /// A `ConversationSummaryArchive`.
    Archive,
    /// A `SubagentPersistedState`.
    Subagent,
    /// Any bytes: a file, text that was read or typed, a picture, a plan.
    Content,
}

impl Role {
    /// The message that such a blob is.
    pub const fn message(self) -> Option<&'static str> {
        Some(match self {
            Self::Root => "ConversationStateStructure",
            Self::Turn => "ConversationTurnStructure",
            Self::UserMessage => "UserMessage",
            Self::Step => "ConversationStep",
            Self::ShellCommand => "ShellCommand",
            Self::ShellOutput => "ShellOutput",
            Self::Todo => "TodoItem",
            Self::Summary => "ConversationSummary",
            Self::Archive => "ConversationSummaryArchive",
            Self::Subagent => "SubagentPersistedState",
            Self::PromptMessage | Self::Content => return None,
        })
    }

    /// What it is, for a person.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Turn => "turn",
            Self::UserMessage => "user message",
            Self::Step => "step",
            Self::ShellCommand => "shell command",
            Self::ShellOutput => "shell output",
            Self::PromptMessage => "prompt message",
            Self::Todo => "to-do item",
            Self::Summary => "summary",
            Self::Archive => "summary archive",
            Self::Subagent => "sub-agent",
            Self::Content => "content",
        }
    }

    /// What such a blob is called where the store is printed: the message, with the variant that is set.
    pub fn label(self, bytes: &[u8]) -> String {
        let (name, oneof) = match self {
            Self::PromptMessage => return "prompt message".to_owned(),
            Self::Content => return "content".to_owned(),
            Self::Turn => ("ConversationTurnStructure", "turn"),
            Self::Step => ("ConversationStep", "message"),
            _ => return self.message().unwrap_or_default().to_owned(),
        };
        match Message::read(name, bytes).case(oneof) {
            Some((table, _)) => format!("{name} / {}", table.name),
            None => name.to_owned(),
        }
    }

    /// The kind of record that such a blob is.
    pub fn kind(self, bytes: &[u8]) -> Kind {
        match self {
            Self::Root => Kind::BlobAgentV1ConversationStateStructureRootCheckpoint,
            Self::Turn => {
                let shell = Message::read("ConversationTurnStructure", bytes)
                    .case("turn")
                    .is_some_and(|(table, _)| table.number == 2);
                if shell {
                    Kind::BlobAgentV1ConversationTurnStructureShellConversationTurn
                } else {
                    Kind::BlobAgentV1ConversationTurnStructureAgentConversationTurn
                }
            }
            Self::UserMessage => Kind::BlobAgentV1UserMessage,
            Self::Step => match Message::read("ConversationStep", bytes).case("message") {
                Some((table, _)) if table.number == 1 => {
                    Kind::BlobAgentV1ConversationStepAssistantMessage
                }
                Some((table, _)) if table.number == 3 => {
                    Kind::BlobAgentV1ConversationStepThinkingMessage
                }
                Some(_) => Kind::BlobAgentV1ConversationStepToolCall,
                None => Kind::Unknown,
            },
            Self::ShellCommand => Kind::BlobAgentV1ShellCommand,
            Self::ShellOutput => Kind::BlobAgentV1ShellOutput,
            Self::PromptMessage => prompt_kind(bytes),
            Self::Todo => Kind::BlobAgentV1TodoItem,
            Self::Summary => Kind::BlobAgentV1ConversationSummary,
            Self::Archive => Kind::BlobAgentV1ConversationSummaryArchive,
            Self::Subagent => Kind::BlobAgentV1SubagentPersistedState,
            Self::Content => Kind::BlobRawFileContent,
        }
    }
}

/// The kind of a JSON message of the prompt.
pub fn prompt_kind(bytes: &[u8]) -> Kind {
    let role = std::str::from_utf8(bytes)
        .ok()
        .and_then(|text| crate::json::parse(text).ok())
        .and_then(|json| json.str("role").map(Cow::into_owned));
    match role.as_deref() {
        Some("system") => Kind::BlobPromptMessageJSONSystem,
        Some("user") => Kind::BlobPromptMessageJSONUser,
        Some("assistant") => Kind::BlobPromptMessageJSONAssistant,
        Some("tool") => Kind::BlobPromptMessageJSONTool,
        _ => Kind::Unknown,
    }
}

/// A store's blobs.
pub trait Blobs {
    /// The bytes of a blob.
    fn get(&self, id: &str) -> Option<Cow<'_, [u8]>>;

    /// Whether it is there.
    fn has(&self, id: &str) -> bool {
        self.get(id).is_some()
    }
}

/// What the walk meets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Visit<'v> {
    /// A blob that is there. The bytes of [`Role::Content`] are not read.
    Blob {
        /// Its id.
        id: &'v str,
        /// What it is.
        role: Role,
        /// Its bytes.
        bytes: &'v [u8],
    },
    /// A blob that is named and not there.
    Missing {
        /// Its id.
        id: &'v str,
        /// What it would be.
        role: Role,
        /// The blob that names it.
        by: &'v str,
    },
    /// A blob that leads back to itself, or that is nested too deep. It is not followed.
    Cycle {
        /// Its id.
        id: &'v str,
        /// What it is.
        role: Role,
        /// The blob that names it.
        by: &'v str,
    },
}

/// Visits every blob that a root reaches, each once for each role, in the order of the root's lists.
///
/// The roots from before each turn, to which a rewind could go, are not part of the conversation and not visited.
pub fn walk(blobs: &dyn Blobs, root: &str, visit: &mut dyn FnMut(Visit<'_>)) {
    let mut walk = Walk { blobs, visit, seen: HashSet::new(), path: Vec::new() };
    walk.blob(root, Role::Root, "");
}

/// Visits every blob that the state of a sub-agent reaches, which stands inside of the blob `at`.
pub fn walk_state(
    blobs: &dyn Blobs,
    state: &Message<'_>,
    at: &str,
    visit: &mut dyn FnMut(Visit<'_>),
) {
    let mut walk = Walk { blobs, visit, seen: HashSet::new(), path: vec![at.to_owned()] };
    walk.root(state, at);
}

struct Walk<'w> {
    blobs: &'w dyn Blobs,
    visit: &'w mut dyn FnMut(Visit<'_>),
    seen: HashSet<(String, Role)>,
    path: Vec<String>,
}

impl Walk<'_> {
    fn blob(&mut self, id: &str, role: Role, by: &str) {
        if self.path.iter().any(|p| p == id) || self.path.len() > MAX_DEPTH {
            (self.visit)(Visit::Cycle { id, role, by });
            return;
        }
        if !self.seen.insert((id.to_owned(), role)) {
            return;
        }
        if role == Role::Content {
            let visit = if self.blobs.has(id) {
                Visit::Blob { id, role, bytes: b"" }
            } else {
                Visit::Missing { id, role, by }
            };
            (self.visit)(visit);
            return;
        }
        let blobs = self.blobs;
        let Some(bytes) = blobs.get(id) else {
            (self.visit)(Visit::Missing { id, role, by });
            return;
        };
        (self.visit)(Visit::Blob { id, role, bytes: &bytes });
        let Some(name) = role.message() else { return };
        self.path.push(id.to_owned());
        self.message(role, &Message::read(name, &bytes), id);
        self.path.pop();
    }

    fn list(&mut self, message: &Message<'_>, field: &str, role: Role, by: &str) {
        let ids: Vec<String> = message.ids(field).collect();
        for id in ids {
            if !id.is_empty() {
                self.blob(&id, role, by);
            }
        }
    }

    fn message(&mut self, role: Role, message: &Message<'_>, id: &str) {
        match role {
            Role::Root => self.root(message, id),
            Role::Turn => {
                if let Some(turn) = message.message("agent_conversation_turn") {
                    self.list(&turn, "user_message", Role::UserMessage, id);
                    self.list(&turn, "steps", Role::Step, id);
                }
                if let Some(turn) = message.message("shell_conversation_turn") {
                    self.list(&turn, "shell_command", Role::ShellCommand, id);
                    self.list(&turn, "shell_output", Role::ShellOutput, id);
                }
            }
            Role::UserMessage => {
                self.list(message, "text_blob_id", Role::Content, id);
                self.list(message, "rich_text_blob_id", Role::Content, id);
                if let Some(context) = message.message("selected_context") {
                    for field in ["selected_images", "selected_videos", "selected_documents"] {
                        for attached in context.messages(field) {
                            self.list(&attached, "blob_id", Role::Content, id);
                        }
                    }
                }
            }
            Role::Step => {
                if let Some((_, call)) =
                    message.message("tool_call").and_then(|c| Some((0, c.case_message("tool")?.1)))
                {
                    self.tool(&call, id);
                }
            }
            Role::Archive => {
                self.list(message, "summarized_messages", Role::PromptMessage, id);
                self.list(message, "summary_message", Role::PromptMessage, id);
            }
            Role::Subagent => {
                if let Some(state) = message.message("conversation_state") {
                    self.root(&state, id);
                }
            }
            _ => {}
        }
    }

    fn root(&mut self, root: &Message<'_>, id: &str) {
        self.list(root, "root_prompt_messages_json", Role::PromptMessage, id);
        self.list(root, "turns", Role::Turn, id);
        self.list(root, "todos", Role::Todo, id);
        self.list(root, "summary", Role::Summary, id);
        self.list(root, "plan", Role::Content, id);
        self.list(root, "summary_archive", Role::Archive, id);
        self.list(root, "summary_archives", Role::Archive, id);
        for entry in root.entries("file_states") {
            if !entry.bytes.is_empty() {
                self.blob(&entry.id(), Role::Content, id);
            }
        }
        for entry in root.entries("file_states_v2") {
            let state = entry.message();
            self.list(&state, "content", Role::Content, id);
            self.list(&state, "initial_content", Role::Content, id);
        }
        for entry in root.entries("subagent_states") {
            if let Some(state) = entry.message().message("conversation_state") {
                // A state inside a state has no id of its own; its depth counts all the same.
                self.path.push(String::new());
                if self.path.len() > MAX_DEPTH {
                    (self.visit)(Visit::Cycle { id, role: Role::Subagent, by: id });
                } else {
                    self.root(&state, id);
                }
                self.path.pop();
            }
        }
        for entry in root.entries("subagent_state_refs") {
            if !entry.bytes.is_empty() {
                self.blob(&entry.id(), Role::Subagent, id);
            }
        }
    }

    /// `call` is a tool's own message: arguments and result.
    fn tool(&mut self, call: &Message<'_>, id: &str) {
        if call.name() == "TruncatedToolCall" {
            self.list(call, "original_step_blob_id", Role::Step, id);
        }
        let Some(success) = call.message("result").and_then(|r| r.message("success")) else {
            return;
        };
        if success.name() == "ReadToolSuccess" {
            self.list(&success, "data_blob_id", Role::Content, id);
            self.list(&success, "content_blob_id", Role::Content, id);
        }
    }
}

/// The id as the table of blobs spells it, from the raw bytes of a field.
pub fn blob_id(bytes: &[u8]) -> String {
    hex(bytes)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Default)]
    struct Table(BTreeMap<String, Vec<u8>>);

    impl Blobs for Table {
        fn get(&self, id: &str) -> Option<Cow<'_, [u8]>> {
            self.0.get(id).map(|b| Cow::Borrowed(b.as_slice()))
        }
    }

    fn bytes_field(number: u32, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut key = number << 3 | 2;
        while key >= 0x80 {
            out.push(key as u8 | 0x80);
            key >>= 7;
        }
        out.push(key as u8);
        assert!(bytes.len() < 128, "short fields only");
        out.push(bytes.len() as u8);
        out.extend(bytes);
        out
    }

    fn visits(table: &Table, root: &str) -> Vec<String> {
        let mut out = Vec::new();
        walk(table, root, &mut |v| {
            out.push(match v {
                Visit::Blob { id, role, .. } => format!("{} {id}", role.name()),
                Visit::Missing { id, role, .. } => format!("no {} {id}", role.name()),
                Visit::Cycle { id, role, .. } => format!("cycle {} {id}", role.name()),
            });
        });
        out
    }

    #[test]
    fn the_walk_follows_lists_and_tells_what_is_missing() {
        let mut table = Table::default();
        let root =
            [bytes_field(1, &[0xa1]), bytes_field(8, &[0xb1]), bytes_field(8, &[0xb2])].concat();
        let turn = bytes_field(1, &[bytes_field(1, &[0xc1]), bytes_field(2, &[0xd1])].concat());
        table.0.insert("00".into(), root);
        table.0.insert("a1".into(), br#"{"role":"user","content":"x"}"#.to_vec());
        table.0.insert("b1".into(), turn);
        table.0.insert("c1".into(), bytes_field(1, b"Hi"));
        table.0.insert("ff".into(), bytes_field(1, b"nobody points here"));
        assert_eq!(
            visits(&table, "00"),
            [
                "root 00",
                "prompt message a1",
                "turn b1",
                "user message c1",
                "no step d1",
                "no turn b2"
            ]
        );
        assert_eq!(Role::PromptMessage.kind(&table.0["a1"]), Kind::BlobPromptMessageJSONUser);
    }

    #[test]
    fn a_sub_agent_that_names_itself_is_followed_once() {
        let mut table = Table::default();
        let entry = [bytes_field(1, b"s"), bytes_field(2, &[0xe1])].concat();
        let state = bytes_field(31, &entry);
        table.0.insert("00".into(), state.clone());
        table.0.insert("e1".into(), bytes_field(1, &state));
        assert_eq!(visits(&table, "00"), ["root 00", "sub-agent e1", "cycle sub-agent e1"]);
    }

    #[test]
    fn a_stand_in_leads_to_its_step() {
        let mut table = Table::default();
        // step {2 tool_call: {34 truncated: {1: <id>}}}
        let step = |id: u8| bytes_field(2, &bytes_field(34, &bytes_field(1, &[id])));
        let turn = bytes_field(1, &bytes_field(2, &[0xd1]));
        table.0.insert("00".into(), bytes_field(8, &[0xb1]));
        table.0.insert("b1".into(), turn);
        table.0.insert("d1".into(), step(0xd2));
        table.0.insert("d2".into(), step(0xd1));
        assert_eq!(
            visits(&table, "00"),
            ["root 00", "turn b1", "step d1", "step d2", "cycle step d1"]
        );
    }

    #[test]
    fn settings_are_hexadecimal_or_plain() {
        assert_eq!(settings(b"7b7d").as_deref(), Some(&b"{}"[..]));
        assert_eq!(settings(b"{}").as_deref(), Some(&b"{}"[..]));
        assert_eq!(settings(b"00"), None);
        assert_eq!(settings(b"7b7"), None);
    }
}
