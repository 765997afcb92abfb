//! The answers to tool calls.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use recount_formats::json::Fields;
use recount_formats::{Code, Finding, Json, Position, finding};

use super::branch::Sequence;
use super::prompt;
use super::transcript::{Block, Node, NodeId, Transcript};

/// The answer to a call.
#[derive(Debug, Clone)]
pub(super) struct Answer<'a> {
    pub(super) at: Position,
    /// What the model got.
    pub(super) content: Option<Json<'a>>,
    pub(super) is_error: bool,
    /// What the program kept for its own display, in a shape of each tool: an object's members, or text.
    pub(super) details: Fields<'a>,
    /// Whether a person, a rule or a hook refused the call.
    pub(super) denied: bool,
    pub(super) milliseconds: Option<i64>,
}

impl<'a> Answer<'a> {
    /// The answer in a `tool_result` block of a user line.
    pub(super) fn of(line: &Node<'a>, block: &Block<'a>) -> Self {
        // With several results on one line it would be unknown whose details these are.
        let is_only = line.message.blocks.iter().filter(|b| b.is("tool_result")).count() <= 1;
        let details = line.fields.get("toolUseResult").filter(|_| is_only);
        Self {
            at: line.at,
            content: block.content,
            is_error: block.is_error,
            details: details.map(Fields::of).unwrap_or_default(),
            denied: is_denied(line, block),
            milliseconds: line.milliseconds(),
        }
    }

    /// A member of the details.
    pub(super) fn detail(&self, key: &str) -> Option<Json<'a>> {
        self.details.get(key)
    }

    pub(super) fn detail_text(&self, key: &str) -> Option<Cow<'a, str>> {
        self.detail(key)?.as_str()
    }

    /// The texts of the content, without the tags in which the program puts errors.
    pub(super) fn text(&self) -> String {
        let Some(content) = self.content else { return String::new() };
        if let Some(text) = content.as_str() {
            let inner = text.strip_prefix("<tool_use_error>");
            let inner = inner.and_then(|text| text.strip_suffix("</tool_use_error>"));
            return inner.unwrap_or(&text).to_owned();
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
fn is_denied(line: &Node<'_>, block: &Block<'_>) -> bool {
    const WORDS: [&str; 4] = [
        "The user doesn't want to proceed with this tool use",
        "The user doesn't want to take this action right now",
        "Permission to use ",
        "Claude requested permissions to ",
    ];
    if line.fields.get("toolDenialKind").is_some_and(|kind| !kind.is_null()) {
        return true;
    }
    let decision = line.fields.get("permissionDecision").and_then(|d| d.str("decision"));
    if decision.is_some_and(|decision| decision == "reject") {
        return true;
    }
    block.is_error
        && prompt::first_text(block.content)
            .is_some_and(|text| WORDS.iter().any(|words| text.starts_with(words)))
}

/// The answers to calls, by the id of the call.
pub(super) struct Answers<'a> {
    by_call: HashMap<Cow<'a, str>, Vec<(NodeId, Block<'a>)>>,
    /// The calls of the whole file.
    calls: HashSet<Cow<'a, str>>,
}

impl<'a> Answers<'a> {
    /// Finds them in the whole file; those on the branch come first.
    pub(super) fn of(transcript: &Transcript<'a>, sequence: &Sequence) -> Self {
        let mut by_call: HashMap<_, Vec<_>> = HashMap::new();
        let mut calls = HashSet::new();
        for (id, node) in transcript.nodes.iter().enumerate() {
            for block in &node.message.blocks {
                if block.is_result() {
                    by_call.entry(block.call()).or_default().push((id, *block));
                } else if block.is_call() {
                    calls.insert(block.call());
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
        let (node, block) = self.by_call.get(call)?.first()?;
        Some(Answer::of(&transcript.nodes[*node], block))
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
