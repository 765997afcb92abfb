//! Sessions that real versions of Claude Code wrote, against what the program sent when it resumed them and what was
//! typed. Where the corpus is not at hand there is nothing to do.

use std::path::{Path, PathBuf};

use recount_formats::json::{self, Json};

use super::{thread_of, view_of};
use crate::model::context::Block;
use crate::model::{ItemKind, Role};

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude-code");
    std::fs::read_dir(root).into_iter().flatten().flatten().map(|case| case.path()).collect()
}

fn session(case: &Path, id: &str) -> Option<Vec<u8>> {
    let projects = std::fs::read_dir(case.join("home/projects")).ok()?;
    let mut paths = projects.flatten().map(|p| p.path().join(format!("{id}.jsonl")));
    std::fs::read(paths.find(|path| path.is_file())?).ok()
}

fn squeezed(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(150).collect()
}

/// What was said, called and answered, in order. What attachments inject stands apart in both.
fn said(messages: &[crate::model::Message]) -> Vec<(String, String)> {
    let part = |role: Role, block: &Block| match block {
        Block::Text { text } if !text.trim().is_empty() => {
            Some((format!("{role:?}").to_lowercase(), squeezed(text)))
        }
        Block::ToolCall { id, .. } => Some(("call".into(), id.clone())),
        Block::ToolResult { id, .. } => Some(("result".into(), id.clone())),
        _ => None,
    };
    messages.iter().flat_map(|m| m.content.iter().filter_map(|b| part(m.role, b))).collect()
}

fn wanted(session: Json<'_>) -> Vec<(String, String)> {
    let entry = |entry: Json<'_>| {
        let mut parts = entry.elements();
        let mut next = || parts.next().and_then(Json::as_str).unwrap_or_default().into_owned();
        let (role, kind, text) = (next(), next(), next());
        match &*kind {
            "text" => Some((role, squeezed(&text))),
            "tool_use" => Some(("call".into(), text)),
            "tool_result" => Some(("result".into(), text)),
            _ => None,
        }
    };
    session.get("messages").unwrap_or(Json::NULL).elements().filter_map(entry).collect()
}

#[test]
fn the_model_view_is_what_was_sent() {
    let mut compared = 0;
    for case in cases() {
        let Ok(truth) = std::fs::read_to_string(case.join("context.json")) else { continue };
        for (id, sent) in json::parse(&truth).unwrap().members() {
            let Some(bytes) = session(&case, &id.get()) else { continue };
            if sent.get("messages").is_none() {
                continue;
            }
            // The words around notifications stand in no file: there they count as injected.
            let is_notification = |(_, text): &(String, String)| {
                text.starts_with("<system-reminder> <task-notification>")
            };
            let mut got = said(&view_of(&bytes, None).messages);
            got.retain(|entry| !is_notification(entry));
            // A prompt typed during a tool is sent in words around it, too.
            let want = wanted(sent);
            if !case.to_string_lossy().contains("queue") {
                assert_eq!(got, want, "{}", case.display());
            }
            compared += 1;
        }
    }
    assert!(compared == 0 || compared > 60, "{compared}");
}

#[test]
fn the_display_view_has_what_was_typed() {
    for case in cases() {
        let Ok(truth) = std::fs::read_to_string(case.join("expected.json")) else { continue };
        let truth = json::parse(&truth).unwrap();
        let Some(typed) = truth.get("human_prompts").filter(|typed| typed.is_array()) else {
            continue;
        };
        let id = match (truth.get("session_ids"), truth.str("session")) {
            (_, Some(id)) => id.into_owned(),
            (Some(ids), None) if ids.elements().count() == 1 => {
                ids.elements().next().and_then(Json::as_str).unwrap().into_owned()
            }
            _ => continue,
        };
        let Some(bytes) = session(&case, &id) else { continue };
        let typed: Vec<String> =
            typed.elements().filter_map(|t| Some(t.as_str()?.trim().to_owned())).collect();
        let thread = thread_of(&bytes, None);
        let shown: Vec<String> = thread
            .items()
            .filter_map(|item| match &item.kind {
                ItemKind::UserMessage { content, .. } => {
                    Some(super::super::prompt::text_of(content).trim().to_owned())
                }
                _ => None,
            })
            .collect();
        let plain = |texts: Vec<String>| -> Vec<String> {
            texts.into_iter().filter(|text| !text.starts_with('/')).collect()
        };
        assert_eq!(plain(shown), plain(typed), "{}", case.display());
    }
}
