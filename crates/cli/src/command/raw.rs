//! `recount raw`: a file through the record layer, byte for byte.

use std::io::Write as _;

use recount_formats::jsonl::Reader;
use recount_store::container::file;

use crate::args::Raw;
use crate::error::Error;
use crate::output;

pub(super) fn run(args: &Raw) -> Result<(), Error> {
    let input = |e: std::io::Error| Error::Input(format!("{}: {e}", args.file.display()));
    let mut reader = Reader::new(file::open(&args.file).map_err(input)?);
    let mut out = output::stdout();
    while let Some(line) = reader.next_line().map_err(input)? {
        out.write_all(line.raw)?;
    }
    out.flush()?;
    Ok(())
}
