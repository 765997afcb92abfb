//! Threads that were read last: who reads a thread page by page reads it once.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use recount_formats::Code;
use recount_session::model::{Item, Thread, Turn};
use recount_store::tail::{self, Identity, Snapshot};
use recount_store::{SessionHead, Stores, discover};

use super::refusal::Refusal;

/// How many bytes of transcripts are kept as threads. The last one is kept whatever its size.
const KEPT: u64 = 192 << 20;
/// The smallest has a few fields and its places.
const LEAST: u64 = 1 << 14;
/// So many bytes are read again at most to find where branches leave.
const FORKS: u64 = 32 << 20;

/// A thread with the numbers of its items.
#[derive(Debug)]
pub(super) struct Volume {
    pub(super) head: SessionHead,
    pub(super) thread: Thread,
    /// The branch, where it is not the active one.
    pub(super) leaf: Option<String>,
    /// Turn and place in it, by the number of the item.
    places: Vec<(u32, u32)>,
    /// Where other branches leave: leaf and number of the item.
    forks: OnceLock<Vec<(String, usize)>>,
}

impl Volume {
    fn new(head: SessionHead, thread: Thread, leaf: Option<String>) -> Self {
        let of_turn = |(n, turn): (usize, &Turn)| {
            (0..turn.items.len() as u32).map(move |item| (n as u32, item))
        };
        let places = thread.turns.iter().enumerate().flat_map(of_turn).collect();
        Self { head, thread, leaf, places, forks: OnceLock::new() }
    }

    /// How many items it has.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// An item by its number, with the number of its turn and its place in that.
    pub(super) fn at(&self, number: usize) -> Option<(usize, usize, &Item)> {
        let (turn, place) = *self.places.get(number)?;
        let (turn, place) = (turn as usize, place as usize);
        let item = self.thread.turns.get(turn)?.items.get(place)?;
        Some((turn, place, item))
    }

    /// The items from a number on, each with its number, that of its turn, and its place in the turn.
    pub(super) fn from(&self, number: usize) -> impl Iterator<Item = (usize, usize, usize, &Item)> {
        (number..self.len())
            .filter_map(|n| self.at(n).map(|(turn, place, item)| (n, turn, place, item)))
    }

    /// The number of the first item of a turn.
    pub(super) fn first_of(&self, turn: usize) -> usize {
        self.places.partition_point(|(t, _)| (*t as usize) < turn)
    }

    /// The number of an item by its id.
    pub(super) fn find(&self, id: &str) -> Option<usize> {
        self.from(0).find(|(.., item)| item.id == id).map(|(n, ..)| n)
    }

    /// The number of the item from which on two states of a thread may differ.
    pub(super) fn parts_from(&self, other: &Self) -> usize {
        let same = self.thread.turns.iter().zip(&other.thread.turns);
        let turns = same.take_while(|(a, b)| a == b).count();
        let first = self.first_of(turns);
        let items = self.from(first).zip(other.from(first));
        first + items.take_while(|((.., a), (.., b))| a == b).count()
    }

    /// Where other branches leave: leaf and number of the item before which they do. Blocks while they are read; nothing
    /// when that would be too much.
    pub(super) fn forks(&self) -> &[(String, usize)] {
        self.forks.get_or_init(|| {
            let others = self.thread.branches.iter().filter(|b| !b.active).count() as u64;
            if others == 0 || self.head.size.saturating_mul(others) > FORKS {
                return Vec::new();
            }
            let Some(Ok(opened)) = discover::of(self.head.harness).map(|d| d.open(&self.head))
            else {
                return Vec::new();
            };
            let (active, asides) = opened.with_branches();
            let active = Self::new(self.head.clone(), active, None);
            let place = |aside: &recount_session::model::Aside| {
                let first = active.first_of(aside.shared_turns);
                (aside.leaf.clone(), first + aside.shared_items(&active.thread.turns))
            };
            // One that says nothing of its own leaves nowhere.
            let turns = &active.thread.turns;
            asides.iter().filter(|a| a.own_turns(turns).next().is_some()).map(place).collect()
        })
    }
}

/// A thread that was read, and what tells whether it is still so.
type Kept = Mutex<Option<(Identity, Arc<Volume>)>>;

/// One thread, or the place for it.
#[derive(Debug, Default)]
struct Slot {
    id: String,
    leaf: Option<String>,
    weight: u64,
    /// Locked while it is read, so that those who ask at the same time read it once.
    kept: Arc<Kept>,
}

/// The threads that were read last.
#[derive(Debug)]
pub(super) struct Shelf {
    stores: Stores,
    /// The newest behind.
    slots: Mutex<Vec<Slot>>,
}

impl Shelf {
    pub(super) fn new(stores: Stores) -> Self {
        Self { stores, slots: Mutex::default() }
    }

    /// A thread by its id, at a branch. It is read anew when anything has happened to its files. Blocks.
    pub(super) fn open(&self, id: &str, leaf: Option<&str>) -> Result<Arc<Volume>, Refusal> {
        let kept = self.slot(id, leaf);
        let mut kept = lock(&kept);
        if let Some((identity, volume)) = &*kept
            && identity.still_holds()
        {
            return Ok(Arc::clone(volume));
        }
        let (identity, volume) = match self.read(id, leaf) {
            Ok(read) => read,
            Err(refusal) => {
                *kept = None;
                drop(kept);
                self.forget(id, leaf);
                return Err(refusal);
            }
        };
        *kept = Some((identity, Arc::clone(&volume)));
        drop(kept);
        self.weigh(id, leaf, volume.head.size);
        Ok(volume)
    }

    /// Puts a thread in its place that was read by somebody who follows it.
    pub(super) fn put(&self, snapshot: Snapshot, identity: Identity) -> Arc<Volume> {
        let Snapshot { head, thread } = snapshot;
        let volume = Arc::new(Volume::new(head, thread, None));
        let id = &volume.head.id;
        *lock(&self.slot(id, None)) = Some((identity, Arc::clone(&volume)));
        self.weigh(id, None, volume.head.size);
        volume
    }

    fn slot(&self, id: &str, leaf: Option<&str>) -> Arc<Kept> {
        let mut slots = lock(&self.slots);
        let place = slots.iter().position(|s| s.id == id && s.leaf.as_deref() == leaf);
        let slot = place.map_or_else(
            || Slot {
                id: id.to_owned(),
                leaf: leaf.map(str::to_owned),
                weight: LEAST,
                ..Slot::default()
            },
            |place| slots.remove(place),
        );
        let kept = Arc::clone(&slot.kept);
        slots.push(slot);
        kept
    }

    /// What cannot be read needs no place: ids that are none could be asked for without end.
    fn forget(&self, id: &str, leaf: Option<&str>) {
        lock(&self.slots).retain(|slot| slot.id != id || slot.leaf.as_deref() != leaf);
    }

    /// Lets go of the oldest ones when there is too much. Whoever reads one of them keeps it as long as needed.
    fn weigh(&self, id: &str, leaf: Option<&str>, bytes: u64) {
        let mut slots = lock(&self.slots);
        if let Some(slot) = slots.iter_mut().find(|s| s.id == id && s.leaf.as_deref() == leaf) {
            slot.weight = bytes.max(LEAST);
        }
        while slots.len() > 1 && slots.iter().map(|s| s.weight).sum::<u64>() > KEPT {
            slots.remove(0);
        }
    }

    fn read(&self, id: &str, leaf: Option<&str>) -> Result<(Identity, Arc<Volume>), Refusal> {
        let head = if id.is_empty() { None } else { self.stores.with_id(id) };
        let head = head.ok_or_else(|| Refusal::missing(format!("no session `{id}`")))?;
        let (identity, mut head, opened) = tail::open(&head)
            .map_err(|e| Refusal::internal(format!("{}: {e}", head.path.display())))?;
        // Of a database, only this session's part is kept.
        head.size = head.size.min(opened.bytes.len() as u64).max(1);
        let thread = opened.thread(leaf);
        drop(opened);
        if let Some(leaf) = leaf
            && thread.findings.iter().any(|finding| finding.code == Code::UnknownBranch)
        {
            return Err(Refusal::missing(format!("no branch ends at `{leaf}`")));
        }
        Ok((identity, Arc::new(Volume::new(head, thread, leaf.map(str::to_owned)))))
    }
}

/// What is kept here is whole after each change: a thread that broke off has spoilt nothing.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
