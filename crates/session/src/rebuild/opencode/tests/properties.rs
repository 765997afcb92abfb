//! Whatever the rows hold, a rebuild ends, tells the same twice, and loses no prompt.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::Index;
use recount_formats::Harness;

use super::{Case, Files};
use crate::model::ItemKind;
use crate::rebuild::{self, Facts, Input};

fn rebuild_all(bytes: &[u8]) -> usize {
    let source = Arc::from("opencode.db");
    let (facts, files) = (Facts::default(), Files::default());
    let input = Input { source: &source, bytes, facts: &facts, companions: &files };
    let thread = rebuild::thread(Harness::Opencode, input, None);
    assert_eq!(thread, rebuild::thread(Harness::Opencode, input, None));
    serde_json::to_string(&thread.turns).unwrap();
    serde_json::to_string(&rebuild::model_view(Harness::Opencode, input, None)).unwrap();
    for branch in &thread.branches {
        let _ = rebuild::thread(Harness::Opencode, input, Some(&branch.leaf));
        let _ = rebuild::model_view(Harness::Opencode, input, Some(&branch.leaf));
    }
    thread.items().filter(|i| matches!(i.kind, ItemKind::UserMessage { .. })).count()
}

/// A session of each generation with every kind of row.
fn samples() -> [String; 2] {
    let mut new =
        Case::new(r#","revert":{"messageID":"msg_20"},"model":{"id":"m","providerID":"p"}"#);
    new.row(1, "system", r#""text":"s""#).user(4, "one");
    new.step(5, "tool-calls", &super::tool("c1", "shell", r#""status":"completed","input":{"command":"ls"},"content":[{"type":"text","text":"a"}],"metadata":{"exit":0,"outputPath":"/x/tool_1"}"#));
    new.step(6, "stop", &super::tool("c2", "subagent", r#""status":"error","input":{"agent":"a","description":"d","prompt":"p"},"error":{"type":"t","message":"sessionID: ses_9"}"#));
    new.idle(7).row(
        8,
        "compaction",
        r#""status":"completed","reason":"auto","summary":"S","metadata":{"keepID":"msg_4"}"#,
    );
    new.row(9, "shell", r#""shellID":"sh_1","command":"x","status":"exited","output":{"output":"o","truncated":true}"#);
    new.row(
        10,
        "location-switched",
        r#""location":{"directory":"/a"},"previous":{"location":{"directory":"/b"}}"#,
    );
    new.user(20, "two").say(21, "b").row(
        22,
        "idle",
        r#""outcome":"failed","error":{"type":"t","message":"m"}"#,
    );
    let mut old = Case::old("");
    old.asks(1, "one");
    old.answers(2, 1, r#","finish":"tool-calls""#, &[
        r#""type":"step-start""#,
        r#""type":"tool","callID":"c","tool":"edit","state":{"status":"completed","input":{"filePath":"a","oldString":"x","newString":"y"},"output":"ok","metadata":{"diff":"@@ -1 +1 @@\n-x\n+y\n"},"time":{"start":1,"end":2}}"#,
        r#""type":"retry","attempt":1,"error":{"name":"E"}"#,
    ]);
    old.message(
        3,
        r#""role":"user""#,
        &[r#""type":"compaction","auto":true,"tail_start_id":"msg_1""#],
    );
    old.answers(4, 3, r#","summary":true,"finish":"stop""#, &[r#""type":"text","text":"S""#]);
    old.message(
        5,
        r#""role":"user""#,
        &[r#""type":"subtask","prompt":"p","description":"d","agent":"a""#],
    );
    [new.lines, old.lines]
}

/// Values to put where another one stood.
const OTHERS: &[&str] = &[
    "null",
    "true",
    "-1",
    "1e400",
    "99999999999999999999",
    "\"\"",
    "\"msg_4\"",
    "[]",
    "[[{}]]",
    "{}",
    "{\"a\":{}}",
];

/// Replaces the value behind the n-th colon of a line.
fn replace_value(line: &str, n: Index, with: &str) -> String {
    let colons: Vec<usize> = line.match_indices("\":").map(|(at, _)| at + 2).collect();
    if colons.is_empty() {
        return line.into();
    }
    let start = colons[n.index(colons.len())];
    let Ok((_, rest)) = recount_formats::json::parse_first(&line[start..]) else {
        return line.into();
    };
    format!("{}{with}{rest}", &line[..start])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        rebuild_all(&bytes);
    }

    #[test]
    fn any_values_in_rows(
        which in 0_usize..2,
        changes in prop::collection::vec((any::<Index>(), any::<Index>(), prop::sample::select(OTHERS)), 1..6),
    ) {
        let mut lines: Vec<String> = samples()[which].lines().map(Into::into).collect();
        for (line, value, with) in changes {
            let n = line.index(lines.len());
            lines[n] = replace_value(&lines[n], value, with);
        }
        rebuild_all(lines.join("\n").as_bytes());
    }

    #[test]
    fn any_order_and_any_losses(
        which in 0_usize..2,
        order in prop::collection::vec(any::<Index>(), 0..12),
        cut in any::<Index>(),
    ) {
        let text = &samples()[which];
        let mut lines: Vec<&str> = text.lines().collect();
        for at in order {
            let line = lines.swap_remove(at.index(lines.len()));
            lines.push(line);
        }
        let whole = lines.join("\n");
        // Rows are sorted, so their order in the input does not matter.
        prop_assert_eq!(rebuild_all(whole.as_bytes()), rebuild_all(text.as_bytes()));
        rebuild_all(&whole.as_bytes()[..cut.index(whole.len())]);
    }
}
