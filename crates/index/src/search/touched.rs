//! The sessions that read or changed a file.

use std::collections::{HashMap, HashSet};

use super::build::plain_path;
use super::refresh::Refreshed;
use super::{Error, Index, Session, Touch};

/// A session that touched files.
#[derive(Debug)]
pub struct Touched {
    /// The session.
    pub session: Session,
    /// The files that fit, with what was done to each, sorted.
    pub files: Vec<(String, Touch)>,
}

impl Index {
    /// The sessions of the stores that were refreshed which touched a file, the latest first. The path is a whole one,
    /// that of a folder, or the last parts of one.
    pub fn touched(&self, refreshed: &Refreshed, path: &str) -> Result<Vec<Touched>, Error> {
        let _snapshot = self.table.snapshot()?;
        let plain = plain_path(path);
        let wanted = plain.trim_end_matches('/');
        let mut by_session: HashMap<i64, Vec<(String, Touch)>> = HashMap::new();
        for (key, path, touch) in self.table.touched(wanted)? {
            if fits(&path, wanted) {
                by_session.entry(key).or_default().push((path, touch));
            }
        }
        let rows = self.table.sessions()?.into_iter();
        let keys: Vec<i64> = rows
            .filter(|row| refreshed.sources.contains_key(&row.source))
            .map(|row| row.key)
            .filter(|key| by_session.contains_key(key))
            .collect();
        let mut all: Vec<Touched> = Vec::new();
        for (key, session) in self.table.named(keys)? {
            let mut files = by_session.remove(&key).unwrap_or_default();
            files.sort_unstable();
            all.push(Touched { session, files });
        }
        all.sort_by(|a, b| {
            let key = |t: &Touched| (t.session.updated_at.clone(), t.session.id.clone());
            key(b).cmp(&key(a))
        });
        Ok(all)
    }
}

/// A file, and how many sessions had to do with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileUse {
    /// Its path, as the sessions name it.
    pub path: String,
    /// The sessions that read or changed it.
    pub sessions: usize,
    /// Those that changed it.
    pub changes: usize,
    /// When the latest of them was last written.
    pub last: Option<String>,
}

impl Index {
    /// The files that most sessions of these stores touched, those that were changed most first.
    pub fn files(&self, refreshed: &Refreshed, most: usize) -> Result<Vec<FileUse>, Error> {
        let _snapshot = self.table.snapshot()?;
        let known = self.table.abouts()?;
        let sessions: HashMap<i64, &Session> = known
            .iter()
            .filter(|(source, ..)| refreshed.sources.contains_key(source))
            .map(|(_, key, session)| (*key, session))
            .collect();
        let mut by_path: HashMap<String, (HashSet<i64>, HashSet<i64>)> = HashMap::new();
        for (key, path, touch) in self.table.all_touched()? {
            if !sessions.contains_key(&key) {
                continue;
            }
            let (all, changed) = by_path.entry(path).or_default();
            all.insert(key);
            if touch == Touch::Change {
                changed.insert(key);
            }
        }
        let mut files: Vec<FileUse> = by_path
            .into_iter()
            .map(|(path, (all, changed))| FileUse {
                path,
                sessions: all.len(),
                changes: changed.len(),
                last: all.iter().filter_map(|key| sessions.get(key)?.updated_at.clone()).max(),
            })
            .collect();
        files.sort_by(|a, b| {
            let key = |file: &FileUse| (file.changes, file.sessions, file.last.clone());
            key(b).cmp(&key(a)).then_with(|| a.path.cmp(&b.path))
        });
        files.truncate(most);
        Ok(files)
    }
}

/// Whether a path is the wanted one, ends with it, or lies in it.
fn fits(path: &str, wanted: &str) -> bool {
    if let Some(rest) = path.strip_prefix(wanted)
        && (rest.is_empty() || rest.starts_with(['/', '\\']))
    {
        return true;
    }
    let relative = wanted.trim_start_matches("./");
    !wanted.starts_with('/')
        && path.match_indices(relative).any(|(at, _)| {
            let before = path[..at].ends_with(['/', '\\']);
            let after = &path[at + relative.len()..];
            before && (after.is_empty() || after.starts_with(['/', '\\']))
        })
}

#[cfg(test)]
mod tests {
    use super::{fits, plain_path};

    #[test]
    fn paths_are_the_same_however_they_are_written() {
        let of = |path: &str| plain_path(path);
        assert_eq!(of("src//new.rs"), "src/new.rs");
        assert_eq!(of("/home/dev/shop/../shop/./src/new.rs"), "/home/dev/shop/src/new.rs");
        assert_eq!(of("./cart.ts"), "cart.ts");
        assert_eq!(of("../x/"), "../x/");
        assert_eq!(of("/../x"), "/x");
        assert_eq!(of("https://example.com//a/../b"), "https://example.com//a/../b");
        assert_eq!(of(r"C:\\a\..\b"), r"C:\\a\..\b");
    }

    #[test]
    fn paths() {
        assert!(fits("/home/dev/shop/src/cart.ts", "/home/dev/shop/src/cart.ts"));
        assert!(fits("/home/dev/shop/src/cart.ts", "src/cart.ts"));
        assert!(fits("/home/dev/shop/src/cart.ts", "./cart.ts"));
        assert!(fits("/home/dev/shop/src/cart.ts", "/home/dev/shop"));
        assert!(fits("/home/dev/shop/src/cart.ts", "src"));
        assert!(!fits("/home/dev/shop/src/cart.ts", "art.ts"));
        assert!(!fits("/home/dev/shop/src/cart.tsx", "cart.ts"));
        assert!(!fits("/home/dev/shopping/a", "/home/dev/shop"));
    }
}
