//! JSON to protobuf, by the same tables: the way back from what [`super::message`] reads.

use std::borrow::Cow;

use super::message::unhex;
use super::schema::{FieldTable, Kind, Label, Schema};
use crate::json::{Json, Kind as JsonKind};

/// Writes a message from a JSON object: members by their names in the table, blob ids and bytes in hexadecimal,
/// enumerations by name. A member that the table lacks is written when its name is a number: strings as bytes, numbers as
/// varints, objects as messages of the same kind. Other members, and values of another type, are left out.
pub fn message(name: &str, value: Json<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    match name {
        "Value" => any(value, &mut out),
        "Struct" => map(1, &Kind::Message("Value".to_owned()), value, &mut out),
        "ListValue" => {
            for element in value.elements() {
                delimited(1, &message("Value", element), &mut out);
            }
        }
        _ => members(name, value, &mut out),
    }
    out
}

fn members(name: &str, value: Json<'_>, out: &mut Vec<u8>) {
    let table = Schema::get().message(name);
    for (key, member) in value.members() {
        match table.field(&key.get()) {
            Some(field) => known(field, member, out),
            None => {
                if let Ok(number) = key.get().parse() {
                    unknown(number, member, out);
                }
            }
        }
    }
}

fn known(field: &FieldTable, value: Json<'_>, out: &mut Vec<u8>) {
    match field.label {
        Label::One => single(field.number, &field.kind, value, out),
        Label::Many => {
            for element in value.elements() {
                single(field.number, &field.kind, element, out);
            }
        }
        Label::Map => map(field.number, &field.kind, value, out),
    }
}

fn map(number: u32, kind: &Kind, value: Json<'_>, out: &mut Vec<u8>) {
    for (key, member) in value.members() {
        let mut entry = Vec::new();
        delimited(1, key.get().as_bytes(), &mut entry);
        single(2, kind, member, &mut entry);
        delimited(number, &entry, out);
    }
}

fn single(number: u32, kind: &Kind, value: Json<'_>, out: &mut Vec<u8>) {
    match kind {
        Kind::String => {
            if let Some(text) = value.as_str() {
                delimited(number, text.as_bytes(), out);
            }
        }
        Kind::Bytes | Kind::Id => {
            if let Some(bytes) = value.as_str().and_then(|text| unhex(text.as_bytes())) {
                delimited(number, &bytes, out);
            }
        }
        Kind::Bool => varint_field(number, value.as_bool().map(u64::from), out),
        Kind::Int => varint_field(number, value.as_i64().map(|n| n as u64), out),
        Kind::Uint => varint_field(number, value.as_u64(), out),
        Kind::Sint => {
            let zigzag = |n: i64| ((n << 1) ^ (n >> 63)) as u64;
            varint_field(number, value.as_i64().map(zigzag), out);
        }
        Kind::Enumeration(name) => {
            let found = value.as_str().and_then(|text| Schema::get().value_number(name, &text));
            varint_field(number, found.or_else(|| value.as_u64()), out);
        }
        Kind::Double => {
            if let Some(float) = value.as_f64() {
                key(number, 1, out);
                out.extend(float.to_bits().to_le_bytes());
            }
        }
        Kind::Float => {
            if let Some(float) = value.as_f64() {
                key(number, 5, out);
                out.extend((float as f32).to_bits().to_le_bytes());
            }
        }
        Kind::Message(name) => delimited(number, &message(name, value), out),
        Kind::Unlisted => delimited(number, &message("", value), out),
    }
}

fn unknown(number: u32, value: Json<'_>, out: &mut Vec<u8>) {
    match value.kind() {
        JsonKind::String => {
            delimited(number, value.as_str().unwrap_or(Cow::Borrowed("")).as_bytes(), out);
        }
        JsonKind::Object => delimited(number, &message("", value), out),
        _ => varint_field(number, value.as_u64(), out),
    }
}

/// Any JSON as google.protobuf.Value.
fn any(value: Json<'_>, out: &mut Vec<u8>) {
    match value.kind() {
        JsonKind::Null => varint_field(1, Some(0), out),
        JsonKind::Number => single(2, &Kind::Double, value, out),
        JsonKind::String => single(3, &Kind::String, value, out),
        JsonKind::Bool => single(4, &Kind::Bool, value, out),
        JsonKind::Object => delimited(5, &message("Struct", value), out),
        JsonKind::Array => delimited(6, &message("ListValue", value), out),
    }
}

fn key(number: u32, wire: u8, out: &mut Vec<u8>) {
    varint(u64::from(number) << 3 | u64::from(wire), out);
}

fn varint_field(number: u32, value: Option<u64>, out: &mut Vec<u8>) {
    if let Some(value) = value {
        key(number, 0, out);
        varint(value, out);
    }
}

fn delimited(number: u32, bytes: &[u8], out: &mut Vec<u8>) {
    key(number, 2, out);
    varint(bytes.len() as u64, out);
    out.extend(bytes);
}

fn varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cursor_agent::Message;
    use crate::json::parse;

    #[test]
    fn what_is_written_reads_as_it_was() {
        let json = r#"{"text":"Hi","message_id":"m","mode":"ASK","conversation_state_blob_id":"00ff",
            "selected_context":{"selected_images":[{"mime_type":"image/png","dimension":{"width":3,"height":-4}}]},
            "turn_steer":true,"hook_additional_contexts":[{"content":"a"},{"content":"b"}],"99":{"1":"x","2":7},"nobody":1}"#;
        let bytes = message("UserMessage", parse(json).unwrap());
        let user = Message::read("UserMessage", &bytes);
        assert_eq!(user.error(), None);
        assert_eq!(user.value_name("mode").as_deref(), Some("ASK"));
        assert_eq!(user.id("conversation_state_blob_id").as_deref(), Some("00ff"));
        assert!(user.flag("turn_steer"));
        assert_eq!(user.messages("hook_additional_contexts").count(), 2);
        let image = user.message("selected_context").unwrap().messages("selected_images").next();
        assert_eq!(image.unwrap().message("dimension").unwrap().int("height"), Some(-4));
        assert_eq!(user.unknown().map(|f| f.number).collect::<Vec<_>>(), [99]);
    }

    #[test]
    fn maps_and_json_inside() {
        let json = r#"{"args":{"n":1.5,"list":[null,true,"s",{"a":1}]}}"#;
        let bytes = message("McpArgs", parse(json).unwrap());
        let arguments = Message::read("McpArgs", &bytes);
        let keys: Vec<_> = arguments.entries("args").map(|e| e.key.into_owned()).collect();
        assert_eq!(keys, ["n", "list"]);
        let list = arguments.entries("args").nth(1).unwrap().message();
        assert_eq!(list.case("kind").unwrap().0.name, "list_value");
    }

    #[test]
    fn signed_numbers_go_both_ways() {
        for n in [-9_i64, 0, 7, i64::MIN, i64::MAX] {
            let bytes = message("AwaitTask", parse(&format!(r#"{{"exit_code":{n}}}"#)).unwrap());
            assert_eq!(Message::read("AwaitTask", &bytes).int("exit_code"), Some(n));
            let bytes = message("ShellOutput", parse(&format!(r#"{{"exit_code":{n}}}"#)).unwrap());
            assert_eq!(Message::read("ShellOutput", &bytes).int("exit_code"), Some(n));
        }
    }
}
