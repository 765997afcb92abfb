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
