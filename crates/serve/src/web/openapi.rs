//! The OpenAPI document of the API, made from the types that are sent.

use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use super::{api, refusal};

/// What is asked at an address, and what comes back.
struct Operation {
    path: &'static str,
    summary: &'static str,
    query: fn(&mut SchemaGenerator) -> Schema,
    answer: Answer,
}

enum Answer {
    Json(fn(&mut SchemaGenerator) -> Schema),
    /// Server-sent events with data of this shape.
    Events(fn(&mut SchemaGenerator) -> Schema),
    Image,
}

/// Nothing can be asked.
#[derive(JsonSchema)]
struct Nothing {}

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// The properties themselves, not where they are described.
fn query<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    T::json_schema(generator)
}

fn anything(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "object" })
}

const OPERATIONS: &[Operation] = &[
    Operation {
        path: "/api/sessions",
        summary: "All sessions, as they are listed",
        query: query::<api::sessions::Query>,
        answer: Answer::Json(of::<api::sessions::Answer>),
    },
    Operation {
        path: "/api/sessions/{id}",
        summary: "One session: what it is, its turns and branches",
        query: query::<api::session::Query>,
        answer: Answer::Json(of::<api::session::Answer<'static>>),
    },
    Operation {
        path: "/api/sessions/{id}/items",
        summary: "The items of a session, a part at a time",
        query: query::<api::items::Query>,
        answer: Answer::Json(of::<api::items::Answer>),
    },
    Operation {
        path: "/api/sessions/{id}/items/{item}",
        summary: "One item, whole",
        query: query::<api::session::Query>,
        answer: Answer::Json(of::<api::items::Whole<'static>>),
    },
    Operation {
        path: "/api/sessions/{id}/items/{item}/images/{number}",
        summary: "An image of an item, by its number from 0",
        query: query::<api::session::Query>,
        answer: Answer::Image,
    },
    Operation {
        path: "/api/sessions/{id}/find",
        summary: "The items of a session in which a text stands",
        query: query::<api::within::Query>,
        answer: Answer::Json(of::<api::within::Answer>),
    },
    Operation {
        path: "/api/sessions/{id}/timeline",
        summary: "A session on a time axis",
        query: query::<api::session::Query>,
        answer: Answer::Json(of::<api::timeline::Answer<'static>>),
    },
    Operation {
        path: "/api/sessions/{id}/events",
        summary: "What changes in a session: `change` at once and then whenever it does, `gone` at its end",
        query: query::<api::session::Query>,
        answer: Answer::Events(of::<api::events::Change>),
    },
    Operation {
        path: "/api/events",
        summary: "`sessions` whenever the list of sessions has changed",
        query: query::<Nothing>,
        answer: Answer::Events(anything),
    },
    Operation {
        path: "/api/search",
        summary: "Words of all sessions",
        query: query::<api::search::Query>,
        answer: Answer::Json(of::<api::search::Answer>),
    },
    Operation {
        path: "/api/usage",
        summary: "Tokens and cost, each response once",
        query: query::<api::usage::Query>,
        answer: Answer::Json(of::<api::usage::Answer>),
    },
    Operation {
        path: "/api/usage/heatmap",
        summary: "On which days and at which hours there was how much",
        query: query::<api::usage::Query>,
        answer: Answer::Json(of::<api::usage::HeatMap>),
    },
    Operation {
        path: "/api/files",
        summary: "The sessions that touched a file, or the files that were touched most",
        query: query::<api::files::Query>,
        answer: Answer::Json(of::<api::files::Answer>),
    },
    Operation {
        path: "/api/formats",
        summary: "The formats of all harnesses",
        query: query::<Nothing>,
        answer: Answer::Json(of::<api::formats::Answer>),
    },
    Operation {
        path: "/api/formats/{harness}/{type}",
        summary: "One type of record or block",
        query: query::<Nothing>,
        answer: Answer::Json(of::<api::formats::Explained>),
    },
    Operation {
        path: "/api/findings",
        summary: "What is damaged or unknown in sessions",
        query: query::<api::findings::Query>,
        answer: Answer::Json(of::<api::findings::Answer>),
    },
    Operation {
        path: "/api/openapi.json",
        summary: "This document",
        query: query::<Nothing>,
        answer: Answer::Json(anything),
    },
];

/// The document, as text.
pub fn document() -> String {
    let mut settings = SchemaSettings::draft2020_12();
    settings.contract = Contract::Serialize;
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    let mut generator = settings.into_generator();
    let error = Value::from(of::<refusal::Body<'static>>(&mut generator));
    let mut paths = Map::new();
    for operation in OPERATIONS {
        let get = operation.describe(&mut generator);
        paths.insert(operation.path.to_owned(), json!({ "get": get }));
    }
    let schemas = generator.take_definitions(true);
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "recount serve",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Sessions of coding agents on this machine. Nothing can be changed. Every request wants \
                the token that `recount serve` printed, as a cookie or as a bearer.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{
            "url": "http://127.0.0.1:{port}",
            "variables": { "port": { "default": "0", "description": "The port that was printed" } },
        }],
        "security": [{ "bearer": [] }, { "cookie": [] }],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": {
                "Error": {
                    "description": "Why it was not answered",
                    "content": { "application/json": { "schema": error } },
                },
            },
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer" },
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "recount_token_PORT",
                    "description": "With the port in its name. Opening `/?token=TOKEN` sets it.",
                },
            },
        },
    });
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

impl Operation {
    fn describe(&self, generator: &mut SchemaGenerator) -> Value {
        let mut parameters: Vec<Value> = Vec::new();
        for name in self.path.split(['{', '}']).skip(1).step_by(2) {
            let kind = if name == "number" { "integer" } else { "string" };
            parameters.push(json!({
                "name": name, "in": "path", "required": true, "schema": { "type": kind },
            }));
        }
        let asked = (self.query)(generator);
        let properties = asked.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            parameters.push(parameter(name, schema.clone()));
        }
        let content = match &self.answer {
            Answer::Json(schema) => json!({ "application/json": { "schema": schema(generator) } }),
            Answer::Events(schema) => {
                json!({ "text/event-stream": { "schema": schema(generator) } })
            }
            Answer::Image => json!({ "image/*": {} }),
        };
        json!({
            "operationId": self.name(),
            "summary": self.summary,
            "parameters": parameters,
            "responses": {
                "200": { "description": self.summary, "content": content },
                "default": { "$ref": "#/components/responses/Error" },
            },
        })
    }

    /// `getSessionsItems` and the like.
    fn name(&self) -> String {
        let letters = |c: char| c.is_ascii_alphanumeric();
        let parts = self.path.split(|c| !letters(c)).filter(|part| !part.is_empty()).skip(1);
        parts.fold("get".to_owned(), |mut name, part| {
            let (first, rest) = part.split_at(1);
            name.push_str(&first.to_ascii_uppercase());
            name.push_str(rest);
            name
        })
    }
}

/// What may be left out is left out, and not null.
fn parameter(name: &str, mut schema: Value) -> Value {
    let description = schema.as_object_mut().and_then(|schema| {
        schema.remove("default");
        if let Some(Value::Array(types)) = schema.get("type") {
            let own = types.iter().find(|t| *t != "null").cloned();
            schema.insert("type".to_owned(), own.unwrap_or_default());
        }
        schema.remove("description")
    });
    json!({ "name": name, "in": "query", "description": description, "schema": schema })
}
