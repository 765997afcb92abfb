//! The bill of a file: what `crate::usage` counts in it, all branches together.

use recount_formats::Harness;

use crate::model::Usage;
use crate::rebuild::Input;
use crate::usage::{Origin, of_bytes};

/// The sum of the file. What stands in it from the session that it was forked from counts there, if that is here too.
pub(super) fn sum(input: &Input<'_>, source_is_here: bool) -> Usage {
    of_bytes(Harness::Pi, "", input.bytes)
        .sum(|_, response| !(source_is_here && response.origin == Origin::Copied))
}
