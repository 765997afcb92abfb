//! Which chat was copied from which.
//!
//! Nothing names the source of a fork (contract topic "forks"). But a fork begins with the very blobs of its source,
//! and the first prompt has a random id, so no other chat shares it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::chat::{self, Listed};
use super::{STORE, folders};

/// Finds the source of each chat of a list.
pub(super) fn link(chats: &mut [Listed]) {
    let mut groups: HashMap<(PathBuf, String), Vec<usize>> = HashMap::new();
    for (n, chat) in chats.iter().enumerate() {
        if let Some(key) = key(chat) {
            groups.entry(key).or_default().push(n);
        }
    }
    for group in groups.into_values().filter(|group| group.len() > 1) {
        for &n in &group {
            let others: Vec<&Listed> =
                group.iter().filter(|&&m| m != n).filter_map(|&m| chats.get(m)).collect();
            let source = chats.get(n).and_then(|fork| among(fork, &others));
            if let Some(fork) = chats.get_mut(n) {
                fork.head.forked_from_id = source;
            }
        }
    }
}

/// Finds the source of one chat in the folder of its working directory.
pub(super) fn source(fork: &Listed, root: &Path) -> Option<String> {
    let (workspace, _) = key(fork)?;
    let others: Vec<Listed> = folders(&workspace)
        .into_iter()
        .map(|folder| folder.join(STORE))
        .filter(|store| *store != fork.head.path && store.is_file())
        .map(|store| chat::list(&store, root, &[]))
        .filter(|other| key(other) == key(fork))
        .collect();
    among(fork, &others.iter().collect::<Vec<_>>())
}

/// The folder of the working directory and the first prompt: what a fork has in common with its source.
fn key(chat: &Listed) -> Option<(PathBuf, String)> {
    let workspace = chat.head.path.parent()?.parent()?.to_owned();
    Some((workspace, chat.told.first_prompt.clone()?))
}

/// Among chats that share the first prompt: an older one, that with the most turns in common; of several the one whose
/// name the fork's is made from, else the newest.
fn among(fork: &Listed, others: &[&Listed]) -> Option<String> {
    let name = fork.told.name.as_deref();
    others
        .iter()
        .filter(|other| is_older(other, fork))
        .max_by_key(|other| {
            let common =
                fork.told.turn_ids.iter().zip(&other.told.turn_ids).take_while(|(a, b)| a == b);
            let other_name = other.told.name.as_deref().unwrap_or_default();
            let is_named = name.is_some_and(|name| name == format!("{other_name} (forked)"));
            (common.count(), is_named, other.head.created_at.clone())
        })
        .map(|other| other.head.id.clone())
}

/// Whether a chat was there before another. Where times are equal, the one with the shorter name was.
fn is_older(other: &Listed, fork: &Listed) -> bool {
    let order =
        |chat: &Listed| (chat.head.created_at.clone(), chat.told.name.as_ref().map(String::len));
    order(other) < order(fork)
}
