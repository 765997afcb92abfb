//! `recount search`, `recount files`, `recount index`.

use std::ffi::OsString;

use clap::{Args, Subcommand};

/// Find sessions by what was said and done in them
#[derive(Debug, Args)]
#[command(after_help = "\
A query is made of these; all of them have to fit:
  word            in any case, whole or as a part of an identifier: `name` finds `userName`
  \"two words\"     next to each other
  pre*            words that begin so
  -word           not that
  this OR that    one of the two
  /pattern/       a regular expression
  harness:NAME    project:TEXT  role:ROLE  tool:NAME  file:PATH  branch:NAME|abandoned
  since:TIME      until:TIME    such as `3d`, `2w`, `2026-11-01`

Roles are user, assistant, reasoning, tool, summary, notice, and record for what stands outside of the conversation.
Quote the query where the shell would touch it: recount search '\"connection refused\" since:2w'")]
pub(crate) struct Search {
    /// What to look for
    #[arg(value_name = "QUERY", required = true)]
    pub(crate) query: Vec<String>,
    /// At most so many sessions (20; 50 for programs)
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// At most so many hits of each session
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) hits: usize,
    /// Show so many lines before and behind each match
    #[arg(long, value_name = "N")]
    pub(crate) context: Option<usize>,
    /// Print nothing but the sessions' ids, all of them
    #[arg(long, conflicts_with_all = ["json", "jsonl"])]
    pub(crate) ids: bool,
}

/// List the sessions that read or changed a file
#[derive(Debug, Args)]
pub(crate) struct Files {
    /// A file or folder: its path, or the last parts of it
    pub(crate) path: String,
    /// Only sessions that changed it
    #[arg(long)]
    pub(crate) changed: bool,
    /// At most so many sessions
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
}

/// Look after the search index
#[derive(Debug, Args)]
pub(crate) struct Index {
    #[command(subcommand)]
    pub(crate) action: IndexAction,
}

/// What to do with the index.
#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum IndexAction {
    /// Tell where it is, how large, and whether it is up to date
    Status,
    /// Throw it away and make it anew
    Rebuild,
    /// Bring it up to date, and take out sessions whose files are gone
    Prune,
}

/// Lets the words of a query begin with `-`, as in `recount search cart -rounding`: they get a space in front, which
/// means nothing in a query. Options of one letter stay what they are; the others have two signs.
pub(crate) fn with_negations(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut all: Vec<OsString> = arguments.collect();
    let mut at = 1;
    while let Some(argument) = all.get(at).and_then(|a| a.to_str()) {
        match argument {
            "--store" | "--color" => at += 2,
            "search" => break,
            _ if argument.starts_with('-') => at += 1,
            _ => return all,
        }
    }
    for argument in all.iter_mut().skip(at + 1) {
        let negates = argument
            .to_str()
            .is_some_and(|a| a.starts_with('-') && !a.starts_with("--") && a.chars().count() > 2);
        if negates {
            let mut spaced = OsString::from(" ");
            spaced.push(&*argument);
            *argument = spaced;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_a_sign_in_front() {
        let of = |text: &str| {
            let all = with_negations(text.split(' ').map(OsString::from));
            all.into_iter()
                .map(|a| a.into_string().unwrap_or_default())
                .collect::<Vec<_>>()
                .join("|")
        };
        assert_eq!(of("recount search a -not --json"), "recount|search|a| -not|--json");
        assert_eq!(
            of("recount --sample --store a=b search -h"),
            "recount|--sample|--store|a=b|search|-h"
        );
        assert_eq!(of("recount show search -full"), "recount|show|search|-full");
        assert_eq!(of("recount"), "recount");
    }
}
