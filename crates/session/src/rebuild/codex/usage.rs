//! Tokens of a thread: what `crate::usage` counts for it in its rollouts.

use std::collections::BTreeMap;

use recount_formats::Harness;

use super::prefix::Segments;
use crate::model::Responses;
use crate::rebuild::Input;
use crate::usage::resolve::Pointer;
use crate::usage::{Transcript, of_bytes, resolve};

/// The responses that the thread made: in the rollout that was opened, in its other rollouts, and in those that it builds
/// on, which also tell what is a copy.
pub(super) fn usage(input: &Input<'_>, segments: &Segments<'_>, thread: &str) -> Responses {
    let mut rollouts: BTreeMap<String, Transcript> = BTreeMap::new();
    let mut add = |source: &str, bytes: &[u8]| {
        let name = name_of(source);
        let known = rollouts.contains_key(name);
        if !known {
            rollouts.insert(name.to_owned(), of_bytes(Harness::Codex, name, bytes));
        }
    };
    for segment in segments.all.iter().rev() {
        add(&segment.source, &segment.bytes);
    }
    for name in &input.facts.rollouts {
        if let Some(bytes) = input.companions.read(name) {
            add(&input.companions.source(name), &bytes);
        }
    }
    let transcripts: Vec<Transcript> = rollouts.into_values().collect();
    made_by(thread, &transcripts)
}

/// The name of a rollout's file without its extensions.
pub(super) fn name_of(source: &str) -> &str {
    let name = source.rsplit(['/', '\\']).next().unwrap_or(source);
    let name = name.strip_suffix(".zst").unwrap_or(name);
    name.strip_suffix(".jsonl").unwrap_or(name)
}

/// The responses of transcripts that a thread made.
pub(super) fn made_by(thread: &str, transcripts: &[Transcript]) -> Responses {
    let resolved = resolve(transcripts);
    let mut counting = Responses::default();
    for (n, transcript) in transcripts.iter().enumerate() {
        for (r, response) in transcript.responses.iter().enumerate() {
            let at = Pointer { transcript: n as u32, response: r as u32 };
            if resolved.thread_of(transcripts, at) == Some(thread) {
                counting.add(transcript.name_of(response.model), *response);
            }
        }
    }
    counting
}
