//! Counted responses in rows: by day, session, model and so on, and by several of them at once.

use std::collections::{BTreeMap, HashMap};

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use recount_formats::Harness;
use recount_session::model::Usage;
use recount_session::usage::resolve::Pointer;
use recount_session::usage::{NO_TIME, Resolved, Response, Tokens, fill};

use crate::scan::Scanned;

/// What rows are made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum By {
    /// A day, `2026-01-31`.
    Day,
    /// A week by ISO, `2026-W05`.
    Week,
    /// A month, `2026-01`.
    Month,
    /// A thread, sub-agents apart.
    Session,
    /// A model.
    Model,
    /// A working directory.
    Project,
    /// A harness.
    Harness,
    /// A block of five hours that begins with the hour of its first response.
    HourBlock,
}

impl By {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::Day,
        Self::Week,
        Self::Month,
        Self::Session,
        Self::Model,
        Self::Project,
        Self::Harness,
        Self::HourBlock,
    ];

    /// The name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Session => "session",
            Self::Model => "model",
            Self::Project => "project",
            Self::Harness => "harness",
            Self::HourBlock => "hour-block",
        }
    }

    /// Whether rows follow the time.
    pub const fn is_time(self) -> bool {
        matches!(self, Self::Day | Self::Week | Self::Month | Self::HourBlock)
    }
}

/// A response that counts, with all that rows need.
#[derive(Debug, Clone, Copy)]
pub struct Counted<'a> {
    /// The harness.
    pub harness: Harness,
    /// The thread that made it.
    pub thread: &'a str,
    /// The working directory of its transcript.
    pub project: Option<&'a str>,
    /// The model; empty when nothing tells.
    pub model: &'a str,
    /// The rest.
    pub response: &'a Response,
    /// Where it stands.
    pub at: Pointer,
}

impl Counted<'_> {
    /// When it began.
    pub fn time(&self) -> Option<Timestamp> {
        (self.response.time != NO_TIME)
            .then(|| Timestamp::from_millisecond(self.response.time).ok())
            .flatten()
    }
}

/// The responses that count, in the order of the transcripts.
pub fn counted<'a>(
    scanned: &'a [Scanned],
    resolved: &'a Resolved,
) -> impl Iterator<Item = Counted<'a>> {
    scanned.iter().enumerate().flat_map(move |(n, s)| {
        s.transcript.responses.iter().enumerate().filter_map(move |(r, response)| {
            let at = Pointer { transcript: n as u32, response: r as u32 };
            let thread = resolved.thread_of(scanned, at)?;
            Some(Counted {
                harness: s.source.harness,
                thread,
                project: s.transcript.project.as_deref(),
                model: s.transcript.name_of(response.model),
                response,
                at,
            })
        })
    })
}

/// A row.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What the row is about, one value for each [`By`].
    pub keys: Vec<String>,
    /// The harness, when all of the row is of one.
    pub harness: Option<Harness>,
    /// The sum.
    pub usage: Usage,
    /// The models without a price and how many of the responses are theirs: the cost is of the others.
    pub unpriced: BTreeMap<String, u64>,
    /// The first and the last time.
    pub span: Option<(Timestamp, Timestamp)>,
}

impl Row {
    /// The sum of rows.
    pub fn total(rows: &[Self]) -> Self {
        let mut total = Self {
            keys: Vec::new(),
            harness: None,
            usage: Usage::default(),
            unpriced: BTreeMap::new(),
            span: None,
        };
        for row in rows {
            total.usage.add(&row.usage);
            for (model, responses) in &row.unpriced {
                *total.unpriced.entry(model.clone()).or_default() += responses;
            }
            total.span = match (total.span, row.span) {
                (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
                (one, other) => one.or(other),
            };
        }
        total
    }
}

/// Groups responses into rows.
///
/// Rows by time are in its order; others come with the largest total first.
pub fn rows<'a>(
    responses: impl Iterator<Item = (Counted<'a>, Option<f64>)>,
    by: &[By],
    zone: &TimeZone,
) -> Vec<Row> {
    let mut responses: Vec<_> = responses.collect();
    let blocks = by.contains(&By::HourBlock).then(|| {
        responses.sort_by_key(|(r, _)| r.response.time);
        Blocks::default()
    });
    let mut keys = Keys::new(by, zone, blocks);
    let mut places: HashMap<Vec<u32>, usize> = HashMap::new();
    let mut sums: Vec<(Vec<u32>, Sum)> = Vec::new();
    // Neighbours are alike: the row of the last response is nearly always that of the next one.
    let (mut ids, mut place) = (Vec::new(), usize::MAX);
    for (response, cost) in &responses {
        if keys.follow(response, &mut ids) || place == usize::MAX {
            place = *places.entry(ids.clone()).or_insert_with(|| {
                sums.push((ids.clone(), Sum::default()));
                sums.len() - 1
            });
        }
        if let Some((_, sum)) = sums.get_mut(place) {
            sum.add(response, *cost);
        }
    }
    let mut rows: Vec<Row> = sums.into_iter().map(|(ids, sum)| sum.row(keys.names(&ids))).collect();
    let leading = by.iter().take_while(|by| by.is_time()).count();
    rows.sort_by(|a, b| {
        a.keys[..leading]
            .cmp(&b.keys[..leading])
            .then_with(|| b.usage.total_tokens.cmp(&a.usage.total_tokens))
            .then_with(|| a.keys.cmp(&b.keys))
    });
    rows
}

#[derive(Default)]
struct Sum {
    responses: u64,
    tokens: Tokens,
    cost: Option<f64>,
    unpriced: BTreeMap<String, u64>,
    /// No harness yet, one, or several.
    harnesses: [Option<Harness>; 2],
    span: Option<(i64, i64)>,
}

impl Sum {
    fn add(&mut self, counted: &Counted<'_>, cost: Option<f64>) {
        self.responses += 1;
        self.tokens.add(&counted.response.tokens);
        match cost {
            Some(cost) => self.cost = Some(self.cost.unwrap_or(0.0) + cost),
            None => *self.unpriced.entry(named(counted.model)).or_default() += 1,
        }
        match self.harnesses {
            [None, _] => self.harnesses[0] = Some(counted.harness),
            [Some(one), _] if one != counted.harness => self.harnesses[1] = Some(counted.harness),
            _ => {}
        }
        let time = counted.response.time;
        if time != NO_TIME {
            let (first, last) = self.span.unwrap_or((time, time));
            self.span = Some((first.min(time), last.max(time)));
        }
    }

    fn row(self, keys: Vec<String>) -> Row {
        let mut usage =
            Usage { responses: self.responses, cost_usd: self.cost, ..Usage::default() };
        fill(&mut usage, &self.tokens);
        let time = |ms| Timestamp::from_millisecond(ms).ok();
        let span = self.span.and_then(|(a, b)| Some((time(a)?, time(b)?)));
        let [one, other] = self.harnesses;
        Row { keys, harness: one.filter(|_| other.is_none()), usage, unpriced: self.unpriced, span }
    }
}

/// What a part of a key is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part<'a> {
    Text(&'a str),
    /// A quarter of an hour since 1970. Conversions to local time are slow beside the rest, and offsets are multiples of it.
    Quarter(i64),
    Unknown,
}

/// The keys of responses, as numbers.
struct Keys<'a> {
    by: &'a [By],
    zone: &'a TimeZone,
    blocks: Option<Blocks>,
    /// The last response's.
    last: Vec<Part<'a>>,
    known: HashMap<(By, Part<'a>), u32>,
    /// Several quarters of an hour have one name.
    named: HashMap<String, u32>,
    names: Vec<String>,
}

impl<'a> Keys<'a> {
    fn new(by: &'a [By], zone: &'a TimeZone, blocks: Option<Blocks>) -> Self {
        Self {
            by,
            zone,
            blocks,
            last: Vec::new(),
            known: HashMap::new(),
            named: HashMap::new(),
            names: Vec::new(),
        }
    }

    /// Puts the key of a response into `ids`; says whether it may differ from the one before.
    fn follow(&mut self, counted: &Counted<'a>, ids: &mut Vec<u32>) -> bool {
        let mut changed = ids.len() != self.by.len();
        if changed {
            ids.clear();
            ids.resize(self.by.len(), 0);
            self.last = vec![Part::Unknown; self.by.len()];
        }
        let first = changed;
        for (n, id) in ids.iter_mut().enumerate() {
            let by = self.by[n];
            let part = self.part(by, counted);
            if !first && part == self.last[n] {
                continue;
            }
            changed = true;
            self.last[n] = part;
            *id = match self.known.get(&(by, part)) {
                Some(&id) => id,
                None => self.name(by, part),
            };
        }
        changed
    }

    fn part(&mut self, by: By, counted: &Counted<'a>) -> Part<'a> {
        const QUARTER: i64 = 15 * 60 * 1000;
        let time = counted.response.time;
        match by {
            By::Session => Part::Text(counted.thread),
            By::Model => Part::Text(counted.model),
            By::Project => Part::Text(counted.project.unwrap_or("")),
            By::Harness => Part::Text(counted.harness.id()),
            _ if time == NO_TIME => Part::Unknown,
            By::HourBlock => match (&mut self.blocks, counted.time()) {
                (Some(blocks), Some(time)) => {
                    Part::Quarter(blocks.start_of(time).as_millisecond().div_euclid(QUARTER))
                }
                _ => Part::Unknown,
            },
            By::Day | By::Week | By::Month => Part::Quarter(time.div_euclid(QUARTER)),
        }
    }

    /// Gives a part of a key its number.
    fn name(&mut self, by: By, part: Part<'a>) -> u32 {
        let name = match part {
            Part::Unknown => named(""),
            Part::Text(text) => named(text),
            Part::Quarter(quarter) => self.time_name(by, quarter).unwrap_or_else(|| named("")),
        };
        let next = self.names.len() as u32;
        let id = *self.named.entry(name.clone()).or_insert(next);
        if id == next {
            self.names.push(name);
        }
        self.known.insert((by, part), id);
        id
    }

    fn time_name(&self, by: By, quarter: i64) -> Option<String> {
        let time = Timestamp::from_second(quarter.checked_mul(15 * 60)?).ok()?;
        let time = time.to_zoned_datetime(self.zone.clone());
        Some(match by {
            By::HourBlock => time.strftime("%Y-%m-%d %H:%M").to_string(),
            By::Month => time.strftime("%Y-%m").to_string(),
            By::Week => {
                let week = time.date().iso_week_date();
                format!("{:04}-W{:02}", week.year(), week.week())
            }
            _ => time.date().to_string(),
        })
    }

    fn names(&self, ids: &[u32]) -> Vec<String> {
        ids.iter().map(|&id| self.names.get(id as usize).cloned().unwrap_or_default()).collect()
    }
}

/// What nothing tells has a name that no model or folder has.
fn named(text: &str) -> String {
    if text.is_empty() { "(unknown)".to_owned() } else { text.to_owned() }
}

/// Blocks of five hours, as subscriptions count them: one begins with the hour of the first response that is
/// in none, and ends five hours later.
#[derive(Default)]
struct Blocks {
    start: Option<Timestamp>,
}

impl Blocks {
    /// Responses must come in the order of time.
    fn start_of(&mut self, time: Timestamp) -> Timestamp {
        if let Some(start) = self.start
            && start.checked_add(5.hours()).is_ok_and(|end| time < end)
        {
            return start;
        }
        let hour = time.as_second().div_euclid(3600) * 3600;
        let start = Timestamp::from_second(hour).unwrap_or(time);
        self.start = Some(start);
        start
    }
}
