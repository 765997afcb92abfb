//! What a call of a tool did, in one line.

use std::borrow::Cow;

use recount_formats::Json;
use recount_session::RawJson;
use recount_session::model::item::{ContentItem, ItemStatus};

use recount_text::text;

/// So much of a text is looked at for one line.
pub const GLANCE: usize = 600;

/// One line of a call.
#[derive(Debug, Default)]
pub struct Call<'a> {
    /// `$`, or one word: what was done. Harmless.
    pub verb: Cow<'a, str>,
    /// To what.
    pub object: Cow<'a, str>,
    /// How it ended.
    pub end: End,
    /// How long it took.
    pub duration_ms: Option<i64>,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum End {
    /// Nothing is known, or nothing worth saying.
    #[default]
    Quiet,
    /// It succeeded.
    Good,
    /// It failed, and how.
    Bad(String),
    /// It was refused.
    Declined,
    /// It has no result.
    Open,
}

impl End {
    /// The end of a call by its status.
    pub fn of(status: ItemStatus) -> Self {
        match status {
            ItemStatus::Completed => Self::Good,
            ItemStatus::Failed => Self::Bad("failed".to_owned()),
            ItemStatus::Declined => Self::Declined,
            ItemStatus::InProgress => Self::Open,
        }
    }

    /// Whether it should stand out.
    pub fn is_bad(&self) -> bool {
        matches!(self, Self::Bad(_))
    }
}

/// The script that a shell was started for: `bash -lc 'cargo test'` is `cargo test`.
pub fn script(command: &str) -> Cow<'_, str> {
    // Only what may be a wrapper is split: commands can hold megabytes of here-documents.
    let Some((program, rest)) = command.split_once(' ') else { return Cow::Borrowed(command) };
    let shell = program.rsplit('/').next().unwrap_or(program);
    if !matches!(shell, "bash" | "sh" | "zsh" | "dash" | "fish") {
        return Cow::Borrowed(command);
    }
    if !rest.starts_with('-') {
        return Cow::Borrowed(command);
    }
    match shell_words::split(command).as_deref() {
        Ok([_, flags, script])
            if flags.ends_with('c') && flags[1..].chars().all(|c| "lice".contains(c)) =>
        {
            Cow::Owned(script.clone())
        }
        _ => Cow::Borrowed(command),
    }
}

/// The members that tell best what a call is about, in the order in which they are looked for.
const TELLING: &[&str] = &[
    "pattern",
    "file_path",
    "path",
    "notebook_path",
    "query",
    "url",
    "command",
    "cmd",
    "skill",
    "description",
    "subject",
    "prompt",
    "title",
    "name",
    "question",
    "input",
    "message",
    "text",
    "plan",
];

/// What the arguments of a call say, short. `shorten` makes paths relative.
pub fn arguments(arguments: &RawJson, shorten: impl Fn(&str) -> String) -> String {
    let value = arguments.get();
    if let Some(string) = value.as_str() {
        return text::line(text::beginning(&string, GLANCE)).into_owned();
    }
    if !value.is_object() {
        return if value.is_null() { String::new() } else { compact(value) };
    }
    for key in TELLING {
        if let Some(found) = value.str(key)
            && !found.trim().is_empty()
        {
            let mut told = text::line(text::beginning(&found, GLANCE)).into_owned();
            if key.ends_with("path") {
                told = shorten(&told);
            }
            if *key == "pattern"
                && let Some(path) = value.str("path")
            {
                told =
                    format!("{told} in {}", shorten(&text::line(text::beginning(&path, GLANCE))));
            }
            return told;
        }
    }
    let members = value.members().count();
    if members == 0 { String::new() } else { compact(value) }
}

fn compact(value: Json<'_>) -> String {
    text::line(text::beginning(value.raw(), GLANCE)).into_owned()
}

/// The text of a tool's result, whatever form it has: a string, parts with text, `{content: […]}`. Images are left out.
pub fn result_text(value: Json<'_>) -> String {
    fn gather(value: Json<'_>, depth: u8, out: &mut Vec<String>) {
        if let Some(string) = value.as_str() {
            out.push(string.into_owned());
            return;
        }
        if value.is_array() && depth < 4 {
            value.elements().for_each(|part| gather(part, depth + 1, out));
            return;
        }
        if let Some(string) = value.str("text") {
            out.push(string.into_owned());
            return;
        }
        if let Some(kind) = value.str("type").filter(|k| k.contains("mage") || k.contains("udio")) {
            // Images are shown as such.
            if kind.contains("udio") {
                out.push(format!("[{kind}]"));
            }
            return;
        }
        let content = value.get("content").filter(|c| c.is_array() || c.as_str().is_some());
        match content {
            Some(content) if depth < 4 => gather(content, depth + 1, out),
            _ if value.is_null() => {}
            _ => out.push(value.raw().to_owned()),
        }
    }
    let mut out = Vec::new();
    gather(value, 0, &mut out);
    out.join("\n")
}

/// The text of a result in parts, without images.
pub fn content_text(parts: &[ContentItem]) -> Cow<'_, str> {
    if let [ContentItem::InputText { text }] = parts {
        return Cow::Borrowed(text);
    }
    let parts: Vec<&str> = parts
        .iter()
        .filter_map(|part| match part {
            ContentItem::InputText { text } => Some(text.as_str()),
            ContentItem::InputImage { .. } => None,
            ContentItem::InputAudio { .. } => Some("[audio]"),
        })
        .collect();
    Cow::Owned(parts.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> RawJson {
        RawJson::parse(text).unwrap()
    }

    #[test]
    fn shells_are_taken_off() {
        assert_eq!(script("bash -lc 'cargo test -p api'"), "cargo test -p api");
        assert_eq!(script("/bin/zsh -c \"ls | wc\""), "ls | wc");
        assert_eq!(script("bash run.sh -c x"), "bash run.sh -c x");
        assert_eq!(script("bash -lc 'a' extra"), "bash -lc 'a' extra");
        assert_eq!(script("git commit -m 'it''s'"), "git commit -m 'it''s'");
        assert_eq!(script("bash -lc 'open"), "bash -lc 'open");
    }

    #[test]
    fn arguments_in_one_line() {
        let of = |text: &str| arguments(&json(text), str::to_uppercase);
        assert_eq!(of(r#"{"limit":3,"file_path":"/a/b.rs"}"#), "/A/B.RS");
        assert_eq!(of(r#"{"pattern":"fn x","path":"src"}"#), "fn x in SRC");
        assert_eq!(of(r#"{"id":7}"#), r#"{"id":7}"#);
        assert_eq!(of("{}"), "");
        assert_eq!(of("null"), "");
        assert_eq!(of(r#""plain""#), "plain");
    }

    #[test]
    fn results_of_every_form() {
        let of = |text: &str| result_text(json(text).get());
        assert_eq!(of(r#""a""#), "a");
        assert_eq!(
            of(r#"{"content":[{"type":"text","text":"a"},{"type":"image","data":"x"}]}"#),
            "a"
        );
        assert_eq!(of(r#"{"rows":2}"#), r#"{"rows":2}"#);
        assert_eq!(of("null"), "");
    }
}
