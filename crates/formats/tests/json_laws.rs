//! What the JSON layer promises, tried on generated, mutated and arbitrary text.
//!
//! The referee is serde_json: an independent strict reader. It refuses two things that are kept here on
//! purpose, lone surrogates and great depth, so it is asked for the raw value only and not for strings.

use proptest::prelude::*;
use recount_formats::Json;
use recount_formats::json::{self, Kind, Outline, Part};
use serde_json::value::RawValue;

/// Whether the referee takes the text as JSON.
fn referee(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}

/// Any value, as the text that a writer might produce: spaces, escapes, odd numbers, doubled keys.
fn json_text() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?",
    ];
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("false".to_owned()),
        number,
        string_text(),
    ];
    leaf.prop_recursive(6, 64, 6, |inner| {
        let space = || "[ \t\r\n]{0,2}";
        prop_oneof![
            (prop::collection::vec(inner.clone(), 0..6), space()).prop_map(|(values, s)| {
                format!("[{s}{}{s}]", values.join(&format!("{s},{s}")))
            }),
            (prop::collection::vec((string_text(), inner), 0..6), space()).prop_map(
                |(members, s)| {
                    let members: Vec<String> =
                        members.iter().map(|(k, v)| format!("{k}{s}:{s}{v}")).collect();
                    format!("{{{s}{}{s}}}", members.join(&format!("{s},{s}")))
                }
            ),
        ]
    })
}

/// A JSON string: short ones, long ones, escapes, surrogates, characters beyond ASCII.
fn string_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z ]{0,12}",
        1 => "[ -!#-\\[\\]-~]{20,90}",
        1 => Just("\\n".to_owned()),
        1 => Just("\\\"".to_owned()),
        1 => Just("\\\\".to_owned()),
        1 => Just("\\/".to_owned()),
        1 => "\\\\u[0-9a-fA-F]{4}",
        1 => "[äß日本🚀\u{7f}]{1,5}",
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

/// Text that is nearly JSON: one change at one place.
fn mutated() -> impl Strategy<Value = String> {
    let change = prop_oneof![
        Just(String::new()),
        Just("\"".to_owned()),
        Just("\\".to_owned()),
        Just(",".to_owned()),
        Just("\0".to_owned()),
        Just("\u{1f}".to_owned()),
        Just("]".to_owned()),
        Just("{".to_owned()),
        Just("0".to_owned()),
        Just("\u{85}".to_owned()),
        any::<char>().prop_map(String::from),
    ];
    (json_text(), any::<prop::sample::Index>(), change, any::<bool>()).prop_map(
        |(text, index, change, replace)| {
            let places: Vec<usize> =
                text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
            let at = places[index.index(places.len())];
            let rest = if replace {
                text[at..].chars().next().map_or(at, |c| at + c.len_utf8())
            } else {
                at
            };
            format!("{}{change}{}", &text[..at], &text[rest..])
        },
    )
}

/// Reads everything in a value through every view of it.
fn look_at_all(value: Json<'_>) -> usize {
    let mut seen = value.raw().len();
    seen += value.text().map_or(0, |t| t.get().len() + t.inner().len());
    seen += usize::from(value.as_bool().is_some()) + usize::from(value.as_i64().is_some());
    seen += usize::from(value.as_u64().is_some()) + usize::from(value.as_f64().is_some());
    for (key, member) in value.members() {
        assert!(value.get(&key.get()).is_some());
        seen += key.raw().len() + look_at_all(member);
    }
    seen + value.elements().map(look_at_all).sum::<usize>()
}

/// The text of a value put together again from its parts, white space left out.
fn rebuilt(value: Json<'_>) -> String {
    match value.kind() {
        Kind::Object => {
            let members: Vec<String> =
                value.members().map(|(k, v)| format!("{}:{}", k.raw(), rebuilt(v))).collect();
            format!("{{{}}}", members.join(","))
        }
        Kind::Array => {
            let elements: Vec<String> = value.elements().map(rebuilt).collect();
            format!("[{}]", elements.join(","))
        }
        _ => value.raw().to_owned(),
    }
}

/// White space outside of strings removed, by the referee's understanding of strings.
/// Whether a noted structure says the same as walks over the text do.
fn agrees(part: Part<'_>, json: Json<'_>) -> bool {
    let members: Vec<_> = part.members().collect();
    let elements: Vec<_> = part.elements().collect();
    part.json() == json
        && members.len() == json.members().count()
        && elements.len() == json.elements().count()
        && members
            .iter()
            .zip(json.members())
            .all(|((key, part), (text, json))| *key == text.get() && agrees(*part, json))
        && members.iter().all(|(key, _)| part.get(key).map(Part::json) == json.get(key))
        && elements.into_iter().zip(json.elements()).all(|(part, json)| agrees(part, json))
}

fn compact(text: &str) -> String {
    let (mut out, mut inside, mut escaped) = (String::new(), false, false);
    for c in text.chars() {
        if inside {
            inside = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else if c.is_ascii_whitespace() {
            continue;
        } else {
            inside = c == '"';
        }
        out.push(c);
    }
    out
}

proptest! {
    #[test]
    fn what_a_writer_writes_is_accepted(text in json_text(), space in "[ \t\r\n]{0,3}") {
        let padded = format!("{space}{text}{space}");
        prop_assert!(referee(&padded), "{padded}");
        let value = json::parse(&padded).unwrap();
        prop_assert_eq!(value.raw(), text.as_str());
        look_at_all(value);
    }

    #[test]
    fn an_outline_agrees(texts in prop::collection::vec(prop_oneof![json_text(), mutated()], 1..4)) {
        let mut outline = Outline::default();
        for text in texts {
            match (json::parse(&text), outline.read(&text)) {
                (Ok(json), Ok(part)) => prop_assert!(agrees(part, json), "{text}"),
                (json, part) => prop_assert_eq!(json.err(), part.err()),
            }
        }
    }

    #[test]
    fn members_and_elements_make_the_whole(text in json_text()) {
        prop_assert_eq!(rebuilt(json::parse(&text).unwrap()), compact(&text));
    }

    #[test]
    fn the_referee_agrees_on_mutated_text(text in mutated()) {
        let ours = json::parse(&text);
        prop_assert_eq!(ours.is_ok(), referee(&text), "{:?}: {:?}", text, ours);
        if let Ok(value) = ours {
            look_at_all(value);
        }
    }

    #[test]
    fn the_referee_agrees_on_any_text(text in "[\\[\\]{}\",:\\\\u0-9eE.+\\-tfnral \n]{0,40}") {
        prop_assert_eq!(json::parse(&text).is_ok(), referee(&text), "{:?}", text);
    }

    #[test]
    fn the_referee_agrees_on_strings(text in string_text()) {
        // A lone surrogate is the one thing that it refuses.
        let value = json::parse(&text).unwrap();
        if let Ok(theirs) = serde_json::from_str::<String>(&text) {
            prop_assert_eq!(value.as_str().unwrap(), theirs.as_str());
            prop_assert!(value.text().unwrap().is(&theirs));
        }
    }

    #[test]
    fn the_referee_agrees_on_numbers(text in "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,9})?([eE][+-]?[0-9]{1,2})?") {
        let value = json::parse(&text).unwrap();
        if let Ok(theirs) = serde_json::from_str::<i64>(&text) {
            prop_assert_eq!(value.as_i64(), Some(theirs));
        }
        if let Ok(theirs) = serde_json::from_str::<u64>(&text) {
            prop_assert_eq!(value.as_u64(), Some(theirs));
        }
    }

    #[test]
    fn a_torn_value_is_told_from_a_wrong_one(text in json_text(), index in any::<prop::sample::Index>()) {
        // Numbers may end anywhere, so only what has an end mark can be seen to be torn.
        prop_assume!(text.len() > 1 && text.starts_with(['"', '{', '[', 't', 'f', 'n']));
        let places: Vec<usize> = text.char_indices().map(|(i, _)| i).skip(1).collect();
        prop_assume!(!places.is_empty());
        let torn = &text[..places[index.index(places.len())]];
        let error = json::parse(torn).unwrap_err();
        prop_assert!(error.truncated, "{torn:?}: {error}");
    }

    #[test]
    fn any_text_is_survived(text in any::<String>()) {
        let _ = json::parse(&text);
        let _ = json::parse_first(&text);
    }
}

#[test]
fn values_glued_together_are_taken_one_by_one() {
    let (first, rest) = json::parse_first(r#" {"a":1}{"b":2} tail"#).unwrap();
    assert_eq!((first.raw(), rest), (r#"{"a":1}"#, r#"{"b":2} tail"#));
    let (second, rest) = json::parse_first(rest).unwrap();
    assert_eq!((second.raw(), rest), (r#"{"b":2}"#, " tail"));
    assert!(json::parse_first(rest).is_err());
}

#[test]
fn a_lone_surrogate_is_kept_and_shown_as_unknown() {
    let value = json::parse(r#""\ud83d\ude80 \ud83d \ude80""#).unwrap();
    assert_eq!(value.raw(), r#""\ud83d\ude80 \ud83d \ude80""#);
    assert_eq!(value.as_str().unwrap(), "🚀 \u{FFFD} \u{FFFD}");
}

#[test]
fn numbers_beyond_64_bits_keep_their_digits() {
    let value = json::parse("123456789012345678901234567890").unwrap();
    assert_eq!(value.raw(), "123456789012345678901234567890");
    assert_eq!((value.as_i64(), value.as_u64()), (None, None));
    assert_eq!(json::parse("18446744073709551615").unwrap().as_u64(), Some(u64::MAX));
    assert_eq!(json::parse("1.0").unwrap().as_i64(), Some(1));
    assert_eq!(json::parse("1.5").unwrap().as_i64(), None);
    assert_eq!(json::parse("1e999").unwrap().as_i64(), None);
}

#[test]
fn the_last_of_equal_keys_counts_and_all_are_kept() {
    let value = json::parse(r#"{"a":1,"\u0061":2,"b":3}"#).unwrap();
    assert_eq!(value.get("a").unwrap().raw(), "2");
    assert_eq!(value.members().count(), 3);
}

#[test]
fn depth_is_no_danger() {
    let deep = format!("{}1{}", "[".repeat(300_000), "]".repeat(300_000));
    let value = json::parse(&deep).unwrap();
    assert_eq!(value.elements().count(), 1);
    let mixed = format!("{}null{}", r#"{"a":["#.repeat(100_000), "]}".repeat(100_000));
    assert!(json::parse(&mixed).is_ok());
    // The bracket that closes must be the one that was opened, also beyond 64 levels.
    for depth in [1, 63, 64, 65, 128, 129] {
        let wrong =
            format!("{}{{}}{}]", "[".repeat(depth), "]".repeat(depth - 1)).replace("]]", "]}");
        assert_eq!(json::parse(&wrong).is_ok(), referee(&wrong), "{depth}");
    }
}

#[test]
fn an_error_names_its_place() {
    for (text, at, truncated) in [
        ("", 0, true),
        ("[1,]", 3, false),
        (r#"{"a" 1}"#, 5, false),
        ("\"a\u{1}\"", 2, false),
        (r#""\x""#, 2, false),
        (r#""\u12g4""#, 5, false),
        ("tru", 3, true),
        ("trug", 0, false),
        ("01", 1, false),
        ("-", 1, true),
        ("1.", 2, true),
        ("1.x", 2, false),
        ("{} x", 3, false),
    ] {
        let error = json::parse(text).unwrap_err();
        assert_eq!((error.at, error.truncated), (at, truncated), "{text:?}: {error}");
    }
}
