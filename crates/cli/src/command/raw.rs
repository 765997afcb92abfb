//! `recount raw`: a file through the record layer, byte for byte.

use std::io::Write as _;

use recount_formats::jsonl::Reader;
use recount_store::container::file;

use super::input::Input;
use crate::args::{Global, Raw};
use crate::error::Error;
use crate::output;

pub(super) fn run(global: &Global, args: &Raw) -> Result<(), Error> {
    let found = Input::find(global, &args.file, None)?;
    let input = |e: std::io::Error| Error::Input(format!("{}: {e}", found.path.display()));
    // A file as it is; of a database, the records of the session that was named.
    let content = match found.session {
        Some(_) => found.open().map_err(input)?.read(),
        None => Box::new(file::open(&found.path).map_err(input)?),
    };
    let mut reader = Reader::new(content);
    let mut out = output::stdout();
    while let Some(line) = reader.next_line().map_err(input)? {
        out.write_all(line.raw)?;
    }
    out.flush()?;
    Ok(())
}
