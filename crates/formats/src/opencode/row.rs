//! Rows as lines of JSON, so that everything that reads lines reads a database too.
//!
//! A row becomes one object: `table` and `row` (its key) first, then each column under its name. Columns that
//! hold JSON are put in as they stand; a text in such a column that is no JSON becomes a string, and whoever
//! reads the line finds a string where an object belongs.

use std::fmt::Write as _;
use std::io::Write as _;

use crate::json::{self, Json};

/// The value of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// Nothing.
    Null,
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// Text.
    Text(&'a str),
    /// Bytes.
    Blob(&'a [u8]),
}

/// The tables whose rows belong to sessions, the columns of their keys, and the columns that hold JSON.
pub const TABLES: &[Table] = &[
    Table { name: "session_v2", key: &["id"], json: SESSION_JSON },
    Table { name: "session", key: &["id"], json: SESSION_JSON },
    Table { name: "session_message", key: &["id"], json: &["data"] },
    Table { name: "message", key: &["id"], json: &["data"] },
    Table { name: "part", key: &["id"], json: &["data"] },
    Table { name: "session_inbox", key: &["id"], json: &["payload"] },
    Table {
        name: "instruction_state",
        key: &["session_id"],
        json: &["initial_values", "current_values"],
    },
    Table { name: "instruction_entry", key: &["session_id", "key"], json: &["value"] },
    Table { name: "instruction_blob", key: &["hash"], json: &["value"] },
    Table { name: "todo", key: &["session_id", "position"], json: &[] },
    Table { name: "event", key: &["id"], json: &["data"] },
    Table { name: "event_sequence", key: &["aggregate_id"], json: &[] },
    Table { name: "kv", key: &["key"], json: &[] },
];

const SESSION_JSON: &[&str] =
    &["fork_boundary", "summary_diffs", "metadata", "revert", "permission", "model"];

/// What is known of a table.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// The columns that name a row.
    pub key: &'static [&'static str],
    /// The columns that hold JSON.
    pub json: &'static [&'static str],
}

impl Table {
    /// Finds a table by its name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TABLES.iter().find(|t| t.name == name)
    }

    /// Writes a row as a line, its line feed included.
    pub fn write_line(&self, columns: &[(&str, Value<'_>)], out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"table\":");
        write_string(self.name, out);
        out.extend_from_slice(b",\"row\":");
        write_string(&self.key_of(columns), out);
        for &(name, value) in columns {
            out.push(b',');
            write_string(name, out);
            out.push(b':');
            self.write_value(name, value, out);
        }
        out.extend_from_slice(b"}\n");
    }

    /// The key of a row: the values of its key columns, joined by `/`.
    pub fn key_of(&self, columns: &[(&str, Value<'_>)]) -> String {
        let mut key = String::new();
        for name in self.key {
            if !key.is_empty() {
                key.push('/');
            }
            match columns.iter().find(|(n, _)| n == name).map(|(_, v)| *v) {
                Some(Value::Text(text)) => key.push_str(text),
                Some(Value::Integer(n)) => {
                    let _ = write!(key, "{n}");
                }
                _ => key.push('?'),
            }
        }
        key
    }

    fn write_value(&self, name: &str, value: Value<'_>, out: &mut Vec<u8>) {
        match value {
            Value::Null => out.extend_from_slice(b"null"),
            Value::Integer(n) => {
                let _ = write!(out, "{n}");
            }
            Value::Real(n) if n.is_finite() => {
                let _ = write!(out, "{n}");
            }
            Value::Real(n) => write_string(&n.to_string(), out),
            Value::Text(text) if self.json.contains(&name) && json::parse(text).is_ok() => {
                // A line break can only stand between tokens here, where a space does as well.
                out.extend(text.bytes().map(|b| if b == b'\n' || b == b'\r' { b' ' } else { b }));
            }
            Value::Text(text) => write_string(text, out),
            Value::Blob(bytes) => {
                out.extend_from_slice(b"\"x'");
                for byte in bytes {
                    let _ = write!(out, "{byte:02x}");
                }
                out.extend_from_slice(b"'\"");
            }
        }
    }
}

/// Writes text as a JSON string.
fn write_string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let bytes = text.as_bytes();
    let mut start = 0;
    for (i, &b) in bytes.iter().enumerate() {
        let escape: &[u8] = match b {
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            0..=0x1f => b"",
            _ => continue,
        };
        out.extend_from_slice(&bytes[start..i]);
        if escape.is_empty() {
            let _ = write!(out, "\\u{b:04x}");
        } else {
            out.extend_from_slice(escape);
        }
        start = i + 1;
    }
    out.extend_from_slice(&bytes[start..]);
    out.push(b'"');
}

/// The table and key of a row line, for naming its place.
pub fn place(line: Json<'_>) -> String {
    let part = |key| line.str(key).unwrap_or_else(|| "?".into());
    format!("{} {}", part("table"), part("row"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(table: &str, columns: &[(&str, Value<'_>)]) -> String {
        let mut out = Vec::new();
        Table::named(table).unwrap().write_line(columns, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn json_columns_stand_as_they_are_and_broken_ones_as_strings() {
        let id = ("id", Value::Text("msg_1"));
        assert_eq!(
            line(
                "session_message",
                &[id, ("data", Value::Text("{\n \"n\": 1e3, \"é\":\"\\u00e9\"}"))]
            ),
            "{\"table\":\"session_message\",\"row\":\"msg_1\",\"id\":\"msg_1\",\"data\":{  \"n\": 1e3, \"é\":\"\\u00e9\"}}\n"
        );
        assert_eq!(
            line("session_message", &[id, ("data", Value::Text("{\"a\":"))]),
            "{\"table\":\"session_message\",\"row\":\"msg_1\",\"id\":\"msg_1\",\"data\":\"{\\\"a\\\":\"}\n"
        );
    }

    #[test]
    fn other_text_columns_stay_text_even_when_they_look_like_json() {
        let out = line("session_v2", &[("title", Value::Text("123")), ("id", Value::Text("s"))]);
        assert_eq!(
            out,
            "{\"table\":\"session_v2\",\"row\":\"s\",\"title\":\"123\",\"id\":\"s\"}\n"
        );
    }

    #[test]
    fn a_key_may_have_several_columns() {
        let columns = [("position", Value::Integer(2)), ("session_id", Value::Text("ses_a"))];
        assert!(line("todo", &columns).contains("\"row\":\"ses_a/2\""));
    }

    proptest! {
        #[test]
        fn any_text_makes_one_line_of_json(text: String, other: String, bytes: Vec<u8>) {
            let out = line("part", &[
                ("id", Value::Text(&other)),
                ("data", Value::Text(&text)),
                ("more", Value::Blob(&bytes)),
            ]);
            let body = out.strip_suffix('\n').unwrap();
            prop_assert!(!body.contains('\n'));
            let value = json::parse(body).unwrap();
            prop_assert_eq!(value.str("id").unwrap(), other.as_str());
            let data = value.get("data").unwrap();
            prop_assert!(json::parse(&text).is_ok() || data.as_str().unwrap() == text.as_str());
        }
    }
}
