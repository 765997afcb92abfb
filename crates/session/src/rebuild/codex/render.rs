//! Small renderings that Codex's app-server makes of stored values.

use std::borrow::Cow;
use std::fmt::Write as _;

use recount_formats::{Json, Text};
use serde_json::{Map, Value, json};

use crate::json::RawJson;

/// `snake_case` as `camelCase`.
pub(crate) fn camel(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut upper = false;
    for c in name.chars() {
        match c {
            '_' => upper = !out.is_empty(),
            c if upper => {
                out.extend(c.to_uppercase());
                upper = false;
            }
            c => out.push(c),
        }
    }
    out
}

/// A value whose keys become `camelCase`, all the way down.
pub(super) fn camel_keys(value: Json<'_>) -> RawJson {
    RawJson::of(&camel_value(value, 0))
}

fn camel_value(value: Json<'_>, depth: usize) -> Value {
    if depth > 64 {
        return Value::Null;
    }
    if value.is_object() {
        let members = value.members().map(|(k, v)| (camel(&k.get()), camel_value(v, depth + 1)));
        Value::Object(members.collect())
    } else if value.is_array() {
        Value::Array(value.elements().map(|v| camel_value(v, depth + 1)).collect())
    } else {
        serde_json::from_str(value.raw()).unwrap_or(Value::Null)
    }
}

/// A `CodexErrorInfo`: its variant, too, is spelled `camelCase`.
pub(super) fn error_info(info: Json<'_>) -> Option<RawJson> {
    if info.is_null() {
        return None;
    }
    if let Some(variant) = info.as_str() {
        return Some(RawJson::string(&camel(&variant)));
    }
    Some(camel_keys(info))
}

/// A path that may be written as a `file:` address.
pub(crate) fn path(text: &str) -> String {
    let Some(rest) = text.strip_prefix("file://") else { return text.to_owned() };
    let bytes = rest.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let escaped = (bytes[i] == b'%')
            .then(|| rest.get(i + 1..i + 3))
            .flatten()
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(escaped.unwrap_or(bytes[i]));
        i += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).unwrap_or_else(|_| rest.to_owned())
}

/// Words as one line that a shell would split again.
pub(super) fn command_line<'a>(words: impl Iterator<Item = Text<'a>>) -> String {
    let words: Vec<Cow<'a, str>> = words.map(Text::get).collect();
    join_words(&words)
}

/// The same for words that are at hand.
pub(crate) fn join_words(words: &[Cow<'_, str>]) -> String {
    shlex::try_join(words.iter().map(|w| &**w)).unwrap_or_else(|_| words.join(" "))
}

/// What a command does, in the shape of `CommandAction`.
pub(crate) fn command_actions(parsed: Json<'_>, cwd: Option<&str>) -> RawJson {
    let actions = parsed.elements().map(|action| {
        let text = |key: &str| action.str(key).map(Cow::into_owned);
        let command = text("cmd").unwrap_or_default();
        match action.str("type").as_deref() {
            Some("read") => {
                let path = text("path").unwrap_or_default();
                json!({
                    "type": "read", "command": command, "name": text("name").unwrap_or_default(),
                    "path": joined(cwd, &path),
                })
            }
            Some("list_files") => {
                json!({"type": "listFiles", "command": command, "path": text("path")})
            }
            Some("search") => json!({
                "type": "search", "command": command, "query": text("query"), "path": text("path"),
            }),
            _ => json!({"type": "unknown", "command": command}),
        }
    });
    RawJson::of(&Value::Array(actions.collect()))
}

/// A path below a folder, unless it is absolute.
fn joined(folder: Option<&str>, path: &str) -> String {
    match folder {
        Some(folder) if !path.starts_with('/') && !path.is_empty() => {
            std::path::Path::new(folder).join(path).to_string_lossy().into_owned()
        }
        _ => path.to_owned(),
    }
}

/// A web search's action: `open_page` is `openPage`.
pub(crate) fn search_action(action: Json<'_>) -> RawJson {
    let mut out = Map::new();
    for (key, value) in action.members() {
        let key = key.get();
        if key == "type" {
            out.insert("type".into(), camel(&value.as_str().unwrap_or_default()).into());
        } else {
            let value = serde_json::from_str(value.raw()).unwrap_or(Value::Null);
            out.insert(key.into_owned(), value);
        }
    }
    RawJson::of(&Value::Object(out))
}

/// Spans of a prompt: `byte_range` is `byteRange`.
pub(super) fn text_elements(elements: Option<Json<'_>>) -> RawJson {
    match elements {
        Some(list) if list.is_array() => camel_keys(list),
        _ => RawJson::of(&json!([])),
    }
}

/// The app that an MCP call belongs to; `rest` are link, resource, app and action.
pub(super) fn app_context(connector: Text<'_>, rest: [Option<Text<'_>>; 4]) -> RawJson {
    let [link, resource, app, action] = rest.map(|t| t.map(|t| t.get().into_owned()));
    RawJson::of(&json!({
        "connectorId": connector.get(), "linkId": link, "resourceUri": resource, "appName": app,
        "actionName": action,
    }))
}

/// An MCP result: its three members, each there.
pub(crate) fn mcp_result(result: Json<'_>) -> RawJson {
    let part = |key: &str, none: &'static str| result.get(key).map_or(none, Json::raw);
    let (content, structured) = (part("content", "[]"), part("structuredContent", "null"));
    let text = format!(
        "{{\"content\":{content},\"structuredContent\":{structured},\"_meta\":{}}}",
        part("_meta", "null")
    );
    RawJson::parse(&text).unwrap_or_else(RawJson::null)
}

/// What each agent was doing: `{thread: {status, message}}`.
pub(crate) fn agents_states(states: Json<'_>) -> RawJson {
    let states = states.members().map(|(id, state)| (id.get().into_owned(), agent_state(state)));
    RawJson::of(&Value::Object(states.collect()))
}

/// An agent's status: a word, `{word: message}`, or already `{status, message}`.
fn agent_state(state: Json<'_>) -> Value {
    if let Some(word) = state.as_str() {
        return json!({"status": camel(&word), "message": null});
    }
    if let Some(status) = state.str("status") {
        return json!({"status": camel(&status), "message": state.str("message")});
    }
    match state.members().next() {
        Some((word, message)) => json!({"status": camel(&word.get()), "message": message.as_str()}),
        None => json!({"status": null, "message": null}),
    }
}

/// What is reviewed, as the person was told.
pub(super) fn review_request(hint: Option<Text<'_>>) -> String {
    hint.map_or_else(|| "Review requested.".to_owned(), |t| t.get().into_owned())
}

/// What a review found, as text.
pub(crate) fn review_output(output: Option<Json<'_>>) -> String {
    let output = output.filter(|o| o.is_object()).unwrap_or(Json::NULL);
    let explanation = output.str("overall_explanation").unwrap_or_default();
    let findings: Vec<Json<'_>> =
        output.get("findings").into_iter().flat_map(Json::elements).collect();
    let mut text = explanation.trim().to_owned();
    if !findings.is_empty() {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(if findings.len() > 1 { "Full review comments:" } else { "Review comment:" });
        for finding in findings {
            let title = finding.str("title").unwrap_or_default();
            let place = finding.get("code_location").unwrap_or(Json::NULL);
            let file = place.str("absolute_file_path").unwrap_or_default();
            let line = |key| place.at(&["line_range", key]).and_then(Json::as_i64).unwrap_or(0);
            let _ = write!(text, "\n\n- {title} — {file}:{}-{}", line("start"), line("end"));
            for body in finding.str("body").unwrap_or_default().lines() {
                let _ = write!(text, "\n  {body}");
            }
        }
    }
    if text.is_empty() { "Reviewer failed to output a response.".to_owned() } else { text }
}

/// The fragments `<hook_prompt hook_run_id="…">…</hook_prompt>` that a message consists of: text and run of
/// each. A message with anything else in it is none of hooks.
pub(super) fn hook_fragments(content: Json<'_>) -> Option<Vec<(String, String)>> {
    let mut all = Vec::new();
    for block in content.elements() {
        let text = block.str("text")?;
        let text = text.trim();
        let rest = text.strip_prefix("<hook_prompt")?;
        let (attributes, rest) = rest.split_once('>')?;
        let body = rest.strip_suffix("</hook_prompt>")?;
        let run = attributes.split_once("hook_run_id=\"")?.1.split_once('"')?.0;
        if run.trim().is_empty() {
            return None;
        }
        all.push((unescape_xml(body), unescape_xml(run)));
    }
    (!all.is_empty()).then_some(all)
}

fn unescape_xml(text: &str) -> String {
    let mut out = text.to_owned();
    for (entity, plain) in
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
    {
        if out.contains(entity) {
            out = out.replace(entity, plain);
        }
    }
    out
}
