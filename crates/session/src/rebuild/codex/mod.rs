//! Codex rollouts to threads.

use recount_formats::Harness;

use super::Input;
use crate::model::{ModelView, Thread};

/// The display view: exactly what Codex's own app-server gives, and recovered items.
pub fn thread(input: Input<'_>) -> Thread {
    Thread::new(Harness::Codex, input.facts.id.clone().unwrap_or_default())
}

/// The model view.
pub fn model_view(_input: Input<'_>) -> ModelView {
    ModelView::default()
}
