//! `recount secrets`: keys, tokens and passwords in sessions, without showing them.

use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;
use std::path::Path;

use recount_export::redact::{Redactor, Secret};
use recount_store::SessionHead;

use super::each::each;
use super::progress::Progress;
use crate::args::{Global, Secrets};
use crate::error::Error;
use crate::output::paint::style;
use crate::output::{self, Screen, amount, text};

pub(super) fn run(global: &Global, args: &Secrets) -> Result<(), Error> {
    let known = super::export::Known::of(&[], None);
    let sessions = super::export::chosen(global, &args.id, &args.filters, false)?.sessions;
    let open: Vec<&SessionHead> = sessions.iter().collect();
    let mut progress = Progress::new(open.len(), open.iter().map(|head| head.size).sum());
    let (mut done, mut bytes) = (0, 0);
    // In the order of the list, whichever is read first.
    let mut found: HashMap<(&Path, &str), Vec<Secret>> = HashMap::new();
    let mut unread = Vec::new();
    each(
        &open,
        |head| {
            let mut whole = known.read(head)?;
            let mut redactor = Redactor::of_secrets();
            redactor.apply(&mut whole);
            Ok::<_, String>(redactor.secrets().to_vec())
        },
        |head, secrets| {
            done += 1;
            bytes += head.size;
            progress.done(done, bytes);
            match secrets {
                Ok(secrets) => {
                    found.insert((&head.path, &head.id), secrets);
                }
                Err(why) => unread.push(why),
            }
            true
        },
    );
    progress.end();
    let all = sessions.iter().filter_map(|head| found.remove(&(&*head.path, &*head.id)));
    let all: Vec<Secret> = all.flatten().collect();
    if global.json || global.jsonl {
        output::rows(&all, global.jsonl)?;
    } else if !all.is_empty() {
        print(global, &all)?;
    }
    if let Some(why) = unread.first() {
        let what = amount::plural(unread.len(), "session", "sessions");
        return Err(Error::Input(format!("{what} could not be read: {why}")));
    }
    if all.is_empty() {
        let what = amount::plural(sessions.len(), "session", "sessions");
        tell(&format!("no secrets found in {what}"));
        return Err(Error::Nothing(String::new()));
    }
    Ok(())
}

/// Nothing found is no error, though the exit code says so.
#[expect(clippy::print_stderr, reason = "what is no data goes to standard error")]
fn tell(text: &str) {
    eprintln!("{text}");
}

fn print(global: &Global, all: &[Secret]) -> Result<(), Error> {
    let screen = Screen::of(global);
    let paint = screen.paint;
    let mut out = screen.output();
    let mut by_thread: BTreeMap<&str, Vec<&Secret>> = BTreeMap::new();
    for secret in all {
        by_thread.entry(&secret.thread_id).or_default().push(secret);
    }
    for (n, (thread, secrets)) in by_thread.into_iter().enumerate() {
        if n > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}", paint.of(style::ID, text::line(thread)))?;
        for secret in secrets {
            let turn = secret.turn.map_or_else(|| "header".to_owned(), |n| format!("turn {n}"));
            let placeholder = secret.placeholder.trim_matches(['[', ']']);
            writeln!(
                out,
                "  {:<9}{:<26}{}",
                turn,
                placeholder,
                paint.of(style::DIM, text::line(&secret.hint))
            )?;
        }
    }
    out.finish()?;
    Ok(())
}
