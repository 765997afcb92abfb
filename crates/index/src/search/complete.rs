//! What the index knows of sessions in a list.

use std::collections::HashMap;
use std::path::Path;

use recount_store::SessionHead;

use super::listing::{parallel, source};
use super::table::Table;
use super::{Session, home};

/// So many files are looked at in one go.
const AT_A_TIME: usize = 64;

/// Fills in what heads and tails of transcripts cannot tell and the index in a cache folder knows: turns, prompts, the
/// model, how much is wrong. Only of transcripts that are still what they were when they were indexed; nothing is read anew, and without an
/// index nothing is filled in.
pub fn complete(cache: &Path, sessions: &mut [SessionHead]) {
    if let Some(path) = home::table(cache)
        && let Ok(table) = Table::open(&path)
    {
        // What cannot be read is not known.
        let _ = fill(&table, sessions);
    }
}

fn fill(table: &Table, sessions: &mut [SessionHead]) -> rusqlite::Result<()> {
    let sources = table.sources()?;
    let now = parallel(&*sessions, AT_A_TIME, |head| {
        let name = head.path.to_str()?;
        let known = sources.get(name)?;
        let now = source(head.harness, name)?;
        (!now.stamp.is_empty() && now.stamp == known.stamp).then_some(known.id)
    });
    let mut known: HashMap<(i64, String), Session> = HashMap::new();
    for (source, _, session) in table.abouts()? {
        known.insert((source, session.id.clone()), session);
    }
    for (head, source) in sessions.iter_mut().zip(now) {
        let Some(session) = source.and_then(|source| known.remove(&(source, head.id.clone())))
        else {
            continue;
        };
        // A session in a database may have changed without the others.
        if session.updated_at == head.updated_at {
            head.turns = head.turns.or(Some(session.turns));
            head.human_prompts = head.human_prompts.or(Some(session.human_prompts));
            head.model = head.model.take().or(session.model);
            head.findings = head.findings.max(Some(session.findings));
        }
    }
    Ok(())
}
