use super::*;
use crate::finding::Severity;

/// A format made for these tests.
const FORMAT: &str = r#"
harness = "codex"
version = "1.2"

[[envelope]]
name = "line"
fields = [
  { name = "id", type = "string", presence = "required" },
  { name = "payload", type = "object", presence = "required" },
]

[[record]]
type = "note"
tag = ["type=note", "payload.type=note"]
concept = "metadata-other"
envelope = "line"
body = "payload"
summary = "A note."
fields = [
  { name = "text", type = "string|null", presence = "required" },
  { name = "count", type = "integer", presence = "optional" },
  { name = "ratio", type = "number", presence = "optional" },
  { name = "level", type = "enum(low|high)", presence = "optional" },
  { name = "new", type = "boolean", presence = "required", since = "1.2" },
  { name = "left | right", type = "string", presence = "required" },
  { name = "lines", type = "array(string)", presence = "optional" },
  { name = "sizes.<name>", type = "integer", presence = "optional" },
  { name = "author", type = "object", presence = "optional" },
  { name = "author.name", type = "string", presence = "required" },
  { name = "author.mail", type = "string", presence = "required", in_files = "optional" },
  { name = "free", type = "object", presence = "optional" },
  { name = "extra", type = "object", presence = "optional" },
  { name = "extra.known", type = "string", presence = "optional" },
  { name = "extra.(other members)", type = "any", presence = "optional" },
  { name = "content", type = "string|array", presence = "optional", blocks = "content" },
  { name = "result", type = "array", presence = "optional", blocks = "result" },
]

[[block]]
type = "content / text"
group = "content"
tag = "text"
concept = "user-message"
summary = "Text."
fields = [ { name = "text", type = "string", presence = "required" } ]

[[block]]
type = "content / nest"
group = "content"
tag = "nest"
concept = "user-message"
summary = "Blocks in a block."
fields = [ { name = "content", type = "string|array", presence = "required", blocks = "content" } ]

[[block]]
type = "result / anything"
group = "result"
tag = ""
concept = "tool-result"
summary = "Whatever it is."
fields = []
"#;

/// Compares a payload with the format; gives code and pointer of each drift.
fn drifts_of(record: &str) -> Vec<(Code, String)> {
    let spec = Box::leak(Box::new(Spec::compile(&Catalogue::from_toml(FORMAT).unwrap())));
    let mut scratch = walk::Scratch::default();
    let record = crate::json::parse(record).unwrap();
    walk::record(spec, spec.record(0), "note", record, &mut scratch);
    let known = Version::parse("1.1");
    let pending =
        scratch.pending.into_iter().filter(|(since, _)| known.is_some_and(|v| v >= *since));
    scratch
        .drifts
        .into_iter()
        .chain(pending.map(|(_, drift)| drift))
        .map(|d| (d.code, d.pointer))
        .collect()
}

fn drifts(members: &str) -> Vec<(Code, String)> {
    drifts_of(&format!(
        r#"{{"id":"1","type":"note","payload":{{"type":"note","text":"x","left":"l"{members}}}}}"#
    ))
}

fn one(code: Code, pointer: &str) -> Vec<(Code, String)> {
    vec![(code, pointer.to_owned())]
}

#[test]
fn a_record_as_described_is_quiet() {
    assert_eq!(drifts(""), []);
    assert_eq!(
        drifts(
            r#","count":3,"ratio":3,"level":"low","lines":["a","b"],"sizes":{"a/b":1,"c":2},
            "author":{"name":"n","mail":"m"},"free":{"x":[1,{"y":2}]},"extra":{"known":"k","z":1},
            "content":[{"type":"text","text":"t"},{"content":[{"text":"u","type":"text"}],"type":"nest"}],
            "result":[1,{"a":2},"c"]"#
        ),
        []
    );
    // Optional members may be null, and so may the required one that says so.
    assert_eq!(drifts(r#","count":null,"author":null,"content":null"#), []);
}

#[test]
fn each_drift_has_its_code_and_pointer() {
    use Code::{MissingField, UnknownField, UnknownValue, WrongType};
    assert_eq!(drifts(r#","odd":[1]"#), one(UnknownField, "/payload/odd"));
    assert_eq!(
        drifts(r#","author":{"name":"n","age":7}"#),
        one(UnknownField, "/payload/author/age")
    );
    assert_eq!(drifts(r#","count":1.5"#), one(WrongType, "/payload/count"));
    assert_eq!(drifts(r#","count":"1""#), one(WrongType, "/payload/count"));
    assert_eq!(drifts(r#","lines":["a",null]"#), one(WrongType, "/payload/lines/1"));
    assert_eq!(drifts(r#","sizes":{"a/b~":"big"}"#), one(WrongType, "/payload/sizes/a~1b~0"));
    assert_eq!(drifts(r#","free":[]"#), one(WrongType, "/payload/free"));
    assert_eq!(drifts(r#","level":"middle""#), one(UnknownValue, "/payload/level"));
    assert_eq!(
        drifts_of(r#"{"id":"1","type":"note","payload":{"type":"note","left":"l"}}"#),
        one(MissingField, "/payload/text")
    );
    assert_eq!(
        drifts_of(r#"{"type":"note","payload":{"type":"note","text":"x","left":"l"}}"#),
        one(MissingField, "/id")
    );
    assert_eq!(
        drifts_of(
            r#"{"id":"1","more":0,"type":"note","payload":{"type":"note","text":"x","left":"l"}}"#
        ),
        one(UnknownField, "/more")
    );
    assert_eq!(drifts_of(r#"{"id":"1","type":"note","payload":7}"#), one(WrongType, "/payload"));
}

#[test]
fn of_two_names_one_is_enough() {
    let record = |members: &str| {
        drifts_of(&format!(
            r#"{{"id":"1","type":"note","payload":{{"type":"note","text":null{members}}}}}"#
        ))
    };
    assert_eq!(record(r#","right":"r""#), []);
    assert_eq!(record(r#","right":"r","left":"l""#), []);
    assert_eq!(record(""), one(Code::MissingField, "/payload/left"));
}

#[test]
fn what_a_nested_object_lacks_is_a_note() {
    assert_eq!(
        drifts(r#","author":{"mail":"m"}"#),
        one(Code::AbsentMember, "/payload/author/name")
    );
    assert_eq!(Code::AbsentMember.severity(), Severity::Info);
    assert_eq!(Code::MissingField.severity(), Severity::Warning);
    // One that says nothing but its type is not asked.
    assert_eq!(drifts(r#","content":[{"type":"text"}]"#), []);
    assert_eq!(
        drifts(r#","content":[{"type":"text","text":"a","b":1}]"#),
        one(Code::UnknownField, "/payload/content/0/b")
    );
}

#[test]
fn blocks_are_told_by_their_tag_wherever_it_stands() {
    let unknown = |pointer| one(Code::UnknownBlockType, pointer);
    assert_eq!(
        drifts(r#","content":[{"type":"hologram","text":3}]"#),
        unknown("/payload/content/0")
    );
    assert_eq!(drifts(r#","content":[{"text":"t"}]"#), unknown("/payload/content/0"));
    assert_eq!(drifts(r#","content":["t"]"#), unknown("/payload/content/0"));
    assert_eq!(
        drifts(r#","content":[{"content":[{"text":7,"type":"text"}],"type":"nest"}]"#),
        one(Code::WrongType, "/payload/content/0/content/0/text")
    );
    assert_eq!(
        drifts(r#","content":[{"\u0074ype":"te\u0078t","text":false}]"#),
        one(Code::WrongType, "/payload/content/0/text")
    );
}

#[test]
fn doubled_keys_are_found_at_any_depth() {
    let double = |pointer| one(Code::DuplicateKey, pointer);
    assert_eq!(drifts(r#","count":1,"count":2"#), double("/payload/count"));
    assert_eq!(drifts(r#","count":1,"\u0063ount":2"#), double("/payload/count"));
    assert_eq!(drifts(r#","free":{"a":[{"b":1,"c":2,"b":3}]}"#), double("/payload/free/a/0/b"));
    assert_eq!(drifts(r#","sizes":{"a":1,"b":2,"a":1,"a":1}"#), double("/payload/sizes/a"));
    // Keys of the same length, beginning and end have the same hash and are not the same.
    assert_eq!(drifts(r#","free":{"abcdefgh-1-abcdefgh":1,"abcdefgh-2-abcdefgh":2}"#), []);
    let many: Vec<String> = (0..200).map(|n| format!(r#""k{n}":1"#)).collect();
    let many = many.join(",");
    assert_eq!(drifts(&format!(r#","free":{{{many},"k77":2}}"#)), double("/payload/free/k77"));
}

#[test]
fn what_is_new_is_asked_for_only_in_new_files() {
    // The helper's file is of version 1.1: `new`, which came with 1.2, is not missing in it.
    let line = |version: &str| {
        format!(
            concat!(
                r#"{{"timestamp":"2026-05-06T07:08:09.120Z","type":"session_meta","payload":{{"id":"1","#,
                r#""timestamp":"2026-05-06T07:08:09.101Z","cwd":"/home/dev","originator":"cli","#,
                r#""cli_version":"{}","source":"exec","model_provider":"acme","#,
                r#""base_instructions":{{"text":"t"}}}}}}"#
            ),
            version
        )
    };
    let codes = |version: &str| {
        let bytes = line(version);
        let (_, found) = transcript(Some(Harness::Codex), &Arc::from("x"), bytes.as_bytes());
        found.into_iter().map(|f| (f.finding.code, f.finding.pointer)).collect::<Vec<_>>()
    };
    assert_eq!(codes("0.98.0"), []);
    assert_eq!(codes("0.164.0"), one(Code::MissingField, "/payload/session_id"));
    assert_eq!(
        codes("99.0.0"),
        [
            (Code::MissingField, "/payload/session_id".to_owned()),
            (Code::FutureVersion, String::new())
        ]
    );
}

#[test]
fn a_record_of_nothing_but_drift_is_cut_short() {
    let odd: Vec<String> = (0..1000).map(|n| format!(r#""odd{n}":1"#)).collect();
    let line = format!(
        r#"{{"timestamp":"t","type":"compacted","payload":{{"message":"m",{}}}}}"#,
        odd.join(",")
    );
    let (_, found) = transcript(Some(Harness::Codex), &Arc::from("x"), line.as_bytes());
    let odd: Vec<_> = found.iter().filter(|f| f.finding.code == Code::UnknownField).collect();
    assert_eq!(odd.len(), 100);
    assert!(odd[99].finding.message.ends_with("(and 900 more findings in this record)"));
}

#[test]
fn depth_is_no_danger() {
    let deep = format!("{}1{}", r#"{"a":["#.repeat(50_000), "]}".repeat(50_000));
    assert_eq!(drifts(&format!(r#","free":{{"x":{deep}}}"#)), []);
    // Blocks in blocks, with the tag at the end, must not be looked through again and again.
    let mut nested = r#"{"type":"text","text":"t"}"#.to_owned();
    for _ in 0..3000 {
        nested = format!(r#"{{"content":[{nested}],"type":"nest"}}"#);
    }
    assert_eq!(drifts(&format!(r#","content":[{nested}]"#)), []);
}

#[test]
fn examples_of_the_catalogues_are_quiet() {
    for harness in [Harness::Codex, Harness::ClaudeCode, Harness::Opencode, Harness::Pi] {
        for record in &Catalogue::of(harness).records {
            let mut checker = Checker::new(Some(harness));
            checker.begin(&Arc::from("x"), Known { version: Version::parse("99") });
            let raw = record.example.as_bytes();
            let at = Position { line: 1, byte: 0, len: raw.len() as u64 };
            assert!(checker.line(&Line { at, raw, part: Part::Whole }).is_some());
            let (_, found) = checker.end();
            let found: Vec<String> = found
                .iter()
                .map(|f| format!("{} {} {}", f.finding.code, f.finding.pointer, f.finding.message))
                .collect();
            assert!(found.is_empty(), "{harness} {}: {found:#?}", record.name);
        }
        for block in &Catalogue::of(harness).blocks {
            assert!(crate::json::parse(&block.example).is_ok(), "{harness} {}", block.name);
        }
    }
}

/// A rollout with most of what can be wrong with lines.
const LINES: &[&str] = &[
    r#"{"timestamp":"t","ordinal":0,"type":"event_msg","payload":{"type":"context_compacted"}}"#,
    r#"{"timestamp":"t","ordinal":1,"type":"event_msg","payload":{"type":"odd"}}"#,
    "",
    "garbage",
    r#"{"timestamp":"t","ordinal":3,"type":"event_msg","payload":{"type":"context_compacted"}}"#,
    r#"{"timestamp":"t","ordinal":5,"type":"event_msg","payload":{"type":"context_compacted"}}"#,
    r#"{"timestamp":"t","ordinal":5,"type":"event_msg","payload":{"type":"context_compacted"}}"#,
    "[1]",
    r#"{"timestamp":"t","ordinal":2,"type":"event_msg","payload":{"type":"context_compacted"}}"#,
    r#"{"a":1}{"b":2}"#,
];

#[test]
fn lines_have_findings_of_their_own() {
    let bytes = LINES.join("\n");
    let (progress, found) = transcript(Some(Harness::Codex), &Arc::from("x"), bytes.as_bytes());
    let codes: Vec<(Code, u64)> = found.iter().map(|f| (f.finding.code, f.finding.line)).collect();
    assert_eq!(
        codes,
        [
            (Code::UnknownRecordType, 2),
            (Code::InvalidJson, 4),
            (Code::OrdinalGap, 6),
            (Code::OrdinalGap, 7),
            (Code::NotAnObject, 8),
            (Code::OrdinalGap, 9),
            (Code::GluedLine, 10),
            (Code::MissingHeader, 1),
        ]
    );
    assert_eq!((progress.lines, progress.records), (10, 6));
    assert_eq!((progress.unknown, progress.junk), (1, 3));
    assert_eq!(progress.bytes, bytes.len() as u64);
}

#[test]
fn stretches_that_are_checked_apart_say_the_same() {
    let bytes = LINES.join("\n").into_bytes();
    let source: Arc<str> = Arc::from("x");
    let harness = Some(Harness::Codex);
    let (whole, expected) = transcript(harness, &source, &bytes);
    let lines: Vec<Line<'_>> = jsonl::lines(&bytes).collect();
    for first in 0..=lines.len() {
        for second in first..=lines.len() {
            let mut all = Progress::default();
            let mut found = Vec::new();
            for stretch in [&lines[..first], &lines[first..second], &lines[second..]] {
                let mut checker = Checker::new(harness);
                checker.begin(&source, Known::default());
                for line in stretch {
                    checker.line(line);
                }
                let (progress, mut more) = checker.end();
                found.extend(all.append(&progress, &source).map(|finding| Found {
                    finding,
                    record: Cow::Borrowed(""),
                    place: "ordinal".into(),
                }));
                found.append(&mut more);
            }
            found.extend(Checker::file(harness, &source, Known::default(), &all));
            let key = |f: &Found| (f.finding.line, f.finding.code, f.finding.message.clone());
            let mut expected = expected.clone();
            expected.sort_by_key(key);
            found.sort_by_key(key);
            assert_eq!((&all, &found), (&whole, &expected), "{first} {second}");
        }
    }
}

#[test]
fn files_have_findings_of_their_own() {
    let codes = |harness, bytes: &[u8]| {
        let (_, found) = transcript(Some(harness), &Arc::from("x"), bytes);
        found.into_iter().map(|f| f.finding.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(Harness::Codex, b""), [Code::EmptyFile]);
    assert_eq!(codes(Harness::ClaudeCode, b""), [Code::EmptyFile]);
    assert_eq!(codes(Harness::Codex, b"\n"), [Code::MissingHeader]);
    assert_eq!(codes(Harness::ClaudeCode, b"\n"), []);
    assert_eq!(codes(Harness::ClaudeCode, b"\xEF\xBB\xBF\n"), [Code::ByteOrderMark]);
    assert_eq!(
        codes(
            Harness::ClaudeCode,
            b"{\"type\":\"mode\",\"mode\":\"normal\",\"sessionId\":\"\xff\"}"
        ),
        [Code::InvalidUtf8]
    );
    assert_eq!(codes(Harness::ClaudeCode, b"\0\0\0\n"), [Code::NulBytes]);
}

#[test]
fn lines_of_nobody_are_only_checked_as_lines() {
    let (progress, found) = transcript(None, &Arc::from("x"), b"{\"a\":1}\n{\"b\"\n");
    let codes: Vec<Code> = found.into_iter().map(|f| f.finding.code).collect();
    assert_eq!(codes, [Code::InvalidJson]);
    assert_eq!((progress.records, progress.unknown), (1, 1));
}
