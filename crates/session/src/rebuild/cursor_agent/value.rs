//! Protobuf messages as JSON, for arguments and results that have no shape of their own in the model.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use recount_formats::cursor_agent::Message;
use recount_formats::cursor_agent::message::hex;
use recount_formats::cursor_agent::schema::{FieldTable, Kind, Label, Schema};
use recount_formats::wire::{self, Field, Value as Wire};
use serde_json::{Map, Number, Value};

/// Messages deeper than this are given as hexadecimal digits.
const MAX_DEPTH: usize = 48;

/// A message as a JSON object: known fields by name, unknown ones by number. Members of a list stand in an array, blob
/// ids and bytes as hexadecimal and base64 strings.
pub(super) fn object(message: &Message<'_>) -> Value {
    object_at(message, 0)
}

fn object_at(message: &Message<'_>, depth: usize) -> Value {
    if depth > MAX_DEPTH {
        return Value::String(hex(message.raw()));
    }
    // JSON that was wrapped into protobuf is unwrapped again.
    match message.name() {
        "Value" => return value(message, depth),
        "Struct" => return map(message, "fields", depth),
        "ListValue" => {
            return message.messages("values").map(|m| object_at(&m, depth + 1)).collect();
        }
        _ => {}
    }
    let mut out = Map::new();
    for (field, table) in message.fields() {
        match table {
            Some(table) => known(&mut out, message, field, table, depth),
            None => push(&mut out, field.number.to_string(), unknown(field, depth)),
        }
    }
    Value::Object(out)
}

/// Adds a value; a name that comes again makes a list.
fn push(out: &mut Map<String, Value>, name: String, value: Value) {
    match out.get_mut(&name) {
        None => drop(out.insert(name, value)),
        Some(Value::Array(list)) => list.push(value),
        Some(first) => *first = Value::Array(vec![first.take(), value]),
    }
}

fn known(
    out: &mut Map<String, Value>,
    message: &Message<'_>,
    field: Field<'_>,
    table: &FieldTable,
    depth: usize,
) {
    let name = table.name.clone();
    match table.label {
        Label::One => drop(out.insert(name, single(field.value, table, depth))),
        Label::Map => {
            if !out.contains_key(&name) {
                let entries = map(message, &table.name, depth);
                out.insert(name, entries);
            }
        }
        Label::Many => {
            let list = out.entry(name).or_insert_with(|| Value::Array(Vec::new()));
            let Value::Array(list) = list else { return };
            match (field.value, &table.kind) {
                (
                    Wire::Bytes(run),
                    Kind::Bool | Kind::Int | Kind::Uint | Kind::Sint | Kind::Enumeration(_),
                ) => {
                    list.extend(wire::packed(run).map(|n| single(Wire::Varint(n), table, depth)));
                }
                (value, _) => list.push(single(value, table, depth)),
            }
        }
    }
}

fn map(message: &Message<'_>, name: &str, depth: usize) -> Value {
    let mut out = Map::new();
    for entry in message.entries(name) {
        let value = match entry.value {
            // A number in a map: only counts are stored so.
            Some(Wire::Varint(n)) => Value::Number(n.into()),
            _ => match entry.kind() {
                Kind::Message(_) | Kind::Unlisted => object_at(&entry.message(), depth + 1),
                Kind::Id => Value::String(entry.id()),
                _ => Value::String(String::from_utf8_lossy(entry.bytes).into_owned()),
            },
        };
        out.insert(entry.key.into_owned(), value);
    }
    Value::Object(out)
}

fn single(value: Wire<'_>, table: &FieldTable, depth: usize) -> Value {
    match (value, &table.kind) {
        (Wire::Bytes(b), Kind::String) => Value::String(String::from_utf8_lossy(b).into_owned()),
        (Wire::Bytes(b), Kind::Bytes) => Value::String(BASE64_STANDARD.encode(b)),
        (Wire::Bytes(b), Kind::Message(name)) => object_at(&Message::read(name, b), depth + 1),
        (Wire::Bytes(b), Kind::Unlisted) => object_at(&Message::read("", b), depth + 1),
        (Wire::Varint(n), Kind::Bool) => Value::Bool(n != 0),
        (Wire::Varint(n), Kind::Int) => Value::Number((n as i64).into()),
        (Wire::Varint(n), Kind::Sint) => Value::Number(wire::zigzag(n).into()),
        (Wire::Varint(n), Kind::Enumeration(name)) => match Schema::get().value_name(name, n) {
            Some(name) => Value::String(name.to_owned()),
            None => Value::Number(n.into()),
        },
        (Wire::Varint(n), _) => Value::Number(n.into()),
        (Wire::Fixed64(bits), _) => number(f64::from_bits(bits)),
        (Wire::Fixed32(bits), _) => number(f64::from(f32::from_bits(bits))),
        // Ids of blobs, too.
        (Wire::Bytes(b) | Wire::Group(b), _) => Value::String(hex(b)),
    }
}

fn number(number: f64) -> Value {
    // Whole numbers are written as such: JSON in protobuf has doubles only.
    if number.fract() == 0.0 && number.abs() < 9e15 {
        return Value::Number((number as i64).into());
    }
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}

fn value(message: &Message<'_>, depth: usize) -> Value {
    let Some((table, wire)) = message.case("kind") else { return Value::Null };
    match table.number {
        1 => Value::Null,
        _ => single(wire, table, depth),
    }
}

/// A field that no table lists. Bytes are text when they read as such, else a message, else digits.
fn unknown(field: Field<'_>, depth: usize) -> Value {
    let bytes = match field.value {
        Wire::Varint(n) | Wire::Fixed64(n) => return Value::Number(n.into()),
        Wire::Fixed32(n) => return Value::Number(n.into()),
        Wire::Bytes(b) | Wire::Group(b) => b,
    };
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
    {
        return Value::String(text.to_owned());
    }
    let message = Message::read("", bytes);
    if message.error().is_none() && depth < MAX_DEPTH {
        return object_at(&message, depth + 1);
    }
    Value::String(hex(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str, bytes: &[u8]) -> String {
        object(&Message::read(name, bytes)).to_string()
    }

    #[test]
    fn known_fields_have_names_and_unknown_ones_numbers() {
        // {1 todos: [{1 id: "1", 3 status: 2}, {1 id: "2"}], 2 merge: true, 9: "new", 9: 5}
        let bytes = b"\x0a\x05\x0a\x011\x18\x02\x0a\x03\x0a\x012\x10\x01\x4a\x03new\x48\x05";
        assert_eq!(
            shown("UpdateTodosArgs", bytes),
            r#"{"9":["new",5],"merge":true,"todos":[{"id":"1","status":"IN_PROGRESS"},{"id":"2"}]}"#
        );
    }

    #[test]
    fn one_element_is_a_list_all_the_same() {
        assert_eq!(shown("ReadLintsToolArgs", b"\x0a\x01a"), r#"{"paths":["a"]}"#);
    }

    #[test]
    fn json_in_protobuf_is_json_again() {
        // McpArgs {2 args: {"n": 1.5, "l": [true, null]}}
        let number = b"\x12\x0e\x0a\x01n\x12\x09\x11\x00\x00\x00\x00\x00\x00\xf8\x3f";
        let list = b"\x12\x0f\x0a\x01l\x12\x0a\x32\x08\x0a\x02\x20\x01\x0a\x02\x08\x00";
        assert_eq!(
            shown("McpArgs", &[&number[..], list].concat()),
            r#"{"args":{"l":[true,null],"n":1.5}}"#
        );
    }

    #[test]
    fn nothing_is_lost_of_what_is_unknown() {
        assert_eq!(shown("", b"\x0a\x03\x00\x01\x02"), r#"{"1":"000102"}"#);
        assert_eq!(shown("", b"\x0a\x08\x0a\x06future"), r#"{"1":{"1":"future"}}"#);
    }

    #[test]
    fn depth_ends() {
        let mut bytes = Vec::new();
        for _ in 0..30 {
            let mut outer = vec![0x32, bytes.len() as u8];
            outer.extend(&bytes);
            let mut list = vec![0x0a, outer.len() as u8];
            list.extend(&outer);
            bytes = list;
        }
        let shown = shown("ListValue", &bytes);
        assert!(shown.starts_with("[[[["), "{shown}");
        assert!(shown.contains('"'), "what is deeper is given as digits: {shown}");
    }
}
