//! `thread/list`: the threads of all stores, page by page.

use std::collections::HashSet;

use recount_formats::Harness;
use recount_store::SessionHead;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Page, size};
use crate::protocol::params::{SortDirection, SortKey, ThreadList};
use crate::protocol::thread::{
    INTERACTIVE, ThreadDto, is_of_kind, millis, name_of, preview_of, provider_of,
};
use crate::rpc::Error;

/// How many threads a page has when it is not said, and at most.
const PAGE: (usize, usize) = (25, 100);
/// How many threads can be left out by their ids.
const MOST_EXCLUDED: usize = 100;

/// A place in a sorted list: behind or at a thread. It holds however many threads come and go.
#[derive(Debug, Serialize, Deserialize)]
struct Cursor {
    /// Unix milliseconds.
    t: i64,
    /// The thread behind which it goes on; nothing when everything of that time belongs to it.
    id: Option<String>,
}

/// The page that a client asks for, of the sessions that there are.
pub fn page<'a>(
    sessions: &'a [SessionHead],
    params: &ThreadList,
) -> Result<Page<ThreadDto<'a>>, Error> {
    check(params)?;
    let key: fn(&SessionHead) -> i64 = match params.sort_key.unwrap_or_default() {
        SortKey::CreatedAt => |head| millis(head.created_at.as_deref()).unwrap_or(0),
        SortKey::UpdatedAt | SortKey::RecencyAt => {
            |head| millis(head.updated_at.as_deref()).unwrap_or(0)
        }
        SortKey::SectionPosition => {
            return Err(Error::params("recount keeps no sections to sort threads by"));
        }
    };
    let descending = params.sort_direction != Some(SortDirection::Asc);
    let cursor = params.cursor.as_deref().map(parse).transpose()?;
    let family = params.ancestor_thread_id.as_deref().map(|id| below(sessions, id));
    let mut fitting: Vec<(i64, &SessionHead)> = sessions
        .iter()
        .filter(|head| fits(head, params, family.as_ref()))
        .map(|head| (key(head), head))
        .filter(|(t, head)| {
            cursor.as_ref().is_none_or(|cursor| is_behind(cursor, *t, &head.id, descending))
        })
        .collect();
    fitting.sort_by(|(t, a), (u, b)| (t, &a.id).cmp(&(u, &b.id)));
    if descending {
        fitting.reverse();
    }
    let limit = size(params.limit, PAGE.0, PAGE.1);
    let next = fitting.len() > limit;
    fitting.truncate(limit);
    let cursor = |entry: Option<&(i64, &SessionHead)>, exact: bool| {
        let (t, head) = entry?;
        let id = exact.then(|| head.id.clone());
        serde_json::to_string(&Cursor { t: *t, id }).ok()
    };
    Ok(Page {
        next_cursor: if next { cursor(fitting.last(), true) } else { None },
        // At the time of the first one, so that a thread which is written in the same moment is not missed.
        backwards_cursor: cursor(fitting.first(), false),
        data: fitting.into_iter().map(|(_, head)| ThreadDto::of_head(head)).collect(),
    })
}

fn parse(cursor: &str) -> Result<Cursor, Error> {
    serde_json::from_str(cursor)
        .map_err(|_| Error::params("`cursor` is none that `thread/list` has given"))
}

/// Whether a thread comes behind a cursor.
fn is_behind(cursor: &Cursor, t: i64, id: &str, descending: bool) -> bool {
    match &cursor.id {
        Some(at) if descending => (t, id) < (cursor.t, at.as_str()),
        Some(at) => (t, id) > (cursor.t, at.as_str()),
        None if descending => t <= cursor.t,
        None => t >= cursor.t,
    }
}

fn check(params: &ThreadList) -> Result<(), Error> {
    if params.parent_thread_id.is_some() && params.ancestor_thread_id.is_some() {
        return Err(Error::params(
            "`parentThreadId` and `ancestorThreadId` cannot be given together",
        ));
    }
    if params.excluded_thread_ids.as_ref().is_some_and(|ids| ids.len() > MOST_EXCLUDED) {
        return Err(Error::params(format!(
            "`excludedThreadIds` can name {MOST_EXCLUDED} threads at most"
        )));
    }
    let unknown = params.harnesses.iter().flatten().find(|h| Harness::from_id(h).is_none());
    unknown.map_or(Ok(()), |name| Err(Error::params(format!("unknown harness `{name}`"))))
}

fn fits(head: &SessionHead, params: &ThreadList, family: Option<&HashSet<&str>>) -> bool {
    // Codex lists no thread in whose own files nobody says anything (corpus: `meta-paginated`, `fork-paginated`).
    let said = if head.origin.is_told { head.origin.has_prompt } else { head.title.is_some() };
    if !said {
        return false;
    }
    if head.archived != params.archived.unwrap_or(false) {
        return false;
    }
    let of_family = params.parent_thread_id.is_some() || family.is_some();
    let kinds = match params.source_kinds.as_deref() {
        Some(kinds) if !kinds.is_empty() => Some(kinds),
        // Whoever asks for sub-agents by their parent wants to see them.
        _ if of_family => None,
        _ => Some(INTERACTIVE),
    };
    let named = |list: &Option<Vec<String>>, value: Option<&str>| match list {
        Some(list) if !list.is_empty() => list.iter().any(|one| Some(one.as_str()) == value),
        _ => true,
    };
    let only_null = |value: &Option<Value>| value.as_ref().is_none_or(Value::is_null);
    kinds.is_none_or(|kinds| kinds.iter().any(|kind| is_of_kind(head, *kind)))
        && named(&params.model_providers, Some(provider_of(head)))
        && named(&params.originators, head.origin.originator.as_deref())
        && named(&params.harnesses, Some(head.harness.id()))
        && params.cwd.as_ref().is_none_or(|cwd| cwd.has(head.cwd.as_deref()))
        && params.parent_thread_id.as_ref().is_none_or(|id| head.parent_id.as_ref() == Some(id))
        && family.is_none_or(|family| family.contains(head.id.as_str()))
        && !params.excluded_thread_ids.iter().flatten().any(|id| *id == head.id)
        && only_null(&params.project_id)
        && only_null(&params.section_id)
        && params.search_term.as_deref().is_none_or(|term| is_called(head, term))
}

/// Whether a text stands in what lists show of a thread, in whatever case.
fn is_called(head: &SessionHead, term: &str) -> bool {
    let term = term.to_lowercase();
    [name_of(head), Some(preview_of(head)), head.title.as_deref()]
        .into_iter()
        .flatten()
        .any(|text| text.to_lowercase().contains(&term))
}

/// The threads that a thread started, and those that they started, at any depth.
fn below<'a>(sessions: &'a [SessionHead], ancestor: &str) -> HashSet<&'a str> {
    let mut found: HashSet<&str> = HashSet::new();
    loop {
        let before = found.len();
        for head in sessions {
            let parent = head.parent_id.as_deref();
            if head.id != ancestor && parent.is_some_and(|p| p == ancestor || found.contains(p)) {
                found.insert(&head.id);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
