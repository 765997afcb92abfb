//! `recount export`: sessions as text that can be shared.
//!
//! - [`family`]: sub-agents of a session, read when their place has come
//! - [`folder`]: many sessions, skipping what was written before

mod family;
mod folder;

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use recount_export::redact::{Redacted, Redactor};
use recount_export::{Family, Format, Options, Whole};
use recount_store::SessionHead;

pub(super) use self::family::Known;
use self::family::Relatives;
use super::prices::Prices;
use crate::args::{Export, Filters, Global};
use crate::error::{Error, find_error, warn};
use crate::output;

pub(super) fn run(global: &Global, args: &Export) -> Result<(), Error> {
    let format = match (global.json, global.jsonl) {
        (true, _) => Format::Json,
        (_, true) => Format::Jsonl,
        _ => args.format.into(),
    };
    let options = Options {
        tools: args.tools.into(),
        reasoning: !args.no_reasoning,
        subagents: !args.no_subagents,
        branches: !args.no_branches,
        generator: concat!("recount ", env!("CARGO_PKG_VERSION")).to_owned(),
        ..Options::default()
    };
    let redaction = args.redact.then_some(args.redact_name.as_slice());
    let what = What { format, options, redaction };
    let to_stdout = args.output.as_deref().is_some_and(is_stdout);
    let folder = args.output.as_deref().filter(|path| !to_stdout && is_folder(path));
    if let ([id], None) = (args.id.as_slice(), folder) {
        let head = super::stores(global).find(id).map_err(|e| find_error(global, id, e))?;
        let known = Known::of(&[], what.prices(global)?);
        return one(&head, &known, &what, args.output.as_deref());
    }
    let Some(folder) = args.output.as_deref().filter(|_| !to_stdout) else {
        return Err(Error::Usage(format!(
            "several sessions need a folder\n  `{} export --output FOLDER`",
            output::screen::program(global)
        )));
    };
    let chosen = chosen(global, &args.id, &args.filters, !args.no_subagents)?;
    let all = if what.options.subagents { chosen.all } else { Vec::new() };
    let known = Known::of(&all, what.prices(global)?);
    folder::write(folder, &chosen.sessions, (&folder::Agents::of(&all), &known), &what)
}

/// What is written of each session.
struct What<'a> {
    format: Format,
    options: Options,
    /// The names to take out, where secrets are taken out.
    redaction: Option<&'a [String]>,
}

impl What<'_> {
    /// Writes a session. What is in `whole` afterwards is what was written.
    fn write(
        &self,
        whole: &mut Whole,
        family: &dyn Family,
        redactor: &mut Redactor,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if self.redaction.is_none() {
            return recount_export::write(self.format, whole, family, &self.options, out);
        }
        redactor.apply(whole);
        let family = Redacted::new(family, redactor);
        recount_export::write(self.format, whole, &family, &self.options, out)
    }

    /// The prices, where people read what is written.
    fn prices(&self, global: &Global) -> Result<Option<Prices>, Error> {
        let people = matches!(self.format, Format::Html | Format::Markdown | Format::Text);
        people.then(|| Prices::of(global)).transpose()
    }

    fn redactor(&self) -> Redactor {
        Redactor::new(self.redaction.unwrap_or_default()).telling(&self.options)
    }
}

/// What was taken out, in words.
fn told(summary: &BTreeMap<String, (usize, usize)>) -> String {
    if summary.is_empty() {
        return "nothing taken out".to_owned();
    }
    let rows = summary
        .iter()
        .map(|(rule, (times, values))| format!("{times} {rule} ({values} different)"));
    format!("taken out: {}", rows.collect::<Vec<_>>().join(", "))
}

/// Whether a path stands for the standard output.
fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a path is meant as a folder: it is one, or ends like one.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
}

/// The sessions that were asked for, and all that there are.
pub(super) struct Chosen {
    pub(super) sessions: Vec<SessionHead>,
    all: Vec<SessionHead>,
}

/// The sessions that were asked for. With `nested`, sub-agents whose sessions are there are left out: they stand in those.
pub(super) fn chosen(
    global: &Global,
    ids: &[String],
    filters: &Filters,
    nested: bool,
) -> Result<Chosen, Error> {
    let stores = super::stores(global);
    if !ids.is_empty() {
        let find = |id: &String| stores.find(id).map_err(|e| find_error(global, id, e));
        let sessions = ids.iter().map(find).collect::<Result<_, _>>()?;
        let all = if nested { stores.list().0 } else { Vec::new() };
        return Ok(Chosen { sessions, all });
    }
    let (mut sessions, findings) = stores.list();
    warn(&findings);
    if sessions.is_empty() {
        return Err(super::no_sessions(&stores, global));
    }
    let all = if nested { sessions.clone() } else { Vec::new() };
    if nested {
        let ids: HashSet<String> = sessions.iter().map(|s| s.id.clone()).collect();
        sessions.retain(|s| {
            !s.is_subagent || s.parent_id.as_ref().is_none_or(|parent| !ids.contains(parent))
        });
    }
    let count = sessions.len();
    super::filter::filter(&mut sessions, filters);
    if sessions.is_empty() {
        let what = output::amount::plural(count, "session", "sessions");
        return Err(Error::Nothing(format!("none of {what} fits the filters")));
    }
    Ok(Chosen { sessions, all })
}

/// Exports one session to a file or to the standard output.
#[expect(clippy::print_stderr, reason = "data goes to stdout, where it went to stderr")]
fn one(
    head: &SessionHead,
    known: &Known,
    what: &What<'_>,
    path: Option<&Path>,
) -> Result<(), Error> {
    let mut whole = known.read(head).map_err(Error::Input)?;
    let relatives = Relatives::of(head, known);
    let mut redactor = what.redactor();
    let named;
    let path = match path {
        Some(path) if is_stdout(path) => None,
        Some(path) => Some(path),
        // Nobody reads a page in a terminal.
        None if what.format == Format::Html && io::stdout().is_terminal() => {
            named = PathBuf::from(folder::file_name(head, what.format));
            Some(named.as_path())
        }
        None => None,
    };
    if let Some(path) = path {
        let bytes = file(path, |out| what.write(&mut whole, &relatives, &mut redactor, out))?;
        eprintln!("{}, {}", path.display(), output::amount::bytes(bytes));
    } else {
        let mut out = BufWriter::with_capacity(256 << 10, io::stdout().lock());
        what.write(&mut whole, &relatives, &mut redactor, &mut out)?;
        out.flush()?;
    }
    if what.redaction.is_some() {
        eprintln!("{}", told(&counts(&redactor)));
    }
    Ok(())
}

/// How often each kind was taken out.
fn counts(redactor: &Redactor) -> BTreeMap<String, (usize, usize)> {
    redactor.summary().into_iter().map(|(rule, row)| (rule.to_owned(), row)).collect()
}

/// Writes a file as a whole or not at all; gives its size.
fn file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<u64, Error> {
    let written = || -> io::Result<u64> {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
        let new = tempfile::NamedTempFile::with_prefix_in(
            ".recount-",
            folder.unwrap_or_else(|| Path::new(".")),
        )?;
        let mut out =
            BufWriter::with_capacity(256 << 10, Counting { file: new.as_file(), bytes: 0 });
        write(&mut out)?;
        out.flush()?;
        let bytes = out.get_ref().bytes;
        drop(out);
        readable(new.as_file())?;
        new.persist(path)?;
        Ok(bytes)
    };
    written()
        .map_err(|e| Error::Output(io::Error::new(e.kind(), format!("{}: {e}", path.display()))))
}

/// Temporary files are for their owner alone; what was exported is an ordinary file of a person.
#[cfg(unix)]
fn readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_: &File) -> io::Result<()> {
    Ok(())
}

/// A file, and how much was written.
struct Counting<'a> {
    file: &'a File,
    bytes: u64,
}

impl Write for Counting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.file.write(bytes)?;
        self.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
