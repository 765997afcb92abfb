//! The page of a whole format.

use recount_formats::catalogue::Catalogue;

use super::prose::Prose;
use super::wire;
use crate::output::paint::style;

pub(super) fn write(prose: &mut Prose, catalogue: &Catalogue) {
    let version = if catalogue.version.is_empty() {
        String::new()
    } else {
        format!("up to version {}", catalogue.version)
    };
    prose.title(&catalogue.title, &version);
    prose.paragraph(0, &catalogue.summary);
    for (heading, content) in [
        ("How it is stored", &catalogue.container),
        ("What tells records apart", &catalogue.discriminator),
        ("Versions", &catalogue.versioning),
    ] {
        if !content.is_empty() {
            prose.heading(heading);
            prose.paragraph(2, content);
        }
    }
    records(prose, catalogue);
    for envelope in &catalogue.envelopes {
        prose.heading(&format!("What surrounds records: `{}`", envelope.name));
        if !envelope.summary.is_empty() {
            prose.paragraph(2, &envelope.summary);
        }
        super::page::fields_of(prose, &envelope.fields.iter().collect::<Vec<_>>());
    }
    blocks(prose, catalogue);
    wire::tools(prose, catalogue);
    if !catalogue.layout.is_empty() {
        prose.heading("Where things are");
        for place in &catalogue.layout {
            prose.line(&[
                (style::STRONG, &format!("  {}", place.path)),
                (style::DIM, &format!("  {}", place.kind)),
            ]);
            prose.paragraph(6, &place.text);
        }
    }
    named(prose, "How records hang together", catalogue.rules.iter().map(|r| (&r.topic, &r.text)));
    named(prose, "Counting", catalogue.usage.iter().map(|u| (&u.field, &u.text)));
    if !catalogue.gotchas.is_empty() {
        prose.heading("What surprises");
        for gotcha in &catalogue.gotchas {
            prose.item(2, &gotcha.text);
        }
    }
    prose.gap();
    let hint = format!("`recount explain {} TYPE` shows one type.", catalogue.harness);
    prose.paragraph(0, &hint);
}

fn named<'a>(
    prose: &mut Prose,
    heading: &str,
    entries: impl Iterator<Item = (&'a String, &'a String)>,
) {
    let mut first = true;
    for (name, content) in entries {
        if std::mem::take(&mut first) {
            prose.heading(heading);
        }
        prose.hanging(2, &[(style::STRONG, &format!("{name}  "))], 6, content);
    }
}

/// The record types by their first tag, in the order of the catalogue; single ones first.
fn records(prose: &mut Prose, catalogue: &Catalogue) {
    let group = |name: &str| name.split_once(" / ").map_or(String::new(), |(g, _)| g.to_owned());
    let mut groups: Vec<String> = Vec::new();
    for record in &catalogue.records {
        let group = group(&record.name);
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups.sort_by_key(|g| !g.is_empty());
    prose.heading(&format!("Record types ({})", catalogue.records.len()));
    for name in groups {
        if !name.is_empty() {
            prose.gap();
            prose.line(&[(style::ID, &format!("  {name}"))]);
        }
        for record in catalogue.records.iter().filter(|r| group(&r.name) == name) {
            let shown = record.name.strip_prefix(&name).unwrap_or(&record.name);
            let shown = shown.trim_start_matches(" / ");
            let concept = format!("  {}  ", record.concept);
            let head = [(style::STRONG, shown), (style::NAME, concept.as_str())];
            prose.hanging(4, &head, 8, &record.summary);
        }
    }
}

fn blocks(prose: &mut Prose, catalogue: &Catalogue) {
    if catalogue.blocks.is_empty() {
        return;
    }
    prose.heading(&format!("Content blocks ({})", catalogue.blocks.len()));
    let mut group = "";
    for block in &catalogue.blocks {
        if block.group != group {
            group = &block.group;
            prose.gap();
            prose.line(&[(style::ID, &format!("  {group}"))]);
        }
        let shown = block.name.strip_prefix(group).unwrap_or(&block.name);
        let shown = format!("{}  ", shown.trim_start_matches([' ', '/']));
        prose.hanging(4, &[(style::STRONG, &shown)], 8, &block.summary);
    }
}
