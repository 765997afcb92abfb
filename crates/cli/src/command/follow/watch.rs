//! Which sessions were written to.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use recount_formats::Harness;
use recount_store::{SessionHead, Stores, discover};

/// How often new files are looked for.
const NAMES: Duration = Duration::from_millis(100);

/// The files of all stores.
pub(super) struct Watch {
    stores: Stores,
    files: HashMap<(Harness, PathBuf), File>,
    /// The sessions that were there, wherever.
    ids: HashSet<(Harness, String)>,
    looked: Instant,
}

/// What happened to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// It was not there before.
    New,
    /// It was written to.
    Written,
    /// It stands in another file than before: compressed, archived, renamed.
    Moved,
}

struct File {
    state: State,
    /// When each session in it was last written, for files that hold several.
    sessions: HashMap<String, Option<String>>,
}

/// What changes when a file is written to: its length and time, and those of a database's log.
type State = Vec<(u64, Option<SystemTime>)>;

fn state(path: &Path) -> State {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let files = [path.to_owned(), PathBuf::from(log)];
    let metas = files.iter().filter_map(|path| fs::metadata(path).ok());
    metas.map(|meta| (meta.len(), meta.modified().ok())).collect()
}

impl Watch {
    pub(super) fn new(stores: &Stores) -> Self {
        let (sessions, _) = stores.list();
        let mut watch = Self {
            stores: stores.clone(),
            files: HashMap::new(),
            ids: sessions.into_iter().map(|head| (head.harness, head.id)).collect(),
            looked: Instant::now(),
        };
        for (harness, path) in watch.names() {
            let file = File { state: state(&path), sessions: HashMap::new() };
            watch.files.insert((harness, path), file);
        }
        for ((harness, path), file) in &mut watch.files {
            if !keeps_files(*harness) {
                file.sessions = times(&super::sessions_at(*harness, path));
            }
        }
        watch
    }

    /// The sessions that were written to within a time.
    pub(super) fn recent(&self, within: Duration) -> Vec<SessionHead> {
        let recent = |at: &Option<SystemTime>| {
            at.is_some_and(|at| at.elapsed().is_ok_and(|since| since < within))
        };
        let files =
            self.files.iter().filter(|(_, file)| file.state.iter().any(|(_, at)| recent(at)));
        let heads = files.flat_map(|((harness, path), _)| super::sessions_at(*harness, path));
        heads
            .filter(|head| {
                keeps_files(head.harness)
                    || head
                        .updated_at
                        .as_deref()
                        .and_then(crate::output::time::parse)
                        .is_some_and(|at| recent(&SystemTime::try_from(at).ok()))
            })
            .collect()
    }

    /// The sessions to which something happened since the last look.
    pub(super) fn changed(&mut self) -> Vec<(SessionHead, Event)> {
        if self.looked.elapsed() < NAMES {
            return Vec::new();
        }
        self.looked = Instant::now();
        let mut changed = Vec::new();
        let names = self.names();
        let there: HashSet<&(Harness, PathBuf)> = names.iter().collect();
        self.files.retain(|key, _| there.contains(key));
        for (harness, path) in names {
            let now = state(&path);
            let key = (harness, path);
            let before = self.files.get(&key);
            if before.is_some_and(|file| file.state == now) {
                continue;
            }
            let heads = super::sessions_at(harness, &key.1);
            // A file that nobody can make sense of yet is looked at again.
            if heads.is_empty() {
                continue;
            }
            let known = before.map(|file| &file.sessions);
            let one = keeps_files(harness);
            for head in &heads {
                let was_here = match known {
                    None => false,
                    Some(_) if one => true,
                    Some(known) => match known.get(&head.id) {
                        None => false,
                        Some(at) if *at == head.updated_at => continue,
                        Some(_) => true,
                    },
                };
                let was_there = !self.ids.insert((harness, head.id.clone()));
                let event = match (was_here, was_there) {
                    (true, _) => Event::Written,
                    (false, true) => Event::Moved,
                    (false, false) => Event::New,
                };
                changed.push((head.clone(), event));
            }
            let sessions = if one { HashMap::new() } else { times(&heads) };
            self.files.insert(key, File { state: now, sessions });
        }
        changed
    }

    fn names(&self) -> Vec<(Harness, PathBuf)> {
        let mut names = Vec::new();
        for store in self.stores.stores.iter().filter(|store| store.root.exists()) {
            let Some(discover) = discover::of(store.harness) else { continue };
            let files = if discover.keeps_files() {
                discover.files(&store.root)
            } else {
                discover.databases(&store.root)
            };
            names.extend(files.into_iter().map(|path| (store.harness, path)));
        }
        names
    }
}

fn keeps_files(harness: Harness) -> bool {
    discover::of(harness).is_some_and(discover::Discover::keeps_files)
}

fn times(heads: &[SessionHead]) -> HashMap<String, Option<String>> {
    heads.iter().map(|head| (head.id.clone(), head.updated_at.clone())).collect()
}
