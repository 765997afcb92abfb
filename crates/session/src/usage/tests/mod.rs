//! Each rule, with lines that would count wrong without it.

use recount_formats::Harness;

use super::{Reason, Resolved, Scanner, Tokens, Transcript, Verdict, claim, resolve, scan};

mod kept;

fn transcript(harness: Harness, name: &str, lines: &[String]) -> Transcript {
    let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    scan(Scanner::new(harness, name, true).unwrap(), text.as_bytes())
}

/// The sum of what counts, by thread.
fn by_thread(transcripts: &[Transcript]) -> Vec<(String, u64, u64)> {
    let resolved = resolve(transcripts);
    let mut sums = std::collections::BTreeMap::<String, (u64, u64)>::new();
    for (thread, tokens) in counted(transcripts, &resolved) {
        let sum = sums.entry(thread).or_default();
        sum.0 += 1;
        sum.1 += tokens.output;
    }
    sums.into_iter().map(|(thread, (n, output))| (thread, n, output)).collect()
}

fn counted(transcripts: &[Transcript], resolved: &Resolved) -> Vec<(String, Tokens)> {
    let mut found = Vec::new();
    for (n, transcript) in transcripts.iter().enumerate() {
        for (r, response) in transcript.responses.iter().enumerate() {
            let at = super::resolve::Pointer { transcript: n as u32, response: r as u32 };
            if let Some(thread) = resolved.thread_of(transcripts, at) {
                found.push((thread.to_owned(), response.tokens));
            }
        }
    }
    found
}

fn reasons(transcript: &Transcript) -> Vec<Reason> {
    transcript.notes.iter().flatten().map(|note| note.reason).collect()
}

fn row(thread: &str, responses: u64, output: u64) -> (String, u64, u64) {
    (thread.to_owned(), responses, output)
}

mod claude_code {
    use super::*;

    fn answer(id: &str, time: &str, output: u64, more: &str) -> String {
        format!(
            r#"{{"type":"assistant","uuid":"u-{id}-{output}","timestamp":"2026-10-01T{time}Z","sessionId":"s","cwd":"/home/dev/shop",{more}"message":{{"id":"{id}","role":"assistant","model":"claude-opus-5-5","content":[],"usage":{{"input_tokens":10,"cache_creation_input_tokens":30,"cache_read_input_tokens":200,"output_tokens":{output},"cache_creation":{{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":20}}}}}}}}"#
        )
    }

    fn session(name: &str, lines: &[String]) -> Transcript {
        transcript(Harness::ClaudeCode, name, lines)
    }

    #[test]
    fn a_response_counts_once_with_its_last_numbers_and_its_first_time() {
        let t = session(
            "s",
            &[answer("m1", "23:59:59.000", 1, ""), answer("m1", "00:00:09.000", 40, "")],
        );
        assert_eq!(t.responses.len(), 1);
        let tokens = t.responses[0].tokens;
        assert_eq!((tokens.output, tokens.input, tokens.cached), (40, 10, 200));
        assert_eq!((tokens.cache_write, tokens.cache_write_1h, tokens.total), (30, 20, 280));
        assert_eq!(t.responses[0].time, super::super::millis("2026-10-01T23:59:59Z").unwrap());
        assert_eq!(reasons(&t), [Reason::Split(0), Reason::Counted(0)]);
        assert_eq!(t.project.as_deref(), Some("/home/dev/shop"));
    }

    #[test]
    fn request_ids_do_not_matter() {
        let with = answer("m1", "10:00:00.000", 5, r#""requestId":"r1","#);
        let t = session("s", &[answer("m1", "10:00:00.000", 5, ""), with]);
        assert_eq!(t.responses.len(), 1);
    }

    #[test]
    fn synthetic_lines_and_sums_of_agents_do_not_count() {
        let synthetic =
            answer("m1", "10:00:00.000", 0, "").replace("claude-opus-5-5", "<synthetic>");
        let sum = r#"{"type":"user","toolUseResult":{"totalTokens":9,"usage":{"input_tokens":9,"output_tokens":9}}}"#;
        let t = session("s", &[synthetic, sum.to_owned()]);
        assert!(t.responses.is_empty());
        assert_eq!(reasons(&t), [Reason::Synthetic, Reason::Sum]);
    }

    #[test]
    fn text_that_looks_like_usage_is_none() {
        let line = r#"{"type":"user","message":{"role":"user","content":"{\"type\":\"assistant\",\"usage\":{\"output_tokens\":5}}"},"note":{"usage":{"output_tokens":5}}}"#;
        let t = session("s", &[line.to_owned()]);
        assert!(t.responses.is_empty() && reasons(&t).is_empty());
    }

    #[test]
    fn copies_count_for_their_source_whether_it_is_there_or_not() {
        let copy = r#""forkedFrom":{"sessionId":"s","messageUuid":"u"},"#;
        let source = session("s", &[answer("m1", "10:00:00.000", 5, "")]);
        let fork = session(
            "f",
            &[answer("m1", "10:00:00.000", 5, copy), answer("m2", "12:00:00.000", 7, "")],
        );
        let want = [row("f", 1, 7), row("s", 1, 5)];
        assert_eq!(by_thread(&[fork.clone(), source]), want);
        assert_eq!(by_thread(&[fork]), want);
    }

    #[test]
    fn a_copy_without_pointer_belongs_to_the_file_that_began_first() {
        let queue = |time: &str| {
            format!(r#"{{"type":"queue-operation","timestamp":"2026-10-01T{time}Z"}}"#)
        };
        let source = session("s", &[queue("09:00:00"), answer("m1", "10:00:00.000", 5, "")]);
        let fork = session(
            "a",
            &[
                r#"{"type":"mode","mode":"normal"}"#.to_owned(),
                queue("11:00:00"),
                answer("m1", "10:00:00.000", 5, ""),
                answer("m2", "12:00:00.000", 7, ""),
            ],
        );
        assert_eq!(by_thread(&[fork, source]), [row("a", 1, 7), row("s", 1, 5)]);
    }

    #[test]
    fn a_forked_agent_begins_with_its_parents_line() {
        let parent = session("s", &[answer("m1", "10:00:01.000", 50, "")]);
        let agent = session(
            "agent-a1",
            &[answer("m1", "10:00:00.000", 1, ""), answer("m2", "10:00:02.000", 7, "")],
        );
        assert!(agent.is_subagent);
        assert_eq!(by_thread(&[agent, parent]), [row("a1", 1, 7), row("s", 1, 50)]);
    }

    #[test]
    fn whole_records_on_a_spliced_line_count() {
        let two = format!(
            "{}{}",
            answer("m1", "10:00:00.000", 5, ""),
            answer("m2", "10:00:01.000", 7, "")
        );
        let cut = answer("m3", "10:00:02.000", 9, "");
        let behind = format!("{}{}", &cut[..90], answer("m4", "10:00:03.000", 11, ""));
        let t = session("s", &[two, behind]);
        assert_eq!(t.responses.iter().map(|r| r.tokens.output).collect::<Vec<_>>(), [5, 7, 11]);
        let torn = session("s", &[cut[..cut.len() - 9].to_owned()]);
        assert_eq!(reasons(&torn), [Reason::Damaged]);
    }

    #[test]
    fn iterations_beside_the_message_are_not_in_its_numbers() {
        let with = |iterations: &str| {
            let line = answer("m1", "10:00:00.000", 5, "");
            line.replace(r#""usage":{"#, &format!(r#""usage":{{"iterations":[{iterations}],"#))
        };
        let message = r#"{"type":"message","input_tokens":10,"cache_read_input_tokens":200,"output_tokens":5}"#;
        let advisor = r#"{"type":"advisor_message","input_tokens":1000,"output_tokens":70}"#;
        let t = session("s", &[with(message)]);
        assert_eq!((t.responses[0].tokens.input, t.responses[0].tokens.output), (10, 5));
        let t = session("s", &[with(&format!("{message},{advisor}"))]);
        assert_eq!((t.responses[0].tokens.input, t.responses[0].tokens.output), (1010, 75));
    }
}

mod codex {
    use super::*;

    const PARENT: &str = "01a04a07-0000-7000-8000-000000000001";
    const CHILD: &str = "01a074ac-0000-7000-8000-000000000002";

    fn meta(id: &str, time: &str, more: &str) -> String {
        format!(
            r#"{{"timestamp":"{time}","type":"session_meta","payload":{{"id":"{id}","cwd":"/home/dev/shop"{more}}}}}"#
        )
    }

    fn model(time: &str) -> String {
        format!(r#"{{"timestamp":"{time}","type":"turn_context","payload":{{"model":"gpt-5.5"}}}}"#)
    }

    fn usage(input: u64, output: u64) -> String {
        format!(
            r#"{{"input_tokens":{input},"cached_input_tokens":{},"output_tokens":{output},"reasoning_output_tokens":0,"total_tokens":{}}}"#,
            input / 2,
            input + output
        )
    }

    fn count(time: &str, total: (u64, u64), last: (u64, u64)) -> String {
        format!(
            r#"{{"timestamp":"{time}","type":"event_msg","payload":{{"type":"token_count","info":{{"total_token_usage":{},"last_token_usage":{},"model_context_window":258400}}}}}}"#,
            usage(total.0, total.1),
            usage(last.0, last.1)
        )
    }

    fn record(time: &str, thread: &str, id: &str, total: (u64, u64), used: (u64, u64)) -> String {
        format!(
            r#"{{"timestamp":"{time}","type":"token_usage_record","payload":{{"thread_id":"{thread}","turn_id":"t","response_id":"{id}","usage":{},"thread_token_usage":{}}}}}"#,
            usage(used.0, used.1),
            usage(total.0, total.1)
        )
    }

    fn rollout(id: &str, lines: &[String]) -> Transcript {
        transcript(Harness::Codex, &format!("rollout-2026-09-01T10-00-00-{id}"), lines)
    }

    const T0: &str = "2026-09-01T10:00:00.000Z";
    const T1: &str = "2026-09-01T10:00:05.000Z";
    const T2: &str = "2026-09-01T10:00:09.000Z";

    #[test]
    fn a_counter_behind_a_record_repeats_it() {
        let t = rollout(
            PARENT,
            &[
                meta(PARENT, T0, ""),
                model(T0),
                record(T1, PARENT, "r1", (100, 10), (100, 10)),
                count(T1, (100, 10), (100, 10)),
                // A compaction: only the record tells.
                record(T2, PARENT, "r2", (100, 10), (50, 5)),
                count(T2, (100, 10), (0, 0)),
                record(T2, PARENT, "r3", (230, 33), (130, 23)),
                count(T2, (230, 33), (130, 23)),
            ],
        );
        assert_eq!(t.responses.iter().map(|r| r.tokens.output).collect::<Vec<_>>(), [10, 5, 23]);
        assert_eq!(t.name_of(t.responses[0].model), "gpt-5.5");
        assert_eq!(t.responses[0].tokens.input, 50);
        assert_eq!(t.responses[0].tokens.total, 110);
        assert_eq!(reasons(&t)[1], Reason::Repeats(0));
        assert_eq!(reasons(&t)[3], Reason::Unmoved);
    }

    #[test]
    fn counters_count_when_they_move() {
        let t = rollout(
            PARENT,
            &[
                meta(PARENT, T0, ""),
                r#"{"timestamp":"2026-09-01T10:00:01Z","type":"event_msg","payload":{"type":"token_count","info":null,"note":"token_usage"}}"#.to_owned(),
                count(T1, (100, 10), (100, 10)),
                count(T1, (100, 10), (100, 10)),
                count(T2, (300, 30), (200, 20)),
                // One was lost: the difference holds it.
                count(T2, (900, 90), (300, 30)),
                // The counter began again, beyond where it was.
                count(T2, (950, 95), (950, 95)),
                // The counter began again below.
                count(T2, (40, 4), (40, 4)),
            ],
        );
        assert_eq!(
            t.responses.iter().map(|r| r.tokens.output).collect::<Vec<_>>(),
            [10, 20, 60, 95, 4]
        );
    }

    #[test]
    fn a_total_without_parts_was_made_up() {
        let made_up =
            count(T1, (0, 0), (0, 0)).replace(r#""total_tokens":0}"#, r#""total_tokens":258400}"#);
        let t = rollout(
            PARENT,
            &[
                meta(PARENT, T0, ""),
                count(T1, (100, 10), (100, 10)),
                made_up,
                count(T2, (70, 7), (70, 7)),
            ],
        );
        assert_eq!(t.responses.iter().map(|r| r.tokens.output).collect::<Vec<_>>(), [10, 7]);
        assert_eq!(reasons(&t)[1], Reason::Synthesized);
    }

    fn parent() -> Transcript {
        rollout(
            PARENT,
            &[
                meta(PARENT, T0, ""),
                count(T1, (100, 10), (100, 10)),
                count(T2, (300, 30), (200, 20)),
                count(T2, (700, 70), (400, 40)),
            ],
        )
    }

    /// A fork before the parent's third response, its copies stamped with the time of the fork.
    fn fork(id: &str, own: u64) -> Transcript {
        let now = "2026-09-03T15:00:00.120Z";
        rollout(
            id,
            &[
                meta(id, now, &format!(r#","forked_from_id":"{PARENT}""#)),
                meta(PARENT, now, ""),
                count(now, (100, 10), (100, 10)),
                count(now, (300, 30), (200, 20)),
                count("2026-09-03T15:00:04.000Z", (300, 30), (200, 20)),
                count("2026-09-03T15:00:04.100Z", (300 + own, 30 + own), (own, own)),
            ],
        )
    }

    #[test]
    fn a_fork_replays_its_parent() {
        let (parent, fork) = (parent(), fork(CHILD, 6));
        let both = [fork, parent];
        assert_eq!(by_thread(&both), [row(PARENT, 3, 70), row(CHILD, 1, 6)]);
        let resolved = resolve(&both);
        assert!(matches!(resolved.verdicts[0][0], Verdict::CopyOf(p) if p.transcript == 1));
    }

    #[test]
    fn copies_of_a_parent_that_is_gone_count_once_for_it() {
        let second = "01a074ac-0000-7000-8000-000000000003";
        let forks = [fork(CHILD, 6), fork(second, 8)];
        assert_eq!(by_thread(&forks), [row(PARENT, 2, 30), row(CHILD, 1, 6), row(second, 1, 8)]);
    }

    #[test]
    fn forks_with_equal_answers_are_two() {
        let second = "01a074ac-0000-7000-8000-000000000003";
        let all = [parent(), fork(CHILD, 6), fork(second, 6)];
        assert_eq!(by_thread(&all), [row(PARENT, 3, 70), row(CHILD, 1, 6), row(second, 1, 6)]);
    }

    #[test]
    fn replayed_records_name_their_thread() {
        let parent = rollout(
            PARENT,
            &[meta(PARENT, T0, ""), record(T1, PARENT, "r1", (100, 10), (100, 10))],
        );
        let fork = rollout(
            CHILD,
            &[
                meta(CHILD, T2, &format!(r#","forked_from_id":"{PARENT}""#)),
                meta(PARENT, T2, ""),
                record(T2, PARENT, "r1", (100, 10), (100, 10)),
                count(T2, (100, 10), (100, 10)),
                record(T2, CHILD, "r2", (150, 15), (50, 5)),
                count(T2, (150, 15), (50, 5)),
            ],
        );
        let want = [row(PARENT, 1, 10), row(CHILD, 1, 5)];
        assert_eq!(by_thread(&[fork.clone(), parent]), want);
        assert_eq!(by_thread(&[fork]), want);
    }

    #[test]
    fn lines_before_an_agents_own_history_are_its_parents() {
        let ordinal = |n: u64, line: String| line.replacen('{', &format!(r#"{{"ordinal":{n},"#), 1);
        let spawn = format!(
            r#","subagent_history_start_ordinal":2,"source":{{"subagent":{{"thread_spawn":{{"parent_thread_id":"{PARENT}"}}}}}}"#
        );
        let agent = rollout(
            CHILD,
            &[
                ordinal(0, meta(CHILD, T2, &spawn)),
                ordinal(1, count(T2, (100, 10), (100, 10))),
                ordinal(2, record(T2, CHILD, "r2", (50, 5), (50, 5))),
                ordinal(3, count(T2, (50, 5), (50, 5))),
            ],
        );
        assert!(agent.is_subagent);
        assert_eq!(by_thread(&[agent, parent()]), [row(PARENT, 3, 70), row(CHILD, 1, 5)]);
    }

    #[test]
    fn a_rollout_that_is_there_twice_counts_once() {
        assert_eq!(by_thread(&[parent(), parent()]), [row(PARENT, 3, 70)]);
    }

    #[test]
    fn a_rollout_without_header_is_named_by_its_file() {
        let t = rollout(PARENT, &[record(T1, PARENT, "r1", (100, 10), (100, 10))]);
        assert_eq!(by_thread(&[t]), [row(PARENT, 1, 10)]);
    }
}

mod pi {
    use super::*;

    fn header(id: &str, time: &str, more: &str) -> String {
        format!(
            r#"{{"type":"session","version":3,"id":"{id}","timestamp":"{time}","cwd":"/home/dev/shop"{more}}}"#
        )
    }

    fn usage(output: u64) -> String {
        format!(
            r#""usage":{{"input":10,"output":{output},"cacheRead":100,"cacheWrite":20,"cacheWrite1h":5,"totalTokens":1,"cost":{{"total":0.5}}}}"#
        )
    }

    fn message(role: &str, time: &str, id: &str, output: u64) -> String {
        format!(
            r#"{{"type":"message","id":"e","timestamp":"{time}","message":{{"role":"{role}","model":"gpt-5.2","timestamp":"{time}","responseId":"{id}",{}}}}}"#,
            usage(output)
        )
    }

    #[test]
    fn all_calls_count_and_the_header_names_the_session() {
        let time = "2026-08-19T10:00:00Z";
        let beside =
            |kind: &str| format!(r#"{{"type":"{kind}","timestamp":"{time}",{}}}"#, usage(3));
        let mut lines = vec![
            header("h1", time, ""),
            message("assistant", time, "r1", 5),
            message("toolResult", time, "r2", 7),
        ];
        lines.extend(["usage", "compaction", "branch_summary", "label"].map(beside));
        let t = transcript(Harness::Pi, "2026-08-19T10-00-00-000Z_other", &lines);
        assert_eq!(by_thread(std::slice::from_ref(&t)), [row("h1", 5, 21)]);
        assert_eq!(t.responses[0].cost, Some(0.5));
        let tokens = t.responses[0].tokens;
        assert_eq!((tokens.cache_write, tokens.cache_write_1h, tokens.total), (20, 5, 135));
    }

    #[test]
    fn a_fork_repeats_its_parent() {
        let parent = transcript(
            Harness::Pi,
            "2026-08-19T10-00-00-000Z_p",
            &[
                header("p", "2026-08-19T10:00:00Z", ""),
                message("assistant", "2026-08-19T10:00:03Z", "r1", 5),
            ],
        );
        let fork = transcript(
            Harness::Pi,
            "2026-08-20T10-00-00-000Z_f",
            &[
                header(
                    "f",
                    "2026-08-20T10:00:00Z",
                    r#","parentSession":"/home/dev/.pi/agent/sessions/x/2026-08-19T10-00-00-000Z_p.jsonl""#,
                ),
                message("assistant", "2026-08-19T10:00:03Z", "r1", 5),
                message("assistant", "2026-08-20T10:00:03Z", "r2", 7),
            ],
        );
        let want = [row("f", 1, 7), row("p", 1, 5)];
        assert_eq!(by_thread(&[fork.clone(), parent]), want);
        assert_eq!(by_thread(&[fork]), want);
    }

    #[test]
    fn ids_of_local_servers_are_no_identity() {
        let one = |name: &str, time: &str| {
            transcript(
                Harness::Pi,
                name,
                &[header(name, time, ""), message("assistant", time, "chatcmpl-1", 5)],
            )
        };
        let both = [one("a", "2026-08-19T10:00:00Z"), one("b", "2026-08-19T11:00:00Z")];
        assert_eq!(by_thread(&both), [row("a", 1, 5), row("b", 1, 5)]);
    }

    #[test]
    fn a_call_that_failed_is_no_response() {
        let time = "2026-08-19T10:00:00Z";
        let failed = r#"{"type":"message","message":{"role":"assistant","usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0}}}"#;
        let t = transcript(Harness::Pi, "x_y", &[header("y", time, ""), failed.to_owned()]);
        assert!(t.responses.is_empty());
        assert_eq!(reasons(&t), [Reason::Empty]);
    }
}

mod feed {
    use super::super::{Feeder, Scanner};
    use super::*;

    #[test]
    fn blocks_of_any_size_give_the_same() {
        let lines: Vec<String> = (0..40)
            .map(|n| {
                let filler = "x".repeat(n * 7 % 50);
                format!(
                    r#"{{"type":"assistant" , "timestamp":"2026-10-01T10:00:{n:02}Z","text":"{filler}","message":{{"usage" : {{"output_tokens":{n}}},"id":"m{n}"}}}}"#
                )
            })
            .collect();
        let text = lines.join("\r\n");
        let whole = transcript(Harness::ClaudeCode, "s", &lines);
        assert_eq!(whole.responses.len(), 40);
        for size in [1, 2, 7, 64, 300, 10_000] {
            let scanner = Scanner::new(Harness::ClaudeCode, "s", true).unwrap();
            let mut feeder = Feeder::new(scanner, true);
            let mut buffer = Vec::new();
            for part in text.as_bytes().chunks(size) {
                buffer.extend_from_slice(part);
                let taken = feeder.feed(&buffer, false);
                buffer.drain(..taken);
            }
            feeder.feed(&buffer, true);
            let got = feeder.finish();
            assert_eq!(got.responses.len(), 40, "blocks of {size}");
            let lines: Vec<u64> = got.notes.iter().flatten().map(|n| n.line).collect();
            assert_eq!(lines, (1..=40).collect::<Vec<_>>(), "blocks of {size}");
        }
    }
}

mod opencode {
    use super::*;

    fn session(id: &str, more: &str) -> String {
        format!(
            r#"{{"table":"session_v2","id":"{id}","directory":"/home/dev/shop","time_created":1790000060500{more}}}"#
        )
    }

    fn step(id: &str, seq: u64, output: u64) -> String {
        format!(
            r#"{{"table":"session_message","id":"{id}","type":"assistant","seq":{seq},"data":{{"time":{{"created":17900000{seq}}},"model":{{"id":"mock-a"}},"cost":0.5,"tokens":{{"input":10,"output":{output},"reasoning":3,"cache":{{"read":200,"write":7}}}}}}}}"#
        )
    }

    fn rows(id: &str, lines: &[String]) -> Transcript {
        transcript(Harness::Opencode, id, lines)
    }

    #[test]
    fn the_session_s_own_sums_are_a_claim_with_the_title_in_it() {
        let sums = r#","cost":1.25,"tokens_input":30,"tokens_output":11,"tokens_reasoning":6,"tokens_cache_read":400,"tokens_cache_write":14"#;
        for table in ["session", "session_v2"] {
            let first = session("s", sums).replace("session_v2", table);
            let lines = [first, step("msg_a", 1, 5)].join("\n");
            let said = claim(Harness::Opencode, lines.as_bytes()).unwrap();
            assert_eq!((said.tokens.total, said.tokens.output, said.cost), (461, 11, Some(1.25)));
            assert!(said.beyond.contains("title"));
            // What is counted does not hold it.
            let t = rows("s", &[session("s", sums), step("msg_a", 1, 5)]);
            assert_eq!(t.responses.len(), 1);
            assert_eq!(t.responses[0].tokens.total, 225);
        }
        // A row of another table, one without sums, and one that is broken claim nothing.
        for line in [step("msg_a", 1, 5), session("s", ""), "{".to_owned()] {
            assert!(claim(Harness::Opencode, line.as_bytes()).is_none(), "{line}");
        }
    }

    #[test]
    fn steps_and_compactions_count_and_reasoning_stands_beside_the_output() {
        let compaction = step("msg_b", 2, 9).replace("assistant", "compaction");
        let user = step("msg_c", 3, 1).replace("assistant", "user");
        let t = rows("s", &[session("s", ""), step("msg_a", 1, 5), compaction, user]);
        assert_eq!(by_thread(std::slice::from_ref(&t)), [row("s", 2, 14)]);
        assert_eq!(t.responses[0].tokens.total, 225);
        assert_eq!(t.responses[0].cost, Some(0.5));
    }

    #[test]
    fn rows_that_a_fork_copied_count_in_the_source() {
        let source = rows("s", &[session("s", ""), step("msg_a", 1, 5), step("msg_b", 2, 6)]);
        let fork = |id: &str, of: &str, own: u64| {
            let lines = [
                session(id, &format!(r#","fork_session_id":"{of}""#)),
                step("msg_copied_1", 1, 5),
                step("msg_copied_2", 2, 6),
                step(&format!("msg_{id}"), 7, own),
            ];
            rows(id, &lines)
        };
        let all = [fork("f", "s", 70), fork("g", "f", 80), source];
        assert_eq!(by_thread(&all), [row("f", 1, 70), row("g", 1, 80), row("s", 2, 11)]);
        let alone = [fork("f", "s", 70)];
        assert_eq!(by_thread(&alone), [row("f", 1, 70), row("s", 2, 11)]);
    }

    #[test]
    fn messages_that_a_fork_of_old_copied_are_the_same() {
        let message = |id: &str, created: u64| {
            format!(
                r#"{{"table":"message","id":"{id}","data":{{"role":"assistant","time":{{"created":{created},"completed":9}},"modelID":"mock-a","tokens":{{"input":1,"output":5}}}}}}"#
            )
        };
        let old = |id: &str, created: u64, lines: &[String]| {
            let head = format!(r#"{{"table":"session","id":"{id}","time_created":{created}}}"#);
            rows(id, &[&[head], lines].concat())
        };
        let all = [
            old("b", 20, &[message("m3", 1), message("m4", 7)]),
            old("a", 10, &[message("m1", 1), message("m2", 1)]),
        ];
        assert_eq!(by_thread(&all), [row("a", 2, 10), row("b", 1, 5)]);
    }
}
