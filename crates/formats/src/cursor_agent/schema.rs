//! The tables of protobuf messages, enumerations and tools, from the catalogue, by name.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::catalogue::{Catalogue, ToolType};
use crate::harness::Harness;

/// All tables.
#[derive(Debug, Default)]
pub struct Schema {
    messages: HashMap<String, MessageTable>,
    enumerations: HashMap<String, Vec<String>>,
    tools: HashMap<u32, &'static ToolType>,
}

/// The fields of a message.
#[derive(Debug, Default)]
pub struct MessageTable {
    /// Its name.
    pub name: String,
    /// By number.
    pub fields: Vec<FieldTable>,
}

/// A field of a message.
#[derive(Debug)]
pub struct FieldTable {
    /// Its number.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// Whether it comes once, often or as a map.
    pub label: Label,
    /// What each value is.
    pub kind: Kind,
    /// The oneof that it belongs to.
    pub oneof: Option<String>,
}

/// How often a field may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// Once; when it comes again, the last one counts.
    One,
    /// Any number of times.
    Many,
    /// A map from strings.
    Map,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    String,
    /// Bytes.
    Bytes,
    /// The id of a blob.
    Id,
    /// A truth value.
    Bool,
    /// A signed integer; negative ones take ten bytes.
    Int,
    /// An unsigned integer.
    Uint,
    /// A signed integer as a zigzag.
    Sint,
    /// A number of eight bytes.
    Double,
    /// A number of four bytes.
    Float,
    /// A value of an enumeration.
    Enumeration(String),
    /// A message with a table.
    Message(String),
    /// A message that nobody has listed.
    Unlisted,
}

impl Schema {
    /// The tables, made once.
    pub fn get() -> &'static Self {
        static SCHEMA: OnceLock<Schema> = OnceLock::new();
        SCHEMA.get_or_init(|| Self::of(Catalogue::of(Harness::CursorAgent)))
    }

    fn of(catalogue: &'static Catalogue) -> Self {
        let mut schema = Self::default();
        for e in &catalogue.enumerations {
            schema.enumerations.insert(e.name.clone(), e.values.clone());
        }
        let is_enumeration = |name: &str| catalogue.enumerations.iter().any(|e| e.name == name);
        let table = |name: &str, fields: Vec<FieldTable>| {
            let mut fields = fields;
            fields.sort_by_key(|f| f.number);
            MessageTable { name: name.to_owned(), fields }
        };
        for message in &catalogue.messages {
            let fields =
                message.fields.iter().filter_map(|f| parse_field(f, &is_enumeration)).collect();
            schema.messages.insert(message.name.clone(), table(&message.name, fields));
        }
        for record in &catalogue.records {
            let Some(name) = &record.message else { continue };
            let fields = record.fields.iter().filter_map(|f| {
                let (label, kind) = parse_type(&f.types, &is_enumeration);
                Some(FieldTable {
                    number: f.number?,
                    name: f.name.clone(),
                    label,
                    kind,
                    oneof: None,
                })
            });
            let fields = fields.collect();
            schema.messages.insert(name.clone(), table(name, fields));
        }
        schema.add_tools(catalogue);
        schema
    }

    /// The tool call is a oneof of all tools; a tool is `{1 args, 2 result}` unless it has a table of its own.
    fn add_tools(&mut self, catalogue: &'static Catalogue) {
        for tool in &catalogue.tools {
            let Some(number) = tool.number else { continue };
            self.tools.insert(number, tool);
            let name = format!("{}ToolCall", pascal(&tool.name));
            let part = |number, part: &str, message: &Option<String>| FieldTable {
                number,
                name: part.to_owned(),
                label: Label::One,
                kind: message.as_ref().map_or(Kind::Unlisted, |m| Kind::Message(m.clone())),
                oneof: None,
            };
            self.messages.entry(name.clone()).or_insert_with(|| MessageTable {
                name: name.clone(),
                fields: vec![part(1, "args", &tool.args), part(2, "result", &tool.result)],
            });
            let call = self.messages.entry("ToolCall".to_owned()).or_default();
            call.fields.push(FieldTable {
                number,
                name: tool.name.clone(),
                label: Label::One,
                kind: Kind::Message(name),
                oneof: Some("tool".to_owned()),
            });
            call.fields.sort_by_key(|f| f.number);
        }
    }

    /// The table of a message; an empty one when there is none, so that all its fields are unknown.
    pub fn message(&self, name: &str) -> &MessageTable {
        static EMPTY: MessageTable = MessageTable { name: String::new(), fields: Vec::new() };
        self.messages.get(name).unwrap_or(&EMPTY)
    }

    /// The names of all messages, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.messages.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// The name of an enumeration's value.
    pub fn value_name(&self, enumeration: &str, number: u64) -> Option<&str> {
        let values = self.enumerations.get(enumeration)?;
        values.get(usize::try_from(number).ok()?).map(String::as_str)
    }

    /// The number of an enumeration's value.
    pub fn value_number(&self, enumeration: &str, name: &str) -> Option<u64> {
        let values = self.enumerations.get(enumeration)?;
        values.iter().position(|value| value == name).map(|n| n as u64)
    }

    /// The tool with this field number.
    pub fn tool(&self, number: u32) -> Option<&'static ToolType> {
        self.tools.get(&number).copied()
    }

    /// The tool that the model knows by this name.
    pub fn tool_by_model_name(&self, name: &str) -> Option<&'static ToolType> {
        self.tools.values().find(|t| t.model.iter().any(|m| m == name)).copied()
    }
}

impl MessageTable {
    /// The field with this name.
    pub fn field(&self, name: &str) -> Option<&FieldTable> {
        self.fields.iter().find(|f| f.name == name)
    }

    /// The field with this number.
    pub fn number(&self, number: u32) -> Option<&FieldTable> {
        let at = self.fields.binary_search_by_key(&number, |f| f.number).ok()?;
        self.fields.get(at)
    }
}

/// `"3 categories repeated Category in oneof"`
fn parse_field(text: &str, is_enumeration: &impl Fn(&str) -> bool) -> Option<FieldTable> {
    let (number, rest) = text.split_once(' ')?;
    let (name, rest) = rest.split_once(' ')?;
    let (types, oneof) = match rest.split_once(" in ") {
        Some((types, oneof)) => (types, Some(oneof.trim().to_owned())),
        None => (rest, None),
    };
    let (label, kind) = parse_type(types, is_enumeration);
    Some(FieldTable { number: number.parse().ok()?, name: name.to_owned(), label, kind, oneof })
}

fn parse_type(types: &str, is_enumeration: &impl Fn(&str) -> bool) -> (Label, Kind) {
    let types = types.trim();
    if let Some(rest) = types.strip_prefix("repeated ") {
        return (Label::Many, parse_kind(rest, is_enumeration));
    }
    if let Some(rest) = types.strip_prefix("map<string,").and_then(|t| t.strip_suffix('>')) {
        return (Label::Map, parse_kind(rest.trim(), is_enumeration));
    }
    (Label::One, parse_kind(types, is_enumeration))
}

fn parse_kind(name: &str, is_enumeration: &impl Fn(&str) -> bool) -> Kind {
    match name.trim() {
        "string" => Kind::String,
        "bytes" => Kind::Bytes,
        "id" => Kind::Id,
        "bool" => Kind::Bool,
        "int32" | "int64" => Kind::Int,
        "uint32" | "uint64" => Kind::Uint,
        "sint32" | "sint64" => Kind::Sint,
        "double" => Kind::Double,
        "float" => Kind::Float,
        "message" => Kind::Unlisted,
        name if is_enumeration(name) => Kind::Enumeration(name.to_owned()),
        name => Kind::Message(name.to_owned()),
    }
}

fn pascal(name: &str) -> String {
    name.split('_')
        .flat_map(|word| {
            let mut chars = word.chars();
            chars.next().into_iter().flat_map(char::to_uppercase).chain(chars)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_that_a_field_names_has_a_table() {
        let schema = Schema::get();
        for table in schema.messages.values() {
            for field in &table.fields {
                if let Kind::Message(name) = &field.kind {
                    assert!(
                        schema.messages.contains_key(name),
                        "{}.{} is a {name}, which has no table",
                        table.name,
                        field.name
                    );
                }
            }
        }
    }

    #[test]
    fn every_line_of_the_tables_is_understood() {
        let catalogue = Catalogue::of(Harness::CursorAgent);
        for message in &catalogue.messages {
            for field in &message.fields {
                assert!(parse_field(field, &|_| false).is_some(), "{}: {field}", message.name);
            }
        }
        for table in Schema::get().messages.values() {
            for pair in table.fields.windows(2) {
                assert!(
                    pair[0].number < pair[1].number,
                    "{} has field {} twice",
                    table.name,
                    pair[1].number
                );
            }
        }
        for tool in &catalogue.tools {
            for name in tool.args.iter().chain(&tool.result) {
                assert!(Schema::get().messages.contains_key(name), "{}: {name}", tool.name);
            }
        }
    }

    #[test]
    fn the_tool_call_is_a_oneof_of_all_tools_with_a_number() {
        let schema = Schema::get();
        let call = schema.message("ToolCall");
        assert_eq!(call.number(12).map(|f| f.name.as_str()), Some("edit"));
        assert_eq!(call.number(57).map(|f| f.name.as_str()), Some("tool_call_id"));
        let tools = call.fields.iter().filter(|f| f.oneof.as_deref() == Some("tool")).count();
        assert_eq!(tools, schema.tools.len());
        assert!(schema.message("TruncatedToolCall").number(3).is_some(), "it has its own table");
        assert_eq!(schema.tool_by_model_name("StrReplace").map(|t| t.name.as_str()), Some("edit"));
    }

    #[test]
    fn enumerations_count_from_nothing() {
        let schema = Schema::get();
        assert_eq!(schema.value_name("AgentMode", 6), Some("PROJECT"));
        assert_eq!(schema.value_name("SimulatedMsgReason", 31), Some("GOAL_CONTINUATION"));
        assert_eq!(schema.value_name("AgentMode", 99), None);
    }
}
