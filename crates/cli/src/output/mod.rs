//! Printing data and text. Data goes to stdout, everything else to stderr.
//!
//! - [`screen`]: what the output can take: colours, width, height
//! - [`pager`]: the pager that long text goes through
//! - [`mod@table`], [`time`]: columns, and ages, dates and durations as a person reads and writes them
//!
//! What a terminal can take of foreign text is in `recount_text`.

use std::io::{self, BufWriter, Write};

use serde::Serialize;

use crate::error::Error;

pub(crate) mod pager;
pub(crate) mod screen;
pub(crate) mod table;
pub(crate) mod time;

pub(crate) use recount_text::paint::Paint;
pub(crate) use recount_text::{amount, flow, markdown, paint, text};
pub(crate) use screen::Screen;

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
