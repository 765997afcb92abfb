//! Where cursor-agent keeps its chats (catalogue: layout).
//!
//! A store is the program's folder: `chats/<md5>/<id>/store.db`, `acp-sessions/<id>/store.db`, and the readable copies
//! below `projects/`. A copy counts only when the store of its chat is gone. Sub-agents inside of a store are sessions
//! of their own: same file, another id.
//!
//! - [`chat`]: one `store.db`
//! - [`copies`]: readable copies
//! - [`forks`]: which chat was copied from which
//! - [`stream`]: a store as lines

mod chat;
mod copies;
mod forks;
mod stream;

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use recount_formats::{Finding, Harness};

use self::chat::Listed;
use self::copies::Copy;
use super::{Discover, Listing, Opened, resumed};
use crate::environment::Environment;
use crate::head::SessionHead;
use crate::tail::Watched;

/// The name of a chat's database.
const STORE: &str = "store.db";

/// How cursor-agent keeps its chats.
#[derive(Debug)]
pub struct CursorAgent;

impl Discover for CursorAgent {
    fn harness(&self) -> Harness {
        Harness::CursorAgent
    }

    fn roots(&self, environment: &Environment) -> Vec<PathBuf> {
        let usual = environment.home().map(|home| home.join(".cursor"));
        let mut roots: Vec<PathBuf> = Vec::new();
        let mut add = |root: Option<PathBuf>| {
            roots.extend(root.filter(|root| !roots.contains(root)));
        };
        if let Some(chosen) = environment.path("CURSOR_CONFIG_DIR") {
            add(Some(chosen));
        } else if let Some(config) = environment.path("XDG_CONFIG_HOME") {
            add(Some(config.join("cursor")));
            add(usual.clone());
        } else {
            add(usual.clone());
        }
        // Copies are kept with the editor's data, which has a variable of its own.
        add(environment.path("CURSOR_DATA_DIR").or(usual));
        roots
    }

    fn list(&self, root: &Path) -> Listing {
        let mut listing = Listing::default();
        let copies = copies::all(root);
        let mut chats = read_all(&stores(root), root, &copies);
        forks::link(&mut chats);
        let own: HashSet<String> = chats.iter().map(|chat| chat.head.id.clone()).collect();
        let mut known: HashSet<String> = HashSet::new();
        for chat in &chats {
            known.insert(copies::encoded(&chat.head.id));
            known.extend(chat.agents.iter().map(|agent| copies::encoded(&agent.id)));
        }
        for chat in chats {
            // A sub-agent with a store of its own is listed from there.
            listing
                .sessions
                .extend(chat.agents.into_iter().filter(|agent| !own.contains(&agent.id)));
            listing.sessions.push(chat.head);
        }
        let alone = copies.iter().filter(|copy| !known.contains(&copy.id));
        listing.sessions.extend(alone.map(|copy| copies::head(copy, root)));
        listing
    }

    /// Ids stand in the names of folders: only the chats that fit are opened, and all of them when none does.
    fn find(&self, root: &Path, prefix: &str) -> Vec<SessionHead> {
        let stores = stores(root);
        let fitting: Vec<PathBuf> =
            stores.iter().filter(|path| id_of(path).starts_with(prefix)).cloned().collect();
        if !fitting.is_empty() {
            let copies = copies::all(root);
            let mut chats = read_all(&fitting, root, &copies);
            for chat in &mut chats {
                chat.head.forked_from_id = forks::source(chat, root);
            }
            return chats.into_iter().map(|chat| chat.head).collect();
        }
        let mut found = self.list(root).sessions;
        found.retain(|head| head.id.starts_with(prefix));
        if found.is_empty() {
            // Sub-agents of which only the steps are kept are in no list.
            found =
                stores.iter().flat_map(|path| chat::inline_agents(path, root, prefix)).collect();
        }
        found
    }

    fn at_path(&self, path: &Path) -> Option<SessionHead> {
        if path.file_name()? == STORE || chat::is_store(path) {
            let root = chat::root_of(path);
            let copies = copies::all(&root);
            let mut chat = chat::list(path, &root, &copies);
            chat.head.forked_from_id = forks::source(&chat, &root);
            return Some(chat.head);
        }
        copies::at_path(path)
    }

    fn watched(&self, head: &SessionHead) -> Watched {
        if copies::is_copy(&head.path) {
            return Watched { content: vec![head.path.clone()], places: Vec::new() };
        }
        let mut places = super::database_files(&head.path);
        places.push(head.path.with_file_name("meta.json"));
        Watched { content: Vec::new(), places }
    }

    fn resume(&self, head: &SessionHead) -> Vec<String> {
        let command = |id| vec!["cursor-agent".to_owned(), format!("--resume={id}")];
        resumed(head).map(command).unwrap_or_default()
    }

    fn databases(&self, root: &Path) -> Vec<PathBuf> {
        let stores = stores(root);
        let chats: HashSet<String> =
            stores.iter().map(|path| copies::encoded(&id_of(path))).collect();
        let copies = copies::all(root).into_iter().filter(|copy| !chats.contains(&copy.id));
        let copies: Vec<PathBuf> = copies.map(|copy| copy.path).collect();
        stores.into_iter().chain(copies).collect()
    }

    fn open(&self, head: &SessionHead) -> io::Result<Opened> {
        if copies::is_copy(&head.path) {
            return copies::open(head, Vec::new());
        }
        match chat::open(head) {
            Ok(opened) => Ok(opened),
            Err(e) => {
                // The copy still has the words of a chat whose store cannot be read.
                let finding = chat::unreadable(&head.path, &e);
                match copies::all(&head.root).iter().find(|c| c.id == copies::encoded(&head.id)) {
                    Some(copy) => {
                        let instead = SessionHead { path: copy.path.clone(), ..head.clone() };
                        copies::open(&instead, vec![finding])
                    }
                    None => Ok(chat::nothing(head, finding)),
                }
            }
        }
    }

    /// A chat and the sub-agents inside of it, sessions of one file.
    fn all_at_path(&self, path: &Path) -> Vec<SessionHead> {
        if copies::is_copy(path) {
            return copies::at_path(path).into_iter().collect();
        }
        if path.file_name().is_none_or(|name| name != STORE) && !chat::is_store(path) {
            return Vec::new();
        }
        let root = chat::root_of(path);
        let listed = chat::list(path, &root, &copies::all(&root));
        std::iter::once(listed.head).chain(listed.agents).collect()
    }

    fn lines(&self, path: &Path, id: Option<&str>) -> Option<io::Result<Box<dyn Read + Send>>> {
        if path.extension().is_some_and(|e| e == "jsonl") {
            return None;
        }
        let heads = self.all_at_path(path);
        let wanted = heads.iter().find(|head| id.is_none_or(|id| head.id == id));
        let head = wanted.or_else(|| heads.first())?.clone();
        Some(self.open(&head).and_then(stream::lines))
    }

    fn is_copy(&self, head: &SessionHead) -> bool {
        copies::is_copy(&head.path)
    }
}

/// Reads chats for a list, on all cores: each is a database to open.
fn read_all(paths: &[PathBuf], root: &Path, copies: &[Copy]) -> Vec<Listed> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    let each = paths.len().div_ceil(threads).max(8);
    let read = |paths: &[PathBuf]| -> Vec<Listed> {
        paths.iter().map(|path| chat::list(path, root, copies)).collect()
    };
    std::thread::scope(|scope| {
        let parts: Vec<_> = paths.chunks(each).map(|part| scope.spawn(|| read(part))).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap_or_default()).collect()
    })
}

/// The databases of a store: chats in the folders of their working directories, and the sessions of editors.
fn stores(root: &Path) -> Vec<PathBuf> {
    let chats = folders(&root.join("chats")).into_iter().flat_map(|folder| folders(&folder));
    let all = chats.chain(folders(&root.join("acp-sessions")));
    all.map(|folder| folder.join(STORE)).filter(|path| path.is_file()).collect()
}

/// The folders of a folder, in the order of their names.
fn folders(of: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(of) else { return Vec::new() };
    let mut folders: Vec<PathBuf> =
        entries.filter_map(|e| Some(e.ok()?.path())).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// The id of a chat: the name of its folder.
fn id_of(store: &Path) -> String {
    let folder = store.parent().and_then(Path::file_name);
    folder.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// What was wrong with a file, for the list and for whoever opens it.
fn finding(path: &Path, code: recount_formats::Code, message: String) -> Finding {
    let source = path.display().to_string().into();
    Finding::new(code, &source, recount_formats::Position::WHOLE, message)
}
