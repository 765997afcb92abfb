//! The pieces of the JSON Schema that the macros put together.

use schemars::Schema;
use serde_json::{Map, Value, json};

use super::wire::Maybe;

fn prose(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Puts what a member means beside what it may be.
pub(super) fn describe(schema: Schema, doc: &str) -> Value {
    match schema.to_value() {
        Value::Object(mut map) => {
            map.insert("description".into(), prose(doc).into());
            Value::Object(map)
        }
        _ => json!({ "description": prose(doc) }),
    }
}

pub(super) fn nullable(schema: Schema) -> Schema {
    made(json!({ "anyOf": [schema.to_value(), { "type": "null" }] }))
}

pub(super) fn object(doc: &str, members: &Map<String, Value>, required: &[&str]) -> Schema {
    made(json!({
        "description": prose(doc),
        "type": "object",
        "properties": members,
        "required": required,
        "additionalProperties": true,
    }))
}

pub(super) fn words(doc: &str, words: &[&str]) -> Schema {
    made(json!({ "description": prose(doc), "type": "string", "enum": words }))
}

/// One of several objects. Conditions instead of alternatives: a validator then names the member that is wrong.
pub(super) fn tagged(doc: &str, kinds: &[(&'static str, Schema)]) -> Schema {
    let names: Vec<_> = kinds.iter().map(|(name, _)| *name).collect();
    let cases: Vec<_> = kinds.iter().map(|(name, schema)| case(name, schema.as_value())).collect();
    made(json!({
        "description": prose(doc),
        "type": "object",
        "properties": { "type": { "type": "string", "enum": names } },
        "required": ["type"],
        "additionalProperties": true,
        "allOf": cases,
    }))
}

/// What holds when `type` is this word.
pub(super) fn case(word: &str, then: &Value) -> Value {
    json!({
        "if": { "properties": { "type": { "const": word } }, "required": ["type"] },
        "then": then,
    })
}

pub(super) fn made(value: Value) -> Schema {
    Schema::try_from(value).unwrap_or_default()
}

impl<T: schemars::JsonSchema> schemars::JsonSchema for Maybe<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Maybe{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> Schema {
        nullable(generator.subschema_for::<T>())
    }
}

impl<T: schemars::JsonSchema> schemars::JsonSchema for super::wire::Map<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Map{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        made(json!({ "type": "object", "additionalProperties": value.to_value() }))
    }
}

impl schemars::JsonSchema for crate::RawJson {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Json".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> Schema {
        Schema::default()
    }
}

/// The JSON Schema of a snapshot, draft 2020-12, pretty-printed.
pub fn snapshot() -> String {
    let mut schema = schemars::generate::SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<super::snapshot::Shape>()
        .to_value();
    spell_integers(&mut schema);
    if let Some(map) = schema.as_object_mut() {
        map.insert("title".into(), "A snapshot of a history state".into());
    }
    format!("{schema:#}\n")
}

/// Integers by their bounds, which every validator knows, instead of formats that only some know.
fn spell_integers(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            match map.get("format").and_then(Value::as_str) {
                Some("uint64") => {
                    map.remove("format");
                    map.insert("maximum".into(), u64::MAX.into());
                }
                Some("int64") => {
                    map.insert("minimum".into(), i64::MIN.into());
                    map.insert("maximum".into(), i64::MAX.into());
                    map.remove("format");
                }
                _ => {}
            }
            map.values_mut().for_each(spell_integers);
        }
        Value::Array(all) => all.iter_mut().for_each(spell_integers),
        _ => {}
    }
}
