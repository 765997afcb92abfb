//! Files that are written to be shared.

use std::collections::BTreeMap;
use std::path::Path;

use crate::environment::TestEnvironment;

fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    entries
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

#[test]
fn a_session_as_a_person_reads_it() {
    let environment = TestEnvironment::new();
    let print = |arguments: &str| environment.print(&format!("--sample export {arguments}"));
    insta::assert_snapshot!("claude-markdown", print("6513270e --format markdown"));
    insta::assert_snapshot!("codex-text", print("01a19c92 --format text --tools summary"));
    let page = print("57124242 --format html");
    let style = page.find("<style>").unwrap()..page.find("</style>").unwrap();
    let script = page.rfind("<script>").unwrap()..page.rfind("</script>").unwrap();
    let content = format!("{}[…]{}", &page[..style.start], &page[style.end..script.start]);
    // The hashes change with the style and the script.
    let policy = content.find("'sha256-").unwrap()..content.rfind("'; base-uri").unwrap();
    insta::assert_snapshot!("branches-html", content.replace(&content[policy], "[…]"));
}

#[test]
fn json_and_lines() {
    let environment = TestEnvironment::new();
    let whole = environment.json("--sample export 6513270e --json");
    let shown = environment.json("--sample show 6513270e --json");
    assert_eq!(whole["turns"].as_array().unwrap().len(), 2);
    assert_eq!(whole["thread"], shown["thread"]);
    assert_eq!(whole["subagents"][0]["export"]["thread"]["id"], "a3f09c2d71b64e805");
    let lines = environment.print("--sample export 6513270e --jsonl");
    let items = lines.lines().map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap());
    let count = items.filter(|item| item["threadId"] == whole["thread"]["id"]).count();
    let turns = whole["turns"].as_array().unwrap();
    assert_eq!(count, turns.iter().map(|t| t["items"].as_array().unwrap().len()).sum::<usize>());
}

#[test]
fn a_file_that_is_named() {
    let environment = TestEnvironment::new();
    let ran = environment.run("--sample export 57124242 --output page.html");
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    assert!(ran.stderr.starts_with("page.html, "), "{}", ran.stderr);
    let page = std::fs::read_to_string(environment.home().join("page.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
}

#[test]
fn a_folder_is_gone_on_with() {
    let environment = TestEnvironment::new();
    let session = |id: u32, text: &str| {
        format!(
            concat!(
                r#"{{"parentUuid":null,"isSidechain":false,"type":"user","message":{{"role":"user","content":"{}"}},"#,
                r#""uuid":"00000000-0000-4000-8000-{:012}","timestamp":"2026-11-09T09:00:00.000Z","cwd":"/home/dev/shop","#,
                r#""sessionId":"11111111-1111-4111-8111-{:012}","version":"2.1.332"}}"#,
                "\n"
            ),
            text, id, id
        )
    };
    let path =
        |id: u32| format!(".claude/projects/-home-dev-shop/11111111-1111-4111-8111-{id:012}.jsonl");
    environment.file(&path(1), session(1, "one"));
    environment.file(&path(2), session(2, "two"));
    let run = || environment.run("export --format md --output out/");
    let first = run();
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert_eq!(first.stderr, "out/index.md: 2 sessions written\n");
    let folder = environment.home().join("out");
    let written = files(&folder);
    let names: Vec<&str> = written.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            ".recount-export.jsonl",
            "claude-code-2026-11-09-11111111-1111-4111-8111-000000000001.md",
            "claude-code-2026-11-09-11111111-1111-4111-8111-000000000002.md",
            "index.md"
        ]
    );
    assert!(written["index.md"].contains("[one](claude-code-"));

    // Nothing has changed.
    assert_eq!(run().stderr, "out/index.md: 0 sessions written, 2 unchanged\n");
    assert_eq!(files(&folder), written);

    // A session goes on, a file is lost, a run was killed in the middle of a line.
    environment.file(&path(1), session(1, "one") + &session(3, "three"));
    assert_eq!(run().stderr, "out/index.md: 1 session written, 1 unchanged\n");
    std::fs::remove_file(folder.join(names[2])).unwrap();
    assert_eq!(run().stderr, "out/index.md: 1 session written, 1 unchanged\n");
    let list = &files(&folder)[names[0]];
    environment.file("out/.recount-export.jsonl", &list[..list.find('\n').unwrap() - 9]);
    assert_eq!(run().stderr, "out/index.md: 2 sessions written\n");
    assert_eq!(run().stderr, "out/index.md: 0 sessions written, 2 unchanged\n");

    // Other options are another export.
    let other = environment.run("export --format md --tools none --output out/");
    assert_eq!(other.stderr, "out/index.md: 2 sessions written\n");

    // A filter writes fewer, and the index keeps what is there.
    let none = environment.run("export --format md --project nowhere --output out/");
    assert_eq!((none.code, none.stderr.contains("none of 2 sessions fits")), (1, true));
}

#[test]
fn a_session_whose_sub_agent_goes_on_is_written_again() {
    let environment = TestEnvironment::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/samples");
    let shop = "projects/-home-dev-shop/6513270e-269e-4d37-b2a7-4de452e6b438";
    let agent = format!("{shop}/subagents/agent-a3f09c2d71b64e805");
    let mut content = Vec::new();
    for file in [format!("{shop}.jsonl"), format!("{agent}.jsonl"), format!("{agent}.meta.json")] {
        content = std::fs::read(root.join("claude-code").join(&file)).unwrap();
        environment.file(&format!(".claude/{file}"), &content);
    }
    assert!(!content.is_empty());
    let run =
        |options: &str| environment.run(&format!("export --format md --output out/ {options}"));
    assert_eq!(run("").stderr, "out/index.md: 1 session written\n");
    assert_eq!(run("").stderr, "out/index.md: 0 sessions written, 1 unchanged\n");
    let path = environment.home().join(format!(".claude/{agent}.jsonl"));
    let lines = std::fs::read_to_string(&path).unwrap();
    let last = lines.lines().last().unwrap();
    std::fs::write(&path, format!("{lines}{last}\n")).unwrap();
    assert_eq!(run("").stderr, "out/index.md: 1 session written\n");
    assert_eq!(run("").stderr, "out/index.md: 0 sessions written, 1 unchanged\n");
    // An export without them does not mind.
    assert_eq!(run("--no-subagents 6513270e").stderr, "out/index.md: 1 session written\n");
    std::fs::write(&path, format!("{lines}{last}\n{last}\n")).unwrap();
    let without = run("--no-subagents 6513270e");
    assert_eq!(without.stderr, "out/index.md: 0 sessions written, 1 unchanged\n");
}

#[test]
fn many_sub_agents_stand_in_their_session() {
    let environment = TestEnvironment::new();
    let root =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/samples/claude-code");
    let shop = "projects/-home-dev-shop/6513270e-269e-4d37-b2a7-4de452e6b438";
    let session = std::fs::read(root.join(format!("{shop}.jsonl"))).unwrap();
    environment.file(&format!(".claude/{shop}.jsonl"), &session);
    let agent = format!("{shop}/subagents/agent-a3f09c2d71b64e805");
    let lines = std::fs::read_to_string(root.join(format!("{agent}.jsonl"))).unwrap();
    for n in 0..12 {
        let id = format!("a3f09c2d71b64e8{n:02}");
        let lines = lines.replace("a3f09c2d71b64e805", &id);
        environment.file(&format!(".claude/{shop}/subagents/agent-{id}.jsonl"), lines.as_bytes());
    }
    for options in ["6513270e --output -", "--output out/"] {
        let ran = environment.run(&format!("export --format md {options}"));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let written = std::fs::read_dir(environment.home().join("out")).into_iter().flatten();
        let written = written.flatten().map(|entry| entry.path());
        let file = written.into_iter().find(|path| path.to_string_lossy().contains("6513270e"));
        let text = file.map_or(ran.stdout, |path| std::fs::read_to_string(path).unwrap());
        assert_eq!(text.matches("<summary>Sub-agent").count(), 12, "{options}: {text}");
        assert!(!text.contains("(not there)"), "{text}");
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let environment = TestEnvironment::new();
    let ran = environment.run("--sample export");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("several sessions need a folder"), "{}", ran.stderr);
    // The standard output takes one session, and is never a folder.
    for arguments in ["--sample export -o -", "--sample export 57124242 6513270e -o -"] {
        let ran = environment.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments}: {}", ran.stderr);
        assert!(ran.stderr.contains("several sessions need a folder"), "{}", ran.stderr);
    }
    let ran = environment.run("--sample export 57124242 --format text -o -");
    assert!(ran.code == 0 && ran.stdout.contains("Release notes"), "{}", ran.stderr);
    assert_eq!(environment.run("--sample export nothing").code, 1);
    assert_eq!(environment.run("--sample export 57124242 -o no/such/folder.html").code, 3);
}

/// A key that no vendor gave, put together here so that no program that looks for keys finds one.
fn key() -> String {
    format!("{}{}{}", "gh", "p_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
}

fn with_secrets() -> TestEnvironment {
    let environment = TestEnvironment::new();
    let key = key();
    let line = format!(
        concat!(
            r#"{{"parentUuid":null,"isSidechain":false,"type":"user","message":{{"role":"user","content":"use {} for ada@shop.example, says Ada"}},"#,
            r#""uuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-11-09T09:00:00.000Z","cwd":"/home/ada/shop","#,
            r#""sessionId":"11111111-1111-4111-8111-111111111111","version":"2.1.332"}}"#,
            "\n"
        ),
        key
    );
    environment
        .file(".claude/projects/-home-ada-shop/11111111-1111-4111-8111-111111111111.jsonl", line);
    environment
}

#[test]
fn secrets_are_taken_out_of_exports() {
    let environment = with_secrets();
    for format in ["html", "markdown", "json", "jsonl", "text"] {
        let ran =
            environment.run(&format!("export 1111 --format {format} --redact --redact-name ada"));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(!ran.stdout.contains(&key()), "{format}");
        assert!(!ran.stdout.to_lowercase().contains("ada"), "{format}: {}", ran.stdout);
        assert!(ran.stdout.contains("github-token-1"), "{format}");
        assert!(ran.stderr.contains("1 email (1 different)"), "{}", ran.stderr);
    }
    let ran = environment.run("export --redact --redact-name ada --output out/");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for (name, text) in files(&environment.home().join("out")) {
        assert!(!text.contains(&key()) && !text.to_lowercase().contains("ada"), "{name}: {text}");
    }
}

#[test]
fn secrets_are_listed_without_being_shown() {
    let environment = with_secrets();
    let ran = environment.run("secrets");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    insta::assert_snapshot!("secrets", ran.stdout);
    let found = environment.json("secrets 1111 --json");
    assert_eq!(found[0]["rule"], "github-token");
    assert_eq!(found[0]["turn"], 1);
    assert!(!found.to_string().contains(&key()));
    let none = TestEnvironment::new().run("--sample secrets");
    assert_eq!((none.code, none.stdout.as_str()), (1, ""), "{}", none.stderr);
    assert!(none.stderr.starts_with("no secrets found in "), "{}", none.stderr);
}
