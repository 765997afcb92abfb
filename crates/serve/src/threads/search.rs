//! `thread/searchOccurrences`: a text in what was said in a thread.

use recount_session::model::item::UserInput;
use recount_session::model::{Item, ItemKind, Thread};
use serde::{Deserialize, Serialize};

use super::{pages, size};
use crate::protocol::item::visible;
use crate::protocol::params::SearchOccurrences;
use crate::rpc::Error;

/// How many occurrences a page has when it is not said, and at most.
const PAGE: (usize, usize) = (50, 200);
/// How many characters a snippet has before and behind the occurrence.
const AROUND: usize = 60;

/// `ThreadSearchOccurrencesResponse`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    data: Vec<Occurrence>,
    next_cursor: Option<String>,
}

/// `ThreadSearchOccurrence`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Occurrence {
    turn_id: String,
    item_id: String,
    turn_cursor: String,
    snippet: String,
    snippet_match_range: Range,
}

/// In UTF-16 code units.
#[derive(Debug, Serialize)]
struct Range {
    start: usize,
    end: usize,
}

/// The occurrence behind which a page begins.
#[derive(Debug, Serialize, Deserialize)]
struct Cursor {
    turn: String,
    item: String,
    /// Byte offset in the item's text.
    at: usize,
    /// The text it belongs to.
    term: String,
}

/// Searches a thread.
pub fn occurrences(thread: &Thread, params: &SearchOccurrences) -> Result<Found, Error> {
    let term = fold(&params.search_term).0;
    if term.is_empty() {
        return Err(Error::params("`searchTerm` is empty"));
    }
    let cursor: Option<Cursor> = match params.cursor.as_deref() {
        None => None,
        Some(text) => Some(
            serde_json::from_str(text)
                .ok()
                .filter(|cursor: &Cursor| cursor.term == params.search_term)
                .ok_or_else(|| Error::params("`cursor` is none of a search for this text"))?,
        ),
    };
    let limit = size(params.limit, PAGE.0, PAGE.1);
    let mut data = Vec::new();
    // Nothing counts before the place of the cursor.
    let mut reached = cursor.is_none();
    for (n, turn) in thread.turns.iter().enumerate() {
        for item in visible(&turn.items) {
            let from = match &cursor {
                Some(cursor) if !reached => {
                    if cursor.turn != turn.id || cursor.item != item.id {
                        continue;
                    }
                    reached = true;
                    Some(cursor.at)
                }
                _ => None,
            };
            let Some(text) = text_of(item) else { continue };
            for (start, end) in matches(&text, &term) {
                if from.is_some_and(|from| start <= from) {
                    continue;
                }
                if data.len() == limit {
                    return Ok(Found {
                        next_cursor: next(&data, &params.search_term),
                        data: strip(data),
                    });
                }
                let (snippet, snippet_match_range) = snippet(&text, start, end);
                data.push((
                    start,
                    Occurrence {
                        turn_id: turn.id.clone(),
                        item_id: item.id.clone(),
                        turn_cursor: pages::turn_cursor(thread, n).unwrap_or_default(),
                        snippet,
                        snippet_match_range,
                    },
                ));
            }
        }
    }
    if !reached {
        return Err(Error::invalid_request(
            "the place of `cursor` is gone: the thread has changed",
        ));
    }
    Ok(Found { data: strip(data), next_cursor: None })
}

fn strip(data: Vec<(usize, Occurrence)>) -> Vec<Occurrence> {
    data.into_iter().map(|(_, occurrence)| occurrence).collect()
}

fn next(data: &[(usize, Occurrence)], term: &str) -> Option<String> {
    let (at, last) = data.last()?;
    let cursor = Cursor {
        turn: last.turn_id.clone(),
        item: last.item_id.clone(),
        at: *at,
        term: term.to_owned(),
    };
    serde_json::to_string(&cursor).ok()
}

/// What a person or the model said in an item.
fn text_of(item: &Item) -> Option<String> {
    match &item.kind {
        ItemKind::UserMessage { content, .. } => {
            let texts = content.iter().filter_map(|part| match part {
                UserInput::Text { text, .. } => Some(text.as_str()),
                _ => None,
            });
            Some(texts.collect::<Vec<_>>().join("\n"))
        }
        ItemKind::AgentMessage { text, .. } => Some(text.clone()),
        _ => None,
    }
}

/// Lower case, and for each byte of it the character of the text that it comes from: letters grow and shrink.
fn fold(text: &str) -> (String, Vec<usize>) {
    let mut folded = String::with_capacity(text.len());
    let mut from = Vec::with_capacity(text.len() + 1);
    for (at, c) in text.char_indices() {
        for lower in c.to_lowercase() {
            folded.push(lower);
            from.resize(folded.len(), at);
        }
    }
    from.push(text.len());
    (folded, from)
}

/// The places of a folded term in a text, as byte ranges that begin and end with whole characters.
fn matches(text: &str, term: &str) -> Vec<(usize, usize)> {
    let (folded, from) = fold(text);
    folded
        .match_indices(term)
        .filter_map(|(at, found)| {
            let start = *from.get(at)?;
            // The character that the last byte comes from belongs to it whole.
            let last = *from.get(at + found.len() - 1)?;
            let end = last + text.get(last..)?.chars().next()?.len_utf8();
            Some((start, end))
        })
        .collect()
}

/// A match with some characters before and behind it.
pub(crate) fn around(text: &str, start: usize, end: usize) -> std::ops::Range<usize> {
    let before = text[..start].char_indices().rev().take(AROUND).last().map_or(start, |(n, _)| n);
    let behind = text[end..].char_indices().nth(AROUND).map_or(text.len(), |(n, _)| end + n);
    before..behind
}

/// A part of a text on one line.
pub(crate) fn line(part: &str) -> String {
    part.replace(['\n', '\r', '\t'], " ")
}

/// What stands around a match, on one line, and where the match is in it.
fn snippet(text: &str, start: usize, end: usize) -> (String, Range) {
    let std::ops::Range { start: before, end: behind } = around(text, start, end);
    let units = |part: &str| part.encode_utf16().count();
    let (head, found) = (line(&text[before..start]), line(&text[start..end]));
    let head = if before > 0 { format!("…{head}") } else { head };
    let mut tail = line(&text[end..behind]);
    if behind < text.len() {
        tail.push('…');
    }
    let from = units(&head);
    let range = Range { start: from, end: from + units(&found) };
    (format!("{head}{found}{tail}"), range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_whole_characters_whatever_their_case() {
        let found = |text, term: &str| matches(text, &fold(term).0);
        assert_eq!(found("Straße STRASSE straße", "STRASSE"), [(8, 15)]);
        assert_eq!(found("aÄbä", "ä"), [(1, 3), (4, 6)]);
        // This letter becomes two in lower case; the match takes it whole.
        assert_eq!(found("xİy", "i"), [(1, 3)]);
        assert!(found("abc", "d").is_empty());
    }

    #[test]
    fn ranges_count_utf_16() {
        let text = "😀 one two";
        let at = text.find("one").unwrap();
        let (snippet, range) = snippet(text, at, at + 3);
        assert_eq!((snippet.as_str(), range.start, range.end), ("😀 one two", 3, 6));
        let long = format!("{}needle{}", "é".repeat(100), "z".repeat(100));
        let at = long.find("needle").unwrap();
        let (snippet, range) = super::snippet(&long, at, at + 6);
        let units: Vec<u16> = snippet.encode_utf16().collect();
        assert_eq!(String::from_utf16(&units[range.start..range.end]).unwrap(), "needle");
        assert!(snippet.starts_with('…') && snippet.ends_with('…'));
    }
}
