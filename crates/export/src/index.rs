//! The page that lists a folder of exports.

use std::io::{self, Write};

use serde::Serialize;

use crate::html::escape::escaped;
use crate::html::{begin, end};
use crate::markdown::inline;
use crate::options::Format;
use recount_text::{amount, text};

/// One exported thread.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The file, relative to the index.
    pub file: String,
    /// The thread.
    pub id: String,
    /// Its harness.
    pub harness: String,
    /// Its title.
    pub title: Option<String>,
    /// Its working directory.
    pub cwd: Option<String>,
    /// When it was last written, RFC 3339.
    pub updated_at: Option<String>,
    /// Size of the file in bytes.
    pub bytes: u64,
}

impl Entry {
    fn title(&self) -> String {
        let title = text::line(text::beginning(self.title.as_deref().unwrap_or(""), 300));
        if title.is_empty() { text::line(&self.id).into_owned() } else { title.into_owned() }
    }

    fn day(&self) -> String {
        let day = self.updated_at.as_deref().unwrap_or("");
        text::line(text::beginning(day, 10)).into_owned()
    }
}

/// The name of the index of exports of one format.
pub fn name(format: Format) -> &'static str {
    match format {
        Format::Html => "index.html",
        Format::Markdown => "index.md",
        Format::Json | Format::Jsonl => "index.json",
        Format::Text => "index.txt",
    }
}

/// Writes the index. The names of the files are ours: they need no escapes in addresses.
pub fn write(format: Format, entries: &[Entry], out: &mut dyn Write) -> io::Result<()> {
    let count = amount::plural(entries.len(), "session", "sessions");
    match format {
        Format::Html => {
            begin(out, "Sessions")?;
            write!(
                out,
                "<header><h1>{count}</h1></header>\n<main id=main><div class=wide><table>\n"
            )?;
            out.write_all(b"<tr><th>day</th><th>agent</th><th>place</th><th>session</th><th class=r>size</th></tr>\n")?;
            for entry in entries {
                writeln!(
                    out,
                    "<tr><td>{}</td><td>{}</td><td dir=auto>{}</td><td dir=auto><a href=\"{}\">{}</a></td><td class=r>{}</td></tr>",
                    escaped(&entry.day()),
                    escaped(&entry.harness),
                    escaped(entry.cwd.as_deref().unwrap_or("")),
                    escaped(&entry.file),
                    escaped(&entry.title()),
                    amount::bytes(entry.bytes)
                )?;
            }
            out.write_all(b"</table></div></main>\n")?;
            end(out)
        }
        Format::Markdown => {
            writeln!(
                out,
                "# {count}\n\n| day | agent | place | session | size |\n|---|---|---|---|---:|"
            )?;
            for entry in entries {
                writeln!(
                    out,
                    "| {} | {} | {} | [{}]({}) | {} |",
                    inline(&entry.day()),
                    inline(&entry.harness),
                    inline(&text::line(entry.cwd.as_deref().unwrap_or(""))),
                    inline(&entry.title()),
                    entry.file,
                    amount::bytes(entry.bytes)
                )?;
            }
            Ok(())
        }
        Format::Json | Format::Jsonl => {
            let mut out = out;
            serde_json::to_writer(&mut out, entries)?;
            out.write_all(b"\n")
        }
        Format::Text => {
            for entry in entries {
                writeln!(
                    out,
                    "{}  {}  {}  {}",
                    entry.day(),
                    entry.harness,
                    entry.file,
                    entry.title()
                )?;
            }
            Ok(())
        }
    }
}
