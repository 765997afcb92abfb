//! What Codex's own indexes know: names, the current rollout, archived rows, children.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use recount_formats::jsonl::{Body, lines};
use recount_formats::{Code, Finding, Position};
use rusqlite::Connection;

use super::files::Rollout;
use crate::container::sqlite;
use crate::head::{Git, SessionHead};

/// A row of `threads`.
#[derive(Debug, Default, Clone)]
struct Row {
    /// Name of the rollout's file. Its folder is of no use: homes are moved and rows go stale.
    rollout: String,
    name: Option<String>,
    title: Option<String>,
    model: Option<String>,
    archived: bool,
    provider: Option<String>,
    effort: Option<String>,
    /// The first prompt, of all that the thread has ever had: a revert or a rollback may have taken it away.
    preview: Option<String>,
    git: Git,
}

/// What `state_5.sqlite` and `session_index.jsonl` say.
#[derive(Debug, Default)]
pub(super) struct State {
    source: Option<Arc<str>>,
    rows: BTreeMap<String, Row>,
    /// Child and parent.
    edges: Vec<(String, String)>,
    /// The last name of each thread in `session_index.jsonl`.
    names: BTreeMap<String, String>,
    root: PathBuf,
    /// The provider that is configured, once somebody has asked.
    provider: OnceLock<Option<String>>,
    /// What was wrong with them.
    pub(super) findings: Vec<Finding>,
}

impl State {
    /// Reads the rows of threads whose ids begin with `prefix`.
    pub(super) fn load(root: &Path, prefix: &str) -> Self {
        let mut state = Self { root: root.to_owned(), ..Self::default() };
        state.read_names(&root.join("session_index.jsonl"));
        if let Some(path) = database(root, "state_") {
            let source: Arc<str> = path.to_string_lossy().into();
            match sqlite::read(&path, |c| Ok((rows(c, prefix)?, edges(c)))) {
                Ok((rows, edges)) => (state.rows, state.edges) = (rows, edges),
                Err(e) => state.findings.push(Finding::new(
                    Code::Unreadable,
                    &source,
                    Position::WHOLE,
                    format!("names and current rollouts cannot be read: {e}"),
                )),
            }
            state.source = Some(source);
        }
        state
    }

    fn read_names(&mut self, path: &Path) {
        let Ok(bytes) = fs::read(path) else { return };
        for line in lines(&bytes) {
            let Body::Value(entry) = line.parse() else { continue };
            if let (Some(id), Some(name)) = (entry.str("id"), entry.str("thread_name")) {
                self.names.insert(id.into_owned(), name.into_owned());
            }
        }
    }

    /// Whether there is a database that could name children.
    pub(super) fn knows_children(&self) -> bool {
        self.source.is_some()
    }

    /// The threads that `parent` started.
    pub(super) fn children<'a>(&'a self, parent: &'a str) -> impl Iterator<Item = &'a str> {
        self.edges.iter().filter(move |(_, p)| p == parent).map(|(child, _)| child.as_str())
    }

    /// The rollout that Codex would open: the one that the row names, else the newest.
    pub(super) fn current<'a>(&self, id: &str, files: &[&'a Rollout]) -> Option<&'a Rollout> {
        let named = self.rows.get(id).and_then(|row| {
            files.iter().rev().find(|r| r.plain_name() == row.rollout && !row.rollout.is_empty())
        });
        named.or_else(|| files.iter().max_by_key(|r| (r.age_key(), !r.archived))).copied()
    }

    /// The name that a person gave: the row's, else the last in the index.
    pub(super) fn name_of(&self, id: &str) -> Option<String> {
        self.rows.get(id).and_then(|r| r.name.clone()).or_else(|| self.names.get(id).cloned())
    }

    /// Completes a head.
    pub(super) fn fill(&self, head: &mut SessionHead) {
        let row = self.rows.get(&head.id);
        let generated = row.and_then(|r| r.title.clone());
        head.title = self.name_of(&head.id).or(generated).or_else(|| head.title.take());
        head.origin.name = self.name_of(&head.id);
        if let Some(row) = row {
            let origin = &mut head.origin;
            origin.model_provider = origin.model_provider.take().or_else(|| row.provider.clone());
            origin.reasoning_effort.clone_from(&row.effort);
            origin.preview = row.preview.clone().or_else(|| origin.preview.take());
            // Clients can set these without a trace in the rollout.
            let git = &row.git;
            if *git != Git::default() {
                let own = origin.git.get_or_insert_default();
                own.sha = git.sha.clone().or_else(|| own.sha.take());
                own.branch = git.branch.clone().or_else(|| own.branch.take());
                own.origin_url = git.origin_url.clone().or_else(|| own.origin_url.take());
            }
        }
        if head.origin.model_provider.is_none() {
            // Without a configuration Codex takes its maker's.
            let provider = self.provider.get_or_init(|| provider(&self.root)).clone();
            head.origin.model_provider = provider.or_else(|| Some("openai".to_owned()));
        }
        if head.model.is_none() {
            head.model = row.and_then(|r| r.model.clone());
        }
        if head.parent_id.is_none() {
            head.parent_id =
                self.edges.iter().find(|(child, _)| *child == head.id).map(|(_, p)| p.clone());
        }
        if let (Some(row), Some(source)) = (row, &self.source)
            && row.archived != head.archived
        {
            let (row, file) =
                if row.archived { ("archived", "not") } else { ("not archived", "is") };
            head.found.push(Finding::new(
                Code::StaleIndex,
                source,
                Position::WHOLE,
                format!(
                    "thread `{}` is {row} by its row, its file {file} among the archived ones",
                    head.id
                ),
            ));
        }
    }

    /// Rows whose rollout is gone.
    pub(super) fn ghosts(&self, there: impl Fn(&str) -> bool) -> Vec<Finding> {
        let Some(source) = &self.source else { return Vec::new() };
        self.rows
            .iter()
            .filter(|(id, _)| !there(id))
            .map(|(id, row)| {
                let message =
                    format!("thread `{id}` has a row, but its file `{}` is gone", row.rollout);
                Finding::new(Code::StaleIndex, source, Position::WHOLE, message)
            })
            .collect()
    }
}

/// The database of a kind with the highest schema number: `state_5.sqlite` today.
pub(crate) fn database(root: &Path, kind: &str) -> Option<PathBuf> {
    let number = |path: &Path| -> Option<u32> {
        let name = path.file_name()?.to_str()?;
        name.strip_prefix(kind)?.strip_suffix(".sqlite")?.parse().ok()
    };
    let entries = fs::read_dir(root).ok()?.flatten().map(|e| e.path());
    entries.filter_map(|p| Some((number(&p)?, p))).max().map(|(_, p)| p)
}

/// The rows by the columns that are there: they were added one by one over the versions.
fn rows(c: &Connection, prefix: &str) -> rusqlite::Result<BTreeMap<String, Row>> {
    let mut there: Vec<String> = Vec::new();
    c.prepare("SELECT name FROM pragma_table_info('threads')")?
        .query_map([], |r| r.get(0))?
        .for_each(|name| there.extend(name));
    let column = |name: &'static str| if there.iter().any(|c| c == name) { name } else { "NULL" };
    let columns = [
        "rollout_path",
        "name",
        "title",
        "model",
        "archived",
        "model_provider",
        "reasoning_effort",
        "preview",
        "first_user_message",
        "git_sha",
        "git_branch",
        "git_origin_url",
    ]
    .map(column)
    .join(", ");
    let sql = format!("SELECT id, {columns} FROM threads WHERE substr(id, 1, ?2) = ?1");
    let mut statement = c.prepare(&sql)?;
    let text = |r: &rusqlite::Row<'_>, n| {
        r.get::<_, Option<String>>(n).ok().flatten().filter(|t| !t.trim().is_empty())
    };
    statement
        .query_map((prefix, prefix.chars().count() as i64), |r| {
            let path = text(r, 1).unwrap_or_default();
            let name = path.rsplit(['/', '\\']).next().unwrap_or("");
            let row = Row {
                rollout: name.strip_suffix(".zst").unwrap_or(name).to_owned(),
                name: text(r, 2),
                title: text(r, 3),
                model: text(r, 4),
                archived: r.get::<_, Option<bool>>(5).ok().flatten().unwrap_or(false),
                provider: text(r, 6),
                effort: text(r, 7),
                preview: text(r, 8).or_else(|| text(r, 9)),
                git: Git { sha: text(r, 10), branch: text(r, 11), origin_url: text(r, 12) },
            };
            Ok((r.get::<_, String>(0)?, row))
        })?
        .collect()
}

/// The provider that Codex's configuration names: early rollouts do not tell theirs, and Codex takes this one for them.
fn provider(root: &Path) -> Option<String> {
    let text = fs::read_to_string(root.join("config.toml")).ok()?;
    let config: toml::Table = text.parse().ok()?;
    Some(config.get("model_provider")?.as_str()?.to_owned())
}

/// Which thread started which. Old databases lack the table.
fn edges(c: &Connection) -> Vec<(String, String)> {
    let Ok(mut statement) = c
        .prepare("SELECT child_thread_id, parent_thread_id FROM thread_spawn_edges ORDER BY rowid")
    else {
        return Vec::new();
    };
    statement
        .query_map([], |r| Ok((r.get(0)?, r.get(1)?)))
        .map(|rows| rows.flatten().collect())
        .unwrap_or_default()
}
