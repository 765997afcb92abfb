//! Writes `docs/formats/`: each format for people who read on the web, from the catalogue.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use recount_formats::catalogue::{BlockType, Catalogue, Field, Presence, RecordType};
use recount_formats::json::{self, Json};

/// Groups of record types smaller than this share one page.
const OWN_PAGE: usize = 4;
/// Pages with more record types than this are split.
const PAGE: usize = 45;

const HEADER: &str = "<!-- Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file. -->\n\n";

/// A generated file: path below `docs/formats` and content.
pub(crate) type File = (String, String);

/// The list of all formats.
pub(crate) fn index(catalogues: &[Catalogue]) -> File {
    let mut out = format!("{HEADER}# Formats\n\n");
    out.push_str("How each harness keeps its sessions. The same is shown by `recount explain HARNESS [TYPE]`.\n\n");
    out.push_str(
        "| Harness | Described up to | Record types | Content blocks |\n|---|---|---:|---:|\n",
    );
    for c in catalogues {
        let _ = writeln!(
            out,
            "| [{}]({}.md) | {} | {} | {} |",
            c.title,
            c.harness,
            c.version,
            c.records.len(),
            c.blocks.len()
        );
    }
    ("README.md".into(), out)
}

/// The pages of one format.
pub(crate) fn pages(catalogue: &Catalogue) -> Vec<File> {
    let places = Places::new(catalogue);
    let mut files = vec![(format!("{}.md", catalogue.harness), overview(catalogue, &places))];
    for (page, title, records) in &places.pages {
        let mut out = format!("{HEADER}# {}: {title}\n\n", catalogue.title);
        let _ = writeln!(out, "[All of {}](../{}.md)\n", catalogue.title, catalogue.harness);
        for record in records {
            write_record(&mut out, catalogue, &places, record);
        }
        files.push((format!("{}/{page}.md", catalogue.harness), out));
    }
    if !catalogue.blocks.is_empty() {
        let mut out = format!("{HEADER}# {}: content blocks\n\n", catalogue.title);
        let _ = writeln!(out, "[All of {}](../{}.md)\n", catalogue.title, catalogue.harness);
        for block in &catalogue.blocks {
            write_block(&mut out, catalogue, block);
        }
        files.push((format!("{}/blocks.md", catalogue.harness), out));
    }
    files
}

/// Which page each record type stands on.
struct Places<'a> {
    /// File name, title, record types.
    pages: Vec<(String, String, Vec<&'a RecordType>)>,
    of: BTreeMap<&'a str, String>,
}

impl<'a> Places<'a> {
    fn new(catalogue: &'a Catalogue) -> Self {
        let mut groups: Vec<(String, Vec<&RecordType>)> = Vec::new();
        for record in &catalogue.records {
            let group = group(&record.name);
            match groups.iter_mut().find(|(name, _)| *name == group) {
                Some((_, records)) => records.push(record),
                None => groups.push((group, vec![record])),
            }
        }
        let mut pages: Vec<(String, String, Vec<&RecordType>)> =
            vec![("records".into(), "record types".into(), Vec::new())];
        for (name, mut records) in groups {
            if name.is_empty() || records.len() < OWN_PAGE {
                pages[0].2.extend(records);
                continue;
            }
            let file = slug(&name);
            if records.len() <= PAGE {
                pages.push((file, format!("`{name}`"), records));
                continue;
            }
            records.sort_by(|a, b| a.name.cmp(&b.name));
            let parts = records.len().div_ceil(PAGE);
            let size = records.len().div_ceil(parts);
            for (n, part) in records.chunks(size).enumerate() {
                let title = format!("`{name}`, part {} of {parts}", n + 1);
                pages.push((format!("{file}-{}", n + 1), title, part.to_vec()));
            }
        }
        pages.retain(|(_, _, records)| !records.is_empty());
        let of = pages
            .iter()
            .flat_map(|(page, _, records)| {
                records
                    .iter()
                    .map(move |r| (r.name.as_str(), format!("{page}.md#{}", anchor(&r.name))))
            })
            .collect();
        Self { pages, of }
    }
}

/// The record types that a reader looks for together.
fn group(name: &str) -> String {
    match name.split(" / ").collect::<Vec<_>>().as_slice() {
        ["event_msg", "item_completed", _, ..] => "item_completed".into(),
        [first, _, ..] => (*first).to_owned(),
        _ => String::new(),
    }
}

fn slug(name: &str) -> String {
    let plain = name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "-");
    plain.split('-').filter(|p| !p.is_empty()).collect::<Vec<_>>().join("-").to_lowercase()
}

/// The anchor that a Markdown renderer gives to a heading.
fn anchor(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        })
        .collect()
}

fn overview(catalogue: &Catalogue, places: &Places<'_>) -> String {
    let mut out = format!("{HEADER}# {}\n\n", catalogue.title);
    let _ = writeln!(out, "{}\n", flat(&catalogue.summary));
    let _ = writeln!(out, "Described up to version {}.\n", catalogue.version);
    for (heading, content) in [
        ("How it is stored", &catalogue.container),
        ("What tells records apart", &catalogue.discriminator),
        ("Versions", &catalogue.versioning),
    ] {
        if !content.is_empty() {
            let _ = writeln!(out, "## {heading}\n\n{}\n", flat(content));
        }
    }
    let _ = writeln!(out, "## Record types\n");
    for (_, title, records) in &places.pages {
        let _ = writeln!(out, "### {}\n", title.replace("record types", "Lines"));
        let _ = writeln!(out, "| Type | Concept | |\n|---|---|---|");
        for record in records {
            let _ = writeln!(
                out,
                "| [`{}`]({}/{}) | {} | {} |",
                record.name,
                catalogue.harness,
                places.of[record.name.as_str()],
                record.concept,
                cell(&record.summary)
            );
        }
        out.push('\n');
    }
    for envelope in &catalogue.envelopes {
        let _ = writeln!(out, "## {}\n", around_heading(&envelope.name));
        if !envelope.summary.is_empty() {
            let _ = writeln!(out, "{}\n", flat(&envelope.summary));
        }
        fields(&mut out, None, &envelope.fields.iter().collect::<Vec<_>>());
    }
    if !catalogue.blocks.is_empty() {
        let _ = writeln!(out, "## Content blocks\n\n| Block | Concept | |\n|---|---|---|");
        for block in &catalogue.blocks {
            let _ = writeln!(
                out,
                "| [`{}`]({}/blocks.md#{}) | {} | {} |",
                cell(&block.name),
                catalogue.harness,
                anchor(&block.name),
                block.concept,
                cell(&block.summary)
            );
        }
        out.push('\n');
    }
    if !catalogue.tools.is_empty() {
        let _ = writeln!(
            out,
            "## Tools\n\n| Number | Tool | Arguments | Result | Shown as | |\n|---:|---|---|---|---|---|"
        );
        for tool in &catalogue.tools {
            let code =
                |name: Option<&String>| name.map_or(String::new(), |name| format!("`{name}`"));
            let _ = writeln!(
                out,
                "| {} | `{}` | {} | {} | {} | {} |",
                tool.number.map_or(String::new(), |number| number.to_string()),
                tool.name,
                code(tool.args.as_ref()),
                code(tool.result.as_ref()),
                code(tool.item.as_ref()),
                cell(&tool.text)
            );
        }
        out.push('\n');
    }
    if !catalogue.layout.is_empty() {
        let _ = writeln!(out, "## Where things are\n\n| Place | Kind | |\n|---|---|---|");
        for place in &catalogue.layout {
            let _ = writeln!(
                out,
                "| `{}` | {} | {} |",
                cell(&place.path),
                place.kind,
                cell(&place.text)
            );
        }
        out.push('\n');
    }
    if !catalogue.rules.is_empty() {
        let _ = writeln!(out, "## How records hang together\n");
        for rule in &catalogue.rules {
            let _ = writeln!(out, "### {}\n\n{}\n", rule.topic, flat(&rule.text));
        }
    }
    if !catalogue.usage.is_empty() {
        let _ = writeln!(out, "## Counting\n\n| Number | |\n|---|---|");
        for usage in &catalogue.usage {
            let _ = writeln!(out, "| `{}` | {} |", cell(&usage.field), cell(&usage.text));
        }
        out.push('\n');
    }
    if !catalogue.gotchas.is_empty() {
        let _ = writeln!(out, "## What surprises\n");
        for gotcha in &catalogue.gotchas {
            let _ = writeln!(out, "- {}", flat(&gotcha.text));
        }
    }
    out
}

fn write_record(out: &mut String, catalogue: &Catalogue, places: &Places<'_>, record: &RecordType) {
    let _ = writeln!(out, "## `{}`\n\n{}\n", record.name, flat(&record.summary));
    let mut tags = vec![record.tag.iter().map(|t| format!("`{t}`")).collect::<Vec<_>>().join(", ")];
    tags.extend(record.aliases.iter().map(|a| {
        format!("or {}", a.split(" & ").map(|t| format!("`{t}`")).collect::<Vec<_>>().join(", "))
    }));
    list(
        out,
        &[
            ("Concept", &record.concept),
            ("Told by", &tags.join(" ")),
            ("Written", &record.when),
            ("Kept", record.persisted.as_deref().unwrap_or_default()),
            (
                "Versions",
                &versions(
                    record.since.as_deref(),
                    record.until.as_deref(),
                    record.versions.as_deref(),
                ),
            ),
            ("Counting", record.usage.as_deref().unwrap_or_default()),
            (
                "Source",
                if record.source.as_deref() == Some("field") { "seen in files only" } else { "" },
            ),
        ],
    );
    if let Some(base) = &record.extends
        && let Some(place) = places.of.get(base.as_str())
    {
        let _ = writeln!(out, "Has the fields of [`{base}`]({place}) too.\n");
    }
    // The fields of the record that this one extends stand on that one's page.
    let mut own = catalogue.own_fields(record);
    own.retain(|f| record.fields.iter().any(|r| r.name == f.name));
    fields(out, record.body.as_deref(), &own);
    let around = catalogue.surrounding(record);
    if let Some(envelope) = record.envelope.as_deref().filter(|_| !around.is_empty()) {
        let place = format!("../{}.md#{}", catalogue.harness, anchor(&around_heading(envelope)));
        let names = |wanted: Presence| {
            let names = around.iter().filter(|f| f.presence == wanted && !f.name.contains('.'));
            names.map(|f| format!("`{}`", f.name)).collect::<Vec<_>>().join(", ")
        };
        if record.body.is_some() {
            let _ = writeln!(out, "Around it: [{envelope}]({place}).\n");
        } else {
            let _ = writeln!(
                out,
                "Around it, as in every [{envelope}]({place}) record: required {}; optional {}.\n",
                none_if_empty(&names(Presence::Required)),
                none_if_empty(&names(Presence::Optional))
            );
        }
    }
    notes(out, &record.notes);
    rules(out, catalogue, &record.rules);
    example(out, &record.example);
}

fn write_block(out: &mut String, catalogue: &Catalogue, block: &BlockType) {
    let _ = writeln!(out, "## `{}`\n\n{}\n", block.name, flat(&block.summary));
    let key = block.key.as_deref().unwrap_or("type");
    let tags: Vec<String> =
        block.tag.split('|').filter(|t| !t.is_empty()).map(|t| format!("`{key}={t}`")).collect();
    list(
        out,
        &[
            ("Concept", &block.concept),
            ("Told by", &tags.join(" or ")),
            ("Written", &block.when),
            ("Kept", block.persisted.as_deref().unwrap_or_default()),
            (
                "Versions",
                &versions(
                    block.since.as_deref(),
                    block.until.as_deref(),
                    block.versions.as_deref(),
                ),
            ),
            ("Counting", block.usage.as_deref().unwrap_or_default()),
            (
                "Source",
                if block.source.as_deref() == Some("field") { "seen in files only" } else { "" },
            ),
        ],
    );
    let own: Vec<&Field> = block.fields.iter().collect();
    fields(out, None, &own);
    notes(out, &block.notes);
    rules(out, catalogue, &block.rules);
    example(out, &block.example);
}

fn around_heading(envelope: &str) -> String {
    format!("Around records: {envelope}")
}

fn none_if_empty(names: &str) -> &str {
    if names.is_empty() { "none" } else { names }
}

fn versions(since: Option<&str>, until: Option<&str>, more: Option<&str>) -> String {
    let mut parts = Vec::new();
    parts.extend(since.map(|v| format!("From {v} on.")));
    parts.extend(until.map(|v| format!("Up to {v}.")));
    parts.extend(more.map(flat));
    parts.join(" ")
}

fn list(out: &mut String, entries: &[(&str, &str)]) {
    for (name, content) in entries.iter().filter(|(_, c)| !c.is_empty()) {
        let _ = writeln!(out, "- **{name}**: {}", flat(content));
    }
    out.push('\n');
}

fn fields(out: &mut String, body: Option<&str>, fields: &[&Field]) {
    if fields.is_empty() {
        return;
    }
    let head = body.map_or("Field".to_owned(), |b| format!("Field of `{b}`"));
    let _ = writeln!(out, "| {head} | Type | | |\n|---|---|---|---|");
    for field in fields {
        let presence = match (field.presence, field.in_files) {
            (Presence::Required, None) => "required",
            (Presence::Required, Some(_)) => "required, often absent",
            (Presence::Optional, _) => "optional",
        };
        let mut text = cell(&field.text);
        if let Some(since) = &field.since {
            let _ = write!(text, " *Since {since}.*");
        }
        if let Some(until) = &field.until {
            let _ = write!(text, " *Until {until}.*");
        }
        if field.source.as_deref() == Some("field") {
            text.push_str(" *Seen in files only.*");
        }
        let types = cell(&field.types);
        let _ = writeln!(out, "| `{}` | {types} | {presence} | {text} |", cell(&field.name));
    }
    out.push('\n');
}

fn notes(out: &mut String, notes: &[String]) {
    for note in notes {
        let _ = writeln!(out, "- {}", flat(note));
    }
    if !notes.is_empty() {
        out.push('\n');
    }
}

fn rules(out: &mut String, catalogue: &Catalogue, topics: &[String]) {
    let links: Vec<String> = topics
        .iter()
        .map(|t| format!("[{t}](../{}.md#{})", catalogue.harness, anchor(t)))
        .collect();
    if !links.is_empty() {
        let _ = writeln!(out, "See {}.\n", links.join(", "));
    }
}

fn example(out: &mut String, example: &str) {
    if let Ok(value) = json::parse(example) {
        out.push_str("```json\n");
        pretty(value, 0, out);
        out.push_str("\n```\n\n");
    }
}

/// JSON over several lines; what fits stays on one.
fn pretty(value: Json<'_>, level: usize, out: &mut String) {
    const ROOM: usize = 90;
    let nested = value.members().next().is_some() || value.elements().next().is_some();
    if !nested || value.raw().len() + level * 2 <= ROOM {
        out.push_str(value.raw());
        return;
    }
    let pad = "  ".repeat(level + 1);
    let (open, close) = if value.is_object() { ('{', '}') } else { ('[', ']') };
    out.push(open);
    for (n, (key, member)) in value.members().enumerate() {
        let comma = if n > 0 { "," } else { "" };
        let _ = write!(out, "{comma}\n{pad}{}: ", key.raw());
        pretty(member, level + 1, out);
    }
    for (n, element) in value.elements().enumerate() {
        let comma = if n > 0 { "," } else { "" };
        let _ = write!(out, "{comma}\n{pad}");
        pretty(element, level + 1, out);
    }
    let _ = write!(out, "\n{}{close}", "  ".repeat(level));
}

/// Text on one line.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    flat(text).replace('|', "\\|")
}
