//! The formats as data: what `catalogue/*.toml` says, loaded once.
//!
//! The files are part of the binary. `catalogue/README.md` describes them.

pub mod types;

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::format;
use crate::harness::Harness;

/// The description of one harness's format.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// Id of the harness.
    pub harness: String,
    /// Its name for people.
    #[serde(default)]
    pub title: String,
    /// The newest version that is described.
    #[serde(default)]
    pub version: String,
    /// What a transcript is.
    #[serde(default)]
    pub summary: String,
    /// The type of the record that every transcript starts with.
    #[serde(default)]
    pub header: Option<String>,
    /// How records are stored.
    #[serde(default)]
    pub container: String,
    /// Which keys decide the type of a record.
    #[serde(default)]
    pub discriminator: String,
    /// How versions are told apart.
    #[serde(default)]
    pub versioning: String,
    /// Where things are kept.
    #[serde(default)]
    pub layout: Vec<Layout>,
    /// How records hang together.
    #[serde(default, rename = "rule")]
    pub rules: Vec<Rule>,
    /// How tokens and cost are counted.
    #[serde(default)]
    pub usage: Vec<UsageRule>,
    /// What surprises.
    #[serde(default, rename = "gotcha")]
    pub gotchas: Vec<Gotcha>,
    /// What surrounds records.
    #[serde(default, rename = "envelope")]
    pub envelopes: Vec<Envelope>,
    /// The record types.
    #[serde(default, rename = "record")]
    pub records: Vec<RecordType>,
    /// The content blocks.
    #[serde(default, rename = "block")]
    pub blocks: Vec<BlockType>,
    /// Protobuf messages below the records.
    #[serde(default, rename = "message")]
    pub messages: Vec<MessageType>,
    /// Their enumerations.
    #[serde(default, rename = "enumeration")]
    pub enumerations: Vec<Enumeration>,
    /// The tools, where a harness stores them by number.
    #[serde(default, rename = "tool")]
    pub tools: Vec<ToolType>,
}

/// A protobuf message.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageType {
    /// Its name.
    pub name: String,
    /// Its fields, each as `number name type` and perhaps `in oneof`.
    #[serde(default)]
    pub fields: Vec<String>,
}

/// A protobuf enumeration.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Enumeration {
    /// Its name.
    pub name: String,
    /// Its values; the place in the list is the number.
    pub values: Vec<String>,
}

/// A tool that a harness stores by number.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolType {
    /// The number of its field; nothing when nobody has met it.
    #[serde(default)]
    pub number: Option<u32>,
    /// Its name.
    pub name: String,
    /// The message of its arguments.
    #[serde(default)]
    pub args: Option<String>,
    /// The message of its result.
    #[serde(default)]
    pub result: Option<String>,
    /// The kind of item that it is shown as; nothing for a plain tool call.
    #[serde(default)]
    pub item: Option<String>,
    /// What a call that concerns another agent does, as items spell it.
    #[serde(default)]
    pub action: Option<String>,
    /// The names by which the model knows it.
    #[serde(default)]
    pub model: Vec<String>,
    /// What it does.
    #[serde(default)]
    pub text: String,
    /// `contract` or `field`.
    #[serde(default)]
    pub source: Option<String>,
}

/// A place where a harness keeps something.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// Path with placeholders.
    pub path: String,
    /// `transcript`, `index`, `history`, `database`, `sidecar`, `blob-store` or `other`.
    pub kind: String,
    /// What is there.
    pub text: String,
}

/// How records hang together.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What it is about, such as `forks`.
    pub topic: String,
    /// The rule.
    pub text: String,
}

/// How a number is counted.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UsageRule {
    /// The field or fields.
    pub field: String,
    /// What they mean.
    pub text: String,
}

/// Something that surprises.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gotcha {
    /// What it is.
    pub text: String,
}

/// Fields that surround the body of a record.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// How records name it.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub summary: String,
    /// The fields.
    #[serde(default)]
    pub fields: Vec<Field>,
}

/// A type of record.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordType {
    /// Canonical name, such as `event_msg / task_started`.
    #[serde(rename = "type")]
    pub name: String,
    /// `path=value`, all of which hold.
    #[serde(default)]
    pub tag: Vec<String>,
    /// Other tag paths, each joined by ` & `.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// What it means, by the name of a [`crate::Concept`].
    pub concept: String,
    /// Name of the envelope.
    #[serde(default)]
    pub envelope: Option<String>,
    /// Path of the object in which the fields stand.
    #[serde(default)]
    pub body: Option<String>,
    /// The protobuf message that it is; its fields have numbers then.
    #[serde(default)]
    pub message: Option<String>,
    /// A record whose fields this one has too.
    #[serde(default)]
    pub extends: Option<String>,
    /// Whether fields beyond those listed are expected.
    #[serde(default)]
    pub open: bool,
    /// What it says.
    pub summary: String,
    /// When it is written.
    #[serde(default)]
    pub when: String,
    /// Under which condition it is kept.
    #[serde(default)]
    pub persisted: Option<String>,
    /// First version.
    #[serde(default)]
    pub since: Option<String>,
    /// Last version.
    #[serde(default)]
    pub until: Option<String>,
    /// More about versions.
    #[serde(default)]
    pub versions: Option<String>,
    /// Topics of the rules that concern it.
    #[serde(default)]
    pub rules: Vec<String>,
    /// How its numbers are counted.
    #[serde(default)]
    pub usage: Option<String>,
    /// More to know.
    #[serde(default)]
    pub notes: Vec<String>,
    /// `contract` or `field`.
    #[serde(default)]
    pub source: Option<String>,
    /// A whole record.
    #[serde(default)]
    pub example: String,
    /// The fields.
    #[serde(default)]
    pub fields: Vec<Field>,
}

/// A type of content block.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockType {
    /// Canonical name, such as `message.content / input_text`.
    #[serde(rename = "type")]
    pub name: String,
    /// The group by which fields name it.
    pub group: String,
    /// Value of the block's own tag; several joined by `|`; empty when it has none.
    #[serde(default)]
    pub tag: String,
    /// The key that holds the tag; left out: `type`.
    #[serde(default)]
    pub key: Option<String>,
    /// What it means.
    pub concept: String,
    /// Whether fields beyond those listed are expected.
    #[serde(default)]
    pub open: bool,
    /// What it says.
    pub summary: String,
    /// When it is written.
    #[serde(default)]
    pub when: String,
    /// Under which condition it is kept.
    #[serde(default)]
    pub persisted: Option<String>,
    /// First version.
    #[serde(default)]
    pub since: Option<String>,
    /// Last version.
    #[serde(default)]
    pub until: Option<String>,
    /// More about versions.
    #[serde(default)]
    pub versions: Option<String>,
    /// Topics of the rules that concern it.
    #[serde(default)]
    pub rules: Vec<String>,
    /// How its numbers are counted.
    #[serde(default)]
    pub usage: Option<String>,
    /// More to know.
    #[serde(default)]
    pub notes: Vec<String>,
    /// `contract` or `field`.
    #[serde(default)]
    pub source: Option<String>,
    /// A block.
    #[serde(default)]
    pub example: String,
    /// The fields.
    #[serde(default)]
    pub fields: Vec<Field>,
}

/// A field of a record, a block or an envelope.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Path from the body.
    pub name: String,
    /// Number on the wire, for fields of protobuf messages.
    #[serde(default)]
    pub number: Option<u32>,
    /// JSON types joined by `|`; the type of a protobuf field as [`MessageType`] spells it.
    #[serde(rename = "type")]
    pub types: String,
    /// Whether it must be there.
    pub presence: Presence,
    /// What it says.
    #[serde(default)]
    pub text: String,
    /// Group of blocks that its elements, or itself, are.
    #[serde(default)]
    pub blocks: Option<String>,
    /// Says that real files lack it although the contract calls it required.
    #[serde(default, rename(serialize = "inFiles"))]
    pub in_files: Option<Presence>,
    /// First version.
    #[serde(default)]
    pub since: Option<String>,
    /// Last version.
    #[serde(default)]
    pub until: Option<String>,
    /// `contract` or `field`.
    #[serde(default)]
    pub source: Option<String>,
}

/// Whether a field must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Presence {
    /// Each record of the type has it.
    Required,
    /// Some have it, and it may be `null`.
    Optional,
}

impl Catalogue {
    /// Reads one file.
    pub fn from_toml(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// Adds the parts of another file of the same harness.
    pub fn merge(&mut self, other: Self) {
        self.layout.extend(other.layout);
        self.rules.extend(other.rules);
        self.usage.extend(other.usage);
        self.gotchas.extend(other.gotchas);
        self.envelopes.extend(other.envelopes);
        self.records.extend(other.records);
        self.blocks.extend(other.blocks);
        self.messages.extend(other.messages);
        self.enumerations.extend(other.enumerations);
        self.tools.extend(other.tools);
    }

    /// The catalogue of a harness, read once. Harnesses that are not described yet have an empty one.
    pub fn of(harness: Harness) -> &'static Self {
        static ALL: OnceLock<[OnceLock<Catalogue>; 5]> = OnceLock::new();
        ALL.get_or_init(Default::default)[harness as usize].get_or_init(|| {
            let mut all = Self { harness: harness.id().into(), ..Self::default() };
            for (n, text) in format::of(harness).catalogue.iter().enumerate() {
                // A test reads every file, so a bad one cannot be released; if it were, its part would be missing.
                let Ok(file) = Self::from_toml(text) else { continue };
                if n == 0 {
                    all = file;
                } else {
                    all.merge(file);
                }
            }
            all
        })
    }

    /// Finds a record type by its canonical name.
    pub fn record(&self, name: &str) -> Option<&RecordType> {
        self.records.iter().find(|r| r.name == name)
    }

    /// Finds a block type by its canonical name.
    pub fn block(&self, name: &str) -> Option<&BlockType> {
        self.blocks.iter().find(|b| b.name == name)
    }

    /// Finds an envelope by its name.
    pub fn envelope(&self, name: &str) -> Option<&Envelope> {
        self.envelopes.iter().find(|e| e.name == name)
    }

    /// All fields of a record's body: its own and those of the record that it extends.
    pub fn fields<'a>(&'a self, record: &'a RecordType) -> Vec<&'a Field> {
        let base = record.extends.as_deref().and_then(|name| self.record(name));
        let mut fields: Vec<&Field> = base.into_iter().flat_map(|b| &b.fields).collect();
        for field in &record.fields {
            fields.retain(|f| f.name != field.name);
            fields.push(field);
        }
        fields
    }

    /// The fields that say what a record says: those of its body, but for what surrounds every record.
    pub fn own_fields<'a>(&'a self, record: &'a RecordType) -> Vec<&'a Field> {
        let mut fields = self.fields(record);
        if record.body.is_none()
            && let Some(envelope) = record.envelope.as_deref().and_then(|e| self.envelope(e))
        {
            fields.retain(|f| !envelope.fields.iter().any(|e| e.name == f.name));
        }
        fields
    }

    /// The fields that surround a record, as its own page has them where it does.
    pub fn surrounding<'a>(&'a self, record: &'a RecordType) -> Vec<&'a Field> {
        let Some(envelope) = record.envelope.as_deref().and_then(|e| self.envelope(e)) else {
            return Vec::new();
        };
        let own = if record.body.is_none() { self.fields(record) } else { Vec::new() };
        envelope
            .fields
            .iter()
            .map(|field| own.iter().copied().find(|f| f.name == field.name).unwrap_or(field))
            .collect()
    }
}
