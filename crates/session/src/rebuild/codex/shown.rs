//! What Codex shows of a rollout and nothing else, made line by line, so that the file never stands in memory as a whole.
//!
//! The turns are those of [`super::thread`] without what is marked `recovered` there: the same builders make them. What depends
//! on more than the lines that came so far is left to the whole rebuild: a history with a base, a file without a header or
//! without any event.
//!
//! Most lines are for the model and show nothing. They are told by the words that stand on them, without a look at their syntax,
//! where nothing depends on how many records they hold. Legacy rollouts call turns that nothing opens, and hooks, by the numbers
//! of records: where such a name is needed behind lines that were not counted, [`Needs::Count`] says so, before anything wrong is
//! told.

use std::collections::HashMap;
use std::sync::Arc;

use memchr::memmem::Finder;
use recount_formats::codex::Kind;
use recount_formats::jsonl::{Body, Line, Part};
use recount_formats::tags::{self, Paths, Tagged as _, Tags};
use recount_formats::{Harness, Position};

use super::legacy::{self, Legacy};
use super::paginated::Paginated;
use super::preview::prompt_of;
use super::record::{self, Rec, Top};
use super::{Header, eventless, items, outside_first, settle, status_of, usage};
use crate::model::{Item, Thread};
use crate::rebuild::KnownTurn;
use crate::usage::Scanner;
use crate::usage::feed::Feeder;

/// A thread of which the protocol's clients see all and nobody else does: turns as Codex shows them.
#[derive(Debug)]
pub struct Shown {
    source: Arc<str>,
    seq: usize,
    begun: Option<Begun>,
    /// How many turns keep all their items, from the first on, when not all do.
    keeps: Option<usize>,
    /// Whether every record is counted.
    counts: bool,
    /// Counts what responses used, where that is wanted.
    usage: Option<Feeder>,
    /// Lines with records that do not begin where the line does, by their numbers.
    broken: HashMap<u64, Position>,
    finders: Finders,
}

/// What the header decides.
#[derive(Debug)]
struct Begun {
    builder: Builder,
    own_from: Option<u64>,
    cwd: Option<String>,
    /// What a sub-agent is called.
    agent: Option<String>,
    /// Whether there was a record from which a display is made.
    display: bool,
}

#[derive(Debug)]
enum Builder {
    Legacy(Box<Legacy>),
    Paginated(Paginated),
}

/// What a line tells by itself, whatever stands before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glance {
    /// It holds nothing that is shown, and nobody has looked what else: no records, one, or many.
    Nothing,
    /// It is one record that is counted and shows nothing.
    Counted,
    /// It has to be looked at.
    Look,
}

/// Glances at lines, so that others can do that while [`Shown`] takes those before: see [`Shown::glanced`].
#[derive(Debug)]
pub struct Glances {
    finders: Finders,
    counts: bool,
}

/// Why a rollout cannot be read so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Its lines one by one do not tell what Codex shows of it: the whole rebuild does.
    Whole,
    /// The number of a record is needed and lines were passed over uncounted: to be read anew with [`Shown::counting`].
    Count,
}

impl Shown {
    /// Of the rollout with this name.
    pub fn new(source: &Arc<str>) -> Self {
        Self {
            source: Arc::clone(source),
            seq: 0,
            begun: None,
            keeps: None,
            counts: false,
            usage: None,
            broken: HashMap::new(),
            finders: Finders::default(),
        }
    }

    /// The same for one of which [`Needs::Count`] was said: slower, and never says it.
    pub fn counting(source: &Arc<str>) -> Self {
        Self { counts: true, ..Self::new(source) }
    }

    /// The same for whoever wants the newest turns only: of the others it keeps how they went, and few items. To be ended by
    /// [`Shown::newest`].
    pub fn skim(source: &Arc<str>) -> Self {
        Self::oldest(source, 0)
    }

    /// The same for whoever wants the oldest `count` turns only: those behind them may lack items.
    pub fn oldest(source: &Arc<str>, count: usize) -> Self {
        Self { keeps: Some(count), ..Self::new(source) }
    }

    /// Also counts what the thread's responses used, as far as this rollout tells.
    #[must_use]
    pub fn with_usage(mut self) -> Self {
        let scanner = Scanner::new(Harness::Codex, usage::name_of(&self.source), false);
        self.usage = scanner.map(|scanner| Feeder::new(scanner, false));
        self
    }

    /// Takes the next line.
    pub fn line(&mut self, line: &Line<'_>) -> Result<(), Needs> {
        if line.part != Part::Whole {
            return Err(Needs::Whole);
        }
        if let Some(usage) = &mut self.usage {
            usage.feed(line.raw, true);
        }
        if self.tells_nothing(line) {
            self.seq += 1;
            return Ok(());
        }
        let source = Arc::clone(&self.source);
        let recs = record::of_line(&source, line, |tags| self.is_counted_only(line, tags));
        let Some(recs) = recs else {
            self.seq += 1;
            if let Some(Begun { builder: Builder::Legacy(builder), .. }) = &mut self.begun {
                builder.count();
            }
            return Ok(());
        };
        for rec in recs {
            if rec.at.byte != line.at.byte {
                self.broken.insert(line.at.line, line.at);
            }
            self.record(&rec)?;
        }
        Ok(())
    }

    /// What glances at the lines of this rollout, for [`Shown::glanced`].
    pub fn glances(&self) -> Glances {
        Glances { finders: Finders::default(), counts: self.counts }
    }

    /// Takes the next line like [`Shown::line`], at which somebody has glanced.
    pub fn glanced(&mut self, line: &Line<'_>, glance: Glance) -> Result<(), Needs> {
        let Some(begun) = self.begun.as_mut().filter(|_| glance != Glance::Look) else {
            return self.line(line);
        };
        match (&mut begun.builder, glance, begun.own_from) {
            (Builder::Legacy(builder), Glance::Nothing, _) => builder.lose_count(),
            (Builder::Legacy(builder), _, None) => builder.count(),
            // Whether it counts depends on its own number.
            (Builder::Legacy(_), _, Some(_)) => return self.line(line),
            (Builder::Paginated(_), ..) => {}
        }
        if let Some(usage) = &mut self.usage {
            usage.feed(line.raw, true);
        }
        self.seq += 1;
        Ok(())
    }

    /// Whether a line can be passed over, whatever else stands on it.
    fn tells_nothing(&mut self, line: &Line<'_>) -> bool {
        let Some(begun) = &mut self.begun else { return false };
        match &mut begun.builder {
            Builder::Legacy(builder) => {
                let passes =
                    !self.counts && builder.is_announced() && self.finders.legacy(line.raw);
                if passes {
                    builder.lose_count();
                }
                passes
            }
            // The display is made of events alone, and none is on a line without the word, be it broken or not.
            Builder::Paginated(_) if self.finders.event.find(line.raw).is_none() => {
                !self.finders.hides_letters(line.raw)
            }
            Builder::Paginated(builder) => {
                let Some(keeps) = self.keeps else { return false };
                let tags = std::str::from_utf8(line.body())
                    .ok()
                    .and_then(|t| tags::parse(t, SKIMMED).ok());
                let Some((_, tags)) = tags else { return false };
                let is = |n, name| tags.get(n).is_some_and(|tag| tag == name);
                let placed = || tags.get(2).and_then(|turn| builder.placed(&turn));
                // What responses used is told between all that is shown.
                is(0, "event_msg")
                    && (is(1, "token_count")
                        || (is(1, "item_completed") && placed().is_some_and(|n| n >= keeps)))
            }
        }
    }

    /// Whether a record of a legacy rollout is counted and does nothing else.
    fn is_counted_only(&self, line: &Line<'_>, tags: &Tags<'_>) -> bool {
        // What a sub-agent inherits is left out by the numbers on its records.
        let counts =
            matches!(self.begun, Some(Begun { builder: Builder::Legacy(_), own_from: None, .. }));
        counts && self.finders.is_counted_only(line, tags)
    }

    fn record(&mut self, rec: &Rec<'_>) -> Result<(), Needs> {
        // What is not known takes a number like all others.
        let seq = self.seq;
        self.seq += 1;
        let begun = match &mut self.begun {
            Some(begun) => begun,
            None if rec.top == Top::Unknown => return Ok(()),
            none => none.insert(Begun::of(rec).ok_or(Needs::Whole)?),
        };
        if begun.own_from.zip(rec.ordinal).is_some_and(|(from, n)| n < from) {
            return Ok(());
        }
        begun.display |= eventless::is_display(rec);
        match &mut begun.builder {
            Builder::Legacy(builder) => {
                builder.record(seq, rec, &self.source);
                if builder.has_guessed() {
                    return Err(Needs::Count);
                }
            }
            Builder::Paginated(builder) => builder.record(seq, rec, &self.source),
        }
        Ok(())
    }

    /// The thread, with nothing but its id, its status, its folder, its first prompt and its turns. `known` is how turns ended that a torn file
    /// may not tell.
    pub fn finish(self, id: &str, known: &[KnownTurn]) -> Result<Thread, Needs> {
        self.end(id, known).map(|(thread, _)| thread)
    }

    /// The thread as [`Shown::finish`] gives it, but that its turns may lack items; with what reads those of the newest `count`
    /// turns.
    pub fn newest(
        mut self,
        id: &str,
        known: &[KnownTurn],
        count: usize,
    ) -> Result<(Thread, Newest), Needs> {
        let begun = self.begun.as_ref().filter(|b| matches!(b.builder, Builder::Paginated(_)));
        let begun = begun.ok_or(Needs::Whole)?;
        let shown = Self {
            begun: Some(Begun {
                builder: Builder::Paginated(Paginated::default()),
                own_from: begun.own_from,
                cwd: begun.cwd.clone(),
                agent: None,
                display: true,
            }),
            ..Self::new(&self.source)
        };
        let broken = std::mem::take(&mut self.broken);
        let (thread, firsts) = self.end(id, known)?;
        let first = firsts.len().saturating_sub(count);
        // Every turn has a place where it is first named: all that belongs to it stands from there on.
        let places: Option<Vec<Position>> = firsts[first..].iter().copied().collect();
        let whole_line = |at: Position| broken.get(&at.line).copied().unwrap_or(at);
        let from = places.ok_or(Needs::Whole)?.into_iter().map(whole_line).min_by_key(|at| at.byte);
        Ok((thread, Newest { from: from.ok_or(Needs::Whole)?, first, shown }))
    }

    /// The thread, and where each of its turns is first named.
    fn end(self, id: &str, known: &[KnownTurn]) -> Result<(Thread, Vec<Option<Position>>), Needs> {
        let begun = self.begun.filter(|begun| begun.display).ok_or(Needs::Whole)?;
        let mut turns = match begun.builder {
            Builder::Legacy(builder) => builder.finish(),
            Builder::Paginated(builder) => builder.finish(),
        };
        let open = settle(&mut turns);
        let mut thread = Thread::new(Harness::Codex, id);
        thread.status = status_of(&mut turns, open, known);
        let firsts = turns.iter().map(|t| t.first).collect();
        thread.turns = turns.into_iter().map(|t| t.turn).collect();
        for turn in &mut thread.turns {
            turn.items.retain(|item| !item.recovered);
        }
        thread.cwd = begun.cwd;
        outside_first(&mut thread);
        let preview = thread.items().find_map(|item| prompt_of(&item.kind));
        thread.preview = preview;
        thread.title = thread.preview.clone().or(begun.agent);
        if let Some(usage) = self.usage {
            thread.bill(usage::made_by(id, &[usage.finish()]));
        }
        Ok((thread, firsts))
    }
}

/// Reads the items of the newest turns, once it is known which these are.
#[derive(Debug)]
pub struct Newest {
    /// The first line that is wanted, and all behind it.
    pub from: Position,
    /// The number of the first of the turns.
    first: usize,
    shown: Shown,
}

impl Newest {
    /// Takes the next line.
    pub fn line(&mut self, line: &Line<'_>) -> Result<(), Needs> {
        self.shown.line(line)
    }

    /// Gives the turns their items.
    pub fn finish(self, thread: &mut Thread) -> Result<(), Needs> {
        let (read, _) = self.shown.end(&thread.id, &[])?;
        let mut items: HashMap<String, Vec<Item>> =
            read.turns.into_iter().map(|turn| (turn.id, turn.items)).collect();
        for turn in thread.turns.iter_mut().skip(self.first) {
            turn.items = items.remove(&turn.id).ok_or(Needs::Whole)?;
        }
        Ok(())
    }
}

/// What tells that an item belongs to a turn that is known.
const SKIMMED: Paths = &[&["type"], &["payload", "type"], &["payload", "turn_id"]];

/// What is looked for in every line.
#[derive(Debug)]
struct Finders {
    event: Finder<'static>,
    compacted: Finder<'static>,
    hook: Finder<'static>,
    /// A letter can be written otherwise with these.
    escape: Finder<'static>,
}

impl Default for Finders {
    fn default() -> Self {
        Self {
            event: Finder::new("event_msg"),
            compacted: Finder::new("compacted"),
            hook: Finder::new(legacy::HOOK),
            escape: Finder::new("\\u00"),
        }
    }
}

impl Glances {
    /// What a line tells by itself.
    pub fn at(&self, line: &Line<'_>) -> Glance {
        if line.part != Part::Whole {
            return Glance::Look;
        }
        if !self.counts {
            let nothing = self.finders.legacy(line.raw);
            return if nothing { Glance::Nothing } else { Glance::Look };
        }
        // Most events are looked at anyway.
        if self.finders.event.find(line.raw).is_some() {
            return Glance::Look;
        }
        match line.parse_tagged(Kind::PATHS) {
            (Body::Value(value), Some(tags))
                if value.is_object() && self.finders.is_counted_only(line, &tags) =>
            {
                Glance::Counted
            }
            _ => Glance::Look,
        }
    }
}

impl Finders {
    /// Whether a record is counted in a legacy rollout and does nothing else.
    fn is_counted_only(&self, line: &Line<'_>, tags: &Tags<'_>) -> bool {
        match tags.get(0).map_or(Top::Unknown, |name| Top::of(&name)) {
            Top::SessionMeta | Top::TokenUsage | Top::InterAgent | Top::Other => true,
            Top::ResponseItem => self.hook.find(line.raw).is_none(),
            Top::EventMsg => {
                let tag = tags.get(1).unwrap_or_default();
                legacy::SHOWS_NOTHING.contains(&&*tag) && Kind::of_tags(tags) != Kind::Unknown
            }
            // Whether a turn's settings count depends on what stands in them.
            Top::TurnContext | Top::Compacted | Top::Unknown => false,
        }
    }

    /// Whether a line has no record that shows anything in a legacy rollout, be it broken or not.
    fn legacy(&self, raw: &[u8]) -> bool {
        [&self.event, &self.compacted, &self.hook].iter().all(|word| word.find(raw).is_none())
            && !self.hides_letters(raw)
    }

    /// Whether one of the words may stand on a line with some letters escaped. Letters and the underscore have the numbers from
    /// 0x41 to 0x7a; terminal colours, which stand in many outputs, have 0x1b.
    fn hides_letters(&self, raw: &[u8]) -> bool {
        self.escape.find_iter(raw).any(|at| matches!(raw.get(at + 4), Some(b'4'..=b'7')))
    }
}

impl Begun {
    fn of(first: &Rec<'_>) -> Option<Self> {
        let header = Header::of(std::slice::from_ref(first), 0);
        let meta = header.meta.filter(|meta| meta.history_base.is_none())?;
        Some(Self {
            builder: if header.paginated {
                Builder::Paginated(Paginated::default())
            } else {
                Builder::Legacy(Box::new(Legacy::new()))
            },
            own_from: header.own_from,
            cwd: items::own(meta.cwd),
            agent: items::own(meta.agent_path.or(meta.agent_nickname)),
            display: false,
        })
    }
}
