//! The answers to tool calls.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use recount_formats::{Code, Finding, Json, Position, finding};

use super::branch::Sequence;
use super::prompt::{self, is_type};
use super::transcript::{Node, NodeId, Transcript};

/// The answer to a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer<'a> {
    pub(super) at: Position,
    /// What the model got.
    pub(super) content: Option<Json<'a>>,
    pub(super) is_error: bool,
    /// What the program kept for its own display, in a shape of each tool.
    pub(super) details: Option<Json<'a>>,
    /// Whether a person, a rule or a hook refused the call.
    pub(super) denied: bool,
    pub(super) milliseconds: Option<i64>,
}

impl<'a> Answer<'a> {
    /// The answer in a `tool_result` block of a user line.
    pub(super) fn of(transcript: &Transcript<'a>, node: NodeId, block: Json<'a>) -> Self {
        let line = &transcript.nodes[node];
        let content = block.get("content");
        let is_error = block.get("is_error").and_then(Json::as_bool) == Some(true);
        Self {
            at: line.at,
            content,
            is_error,
            // With several results on one line it would be unknown whose details these are.
            details: (line.blocks().filter(|b| is_type(*b, "tool_result")).count() == 1)
                .then(|| line.record.get("toolUseResult"))
                .flatten(),
            denied: is_denied(line, content, is_error),
            milliseconds: line.milliseconds(),
        }
    }

    /// A member of the details.
    pub(super) fn detail(&self, key: &str) -> Option<Json<'a>> {
        self.details?.get(key)
    }

    pub(super) fn detail_text(&self, key: &str) -> Option<Cow<'a, str>> {
        self.detail(key)?.as_str()
    }

    /// The texts of the content.
    pub(super) fn text(&self) -> String {
        let Some(content) = self.content else { return String::new() };
        if let Some(text) = content.as_str() {
            return text.into_owned();
        }
        let texts: Vec<_> = content.elements().filter_map(|block| block.str("text")).collect();
        texts.join("\n")
    }

    /// Milliseconds that the program measured itself.
    pub(super) fn measured(&self) -> Option<i64> {
        ["durationMs", "totalDurationMs"]
            .iter()
            .find_map(|key| self.detail(key)?.as_f64())
            .or_else(|| Some(self.detail("durationSeconds")?.as_f64()? * 1000.0))
            .map(|ms| ms.round() as i64)
    }
}

/// Whether a call was refused rather than tried. Builds before `toolDenialKind` only say so in words.
fn is_denied(line: &Node<'_>, content: Option<Json<'_>>, is_error: bool) -> bool {
    const WORDS: [&str; 4] = [
        "The user doesn't want to proceed with this tool use",
        "The user doesn't want to take this action right now",
        "Permission to use ",
        "Claude requested permissions to ",
    ];
    if line.record.get("toolDenialKind").is_some_and(|kind| !kind.is_null()) {
        return true;
    }
    if line.record.at(&["permissionDecision", "decision"]).and_then(Json::as_str).as_deref()
        == Some("reject")
    {
        return true;
    }
    is_error
        && prompt::first_text(content)
            .is_some_and(|text| WORDS.iter().any(|words| text.starts_with(words)))
}

/// The answers to calls, by the id of the call.
pub(super) struct Answers<'a> {
    by_call: HashMap<Cow<'a, str>, Vec<(NodeId, Json<'a>)>>,
    /// The calls of the whole file.
    calls: HashSet<Cow<'a, str>>,
}

impl<'a> Answers<'a> {
    /// Finds them in the whole file; those on the branch come first.
    pub(super) fn of(transcript: &Transcript<'a>, sequence: &Sequence) -> Self {
        let mut by_call: HashMap<_, Vec<_>> = HashMap::new();
        let mut calls = HashSet::new();
        for (id, node) in transcript.nodes.iter().enumerate() {
            for block in node.blocks() {
                let type_ = block.str("type").unwrap_or_default();
                if let Some(call) =
                    block.str("tool_use_id").filter(|_| type_.ends_with("tool_result"))
                {
                    by_call.entry(call).or_default().push((id, block));
                } else if type_.ends_with("tool_use")
                    && let Some(call) = block.str("id")
                {
                    calls.insert(call);
                }
            }
        }
        for answers in by_call.values_mut() {
            answers.sort_by_key(|&(id, _)| !sequence.contains[id]);
        }
        Self { by_call, calls }
    }

    /// The answer to a call.
    pub(super) fn first(&self, transcript: &Transcript<'a>, call: &str) -> Option<Answer<'a>> {
        let &(node, block) = self.by_call.get(call)?.first()?;
        Some(Answer::of(transcript, node, block))
    }

    /// Results that answer no call of the file.
    pub(super) fn report_orphans(
        &self,
        transcript: &Transcript<'_>,
        source: &Arc<str>,
        findings: &mut Vec<Finding>,
    ) {
        let orphans = self.by_call.iter().filter(|(call, _)| !self.calls.contains(*call));
        for (call, answers) in orphans {
            let at = transcript.nodes[answers[0].0].at;
            let text = format!("no call has the id `{}`", finding::excerpt(call));
            findings.push(Finding::new(Code::OrphanResult, source, at, text));
        }
    }
}
