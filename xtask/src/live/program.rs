//! Either program's app-server.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Programs;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// What is needed to run without an account: a provider that is never called.
const CONFIG: &str = r#"model = "gpt-5.5"
model_provider = "none"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.none]
name = "none"
base_url = "http://127.0.0.1:9/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false
"#;

/// The provider's id.
pub(super) const PROVIDER: &str = "none";

/// An app-server that is running.
pub(super) struct App {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Value>,
    next: u64,
}

impl App {
    pub(super) fn codex(programs: &Programs, home: &Path) -> Result<Self, String> {
        let config = home.join("config.toml");
        std::fs::write(&config, CONFIG).map_err(|e| format!("{}: {e}", config.display()))?;
        let mut command = Command::new(&programs.codex);
        command.arg("app-server").env("CODEX_HOME", home).env("RUST_LOG", "off");
        Self::start(command, home)
    }

    pub(super) fn recount(programs: &Programs, home: &Path) -> Result<Self, String> {
        let mut command = Command::new(&programs.recount);
        command.arg("--store").arg(format!("codex={}", home.display())).arg("app-server");
        Self::start(command, home)
    }

    fn start(mut command: Command, home: &Path) -> Result<Self, String> {
        let mut child = command
            .env("HOME", home)
            .current_dir(home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("{command:?}: {e}"))?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or("no standard output")?;
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let sent = serde_json::from_str(&line).map(|value| send.send(value));
                if !matches!(sent, Ok(Ok(())) | Err(_)) {
                    return;
                }
            }
        });
        let mut app = Self { child, stdin, lines, next: 1 };
        app.call(
            "initialize",
            &json!({"clientInfo": {"name": "recount", "version": "0"}, "capabilities": {"experimentalApi": true}}),
        )?;
        app.send(&json!({"method": "initialized"}))?;
        Ok(app)
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        let stdin = self.stdin.as_mut().ok_or("the program takes no input")?;
        writeln!(stdin, "{message}").and_then(|()| stdin.flush()).map_err(|e| e.to_string())
    }

    /// Calls a method; notifications on the way are passed over.
    pub(super) fn call(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        let id = self.next;
        self.next += 1;
        self.send(&json!({"id": id, "method": method, "params": params}))?;
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let message = self.lines.recv_timeout(left).map_err(|e| format!("{method}: {e}"))?;
            if message["id"] != id || message.get("method").is_some() {
                continue;
            }
            return match message.get("error") {
                Some(error) => Err(error["message"].as_str().unwrap_or_default().to_owned()),
                None => Ok(message["result"].clone()),
            };
        }
    }
}

impl Drop for App {
    fn drop(&mut self) {
        // Without input it ends; locks are given back then.
        drop(self.stdin.take());
        let until = Instant::now() + Duration::from_secs(10);
        while Instant::now() < until {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
