//! Tokens of a session: what `crate::usage` counts in its file, without what another session paid for.
//!
//! Copies of another session's lines count there: those of `/branch` name it, those of `--fork-session` are older than
//! the session, and a forked sub-agent begins with the line that started it.

use recount_formats::{Harness, Text};

use super::transcript::Transcript;
use crate::model::Responses;
use crate::rebuild::Input;
use crate::usage::{Origin, millis, of_bytes};

/// All responses in the file, those on abandoned branches too. `is_fork`: whether the session is known to
/// begin with copies that do not say so.
pub(super) fn usage(input: &Input<'_>, transcript: &Transcript<'_>, is_fork: bool) -> Responses {
    let began = transcript.metadata.first_timestamp.map(Text::get).filter(|_| is_fork);
    let began = began.and_then(|time| millis(&time)).unwrap_or(i64::MIN);
    let copied_call = transcript.copied_call().and_then(|id| transcript.nodes.get(id));
    let begins_with_copy = copied_call.is_some_and(|node| node.message.usage.is_some());
    of_bytes(Harness::ClaudeCode, "", input.bytes).counting(|n, response| {
        let is_older = response.time < began;
        response.origin != Origin::Copied && !is_older && !(n == 0 && begins_with_copy)
    })
}
