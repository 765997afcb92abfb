//! Entries to branches. Whatever the parents say, what comes out is a forest: circles and gaps are cut and told.

use std::collections::HashMap;
use std::sync::Arc;

use recount_formats::finding::excerpt;
use recount_formats::{Code, Finding};

use super::entries::{Parent, Transcript};

/// The parents of all entries, by their place in the file.
#[derive(Debug)]
pub(super) struct Tree<'t> {
    parents: Vec<Option<usize>>,
    has_child: Vec<bool>,
    by_id: HashMap<&'t str, usize>,
}

impl<'t> Tree<'t> {
    /// Links the entries.
    ///
    /// An id that stands twice means the nearest entry above that has it, else the first one below: files are
    /// appended to, so a parent stands above its children unless somebody edited the file.
    pub(super) fn link(
        transcript: &'t Transcript<'_>,
        source: &Arc<str>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let entries = &transcript.entries;
        let mut by_id: HashMap<&str, usize> = HashMap::with_capacity(entries.len());
        let mut parents = vec![None; entries.len()];
        let mut below = Vec::new();
        for (n, entry) in entries.iter().enumerate() {
            match &entry.parent {
                Parent::None => {}
                Parent::Previous => parents[n] = n.checked_sub(1),
                Parent::Id(parent) => match by_id.get(&**parent) {
                    Some(&above) => parents[n] = Some(above),
                    None => below.push((n, &**parent)),
                },
            }
            if let Some(first) = by_id.insert(&entry.id, n) {
                findings.push(Finding::new(
                    Code::DuplicateId,
                    source,
                    entry.at,
                    format!(
                        "the id `{}` stands on line {} too: pi confuses the two, or fails",
                        excerpt(&entry.id),
                        entries[first].at.line
                    ),
                ));
            }
        }
        let mut forward = Vec::new();
        for (n, parent) in below {
            let entry = &entries[n];
            match by_id.get(parent) {
                Some(&itself) if itself == n => findings.push(Finding::new(
                    Code::ParentCycle,
                    source,
                    entry.at,
                    "the entry is its own parent: its branch begins here, and pi fails".to_owned(),
                )),
                Some(&child) => {
                    parents[n] = Some(child);
                    forward.push(n);
                }
                None => findings.push(Finding::new(
                    Code::DanglingParent,
                    source,
                    entry.at,
                    format!(
                        "the parent `{}` is not in the file: the branch is cut here",
                        excerpt(parent)
                    ),
                )),
            }
        }
        // A circle needs a parent that stands below its child, so only those links can close one.
        for n in circles(&parents, &forward) {
            parents[n] = None;
            findings.push(Finding::new(
                Code::ParentCycle,
                source,
                entries[n].at,
                "the parents form a circle: it was cut above this entry, and pi fails".to_owned(),
            ));
        }
        let mut has_child = vec![false; entries.len()];
        for parent in parents.iter().flatten() {
            has_child[*parent] = true;
        }
        Self { parents, has_child, by_id }
    }

    /// The entry with an id; the last one when several have it.
    pub(super) fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The parent of an entry.
    pub(super) fn parent(&self, n: usize) -> Option<usize> {
        self.parents[n]
    }

    /// Where pi goes on: at the last entry of the file.
    pub(super) fn active(&self) -> Option<usize> {
        self.parents.len().checked_sub(1)
    }

    /// The entries without children, in the order of the file.
    pub(super) fn leaves(&self) -> impl Iterator<Item = usize> {
        (0..self.parents.len()).filter(|&n| !self.has_child[n])
    }

    /// The entries from the root to `end`.
    pub(super) fn path(&self, end: usize) -> Vec<usize> {
        let mut path: Vec<usize> = std::iter::successors(Some(end), |&n| self.parents[n]).collect();
        path.reverse();
        path
    }
}

/// Where to cut: the first entry of each circle.
fn circles(parents: &[Option<usize>], forward: &[usize]) -> Vec<usize> {
    const NEW: usize = 0;
    let mut walk_of = vec![NEW; parents.len()];
    let mut cuts = Vec::new();
    for (walk, &start) in (1..).zip(forward) {
        let mut at = Some(start);
        while let Some(n) = at {
            if walk_of[n] == walk {
                let around = std::iter::successors(parents[n], |&m| parents[m].filter(|_| m != n));
                cuts.push(around.min().unwrap_or(n));
                break;
            }
            if walk_of[n] != NEW {
                break;
            }
            walk_of[n] = walk;
            at = parents[n];
        }
    }
    cuts
}
