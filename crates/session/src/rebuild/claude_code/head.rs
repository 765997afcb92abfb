//! What both ends of a transcript tell of its session, for lists of thousands of them.

use recount_formats::Text;
use recount_formats::jsonl::{BadUtf8, Content};

use super::title;
use super::transcript::{NodeKind, SYNTHETIC_MODEL, Transcript};
use crate::rebuild::Facts;

/// What the first and the last lines of a transcript tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The session: of a sub-agent's file the one that it belongs to.
    pub session_id: Option<String>,
    /// The agent, in a sub-agent's file.
    pub agent_id: Option<String>,
    /// Whether all messages are those of a sub-agent.
    pub is_sidechain: bool,
    /// The name, by the rule that [`super::thread`] follows.
    pub title: Option<String>,
    /// The working directory at the start.
    pub cwd: Option<String>,
    /// The time of the first line that has one.
    pub created_at: Option<String>,
    /// The time of the last line that has one.
    pub updated_at: Option<String>,
    /// The model of the last answer.
    pub model: Option<String>,
    /// The session whose lines were copied to the start of this one.
    pub forked_from_id: Option<String>,
    /// The first node of the conversation and its time. Copies in other sessions have the same.
    pub first_node: Option<(String, String)>,
    /// Whether it has any message of a person or the model.
    pub has_messages: bool,
}

/// Reads the first bytes of a transcript and, when these are not all of it, the last ones. Lines that are cut at the
/// ends are left out. `facts` is what stands elsewhere.
pub fn head(first: &[u8], last: Option<&[u8]>, facts: &Facts) -> Head {
    let source = "".into();
    let first = match last {
        // The last line of the first bytes is cut.
        Some(_) => memchr::memrchr(b'\n', first).map_or(&[][..], |end| &first[..=end]),
        None => first,
    };
    let last = last.map(|last| memchr::memchr(b'\n', last).map_or(&[][..], |end| &last[end + 1..]));
    let first = Content::new(first, BadUtf8::Replace);
    let last = last.map(|last| Content::new(last, BadUtf8::Replace));
    let mut start = Transcript::read(&first, &source);
    let end = last.as_ref().map(|last| Transcript::read(last, &source));

    let owned = |text: Text<'_>| text.get().into_owned();
    let text = |key: &str| {
        let mut texts = start.nodes.iter().filter_map(|node| node.text(key));
        texts.find(|text| !text.is_empty()).map(std::borrow::Cow::into_owned)
    };
    let mut head = Head {
        session_id: text("sessionId")
            .or_else(|| start.metadata.session_id.as_deref().map(Into::into)),
        agent_id: text("agentId"),
        is_sidechain: !start.nodes.is_empty() && start.nodes.iter().all(|node| node.is_sidechain),
        cwd: text("cwd"),
        created_at: start.metadata.first_timestamp.map(owned),
        forked_from_id: start
            .nodes
            .iter()
            .find_map(|node| node.fields.get("forkedFrom")?.str("sessionId"))
            .map(std::borrow::Cow::into_owned),
        first_node: start
            .nodes
            .first()
            .and_then(|node| Some((node.uuid.to_string(), owned(node.timestamp?)))),
        has_messages: start.nodes.iter().any(super::transcript::Node::is_message),
        ..Head::default()
    };
    let newest = end.as_ref().unwrap_or(&start);
    head.updated_at = newest.metadata.last_timestamp.or(start.metadata.last_timestamp).map(owned);
    head.model = [Some(newest), Some(&start)]
        .into_iter()
        .flatten()
        .flat_map(|part| part.nodes.iter().rev())
        .filter(|node| node.kind == NodeKind::Assistant)
        .filter_map(|node| node.message.model)
        .find(|model| !model.is(SYNTHETIC_MODEL))
        .map(owned);
    if let Some(end) = end {
        head.has_messages |= end.nodes.iter().any(super::transcript::Node::is_message);
        let (start, end) = (&mut start.metadata, end.metadata);
        start.custom_title = end.custom_title.or(start.custom_title.take());
        start.agent_name = end.agent_name.or(start.agent_name.take());
        start.ai_title = end.ai_title.or(start.ai_title.take());
    }
    head.title = title::title(&start, facts);
    head
}
