//! The JSON Schema of history states, held against what recount writes.

use recount_session::history::{HistoryState, Kind, schema, thread};
use recount_store::{Store, Stores};
use serde_json::{Value, json};

/// The part of JSON Schema that ours uses; a keyword that is not known here fails.
fn errors(root: &Value, schema: &Value, value: &Value, place: &str, out: &mut Vec<String>) {
    let Some(keywords) = schema.as_object() else {
        assert_eq!(schema, &json!(true), "{place}: an odd schema");
        return;
    };
    let mut wrong = |what: String| out.push(format!("{place}: {what}"));
    for (keyword, rule) in keywords {
        match keyword.as_str() {
            "$ref" => {
                let target = root.pointer(&rule.as_str().unwrap()[1..]).unwrap();
                errors(root, target, value, place, out);
                return;
            }
            "type" => {
                let fits = match rule.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "number" => value.is_number(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "null" => value.is_null(),
                    other => panic!("type {other}"),
                };
                if !fits {
                    wrong(format!("{value} is no {rule}"));
                }
            }
            "enum" if !rule.as_array().unwrap().contains(value) => {
                wrong(format!("{value}: {rule}"));
            }
            "const" if value != rule => wrong(format!("{value} is not {rule}")),
            "minimum" if value.as_f64() < rule.as_f64() => wrong(format!("{value} < {rule}")),
            "maximum" if value.as_f64() > rule.as_f64() => wrong(format!("{value} > {rule}")),
            "format" => assert_eq!(rule, "date-time"),
            "required" => {
                for name in rule.as_array().unwrap() {
                    if value.is_object() && value.get(name.as_str().unwrap()).is_none() {
                        wrong(format!("{name} is missing"));
                    }
                }
            }
            "$schema"
            | "$defs"
            | "title"
            | "description"
            | "then"
            | "enum"
            | "const"
            | "minimum"
            | "maximum"
            | "properties"
            | "items"
            | "additionalProperties"
            | "allOf"
            | "anyOf"
            | "if" => {}
            other => panic!("{place}: the keyword {other}"),
        }
    }
    for (name, value) in value.as_object().into_iter().flatten() {
        let place = format!("{place}/{name}");
        let named = schema["properties"].get(name);
        let rule = named.or_else(|| schema.get("additionalProperties"));
        if let Some(rule) = rule {
            errors(root, rule, value, &place, out);
        }
    }
    if let Some(rule) = schema.get("items") {
        for (n, value) in value.as_array().into_iter().flatten().enumerate() {
            errors(root, rule, value, &format!("{place}/{n}"), out);
        }
    }
    for rule in schema["allOf"].as_array().into_iter().flatten() {
        errors(root, rule, value, place, out);
    }
    let fits = |rule: &Value| {
        let mut found = Vec::new();
        errors(root, rule, value, place, &mut found);
        found.is_empty()
    };
    if schema["anyOf"].as_array().is_some_and(|all| !all.iter().any(fits)) {
        out.push(format!("{place}: {value} fits none"));
    }
    if schema.get("if").is_some_and(fits) {
        errors(root, &schema["then"], value, place, out);
    }
}

fn check(name: &str, value: &Value) -> Vec<String> {
    let root: Value = serde_json::from_str(&schema::snapshot()).unwrap();
    let mut out = Vec::new();
    errors(&root, &root, value, name, &mut out);
    out
}

#[test]
fn a_snapshot_with_every_kind_fits_and_comes_back() {
    let path = crate::root().join("fixtures/history/every-kind.json");
    let text = std::fs::read_to_string(path).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(check("", &value), [""; 0]);
    let kinds: Vec<_> = value["records"].as_array().unwrap().iter().map(|r| &r["type"]).collect();
    assert_eq!(kinds, Kind::NAMES);
    let state = HistoryState::restore_from(text.as_bytes()).unwrap();
    assert_eq!(serde_json::to_value(state.snapshot()).unwrap(), value);
}

#[test]
fn what_does_not_fit_is_refused_by_both() {
    let path = crate::root().join("fixtures/history/every-kind.json");
    let good: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    // Takes away, or spoils, each member of each payload in turn.
    for (n, record) in good["records"].as_array().unwrap().iter().enumerate() {
        for name in record["payload"].as_object().unwrap().keys() {
            for spoilt in [None, Some(json!({"x": []})), Some(json!(-3))] {
                let mut value = good.clone();
                let payload = value["records"][n]["payload"].as_object_mut().unwrap();
                match spoilt {
                    None => payload.remove(name),
                    Some(spoilt) => payload.insert(name.clone(), spoilt),
                };
                let told = HistoryState::restore_from(value.to_string().as_bytes());
                // Lookups have rules that a schema cannot say.
                if !matches!(&told, Err(e) if e.to_string().contains("_lookup")) {
                    let fits = check("", &value).is_empty();
                    assert_eq!(fits, told.is_ok(), "{}/{name}: {told:?}", record["type"]);
                }
            }
        }
    }
}

#[test]
fn the_histories_of_our_fixtures_fit() {
    let samples = crate::root().join("fixtures/samples");
    let names = std::fs::read_dir(&samples).unwrap().flatten().map(|e| e.file_name());
    let stores: Vec<_> = names
        .filter_map(|name| recount_formats::Harness::from_id(name.to_str()?))
        .map(|harness| Store { harness, root: samples.join(harness.id()) })
        .collect();
    let mut count = 0;
    for head in (Stores { stores }).list().0 {
        let opened = recount_store::discover::of(head.harness).unwrap().open(&head).unwrap();
        let state = thread::history(&opened.thread(None));
        let value = serde_json::to_value(state.snapshot()).unwrap();
        assert_eq!(check(&head.id, &value), [""; 0]);
        assert!(HistoryState::restore_from(value.to_string().as_bytes()).unwrap() == state);
        count += 1;
    }
    assert!(count >= 6, "{count} sessions");
}
