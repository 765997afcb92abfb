//! What lists show of a chat, from its settings and its root alone.

use std::borrow::Cow;

use recount_formats::cursor_agent::Message as Wire;
use recount_formats::cursor_agent::message::hex;
use recount_formats::cursor_agent::store::Blobs;
use recount_formats::{Json, json};

use super::chat::{Chat, rfc3339, time};
use super::{Source, agents, title_of, user};
use crate::rebuild::Input;

/// What a list shows of a chat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The store's own id of the chat.
    pub id: Option<String>,
    /// The given title, else one made from the first prompt.
    pub title: Option<String>,
    /// Working directory.
    pub cwd: Option<String>,
    /// When it began.
    pub created_at: Option<String>,
    /// When it was last written, where the sidecar tells.
    pub updated_at: Option<String>,
    /// The model that was used last.
    pub model: Option<String>,
    /// Number of turns.
    pub turns: Option<u64>,
    /// The chat that started this one.
    pub parent_id: Option<String>,
    /// The call that started this one.
    pub parent_call: Option<String>,
    /// What kind of sub-agent it is.
    pub kind: Option<String>,
    /// The sub-agents inside of its store.
    pub agents: Vec<AgentHead>,
    /// The blobs of its turns: a fork begins with the same ones.
    pub turn_ids: Vec<String>,
    /// The blob of its first prompt: forks share it, and nothing else does, since every prompt has a random id.
    pub first_prompt: Option<String>,
    /// The name that a fork's name is made from.
    pub name: Option<String>,
    /// Whether its root is missing.
    pub is_lost: bool,
}

/// A sub-agent inside of a chat's store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentHead {
    /// Its id.
    pub id: String,
    /// The chat or sub-agent that started it.
    pub parent_id: String,
    /// Its title or kind.
    pub title: Option<String>,
    /// Its model.
    pub model: Option<String>,
    /// When it was made.
    pub created_at: Option<String>,
    /// When it worked last.
    pub updated_at: Option<String>,
    /// Number of turns.
    pub turns: Option<u64>,
}

/// Reads what a list shows.
pub fn head(input: Input<'_>) -> Head {
    let chat = Chat::new(input);
    let sidecar = chat.sidecar();
    let sidecar = sidecar.as_deref().and_then(|text| json::parse(text).ok());
    let of_parent = |key: &str| {
        let value = chat.settings.at(&["subagentInfo", key]).and_then(Json::as_str);
        value.filter(|v| !v.is_empty()).map(Cow::into_owned)
    };
    let mut head = Head {
        id: chat.agent_id(),
        title: chat.title(sidecar),
        name: chat.setting("name"),
        cwd: sidecar.and_then(|s| s.str("cwd")).map(Cow::into_owned),
        created_at: time(chat.settings, "createdAt").or_else(|| time(sidecar?, "createdAtMs")),
        updated_at: sidecar.and_then(|s| time(s, "updatedAtMs")),
        model: chat.setting("lastUsedModel"),
        turns: Some(0),
        parent_id: of_parent("parentAgentId"),
        parent_call: of_parent("toolCallId"),
        kind: of_parent("typeName"),
        ..Head::default()
    };
    let Some(blob) = chat.setting("latestRootBlobId") else {
        head.is_lost = chat.settings.is_null();
        return head;
    };
    let Some(bytes) = chat.get(&blob) else {
        head.is_lost = true;
        head.turns = None;
        return head;
    };
    let root = Wire::read("ConversationStateStructure", &bytes);
    of_root(&chat, &root, &blob, &mut head);
    head
}

fn of_root(chat: &Chat<'_>, root: &Wire<'_>, blob: &str, head: &mut Head) {
    head.turn_ids = root.ids("turns").collect();
    head.turns = Some(turn_count(root));
    head.cwd = head.cwd.take().or_else(|| {
        let uris: Vec<_> = root.strs("previous_workspace_uris").collect();
        uris.iter().find_map(|uri| uri.strip_prefix("file://").map(str::to_owned))
    });
    head.created_at = head
        .created_at
        .take()
        .or_else(|| rfc3339(root.uint("conversation_started_timestamp_ms")? as i64));
    let prompts = head.turn_ids.iter().filter_map(|id| prompt_of(chat, id));
    for (id, bytes) in prompts {
        if head.first_prompt.is_none() {
            head.first_prompt = Some(id);
        }
        if head.title.is_some() {
            break;
        }
        let message = Wire::read("UserMessage", &bytes);
        if !message.flag("is_simulated_msg") {
            head.title = title_of(Some(&user::text(chat, &message)));
        }
    }
    let parent = head.id.clone().or_else(|| chat.input.facts.id.clone()).unwrap_or_default();
    head.agents = agents::all(chat, root, blob, &parent)
        .into_iter()
        .map(|agent| {
            let state = agent.read();
            let at = |name: &str| state.uint(name).and_then(|ms| rfc3339(ms as i64));
            AgentHead {
                title: agent_title(chat, &agent),
                model: state.text("model_id"),
                created_at: at("created_timestamp_ms"),
                updated_at: at("last_used_timestamp_ms"),
                turns: state.message("conversation_state").map(|s| turn_count(&s)),
                id: agent.id.clone(),
                parent_id: agent.parent.clone(),
            }
        })
        .collect();
}

/// What a sub-agent is called: by its run, else by its task, else by its kind.
fn agent_title(chat: &Chat<'_>, agent: &agents::Agent) -> Option<String> {
    agent
        .run
        .title
        .clone()
        .or_else(|| {
            let turn = agent.read().message("conversation_state")?.ids("turns").next()?;
            let (_, prompt) = prompt_of(chat, &turn)?;
            title_of(Some(&user::text(chat, &Wire::read("UserMessage", &prompt))))
        })
        .or_else(|| agent.kind())
}

fn turn_count(root: &Wire<'_>) -> u64 {
    let count = root.all_bytes("turns").count();
    if count == 0 { root.all_bytes("turns_old").count() as u64 } else { count as u64 }
}

/// The prompt of a turn, by its blob, and the prompt's own blob.
fn prompt_of(chat: &Chat<'_>, turn: &str) -> Option<(String, Vec<u8>)> {
    let bytes = chat.get(turn)?;
    let turn = Wire::read("ConversationTurnStructure", &bytes);
    let id = hex(turn.message("agent_conversation_turn")?.bytes("user_message")?);
    let message = chat.get(&id)?.into_owned();
    Some((id, message))
}

/// The title of a readable copy, from its beginning: its first prompt.
pub fn mirror_title(input: Input<'_>) -> Option<String> {
    super::mirror::thread(input).title
}

/// The sub-agents of which only the steps are kept, in the results of tasks: their ids and tasks.
pub fn inline_agents(input: Input<'_>) -> Vec<(String, Option<String>)> {
    let chat = Chat::new(input);
    let Some(blob) = chat.setting("latestRootBlobId") else { return Vec::new() };
    let Some(bytes) = chat.get(&blob) else { return Vec::new() };
    let mut found = Vec::new();
    tasks(&chat, &Wire::read("ConversationStateStructure", &bytes), &mut |task| {
        found.push((task.agent, task.description));
        false
    });
    found
}

/// The steps of such a sub-agent.
pub(super) fn inline(chat: &Chat<'_>, root: &Wire<'_>, blob: &str, wanted: &str) -> Option<Source> {
    let mut found = None;
    tasks(chat, root, &mut |task| {
        if task.agent != wanted {
            return false;
        }
        found = Some(Source::Steps {
            steps: task.steps,
            prompt: task.prompt,
            blob: task.blob.unwrap_or_else(|| blob.to_owned()),
        });
        true
    });
    found
}

struct Task {
    agent: String,
    description: Option<String>,
    prompt: String,
    steps: Vec<Vec<u8>>,
    blob: Option<String>,
}

/// Visits the tasks whose results hold steps, until the visitor has enough.
fn tasks(chat: &Chat<'_>, root: &Wire<'_>, visit: &mut dyn FnMut(Task) -> bool) {
    let turns: Vec<String> = root.ids("turns").collect();
    for turn in turns {
        let Some(bytes) = chat.get(&turn) else { continue };
        let turn = Wire::read("ConversationTurnStructure", &bytes);
        let Some(turn) = turn.message("agent_conversation_turn") else { continue };
        for step in turn.ids("steps") {
            let Some(bytes) = chat.get(&step) else { continue };
            if let Some(mut task) = task(&Wire::read("ConversationStep", &bytes)) {
                task.blob = Some(step);
                if visit(task) {
                    return;
                }
            }
        }
    }
}

fn task(step: &Wire<'_>) -> Option<Task> {
    let call = step.message("tool_call")?;
    let (_, task) = call.case_message("tool").filter(|(table, _)| table.name == "task")?;
    let success = task.message("result")?.message("success")?;
    let steps: Vec<Vec<u8>> = success.all_bytes("conversation_steps").map(<[u8]>::to_vec).collect();
    let arguments = task.message("args");
    let argument = |name: &str| arguments.as_ref().and_then(|a| a.text(name));
    Some(Task {
        agent: success.text("agent_id").filter(|_| !steps.is_empty())?,
        description: argument("description"),
        prompt: argument("prompt").unwrap_or_default(),
        steps,
        blob: None,
    })
}
