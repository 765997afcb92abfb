//! Shell commands, and what they do.

use recount_formats::Json;

use super::Around;
use crate::history::bound;
use crate::history::record::exec::{
    Exec, ExecAction, ExecStatus, ExploreEntry, ExploreError, ExploreFailure, ExploreState,
    ExploreStatus, ParsedCommand, ParsedList, ParsedRead, ParsedSearch, ParsedUnknown,
};
use crate::history::{Maybe, Timestamp, Unknown};
use crate::model::Item;
use crate::model::item::{ItemKind, ItemStatus};

/// The record of a command.
pub(super) fn exec(item: &Item, around: &Around<'_>) -> Option<Exec> {
    let ItemKind::CommandExecution {
        command,
        status,
        command_actions,
        aggregated_output,
        exit_code,
        duration_ms,
        ..
    } = &item.kind
    else {
        return None;
    };
    let words = words(command);
    let mut parsed: Vec<_> = command_actions.get().elements().map(told).collect();
    // Only Codex stores what a command does.
    if parsed.iter().all(|p| matches!(p, ParsedCommand::Unknown(_))) {
        parsed = parse(words.last().map_or(command.as_str(), String::as_str));
    }
    let (mut chunks, mut bytes) = (Vec::new(), 0);
    if let Some(output) = aggregated_output {
        bound::push_output(&mut chunks, &mut bytes, output.clone());
    }
    let done = *status != ItemStatus::InProgress;
    let ended = duration_ms.filter(|_| done).and_then(|took| {
        // An item's time is when it was begun.
        Timestamp::from_millis(around.time.millis()?.saturating_add(took))
    });
    Some(Exec {
        command: words,
        action: action(&parsed),
        parsed,
        status: match status {
            ItemStatus::InProgress => ExecStatus::Running,
            ItemStatus::Completed => ExecStatus::Success,
            ItemStatus::Failed | ItemStatus::Declined => ExecStatus::Error,
        },
        stdout_chunks: chunks,
        stderr_chunks: Vec::new(),
        wait_active: false,
        wait_notes: Vec::new(),
        started_at: around.time.clone(),
        call_id: Maybe::Is(item.id.clone()),
        exit_code: (*exit_code).into(),
        wait_total_ms: Maybe::Absent,
        completed_at: ended.filter(|_| !around.time.is_unknown()).into(),
        other: Unknown::default(),
    })
}

/// The look that a command is.
pub(super) fn look(exec: &Exec, cwd: Option<&str>) -> Option<ExploreEntry> {
    if exec.action == ExecAction::Run {
        return None;
    }
    let code = exec.exit_code.get().copied();
    let status = match exec.status {
        ExecStatus::Running => ExploreStatus::State(ExploreState::Running),
        ExecStatus::Success => ExploreStatus::State(ExploreState::Success),
        // grep and its kin answer 1 when nothing fits.
        ExecStatus::Error if code == Some(1) && exec.action == ExecAction::Search => {
            ExploreStatus::State(ExploreState::NotFound)
        }
        ExecStatus::Error => failed(code),
    };
    let cwd = cwd.map(str::to_owned).into();
    Some(ExploreEntry { command: exec.command.clone(), status, cwd, other: Unknown::default() })
}

pub(super) fn failed(exit_code: Option<i64>) -> ExploreStatus {
    ExploreStatus::Failed(ExploreFailure {
        error: ExploreError { exit_code: exit_code.into(), other: Unknown::default() },
        other: Unknown::default(),
    })
}

/// A command line as program and arguments where that is certain: a shell with its script. A line that a shell would read
/// further stays whole.
fn words(command: &str) -> Vec<String> {
    let whole = || vec![command.to_owned()];
    let Some((program, rest)) = command.split_once(' ') else { return whole() };
    let shell = program.rsplit('/').next().unwrap_or(program);
    if !matches!(shell, "bash" | "sh" | "zsh" | "dash" | "fish") || !rest.starts_with('-') {
        return whole();
    }
    match shlex::split(command) {
        Some(words) if words.len() == 3 && words[1].ends_with('c') => words,
        _ => whole(),
    }
}

/// What the harness says that a command does.
fn told(action: Json<'_>) -> ParsedCommand {
    let text = |key: &str| action.str(key).map(std::borrow::Cow::into_owned);
    let cmd = text("command").unwrap_or_default();
    let other = Unknown::default();
    match action.str("type").as_deref() {
        Some("read") => ParsedCommand::Read(ParsedRead {
            cmd,
            name: text("name").unwrap_or_default(),
            path: text("path").into(),
            other,
        }),
        Some("listFiles") => {
            ParsedCommand::List(ParsedList { cmd, path: text("path").into(), other })
        }
        Some("search") => ParsedCommand::Search(ParsedSearch {
            cmd,
            query: text("query").into(),
            path: text("path").into(),
            other,
        }),
        _ => ParsedCommand::Unknown(ParsedUnknown { cmd, other }),
    }
}

fn action(parsed: &[ParsedCommand]) -> ExecAction {
    let of = |one: &ParsedCommand| match one {
        ParsedCommand::Read(_) => ExecAction::Read,
        ParsedCommand::Search(_) => ExecAction::Search,
        ParsedCommand::List(_) => ExecAction::List,
        ParsedCommand::Unknown(_) => ExecAction::Run,
    };
    let mut actions = parsed.iter().map(of);
    let Some(first) = actions.next() else { return ExecAction::Run };
    actions.fold(first, |all, one| match (all, one) {
        (ExecAction::Run, _) | (_, ExecAction::Run) => ExecAction::Run,
        // One search among reads makes a search of the whole.
        (a, b) if a == b => a,
        (ExecAction::Search, _) | (_, ExecAction::Search) => ExecAction::Search,
        _ => ExecAction::Read,
    })
}

/// Longer scripts do more than look.
const LONGEST: usize = 2_000;

/// What a script does, as far as its programs tell. A script with anything in it that could do more than look is one
/// unknown command.
fn parse(script: &str) -> Vec<ParsedCommand> {
    let unknown = || {
        let cmd = script.to_owned();
        vec![ParsedCommand::Unknown(ParsedUnknown { cmd, other: Unknown::default() })]
    };
    // Redirections, substitutions, loops, jobs: none of them is looked into.
    let quiet = script.replace("2>/dev/null", "").replace("2>&1", "");
    if script.len() > LONGEST || quiet.contains(['>', '<', '`', '\n']) || quiet.contains("$(") {
        return unknown();
    }
    let Some(words) = shlex::split(&spaced(&quiet)) else { return unknown() };
    let mut out = Vec::new();
    for part in words.split(|w| w == "\u{1}") {
        // What a pipe goes through changes nothing about where it comes from, as long as it only filters.
        let mut stages = part.split(|w| w == "\u{2}");
        let first = stages.next().unwrap_or_default();
        let filters = stages.all(|stage| match stage.first().map(String::as_str) {
            Some(
                "head" | "tail" | "sort" | "uniq" | "wc" | "cat" | "nl" | "cut" | "less" | "grep"
                | "rg",
            ) => true,
            Some("sed") => stage.iter().any(|w| w == "-n"),
            _ => false,
        });
        match first.first().map(String::as_str) {
            // Where it happens is no action of its own.
            Some("cd") if part.len() == first.len() => {}
            _ => match single(first).filter(|_| filters) {
                Some(parsed) => out.push(parsed),
                None => return unknown(),
            },
        }
    }
    if out.is_empty() { unknown() } else { out }
}

/// Puts signs around the operators outside of quotes, so that the words of a shell can be cut at them.
fn spaced(script: &str) -> String {
    let mut out = String::with_capacity(script.len() + 16);
    let mut quote = None;
    let mut chars = script.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            (None | Some('"'), '\\') => {
                out.push(c);
                out.extend(chars.next());
                continue;
            }
            (None, '&' | '|' | ';') => {
                let double = chars.next_if_eq(&c).is_some();
                let pipe = c == '|' && !double;
                out.push_str(if pipe {
                    " \u{2} "
                } else if c == '&' && !double {
                    " \u{3} "
                } else {
                    " \u{1} "
                });
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

/// What one command does, if it does nothing but look.
fn single(words: &[String]) -> Option<ParsedCommand> {
    // A job that is left running is no look.
    if words.iter().any(|w| w == "\u{3}") {
        return None;
    }
    let (program, arguments) = words.split_first()?;
    let plain: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let cmd = shlex::try_join(words.iter().map(String::as_str)).ok()?;
    let other = Unknown::default();
    let read = |path: &str, cmd: String| {
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        let path = Maybe::Is(path.to_owned());
        ParsedCommand::Read(ParsedRead { cmd, name, path, other: Unknown::default() })
    };
    let flag = |names: &[&str]| arguments.iter().any(|a| names.contains(&a.as_str()));
    Some(match program.as_str() {
        "cat" | "bat" | "less" | "more" | "nl" | "head" | "tail" if !flag(&["-f", "-F"]) => {
            let path = plain.last().filter(|p| p.parse::<u64>().is_err())?;
            read(path, cmd)
        }
        "sed" if flag(&["-n"]) && !flag(&["-i"]) => match plain.as_slice() {
            [_, path] => read(path, cmd),
            _ => return None,
        },
        "rg" | "fd" if program == "fd" || flag(&["--files"]) => {
            let path = plain.last().map(|p| (*p).clone());
            ParsedCommand::List(ParsedList { cmd, path: path.into(), other })
        }
        "rg" | "grep" | "ag" | "ack" | "egrep" | "fgrep" => {
            let (query, path) = (plain.first(), plain.get(1));
            let own = |text: Option<&&String>| Maybe::from(text.map(|t| (*t).clone()));
            ParsedCommand::Search(ParsedSearch { cmd, query: own(query), path: own(path), other })
        }
        "git" if plain.first().is_some_and(|p| *p == "grep") => {
            let (query, path) = (plain.get(1), plain.get(2));
            let own = |text: Option<&&String>| Maybe::from(text.map(|t| (*t).clone()));
            ParsedCommand::Search(ParsedSearch { cmd, query: own(query), path: own(path), other })
        }
        "find" if flag(&["-exec", "-execdir", "-delete", "-ok", "-okdir", "-fprint"]) => {
            return None;
        }
        "ls" | "tree" | "find" => {
            let path = plain.first().map(|p| (*p).clone());
            ParsedCommand::List(ParsedList { cmd, path: path.into(), other })
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{action, parse, words};
    use crate::history::record::exec::{ExecAction, ParsedCommand};

    #[test]
    fn commands_that_only_look_are_told_apart() {
        for (script, expected) in [
            ("cat src/main.rs", ExecAction::Read),
            ("cd web && sed -n '1,40p' app.ts | head -20", ExecAction::Read),
            ("rg -n \"fn total\" src 2>/dev/null", ExecAction::Search),
            ("ls -la && cat README.md", ExecAction::Read),
            ("cat a.rs; grep -rn 'a && b' .", ExecAction::Search),
            ("find . -name '*.rs' | sort", ExecAction::List),
            ("rg --files src", ExecAction::List),
            ("git grep -n cart", ExecAction::Search),
            ("cargo test", ExecAction::Run),
            ("cat a > b", ExecAction::Run),
            ("cat $(ls)", ExecAction::Run),
            ("find . -name x -delete", ExecAction::Run),
            ("sed -i s/a/b/ f", ExecAction::Run),
            ("sed -n -i s/a/b/p f", ExecAction::Run),
            ("cat f | sh", ExecAction::Run),
            ("cat f & rm f", ExecAction::Run),
            ("tail -f log", ExecAction::Run),
            ("cd /tmp", ExecAction::Run),
            ("echo 'unclosed", ExecAction::Run),
            ("", ExecAction::Run),
        ] {
            assert_eq!(action(&parse(script)), expected, "{script}");
        }
    }

    #[test]
    fn what_is_searched_and_read_is_named() {
        let [ParsedCommand::Search(search)] = &parse("rg -n 'fn total' src")[..] else { panic!() };
        assert_eq!(search.query.get().unwrap(), "fn total");
        assert_eq!(search.path.get().unwrap(), "src");
        let [ParsedCommand::Read(read)] = &parse("head -n 20 src/cart.rs")[..] else { panic!() };
        assert_eq!(read.name, "cart.rs");
    }

    #[test]
    fn only_a_shell_with_its_script_is_cut_into_words() {
        assert_eq!(words("bash -lc 'a && b'"), ["bash", "-lc", "a && b"]);
        assert_eq!(words("a 'b c' && d"), ["a 'b c' && d"]);
        assert_eq!(words("bash script.sh -c"), ["bash script.sh -c"]);
    }
}
