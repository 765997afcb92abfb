//! pi: each assistant message, and each call that pi made beside the conversation.
//!
//! All branches of a file were paid for. Tool results, `usage` entries, compactions and branch summaries
//! carry usage of their own (corpus `pi/sm-api`). A fork repeats its parent's entries with their times and
//! response ids (corpus-reports `fork-replays-parent`): they count once, on the parent's days. Versions 1 and
//! 2 added reasoning to an output that held it already and did not say how much: their numbers are kept.

use recount_formats::json::{Outline, Part};
use serde::{Deserialize, Serialize};

use super::{
    Alike, BadBytes, Key, KeyMap, NO_TIME, Origin, Place, Reason, Response, Tokens, Transcript,
    each_record, number, text, time_of,
};

/// Usage stands under this key, and nowhere else.
pub const NEEDLES: &[&str] = &["\"usage\""];

/// Lines at the beginning among which the header is looked for.
const HEAD: u32 = 4;

/// The rules for the lines of one file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Scanner {
    out: Transcript,
    #[serde(skip)]
    seen: KeyMap<u32>,
    #[serde(skip)]
    alike: Alike,
    head: u32,
    header: bool,
    created: Option<i64>,
    model: u32,
    #[serde(skip)]
    outline: Outline,
}

impl Scanner {
    /// `id` is the thread's by the file's name; the header's counts when there is one.
    pub fn new(id: &str, notes: bool) -> Self {
        let mut out = Transcript::new();
        id_of_name(id).clone_into(&mut out.thread);
        out.notes = notes.then(Vec::new);
        Self {
            out,
            seen: KeyMap::default(),
            alike: Alike::default(),
            head: 0,
            header: false,
            created: None,
            model: 0,
            outline: Outline::default(),
        }
    }

    /// Whether every line is wanted.
    pub fn wants_all(&self) -> bool {
        !self.header && self.head < HEAD
    }

    /// Takes a line.
    pub fn line(&mut self, line: &[u8], at: Place) {
        self.head = self.head.saturating_add(1);
        let mut outline = std::mem::take(&mut self.outline);
        let lost = each_record(line, BadBytes::Replaced, NEEDLES[0], &mut outline, |record| {
            self.record(record, at);
        });
        self.outline = outline;
        if lost {
            self.out.note(at, Reason::Damaged, Tokens::default());
        }
    }

    fn record(&mut self, record: Part<'_>, at: Place) {
        let kind = record.str("type").unwrap_or_default();
        if self.out.first_time.is_none() {
            self.out.first_time = time_of(record);
        }
        if kind == "session" {
            if !self.header {
                self.head_line(record);
            }
            return;
        }
        let message = record.get("message").filter(|m| kind == "message" && m.is_object());
        let from = message.unwrap_or(record);
        if message.is_none() && !matches!(&*kind, "usage" | "compaction" | "branch_summary") {
            return;
        }
        let Some(usage) = from.get("usage").filter(|u| u.is_object()) else { return };
        if let Some(model) = text(from, "model") {
            self.model = self.out.name(&model);
        }
        let tokens = tokens(usage);
        if tokens.is_zero() {
            // A call that failed or was broken off before the provider reported anything.
            self.out.note(at, Reason::Empty, tokens);
            return;
        }
        let response = text(from, "responseId");
        // A copy keeps the message; the entry around it may be written anew.
        let stamp = message.and_then(|m| m.get("timestamp")).or(record.get("timestamp"));
        let stamp = stamp.map_or("", |t| t.json().raw());
        // Local servers number their responses from a small range: an id alone is not enough.
        let identity = |nth: u64| {
            let id = format!("{}\0{stamp}", response.as_deref().unwrap_or(""));
            let id = Key::of("pi", &id).0;
            Key::of_numbers(
                "pi",
                &[id as u64, (id >> 64) as u64, tokens.input, tokens.output, tokens.cached, nth],
            )
        };
        let mut key = identity(0);
        if let Some(&known) = self.seen.get(&key) {
            if response.is_some() {
                self.out.note(at, Reason::Repeats(known), tokens);
                return;
            }
            key = self.alike.next(key, &self.seen, |n| identity(n + 1));
        }
        let index = self.out.responses.len() as u32;
        self.seen.insert(key, index);
        self.out.note(at, Reason::Counted(index), tokens);
        let time = time_of(record).unwrap_or(NO_TIME);
        let source = self.out.sources.first().filter(|_| self.created.is_some_and(|c| time < c));
        let origin = if source.is_some() { Origin::Copied } else { Origin::Own };
        let thread = source.unwrap_or(&self.out.thread).clone();
        let thread = self.out.name(&thread);
        self.out.responses.push(Response {
            key,
            counter: Key::NONE,
            time,
            tokens,
            cost: usage.at(&["cost", "total"]).and_then(|c| c.json().as_f64()),
            model: self.model,
            thread,
            origin,
            byte: at.byte,
        });
    }

    fn head_line(&mut self, header: Part<'_>) {
        self.header = true;
        if let Some(id) = text(header, "id") {
            self.out.thread = id.into_owned();
        }
        self.created = time_of(header);
        self.out.project = text(header, "cwd").map(std::borrow::Cow::into_owned);
        // Version 1 called it `branchedFrom`.
        let parent = text(header, "parentSession").or_else(|| text(header, "branchedFrom"));
        if let Some(parent) = parent {
            let name = parent.rsplit(['/', '\\']).next().unwrap_or(&parent);
            self.out
                .sources
                .push(id_of_name(name.strip_suffix(".jsonl").unwrap_or(name)).to_owned());
        }
    }

    /// Makes a scanner that was kept ready for more lines.
    pub fn wake(&mut self) {
        self.seen = self.out.by_key();
    }

    /// What was found.
    pub fn finish(self) -> Transcript {
        self.out
    }
}

/// The id in a file name `TIME_ID`.
fn id_of_name(name: &str) -> &str {
    name.split_once('_').map_or(name, |(_, id)| id)
}

fn tokens(usage: Part<'_>) -> Tokens {
    Tokens {
        input: number(usage, "input"),
        cached: number(usage, "cacheRead"),
        cache_write: number(usage, "cacheWrite"),
        cache_write_1h: number(usage, "cacheWrite1h"),
        output: number(usage, "output"),
        reasoning: number(usage, "reasoning"),
        total: 0,
    }
    .summed()
}
