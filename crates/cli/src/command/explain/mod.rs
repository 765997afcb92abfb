//! `recount explain`: a page about a format, or about one type of record or block.
//!
//! - [`lookup`]: what a name means, written in full or not
//! - [`page`]: the page of one type
//! - [`wire`]: the pages of tools and messages of a binary format
//! - [`overview`]: the page of a whole format
//! - [`prose`]: wrapped text with headings, for both

use recount_formats::Harness;
use recount_formats::catalogue::{
    BlockType, Catalogue, Enumeration, Field, MessageType, RecordType, Rule, ToolType,
};
use serde::Serialize;

use self::lookup::Found;
use self::prose::Prose;
use crate::args::{Explain, Global};
use crate::error::Error;
use crate::output::{self, Screen};

mod lookup;
mod overview;
mod page;
mod prose;
#[cfg(test)]
mod tests;
mod wire;

pub(super) fn run(global: &Global, args: &Explain) -> Result<(), Error> {
    let catalogue = Catalogue::of(args.harness);
    if catalogue.records.is_empty() {
        return Err(Error::Nothing(format!("the format of {} is not described yet", args.harness)));
    }
    let Some(name) = &args.name else {
        if global.json || global.jsonl {
            return output::json(catalogue);
        }
        let screen = Screen::of(global);
        let mut prose = Prose::new(&screen);
        overview::write(&mut prose, catalogue);
        return prose.print(&screen);
    };
    let found = lookup::find(args.harness, catalogue, name)?;
    if global.json || global.jsonl {
        return output::json(&Explained::new(args.harness, catalogue, found));
    }
    let screen = Screen::of(global);
    let mut prose = Prose::new(&screen);
    write(&mut prose, catalogue, found);
    prose.print(&screen)
}

/// Writes the page of what was found.
fn write(prose: &mut Prose, catalogue: &Catalogue, found: Found<'_>) {
    match found {
        Found::Record(record) => page::record(prose, catalogue, record),
        Found::Block(block) => page::block(prose, catalogue, block),
        Found::Tool(tool) => wire::tool(prose, catalogue, tool),
        Found::Message(message) => wire::message(prose, catalogue, message),
        Found::Enumeration(enumeration) => wire::enumeration(prose, enumeration),
    }
}

/// The shape of `explain --json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Explained<'a> {
    harness: Harness,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<&'a RecordType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<&'a BlockType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a ToolType>,
    /// The message by that name, or the arguments and the result of the tool.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<&'a MessageType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enumeration: Option<&'a Enumeration>,
    /// All fields of the body, those that come from another record too.
    fields: Vec<&'a Field>,
    envelope: &'a [Field],
    rules: Vec<&'a Rule>,
}

impl<'a> Explained<'a> {
    fn new(harness: Harness, catalogue: &'a Catalogue, found: Found<'a>) -> Self {
        let record = if let Found::Record(record) = found { Some(record) } else { None };
        let block = if let Found::Block(block) = found { Some(block) } else { None };
        let tool = if let Found::Tool(tool) = found { Some(tool) } else { None };
        let messages = match found {
            Found::Message(message) => vec![message],
            Found::Tool(tool) => {
                let names = [&tool.args, &tool.result];
                let of = |name: &String| catalogue.messages.iter().find(|m| m.name == *name);
                names.into_iter().flatten().filter_map(of).collect()
            }
            _ => Vec::new(),
        };
        let topics = record.map(|r| &r.rules).or(block.map(|b| &b.rules));
        Self {
            harness,
            record,
            block,
            tool,
            messages,
            enumeration: if let Found::Enumeration(e) = found { Some(e) } else { None },
            fields: record.map_or_else(
                || block.map(|b| b.fields.iter().collect()).unwrap_or_default(),
                |r| catalogue.fields(r),
            ),
            envelope: record
                .and_then(|r| r.envelope.as_deref())
                .and_then(|name| catalogue.envelope(name))
                .map_or(&[], |e| &e.fields),
            rules: topics.map(|t| rules(catalogue, t)).unwrap_or_default(),
        }
    }
}

/// The rules with these topics.
fn rules<'a>(catalogue: &'a Catalogue, topics: &[String]) -> Vec<&'a Rule> {
    catalogue.rules.iter().filter(|rule| topics.contains(&rule.topic)).collect()
}
