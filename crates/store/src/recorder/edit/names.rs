//! Names. Codex keeps them in an index beside the rollouts and in its database, Claude Code and pi in records of the
//! transcript, of which the last one counts.

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use recount_formats::json;
use recount_formats::jsonl::{Body, lines};

use super::step::{Cell, Step, take};
use super::{EditError, Editor, Report, Session};
use crate::recorder::line::{self, Object};
use crate::recorder::lock::{self, Held};

/// A transcript that was written this recently is at work: Claude Code and pi open it for each record anew, so that
/// nothing else tells.
const AT_WORK: Duration = Duration::from_secs(3);

/// Codex appends to `session_index.jsonl`, and writes the row: names of paginated threads are read from its `name`
/// alone, legacy threads have theirs in `title` (0.164).
pub(super) fn codex(editor: &Editor, name: &str) -> Result<Report, EditError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(EditError::Invalid("Codex knows no empty name".to_owned()));
    }
    let head = &editor.head;
    super::codex::place_of(head)?;
    let session = Session::open(editor)?;
    let paginated = recount_session::rebuild::codex::layout(session.opened.input()).paginated;
    let column = if paginated { "name" } else { "title" };
    let mut steps = Vec::new();
    steps.extend(super::codex::row(head, vec![(column, Cell::Text(name.to_owned()))])?);
    steps.push(index_entry(&head.root, &head.id, name, editor.now()));
    finish(editor, &session, steps, name)
}

/// A line of `session_index.jsonl`.
pub(super) fn index_entry(root: &Path, id: &str, name: &str, now: Timestamp) -> Step {
    let mut line = Object::new()
        .text("id", id)
        .text("thread_name", name)
        .text("updated_at", &format!("{now:.9}"))
        .end();
    line.push('\n');
    Step::Index { path: root.join("session_index.jsonl"), line }
}

/// `/rename` writes the title and, for other agents, the name.
pub(super) fn claude_code(editor: &Editor, name: &str) -> Result<Report, EditError> {
    let head = &editor.head;
    let name = name.trim();
    if head.is_subagent {
        return Err(editor.unsupported("gives sub-agents no names"));
    }
    if let Some(process) = lock::registered(&head.root, &head.id) {
        return Err(EditError::Held(Held { path: head.path.clone(), by: vec![process] }));
    }
    let session = at_rest(editor)?;
    let record = |kind: &str, key: &str| {
        Object::new().text("type", kind).text(key, name).text("sessionId", &head.id).end()
    };
    let lines = format!(
        "{}\n{}\n",
        record("custom-title", "customTitle"),
        record("agent-name", "agentName")
    );
    finish(editor, &session, vec![Step::Append { path: head.path.clone(), lines }], name)
}

/// An entry like any other: it hangs on the last one, and pi then goes on from it.
pub(super) fn pi(editor: &Editor, name: &str) -> Result<Report, EditError> {
    let head = &editor.head;
    let name = name.split(['\r', '\n']).map(str::trim).filter(|l| !l.is_empty());
    let name = name.collect::<Vec<_>>().join(" ");
    let session = at_rest(editor)?;
    let bytes = &session.opened.bytes;
    let mut ids = HashSet::new();
    let mut last = None;
    for (n, line) in lines(bytes).enumerate() {
        let Body::Value(entry) = line.parse() else { continue };
        if n == 0 {
            let version = entry.get("version").and_then(json::Json::as_i64).unwrap_or(1);
            if version < 2 {
                return Err(EditError::Invalid(
                    "entries of version 1 have no ids; pi itself has to open the session once"
                        .to_owned(),
                ));
            }
            continue;
        }
        if let Some(id) = entry.str("id") {
            ids.insert(id.clone());
            last = Some(id);
        }
    }
    let parent = last.map_or_else(|| "null".to_owned(), |id| json_string(&id));
    let entry = Object::new()
        .text("type", "session_info")
        .text("id", &entry_id(|id| ids.contains(id)))
        .raw("parentId", &parent)
        .text("timestamp", &line::timestamp(editor.now()))
        .text("name", &name);
    let lines = format!("{}\n", entry.end());
    finish(editor, &session, vec![Step::Append { path: head.path.clone(), lines }], &name)
}

/// Eight hexadecimal digits that no entry has.
fn entry_id(taken: impl Fn(&str) -> bool) -> String {
    loop {
        // The end of such an id is random, its beginning is the time.
        let id = uuid::Uuid::now_v7().simple().to_string();
        let id = &id[24..];
        if !taken(id) {
            return id.to_owned();
        }
    }
}

fn json_string(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| "null".to_owned())
}

/// Opens a session of a harness that locks nothing.
fn at_rest(editor: &Editor) -> Result<Session, EditError> {
    let session = Session::open(editor)?;
    let age = session.seen.modified().and_then(|t| SystemTime::now().duration_since(t).ok());
    if age.is_some_and(|age| age < AT_WORK) {
        return Err(EditError::Held(Held { path: editor.head.path.clone(), by: Vec::new() }));
    }
    Ok(session)
}

fn finish(
    editor: &Editor,
    session: &Session,
    steps: Vec<Step>,
    name: &str,
) -> Result<Report, EditError> {
    let changes = take(editor, session, steps)?;
    Ok(Report { name: Some(name.to_owned()), changes, ..editor.report("name") })
}
