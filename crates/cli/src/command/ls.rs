//! `recount ls`: sessions, newest first.

use recount_store::discover;

use crate::args::{Global, Ls};
use crate::error::Error;
use crate::output;

pub(super) fn run(global: &Global, args: &Ls) -> Result<(), Error> {
    let (mut sessions, _findings) = super::stores(global).list();
    if !args.all {
        sessions.retain(|s| !s.is_subagent && !s.archived);
    }
    if args.full {
        for head in &mut sessions {
            let Some(Ok(opened)) = discover::of(head.harness).map(|d| d.open(head)) else {
                continue;
            };
            let thread = opened.thread(None);
            head.turns = Some(thread.turns.len() as u64);
            head.human_prompts = Some(
                thread
                    .items()
                    .filter(|i| {
                        matches!(i.kind, recount_session::model::ItemKind::UserMessage { .. })
                    })
                    .count() as u64,
            );
            head.findings = Some(thread.findings.len() as u64);
        }
    }
    output::rows(&sessions, global.jsonl)
}
