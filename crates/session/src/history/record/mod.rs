//! The kinds of record, by topic.
//!
//! - [`message`]: what is said: messages, notices, lines and spans
//! - [`stream`]: what the assistant says
//! - [`reasoning`]: what it thought
//! - [`exec`]: shell commands and exploring
//! - [`tool`]: other tools, waits and loading
//! - [`patch`]: changes of files
//! - [`other`]: plans, images, limits, upgrades

pub mod exec;
pub mod message;
pub mod other;
pub mod patch;
pub mod reasoning;
pub mod stream;
pub mod tool;

use recount_formats::Json;
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::id::HistoryId;
use super::wire::{Fault, Maybe, Read, Unknown, members, missing, no_word, object};

object! {
    /// Where in a thread a record comes from. Ours: the schema leaves a UI no way to tell turns apart.
    Origin {
        /// Number of the turn from 1.
        turn: u64,
        /// The item's type in the thread, such as `commandExecution`.
        item_type: String,
        /// The item's id in the thread.
        item_id: String,
        ? /// Threads that the item leads to.
        threads: Vec<String>,
    }
}

/// A record of the history: what one cell of a screen is drawn from.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    id: HistoryId,
    kind: Kind,
    origin: Maybe<Origin>,
    other: Unknown,
}

impl Record {
    pub(super) fn new(id: HistoryId, kind: Kind, origin: Option<Origin>) -> Self {
        Self { id, kind, origin: origin.into(), other: Unknown::default() }
    }

    /// The id, unique in its state.
    pub const fn id(&self) -> HistoryId {
        self.id
    }

    /// What it is.
    pub const fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Where in a thread it comes from.
    pub const fn origin(&self) -> Option<&Origin> {
        self.origin.get()
    }

    /// Members that the schema does not name.
    pub const fn other(&self) -> &Unknown {
        &self.other
    }

    pub(super) const fn kind_mut(&mut self) -> &mut Kind {
        &mut self.kind
    }

    pub(super) fn replace(&mut self, kind: Kind, origin: Option<Origin>) {
        self.kind = kind;
        if origin.is_some() {
            self.origin = origin.into();
        }
    }
}

/// Makes the enum of all kinds from one list.
macro_rules! kinds {
    ($( $(#[doc = $doc:literal])+ $variant:ident($type:ty) = $word:literal, )+) => {
        /// What a record is.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Kind { $( $(#[doc = $doc])+ $variant($type), )+ }

        impl Kind {
            /// All names, as `type` spells them.
            pub const NAMES: &[&'static str] = &[$( $word, )+];

            /// The name, as `type` spells it.
            pub const fn name(&self) -> &'static str {
                match self { $( Self::$variant(_) => $word, )+ }
            }

            fn read(name: &str, payload: Json<'_>) -> Result<Self, Fault> {
                match name {
                    $( $word => <$type>::read(payload).map(Self::$variant).map_err(|f| f.under("payload")), )+
                    _ => Err(no_word(name, Self::NAMES).under("type")),
                }
            }
        }

        /// Writes the payload.
        impl Serialize for Kind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $( Self::$variant(payload) => payload.serialize(serializer), )+ }
            }
        }

        $( impl From<$type> for Kind {
            fn from(payload: $type) -> Self {
                Self::$variant(payload)
            }
        } )+

        #[cfg(any(test, feature = "schema"))]
        fn cases(generator: &mut schemars::SchemaGenerator) -> Vec<serde_json::Value> {
            vec![$( {
                let payload = generator.subschema_for::<$type>();
                let then = serde_json::json!({ "properties": { "payload": payload.to_value() } });
                super::schema::case($word, &then)
            }, )+]
        }
    };
}

kinds! {
    /// Something said or shown as lines.
    PlainMessage(message::PlainMessage) = "plain_message",
    /// Something that is waited for.
    WaitStatus(tool::WaitStatus) = "wait_status",
    /// Something is being loaded.
    Loading(tool::Loading) = "loading",
    /// A tool that runs.
    RunningTool(tool::RunningTool) = "running_tool",
    /// A call of a tool.
    ToolCall(tool::ToolCall) = "tool_call",
    /// A plan with its steps.
    PlanUpdate(other::PlanUpdate) = "plan_update",
    /// A newer version is there.
    UpgradeNotice(other::UpgradeNotice) = "upgrade_notice",
    /// What the model thought.
    Reasoning(reasoning::Reasoning) = "reasoning",
    /// A shell command.
    Exec(exec::Exec) = "exec",
    /// A message that is being written.
    AssistantStream(stream::AssistantStream) = "assistant_stream",
    /// A message of the assistant.
    AssistantMessage(stream::AssistantMessage) = "assistant_message",
    /// A difference between two texts.
    Diff(patch::Diff) = "diff",
    /// An image.
    Image(other::Image) = "image",
    /// A look around: reads, searches and lists that belong together.
    Explore(exec::Explore) = "explore",
    /// How much of the rate limits is used.
    RateLimits(other::RateLimits) = "rate_limits",
    /// Changes of files.
    Patch(patch::Patch) = "patch",
    /// Something that happened beside the conversation.
    BackgroundEvent(message::BackgroundEvent) = "background_event",
    /// Something that the person is told.
    Notice(message::Notice) = "notice",
}

impl Read for Record {
    fn read(value: Json<'_>) -> Result<Self, Fault> {
        let (mut id, mut name, mut payload) = (None, None, None);
        let (mut origin, mut other) = (Maybe::Absent, Unknown::default());
        members(value, |member, value| {
            match member.as_str() {
                "id" => id = Some(HistoryId::read(value).map_err(|f| f.under("id"))?),
                "type" => name = Some(String::read(value).map_err(|f| f.under("type"))?),
                "payload" => payload = Some(value),
                // Another program may mean something else by it.
                "origin" if let Ok(read) = Origin::read(value) => origin = Maybe::Is(read),
                _ => other.push(&member, value),
            }
            Ok(())
        })?;
        let id = id.ok_or_else(|| missing("id"))?;
        let name = name.ok_or_else(|| missing("type"))?;
        let kind = Kind::read(&name, payload.ok_or_else(|| missing("payload"))?)?;
        Ok(Self { id, kind, origin, other })
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("type", self.kind.name())?;
        map.serialize_entry("payload", &self.kind)?;
        super::wire::write_optional(&mut map, "origin", &self.origin)?;
        self.other.write(&mut map)?;
        map.end()
    }
}

#[cfg(any(test, feature = "schema"))]
impl schemars::JsonSchema for Record {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "HistoryRecord".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let id = generator.subschema_for::<HistoryId>();
        super::schema::made(serde_json::json!({
            "description": "One record; `payload` depends on `type`.",
            "type": "object",
            "properties": {
                "id": id.to_value(),
                "type": { "type": "string", "enum": Kind::NAMES },
                "payload": { "type": "object" },
                "origin": {
                    "description": "Ours: the number of the turn, the type and the id of the item that the record was made from, and the threads that it leads to. Other writers may mean something else by it.",
                },
            },
            "required": ["id", "type", "payload"],
            "additionalProperties": true,
            "allOf": cases(generator),
        }))
    }
}
