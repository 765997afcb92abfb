//! What a name means: in full, in other letters, or only its end.

use std::fmt::Write as _;

use recount_formats::Harness;
use recount_formats::catalogue::{
    BlockType, Catalogue, Enumeration, MessageType, RecordType, ToolType,
};

use crate::error::Error;

/// A type of the catalogue.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found<'a> {
    Record(&'a RecordType),
    Block(&'a BlockType),
    Tool(&'a ToolType),
    Message(&'a MessageType),
    Enumeration(&'a Enumeration),
}

impl Found<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Record(record) => &record.name,
            Self::Block(block) => &block.name,
            Self::Tool(tool) => &tool.name,
            Self::Message(message) => &message.name,
            Self::Enumeration(enumeration) => &enumeration.name,
        }
    }
}

/// Finds a record type or a block type, or what stands below them: a tool, a message, an enumeration.
pub(super) fn find<'a>(
    harness: Harness,
    catalogue: &'a Catalogue,
    name: &str,
) -> Result<Found<'a>, Error> {
    let all = || {
        let records = catalogue.records.iter().map(Found::Record);
        records.chain(catalogue.blocks.iter().map(Found::Block))
    };
    if let Some(found) = all().find(|f| f.name() == name) {
        return Ok(found);
    }
    let wanted = plain(name);
    let ways: [&dyn Fn(&str) -> bool; 3] = [
        &|known| known == wanted,
        // `task_started` for `event_msg / task_started`, `TodoItem` for `blob: agent.v1.TodoItem`.
        &|known| {
            known.strip_suffix(wanted.as_str()).is_some_and(|rest| rest.ends_with(['/', '.', ':']))
        },
        // `function_call_output` is not to be found by `output`, but `message` by `response_item/message`.
        &|known| {
            known.starts_with(&format!("{wanted}/")) || known.starts_with(&format!("{wanted}("))
        },
    ];
    for way in ways {
        let fitting: Vec<Found<'_>> = all().filter(|f| way(&plain(f.name()))).collect();
        match fitting.as_slice() {
            [] => {}
            [one] => return Ok(*one),
            // A record and its parts: the record itself is meant when a block has the same name.
            [Found::Record(record), blocks @ ..]
                if blocks.iter().all(|f| matches!(f, Found::Block(_))) =>
            {
                return Ok(Found::Record(record));
            }
            several => {
                let mut text = format!("`{name}` fits {} types of {harness}:", several.len());
                for found in several.iter().take(12) {
                    text.push_str("\n  ");
                    text.push_str(found.name());
                }
                if several.len() > 12 {
                    text.push_str("\n  …");
                }
                return Err(Error::Usage(text));
            }
        }
    }
    let of_message = |r: &&RecordType| r.message.as_deref().is_some_and(|m| plain(m) == wanted);
    if let Some(record) = catalogue.records.iter().find(of_message) {
        return Ok(Found::Record(record));
    }
    if let Some(found) = below(catalogue, &wanted) {
        return Ok(found);
    }
    let mut near: Vec<(f64, String)> = all()
        .map(|f| {
            let known = plain(f.name());
            let last = known.rsplit('/').next().unwrap_or(&known);
            let like =
                strsim::jaro_winkler(&wanted, &known).max(strsim::jaro_winkler(&wanted, last));
            (like, f.name().to_owned())
        })
        .filter(|(like, _)| *like > 0.8)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut text = format!("{harness} has no type `{name}`");
    if !near.is_empty() {
        text.push_str("\n  did you mean:");
    }
    for (_, name) in near.iter().take(5) {
        text.push_str("\n    ");
        text.push_str(name);
    }
    let _ = write!(text, "\n  `recount explain {harness}` lists them all");
    Err(Error::Nothing(text))
}

/// What a binary format has below its records. Tools have several names.
fn below<'a>(catalogue: &'a Catalogue, wanted: &str) -> Option<Found<'a>> {
    let is = |known: &str| plain(known) == wanted;
    let tool = wanted.strip_suffix("_tool_call").unwrap_or(wanted);
    let by_name = catalogue.tools.iter().find(|t| plain(&t.name) == tool);
    let by_model = || catalogue.tools.iter().find(|t| t.model.iter().any(|m| is(m)));
    let message = || catalogue.messages.iter().find(|m| is(&m.name)).map(Found::Message);
    let enumeration = || catalogue.enumerations.iter().find(|e| is(&e.name));
    by_name
        .or_else(by_model)
        .map(Found::Tool)
        .or_else(message)
        .or_else(|| enumeration().map(Found::Enumeration))
}

/// A name without what people leave out: spaces, case, `role=`.
fn plain(name: &str) -> String {
    name.replace("(role=", "/")
        .chars()
        .filter(|c| !c.is_whitespace() && *c != ')')
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codex(name: &str) -> Result<String, String> {
        let found = find(Harness::Codex, Catalogue::of(Harness::Codex), name);
        found.map(|f| f.name().to_owned()).map_err(|e| match e {
            Error::Usage(text) | Error::Nothing(text) => text,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn a_type_is_found_by_less_than_its_name() {
        for (given, meant) in [
            ("event_msg / task_started", "event_msg / task_started"),
            ("event_msg/task_started", "event_msg / task_started"),
            ("Task_Started", "event_msg / task_started"),
            ("plan", "event_msg / item_completed / Plan"),
            ("item_completed/plan", "event_msg / item_completed / Plan"),
            ("response_item/message/user", "response_item / message (role=user)"),
            ("session_meta", "session_meta"),
            ("summary_text", "reasoning.summary / summary_text"),
        ] {
            assert_eq!(codex(given).as_deref(), Ok(meant), "{given}");
        }
    }

    #[test]
    fn tools_and_messages_are_found_below_the_records() {
        let cursor = |name| find(Harness::CursorAgent, Catalogue::of(Harness::CursorAgent), name);
        for name in ["edit", "edit_tool_call", "StrReplace"] {
            let found = cursor(name).map(|f| matches!(f, Found::Tool(t) if t.name == "edit"));
            assert!(matches!(found, Ok(true)), "{name}");
        }
        assert!(
            matches!(cursor("ToolCall"), Ok(Found::Record(r)) if r.name.ends_with("/ tool_call"))
        );
        assert!(matches!(cursor("EditArgs"), Ok(Found::Message(_))));
        assert!(matches!(cursor("TodoStatus"), Ok(Found::Enumeration(_))));
    }

    #[test]
    fn an_ambiguous_name_lists_what_fits() {
        let text = codex("response_item/message").unwrap_err();
        assert!(text.contains("(role=user)") && text.contains("(role=assistant)"), "{text}");
    }

    #[test]
    fn an_unknown_name_suggests_near_ones() {
        let text = codex("task_startet").unwrap_err();
        assert!(text.contains("event_msg / task_started"), "{text}");
    }
}
