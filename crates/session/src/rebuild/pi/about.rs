//! What is known of a session beside its turns: id, name, times, model, lineage, labels.

use std::borrow::Cow;
use std::collections::HashMap;

use recount_formats::jsonl::{self, Body};
use recount_formats::pi::Kind;
use recount_formats::{Code, Finding, Position};

use super::content;
use super::entries::Transcript;
use super::tree::Tree;
use crate::model::Thread;
use crate::rebuild::Input;

/// Fills in what stands in the header, in names and on the path.
pub(super) fn fill(
    thread: &mut Thread,
    input: Input<'_>,
    transcript: &Transcript<'_>,
    path: &[usize],
    findings: &mut Vec<Finding>,
) {
    let entries = &transcript.entries;
    let header = transcript.header.as_ref();
    let id = header.and_then(|h| h.id).map(|id| id.get().into_owned());
    thread.id = id.or_else(|| input.facts.id.clone()).unwrap_or_default();
    thread.preview = first_prompt(transcript);
    thread.title =
        name(transcript).or_else(|| input.facts.title.clone()).or_else(|| thread.preview.clone());
    thread.cwd = header.and_then(|h| h.cwd).map(|cwd| cwd.get().into_owned());
    let begun = header.and_then(|h| h.timestamp).map(|t| t.get().into_owned());
    let stamp = |n: Option<&super::entries::Entry<'_>>| n?.timestamp.as_deref().map(str::to_owned);
    thread.created_at = begun.clone().or_else(|| stamp(entries.first()));
    thread.updated_at = stamp(entries.iter().rfind(|e| e.timestamp.is_some()))
        .or(begun)
        .or_else(|| input.facts.updated_at.clone());
    thread.model = model(transcript, path);
    thread.lineage.parent_id.clone_from(&input.facts.parent_id);
    thread.lineage.subagents.clone_from(&input.facts.children);
    if let Some(header) = header
        && let Some(source) = header.parent_session.or(header.branched_from)
    {
        thread.lineage.forked_from_id = forked_from(input, &source.get(), findings);
    }
}

/// The name that the person or an extension gave: the last one in the file, whatever its branch. An empty one
/// takes the name away.
pub(super) fn name(transcript: &Transcript<'_>) -> Option<String> {
    let last = transcript.entries.iter().rfind(|e| e.kind == Kind::SessionInfo)?;
    let name = last.json.str("name")?;
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// The first prompt with text, in the order of the file: what pi's lists show of a session without a name.
fn first_prompt(transcript: &Transcript<'_>) -> Option<String> {
    let prompts = transcript.entries.iter().filter(|e| e.kind == Kind::MessageUser);
    prompts.map(|e| content::prompt(e.message)).find(|text| !text.is_empty())
}

/// The model that answered last on the path, else the one that was chosen last.
fn model(transcript: &Transcript<'_>, path: &[usize]) -> Option<String> {
    let entries = || path.iter().rev().map(|&n| &transcript.entries[n]);
    let answered = entries()
        .filter(|e| e.kind == Kind::MessageAssistant)
        .find_map(|e| e.message.str("model").map(Cow::into_owned));
    answered.or_else(|| {
        entries()
            .filter(|e| e.kind == Kind::ModelChange)
            .find_map(|e| e.json.str("modelId").map(Cow::into_owned))
    })
}

/// The session that the file was forked from. Its path is absolute and often that of another machine, so only its
/// file name counts, and only in the same store. The header of that file tells the id, because the id in a file name
/// can be another one (FIELD-NOTES, version 1).
fn forked_from(input: Input<'_>, path: &str, findings: &mut Vec<Finding>) -> Option<String> {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    if let Some(line) = input.companions.read(&format!("header/{file}"))
        && let Some(line) = jsonl::lines(&line).next()
        && let Body::Value(header) = line.parse()
        && let Some(id) = header.str("id")
    {
        return Some(id.into_owned());
    }
    findings.push(Finding::new(
        Code::MissingFile,
        input.source,
        Position { line: 1, byte: 0, len: 0 },
        format!(
            "the session `{}` that this one was forked from is not there",
            recount_formats::finding::excerpt(file)
        ),
    ));
    let id = file.strip_suffix(".jsonl")?.split_once('_')?.1;
    Some(id.to_owned())
}

/// A bookmark.
#[derive(Debug)]
pub(super) struct Label<'t> {
    /// Its text.
    pub(super) text: Cow<'t, str>,
    /// The entry that set it.
    pub(super) by: usize,
}

/// The labels by the entry on which they stand. The last one in the file counts, whatever its branch; one without
/// text takes the label away.
pub(super) fn labels<'t>(
    transcript: &'t Transcript<'_>,
    tree: &Tree<'_>,
) -> HashMap<usize, Label<'t>> {
    let mut labels = HashMap::new();
    for (by, entry) in transcript.entries.iter().enumerate() {
        if entry.kind != Kind::Label {
            continue;
        }
        let Some(target) = entry.json.str("targetId").and_then(|id| tree.find(&id)) else {
            continue;
        };
        match entry.json.str("label").filter(|text| !text.is_empty()) {
            Some(text) => labels.insert(target, Label { text, by }),
            None => labels.remove(&target),
        };
    }
    labels
}
