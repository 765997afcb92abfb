//! What is indexed of an item.

use recount_session::json::RawJson;
use recount_session::model::Item;
use recount_session::model::item::{ContentItem, ItemKind, ItemStatus, PatchKind, UserInput};

use super::strings;

/// Who or what an item comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// A person's prompt.
    User,
    /// What the model answered.
    Assistant,
    /// What the model thought.
    Reasoning,
    /// A command, its output; a tool, its arguments and result.
    Tool,
    /// The summary that replaced a history.
    Summary,
    /// What the harness told the person, and what hooks put in front of the model.
    Notice,
    /// What stands in the session's records outside of its items.
    Record,
}

impl Role {
    /// All of them; the place is the number in the index.
    pub const ALL: [Self; 7] = [
        Self::User,
        Self::Assistant,
        Self::Reasoning,
        Self::Tool,
        Self::Summary,
        Self::Notice,
        Self::Record,
    ];

    /// Its name in queries and output.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Reasoning => "reasoning",
            Self::Tool => "tool",
            Self::Summary => "summary",
            Self::Notice => "notice",
            Self::Record => "record",
        }
    }

    /// The role of that name; nothing when there is none.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    pub(crate) fn number(self) -> u64 {
        Self::ALL.iter().position(|r| *r == self).unwrap_or(0) as u64
    }

    pub(crate) fn of_number(number: u64) -> Self {
        let known = usize::try_from(number).ok().and_then(|n| Self::ALL.get(n));
        known.copied().unwrap_or(Self::Record)
    }

    /// How much a hit in it is worth: what people and models said before what was printed.
    pub(crate) fn weight(self) -> f32 {
        match self {
            Self::User => 1.5,
            Self::Assistant | Self::Summary => 1.2,
            Self::Reasoning => 1.0,
            Self::Tool => 0.8,
            Self::Notice => 0.6,
            Self::Record => 0.2,
        }
    }
}

/// What was done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Touch {
    /// It was read.
    Read,
    /// It was made, changed, moved or deleted.
    Change,
}

/// What is indexed of an item.
#[derive(Debug, Default)]
pub(crate) struct Indexed {
    pub(crate) texts: Vec<String>,
    /// The tools' names, folded.
    pub(crate) tools: Vec<String>,
    /// The files that it names, with what was done to each, if anything.
    pub(crate) files: Vec<(String, Option<Touch>)>,
}

/// Takes an item apart.
pub(crate) fn indexed(item: Item) -> (Role, Indexed) {
    let mut out = Indexed::default();
    let failed = match &item.kind {
        // A command that fails has read its files all the same.
        ItemKind::CommandExecution { .. } => false,
        ItemKind::DynamicToolCall { success: Some(false), .. } => true,
        kind => matches!(kind.status(), Some(ItemStatus::Failed | ItemStatus::Declined)),
    };
    let role = out.take(item.kind);
    if failed {
        out.files.iter_mut().for_each(|(_, touch)| *touch = None);
    }
    out.texts.retain(|text| !text.is_empty());
    (role, out)
}

/// The texts of an item, as they are searched.
pub fn texts(item: &Item) -> Vec<String> {
    indexed(item.clone()).1.texts
}

impl Indexed {
    fn text(&mut self, text: impl Into<Option<String>>) {
        self.texts.extend(text.into());
    }

    fn json(&mut self, value: &RawJson) {
        strings::each(value.as_str(), &mut |text| {
            // Pictures are no text.
            if !(text.starts_with("data:") && text.contains(";base64,")) {
                self.texts.push(text.into_owned());
            }
        });
    }

    fn tool(&mut self, name: &str) {
        let name = name.to_lowercase();
        if !name.is_empty() && !self.tools.contains(&name) {
            self.tools.push(name);
        }
    }

    fn file(&mut self, path: &str, touch: Touch) {
        if !path.is_empty() {
            self.files.push((path.to_owned(), Some(touch)));
        }
    }

    fn take(&mut self, kind: ItemKind) -> Role {
        match kind {
            ItemKind::UserMessage { content, .. } => {
                for part in content {
                    self.input(part);
                }
                Role::User
            }
            ItemKind::HookPrompt { fragments } => {
                self.texts.extend(fragments.into_iter().map(|f| f.text));
                Role::Notice
            }
            ItemKind::AgentMessage { text, questions, .. } => {
                self.text(text);
                if let Some(questions) = &questions {
                    self.json(questions);
                }
                Role::Assistant
            }
            ItemKind::Plan { text } => {
                self.text(text);
                Role::Assistant
            }
            ItemKind::Reasoning { summary, content } => {
                self.texts.extend(summary.into_iter().chain(content));
                Role::Reasoning
            }
            ItemKind::ContextCompaction { summary, .. } => {
                self.text(summary);
                Role::Summary
            }
            ItemKind::EnteredReviewMode { review } | ItemKind::ExitedReviewMode { review } => {
                self.text(review);
                Role::Assistant
            }
            ItemKind::Notice { text, .. } => {
                self.text(text);
                Role::Notice
            }
            ItemKind::SubAgentActivity { agent_path, model, message, .. } => {
                self.text(agent_path);
                self.text(message);
                self.text(model);
                Role::Notice
            }
            ItemKind::Sleep { .. } => Role::Notice,
            other => {
                self.take_call(other);
                Role::Tool
            }
        }
    }

    fn take_call(&mut self, kind: ItemKind) {
        match kind {
            ItemKind::FunctionCallOutput { name, output, .. } => {
                self.tool(&name);
                self.text(name);
                self.json(&output);
            }
            ItemKind::CommandExecution {
                command, cwd, command_actions, aggregated_output, ..
            } => {
                self.tool("shell");
                self.text(command);
                self.text(aggregated_output);
                for action in command_actions.get().elements() {
                    if action.str("type").as_deref() == Some("read")
                        && let Some(path) = action.str("path").or_else(|| action.str("name"))
                    {
                        self.file(&absolute(&path, cwd.as_deref()), Touch::Read);
                    }
                }
            }
            ItemKind::FileChange { changes, .. } => {
                self.tool("edit");
                for change in changes {
                    self.file(&change.path, Touch::Change);
                    self.text(change.path);
                    if let PatchKind::Update { move_path: Some(to) } = change.kind {
                        self.file(&to, Touch::Change);
                        self.text(to);
                    }
                    self.text(change.diff);
                }
            }
            ItemKind::McpToolCall { server, tool, arguments, result, error, .. } => {
                self.tool(&server);
                self.call(&tool, &arguments);
                self.text(server);
                result.iter().chain(&error).for_each(|value| self.json(value));
            }
            ItemKind::DynamicToolCall { tool, namespace, arguments, content_items, .. } => {
                if let Some(namespace) = namespace {
                    self.tool(&namespace);
                }
                self.call(&tool, &arguments);
                for part in content_items.into_iter().flatten() {
                    if let ContentItem::InputText { text } = part {
                        self.text(text);
                    }
                }
            }
            ItemKind::CollabAgentToolCall {
                tool,
                prompt,
                result,
                description,
                agents_states,
                ..
            } => {
                self.tool("agent");
                self.tool(&tool);
                self.text(tool);
                self.text(description);
                self.text(prompt);
                self.text(result);
                self.json(&agents_states);
            }
            ItemKind::WebSearch { query, action, results, text, .. } => {
                self.tool("web");
                self.text(query);
                self.text(text);
                action.iter().chain(&results).for_each(|value| self.json(value));
            }
            ItemKind::ImageView { path } => {
                self.tool("image");
                self.file(&path, Touch::Read);
                self.text(path);
            }
            ItemKind::ImageGeneration { revised_prompt, saved_path, .. } => {
                self.tool("image");
                self.text(revised_prompt);
                if let Some(path) = &saved_path {
                    self.file(path, Touch::Change);
                }
                self.text(saved_path);
            }
            _ => {}
        }
    }

    /// A tool that has no kind of its own: which files it touched is told by its name and its arguments.
    fn call(&mut self, tool: &str, arguments: &RawJson) {
        self.tool(tool);
        self.text(tool.to_owned());
        self.json(arguments);
        let Some(touch) = touch_of(tool) else { return };
        for (key, value) in arguments.get().members() {
            if names_a_file(&key.get())
                && let Some(path) = value.as_str()
            {
                self.file(&path, touch);
            }
        }
    }

    fn input(&mut self, part: UserInput) {
        match part {
            UserInput::Text { text, .. } => self.text(text),
            UserInput::LocalImage { path, .. } | UserInput::LocalAudio { path } => {
                self.file(&path, Touch::Read);
                self.text(path);
            }
            UserInput::Skill { name, path } | UserInput::Mention { name, path } => {
                self.file(&path, Touch::Read);
                self.text(name);
                self.text(path);
            }
            UserInput::Image { url, .. } => self.text(url.filter(|url| !url.starts_with("data:"))),
            UserInput::Audio { url } => {
                self.text(Some(url).filter(|url| !url.starts_with("data:")));
            }
        }
    }
}

/// What a tool does to the files that its arguments name, by the words in its name.
pub fn touch_of(tool: &str) -> Option<Touch> {
    let tool = tool.to_lowercase();
    let has = |names: &[&str]| names.iter().any(|name| tool.contains(name));
    if has(&["write", "edit", "patch", "create", "delete", "replace", "rename", "move"]) {
        Some(Touch::Change)
    } else if has(&["read", "view", "open", "cat"]) {
        Some(Touch::Read)
    } else {
        None
    }
}

/// Whether an argument of this name is the path of a file: `file_path`, `filePath`, `target_file`, … and what the tools of MCP's
/// file server that move a file call its two paths.
fn names_a_file(key: &str) -> bool {
    let key: String = key.chars().filter(char::is_ascii_alphanumeric).collect();
    let key = key.to_ascii_lowercase();
    key.ends_with("path")
        || matches!(key.as_str(), "file" | "filename" | "targetfile" | "source" | "destination")
}

fn absolute(path: &str, cwd: Option<&str>) -> String {
    match cwd {
        Some(cwd) if !path.starts_with(['/', '~', '\\']) && !path.contains(':') => {
            format!("{}/{}", cwd.trim_end_matches('/'), path.trim_start_matches("./"))
        }
        _ => path.to_owned(),
    }
}
