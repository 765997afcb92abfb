//! A protobuf message read with its table: fields by name, and what the table lacks by number.
//!
//! Reading never fails. A field of another wire type than the table says counts as unknown, the last one of
//! several counts where one is expected, and damage ends the message where it stands ([`Message::error`]).

use std::borrow::Cow;

use super::schema::{FieldTable, Kind, Label, MessageTable, Schema};
use crate::wire::{self, Field, Value};

/// A message with its table.
#[derive(Debug, Clone)]
pub struct Message<'a> {
    table: &'static MessageTable,
    fields: Vec<Field<'a>>,
    error: Option<wire::Error>,
    raw: &'a [u8],
}

impl<'a> Message<'a> {
    /// Reads bytes as the message of this name.
    pub fn read(name: &str, bytes: &'a [u8]) -> Self {
        Self::with(Schema::get().message(name), bytes)
    }

    fn with(table: &'static MessageTable, raw: &'a [u8]) -> Self {
        let (fields, error) = wire::read(raw);
        Self { table, fields, error, raw }
    }

    /// The name of the message; empty when nobody has listed it.
    pub fn name(&self) -> &'static str {
        &self.table.name
    }

    /// All its bytes.
    pub const fn raw(&self) -> &'a [u8] {
        self.raw
    }

    /// The damage that ended it.
    pub const fn error(&self) -> Option<wire::Error> {
        self.error
    }

    /// All fields as they stand, each with its entry in the table.
    pub fn fields(&self) -> impl Iterator<Item = (Field<'a>, Option<&'static FieldTable>)> + '_ {
        self.fields
            .iter()
            .map(|f| (*f, self.table.number(f.number).filter(|table| fits(table, f.value))))
    }

    /// The fields that the table lacks, or that have another wire type there.
    pub fn unknown(&self) -> impl Iterator<Item = Field<'a>> + '_ {
        self.fields().filter(|(_, table)| table.is_none()).map(|(f, _)| f)
    }

    fn values(
        &self,
        name: &str,
    ) -> impl DoubleEndedIterator<Item = (Value<'a>, &'static FieldTable)> + '_ {
        let table = self.table.field(name);
        self.fields.iter().filter_map(move |f| {
            let table = table?;
            (f.number == table.number && fits(table, f.value)).then_some((f.value, table))
        })
    }

    fn last(&self, name: &str) -> Option<(Value<'a>, &'static FieldTable)> {
        self.values(name).next_back()
    }

    /// Whether the field is there, be it empty.
    pub fn has(&self, name: &str) -> bool {
        self.last(name).is_some()
    }

    /// A string; bytes that are no UTF-8 are replaced.
    pub fn str(&self, name: &str) -> Option<Cow<'a, str>> {
        Some(String::from_utf8_lossy(self.bytes(name)?))
    }

    /// A string that says something.
    pub fn text(&self, name: &str) -> Option<String> {
        self.str(name).filter(|s| !s.is_empty()).map(Cow::into_owned)
    }

    /// All strings of a repeated field.
    pub fn strs(&self, name: &str) -> impl Iterator<Item = Cow<'a, str>> + '_ {
        self.values(name).filter_map(|(v, _)| v.bytes()).map(String::from_utf8_lossy)
    }

    /// Bytes, of a string, of a message, or of an id.
    pub fn bytes(&self, name: &str) -> Option<&'a [u8]> {
        self.last(name)?.0.bytes()
    }

    /// All values of a repeated field of bytes.
    pub fn all_bytes(&self, name: &str) -> impl Iterator<Item = &'a [u8]> + '_ {
        self.values(name).filter_map(|(v, _)| v.bytes())
    }

    /// The id of a blob, in hexadecimal. An empty one is none.
    pub fn id(&self, name: &str) -> Option<String> {
        self.bytes(name).filter(|b| !b.is_empty()).map(hex)
    }

    /// All ids of a list, in order, doubles included.
    pub fn ids(&self, name: &str) -> impl Iterator<Item = String> + '_ {
        self.all_bytes(name).map(hex)
    }

    /// An unsigned integer.
    pub fn uint(&self, name: &str) -> Option<u64> {
        self.last(name)?.0.varint()
    }

    /// A signed integer.
    pub fn int(&self, name: &str) -> Option<i64> {
        let (value, table) = self.last(name)?;
        let number = value.varint()?;
        Some(match table.kind {
            Kind::Sint => wire::zigzag(number),
            _ => number as i64,
        })
    }

    /// A truth value; one that is not there is false.
    pub fn flag(&self, name: &str) -> bool {
        self.uint(name).is_some_and(|n| n != 0)
    }

    /// The name of an enumeration's value, its number when it has none. What is not there has the number 0.
    pub fn value_name(&self, name: &str) -> Option<Cow<'static, str>> {
        let Kind::Enumeration(enumeration) = &self.table.field(name)?.kind else { return None };
        let number = self.uint(name).unwrap_or(0);
        Some(match Schema::get().value_name(enumeration, number) {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(number.to_string()),
        })
    }

    /// A message inside.
    pub fn message(&self, name: &str) -> Option<Self> {
        let (value, table) = self.last(name)?;
        nested(value, table)
    }

    /// All messages of a repeated field.
    pub fn messages(&self, name: &str) -> impl Iterator<Item = Self> + '_ {
        self.values(name).filter_map(|(v, table)| nested(v, table))
    }

    /// The entries of a map, in order. When a key comes twice, both are given; the last one counts.
    pub fn entries(&self, name: &str) -> impl Iterator<Item = Entry<'a>> + '_ {
        self.values(name).filter_map(|(v, table)| entry(v, table))
    }

    /// A field as the entry of a map.
    pub fn entry(&self, field: Field<'a>) -> Option<Entry<'a>> {
        entry(field.value, self.table.number(field.number)?)
    }

    /// The member of a oneof that is set. When several are, the last one counts.
    pub fn case(&self, oneof: &str) -> Option<(&'static FieldTable, Value<'a>)> {
        self.fields()
            .filter_map(|(f, table)| Some((table?, f.value)))
            .filter(|(table, _)| table.oneof.as_deref() == Some(oneof))
            .last()
    }

    /// The member of a oneof that is set, as a message.
    pub fn case_message(&self, oneof: &str) -> Option<(&'static FieldTable, Self)> {
        let (table, value) = self.case(oneof)?;
        Some((table, nested(value, table)?))
    }
}

/// An entry of a map.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// Its key.
    pub key: Cow<'a, str>,
    /// The bytes of its value; nothing for a number.
    pub bytes: &'a [u8],
    /// The value on the wire; nothing when it has its default.
    pub value: Option<Value<'a>>,
    table: &'static FieldTable,
}

impl<'a> Entry<'a> {
    /// What the value is by the table.
    pub const fn kind(&self) -> &'static Kind {
        &self.table.kind
    }

    /// The value as a message.
    pub fn message(&self) -> Message<'a> {
        match &self.table.kind {
            Kind::Message(name) => Message::read(name, self.bytes),
            _ => Message::read("", self.bytes),
        }
    }

    /// The value as the id of a blob.
    pub fn id(&self) -> String {
        hex(self.bytes)
    }
}

fn entry<'a>(value: Value<'a>, table: &'static FieldTable) -> Option<Entry<'a>> {
    let mut key: &[u8] = b"";
    let mut of: Option<Value<'a>> = None;
    for field in wire::fields(value.bytes()?).flatten() {
        match (field.number, field.value) {
            (1, Value::Bytes(b)) => key = b,
            (2, v) => of = Some(v),
            _ => {}
        }
    }
    let bytes = of.and_then(Value::bytes).unwrap_or_default();
    Some(Entry { key: String::from_utf8_lossy(key), bytes, value: of, table })
}

fn nested<'a>(value: Value<'a>, table: &'static FieldTable) -> Option<Message<'a>> {
    let bytes = value.bytes()?;
    Some(match &table.kind {
        Kind::Message(name) => Message::read(name, bytes),
        _ => Message::read("", bytes),
    })
}

/// Whether a value has a wire type that the table allows; numbers may be packed.
fn fits(table: &FieldTable, value: Value<'_>) -> bool {
    if table.label == Label::Map {
        return matches!(value, Value::Bytes(_));
    }
    match &table.kind {
        Kind::String | Kind::Bytes | Kind::Id | Kind::Message(_) | Kind::Unlisted => {
            matches!(value, Value::Bytes(_))
        }
        Kind::Bool | Kind::Int | Kind::Uint | Kind::Sint | Kind::Enumeration(_) => {
            matches!(value, Value::Varint(_))
                || (table.label == Label::Many && matches!(value, Value::Bytes(_)))
        }
        Kind::Double => matches!(value, Value::Fixed64(_)),
        Kind::Float => matches!(value, Value::Fixed32(_)),
    }
}

/// Bytes in lower-case hexadecimal, as the table of blobs spells ids.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::with_capacity(bytes.len() * 2);
    for b in bytes {
        out.push(char::from(DIGITS[usize::from(b >> 4)]));
        out.push(char::from(DIGITS[usize::from(b & 15)]));
    }
    out
}

/// The bytes that hexadecimal digits spell; nothing when they do not.
pub fn unhex(digits: &[u8]) -> Option<Vec<u8>> {
    let nibble = |d: u8| char::from(d).to_digit(16);
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    digits
        .chunks_exact(2)
        .map(|pair| Some((nibble(pair[0])? << 4 | nibble(pair[1])?) as u8))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `{1 text: "Hi", 2 message_id: "m", 4 mode: 2, 77: "new"}`
    const USER: &[u8] = b"\x0a\x02Hi\x12\x01m\x20\x02\xea\x04\x03new";

    #[test]
    fn fields_are_found_by_name() {
        let user = Message::read("UserMessage", USER);
        assert_eq!(user.str("text").as_deref(), Some("Hi"));
        assert_eq!(user.text("rich_text"), None);
        assert_eq!(user.value_name("mode").as_deref(), Some("ASK"));
        assert!(!user.flag("turn_steer"));
        assert_eq!(user.unknown().map(|f| f.number).collect::<Vec<_>>(), [77]);
        assert_eq!(user.error(), None);
    }

    #[test]
    fn a_missing_enumeration_has_its_first_value() {
        let user = Message::read("UserMessage", b"");
        assert_eq!(user.value_name("mode").as_deref(), Some("UNSPECIFIED"));
        let user = Message::read("UserMessage", b"\x20\x63");
        assert_eq!(user.value_name("mode").as_deref(), Some("99"));
    }

    #[test]
    fn the_last_of_several_counts_and_another_wire_type_is_unknown() {
        let user = Message::read("UserMessage", b"\x0a\x01a\x0a\x01b\x08\x07");
        assert_eq!(user.str("text").as_deref(), Some("b"));
        assert_eq!(user.unknown().count(), 1);
    }

    #[test]
    fn oneofs_and_messages_inside() {
        // {8 read: {1 args: {1 path: "a"}, 2 result: {1 success: {7 path: "a"}}}, 57 tool_call_id: "t"}
        let call = Message::read(
            "ToolCall",
            b"\x42\x0e\x0a\x03\x0a\x01a\x12\x07\x0a\x05\x0a\x00\x3a\x01a\xca\x03\x01t",
        );
        let (table, tool) = call.case_message("tool").expect("a tool is set");
        assert_eq!(table.name, "read");
        assert_eq!(tool.message("args").and_then(|a| a.text("path")).as_deref(), Some("a"));
        let result = tool.message("result").expect("there is a result");
        let (case, success) = result.case_message("result").expect("the result has a case");
        assert_eq!(case.name, "success");
        assert_eq!(success.case("output").map(|c| c.0.name.as_str()), Some("content"));
        assert_eq!(call.str("tool_call_id").as_deref(), Some("t"));
    }

    #[test]
    fn maps_give_their_entries() {
        // 31 subagent_state_refs: {"s": <2 bytes>}
        let root =
            Message::read("ConversationStateStructure", b"\xfa\x01\x07\x0a\x01s\x12\x02\xab\xcd");
        let refs: Vec<_> =
            root.entries("subagent_state_refs").map(|e| (e.key.to_string(), e.id())).collect();
        assert_eq!(refs, [("s".to_owned(), "abcd".to_owned())]);
    }

    #[test]
    fn signed_numbers() {
        let output = Message::read("ShellOutput", b"\x18\xf7\xff\xff\xff\xff\xff\xff\xff\xff\x01");
        assert_eq!(output.int("exit_code"), Some(-9));
        let task = Message::read("AwaitTask", b"\x38\x03");
        assert_eq!(task.int("exit_code"), Some(-2));
    }

    #[test]
    fn damage_keeps_what_came_before() {
        let user = Message::read("UserMessage", b"\x0a\x02Hi\x12\x09m");
        assert_eq!(user.str("text").as_deref(), Some("Hi"));
        assert!(user.error().is_some_and(|e| e.truncated && e.at == 7));
    }

    #[test]
    fn hexadecimal_goes_both_ways() {
        assert_eq!(hex(&[0, 0xab, 0xff]), "00abff");
        assert_eq!(unhex(b"00abFF"), Some(vec![0, 0xab, 0xff]));
        assert_eq!(unhex(b"0"), None);
        assert_eq!(unhex(b"zz"), None);
    }
}
