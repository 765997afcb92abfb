//! The pages of what stands below the records of a binary format: tools, messages, enumerations.

use recount_formats::catalogue::{Catalogue, Enumeration, MessageType, ToolType};

use super::prose::Prose;
use crate::output::paint::style;
use crate::output::text;

pub(super) fn tool(prose: &mut Prose, catalogue: &Catalogue, tool: &ToolType) {
    prose.title(&tool.name, "tool");
    prose.paragraph(0, &tool.text);
    prose.gap();
    match tool.number {
        Some(number) => prose.entry("Stored as", &format!("field {number} of a tool call")),
        None => prose.entry("Stored as", "a field whose number nobody has met"),
    }
    let code =
        |names: &[String]| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" or ");
    prose.entry("Known as", &code(&tool.model));
    let item = tool.item.as_deref().unwrap_or("dynamicToolCall");
    prose.entry("Shown as", &format!("`{item}`"));
    prose.entry(
        "Source",
        if tool.source.as_deref() == Some("field") { "seen in real files only" } else { "" },
    );
    for (heading, name) in [("Arguments", &tool.args), ("Result", &tool.result)] {
        let Some(name) = name else { continue };
        prose.heading(&format!("{heading}: {name}"));
        match catalogue.messages.iter().find(|m| m.name == *name) {
            Some(message) => fields(prose, &message.fields),
            None => prose.line(&[(style::DIM, "  its fields are not known")]),
        }
    }
}

pub(super) fn message(prose: &mut Prose, catalogue: &Catalogue, message: &MessageType) {
    prose.title(&message.name, "message");
    prose.heading("Fields");
    fields(prose, &message.fields);
    let tools = catalogue
        .tools
        .iter()
        .filter(|t| [&t.args, &t.result].into_iter().flatten().any(|name| *name == message.name));
    let mut places: Vec<String> = tools.map(|t| format!("tool `{}`", t.name)).collect();
    let others = catalogue.messages.iter().filter(|other| {
        other.fields.iter().any(|f| f.split(' ').skip(2).any(|word| word == message.name))
    });
    places.extend(others.map(|other| format!("`{}`", other.name)));
    if !places.is_empty() {
        prose.heading("Stands in");
        prose.paragraph(2, &places.join(", "));
    }
}

pub(super) fn enumeration(prose: &mut Prose, enumeration: &Enumeration) {
    prose.title(&enumeration.name, "enumeration");
    prose.heading("Values");
    for (number, name) in enumeration.values.iter().enumerate() {
        prose.line(&[(style::DIM, &format!("  {number:>2}  ")), (style::STRONG, name)]);
    }
}

/// All tools, each on a line.
pub(super) fn tools(prose: &mut Prose, catalogue: &Catalogue) {
    if catalogue.tools.is_empty() {
        return;
    }
    prose.heading(&format!("Tools ({})", catalogue.tools.len()));
    let longest = catalogue.tools.iter().map(|t| text::width(&t.name)).max().unwrap_or(0);
    for tool in &catalogue.tools {
        let number = tool.number.map_or_else(String::new, |n| n.to_string());
        let name = format!("{:<longest$}  ", tool.name);
        let head = [(style::DIM, &*format!("{number:>2} ")), (style::STRONG, &*name)];
        prose.hanging(2, &head, longest + 7, &tool.text);
    }
}

/// Fields as the catalogue writes them: `number name type`, and perhaps `in oneof`.
fn fields(prose: &mut Prose, fields: &[String]) {
    if fields.is_empty() {
        prose.line(&[(style::DIM, "  none")]);
        return;
    }
    let parts: Vec<(&str, &str, &str)> = fields
        .iter()
        .filter_map(|field| {
            let (number, rest) = field.split_once(' ')?;
            let (name, types) = rest.split_once(' ')?;
            Some((number, name, types))
        })
        .collect();
    let longest = parts.iter().map(|(_, name, _)| text::width(name)).max().unwrap_or(0);
    for (number, name, types) in parts {
        let (types, oneof) = match types.split_once(" in ") {
            Some((types, oneof)) => (types, format!("  one of {oneof}")),
            None => (types, String::new()),
        };
        prose.line(&[
            (style::DIM, &format!("  {number:>2} ")),
            (style::STRONG, &format!("{name:<longest$}  ")),
            (style::NAME, types),
            (style::DIM, &oneof),
        ]);
    }
}
