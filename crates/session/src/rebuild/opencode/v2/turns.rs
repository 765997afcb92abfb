//! The display view of 2.x.

use std::collections::HashMap;

use recount_formats::opencode::Kind;
use recount_formats::{Code, Json};

use super::super::build::{Children, Turns, attachment, turn_error};
use super::super::files::Files;
use super::super::object::Object;
use super::super::rows::{Row, Rows};
use super::super::time::between;
use super::super::tool::{Around, Call, answer, is_agent};
use super::super::{Input, time};
use super::{branch, imported, metadata, reverted_from};
use crate::json::RawJson;
use crate::model::item::{ItemStatus, NoticeLevel, UserInput};
use crate::model::{Branch, ItemKind, Thread, TurnStatus};

/// Fills a thread from the rows of a session.
pub(in super::super) fn thread(
    input: Input<'_>,
    rows: &mut Rows<'_>,
    leaf: Option<&str>,
    thread: &mut Thread,
) {
    let all = std::mem::take(&mut rows.messages);
    let reverted = reverted_from(rows.session.as_ref(), &all);
    let messages = branch(&all, leaf);
    let start = all.iter().find(|r| r.kind == Kind::SessionMessageLocationSwitched);
    if let Some(start) = start.and_then(|r| r.data.at(&["previous", "location", "directory"])) {
        thread.cwd = start.as_str().map(Into::into);
    }
    let mut display = Display {
        turns: Turns::new(input.source),
        files: Files::new(input.companions, input.source),
        children: Children::new(&input.facts.children),
        answers: background_answers(messages),
        session: thread.id.clone(),
        cwd: thread.cwd.clone(),
        model: None,
        imported: imported(messages),
    };
    for (n, row) in messages.iter().enumerate() {
        if reverted == Some(n) {
            display.turns.notice(
                row,
                NoticeLevel::Warning,
                "A revert is staged: what follows will be deleted with the next prompt",
            );
        }
        display.row(n, row, rows, input);
    }
    display.end(messages);
    display.waiting(&rows.inbox, messages);
    if let Some(model) = display.model {
        thread.model = Some(model);
    }
    thread.lineage.subagents = display.children.finish();
    thread.turns = display.turns.done;
    thread.branches = branches(&all, reverted);
    if leaf.is_some_and(|leaf| !all.iter().any(|row| row.id() == leaf)) {
        rows.find(input.source, Code::UnknownBranch, "the branch that was asked for is not there");
    }
    rows.findings.append(&mut display.files.findings);
    if reverted.is_none()
        && rows.session.as_ref().is_some_and(|s| s.columns.at(&["revert", "messageID"]).is_some())
    {
        rows.find(
            input.source,
            Code::UnusableLeaf,
            "a staged revert names a message that is not there",
        );
    }
    rows.messages = all;
}

/// A session is one list. While a revert is staged it is two: the list as it is stored, and the part that stays.
fn branches(rows: &[Row<'_>], reverted: Option<usize>) -> Vec<Branch> {
    let Some(last) = rows.last() else { return Vec::new() };
    let whole = |active, abandoned_prompts| Branch { leaf: last.id(), active, abandoned_prompts };
    let Some(n) = reverted.filter(|n| *n > 0) else { return vec![whole(true, Vec::new())] };
    let gone = rows[n..]
        .iter()
        .filter(|row| row.kind == Kind::SessionMessageUser)
        .filter_map(|row| row.data.str("text").map(Into::into))
        .collect();
    vec![
        Branch { leaf: rows[n - 1].id(), active: true, abandoned_prompts: Vec::new() },
        whole(false, gone),
    ]
}

/// What agents in the background answered: synthetic rows name the child.
fn background_answers(rows: &[Row<'_>]) -> HashMap<String, String> {
    rows.iter()
        .filter(|row| row.kind == Kind::SessionMessageSynthetic)
        .filter_map(|row| {
            let child = row.data.at(&["metadata", "childID"])?.as_str()?;
            Some((child.into(), answer(&row.data.str("text")?).into()))
        })
        .collect()
}

struct Display<'s> {
    turns: Turns<'s>,
    files: Files<'s>,
    children: Children<'s>,
    answers: HashMap<String, String>,
    session: String,
    cwd: Option<String>,
    model: Option<String>,
    imported: usize,
}

impl Display<'_> {
    fn row(&mut self, n: usize, row: &Row<'_>, rows: &mut Rows<'_>, input: Input<'_>) {
        // An imported part has no idle rows: there a prompt begins a turn, and its end ends one.
        if self.turns.is_open()
            && (n == self.imported || (n < self.imported && row.kind == Kind::SessionMessageUser))
        {
            self.end_imported(row);
        }
        let data = &row.data;
        let text = |key: &str| data.str(key).unwrap_or_default();
        match row.kind {
            Kind::SessionMessageUser => self.user(row),
            Kind::SessionMessageSynthetic => self.synthetic(row),
            Kind::SessionMessageSystem => {
                let line = data.str("description").unwrap_or_else(|| text("text"));
                self.turns.notice(row, NoticeLevel::Info, line);
            }
            Kind::SessionMessageSkill => {
                self.turns.notice(
                    row,
                    NoticeLevel::Info,
                    format!("Skill `{}` activated", text("name")),
                );
            }
            Kind::SessionMessageShell => self.shell(row),
            Kind::SessionMessageAssistant => self.assistant(row, rows, input),
            Kind::SessionMessageCompactionCompleted => {
                let kind = ItemKind::ContextCompaction {
                    summary: data.str("summary").map(Into::into),
                    trigger: data.str("reason").map(Into::into),
                };
                self.turns.push(row, row.id(), kind);
            }
            Kind::SessionMessageCompactionRunning => {
                let line = format!("Compaction ({}) has begun and not ended", text("reason"));
                self.turns.notice(row, NoticeLevel::Info, line);
            }
            Kind::SessionMessageCompactionFailed => {
                let error = data.get("error").map(turn_error);
                let reason = error.map_or_else(String::new, |e| format!(": {}", e.message));
                self.turns.notice(row, NoticeLevel::Error, format!("Compaction failed{reason}"));
            }
            Kind::SessionMessageIdle => self.idle(row),
            Kind::SessionMessageAgentSwitched => {
                self.turns.notice(row, NoticeLevel::Info, format!("Agent: {}", text("agent")));
            }
            Kind::SessionMessageModelSwitched => {
                let model = data.at(&["model", "id"]).and_then(Json::as_str).unwrap_or_default();
                let variant = data.at(&["model", "variant"]).and_then(Json::as_str);
                let variant = variant.map_or_else(String::new, |v| format!(" ({v})"));
                self.turns.notice(row, NoticeLevel::Info, format!("Model: {model}{variant}"));
            }
            Kind::SessionMessageLocationSwitched => {
                let to = data.at(&["location", "directory"]).and_then(Json::as_str);
                self.cwd = to.as_deref().map(Into::into).or_else(|| self.cwd.take());
                self.turns.notice(
                    row,
                    NoticeLevel::Info,
                    format!("Moved to {}", to.unwrap_or_default()),
                );
            }
            _ => {
                let kind = recount_formats::finding::excerpt(&row.text("type").unwrap_or_default());
                let what =
                    if data.is_object() { "is of an unknown type" } else { "cannot be read" };
                self.turns.notice(row, NoticeLevel::Warning, format!("A row `{kind}` {what}"));
            }
        }
    }

    fn user(&mut self, row: &Row<'_>) {
        let data = &row.data;
        let list = |key| data.list(key);
        let own = |value: Json<'_>, key: &str| value.str(key).map(String::from);
        let mut content = vec![UserInput::text(data.str("text").unwrap_or_default())];
        for file in list("files") {
            let mime = own(file, "mime").unwrap_or_default();
            let uri = file.at(&["source", "uri"]).and_then(Json::as_str).map(String::from);
            let shown = mime.starts_with("image/") || mime.starts_with("audio/");
            let bytes = own(file, "data").filter(|_| shown);
            let url = match (bytes, uri) {
                (Some(bytes), _) => format!("data:{mime};base64,{bytes}"),
                (None, uri) => uri.unwrap_or_default(),
            };
            content.push(attachment(&mime, url, own(file, "name")));
        }
        content.extend(list("agents").map(|agent| UserInput::Mention {
            name: own(agent, "name").unwrap_or_default(),
            path: String::new(),
        }));
        content.extend(list("skills").map(|skill| UserInput::Skill {
            name: own(skill, "name").unwrap_or_default(),
            path: own(skill, "id").unwrap_or_default(),
        }));
        self.turns.push(row, row.id(), ItemKind::UserMessage { content, client_id: None });
    }

    fn synthetic(&mut self, row: &Row<'_>) {
        let meta = row.data.in_member("metadata");
        let own = |key: &str| meta.string(key);
        if meta.str("source").as_deref() == Some("subagent")
            && let Some(child) = own("childID")
        {
            let state = own("state").unwrap_or_else(|| "completed".into());
            let kind = ItemKind::SubAgentActivity {
                kind: if state == "error" { "interrupted".into() } else { state },
                agent_thread_id: child,
                agent_path: own("agent").unwrap_or_default(),
                model: None,
                reasoning_effort: None,
                message: None,
            };
            self.turns.push(row, row.id(), kind);
            return;
        }
        let text = row.data.str("description").or_else(|| row.data.str("text"));
        self.turns.notice(row, NoticeLevel::Info, text.unwrap_or_default());
    }

    fn shell(&mut self, row: &Row<'_>) {
        let data = &row.data;
        let shell: Option<String> = data.str("shellID").map(Into::into);
        let page = data.at(&["output", "output"]).and_then(Json::as_str).map(String::from);
        let cut = data.at(&["output", "truncated"]).and_then(Json::as_bool) != Some(false);
        let full = shell.as_deref().filter(|_| cut).and_then(|id| self.files.capture(id));
        let command: String = data.str("command").unwrap_or_default().into();
        let completed = data.at(&["time", "completed"]).and_then(Json::as_i64);
        let kind = ItemKind::CommandExecution {
            command_actions: RawJson::of(
                &serde_json::json!([{ "type": "unknown", "command": command }]),
            ),
            command,
            cwd: self.cwd.clone(),
            status: match data.str("status").as_deref() {
                Some("running") => ItemStatus::InProgress,
                Some("timeout" | "killed") => ItemStatus::Failed,
                _ => ItemStatus::Completed,
            },
            source: "userShell".into(),
            aggregated_output: full.or(page),
            exit_code: data.get("exit").and_then(Json::as_i64),
            duration_ms: time::between(row.created(), completed),
            process_id: shell,
            plugin_id: None,
            script_path: None,
        };
        self.turns.push(row, row.id(), kind);
    }

    fn assistant(&mut self, row: &Row<'_>, rows: &mut Rows<'_>, input: Input<'_>) {
        let data = &row.data;
        if let Some(model) = data.at(&["model", "id"]).and_then(Json::as_str) {
            self.model = Some(model.into());
        }
        // A step without content still makes the turn.
        self.turns.open(row);
        for (n, block) in data.list("content").enumerate() {
            let id = format!("{}/{n}", row.id());
            match block.str("type").as_deref() {
                Some("text") => {
                    let text = block.str("text").unwrap_or_default();
                    if !text.is_empty() {
                        self.turns.push(row, id, agent_message(text.into()));
                    }
                }
                Some("reasoning") => {
                    let text = block.str("text").unwrap_or_default();
                    if !text.is_empty() {
                        let content = vec![text.into()];
                        self.turns.push(row, id, ItemKind::Reasoning { summary: vec![], content });
                    }
                }
                Some("tool") => self.tool(row, block, rows, input),
                kind => {
                    let kind = recount_formats::finding::excerpt(kind.unwrap_or("?"));
                    rows.find(
                        input.source,
                        Code::UnknownBlockType,
                        format!("session_message {}: unknown block `{kind}`", row.id()),
                    );
                    let text = format!("A block `{kind}` is of an unknown type");
                    self.turns.push(
                        row,
                        id,
                        ItemKind::Notice { level: NoticeLevel::Warning, text },
                    );
                }
            }
        }
        self.after(row);
    }

    /// What a step says of its end.
    fn after(&mut self, row: &Row<'_>) {
        let data = &row.data;
        if let Some(error) = data.get("error").filter(|e| e.is_object()) {
            self.turns.notice(row, NoticeLevel::Error, turn_error(error).message);
        }
        if let Some(retry) = data.get("retry").filter(|r| r.is_object()) {
            let attempt = retry.get("attempt").map_or("?", Json::raw).to_owned();
            let reason = retry.get("error").map(|e| turn_error(e).message).unwrap_or_default();
            let text = format!("Attempt {attempt} is waiting: {reason}");
            self.turns.notice(row, NoticeLevel::Warning, text);
        }
        match data.str("finish").as_deref() {
            Some("length") => {
                self.turns.notice(row, NoticeLevel::Warning, "Cut off at the output limit");
            }
            Some("content-filter") => {
                self.turns.notice(row, NoticeLevel::Warning, "Stopped by the content filter");
            }
            _ => {}
        }
    }

    fn tool(&mut self, row: &Row<'_>, block: Json<'_>, rows: &mut Rows<'_>, input: Input<'_>) {
        let block = Object::of(block);
        let state = block.in_member("state");
        let call = self.call(&block, &state);
        let known = ["streaming", "running", "completed", "error"];
        let status = state.str("status").unwrap_or_default();
        if !known.contains(&&*status) {
            let status = recount_formats::finding::excerpt(&status);
            rows.find(
                input.source,
                Code::UnknownBlockType,
                format!("session_message {}: unknown tool status `{status}`", row.id()),
            );
        }
        let child = if is_agent(&call.tool) { self.children.of(&call) } else { None };
        let around = Around {
            session: &self.session,
            cwd: self.cwd.as_deref(),
            child: child.as_deref(),
            answer: child.as_ref().and_then(|c| self.answers.get(c)).map(String::as_str),
        };
        let kind = call.kind(around);
        let started = call.started.and_then(time::rfc3339);
        let item = self.turns.push(row, call.id, kind);
        if started.is_some() {
            item.timestamp = started;
        }
    }

    /// Reads a tool block.
    fn call<'a>(&mut self, block: &Object<'a>, state: &Object<'a>) -> Call<'a> {
        let meta = metadata(state);
        let time = block.in_member("time");
        let error = state.get("error").filter(|e| !e.is_null());
        let (texts, files) = content(state);
        let mut output = (!texts.is_empty()).then(|| texts.join("\n"));
        if let Some(full) = self.files.full_output(meta) {
            output = Some(full);
        }
        // A command in the background answers only that it runs: what it printed is in its capture.
        let background = meta.str("status").as_deref() == Some("running");
        if background && let Some(text) = meta.str("shellID").and_then(|id| self.files.capture(&id))
        {
            output = Some(text);
        }
        let message =
            error.map(|e| e.str("message").unwrap_or_else(|| e.raw().into()).into_owned());
        Call {
            id: block.string("id").unwrap_or_default(),
            tool: block.string("name").unwrap_or_default(),
            input: state.get("input").unwrap_or(Json::NULL),
            status: match state.str("status").as_deref() {
                Some("completed") => ItemStatus::Completed,
                Some("error") if message.as_deref().is_some_and(refused) => ItemStatus::Declined,
                Some("streaming" | "running") | None => ItemStatus::InProgress,
                // An unknown status is not one of those that say that a call runs.
                Some(_) => ItemStatus::Failed,
            },
            output,
            files,
            error: message,
            metadata: meta,
            started: time.number("created"),
            duration: between(
                time.number("ran").or_else(|| time.number("created")),
                time.number("completed"),
            ),
            provider: block.flag("executed") == Some(true),
        }
    }

    fn idle(&mut self, row: &Row<'_>) {
        self.turns.open(row);
        let status = match row.data.str("outcome").as_deref() {
            Some("failed") => TurnStatus::Failed,
            Some("interrupted") => TurnStatus::Interrupted,
            _ => TurnStatus::Completed,
        };
        let error = row.data.get("error").filter(|e| e.is_object()).map(turn_error);
        if let (Some(error), Some(turn)) = (&error, self.turns.current()) {
            // The step that failed says the same: once is enough.
            turn.items.retain(|item| {
                !matches!(&item.kind, ItemKind::Notice { level: NoticeLevel::Error, text } if *text == error.message)
            });
        }
        self.turns.close(status, error, row.created());
    }

    /// Ends a turn that has no idle row because it was imported; `next` begins the one after.
    fn end_imported(&mut self, next: &Row<'_>) {
        let failed = self.turns.current().is_some_and(|turn| {
            turn.items.last().is_some_and(|item| {
                matches!(&item.kind, ItemKind::Notice { level: NoticeLevel::Error, .. })
            })
        });
        let status = if failed { TurnStatus::Failed } else { TurnStatus::Completed };
        self.turns.close(status, None, next.number("time_created"));
    }

    /// Ends the last turn when no idle row does.
    fn end(&mut self, rows: &[Row<'_>]) {
        if !self.turns.is_open() {
            return;
        }
        let last = rows.iter().rev().find(|row| {
            matches!(
                row.kind,
                Kind::SessionMessageUser
                    | Kind::SessionMessageSynthetic
                    | Kind::SessionMessageAssistant
                    | Kind::SessionMessageShell
                    | Kind::SessionMessageCompactionRunning
                    | Kind::SessionMessageCompactionCompleted
                    | Kind::SessionMessageIdle
            )
        });
        let ended = last.is_none_or(|row| match row.kind {
            Kind::SessionMessageAssistant => {
                row.data.at(&["time", "completed"]).is_some()
                    && row.data.str("finish").as_deref() != Some("tool-calls")
            }
            Kind::SessionMessageShell => row.data.str("status").as_deref() != Some("running"),
            Kind::SessionMessageCompactionCompleted | Kind::SessionMessageIdle => true,
            _ => false,
        });
        let failed = last.is_some_and(|row| row.data.get("error").is_some_and(Json::is_object));
        let status = match (ended, failed) {
            (false, _) => TurnStatus::InProgress,
            (true, true) => TurnStatus::Failed,
            (true, false) => TurnStatus::Completed,
        };
        let end = rows.last().and_then(|row| {
            row.data.at(&["time", "completed"]).and_then(Json::as_i64).or_else(|| row.created())
        });
        self.turns.close(status, None, end);
    }

    /// Input that waits is no part of the conversation yet. It is told at the end of the last turn.
    fn waiting(&mut self, inbox: &[Row<'_>], rows: &[Row<'_>]) {
        let Some(turn) = self.turns.done.last_mut() else { return };
        if rows.is_empty() {
            return;
        }
        for row in inbox {
            let kind = row.text("type").unwrap_or_default();
            let what = row
                .data
                .str("text")
                .or_else(|| row.data.at(&["location", "directory"])?.as_str())
                .map_or(kind.clone(), |text| format!("{kind}: {text}"));
            let delivery = row.text("delivery").unwrap_or_default();
            let text = format!("Waiting ({delivery}): {what}");
            let kind = ItemKind::Notice { level: NoticeLevel::Info, text };
            let mut item = crate::model::Item::new(row.id(), kind, row.at(self.turns.source));
            item.timestamp = row.created().and_then(time::rfc3339);
            turn.items.push(item);
        }
    }
}

/// The texts and files in a tool's state.
pub(super) fn content(state: &Object<'_>) -> (Vec<String>, Vec<(String, String)>) {
    let (mut texts, mut files) = (Vec::new(), Vec::new());
    for part in state.list("content") {
        match part.str("type").as_deref() {
            Some("text") => texts.extend(part.str("text").map(String::from)),
            Some("file") => {
                let own = |key: &str| part.str(key).map(String::from).unwrap_or_default();
                files.push((own("mime"), own("uri")));
            }
            _ => texts.push(part.raw().into()),
        }
    }
    (texts, files)
}

/// Whether a call failed because somebody said no. A file system that denies something is no somebody.
fn refused(message: &str) -> bool {
    message.contains("rejected permission")
        || message == "Permission denied"
        || message.starts_with("Subagent denied")
}

fn agent_message(text: String) -> ItemKind {
    ItemKind::AgentMessage {
        text,
        phase: None,
        memory_citation: None,
        delivery: None,
        questions: None,
    }
}
