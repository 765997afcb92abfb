//! The display view of 1.x.

use recount_formats::opencode::Kind;
use recount_formats::{Code, Json};

use super::super::build::{Children, Turns, also, attachment};
use super::super::files::Files;
use super::super::object::Object;
use super::super::rows::{Row, Rows};
use super::super::time::between;
use super::super::tool::{Around, Call, is_agent};
use super::super::{Input, time};
use super::{Message, branch, error_message, is_abort, is_summary, is_synthetic, part};
use crate::model::item::{ItemStatus, NoticeLevel, UserInput};
use crate::model::{Branch, ItemKind, Thread, TurnError, TurnStatus};

/// Fills a thread from the messages of a session.
pub(in super::super) fn thread(
    input: Input<'_>,
    rows: &mut Rows<'_>,
    leaf: Option<&str>,
    thread: &mut Thread,
) {
    let all = std::mem::take(&mut rows.old);
    let target =
        rows.session.as_ref().and_then(|s| s.columns.at(&["revert", "messageID"])?.as_str());
    let reverted = target.as_ref().and_then(|id| all.iter().position(|(row, _)| row.id() == *id));
    let messages = branch(&all, leaf);
    let mut display = Display {
        turns: Turns::new(input.source),
        files: Files::new(input.companions, input.source),
        children: Children::new(&input.facts.children),
        session: thread.id.clone(),
        cwd: thread.cwd.clone(),
        model: None,
        last: None,
    };
    for (n, (row, parts)) in messages.iter().enumerate() {
        let next = messages.get(n + 1);
        match row.kind {
            Kind::LegacyMessage1XRowUser => display.user(row, parts, next),
            Kind::LegacyMessage1XRowAssistant => {
                let asked = row
                    .text_of("parentID")
                    .and_then(|id| messages.iter().find(|(r, _)| r.id() == id));
                display.assistant(row, parts, asked, rows, input);
            }
            _ => display.turns.notice(row, NoticeLevel::Warning, "A message that cannot be read"),
        }
        if reverted == Some(n) {
            display.turns.notice(
                row,
                NoticeLevel::Warning,
                "A revert to before this message is staged: it and what follows will be deleted with the next prompt",
            );
        }
    }
    display.close(true);
    if let Some(model) = display.model {
        thread.model = Some(model);
    }
    thread.lineage.subagents = display.children.finish();
    thread.turns = display.turns.done;
    thread.branches = branches(&all, reverted);
    if leaf.is_some_and(|leaf| !all.iter().any(|row| row.0.id() == leaf)) {
        rows.find(input.source, Code::UnknownBranch, "the branch that was asked for is not there");
    }
    rows.findings.append(&mut display.files.findings);
    if target.is_some() && reverted.is_none() {
        rows.find(
            input.source,
            Code::UnusableLeaf,
            "a staged revert names a message that is not there",
        );
    }
    rows.old = all;
}

/// A session is one list; while a revert is staged it is two.
fn branches(messages: &[Message<'_>], reverted: Option<usize>) -> Vec<Branch> {
    let Some((last, _)) = messages.last() else { return Vec::new() };
    let whole = |active, abandoned_prompts| Branch { leaf: last.id(), active, abandoned_prompts };
    let Some(n) = reverted.filter(|n| *n > 0) else { return vec![whole(true, Vec::new())] };
    let gone = messages[n..]
        .iter()
        .filter(|(row, _)| row.kind == Kind::LegacyMessage1XRowUser)
        .map(|(_, parts)| typed(parts).join("\n"))
        .filter(|text| !text.is_empty())
        .collect();
    vec![
        Branch { leaf: messages[n - 1].0.id(), active: true, abandoned_prompts: Vec::new() },
        whole(false, gone),
    ]
}

/// The texts that a person typed.
fn typed(parts: &[Row<'_>]) -> Vec<String> {
    parts
        .iter()
        .filter(|part| part.kind == Kind::LegacyPartText && !is_synthetic(part))
        .filter_map(|part| part.text_of("text"))
        .collect()
}

/// How the last answer of the open turn stands.
struct Answer {
    completed: Option<i64>,
    error: Option<(String, bool)>,
    more: bool,
}

struct Display<'s> {
    turns: Turns<'s>,
    files: Files<'s>,
    children: Children<'s>,
    session: String,
    cwd: Option<String>,
    model: Option<String>,
    last: Option<Answer>,
}

impl Display<'_> {
    /// Ends the open turn. Without an end of its answer it was broken off, or, at the end of the session, may run.
    fn close(&mut self, at_end: bool) {
        if !self.turns.is_open() {
            return;
        }
        let open = if at_end { TurnStatus::InProgress } else { TurnStatus::Interrupted };
        let (status, error, end) = match self.last.take() {
            None => (open, None, None),
            Some(Answer { error: Some((_, true)), completed, .. }) => {
                (TurnStatus::Interrupted, None, completed)
            }
            Some(Answer { error: Some((message, false)), completed, .. }) => {
                let error = TurnError { message, codex_error_info: None, additional_details: None };
                (TurnStatus::Failed, Some(error), completed)
            }
            Some(Answer { completed: Some(end), more: false, .. }) => {
                (TurnStatus::Completed, None, Some(end))
            }
            Some(Answer { completed, .. }) => (open, None, completed),
        };
        self.turns.close(status, error, end);
    }

    fn user(&mut self, row: &Row<'_>, parts: &[Row<'_>], next: Option<&Message<'_>>) {
        if let Some(part) = part(parts, Kind::LegacyPartCompaction) {
            // One that the program asks for stands in the middle of a turn.
            if part.get("auto").and_then(Json::as_bool) != Some(true) {
                self.close(false);
                self.turns.open(row);
            }
            self.other_parts(parts);
            return;
        }
        let content = prompt(parts);
        let synthetic = content.is_empty() && part(parts, Kind::LegacyPartSubtask).is_none();
        if synthetic && self.turns.current().is_some_and(|turn| ends_with_compaction(&turn.items)) {
            // After an automatic compaction the program tells the model to go on.
            self.other_parts(parts);
            return;
        }
        self.close(false);
        self.turns.open(row);
        self.last = None;
        if !content.is_empty() {
            let kind = ItemKind::UserMessage { content, client_id: None };
            let source = self.turns.source;
            let item = self.turns.push(row, row.id(), kind);
            for part in parts {
                also(item, part.at(source));
            }
        } else if synthetic && !next.is_some_and(|(_, parts)| is_user_shell(parts)) {
            for part in parts.iter().filter(|p| p.kind == Kind::LegacyPartText) {
                let text = part.text_of("text").unwrap_or_default();
                self.turns.notice(part, NoticeLevel::Info, text);
            }
        }
        self.other_parts(parts);
    }

    /// Parts of a prompt that are neither text nor attachments.
    fn other_parts(&mut self, parts: &[Row<'_>]) {
        for part in parts {
            match part.kind {
                Kind::LegacyPartSubtask => {
                    let own = |key: &str| part.text_of(key).unwrap_or_default();
                    let text = format!("Subtask for {}: {}", own("agent"), own("prompt"));
                    self.turns.notice(part, NoticeLevel::Info, text);
                }
                Kind::Unknown => self.unknown(part),
                _ => {}
            }
        }
    }

    fn assistant(
        &mut self,
        row: &Row<'_>,
        parts: &[Row<'_>],
        asked: Option<&Message<'_>>,
        rows: &mut Rows<'_>,
        input: Input<'_>,
    ) {
        self.turns.open(row);
        if let Some(cwd) = row.data.at(&["path", "cwd"]).and_then(Json::as_str) {
            self.cwd = Some(cwd.into());
        }
        let error = row.get("error").filter(|e| e.is_object());
        if is_summary(row) {
            self.summary(row, parts, asked, error);
        } else {
            if let Some(model) = row.text_of("modelID") {
                self.model = Some(model);
            }
            for part in parts {
                self.part(row, part, is_user_shell(parts), rows, input);
            }
            if let Some(error) = error.filter(|e| !is_abort(*e)) {
                self.turns.notice(row, NoticeLevel::Error, error_message(error));
            }
            if row.text_of("finish").as_deref() == Some("length") {
                self.turns.notice(row, NoticeLevel::Warning, "Cut off at the output limit");
            }
        }
        self.last = Some(Answer {
            completed: row.data.at(&["time", "completed"]).and_then(Json::as_i64),
            error: error.map(|e| (error_message(e), is_abort(e))),
            more: row.text_of("finish").as_deref() == Some("tool-calls"),
        });
    }

    /// The answer to a wish to compact.
    fn summary(
        &mut self,
        row: &Row<'_>,
        parts: &[Row<'_>],
        asked: Option<&Message<'_>>,
        error: Option<Json<'_>>,
    ) {
        if let Some(error) = error {
            let text = format!("Compaction failed: {}", error_message(error));
            self.turns.notice(row, NoticeLevel::Error, text);
            return;
        }
        let auto = asked
            .and_then(|(_, parts)| part(parts, Kind::LegacyPartCompaction))
            .and_then(|part| part.get("auto")?.as_bool());
        let texts: Vec<_> = parts
            .iter()
            .filter(|p| p.kind == Kind::LegacyPartText)
            .filter_map(|p| p.text_of("text").filter(|t| !t.is_empty()))
            .collect();
        let kind = ItemKind::ContextCompaction {
            summary: (!texts.is_empty()).then(|| texts.join("\n\n")),
            trigger: auto.map(|auto| if auto { "auto".into() } else { "manual".into() }),
        };
        self.turns.push(row, row.id(), kind);
    }

    fn part(
        &mut self,
        row: &Row<'_>,
        part: &Row<'_>,
        by_user: bool,
        rows: &mut Rows<'_>,
        input: Input<'_>,
    ) {
        let own = |key: &str| part.text_of(key);
        match part.kind {
            Kind::LegacyPartText => {
                // Retries leave empty texts behind.
                if let Some(text) = own("text").filter(|t| !t.is_empty()) {
                    let kind = ItemKind::AgentMessage {
                        text,
                        phase: None,
                        memory_citation: None,
                        delivery: None,
                        questions: None,
                    };
                    self.turns.push(part, part.id(), kind);
                }
            }
            Kind::LegacyPartReasoning => {
                if let Some(text) = own("text").filter(|t| !t.is_empty()) {
                    let kind = ItemKind::Reasoning { summary: vec![], content: vec![text] };
                    self.turns.push(part, part.id(), kind);
                }
            }
            Kind::LegacyPartTool => self.tool(row, part, by_user, rows, input),
            Kind::LegacyPartRetry => {
                let attempt = part.get("attempt").map_or("?", Json::raw);
                let reason = part.get("error").map(error_message).unwrap_or_default();
                let text = format!("Attempt {attempt} failed: {reason}");
                self.turns.notice(part, NoticeLevel::Warning, text);
            }
            Kind::LegacyPartFile => {
                let what = own("filename").or_else(|| own("mime")).unwrap_or_default();
                self.turns.notice(part, NoticeLevel::Info, format!("File: {what}"));
            }
            Kind::LegacyPartSubtask | Kind::LegacyPartAgent | Kind::LegacyPartCompaction => {
                self.other_parts(std::slice::from_ref(part));
            }
            // Bookkeeping: trees of the files, and the tokens that the message has as well.
            Kind::LegacyPartStepStart
            | Kind::LegacyPartStepFinish
            | Kind::LegacyPartSnapshot
            | Kind::LegacyPartPatch => {}
            _ => self.unknown(part),
        }
    }

    fn unknown(&mut self, part: &Row<'_>) {
        let kind = part.text_of("type").unwrap_or_else(|| "?".into());
        let kind = recount_formats::finding::excerpt(&kind);
        let text = format!("A part `{kind}` cannot be read or is of an unknown type");
        self.turns.notice(part, NoticeLevel::Warning, text);
    }

    fn tool(
        &mut self,
        row: &Row<'_>,
        part: &Row<'_>,
        by_user: bool,
        rows: &mut Rows<'_>,
        input: Input<'_>,
    ) {
        let state = part.data.in_member("state");
        let call = self.call(part, &state);
        let status = state.str("status").unwrap_or_default();
        if !matches!(&*status, "pending" | "running" | "completed" | "error") {
            let status = recount_formats::finding::excerpt(&status);
            rows.find(
                input.source,
                Code::UnknownBlockType,
                format!("part {}: unknown tool status `{status}`", part.id()),
            );
        }
        let child = if is_agent(&call.tool) { self.children.of(&call) } else { None };
        let around = Around {
            session: &self.session,
            cwd: self.cwd.as_deref(),
            child: child.as_deref(),
            answer: None,
        };
        let mut kind = call.kind(around);
        if let ItemKind::CommandExecution { source, .. } = &mut kind
            && by_user
        {
            *source = "userShell".into();
        }
        let started = call.started.and_then(time::rfc3339);
        let message = row.at(self.turns.source);
        let item = self.turns.push(part, call.id, kind);
        also(item, message);
        if started.is_some() {
            item.timestamp = started;
        }
    }

    /// Reads a tool part.
    fn call<'a>(&mut self, part: &Row<'a>, state: &Object<'a>) -> Call<'a> {
        let meta = state.get("metadata").unwrap_or(Json::NULL);
        let own = |value: Json<'_>, key: &str| value.str(key).map(String::from);
        let time = state.in_member("time");
        let tool = part.text_of("tool").unwrap_or_default();
        let shell = tool == "bash";
        // For people a command's own output is better than the one with notes for the model around it.
        let output =
            own(meta, "output").filter(|o| shell || state.str("output").is_none() && !o.is_empty());
        let output = self
            .files
            .full_output(meta)
            .or_else(|| output.filter(|o| !o.is_empty()))
            .or_else(|| state.string("output"));
        let error = state
            .get("error")
            .filter(|e| !e.is_null())
            .map(|e| e.as_str().map_or_else(|| e.raw().to_owned(), Into::into));
        let input = state.get("input").unwrap_or(Json::NULL);
        // While the arguments stream, `input` is empty and `raw` is what there is.
        let input = state.get("raw").filter(|_| input.members().next().is_none()).unwrap_or(input);
        Call {
            id: part.text_of("callID").unwrap_or_else(|| part.id()),
            tool,
            input,
            status: match state.str("status").as_deref() {
                Some("completed") => ItemStatus::Completed,
                Some("pending" | "running") | None => ItemStatus::InProgress,
                Some(_) if error.as_deref().is_some_and(|e| e.contains("rejected permission")) => {
                    ItemStatus::Declined
                }
                Some(_) => ItemStatus::Failed,
            },
            output,
            files: state
                .list("attachments")
                .map(|f| (own(f, "mime").unwrap_or_default(), own(f, "url").unwrap_or_default()))
                .collect(),
            error,
            metadata: meta,
            started: time.number("start"),
            duration: between(time.number("start"), time.number("end")),
            provider: part.data.at(&["metadata", "providerExecuted"]).and_then(Json::as_bool)
                == Some(true),
        }
    }
}

/// A command that the user ran: its message holds the tool and no step of a model.
fn is_user_shell(parts: &[Row<'_>]) -> bool {
    part(parts, Kind::LegacyPartStepStart).is_none()
        && part(parts, Kind::LegacyPartTool).and_then(|p| p.text_of("tool")).as_deref()
            == Some("bash")
}

/// Whether the newest item is a compaction.
fn ends_with_compaction(items: &[crate::model::Item]) -> bool {
    items.last().is_some_and(|item| matches!(item.kind, ItemKind::ContextCompaction { .. }))
}

/// What a person put into a prompt.
fn prompt(parts: &[Row<'_>]) -> Vec<UserInput> {
    parts
        .iter()
        .filter_map(|part| match part.kind {
            Kind::LegacyPartText if !is_synthetic(part) => {
                Some(UserInput::text(part.text_of("text")?))
            }
            Kind::LegacyPartFile => Some(attachment(
                &part.text_of("mime").unwrap_or_default(),
                part.text_of("url").unwrap_or_default(),
                part.text_of("filename"),
            )),
            Kind::LegacyPartAgent => {
                Some(UserInput::Mention { name: part.text_of("name")?, path: String::new() })
            }
            _ => None,
        })
        .collect()
}
