//! `/api/formats`: the formats themselves, from the catalogue.

use axum::response::Response;
use recount_formats::Harness;
use recount_formats::catalogue::{BlockType, Catalogue, Field, Presence, RecordType};
use serde::Serialize;

use super::{json, sent};
use crate::web::page;
use crate::web::query::Named;
use crate::web::refusal::Refusal;

/// All formats.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Formats"))]
pub struct Answer {
    /// One for each harness.
    harnesses: Vec<Format>,
}

/// A format.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Format {
    /// The harness.
    pub harness: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// The version up to which it is described.
    pub version: &'static str,
    /// What it is, in a few sentences.
    pub summary: &'static str,
    /// Its types of records, then those of blocks in them.
    pub types: Vec<Type>,
}

/// A type of record, or of a block in one.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Type {
    /// Its name.
    pub r#type: &'static str,
    /// What it means, whatever the harness.
    pub concept: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// Whether it is a block in records.
    pub block: bool,
}

/// One type.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explained {
    /// The harness.
    harness: &'static str,
    #[serde(flatten)]
    about: Type,
    /// When it is written.
    when: &'static str,
    /// Its fields.
    fields: Vec<FieldRow>,
    /// An example.
    example: &'static str,
    /// All of it as HTML.
    html: String,
}

/// A field.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldRow {
    /// Its name; below others with dots.
    pub name: &'static str,
    /// Its types.
    pub types: &'static str,
    /// Whether it is always there.
    pub required: bool,
    /// What it holds.
    pub text: &'static str,
}

/// `/api/formats`
pub(in crate::web) async fn all() -> Result<Response, Refusal> {
    Ok(sent(json(&Answer { harnesses: formats().collect() })?))
}

/// All formats.
pub(in crate::web) fn formats() -> impl Iterator<Item = Format> {
    let described = |harness: &&Harness| !Catalogue::of(**harness).records.is_empty();
    Harness::ALL.iter().filter(described).map(|harness| format(*harness))
}

/// The format of a harness.
pub(in crate::web) fn format(harness: Harness) -> Format {
    let catalogue = Catalogue::of(harness);
    let records = catalogue.records.iter().map(of_record);
    Format {
        harness: harness.id(),
        title: &catalogue.title,
        version: &catalogue.version,
        summary: &catalogue.summary,
        types: records.chain(catalogue.blocks.iter().map(of_block)).collect(),
    }
}

fn of_record(record: &'static RecordType) -> Type {
    Type { r#type: &record.name, concept: &record.concept, summary: &record.summary, block: false }
}

fn of_block(block: &'static BlockType) -> Type {
    Type { r#type: &block.name, concept: &block.concept, summary: &block.summary, block: true }
}

/// A type by its whole name.
pub(in crate::web) enum Found {
    Record(&'static RecordType),
    Block(&'static BlockType),
}

impl Found {
    /// Finds a type of a harness.
    pub(in crate::web) fn named(harness: Harness, name: &str) -> Result<Self, Refusal> {
        let catalogue = Catalogue::of(harness);
        let record = catalogue.record(name).map(Self::Record);
        record
            .or_else(|| catalogue.block(name).map(Self::Block))
            .ok_or_else(|| Refusal::missing(format!("{harness} has no type `{name}`")))
    }

    /// Its fields.
    pub(in crate::web) fn fields(&self, harness: Harness) -> Vec<FieldRow> {
        let row = |field: &'static Field| FieldRow {
            name: &field.name,
            types: &field.types,
            required: field.presence == Presence::Required,
            text: &field.text,
        };
        match self {
            Self::Record(record) => {
                Catalogue::of(harness).fields(record).into_iter().map(row).collect()
            }
            Self::Block(block) => block.fields.iter().map(row).collect(),
        }
    }
}

/// The harness of that name.
pub(in crate::web) fn harness(name: &str) -> Result<Harness, Refusal> {
    let known = Harness::from_id(name);
    known.ok_or_else(|| Refusal::missing(format!("no harness `{name}`")))
}

/// `/api/formats/{harness}/{type}`
pub(in crate::web) async fn one(
    Named((name, r#type)): Named<(String, String)>,
) -> Result<Response, Refusal> {
    let harness = harness(&name)?;
    let found = Found::named(harness, &r#type)?;
    let (about, when, example) = match &found {
        Found::Record(record) => (of_record(record), &record.when, &record.example),
        Found::Block(block) => (of_block(block), &block.when, &block.example),
    };
    let html = page::formats::explained(harness, &found);
    let fields = found.fields(harness);
    let harness = harness.id();
    Ok(sent(json(&Explained { harness, about, when, fields, example, html })?))
}
