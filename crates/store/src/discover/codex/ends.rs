//! What the head and the tail of a rollout tell, without reading the rest.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use memchr::memmem;
use recount_formats::jsonl::{Body, Line, lines};
use recount_formats::{Code, Finding, Json, Position};
use recount_session::RawJson;

use super::files::Rollout;
use crate::container::file::{self, Ends};
use crate::head::{Git, Origin, SessionHead};

/// How much of the head is read at first: enough for the header with its base instructions (20 KB) and
/// what stands before the first prompt, in most files.
const HEAD: usize = 48 << 10;
/// How much of the head is read at most.
const HEAD_LIMIT: usize = 1 << 20;
/// How much of the tail is read: the last record is short, but an answer of the model may stand before it.
const TAIL: usize = 16 << 10;

/// Fills in what the file tells.
pub(super) fn fill(head: &mut SessionHead, rollout: &Rollout) {
    let source: Arc<str> = rollout.path.to_string_lossy().into();
    let find = |code, at, message: String| Finding::new(code, &source, at, message);
    let ends = match read(&rollout.path) {
        Ok(ends) => ends,
        Err(e) => {
            head.found.push(find(Code::Unreadable, Position::WHOLE, e.to_string()));
            return;
        }
    };
    head.size = ends.len;
    if ends.len == 0 {
        head.found.push(find(Code::EmptyFile, Position::WHOLE, "the file has no bytes".into()));
    }
    let mut facts = Facts::default();
    for line in complete(&ends) {
        facts.see(&line);
        if facts.is_enough() {
            break;
        }
    }
    if !facts.has_header && ends.len > 0 {
        let at = lines(&ends.head).next().map_or(Position::WHOLE, |l| l.at);
        head.found.push(find(
            Code::MissingHeader,
            at,
            "the file does not begin with `session_meta`".into(),
        ));
    }
    let tail = ends.tail.as_deref().unwrap_or(&ends.head);
    let (written, model) = last_of(tail);
    head.created_at = facts.created_at.or_else(|| from_name(&rollout.named_time));
    head.updated_at = written
        .or_else(|| ends.modified.and_then(file::rfc3339))
        .or_else(|| head.created_at.clone());
    head.model = model.or(facts.model);
    head.cwd = facts.cwd;
    head.origin = Origin {
        preview: facts.prompt.clone(),
        has_prompt: facts.prompt.is_some(),
        is_told: true,
        ..facts.origin
    };
    head.title = facts.prompt.or(facts.agent);
    head.parent_id = facts.parent_id;
    head.forked_from_id = facts.forked_from_id;
    head.is_subagent = facts.is_subagent;
}

/// Whether a prompt stands in the head of a rollout.
pub(super) fn prompted(path: &Path) -> bool {
    let Ok(ends) = read(path) else { return false };
    let mut facts = Facts::default();
    complete(&ends).iter().any(|line| {
        facts.see(line);
        facts.prompt.is_some()
    })
}

/// A rollout under a name that tells nothing, known by its header.
pub(super) fn unnamed(path: &Path) -> Option<Rollout> {
    let ends = read(path).ok()?;
    let first = complete(&ends).into_iter().next()?;
    let Body::Value(record) = first.parse() else { return None };
    if record.str("type")? != "session_meta" {
        return None;
    }
    let id = record.at(&["payload", "id"])?.as_str()?.into_owned();
    Some(Rollout {
        path: path.to_owned(),
        thread_id: id.clone(),
        id,
        named_time: String::new(),
        archived: false,
    })
}

/// Both ends of a file. The head of a plain file grows until it holds the first prompt or the limit is reached.
fn read(path: &Path) -> io::Result<Ends> {
    if file::is_zst(path) {
        return compressed(path);
    }
    let mut ends = file::ends(path, HEAD, TAIL)?;
    let mut size = HEAD;
    while ends.tail.is_some() && size < HEAD_LIMIT && !has_prompt(&ends.head) {
        size *= 4;
        ends = file::ends(path, size, TAIL)?;
    }
    Ok(ends)
}

/// The head of a compressed file. Its tail cannot be had without the rest, but such a file was idle for a
/// week before it was compressed, and the file system keeps its time.
fn compressed(path: &Path) -> io::Result<Ends> {
    let meta = std::fs::metadata(path)?;
    let mut stream = file::open(path)?;
    let mut head = Vec::with_capacity(HEAD);
    let mut size = HEAD;
    loop {
        let room = (size - head.len()) as u64;
        let read = stream.by_ref().take(room).read_to_end(&mut head);
        let ended = read.is_err() || head.len() < size;
        if ended {
            // All of it is here (or all that is readable): the tail too.
            return Ok(Ends { head, tail: None, len: meta.len(), modified: meta.modified().ok() });
        }
        if size >= HEAD_LIMIT || has_prompt(&head) {
            break;
        }
        size *= 4;
    }
    Ok(Ends { head, tail: Some(Vec::new()), len: meta.len(), modified: meta.modified().ok() })
}

/// Whether a prompt stands in the head and its line is whole.
fn has_prompt(head: &[u8]) -> bool {
    let at =
        memmem::find(head, b"\"user_message\"").or_else(|| memmem::find(head, b"\"UserMessage\""));
    at.is_some_and(|at| memchr::memchr(b'\n', &head[at..]).is_some())
}

/// The lines of the head that are not cut off.
fn complete(ends: &Ends) -> Vec<Line<'_>> {
    let mut all: Vec<_> = lines(&ends.head).collect();
    if ends.tail.is_some() && all.last().is_some_and(|l| !l.is_terminated()) {
        all.pop();
    }
    all
}

/// What the head tells.
#[derive(Debug, Default)]
struct Facts {
    seen: usize,
    has_header: bool,
    created_at: Option<String>,
    cwd: Option<String>,
    parent_id: Option<String>,
    forked_from_id: Option<String>,
    is_subagent: bool,
    model: Option<String>,
    prompt: Option<String>,
    /// What a sub-agent is called.
    agent: Option<String>,
    /// Where a sub-agent's own history begins: a copy of its parent's stands before.
    own_from: u64,
    origin: Origin,
}

impl Facts {
    fn is_enough(&self) -> bool {
        self.prompt.is_some() && self.model.is_some()
    }

    fn see(&mut self, line: &Line<'_>) {
        // Most lines of a head are long instructions: look for the few words that matter before parsing.
        let has = |word: &[u8]| memmem::find(line.raw, word).is_some();
        let first = self.seen == 0;
        let wanted = first
            || (self.prompt.is_none() && (has(b"\"user_message\"") || has(b"\"UserMessage\"")))
            || (self.model.is_none() && has(b"\"turn_context\""));
        if !wanted {
            self.seen += 1;
            return;
        }
        let Body::Value(record) = line.parse() else { return };
        self.seen += 1;
        let Some(payload) = record.get("payload") else { return };
        match record.str("type").as_deref() {
            Some("session_meta") if first => self.header(record, payload),
            Some("turn_context") if self.model.is_none() => self.model = owned(payload, "model"),
            Some("event_msg") if self.prompt.is_none() => {
                let inherited =
                    record.get("ordinal").and_then(Json::as_u64).is_some_and(|n| n < self.own_from);
                self.prompt = if inherited { None } else { prompt(payload) };
            }
            _ => {}
        }
    }

    fn header(&mut self, record: Json<'_>, payload: Json<'_>) {
        self.has_header = true;
        self.created_at = owned(payload, "timestamp").or_else(|| owned(record, "timestamp"));
        self.cwd = owned(payload, "cwd");
        self.forked_from_id = owned(payload, "forked_from_id");
        self.own_from =
            payload.get("subagent_history_start_ordinal").and_then(Json::as_u64).unwrap_or(0);
        self.agent = owned(payload, "agent_path").or_else(|| owned(payload, "agent_nickname"));
        let subagent = payload.at(&["source", "subagent"]);
        self.parent_id = owned(payload, "parent_thread_id")
            .or_else(|| owned(subagent?.get("thread_spawn")?, "parent_thread_id"));
        // `internal` are Codex's own helpers, such as the guardian and memory.
        self.is_subagent = subagent.is_some()
            || payload.at(&["source", "internal"]).is_some()
            || payload.str("thread_source").is_some_and(|s| s == "subagent")
            || self.parent_id.is_some();
        self.origin = origin(payload);
    }
}

fn origin(header: Json<'_>) -> Origin {
    let own = |key| owned(header, key);
    let spawn = header.at(&["source", "subagent", "thread_spawn"]);
    let git = header.get("git").filter(|git| git.is_object());
    Origin {
        session_id: own("session_id"),
        history_mode: own("history_mode"),
        model_provider: own("model_provider"),
        version: own("cli_version"),
        originator: own("originator"),
        source: header.get("source").filter(|source| !source.is_null()).map(RawJson::new),
        thread_source: own("thread_source"),
        git: git.map(|git| Git {
            sha: owned(git, "commit_hash"),
            branch: owned(git, "branch"),
            origin_url: owned(git, "repository_url"),
        }),
        agent_nickname: own("agent_nickname").or_else(|| owned(spawn?, "agent_nickname")),
        agent_role: own("agent_role").or_else(|| owned(spawn?, "agent_role")),
        ..Origin::default()
    }
}

fn owned(object: Json<'_>, key: &str) -> Option<String> {
    object.str(key).map(std::borrow::Cow::into_owned)
}

/// The text of a prompt for lists.
fn prompt(payload: Json<'_>) -> Option<String> {
    recount_session::rebuild::codex::preview_of(payload)
}

/// The time of the last record and the last model that the tail names.
fn last_of(tail: &[u8]) -> (Option<String>, Option<String>) {
    let mut written = None;
    let mut model = None;
    for line in tail.rsplit(|&b| b == b'\n').filter(|l| !l.is_empty()) {
        let settings = model.is_none() && memmem::find(line, b"\"turn_context\"").is_some();
        if written.is_some() && !settings {
            if model.is_some() {
                break;
            }
            continue;
        }
        let Ok(text) = std::str::from_utf8(line) else { continue };
        let Ok(record) = recount_formats::json::parse(text) else { continue };
        if written.is_none() {
            written = owned(record, "timestamp");
        }
        if settings && record.str("type").is_some_and(|t| t == "turn_context") {
            model = record.get("payload").and_then(|p| owned(p, "model"));
        }
    }
    (written, model)
}

/// The time of the last record of a plain file that has one, however long it is: that of the file changes when it is copied.
pub(super) fn last_time(path: &Path) -> Option<String> {
    if file::is_zst(path) {
        return None;
    }
    let mut tail = TAIL;
    loop {
        let ends = file::ends(path, 0, tail).ok()?;
        let (written, _) = last_of(ends.tail.as_deref().unwrap_or(&ends.head));
        if written.is_some() || ends.tail.is_none() {
            return written;
        }
        tail = tail.saturating_mul(16);
    }
}

/// The time in a file's name. It is local; that is all there is to go by.
fn from_name(time: &str) -> Option<String> {
    let (date, clock) = time.split_once('T')?;
    let clock = clock.replace('-', ":");
    let zone = jiff::tz::TimeZone::system();
    let local: jiff::civil::DateTime = format!("{date}T{clock}").parse().ok()?;
    Some(format!("{:.3}", zone.to_timestamp(local).ok()?))
}

/// The beginning of a file, for a look at its header.
pub(super) fn peek(path: &Path, len: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    if file::is_zst(path) {
        let _ = file::open(path).ok()?.take(len).read_to_end(&mut bytes);
    } else {
        File::open(path).ok()?.take(len).read_to_end(&mut bytes).ok()?;
    }
    Some(bytes)
}
