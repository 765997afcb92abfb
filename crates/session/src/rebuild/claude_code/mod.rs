//! Claude Code transcripts to threads.

use recount_formats::Harness;

use super::Input;
use crate::model::{ModelView, Thread};

/// The display view of a branch.
pub fn thread(input: Input<'_>, _leaf: Option<&str>) -> Thread {
    Thread::new(Harness::ClaudeCode, input.facts.id.clone().unwrap_or_default())
}

/// The model view.
pub fn model_view(_input: Input<'_>, _leaf: Option<&str>) -> ModelView {
    ModelView::default()
}
