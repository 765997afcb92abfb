//! The files beside a database: full tool results and what shells printed.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use recount_session::rebuild::Companions;

/// The files beside a database, and the sessions in it that another one builds on. The names are explained in the
/// rebuild of opencode.
pub(super) struct Beside {
    folder: PathBuf,
    also_here: Vec<String>,
}

impl Beside {
    pub(super) fn new(database: &Path, also_here: Vec<String>) -> Self {
        let folder = database.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        Self { folder, also_here }
    }
}

impl Companions for Beside {
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.also_here.iter().map(|id| format!("session/{id}")).collect();
        names.extend(entries(&self.folder.join("tool-output")).map(|n| format!("tool-output/{n}")));
        let shells = self.folder.join("shell");
        for project in entries(&shells) {
            let inner = entries(&shells.join(&project));
            names.extend(inner.map(|name| format!("shell/{project}/{name}")));
        }
        names.sort();
        names
    }

    fn read(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        if let Some(id) = name.strip_prefix("session/") {
            return self.also_here.iter().any(|i| i == id).then_some(Cow::Borrowed(&[][..]));
        }
        // Names come from rows: nothing but plain names below the two folders is looked at.
        let plain = name.split('/').all(|part| {
            !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', ':'])
        });
        let below = name.starts_with("tool-output/") || name.starts_with("shell/");
        if !plain || !below {
            return None;
        }
        std::fs::read(self.folder.join(name)).ok().map(Cow::Owned)
    }
}

/// The names in a folder.
fn entries(folder: &Path) -> impl Iterator<Item = String> + use<> {
    std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
}
