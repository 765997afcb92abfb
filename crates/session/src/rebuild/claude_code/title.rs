//! The name of a session.

use std::borrow::Cow;

use super::prompt::{self, UserLine};
use super::transcript::{NodeKind, Transcript};
use crate::rebuild::Facts;

/// How many characters of the first prompt stand for a name.
const LENGTH: usize = 200;

/// The name: given by the person, of the named agent, made by the program, else the first prompt.
pub(super) fn title(transcript: &Transcript<'_>, facts: &Facts) -> Option<String> {
    let metadata = &transcript.metadata;
    let given = [&metadata.custom_title, &metadata.agent_name];
    let given = given.into_iter().flatten().find(|title| !title.trim().is_empty());
    let made = metadata.ai_title.as_ref().filter(|title| !title.trim().is_empty());
    given
        .map(|title| title.trim().to_owned())
        .or_else(|| facts.title.clone())
        .or_else(|| made.map(|title| title.trim().to_owned()))
        .or_else(|| summary(transcript))
        .or_else(|| facts.summary.clone())
        .or_else(|| first_prompt(transcript))
}

/// The last summary of old builds that describes a line of this file: they were also written into other sessions' files.
fn summary(transcript: &Transcript<'_>) -> Option<String> {
    let summaries = transcript.metadata.summaries.iter().rev();
    let mut own = summaries.filter(|(leaf, _)| transcript.by_uuid.contains_key(leaf));
    own.next().map(|(_, text)| text.clone().into_owned())
}

fn first_prompt(transcript: &Transcript<'_>) -> Option<String> {
    let lines = transcript.nodes.iter().filter(|node| node.kind == NodeKind::User);
    let mut command = None;
    for node in lines {
        match prompt::classify(node) {
            UserLine::Prompt(content) => {
                let text = prompt::text_of(&content);
                if !text.trim().is_empty() {
                    return Some(shorten(&text));
                }
            }
            UserLine::Shell(text) => return Some(shorten(&format!("! {text}"))),
            UserLine::Command(text) => {
                command.get_or_insert(text);
            }
            _ => {}
        }
    }
    command.map(|text| shorten(&text))
}

/// One line of at most [`LENGTH`] characters.
fn shorten(text: &str) -> String {
    let line: Cow<'_, str> = Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" "));
    match line.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.into_owned(),
    }
}
