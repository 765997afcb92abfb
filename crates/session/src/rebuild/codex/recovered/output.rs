//! What the outputs of shell tools tell, in the forms of all versions.

use recount_formats::Json;

use crate::model::item::ItemStatus;

/// What an output says about the command.
#[derive(Debug, Default, PartialEq)]
pub(in crate::rebuild::codex) struct Told {
    /// What the command printed, without the tool's own lines.
    pub(super) text: String,
    pub(super) exit_code: Option<i64>,
    pub(super) duration_ms: Option<i64>,
    /// The shell session in which it runs on.
    pub(super) session: Option<String>,
    /// Whether a person or a policy refused it.
    pub(super) declined: bool,
    /// Whether the tool itself failed.
    pub(super) failed: bool,
}

impl Told {
    /// Reads an output: a string, parts, or the object of very early files.
    pub(in crate::rebuild::codex) fn of(output: Json<'_>) -> Self {
        let mut text = String::new();
        if let Some(whole) = output.as_str().or_else(|| output.str("content")) {
            text.push_str(&whole);
        }
        for part in output.elements().filter_map(|part| part.str("text")) {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&part);
        }
        let mut told = Self::of_text(&text);
        told.failed |= output.get("success").and_then(Json::as_bool) == Some(false);
        told
    }

    /// Reads an output's text.
    pub(super) fn of_text(text: &str) -> Self {
        Self::json(text).or_else(|| Self::lines(text)).unwrap_or_else(|| Self::refusal(text))
    }

    /// `{"output": …, "metadata": {"exit_code": …, "duration_seconds": …}}`, up to 0.50 or so.
    fn json(text: &str) -> Option<Self> {
        let value = recount_formats::json::parse(text).ok()?;
        let metadata = value.get("metadata")?;
        let seconds = metadata.get("duration_seconds").and_then(Json::as_f64);
        Some(Self {
            text: value.str("output")?.into_owned(),
            exit_code: metadata.get("exit_code").and_then(Json::as_i64),
            duration_ms: seconds.map(|s| (s * 1000.0).round() as i64),
            ..Self::default()
        })
    }

    /// A few lines of facts, `Output:`, and what was printed. A patch through the shell has two such heads.
    fn lines(text: &str) -> Option<Self> {
        let mut told = Self::default();
        // 0.118 repeats the command, which may have several lines.
        let mut rest = match text.split_once("\nChunk ID: ") {
            Some((command, rest)) if command.starts_with("Command: ") => {
                rest.split_once('\n').map_or("", |(_, rest)| rest)
            }
            _ => text,
        };
        loop {
            let (head, body) = match rest.split_once("Output:\n") {
                Some((head, body)) if head.is_empty() || head.ends_with('\n') => (head, body),
                _ => (rest.strip_suffix("Output:")?, ""),
            };
            if !told.facts(head) {
                return None;
            }
            rest = body;
            if !(rest.starts_with("Exit code: ") && rest.contains("\nOutput:\n")) {
                break;
            }
        }
        rest.clone_into(&mut told.text);
        Some(told)
    }

    /// Takes the lines of a head; false when one is none of its kind.
    fn facts(&mut self, head: &str) -> bool {
        for line in head.lines() {
            if let Some(code) = line
                .strip_prefix("Process exited with code ")
                .or_else(|| line.strip_prefix("Exit code: "))
            {
                self.exit_code = code.trim().parse().ok();
            } else if let Some(time) =
                line.strip_prefix("Wall time: ").or_else(|| line.strip_prefix("Duration: "))
            {
                let seconds = time.split(' ').next().and_then(|s| s.parse::<f64>().ok());
                self.duration_ms = seconds.map(|s| (s * 1000.0).round() as i64);
            } else if let Some(id) = line.strip_prefix("Process running with session ID ") {
                self.session = Some(id.trim().to_owned());
            } else if !["Chunk ID: ", "Original token count: ", "Total output lines: "]
                .iter()
                .any(|known| line.starts_with(known))
            {
                return false;
            }
        }
        true
    }

    /// Anything else: the tool's own words, mostly why it did nothing.
    fn refusal(text: &str) -> Self {
        // Such words are few; what is long was printed by a command.
        let lower = if text.len() > 2000 { String::new() } else { text.to_lowercase() };
        let has = |words: &[&str]| words.iter().any(|w| lower.contains(w));
        let declined = has(&["rejected by user", "rejected(", "denied by user", "patch rejected"]);
        let failed = declined
            || has(&[
                "failed to parse function arguments",
                "unsupported call",
                "exec_command failed",
                "verification failed",
                "execution error",
            ])
            || lower.starts_with("aborted")
            || lower.ends_with("aborted by user");
        Self { text: text.to_owned(), declined, failed, ..Self::default() }
    }

    /// How the command ended.
    pub(in crate::rebuild::codex) fn status(&self) -> ItemStatus {
        match self.exit_code {
            _ if self.declined => ItemStatus::Declined,
            _ if self.failed => ItemStatus::Failed,
            Some(0) => ItemStatus::Completed,
            Some(_) => ItemStatus::Failed,
            None if self.session.is_some() => ItemStatus::InProgress,
            None => ItemStatus::Completed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unified_exec() {
        let told = Told::of_text(
            "Chunk ID: c9f249\nWall time: 1.5000 seconds\nProcess exited with code 3\nOriginal token count: 4\nOutput:\nalpha\nOutput:\nbeta\n",
        );
        assert_eq!(told.text, "alpha\nOutput:\nbeta\n");
        assert_eq!((told.exit_code, told.duration_ms), (Some(3), Some(1500)));
        assert_eq!(told.status(), ItemStatus::Failed);
    }

    #[test]
    fn unified_exec_that_repeats_the_command() {
        let told = Told::of_text(
            "Command: /bin/bash -lc 'a\nOutput:\nb'\nChunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nc\n",
        );
        assert_eq!((told.text.as_str(), told.exit_code), ("c\n", Some(0)));
    }

    #[test]
    fn a_process_that_runs_on() {
        let told = Told::of_text(
            "Wall time: 0.4 seconds\nProcess running with session ID 25471\nOutput:\nstarted\r\n",
        );
        assert_eq!(told.session.as_deref(), Some("25471"));
        assert_eq!(told.status(), ItemStatus::InProgress);
    }

    #[test]
    fn a_patch_through_the_shell() {
        let told = Told::of_text(
            "Wall time: 0.0000 seconds\nOutput:\nExit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.\n",
        );
        assert_eq!((told.text.as_str(), told.exit_code), ("Success.\n", Some(0)));
    }

    #[test]
    fn early_json() {
        let told = Told::of_text(
            r#"{"output":"one\n","metadata":{"exit_code":1,"duration_seconds":0.3}}"#,
        );
        assert_eq!(
            (told.text.as_str(), told.exit_code, told.duration_ms),
            ("one\n", Some(1), Some(300))
        );
    }

    #[test]
    fn refusals() {
        let declined =
            r#"exec_command failed: CreateProcess { message: "Rejected(\"rejected by user\")" }"#;
        assert_eq!(Told::of_text(declined).status(), ItemStatus::Declined);
        assert_eq!(
            Told::of_text("Wall time: 0.1 seconds\naborted by user").status(),
            ItemStatus::Failed
        );
        assert_eq!(Told::of_text("unsupported call: no_such_tool").status(), ItemStatus::Failed);
    }

    #[test]
    fn text_that_only_looks_like_a_head_is_text() {
        let text = "The plan:\nOutput:\nnothing\n";
        assert_eq!(Told::of_text(text).text, text);
    }
}
