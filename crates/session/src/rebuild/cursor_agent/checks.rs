//! What is wrong or unknown in a conversation's blobs.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use recount_formats::cursor_agent::Message as Wire;
use recount_formats::cursor_agent::record::Kind;
use recount_formats::cursor_agent::schema::{Kind as FieldKind, Label};
use recount_formats::cursor_agent::store::{Role, Visit, walk, walk_state};
use recount_formats::wire::Value;
use recount_formats::{Code, Finding, Json, Position, json};

use super::chat::Chat;

/// Messages inside of messages deeper than this are not looked into.
const MAX_DEPTH: usize = 24;

/// Walks everything that a chat's root reaches.
pub(super) fn root(chat: &Chat<'_>, root: &str, findings: &mut Vec<Finding>) {
    let mut checker = Checker::new(chat, findings);
    walk(chat, root, &mut |visit| checker.visit(visit));
}

/// Walks everything that the state of a sub-agent reaches, which stands inside of the blob `at`.
pub(super) fn state(chat: &Chat<'_>, state: &Wire<'_>, at: &str, findings: &mut Vec<Finding>) {
    let mut checker = Checker::new(chat, findings);
    checker.fields(state, at, 0);
    walk_state(chat, state, at, &mut |visit| checker.visit(visit));
}

struct Checker<'f> {
    source: &'f Arc<str>,
    findings: &'f mut Vec<Finding>,
    /// Unknown fields that were told: each once, not in every step.
    unknown: BTreeSet<(&'static str, u32)>,
    told: HashSet<String>,
}

impl<'f> Checker<'f> {
    fn new(chat: &Chat<'f>, findings: &'f mut Vec<Finding>) -> Self {
        let source = chat.input.source;
        Self { source, findings, unknown: BTreeSet::new(), told: HashSet::new() }
    }

    fn tell(&mut self, code: Code, message: String) {
        if self.told.insert(message.clone()) {
            self.findings.push(Finding::new(code, self.source, Position::WHOLE, message));
        }
    }

    fn visit(&mut self, visit: Visit<'_>) {
        match visit {
            Visit::Missing { id, role, by } => {
                let by =
                    if by.is_empty() { "the settings".to_owned() } else { format!("blob `{by}`") };
                self.tell(
                    Code::MissingBlob,
                    format!("the {} `{id}` that {by} names is not in the store", role.name()),
                );
            }
            Visit::Cycle { id, role, by } => self.tell(
                Code::ParentCycle,
                format!("the {} `{id}` that blob `{by}` names leads back to itself", role.name()),
            ),
            Visit::Blob { id, role, bytes } => match role {
                Role::PromptMessage => self.prompt(id, bytes),
                Role::Content => {}
                _ => self.message(id, role, bytes),
            },
        }
    }

    fn message(&mut self, id: &str, role: Role, bytes: &[u8]) {
        let Some(name) = role.message() else { return };
        let message = Wire::read(name, bytes);
        if let Some(error) = message.error() {
            self.tell(
                Code::DamagedBlob,
                format!("blob `{id}` is no whole {}: {error}", role.name()),
            );
        }
        if role == Role::Step && role.kind(bytes) == Kind::Unknown && message.error().is_none() {
            self.tell(Code::UnknownRecordType, format!("blob `{id}` is a step of an unknown kind"));
        }
        self.fields(&message, id, 0);
    }

    /// Tells fields that the tables lack, also in messages inside.
    fn fields(&mut self, message: &Wire<'_>, id: &str, depth: usize) {
        // A message without a table has nothing to compare with, and JSON in protobuf has no drift.
        if message.name().is_empty() || message.name() == "Struct" || depth > MAX_DEPTH {
            return;
        }
        for (field, table) in message.fields() {
            let Some(table) = table else {
                self.unknown(message, field.number, field.value, id);
                continue;
            };
            match (table.label, &table.kind, field.value) {
                (Label::Map, FieldKind::Message(_), _) => {
                    if let Some(entry) = message.entry(field) {
                        self.fields(&entry.message(), id, depth + 1);
                    }
                }
                (_, FieldKind::Message(name), Value::Bytes(inside)) => {
                    self.fields(&Wire::read(name, inside), id, depth + 1);
                }
                _ => {}
            }
        }
    }

    fn unknown(&mut self, message: &Wire<'_>, number: u32, value: Value<'_>, id: &str) {
        if !self.unknown.insert((message.name(), number)) {
            return;
        }
        let is_tool = message.name() == "ToolCall" && matches!(value, Value::Bytes(_));
        if is_tool {
            self.tell(
                Code::UnknownBlockType,
                format!("blob `{id}` calls a tool that is not in the catalogue: field {number}"),
            );
        } else {
            let name = message.name();
            self.tell(
                Code::UnknownField,
                format!("field {number} of {name} in blob `{id}` is not in the catalogue"),
            );
        }
    }

    fn prompt(&mut self, id: &str, bytes: &[u8]) {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(e) => {
                let at = e.valid_up_to();
                return self.tell(
                    Code::DamagedBlob,
                    format!("the prompt message `{id}` is not UTF-8 from its byte {at} on"),
                );
            }
        };
        let message = match json::parse(text) {
            Ok(message) if message.is_object() => message,
            Ok(_) => {
                return self.tell(
                    Code::DamagedBlob,
                    format!("the prompt message `{id}` is no JSON object"),
                );
            }
            Err(e) => {
                return self.tell(
                    Code::DamagedBlob,
                    format!("the prompt message `{id}` is not JSON: {e}"),
                );
            }
        };
        let role = message.str("role").unwrap_or_default();
        if !matches!(&*role, "system" | "developer" | "user" | "assistant" | "tool") {
            self.tell(
                Code::UnknownRecordType,
                format!("the prompt message `{id}` has the unknown role `{role}`"),
            );
        }
        for part in message.get("content").unwrap_or(Json::NULL).elements() {
            let kind = part.str("type").unwrap_or_default();
            let known = [
                "text",
                "reasoning",
                "redacted-reasoning",
                "tool-call",
                "tool-result",
                "image",
                "file",
            ];
            if !known.contains(&&*kind) {
                self.tell(
                    Code::UnknownBlockType,
                    format!("the prompt message `{id}` has a part of the unknown type `{kind}`"),
                );
            }
        }
    }
}
