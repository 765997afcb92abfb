//! What an item that is no prose tells: a call in one line, and what stands below it when it is opened.

use std::borrow::Cow;
use std::fmt::Write as _;

use recount_formats::Json;
use recount_session::RawJson;
use recount_session::model::item::{ContentItem, FileUpdate, ItemStatus, PatchKind};
use recount_session::model::{Item, ItemKind};

use crate::about;
use crate::call::{self, Call, End, GLANCE};
use crate::{diff, prose};
use recount_text::{highlight, text};

/// A call.
#[derive(Debug, Default)]
pub struct Told<'a> {
    /// In one line.
    pub call: Call<'a>,
    /// The language of what came back, by the ending of the file that was read; empty when it was no file.
    pub language: String,
    /// What stands below it. Not made harmless.
    pub parts: Vec<Part<'a>>,
}

/// What stands below a call.
#[derive(Debug)]
pub enum Part<'a> {
    /// Where it was done, when that is not the thread's own place.
    Place(String),
    /// What was asked: a script, arguments, a prompt.
    Input(Cow<'a, str>),
    /// What came back.
    Output(Cow<'a, str>),
    /// An image that came back: an address or a data URL.
    Image(Cow<'a, str>),
    /// The change of a file.
    Diff(&'a FileUpdate),
}

impl Part<'_> {
    /// An image in words. Harmless.
    pub fn image_words(url: &str) -> String {
        prose::image(url)
    }
}

/// What paths are written relative to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Places<'a> {
    /// The thread's working directory.
    pub cwd: Option<&'a str>,
    /// The home folder, where it is known.
    pub home: &'a str,
}

impl Places<'_> {
    fn relative(&self, path: &str) -> String {
        about::relative(path, self.cwd, self.home)
    }
}

/// The calls that an item tells: one, for a change of several files one each, and none for prose.
pub fn calls<'a>(item: &'a Item, places: Places<'_>) -> Vec<Told<'a>> {
    let relative = |path: &str| places.relative(path);
    let mut told = match &item.kind {
        ItemKind::CommandExecution {
            command,
            cwd,
            status,
            source,
            aggregated_output,
            exit_code,
            duration_ms,
            ..
        } => {
            let script = call::script(command);
            let glance = text::line(text::beginning(&script, GLANCE)).into_owned();
            let end = match (*status, *exit_code) {
                (ItemStatus::Failed, Some(code)) => End::Bad(format!("exit {code}")),
                (ItemStatus::Completed, Some(code)) if code != 0 => {
                    End::Bad(format!("exit {code}"))
                }
                (status, _) => End::of(status),
            };
            let verb = if source == "userShell" { "!" } else { "$" };
            let mut told = told(verb, glance.clone(), end, *duration_ms);
            if let Some(cwd) = cwd.as_deref().filter(|c| Some(*c) != places.cwd) {
                told.parts.push(Part::Place(about::tilde(cwd, places.home)));
            }
            if script.len() > glance.len() || script.contains('\n') {
                told.parts.push(Part::Input(script));
            }
            told.output(aggregated_output.as_deref().unwrap_or("").into());
            told
        }
        ItemKind::FileChange { changes, status } => return self::changes(changes, *status, places),
        ItemKind::McpToolCall {
            server,
            tool,
            status,
            arguments,
            result,
            error,
            duration_ms,
            ..
        } => {
            let name = format!("{server}.{tool}");
            let object = named(&name, &call::arguments(arguments, relative));
            let mut told = told("mcp", object, End::of(*status), *duration_ms);
            told.arguments(arguments);
            match (error, result) {
                (Some(error), _) => {
                    let error = error.get();
                    let message = error.str("message");
                    told.output(message.unwrap_or_else(|| call::result_text(error).into()));
                }
                (None, Some(result)) => told.result(result.get()),
                (None, None) => {}
            }
            told
        }
        ItemKind::DynamicToolCall {
            tool,
            namespace,
            arguments,
            status,
            content_items,
            success,
            duration_ms,
        } => {
            let name = match namespace {
                Some(namespace) if !namespace.is_empty() => {
                    text::line(&format!("{namespace}.{tool}")).into_owned()
                }
                _ => text::line(tool).into_owned(),
            };
            let end = match (*status, *success) {
                (ItemStatus::Completed, Some(false)) => End::of(ItemStatus::Failed),
                (status, _) => End::of(status),
            };
            let mut told = told("", call::arguments(arguments, relative), end, *duration_ms);
            told.call.verb = name.into();
            told.arguments(arguments);
            let parts = content_items.as_deref().unwrap_or_default();
            told.output(call::content_text(parts));
            told.parts.extend(parts.iter().filter_map(|part| match part {
                ContentItem::InputImage { image_url } => Some(Part::Image(image_url.into())),
                _ => None,
            }));
            told
        }
        ItemKind::FunctionCallOutput { name, output, .. } => {
            let mut told = told("result", text::line(name).into_owned(), End::Quiet, None);
            told.result(output.get());
            told
        }
        ItemKind::CollabAgentToolCall { tool, status, prompt, result, description, .. } => {
            let about = description.as_deref().or(prompt.as_deref()).unwrap_or("");
            let about = text::line(text::beginning(about, GLANCE));
            let object = match tool.as_str() {
                "spawnAgent" => about.into_owned(),
                other => named(&words(other), &about),
            };
            let mut told = told("agent", object, End::of(*status), None);
            if let Some(prompt) = prompt {
                told.parts.push(Part::Input(prompt.into()));
            }
            told.output(result.as_deref().unwrap_or("").into());
            told
        }
        ItemKind::SubAgentActivity { kind, agent_thread_id, agent_path, message, .. } => {
            let name = if agent_path.is_empty() { agent_thread_id } else { agent_path };
            let object = format!("{} {}", text::line(name), text::line(kind));
            let mut told = told("agent", object, End::Quiet, None);
            told.parts.extend(message.as_deref().map(|message| Part::Input(message.into())));
            told
        }
        ItemKind::WebSearch { query, action, results, status, text: answer } => {
            let member = |key: &str| action.as_ref().and_then(|a| a.get().str(key));
            let (verb, object) = match (member("type").as_deref(), member("url")) {
                (Some("openPage" | "open_page" | "fetch"), Some(url)) => ("fetch", url),
                (Some("findInPage" | "find_in_page"), _) => ("find", query.into()),
                _ => ("search", query.into()),
            };
            let object = text::line(text::beginning(&object, GLANCE)).into_owned();
            let mut told = told(verb, object, status.map_or(End::Quiet, End::of), None);
            match (answer, results) {
                (Some(answer), _) => told.output(answer.into()),
                (None, Some(results)) => told.result(results.get()),
                (None, None) => {}
            }
            told
        }
        ItemKind::ImageView { path } => {
            told("image", relative(&text::line(path)), End::Quiet, None)
        }
        ItemKind::Sleep { duration_ms } => {
            told("sleep", recount_text::time::duration(*duration_ms), End::Quiet, None)
        }
        ItemKind::ImageGeneration { status, revised_prompt, saved_path, result, .. } => {
            let object = revised_prompt.as_deref().or(saved_path.as_deref()).unwrap_or("");
            let object = text::line(text::beginning(object, GLANCE)).into_owned();
            let end = match status.as_str() {
                "completed" | "generating" => End::Good,
                "" => End::Quiet,
                other => End::Bad(text::line(text::beginning(other, 40)).into_owned()),
            };
            let mut told = told("draw", object, end, None);
            if let Some(path) = saved_path {
                told.parts.push(Part::Place(relative(path)));
            }
            if let Some(image) = result.as_deref().filter(|image| !image.is_empty()) {
                told.parts.push(Part::Image(data_url(image, "image/png")));
            }
            told
        }
        ItemKind::HookPrompt { fragments } => {
            let all: Vec<&str> = fragments.iter().map(|f| f.text.as_str()).collect();
            let all = all.join("\n");
            let glance = text::line(text::beginning(&all, GLANCE)).into_owned();
            let mut told = told("hook", glance, End::Quiet, None);
            told.output(all.into());
            told
        }
        ItemKind::UserMessage { .. }
        | ItemKind::AgentMessage { .. }
        | ItemKind::Plan { .. }
        | ItemKind::Reasoning { .. }
        | ItemKind::EnteredReviewMode { .. }
        | ItemKind::ExitedReviewMode { .. }
        | ItemKind::ContextCompaction { .. }
        | ItemKind::Notice { .. } => return Vec::new(),
    };
    if let Some(path) = item.kind.file_read() {
        highlight::of_path(&path).clone_into(&mut told.language);
    }
    vec![told]
}

fn told<'a>(verb: &'static str, object: String, end: End, duration_ms: Option<i64>) -> Told<'a> {
    Told {
        call: Call { verb: verb.into(), object: object.into(), end, duration_ms },
        language: String::new(),
        parts: Vec::new(),
    }
}

impl<'a> Told<'a> {
    fn output(&mut self, output: Cow<'a, str>) {
        if !output.trim().is_empty() {
            self.parts.push(Part::Output(output));
        }
    }

    fn result(&mut self, result: Json<'_>) {
        self.output(Cow::Owned(call::result_text(result)));
        images(result, 0, &mut self.parts);
    }

    /// The arguments, unless the line of the call says all of them.
    fn arguments(&mut self, arguments: &RawJson) {
        if let Some(shown) = shown_arguments(arguments, GLANCE) {
            self.parts.push(Part::Input(shown.into()));
        }
    }
}

/// The arguments of a call, a member a line; nothing when one short member says all, because it stands in the line of the
/// call. `columns` is what is short.
pub fn shown_arguments(arguments: &RawJson, columns: usize) -> Option<String> {
    let value = arguments.get();
    let told = match value.members().count() {
        0 => value.is_null() || value.is_object(),
        1 => value.raw().len() < columns && !value.raw().contains("\\n"),
        _ => false,
    };
    if told {
        return None;
    }
    if !value.is_object() {
        return Some(call::result_text(value));
    }
    let mut shown = String::new();
    for (key, member) in value.members() {
        let member = member.as_str().unwrap_or_else(|| Cow::Borrowed(member.raw()));
        let _ = writeln!(shown, "{}: {member}", key.get());
    }
    Some(shown)
}

fn address(value: Json<'_>) -> Option<Cow<'_, str>> {
    value.str("image_url").or_else(|| value.str("url"))
}

/// The images in a result, in the shapes of MCP and of the APIs of models.
fn images(value: Json<'_>, depth: u8, parts: &mut Vec<Part<'_>>) {
    if depth > 4 {
        return;
    }
    if value.is_array() {
        return value.elements().for_each(|part| images(part, depth + 1, parts));
    }
    match value.str("type").as_deref() {
        Some("image") => {
            let source = value.get("source").unwrap_or(value);
            let kind = source.str("media_type").or_else(|| source.str("mimeType"));
            if let Some(data) = source.str("data") {
                let kind = kind.unwrap_or("image/png".into());
                parts.push(Part::Image(Cow::Owned(data_url(&data, &kind).into_owned())));
            } else if let Some(url) = address(source) {
                parts.push(Part::Image(Cow::Owned(url.into_owned())));
            }
        }
        Some("inputImage" | "input_image") => {
            if let Some(url) = address(value) {
                parts.push(Part::Image(Cow::Owned(url.into_owned())));
            }
        }
        _ => {
            if let Some(content) = value.get("content") {
                images(content, depth + 1, parts);
            }
        }
    }
}

fn data_url<'a>(data: &'a str, kind: &str) -> Cow<'a, str> {
    if data.starts_with("data:") || data.starts_with("http") {
        return Cow::Borrowed(data);
    }
    Cow::Owned(format!("data:{kind};base64,{data}"))
}

fn changes<'a>(changes: &'a [FileUpdate], status: ItemStatus, places: Places<'_>) -> Vec<Told<'a>> {
    if changes.is_empty() {
        return vec![told("edit", "no file".to_owned(), End::of(status), None)];
    }
    let one = |change: &'a FileUpdate| {
        let (verb, mut object) = change_line(change, places);
        let counts = diff::counts(change);
        for (sign, lines) in [("+", counts.added), ("−", counts.removed)] {
            if lines > 0 {
                let _ = write!(object, " {sign}{lines}");
            }
        }
        let end = if status == ItemStatus::Completed { End::Quiet } else { End::of(status) };
        let mut told = told(verb, object, end, None);
        if !change.diff.is_empty() {
            told.parts.push(Part::Diff(change));
        }
        told
    };
    changes.iter().map(one).collect()
}

/// What was done to a file, and its path.
pub fn change_line(change: &FileUpdate, places: Places<'_>) -> (&'static str, String) {
    let path = places.relative(&text::line(&change.path));
    match &change.kind {
        PatchKind::Add => ("add", path),
        PatchKind::Delete => ("delete", path),
        PatchKind::Update { move_path: Some(to) } => {
            ("move", format!("{path} to {}", places.relative(&text::line(to))))
        }
        PatchKind::Update { move_path: None } => ("edit", path),
    }
}

/// A name and what it is about. Harmless.
pub fn named(name: &str, about: &str) -> String {
    let name = text::line(name);
    if about.is_empty() { name.into_owned() } else { format!("{name} {about}") }
}

/// `sendInput` as `send input`.
pub fn words(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() {
            out.push(' ');
        }
        out.extend(c.to_lowercase());
    }
    out
}
