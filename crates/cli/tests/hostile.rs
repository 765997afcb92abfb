//! A transcript can hold anything; a terminal must not notice.

use crate::environment::TestEnvironment;

/// Takes over the terminal, turns the writing direction, hides text.
const EVIL: &str = "\\u001b[2J\\u001b]0;owned\\u0007\\u001b]8;;https://evil.example\\u001b\\\\x\\u009b31m\\u202egnp\\u200b\\ue000\\u0000\\u007f &#27;[5m **b\\u001bold** `c\\u001bode`";

fn session(evil: &str) -> String {
    let line = |n: u32, parent: &str, rest: &str| {
        format!(
            r#"{{"parentUuid":{parent},"isSidechain":false,{rest},"uuid":"00000000-0000-4000-8000-{n:012}","timestamp":"2026-11-09T09:00:{n:02}.000Z","userType":"external","cwd":"/home/dev/{evil}","sessionId":"11111111-1111-4111-8111-111111111111","version":"2.1.332","gitBranch":"{evil}"}}"#
        )
    };
    let id = |n: u32| format!("\"00000000-0000-4000-8000-{n:012}\"");
    let assistant = |content: &str, n: u32| {
        format!(
            r#""type":"assistant","requestId":"req_{n}","message":{{"id":"msg_{n}","type":"message","role":"assistant","model":"{evil}","content":[{content}],"stop_reason":"tool_use","stop_sequence":null,"usage":{{"input_tokens":1,"output_tokens":1}}}}"#
        )
    };
    let user =
        |content: &str| format!(r#""type":"user","message":{{"role":"user","content":{content}}}"#);
    let mut lines = vec![line(1, "null", &user(&format!("\"{evil}\"")))];
    let blocks = [
        format!(r#"{{"type":"thinking","thinking":"{evil}","signature":"s"}}"#),
        format!(
            r#"{{"type":"text","text":"{evil}\n\n# {evil}\n\n- {evil}\n\n```\n{evil}\n```\n\n[{evil}](http://{evil})\n\n| {evil} |\n| --- |\n| {evil} |"}}"#
        ),
        format!(r#"{{"type":"tool_use","id":"t1","name":"Bash","input":{{"command":"{evil}"}}}}"#),
        format!(r#"{{"type":"tool_use","id":"t2","name":"{evil}","input":{{"{evil}":"{evil}"}}}}"#),
        format!(
            r#"{{"type":"tool_use","id":"t3","name":"mcp__a__{evil}","input":{{"path":"{evil}"}}}}"#
        ),
        format!(
            r#"{{"type":"tool_use","id":"t4","name":"Edit","input":{{"file_path":"/{evil}","old_string":"a","new_string":"{evil}"}}}}"#
        ),
        format!(
            r#"{{"type":"tool_use","id":"t5","name":"Agent","input":{{"description":"{evil}","prompt":"{evil}","subagent_type":"{evil}"}}}}"#
        ),
        format!(
            r#"{{"type":"tool_use","id":"t6","name":"WebSearch","input":{{"query":"{evil}"}}}}"#
        ),
    ];
    let mut n = 1;
    for block in &blocks {
        n += 1;
        lines.push(line(n, &id(n - 1), &assistant(block, 1)));
    }
    for call in 1..=6 {
        n += 1;
        let result = format!(
            r#"[{{"type":"tool_result","tool_use_id":"t{call}","is_error":true,"content":"{evil}\r50%\r100%\n{evil}"}}]"#
        );
        lines.push(line(n, &id(n - 1), &user(&result)));
    }
    lines.push(format!(
        r#"{{"type":"custom-title","customTitle":"{evil}","sessionId":"11111111-1111-4111-8111-111111111111"}}"#
    ));
    lines.push(format!(r#"{{"type":"{evil}","{evil}":1}}"#));
    lines.join("\n") + "\n"
}

#[test]
fn nothing_reaches_the_terminal() {
    let environment = TestEnvironment::new();
    environment.file(
        ".claude/projects/-home-dev/11111111-1111-4111-8111-111111111111.jsonl",
        session(EVIL),
    );
    let mut seen = 0;
    for command in [
        "",
        "ls",
        "ls --full",
        "show 1111",
        "show 1111 --full --reasoning",
        "context 1111",
        "context 1111 --full",
        "show 2222",
    ] {
        let ran = environment.run(command);
        for text in [&ran.stdout, &ran.stderr] {
            seen += text.matches("gnp").count();
            let harmful = |c: &char| {
                (c.is_control() && *c != '\n')
                    || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            };
            if let Some(found) = text.chars().find(harmful) {
                let line = text.lines().find(|l| l.contains(found)).unwrap();
                panic!("recount {command} prints {found:?} in {line:?}");
            }
        }
    }
    // The text itself is there, and what was made harmless can be seen.
    assert!(seen > 40, "{seen}");
    assert!(environment.print("show 1111").contains("␛[2J␛]0;owned␇"));
}
