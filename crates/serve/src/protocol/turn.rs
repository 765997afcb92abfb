//! Turns.

use recount_session::RawJson;
use recount_session::model::{Item, ItemKind, Turn, TurnStatus};
use serde::{Deserialize, Serialize, Serializer};

use super::item::{self, ThreadItem};
use super::shape;

/// How much of a turn's items is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ItemsView {
    /// None.
    NotLoaded,
    /// The prompt and the last answer.
    #[default]
    Summary,
    /// All.
    Full,
}

/// Whether somebody is taken to work on a thread whose last turn has no end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Running {
    /// The turn runs.
    Yes,
    /// It was interrupted.
    No,
}

/// A turn as `Turn`.
#[derive(Debug, Clone, Copy)]
pub struct TurnDto<'a> {
    /// The turn.
    pub turn: &'a Turn,
    /// How much of its items is given.
    pub view: ItemsView,
    /// Its status: see [`status`].
    pub status: TurnStatus,
    /// The working directory of its thread.
    pub cwd: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Dto<'a> {
    id: &'a str,
    root_turn_id: Option<&'a str>,
    items: Items<'a>,
    items_view: ItemsView,
    status: TurnStatus,
    /// Always written: clients tell a failed turn by it.
    error: Option<ErrorDto<'a>>,
    started_at: Option<i64>,
    completed_at: Option<i64>,
    duration_ms: Option<i64>,
}

/// `TurnError`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorDto<'a> {
    message: &'a str,
    codex_error_info: Option<&'a RawJson>,
    additional_details: Option<&'a str>,
}

struct Items<'a>(&'a TurnDto<'a>);

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let TurnDto { turn, view, cwd, .. } = *self.0;
        let dto = |item| ThreadItem { item, cwd };
        match view {
            ItemsView::NotLoaded => serializer.collect_seq(std::iter::empty::<()>()),
            ItemsView::Summary => serializer.collect_seq(summary(turn).map(dto)),
            ItemsView::Full => serializer.collect_seq(item::visible(&turn.items).map(dto)),
        }
    }
}

impl Serialize for TurnDto<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let turn = self.turn;
        Dto {
            id: &turn.id,
            root_turn_id: turn.root_turn_id.as_deref(),
            items: Items(self),
            items_view: self.view,
            status: self.status,
            error: turn.error.as_ref().map(|error| ErrorDto {
                message: &error.message,
                codex_error_info: shape::only(error.codex_error_info.as_ref(), shape::error_info),
                additional_details: error.additional_details.as_deref(),
            }),
            started_at: turn.started_at,
            completed_at: turn.completed_at,
            duration_ms: turn.duration_ms,
        }
        .serialize(serializer)
    }
}

/// The prompt and the last answer: what a collapsed turn shows. Codex gives an answer for turns whose end it has seen.
fn summary(turn: &Turn) -> impl Iterator<Item = &Item> {
    let is_answer = |item: &&Item| matches!(item.kind, ItemKind::AgentMessage { .. });
    let prompt = item::visible(&turn.items).find(|item| item.kind.is_prompt());
    let answer = item::visible(&turn.items).rfind(is_answer);
    prompt.into_iter().chain(answer)
}

/// The status of a turn; `is_open` is whether its end is missing and nothing stands behind it.
///
/// A transcript cannot tell a turn that runs from one whose program was killed: both have no end. A client that
/// follows the thread sees the first as `inProgress`; in a thread that nobody follows it was `interrupted`, as Codex
/// says of threads that are not loaded.
pub fn status(turn: &Turn, is_open: bool, running: Running) -> TurnStatus {
    match turn.status {
        _ if is_open && running == Running::Yes => TurnStatus::InProgress,
        TurnStatus::InProgress => TurnStatus::Interrupted,
        status => status,
    }
}
