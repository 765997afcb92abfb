//! opencode: each step and each compaction once.
//!
//! The lines are the rows of one session, as the store gives them. A fork of 2.x copies rows under ids that end with
//! their number; they count in the source only (corpus-reports `v2-fork-copies`). A fork of 1.x copies messages under
//! new ids and says so nowhere: times, tokens and cost are the same. The totals in the session's own row hold what made
//! the title too, which no message tells; they do not count.

use recount_formats::json::{Outline, Part};
use serde::{Deserialize, Serialize};

use super::{
    Alike, Claim, Key, KeyMap, NO_TIME, Origin, Place, Reason, Response, Tokens, Transcript, count,
    number, text,
};

/// Every row is looked at.
pub const NEEDLES: &[&str] = &[];

/// The rules for the rows of one session.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Scanner {
    out: Transcript,
    #[serde(skip)]
    seen: KeyMap<u32>,
    #[serde(skip)]
    alike: Alike,
    fork_of: Option<String>,
    #[serde(skip)]
    outline: Outline,
}

impl Scanner {
    /// `id` is the session's.
    pub fn new(id: &str, notes: bool) -> Self {
        let mut out = Transcript::new();
        id.clone_into(&mut out.thread);
        out.notes = notes.then(Vec::new);
        Self {
            out,
            seen: KeyMap::default(),
            alike: Alike::default(),
            fork_of: None,
            outline: Outline::default(),
        }
    }

    /// Takes a row.
    pub fn line(&mut self, line: &[u8], at: Place) {
        // Of the rows, which the store writes, these are the most and the largest.
        if line.starts_with(b"{\"table\":\"part\"") {
            return;
        }
        let mut outline = std::mem::take(&mut self.outline);
        if let Ok(text) = std::str::from_utf8(line)
            && let Ok(row) = outline.read(text)
        {
            self.row(row, at);
        }
        self.outline = outline;
    }

    fn row(&mut self, row: Part<'_>, at: Place) {
        match row.str("table").as_deref() {
            Some("session" | "session_v2") => self.session(row),
            Some("session_message") => {
                let kind = row.str("type").unwrap_or_default();
                if matches!(&*kind, "assistant" | "compaction") {
                    self.response(row, at, true);
                }
            }
            Some("message") => self.response(row, at, false),
            _ => {}
        }
    }

    fn session(&mut self, row: Part<'_>) {
        if row.str("id").is_none_or(|id| *id != *self.out.thread) {
            return;
        }
        self.out.project = text(row, "directory").map(std::borrow::Cow::into_owned);
        self.out.first_time = row.get("time_created").and_then(as_i64);
        if let Some(parent) = text(row, "parent_id") {
            self.out.is_subagent = true;
            self.out.sources.push(parent.into_owned());
        }
        self.fork_of = text(row, "fork_session_id").map(std::borrow::Cow::into_owned);
        if let Some(source) = &self.fork_of {
            self.out.sources.insert(0, source.clone());
        }
    }

    fn response(&mut self, row: Part<'_>, at: Place, is_v2: bool) {
        let Some(data) = row.get("data").filter(|d| d.is_object()) else { return };
        if !is_v2 && data.str("role").is_none_or(|role| role != "assistant") {
            return;
        }
        let Some(tokens) = data.get("tokens").filter(|t| t.is_object()).map(tokens) else { return };
        if tokens.is_zero() {
            self.out.note(at, Reason::Empty, tokens);
            return;
        }
        let own = |path: &[&str]| data.at(path).and_then(as_i64);
        let created =
            own(&["time", "created"]).or_else(|| row.get("time_created").and_then(as_i64));
        let id = row.str("id").unwrap_or_default();
        let seq = row.get("seq").and_then(as_i64).filter(|_| is_v2);
        let copied = self.fork_of.is_some() && seq.is_some_and(|seq| is_copy(&id, seq));
        let cost = data.get("cost").and_then(|c| c.json().as_f64()).filter(|c| c.is_finite());
        // A copy has the number, the time and the tokens of its source; its id is its own.
        let numbers = [tokens.input, tokens.cached, tokens.cache_write, tokens.output];
        let counter = seq.map_or(Key::NONE, |seq| {
            let mut all = vec![seq as u64, created.unwrap_or(0) as u64];
            all.extend(numbers);
            Key::of_numbers("opencode row", &all)
        });
        let key = match seq {
            Some(_) if copied => Key::NONE,
            Some(_) => Key::of("opencode row", &id),
            None => self.content(created, own(&["time", "completed"]), cost, &tokens),
        };
        if let Some(&known) = self.seen.get(&key) {
            self.out.note(at, Reason::Repeats(known), tokens);
            return;
        }
        let model =
            data.at(&["model", "id"]).and_then(Part::as_str).or_else(|| text(data, "modelID"));
        let model = self.out.name(model.as_deref().unwrap_or(""));
        let thread = self.fork_of.clone().filter(|_| copied);
        let own = self.out.thread.clone();
        let thread = self.out.name(thread.as_deref().unwrap_or(&own));
        let index = self.out.responses.len() as u32;
        if !key.is_none() {
            self.seen.insert(key, index);
        }
        self.out.note(at, Reason::Counted(index), tokens);
        self.out.responses.push(Response {
            key,
            counter,
            time: created.unwrap_or(NO_TIME),
            tokens,
            cost,
            model,
            thread,
            origin: if copied { Origin::Copied } else { Origin::Own },
            byte: at.byte,
        });
    }

    /// What identifies a message of 1.x. Several alike in one session are several.
    fn content(
        &mut self,
        created: Option<i64>,
        completed: Option<i64>,
        cost: Option<f64>,
        tokens: &Tokens,
    ) -> Key {
        let time = |time: Option<i64>| time.unwrap_or(0) as u64;
        let key = |nth: u64| {
            let cost = cost.unwrap_or(0.0).to_bits();
            let numbers = [tokens.input, tokens.cached, tokens.cache_write, tokens.output];
            let mut all = vec![time(created), time(completed), cost, tokens.reasoning, nth];
            all.extend(numbers);
            Key::of_numbers("opencode message", &all)
        };
        self.alike.next(key(0), &self.seen, key)
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

/// The sums in the session's own row, the title's among them.
pub(super) fn claim(bytes: &[u8]) -> Option<Claim> {
    let mut outline = Outline::default();
    let line = bytes.split(|b| *b == b'\n').next()?;
    let row = outline.read(std::str::from_utf8(line).ok()?).ok()?;
    if !matches!(row.str("table").as_deref(), Some("session" | "session_v2")) {
        return None;
    }
    let mut tokens = Tokens {
        input: number(row, "tokens_input"),
        cached: number(row, "tokens_cache_read"),
        cache_write: number(row, "tokens_cache_write"),
        cache_write_1h: 0,
        output: number(row, "tokens_output"),
        reasoning: number(row, "tokens_reasoning"),
        total: 0,
    }
    .summed();
    tokens.total = tokens.total.saturating_add(tokens.reasoning);
    let cost = row.get("cost").and_then(|c| c.json().as_f64()).filter(|c| c.is_finite());
    let beyond = "with the making of the title, which stands in no message";
    (!tokens.is_zero()).then_some(Claim { tokens, cost, beyond })
}

/// Whether a fork copied a row: its id ends with its own number.
fn is_copy(id: &str, seq: i64) -> bool {
    let base = id.strip_suffix(&format!("_{seq}"));
    base.is_some_and(|base| base.len() > "msg_".len())
}

fn as_i64(value: Part<'_>) -> Option<i64> {
    value.json().as_i64()
}

/// The numbers do not overlap: reasoning stands beside the output.
fn tokens(tokens: Part<'_>) -> Tokens {
    let cache = tokens.get("cache");
    let mut sum = Tokens {
        input: number(tokens, "input"),
        cached: cache.and_then(|c| c.get("read")).map_or(0, count),
        cache_write: cache.and_then(|c| c.get("write")).map_or(0, count),
        cache_write_1h: 0,
        output: number(tokens, "output"),
        reasoning: number(tokens, "reasoning"),
        total: 0,
    }
    .summed();
    sum.total = sum.total.saturating_add(sum.reasoning);
    sum
}
