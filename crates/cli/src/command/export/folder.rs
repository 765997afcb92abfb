//! Many sessions into a folder, with an index. What was written before and has not changed is skipped: a list of what was
//! written, a line for each session when it is done, tells.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use recount_export::Format;
use recount_export::index::{self, Entry};
use recount_store::SessionHead;
use serde::{Deserialize, Serialize};

use super::What;
use super::family::{Known, Relatives};
use crate::command::each::each;
use crate::command::progress::Progress;
use crate::error::Error;
use crate::output::{amount, text};

/// The list of what was written.
const LIST: &str = ".recount-export.jsonl";

/// One line of the list.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Written {
    file: String,
    id: String,
    harness: String,
    title: Option<String>,
    cwd: Option<String>,
    updated: Option<String>,
    bytes: u64,
    /// Changes when the session or what was asked for changes.
    key: String,
}

/// The states of sub-agents by the session that started them.
pub(super) struct Agents(HashMap<String, Vec<(String, String)>>);

impl Agents {
    /// Of all sessions of the stores.
    pub(super) fn of(all: &[SessionHead]) -> Self {
        let mut agents: HashMap<String, Vec<(String, String)>> = HashMap::new();
        for head in all.iter().filter(|head| head.is_subagent) {
            let Some(parent) = &head.parent_id else { continue };
            agents.entry(parent.clone()).or_default().push((head.id.clone(), state(head)));
        }
        for states in agents.values_mut() {
            states.sort_unstable();
        }
        Self(agents)
    }

    /// Changes when a sub-agent of a session does, or one that a sub-agent started.
    fn below(&self, session: &str) -> u64 {
        let mut known = HashSet::from([session]);
        let mut open = vec![session];
        let mut states = String::new();
        while let Some(parent) = open.pop() {
            for (id, state) in self.0.get(parent).into_iter().flatten() {
                if known.insert(id) {
                    states.push_str(id);
                    states.push_str(state);
                    open.push(id);
                }
            }
        }
        hash(&states)
    }
}

/// Changes when a session is written to.
fn state(head: &SessionHead) -> String {
    format!("{} {}", head.size, head.updated_at.as_deref().unwrap_or(""))
}

/// Writes sessions into a folder.
#[expect(clippy::print_stderr, reason = "what was done is no data")]
pub(super) fn write(
    folder: &Path,
    sessions: &[SessionHead],
    (agents, known): (&Agents, &Known),
    what: &What<'_>,
) -> Result<(), Error> {
    let format = what.format;
    let at = |path: &Path, e: io::Error| {
        Error::Output(io::Error::new(e.kind(), format!("{}: {e}", path.display())))
    };
    fs::create_dir_all(folder).map_err(|e| at(folder, e))?;
    let list = folder.join(LIST);
    let mut before = read_list(&list);
    let is_done = |session: &&SessionHead| {
        before.get(&file_name(session, format)).is_some_and(|written| {
            written.key == key(session, agents, what)
                && fs::metadata(folder.join(&written.file)).is_ok_and(|m| m.len() == written.bytes)
        })
    };
    let (done, open): (Vec<&SessionHead>, Vec<&SessionHead>) = sessions.iter().partition(is_done);
    mend(&list).map_err(|e| at(&list, e))?;
    let mut new =
        OpenOptions::new().create(true).append(true).open(&list).map_err(|e| at(&list, e))?;
    let mut progress = Progress::new(open.len(), open.iter().map(|s| s.size).sum());
    let (mut count, mut bytes, mut failed) = (0, 0, 0);
    let mut taken = Counts::new();
    let mut end = Ok(());
    each(
        &open,
        |session| one(folder, session, (agents, known), what),
        |session, written| {
            count += 1;
            bytes += session.size;
            progress.done(count, bytes);
            match written {
                Ok((written, counts)) => {
                    for (rule, (times, values)) in counts {
                        let row = taken.entry(rule).or_default();
                        row.0 += times;
                        row.1 += values;
                    }
                    let mut line = serde_json::to_vec(&written).unwrap_or_default();
                    line.push(b'\n');
                    end = std::mem::replace(&mut end, Ok(())).and_then(|()| new.write_all(&line));
                    before.insert(written.file.clone(), written);
                }
                Err(Error::Output(e)) => end = Err(e),
                Err(Error::Nothing(m) | Error::Usage(m) | Error::Input(m)) => {
                    failed += 1;
                    progress.end();
                    eprintln!("warning: {}", text::line(&m));
                }
            }
            end.is_ok()
        },
    );
    progress.end();
    end.map_err(|e| at(folder, e))?;
    write_index(folder, before, format)?;
    let written = count - failed;
    let unchanged =
        if done.is_empty() { String::new() } else { format!(", {} unchanged", done.len()) };
    let index = folder.join(index::name(format));
    let sessions = amount::plural(written, "session", "sessions");
    eprintln!("{}: {sessions} written{unchanged}", index.display());
    if what.redaction.is_some() && written > 0 {
        eprintln!("{}", super::told(&taken));
    }
    if failed > 0 {
        let what = amount::plural(failed, "session", "sessions");
        return Err(Error::Input(format!("{what} could not be read")));
    }
    Ok(())
}

/// The index lists everything of this format that is in the folder, whenever it was written.
fn write_index(
    folder: &Path,
    written: HashMap<String, Written>,
    format: Format,
) -> Result<(), Error> {
    let mut entries: Vec<Entry> = written
        .into_values()
        .filter(|w| w.file.ends_with(&format!(".{}", format.extension())))
        .filter(|w| folder.join(&w.file).is_file())
        .map(|w| Entry {
            file: w.file,
            id: w.id,
            harness: w.harness,
            title: w.title,
            cwd: w.cwd,
            updated_at: w.updated,
            bytes: w.bytes,
        })
        .collect();
    entries.sort_by(|a, b| b.updated_at.cmp(&a.updated_at).then_with(|| a.file.cmp(&b.file)));
    super::file(&folder.join(index::name(format)), |out| index::write(format, &entries, out))?;
    Ok(())
}

fn one(
    folder: &Path,
    head: &SessionHead,
    (agents, known): (&Agents, &Known),
    what: &What<'_>,
) -> Result<(Written, Counts), Error> {
    let name = file_name(head, what.format);
    let mut whole = known.read(head).map_err(Error::Input)?;
    let relatives = Relatives::of(head, known);
    let mut redactor = what.redactor();
    let path = folder.join(&name);
    let bytes = super::file(&path, |out| what.write(&mut whole, &relatives, &mut redactor, out))?;
    let thread = &whole.thread;
    let title = thread.title.as_ref().or(thread.preview.as_ref());
    let written = Written {
        file: name,
        id: head.id.clone(),
        harness: head.harness.id().to_owned(),
        title: title.map(|title| text::beginning(title, 300).to_owned()),
        cwd: thread.cwd.clone(),
        updated: thread.updated_at.clone().or_else(|| head.updated_at.clone()),
        bytes,
        key: key(head, agents, what),
    };
    Ok((written, super::counts(&redactor)))
}

/// How often each kind was taken out, and how many different values.
type Counts = BTreeMap<String, (usize, usize)>;

/// What an export was made from, and how.
fn key(head: &SessionHead, agents: &Agents, what: &What<'_>) -> String {
    let options = &what.options;
    format!(
        "{} {:x} {} {} {} {} {:?} {}",
        state(head),
        // They stand in the export, too.
        if options.subagents { agents.below(&head.id) } else { 0 },
        options.tools.name(),
        u8::from(options.reasoning),
        u8::from(options.subagents),
        u8::from(options.branches),
        // The folder may be shared: what was taken out must not stand in it.
        what.redaction.map(|names| hash(&names.join("\n"))),
        options.generator
    )
}

fn read_list(path: &Path) -> HashMap<String, Written> {
    let text = fs::read_to_string(path).unwrap_or_default();
    // A line that was cut off by a crash is written again.
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Written>(line).ok());
    lines.map(|written| (written.file.clone(), written)).collect()
}

/// Ends a line that was cut off, so that the next one stands for itself.
fn mend(list: &Path) -> io::Result<()> {
    let text = fs::read(list).unwrap_or_default();
    if text.last().is_some_and(|last| *last != b'\n') {
        OpenOptions::new().append(true).open(list)?.write_all(b"\n")?;
    }
    Ok(())
}

/// The name of a session's file, the same each time: harness, day and id. What is odd in an id is left out, and a hash
/// stands for it.
pub(super) fn file_name(head: &SessionHead, format: Format) -> String {
    let day = head.created_at.as_deref().unwrap_or("");
    let day: String = day.chars().take(10).filter(|c| c.is_ascii_digit() || *c == '-').collect();
    let plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let mut id: String = head.id.chars().filter(plain).take(80).collect();
    if id.len() != head.id.len() {
        id = format!("{id}-{:016x}", hash(&head.id));
    }
    let parts = [head.harness.id(), &day, &id];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{}.{}", parts.join("-"), format.extension())
}

/// FNV-1a: it only has to tell texts apart.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
