//! Columns.

use std::io::{self, Write};

use anstyle::Style;

use super::paint::{Paint, style};
use super::text;

/// A cell: harmless text in one or two styles.
#[derive(Debug, Default)]
pub(crate) struct Cell {
    text: String,
    style: Style,
    /// From this byte on the text is dim.
    dim_from: Option<usize>,
}

impl Cell {
    /// A cell in one style.
    pub(crate) fn new(style: Style, text: impl Into<String>) -> Self {
        Self { text: text.into(), style, dim_from: None }
    }

    /// The rest after `head` bytes is dim.
    pub(crate) fn with_dim_rest(mut self, head: usize) -> Self {
        self.dim_from = Some(head);
        self
    }

    fn write(&self, out: &mut dyn Write, paint: Paint, shown: &str) -> io::Result<()> {
        match self.dim_from.and_then(|at| shown.split_at_checked(at)) {
            Some((head, rest)) if !rest.is_empty() => {
                write!(out, "{}{}", paint.of(self.style, head), paint.of(style::DIM, rest))
            }
            _ if shown.is_empty() => Ok(()),
            _ => write!(out, "{}", paint.of(self.style, shown)),
        }
    }
}

/// A column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    /// Its name.
    pub(crate) name: &'static str,
    /// Whether numbers stand in it.
    pub(crate) right: bool,
    /// At most so wide.
    pub(crate) most: usize,
    /// The table is too narrow: columns with the highest number go first; 0 stays.
    pub(crate) dispensable: u8,
}

/// Space between columns.
const GAP: usize = 2;
/// The last column wants at least so much.
const LAST: usize = 24;

/// Prints rows. The last column takes the room that is left and is cut to it.
pub(crate) fn print(
    out: &mut dyn Write,
    paint: Paint,
    columns: &[Column],
    rows: &[Vec<Cell>],
    room: Option<usize>,
) -> io::Result<()> {
    let Some(last) = columns.len().checked_sub(1) else { return Ok(()) };
    let mut widths: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(n, column)| {
            let cells = rows.iter().filter_map(|row| row.get(n)).map(|c| text::width(&c.text));
            cells.chain([column.name.len()]).max().unwrap_or(0).min(column.most)
        })
        .collect();
    let mut shown: Vec<usize> = (0..columns.len())
        // A column without a single value says nothing.
        .filter(|n| rows.iter().any(|row| row.get(*n).is_some_and(|c| !c.text.is_empty())))
        .collect();
    if let Some(room) = room {
        let fixed = |shown: &[usize], widths: &[usize]| -> usize {
            shown.iter().filter(|n| **n != last).map(|n| widths[*n] + GAP).sum()
        };
        while fixed(&shown, &widths) + widths[last].min(LAST) > room {
            let Some(victim) = shown
                .iter()
                .copied()
                .filter(|n| columns[*n].dispensable > 0)
                .max_by_key(|n| columns[*n].dispensable)
            else {
                break;
            };
            shown.retain(|n| *n != victim);
        }
        widths[last] = room.saturating_sub(fixed(&shown, &widths)).max(1).min(widths[last]);
    }
    let header: Vec<Cell> = columns.iter().map(|c| Cell::new(style::DIM, c.name)).collect();
    for row in std::iter::once(&header).chain(rows) {
        let filled = |n: &usize| row.get(*n).is_some_and(|c| !c.text.is_empty());
        let end = shown.iter().rposition(filled).map_or(0, |last| last + 1);
        for (place, n) in shown.iter().copied().take(end).enumerate() {
            let Some(cell) = row.get(n) else { continue };
            let fitted = text::fit(&cell.text, widths[n]);
            let pad = widths[n].saturating_sub(text::width(&fitted));
            let at_end = place + 1 == end;
            if columns[n].right {
                write!(out, "{:pad$}", "")?;
                cell.write(out, paint, &fitted)?;
            } else {
                cell.write(out, paint, &fitted)?;
                if !at_end {
                    write!(out, "{:pad$}", "")?;
                }
            }
            if !at_end {
                write!(out, "{:GAP$}", "")?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
