//! One item as the records that it becomes.

use super::call::{self, Call};
use super::{Around, Cell, command, header, notice, text};
use crate::history::record::message::{
    BackgroundEvent, LineKind, MessageKind, MessageLine, MessageRole, Notice, PlainMessage,
    TextTone,
};
use crate::history::record::other::{Image, JsonObject};
use crate::history::record::patch::{
    AddedFile, DeletedFile, FileChange, Patch, PatchEvent, PatchFailure, UpdatedFile,
};
use crate::history::record::stream::AssistantMessage;
use crate::history::record::tool::{WaitHeader, WaitStatus};
use crate::history::{Kind, Map, Maybe, Unknown};
use crate::json::RawJson;
use crate::model::Item;
use crate::model::item::{
    ContentItem, FileUpdate, ItemKind, ItemStatus, NoticeLevel, PatchKind, UserInput,
};

/// Adds the records of an item.
pub(super) fn cells(item: &Item, around: &Around<'_>, out: &mut Vec<Cell>) {
    let mut add = Adding { item, around, count: 0, out, threads: Vec::new() };
    match &item.kind {
        ItemKind::UserMessage { content, .. } => user(content, &mut add),
        ItemKind::HookPrompt { fragments } => {
            let text: Vec<_> = fragments.iter().map(|f| f.text.as_str()).collect();
            add.add(message(MessageRole::System, MessageKind::Plain, "Hook", &text.join("\n")));
        }
        ItemKind::AgentMessage { text, .. } => add.add(AssistantMessage {
            markdown: text.clone(),
            citations: Vec::new(),
            created_at: around.time.clone(),
            stream_id: Maybe::Absent,
            metadata: Maybe::Absent,
            token_usage: Maybe::Absent,
            cut_bytes: Maybe::Absent,
            other: Unknown::default(),
        }),
        ItemKind::Plan { text } => match call::plan_of_markdown(text) {
            Some(plan) => add.add(plan),
            None => add.add(message(MessageRole::Assistant, MessageKind::Plain, "Plan", text)),
        },
        ItemKind::Reasoning { summary, content } => {
            if let Some(reasoning) = text::reasoning(summary, content, around.open) {
                add.add(reasoning);
            }
        }
        ItemKind::CommandExecution { cwd, .. } => {
            if let Some(exec) = command::exec(item, around) {
                let look = command::look(&exec, cwd.as_deref());
                add.look(exec.into(), look);
            }
        }
        ItemKind::FileChange { changes, status } => patches(changes, *status, &mut add),
        ItemKind::ContextCompaction { summary, trigger } => add.add(BackgroundEvent {
            title: match trigger {
                Some(trigger) => format!("Context compacted ({trigger})"),
                None => "Context compacted".to_owned(),
            },
            description: summary.clone().unwrap_or_default(),
            other: Unknown::default(),
        }),
        ItemKind::SubAgentActivity { kind, agent_thread_id, agent_path, model, .. } => {
            let model = model.as_ref().map(|m| format!(" ({m})")).unwrap_or_default();
            add.threads = vec![agent_thread_id.clone()];
            add.add(BackgroundEvent {
                title: format!("Sub-agent {kind}"),
                description: format!("{agent_path}{model}"),
                other: Unknown::default(),
            });
        }
        ItemKind::ImageView { path } => add.add(image(path, None)),
        ItemKind::ImageGeneration { revised_prompt, result, saved_path, status, .. } => {
            let path = match (saved_path, result) {
                (Some(path), _) => path.clone(),
                (None, Some(data)) => format!("generated image, {} bytes", data.len() / 4 * 3),
                (None, None) => format!("generated image ({status})"),
            };
            add.add(image(&path, revised_prompt.clone()));
        }
        ItemKind::Sleep { duration_ms } => add.add(WaitStatus {
            header: WaitHeader {
                title: "Slept".to_owned(),
                title_tone: TextTone::Dim,
                summary_tone: TextTone::Dim,
                summary: Maybe::Is(format!("{} s", duration_ms / 1000)),
                other: Unknown::default(),
            },
            details: Vec::new(),
            other: Unknown::default(),
        }),
        ItemKind::EnteredReviewMode { review } => add.add(titled("Review started", review)),
        ItemKind::ExitedReviewMode { review } => add.add(titled("Review ended", review)),
        ItemKind::Notice { level, text } => {
            let tone = match level {
                NoticeLevel::Info => TextTone::Info,
                NoticeLevel::Warning => TextTone::Warning,
                NoticeLevel::Error => TextTone::Error,
            };
            add.add(notice(text, tone));
        }
        ItemKind::FunctionCallOutput { .. }
        | ItemKind::McpToolCall { .. }
        | ItemKind::DynamicToolCall { .. }
        | ItemKind::CollabAgentToolCall { .. }
        | ItemKind::WebSearch { .. } => tool(&item.kind, &mut add),
    }
}

/// Records of one item that are being added.
struct Adding<'a, 'b> {
    item: &'a Item,
    around: &'a Around<'a>,
    count: usize,
    out: &'b mut Vec<Cell>,
    threads: Vec<String>,
}

impl Adding<'_, '_> {
    fn add(&mut self, kind: impl Into<Kind>) {
        self.push(kind.into(), None, None);
    }

    fn look(&mut self, kind: Kind, look: Option<crate::history::record::exec::ExploreEntry>) {
        self.push(kind, None, look);
    }

    fn push(
        &mut self,
        kind: Kind,
        call: Option<String>,
        look: Option<crate::history::record::exec::ExploreEntry>,
    ) {
        let mut origin = self.around.origin(self.item);
        if !self.threads.is_empty() {
            origin.threads = Maybe::Is(std::mem::take(&mut self.threads));
        }
        let key = match self.count {
            0 => self.item.id.clone(),
            n => format!("{}/{n}", self.item.id),
        };
        self.count += 1;
        self.out.push(Cell { key, kind, origin: Some(origin), call, look });
    }
}

fn message(role: MessageRole, kind: MessageKind, label: &str, text: &str) -> PlainMessage {
    PlainMessage {
        role,
        kind,
        lines: text::lines(text),
        header: if label.is_empty() { Maybe::Absent } else { Maybe::Is(header(label)) },
        metadata: Maybe::Absent,
        other: Unknown::default(),
    }
}

fn titled(title: &str, text: &str) -> Notice {
    Notice {
        body: text::lines(text),
        title: Maybe::Is(title.to_owned()),
        other: Unknown::default(),
    }
}

/// What the person put in: the text with what was attached as one message, then each image.
fn user(content: &[UserInput], add: &mut Adding<'_, '_>) {
    let mut lines: Vec<MessageLine> = Vec::new();
    let mut images = Vec::new();
    let attached = |what: &str, name: &str, lines: &mut Vec<MessageLine>| {
        lines.push(MessageLine::new(LineKind::Metadata, &format!("{what} {name}"), TextTone::Dim));
    };
    for input in content {
        match input {
            UserInput::Text { text, .. } => lines.extend(text::lines(text)),
            UserInput::Image { url, file_id, .. } => {
                let name = url.as_deref().or(file_id.as_deref()).unwrap_or("image");
                images.push(image(name, None));
            }
            UserInput::LocalImage { path, .. } => images.push(image(path, None)),
            UserInput::Audio { url } => attached("audio", &short_address(url).0, &mut lines),
            UserInput::LocalAudio { path } => attached("audio", path, &mut lines),
            UserInput::Skill { name, path } => {
                attached("skill", &format!("{name} ({path})"), &mut lines);
            }
            UserInput::Mention { path, .. } => attached("file", path, &mut lines),
        }
    }
    if !lines.is_empty() || images.is_empty() {
        add.add(PlainMessage {
            role: MessageRole::User,
            kind: MessageKind::User,
            lines,
            header: Maybe::Absent,
            metadata: Maybe::Absent,
            other: Unknown::default(),
        });
    }
    for image in images {
        add.add(image);
    }
}

/// A data URL by its media type and its size; other addresses as they are.
fn short_address(address: &str) -> (String, Option<(String, usize)>) {
    let Some(rest) = address.strip_prefix("data:") else { return (address.to_owned(), None) };
    let (media, data) = rest.split_once(',').unwrap_or((rest, ""));
    let base64 = media.ends_with(";base64");
    let media = media.split(';').next().unwrap_or_default();
    let bytes = if base64 { data.trim_end_matches('=').len() * 3 / 4 } else { data.len() };
    (format!("{media}, {bytes} bytes"), Some((media.to_owned(), bytes)))
}

fn image(address: &str, caption: Option<String>) -> Image {
    let (path, data) = short_address(address);
    let metadata = data.map(|(media, bytes)| {
        let mut members = serde_json::Map::new();
        members.insert("media_type".into(), media.into());
        members.insert("bytes".into(), bytes.into());
        JsonObject::of(members)
    });
    Image { path, caption: caption.into(), metadata: metadata.into(), other: Unknown::default() }
}

/// The addresses of the images of an item, in the order of the records that they become: data URLs, or what else stands there.
pub fn images(kind: &ItemKind) -> Vec<String> {
    match kind {
        ItemKind::UserMessage { content, .. } => content
            .iter()
            .filter_map(|input| match input {
                UserInput::Image { url, file_id, .. } => {
                    Some(url.clone().or_else(|| file_id.clone()).unwrap_or_default())
                }
                UserInput::LocalImage { path, .. } => Some(path.clone()),
                _ => None,
            })
            .collect(),
        ItemKind::ImageView { path } => vec![path.clone()],
        ItemKind::ImageGeneration { result, saved_path, .. } => {
            let drawn = result.as_ref().map(|data| format!("data:image/png;base64,{data}"));
            vec![drawn.or_else(|| saved_path.clone()).unwrap_or_default()]
        }
        _ => content_images(kind),
    }
}

/// Changes of files. A map holds one change a path: a second change of the same file begins another record.
fn patches(changes: &[FileUpdate], status: ItemStatus, add: &mut Adding<'_, '_>) {
    let mut groups: Vec<Vec<(String, FileChange)>> = vec![Vec::new()];
    for change in changes {
        let new = match &change.kind {
            PatchKind::Add => FileChange::Add(AddedFile {
                content: change.diff.clone(),
                other: Unknown::default(),
            }),
            PatchKind::Delete => FileChange::Delete(DeletedFile {
                content: Maybe::Is(change.diff.clone()),
                other: Unknown::default(),
            }),
            PatchKind::Update { move_path } => FileChange::Update(UpdatedFile {
                unified_diff: change.diff.clone(),
                move_path: move_path.clone().into(),
                other: Unknown::default(),
            }),
        };
        let there = |group: &[(String, FileChange)]| group.iter().any(|(p, _)| *p == change.path);
        if groups.last().is_some_and(|group| there(group)) {
            groups.push(Vec::new());
        }
        if let Some(group) = groups.last_mut() {
            group.push((change.path.clone(), new));
        }
    }
    let event = match status {
        ItemStatus::InProgress => PatchEvent::ApplyBegin,
        ItemStatus::Completed => PatchEvent::ApplySuccess,
        ItemStatus::Failed => PatchEvent::ApplyFailure,
        ItemStatus::Declined => PatchEvent::Proposed,
    };
    let failure = match status {
        ItemStatus::Failed => Some("the changes could not be made"),
        ItemStatus::Declined => Some("the changes were declined"),
        ItemStatus::InProgress | ItemStatus::Completed => None,
    };
    for group in groups {
        add.add(Patch {
            event,
            changes: Map(group),
            auto_approved: Maybe::Absent,
            failure: failure
                .map(|message| PatchFailure {
                    message: message.to_owned(),
                    stdout_excerpt: Maybe::Absent,
                    stderr_excerpt: Maybe::Absent,
                    other: Unknown::default(),
                })
                .into(),
            other: Unknown::default(),
        });
    }
}

fn tool(kind: &ItemKind, add: &mut Adding<'_, '_>) {
    let Some(call) = Call::of(kind) else { return };
    if let Some(plan) = call.plan() {
        add.add(plan);
        return;
    }
    add.threads.clone_from(&call.threads);
    let look = call.look();
    let diff = call.diff();
    let images = content_images(kind);
    let id = add.item.id.clone();
    let record = call.record(&add.around.time);
    add.push(record, Some(id), look);
    if let Some(diff) = diff {
        add.add(diff);
    }
    for address in images {
        add.add(image(&address, None));
    }
}

/// Images in a tool's result.
fn content_images(kind: &ItemKind) -> Vec<String> {
    let of_parts = |value: &RawJson| {
        let parts = value.get();
        let parts = parts.get("content").unwrap_or(parts);
        let image = |part: recount_formats::Json<'_>| {
            let media = part.str("mimeType")?;
            let data = part.str("data")?;
            (part.str("type")? == "image").then(|| format!("data:{media};base64,{data}"))
        };
        parts.elements().filter_map(image).collect()
    };
    match kind {
        ItemKind::DynamicToolCall { content_items: Some(items), .. } => items
            .iter()
            .filter_map(|item| match item {
                ContentItem::InputImage { image_url } => Some(image_url.clone()),
                _ => None,
            })
            .collect(),
        ItemKind::McpToolCall { result: Some(result), .. } => of_parts(result),
        _ => Vec::new(),
    }
}
