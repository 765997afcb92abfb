//! Printing data and text. Data goes to stdout, everything else to stderr.
//!
//! - [`screen`]: what the output can take: colours, width, height
//! - [`pager`]: the pager that long text goes through
//! - [`text`]: makes foreign text harmless; everything that comes from a transcript goes through it
//! - [`paint`]: colours by meaning
//! - [`flow`]: wrapping styled text
//! - [`markdown`]: Markdown as styled text
//! - [`mod@table`], [`time`], [`amount`]: columns, and ages, dates, durations, sizes as a person reads them

use std::io::{self, BufWriter, Write};

use serde::Serialize;

use crate::error::Error;

pub(crate) mod amount;
pub(crate) mod flow;
pub(crate) mod markdown;
pub(crate) mod pager;
pub(crate) mod paint;
pub(crate) mod screen;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod time;

pub(crate) use paint::Paint;
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
