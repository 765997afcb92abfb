//! What Codex does with its threads, done as Codex 0.164 does it (`corpus/codex/fork-*`, `revert-paginated`).

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use recount_formats::Json;
use recount_formats::jsonl::{Body, lines};
use recount_session::rebuild::codex::{Layout, Place, TurnPlace, layout, records_before};

use super::step::{Cell, Step, take};
use super::{Cut, EditError, Editor, Report, Session, index, names};
use crate::container::file;
use crate::discover::codex::files::{Rollout, Rollouts};
use crate::head::SessionHead;
use crate::recorder::line::{self, Object};

const SESSIONS: &str = "sessions";
const ARCHIVED: &str = "archived_sessions";
/// How many levels of folders lie between `sessions` and a rollout: year, month, day.
const DATE_LEVELS: usize = 3;

pub(super) fn fork(editor: &Editor, cut: &Cut) -> Result<Report, EditError> {
    let thread = Thread::open(editor)?;
    let place = thread.cut(cut)?;
    let now = editor.now();
    let id = new_id();
    let mut steps = Vec::new();
    let mut header = thread.header(&id, &FORK_LEAVES_OUT)?;
    header = header.text("forked_from_id", &editor.head.id);
    let begin = thread.beginning(place, now, &mut steps);
    if let Some(base) = &begin.base {
        header =
            header.number("forked_from_ordinal_exclusive", place.ordinal).raw("history_base", base);
    }
    let window = Object::new().text("window_id", &new_id()).end();
    let header = header.text("timestamp", &line::timestamp(now)).raw("context_window", &window);
    let mut content = line::record(now, begin.ordinal, "session_meta", &header.end());
    content.push_str(&begin.records);
    content.push_str(&thread.settings(&id, now, begin.next));
    let path = rollout_path(&editor.head.root, now, &editor.zone(), &id);
    steps.push(Step::Create { path: path.clone(), content: content.into_bytes() });
    let name = thread.session.opened.facts.title.clone();
    if let Some(name) = &name {
        steps.push(names::index_entry(&editor.head.root, &id, name, now));
    }
    let changes = take(editor, &thread.session, steps)?;
    let (kept, removed) = thread.kept(place);
    Ok(Report {
        new_thread_id: Some(id),
        path,
        turns: Some(kept),
        removed_turns: removed,
        name,
        changes,
        ..editor.report("fork")
    })
}

pub(super) fn rollback(editor: &Editor, turns: u64) -> Result<Report, EditError> {
    if turns == 0 {
        return Err(EditError::Invalid("a rollback takes at least one turn away".to_owned()));
    }
    let thread = Thread::open(editor)?;
    let count = usize::try_from(turns).unwrap_or(usize::MAX);
    let kept = thread.layout.turns.len().saturating_sub(count);
    if thread.layout.paginated {
        // Paginated rollouts have no rollback: 0.164 reverts to before the first turn that goes.
        let Some(first) = thread.layout.turns.get(kept) else {
            return Err(EditError::Invalid("the thread has no turns".to_owned()));
        };
        let place = first.start;
        return reverted(editor, &thread, "rollback", place, kept);
    }
    if thread.layout.turns.is_empty() {
        return Err(EditError::Invalid("the thread has no turns".to_owned()));
    }
    let now = editor.now();
    let (path, mut steps) = plain(&editor.head);
    let payload = Object::new().text("type", "thread_rolled_back").number("num_turns", turns).end();
    steps.push(Step::Append {
        path: path.clone(),
        lines: line::record(now, None, "event_msg", &payload),
    });
    let changes = take(editor, &thread.session, steps)?;
    Ok(Report {
        path,
        turns: Some(kept),
        removed_turns: ids(&thread.layout.turns[kept..]),
        changes,
        ..editor.report("rollback")
    })
}

pub(super) fn revert(editor: &Editor, before_turn: &str) -> Result<Report, EditError> {
    let thread = Thread::open(editor)?;
    let kept = thread.number(before_turn)?;
    if !thread.layout.paginated {
        return Err(EditError::Invalid(format!(
            "a legacy rollout has no revert; `rollback` takes its last turns away ({} from this one on)",
            thread.layout.turns.len() - kept
        )));
    }
    let place = thread.layout.turns[kept].start;
    reverted(editor, &thread, "revert", place, kept)
}

/// Writes a new rollout of the same thread that begins with a part of it, and makes it the current one.
fn reverted(
    editor: &Editor,
    thread: &Thread<'_>,
    operation: &'static str,
    place: Place,
    kept: usize,
) -> Result<Report, EditError> {
    let now = editor.now();
    let head = &editor.head;
    let mut steps = Vec::new();
    let mut header = thread.header(&head.id, &REVERT_LEAVES_OUT)?;
    let begin = thread.beginning(place, now, &mut steps);
    if let Some(base) = &begin.base {
        header = header.raw("history_base", base);
    }
    let header = header.text("timestamp", &line::timestamp(now));
    let mut content = line::record(now, begin.ordinal, "session_meta", &header.end());
    content.push_str(&begin.records);
    content.push_str(&thread.settings(&head.id, now, begin.next));
    let path = rollout_path(&head.root, now, &editor.zone(), &format!("{}_{}", head.id, new_id()));
    steps.push(Step::Create { path: path.clone(), content: content.into_bytes() });
    let set = vec![
        ("rollout_path", Cell::Text(absolute(&path))),
        ("updated_at", Cell::Integer(now.as_second())),
        ("updated_at_ms", Cell::Integer(now.as_millisecond())),
    ];
    steps.extend(row(head, set)?);
    let changes = take(editor, &thread.session, steps)?;
    Ok(Report {
        path,
        turns: Some(kept),
        removed_turns: ids(&thread.layout.turns[kept..]),
        changes,
        ..editor.report(operation)
    })
}

pub(super) fn archive(editor: &Editor) -> Result<Report, EditError> {
    let head = &editor.head;
    if place_of(head)? == ARCHIVED {
        return Err(EditError::Invalid("the thread is archived already".to_owned()));
    }
    let folder = head.root.join(ARCHIVED);
    let set = vec![
        ("archived", Cell::Integer(1)),
        ("archived_at", Cell::Integer(editor.now().as_second())),
    ];
    moved(editor, set, "archive", |_| folder.clone())
}

pub(super) fn unarchive(editor: &Editor) -> Result<Report, EditError> {
    let head = &editor.head;
    if place_of(head)? != ARCHIVED {
        return Err(EditError::Invalid("the thread is not archived".to_owned()));
    }
    let set = vec![("archived", Cell::Integer(0)), ("archived_at", Cell::Null)];
    let sessions = head.root.join(SESSIONS);
    moved(editor, set, "unarchive", |rollout| {
        // The folder is that of the date in the name.
        let date = rollout.named_time.split('T').next().unwrap_or("");
        date.split('-').filter(|part| !part.is_empty()).fold(sessions.clone(), |f, p| f.join(p))
    })
}

/// Moves the rollouts of a thread, also those that a revert left behind: Codex takes one that stays for the thread.
fn moved(
    editor: &Editor,
    mut set: Vec<(&'static str, Cell)>,
    operation: &'static str,
    folder: impl Fn(&Rollout) -> PathBuf,
) -> Result<Report, EditError> {
    let head = &editor.head;
    let session = Session::open(editor)?;
    let mut result = head.path.clone();
    let mut steps = Vec::new();
    for rollout in Rollouts::below(&head.root).all {
        let current = rollout.path == head.path;
        if rollout.thread_id != head.id || rollout.archived == (operation == "archive") && !current
        {
            continue;
        }
        let to = folder(&rollout).join(file_name(&rollout.path));
        if current {
            result.clone_from(&to);
        }
        steps.push(Step::Move { from: rollout.path, to });
    }
    if result == head.path {
        // Its name says nothing of the thread, or the session was named by another way to it.
        return Err(EditError::Outside(head.path.clone()));
    }
    set.insert(0, ("rollout_path", Cell::Text(absolute(&result))));
    steps.extend(row(head, set)?);
    let changes = take(editor, &session, steps)?;
    Ok(Report { path: result, changes, ..editor.report(operation) })
}

pub(super) fn row(
    head: &SessionHead,
    set: Vec<(&'static str, Cell)>,
) -> Result<Option<Step>, EditError> {
    index::row(&head.root, &head.id, set)
        .map(|row| row.map(Step::Row))
        .map_err(EditError::io(&head.root))
}

/// Of a header what a fork does not take over: it is its own thread, and nobody's sub-agent.
const FORK_LEAVES_OUT: [&str; 13] = [
    "session_id",
    "id",
    "timestamp",
    "forked_from_id",
    "forked_from_ordinal_exclusive",
    "history_base",
    "context_window",
    "parent_thread_id",
    "agent_nickname",
    "agent_role",
    "agent_path",
    "subagent_history_start_ordinal",
    "source",
];
/// A revert stays the same thread.
const REVERT_LEAVES_OUT: [&str; 3] = ["id", "timestamp", "history_base"];

/// A Codex thread that is going to be changed.
struct Thread<'e> {
    head: &'e SessionHead,
    session: Session,
    layout: Layout,
}

impl<'e> Thread<'e> {
    fn open(editor: &'e Editor) -> Result<Self, EditError> {
        place_of(&editor.head)?;
        let session = Session::open(editor)?;
        let layout = layout(session.opened.input());
        Ok(Self { head: &editor.head, session, layout })
    }

    fn number(&self, turn: &str) -> Result<usize, EditError> {
        let mut turns = self.layout.turns.iter();
        turns.position(|t| t.id == turn).ok_or_else(|| EditError::NoSuchTurn(turn.to_owned()))
    }

    fn cut(&self, cut: &Cut) -> Result<Place, EditError> {
        Ok(match cut {
            Cut::End => self.layout.end,
            Cut::After(turn) => {
                let turn = &self.layout.turns[self.number(turn)?];
                if !turn.ended {
                    return Err(EditError::TurnOpen(turn.id.clone()));
                }
                turn.end
            }
            Cut::Before(turn) => self.layout.turns[self.number(turn)?].start,
        })
    }

    /// How many turns stand before a place, and the ids of the others.
    fn kept(&self, place: Place) -> (usize, Vec<String>) {
        let before = |t: &&TurnPlace| (t.start.part, t.start.byte) < (place.part, place.byte);
        let kept = self.layout.turns.iter().take_while(before).count();
        (kept, ids(&self.layout.turns[kept..]))
    }

    /// The thread's header as the beginning of another one, `id` first.
    fn header(&self, id: &str, leave_out: &[&str]) -> Result<Object, EditError> {
        let bytes = &self.session.opened.bytes;
        let meta = lines(bytes).find_map(|line| {
            let Body::Value(record) = line.parse() else { return None };
            let is_meta = record.str("type").is_some_and(|t| t == "session_meta");
            record.get("payload").filter(|p| is_meta && p.is_object())
        });
        let Some(meta) = meta else {
            return Err(EditError::Invalid(format!(
                "{} has no header that could be taken over",
                self.head.path.display()
            )));
        };
        let mut header = Object::new();
        if leave_out.contains(&"session_id") {
            header = header.text("session_id", id);
        }
        header = header.text("id", id);
        if leave_out.contains(&"source") {
            header = header.raw("source", source(meta));
        }
        // What a sub-agent's header says of its kind is not true of its fork.
        let of_subagent = meta.at(&["source", "subagent"]).is_some();
        let mut leave_out = leave_out.to_vec();
        if of_subagent && leave_out.contains(&"source") {
            leave_out.push("thread_source");
        }
        Ok(header.members_of(meta, &leave_out))
    }

    /// How a rollout begins that goes on from `place`.
    fn beginning(&self, place: Place, now: jiff::Timestamp, steps: &mut Vec<Step>) -> Beginning {
        if !self.layout.paginated {
            let records = self.copy(place, now);
            return Beginning { records, ..Beginning::default() };
        }
        // Without a turn nothing is inherited, and numbers begin anew.
        let first = self.layout.turns.first().is_some_and(|t| t.start == place);
        if place.byte == 0 || first && !self.layout.inherits_context {
            return Beginning::numbered(None, 0, String::new(), 1);
        }
        let rollout = |part: usize| {
            let own =
                || Rollout::at(&self.head.path).map_or_else(|| self.head.id.clone(), |r| r.id);
            self.layout.parts.get(part).and_then(Option::clone).unwrap_or_else(own)
        };
        let seen = |part: usize| index::projected(&self.head.root, &rollout(part));
        if seen(place.part) < place.ordinal || (0..place.part).any(|part| seen(part) == 0) {
            // Codex would not show what it has not projected: the records themselves come along.
            let mut records = String::new();
            let mut ordinal = 1;
            for record in records_before(self.session.opened.input(), place) {
                let Ok(record) = recount_formats::json::parse(&record) else { continue };
                records.push_str(&renumbered(record, ordinal));
                ordinal += 1;
            }
            return Beginning::numbered(None, 0, records, ordinal);
        }
        let bytes = &self.session.opened.bytes;
        let end = usize::try_from(place.byte).unwrap_or(usize::MAX);
        let inherited = self.layout.parts.get(place.part).is_some_and(Option::is_some);
        let mut byte = place.byte;
        // A last record without its line ending counts; what builds on it needs the line to end.
        if !inherited && end == bytes.len() && bytes.last() != Some(&b'\n') {
            let (path, repair) = plain(self.head);
            steps.extend(repair);
            steps.push(Step::Append { path, lines: String::new() });
            byte += 1;
        }
        let base = Object::new()
            .text("thread_id", &rollout(place.part))
            .number("end_ordinal_exclusive", place.ordinal)
            .number("end_byte_offset", byte);
        Beginning::numbered(Some(base.end()), place.ordinal, String::new(), place.ordinal + 1)
    }

    /// The records before `place`, as a legacy fork copies them: all that can be read, with the time of the copy.
    fn copy(&self, place: Place, now: jiff::Timestamp) -> String {
        let bytes = &self.session.opened.bytes;
        let end = usize::try_from(place.byte).unwrap_or(usize::MAX).min(bytes.len());
        let mut copy = String::with_capacity(end);
        for line in lines(&bytes[..end]) {
            let Body::Value(record) = line.parse() else { continue };
            if record.is_object() {
                let time = line::timestamp(now);
                let record =
                    Object::new().text("timestamp", &time).members_of(record, &["timestamp"]);
                copy.push_str(&record.end());
                copy.push('\n');
            }
        }
        copy
    }

    /// The settings that were in force, which Codex repeats at the beginning of what goes on from here.
    fn settings(&self, id: &str, now: jiff::Timestamp, ordinal: Option<u64>) -> String {
        let Some(settings) = &self.layout.settings else { return String::new() };
        let payload = Object::new()
            .text("type", "thread_settings_applied")
            .text("thread_id", id)
            .members_of(settings.get(), &["type", "thread_id"]);
        line::record(now, ordinal, "event_msg", &payload.end())
    }
}

/// Where a rollout of this time belongs.
pub(in crate::recorder) fn rollout_path(
    root: &Path,
    now: jiff::Timestamp,
    zone: &jiff::tz::TimeZone,
    ids: &str,
) -> PathBuf {
    let time = now.to_zoned_datetime(zone.clone());
    let name = format!("rollout-{}-{ids}.jsonl", time.strftime("%Y-%m-%dT%H-%M-%S"));
    root.join(SESSIONS)
        .join(time.strftime("%Y").to_string())
        .join(time.strftime("%m").to_string())
        .join(time.strftime("%d").to_string())
        .join(name)
}

/// How a rollout begins that goes on from another.
#[derive(Debug, Default)]
struct Beginning {
    /// Its `history_base`.
    base: Option<String>,
    /// The number of its header.
    ordinal: Option<u64>,
    /// Records that come along.
    records: String,
    /// The number of what follows.
    next: Option<u64>,
}

impl Beginning {
    fn numbered(base: Option<String>, ordinal: u64, records: String, next: u64) -> Self {
        Self { base, ordinal: Some(ordinal), records, next: Some(next) }
    }
}

/// A record with another number.
fn renumbered(record: Json<'_>, ordinal: u64) -> String {
    let mut object = Object::new();
    for (key, value) in record.members() {
        let key = key.get();
        object = match &*key {
            "ordinal" => object.number("ordinal", ordinal),
            _ => object.raw(&key, value.raw()),
        };
    }
    let mut line = object.end();
    line.push('\n');
    line
}

fn ids(turns: &[TurnPlace]) -> Vec<String> {
    // A turn that two records open stands there twice under one id.
    let mut seen = HashSet::new();
    turns.iter().map(|t| t.id.clone()).filter(|id| seen.insert(id.clone())).collect()
}

/// Who starts a fork: a person. Codex does not list what `exec` started.
fn source(meta: Json<'_>) -> &str {
    match meta.get("source") {
        Some(source) if source.raw() == "\"vscode\"" => source.raw(),
        _ => "\"cli\"",
    }
}

/// Which of Codex's folders a thread lies in.
pub(super) fn place_of(head: &SessionHead) -> Result<&'static str, EditError> {
    let outside = || EditError::Outside(head.path.clone());
    let root = head.root.canonicalize().map_err(|_| outside())?;
    let path = head.path.canonicalize().map_err(|_| outside())?;
    let inside = path.strip_prefix(root).map_err(|_| outside())?;
    let mut parts = inside.components();
    let first = parts.next().ok_or_else(outside)?;
    let depth = parts.count();
    match first.as_os_str().to_str() {
        Some(SESSIONS) if depth == DATE_LEVELS + 1 => Ok(SESSIONS),
        Some(ARCHIVED) if depth == 1 => Ok(ARCHIVED),
        _ => Err(outside()),
    }
}

/// The plain file of a thread, and the step that makes it when there is only a compressed one.
fn plain(head: &SessionHead) -> (PathBuf, Vec<Step>) {
    if !file::is_zst(&head.path) {
        return (head.path.clone(), Vec::new());
    }
    let to = head.path.with_extension("");
    (to.clone(), vec![Step::Restore { from: head.path.clone(), to }])
}

fn file_name(path: &Path) -> PathBuf {
    path.file_name().map_or_else(PathBuf::new, PathBuf::from)
}

/// A path as Codex's rows have it.
fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
}

/// A new id: version 7, which begins with the time and is different each time.
fn new_id() -> String {
    uuid::Uuid::now_v7().to_string()
}
