//! The bill of a file: what `crate::usage` counts in it, all branches together.

use recount_formats::Harness;

use crate::model::Responses;
use crate::rebuild::Input;
use crate::usage::{Origin, of_bytes};

/// The responses of the file. What stands in it from the session that it was forked from counts there, if that is here too.
pub(super) fn of(input: &Input<'_>, source_is_here: bool) -> Responses {
    of_bytes(Harness::Pi, "", input.bytes)
        .counting(|_, response| !(source_is_here && response.origin == Origin::Copied))
}
