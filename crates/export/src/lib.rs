//! Threads to text that can be shared.
//!
//! Pure: no disk, no clock, no environment. A thread comes in, with a [`Family`] that gives its sub-agents by id; text
//! goes out, written as it is made.
//!
//! - [`options`]: what is written
//! - [`html`], [`markdown`], [`json`], [`plain`]: one for each format
//! - [`index`]: the page that lists a folder of exports
//! - [`about`]: what stands above a thread
//! - [`told`], [`call`], [`diff`]: what a call of a tool did, in one line and opened
//! - [`redact`]: takes out what should not be shared
//! - [`time`]: times as a person reads them

pub mod about;
mod ahead;
pub mod call;
pub mod diff;
mod family;
pub mod html;
pub mod index;
pub mod json;
pub mod markdown;
pub mod options;
pub mod plain;
mod prose;
pub mod redact;
pub mod time;
pub mod told;

use std::io::{self, Write};

pub use family::{Alone, Family, Whole, started_by};
pub use options::{Format, Options, Tools};

/// Writes a thread.
///
/// # Errors
///
/// Only those of `out`.
pub fn write(
    format: Format,
    whole: &Whole,
    family: &dyn Family,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Html => html::write(whole, family, options, out),
        Format::Markdown => markdown::write(whole, family, options, out),
        Format::Json => json::write(whole, family, options, out),
        Format::Jsonl => json::write_items(whole, family, options, out),
        Format::Text => plain::write(whole, family, options, out),
    }
}
