//! What the benches read: the files below `RECOUNT_BENCH_CORPUS`, else sessions made here from a seed.

use std::fmt::Write as _;
use std::path::Path;

use recount_formats::Harness;

/// Where to find real or larger input.
pub(crate) const VARIABLE: &str = "RECOUNT_BENCH_CORPUS";

const WANTED: usize = 48 << 20;

/// Transcripts of one harness, one behind the other. Every line ends with a line feed.
pub(crate) fn of(harness: Harness) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(root) = std::env::var_os(VARIABLE) {
        collect(Path::new(&root), harness, &mut bytes);
    }
    if bytes.is_empty() { made(harness) } else { bytes }
}

fn collect(dir: &Path, harness: Harness, out: &mut Vec<u8>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if out.len() >= WANTED {
            return;
        }
        if path.is_dir() {
            collect(&path, harness, out);
        } else if path.extension().is_some_and(|e| e == "jsonl")
            && let Ok(bytes) = std::fs::read(&path)
            && recount_formats::detect::harness(&bytes[..bytes.len().min(64 << 10)])
                == Some(harness)
        {
            out.extend_from_slice(&bytes);
            if !bytes.ends_with(b"\n") {
                out.push(b'\n');
            }
        }
    }
}

/// A small generator of pseudo-random numbers (xorshift), so that every run measures the same bytes.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    /// Text as a JSON string holds it: words, quotes, line feeds, some characters beyond ASCII.
    fn text(&mut self, words: usize) -> String {
        const WORDS: &[&str] = &[
            "the",
            "cart",
            "ignores",
            "fn",
            "total(",
            "items:",
            "&[Item])",
            "->",
            "u64",
            "{",
            "discount",
            "return",
            "\\\"SPRING\\\"",
            "\\n    ",
            "\\n",
            "test",
            "passed",
            "größer",
            "価格",
            "…",
            "src/shop/cart.rs",
            "assert_eq!(total,",
            "1299);",
            "\\t",
            "and",
            "then",
        ];
        let mut out = String::new();
        for _ in 0..words {
            out.push_str(WORDS[self.below(WORDS.len())]);
            out.push(' ');
        }
        out
    }

    fn base64(&mut self, len: usize) -> String {
        const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        (0..len).map(|_| char::from(ALPHABET[self.below(64)])).collect()
    }
}

fn made(harness: Harness) -> Vec<u8> {
    let mut random = Random(0x5EED_0FC0_FFEE_1234);
    let mut out = String::with_capacity(WANTED + (1 << 20));
    let mut n = 0;
    while out.len() < WANTED {
        n += 1;
        match harness {
            Harness::Codex => codex_line(&mut random, n, &mut out),
            _ => claude_line(&mut random, n, &mut out),
        }
        out.push('\n');
    }
    out.into_bytes()
}

fn codex_line(random: &mut Random, n: usize, out: &mut String) {
    let _ = write!(out, r#"{{"timestamp":"2026-05-06T07:08:09.120Z","ordinal":{n},"#);
    let turn = "01b2c3d4-0b0b-7333-8444-00000000000a";
    let _ = match random.below(8) {
        0 => {
            let (words, blob) = (random.below(30), 400 + random.below(2000));
            write!(
                out,
                r#""type":"response_item","payload":{{"type":"reasoning","id":"rs_{n}","summary":[{{"type":"summary_text","text":"{}"}}],"encrypted_content":"{}"}}}}"#,
                random.text(words),
                random.base64(blob)
            )
        }
        1 | 2 => {
            let words = 10 + random.below(120);
            write!(
                out,
                r#""type":"response_item","payload":{{"type":"function_call","name":"exec_command","arguments":"{{\"cmd\":\"cargo test\",\"workdir\":\"/home/dev/shop\"}} {}","call_id":"call_{n}"}}}}"#,
                random.text(words)
            )
        }
        3 | 4 => {
            let words = 20 + random.below(1200);
            write!(
                out,
                r#""type":"response_item","payload":{{"type":"function_call_output","call_id":"call_{n}","output":"{}"}}}}"#,
                random.text(words)
            )
        }
        5 => write!(
            out,
            r#""type":"event_msg","payload":{{"type":"token_count","info":{{"total_token_usage":{{"input_tokens":{n},"cached_input_tokens":12,"output_tokens":9,"reasoning_output_tokens":3,"total_tokens":{n}}},"last_token_usage":{{"input_tokens":70,"cached_input_tokens":12,"output_tokens":9,"reasoning_output_tokens":3,"total_tokens":79}},"model_context_window":272000}},"rate_limits":null}}}}"#
        ),
        6 => {
            let words = 5 + random.below(200);
            write!(
                out,
                r#""type":"response_item","payload":{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":"{}"}}]}}}}"#,
                random.text(words)
            )
        }
        _ => {
            let words = 20 + random.below(600);
            write!(
                out,
                r#""type":"event_msg","payload":{{"type":"item_completed","thread_id":"{turn}","turn_id":"{turn}","item":{{"type":"CommandExecution","id":"call_{n}","command":["bash","-lc","cargo test"],"cwd":"/home/dev/shop","status":"completed","aggregated_output":"{}","exit_code":0,"duration":{{"secs":1,"nanos":20}}}}}}}}"#,
                random.text(words)
            )
        }
    };
}

fn claude_line(random: &mut Random, n: usize, out: &mut String) {
    let node = format!(
        r#""uuid":"00001a01-3c1e-4b7a-8f20-{n:012x}","timestamp":"2026-11-03T09:15:02.114Z","userType":"external","entrypoint":"cli","cwd":"/home/dev/shop","sessionId":"5e0c1d2a-7b34-4c1f-9a6e-0f2d3c4b5a69","version":"2.1.332","gitBranch":"main"}}"#
    );
    let _ = write!(
        out,
        r#"{{"parentUuid":"00001a01-3c1e-4b7a-8f20-{:012x}","isSidechain":false,"#,
        n - 1
    );
    let usage = r#""usage":{"input_tokens":10,"cache_creation_input_tokens":312,"cache_read_input_tokens":14972,"output_tokens":1454,"service_tier":"standard"}"#;
    let head = r#""type":"message","role":"assistant","model":"claude-sonnet-5-5","content""#;
    let _ = match random.below(8) {
        0 | 1 => {
            let words = 5 + random.below(200);
            write!(
                out,
                r#""message":{{"id":"msg_{n}",{head}:[{{"type":"text","text":"{}"}}],{usage}}},"requestId":"req_{n}","type":"assistant",{node}"#,
                random.text(words)
            )
        }
        2 => {
            let blob = 200 + random.below(1500);
            write!(
                out,
                r#""message":{{"id":"msg_{n}",{head}:[{{"type":"thinking","thinking":"","signature":"{}"}}],{usage}}},"requestId":"req_{n}","type":"assistant",{node}"#,
                random.base64(blob)
            )
        }
        3 | 4 => {
            let words = 5 + random.below(300);
            write!(
                out,
                r#""message":{{"id":"msg_{n}",{head}:[{{"type":"tool_use","id":"toolu_{n}","name":"Edit","input":{{"file_path":"/home/dev/shop/cart.rs","old_string":"{}","new_string":"x"}}}}],{usage}}},"requestId":"req_{n}","type":"assistant",{node}"#,
                random.text(words)
            )
        }
        5 | 6 => {
            let words = 20 + random.below(1000);
            let text = random.text(words);
            write!(
                out,
                r#""type":"user","message":{{"role":"user","content":[{{"tool_use_id":"toolu_{n}","type":"tool_result","content":"{text}"}}]}},"toolUseResult":{{"stdout":"{text}","stderr":"","interrupted":false}},{node}"#
            )
        }
        _ => {
            let words = 5 + random.below(60);
            write!(
                out,
                r#""type":"user","promptId":"7f4a2c10","message":{{"role":"user","content":"{}"}},"permissionMode":"default",{node}"#,
                random.text(words)
            )
        }
    };
}
