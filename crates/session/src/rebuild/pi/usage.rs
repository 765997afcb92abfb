//! The bill of a file: what `crate::usage` counts in it, all branches together.

use recount_formats::Harness;

use crate::model::Usage;
use crate::rebuild::Input;
use crate::usage::of_bytes;

/// The sum of the file, with what stands in it from the session that it was forked from: pi shows it so.
pub(super) fn sum(input: &Input<'_>) -> Usage {
    of_bytes(Harness::Pi, "", input.bytes).sum(|_, _| true)
}
