//! The text of records. Members that are carried over keep the spelling that they had.

use jiff::Timestamp;
use recount_formats::Json;

/// A JSON object while it is written, member by member in the order of the calls.
#[derive(Debug, Default)]
pub struct Object(String);

impl Object {
    /// An object without members.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a member whose value is JSON text already.
    #[must_use]
    pub fn raw(mut self, key: &str, value: &str) -> Self {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        push_string(&mut self.0, key);
        self.0.push(':');
        self.0.push_str(value);
        self
    }

    /// Adds a string.
    #[must_use]
    pub fn text(self, key: &str, value: &str) -> Self {
        let mut quoted = String::with_capacity(value.len() + 2);
        push_string(&mut quoted, value);
        self.raw(key, &quoted)
    }

    /// Adds a number.
    #[must_use]
    pub fn number(self, key: &str, value: impl Into<i128>) -> Self {
        self.raw(key, &value.into().to_string())
    }

    /// Adds the members of another object but those that `leave_out` names.
    #[must_use]
    pub fn members_of(mut self, other: Json<'_>, leave_out: &[&str]) -> Self {
        for (key, value) in other.members() {
            let key = key.get();
            if !leave_out.contains(&&*key) {
                self = self.raw(&key, value.raw());
            }
        }
        self
    }

    /// The text.
    pub fn end(mut self) -> String {
        if self.0.is_empty() {
            self.0.push('{');
        }
        self.0.push('}');
        self.0
    }
}

/// Writes a JSON string.
fn push_string(out: &mut String, text: &str) {
    // A string can always be written.
    out.push_str(&serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned()));
}

/// The time as Codex writes it in front of records.
pub fn timestamp(time: Timestamp) -> String {
    format!("{time:.3}")
}

/// A record of a rollout with its line ending. `ordinal` only in paginated ones.
pub fn record(time: Timestamp, ordinal: Option<u64>, kind: &str, payload: &str) -> String {
    let mut object = Object::new().text("timestamp", &timestamp(time));
    if let Some(ordinal) = ordinal {
        object = object.number("ordinal", ordinal);
    }
    let mut line = object.text("type", kind).raw("payload", payload).end();
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_spelling() {
        let old = recount_formats::json::parse(
            r#"{"id":"a","big":123456789012345678901234567890,"s":"\u00e9"}"#,
        );
        let old = old.unwrap_or(Json::NULL);
        let new = Object::new().text("id", "b\n").members_of(old, &["id"]).number("n", 7u8).end();
        assert_eq!(new, r#"{"id":"b\n","big":123456789012345678901234567890,"s":"\u00e9","n":7}"#);
        assert_eq!(Object::new().end(), "{}");
    }

    #[test]
    fn a_record_is_one_line() {
        let time = Timestamp::from_millisecond(1_767_323_045_678).unwrap_or_default();
        assert_eq!(
            record(time, Some(3), "event_msg", r#"{"type":"x"}"#),
            "{\"timestamp\":\"2026-01-02T03:04:05.678Z\",\"ordinal\":3,\"type\":\"event_msg\",\"payload\":{\"type\":\"x\"}}\n"
        );
        assert!(!record(time, None, "t", "{}").contains("ordinal"));
    }
}
