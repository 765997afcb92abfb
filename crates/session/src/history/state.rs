//! The state: records in order, found by id.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::event::Refused;
use super::record::exec::OutputChunk;
use super::{HistoryId, Kind, Origin, Record, Unknown};

/// The three kinds of name by which a record is found again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lookup {
    /// Commands by call.
    Exec,
    /// Tools by call.
    Tool,
    /// Messages by stream.
    Stream,
}

impl Lookup {
    pub(super) const ALL: [Self; 3] = [Self::Exec, Self::Tool, Self::Stream];

    /// The name in a snapshot.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Exec => "exec_call_lookup",
            Self::Tool => "tool_call_lookup",
            Self::Stream => "stream_lookup",
        }
    }

    /// Whether a record of this kind can be found by this name.
    pub(super) fn fits(self, key: &str, kind: &Kind) -> bool {
        let own = match (self, kind) {
            (Self::Tool, Kind::RunningTool(_) | Kind::ToolCall(_)) => return true,
            (Self::Exec, Kind::Exec(exec)) => exec.call_id.get(),
            (Self::Stream, Kind::AssistantStream(stream)) => Some(&stream.stream_id),
            (Self::Stream, Kind::AssistantMessage(message)) => message.stream_id.get(),
            _ => return false,
        };
        own.is_none_or(|own| own == key)
    }

    /// The name that a record itself says it has.
    fn own(kind: &Kind) -> Option<(Self, &str)> {
        match kind {
            Kind::Exec(exec) => exec.call_id.get().map(|id| (Self::Exec, id.as_str())),
            Kind::AssistantStream(stream) => Some((Self::Stream, &stream.stream_id)),
            Kind::AssistantMessage(m) => m.stream_id.get().map(|id| (Self::Stream, id.as_str())),
            _ => None,
        }
    }
}

/// A record with what is kept about it.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) record: Record,
    /// The names that lead here.
    keys: Vec<(Lookup, Arc<str>)>,
    /// Sums over the chunks of a command's two streams.
    pub(super) bytes: [usize; 2],
}

impl Slot {
    fn new(record: Record) -> Self {
        let bytes = stream_bytes(record.kind());
        Self { record, keys: Vec::new(), bytes }
    }
}

fn stream_bytes(kind: &Kind) -> [usize; 2] {
    let sum = |chunks: &[OutputChunk]| chunks.iter().map(|c| c.content.len()).sum();
    match kind {
        Kind::Exec(exec) => [sum(&exec.stdout_chunks), sum(&exec.stderr_chunks)],
        _ => [0, 0],
    }
}

/// Records in order, each found by its id, some by a call or a stream.
///
/// Appending, finding, replacing and removing take the same time whatever the number of records (amortized); inserting in
/// the middle does not. Removed records leave a gap that is closed once there are more gaps than records.
#[derive(Debug, Clone, Default)]
pub struct HistoryState {
    slots: Vec<Option<Slot>>,
    places: HashMap<HistoryId, usize>,
    next_id: u64,
    lookups: [HashMap<Arc<str>, HistoryId>; 3],
    other: Unknown,
}

impl HistoryState {
    /// An empty state.
    pub fn new() -> Self {
        Self { next_id: 1, ..Self::default() }
    }

    /// A state with this next id, for restoring.
    pub(super) fn with_next_id(next_id: u64, other: Unknown) -> Self {
        Self { next_id, other, ..Self::default() }
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The records in order.
    pub fn records(&self) -> impl DoubleEndedIterator<Item = &Record> {
        self.slots.iter().flatten().map(|slot| &slot.record)
    }

    /// A record by its id.
    pub fn get(&self, id: HistoryId) -> Option<&Record> {
        self.slot(id).map(|slot| &slot.record)
    }

    /// The record of a command's call.
    pub fn exec_by_call(&self, call_id: &str) -> Option<&Record> {
        self.found(Lookup::Exec, call_id).and_then(|id| self.get(id))
    }

    /// The record of a tool's call.
    pub fn tool_by_call(&self, call_id: &str) -> Option<&Record> {
        self.found(Lookup::Tool, call_id).and_then(|id| self.get(id))
    }

    /// The record of a stream, or of the message that it became.
    pub fn message_by_stream(&self, stream_id: &str) -> Option<&Record> {
        self.found(Lookup::Stream, stream_id).and_then(|id| self.get(id))
    }

    /// The id that the next record gets.
    pub const fn next_id(&self) -> HistoryId {
        HistoryId(self.next_id)
    }

    /// Members of the snapshot that the schema does not name.
    pub(super) const fn other(&self) -> &Unknown {
        &self.other
    }

    pub(super) const fn lookup(&self, lookup: Lookup) -> &HashMap<Arc<str>, HistoryId> {
        &self.lookups[lookup as usize]
    }

    pub(super) fn found(&self, lookup: Lookup, key: &str) -> Option<HistoryId> {
        self.lookup(lookup).get(key).copied()
    }

    fn slot(&self, id: HistoryId) -> Option<&Slot> {
        self.slots.get(*self.places.get(&id)?)?.as_ref()
    }

    pub(super) fn slot_mut(&mut self, id: HistoryId) -> Option<&mut Slot> {
        self.slots.get_mut(*self.places.get(&id)?)?.as_mut()
    }

    /// Adds a record at the end, or before another one.
    pub(super) fn insert(
        &mut self,
        before: Option<HistoryId>,
        kind: Kind,
        origin: Option<Origin>,
    ) -> Result<HistoryId, Refused> {
        let place = match before {
            None => None,
            Some(id) => Some(*self.places.get(&id).ok_or(Refused::NoSuchRecord(id))?),
        };
        let id = HistoryId(self.next_id);
        // The next id has to be above all others.
        self.next_id = self.next_id.checked_add(1).ok_or(Refused::OutOfIds)?;
        let slot = Some(Slot::new(Record::new(id, kind, origin)));
        match place {
            None => {
                self.places.insert(id, self.slots.len());
                self.slots.push(slot);
            }
            Some(place) => {
                self.slots.insert(place, slot);
                self.number(place);
            }
        }
        self.add_own_key(id);
        Ok(id)
    }

    /// Adds a record that has its id already; false when another one has it.
    pub(super) fn restore(&mut self, record: Record) -> bool {
        let Entry::Vacant(place) = self.places.entry(record.id()) else { return false };
        place.insert(self.slots.len());
        self.slots.push(Some(Slot::new(record)));
        true
    }

    pub(super) fn replace(
        &mut self,
        id: HistoryId,
        kind: Kind,
        origin: Option<Origin>,
    ) -> Result<(), Refused> {
        let slot = self.slot_mut(id).ok_or(Refused::NoSuchRecord(id))?;
        slot.bytes = stream_bytes(&kind);
        slot.record.replace(kind, origin);
        // A name may lead to it as before when it is still of that kind.
        let (kept, gone): (Vec<_>, Vec<_>) = std::mem::take(&mut slot.keys)
            .into_iter()
            .partition(|(lookup, key)| lookup.fits(key, slot.record.kind()));
        slot.keys = kept;
        for (lookup, key) in gone {
            self.lookups[lookup as usize].remove(&key);
        }
        self.add_own_key(id);
        Ok(())
    }

    pub(super) fn remove(&mut self, id: HistoryId) -> Result<(), Refused> {
        let place = self.places.get(&id).copied().ok_or(Refused::NoSuchRecord(id))?;
        self.clear(place);
        let gaps = self.slots.len() - self.places.len();
        if gaps > self.places.len().max(32) {
            self.slots.retain(Option::is_some);
            self.number(0);
        }
        Ok(())
    }

    /// Removes everything behind a record, or everything.
    pub(super) fn truncate_after(&mut self, id: Option<HistoryId>) -> Result<(), Refused> {
        let keep = match id {
            None => 0,
            Some(id) => 1 + self.places.get(&id).copied().ok_or(Refused::NoSuchRecord(id))?,
        };
        for place in keep..self.slots.len() {
            self.clear(place);
        }
        self.slots.truncate(keep);
        Ok(())
    }

    /// Empties a slot and forgets the names that lead to it.
    fn clear(&mut self, place: usize) {
        let Some(slot) = self.slots.get_mut(place).and_then(Option::take) else { return };
        self.places.remove(&slot.record.id());
        for (lookup, key) in slot.keys {
            self.lookups[lookup as usize].remove(&key);
        }
    }

    /// Writes down the places of the slots from one on.
    fn number(&mut self, from: usize) {
        for (place, slot) in self.slots.iter().enumerate().skip(from) {
            if let Some(slot) = slot {
                self.places.insert(slot.record.id(), place);
            }
        }
    }

    fn add_own_key(&mut self, id: HistoryId) {
        let own = self.get(id).and_then(|r| Lookup::own(r.kind()));
        if let Some((lookup, key)) = own.map(|(lookup, key)| (lookup, Arc::from(key))) {
            self.add_key(lookup, key, id);
        }
    }

    /// Lets a name lead to a record. It leads to one only: to the newest.
    pub(super) fn add_key(&mut self, lookup: Lookup, key: Arc<str>, id: HistoryId) {
        let old = self.lookups[lookup as usize].insert(Arc::clone(&key), id);
        if old == Some(id) {
            return;
        }
        if let Some(slot) = old.and_then(|old| self.slot_mut(old)) {
            slot.keys.retain(|(l, k)| *l != lookup || *k != key);
        }
        if let Some(slot) = self.slot_mut(id) {
            slot.keys.push((lookup, key));
        }
    }
}

/// Two states are the same when a person and a program see the same in them.
impl PartialEq for HistoryState {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.next_id == other.next_id
            && self.lookups == other.lookups
            && self.other == other.other
            && self.records().eq(other.records())
    }
}
