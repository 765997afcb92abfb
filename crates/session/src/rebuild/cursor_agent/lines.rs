//! A store as lines, for looking at its records: the settings, each blob with what it is, and what nothing reaches.
//!
//! ```text
//! {"meta['0']":{…},"as":"settings"}
//! {"blobs":{"id":"…","data":{…}},"as":"UserMessage"}
//! {"blobs":{"id":"…","data":{}},"as":"unreachable"}
//! {"file":{…},"as":"meta.json"}
//! ```

use std::collections::HashSet;

use recount_formats::cursor_agent::Message as Wire;
use recount_formats::cursor_agent::store::{Role as BlobRole, Visit, walk, walk_state};
use serde_json::{Value, json};

use super::chat::{Chat, META_JSON};
use super::value::object;
use super::{Scope, Source, mirror};
use crate::model::{Block, Role};
use crate::rebuild::Input;

/// Whether to go on.
pub type Listening = bool;

/// Writes a chat, or a sub-agent inside of it, line by line, until nobody listens any more.
pub fn write(input: Input<'_>, sink: &mut dyn FnMut(String) -> Listening) {
    if mirror::is_mirror(input.source) {
        return text(input, sink);
    }
    let chat = Chat::new(input);
    let scope = Scope::of(&chat, None, &mut Vec::new());
    let mut out = Out { sink, listening: true, seen: HashSet::new() };
    if scope.agent.is_none() {
        let settings = if chat.settings.is_null() { "{}" } else { chat.settings.raw() };
        out.line(format!(r#"{{"meta['0']":{settings},"as":"settings"}}"#));
        for name in [META_JSON, "prompt_history.json"] {
            if let Some(text) = chat.text(name) {
                out.line(format!(r#"{{"file":{},"as":"{name}"}}"#, flat(&text)));
            }
        }
    }
    match &scope.source {
        Source::Root { bytes, blob } if scope.agent.is_some() => {
            let state = Wire::read("ConversationStateStructure", bytes);
            walk_state(&chat, &state, blob, &mut |visit| out.visit(visit));
        }
        Source::Root { blob, .. } => {
            walk(&chat, blob, &mut |visit| out.visit(visit));
            for id in input.companions.names() {
                let is_blob = !id.is_empty() && id.bytes().all(|b| b.is_ascii_hexdigit());
                if is_blob && !out.seen.contains(&id) {
                    out.line(line(&id, "unreachable", "{}"));
                }
            }
        }
        _ => {}
    }
}

/// The text form of a copy, in the words of the form that has lines.
fn text(input: Input<'_>, sink: &mut dyn FnMut(String) -> Listening) {
    for message in mirror::model_view(input).messages {
        let role = if message.role == Role::User { "user" } else { "assistant" };
        let parts: Vec<Value> = message
            .content
            .iter()
            .filter_map(|block| match block {
                Block::Text { text } => Some(json!({ "type": "text", "text": text })),
                _ => None,
            })
            .collect();
        let line = json!({ "role": role, "message": { "content": parts } });
        if !sink(line.to_string()) {
            return;
        }
    }
}

struct Out<'o> {
    sink: &'o mut dyn FnMut(String) -> Listening,
    listening: Listening,
    seen: HashSet<String>,
}

impl Out<'_> {
    fn line(&mut self, line: String) {
        self.listening = self.listening && (self.sink)(line);
    }

    fn visit(&mut self, visit: Visit<'_>) {
        // What is missing is a finding of the rebuild; here is what there is.
        let Visit::Blob { id, role, bytes } = visit else { return };
        self.seen.insert(id.to_owned());
        if !self.listening {
            return;
        }
        let data = match role.message() {
            Some(name) => object(&Wire::read(name, bytes)).to_string(),
            None if role == BlobRole::PromptMessage => flat(&String::from_utf8_lossy(bytes)),
            None => "{}".to_owned(),
        };
        self.line(line(id, &role.label(bytes), &data));
    }
}

fn line(id: &str, label: &str, data: &str) -> String {
    let (id, label) = (json!(id), json!(label));
    format!(r#"{{"blobs":{{"id":{id},"data":{data}}},"as":{label}}}"#)
}

/// JSON on one line, as it is; a string where it is no JSON.
fn flat(text: &str) -> String {
    match recount_formats::json::parse(text) {
        Ok(json) if !json.raw().contains(['\n', '\r']) => json.raw().to_owned(),
        // Between its values line ends mean nothing, and inside of strings they are escaped.
        Ok(json) => json.raw().replace(['\n', '\r'], " "),
        Err(_) => Value::String(text.to_owned()).to_string(),
    }
}
