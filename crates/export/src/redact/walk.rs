//! Every text of a thread. Ids of the harness stay: they are no secrets, and what refers to them has to find them.

use std::collections::HashSet;
use std::sync::Arc;

use recount_session::RawJson;
use recount_session::model::item::{ContentItem, Extra, PatchKind, UserInput};
use recount_session::model::{At, Item, ItemKind, Turn};

use super::Redactor;
use crate::call::Call;
use crate::family::Whole;
use crate::json;
use crate::options::Tools;
use crate::told::{self, Places};

/// Takes everything out of a thread and its branches.
pub(super) fn whole(whole: &mut Whole, redactor: &mut Redactor) {
    let outer = redactor.place.clone();
    let start = redactor.secrets.len();
    let thread = &mut whole.thread;
    redactor.place.thread.clone_from(&thread.id);
    redactor.place.turn = None;
    redactor.place.item = None;
    for text in [
        &mut thread.title,
        &mut thread.preview,
        &mut thread.cwd,
        &mut thread.git_branch,
        &mut thread.model,
    ] {
        redactor.maybe(text);
    }
    for agent in &mut thread.lineage.subagents {
        redactor.maybe(&mut agent.name);
    }
    for branch in &mut thread.branches {
        branch.abandoned_prompts.iter_mut().for_each(|prompt| redactor.string(prompt));
    }
    for finding in &mut thread.findings {
        redactor.shared(&mut finding.source);
        redactor.string(&mut finding.message);
    }
    turns(&mut thread.turns, 0, redactor);
    let before = redactor.secrets.len();
    for aside in &mut whole.asides {
        turns(&mut aside.turns, aside.shared_turns, redactor);
    }
    if !redactor.written.branches {
        redactor.secrets.truncate(before);
    }
    redactor.place = outer;
    // A title and a preview repeat what stands in a turn, and each other.
    let own = redactor.secrets.split_off(start);
    let mut told: HashSet<String> =
        own.iter().filter(|s| s.turn.is_some()).map(|s| s.placeholder.clone()).collect();
    let news = own.into_iter().filter(|s| s.turn.is_some() || told.insert(s.placeholder.clone()));
    redactor.secrets.extend(news);
}

fn turns(turns: &mut [Turn], before: usize, redactor: &mut Redactor) {
    for (n, turn) in turns.iter_mut().enumerate() {
        redactor.place.turn = Some(before + n + 1);
        for one in &mut turn.items {
            redactor.place.item = Some(one.id.clone());
            let before = redactor.secrets.len();
            item(one, redactor);
            if redactor.secrets.len() > before {
                untold(one, before, redactor);
            }
        }
        redactor.place.item = None;
        if let Some(error) = &mut turn.error {
            redactor.string(&mut error.message);
            redactor.maybe(&mut error.additional_details);
            redactor.maybe_json(&mut error.codex_error_info);
        }
    }
    redactor.place.turn = None;
}

/// Forgets what was taken out of an item from a place in the list on, as far as it is not written.
fn untold(item: &Item, from: usize, redactor: &mut Redactor) {
    let written = redactor.written;
    match &item.kind {
        ItemKind::Reasoning { .. } if !written.reasoning => redactor.secrets.truncate(from),
        kind if json::is_call(kind) => match written.tools {
            Tools::Full => {}
            Tools::None => redactor.secrets.truncate(from),
            Tools::Summary => {
                let line = |call: &Call<'_>| format!("{} {}\n", call.verb, call.object);
                let calls = told::calls(item, Places::default());
                let mut lines: String = calls.iter().map(|told| line(&told.call)).collect();
                let mut own = redactor.secrets.split_off(from);
                own.retain(|secret| match lines.find(&secret.placeholder) {
                    Some(at) => {
                        lines.replace_range(at..at + secret.placeholder.len(), "");
                        true
                    }
                    None => false,
                });
                redactor.secrets.append(&mut own);
            }
        },
        _ => {}
    }
}

impl Redactor {
    fn string(&mut self, text: &mut String) {
        // Images and sound are no text.
        let is_data = text.starts_with("data:") && !text.starts_with("data:text");
        if !is_data && let Some(replaced) = self.text(text) {
            *text = replaced;
        }
    }

    fn maybe(&mut self, text: &mut Option<String>) {
        if let Some(text) = text {
            self.string(text);
        }
    }

    fn shared(&mut self, text: &mut Arc<str>) {
        if let Some(replaced) = self.text(text) {
            *text = replaced.into();
        }
    }

    fn raw(&mut self, json: &mut RawJson) {
        if let Some(replaced) = self.json(json) {
            *json = replaced;
        }
    }

    fn maybe_json(&mut self, json: &mut Option<RawJson>) {
        if let Some(json) = json {
            self.raw(json);
        }
    }

    fn extra(&mut self, extra: &mut Extra) {
        extra.0.iter_mut().for_each(|(_, value)| self.raw(value));
    }

    /// Where a record stands: its path. It is said once for each item, and reported once for the thread.
    fn at(&mut self, at: &mut At) {
        let source = match at {
            At::Line { source, .. } | At::Row { source, .. } | At::Blob { source, .. } => source,
        };
        let told = self.secrets.len();
        self.shared(source);
        self.secrets.truncate(told);
    }
}

fn item(item: &mut Item, redactor: &mut Redactor) {
    redactor.at(&mut item.at);
    item.also_at.iter_mut().for_each(|at| redactor.at(at));
    match &mut item.kind {
        ItemKind::UserMessage { content, .. } => {
            for part in content {
                input(part, redactor);
            }
        }
        ItemKind::HookPrompt { fragments } => {
            for fragment in fragments {
                redactor.string(&mut fragment.text);
            }
        }
        ItemKind::AgentMessage { text, memory_citation, questions, .. } => {
            redactor.string(text);
            redactor.maybe_json(memory_citation);
            redactor.maybe_json(questions);
        }
        ItemKind::FunctionCallOutput { name, output, .. } => {
            redactor.string(name);
            redactor.raw(output);
        }
        ItemKind::Plan { text } | ItemKind::Notice { text, .. } => redactor.string(text),
        ItemKind::Reasoning { summary, content } => {
            summary.iter_mut().chain(content).for_each(|part| redactor.string(part));
        }
        ItemKind::CommandExecution {
            command,
            cwd,
            command_actions,
            aggregated_output,
            script_path,
            ..
        } => {
            redactor.string(command);
            redactor.maybe(cwd);
            redactor.raw(command_actions);
            redactor.maybe(aggregated_output);
            redactor.maybe(script_path);
        }
        ItemKind::FileChange { changes, .. } => {
            for change in changes {
                redactor.string(&mut change.path);
                redactor.string(&mut change.diff);
                if let PatchKind::Update { move_path } = &mut change.kind {
                    redactor.maybe(move_path);
                }
            }
        }
        ItemKind::McpToolCall { arguments, result, error, extra, .. } => {
            redactor.raw(arguments);
            redactor.maybe_json(result);
            redactor.maybe_json(error);
            redactor.extra(extra);
        }
        ItemKind::DynamicToolCall { arguments, content_items, .. } => {
            redactor.raw(arguments);
            for part in content_items.iter_mut().flatten() {
                match part {
                    ContentItem::InputText { text } => redactor.string(text),
                    ContentItem::InputImage { image_url: url }
                    | ContentItem::InputAudio { audio_url: url } => redactor.string(url),
                }
            }
        }
        ItemKind::CollabAgentToolCall { prompt, agents_states, result, description, .. } => {
            redactor.maybe(prompt);
            redactor.raw(agents_states);
            redactor.maybe(result);
            redactor.maybe(description);
        }
        ItemKind::SubAgentActivity { agent_path, message, .. } => {
            redactor.string(agent_path);
            redactor.maybe(message);
        }
        ItemKind::WebSearch { query, action, results, text, .. } => {
            redactor.string(query);
            redactor.maybe_json(action);
            redactor.maybe_json(results);
            redactor.maybe(text);
        }
        ItemKind::ImageView { path } => redactor.string(path),
        ItemKind::ImageGeneration { revised_prompt, saved_path, extra, .. } => {
            redactor.maybe(revised_prompt);
            redactor.maybe(saved_path);
            redactor.extra(extra);
        }
        ItemKind::EnteredReviewMode { review } | ItemKind::ExitedReviewMode { review } => {
            redactor.string(review);
        }
        ItemKind::ContextCompaction { summary, .. } => redactor.maybe(summary),
        ItemKind::Sleep { .. } => {}
    }
}

fn input(part: &mut UserInput, redactor: &mut Redactor) {
    match part {
        UserInput::Text { text, text_elements } => {
            redactor.string(text);
            redactor.raw(text_elements);
        }
        UserInput::Image { url, .. } => redactor.maybe(url),
        UserInput::Audio { url } => redactor.string(url),
        UserInput::LocalImage { path, .. } | UserInput::LocalAudio { path } => {
            redactor.string(path);
        }
        UserInput::Skill { name, path } | UserInput::Mention { name, path } => {
            redactor.string(name);
            redactor.string(path);
        }
    }
}
