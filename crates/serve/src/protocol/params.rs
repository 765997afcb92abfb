//! What clients ask: the parameters of methods. Fields that a server without a model has no use for are not named.

use serde::Deserialize;
use serde_json::Value;

use super::thread::SourceKind;
use super::turn::ItemsView;

/// `InitializeParams`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Initialize {
    /// Who asks.
    pub client_info: ClientInfo,
    /// What it can do.
    pub capabilities: Option<Capabilities>,
}

/// `ClientInfo`
#[derive(Debug, Clone, Deserialize)]
pub struct ClientInfo {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// `InitializeCapabilities`
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Capabilities {
    /// Notifications that it does not want.
    pub opt_out_notification_methods: Option<Vec<String>>,
}

/// In which order a page is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SortDirection {
    /// Oldest first.
    Asc,
    /// Newest first.
    Desc,
}

/// What threads are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SortKey {
    /// When they began.
    #[default]
    CreatedAt,
    /// When they were last written.
    UpdatedAt,
    /// The same here.
    RecencyAt,
    /// Their place in a section: recount keeps no sections.
    SectionPosition,
}

/// One value or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    /// One.
    One(String),
    /// Several.
    Many(Vec<String>),
}

impl OneOrMany {
    /// Whether a value is among them.
    pub fn has(&self, value: Option<&str>) -> bool {
        match self {
            Self::One(one) => value == Some(one),
            Self::Many(many) => many.iter().any(|one| value == Some(one)),
        }
    }
}

/// `ThreadListParams`
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadList {
    /// Where to go on.
    pub cursor: Option<String>,
    /// Page size.
    pub limit: Option<u32>,
    /// What to sort by.
    pub sort_key: Option<SortKey>,
    /// In which direction.
    pub sort_direction: Option<SortDirection>,
    /// Only from these providers; none named means all.
    pub model_providers: Option<Vec<String>>,
    /// Only of these kinds.
    pub source_kinds: Option<Vec<SourceKind>>,
    /// Only from these programs.
    pub originators: Option<Vec<String>>,
    /// Archived ones, or the others.
    pub archived: Option<bool>,
    /// Only with these working directories.
    pub cwd: Option<OneOrMany>,
    /// Only with this text in their title.
    pub search_term: Option<String>,
    /// Only those that this one started.
    pub parent_thread_id: Option<String>,
    /// Only those below this one.
    pub ancestor_thread_id: Option<String>,
    /// All but these.
    pub excluded_thread_ids: Option<Vec<String>>,
    /// Only of a project: recount keeps none.
    pub project_id: Option<Value>,
    /// Only of a section: recount keeps none.
    pub section_id: Option<Value>,
    /// Not of the protocol: only of these harnesses.
    pub harnesses: Option<Vec<String>>,
}

/// `ThreadReadParams`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadRead {
    /// The thread.
    pub thread_id: String,
    /// Whether its turns are wanted.
    pub include_turns: Option<bool>,
}

/// A page of turns: `ThreadTurnsListParams`, and `ThreadResumeInitialTurnsPageParams` without cursor and thread.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnsPage {
    /// Where to go on.
    pub cursor: Option<String>,
    /// Page size.
    pub limit: Option<u32>,
    /// In which direction; newest first when it is not said.
    pub sort_direction: Option<SortDirection>,
    /// How much of each turn; a summary when it is not said.
    pub items_view: Option<ItemsView>,
}

/// `ThreadTurnsListParams`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnsList {
    /// The thread.
    pub thread_id: String,
    /// The page.
    #[serde(flatten)]
    pub page: TurnsPage,
}

/// `ThreadItemsListParams`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemsList {
    /// The thread.
    pub thread_id: String,
    /// Only of this turn.
    pub turn_id: Option<String>,
    /// Where to go on.
    pub cursor: Option<ItemsCursor>,
    /// Page size.
    pub limit: Option<u32>,
    /// In which direction; oldest first when it is not said.
    pub sort_direction: Option<SortDirection>,
}

/// `ThreadItemsListCursor`
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum ItemsCursor {
    /// One that an earlier answer gave.
    Text(String),
    /// An item of the turn that is asked for.
    Anchor(ItemsAnchor),
}

/// `ThreadItemsListAnchor`
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ItemsAnchor {
    /// From this item on, without it.
    Item {
        /// The item.
        item_id: String,
    },
}

/// `ThreadSearchOccurrencesParams`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchOccurrences {
    /// The thread.
    pub thread_id: String,
    /// The text.
    pub search_term: String,
    /// Where to go on.
    pub cursor: Option<String>,
    /// Page size.
    pub limit: Option<u32>,
}

/// `ThreadLoadedListParams`
#[derive(Debug, Default, Deserialize)]
pub struct LoadedList {
    /// Where to go on.
    pub cursor: Option<String>,
    /// Page size; all when it is not said.
    pub limit: Option<u32>,
}

/// `ThreadResumeParams`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadResume {
    /// The thread.
    pub thread_id: String,
    /// A path to check the thread against.
    pub path: Option<String>,
    /// A history from elsewhere: there is nothing to follow in it.
    pub history: Option<Value>,
    /// Whether the turns are left out.
    pub exclude_turns: Option<bool>,
    /// A page of turns to give along.
    pub initial_turns_page: Option<TurnsPage>,
}

/// The parameters of methods that want nothing but a thread.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadOnly {
    /// The thread.
    pub thread_id: String,
}
