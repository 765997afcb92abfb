//! `recount explain`: a page about a format, or about one type of record or block.
//!
//! - [`lookup`]: what a name means, written in full or not
//! - [`page`]: the page of one type
//! - [`overview`]: the page of a whole format
//! - [`prose`]: wrapped text with headings, for both

use recount_formats::Harness;
use recount_formats::catalogue::{BlockType, Catalogue, Field, RecordType, Rule};
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
    match found {
        Found::Record(record) => page::record(&mut prose, catalogue, record),
        Found::Block(block) => page::block(&mut prose, catalogue, block),
    }
    prose.print(&screen)
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
    /// All fields of the body, those that come from another record too.
    fields: Vec<&'a Field>,
    envelope: &'a [Field],
    rules: Vec<&'a Rule>,
}

impl<'a> Explained<'a> {
    fn new(harness: Harness, catalogue: &'a Catalogue, found: Found<'a>) -> Self {
        let (record, block) = match found {
            Found::Record(record) => (Some(record), None),
            Found::Block(block) => (None, Some(block)),
        };
        let topics = record.map(|r| &r.rules).or(block.map(|b| &b.rules));
        Self {
            harness,
            record,
            block,
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
