//! Tool calls of both generations, as items.

use recount_formats::Json;
use serde_json::json;

use super::change;
use crate::json::RawJson;
use crate::model::ItemKind;
use crate::model::item::{ContentItem, Extra, ItemStatus};

/// A tool call, whichever generation stored it.
#[derive(Debug)]
pub(super) struct Call<'a> {
    /// The provider's id.
    pub(super) id: String,
    /// The tool's name.
    pub(super) tool: String,
    /// The arguments; text while they stream.
    pub(super) input: Json<'a>,
    /// How it ended.
    pub(super) status: ItemStatus,
    /// What the tool gave, in full where the full text is at hand.
    pub(super) output: Option<String>,
    /// Pictures and files that it gave: type and address.
    pub(super) files: Vec<(String, String)>,
    /// Why it failed.
    pub(super) error: Option<String>,
    /// What was stored for the screen.
    pub(super) metadata: Json<'a>,
    /// Start in milliseconds.
    pub(super) started: Option<i64>,
    /// Duration in milliseconds.
    pub(super) duration: Option<i64>,
    /// Whether the provider ran it.
    pub(super) provider: bool,
}

/// What a call is seen in the light of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around<'a> {
    /// The session.
    pub(super) session: &'a str,
    /// Working directory at that moment.
    pub(super) cwd: Option<&'a str>,
    /// The session that the call started, where it is known.
    pub(super) child: Option<&'a str>,
    /// What that session answered later, when it went on in the background.
    pub(super) answer: Option<&'a str>,
}

/// opencode's own tools with an underscore in their name: not those of an MCP server.
const UNDERSCORED: &[&str] = &["apply_patch", "plan_enter", "plan_exit", "todo_write", "todo_read"];

/// Whether a tool starts another agent.
pub(super) fn is_agent(tool: &str) -> bool {
    matches!(tool, "task" | "subagent")
}

/// The server and the tool, when the name is that of an MCP tool: `<server>_<tool>`. opencode stores no more
/// than this name, so a plugin's tool that is named alike cannot be told from it.
pub(super) fn mcp_name(tool: &str) -> Option<(&str, &str)> {
    if UNDERSCORED.contains(&tool) || tool.starts_with("lsp_") {
        return None;
    }
    tool.split_once('_').filter(|(server, name)| !server.is_empty() && !name.is_empty())
}

impl Call<'_> {
    /// The item that it is.
    pub(super) fn kind(&self, around: Around<'_>) -> ItemKind {
        match self.tool.as_str() {
            "bash" | "shell" => self.command(around),
            "edit" | "write" | "multiedit" | "patch" | "apply_patch" => ItemKind::FileChange {
                changes: change::changes(
                    &self.tool,
                    self.input,
                    self.metadata,
                    self.output.as_deref(),
                ),
                status: self.status,
            },
            tool if is_agent(tool) => self.agent(around),
            "webfetch" | "websearch" => self.web(),
            "web_search" | "web_fetch" if self.provider => self.web(),
            tool => match mcp_name(tool).filter(|_| !self.provider) {
                Some((server, name)) => self.mcp(server, name),
                None => self.other(),
            },
        }
    }

    fn argument(&self, name: &str) -> Option<String> {
        self.input.str(name).map(Into::into)
    }

    /// What people read of the result: the output, and the reason of a failure.
    fn text(&self) -> Option<String> {
        match (&self.output, &self.error) {
            (Some(output), _) if !output.is_empty() => Some(output.clone()),
            (_, Some(error)) => Some(error.clone()),
            (output, None) => output.clone(),
        }
    }

    fn command(&self, around: Around<'_>) -> ItemKind {
        // While the arguments stream there is no command yet, only their text.
        let command = self
            .argument("command")
            .or_else(|| self.input.as_str().map(Into::into))
            .unwrap_or_default();
        ItemKind::CommandExecution {
            command_actions: RawJson::of(&json!([{ "type": "unknown", "command": command }])),
            command,
            cwd: self.argument("workdir").or_else(|| around.cwd.map(Into::into)),
            status: self.status,
            source: "agent".into(),
            aggregated_output: self.text(),
            exit_code: self.metadata.get("exit").and_then(Json::as_i64),
            duration_ms: self.duration,
            process_id: self.metadata.str("shellID").map(Into::into),
            plugin_id: None,
            script_path: None,
        }
    }

    fn agent(&self, around: Around<'_>) -> ItemKind {
        let kind = self.argument("subagent_type").or_else(|| self.argument("agent"));
        let task = self.argument("description");
        let receivers: Vec<String> = around.child.map(Into::into).into_iter().collect();
        let status = match self.status {
            ItemStatus::InProgress => "running",
            ItemStatus::Completed => "completed",
            ItemStatus::Failed | ItemStatus::Declined => "errored",
        };
        let states: serde_json::Map<_, _> = receivers
            .iter()
            .map(|id| (id.clone(), json!({ "status": status, "message": null })))
            .collect();
        ItemKind::CollabAgentToolCall {
            tool: "spawnAgent".into(),
            status: self.status,
            sender_thread_id: around.session.into(),
            receiver_thread_ids: receivers,
            prompt: self.argument("prompt"),
            model: self
                .argument("model")
                .or_else(|| self.metadata.at(&["model", "modelID"])?.as_str().map(Into::into)),
            reasoning_effort: None,
            agents_states: RawJson::of(&serde_json::Value::Object(states)),
            result: around.answer.map(Into::into).or_else(|| Some(answer(&self.text()?).into())),
            description: match (kind, task) {
                (Some(kind), Some(task)) => Some(format!("{kind}: {task}")),
                (kind, task) => kind.or(task),
            },
        }
    }

    fn web(&self) -> ItemKind {
        let (query, action) = match (self.argument("query"), self.argument("url")) {
            (Some(query), _) => {
                let action = json!({ "type": "search", "query": query });
                (query, Some(RawJson::of(&action)))
            }
            (None, Some(url)) => {
                let action = json!({ "type": "openPage", "url": url });
                (url, Some(RawJson::of(&action)))
            }
            (None, None) => (String::new(), None),
        };
        ItemKind::WebSearch {
            query,
            action,
            results: None,
            status: Some(self.status),
            text: self.text(),
        }
    }

    fn mcp(&self, server: &str, tool: &str) -> ItemKind {
        let done = matches!(self.status, ItemStatus::Completed);
        let mut content: Vec<_> =
            self.output.iter().map(|text| json!({ "type": "text", "text": text })).collect();
        content.extend(self.files.iter().map(|(mime, url)| {
            let data = url.split_once(',').map_or(url.as_str(), |(_, data)| data);
            let kind = if mime.starts_with("image/") { "image" } else { "resource" };
            json!({ "type": kind, "mimeType": mime, "data": data })
        }));
        ItemKind::McpToolCall {
            server: server.into(),
            tool: tool.into(),
            status: self.status,
            arguments: RawJson::new(self.input),
            result: done.then(|| RawJson::of(&json!({ "content": content }))),
            error: self.error.as_ref().map(|e| RawJson::of(&json!({ "message": e }))),
            duration_ms: self.duration,
            extra: Extra::default(),
        }
    }

    fn other(&self) -> ItemKind {
        // 1.x: a tool that does not exist is stored as `invalid`, its real name among the arguments.
        let invalid = self.tool == "invalid";
        let tool = self.argument("tool").filter(|_| invalid);
        let mut items: Vec<_> =
            self.text().map(|text| ContentItem::InputText { text }).into_iter().collect();
        items.extend(self.files.iter().map(|(mime, url)| {
            if mime.starts_with("image/") {
                ContentItem::InputImage { image_url: url.clone() }
            } else if mime.starts_with("audio/") {
                ContentItem::InputAudio { audio_url: url.clone() }
            } else {
                let place = if url.starts_with("data:") { "attached" } else { url };
                ContentItem::InputText { text: format!("[{mime}: {place}]") }
            }
        }));
        ItemKind::DynamicToolCall {
            tool: tool.unwrap_or_else(|| self.tool.clone()),
            namespace: None,
            arguments: RawJson::new(self.input),
            status: self.status,
            content_items: (!items.is_empty()).then_some(items),
            success: match self.status {
                ItemStatus::InProgress => None,
                status => Some(status == ItemStatus::Completed && !invalid),
            },
            duration_ms: self.duration,
        }
    }
}

/// What an agent answered, without the tags that opencode puts around it for the model.
pub(super) fn answer(text: &str) -> &str {
    for (open, close) in [("<task_result>", "</task_result>"), ("<subagent ", "</subagent>")] {
        if let Some(start) = text.find(open)
            && let Some(end) = text.rfind(close)
            && let Some(inner) = text.get(start + open.len()..end)
        {
            // The tag `<subagent sessionID="…" …>` has attributes before what it holds.
            let inner = if open.ends_with(' ') {
                inner.split_once('>').map_or("", |(_, inner)| inner)
            } else {
                inner
            };
            return inner.trim();
        }
    }
    text
}

/// The session that a call of an agent names: in what was stored for the screen, in its arguments when it goes on
/// with one, or only in the text of its result.
pub(super) fn child_of(call: &Call<'_>) -> Option<String> {
    let named = ["sessionId", "sessionID"]
        .iter()
        .find_map(|key| call.metadata.str(key))
        .or_else(|| call.input.str("sessionID"))
        .or_else(|| call.input.str("task_id"))
        .map(String::from);
    let text = call.output.as_deref().or(call.error.as_deref()).unwrap_or("");
    named.filter(|id| id.starts_with("ses_")).or_else(|| {
        let start = ["task_id: ", "sessionID: ", "sessionID=\"", "session_id: "]
            .iter()
            .find_map(|mark| text.find(mark).map(|n| n + mark.len()))?;
        let id: String =
            text[start..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        id.starts_with("ses_").then_some(id)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_mcp_tools_are_split_and_own_tools_are_not() {
        assert_eq!(mcp_name("github_create_issue"), Some(("github", "create_issue")));
        assert_eq!(mcp_name("chrome-devtools_click"), Some(("chrome-devtools", "click")));
        for own in ["apply_patch", "plan_exit", "lsp_hover", "todowrite", "_x", "x_"] {
            assert_eq!(mcp_name(own), None, "{own}");
        }
    }

    #[test]
    fn an_answer_loses_its_tags() {
        assert_eq!(answer("task_id: ses_1\n\n<task_result>\nThree.\n</task_result>"), "Three.");
        assert_eq!(
            answer("<subagent sessionID=\"ses_1\" state=\"completed\">\nThree > two\n</subagent>"),
            "Three > two"
        );
        assert_eq!(answer("plain"), "plain");
        assert_eq!(answer("</subagent> <subagent "), "</subagent> <subagent ");
    }
}
