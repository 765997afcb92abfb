//! The rows of one session, as the store gives them: a line of JSON each (`formats::opencode::row`).

use std::sync::Arc;

use recount_formats::jsonl::{self, Body};
use recount_formats::opencode::{Kind, type_of};
use recount_formats::tags::Tagged as _;
use recount_formats::{Code, Finding, Json, Position};

use super::object::Object;
use crate::model::At;

/// A row.
#[derive(Debug, Clone)]
pub(super) struct Row<'a> {
    /// What it is.
    pub(super) kind: Kind,
    /// Its columns.
    pub(super) columns: Object<'a>,
    /// Its content; without members when the column holds no object.
    pub(super) data: Object<'a>,
    /// The same as it stands there.
    pub(super) content: Json<'a>,
}

impl<'a> Row<'a> {
    /// A text column, or nothing.
    pub(super) fn text(&self, column: &str) -> Option<String> {
        self.columns.string(column)
    }

    /// A numeric column, or nothing.
    pub(super) fn number(&self, column: &str) -> Option<i64> {
        self.columns.number(column)
    }

    /// The row's key.
    pub(super) fn id(&self) -> String {
        self.text("id").or_else(|| self.text("row")).unwrap_or_default()
    }

    /// When it was made, in milliseconds: by its content, which a retry sets anew together with the column.
    pub(super) fn created(&self) -> Option<i64> {
        self.data
            .at(&["time", "created"])
            .and_then(Json::as_i64)
            .or_else(|| self.number("time_created"))
    }

    /// Its place.
    pub(super) fn at(&self, source: &Arc<str>) -> At {
        At::Row { source: Arc::clone(source), row: self.place() }
    }

    /// Its table and key.
    fn place(&self) -> String {
        let part = |key| self.columns.str(key).unwrap_or_else(|| "?".into());
        format!("{} {}", part("table"), part("row"))
    }

    /// A text in the content.
    pub(super) fn text_of(&self, key: &str) -> Option<String> {
        self.data.string(key)
    }

    /// A member of the content.
    pub(super) fn get(&self, key: &str) -> Option<Json<'a>> {
        self.data.get(key)
    }
}

/// The rows of a session, by table and in their order.
#[derive(Debug, Default)]
pub(super) struct Rows<'a> {
    /// Its row in `session_v2` or `session`.
    pub(super) session: Option<Row<'a>>,
    /// 2.x: its rows in `session_message`, by `seq`.
    pub(super) messages: Vec<Row<'a>>,
    /// 1.x: its messages by time and id, each with its parts by id.
    pub(super) old: Vec<(Row<'a>, Vec<Row<'a>>)>,
    /// Input that waits.
    pub(super) inbox: Vec<Row<'a>>,
    /// `instruction_state`, `instruction_entry` and `instruction_blob`.
    pub(super) instructions: Vec<Row<'a>>,
    /// What was wrong.
    pub(super) findings: Vec<Finding>,
}

impl<'a> Rows<'a> {
    /// Reads the lines.
    pub(super) fn read(bytes: &'a [u8], source: &Arc<str>) -> Self {
        let mut rows = Self::default();
        let mut parts: Vec<Row<'a>> = Vec::new();
        for line in jsonl::lines(bytes) {
            let (line, kind) = match line.parse_tagged(Kind::PATHS) {
                (Body::Value(value), Some(tags)) if value.is_object() => {
                    (value, Kind::of_tags(&tags))
                }
                (Body::Value(_), _) => {
                    rows.find(source, Code::NotAnObject, "a row that is no object");
                    continue;
                }
                (Body::Junk(code, message), _) => {
                    rows.find(source, code, message);
                    continue;
                }
                (Body::Blank, _) => continue,
            };
            let columns = Object::of(line);
            let Some(table) = columns.str("table") else {
                rows.find(source, Code::UnknownRecordType, "a row of no table");
                continue;
            };
            let column = if table == "session_inbox" { "payload" } else { "data" };
            let content = columns.get(column);
            let data = content.map(Object::of).unwrap_or_default();
            let row = Row { kind, columns, data, content: content.unwrap_or(Json::NULL) };
            // Case damaged-bad-json: the column is text that is no JSON, or JSON of another type.
            if content.is_some()
                && !row.data.is_object()
                && matches!(&*table, "session_message" | "message" | "part" | "session_inbox")
            {
                let message =
                    format!("{}: the column `{column}` holds no JSON object", row.place());
                rows.find(source, Code::InvalidJson, message);
            }
            if kind == Kind::Unknown && row.data.is_object() {
                let name = recount_formats::finding::excerpt(&type_of(line));
                let message = format!("{}: unknown type `{name}`", row.place());
                rows.find(source, Code::UnknownRecordType, message);
            }
            match &*table {
                "session_v2" | "session" => {
                    rows.session.get_or_insert(row);
                }
                "session_message" => rows.messages.push(row),
                "message" => rows.old.push((row, Vec::new())),
                "part" => parts.push(row),
                "session_inbox" => rows.inbox.push(row),
                "instruction_state" | "instruction_entry" | "instruction_blob" => {
                    rows.instructions.push(row);
                }
                _ => {}
            }
        }
        // Rule `ordering`: seq alone orders 2.x; time and id order 1.x, whose parts are ordered by id.
        rows.messages.sort_by_key(|row| row.number("seq"));
        rows.old.sort_by_cached_key(|(row, _)| (row.number("time_created"), row.id()));
        rows.inbox.sort_by_key(|row| row.number("enqueued_seq"));
        parts.sort_by_cached_key(Row::id);
        rows.attach(parts, source);
        rows
    }

    /// Gives each part to its message.
    fn attach(&mut self, parts: Vec<Row<'a>>, source: &Arc<str>) {
        let index: std::collections::HashMap<String, usize> =
            self.old.iter().enumerate().map(|(n, (row, _))| (row.id(), n)).collect();
        let mut orphans = 0_usize;
        for part in parts {
            match part.text("message_id").and_then(|id| index.get(&id)) {
                Some(&n) => self.old[n].1.push(part),
                None => orphans += 1,
            }
        }
        if orphans > 0 {
            self.find(
                source,
                Code::DanglingParent,
                format!("{orphans} parts belong to messages that are not there"),
            );
        }
    }

    /// Notes what is wrong. Rows have no line numbers, so the message names the row.
    pub(super) fn find(&mut self, source: &Arc<str>, code: Code, message: impl Into<String>) {
        self.findings.push(Finding::new(code, source, Position::WHOLE, message));
    }
}
