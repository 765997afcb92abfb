//! Forks, rollbacks, reverts, the archive. That Codex itself reads them so is checked by `cargo xtask live codex`.

use super::*;

fn first_line(text: &str) -> serde_json::Value {
    serde_json::from_str(text.lines().next().unwrap()).unwrap()
}

#[test]
fn a_legacy_fork_is_a_copy() {
    let home = Home::codex(false);
    let before = home.read(FILE);
    let report = home.editor(ID).fork(&Cut::End).unwrap();
    let new = report.new_thread_id.clone().unwrap();
    assert_eq!(home.turns(&new), TURNS);
    assert_eq!((report.turns, report.removed_turns.len()), (Some(3), 0));
    assert_eq!(home.read(FILE), before, "the source stays as it is");
    let name = format!("rollout-2026-03-04T05-06-07-{new}.jsonl");
    assert_eq!(report.path, home.path("sessions/2026/03/04").join(name));
    let text = fs::read_to_string(&report.path).unwrap();
    let meta = first_line(&text);
    let payload = &meta["payload"];
    assert_eq!(payload["forked_from_id"], ID);
    assert_eq!(
        (&payload["id"], &payload["session_id"]),
        (&new.clone().into(), &new.clone().into())
    );
    assert_eq!(payload["source"], "cli", "what `exec` starts is not listed");
    assert_ne!(payload["context_window"]["window_id"], "w");
    assert!(payload.get("history_base").is_none() && meta.get("ordinal").is_none());
    assert!(text.contains("\"big\":123456789012345678901,"), "numbers keep their digits");
    // The copied header of the source comes second, the settings of the fork last; all with the time of the copy.
    assert!(text.lines().nth(1).unwrap().contains(&format!("\"id\":\"{ID}\"")));
    let last = text.lines().last().unwrap();
    assert!(last.contains(&new) && last.contains("m-turn-3"), "{last}");
    assert!(text.lines().all(|l| l.starts_with("{\"timestamp\":\"2026-03-04T05:06:07.089Z\"")));
    assert_eq!(home.head(&new).forked_from_id.as_deref(), Some(ID));
}

#[test]
fn a_fork_is_cut_where_it_was_asked() {
    for paginated in [false, true] {
        for (cut, kept) in [
            (Cut::After("turn-1".into()), 1),
            (Cut::Before("turn-3".into()), 2),
            (Cut::After("turn-3".into()), 3),
            (Cut::Before("turn-1".into()), 0),
            (Cut::End, 3),
        ] {
            let home = Home::codex(paginated);
            let report = home.editor(ID).fork(&cut).unwrap();
            let turns = home.turns(&report.new_thread_id.unwrap());
            assert_eq!(turns, TURNS[..kept], "{cut:?} {paginated}");
            assert_eq!(report.turns, Some(kept));
            assert_eq!(report.removed_turns, TURNS[kept..]);
        }
    }
    let editor = Home::codex(true).editor(ID);
    assert!(editor.fork(&Cut::After("none".into())).is_err());
}

#[test]
fn a_paginated_fork_points_at_its_source() {
    let home = Home::codex(true);
    home.project(ID, 13);
    let source = home.read(FILE);
    let report = home.editor(ID).fork(&Cut::After("turn-2".into())).unwrap();
    let fork = report.new_thread_id.unwrap();
    let text = fs::read_to_string(&report.path).unwrap();
    let meta = first_line(&text);
    let end: usize = source.lines().take(9).map(|l| l.len() + 1).sum();
    assert_eq!(meta["ordinal"], 9);
    assert_eq!(
        meta["payload"]["history_base"],
        serde_json::json!({"thread_id": ID, "end_ordinal_exclusive": 9, "end_byte_offset": end})
    );
    assert_eq!(meta["payload"]["forked_from_ordinal_exclusive"], 9);
    assert_eq!(text.lines().count(), 2, "header and settings: nothing is copied");
    assert!(text.lines().nth(1).unwrap().contains("\"ordinal\":10,"));
    home.project(&fork, 11);
    // A cut in the inherited part points at the rollout that holds it.
    let of_fork = home.editor(&fork).fork(&Cut::After("turn-1".into())).unwrap();
    let meta = first_line(&fs::read_to_string(&of_fork.path).unwrap());
    assert_eq!(meta["payload"]["history_base"]["thread_id"], ID);
    assert_eq!(meta["payload"]["history_base"]["end_ordinal_exclusive"], 5);
    assert_eq!(home.turns(&of_fork.new_thread_id.unwrap()), ["turn-1"]);
    // Its end lies in its own rollout, behind the settings.
    let of_fork = home.editor(&fork).fork(&Cut::End).unwrap();
    let meta = first_line(&fs::read_to_string(&of_fork.path).unwrap());
    assert_eq!(meta["payload"]["history_base"]["thread_id"], fork.as_str());
    assert_eq!(home.turns(&of_fork.new_thread_id.unwrap()), ["turn-1", "turn-2"]);
}

#[test]
fn what_codex_has_not_projected_comes_along() {
    // It shows of an inherited part what it has projected, and no more: seen with 0.164.
    for (projected, copied) in [(None, true), (Some(8), true), (Some(9), false)] {
        let home = Home::codex(true);
        if let Some(next) = projected {
            home.project(ID, next);
        }
        for fork in [true, false] {
            let editor = home.editor(ID);
            let report =
                if fork { editor.fork(&Cut::After("turn-2".into())) } else { editor.rollback(1) };
            let text = fs::read_to_string(report.unwrap().path).unwrap();
            let meta = first_line(&text);
            assert_eq!(meta["payload"].get("history_base").is_none(), copied, "{projected:?}");
            let numbers: Vec<u64> = text
                .lines()
                .map(|l| {
                    serde_json::from_str::<serde_json::Value>(l).unwrap()["ordinal"]
                        .as_u64()
                        .unwrap()
                })
                .collect();
            let expected: Vec<u64> = if copied { (0..10).collect() } else { vec![9, 10] };
            assert_eq!(numbers, expected);
        }
        assert_eq!(home.turns(ID), ["turn-1", "turn-2"]);
    }
}

#[test]
fn a_subagent_becomes_a_thread_of_its_own() {
    let home = Home::empty(Harness::Codex);
    let agent = rollout(false, &TURNS).replace(
        "\"source\":\"exec\"",
        r#""source":{"subagent":{"thread_spawn":{"parent_thread_id":"p","depth":1}}},"thread_source":"subagent","parent_thread_id":"p","agent_path":"/root/a""#,
    );
    home.write(FILE, &agent);
    let report = home.editor(ID).fork(&Cut::End).unwrap();
    let meta = first_line(&fs::read_to_string(&report.path).unwrap());
    for gone in ["thread_source", "parent_thread_id", "agent_path"] {
        assert!(meta["payload"].get(gone).is_none(), "{gone}");
    }
    assert_eq!(meta["payload"]["source"], "cli");
    assert!(!home.head(&report.new_thread_id.unwrap()).is_subagent);
}

#[test]
fn an_open_turn_is_no_place_to_cut_behind() {
    let home = Home::empty(Harness::Codex);
    let whole = rollout(true, &TURNS);
    let open = whole.split_inclusive('\n').take(12).collect::<String>();
    home.write(FILE, &open);
    let result = home.editor(ID).fork(&Cut::After("turn-3".into()));
    assert!(matches!(result, Err(EditError::TurnOpen(turn)) if turn == "turn-3"));
    assert!(home.editor(ID).fork(&Cut::After("turn-2".into())).is_ok());
}

#[test]
fn turns_without_records_of_their_own_are_cut_before_their_prompt() {
    // Rollouts of 0.50 open no turns.
    let line =
        |payload: &str| format!("{{\"timestamp\":\"2026-01-02T03:04:05.678Z\",{payload}}}\n");
    let mut text = rollout(false, &[]);
    for n in 1..=2 {
        text += &line(&format!(
            r#""type":"response_item","payload":{{"type":"message","role":"user","content":[{{"type":"input_text","text":"Do {n}"}}]}}"#
        ));
        text += &line(&format!(
            r#""type":"event_msg","payload":{{"type":"user_message","message":"Do {n}"}}"#
        ));
        text += &line(&format!(
            r#""type":"event_msg","payload":{{"type":"agent_message","message":"Did {n}"}}"#
        ));
    }
    let home = Home::empty(Harness::Codex);
    home.write(FILE, &text);
    let turns = home.turns(ID);
    assert_eq!(turns.len(), 2);
    let report = home.editor(ID).fork(&Cut::Before(turns[1].clone())).unwrap();
    let copy = fs::read_to_string(&report.path).unwrap();
    assert!(copy.contains("Did 1") && !copy.contains("Do 2"), "{copy}");
}

#[test]
fn a_legacy_rollback_is_a_marker() {
    let home = Home::codex(false);
    let before = home.read(FILE);
    let report = home.editor(ID).rollback(2).unwrap();
    assert_eq!(
        (report.turns, report.removed_turns.as_slice()),
        (Some(1), ["turn-2", "turn-3"].map(String::from).as_slice())
    );
    let marker = "{\"timestamp\":\"2026-03-04T05:06:07.089Z\",\"type\":\"event_msg\",\"payload\":{\"type\":\"thread_rolled_back\",\"num_turns\":2}}\n";
    assert_eq!(home.read(FILE), format!("{before}{marker}"));
    assert_eq!(home.turns(ID), ["turn-1"]);
    assert_eq!(
        home.editor(ID).rollback(7).unwrap().turns,
        Some(0),
        "more than there are: all of them"
    );
    assert!(home.turns(ID).is_empty());
    assert!(matches!(home.editor(ID).rollback(1), Err(EditError::Invalid(_))), "nothing is left");
    assert!(home.editor(ID).rollback(0).is_err());
}

#[test]
fn a_torn_tail_costs_only_itself() {
    let home = Home::codex(false);
    let torn = format!("{}{{\"timestamp\":\"2026", home.read(FILE));
    home.write(FILE, &torn);
    let report = home.editor(ID).rollback(1).unwrap();
    assert!(matches!(report.changes[0], Change::Append { repaired: true, records: 1, .. }));
    assert!(home.read(FILE).starts_with(&format!("{torn}\n{{")));
    let head = home.head(ID);
    let thread = discover::codex::Codex.open(&head).unwrap().thread(None);
    assert_eq!(thread.turns.len(), 2);
    // A paginated source is only pointed at, and only up to its last whole record.
    let home = Home::codex(true);
    home.project(ID, 13);
    let whole = home.read(FILE);
    home.write(FILE, &format!("{whole}{{\"to"));
    let report = home.editor(ID).fork(&Cut::End).unwrap();
    let meta = first_line(&fs::read_to_string(&report.path).unwrap());
    assert_eq!(meta["payload"]["history_base"]["end_byte_offset"], whole.len());
    assert_eq!(home.turns(&report.new_thread_id.unwrap()), TURNS);
    // A last record that lacks nothing but its line ending counts: the line is ended.
    let home = Home::codex(true);
    home.project(ID, 13);
    let whole = home.read(FILE);
    home.write(FILE, whole.trim_end());
    let report = home.editor(ID).fork(&Cut::End).unwrap();
    assert!(matches!(report.changes[0], Change::Append { repaired: true, records: 0, .. }));
    assert_eq!(home.read(FILE), whole);
    assert_eq!(home.turns(&report.new_thread_id.unwrap()), TURNS);
}

#[test]
fn a_paginated_rollback_is_a_new_rollout() {
    let home = Home::codex(true);
    home.project(ID, 13);
    home.database();
    let before = home.read(FILE);
    let report = home.editor(ID).rollback(2).unwrap();
    assert_eq!(home.read(FILE), before);
    assert_eq!(home.turns(ID), ["turn-1"]);
    assert_eq!(
        home.cell("rollout_path"),
        report.path.to_str().map(String::from),
        "the row tells which is current"
    );
    let text = fs::read_to_string(&report.path).unwrap();
    let meta = first_line(&text);
    assert_eq!(meta["payload"]["history_base"]["thread_id"], ID);
    assert_eq!(meta["payload"]["context_window"]["window_id"], "w", "it is the same thread");
    assert!(meta["payload"].get("forked_from_id").is_none());
    let name = report.path.file_name().unwrap().to_str().unwrap().to_owned();
    assert!(name.starts_with(&format!("rollout-2026-03-04T05-06-07-{ID}_")), "{name}");
    // A second one builds on the rollout that holds the place.
    let report = home.editor(ID).revert("turn-1").unwrap();
    assert!(home.turns(ID).is_empty());
    let meta = first_line(&fs::read_to_string(&report.path).unwrap());
    assert!(meta["payload"].get("history_base").is_none(), "nothing is left to inherit");
    assert_eq!(meta["ordinal"], 0);
    assert_eq!(home.head(ID).path, report.path);
}

#[test]
fn reverting_needs_a_numbered_history_and_a_turn() {
    let legacy = Home::codex(false).editor(ID).revert("turn-2");
    assert!(
        matches!(legacy, Err(EditError::Invalid(message)) if message.contains("2 from this one on"))
    );
    let home = Home::codex(true);
    assert!(matches!(home.editor(ID).revert("none"), Err(EditError::NoSuchTurn(_))));
    let report = home.editor(ID).revert("turn-3").unwrap();
    assert_eq!(report.removed_turns, ["turn-3"]);
    assert_eq!(home.turns(ID), ["turn-1", "turn-2"]);
}

#[test]
fn a_compressed_file_is_restored_before_it_is_appended_to() {
    let home = Home::codex(false);
    let whole = home.read(FILE);
    let packed = home.path(&format!("{FILE}.zst"));
    fs::write(&packed, zstd::encode_all(whole.as_bytes(), 3).unwrap()).unwrap();
    fs::remove_file(home.path(FILE)).unwrap();
    let report = home.editor(ID).rollback(1).unwrap();
    assert!(matches!(report.changes[0], Change::Restore { .. }));
    assert!(!packed.exists());
    assert!(home.read(FILE).starts_with(&whole));
    assert_eq!(report.path, home.path(FILE));
    assert_eq!(home.turns(ID), ["turn-1", "turn-2"]);
}

#[test]
fn the_archive_keeps_all_rollouts_of_a_thread_together() {
    let home = Home::codex(true);
    home.database();
    let reverted = home.editor(ID).rollback(1).unwrap().path;
    let name = reverted.file_name().unwrap();
    let report = home.editor(ID).archive().unwrap();
    assert_eq!(report.path, home.path("archived_sessions").join(name));
    assert!(
        !reverted.exists() && !home.path(FILE).exists(),
        "Codex takes one that stays for the thread"
    );
    assert_eq!(
        (home.cell("archived"), home.cell("archived_at")),
        (Some("1".into()), Some("1772600767".into()))
    );
    assert_eq!(home.cell("rollout_path"), report.path.to_str().map(String::from));
    assert!(home.head(ID).archived);
    assert_eq!(home.turns(ID), ["turn-1", "turn-2"]);
    assert!(matches!(home.editor(ID).archive(), Err(EditError::Invalid(_))));
    let report = home.editor(ID).unarchive().unwrap();
    assert_eq!(report.path, reverted, "it lies where its name says");
    assert!(home.path(FILE).exists());
    assert_eq!((home.cell("archived"), home.cell("archived_at")), (Some("0".into()), None));
    assert!(matches!(home.editor(ID).unarchive(), Err(EditError::Invalid(_))));
}

#[test]
fn without_a_row_only_files_are_written() {
    let home = Home::codex(false);
    let report = home.editor(ID).archive().unwrap();
    assert_eq!(report.changes.len(), 1);
    assert!(!home.path("state_5.sqlite").exists(), "no database is made");
    let home = Home::codex(false);
    home.database().execute("DELETE FROM threads", []).unwrap();
    assert_eq!(home.editor(ID).archive().unwrap().changes.len(), 1);
}

#[test]
fn a_failed_row_leaves_the_file_where_it_was() {
    let home = Home::codex(false);
    let db = home.database();
    db.execute_batch(
        "CREATE TRIGGER no BEFORE UPDATE ON threads BEGIN SELECT RAISE(ABORT, 'no'); END",
    )
    .unwrap();
    assert!(matches!(home.editor(ID).archive(), Err(EditError::Io { .. })));
    assert!(home.path(FILE).exists());
    let home = Home::codex(true);
    let db = home.database();
    db.execute_batch(
        "CREATE TRIGGER no BEFORE UPDATE ON threads BEGIN SELECT RAISE(ABORT, 'no'); END",
    )
    .unwrap();
    assert!(home.editor(ID).rollback(1).is_err());
    assert_eq!(home.turns(ID), TURNS, "no second rollout is left");
}

#[test]
fn a_held_thread_is_left_alone() {
    let home = Home::codex(false);
    let lock = WriterLock::acquire(home.root(), ID).unwrap();
    let before = home.all();
    let editor = home.editor(ID);
    for result in [editor.fork(&Cut::End), editor.rollback(1), editor.archive(), editor.name("n")] {
        assert!(matches!(result, Err(EditError::Held(_))), "{result:?}");
    }
    assert_eq!(home.all(), before);
    drop(lock);
    assert!(editor.rollback(1).is_ok());
    assert!(
        !home.path("thread-writer-locks").join(format!("{ID}.lock")).exists(),
        "the lock is given back"
    );
}

#[test]
fn a_thread_that_was_written_meanwhile_is_left_alone() {
    let home = Home::codex(false);
    let editor = home.editor(ID);
    let session = Session::open(&editor).unwrap();
    fs::write(home.path(FILE), format!("{}{{}}\n", home.read(FILE))).unwrap();
    let step = step::Step::Append { path: home.path(FILE), lines: "never\n".into() };
    let result = step::take(&editor, &session, vec![step]);
    assert!(matches!(result, Err(EditError::Changed(_))));
    assert!(!home.read(FILE).contains("never"));
}

#[test]
fn a_dry_run_writes_nothing_and_tells_everything() {
    for paginated in [false, true] {
        let home = Home::codex(paginated);
        drop(home.database());
        let before = home.all();
        let dry = home.editor(ID).dry_run(true);
        let told = [dry.fork(&Cut::End), dry.rollback(1), dry.archive(), dry.name("n")]
            .map(Result::unwrap);
        assert_eq!(home.all(), before);
        assert!(told.iter().all(|r| r.dry_run && !r.changes.is_empty()));
        let archive = home.editor(ID).archive().unwrap();
        assert_eq!(archive.changes, told[2].changes, "what is told is what is done");
    }
}

#[test]
fn only_a_store_is_written() {
    let home = Home::empty(Harness::Codex);
    home.write(
        "elsewhere/rollout-2026-01-02T03-04-05-0199aaaa-0000-7000-8000-000000000001.jsonl",
        &rollout(false, &TURNS),
    );
    let head = home.head(
        home.path(
            "elsewhere/rollout-2026-01-02T03-04-05-0199aaaa-0000-7000-8000-000000000001.jsonl",
        )
        .to_str()
        .unwrap(),
    );
    let editor = Editor::new(&head);
    for result in [editor.fork(&Cut::End), editor.rollback(1), editor.archive(), editor.name("n")] {
        assert!(matches!(result, Err(EditError::Outside(_))), "{result:?}");
    }
}
