//! Threads.

use std::borrow::Cow;

use recount_formats::{Harness, Json};
use recount_session::RawJson;
use recount_session::model::{Thread, ThreadStatus};
use recount_store::{Git, SessionHead};
use serde::Serialize;
use serde::ser::{SerializeSeq as _, Serializer};

use super::shape;
use super::turn::{self, ItemsView, Running, TurnDto};

/// `ThreadStatus`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Status {
    /// Nobody follows it.
    NotLoaded,
    /// Its last turn has ended.
    Idle,
    /// Its last turn runs.
    #[serde(rename_all = "camelCase")]
    Active {
        /// What it waits for. A transcript does not tell.
        active_flags: [(); 0],
    },
}

impl Status {
    /// The status of a thread that somebody follows.
    pub const fn loaded(running: bool) -> Self {
        if running { Self::Active { active_flags: [] } } else { Self::Idle }
    }
}

/// What a client gets of a thread beside its turns.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadDto<'a> {
    /// The id, as the harness knows it.
    pub id: &'a str,
    /// The root of the tree of agents that it belongs to.
    pub session_id: &'a str,
    forked_from_id: Option<&'a str>,
    parent_thread_id: Option<&'a str>,
    preview: &'a str,
    ephemeral: bool,
    section: Option<()>,
    section_entered_at: Option<()>,
    project_id: Option<()>,
    history_mode: &'static str,
    /// The provider of the model, else the harness.
    pub model_provider: &'a str,
    /// The model that answered last.
    pub model: Option<&'a str>,
    /// The effort it was asked for.
    pub reasoning_effort: Option<&'a str>,
    created_at: i64,
    updated_at: i64,
    recency_at: i64,
    /// What it is doing.
    pub status: Status,
    path: Option<Cow<'a, str>>,
    /// The working directory.
    pub cwd: &'a str,
    cli_version: &'a str,
    originator: Option<&'a str>,
    source: Source<'a>,
    thread_source: Option<&'a str>,
    can_accept_direct_input: Option<bool>,
    agent_nickname: Option<&'a str>,
    agent_role: Option<&'a str>,
    git_info: Option<GitDto<'a>>,
    name: Option<&'a str>,
    environments: Option<()>,
    extra: Option<()>,
    daybreak_enabled: Option<()>,
    /// Not of the protocol: the harness that wrote the thread.
    harness: Harness,
    /// Not of the protocol: whether it was archived.
    archived: bool,
    /// The turns, where they are asked for.
    pub turns: Turns<'a>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct GitDto<'a> {
    sha: Option<&'a str>,
    branch: Option<&'a str>,
    origin_url: Option<&'a str>,
}

impl<'a> From<&'a Git> for GitDto<'a> {
    fn from(git: &'a Git) -> Self {
        Self {
            sha: git.sha.as_deref(),
            branch: git.branch.as_deref(),
            origin_url: git.origin_url.as_deref(),
        }
    }
}

/// The turns of a thread.
#[derive(Debug, Clone, Copy)]
pub struct Turns<'a> {
    thread: Option<&'a Thread>,
    running: Running,
    cwd: &'a str,
}

impl Serialize for Turns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let turns = self.thread.map(|thread| thread.turns.as_slice()).unwrap_or_default();
        let mut list = serializer.serialize_seq(Some(turns.len()))?;
        if let Some(thread) = self.thread {
            for n in 0..turns.len() {
                list.serialize_element(&turn_dto(
                    thread,
                    n,
                    ItemsView::Full,
                    self.running,
                    self.cwd,
                ))?;
            }
        }
        list.end()
    }
}

/// A turn of a thread by its number from 0, which must be there.
pub fn turn_dto<'a>(
    thread: &'a Thread,
    n: usize,
    view: ItemsView,
    running: Running,
    cwd: &'a str,
) -> TurnDto<'a> {
    let turn = &thread.turns[n];
    let is_open = thread.status == ThreadStatus::Open && n + 1 == thread.turns.len();
    TurnDto { turn, view, status: turn::status(turn, is_open, running), cwd }
}

/// The working directory of a thread for the protocol, which wants an absolute one.
pub fn cwd_of(head: &SessionHead) -> &str {
    let own = head.cwd.as_deref().filter(|cwd| shape::is_absolute(cwd));
    own.unwrap_or(if cfg!(windows) { "C:\\" } else { "/" })
}

impl<'a> ThreadDto<'a> {
    /// A thread without its turns, as its head tells it.
    pub fn of_head(head: &'a SessionHead) -> Self {
        let origin = &head.origin;
        let cwd = cwd_of(head);
        let updated_at = seconds(head.updated_at.as_deref());
        Self {
            id: &head.id,
            session_id: &head.id,
            forked_from_id: head.forked_from_id.as_deref(),
            parent_thread_id: head.parent_id.as_deref(),
            preview: preview_of(head),
            ephemeral: false,
            section: None,
            section_entered_at: None,
            project_id: None,
            history_mode: match origin.history_mode.as_deref() {
                Some("paginated") => "paginated",
                // What says nothing else can be read page by page.
                None if !origin.is_told => "paginated",
                _ => "legacy",
            },
            model_provider: provider_of(head),
            model: head.model.as_deref(),
            reasoning_effort: origin
                .reasoning_effort
                .as_deref()
                .filter(|effort| !effort.is_empty()),
            created_at: seconds(head.created_at.as_deref()),
            updated_at,
            recency_at: updated_at,
            status: Status::NotLoaded,
            path: Some(head.path.to_string_lossy()),
            cwd,
            cli_version: origin.version.as_deref().unwrap_or(""),
            originator: origin.originator.as_deref(),
            source: Source(head),
            thread_source: origin.thread_source.as_deref(),
            can_accept_direct_input: None,
            agent_nickname: origin.agent_nickname.as_deref(),
            agent_role: origin.agent_role.as_deref(),
            git_info: origin.git.as_ref().map(GitDto::from),
            name: name_of(head),
            environments: None,
            extra: None,
            daybreak_enabled: None,
            harness: head.harness,
            archived: head.archived,
            turns: Turns { thread: None, running: Running::No, cwd },
        }
    }

    /// Completes it by what only the whole thread tells.
    #[must_use]
    pub fn with(mut self, head: &'a SessionHead, thread: &'a Thread) -> Self {
        // Codex's own answers come from the header even where the last turns have moved on.
        if !head.origin.is_told {
            self.preview = thread.preview.as_deref().unwrap_or(self.preview);
            self.name = name_with(head, thread);
            self.model = thread.model.as_deref().or(self.model);
            if self.git_info.is_none() {
                self.git_info = thread.git_branch.as_deref().map(|branch| GitDto {
                    sha: None,
                    branch: Some(branch),
                    origin_url: None,
                });
            }
        }
        self
    }

    /// As a client sees it while somebody follows the thread (`running` is something): with the tree of agents that it belongs to. Codex tells that of
    /// threads only while they are loaded.
    #[must_use]
    pub fn loaded(mut self, head: &'a SessionHead, running: Option<Running>) -> Self {
        let Some(running) = running else { return self };
        let root = head.origin.session_id.as_deref().or(head.parent_id.as_deref());
        self.session_id = root.unwrap_or(&head.id);
        self.status = Status::loaded(running == Running::Yes);
        self
    }

    /// Adds the turns.
    #[must_use]
    pub fn with_turns(mut self, thread: &'a Thread, running: Running) -> Self {
        self.turns = Turns { thread: Some(thread), running, cwd: self.cwd };
        self
    }
}

/// The first prompt of a thread; empty when there is none.
pub fn preview_of(head: &SessionHead) -> &str {
    let made = if head.origin.is_told { None } else { head.title.as_deref() };
    head.origin.preview.as_deref().or(made).unwrap_or("")
}

/// The name of a thread. Heads of other harnesses have one title, whoever made it.
pub fn name_of(head: &SessionHead) -> Option<&str> {
    let made = if head.origin.is_told { None } else { head.title.as_deref() };
    head.origin.name.as_deref().or(made)
}

/// The name of a thread that was read whole.
pub fn name_with<'a>(head: &'a SessionHead, thread: &'a Thread) -> Option<&'a str> {
    if head.origin.is_told { name_of(head) } else { thread.title.as_deref().or(name_of(head)) }
}

/// The provider of the model, where it is known, else the harness.
pub fn provider_of(head: &SessionHead) -> &str {
    head.origin.model_provider.as_deref().unwrap_or(head.harness.id())
}

/// Unix seconds of an RFC 3339 time; 0 where there is none.
pub fn seconds(time: Option<&str>) -> i64 {
    millis(time).map_or(0, |millis| millis.div_euclid(1000))
}

/// Unix milliseconds of an RFC 3339 time.
pub fn millis(time: Option<&str>) -> Option<i64> {
    Some(time?.parse::<jiff::Timestamp>().ok()?.as_millisecond())
}

/// The kinds of source that a client can ask for (`ThreadSourceKind`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SourceKind {
    /// A terminal. Sessions of the other harnesses that a person began count as such.
    Cli,
    /// An editor.
    Vscode,
    /// A script.
    Exec,
    /// A client of a server such as this one.
    AppServer,
    /// Any sub-agent.
    SubAgent,
    /// A reviewer.
    SubAgentReview,
    /// A summarizer.
    SubAgentCompact,
    /// One that another agent started.
    SubAgentThreadSpawn,
    /// Any other.
    SubAgentOther,
    /// None of these.
    Unknown,
}

/// What lists give when a client asks for no kind in particular: what a person began.
pub const INTERACTIVE: &[SourceKind] = &[SourceKind::Cli, SourceKind::Vscode];

/// Whether a session's source is of a kind.
pub fn is_of_kind(head: &SessionHead, kind: SourceKind) -> bool {
    let own = kind_of(head);
    own == kind
        || (kind == SourceKind::SubAgent
            && matches!(
                own,
                SourceKind::SubAgentReview
                    | SourceKind::SubAgentCompact
                    | SourceKind::SubAgentThreadSpawn
                    | SourceKind::SubAgentOther
            ))
}

fn kind_of(head: &SessionHead) -> SourceKind {
    if !head.origin.is_told {
        return match (head.is_subagent, &head.parent_id) {
            (false, _) => SourceKind::Cli,
            (true, Some(_)) => SourceKind::SubAgentThreadSpawn,
            (true, None) => SourceKind::SubAgentOther,
        };
    }
    let Some(source) = head.origin.source.as_ref().map(RawJson::get) else {
        return SourceKind::Vscode;
    };
    if let Some(agent) = source.get("subagent") {
        return match agent.as_str().as_deref() {
            Some("review") => SourceKind::SubAgentReview,
            Some("compact") => SourceKind::SubAgentCompact,
            None if agent.get("thread_spawn").is_some() => SourceKind::SubAgentThreadSpawn,
            _ => SourceKind::SubAgentOther,
        };
    }
    match source.as_str().as_deref() {
        Some("cli") => SourceKind::Cli,
        Some("vscode") => SourceKind::Vscode,
        Some("exec") => SourceKind::Exec,
        Some("mcp" | "appServer") => SourceKind::AppServer,
        // Programs with a name of their own that people sit in front of.
        None if source.get("custom").is_some() => SourceKind::Cli,
        _ => SourceKind::Unknown,
    }
}

/// `SessionSource`
#[derive(Debug, Clone, Copy)]
struct Source<'a>(&'a SessionHead);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum SourceDto<'a> {
    Cli,
    Vscode,
    Exec,
    AppServer,
    Unknown,
    Custom(Cow<'a, str>),
    SubAgent(AgentDto<'a>),
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum AgentDto<'a> {
    Review,
    Compact,
    MemoryConsolidation,
    ThreadSpawn {
        parent_thread_id: Cow<'a, str>,
        depth: i64,
        agent_path: Option<Cow<'a, str>>,
        agent_nickname: Option<Cow<'a, str>>,
        agent_role: Option<Cow<'a, str>>,
    },
    Other(Cow<'a, str>),
}

impl Serialize for Source<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        source_of(self.0).serialize(serializer)
    }
}

fn source_of(head: &SessionHead) -> SourceDto<'_> {
    if !head.origin.is_told {
        let id = Cow::Borrowed(head.harness.id());
        return match (head.is_subagent, &head.parent_id) {
            (false, _) => SourceDto::Custom(id),
            (true, Some(parent)) => SourceDto::SubAgent(AgentDto::ThreadSpawn {
                parent_thread_id: Cow::Borrowed(parent),
                depth: 1,
                agent_path: None,
                agent_nickname: None,
                agent_role: None,
            }),
            (true, None) => SourceDto::SubAgent(AgentDto::Other(id)),
        };
    }
    // Codex takes rollouts that do not say it for those of its editors.
    let Some(source) = head.origin.source.as_ref().map(RawJson::get) else {
        return SourceDto::Vscode;
    };
    if let Some(agent) = source.get("subagent") {
        return SourceDto::SubAgent(agent_of(agent));
    }
    match source.as_str().as_deref() {
        Some("cli") => SourceDto::Cli,
        Some("vscode") => SourceDto::Vscode,
        Some("exec") => SourceDto::Exec,
        Some("mcp" | "appServer") => SourceDto::AppServer,
        _ => source.str("custom").map_or(SourceDto::Unknown, SourceDto::Custom),
    }
}

fn agent_of(agent: Json<'_>) -> AgentDto<'_> {
    let spawn = agent.get("thread_spawn");
    if let Some((spawn, parent)) = spawn.and_then(|s| Some((s, s.str("parent_thread_id")?))) {
        return AgentDto::ThreadSpawn {
            parent_thread_id: parent,
            depth: spawn.get("depth").and_then(Json::as_i64).unwrap_or(1),
            agent_path: spawn.str("agent_path"),
            agent_nickname: spawn.str("agent_nickname"),
            agent_role: spawn.str("agent_role"),
        };
    }
    match agent.as_str() {
        Some(word) => match &*word {
            "review" => AgentDto::Review,
            "compact" => AgentDto::Compact,
            "memory_consolidation" => AgentDto::MemoryConsolidation,
            _ => AgentDto::Other(word),
        },
        None => AgentDto::Other(agent.str("other").unwrap_or(Cow::Borrowed(""))),
    }
}
