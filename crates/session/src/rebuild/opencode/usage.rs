//! Tokens and cost of a session: what `crate::usage` counts in its rows.

use recount_formats::Harness;

use crate::model::Responses;
use crate::rebuild::Input;
use crate::usage::{Origin, of_bytes};

/// The usage of a session. `source_is_here` tells whether the session that it was forked from is in the store too: then
/// copied rows count there (corpus-reports: v2-fork-copies).
pub(super) fn of(input: &Input<'_>, id: &str, source_is_here: bool) -> Responses {
    of_bytes(Harness::Opencode, id, input.bytes)
        .counting(|_, response| !(source_is_here && response.origin == Origin::Copied))
}
