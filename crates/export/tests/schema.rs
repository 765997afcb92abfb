//! The JSON export is what `docs/export.schema.json` says.

use recount_export::{Format, Options};
use serde_json::Value;

use crate::export;

/// The part of JSON Schema that our schema is made of. Gives the place of the first fault.
fn check(value: &Value, schema: &Value, root: &Value, place: &str) -> Result<(), String> {
    let Some(schema) = schema.as_object() else {
        return if *schema == Value::Bool(false) { Err(format!("{place}: never")) } else { Ok(()) };
    };
    let fault = |what: &str| Err(format!("{place}: {what}: {value}"));
    for (key, rule) in schema {
        match key.as_str() {
            "$ref" => {
                let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                check(value, &root["$defs"][name], root, place)?;
            }
            "type" => {
                let is = |name: &str| match name {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    other => panic!("type {other}"),
                };
                let fits = match rule {
                    Value::Array(names) => names.iter().any(|n| is(n.as_str().unwrap())),
                    name => is(name.as_str().unwrap()),
                };
                if !fits {
                    return fault("type");
                }
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(member) = value.get(name) {
                        check(member, rule, root, &format!("{place}/{name}"))?;
                    }
                }
            }
            "required" => {
                for name in rule.as_array().unwrap() {
                    if value.get(name.as_str().unwrap()).is_none() {
                        return fault(&format!("no {name}"));
                    }
                }
            }
            "items" => {
                for (n, element) in value.as_array().into_iter().flatten().enumerate() {
                    check(element, rule, root, &format!("{place}/{n}"))?;
                }
            }
            "const" if value != rule => return fault("const"),
            "enum" if !rule.as_array().unwrap().contains(value) => return fault("enum"),
            "allOf" => {
                for rule in rule.as_array().unwrap() {
                    check(value, rule, root, place)?;
                }
            }
            "anyOf" | "oneOf" => {
                let rules = rule.as_array().unwrap();
                let faults: Vec<String> =
                    rules.iter().filter_map(|r| check(value, r, root, place).err()).collect();
                let fitting = rules.len() - faults.len();
                if fitting == 0 || (key == "oneOf" && fitting > 1) {
                    return fault(&format!("{key}: {fitting} fit; {}", faults.join("; ")));
                }
            }
            "minimum" if value.as_f64().is_some_and(|v| v < rule.as_f64().unwrap()) => {
                return fault("minimum");
            }
            "const"
            | "enum"
            | "minimum"
            | "description"
            | "title"
            | "format"
            | "$defs"
            | "$schema"
            | "additionalProperties"
            | "default" => {}
            other => panic!("{other} is not known to this test"),
        }
    }
    Ok(())
}

fn schema() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/export.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn exports_fit() {
    let schema = schema();
    for options in [
        Options::default(),
        Options { tools: recount_export::Tools::Summary, ..Options::default() },
        Options { branches: false, subagents: false, reasoning: false, ..Options::default() },
    ] {
        let json: Value = serde_json::from_str(&export(Format::Json, "word", &options)).unwrap();
        check(&json, &schema, &schema, "").unwrap();
    }
}

#[test]
fn what_does_not_fit_is_seen() {
    let schema = schema();
    let mut json: Value =
        serde_json::from_str(&export(Format::Json, "word", &Options::default())).unwrap();
    json["turns"][0]["items"][3]["text"] = Value::from(7);
    assert!(check(&json, &schema, &schema, "").is_err());
}
