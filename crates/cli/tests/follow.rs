//! Following sessions while they are written.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::environment::TestEnvironment;

const SESSION: &str = "11111111-1111-4111-8111-111111111111";

/// A running `recount follow`, and the lines that it prints.
struct Running {
    child: Child,
    lines: Receiver<String>,
}

impl Running {
    fn of(env: &TestEnvironment, arguments: &str) -> Self {
        let mut child = env.start(arguments);
        let out = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines() {
                if line.ok().and_then(|line| sender.send(line).ok()).is_none() {
                    break;
                }
            }
        });
        Self { child, lines }
    }

    /// The next line that fits; a machine at work may take its time.
    fn until(&self, fits: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_mins(1) {
            if let Ok(line) = self.lines.recv_timeout(Duration::from_secs(1))
                && fits(&line)
            {
                return line;
            }
        }
        panic!("nothing of that kind was printed");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn line(uuid: &str, parent: &str, kind: &str, content: &str) -> String {
    format!(
        r#"{{"type":"{kind}","uuid":"{uuid}","parentUuid":{parent},"sessionId":"{SESSION}","cwd":"/home/dev/shop","timestamp":"2026-10-01T10:00:00.000Z","message":{{"role":"{kind}","content":{content}}}}}"#
    ) + "\n"
}

fn append(env: &TestEnvironment, text: &str) {
    let path = env.home().join(format!(".claude/projects/-home-dev-shop/{SESSION}.jsonl"));
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = std::fs::File::options().create(true).append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn all_sessions_new_ones_too() {
    let env = TestEnvironment::new();
    let running = Running::of(&env, "follow --all --jsonl");
    // The program has to have looked once before there is something new.
    std::thread::sleep(Duration::from_secs(2));
    append(&env, &line("u1", "null", "user", "\"first words\""));
    running.until(|line| line.contains(r#""event":"session""#) && line.contains(SESSION));
    let said = running.until(|line| line.contains("itemCompleted"));
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["item"]["content"][0]["text"], "first words");
    append(&env, &line("a1", "\"u1\"", "assistant", r#"[{"type":"text","text":"an answer"}]"#));
    let said = running.until(|line| line.contains("itemCompleted"));
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&said["item"]["text"], &said["id"]), (&"an answer".into(), &SESSION.into()));
}

#[test]
fn one_session_for_people() {
    let env = TestEnvironment::new();
    append(&env, &line("u1", "null", "user", "\"first words\""));
    let running = Running::of(&env, "follow 1111");
    running.until(|line| line.contains("first words"));
    append(&env, &line("a1", "\"u1\"", "assistant", r#"[{"type":"text","text":"an answer"}]"#));
    running.until(|line| line.contains("an answer"));
}

const ROLLOUT: &str = "22222222-2222-4222-8222-222222222222";

/// A rollout of Codex that something happens to.
struct Rollout<'a> {
    env: &'a TestEnvironment,
    text: String,
}

impl<'a> Rollout<'a> {
    fn new(env: &'a TestEnvironment) -> Self {
        let meta = format!(
            r#"{{"timestamp":"2026-10-01T10:00:00.000Z","type":"session_meta","payload":{{"id":"{ROLLOUT}","timestamp":"2026-10-01T10:00:00.000Z","cwd":"/home/dev/shop","originator":"codex_cli_rs","cli_version":"0.164.0","source":"cli"}}}}"#
        );
        let mut rollout = Self { env, text: meta + "\n" };
        rollout.say("user_message", "first words");
        rollout
    }

    fn path() -> String {
        format!(".codex/sessions/2026/10/01/rollout-2026-10-01T10-00-00-{ROLLOUT}.jsonl")
    }

    fn say(&mut self, kind: &str, text: &str) {
        let message = format!(
            r#"{{"timestamp":"2026-10-01T10:00:01.000Z","type":"event_msg","payload":{{"type":"{kind}","message":"{text}"}}}}"#
        );
        self.text += &message;
        self.text += "\n";
        self.env.file(&Self::path(), &self.text);
    }

    /// Compresses the rollout in the order in which Codex does.
    fn compress(&self) {
        let compressed = zstd::encode_all(self.text.as_bytes(), 1).unwrap();
        self.env.file(&(Self::path() + ".zst"), compressed);
        std::fs::remove_file(self.env.home().join(Self::path())).unwrap();
    }

    fn decompress(&self) {
        self.env.file(&Self::path(), &self.text);
        std::fs::remove_file(self.env.home().join(Self::path() + ".zst")).unwrap();
    }
}

/// The text of the next item that is complete.
fn next_text(running: &Running) -> String {
    let line = running.until(|line| line.contains("itemCompleted"));
    let line: Value = serde_json::from_str(&line).unwrap();
    let item = &line["item"];
    item["text"].as_str().or_else(|| item["content"][0]["text"].as_str()).unwrap().to_owned()
}

#[test]
fn compressed_moved_and_rewritten() {
    let env = TestEnvironment::new();
    let mut rollout = Rollout::new(&env);
    let running = Running::of(&env, &format!("follow {ROLLOUT} --jsonl"));
    running.until(|line| line.contains(r#""event":"session""#));
    rollout.say("agent_message", "an answer");
    assert_eq!(next_text(&running), "an answer");
    // Nothing is told twice: the next thing that is told is the next one that is said.
    rollout.compress();
    std::thread::sleep(Duration::from_millis(500));
    rollout.decompress();
    std::thread::sleep(Duration::from_millis(500));
    rollout.say("agent_message", "after it was compressed");
    assert_eq!(next_text(&running), "after it was compressed");
    // Moved among the archived ones and back.
    let place = env.home().join(Rollout::path());
    archived_and_back(&env, &place);
    rollout.say("agent_message", "after it was moved");
    assert_eq!(next_text(&running), "after it was moved");
    // Rewritten: another file of the same name, with the same things in it and one more.
    let new = env.home().join("new");
    let before = rollout.text.clone();
    rollout.text = before.replace("an answer", "another answer");
    std::fs::write(&new, &rollout.text).unwrap();
    std::fs::rename(&new, &place).unwrap();
    let again = running.until(|line| line.contains("another answer"));
    assert!(again.contains("itemCompleted"), "{again}");
    rollout.say("agent_message", "the last word");
    running.until(|line| line.contains("the last word"));
    // Gone.
    std::fs::remove_file(&place).unwrap();
    running.until(|line| line.contains(r#""event":"gone""#));
}

/// Moves a rollout among the archived ones and back.
fn archived_and_back(env: &TestEnvironment, place: &std::path::Path) {
    let archive = env.home().join(".codex/archived_sessions");
    std::fs::create_dir_all(&archive).unwrap();
    let archived = archive.join(place.file_name().unwrap());
    for (from, to) in [(place, archived.as_path()), (&archived, place)] {
        std::fs::rename(from, to).unwrap();
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// Following all, too, a session is one whatever file it stands in, also one that nobody wrote to.
#[test]
fn all_sessions_whatever_file_each_is_in() {
    for is_recent in [true, false] {
        let env = TestEnvironment::new();
        let mut rollout = Rollout::new(&env);
        rollout.say("agent_message", "an answer");
        let place = env.home().join(Rollout::path());
        let aged = |path: &std::path::Path| {
            let long_ago = std::time::SystemTime::now() - Duration::from_hours(2);
            let file = std::fs::File::options().append(true).open(path).unwrap();
            file.set_modified(long_ago).unwrap();
        };
        if !is_recent {
            aged(&place);
        }
        let running = Running::of(&env, "follow --all --jsonl");
        std::thread::sleep(Duration::from_secs(2));
        rollout.compress();
        std::thread::sleep(Duration::from_millis(500));
        rollout.decompress();
        std::thread::sleep(Duration::from_millis(500));
        archived_and_back(&env, &place);
        for text in ["one after it", "and another one"] {
            rollout.say("agent_message", text);
            assert_eq!(next_text(&running), text, "{is_recent}");
        }
    }
}

#[test]
fn one_line_for_what_happens_in_each_session() {
    let env = TestEnvironment::new();
    let running = Running::of(&env, "follow --all");
    std::thread::sleep(Duration::from_secs(2));
    append(&env, &line("u1", "null", "user", "\"first words\\nof two lines\""));
    let one = running.until(|line| line.contains("of two lines"));
    let mut rollout = Rollout::new(&env);
    rollout.say("agent_message", "an answer");
    let told = [one, running.until(|line| line.contains("an answer"))];
    assert!(told[0].contains("first words of two lines"), "{told:?}");
    assert!(told[0].contains("11111111") && told[1].contains("22222222"), "{told:?}");
}

/// Tells how long it takes from what is written to what is told: `cargo test follow -- --nocapture`.
#[test]
fn how_soon() {
    let env = TestEnvironment::new();
    append(&env, &line("u1", "null", "user", "\"first words\""));
    let running = Running::of(&env, &format!("follow {SESSION} --jsonl"));
    running.until(|line| line.contains(r#""event":"session""#));
    let mut all = Vec::new();
    for n in 0..20 {
        std::thread::sleep(Duration::from_millis(17 * n));
        let said = format!("words {n}");
        let begun = Instant::now();
        append(
            &env,
            &line(
                &format!("u{}", n + 2),
                &format!("\"u{}\"", n + 1),
                "user",
                &format!("\"{said}\""),
            ),
        );
        running.until(|line| line.contains("itemCompleted") && line.contains(&said));
        all.push(begun.elapsed().as_millis());
    }
    all.sort_unstable();
    eprintln!(
        "told after {} ms, at the latest after {} ms",
        all[all.len() / 2],
        all[all.len() - 1]
    );
}
