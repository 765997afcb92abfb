//! A home, a clock and a terminal of its own for each test.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

/// Where the program runs in a test: nothing of the real environment reaches it.
pub(crate) struct TestEnvironment {
    home: TempDir,
    variables: Vec<(String, String)>,
}

/// What the program did.
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

impl TestEnvironment {
    pub(crate) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let told = [
            ("HOME", home.path().to_str().unwrap()),
            ("TMPDIR", home.path().to_str().unwrap()),
            ("LANG", "C.UTF-8"),
            ("TZ", "UTC"),
            ("COLUMNS", "80"),
            ("RECOUNT_NOW", "2026-11-10T12:00:00Z"),
        ];
        let variables = told.map(|(k, v)| (k.to_owned(), v.to_owned())).to_vec();
        Self { home, variables }
    }

    /// Sets a variable.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.retain(|(k, _)| k != name);
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The width of the terminal.
    pub(crate) fn columns(self, columns: usize) -> Self {
        self.with("COLUMNS", &columns.to_string())
    }

    /// The home folder.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// Writes a file below the home folder.
    pub(crate) fn file(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.home().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Runs the program with arguments that white space separates.
    pub(crate) fn run(&self, arguments: &str) -> Ran {
        self.run_with(arguments, "")
    }

    /// The same, with something on standard input.
    pub(crate) fn run_with(&self, arguments: &str, input: &str) -> Ran {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let mut child = Command::new(env!("CARGO_BIN_EXE_recount"))
            .args(arguments)
            .env_clear()
            .envs(self.variables.iter().map(|(k, v)| (k, v)))
            .current_dir(self.home())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that reads nothing may be gone already.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        Ran {
            stdout: self.tidy(&String::from_utf8(stdout).unwrap()),
            stderr: self.tidy(&String::from_utf8(stderr).unwrap()),
            code: status.code().unwrap(),
        }
    }

    /// Starts a command that goes on until it is stopped.
    pub(crate) fn start(&self, arguments: &str) -> Child {
        Command::new(env!("CARGO_BIN_EXE_recount"))
            .args(arguments.split_whitespace())
            .env_clear()
            .envs(self.variables.iter().map(|(k, v)| (k, v)))
            .current_dir(self.home())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Runs a command that has to succeed, and gives what it printed.
    pub(crate) fn print(&self, arguments: &str) -> String {
        let ran = self.run(arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "recount {arguments}\n{}", ran.stdout);
        ran.stdout
    }

    /// Runs a command that prints one JSON value.
    pub(crate) fn json(&self, arguments: &str) -> serde_json::Value {
        serde_json::from_str(&self.print(arguments)).unwrap()
    }

    /// Takes out what differs from run to run: folders with random names.
    fn tidy(&self, text: &str) -> String {
        let text = text.replace(self.home().to_str().unwrap(), "[HOME]");
        let mut out = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once("recount-sample-") {
            out.push_str(before);
            out.push_str("recount-sample-[…]");
            rest = after.get(6..).unwrap_or("");
        }
        out + rest
    }
}
