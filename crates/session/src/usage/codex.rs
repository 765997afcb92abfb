//! Codex: one response a `token_usage_record`; before these existed, one a cumulative counter that moved.
//!
//! - A record is one response. One of another thread is a copy (forks and sub-agents replay their parent).
//! - A `token_count` behind a record repeats it; one that has no record and whose total moved is a response of
//!   its own, its tokens the difference (corpus `codex/old-*`). `info: null` and unchanged totals are none
//!   (corpus-reports `token-count-repeats`): after a compaction or rollback only an estimate changes. The usage
//!   of a compaction may stand in a record only (`compaction-usage-only-in-record`).
//! - A counter that begins again (`old-v050-exec`: a resumed thread) counts from zero. A total without parts is
//!   one that Codex made up when the context overflowed.
//! - Forks without records replay their parent's counters, stamped with the time of the fork
//!   (`fork-replays-history`): whether a counter is such a copy is for [`mod@super::resolve`] to decide, which
//!   sees the parent too. Sub-agents say where their own history starts (`subagent_history_start_ordinal`).

use recount_formats::json::{Outline, Part};
use serde::{Deserialize, Serialize};

use super::{
    Alike, BadBytes, Key, KeyMap, NO_TIME, Origin, Place, Reason, Response, Tokens, Transcript,
    each_record, number, text, time_of, uuid7_millis,
};

/// Records and counters hold the first, the name of the model stands in lines with the second.
pub const NEEDLES: &[&str] = &["token_usage", "turn_context"];

/// Lines at the beginning among which `session_meta` lines are looked for.
const HEAD: u32 = 20;

/// Counters up to so long after the file was created are compared with the parent's, in milliseconds.
const NEAR: i64 = 60_000;

/// Lines of a copy follow each other within so many milliseconds, and so many bytes more each millisecond.
const PAUSE: i64 = 50;
const COPIED_PER_MILLI: u64 = 20_000;

/// One `TokenUsage` object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Counter {
    input: u64,
    cached: u64,
    cache_write: u64,
    output: u64,
    reasoning: u64,
}

impl Counter {
    fn of(usage: Part<'_>) -> Self {
        Self {
            input: number(usage, "input_tokens"),
            cached: number(usage, "cached_input_tokens"),
            cache_write: number(usage, "cache_write_input_tokens"),
            output: number(usage, "output_tokens"),
            reasoning: number(usage, "reasoning_output_tokens"),
        }
    }

    /// What came on top of `before`; nothing when a part went down.
    fn since(self, before: Self) -> Option<Self> {
        Some(Self {
            input: self.input.checked_sub(before.input)?,
            cached: self.cached.checked_sub(before.cached)?,
            cache_write: self.cache_write.checked_sub(before.cache_write)?,
            output: self.output.checked_sub(before.output)?,
            reasoning: self.reasoning.checked_sub(before.reasoning)?,
        })
    }

    const fn numbers(self) -> [u64; 5] {
        [self.input, self.cached, self.cache_write, self.output, self.reasoning]
    }

    /// Codex counts cached and written input in the input.
    fn tokens(self) -> Tokens {
        let known = self.cached.saturating_add(self.cache_write);
        Tokens {
            input: self.input.saturating_sub(known),
            cached: self.cached,
            cache_write: self.cache_write,
            cache_write_1h: 0,
            output: self.output,
            reasoning: self.reasoning,
            total: 0,
        }
        .summed()
    }
}

/// Identifies a response by the total behind it and by its own numbers.
fn counter_key(total: Counter, last: Counter) -> Key {
    let mut numbers = [0; 10];
    numbers[..5].copy_from_slice(&total.numbers());
    numbers[5..].copy_from_slice(&last.numbers());
    Key::of_numbers("codex", &numbers)
}

/// A record whose counter has not come yet.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Pending {
    usage: Counter,
    total: Option<Counter>,
    index: u32,
}

/// The rules for the lines of one rollout.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Scanner {
    out: Transcript,
    name: String,
    head: u32,
    head_done: bool,
    has_meta: bool,
    created: Option<i64>,
    /// Lines before this ordinal were inherited.
    own_from: Option<u64>,
    /// Whether counters may go on from a thread whose lines are not here.
    continues: bool,
    model: u32,
    turn: Option<i64>,
    total: Option<Counter>,
    pending: Vec<Pending>,
    /// The newest response that was counted without a record, with its key.
    bare: Option<(Key, u32)>,
    /// Time and place of the newest line of a copied beginning; nothing once it ended.
    burst: Option<(i64, u64)>,
    /// Further keys of responses: of a record behind its counter.
    also: Vec<(Key, u32)>,
    #[serde(skip)]
    seen: KeyMap<u32>,
    #[serde(skip)]
    alike: Alike,
    #[serde(skip)]
    outline: Outline,
}

impl Scanner {
    /// `name` is the file's name without extensions, `rollout-TIME-ID`.
    pub fn new(name: &str, notes: bool) -> Self {
        let mut out = Transcript::new();
        id_of_name(name).clone_into(&mut out.thread);
        out.notes = notes.then(Vec::new);
        Self {
            out,
            name: name.to_owned(),
            head: 0,
            head_done: false,
            has_meta: false,
            created: None,
            own_from: None,
            continues: false,
            model: 0,
            turn: None,
            total: None,
            pending: Vec::new(),
            bare: None,
            burst: None,
            also: Vec::new(),
            seen: KeyMap::default(),
            alike: Alike::default(),
            outline: Outline::default(),
        }
    }

    /// Whether every line is wanted: until the `session_meta` lines are over. A fork has its parents' too.
    pub fn wants_all(&self) -> bool {
        !self.head_done && self.head < HEAD
    }

    /// Takes a line.
    pub fn line(&mut self, line: &[u8], at: Place) {
        self.head = self.head.saturating_add(1);
        let mut outline = std::mem::take(&mut self.outline);
        let lost = each_record(line, BadBytes::Skipped, NEEDLES[0], &mut outline, |record| {
            self.record(record, at);
        });
        self.outline = outline;
        if lost {
            self.out.note(at, Reason::Damaged, Tokens::default());
        }
    }

    fn record(&mut self, record: Part<'_>, at: Place) {
        let (mut kind, mut payload, mut time, mut ordinal) = (None, None, None, None);
        for (key, value) in record.members() {
            match &*key {
                "type" => kind = Some(value),
                "payload" => payload = Some(value),
                "timestamp" => time = value.as_str().and_then(|t| super::millis(&t)),
                "ordinal" => ordinal = value.json().as_u64(),
                _ => {}
            }
        }
        if self.out.first_time.is_none() {
            self.out.first_time = time;
        }
        let (Some(kind), Some(payload)) = (kind, payload) else { return };
        let at = Line { at, time, ordinal };
        if kind.is("session_meta") {
            self.meta(payload, time);
        } else {
            self.head_done |= self.has_meta;
            if kind.is("token_usage_record") {
                self.usage_record(payload, at);
            } else if kind.is("turn_context") {
                if let Some(model) = text(payload, "model") {
                    self.model = self.out.name(&model);
                }
                self.turn = text(payload, "turn_id").and_then(|id| uuid7_millis(&id));
            } else if kind.is("event_msg")
                && payload.get("type").is_some_and(|t| t.is("token_count"))
            {
                self.token_count(payload, at);
            }
        }
        self.follow_burst(at);
    }

    fn meta(&mut self, payload: Part<'_>, time: Option<i64>) {
        let id = text(payload, "id");
        if self.has_meta {
            // A copied line: the thread that this one was made from, or one before that.
            if let Some(id) = id.filter(|id| **id != self.out.thread) {
                self.add_source(&id);
            }
            return;
        }
        self.has_meta = true;
        if let Some(id) = id {
            self.out.thread = id.into_owned();
        }
        self.out.project = text(payload, "cwd").map(std::borrow::Cow::into_owned);
        self.created = time.or_else(|| time_of(payload));
        self.own_from =
            payload.get("subagent_history_start_ordinal").and_then(|n| n.json().as_u64());
        let source = payload.get("source");
        let spawn = source.and_then(|s| s.at(&["subagent", "thread_spawn"]));
        let parents = [
            text(payload, "forked_from_id"),
            text(payload, "parent_thread_id"),
            spawn.and_then(|s| text(s, "parent_thread_id")),
        ];
        for parent in parents.into_iter().flatten() {
            self.add_source(&parent);
        }
        self.out.is_subagent = source.is_some_and(|s| s.get("subagent").is_some())
            || text(payload, "thread_source").is_some_and(|s| s == "subagent");
        self.continues = payload.get("history_base").is_some_and(Part::is_object);
        if !self.out.sources.is_empty() {
            self.continues = true;
            self.burst = self.created.map(|t| (t, 0));
        }
    }

    fn add_source(&mut self, id: &str) {
        if !self.out.sources.iter().any(|s| s == id) && self.out.sources.len() < 64 {
            self.out.sources.push(id.to_owned());
        }
    }

    fn usage_record(&mut self, payload: Part<'_>, at: Line) {
        let Some(usage) = payload.get("usage").filter(|u| u.is_object()) else { return };
        let usage = Counter::of(usage);
        let total = payload.get("thread_token_usage").filter(|u| u.is_object()).map(Counter::of);
        let maker = text(payload, "thread_id").filter(|id| **id != self.out.thread);
        let counter = total.map_or(Key::NONE, |total| counter_key(total, usage));
        let key = match text(payload, "response_id") {
            Some(id) => Key::of("response", &id),
            None => self.numbered(counter),
        };
        if let Some(&known) = self.seen.get(&key) {
            self.out.note(at.at, Reason::Repeats(known), usage.tokens());
            return;
        }
        // Should a writer put the counter first, the record is the same response.
        if let Some((bare, index)) = self.bare
            && bare == counter
        {
            self.seen.insert(key, index);
            self.also.push((key, index));
            self.out.note(at.at, Reason::Repeats(index), usage.tokens());
            self.bare = None;
            return;
        }
        let origin = if maker.is_some() { Origin::Copied } else { Origin::Own };
        let turn = text(payload, "turn_id").and_then(|id| uuid7_millis(&id));
        let own = self.out.thread.clone();
        let maker = maker.as_deref().unwrap_or(&own);
        let index = self.push(usage, key, counter, origin, maker, turn, at);
        self.pending.push(Pending { usage, total, index });
    }

    fn token_count(&mut self, payload: Part<'_>, at: Line) {
        let Some(info) = payload.get("info").filter(|i| i.is_object()) else { return };
        let last = info.get("last_token_usage").filter(|u| u.is_object()).map(Counter::of);
        let Some(total_json) = info.get("total_token_usage").filter(|u| u.is_object()) else {
            return;
        };
        let total = Counter::of(total_json);
        let shown = last.unwrap_or(total).tokens();
        if total == Counter::default() && number(total_json, "total_tokens") > 0 {
            self.out.note(at.at, Reason::Synthesized, shown);
            self.total = Some(total);
            return;
        }
        let before = self.total.replace(total);
        if before.unwrap_or_default() == total {
            self.out.note(at.at, Reason::Unmoved, shown);
            return;
        }
        let moved = before.map(|before| total.since(before));
        if let Some(record) = self.pending.iter().rev().find(|p| {
            Some(p.usage) == last || p.total == Some(total) || moved == Some(Some(p.usage))
        }) {
            self.out.note(at.at, Reason::Repeats(record.index), shown);
            self.pending.clear();
            return;
        }
        self.pending.clear();
        let used = match (moved, last) {
            // The first counter of a file: what came before it belongs to the thread that it goes on from.
            (None, Some(last)) if self.continues => last,
            (None, _) => total,
            (Some(Some(moved)), Some(last)) if moved == last => last,
            // A counter that began again, even when its first total is larger than the old one.
            (Some(_), Some(last)) if last == total => last,
            (Some(Some(moved)), _) => moved,
            (Some(None), last) => last.unwrap_or(total),
        };
        let counter = counter_key(total, last.unwrap_or(used));
        let near = |this: &Self| {
            !this.out.sources.is_empty()
                && this.created.zip(at.time).is_none_or(|(created, time)| time - created <= NEAR)
        };
        let origin = if self.own_from.zip(at.ordinal).is_some_and(|(from, n)| n < from) {
            Origin::Copied
        } else if self.burst_reaches(at) {
            Origin::Inherited
        } else if near(self) {
            Origin::Suspect
        } else {
            Origin::Own
        };
        let key = if matches!(origin, Origin::Own | Origin::Suspect) {
            self.numbered(counter)
        } else {
            Key::NONE
        };
        let own = self.out.thread.clone();
        let index = self.push(used, key, counter, origin, &own, self.turn, at);
        self.bare = Some((counter, index));
    }

    /// An identity for a response that has none: the numbers in this very rollout, which may stand on the disk
    /// twice (compressed and not, archived and not). Equal numbers in a row, as mock servers give, differ by
    /// their place.
    fn numbered(&mut self, counter: Key) -> Key {
        let nth = |n: u64| Key::of(&self.name, &format!("{:x}/{n}", counter.0));
        self.alike.next(counter, &self.seen, nth)
    }

    #[expect(clippy::too_many_arguments, reason = "they are the parts of a response")]
    fn push(
        &mut self,
        used: Counter,
        key: Key,
        counter: Key,
        origin: Origin,
        maker: &str,
        turn: Option<i64>,
        at: Line,
    ) -> u32 {
        let index = self.out.responses.len() as u32;
        if !key.is_none() {
            self.seen.insert(key, index);
        }
        self.bare = None;
        let tokens = used.tokens();
        self.out.note(at.at, Reason::Counted(index), tokens);
        let thread = self.out.name(maker);
        // The line of a copy has the time of the copy; its turn's id tells when the turn began.
        let copied = matches!(origin, Origin::Copied | Origin::Inherited);
        let time = turn
            .filter(|&t| copied && self.created.is_none_or(|created| t < created))
            .or(at.time)
            .unwrap_or(NO_TIME);
        self.out.responses.push(Response {
            key,
            counter,
            time,
            tokens,
            cost: None,
            model: self.model,
            thread,
            origin,
            byte: at.at.byte,
        });
        index
    }

    /// Whether a line still belongs to the beginning that was copied in one go when the file was made.
    fn burst_reaches(&self, line: Line) -> bool {
        let (Some((time, byte)), Some(now)) = (self.burst, line.time) else { return false };
        let written = line.at.byte.saturating_sub(byte) / COPIED_PER_MILLI;
        now - time <= PAUSE + i64::try_from(written).unwrap_or(i64::MAX / 2)
    }

    fn follow_burst(&mut self, line: Line) {
        self.burst = match line.time {
            Some(time) if self.burst_reaches(line) => Some((time, line.at.byte)),
            _ => None,
        };
    }

    /// Makes a scanner that was kept ready for more lines.
    pub fn wake(&mut self) {
        self.seen = self.out.by_key();
        self.seen.extend(self.also.iter().copied());
    }

    /// What was found.
    pub fn finish(self) -> Transcript {
        self.out
    }
}

/// Where a line stands, and what it says about that itself.
#[derive(Debug, Clone, Copy)]
struct Line {
    at: Place,
    time: Option<i64>,
    ordinal: Option<u64>,
}

/// The thread's id in `rollout-TIME-ID`, also in `rollout-TIME-ID_ROTATION`.
fn id_of_name(name: &str) -> &str {
    let id =
        name.strip_prefix("rollout-").and_then(|rest| rest.get("YYYY-MM-DDTHH-MM-SS-".len()..));
    let id = id.unwrap_or(name);
    id.split_once('_').map_or(id, |(id, _)| id)
}
