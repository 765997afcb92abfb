//! Sub-agents: inside, by reference, as bare steps, in stores of their own.

use super::*;
use crate::model::Subagent;
use crate::rebuild::cursor_agent::head;

fn state(chat: &mut Chat, prompt: &str, more: &Value) -> Value {
    let turn = chat.turn(
        &json!({ "text": prompt, "message_id": prompt }),
        &[json!({ "assistant_message": { "text": "Found." } })],
    );
    let mut root = json!({ "turns": [turn] });
    root.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({
        "conversation_state": root, "created_timestamp_ms": 1_767_312_000_000_i64, "last_used_timestamp_ms": 1_767_312_005_000_i64,
        "subagent_type": { "explore": {} }, "model_id": "small-model", "environment": "LOCAL",
    })
}

fn task(id: &str, agent: &str) -> Value {
    call(
        "task",
        id,
        json!({ "description": "Look", "prompt": "Find it", "subagent_type": { "custom": { "name": "reviewer" } } }),
        json!({ "success": { "agent_id": agent, "result_suffix": "Found." } }),
    )
}

/// One sub-agent inside of the root with a further one, and one by reference.
fn family() -> Chat {
    let mut chat = Chat::default();
    let inner = state(&mut chat, "Inner", &json!({}));
    let outer = state(&mut chat, "Outer", &json!({ "subagent_states": { "inner": inner } }));
    let other = state(&mut chat, "Other", &json!({}));
    let other = chat.put("SubagentPersistedState", &other);
    let turn = chat.turn(
        &json!({ "text": "Go", "message_id": "m1" }),
        &[task("t1", "outer"), task("t2", "other")],
    );
    rooted(
        chat,
        &json!({
            "turns": [turn],
            "subagent_states": { "outer": outer },
            "subagent_state_refs": { "other": other },
            "subagent_runs_by_parent_tool_call_id": {
                "t1": { "parent_tool_call_id": "t1", "subagent_id": "outer", "status": "SUCCESS", "title": "Look around" },
                "t3": { "parent_tool_call_id": "t3", "subagent_id": "gone", "status": "RUNNING" },
            },
        }),
    )
}

#[test]
fn a_thread_names_its_sub_agents_with_their_calls() {
    let chat = family();
    let facts = Facts {
        children: vec![Subagent {
            id: "own".into(),
            tool_call_id: Some("t4".into()),
            name: Some("store".into()),
        }],
        ..Facts::default()
    };
    let thread = with(&chat, &facts, |input| super::super::thread(input, None));
    assert_eq!(thread.findings, []);
    let agents: Vec<_> = thread
        .lineage
        .subagents
        .iter()
        .map(|a| (a.id.as_str(), a.tool_call_id.as_deref().unwrap_or("-")))
        .collect();
    assert_eq!(agents, [("outer", "t1"), ("other", "t2"), ("gone", "t3"), ("own", "t4")]);
    let item = serde_json::to_value(&thread.turns[0].items[1].kind).unwrap();
    assert_eq!(item["receiverThreadIds"], json!(["outer"]));
    assert_eq!(item["agentsStates"]["outer"]["status"], "completed");
    assert_eq!(
        (&item["description"], &item["result"]),
        (&json!("reviewer: Look"), &json!("Found."))
    );
}

#[test]
fn each_sub_agent_is_a_thread() {
    let chat = family();
    let outer = agent(&chat, "outer");
    assert_eq!(shown(&outer), ["# Completed", "userMessage Outer", "agentMessage Found."]);
    assert_eq!(outer.title.as_deref(), Some("Look around"));
    assert_eq!(outer.model.as_deref(), Some("small-model"));
    assert_eq!(outer.lineage.parent_id.as_deref(), Some(ID));
    assert_eq!(
        outer.lineage.subagents.iter().map(|a| a.id.as_str()).collect::<Vec<_>>(),
        ["inner"]
    );
    let inner = agent(&chat, "inner");
    assert_eq!(shown(&inner)[1], "userMessage Inner");
    assert_eq!(inner.lineage.parent_id.as_deref(), Some("outer"));
    let other = agent(&chat, "other");
    assert_eq!(shown(&other)[1], "userMessage Other");
    assert_eq!(other.findings, []);
}

#[test]
fn bare_steps_are_shown_when_nothing_else_is_kept() {
    let steps = json!([
        { "thinking_message": { "text": "look" } },
        { "tool_call": { "read": { "args": { "path": "x" }, "result": { "success": { "content": "y" } } }, "tool_call_id": "c1" } },
        { "assistant_message": { "text": "Found it." } },
    ]);
    let step = call(
        "task",
        "t1",
        json!({ "prompt": "Find x", "description": "Look" }),
        json!({ "success": { "agent_id": "bare", "conversation_steps": steps } }),
    );
    let chat = of_steps(&[step]);
    let parent = thread(&chat);
    assert_eq!(parent.turns[0].items.len(), 2, "the steps are no steps of the parent");
    let item = serde_json::to_value(&parent.turns[0].items[1].kind).unwrap();
    assert_eq!(item["result"], "Found it.");
    let bare = agent(&chat, "bare");
    assert_eq!(
        shown(&bare),
        [
            "# Completed",
            "userMessage Find x",
            "reasoning look",
            "dynamicToolCall read completed",
            "agentMessage Found it."
        ]
    );
    assert_eq!(bare.lineage.parent_id.as_deref(), Some(ID));
    let listed = with(&chat, &Facts::default(), head::inline_agents);
    assert_eq!(listed, [("bare".to_owned(), Some("Look".to_owned()))]);
}

#[test]
fn a_store_of_a_sub_agent_names_its_parent() {
    let mut chat = of_steps(&[]);
    chat.settings["subagentInfo"] = json!({ "parentAgentId": "p1", "rootParentAgentId": "p0", "toolCallId": "t1", "typeName": "explore" });
    assert_eq!(thread(&chat).lineage.parent_id.as_deref(), Some("p1"));
    let head = with(&chat, &Facts::default(), head::head);
    assert_eq!(
        (head.parent_id.as_deref(), head.parent_call.as_deref(), head.kind.as_deref()),
        (Some("p1"), Some("t1"), Some("explore"))
    );
}

#[test]
fn lists_know_sub_agents_and_what_forks_share() {
    let head = with(&family(), &Facts::default(), head::head);
    let agents: Vec<_> = head
        .agents
        .iter()
        .map(|a| (a.id.as_str(), a.parent_id.as_str(), a.title.as_deref().unwrap_or("-")))
        .collect();
    assert_eq!(
        agents,
        [("outer", ID, "Look around"), ("inner", "outer", "Inner"), ("other", ID, "Other")]
    );
    assert_eq!(head.turns, Some(1));
    assert_eq!(head.title.as_deref(), Some("Go"));
    assert!(head.first_prompt.is_some());
    assert!(!head.is_lost);
}

#[test]
fn a_sub_agent_that_names_itself_ends() {
    let mut chat = Chat::default();
    // Its blob gets the id that it names: ids need not be hashes.
    let id = "ab".repeat(32);
    let state = builder::encoded(
        "SubagentPersistedState",
        &json!({ "conversation_state": { "subagent_state_refs": { "self": id, "twin": id } } }),
    );
    chat.blobs.insert(id.clone(), state);
    let chat = rooted(chat, &json!({ "subagent_state_refs": { "self": id } }));
    assert_eq!(codes(&thread(&chat)), [Code::ParentCycle]);
    let head = with(&chat, &Facts::default(), head::head);
    assert_eq!(head.agents.len(), 2);
}
