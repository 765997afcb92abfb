//! Claude Code: one response a message id.
//!
//! A response is written as several lines, one a content block, each with the usage as far as it was known
//! then: the last one written is final, the first one tells when (corpus `claude-code/*`; counting by line
//! gives about twice as much, counting by first line loses output). `requestId` says nothing more
//! (corpus-reports `no-request-id`). Branches, resumed and forked files and the first line of a forked
//! sub-agent repeat lines of others; `<synthetic>` lines were never asked from a provider; a sub-agent's sum
//! in its parent's `toolUseResult` repeats what its own file holds (corpus-reports `subagent-usage`).

use recount_formats::json::{Outline, Part};
use serde::{Deserialize, Serialize};

use super::{
    BadBytes, Claim, Key, KeyMap, NO_TIME, Origin, Place, Reason, Response, Tokens, Transcript,
    count, each_record, number, text, time_of,
};

/// Usage stands under this key, and nowhere else.
pub const NEEDLES: &[&str] = &["\"usage\""];

/// Lines at the beginning in which a time and a working directory are looked for.
const HEAD: u32 = 40;

/// The rules for the lines of one file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Scanner {
    out: Transcript,
    #[serde(skip)]
    seen: KeyMap<u32>,
    #[serde(skip)]
    /// The note of each response's newest line.
    notes: Vec<usize>,
    head: u32,
    #[serde(skip)]
    outline: Outline,
}

impl Scanner {
    /// `name` is the file's name without extension: the session's id, or `agent-` and the agent's.
    pub fn new(name: &str, notes: bool) -> Self {
        let mut out = Transcript::new();
        let agent = name.strip_prefix("agent-").filter(|id| !id.is_empty());
        agent.unwrap_or(name).clone_into(&mut out.thread);
        out.is_subagent = agent.is_some();
        out.notes = notes.then(Vec::new);
        Self {
            out,
            seen: KeyMap::default(),
            notes: Vec::new(),
            head: 0,
            outline: Outline::default(),
        }
    }

    /// Whether every line is wanted.
    pub fn wants_all(&self) -> bool {
        self.head < HEAD && (self.out.first_time.is_none() || self.out.project.is_none())
    }

    /// Takes a line.
    pub fn line(&mut self, line: &[u8], at: Place) {
        let wanted = self.wants_all();
        self.head = self.head.saturating_add(1);
        let mut outline = std::mem::take(&mut self.outline);
        let lost = each_record(line, BadBytes::Replaced, NEEDLES[0], &mut outline, |record| {
            if wanted {
                self.head(record);
            }
            self.record(record, at);
        });
        self.outline = outline;
        if lost {
            self.out.note(at, Reason::Damaged, Tokens::default());
        }
    }

    fn head(&mut self, record: Part<'_>) {
        if self.out.first_time.is_none() {
            self.out.first_time = time_of(record);
        }
        if self.out.project.is_none() {
            self.out.project = text(record, "cwd").map(std::borrow::Cow::into_owned);
        }
        if self.out.is_subagent
            && self.out.sources.is_empty()
            && let Some(parent) = text(record, "sessionId")
        {
            self.out.sources.push(parent.into_owned());
        }
    }

    fn record(&mut self, record: Part<'_>, at: Place) {
        let mut parts = Parts::default();
        for (key, value) in record.members() {
            match &*key {
                "type" => parts.assistant = value.is("assistant"),
                "message" => parts.message = Some(value),
                "timestamp" => parts.time = Some(value),
                "forkedFrom" => parts.source = text(value, "sessionId"),
                "requestId" => parts.request = value.as_str(),
                "uuid" => parts.uuid = value.as_str(),
                "costUSD" => parts.cost = value.json().as_f64(),
                "toolUseResult" => parts.result = Some(value),
                _ => {}
            }
        }
        if !parts.assistant {
            if let Some(usage) = parts.result.and_then(|r| r.get("usage")).filter(|u| u.is_object())
            {
                self.out.note(at, Reason::Sum, tokens(usage));
            }
            return;
        }
        let (mut id, mut model, mut usage) = (None, None, None);
        for (key, value) in parts.message.into_iter().flat_map(Part::members) {
            match &*key {
                "id" => id = value.as_str(),
                "model" => model = value.as_str(),
                "usage" => usage = Some(value),
                _ => {}
            }
        }
        let Some(usage) = usage.filter(|u| u.is_object()) else { return };
        let tokens = tokens(usage);
        if model.as_deref() == Some("<synthetic>") {
            self.out.note(at, Reason::Synthetic, tokens);
            return;
        }
        // Old and damaged lines may lack an id; then nothing tells which lines belong together but these.
        let (request, uuid) = (parts.request.as_deref(), parts.uuid.as_deref());
        let key = [("message", id.as_deref()), ("request", request), ("line", uuid)]
            .into_iter()
            .find_map(|(space, id)| id.filter(|i| !i.is_empty()).map(|id| Key::of(space, id)))
            .unwrap_or(Key::NONE);
        let known = if key.is_none() { None } else { self.seen.get(&key).copied() };
        let index = known.unwrap_or(self.out.responses.len() as u32);
        if self.out.notes.is_some() {
            self.settle_notes(index, at, tokens);
        }
        let model = self.out.name(model.as_deref().unwrap_or(""));
        if let Some(old) = self.out.responses.get_mut(index as usize) {
            old.tokens = tokens;
            old.model = model;
            old.byte = at.byte;
            old.cost = parts.cost.or(old.cost);
            if old.time == NO_TIME {
                old.time = parts.millis();
            }
            return;
        }
        self.seen.insert(key, index);
        let origin = match (&parts.source, self.out.is_subagent) {
            (Some(_), _) => Origin::Copied,
            // A forked sub-agent begins with its parent's line, as far as it was known then (`agent-fork`).
            (None, true) => Origin::Shared,
            (None, false) => Origin::Own,
        };
        let own = self.out.thread.clone();
        let thread = self.out.name(parts.source.as_deref().unwrap_or(&own));
        self.out.responses.push(Response {
            key,
            counter: Key::NONE,
            time: parts.millis(),
            tokens,
            cost: parts.cost,
            model,
            thread,
            origin,
            byte: at.byte,
        });
    }

    /// The newest line of a response counts; the one before it does not any more.
    fn settle_notes(&mut self, index: u32, at: Place, tokens: Tokens) {
        let Some(notes) = &mut self.out.notes else { return };
        if let Some(old) = self.notes.get(index as usize).and_then(|&n| notes.get_mut(n)) {
            old.reason = Reason::Split(index);
        }
        let next = notes.len();
        self.out.note(at, Reason::Counted(index), tokens);
        match self.notes.get_mut(index as usize) {
            Some(newest) => *newest = next,
            None => self.notes.push(next),
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

/// The newest `cost-state`: what the program reckons for the whole session. It is a running total, also across resumes.
pub(super) fn claim(bytes: &[u8]) -> Option<Claim> {
    let mut outline = Outline::default();
    let mut end = bytes.len();
    while let Some(hit) = memchr::memmem::rfind(&bytes[..end], b"\"cost-state\"") {
        end = memchr::memrchr(b'\n', &bytes[..hit]).map_or(0, |n| n + 1);
        let stop = memchr::memchr(b'\n', &bytes[hit..]).map_or(bytes.len(), |n| hit + n);
        let mut found = None;
        each_record(&bytes[end..stop], BadBytes::Replaced, "", &mut outline, |record| {
            found = found.or_else(|| claim_of(record));
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

fn claim_of(record: Part<'_>) -> Option<Claim> {
    if !record.get("type")?.is("cost-state") {
        return None;
    }
    let cost = record.get("totalCostUSD").and_then(|c| c.json().as_f64());
    let mut tokens = Tokens::default();
    for (_, model) in record.get("modelUsage").into_iter().flat_map(Part::members) {
        let one = Tokens {
            input: number(model, "inputTokens"),
            cached: number(model, "cacheReadInputTokens"),
            cache_write: number(model, "cacheCreationInputTokens"),
            cache_write_1h: number(model, "cacheCreationEphemeral1hInputTokens"),
            output: number(model, "outputTokens"),
            reasoning: number(model, "thinkingTokens"),
            total: 0,
        };
        tokens.add(&one.summed());
    }
    // The program itself takes no other cost when it reads the record again.
    let cost = cost.filter(|c| c.is_finite() && (0.0..=1e9).contains(c));
    let beyond =
        "with sub-agents, and with calls that stand nowhere: titles, compactions, classifiers";
    Some(Claim { tokens, cost, beyond })
}

#[derive(Default)]
struct Parts<'a> {
    assistant: bool,
    message: Option<Part<'a>>,
    time: Option<Part<'a>>,
    source: Option<std::borrow::Cow<'a, str>>,
    request: Option<std::borrow::Cow<'a, str>>,
    uuid: Option<std::borrow::Cow<'a, str>>,
    cost: Option<f64>,
    result: Option<Part<'a>>,
}

impl Parts<'_> {
    fn millis(&self) -> i64 {
        let time = self.time.and_then(Part::as_str);
        time.and_then(|text| super::millis(&text)).unwrap_or(NO_TIME)
    }
}

fn tokens(usage: Part<'_>) -> Tokens {
    let mut sum = Tokens::default();
    let mut short = 0;
    let mut written = None;
    let mut iterations = None;
    for (key, value) in usage.members() {
        match &*key {
            "input_tokens" => sum.input = count(value),
            "cache_read_input_tokens" => sum.cached = count(value),
            "cache_creation_input_tokens" => written = Some(count(value)),
            "output_tokens" => sum.output = count(value),
            "cache_creation" => {
                short = number(value, "ephemeral_5m_input_tokens");
                sum.cache_write_1h = number(value, "ephemeral_1h_input_tokens");
            }
            "output_tokens_details" => sum.reasoning = number(value, "thinking_tokens"),
            "iterations" => iterations = Some(value),
            _ => {}
        }
    }
    let by_life = short.saturating_add(sum.cache_write_1h);
    sum.cache_write = written.unwrap_or(by_life);
    sum.cache_write_1h = sum.cache_write_1h.min(sum.cache_write);
    if let Some(iterations) = iterations {
        add_iterations(&mut sum, iterations);
    }
    sum.summed()
}

/// Adds what the provider did beside the answer: the usage as a whole is the sum of the iterations that made
/// the message; those of other kinds (a compaction, an advisor) stand in the list only.
fn add_iterations(sum: &mut Tokens, iterations: Part<'_>) {
    let (mut all, mut aside) = (Tokens::default(), Tokens::default());
    for iteration in iterations.elements().filter(|i| i.is_object()) {
        let one = tokens_of_iteration(iteration);
        all.add(&one);
        if iteration.str("type").is_some_and(|t| t != "message") {
            aside.add(&one);
        }
    }
    let included = sum.input >= all.input && sum.output >= all.output && sum.cached >= all.cached;
    if !included {
        sum.add(&aside);
    }
}

fn tokens_of_iteration(iteration: Part<'_>) -> Tokens {
    let life = iteration.get("cache_creation");
    Tokens {
        input: number(iteration, "input_tokens"),
        cached: number(iteration, "cache_read_input_tokens"),
        cache_write: number(iteration, "cache_creation_input_tokens"),
        cache_write_1h: life.map_or(0, |l| number(l, "ephemeral_1h_input_tokens")),
        output: number(iteration, "output_tokens"),
        ..Tokens::default()
    }
}
