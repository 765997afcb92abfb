//! Threads as they are exported.
//!
//! - [`hostile`]: text that attacks the reader does nothing
//! - [`schema`]: the JSON export is what its schema says
//! - [`parts`]: what is written and what is left out
//! - [`redact`]: planted secrets are found, and nothing else is hidden

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hostile;
mod parts;
mod redact;
mod schema;

use std::sync::Arc;

use recount_export::{Family, Format, Options, Whole};
use recount_formats::{Harness, Position};
use recount_session::RawJson;
use recount_session::model::item::{
    ContentItem, Extra, FileUpdate, HookFragment, ItemStatus, NoticeLevel, PatchKind, UserInput,
};
use recount_session::model::{
    Aside, At, Branch, Item, ItemKind, Subagent, Thread, Turn, TurnError, TurnStatus,
};

/// One item of each kind, all of whose text is `text`.
fn items(text: &str) -> Vec<Item> {
    let own = || text.to_owned();
    let json = || RawJson::of(&serde_json::json!({ "path": text, "other": text, text: [text] }));
    let content = || {
        RawJson::of(&serde_json::json!({ "content": [
            { "type": "text", "text": text },
            { "type": "image", "mimeType": text, "data": text },
            { "type": "image", "source": { "media_type": "image/png", "data": text } },
        ] }))
    };
    let kinds = vec![
        ItemKind::UserMessage {
            content: vec![
                UserInput::text(text),
                UserInput::Image { url: Some(own()), file_id: Some(own()), detail: None },
                UserInput::Image {
                    url: Some(format!("data:image/png;base64,{text}")),
                    file_id: None,
                    detail: None,
                },
                UserInput::LocalImage { path: own(), detail: None },
                UserInput::Audio { url: own() },
                UserInput::LocalAudio { path: own() },
                UserInput::Skill { name: own(), path: own() },
                UserInput::Mention { name: own(), path: own() },
            ],
            client_id: None,
        },
        ItemKind::HookPrompt { fragments: vec![HookFragment { text: own(), hook_run_id: own() }] },
        ItemKind::Reasoning { summary: vec![own()], content: vec![own()] },
        ItemKind::AgentMessage {
            text: own(),
            phase: None,
            memory_citation: None,
            delivery: None,
            questions: None,
        },
        ItemKind::FunctionCallOutput { name: own(), namespace: None, output: content() },
        ItemKind::Plan { text: own() },
        ItemKind::CommandExecution {
            command: own(),
            cwd: Some(own()),
            status: ItemStatus::Failed,
            source: "agent".to_owned(),
            command_actions: RawJson::null(),
            aggregated_output: Some(own()),
            exit_code: Some(1),
            duration_ms: Some(1200),
            process_id: None,
            plugin_id: None,
            script_path: None,
        },
        ItemKind::FileChange {
            changes: vec![
                FileUpdate { path: own(), kind: PatchKind::Add, diff: own() },
                FileUpdate { path: own(), kind: PatchKind::Delete, diff: own() },
                FileUpdate {
                    path: own(),
                    kind: PatchKind::Update { move_path: Some(own()) },
                    diff: format!("@@ -1 +1 @@ {text}\n-{text}\n+{text}\n"),
                },
            ],
            status: ItemStatus::Completed,
        },
        ItemKind::McpToolCall {
            server: own(),
            tool: own(),
            status: ItemStatus::Completed,
            arguments: json(),
            result: Some(content()),
            error: None,
            duration_ms: None,
            extra: Extra::default(),
        },
        ItemKind::McpToolCall {
            server: own(),
            tool: own(),
            status: ItemStatus::Failed,
            arguments: RawJson::string(text),
            result: None,
            error: Some(RawJson::of(&serde_json::json!({ "message": text }))),
            duration_ms: None,
            extra: Extra::default(),
        },
        ItemKind::DynamicToolCall {
            tool: own(),
            namespace: Some(own()),
            arguments: json(),
            status: ItemStatus::Declined,
            content_items: Some(vec![
                ContentItem::InputText { text: own() },
                ContentItem::InputImage { image_url: own() },
                ContentItem::InputAudio { audio_url: own() },
            ]),
            success: None,
            duration_ms: None,
        },
        ItemKind::CollabAgentToolCall {
            tool: "spawnAgent".to_owned(),
            status: ItemStatus::Completed,
            sender_thread_id: own(),
            receiver_thread_ids: vec!["agent".to_owned()],
            prompt: Some(own()),
            model: Some(own()),
            reasoning_effort: None,
            agents_states: RawJson::null(),
            result: Some(own()),
            description: Some(own()),
        },
        ItemKind::SubAgentActivity {
            kind: "started".to_owned(),
            agent_thread_id: own(),
            agent_path: own(),
            model: None,
            reasoning_effort: None,
            message: Some(own()),
        },
        ItemKind::WebSearch {
            query: own(),
            action: Some(RawJson::of(&serde_json::json!({ "type": "openPage", "url": text }))),
            results: Some(content()),
            status: Some(ItemStatus::Completed),
            text: Some(own()),
        },
        ItemKind::ImageView { path: own() },
        ItemKind::Sleep { duration_ms: 1500 },
        ItemKind::ImageGeneration {
            status: own(),
            revised_prompt: Some(own()),
            result: Some(own()),
            saved_path: Some(own()),
            extra: Extra::default(),
        },
        ItemKind::EnteredReviewMode { review: own() },
        ItemKind::ExitedReviewMode { review: own() },
        ItemKind::ContextCompaction { summary: Some(own()), trigger: Some(own()) },
        ItemKind::Notice { level: NoticeLevel::Warning, text: own() },
    ];
    let source: Arc<str> = text.into();
    kinds
        .into_iter()
        .enumerate()
        .map(|(n, kind)| {
            let mut item = Item::new(
                format!("{text}{n}"),
                kind,
                At::line(&source, Position { line: n as u64 + 1, byte: 0, len: 0 }),
            );
            item.recovered = n % 3 == 0;
            item
        })
        .collect()
}

fn turn(id: &str, items: Vec<Item>) -> Turn {
    Turn {
        status: TurnStatus::Failed,
        error: Some(TurnError {
            message: id.to_owned(),
            codex_error_info: None,
            additional_details: Some(id.to_owned()),
        }),
        started_at: Some(1_790_000_000),
        duration_ms: Some(61_000),
        items,
        ..Turn::new(id)
    }
}

/// A thread with two turns, a branch that leaves after the first one, and a sub-agent, all of whose text is `text`.
fn whole(text: &str) -> Whole {
    let own = || Some(text.to_owned());
    let mut thread = Thread::new(Harness::Codex, text);
    thread.title = own();
    thread.cwd = own();
    thread.git_branch = own();
    thread.model = own();
    thread.created_at = Some("2026-09-21T12:00:00Z".to_owned());
    thread.updated_at = own();
    thread.lineage.parent_id = own();
    thread.lineage.forked_from_id = own();
    thread.lineage.continued_in = own();
    thread.lineage.subagents =
        vec![Subagent { id: "agent".to_owned(), tool_call_id: None, name: own() }];
    thread.turns = vec![turn(text, items(text)), turn(text, items(text))];
    thread.branches = vec![
        Branch { leaf: "active".to_owned(), active: true, abandoned_prompts: Vec::new() },
        Branch { leaf: text.to_owned(), active: false, abandoned_prompts: vec![text.to_owned()] },
    ];
    let source: Arc<str> = text.into();
    thread.findings = vec![recount_formats::Finding::new(
        recount_formats::Code::InvalidJson,
        &source,
        Position { line: 3, byte: 0, len: 0 },
        text,
    )];
    // Its first item is the active branch's own.
    let mut own = items(text);
    for item in own.iter_mut().skip(1) {
        item.id.push_str("-b");
    }
    let aside = Aside { leaf: text.to_owned(), shared_turns: 1, turns: vec![turn(text, own)] };
    Whole { thread, asides: vec![aside] }
}

/// One sub-agent, of which the thread is its own sub-agent.
struct Agents(String);

impl Family for Agents {
    fn thread(&self, id: &str) -> Option<Whole> {
        let mut agent = whole(&self.0);
        id.clone_into(&mut agent.thread.id);
        (id == "agent").then_some(agent)
    }
}

fn export(format: Format, text: &str, options: &Options) -> String {
    let mut out = Vec::new();
    recount_export::write(format, &whole(text), &Agents(text.to_owned()), options, &mut out)
        .unwrap();
    String::from_utf8(out).unwrap()
}
