//! The page of one type of record or block.

use std::fmt::Write as _;

use anstyle::Style;
use recount_formats::catalogue::{BlockType, Catalogue, Field, Presence, RecordType};
use recount_formats::json::{self, Json, Kind};

use super::prose::Prose;
use super::wire;
use crate::output::paint::style;
use crate::output::text;

pub(super) fn record(prose: &mut Prose, catalogue: &Catalogue, record: &RecordType) {
    prose.title(&record.name, &record.concept);
    prose.paragraph(0, &record.summary);
    prose.gap();
    prose.entry("Written", &record.when);
    prose.entry("Kept", record.persisted.as_deref().unwrap_or_default());
    prose.entry(
        "Versions",
        &versions(record.since.as_deref(), record.until.as_deref(), record.versions.as_deref()),
    );
    let mut tags = vec![tag_list(&record.tag)];
    tags.extend(
        record
            .aliases
            .iter()
            .map(|alias| tag_list(&alias.split(" & ").map(str::to_owned).collect::<Vec<_>>())),
    );
    prose.entry("Told by", &tags.join("; or "));
    prose.entry("Source", source(record.source.as_deref()));
    let fields = catalogue.own_fields(record);
    match record.body.as_deref() {
        Some(body) => prose.heading(&format!("Fields of {body}")),
        None => prose.heading("Fields"),
    }
    fields_of(prose, &fields);
    let around = catalogue.surrounding(record);
    if let Some(envelope) = record.envelope.as_deref().filter(|_| !around.is_empty()) {
        prose.heading(&format!("Around it, as in every record of the kind `{envelope}`"));
        let around: Vec<&Field> = around.into_iter().filter(|f| !f.name.contains('.')).collect();
        let names = |wanted: Presence| {
            let names = around.iter().filter(|f| f.presence == wanted && f.in_files.is_none());
            names.map(|f| format!("`{}`", f.name)).collect::<Vec<_>>().join(", ")
        };
        let mut optional = names(Presence::Optional);
        for field in around.iter().filter(|f| f.in_files.is_some()) {
            let _ = write!(optional, ", `{}`", field.name);
        }
        prose.entry("  required", &names(Presence::Required));
        prose.entry("  optional", optional.trim_start_matches(", "));
    }
    blocks(prose, catalogue, &fields);
    if record.message.as_deref() == Some("ToolCall") {
        wire::tools(prose, catalogue);
    }
    tail(prose, catalogue, &record.rules, record.usage.as_deref(), &record.notes, &record.example);
}

pub(super) fn block(prose: &mut Prose, catalogue: &Catalogue, block: &BlockType) {
    prose.title(&block.name, &block.concept);
    prose.paragraph(0, &block.summary);
    prose.gap();
    prose.entry("Written", &block.when);
    prose.entry("Kept", block.persisted.as_deref().unwrap_or_default());
    prose.entry(
        "Versions",
        &versions(block.since.as_deref(), block.until.as_deref(), block.versions.as_deref()),
    );
    let key = block.key.as_deref().unwrap_or("type");
    let told = match block.tag.split('|').filter(|t| !t.is_empty()).collect::<Vec<_>>() {
        tags if tags.is_empty() => "no tag".to_owned(),
        tags => tags.iter().map(|t| format!("`{key}={t}`")).collect::<Vec<_>>().join(" or "),
    };
    prose.entry("Told by", &told);
    prose.entry("Source", source(block.source.as_deref()));
    let places: Vec<String> = catalogue
        .records
        .iter()
        .filter(|r| r.fields.iter().any(|f| f.blocks.as_deref() == Some(&block.group)))
        .map(|r| format!("`{}`", r.name))
        .collect();
    prose.entry("Stands in", &places.join(", "));
    prose.heading("Fields");
    let fields: Vec<&Field> = block.fields.iter().collect();
    fields_of(prose, &fields);
    blocks(prose, catalogue, &fields);
    tail(prose, catalogue, &block.rules, block.usage.as_deref(), &block.notes, &block.example);
}

fn tag_list(tags: &[String]) -> String {
    tags.iter().map(|t| format!("`{t}`")).collect::<Vec<_>>().join(" and ")
}

fn source(source: Option<&str>) -> &'static str {
    match source {
        Some("field") => "seen in real files only",
        _ => "",
    }
}

fn versions(since: Option<&str>, until: Option<&str>, more: Option<&str>) -> String {
    let mut parts = Vec::new();
    match (since, until) {
        (Some(since), Some(until)) => parts.push(format!("{since} to {until}.")),
        (Some(since), None) => parts.push(format!("From {since} on.")),
        (None, Some(until)) => parts.push(format!("Up to {until}.")),
        (None, None) => {}
    }
    parts.extend(more.map(str::to_owned));
    parts.join(" ")
}

/// A table of fields: name, type and presence on one line, the text below or beside.
pub(super) fn fields_of(prose: &mut Prose, fields: &[&Field]) {
    if fields.is_empty() {
        prose.line(&[(style::DIM, "  none")]);
        return;
    }
    // Fields of protobuf messages are known by number.
    let number = |f: &Field| f.number.map_or_else(String::new, |number| format!("{number:>2} "));
    let longest =
        fields.iter().map(|f| text::width(&f.name) + text::width(&number(f))).max().unwrap_or(0);
    // Names are never cut. On a wide screen most have their text beside them.
    let column = longest.min(prose.columns() / 3) + 4;
    for field in fields {
        let (presence, colour): (_, Style) = match (field.presence, field.in_files) {
            (Presence::Required, None) => ("required", style::GOOD),
            (Presence::Required, Some(_)) => ("required, yet often absent", style::WARNING),
            (Presence::Optional, _) => ("optional", style::DIM),
        };
        // What it is a member of is repeated on each line, so it steps back.
        let start = field.name.rfind('.').map_or(0, |dot| dot + 1);
        let (parent, own) = field.name.split_at(start);
        let parent = format!("  {}{parent}", number(field));
        let used = text::width(&parent) + text::width(own);
        let pad = " ".repeat(column.saturating_sub(used).max(2));
        let types = field.types.replace('|', " | ");
        let mut pieces = vec![
            (style::DIM, parent.as_str()),
            (style::STRONG, own),
            (style::PLAIN, pad.as_str()),
            (colour, presence),
            (style::PLAIN, "  "),
        ];
        let mut more = String::new();
        if let Some(since) = &field.since {
            let _ = write!(more, "  since {since}");
        }
        if let Some(until) = &field.until {
            let _ = write!(more, "  until {until}");
        }
        if field.source.as_deref() == Some("field") {
            more.push_str("  seen only");
        }
        let head: usize = pieces.iter().map(|(_, t)| text::width(t)).sum();
        if head + text::width(&types) + text::width(&more) <= prose.columns() {
            pieces.push((style::NAME, &types));
            pieces.push((style::DIM, &more));
            prose.line(&pieces);
        } else {
            pieces.push((style::DIM, more.trim_start()));
            prose.line(&pieces);
            prose.hanging(6, &[], 6, &format!("`{types}`"));
        }
        prose.paragraph(6, &field.text);
    }
}

/// The blocks that stand in these fields.
fn blocks(prose: &mut Prose, catalogue: &Catalogue, fields: &[&Field]) {
    for field in fields {
        let Some(group) = &field.blocks else { continue };
        prose.heading(&format!("Blocks in {}", field.name));
        for block in catalogue.blocks.iter().filter(|b| b.group == *group) {
            let name = format!("{}  ", block.name);
            prose.hanging(2, &[(style::STRONG, &name)], 6, &block.summary);
        }
    }
}

fn tail(
    prose: &mut Prose,
    catalogue: &Catalogue,
    topics: &[String],
    usage: Option<&str>,
    notes: &[String],
    example: &str,
) {
    if let Some(usage) = usage {
        prose.heading("Counting");
        prose.paragraph(2, usage);
    }
    if !notes.is_empty() {
        prose.heading("Notes");
        for note in notes {
            prose.item(2, note);
        }
    }
    let rules = super::rules(catalogue, topics);
    if !rules.is_empty() {
        prose.heading("How it hangs together");
        for rule in rules {
            prose.hanging(2, &[(style::STRONG, &format!("{}  ", rule.topic))], 6, &rule.text);
        }
    }
    if let Ok(value) = json::parse(example) {
        prose.heading("Example");
        let mut lines = Lines::default();
        lines.value(value, 1);
        lines.end();
        for line in lines.done {
            let pieces: Vec<(Style, &str)> = line.iter().map(|(s, t)| (*s, t.as_str())).collect();
            prose.line(&pieces);
        }
    } else if !example.is_empty() {
        // A message of a binary format, written with names.
        prose.heading("Example");
        prose.paragraph(2, example);
    }
}

/// Pretty-printed JSON.
#[derive(Default)]
struct Lines {
    done: Vec<Vec<(Style, String)>>,
    line: Vec<(Style, String)>,
}

impl Lines {
    fn push(&mut self, style: Style, text: impl Into<String>) {
        self.line.push((style, text.into()));
    }

    fn end(&mut self) {
        self.done.push(std::mem::take(&mut self.line));
    }

    fn begin(&mut self, level: usize) {
        if self.line.is_empty() {
            self.push(style::PLAIN, "  ".repeat(level));
        }
    }

    /// Examples are ours and not deep.
    fn value(&mut self, value: Json<'_>, level: usize) {
        self.begin(level);
        match value.kind() {
            Kind::Object if value.members().next().is_some() => {
                self.push(style::PLAIN, "{");
                self.end();
                let mut members = value.members().peekable();
                while let Some((key, member)) = members.next() {
                    self.begin(level + 1);
                    self.push(style::NAME, text::clean(key.raw()));
                    self.push(style::PLAIN, ": ");
                    self.value(member, level + 1);
                    if members.peek().is_some() {
                        self.push(style::PLAIN, ",");
                    }
                    self.end();
                }
                self.begin(level);
                self.push(style::PLAIN, "}");
            }
            Kind::Array if value.elements().any(|e| e.is_object() || e.is_array()) => {
                self.push(style::PLAIN, "[");
                self.end();
                let mut elements = value.elements().peekable();
                while let Some(element) = elements.next() {
                    self.value(element, level + 1);
                    if elements.peek().is_some() {
                        self.push(style::PLAIN, ",");
                    }
                    self.end();
                }
                self.begin(level);
                self.push(style::PLAIN, "]");
            }
            Kind::String => self.push(style::GOOD, text::clean(value.raw())),
            _ => self.push(style::CODE, text::clean(value.raw())),
        }
    }
}
