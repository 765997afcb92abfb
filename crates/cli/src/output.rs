//! Printing data and text. Data goes to stdout, everything else to stderr.

use std::io::{self, BufWriter, Write};

use serde::Serialize;

use crate::error::Error;

/// Standard output, buffered.
pub(crate) fn stdout() -> BufWriter<io::StdoutLock<'static>> {
    BufWriter::with_capacity(64 << 10, io::stdout().lock())
}

/// Prints one JSON value and a line feed.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Error> {
    let mut out = stdout();
    serde_json::to_writer(&mut out, value).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(())
}

/// Prints values as one array, or one a line.
pub(crate) fn rows<T: Serialize>(rows: &[T], one_a_line: bool) -> Result<(), Error> {
    if !one_a_line {
        return json(&rows);
    }
    let mut out = stdout();
    for row in rows {
        serde_json::to_writer(&mut out, row).map_err(io::Error::from)?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}
