//! The open corpus, where it stands beside the clone: each chat compared with what its maker put in.

use serde_json::Value;

use super::*;

/// Copies a folder: stores are never opened in place.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::write(&target, fs::read(&path).unwrap()).unwrap();
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// What an item is, as the corpus tells its steps.
fn step(item: &Value) -> Option<String> {
    Some(match item["type"].as_str()? {
        "agentMessage" => format!("text {}", text(&item["text"])),
        "reasoning" => format!("thinking {}", text(&item["content"][0])),
        "userMessage" | "notice" | "plan" | "contextCompaction" | "hookPrompt" => return None,
        _ => {
            let status = match item["status"].as_str() {
                Some("inProgress") => "pending",
                Some("completed") => "good",
                _ => "bad",
            };
            format!("tool {} {status}", text(&item["id"]))
        }
    })
}

fn expected_step(step: &Value) -> String {
    match step["kind"].as_str() {
        Some("text") => format!("text {}", text(&step["text"])),
        Some("thinking") => format!("thinking {}", text(&step["text"])),
        _ => {
            let is_error = step["result"]["is_error"] == true;
            let status = match step["result_case"].as_str() {
                _ if step["pending"] == true => "pending",
                None | Some("success") if !is_error => "good",
                _ => "bad",
            };
            format!("tool {} {status}", text(&step["tool_call_id"]))
        }
    }
}

fn check_turns(case: &str, expected: &Value, thread: &Thread) {
    let turns = expected["turns"].as_array().unwrap();
    assert_eq!(thread.turns.len(), turns.len(), "{case}: turns");
    for (turn, expected) in thread.turns.iter().zip(turns) {
        let items = serde_json::to_value(&turn.items).unwrap();
        let items = items.as_array().unwrap();
        let duration = expected["timing"]["duration_ms"].as_i64();
        assert_eq!(turn.duration_ms, duration, "{case}: duration");
        if expected["kind"] == "shell" {
            assert_eq!(items[0]["command"], expected["command"], "{case}");
            assert_eq!(items[0]["exitCode"], expected["exit_code"], "{case}");
            continue;
        }
        let steps: Vec<String> = items.iter().filter_map(step).collect();
        let wanted: Vec<String> =
            expected["steps"].as_array().unwrap().iter().map(expected_step).collect();
        assert_eq!(steps, wanted, "{case}: steps of {}", turn.id);
    }
}

fn check_agents(case: &str, home: &Home, expected: &Value) {
    for agent in expected["subagents"].as_array().into_iter().flatten() {
        let id = text(&agent["subagent_id"]);
        let thread = home.thread(&id);
        assert_eq!(thread.findings, [], "{case} {id}");
        check_turns(case, agent, &thread);
        let parent = home.thread(thread.lineage.parent_id.as_deref().unwrap());
        let linked = parent.lineage.subagents.iter().find(|a| a.id == id).unwrap();
        assert_eq!(
            linked.tool_call_id.as_deref(),
            agent["parent_tool_call_id"].as_str(),
            "{case} {id}"
        );
        check_agents(case, home, agent);
    }
}

#[test]
fn every_chat_is_what_its_maker_put_in() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/cursor-agent");
    let Ok(cases) = fs::read_dir(&corpus) else { return };
    for case in
        cases.filter_map(|c| Some(c.ok()?.path())).filter(|c| c.join("expected.json").is_file())
    {
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        let home = Home::new();
        copy(&case.join("home/.cursor"), home.root());
        let before = home.listing();
        let expected: Value =
            serde_json::from_slice(&fs::read(case.join("expected.json")).unwrap()).unwrap();
        let listed: BTreeMap<String, SessionHead> =
            home.list().into_iter().map(|head| (head.id.clone(), head)).collect();
        for session in expected["sessions"].as_array().unwrap() {
            let id = text(&session["chat_id"]);
            let head = &listed[&id];
            let thread = home.thread(&id);
            if session["damage"].as_array().is_some_and(|d| !d.is_empty()) {
                assert!(!thread.findings.is_empty(), "{name} {id}: damage is told");
                continue;
            }
            if session["source"] == "store" || session["source"] == "acp" {
                assert_eq!(head.model.as_deref(), session["model"].as_str(), "{name} {id}: model");
                assert_eq!(
                    thread.model.as_deref(),
                    session["model"].as_str(),
                    "{name} {id}: model"
                );
                check_turns(&name, session, &thread);
                check_agents(&name, &home, session);
                let used = session["context_tokens"]["used"].as_u64();
                assert_eq!(thread.context.map(|c| c.used_tokens), used, "{name} {id}: context");
                let view = home.open(&id).model_view(None);
                assert_eq!(view.compactions, session["archives"].as_array().unwrap().len() as u64);
            }
            if let Some(cwd) = session["cwd"].as_str() {
                assert_eq!(
                    (head.cwd.as_deref(), thread.cwd.as_deref()),
                    (Some(cwd), Some(cwd)),
                    "{name} {id}"
                );
            }
        }
        assert_eq!(home.listing(), before, "{name}: nothing was touched");
    }
}
