//! Threads as JSON: the model as it is, one value or one item a line.

use std::io::{self, Write};

use recount_formats::Finding;
use recount_session::model::{Branch, Item, ItemKind, Subagent, Thread, Turn, Usage};
use serde::Serialize;
use serde::ser::{SerializeSeq, Serializer};

use crate::family::{Family, Nest, Whole};
use crate::options::{Options, Tools};

/// The number of this shape. It grows when a program that reads the old one could not read the new one.
pub const VERSION: u32 = 1;

/// The JSON export of a thread.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Export"))]
#[serde(rename_all = "camelCase")]
pub struct Document<'a> {
    /// The number of this shape.
    version: u32,
    /// The program that wrote it.
    generator: &'a str,
    /// The thread.
    #[serde(flatten)]
    body: Body<'a>,
}

/// A thread, its turns, and what belongs to it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    /// What is known of the thread.
    thread: &'a Thread,
    /// The turns of the active branch.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Turn>"))]
    turns: Turns<'a>,
    /// All branches; of those that are not active, what they have beyond the active one.
    branches: Vec<BranchDocument<'a>>,
    /// Tokens of the thread, each response once.
    usage: &'a Usage,
    /// What was wrong or unknown in the input.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<FindingDocument>"))]
    findings: &'a [Finding],
    /// The threads of sub-agents.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<SubagentDocument>"))]
    subagents: Subagents<'a>,
}

/// A branch.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "BranchExport"))]
#[serde(rename_all = "camelCase")]
struct BranchDocument<'a> {
    #[serde(flatten)]
    branch: &'a Branch,
    /// How many turns at its beginning are the active branch's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    shared_turns: Option<usize>,
    /// Its turns after those.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<Turn>>"))]
    turns: Option<Turns<'a>>,
}

/// A sub-agent with its thread, where that is there.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SubagentExport"))]
#[serde(rename_all = "camelCase")]
struct SubagentDocument<'a> {
    #[serde(flatten)]
    agent: &'a Subagent,
    /// What was read of it; nothing when it is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    export: Option<Body<'a>>,
}

/// A finding, as `recount check --json` prints it.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(rename_all = "camelCase", rename = "Finding")]
#[expect(dead_code, reason = "it describes what `recount_formats::Finding` writes")]
struct FindingDocument {
    /// What kind it is.
    code: String,
    /// `info`, `warning`, `error`.
    severity: String,
    /// The file or database.
    source: String,
    /// Line number from 1, or 0 when it concerns the whole source.
    line: u64,
    /// Byte offset in the uncompressed source.
    byte: u64,
    /// JSON pointer inside the record.
    pointer: String,
    /// What is wrong.
    message: String,
}

/// Turns with the items that are wanted.
struct Turns<'a>(&'a [Turn], &'a Options);

impl Serialize for Turns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(turns, options) = self;
        if options.tools == Tools::Full && options.reasoning {
            return turns.serialize(serializer);
        }
        let mut seq = serializer.serialize_seq(Some(turns.len()))?;
        for turn in *turns {
            let items = turn.items.iter().filter_map(|item| wanted(item, options)).collect();
            seq.serialize_element(&Turn { items, ..shallow(turn) })?;
        }
        seq.end()
    }
}

/// A turn without its items.
fn shallow(turn: &Turn) -> Turn {
    Turn {
        id: turn.id.clone(),
        status: turn.status,
        error: turn.error.clone(),
        started_at: turn.started_at,
        completed_at: turn.completed_at,
        duration_ms: turn.duration_ms,
        root_turn_id: turn.root_turn_id.clone(),
        items_view: turn.items_view,
        items: Vec::new(),
    }
}

/// Sub-agents, each read when its turn has come.
struct Subagents<'a> {
    thread: &'a Thread,
    family: &'a dyn Family,
    options: &'a Options,
    above: &'a [String],
}

impl Serialize for Subagents<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        let mut nest = Nest::of(self.thread, self.family, self.above, self.options.subagents);
        for agent in nest.rest() {
            let nested = nest.open(agent);
            let above = nest.above();
            let export = nested.whole.as_ref().map(|w| body(w, self.family, self.options, above));
            seq.serialize_element(&SubagentDocument { agent: nested.agent, export })?;
        }
        seq.end()
    }
}

fn body<'a>(
    whole: &'a Whole,
    family: &'a dyn Family,
    options: &'a Options,
    above: &'a [String],
) -> Body<'a> {
    let thread = &whole.thread;
    let aside = |leaf: &str| whole.asides.iter().find(|a| options.branches && a.leaf == leaf);
    Body {
        thread,
        turns: Turns(&thread.turns, options),
        branches: thread
            .branches
            .iter()
            .map(|branch| {
                let aside = aside(&branch.leaf);
                BranchDocument {
                    branch,
                    shared_turns: aside.map(|a| a.shared_turns),
                    turns: aside.map(|a| Turns(&a.turns, options)),
                }
            })
            .collect(),
        usage: &thread.usage,
        findings: &thread.findings,
        subagents: Subagents { thread, family, options, above },
    }
}

/// An item as it is wanted; nothing when it is not.
fn wanted(item: &Item, options: &Options) -> Option<Item> {
    if !options.reasoning && matches!(item.kind, ItemKind::Reasoning { .. }) {
        return None;
    }
    match options.tools {
        Tools::None if is_call(&item.kind) => None,
        Tools::Summary if is_call(&item.kind) => Some(without_output(item)),
        _ => Some(item.clone()),
    }
}

/// Whether an item is a call of a tool, or what one gave.
pub(crate) fn is_call(kind: &ItemKind) -> bool {
    match kind {
        ItemKind::CommandExecution { .. }
        | ItemKind::FileChange { .. }
        | ItemKind::McpToolCall { .. }
        | ItemKind::DynamicToolCall { .. }
        | ItemKind::FunctionCallOutput { .. }
        | ItemKind::CollabAgentToolCall { .. }
        | ItemKind::SubAgentActivity { .. }
        | ItemKind::WebSearch { .. }
        | ItemKind::ImageView { .. }
        | ItemKind::ImageGeneration { .. }
        | ItemKind::Sleep { .. } => true,
        ItemKind::UserMessage { .. }
        | ItemKind::HookPrompt { .. }
        | ItemKind::AgentMessage { .. }
        | ItemKind::Plan { .. }
        | ItemKind::Reasoning { .. }
        | ItemKind::EnteredReviewMode { .. }
        | ItemKind::ExitedReviewMode { .. }
        | ItemKind::ContextCompaction { .. }
        | ItemKind::Notice { .. } => false,
    }
}

/// A call without what came back.
fn without_output(item: &Item) -> Item {
    let mut item = item.clone();
    match &mut item.kind {
        ItemKind::CommandExecution { aggregated_output, .. } => *aggregated_output = None,
        ItemKind::FileChange { changes, .. } => changes.iter_mut().for_each(|c| c.diff.clear()),
        ItemKind::McpToolCall { result, .. } => *result = None,
        ItemKind::DynamicToolCall { content_items, .. } => *content_items = None,
        ItemKind::FunctionCallOutput { output, .. } => *output = recount_session::RawJson::null(),
        ItemKind::CollabAgentToolCall { result, .. } | ItemKind::ImageGeneration { result, .. } => {
            *result = None;
        }
        ItemKind::WebSearch { results, text, .. } => {
            *results = None;
            *text = None;
        }
        _ => {}
    }
    item
}

/// Writes a thread as one JSON value.
pub fn write(
    whole: &Whole,
    family: &dyn Family,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let document = Document {
        version: VERSION,
        generator: &options.generator,
        body: body(whole, family, options, &[]),
    };
    let mut out = out;
    serde_json::to_writer(&mut out, &document)?;
    out.write_all(b"\n")
}

/// One line of the export of items.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    /// The thread that it belongs to.
    thread_id: &'a str,
    /// The branch, where it is not the active one.
    #[serde(skip_serializing_if = "Option::is_none")]
    branch: Option<&'a str>,
    /// The turn that it belongs to.
    turn_id: &'a str,
    #[serde(flatten)]
    item: &'a Item,
}

/// Writes the items of a thread, of its branches and of its sub-agents, one JSON value a line.
pub fn write_items(
    whole: &Whole,
    family: &dyn Family,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    items(whole, family, options, &[], out)
}

fn items(
    whole: &Whole,
    family: &dyn Family,
    options: &Options,
    above: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let thread = &whole.thread;
    let all = options.tools == Tools::Full && options.reasoning;
    let mut write = |branch: Option<&str>, turns: &[Turn]| -> io::Result<()> {
        for turn in turns {
            for item in &turn.items {
                let shown;
                let item = if all {
                    item
                } else {
                    match wanted(item, options) {
                        Some(item) => {
                            shown = item;
                            &shown
                        }
                        None => continue,
                    }
                };
                let line = Line { thread_id: &thread.id, branch, turn_id: &turn.id, item };
                serde_json::to_writer(&mut *out, &line)?;
                out.write_all(b"\n")?;
            }
        }
        Ok(())
    };
    write(None, &thread.turns)?;
    for aside in whole.asides.iter().filter(|_| options.branches) {
        write(Some(&aside.leaf), &aside.turns)?;
    }
    let mut nest = Nest::of(thread, family, above, options.subagents);
    for agent in nest.rest() {
        if let Some(whole) = nest.open(agent).whole {
            items(&whole, family, options, nest.above(), out)?;
        }
    }
    Ok(())
}

/// The JSON Schema of what [`write()`] writes, as text.
#[cfg(feature = "schema")]
pub fn schema() -> String {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<Document<'static>>();
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
